#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Events that BPF programs read: shared counters, and the runs of other BPF programs (-b), of which tests/vm
# has more, as not every kernel lets a BPF program run with another.

# Maps are pinned in a private BPF file system. But all programs see the counted BPF programs, so
# only one of these tests may run at a time.
if [ -z "${BPF_IS_OWN-}" ] && unshare -m mount -t bpf bpf /sys/fs/bpf 2>/dev/null; then
	exec env BPF_IS_OWN=1 flock /sys/fs/bpf unshare -m sh -c 'mount -t bpf bpf /sys/fs/bpf && exec sh "$0"' "$0"
fi
. "$(dirname "$0")/lib.sh"

begin "what cannot be combined"
for args in "-b 5 --bpf-counters" "-b 5 -a" "-b 5 -C 0" "-b 5 -p 1" "-b 5 -t 1" "-b 5 --per-thread" \
	"-a --bpf-counters --for-each-cgroup /" "-a --bpf-counters -e cs -G /" "-a --bpf-counters --schedule=rotate" \
	"-a --bpf-counters --error" "--bpf-counters --record-tpebs" "-b 5 -n" "--bpf-counters --regions" \
	"--bpf-counters --estimate=joint"; do
	# shellcheck disable=SC2086 # several words
	run "$TMA" stat $args true
	expect_status 129
	expect_match stderr '^tma: .*(BPF|-b)'
done

begin "numbers that are not those of BPF programs are refused"
for number in '' x 0 5,x 5, 4294967295 7,7 -1; do
	run "$TMA" stat -b "$number" true
	expect_status 129
	expect_match stderr '^tma: -b'
done

# refuse MACHINE EVENT WHY: with --bpf-counters, the event is refused for this reason
refuse()
{
	sim "$1" stat -a --bpf-counters -e "$2" true
	expect_status 125
	expect_match stderr "$3"
}

begin "events that BPF programs cannot read"
refuse graniterapids cycles:R ': a latency \(:R\) is sampled, and BPF programs only count$'
refuse icelakex '{slots,topdown-retiring}' '^tma: topdown-retiring: a TopDown metric event only counts in a group with slots'
refuse skylakex uncore_imc/cas_count_read/ ': its PMU counts for a whole package or the like'
sim skylakex stat -a -e cycles:b --for-each-cgroup / true
expect_status 125
expect_match stderr 'BPF programs distinguish tasks and CPUs, but not cgroups'

begin "a shared counter has no filter"
needs_tracefs
sim skylakex stat -a -e sched:sched_switch:b --filter 'prev_pid > 0' true
expect_status 125
expect_match stderr 'a shared counter has no filter'

begin "a simulated machine has no BPF programs, but its plan has"
sim skylakex stat --bpf-counters -e cs true
expect_status 125
expect_match stderr '^tma: BPF programs run in the real kernel, which has no events of a simulated machine: '
sim skylakex plan -a --bpf-counters -M TopdownL1
expect_status 0
expect_match stdout '^7 events, 4 metrics, 0 file descriptors$'

begin "libbpf is not loaded where nothing asks for it" # R65
run env LD_DEBUG=files "$TMA" stat -e cs true
[ "$status" = 0 ] || skip "nothing can be counted here"
grep -q libjson "$stderr" || grep -q 'file=libc' "$stderr" || fail "the loader says nothing"
expect_no_match stderr 'libbpf'

begin "for an ordinary user, a message names what helps" # R65
needs_root
needs_command setpriv
make_public "$TMA"
run setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/public/tma" stat --bpf-counters -e cs true
[ "$status" != 0 ] || fail "it counts"
grep -q -e 'was built without BPF counters' -e 'cannot be loaded' "$stderr" || {
	expect_status 125
	expect_match stderr '^tma: no permission to load BPF programs$'
	expect_match stderr 'CAP_BPF and CAP_PERFMON'
}

[ -z "${TEST_VALGRIND-}" ] || skip_all "valgrind does not know all that bpf(2) does"
"$TMA" stat -a --bpf-counters -x, -e cs -o "$tmp/first" true 2>"$tmp/why" || skip_all "$(sed 's/^tma: //; q' "$tmp/why")"

# value EVENT [FILE]: print the count of an event in CSV
value()
{
	awk -F, -v event="$1" '$3 == event { print $1 }' "${2:-$stderr}"
}

# near EVENT PERCENT FEW: a command's count with the modifier b is that without it, except for this
# percentage or this number
near()
{
	awk -F, -v event="$1" -v percent="$2" -v few="$3" '
	$3 == event { plain = $1 }
	$3 == event ":b" { b = $1 }
	END {
		off = b > plain ? b - plain : plain - b
		exit b == "" || plain == "" || off > plain * percent / 100 + few
	}' "$stderr" || fail "$1: $(value "$1:b") shared is not about $(value "$1")"
}

