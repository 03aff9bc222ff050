#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every option of perf stat, from 6.12 to 7.3, is in the table of tma-perf(7), and each of its rows
# is true.
. "$(dirname "$0")/lib.sh"

page=Documentation/tma-perf.7.adoc
facts=tests/cli/perf-options.txt

# Print the names, "since" and the state of each row of the page's table.
sed -n '/^== OPTIONS/,/^== SEE ALSO/s/^| \(\*.*\)$/\1/p' $page | tr -d '*' |
	sed 's/, --/,--/g; s/ | /|/g' >"$tmp/table"
grep -v '^#' $facts >"$tmp/facts"

begin "the table has the options and versions of the list, and says one of three things of each"
cut -d' ' -f1,2 "$tmp/facts" | sort >"$tmp/listed"
cut -d'|' -f1,2 "$tmp/table" | tr '|' ' ' | sort >"$tmp/rows"
expect_file "$tmp/rows" <"$tmp/listed"
run cut -d'|' -f3 "$tmp/table"
expect_all_match stdout '^(as perf$|(otherwise|not offered): .)'

cut -d' ' -f1 "$tmp/facts" | tr ',' '\n' >"$tmp/names"

# perf's documentation has an option as the head of a list item: "-x SEP::", "--per-cache::".
for perf in "${TMA_TEST_KERNEL:+$TMA_TEST_KERNEL/tools/perf}" "${PERF_SRC-}"; do
	begin "the documentation of ${perf:-a perf that is not here} has no other option"
	documentation=$perf/Documentation/perf-stat.txt
	[ -r "$documentation" ] || skip "needs PERF_SRC or TMA_TEST_KERNEL (the source of a perf)"
	sed -n '/^STAT RECORD/,/^-M::/d
		s/^\(--*[A-Za-z-]*\)[^:]*::.*/\1/p' "$documentation" 2>/dev/null | sort -u >"$tmp/documented"
	[ -s "$tmp/documented" ] || fail "no options are found"
	run grep -v -x -F -f "$tmp/names" "$tmp/documented"
	expect_empty stdout
done

begin "every option of tma stat is perf's, or marked as tma's own"
run "$TMA" stat -h
sed -n 's/^ *\(-[A-Za-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' "$stdout" "$stderr" | sort -u >"$tmp/options"
[ "$(wc -l <"$tmp/options")" -gt 80 ] || fail "the help has few options" "$tmp/options"
sed -n "/^Options of tma's own/,/^\$/p" $page | grep -o -e '--[a-z-]*' | sort >"$tmp/own"
cat "$tmp/own" "$tmp/names" >"$tmp/all"
run grep -v -x -F -f "$tmp/all" "$tmp/options"
expect_empty stdout
run grep -x -F -f "$tmp/names" "$tmp/own"
expect_empty stdout
run grep -v -x -F -f "$tmp/options" "$tmp/own"
expect_empty stdout

# The machine has what the option is about.
machine_for()
{
	case $1 in
	--cputype) echo alderlake ;;
	--record-tpebs) echo graniterapids ;;
	*) echo skylakex ;;
	esac
}

while read -r names _ args; do
	# bpf.sh tests counts of the real kernel.
	[ "$names" = --bpf-attr-map ] || case $names in
	-b,* | --bpf-*) continue ;;
	esac
	begin "$names: $args"
	[ "$names" != --filter ] || needs_tracefs
	args=$(echo "$args" | sed "s,OUT,$tmp/out,; s,PID,$$,")
	state=$(grep -F -e "$names|" "$tmp/table" | cut -d'|' -f3)
	case $args in
	*-I*) limit="--interval-count 1" ;;
	*) limit="--timeout 30" ;;
	esac
	# shellcheck disable=SC2086 # several words
	sim "$(machine_for "$names")" stat $args $limit true
	case $state in
	"not offered"*)
		expect_status 129
		grep -q -F -e "${state#not offered: }" "$stderr" || fail "the reason is not that of the table"
		;;
	*)
		# perf, too, clears a screen only if there is one.
		if [ "$names" = --interval-clear ]; then
			expect_match stderr 'needs a terminal'
		else
			expect_status 0
		fi
		;;
	esac
