#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$(dirname "$0")/lib.sh"

begin "the sources follow the house rules"
run scripts/check-style
expect_status 0
expect_empty stdout

begin "a file that breaks them is told"
{
	printf 'int f(void)\n{\n'
	for i in $(seq 81); do printf '\tg(%d);\n' "$i"; done
	printf '}\nint h; /* %0100d */\n' 0
	printf 'f("%060d", %050d);\nf("a", %0100d);\n' 0 0 0
	printf '/* TO''DO */ \n'
} >"$tmp/bad.c"
run scripts/check-style "$tmp/bad.c"
expect_status 1
expect_stdout <<END
$tmp/bad.c:1: no SPDX-License-Identifier: GPL-2.0-only in the first line
$tmp/bad.c:2: function of 81 lines, more than 80
$tmp/bad.c:85: 113 columns, more than 100
$tmp/bad.c:87: 109 columns, more than 100
$tmp/bad.c:88: unfinished work is noted
$tmp/bad.c:88: blank at the end of the line
END

# If a header had a struct's fields, the links between archives would not show this use.
begin "a header of a later stage is told"
mkdir -p "$tmp/lib/count" "$tmp/lib/sim" "$tmp/lib/topdown"
for stage in count sim topdown; do
	{
		echo '// SPDX-License-Identifier: GPL-2.0-only'
		for header in base/err.h count/count.h sim/sim.h report/report.h topdown/region.h \
			topdown/region_page.h lint/lint.h ../report/report.h; do
			echo "#include \"$header\""
		done
	} >"$tmp/lib/$stage/bad.c"
done
run scripts/check-style "$tmp/lib/count/bad.c" "$tmp/lib/sim/bad.c" "$tmp/lib/topdown/bad.c"
expect_status 1
sed -i "s,^$tmp/,,; s, includes , ,; s/, which is of no stage before it//" "$stdout"
expect_stdout <<END
lib/count/bad.c:4: lib/count sim/sim.h
lib/count/bad.c:5: lib/count report/report.h
lib/count/bad.c:6: lib/count topdown/region.h
lib/count/bad.c:8: lib/count lint/lint.h
lib/count/bad.c:9: lib/count ../report/report.h
lib/sim/bad.c:3: lib/sim count/count.h
lib/sim/bad.c:5: lib/sim report/report.h
lib/sim/bad.c:6: lib/sim topdown/region.h
lib/sim/bad.c:8: lib/sim lint/lint.h
lib/sim/bad.c:9: lib/sim ../report/report.h
lib/topdown/bad.c:2: lib/topdown base/err.h
lib/topdown/bad.c:3: lib/topdown count/count.h
lib/topdown/bad.c:4: lib/topdown sim/sim.h
lib/topdown/bad.c:5: lib/topdown report/report.h
lib/topdown/bad.c:8: lib/topdown lint/lint.h
lib/topdown/bad.c:9: lib/topdown ../report/report.h
END

begin "a tag with two meanings is told"
for room in count topdown; do
	{
		echo '// SPDX-License-Identifier: GPL-2.0-only'
		printf 'struct place {\n\tint at;\n};\n'
	} >"$tmp/lib/$room/tags.c"
done
run scripts/check-style "$tmp/lib/count/tags.c" "$tmp/lib/topdown/tags.c"
expect_status 1
expect_stdout <<END
$tmp/lib/topdown/tags.c:2: struct place is the name of another thing in $tmp/lib/count/tags.c
END

begin "a code of a TopDown event is told"
mkdir -p "$tmp/lib/events"
for file in count/codes events/topdown sim/codes; do
	{
		echo '// SPDX-License-Identifier: GPL-2.0-only'
		echo 'int slots = 0x0400, retiring = 0x8000, other = 0x80001;'
		echo 'const char terms[] = "event=0x00,umask=0x83", others[] = "umask=0x40";'
	} >"$tmp/lib/$file.c"
done
run scripts/check-style "$tmp/lib/count/codes.c" "$tmp/lib/events/topdown.c" "$tmp/lib/sim/codes.c"
expect_status 1
expect_stdout <<END
$tmp/lib/count/codes.c:2: a code of a TopDown event, which lib/events/topdown.h is to be asked for
$tmp/lib/count/codes.c:3: a code of a TopDown event, which lib/events/topdown.h is to be asked for
END

