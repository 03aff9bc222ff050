# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# What the test scripts share. A script sources this first:
#
#	#!/bin/sh
#	# SPDX-License-Identifier: GPL-2.0-only
#	. "$(dirname "$0")/lib.sh"
#
#	begin "an unknown subcommand is named"
#	run "$TMA" sta
#	expect_status 129
#	expect_match stderr "'sta' is not a tma command"
#
# Each begin starts one test, which the next begin or the end of the script closes. It has passed
# when no expectation failed. Once it failed or was skipped, its further commands are not run.
# $TMA is the program, $BUILD the build directory as make was given it, $tmp a directory of the
# script's own, removed at its end. The working directory is that of the sources.

set -u

[ -n "${TMA-}" ] || {
	echo "not ok ${0##*/}: TMA is not set; run it by tests/run BUILD $0" >&2
	exit 1
}
PERF=${PERF-}
locales=
# The caller's umask may make new files private, but some tests run as another user, who must read
# the files here.
umask 022
if [ -n "${TMPDIR-}" ] && [ "$(id -u)" = 0 ] && [ -z "$(find "$TMPDIR/" -maxdepth 0 -perm -1777)" ]; then
	unset TMPDIR
fi
tmp=$(mktemp -d) || exit 1
stdout=$tmp/stdout
stderr=$tmp/stderr
status=0
idle=
counters=
system_wide=
test_name=
test_state=none
export TMA_SIM_COMMAND=step
# Locales that tests make are found here.
export TERM=xterm

# begin NAME: start a test
begin()
{
	close_test
	test_name=$1
	test_state=ok
	command_shown=
	lasting step
}

# lasting MS[,MS ...]: until the end of the test, commands on a simulated machine with stepped time
# last this long, each in turn; lasting '': they last as long as they really run
lasting()
{
	TMA_SIM_COMMAND=$1
}

# run COMMAND [ARG ...]: run a command, and keep its status, stdout and stderr for expectations
run()
{
	[ $test_state = ok ] || return 0
	command_shown="$*"
	status=0
	"$@" >"$stdout" 2>"$stderr" </dev/null || status=$?
	expect_schema "$@"
}

# expect_schema COMMAND [ARG ...]: if the command was tma with -j, the JSON that it printed fits the
# schema in Documentation, which has every key. run() checks this
expect_schema()
{
	schema_of=
	with_json=
	case $status in 0 | 1 | 123) ;; *) return 0 ;; esac
	for word; do
		case $word in
		why | compare | explain | list | plan | test | fleet) schema_of=${schema_of:-$word} ;;
		-j | --json | --json-output) with_json=${schema_of:+1} ;;
		--) break ;;
		esac
	done
	case $with_json$(head -c 1 "$stdout" | tr -d '\0') in 1[[{]) ;; *) return 0 ;; esac
	command -v python3 >/dev/null || return 0
	python3 -B tests/formats/schema.py "Documentation/tma-$schema_of.schema.json" "$stdout" 2>"$tmp/unfit" ||
		fail "it does not fit Documentation/tma-$schema_of.schema.json" "$tmp/unfit"
}

# run_in TEXT COMMAND [ARG ...]: like run, with TEXT as standard input
run_in()
{
	[ $test_state = ok ] || return 0
	printf '%s' "$1" >"$tmp/stdin"
	shift
	command_shown="$*"
	status=0
	"$@" >"$stdout" 2>"$stderr" <"$tmp/stdin" || status=$?
}

# sim MACHINE [ARG ...]: run tma on a simulated machine
sim()
{
	run "$TMA" --machine "$@"
}

# skip REASON: this test cannot run here
skip()
{
	[ $test_state = ok ] || return 0
	test_state=skipped
	echo "skip $test_name: $1"
}

# skip_all REASON: the whole script cannot run here; end it
skip_all()
{
	close_test
	echo "skip ${0##*/}: $1"
	exit 0
}

