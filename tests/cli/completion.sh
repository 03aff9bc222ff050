#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Completion in bash, zsh and fish: the words offered at the end of a line. This script tests bash;
# completion-zsh.sh and completion-fish.sh run it for their shells.
. "$(dirname "$0")/lib.sh"
shells=${shells:-bash}

program=$(cd "$(dirname "$TMA")" && pwd)/tma

# Ask bash: the first argument is the line. Print the replies, a line each.
cat >"$tmp/ask.bash" <<'END'
source scripts/completion/tma.bash
COMP_LINE=$1 COMP_POINT=${#1}
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
read -ra COMP_WORDS <<<"$1"
[[ $1 != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_tma "$PROGRAM"
printf '%s\n' "${COMPREPLY[@]}"
END

# Ask zsh in the same way, on its own terminal, with the real completion system.
cat >"$tmp/ask.zsh" <<'END'
zmodload zsh/zpty || exit 77
hits=$TMPDIR/hits
zpty line zsh -f -i
{
	print -r -- "PS1= PS2= RPS1="
	print -r -- "fpath=(${(q)PWD}/scripts/completion \$fpath) path=(${(q)PROGRAM:h} \$path)"
	print -r -- "autoload -Uz compinit; compinit -u -d ${(q)TMPDIR}/dump"
	print -r -- "compadd() { builtin compadd -O tma_hits \"\$@\"; print -rl -- \$tma_hits >>${(q)hits}; builtin compadd \"\$@\" }"
	print -r -- "tma_show() { _main_complete; print -r -- end of hits >>${(q)hits} }"
	print -r -- "zle -C tma_show list-choices tma_show; bindkey '^I' tma_show"
	print -r -- "print ready to complete"
} >$TMPDIR/setup
zpty -w line "source ${(q)TMPDIR}/setup"
zpty -r line seen "*ready to complete*" || exit 1
zpty -w -n line "$1"$'\t'
for ((i = 0; i < 2000; i++)); do
	[[ -f $hits ]] && grep -q '^end of hits$' $hits && break
	zpty -r -t line seen
	sleep 0.05
done
zpty -d line
grep -v '^end of hits$' $hits
END

# Ask fish, which can list completions itself, with descriptions after a tab.
cat >"$tmp/ask.fish" <<'END'
set -x PATH (dirname $PROGRAM) $PATH
source scripts/completion/tma.fish
complete -C "$argv[1]" | string replace -r '\t.*' ''
END

# complete LINE: print the words that the tested shell offers
complete()
{
	[ $test_state = ok ] || return 0
	rm -f "$tmp/hits"
	run env PROGRAM="$program" TMPDIR="$tmp" "$shell" "$tmp/ask.$shell" "$1"
	sort -u "$stdout" >"$tmp/replies"
	cp "$tmp/replies" "$stdout"
}

# offers WORD ...: the shell offers these words; offers_not WORD ...: it does not offer them
offers()
{
	for word; do
		[ $test_state = ok ] || return 0
		grep -q -x -F -e "$word" "$stdout" || fail "'$word' is not offered"
	done
}

offers_not()
{
	for word; do
		[ $test_state = ok ] || return 0
		! grep -q -x -F -e "$word" "$stdout" || fail "'$word' is offered"
	done
}

# offers_like WORD: the shell offers the word, with or without a '/' after it
offers_like()
{
	[ $test_state != ok ] || grep -q -x -e "$1/*" "$stdout" || fail "'$1' is not offered"
}

# lists HEAD WORD ...: check words in a list: bash and fish replace the whole list, zsh the text
# after the last comma
lists()
{
	head=$1
	shift
	[ "$shell" != zsh ] || head=
	for word; do
		offers "$head$word"
	done
}

# values HEAD WORD ...: check values of an option: fish replaces the option together with its value
values()
{
	head=$1
	shift
	[ "$shell" = fish ] || head=
	for word; do
		offers "$head$word"
	done
}

for shell in $shells; do
	begin "$shell: subcommands and the options before them"
	needs_command $shell
	complete "tma "
	offers stat plan list explain
	complete "tma ex"
	offers explain
	offers_not stat
	complete "tma --ma"
	offers --machine

	begin "$shell: machines"
	needs_command $shell
	complete "tma --machine al"
	offers alderlake
	offers_not skylakex goldencove.part

	begin "$shell: the program's long options are offered, and no others"
	needs_command $shell
	for command in stat plan list explain; do
		complete "tma $command --"
		cp "$stdout" "$tmp/offered"
		"$TMA" $command --list-opts | tr ' ' '\n' |
			sed "/^$/d" | sort -u >"$tmp/options"
		echo --help >>"$tmp/options"
		sort -u -o "$tmp/options" "$tmp/options"
		[ $test_state != ok ] || diff "$tmp/options" "$tmp/offered" >"$tmp/diff" ||
			fail "$command: not the program's options" "$tmp/diff"
	done

	begin "$shell: events, behind commas and braces too"
	needs_command $shell
	complete "tma --machine alderlake stat -e cyc"
	offers cycles cycle_activity.stalls_l3_miss
	complete "tma --machine alderlake stat -e cycles,{INST_RET"
	lists 'cycles,{' inst_retired.any inst_retired.prec_dist
	complete "tma --machine alderlake stat -e cpu_core/L1-d"
	offers cpu_core/L1-dcache-loads/
	complete "tma --machine alderlake stat -a --event=cyc"
	values --event= cycles

	begin "$shell: metrics and groups"
	needs_command $shell
	complete "tma --machine alderlake stat -M tma_l3"
	offers tma_l3_bound tma_L3_group
	complete "tma --machine alderlake plan -I 100 -M tma_l3"
	offers tma_l3_bound tma_L3_group
	complete "tma --machine alderlake stat -M TopdownL1,tma_ret"
	lists TopdownL1, tma_retiring

	begin "$shell: what to list, and what to explain"
	needs_command $shell
	complete "tma list m"
	offers metric metricgroup
	complete "tma --machine alderlake list --unit cpu_"
	offers cpu_core cpu_atom
	complete "tma --machine alderlake list --cputype "
	offers core atom
	offers_not cycles
	complete "tma --machine alderlake explain tma_dram"
	offers tma_dram_bound
	complete "tma --machine alderlake explain mem_load_ret"
	offers mem_load_retired.l1_hit
done

for shell in $shells; do
	begin "$shell: severities and models of tables to check"
	needs_command $shell
	complete "tma check-tables --severity "
	offers error warning note
	complete "tma stat --tpebs-mode "
	offers mean p95
	complete "tma stat --format "
	offers text csv json-perf csv-wide json prom markdown tree trace
	complete "tma stat --format=csv"
	values --format= csv csv-wide
	complete "tma stat --color a"
	offers auto always
	complete "tma stat --tables Docum"
	[ $shell = bash ] || offers_like Documentation
	complete "tma stat --command-output n"
	offers null
	complete "tma test -w "
	offers chase jumps
	complete "tma help ex"
	offers explain
	complete "tma plan --estimate=jo"
	values --estimate= joint
	complete "tma compare --format m"
	offers markdown
	complete "tma stat --grouping="
	values --grouping= counters perf
	complete "tma stat --schedule r"
	offers rotate
	complete "tma stat --td-level m"
	offers max
	complete "tma stat --per-cache=L"
	values --per-cache= L1 L4
	complete "tma stat --cputype "
	offers core atom
	complete "tma stat re"
	offers record report
	complete "tma stat report --smt "
	offers on off
	complete "tma stat report -i counts --scope="
	values --scope= core task
	complete "tma stat report --cpuid skyl"
	offers skylakex
	complete "tma stat report --s"
	offers --set --scope --smt
	offers_not --schedule
	complete "tma check-tables --model sapphire"
	offers sapphirerapids
	offers_not skylakex

	begin "$shell: the other commands are not offered behind --version"
	needs_command $shell
	complete "tma --version --"
	offers --tables
	offers_not --machine

	begin "$shell: a value that is in one word with its option, and a metric's definition"
	needs_command $shell
	complete "tma --machine alderlake stat -M 'a = tma_dr"
	case $shell in
	zsh) offers tma_dram_bound ;;
	bash) offers 'a = tma_dram_bound' ;;
	fish) offers "'a = tma_dram_bound" ;;
	esac
	complete "tma --machine alderlake stat -Mtma_dr"
	[ $shell = zsh ] && offers tma_dram_bound || offers -Mtma_dram_bound
	complete "tma --machine alderlake stat -ecycle_act"
	[ $shell = zsh ] && offers cycle_activity.stalls_l3_miss ||
		offers -ecycle_activity.stalls_l3_miss
