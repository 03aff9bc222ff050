#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Bad input: from users, from sysfs, and from machines that are large or lack something.
. "$(dirname "$0")/lib.sh"

# repeat N TEXT
repeat()
{
	awk -v n="$1" -v text="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", text }'
}

# expect_refused REGEX: the run was refused quickly, with this message, and printed no count
expect_refused()
{
	[ $test_state = ok ] || return 0
	case $status in
	125 | 129) ;;
	*) fail "exit status $status" ;;
	esac
	expect_match stderr "$1"
	expect_no_match stderr 'Performance counter'
}

# --- The command line --------------------------------------------------------------------------------

begin "event names which are no names" # R33
for name in '%n%s%n' 'a/b/c' '/' '//' ',' ',,' '{' '}' '{}' '{}:u' '{,}' 'task-clock,' ':' ':u' 'task-clock:' \
	'task-clock::u' 'cpu/' 'r' 'rx' 'rfffffffffffffffff' '0x' '@' 'task-clock/name/' "$(printf 'a\001\033[31mb')" \
	"$(printf 'a\nb')" "$(printf '\303\244\377')" '{task-clock' 'task-clock}' '{{task-clock}}' 'mem:' 'mem:0' 'a:b:c' \
	'task-clock:uu:pppppp' 'sched:' ':sched_switch' '../../etc/passwd:x' 'sched:../../../etc'; do
	run timeout 20 "$TMA" stat -e "$name" true
	case $status in
	0 | 125 | 129) ;;
	*) fail "'$name': exit status $status" ;;
	esac
	[ "$status" = 0 ] || [ -s "$stderr" ] || fail "'$name': nothing was said"
	[ $test_state != ok ] || ! grep -q "$(printf '[\001\033]')" "$stderr" || fail "'$name': it goes to the terminal as it is"
done

begin "names of 100,000 bytes" # R33
for name in "$(repeat 100000 a)" "$(repeat 50000 '{')" "$(repeat 30000 'a,')" "$(repeat 30000 a:)" "cpu/$(repeat 30000 a=1,)/"; do
	run timeout 20 "$TMA" stat -e "$name" true
	expect_refused .
	expect_between "bytes of the message" "$(wc -c <"$stderr")" 1 2000
	command_shown=
done

begin "3,000 events"
needs_counters
run timeout 60 "$TMA" stat -x, -e "$(repeat 2999 task-clock,)task-clock" true
case $status in
0) expect_lines stderr 3000 ;;
*) expect_refused 'open files' ;;
esac

begin "metrics that refer to each other, are deep, or are long" # R32
for metric in 'm = m' 'a = b, b = c, c = a' "m = $(repeat 5000 '(')1$(repeat 5000 ')')" "m = $(repeat 5000 -)1" \
	"m = $(repeat 20000 '1 + ')" "m = $(repeat 2000 '1 if 1 else ')1" 'm = 1 +' 'm =' '= 1' 'm = 1 2' 'm = #nosuch' \
	'm = min(1)' 'm = max(,)' 'm = d_ratio(1)' 'm = \' 'm = "' "m = $(printf '\001')"; do
	run timeout 20 env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -a -M "$metric" true
	case $status in
	0 | 125 | 129) ;;
	*) fail "exit status $status of $(printf %.60s "$metric")" ;;
	esac
	command_shown=
done

# numbers OPTION=: try texts that are not numbers, or not valid for this option
numbers()
{
	for number in '' ' ' -1 10x 0x 1e3 1.5 18446744073709551616 99999999999999999999 ' 5' '5 ' +5 ٣; do
		run "$TMA" stat "$1$number" -e task-clock true
		[ "$status" = 129 ] || fail "$1'$number': exit status $status"
		[ -s "$stderr" ] || fail "$1'$number': nothing was said"
	done
}

begin "numbers of options" # R34
for option in --interval-print= --interval-count= --timeout= --td-level= --min-running= --log-fd= --repeat=; do
	numbers "$option"
done

