#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Influence of other users: links and files in directories that all may write to, and names from
# processes, recordings and variables.
. "$(dirname "$0")/lib.sh"

# --- Files ------------------------------------------------------------------------------------------

shared=$tmp/shared
victim=$tmp/mine/victim

# needs_other_user: make $shared, a directory like /tmp, and $victim, a file of this user
needs_other_user()
{
	needs_command setpriv
	[ $test_state = ok ] || return 0
	[ "$(id -u)" = 0 ] || skip "only root can become another user"
	[ $test_state = ok ] || return 0
	rm -rf "$shared" "$tmp/mine"
	mkdir "$shared" "$tmp/mine"
	chmod 755 "$tmp"
	chmod 1777 "$shared"
	echo precious >"$victim"
}

# other COMMAND ...: run a command as another user
other()
{
	[ $test_state != ok ] || setpriv --reuid 65534 --regid 65534 --clear-groups "$@" ||
		fail "the other user cannot: $*"
}

# Options whose argument is a file to write to. "true" is the command; for options without an
# argument it is one word too many.
writers='stat -e task-clock true -o
stat -e task-clock -x, true -o
stat -e task-clock --format=csv-wide true -o
stat -e task-clock true --append -o
stat -e task-clock --format=csv-wide true --append -o
stat -e task-clock --format=prom true -o
stat record -e task-clock true -o
stat --dry-run -e task-clock true -o
plan -e task-clock -o
list task-clock -o
list -j task-clock -o
explain task-clock -o'

# each_writer FILE PATTERN CHECK: run each command that matches PATTERN as "tma ... -o FILE", then
# CHECK
each_writer()
{
	echo "$writers" | grep -E -e "$2" >"$tmp/writers"
	while read -r words; do
		command=
		# The command comes last.
		case $words in
		*' true'*) command=true ;;
		esac
		words=$(echo "$words" | sed 's/ true / /')
		# shellcheck disable=SC2086 # several words, or none
		run timeout 20 "$TMA" $words "$1" $command
		$3
	done <"$tmp/writers"
}

refused_link()
{
	expect_status 125
	expect_match stderr "cannot .*shared/.*: '[a-z.]+' is a symbolic link of another user \(65534\)"
	expect_victim
}

refused_file()
{
	expect_status 125
	expect_match stderr 'cannot .*shared/file.*: another user \(65534\) has put it'
}

refused_name()
{
	expect_status 125
	expect_match stderr 'cannot .*shared/name.*: it has a second name'
	expect_victim
}

expect_victim()
{
	[ $test_state = ok ] || return 0
	[ "$(cat "$victim")" = precious ] || fail "it was written to" "$victim"
}

written()
{
	expect_status 0
	[ $test_state != ok ] || [ -s "$tmp/mine/out" ] || fail "nothing was written"
	rm -f "$tmp/mine/out"
}

begin "another user's link is not written through" # R44
needs_other_user
other ln -s "$victim" "$shared/link"
other ln -s "$tmp/mine/new" "$shared/dangling"
other ln -s "$tmp/mine" "$shared/folder"
other mkdir "$shared/theirs"
other ln -s "$victim" "$shared/theirs/link"
each_writer "$shared/dangling" . refused_link
each_writer "$shared/folder/new" . refused_link
each_writer "$shared/theirs/link" 'stat -|plan|list|explain' refused_link
each_writer "$shared/link" 'stat -|plan|list|explain' refused_link
[ $test_state != ok ] || [ ! -e "$tmp/mine/new" ] || fail "a file was made through a link"

begin "a file that another user has put there is not written to" # R44
needs_other_user
other sh -c "echo theirs >$shared/file; chmod 666 $shared/file; mkfifo -m 666 $shared/file.fifo"
each_writer "$shared/file" '^(stat -e task-clock( -x,| --format=csv-wide)?( true)?( --append)? -o|plan|list|explain)' refused_file
each_writer "$shared/file.fifo" '^(stat -e task-clock( -x,)? true -o|stat record|plan|list|explain)' refused_file

begin "a second name that another user may have given a file of ours"
needs_other_user
[ $test_state != ok ] || ln "$victim" "$shared/name" 2>/dev/null || skip "no second name can be given here"
each_writer "$shared/name" '^(stat -e task-clock( -x,)? true -o|plan|list|explain)' refused_name