# nested EVENT,... ARG ... -- INNER ...: count with shared counters that begin after plain counters
# and end before them, and with plain counters inside the shared ones: so if the middle count
# includes other work of the computer, the outer count does too
nested()
{
	events=$1
	shift
	target=
	while [ "$1" != -- ]; do
		target="$target $1"
		shift
	done
	shift
	shared=$(echo "$events" | sed 's/,/:b,/g; s/$/:b/')
	# shellcheck disable=SC2086 # options are words
	run "$TMA" stat $target -x, -o "$tmp/outer" -e "$events" -- "$TMA" stat $target -x, -o "$tmp/between" -e "$shared" -- \
		"$TMA" stat $target -x, -o "$tmp/inner" -e "$events" "$@"
	expect_status 0
}

# between EVENT FEW: the shared count is between the plain ones, with this tolerance
between()
{
	[ $test_state = ok ] || return 0
	expect_between "$1:b" "$(value "$1:b" "$tmp/between")" \
		"$(value "$1" "$tmp/inner" | awk -v few="$2" '{ n = $1 - few; print n < 0 ? 0 : n }')" \
		"$(value "$1" "$tmp/outer" | awk -v few="$2" '{ print $1 + few }')"
}

begin "shared counters of CPUs have the counts of plain events"
nested cpu-clock,cs,page-faults -a -- sleep 1
between cpu-clock 10
between cs 3
between page-faults 3
nested cpu-clock -C 0 -- sleep 0.2
between cpu-clock 10

cat >"$tmp/work.c" <<'END'
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static void work(void)
{
	volatile char *pages = mmap(NULL, 3000 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 3000; i++)
		pages[i * 4096] = 1;
	for (volatile long i = 0; i < 100000000; i++)
		if (i % 25000000 == 0)
			usleep(1000);
	munmap((void *)pages, 3000 * 4096);
}
int main(int argc, char **argv)
{
	do
		work();
	while (argc > 1 && !strcmp(argv[1], "forever"));
	if (argc > 1)
		execl(argv[0], argv[0], (char *)NULL);
	return 0;
}
END
${CC:-gcc} -O1 -o "$tmp/work" "$tmp/work.c" || skip_all "no C compiler for the program that is counted"

# Shared counters also count what the kernel does for the task when it switches tasks, and before
# exec.
begin "shared counters of a command, and of one that runs"
run "$TMA" stat -x, -e page-faults:b,page-faults,cs:b,cs,task-clock:b,task-clock "$tmp/work" again
expect_status 0
near page-faults 1 10
# The events of a command end before the command. Only shared counters count the switches during its
# exit, and under load there are more of these.
near cs 10 5
near task-clock 1 "$(awk -v cs="$(value cs:b)" 'BEGIN { print 10 + 0.2 * cs }')"
"$tmp/work" forever &
working=$!
nested page-faults,cs,task-clock -p $working -- sleep 1
kill $working
between page-faults 10
between cs 5
between task-clock "$(awk -v cs="$(value cs:b "$tmp/between")" 'BEGIN { print 1 + 0.2 * cs }')"

begin "children are counted, but with -i"
run "$TMA" stat -x, --bpf-counters -e page-faults sh -c "$tmp/work; $tmp/work"
expect_status 0
[ "$(value page-faults)" -gt 6000 ] || fail "$(value page-faults) page faults of two programs"
run "$TMA" stat -x, --bpf-counters -i -e page-faults sh -c "$tmp/work; $tmp/work"
expect_status 0
[ "$(value page-faults)" -lt 3000 ] || fail "$(value page-faults) page faults of a shell"

begin "rows of intervals and of CPUs, a delay, several runs, and perf's forms"
run "$TMA" stat -a -A -x, --bpf-counters -e cpu-clock -I 100 --interval-count 3
expect_status 0
[ "$(grep -c ',CPU0,[0-9.]*,msec,cpu-clock' "$stderr")" = 3 ] || fail "not three rows of CPU 0"
run "$TMA" stat -a -x, -D 300 -e cpu-clock:b,cpu-clock sleep 0.6
expect_status 0
expect_match stderr '^[1-9][0-9.]*,msec,cpu-clock:b,'
run "$TMA" stat -r 2 -x, --bpf-counters -e page-faults "$tmp/work"
expect_status 0
expect_match stderr '^3[0-9]{3},,page-faults,[0-9.]+%,'
run "$TMA" stat -a -j --bpf-counters -e cs sleep 0.1
expect_status 0
expect_match stderr '^\{"counter-value" : "[0-9.]+", "unit" : "", "event" : "cs", "event-runtime" : [0-9]+, "pcnt-running" : 100.00'
run "$TMA" stat -a --metric-only --format=csv-wide --bpf-counters -M 'share = cs / cs' --timeout 100
expect_status 0
expect_match stdout ',run,.*,counted,100,[0-9.]*,1,'
run "$TMA" stat record -o "$tmp/data" -a --bpf-counters -e cs -- sleep 0.1
expect_status 0
run "$TMA" stat report -x, -i "$tmp/data"
expect_match stderr '^[1-9][0-9]*,,cs,'

