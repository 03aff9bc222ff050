#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma stat --per-function here, by the kernel's clock where there are no hardware counters: names of functions, and
# programs that fork, execute, load, generate and delete code.
. "$(dirname "$0")/lib.sh"

cc=${CC:-cc} cxx=${CXX:-c++}
command -v "${cc%% *}" >/dev/null || skip_all "no compiler"
command -v python3 >/dev/null || skip_all "needs python3"
"$TMA" stat -e cpu-clock true >/dev/null 2>&1 || skip_all "no software events here"
has_libdw || skip_all "libdw is not installed"

cat >"$tmp/work.c" <<'END'
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile unsigned long by = 3, sum;
#define WORK(name)                                                   \
	__attribute__((noinline)) static void name(unsigned times)   \
	{                                                            \
		unsigned long value = ~0ul;                          \
                                                                     \
		while (times--)                                      \
			value = value / by + ~0ul / 2;               \
		sum += value;                                        \
	}
WORK(much) WORK(some) WORK(little) WORK(in_child)
static inline __attribute__((always_inline)) void inside(unsigned times)
{
	unsigned long value = ~0ul;

	while (times--)
		value = value / by + ~0ul / 2;
	sum += value;
}
__attribute__((noinline)) static void around(unsigned times)
{
	inside(times);
}
#ifndef UNIT
#define UNIT 5000
#endif
int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "shares";
	int n = argc > 2 ? atoi(argv[2]) : 1000;

	if (!strcmp(how, "shares"))
		for (int i = 0; i < n; i++) {
			much(6 * UNIT);
			some(3 * UNIT);
			little(UNIT);
		}
	if (!strcmp(how, "inlined"))
		around(2 * n * UNIT);
	if (!strcmp(how, "fork"))
		for (int i = 0; i < 2; i++)
			if (!fork()) {
				in_child(n * UNIT);
				_exit(0);
			}
	if (!strcmp(how, "short"))
		for (int i = 0; i < n; i++) {
			if (!fork()) {
				in_child(UNIT);
				_exit(0);
			}
			wait(NULL);
		}
	if (!strcmp(how, "exec")) {
		some(n * UNIT);
		execl(argv[3], argv[3], "shares", "500", NULL);
	}
	if (!strcmp(how, "load")) {
		void *library = dlopen(argv[3], RTLD_NOW);
		void (*loaded)(unsigned) = library ? (void (*)(unsigned))dlsym(library, "loaded") : NULL;

		if (!loaded)
			return 3;
		loaded(n * UNIT);
		dlclose(library);
	}
	if (!strcmp(how, "endless"))
		for (;;)
			much(UNIT);
	if (!strcmp(how, "fail"))
		much(n * UNIT);
	while (wait(NULL) > 0)
		;
	return !strcmp(how, "fail") ? 7 : 0;
}
END
$cc -O1 -g -o "$tmp/work" "$tmp/work.c" -ldl || skip_all "it does not compile"

# functions [ARG ...]: print rows of functions, in JSON
functions()
{
	run "$TMA" stat --per-function --format=json -o "$tmp/rows" "$@"
}

# expect_rows EXPRESSION: the expression is true; in it, share("NAME") is the share of a function or
# 0, rows has all names, and samples has the numbers of samples
expect_rows()
{
	[ $test_state = ok ] || return 0
	python3 - "$tmp/rows" "$1" <<'END' 2>"$tmp/odd" || fail "rows are others" "$tmp/odd"
import json, sys
found = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
found = [row for row in found if row["type"] == "metric"]
shares = {row["function"]: row["value"] for row in found if row["name"] == "share"}
samples = {row["function"]: row["value"] for row in found if row["name"] == "samples"}
objects = {row["function"]: row["object"] for row in found}
rows = list(shares)
share = lambda name: shares.get(name, 0)
own = sum(value for name, value in shares.items() if objects[name] != "[kernel]") or 1
part = lambda name: 100 * share(name) / own
assert eval(sys.argv[2]), shares
END
}

# --- Shares --------------------------------------------------------------------------------------

begin "functions have their shares of the time"
functions -F 1999 "$tmp/work" shares 2000
expect_status 0
expect_rows '50 < part("much") < 70 and 22 < part("some") < 38 and 5 < part("little") < 16'
expect_rows 'rows[0] == "much" and objects["much"].endswith("/work")'
expect_rows '99 < sum(shares.values()) < 101'

begin "a line says why there is no TopDown"
[ -d /sys/bus/event_source/devices/cpu ] || [ -d /sys/bus/event_source/devices/cpu_core ] && skip "there are counters here"
functions "$tmp/work"
expect_status 0
expect_match stderr '^tma: no TopDown here, since this computer has no hardware counters: rows only have shares of the time$'