begin "links of our own, and of root, are followed; a file of ours is replaced"
needs_other_user
[ $test_state != ok ] || ln -s ../mine/out "$shared/own"
[ $test_state != ok ] || ln -s "$shared" "$tmp/mine/way"
each_writer "$tmp/mine/way/own" . written
each_writer "$tmp/mine/way/../mine/out" . written
[ $test_state != ok ] || [ -L "$shared/own" ] || fail "the link is gone"
run "$TMA" stat -x, -e task-clock -o /dev/stdout true
expect_status 0
expect_match stdout ',msec,task-clock,'

begin "an ordinary user does not follow the links of others in such a directory, and does elsewhere"
needs_other_user
if [ $test_state = ok ]; then
	mkdir "$tmp/group"
	chmod 777 "$tmp/group"
	setpriv --reuid 65533 --regid 65533 --clear-groups ln -s "$tmp/group/out" "$shared/link"
	setpriv --reuid 65533 --regid 65533 --clear-groups ln -s out "$tmp/group/link"
fi
run setpriv --reuid 65534 --regid 65534 --clear-groups "$TMA" list -o "$shared/link" task-clock
expect_status 125
expect_match stderr "'link' is a symbolic link of another user \(65533\)"
run setpriv --reuid 65534 --regid 65534 --clear-groups "$TMA" list -o "$tmp/group/link" task-clock
expect_status 0
expect_match "$tmp/group/out" 'task-clock'

begin "prom does not replace what is not a regular file, whatever leads to it"
ln -sfn /proc/self/fd/1 "$tmp/stream"
run sh -c "\"$TMA\" stat --format=prom -e task-clock -o $tmp/stream true | cat"
expect_match stderr 'is not a regular file and cannot be replaced'
[ -L "$tmp/stream" ] || fail "the link is replaced"

begin "--control: a file that is not a fifo is left unchanged"
needs_counters
echo precious >"$tmp/regular"
rm -f "$tmp/ctl"
mkfifo "$tmp/ctl"
for control in "$tmp/regular" "$tmp/ctl,$tmp/regular" "$tmp/ctl,/dev/null"; do
	run timeout 20 "$TMA" stat -e task-clock --control "fifo:$control" true
	expect_status 129
	expect_match stderr '^tma: --control: cannot open .*: it is not a fifo \(mkfifo\(1\) makes one\)$'
done
[ $test_state != ok ] || [ "$(cat "$tmp/regular")" = precious ] || fail "it was written to"
run timeout 20 "$TMA" stat -e task-clock --control "fifo:$tmp/ctl,$tmp/none" true
expect_status 129
expect_match stderr 'cannot open .*/none: No such file'
needs_other_user
other ln -s "$tmp/ctl" "$shared/link"
run timeout 20 "$TMA" stat -e task-clock --control "fifo:$shared/link" true
expect_status 129
expect_match stderr "'link' is a symbolic link of another user"

# --- Names ------------------------------------------------------------------------------------------

escape=$(printf '\033[31m')
# U+009B begins a control sequence, as ESC [ does; on 8-bit terminals the byte 0x9b does so too.
wild=$(printf 'a\033[31mb\302\233c\233\377')

# expect_plain FILE: the file has no byte that controls a terminal
expect_plain()
{
	[ $test_state = ok ] || return 0
	find_text "$1"
	LC_ALL=C grep -n "$(printf '[\001-\010\013-\037\177]')" "$looked_at" >"$tmp/control" &&
		fail "control characters are printed" "$tmp/control"
	LC_ALL=C grep -n "$(printf '\302[\200-\237]')" "$looked_at" >"$tmp/control" &&
		fail "control characters of UTF-8 are printed" "$tmp/control"
	return 0
}

# expect_utf8 FILE
expect_utf8()
{
	needs_command iconv
	[ $test_state = ok ] || return 0
	find_text "$1"
	iconv -f UTF-8 -t UTF-8 "$looked_at" >/dev/null 2>"$tmp/iconv" || fail "it is no UTF-8" "$tmp/iconv"
}

