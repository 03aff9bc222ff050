#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The program that runs the tests says what failed.
. "$(dirname "$0")/lib.sh"

mkdir -p "$tmp/build/tests"

# script NAME: a file of tests, from standard input
script()
{
	{ echo '#!/bin/sh'; cat; } >"$tmp/$1.sh"
	chmod +x "$tmp/$1.sh"
}

script always <<'END'
echo 'ok one'
echo 'not ok two: it never works'
exit 1
END
script late <<END
[ -e "$tmp/once" ] && echo 'ok in time' && exit
touch "$tmp/once"
echo 'not ok in time: the computer was busy'
exit 1
END
script dies <<'END'
echo 'ok before'
kill -SEGV $$
END
script whole <<'END'
echo 'ok three'
echo 'skip four: needs a thing'
END

begin "what fails alone too is a failure"
run tests/run "$tmp/build" "$tmp/always.sh" "$tmp/whole.sh" "$tmp/dies.sh"
expect_status 1
expect_match stdout 'not ok two: it never works'
expect_match stdout 'not ok dies: ended by signal 11'
expect_match stdout 'skipped: whole: four: needs a thing'
expect_equal "the count" "$(tail -n 1 "$stdout")" '3 passed, 2 failed, 1 skipped'

begin "what passes alone has passed, and the failure is printed"
run tests/run "$tmp/build" "$tmp/late.sh" "$tmp/whole.sh"
expect_status 0
expect_match stdout 'not ok in time: the computer was busy'
expect_match stdout 'late passed, after it failed beside others'
expect_equal "the count" "$(tail -n 1 "$stdout")" '2 passed, 0 failed, 1 skipped'

begin "many failures are no matter of time"
for i in 1 2 3 4 5 6; do
	cp "$tmp/always.sh" "$tmp/always$i.sh"
done
run tests/run "$tmp/build" "$tmp"/always*.sh
expect_status 1
expect_no_match stdout 'run again'
expect_equal "the count" "$(tail -n 1 "$stdout")" '7 passed, 7 failed, 0 skipped'
