#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions in the answer of tma why, on simulated machines that know where a program is.
. "$(dirname "$0")/../cli/lib.sh"

export TMA_SIM_STEP=10
places=$(cd "$BUILD" && pwd)/tests/sim/places
machines=$(cd "$(dirname "$TMA")" && pwd)/machines
machines_of_functions
sky=$tmp/machines/skylakex

# A program with these functions. Each run appends a line to a file. The last word chooses how its
# fifth run ends.
cat >"$tmp/runs.c" <<'END'
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#define FUNCTION(name) __attribute__((noinline)) void name(void); void name(void) { __asm__ volatile(""); }
FUNCTION(f0)
FUNCTION(f1)
FUNCTION(f2)
int main(int argc, char **argv)
{
	FILE *file = argc > 2 ? fopen(argv[1], "a+") : NULL;
	long length;
	if (!file)
		return 2;
	fputs("run\n", file);
	fflush(file);
	length = ftell(file);
	fclose(file);
	f0(), f1(), f2();
	/* Its mappings are read while it lives. */
	usleep(100000);
	if (length != 5 * 4)
		return 0;
	if (!strcmp(argv[2], "interrupt")) {
		kill(getppid(), SIGINT);
		pause();
	}
	return strcmp(argv[2], "fail") ? 0 : 7;
}
END
compiler=${CC:-cc}
{ command -v "${compiler%% *}" && $compiler -o "$tmp/program" "$tmp/runs.c"; } >/dev/null || compiler=

# why LAST [ARG ...]: run tma why with this program on skylakex; its fifth run ends "well", "fail"s,
# or "interrupt"s tma
why()
{
	last=$1
	shift
	[ "$compiler" ] || skip "no compiler"
	rm -f "$tmp/runs"
	run "$TMA" --machine "$sky" why "$@" "$tmp/program" "$tmp/runs" "$last"
}

# expect_runs N
expect_runs()
{
	[ $test_state = ok ] || return 0
	expect_equal "runs" "$(wc -l <"$tmp/runs")" "$1"
}

for name in skylakex sapphirerapids alderlake zen4 neoverse-n2; do
	begin "each function has its share and its own level 1 on $name"
	lasting 20000
	run "$TMA" --machine "$tmp/machines/$name" why -j -o "$tmp/answer" "$places" wait 100
	expect_status 0
	[ $test_state != ok ] || cp "$tmp/answer" "$tmp/$name.answer"
	run python3 -B tests/sim/why_functions.py "$tmp/answer"
	expect_status 0
	run python3 -B tests/formats/schema.py Documentation/tma-why.schema.json "$tmp/answer"
	expect_status 0
done

begin "the largest function has a line, and what is limited by something else is told"
lasting 4000
run env COLUMNS=120 "$TMA" --machine "$sky" why "$places" wait 100
expect_status 0
expect_match stdout '^  functions   f1\(\): (49|50|51) % of cycles; [56][0-9] \+- [1-9] % of its slots are lost to memory$'
expect_match stdout '^              but f2\(\), (19|20|21) % of cycles, is limited by wrong speculation$'
expect_no_match stdout 'f0\(\)'
expect_between "lines" "$(wc -l <"$stdout")" 8 12

begin "where there is room for a line, it is the one that differs"
lasting 4000
for name in skylakex sapphirerapids zen4; do
	# Long paths take several lines.
	[ $test_state != ok ] || cp "$tmp/machines/$name" "$tmp/$name"
	run env COLUMNS=80 PATH="${places%/*}:$PATH" "$TMA" --machine "$tmp/$name" why places wait 100
	expect_status 0
	expect_match stdout '^  functions   but f2\(\), (19|20|21) % of cycles, is limited by wrong speculation$'
	expect_no_match stdout 'f[01]\(\): [0-9]+ % of cycles'
	expect_between "lines of $name" "$(wc -l <"$stdout")" 8 12
done

begin "all details have the trees of all functions"
lasting 4000
run env COLUMNS=120 "$TMA" --machine "$sky" why -v "$places" wait 100
expect_status 0
expect_match stderr '^tma: measuring functions: TopdownL1,tma_backend_bound_group'
sed -n '/^  functions /,/^  ruled/p' "$stdout" >"$tmp/functions"
expect_equal "functions" "$(grep -o 'f[0-2]()' "$tmp/functions" | tr '\n' ' ')" 'f1() f0() f2() '
expect_match "$tmp/functions" '^                6[0-9]\.[0-9] % of slots \+- [0-9.]+  back end \(tma_backend_bound\)$'
expect_match "$tmp/functions" '^                  [56][0-9]\.[0-9] % of slots \+- [0-9.]+  memory \(tma_memory_bound\)$'

begin "it takes one more run, unless that can show nothing new"
lasting 4000
why well -j
expect_status 0
expect_match stdout '"functions":\[\{"function":"f1"'
expect_runs 5
why well -j --no-sample
expect_status 0
expect_no_match stdout '"functions":\[\{'
expect_runs 3
why well -j --runs 4
expect_status 0
expect_match stdout '"where":\[\{'
expect_no_match stdout '"functions":\[\{'
expect_runs 4
why well -j --budget 16s
expect_status 0
expect_no_match stdout '"functions":\[\{'
machine_of_functions skylakex 'f1 50ms'
why well -j -v
expect_status 0
expect_match stdout '"where":\[\{'
expect_no_match stdout '"functions":\[\{'
expect_no_match stderr 'measuring functions'

begin "functions that run too briefly are not reported"
lasting 4000
machine_of_functions skylakex 'f0 30ns f1 50ns f2 20ns'
why well
expect_status 0
expect_no_match stdout '^  functions '
why well -j
expect_status 0
expect_match stdout '"function":"f1","object":"[^"]*program","share":[45][0-9.]+,"error":[0-9.]+,"samples":[0-9]+,"near":true,"bottleneck":"","side":"not-certain","nodes":\[\]'
machine_of_functions skylakex

begin "nothing is told of functions where the counts do not follow the program"
lasting 1000
run "$TMA" --machine skylakex why -j "$places" work 300 100000 1
expect_status 0
expect_match stdout '"functions":\[\]'

# --- Faults --------------------------------------------------------------------------------------

begin "without bursts no function is told" # R78
lasting 4000
export TMA_SIM_FAULT=ioctl:refresh=EINVAL
why well
unset TMA_SIM_FAULT
expect_status 0
expect_match stdout '\(tma_memory_bound\)$'
expect_no_match stdout '^  functions '

begin "buffers that are refused leave the answer without functions" # R78
lasting 4000
for number in 200 300 400 500 600; do
	run env TMA_SIM_FAULT="ioctl#$number=ENOMEM" "$TMA" --machine "$sky" why "$places" wait 100
	expect_status 0
	! grep -q 'cannot make a buffer' "$stderr" || break
done
expect_match stderr '^tma: cannot make a buffer for the samples of each of 16 CPUs: '
expect_match stdout '\(tma_memory_bound\)$'
expect_match stdout '^  where  '
expect_no_match stdout '^  functions '

begin "a command that fails in that run passes its status on" # R78
lasting 4000
why fail
expect_status 7
expect_match stdout '\(tma_memory_bound\)$'
expect_match stdout '^  where  '

begin "Ctrl-C in that run prints what is known" # R78
lasting 4000
why interrupt
expect_status 130
expect_match stdout '\(tma_memory_bound\)$'
expect_match stdout '^  where  '
expect_match stdout '^  ended       it was interrupted$'
