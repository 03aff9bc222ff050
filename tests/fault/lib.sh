# SPDX-License-Identifier: GPL-2.0-only shellcheck shell=sh Functions shared by the tests of faults.
# A fault of perf 6.12 has two tests, each with its number:
#
#	perf "W1: the status of a command that a signal killed"    shown by perf, when PERF= names it
#	tma "W1"                                                    and not by tma
#
# so that tma's claims stay true for the perf it is compared with.
. "$(dirname "$0")/../cli/lib.sh"

sim_library=$(cd "$BUILD" && pwd)/libtma-sim.so
fault=
named=

# perf "NUMBER: WHAT": begin the test that perf has this fault
perf()
{
	named=$1
	begin "perf 6.12 has $1"
	needs_perf
}

# tma NUMBER: begin the test that tma does not have this fault
tma()
{
	case $named in
	"$1: "*) ;;
	*) named=$1 ;;
	esac
	begin "tma is without $named"
}

# perf_on MACHINE ARG ..., tma_on MACHINE ARG ...: run perf stat or tma stat on a simulated machine
# with the fault $fault, on stepped time; tma's notes about the machine are removed
perf_on()
{
	machine=$1
	shift
	# perf starts commands of its own, which are not part of the stepped time.
	run env -u TMA_SIM_COMMAND LD_PRELOAD="$sim_library" TMA_MACHINE="$machine" TMA_SIM_STEP=10 \
		TMA_SIM_FAULT="$fault" timeout 100 "${PERF-}" stat "$@"
}

tma_on()
{
	machine=$1
	shift
	run env TMA_SIM_STEP=10 TMA_SIM_FAULT="$fault" "$TMA" --machine "$machine" stat "$@"
	[ $test_state != ok ] || sed -i '/^tma: simulated machine /d' "$stderr"
}

# waits_for FILE: wait until the file exists, for at most 100 s
waits_for()
{
	[ $test_state = ok ] || return 0
	for _ in $(seq 2000); do
		[ ! -e "$1" ] || return 0
		sleep 0.05
	done
	fail "there is no $1 after 100 s"
}

# expect_gone PID: the process has ended, or ends within 100 s
expect_gone()
{
	[ $test_state = ok ] || return 0
	for _ in $(seq 1000); do
		kill -0 "$1" 2>/dev/null || return 0
		sleep 0.1
	done
	kill -KILL "$1"
	fail "process $1 still runs"
}

# field N FILE: print field N of the first line of CSV
field()
{
	sed -n "1p" "$2" | cut -d, -f"$1"
}

# expect_json FILE EXPRESSION: each line is a JSON object without duplicate keys, and the Python
# expression is true of "rows", the list of these objects
expect_json()
{
	needs_command python3
	[ $test_state = ok ] || return 0
	python3 - "$1" "$2" >"$tmp/json.why" 2>&1 <<'END' || fail "$(tail -n 1 "$tmp/json.why")"
import json
import sys

def once(pairs):
    keys = [key for key, _ in pairs]
    twice = {key for key in keys if keys.count(key) > 1}
    if twice:
        sys.exit(f"a JSON object has twice {sorted(twice)}")
    return dict(pairs)

with open(sys.argv[1]) as file:
    rows = [json.loads(line, object_pairs_hook=once) for line in file]
rows = [row for row in rows if row.get("type") != "run"]
if not eval(sys.argv[2]):
    sys.exit(f"not so: {sys.argv[2]}")
END
}

needs_strace()
{
	needs_command strace
	[ $test_state = ok ] || return 0
	[ -z "${TEST_VALGRIND-}" ] || skip "valgrind's own calls would be traced"
	strace -f -o /dev/null true 2>/dev/null || skip "strace may not trace here"
}

# needs_all_python, needs_all_strace: skip the file's tests if python3 or strace is missing
needs_all_python()
{
	[ -z "${TEST_VALGRIND-}" ] || skip_all "under valgrind they would take too long"
	! grep -q __asan_init "$BUILD/tma" || skip_all "a sanitizer makes calls, and needs memory, of its own"
	command -v python3 >/dev/null || skip_all "python3 is not installed"
}

needs_all_strace()
{
	command -v strace >/dev/null || skip_all "strace is not installed"
	strace -o /dev/null true 2>/dev/null || skip_all "strace may not trace here"
}
