#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The README's pictures look as the current program draws them: scripts/pictures makes them again.
. "$(dirname "$0")/lib.sh"

pictures=Documentation/pictures
mkdir "$tmp/bin"
ln -s "$TMA" "$tmp/bin/tma"
PATH=$tmp/bin:$PATH
unset TMA_SIM_STEP TMA_SIM_COMMAND

# form KIND FILE >FORM: print the form of a picture
form()
{
	python3 -B scripts/picture-form "$@"
}

begin "the answer of tma why"
needs_counters
has_libdw || skip "libdw is not installed"
echo "\$ tma --machine skylakex why tma test -w divides" >"$tmp/why.txt"
run env COLUMNS=104 LC_ALL=C.UTF-8 tma --machine skylakex why --color=always tma test -w divides
expect_status 0
cat "$stdout" >>"$tmp/why.txt"
form why "$tmp/why.txt" >"$tmp/today"
form why $pictures/why.svg >"$tmp/picture"
diff "$tmp/picture" "$tmp/today" >"$tmp/differs" || fail "the picture is of another form: scripts/pictures build/tma why" "$tmp/differs"

begin "the screen of tma top"
needs_counters
run env COLUMNS=100 LC_ALL=C.UTF-8 "$TMA" --machine sapphirerapids top -b -n 1 -d 0.5
expect_status 0
form top "$stdout" | sort -u >"$tmp/today"
form top $pictures/top.svg | sort -u >"$tmp/picture"
comm -23 "$tmp/today" "$tmp/picture" >"$tmp/missing"
[ ! -s "$tmp/missing" ] || fail "the picture lacks what is printed today: scripts/pictures build/tma top" "$tmp/missing"

begin "the page"
run "$TMA" --machine sapphirerapids stat -a --topdown --td-level 4 -I 100 --interval-count 2 --verdict --format=html \
	-o "$tmp/page.html"
expect_status 0
form page "$tmp/page.html" >"$tmp/today"
diff $pictures/page.form "$tmp/today" >"$tmp/differs" || fail "the picture is of another form: scripts/pictures build/tma page" "$tmp/differs"

begin "a picture of another form is reported"
sed 's/divider/multiplier/' $pictures/why.svg >"$tmp/old.svg"
[ "$(form why "$tmp/old.svg")" != "$(form why $pictures/why.svg)" ] || fail "the form is the same"
run python3 -B scripts/picture-form nothing "$tmp/why.txt"
expect_status 1
