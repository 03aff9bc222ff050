#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Misspelt words, and the suggestions for them.
. "$(dirname "$0")/lib.sh"

simulated="tma: simulated machine 'skylakex': its counts are synthetic"

begin "--machine among the options of every command"
run "$TMA" stat --machine skylakex -a -M tma_retiring --metric-only --timeout 20
expect_status 0
expect_match stderr "^$simulated$"
expect_match stderr '%  tma_retiring'
run "$TMA" explain tma_l3_miss_bound --machine=skylakex
expect_status 0
expect_match stdout '^tma_l3_miss_bound  \[metric, cpu\]$'
for command in plan list compare top why script test serve check-tables; do
	run "$TMA" $command -h
	expect_match stderr '^ +--machine <machine\|file>$'
done

begin "a command that tma names has the machine before the subcommand, once"
run "$TMA" stat --topdown --machine skylakex -a --verdict --timeout 20
expect_status 0
expect_match stderr 'to go deeper: tma --machine skylakex stat -a --timeout 20 --topdown --td-level 2'

begin "what follows the command's own name is the command's"
needs_counters
run "$TMA" stat -e cpu-clock echo --machine skylakex
expect_status 0
expect_stdout <<'END'
--machine skylakex
END

begin "a machine is named once, and by a name"
run "$TMA" --machine skylakex stat --machine alderlake true
expect_status 129
expect_match stderr 'before the command and after it: give it once$'
run "$TMA" stat --machine= true
expect_status 129
expect_match stderr 'the name of the simulated machine is empty$'

begin "an empty TMA_MACHINE is none"
needs_counters
run env TMA_MACHINE= "$TMA" stat -e cpu-clock true
expect_status 0
expect_no_match stderr 'simulated|TMA_MACHINE'

begin "the option is taken where TMA_MACHINE names another machine"
run env TMA_MACHINE=nosuch "$TMA" stat --machine zen4 -e cycles true
expect_status 0
expect_match stderr "simulated machine 'zen4'"
run env TMA_MACHINE=skylakex "$TMA" stat --machine zen4 -e cycles true
expect_no_match stderr 'skylakex'
run env TMA_MACHINE=skylakex "$TMA" stat -e cycles true
expect_status 0
expect_match stderr "simulated machine 'skylakex'"
run env TMA_MACHINE=nosuch "$TMA" stat -e cycles true
expect_status 125
expect_match stderr "no machine 'nosuch'"

begin "words of tma stat, and others' words for commands, lead to the command"
while read -r word command; do
	run "$TMA" "$word"
	expect_status 129
	expect_stderr <<END
tma: '$word' is not a tma command; use 'tma $command' ('tma --help' lists them)
END
done <<'END'
record stat record
report stat report
diff compare
events list event
END
run "$TMA" "$tmp/top"
expect_status 129
expect_stderr <<END
tma: '$tmp/top' is not a tma command; to find what limits the program: tma why $tmp/top ('tma --help' lists them)
END
cp /bin/true "$tmp/a program"
run env PATH="$tmp:$PATH" "$TMA" 'a program'
expect_match stderr "; to find what limits the program: tma why 'a program' "

run "$TMA" --topdown
expect_status 129
expect_match stderr "^tma: unknown option '--topdown' before the command; a command's options follow it"

begin "help of a command"
run "$TMA" help stat
expect_status 0
expect_match stdout '^ Usage: tma stat '
expect_empty stderr
run sh -c '"$1" help stat >/dev/full' sh "$TMA"
expect_status 125
run "$TMA" help stat record
expect_status 0
expect_match stdout 'tma stat record '
run "$TMA" help stat nosuch
expect_status 129
expect_match stderr "'nosuch': tma help takes one command"
run "$TMA" help nosuch
expect_status 129
expect_match stderr "'nosuch' is not a tma command"

begin "a subcommand where a program is expected"
needs_counters
run "$TMA" stat help
expect_status 127
expect_stderr <<'END'
tma: cannot run help: No such file or directory ('tma help COMMAND' lists the options of a command)
END
run "$TMA" stat explain
expect_status 127
expect_match stderr "'tma explain' is a command of its own"

begin "a wrong option is answered in a line, with the nearest one"
run "$TMA" stat -a --topdwn --nonsense
expect_status 129
expect_stderr <<'END'
tma: unknown option '--topdwn'; did you mean '--topdown'? ('tma stat -h' lists them)
END
run "$TMA" stat report -aZ
expect_status 129
expect_stderr <<'END'
tma: unknown option '-a' ('tma stat report -h' lists them)
END
ln -s "$(realpath "$TMA")" "$tmp/perf"
run "$tmp/perf" stat --topdwn
expect_status 129
expect_match stderr '^ Usage: '

begin "options that are cut, negated, several in one word, or have their value in it are known"
needs_system_wide
run "$TMA" stat --no-big-num --field-sep=, -ae cpu-clock --no-scale --timeo=20
expect_status 0
run "$TMA" stat -x, -i -ecpu-clock -r1 -- true --nonsense
expect_status 0
run "$TMA" stat --list-opts
expect_match stdout '^--event .*--machine '

begin "without hardware counters, list and explain say where to see some"
mkdir "$tmp/none"
run env SYSFS_PATH="$tmp/none" "$TMA" explain 'a b'
expect_status 125
expect_match stderr "^tma: no hardware counters here: 'tma --machine sapphirerapids explain 'a b'' shows what"
run env SYSFS_PATH="$tmp/none" "$TMA" list sw
expect_status 0
expect_match stderr "^tma: no hardware counters here: 'tma --machine sapphirerapids list' shows what"
run env SYSFS_PATH="$tmp/none" "$TMA" list --names sw
expect_empty stderr

begin "a part of a name leads to it, nodes of the tree first; what is like nothing leads nowhere"
sim skylakex explain dram
expect_status 125
expect_match stderr "is called 'dram'; did you mean 'tma_dram_bound' or 'tma_l3_miss_bound'"
sim skylakex stat -M stores true
expect_match stderr "metric group 'stores'; did you mean 'tma_store_bound'"
sim skylakex stat -e l3_miss true
expect_match stderr "did you mean .*'mem_load_retired.l3_miss'"
sim skylakex explain foo
expect_match stderr "is called 'foo'$"
run "$TMA" stat --level 2 true
expect_match stderr "unknown option '--level'; did you mean '--td-level'"
sim skylake list
expect_status 125
expect_match stderr "^tma-sim: no machine 'skylake' in .*; did you mean 'skylakex'\? give the name"
