#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The program that runs the tests shows its progress, and lists failed and skipped tests.
. "$(dirname "$0")/lib.sh"

needs_command python3
mkdir -p "$tmp/build/tests"
results=$tmp/build/tests/results

# script NAME: make a file of tests from standard input
script()
{
	{ echo '#!/bin/sh'; cat; } >"$tmp/$1.sh"
	chmod +x "$tmp/$1.sh"
}

# tests NAME ...: run these files; variables of tests/run may precede them
tests()
{
	[ $test_state = ok ] || return 0
	files=
	for name; do
		files="$files $tmp/$name.sh"
	done
	# shellcheck disable=SC2086 # several files, of whose names none has a blank
	run env COLUMNS="${COLUMNS-100}" V="${V-}" tests/run "$tmp/build" $files
}

# expect_count TEXT: the last line is this text
expect_count()
{
	expect_equal "the count" "$(tail -n 1 "$stdout")" "$1"
	expect_equal "the count in the file" "$(cat "$tmp/build/tests/count")" "$1"
}

script always <<END
echo >>"$tmp/times.of.always"
echo 'ok one'
echo 'not ok two: it never works'
exit 1
END
script dies <<'END'
echo 'ok before'
kill -SEGV $$
END
script whole <<'END'
echo 'ok three'
echo 'skip four: needs a thing (to be had in a shop)'
END
script other <<'END'
echo 'ok five: six'
echo 'skip six: seven: needs a thing (or another)'
echo 'skip eight: there is none'
END
script wordy <<'END'
echo 'ok nine'
echo 'not ok ten: a reason of many words, more than are in a line of forty columns'
echo '#   details are shown below it'
for i in $(seq 40); do echo "#   line $i"; done
exit 1
END

begin "a test that fails is a failure, and is not repeated"
tests always whole dies
expect_status 1
expect_match stdout "^always failed: $results/always.log$"
expect_match stdout '^  not ok two: it never works$'
expect_match stdout '^  not ok dies: ended by signal 11$'
expect_no_match stdout '^ *ok '
expect_count '3 passed, 2 failed, 1 skipped'
expect_lines "$tmp/times.of.always" 1

begin "a reason is folded to the width, and of many details the first are shown"
COLUMNS=40 tests wordy
expect_status 1
sed -n '/not ok ten/,/\.\.\./p' "$stdout" >"$tmp/shown"
expect_file "$tmp/shown" <<END
  not ok ten: a reason of many words,
      more than are in a line of forty
      columns
    details are shown below it
$(for i in 1 2 3 4 5 6 7 8 9 10; do echo "    line $i"; done)
    ...
END

begin "reasons for skips are summed up"
tests whole other
expect_status 0
sed -n '/^skipped:$/,/^$/p' "$stdout" >"$tmp/shown"
expect_file "$tmp/shown" <<'END'
skipped:
    2 need a thing
    1 there is none

END
expect_count '2 passed, 0 failed, 3 skipped'

begin "V=1: each file, each reason, and all that was printed"
V=1 tests whole wordy
expect_status 1
expect_match stdout '^  ok       whole +2    [0-9] s$'
expect_match stdout '^  FAILED   wordy +2    [0-9] s$'
expect_match stdout '^skipped: whole: four: needs a thing \(to be had in a shop\)$'
expect_match stdout '^not ok ten: a reason of many words, more than are in a line of forty columns$'
expect_match stdout '^#   line 40$'
expect_count '2 passed, 1 failed, 1 skipped'

# This run ends when the other run has read the message about it.
script waits <<END
for _ in \$(seq 300); do
	[ ! -e "$tmp/go" ] || break
	sleep 0.1
done
echo 'ok waits'
END

begin "lines show the progress now and then"
run sh -c "COLUMNS=100 TEST_PROGRESS=0.2 tests/run '$tmp/build' '$tmp/waits.sh' '$tmp/whole.sh' |
	while read -r line; do
		echo \"\$line\"
		case \$line in '1 of 2 files'*) touch '$tmp/go' ;; esac
	done"
expect_match stdout '^1 of 2 files in [0-9]+ s: 1 passed, 0 failed, 1 skipped; now waits$'
expect_count '2 passed, 0 failed, 1 skipped'

begin "on a terminal it is one line that moves"
rm -f "$tmp/go"
cat >"$tmp/terminal.py" <<'END'
import os
import pty
import sys

