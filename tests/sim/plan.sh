#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma plan prints the same as tma stat --dry-run, with the same options.
. "$(dirname "$0")/../cli/lib.sh"

# same_plan MACHINE ARG ...: tma plan and tma stat --dry-run print the same text, which is not empty
same_plan()
{
	machine=$1
	shift
	sim "$machine" stat --dry-run "$@"
	expect_status 0
	cp "$stdout" "$tmp/stat.out"
	cp "$stderr" "$tmp/stat.err"
	sim "$machine" plan "$@"
	expect_status 0
	expect_match stdout '^(group|event) 1|"Kind": "group"'
	expect_file "$stdout" <"$tmp/stat.out"
	expect_file "$stderr" <"$tmp/stat.err"
}

# expect_plan JQ WANT: jq prints WANT for the objects on stdout
expect_plan()
{
	expect_equal "$1" "$(jq -r "$1" "$stdout")" "$2"
}

for options in '-a -M TopdownL3' '-a --topdown --td-level 2 -j' '-a -M TopdownL3 --grouping=perf' \
	'-a -M TopdownL2 --metric-no-group --metric-no-threshold' '-C 0,2 -e {cycles,branches} -v' \
	'-a -M TopdownL2 --schedule=rotate' '-p 1 -M TopdownL2 --metric-no-merge' \
	'-a -e cycles -G /' '--all-user -M TopdownL3 --passes sleep 1'; do
	begin "the same as tma stat --dry-run: $options"
	# shellcheck disable=SC2086 # options
	same_plan skylakex $options
done

begin "the same on a hybrid machine, with a plan for each type of core"
needs_command jq
same_plan alderlake -a -M TopdownL2 -j
expect_plan '[.[] | select(.Kind == "unit").Unit] | sort | join(" ")' 'cpu_atom cpu_core'
same_plan alderlake -a -M TopdownL2 --cputype atom -j
expect_plan '[.[] | select(.Kind == "unit").Unit] | join(" ")' cpu_atom
same_plan alderlake -a --topdown

begin "perf's groups are more"
needs_command jq
sim skylakex plan -a -M TopdownL2 -j
expect_plan '.[] | select(.Kind == "unit").Groups' 4
sim skylakex plan -a -M TopdownL2 -j --grouping=perf
expect_plan '.[] | select(.Kind == "unit").Groups' 15

begin "JSON goes to a file, and by any format that is JSON"
sim skylakex plan -a -M TopdownL1 -j -o "$tmp/plan"
expect_status 0
expect_empty stdout
for format in json json-perf; do
	sim skylakex plan -a -M TopdownL1 --format=$format
	expect_status 0
	expect_file "$stdout" <"$tmp/plan"
done

begin "without a target it is for all CPUs, which is said"
sim skylakex plan -a -M TopdownL1
expect_no_match stderr 'all CPUs'
cp "$stdout" "$tmp/all"
sim skylakex plan -M TopdownL1
expect_status 0
expect_match stderr '^tma: no command, -p, -t or -C given: this is the plan for all CPUs \(-a\)$'
expect_file "$stdout" <"$tmp/all"
sim skylakex plan -M TopdownL1 true
expect_no_match stderr 'all CPUs'
expect_match stdout ' file descriptors for each thread$'

begin "file descriptors are those that are open at the same time"
fds()
{
	sim sapphirerapids plan -j --topdown --td-level 3 "$@"
	jq -r '.[] | select(.Kind == "plan") | "\(.FileDescriptors) \(.FileDescriptorsOfSet)"' "$stdout"
}
needs_command jq
expect_equal "all at once" "$(fds -a)" '680 null'
expect_equal "with --passes" "$(fds -a --passes true)" '128 128'
expect_equal "in turns" "$(fds -a --schedule=rotate)" '680 128'
sim sapphirerapids plan -a --topdown --td-level 3 --schedule=rotate
expect_match stdout ', [6-8][0-9][0-9] file descriptors, or 1[0-9][0-9] if no more are allowed$'