begin "a word that the texts do not use is told, with a better one"
printf 'int f(void)\n{\n\t/* Start it anew. */\n\treturn say("counted anew");\n}\n' >"$tmp/bad.c"
printf 'Counts, all of the time.\n' >"$tmp/bad.adoc"
run scripts/check-words "$tmp/bad.c" "$tmp/bad.adoc"
expect_status 1
expect_stdout <<END
$tmp/bad.c:4: 'anew': write instead: again, restart, reset (Documentation/style.adoc)
$tmp/bad.adoc:1: 'all of the time': write instead: all the time (Documentation/style.adoc)
END

begin "words that comments do not use are reported, and those of a text are not"
tree=$tmp/tree
mkdir -p "$tree/scripts" "$tree/Documentation" "$tree/lib/grid" "$tree/tests/cli"
cp scripts/check-words "$tree/scripts"
cp Documentation/style.adoc "$tree/Documentation"
cat >"$tree/lib/grid/rows.c" <<'END'
/*
 * Rows come in. Of some, a part
 * is left out; who is last comes behind the others.
 */
int rows; // A count of 0 is none. There is no other.
const char *text = "/* What is text is no comment. */";
END
cat >"$tree/tests/cli/rows.sh" <<'END'
#!/bin/sh
# A row that is
# no row: What is it?
echo "# is none"
END
cat >"$tree/tests/cli/rows.py" <<'END'
"""What rows are."""
END
run "$tree/scripts/check-words"
expect_status 1
sed -i 's/: write instead.*//' "$stdout"
expect_stdout <<'END'
lib/grid/rows.c:2: '. Of'
lib/grid/rows.c:3: 'behind'
lib/grid/rows.c:5: 'is none'
tests/cli/rows.py:1: 'What'
tests/cli/rows.sh:3: 'is no row'
END
printf '/* Rows come in. */\n' >"$tree/lib/grid/rows.c"
rm "$tree"/tests/cli/rows.*
run "$tree/scripts/check-words"
expect_status 0
expect_empty stdout

begin "a static function's name in three files, and a long file that is not a table, are told"
mkdir -p "$tmp/lib/grid" "$tmp/cmd"
for file in lib/grid/rings lib/grid/rows cmd/top; do
	{
		echo '// SPDX-License-Identifier: GPL-2.0-only'
		echo 'static void __attribute__((noreturn))'
		echo 'give_up(void);'
		echo 'static void begin(struct ring *r,'
		echo '		  int nr);'
		[ $file != cmd/top ] || echo 'static int twice(void);'
		[ $file != lib/grid/rows ] || echo 'static int twice(void);'
	} >"$tmp/$file.c"
done
lines()
{
	echo '// SPDX-License-Identifier: GPL-2.0-only'
	echo "$1"
	seq 598 | sed "s/.*/	$2/"
	echo '};'
}
lines 'static const int table[] = {' '0,' >"$tmp/cmd/table.c"
lines 'struct many {' 'int x;' >"$tmp/cmd/long.h"
lines 'static const int table[] = {' '0,' >"$tmp/long.c"
run scripts/check-style "$tmp"/lib/grid/r*.c "$tmp"/cmd/* "$tmp/long.c"
expect_status 1
sed -i "s,$tmp/,,g" "$stdout"
expect_stdout <<'END'
cmd/long.h:1: 601 lines, more than 600
lib/grid/rings.c:4: static begin() is in 3 files: name each after its room, as rings__begin() (also lib/grid/rows.c:4 cmd/top.c:4)
END

begin 'subjects of commits are imperative, with a room, in 72 characters'
long=$(seq -s x 40)
cat >"$tmp/subjects" <<END
a1 count: Read a group's events with one call
a2 Read more
a3 why: The answer is short
a4 why: Name $long
a5 tests/cli, tests/sim: Wait for the file
END
run sh -c 'scripts/check-style --subjects <"$1"' sh "$tmp/subjects"
expect_status 1
expect_stdout <<END
commit a2: not "room: Imperative ...": Read more
commit a3: it does not begin with a verb in the imperative: why: The answer is short
commit a4: $((10 + ${#long})) characters, more than 72: why: Name $long
END