def read(fd):
    data = os.read(fd, 4096)
    if b"1 of 2 files" in data:
        open(sys.argv[1] + "/go", "w").close()
    return data

sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[2:], read)))
END
run env COLUMNS=50 TERM=xterm python3 -B "$tmp/terminal.py" "$tmp" tests/run "$tmp/build" "$tmp/waits.sh" "$tmp/whole.sh"
expect_status 0
tr '\r' '\n' <"$stdout" | sed "s/$(printf '\033')\[K/CLEAR/" >"$tmp/lines"
expect_match "$tmp/lines" '^CLEAR1 of 2 files in [0-9]+ s: 1 passed, 0 failed, 1 .*[.]{3}$'
tr -d '\r' <"$stdout" | sed "s/.*$(printf '\033')\[K//" >"$tmp/stays"
expect_no_match "$tmp/stays" 'of 2 files'
expect_equal "the count" "$(tail -n 1 "$tmp/stays")" '2 passed, 0 failed, 1 skipped'

begin "a file that takes too long is ended"
script long <<'END'
echo 'ok so far'
sleep 60
END
TEST_TIMEOUT=1 tests long
expect_status 1
expect_match stdout '^  not ok long: ran longer than 1 s and was ended$'
expect_count '1 passed, 1 failed, 0 skipped'

begin "signals which the caller ignores are not ignored in tests"
script signals <<'END'
for name in INT PIPE HUP; do
	sh -c "kill -$name \$\$" 2>/dev/null
	echo "ok status $?"
done
END
run sh -c "trap '' INT PIPE HUP; exec tests/run '$tmp/build' '$tmp/signals.sh'"
expect_status 0
expect_equal "the statuses" "$(tr '\n' ' ' <"$results/signals.log")" 'ok status 130 ok status 141 ok status 129 '

begin "two runs of the same build have results of their own"
script slow <<END
echo >"$tmp/slow.begun"
for _ in \$(seq 1000); do
	[ ! -e "$tmp/other.ended" ] || break
	sleep 0.1
done
echo 'ok slow'
END
if [ $test_state = ok ]; then
	tests/run "$tmp/build" "$tmp/slow.sh" >"$tmp/first" 2>&1 &
	first=$!
	until [ -e "$tmp/slow.begun" ] || ! kill -0 $first; do
		sleep 0.05
	done
fi
tests always
expect_match stdout "^always failed: $results-[0-9]+/always.log$"
expect_equal "the count" "$(tail -n 1 "$stdout")" '1 passed, 1 failed, 0 skipped'
touch "$tmp/other.ended"
[ -z "${first-}" ] || wait "$first"
expect_match "$tmp/first" '^1 passed, 0 failed, 0 skipped$'

begin "a path with a blank has another name for the tests"
mkdir -p "$tmp/a tree/tests" "$tmp/a tree/a build/tests" "$tmp/a place"
cp tests/run tests/times "$tmp/a tree/tests"
script names <<'END'
case "$TMA $BUILD $PWD $(pwd) $TMPDIR" in
*' '*' '*' '*' '*' '*) echo "not ok names: $TMA $BUILD $PWD $(pwd) $TMPDIR" ;;
*) echo 'ok names' ;;
esac
[ "$(pwd -P)" = "$(dirname "$WHERE")/a tree" ] && echo 'ok the tree' || echo "not ok the tree: $(pwd -P)"
END
run env WHERE="$tmp/x" TMPDIR="$tmp/a place" "$tmp/a tree/tests/run" 'a build' "$tmp/names.sh"
expect_status 0
expect_equal "the count" "$(tail -n 1 "$stdout")" '2 passed, 0 failed, 0 skipped'

begin "a file that cannot be run is a failure"
tests nowhere
expect_status 1
expect_match stdout '^  not ok nowhere: cannot be run: No such file or directory$'
expect_count '0 passed, 1 failed, 0 skipped'

begin "times are of files that there are"
sed -n 's/^ *[0-9.]* *[0-9.]* \(.*\)/\1/p' tests/times >"$tmp/names"
[ -s "$tmp/names" ] || fail "there are none"
while read -r name; do
	[ -e "tests/$name.sh" ] || [ -e "tests/unit/$name.c" ] || fail "there is no $name"
done <"$tmp/names"