begin "without a core PMU, hardware events are not supported"
mkdir -p "$tmp/sysfs/devices/system/cpu/cpu0" "$tmp/sysfs/bus/event_source/devices/software"
echo 0 >"$tmp/sysfs/devices/system/cpu/online"
echo 1 >"$tmp/sysfs/bus/event_source/devices/software/type"
run env SYSFS_PATH="$tmp/sysfs" "$TMA" plan -a -e cycles,page-faults
expect_status 0
sed 's/ *$//' "$stdout" >"$tmp/plan"
expect_file "$tmp/plan" <<'END'
event 1, is not supported: this machine has no core PMU
      cycles                                         0.0 %
event 2
      page-faults                                  100.0 %
2 events, 0 metrics, 1 file descriptor
END

begin "a command is not run, not even one that is a word of tma stat"
sim skylakex plan touch "$tmp/ran"
expect_status 0
sim skylakex plan --no-dry-run touch "$tmp/ran"
expect_status 0
expect_match stdout '^event 1'
sim skylakex plan record -o "$tmp/ran"
expect_status 0
expect_match stdout ' file descriptors for each thread$'
expect_equal "what the commands left" "$(ls "$tmp/ran" 2>/dev/null)" ""

begin "what is about rows, and when they are printed, changes nothing"
sim skylakex plan -a -M TopdownL1 -I 1000 -x, --per-core --summary --header --timeout 0
expect_status 129
sim skylakex plan -a -M TopdownL1 -I 1000 -x, --per-core --summary --header --interval-count 3
expect_status 0
expect_file "$stdout" <"$tmp/all"

begin "the help has what bears on a plan"
run "$TMA" plan -h
expect_status 129
expect_match stderr '^ Usage: tma plan \[<options>\] \[<command>\]$'
expect_match stderr '--grouping <counters\|perf>'
expect_match stderr '-j, --json-output'
expect_no_match stderr '--(interval-print|per-core|dry-run|field-separator|scale)'
run "$TMA" plan --help-all
expect_match stderr '-I, --interval-print <ms>'

# WHAT:STATUS:OPTIONS:MESSAGE
for wrong in 'a metric:125:-a -M tma_retirin:tma_retiring' \
	'passes of nothing:129:-a --passes:name one after the options .*--schedule=rotate' \
	'tasks on CPUs:129:-a -p 1:use one of them' \
	'a way of grouping:129:--grouping=some:use perf or counters' \
	'added to a file:129:--append -o x:remove --append' \
	'an option:129:--some:unknown option'; do
	begin "refused, with what to do: ${wrong%%:*}"
	rest=${wrong#*:}
	options=${rest#*:}
	# shellcheck disable=SC2086 # options
	sim skylakex plan ${options%:*}
	expect_status "${rest%%:*}"
	expect_match stderr "${options##*:}"
	expect_empty stdout
done

begin "what an event is does not depend on what it is called"
sim skylakex plan -a -e '{cpu/event=0xc4,name=INST_RETIRED.PREC_DIST/,INST_RETIRED.PREC_DIST}'
expect_status 0
expect_no_match stdout 'refused'
expect_match stdout '^cpu: 2 events in 1 group, counted all the time'
sim skylakex plan -a -e '{INST_RETIRED.PREC_DIST,cpu/INST_RETIRED.PREC_DIST,name=other/}'
expect_match stdout 'will be refused: INST_RETIRED.PREC_DIST and other have only counter 1'

begin "an event with further terms has the counters of its own"
sim icelakex plan -a -e '{UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD,UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD/thresh=1/}'
expect_match stdout 'only counter 0'

begin "output that cannot be written is a failure"
sim skylakex plan -a -M TopdownL1 -o /dev/full
expect_status 125
expect_match stderr '/dev/full'