begin "contradictions" # R35 R58
for pair in '-p 1 -a' '-t 1 -a' '-p 1 -C 0' '-p 1 -t 1' '-x, -j' '-I 100 -r 2' '-I 100 --timeout 100' '--log-fd 2 -o x' \
	'--append' '--per-core' '--per-socket -p 1' '--metric-only -r 2' '--table' '--interval-count 2' '--interval-clear -o x'; do
	# shellcheck disable=SC2086 # options
	run "$TMA" stat $pair -e task-clock true
	case $status in
	125 | 129) ;;
	*) fail "$pair: exit status $status" ;;
	esac
done

# --- What a file of counts does not tell -------------------------------------------------------------

cat >"$tmp/counts.txt" <<'END'
 Performance counter stats for './a.out':

     8,894,997,400      cpu_clk_unhalted.thread
    10,409,738,753      uops_retired.retire_slots
END

# refuses_values OPTION VALUE ...: each value is refused, and a message names the option or a
# missing file
refuses_values()
{
	option=$1
	shift
	for value; do
		run timeout 20 "$TMA" stat report "$tmp/counts.txt" --cpuid skylakex -M tma_retiring "$option" "$value"
		expect_refused "${option#--}|cannot open"
		expect_between "bytes of the message" "$(wc -c <"$stderr")" 1 8000
		command_shown=
	done
}

begin "what was on there, of words that are none"
refuses_values --smt '' ' ' On ONN 1 true on,off "$(repeat 100000 o)"
refuses_values --scope '' ' ' Task cpu 0 task,core "$(repeat 100000 t)"

begin "literals that are none, of no number, or twice"
refuses_values --set '' '#' '#slots' 'slots' '#slots=' '=8' '#slots=x' '#slots=8x' '#slots=nan' '#slots=1e999' '#nosuch=1' \
	'#slots 8' '#slots=8=9' "#slots=$(repeat 5000 9)" "#$(repeat 100000 s)=8"
run "$TMA" stat report "$tmp/counts.txt" -M 'x = cpu_clk_unhalted.thread / #slots' --set '#slots=8' --set '#slots=4' -j
case $status in
0) expect_match stderr '"metric-value" : "2223749350' ;;
*) expect_refused '#slots' ;;
esac

begin "lists of CPUs that are wrong"
refuses_values --cpuid '' ' ' , nosuchlake 6 6-85 6-85-4-4 GenuineIntel GenuineIntel- 0x 0xzz \
	/dev/null "$tmp/counts.txt" '*' '.*' '(' "$(printf 'a\001b')" "$(repeat 100000 a)"
run "$TMA" stat report "$tmp/counts.txt" --cpuid "$tmp" -M tma_retiring
expect_refused "$tmp: Is a directory"

begin "several files: none, the same one twice, directories, and standard input among them"
run timeout 20 "$TMA" stat report "$tmp/counts.txt" "$tmp/counts.txt"
expect_status 0
expect_equal "tables" "$(grep -c 'Performance counter stats' "$stderr")" 2
run timeout 20 "$TMA" stat report "$tmp/counts.txt" "$tmp" /dev/null "$tmp/counts.txt"
expect_status 125
expect_equal "tables" "$(grep -c 'Performance counter stats' "$stderr")" 2
expect_match stderr "$tmp"
expect_match stderr '/dev/null'
run timeout 20 sh -c '"$1" stat report "$2" - <"$2"' - "$TMA" "$tmp/counts.txt"
expect_status 0
expect_equal "tables" "$(grep -c 'Performance counter stats' "$stderr")" 2
run timeout 20 sh -c 'cat "$2" | "$1" stat report - -' - "$TMA" "$tmp/counts.txt"
expect_status 125
expect_equal "tables" "$(grep -c 'Performance counter stats' "$stderr")" 1
run timeout 20 "$TMA" stat report ''
expect_status 125

# --- What the machine says of itself --------------------------------------------------------------------