begin "events that nothing here can count are refused before the command runs"
[ -d /sys/bus/event_source/devices/cpu ] || [ -d /sys/bus/event_source/devices/cpu_core ] && skip "there are counters here"
run "$TMA" stat --per-function -e cycles sh -c 'echo ran'
expect_status 125
expect_match stderr '^tma: none of the events can be counted on this machine'
expect_no_match stdout ran

begin "a function that was inlined is a part of the one that it is in"
functions -F 1999 "$tmp/work" inlined
expect_status 0
expect_rows 'part("around") > 90 and not share("inside")'

begin "files and lines have theirs"
run "$TMA" stat --per-object --format=json -o "$tmp/rows" -F 1999 "$tmp/work"
expect_status 0
sed -i 's/"object":"[^"]*",//; s/"object":"/&/' "$tmp/rows"
run "$TMA" stat --per-object -x, -F 1999 "$tmp/work"
expect_match stderr '^work,(9[0-9]|100)'
run "$TMA" stat --per-line -e cpu-clock -x, -F 1999 "$tmp/work"
expect_status 0
expect_match stderr '^work\.c:[0-9]+,[0-9.]+,'

# --- Commands and streams ------------------------------------------------------------------------

begin "the status is the command's" # R2
functions "$tmp/work" fail 5000
expect_status 7
expect_rows 'share("much") > 50'

begin "a command that is not there has no rows" # R3
rm -f "$tmp/rows"
functions "$tmp/none"
expect_status 127
[ ! -s "$tmp/rows" ] || fail "there are rows" "$tmp/rows"

begin "a closed output is a failure, and one without a reader ends the run" # R10
run sh -c '"$@" >&-' sh "$TMA" stat --per-function --format=json --command-output=null "$tmp/work" shares 2000
expect_status 125
run sh -c '{ "$@"; echo $? >"$0"; } | true' "$tmp/ended" "$TMA" stat --per-function --format=json --command-output=null -I 50 "$tmp/work" shares 3000
expect_equal "status" "$(cat "$tmp/ended")" 141

begin "a run that is interrupted has its rows" # R5
run sh -c '"$@" & sleep 1; kill -TERM $!; wait $!' sh "$TMA" stat --per-function -x, "$tmp/work" endless
expect_match stderr '^much,(9[0-9]|100)'

begin "rows of time are each of their time, and the note on missing samples is on all of them"
functions -I 100 "$tmp/work" shares 3000
expect_status 0
expect_no_match stderr 'samples represent'
[ $test_state != ok ] || python3 - "$tmp/rows" <<'END' 2>"$tmp/odd" || fail "rows are others" "$tmp/odd"
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
times = {row["time"] for row in rows if row["type"] == "metric" and row["function"] == "much"}
assert len(times) >= 3, times
END

begin "one or two samples that are missing at the end of a short run are not noted"
functions "$tmp/work" shares 50
expect_status 0
expect_no_match stderr 'samples represent'

begin "a run that is too short for a sample says so"
functions -F 1 "$tmp/work" shares 1
expect_status 0
expect_match stderr '^tma: no sample was taken, since the program ran for only [0-9.]+ ms: take more with -F \(now 1 a second\)'

begin "a frequency of samples without rows of code is refused"
run "$TMA" stat -F 500 true
expect_status 129
expect_match stderr '^tma: -F is for rows of code: add --per-function, --per-object or --per-line'
run "$TMA" stat report --per-function -F 500
expect_status 129
expect_match stderr '^tma: -F is for tma stat and tma stat record: a recording has its samples'

# --- Code that comes and goes --------------------------------------------------------------------

begin "children are sampled" # R77
functions -F 1999 "$tmp/work" fork 5000
expect_status 0
expect_rows 'part("in_child") > 80'

begin "children that live for a moment are sampled, or told to be missing" # R77
functions -F 1999 "$tmp/work" short 2000
expect_status 0
grep -q "^tma: samples represent [0-9]* % of the time: threads that end before" "$stderr" || expect_rows 'share("in_child") > 0'

begin "a program that executes another one" # R77
cp "$tmp/work" "$tmp/second"
functions -F 1999 "$tmp/work" exec 3000 "$tmp/second"
expect_status 0
expect_rows 'share("some (work)") > 20 and share("much") > 20'

begin "a library that is loaded and let go" # R77
sed 's/^WORK(much).*/__attribute__((visibility("default"))) void loaded(unsigned times);/; /^int main/,$d
	s/static void name/void name/' "$tmp/work.c" >"$tmp/library.c"
echo 'WORK(loaded)' >>"$tmp/library.c"
run $cc -O1 -g -shared -fPIC -o "$tmp/library.so" "$tmp/library.c"
expect_status 0
functions -F 1999 "$tmp/work" load 5000 "$tmp/library.so"
expect_status 0
expect_rows 'part("loaded") > 80 and objects["loaded"].endswith("/library.so")'