begin "an old recording behind a link is kept, and no link is renamed"
needs_counters
mkdir "$tmp/links"
echo old >"$tmp/links/real"
ln -s real "$tmp/links/link"
ln -s /proc/self/fd/2 "$tmp/links/stderr"
run "$TMA" stat record -e task-clock -o "$tmp/links/link" true
expect_status 0
echo something >"$tmp/errors"
"$TMA" stat record -e task-clock -o "$tmp/links/stderr" true 2>>"$tmp/errors"
expect_equal "what is there" "$(cd "$tmp/links" && for f in *; do printf '%s ' "$f$(readlink "$f" | sed 's/^/->/')"; done)" \
	"link->real real real.old stderr->/proc/self/fd/2 "
expect_equal "the old one" "$(cat "$tmp/links/real.old")" old
run "$TMA" script -i "$tmp/links/link"
expect_status 0

# Opening the pipe waits for a reader, and any signal ends this wait.
begin "a fifo that nobody reads"
needs_counters
mkfifo "$tmp/fifo"
for command in "stat -e task-clock" "stat -e task-clock -I 20" "stat record -e task-clock"; do
	for signal in INT TERM HUP QUIT; do
		[ $test_state = ok ] || break
		# shellcheck disable=SC2086 # several words
		env --default-signal=INT,QUIT "$TMA" $command -o "$tmp/fifo" true >"$stdout" 2>"$stderr" </dev/null &
		opener=$!
		sleep 0.3
		kill -$signal $opener
		for _ in $(seq 100); do
			kill -0 $opener 2>/dev/null || break
			sleep 0.1
		done
		kill -KILL $opener 2>/dev/null
		wait $opener
		status=$?
		[ $status != 137 ] && [ $status != 0 ] || fail "$command: SIG$signal: status $status"
	done
done
expect_match stderr 'nobody reads this fifo'

begin "a fifo whose reader goes"
needs_system_wide
[ $test_state != ok ] || (head -c 100 <"$tmp/fifo" >/dev/null) &
run timeout -k 1 100 "$TMA" stat record -e task-clock,page-faults,context-switches,cpu-clock -A -a -I 1 -o "$tmp/fifo" sleep 1
expect_status 141
[ $test_state != ok ] || cat "$tmp/fifo" >"$tmp/read" &
run timeout -k 1 100 "$TMA" stat record -e task-clock -o "$tmp/fifo" true
expect_status 0
wait $!
run "$TMA" script -i "$tmp/read"
expect_match stdout 'task-clock'

begin "a thread's name, in every format" # R37
needs_counters
if [ $test_state = ok ]; then
	cp "$(command -v sleep)" "$tmp/$wild"
	"$tmp/$wild" 60 &
	sleeper=$!
	for _ in $(seq 100); do
		grep -q '^a' /proc/$sleeper/comm && break
		sleep 0.1
	done
fi
for format in -v -x, "-x;" -j --format=json --format=csv-wide --format=prom --format=markdown --format=tree --format=trace --format=html; do
	run timeout 20 "$TMA" stat "$format" -e task-clock --per-thread -p "${sleeper-1}" --timeout 20
	expect_status 0
	case $format in
	-v | -x* | -j) rows=stderr ;;
	*) rows=stdout ;;
	esac
	expect_match $rows 'task-clock'
	expect_plain $rows
	expect_plain stderr
	case $format in
	-v | --format=tree) ;;
	*) expect_utf8 $rows ;;
	esac
done
run timeout 20 "$TMA" stat --format=csv-wide -e task-clock --per-thread -p "${sleeper-1}" --timeout 20
expect_match stdout 'a\?\[31mb\?c'
[ -z "${sleeper-}" ] || kill "$sleeper"

begin "a command, live and of a recording"
needs_counters
run "$TMA" stat -e task-clock -- true "$wild"
expect_status 0
expect_match stderr "Performance counter stats for 'true a\?\[31mb\?c"
expect_plain stderr
run "$TMA" stat record -e task-clock -o "$tmp/data" -- true "$wild"
expect_status 0
run "$TMA" stat report -i "$tmp/data"
expect_match stderr "Performance counter stats for '.*true a\?\[31mb\?c"
expect_plain stderr
run "$TMA" stat -e task-clock -- sh -c 'true
	true'