# Make a tree like sysfs, with one PMU.
make_sysfs()
{
	rm -rf "$tmp/sys"
	mkdir -p "$tmp/sys/devices/system/cpu" "$tmp/sys/bus/event_source/devices/cpu/format" \
		"$tmp/sys/bus/event_source/devices/cpu/events"
	for list in online present possible; do
		echo "0-$(($(getconf _NPROCESSORS_ONLN) - 1))" >"$tmp/sys/devices/system/cpu/$list"
	done
	pmu=$tmp/sys/bus/event_source/devices/cpu
	echo 4 >"$pmu/type"
	echo config:0-7 >"$pmu/format/event"
	echo event=0x3c >"$pmu/events/cpu-cycles"
}

# spoil FILE HOW
spoil()
{
	case $2 in
	empty) : >"$1" ;;
	garbage) echo 'no such thing, config:99-1, -5' >"$1" ;;
	huge) repeat 100000 '0,' >"$1" ;;
	binary) { printf '0\000\377' && head -c 4096 /dev/urandom; } >"$1" ;;
	directory) rm -f "$1" && mkdir "$1" ;;
	missing) rm -f "$1" ;;
	esac
}

begin "without sysfs, a process can be counted" # R41
needs_counters
run env SYSFS_PATH=/nonexistent "$TMA" stat -x, -e task-clock true
expect_status 0
expect_match stderr ',msec,task-clock'
run env SYSFS_PATH=/nonexistent PROCFS_PATH=/nonexistent "$TMA" stat -x, -e task-clock:u true
expect_status 0

# in_container ERRNO [ARG ...]: run tma with an empty sysfs, and let perf_event_open(2) fail with
# this error
in_container()
{
	errno=$1
	shift
	run unshare -m sh -c 'mount -t tmpfs none /sys && exec "$@"' - tests/fault/filter.py "$errno" "$TMA" "$@"
	[ "$status" != 77 ] || skip "no filter of system calls can be set here"
}

begin "a container without sysfs, whose filter forbids counting: it is named, and what helps" # R41
needs_counters
needs_root
needs_command unshare
needs_command python3
if [ $test_state = ok ] && ! unshare -m mount -t tmpfs none /sys 2>/dev/null; then
	skip "nothing can be mounted here"
fi
for options in '-e task-clock' '-a -e task-clock' '-I 100 -x, -e task-clock'; do
	# shellcheck disable=SC2086 # options
	in_container ENOSYS stat $options true
	expect_status 125
	expect_match stderr '^tma: cannot count task-clock: this kernel has no perf_event_open\(2\)'
	expect_match stderr 'in a container, its seccomp profile hides the call; allow it there'
	expect_no_match stderr msec
	# shellcheck disable=SC2086 # options
	in_container EPERM stat $options true
	expect_status 125
	expect_match stderr '^tma: no permission to count task-clock( on whole CPUs)?: Operation not permitted'
	expect_match stderr 'in a container: its seccomp profile may forbid perf_event_open\(2\)'
	expect_no_match stderr msec
done
in_container EPERM stat --topdown true
expect_status 125
expect_match stderr "sysfs shows no core PMU .*"
expect_match stderr "in a container, for the host's /sys"
in_container EPERM test
expect_match stdout '^no   software events of a command: no permission to count'
# With an empty sysfs but without the filter, everything works that needs no PMU.
run unshare -m sh -c 'mount -t tmpfs none /sys && exec "$@"' - "$TMA" stat -a -x, -e task-clock,cs sleep 0.05
expect_status 0
expect_match stderr '^[0-9.]+,msec,task-clock(:u)?,'
expect_match stderr '^[0-9]+,,cs(:u)?,'