begin "a program that was deleted is a row of its file" # R77
cp "$tmp/work" "$tmp/gone"
functions -F 1999 sh -c "$tmp/gone shares 2000 & until grep -q gone /proc/\$!/comm; do sleep 0.02; done; rm $tmp/gone; wait"
expect_status 0
expect_match stderr '^tma: places in files that have changed since they were run: [0-9]+ \(deleted, '
expect_rows 'share("gone") > 50'

begin "generated code has the names of its map" # R77
case $(uname -m) in x86_64 | aarch64) ;; *) skip "no code for this machine" ;; esac
cat >"$tmp/jit.c" <<'END'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
#if defined(__x86_64__)
	/* mov ecx, 0x30000000; dec ecx; jnz -4; ret */
	static const unsigned char code[] = {0xb9, 0, 0, 0, 0x30, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
#else
	/* mov w0, #0x30000000; subs w0, w0, #1; b.ne -4; ret */
	static const uint32_t code[] = {0x52a60000, 0x71000400, 0x54ffffe1, 0xd65f03c0};
#endif
	void *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	FILE *map;

	memcpy(page, code, sizeof(code));
	mprotect(page, 4096, PROT_READ | PROT_EXEC);
	__builtin___clear_cache(page, (char *)page + sizeof(code));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	puts(path);
	fflush(stdout);
	map = fopen(path, "w");
	if (!map)
		return 1;
	fprintf(map, "%lx %zx ~spin app.js:1\n", (long)page, sizeof(code));
	fclose(map);
	((void (*)(void))page)();
	return 0;
}
END
run $cc -O1 -o "$tmp/jit" "$tmp/jit.c"
functions -F 1999 "$tmp/jit"
rm -f "$(cat "$stdout")"
expect_status 0
expect_rows 'part("~spin app.js:1") > 80 and objects["~spin app.js:1"] == "[JIT]"'

# --- Recordings ----------------------------------------------------------------------------------

# recorded ARG ...: print the rows of a recording's report
recorded()
{
	run "$TMA" stat record --per-function -o "$tmp/x.data" "$@"
	mv "$stdout" "$tmp/said"
	expect_status 0
	run "$TMA" stat report --per-function --format=json -i "$tmp/x.data" -o "$tmp/rows"
	expect_status 0
}

begin "a recording has the functions of the run, without hardware counters too"
recorded -F 999 "$tmp/work" shares 1000
expect_rows 'part("much") > 40 and part("some") > 15'
run "$TMA" stat report --per-object -x, -i "$tmp/x.data"
expect_match stderr '^work,'
run "$TMA" stat report --per-line -x, -i "$tmp/x.data"
expect_match stderr '^work\.c:[0-9]+,'

begin "a recording has children, and programs that are executed"
recorded -F 1999 "$tmp/work" fork 5000
expect_rows 'part("in_child") > 80'
recorded -F 1999 "$tmp/work" exec 3000 "$tmp/second"
expect_rows 'share("some (work)") > 20 and share("much") > 20'

begin "generated code has names as long as its map is the one of the run"
[ -x "$tmp/jit" ] || skip "no code for this machine"
recorded -F 1999 "$tmp/jit"
expect_rows 'part("~spin app.js:1") > 80 and objects["~spin app.js:1"] == "[JIT]"'
sleep 0.02
touch "$(cat "$tmp/said")"
run "$TMA" stat report --per-function --format=json -i "$tmp/x.data" -o "$tmp/rows"
rm -f "$(cat "$tmp/said")"
expect_rows 'share("~spin app.js:1") == 0 and part("[anonymous memory]") > 80'

begin "processes that run already are recorded, and those of an ordinary user"
needs_root
"$tmp/work" shares 30000 >/dev/null 2>&1 &
worker=$!
mkdir "$tmp/own"
chmod 777 "$tmp/own" && chmod 755 "$tmp"
cp "$TMA" "$tmp/own/tma"
run "$TMA" stat record --per-function -F 999 -o "$tmp/x.data" -p $worker --timeout 500
kill $worker
expect_status 0
run "$TMA" stat report --per-function --format=json -i "$tmp/x.data" -o "$tmp/rows"
expect_rows 'part("much") > 40'
run setpriv --reuid=65534 --clear-groups "$tmp/own/tma" stat record --per-function -F 999 -o "$tmp/own/x.data" "$tmp/work" shares 1000
expect_status 0
run setpriv --reuid=65534 --clear-groups "$tmp/own/tma" stat report --per-function --format=json -i "$tmp/own/x.data"
cp "$stdout" "$tmp/rows"
expect_rows 'part("much") > 40'

# --- Names ---------------------------------------------------------------------------------------