expect_match stderr "^ Performance counter stats for 'sh -c true\?\?true':$"
run "$TMA" stat -- "$tmp/none$wild"
expect_status 127
expect_plain stderr

begin "events of a recording that somebody has changed"
needs_counters
run "$TMA" stat record -e task-clock,context-switches -o "$tmp/data" true
expect_status 0
sed "s/task-clock/ta${escape}ock/g; s/context-switches/con$(printf '\302\233')xt-switches/g" "$tmp/data" >"$tmp/changed"
cmp -s "$tmp/data" "$tmp/changed" && fail "nothing is changed"
for format in -v -x, -j --format=json --format=csv-wide --format=prom --format=markdown --format=tree --format=trace --format=html; do
	run "$TMA" stat report "$format" -i "$tmp/changed"
	expect_status 0
	expect_plain stderr
	expect_plain stdout
done
run "$TMA" script -i "$tmp/changed"
expect_match stdout 'ta\?\[31mock'
expect_plain stdout

begin "PERF_CPUID, names of events and files"
for command in test "list metric" "stat -M x true" "stat true" "--version --tables" "explain x" \
	"stat -e $wild true" "list -o /none/$wild" "stat report -i $wild" "script -i $wild" "--tables $wild list" \
	"--machine $wild list" "$wild" "check-tables $wild" "stat --control fifo:$wild true" "stat --log-fd $wild true"; do
	# shellcheck disable=SC2086 # several words
	run env PERF_CPUID="$wild" "$TMA" $command
	expect_plain stdout
	expect_plain stderr
done

begin "events of one's own, listed by --control and by -v"
needs_counters
[ $test_state != ok ] || printf 'evlist\nevlist -g\nstop\n' >"$tmp/commands"
name=$(printf 'cpu-clock/name=x\033y/')
run timeout 20 "$TMA" stat -v -e "$name" --control fd:9 --timeout 500 true 9<"$tmp/commands"
expect_plain stderr

# --- Programs with other rights ---------------------------------------------------------------------

# make_taken: make $tmp/own/spin, which may be read, and $tmp/own/closed and $tmp/own/setuid, which
# lose their counters when they are executed
make_taken()
{
	needs_other_user
	needs_counters
	needs_command cc
	[ $test_state = ok ] || return 0
	mkdir -p "$tmp/own"
	cat >"$tmp/spin.c" <<'END'
#include <time.h>
int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 4)
		;
}
END
	cc -O1 -o "$tmp/own/spin" "$tmp/spin.c" || fail "no program"
	cp "$TMA" "$tmp/own/tma"
	cp "$tmp/own/spin" "$tmp/own/closed"
	cp "$tmp/own/spin" "$tmp/own/setuid"
	chmod 755 "$tmp/own" "$tmp/own/tma" "$tmp/own/spin"
	chmod 711 "$tmp/own/closed"
	chmod 4755 "$tmp/own/setuid"
	setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/own/tma" stat -e task-clock:u true 2>"$stderr" ||
		skip "another user may not count here"
}

begin "counters that the kernel takes away at the start of a program: no count, and why" # R59
make_taken
for program in closed setuid; do
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/own/tma" stat -x, -e task-clock:u,page-faults:u \
		"$tmp/own/$program"
	expect_status 125
	expect_match stderr "^.*own/$program is not counted: the kernel took its counters away"
	expect_match stderr '^<not counted>,msec,task-clock:u,'
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/own/tma" stat --format=json --command-output=null -I 100 -e task-clock:u \
		"$tmp/own/$program"
	expect_status 125
	expect_match stdout '"reason":"the kernel took its counter away'
done

begin "counters that the kernel takes away from a child: how much was not counted" # R59
make_taken
run setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/own/tma" stat -x, -e task-clock:u \
	sh -c "$tmp/own/spin; $tmp/own/closed; exit 3"
expect_status 3
expect_match stderr "^tma: 0\.[0-9]* s of the command's CPU time were not counted: the kernel takes counters away"
run setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/own/tma" stat -x, -e task-clock:u \
	sh -c "$tmp/own/spin; $tmp/own/spin; exit 3"
expect_status 3
expect_no_match stderr "not counted"