done

[ "$shells" = bash ] || exit 0

begin "each option with a value lists the possible values, unless any value is possible"
for command in "" stat "stat report" plan top why compare serve fleet list script test explain check-tables; do
	# shellcheck disable=SC2086 # two words
	"$TMA" $command --list-options | awk -F'\t' '$1 == "option" && $3 && !$4 && $2 ~ /^--/ { print $2 }'
done | sort -u >"$tmp/free"
expect_file "$tmp/free" <<'END'
--against
--at
--bpf-prog
--budget
--by
--cgroup
--cgroups
--control
--count-margin
--cpu
--cpuid
--delay
--fail-if
--field-separator
--filter
--for-each-cgroup
--frequency
--interval-count
--interval-print
--iterations
--listen
--log-fd
--margin
--min-running
--number
--offset
--parameter-list
--prometheus
--regions
--repeat
--runs
--save
--schedule-ms
--select
--set
--td-level
--time
--time-margin
--timeout
--top-cgroups
--tpebs-frequency
--tpebs-period
--warmup
--window
END

begin "completions are installed for each shell, and make uninstall removes them"
for file in bash-completion/completions/tma zsh/site-functions/_tma fish/vendor_completions.d/tma.fish; do
	grep -q -F "share/$file" Makefile || fail "make install puts no $file there"
done

begin "bash: a command is offered once, however often PATH has it"
shell=bash
mkdir -p "$tmp/a" "$tmp/b"
printf '#!/bin/sh\n' | tee "$tmp/a/tma-twice-there" >"$tmp/b/tma-twice-there"
chmod +x "$tmp/a/tma-twice-there" "$tmp/b/tma-twice-there"
cat >"$tmp/once.bash" <<'END'
source scripts/completion/tma.bash
COMP_LINE="tma stat tma-twice-th" COMP_WORDS=(tma stat tma-twice-th) COMP_CWORD=2
COMP_POINT=${#COMP_LINE}
_tma "$1"
printf '%s\n' "${COMPREPLY[@]}"
END
run env PATH="$tmp/a:$tmp/b:$PATH" bash "$tmp/once.bash" "$program"
expect_stdout <<'END'
tma-twice-there
END

begin "bash: a word of tma hides commands with the same beginning; after -- only commands are offered"
shell=bash
complete "tma stat re"
offers record report
offers_not readlink
complete "tma stat readl"
offers readlink
complete "tma stat --topdown -- readl"
offers readlink
complete "tma stat -- re"
offers readlink
offers_not record

begin "bash: words that readline has split at a colon"
needs_tracefs
shell=bash
complete "tma stat -e sched:sched_sw"
offers sched_switch