begin "names of C++ are those of the source"
command -v "${cxx%% *}" >/dev/null || skip "no compiler of C++"
cat >"$tmp/work.cc" <<'END'
namespace ns {
volatile unsigned long by = 3, sum;
struct Class {
	template <class T> void walk(T times) const;
};
template <class T> __attribute__((noinline)) void Class::walk(T times) const
{
	unsigned long value = ~0ul;

	while (times--)
		value = value / by + ~0ul / 2;
	sum += value;
}
}
int main()
{
	ns::Class().walk<unsigned>(40000000);
	return 0;
}
END
run $cxx -O1 -g -o "$tmp/cxx" "$tmp/work.cc"
expect_status 0
functions -F 1999 "$tmp/cxx"
expect_status 0
! grep -q '"_Z' "$tmp/rows" || skip "nothing here demangles names"
expect_rows 'any("ns::Class::walk" in name and part(name) > 50 for name in rows)'

# A name as long as the one it replaces: control characters, quotes, separators, UTF-8 and invalid
# bytes.
cat >"$tmp/spoil.py" <<'END'
import sys
hostile = b'a,"b\'\x1b[31m\n\t\r|<b>&%s\\u0000\xc3\xa9\xff\xc0;{}`$(x)'
name = b"hostile_" + b"x" * (len(hostile) - 8)
if sys.argv[1] == "name":
    print(name.decode())
else:
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    assert name in data
    with open(sys.argv[1], "wb") as file:
        file.write(data.replace(name, hostile))
END

begin "names with bytes of terminals, quotes and separators are cleaned or escaped in each format" # R37
sed "s/much/$(python3 "$tmp/spoil.py" name)/g" "$tmp/work.c" >"$tmp/hostile.c"
run $cc -O1 -g0 -o "$tmp/hostile" "$tmp/hostile.c" -ldl
expect_status 0
run python3 "$tmp/spoil.py" "$tmp/hostile"
expect_status 0
for format in text csv json-perf csv-wide json prom markdown tree trace html; do
	run "$TMA" stat --per-function --format=$format -o "$tmp/out" -F 1999 "$tmp/hostile"
	expect_status 0
	[ $test_state != ok ] || python3 - $format "$tmp/out" <<'END' 2>"$tmp/odd" || fail "$format is broken" "$tmp/odd"
import csv, html.parser, json, sys
kind, path = sys.argv[1:]
data = open(path, "rb").read()
text = data.decode("utf-8", "strict" if kind in ("json", "csv-wide", "prom", "html", "trace") else "surrogateescape")
assert "\x1b" not in text and "\x01" not in text, "bytes of terminals"
if kind in ("json", "json-perf"):
    rows = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    assert any(row.get("function", "").startswith('a,"b') for row in rows), text
elif kind == "csv-wide":
    rows = list(csv.DictReader(line for line in text.splitlines(True) if not line.startswith("#")))
    assert any(row["function"].startswith('a,"b') for row in rows), rows
    assert len({len(row) for row in rows}) == 1, rows
elif kind == "markdown":
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in rows}) == 1, rows
elif kind == "html":
    assert "<b>&%" not in text
elif kind == "trace":
    json.loads(text)
elif kind == "prom":
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert all(line.rsplit(" ", 1)[1].replace(".", "").replace("e", "").replace("-", "").replace("+", "").isalnum()
               for line in lines), lines
END
done

begin "3,000 functions are rows above one percent, and one of all others" # R77
python3 - >"$tmp/many.c" <<'END'
n = 3000
print("volatile unsigned long by = 3, sum;")
for i in range(n):
    print(f"__attribute__((noinline)) void function_{i}(unsigned t) {{ unsigned long v = {i};"
          " while (t--) v = v / by + ~0ul / 2; sum += v; }")
print("static void (*const all[])(unsigned) = {" + ",".join(f"function_{i}" for i in range(n)) + "};")
print("int main(void) { for (int r = 0; r < 20; r++) { for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++)"
      " all[i](r % 2 ? 1600 : 300); function_77(4000000); } return 0; }")
END
run $cc -O0 -g0 -o "$tmp/many" "$tmp/many.c"
expect_status 0
functions -F 3000 "$tmp/many"
expect_status 0
expect_rows 'rows[0] == "function_77" and part("function_77") > 20 and rows[-1].endswith(" others")'
expect_rows '500 < int(rows[-1].split()[0]) < 3100 and len(rows) <= 65'
expect_rows 'not share("many")'

begin "an ordinary user has rows"
needs_root
needs_command setpriv
make_public "$TMA" "$tmp/work"
run setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/public/tma" stat --per-function -x, -F 1999 "$tmp/public/work"
expect_status 0
expect_match stderr '^much,[56][0-9]'