begin "--control lets single events count"
mkfifo "$tmp/control"
{ echo "enable cs:b" && sleep 0.3 && echo stop; } >"$tmp/control" &
run "$TMA" stat -a -D -1 --control "fifo:$tmp/control" -x, -e cs:b,page-faults:b sleep 100
expect_match stderr '^[1-9][0-9]*,,cs:b,'
expect_match stderr '^<not counted>,,page-faults:b,0,'

begin "a group is taken apart, and a line says so"
run "$TMA" stat -a -x, --bpf-counters -e '{cs,page-faults}' true
expect_status 0
expect_match stderr '^events that BPF programs read are not in groups: each is counted by itself$'

# programs: print how many leaders and followers there are
programs()
{
	bpftool prog list | awk '/ name on_switch / { l++ } / name follow / { f++ } END { print l + 0, f + 0 }'
}

# expect_programs COUNTS WHAT: wait until there are this many
expect_programs()
{
	[ $test_state = ok ] || return 0
	for _ in $(seq 1000); do
		[ "$(programs)" != "$1" ] || return 0
		sleep 0.1
	done
	fail "$2 leaders and followers: $(programs), not $1"
}

# until_lines N FILE: wait until the file has N lines
until_lines()
{
	[ $test_state = ok ] || return 0
	for _ in $(seq 1000); do
		[ "$(wc -l <"$2")" -lt "$1" ] || return 0
		sleep 0.1
	done
	fail "no $1 lines after 100 s" "$2"
}

# share: two runs count at the same time, and the second run continues when the first has ended. If
# the test is skipped, no run is started: a run that ends before it sets its handlers ignores
# SIGINT, like background jobs of a shell.
share()
{
	: >"$tmp/one" && : >"$tmp/two"
	"$TMA" stat -a -I 200 --append -x, -o "$tmp/one" -e cs:b,page-faults:b &
	first=$!
	until_lines 6 "$tmp/one"
	expect_programs "2 2" "one has"
	run strace -f -e trace=perf_event_open -o "$tmp/calls" "$TMA" stat -a -x, -e cs:b,page-faults:b sleep 0.2
	expect_status 0
	! grep -q 'perf_event_open(' "$tmp/calls" || fail "the second opens events of its own" "$tmp/calls"
	"$TMA" stat -a -I 200 --append -x, -o "$tmp/two" -e cs:b,page-faults:b,cs,page-faults &
	second=$!
	until_lines 10 "$tmp/two"
	expect_programs "2 4" "two have"
	kill -INT $first
	wait $first
	: >"$tmp/two"
	until_lines 10 "$tmp/two"
	expect_programs "2 2" "the one that is left has"
	# The sum of all rows, since each counter is read a little later than the one before it.
	run awk -F, '$4 == "cs" { n++; plain += $2 } $4 == "cs:b" { shared += $2 }
		END { off = shared > plain ? shared - plain : plain - shared; exit n < 2 || off > 50 + plain / 4 }' "$tmp/two"
	expect_status 0
	: >"$tmp/one"
	"$TMA" stat -a -I 200 --append -x, -o "$tmp/one" -e cs:b,page-faults:b &
	first=$!
	until_lines 4 "$tmp/one"
	kill -INT $first
	wait $first
	: >"$tmp/two"
	until_lines 6 "$tmp/two"
	awk -F, '$4 == "cs:b" && $2 > 0 { n++ } END { exit !n }' "$tmp/two" || fail "the first counts no more when the second ends" "$tmp/two"
	kill -INT $second
	wait $second
	expect_programs "0 0" "behind them are left"
}

begin "two that count the same share its counters, and each may end first"
needs_command strace
needs_command bpftool
[ $test_state != ok ] || share

begin "the map of shared counters may be elsewhere, and is perf's" # R65
needs_command bpftool
run "$TMA" stat -a -x, --bpf-attr-map /sys/fs/bpf/mine --bpf-counters -e cs true
expect_status 0
[ -e /sys/fs/bpf/mine ] || fail "it is not there"
run bpftool map show pinned /sys/fs/bpf/mine
expect_match stdout 'hash .*'
expect_match stdout 'key 136B  value 8B'
run "$TMA" stat -a -x, --bpf-attr-map "$tmp/map" --bpf-counters -e cs true
expect_status 125
expect_match stderr 'cannot be pinned there: '
expect_match stderr 'mount -t bpf bpf /sys/fs/bpf'
run bpftool map create /sys/fs/bpf/other type hash key 4 value 4 entries 1 name other
run "$TMA" stat -a -x, --bpf-attr-map /sys/fs/bpf/other --bpf-counters -e cs true
expect_status 125
expect_match stderr '/sys/fs/bpf/other is not a map of shared counters of perf 6.12 or tma: '
run "$TMA" stat -a -x, --bpf-attr-map /sys/fs/bpf/mine -e cs true
expect_status 0
expect_match stderr '^--bpf-attr-map: no counter is shared$'

begin "-b says which program there is not"
run "$TMA" stat -b 4294967294 -e cs true
expect_status 125
expect_match stderr "^tma: -b 4294967294: no BPF program has this number \('bpftool prog' shows them\)$"