done <"$tmp/facts"

begin "questions of scripts to perf are answered with perf's statuses" # R69
ln -s "$TMA" "$tmp/perf"
run "$tmp/perf" version --build-options
expect_status 0
expect_match stdout '^perf version 6.12$'
expect_match stdout '^                   bpf: \[ on  \]  # HAVE_LIBBPF_SUPPORT$'
expect_match stdout '^                  zstd: \[ OFF \]  # HAVE_ZSTD_SUPPORT$'
cp "$stdout" "$tmp/wanted"
run "$tmp/perf" -vv
expect_status 0
expect_file "$stdout" <"$tmp/wanted"
for words in "0 bpf" "0 BPF,dwarf" "0 HAVE_LIBTRACEEVENT" "1 zstd" "1 bpf,nosuch" "1 nosuch"; do
	run "$tmp/perf" check feature ${words#* }
	expect_status ${words%% *}
	run "$tmp/perf" check -q feature ${words#* }
	expect_status ${words%% *}
	expect_empty stdout
	expect_empty stderr
done
run "$tmp/perf" check
expect_status 129
run "$TMA" check feature bpf
expect_status 129
run "$tmp/perf" list nosuchevent
expect_status 0
expect_match stderr "nothing matches 'nosuchevent'"
for command in stat list version "stat record" script; do
	for program in "$TMA" "$tmp/perf"; do
		run "$program" $command --help
		expect_status 0
		expect_match stdout 'Usage: '
		run "$program" $command -h
		expect_status 129
	done
done

begin "perf's core types come in the order of their names" # R69
run env TMA_SIM_STEP=20 "$tmp/perf" --machine alderlake stat -a -x, -e cycles,instructions true
expect_equal order "$(cut -d, -f3 "$stderr" | grep cpu_ | tr '\n' ' ')" "cpu_atom/cycles/ cpu_core/cycles/ cpu_atom/instructions/ cpu_core/instructions/ "
run env TMA_SIM_STEP=20 "$TMA" --machine alderlake stat -a -x, -e cycles true
expect_equal order "$(cut -d, -f3 "$stderr" | grep cpu_ | tr '\n' ' ')" "cpu_core/cycles/ cpu_atom/cycles/ "

begin "a command that ends before -D has perf's lines of time" # R69
run "$tmp/perf" stat -D 300 -e page-faults true
expect_status 0
expect_match stderr '^ +0\.000000000 seconds time elapsed$'
expect_match stderr ' seconds user$'
expect_match stderr ' seconds sys$'

begin "--control adds no row to those of -I" # R69
mkfifo "$tmp/control" "$tmp/answer"
for program in "$tmp/perf" "$TMA"; do
	run sh -c 'exec 8<>"$2" 9<>"$3"
		"$1" stat -D -1 --control fd:8,9 -I 300 -e task-clock -x, -- sh -c "
			sleep 0.1; echo enable >&8; read answer <&9; sleep 0.1; echo disable >&8; sleep 0.3"' sh \
		"$program" "$tmp/control" "$tmp/answer"
	expect_status 0
	rows=2
	[ "$program" = "$TMA" ] && rows=4
	expect_equal rows "$(grep -c task-clock "$stderr")" $rows
done

begin "a group whose first event is not supported ends the run under the name perf alone" # R69
guest=sapphirerapids-guest-none
run env TMA_SIM_STEP=20 "$tmp/perf" --machine $guest stat -x, -e '{cycles,context-switches}' true
expect_status 255
expect_no_match stderr '^[^,]*,[^,]*,(cycles|context-switches),'
for words in "$tmp/perf -e {context-switches,cycles}" "$tmp/perf -e cycles,context-switches" \
	"$TMA -e {cycles,context-switches},page-faults"; do
	run env TMA_SIM_STEP=20 "${words%% -e *}" --machine $guest stat -x, -e "${words##* }" true
	expect_status 0
	expect_match stderr '^<not supported>,,cycles,'
done