# fail WHY [FILE]: the test has failed; show the file's lines
fail()
{
	[ $test_state = ok ] || return 0
	test_state=failed
	echo "not ok $test_name: $1"
	[ -z "$command_shown" ] || echo "#   command: $command_shown"
	[ $# -lt 2 ] || sed -n -e '61q' -e 's/^/#   /p' "$2"
	# The program's messages usually explain a wrong status or text.
	for shown in "$stderr" "$stdout"; do
		if [ $# -lt 2 ] && [ -s "$shown" ]; then
			echo "#   ${shown##*/}:"
			sed -n -e '31q' -e 's/^/#     /p' "$shown"
		fi
	done
}

# expect_status N
expect_status()
{
	[ $test_state = ok ] || return 0
	[ "$status" = "$1" ] || fail "exit status $status, not $1"
}

# expect_stdout, expect_stderr: the stream is the same as the here-document
expect_stdout()
{
	expect_file "$stdout"
}

expect_stderr()
{
	expect_file "$stderr"
}

# expect_file FILE: the file is the same as standard input
expect_file()
{
	cat >"$tmp/want"
	[ $test_state = ok ] || return 0
	[ -e "$1" ] || {
		fail "there is no file $1"
		return 0
	}
	diff -u --label wanted --label got "$tmp/want" "$1" >"$tmp/diff" ||
		fail "${1##*/} differs" "$tmp/diff"
}

# expect_match stdout|stderr|FILE REGEX: a line matches the extended regular expression
expect_match()
{
	[ $test_state = ok ] || return 0
	find_text "$1"
	grep -q -E -e "$2" "$looked_at" || fail "$1 has no line matching $2"
}

# expect_no_match stdout|stderr|FILE REGEX
expect_no_match()
{
	[ $test_state = ok ] || return 0
	find_text "$1"
	! grep -q -E -e "$2" "$looked_at" || fail "$1 has a line matching $2"
}

# expect_all_match stdout|stderr|FILE REGEX: every line matches, and there is at least one
expect_all_match()
{
	[ $test_state = ok ] || return 0
	expect_match "$1" "$2"
	find_text "$1"
	! grep -v -E -e "$2" -e '^[{]"schema":1,"type":"run",' "$looked_at" >"$tmp/odd" || fail "$1 has lines not matching $2" "$tmp/odd"
}

# expect_empty stdout|stderr|FILE
expect_empty()
{
	[ $test_state = ok ] || return 0
	find_text "$1"
	[ ! -s "$looked_at" ] || fail "$1 is not empty"
}

# expect_lines stdout|stderr|FILE N
expect_lines()
{
	[ $test_state = ok ] || return 0
	find_text "$1"
	lines=$(wc -l <"$looked_at")
	[ "$lines" = "$2" ] || fail "$1 has $lines lines, not $2"
}

# expect_equal WHAT GOT WANT: both texts are the same
expect_equal()
{
	[ $test_state = ok ] || return 0
	[ "$2" = "$3" ] || fail "$1 is '$2', not '$3'"
}

# expect_between WHAT GOT LOW HIGH: the number, which may have decimals, is between the limits
expect_between()
{
	[ $test_state = ok ] || return 0
	awk -v n="$2" -v low="$3" -v high="$4" \
		'BEGIN { exit !(n ~ /^-?[0-9.]+$/ && n + 0 >= low + 0 && n + 0 <= high + 0) }' ||
		fail "$1 is $2, not between $3 and $4"
}

# without_reasons: remove the ends of JSON lines that only tma has, from standard input
without_reasons()
{
	sed 's/, "reason" : "[^"]*"}$/}/'
}

# needs_counters: skip the test if the kernel does not let this user count a process;
# needs_system_wide: skip it if the kernel does not let this user count whole CPUs
needs_counters()
{
	[ $test_state = ok ] || return 0
	[ -n "$counters" ] || {
		"$TMA" stat -e task-clock true >/dev/null 2>&1 && counters=yes || counters=no
	}
	[ $counters = yes ] || skip "the kernel lets this user count nothing (kernel.perf_event_paranoid)"
}

needs_system_wide()
{
	[ $test_state = ok ] || return 0
	[ -n "$system_wide" ] || {
		"$TMA" stat -a -e cpu-clock --timeout 10 >/dev/null 2>&1 && system_wide=yes || system_wide=no
	}
	[ $system_wide = yes ] || skip "the kernel does not let this user count whole CPUs (kernel.perf_event_paranoid)"
}

# needs_root, needs_tracefs, needs_pmu NAME, needs_perf, needs_perfs_formulas, needs_command NAME:
# skip the test if this is missing. PERF=path names perf 6.12
needs_root()
{
	[ "$(id -u)" = 0 ] || skip "needs root"
}

needs_tracefs()
{
	[ -r /sys/kernel/tracing/events/sched/sched_switch/id ] ||
		[ -r /sys/kernel/debug/tracing/events/sched/sched_switch/id ] ||
		skip "needs to read tracefs (root, /sys/kernel/tracing mounted)"
}

needs_pmu()
{
	[ -d "/sys/bus/event_source/devices/$1" ] || skip "this machine has no PMU $1"
}

needs_perf()
{
	[ -x "${PERF-}" ] || skip "needs PERF (the path of a perf 6.12)"
}

# perf 6.12 has the formulas of its kernel's tables; tma also has newer formulas, which replace
# them.
needs_perfs_formulas()
{
	needs_perf
	! "$TMA" --machine skylakex list --names metric tma_bottleneck_mispredictions >/dev/null 2>&1 ||
		skip "needs a build with TABLES=kernel: perf 6.12 has older formulas"
}

needs_command()
{
	command -v "$1" >/dev/null || skip "needs $1"
}

# needs_locale NAME: skip the test if NAME.UTF-8 is not available; else set $locales, for LOCPATH
needs_locale()
{
	[ $test_state = ok ] || return 0
	locales=$(tests/locale "$BUILD" "$1") || skip "needs localedef with $1 (package locales)"
}

# needs_all_serve: skip the file's tests if this tma cannot serve
needs_all_serve()
{
	command -v python3 >/dev/null || skip_all "needs python3"
	"$TMA" --machine sapphirerapids serve --listen 127.0.0.1:0 -M no_such_metric >"$tmp/first" 2>&1
	! grep -q -e 'was built without' -e 'cannot be loaded' "$tmp/first" || skip_all "no libmicrohttpd here"
}

# serve NAME: run the test NAME of serve.py
serve()
{
	[ $test_state = ok ] || return 0
	serve_tma=$(command -v "$TMA")
	case $serve_tma in /*) ;; *) serve_tma=$PWD/$serve_tma ;; esac
	run timeout 300 python3 -B tests/cli/serve.py "$serve_tma" "$1"
	[ "$status" != 77 ] || skip "$(cat "$stdout")"
	expect_status 0
}

# make_public FILE ...: copy files of the build to $tmp/public, where any user may use them; other
# users may not be able to enter the folder of the build
make_public()
{
	mkdir -p "$tmp/public"
	cp "$@" "$tmp/public"
	chmod 755 "$tmp" "$tmp/public" "$tmp"/public/*
}

# until_found REGEX FILE [PID]: wait until a line of the file matches, for at most 100 s, and only
# while the process lives
until_found()
{
	[ $test_state = ok ] || return 0
	waited=0
	until grep -q -E -e "$1" "$2" 2>/dev/null; do
		waited=$((waited + 1))
		if [ $waited -gt 2000 ] || { [ $# -ge 3 ] && ! kill -0 "$3" 2>/dev/null; }; then
			grep -q -E -e "$1" "$2" 2>/dev/null || fail "$2 has no line matching $1" "$2"
			return 0
		fi
		sleep 0.05
	done
}

# start_idle: start a process named sleep, as $idle, which does not run; end_idle: end it
start_idle()
{
	idle=
	[ $test_state = ok ] || return 0
	sleep 1000 &
	idle=$!
	until_found '^sleep$' /proc/$idle/comm
	kill -STOP $idle
	until_found '^State:.*T' /proc/$idle/status
}

end_idle()
{
	[ -z "$idle" ] || kill -KILL "$idle"
	idle=
}

# --- The rest is the library's own ---------------------------------------------------------------

# $1: stdout, stderr or a file; $looked_at is set to the file (a function in $() would start a
# process)
find_text()
{
	case $1 in
	stdout | stderr) looked_at=$tmp/$1 ;;
	*) looked_at=$1 ;;
	esac
}

close_test()
{
	[ $test_state != ok ] || echo "ok $test_name"
	test_state=none
}

# If a script stops half-way, it has failed, whatever its earlier tests found.
end_script()
{
	ended=$?
	trap - EXIT
	if [ $ended != 0 ]; then
		[ $test_state = ok ] || {
			test_name=${0##*/}
			test_state=ok
		}
		fail "the script ended with status $ended"
	fi
	close_test
	end_idle
	rm -rf "$tmp"
	exit $ended
}
trap end_script EXIT
trap 'exit 143' HUP INT TERM

# has_libdw: test whether tma why can name functions and lines here
has_libdw()
{
	! "$TMA" why -j "$TMA" --version 2>/dev/null | grep -q 'libdw.so.1 is not installed'
}

# machine_of_functions NAME [STAYS [LINE]]: make $tmp/machines/NAME, a machine on which a command is
# in the functions f0, f1 and f2 in turn
machine_of_functions()
{
	mkdir -p "$tmp/machines"
	{
		python3 -B tests/sim/functions.py machine "$1" ${2:+"$2"}
		echo "include $(cd "$(dirname "$TMA")" && pwd)/machines/$1"
		[ $# -lt 3 ] || echo "$3"
	} >"$tmp/machines/$1"
}

# machines_of_functions: make all machines that tests of functions use
machines_of_functions()
{
	for name in skylakex sapphirerapids alderlake zen4 neoverse-n2; do
		machine_of_functions $name
	done
}