begin "files of sysfs that are empty, garbage, huge or directories" # R38
needs_counters
for file in type format/event events/cpu-cycles ../../../../devices/system/cpu/online \
	../../../../devices/system/cpu/present cpus cpumask caps/max_precise events/cpu-cycles.scale; do
	for content in empty garbage huge binary directory missing; do
		make_sysfs
		path=$pmu/$file
		mkdir -p "$(dirname "$path")"
		spoil "$path" $content
		run timeout 20 env SYSFS_PATH="$tmp/sys" "$TMA" stat -x, -e task-clock,cpu-cycles,cpu/event=1/ true
		command_shown="$file is $content"
		case $status in
		0)
			expect_match stderr '^[0-9.]+,msec,task-clock(:u)?,'
			# A message below the rows names each wrong file.
			case $file/$content in
			*/devices/system/cpu/*/missing | cpu*/missing | cpu*/empty | caps/* | events/cpu-cycles*) ;;
			*) expect_match stderr "^tma: .*/${file##*/} (is|has unexpected contents|could not be)" ;;
			esac
			sed -i '/^tma: .* missing$/d' "$stderr"
			expect_lines stderr 3
			;;
		125) expect_match stderr 'sysfs has no usable (type or CPUs for|description of term .event. of) PMU cpu|PMU cpu has no term or event .event' ;;
		*) fail "exit status $status" ;;
		esac
		case $file/$content in
		type/*) expect_match stderr 'no usable type or CPUs for PMU cpu' ;;
		format/event/missing) expect_match stderr "no term or event 'event'; valid terms: config," ;;
		format/event/*) expect_match stderr "no usable description of term 'event' of PMU cpu" ;;
		cpus/garbage | cpus/huge | cpus/directory) expect_match stderr 'type or CPUs for PMU cpu' ;;
		esac
		run timeout 20 env SYSFS_PATH="$tmp/sys" "$TMA" list pmu
		[ "$status" -le 125 ] || fail "list, $file is $content: exit status $status"
	done
done

begin "a CPU of which there are no tables" # R39
for id in GenuineIntel-6-FF-1 'x' '' GenuineIntel-6 'AuthenticAMD-999-FFFF-F' "$(repeat 5000 A)"; do
	run env PERF_CPUID="$id" TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -a -M TopdownL1 true
	expect_refused TopdownL1
	run env PERF_CPUID="$id" TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -a -x, -e cycles,instructions true
	expect_status 0
done

begin "events of sysfs that level 1 is made of, where no table is: empty, garbage, huge, directories" # R39
needs_counters
for kind in 'topdown-be-bound:topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound topdown-heavy-ops topdown-br-mispredict
		topdown-fetch-lat topdown-mem-bound slots:GenuineIntel-6-FE-1:tma_retiring' \
	'topdown-total-slots.scale:topdown-total-slots topdown-slots-issued topdown-slots-retired topdown-fetch-bubbles
		topdown-recovery-bubbles:GenuineIntel-6-5F-1:tma_retiring' \
	'../caps/slots:stall_slot_frontend stall_slot_backend op_retired op_spec cpu_cycles:0x00000000410fd990:retiring'; do
	file=${kind%%:*} rest=${kind#*:}
	for content in empty garbage huge binary directory; do
		make_sysfs
		mkdir -p "$pmu/caps"
		for event in ${rest%%:*}; do
			echo event=1 >"$pmu/events/$event"
		done
		rm -rf "${pmu:?}/events/$file"
		spoil "$pmu/events/$file" "$content"
		for command in 'stat --dry-run --topdown' 'list metric' "explain ${rest##*:}" '--version --tables'; do
			id=${rest#*:}
			# shellcheck disable=SC2086 # a command of words
			run timeout 20 env SYSFS_PATH="$tmp/sys" PERF_CPUID="${id%%:*}" "$TMA" $command
			[ "$status" -le 125 ] || fail "$command, $file is $content: exit status $status"
		done
	done
done

begin "a machine of 1,024 CPUs with gaps in their numbers" # R47
{
	printf 'cpuid GenuineIntel-6-55-4\ncpus 0-1022,4094\n'
	awk 'BEGIN { for (i = 0; i < 1023; i++) print "core", i; print "core 4094" }'
	printf 'pmu cpu\ntype 4\nkind core\ncounters 4\nfixed 2\nformat event config:0-7\nformat umask config:8-15\n'
	printf 'generic cpu-cycles event=0x3c\ngeneric instructions event=0xc0\nhash 1M 1G\nend\n'
} >"$tmp/large"
tma_on "$tmp/large" -a -A -x, -I 100 --interval-count 1 -e cycles
expect_status 0
expect_lines stderr 1024
expect_match stderr ',CPU4094,[0-9]+,,cycles'
tma_on "$tmp/large" -a -x, -I 100 --interval-count 1 -e cycles,instructions
expect_match stderr ',cycles( \[cpu\])?,102400000000,100\.00'
tma_on "$tmp/large" -C 1022,4094 -A -j -I 100 --interval-count 1 -e cycles
expect_json "$stderr" '[r["cpu"] for r in rows] == ["1022", "4094"]'

begin "the NMI watchdog holds a counter: said once, where it matters" # R42
printf 'include %s/machines/skylakex\nsysctl nmi_watchdog 1\n' "$(dirname "$sim_library")" >"$tmp/watchdog"
tma_on "$tmp/watchdog" -C 0 -e '{cycles,ref-cycles,r10e,r20e,r1a1,r2a1}' true
expect_equal "times" "$(grep -c 'NMI watchdog holds' "$stderr")" 1
tma_on "$tmp/watchdog" -C 0 -e cycles true
expect_no_match stderr watchdog

begin "a PMU's file that cannot be read is not one that is missing" # R38
needs_counters
needs_strace
if [ $test_state = ok ]; then
	mkdir -p "$tmp/unread/bus/event_source/devices/cpu/events" "$tmp/unread/bus/event_source/devices/cpu/format"
	(
		cd "$tmp/unread/bus/event_source/devices/cpu" || exit
		echo 4 >type
		echo config:0-7 >format/event
		echo event=1 >events/mine
		echo event=2 >events/other
	)
fi
for errno in EIO EMFILE; do
	for file in type format/event events/mine; do
		path=$tmp/unread/bus/event_source/devices/cpu/$file
		run env SYSFS_PATH="$tmp/unread" strace -f -o /dev/null -P "$path" -e "inject=openat,read:error=$errno" \
			"$TMA" stat -x, -e cs,cpu/mine/ true
		expect_status 125
		expect_match stderr "^tma: $path could not be read: "
	done
done
for errno in EIO EMFILE; do
	run env SYSFS_PATH="$tmp/unread" strace -f -o /dev/null -P "${path%/cpu/*}" \
		-e "inject=getdents64:error=$errno" "$TMA" stat -x, -e cs,cpu/mine/ true
	expect_status 125
	expect_match stderr "^tma: ${path%/cpu/*} could not be read: "
done
run env SYSFS_PATH="$tmp/unread" "$TMA" stat -x, -e cs,cpu/mine/ true
expect_no_match stderr 'could not be read'
# If the user asks for a file that only root may read, this is reported, and nothing else stops.
for file in type format/event events/mine; do
	path=$tmp/unread/bus/event_source/devices/cpu/$file
	for event in cs cpu/mine/; do
		run env SYSFS_PATH="$tmp/unread" strace -f -o /dev/null -P "$path" -e inject=openat:error=EACCES \
			"$TMA" stat -x, -e $event true
		case $event in
		cs) expect_match stderr '^[0-9]+,,cs(:u)?,' ;;
		*) expect_match stderr "no usable (type or CPUs for|description of term 'event' of|description of event 'mine' of) PMU cpu" ;;
		esac
	done
done

begin "opening a file or a directory that is interrupted is tried again"
needs_counters
needs_strace
run env SYSFS_PATH="$tmp/unread" strace -f -o /dev/null -P "${path%/*}" -P "$path" \
	-e inject=openat:error=EINTR:when=1..2 "$TMA" list pmu
expect_status 0
expect_match stdout 'cpu/mine/'

begin "a fifo in place of a small file does not block" # R38
if [ $test_state = ok ]; then
	rm "$tmp/unread/bus/event_source/devices/cpu/events/mine"
	mkfifo "$tmp/unread/bus/event_source/devices/cpu/events/mine" "$tmp/unread/bus/event_source/devices/cpu/cpumask"
fi
run timeout 20 env SYSFS_PATH="$tmp/unread" "$TMA" stat -x, -e cs,cpu/mine/ true
expect_status 125
run timeout 20 env SYSFS_PATH="$tmp/unread" "$TMA" list
expect_status 0
