#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs without enough memory. make check-memory tries every path of calls to an allocation.
. "$(dirname "$0")/lib.sh"

every=4999 every_of_sim=499
shim=$(cd "$BUILD" && pwd)/tests/fault/memory.so

[ -z "${TEST_VALGRIND-}" ] || skip_all "valgrind allocates in its own way"
! grep -q __asan_init "$BUILD/tma" || skip_all "a sanitizer allocates in its own way"
command -v python3 >/dev/null || skip_all "python3 is not installed"

begin "one in $every of tma's allocations fails: 125 and a word, or all of the output" # R18
run python3 -B tests/fault/memory.py --every $every "$BUILD"
grep '^wrong' "$stdout" >"$tmp/wrong" && fail "these runs are wrong" "$tmp/wrong"
expect_status 0

begin "one in $every_of_sim of the simulator's fails: an error of tma, or none"
run python3 -B tests/fault/memory.py --of sim --every $every_of_sim "$BUILD" '^stat (-r|-j|record$)'
expect_status 0

begin "a wrong run is reported"
mkdir -p "$tmp/build/tests/fault"
ln -s "$shim" "$tmp/build/tests/fault/memory.so"
ln -s "$sim_library" "$(dirname "$sim_library")/machines" "$tmp/build"
# shellcheck disable=SC2016 # for the program to expand
printf '#!/bin/sh\n[ -z "${TMA_MEMORY_COUNT-}" ] || { printf "3\\n1 1\\n2 3\\n" >"$TMA_MEMORY_COUNT"; echo row; echo row; }
echo ro; exit 125\n' >"$tmp/build/tma"
chmod +x "$tmp/build/tma"
run python3 -B tests/fault/memory.py "$tmp/build" '^stat$'
expect_status 1
expect_match stdout "^wrong: stat: TMA_MEMORY_FAIL=1: 'tma: out of memory' 0 times"
expect_match stdout '^all +3 +2 +4 +0 +0 +0 +4$'

# The last allocations fail one by one, when the command has started or has not: it must not remain.
begin "the command ends with tma, let go or not" # R18
needs_counters
ended=0
for number in $(seq 30 10 150); do
	rm -f "$tmp/pid"
	run timeout 100 env LD_PRELOAD="$shim" TMA_MEMORY_FAIL="$number+" "$TMA" stat -x, --timeout 200 \
		-e task-clock sh -c "echo \$\$ >$tmp/pid; exec sleep 61.7$$"
	[ "$status" != 125 ] || ended=$((ended + 1))
	[ "$status" = 125 ] || [ "$status" = 0 ] || fail "allocation $number: exit status $status"
	[ "$status" = 0 ] || expect_match stderr '^tma: out of memory$'
	for _ in $(seq 50); do
		pgrep -f "^sleep 61[.]7$$\$" >/dev/null || break
		sleep 0.1
	done
	! pgrep -f "^sleep 61[.]7$$\$" >/dev/null || fail "allocation $number: the command still runs"
done
[ $test_state != ok ] || [ $ended -gt 0 ] || fail "no allocation failed"

begin "a pager shows what there is, and tma waits for it"
cat >"$tmp/terminal.py" <<'END'
import os, pty, sys
status = pty.spawn([sys.argv[1], "list"])
sys.exit(os.waitstatus_to_exitcode(status))
END
run timeout 20 env TMA_MACHINE=zen4 LD_PRELOAD="$sim_library $shim" TMA_MEMORY_FAIL=2000+ \
	TMA_PAGER='cat; sleep 0.2; echo the pager ends' python3 "$tmp/terminal.py" "$TMA"
expect_status 125
expect_match stdout '^tma: out of memory'
[ $test_state != ok ] || tail -n 1 "$stdout" | grep -q '^the pager ends' || fail "the pager was not waited for"
