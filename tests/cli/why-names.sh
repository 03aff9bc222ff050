#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Names of functions in tma why: those that compilers made are shown as in the source, and generated code has the
# names that its compiler wrote to a map, if that is a file of the same user.
. "$(dirname "$0")/lib.sh"

cc=${CC:-cc} cxx=${CXX:-c++}
command -v "${cc%% *}" >/dev/null || skip_all "no compiler"
"$TMA" stat -e cpu-clock true >/dev/null 2>&1 || skip_all "no software events here"

# needs_libdw: skip the test without libdw, since addresses in files then have no names
needs_libdw()
{
	has_libdw || skip "libdw is not installed"
}

# expect_place CONDITION: it is true of the places of most samples outside the kernel, see place.py
expect_place()
{
	[ $test_state = ok ] || return 0
	python3 -B tests/cli/place.py "$stdout" /dev/null "$1" 2>"$tmp/odd" || fail "the place is another one" "$tmp/odd"
}

# --- Names that compilers made -------------------------------------------------------------------

cat >"$tmp/work.cc" <<'END'
namespace ns {
volatile unsigned long by = 3;
static __attribute__((noinline)) unsigned long hidden(unsigned long value, unsigned times)
{
	while (times--)
		value = value / by + ~0ul / 2;
	return value;
}
static inline __attribute__((always_inline)) unsigned long inside(unsigned long value, unsigned times)
{
	while (times--)
		value = value / by + ~0ul / 2;
	return value;
}
struct Class {
	unsigned long walk(unsigned times) const;
	template <class T> T get(T times);
	unsigned long outside(unsigned times);
	unsigned long call(unsigned times) { return hidden(~0ul, times) + 1; }
};
__attribute__((noinline)) unsigned long Class::walk(unsigned times) const
{
	unsigned long value = ~0ul;

	while (times--)
		value = value / by + ~0ul / 2;
	return value;
}
template <class T> __attribute__((noinline)) T Class::get(T times)
{
	unsigned long value = ~0ul;

	while (times--)
		value = value / by + ~0ul / 2;
	return value;
}
template unsigned Class::get<unsigned>(unsigned);
__attribute__((noinline)) unsigned long Class::outside(unsigned times)
{
	return inside(~0ul, times) + 1;
}
}
volatile unsigned long result;
int main(int argc, char **argv)
{
	ns::Class object;
	unsigned times = 40000000;

	switch (argv[argc - 1][0]) {
	case 'w': result = object.walk(times); break;
	case 'g': result = object.get(times); break;
	case 'o': result = object.outside(times); break;
	default: result = object.call(times);
	}
	return 0;
}
END

for kind in -g -g0; do
	begin "names of C++ are those of the source, in a program built with $kind"
	needs_libdw
	command -v "${cxx%% *}" >/dev/null || skip "no compiler of C++"
	run $cxx -O1 $kind -o "$tmp/cxx$kind" "$tmp/work.cc"
	expect_status 0
	run "$TMA" why -j "$tmp/cxx$kind" walk
	! grep -q '"function":"_Z' "$stdout" || [ -s /usr/include/libiberty/demangle.h ] || skip "nothing here demangles names"
	expect_status 0
	expect_place 'place.function == "ns::Class::walk"'
	run "$TMA" why -j "$tmp/cxx$kind" get
	expect_status 0
	expect_place 'place.function == "ns::Class::get<unsigned int>"'
	run "$TMA" why -j "$tmp/cxx$kind" hidden
	expect_status 0
	expect_place 'place.function == "ns::hidden"'
	run "$TMA" why "$tmp/cxx$kind" walk
	expect_match stdout 'ns::Class::walk\(\)'
done

begin "a function of C++ that was inlined is told with the one that it is in"
needs_libdw
[ -x "$tmp/cxx-g" ] || skip "no compiler of C++"
run "$TMA" why -j "$tmp/cxx-g" outside
! grep -q '"inlined_into":"_Z' "$stdout" || skip "nothing here demangles names"
expect_status 0
expect_place 'place.function.split("::")[-1] == "inside" and place.inlined_into == "ns::Class::outside"'

cat >"$tmp/rust.c" <<'END'
static volatile unsigned long by = 3;
#define WORK(function, label)                                                        \
	unsigned long function(unsigned times) __asm__(label);                       \
	__attribute__((noinline)) unsigned long function(unsigned times)             \
	{                                                                            \
		unsigned long value = ~0ul;                                          \
                                                                                     \
		while (times--)                                                      \
			value = value / by + ~0ul / 2;                               \
		return value;                                                        \
	}
WORK(new_name, "_RNvCs1234_7mycrate3foo")
WORK(old_name, "_ZN7mycrate3foo17h0123456789abcdefE")
WORK(no_name, "_ZN9nothing")
int main(int argc, char **argv)
{
	char kind = argv[argc - 1][0];

	return 0 * (kind == 'n' ? new_name(40000000) : kind == 'o' ? old_name(40000000) : no_name(40000000));
}
END

for kind in new old; do
	begin "names of Rust in their $kind form have no hash"
	needs_libdw
	run $cc -O1 -o "$tmp/rust" "$tmp/rust.c"
	expect_status 0
	run "$TMA" why -j "$tmp/rust" $kind
	expect_status 0
	! grep -q -e '"_RNv' -e '::h0123' "$stdout" || skip "nothing here demangles names of Rust"
	expect_place 'place.function == "mycrate::foo"'
done

begin "a name that is not a whole one is left as it is"
needs_libdw
run $cc -O1 -o "$tmp/rust" "$tmp/rust.c"
run "$TMA" why -j "$tmp/rust" bad
expect_status 0
expect_place 'place.function == "_ZN9nothing"'

# --- Generated code ------------------------------------------------------------------------------

# jit MAPS KIND: a program that writes a map of this kind, appends the map's path to the file MAPS,
# and runs code that it has written
cat >"$tmp/jit.c" <<'END'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
static char path[64];
static void begin_map(const char *maps, char kind)
{
	FILE *list = fopen(maps, "a");
	char other[sizeof(path) + 8];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	snprintf(other, sizeof(other), "%s.other", path);
	unlink(path);
	if (kind == 'p' && mkfifo(path, 0666))
		_exit(1);
	if (kind == 'l' && symlink(other, path))
		_exit(1);
	if (!list)
		_exit(1);
	fprintf(list, "%s\n", path);
	fclose(list);
}
int main(int argc, char **argv)
{
#if defined(__x86_64__)
	/* mov ecx, 0x30000000; dec ecx; jnz -4; ret */
	static const unsigned char code[] = {0xb9, 0, 0, 0, 0x30, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
#else
	/* mov w0, #0x30000000; subs w0, w0, #1; b.ne -4; ret */
	static const uint32_t code[] = {0x52a60000, 0x71000400, 0x54ffffe1, 0xd65f03c0};
#endif
	void *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char kind = argv[argc - 1][0];
	FILE *map;

	memcpy(page, code, sizeof(code));
	mprotect(page, 4096, PROT_READ | PROT_EXEC);
	__builtin___clear_cache(page, (char *)page + sizeof(code));
	begin_map(argv[argc - 2], kind);
	map = kind == 'p' ? NULL : fopen(path, "w");
	if (map) {
		fprintf(map, "%lx 1000 old name\n%lx %zx ~spin app.js:1\n", (long)page, (long)page, sizeof(code));
		if (kind == 'n')
			fprintf(map, "%lx 1000 to%crn\n%c%c", (long)page, 0, 0, 0);
		if (kind == 'o' && fchown(fileno(map), 65533, 65533))
			return 1;
		fclose(map);
		if (kind == 'h' && truncate(path, 1L << 40))
			return 1;
	}
	do
		((void (*)(void))page)();
	while (kind == 'e');
	return 0;
}
END

# remove_maps: remove the maps whose paths are in $tmp/maps
remove_maps()
{
	while read -r map; do
		rm -f "$map" "$map.other"
	done <"$tmp/maps"
}

# run_jit KIND [COMMAND ...]: find the places in the program jit; then remove the maps of all its
# runs
run_jit()
{
	kind=$1
	shift
	case $(uname -m) in x86_64 | aarch64) ;; *) skip "no code for this machine" ;; esac
	[ $test_state = ok ] || return 0
	[ -x "$tmp/jit" ] || $cc -O1 -o "$tmp/jit" "$tmp/jit.c" || fail "it does not compile"
	: >"$tmp/maps"
	chmod 666 "$tmp/maps"
	run timeout 60 "$TMA" why -j "$@" "$tmp/jit" "$tmp/maps" "$kind"
	remove_maps
	expect_status 0
}

begin "generated code has the last name that its map gives it"
run_jit good
expect_place 'place.function == "~spin app.js:1" and place.object == "[JIT]" and "just-in-time" not in notes'

begin "generated code without a name has an address, and a line says what helps"
for kind in pipe other; do # no map; one of another user
	[ $kind = pipe ] || needs_root
	run_jit $kind
	expect_place 'place.object == "[anonymous memory]" and not place.function and place.offset and
		"node --perf-basic-prof" in notes and "have changed" not in notes'
done

begin "a map of generated code is a file, and not a link to one or larger than any" # R75
run_jit link
expect_place 'place.object == "[anonymous memory]"'
run_jit huge
expect_place 'place.object == "[anonymous memory]"'

begin "lines of a map that are torn are skipped" # R75
run_jit nul
expect_place 'place.function == "~spin app.js:1"'

begin "the map of another user's process is read"
needs_root
needs_command setpriv
[ $test_state != ok ] || [ -x "$tmp/jit" ] || skip "no code for this machine"
[ $test_state != ok ] || chmod 755 "$tmp"
run_jit good setpriv --reuid=65534 --regid=65534 --clear-groups
expect_place 'place.function == "~spin app.js:1"'

begin "the map of a container is read in it, by the number that the process has there"
needs_root
unshare -mpf true 2>/dev/null || skip "there are no namespaces here"
[ $test_state != ok ] || [ -x "$tmp/jit" ] || skip "no code for this machine"
if [ $test_state = ok ]; then
	mkdir "$tmp/inside"
	# shellcheck disable=SC2016 # it is the inner shell's
	unshare -mpf sh -c 'mount -t tmpfs none "$1" && cp "$0" "$1" && mount --bind "$1" /tmp && exec /tmp/jit /dev/stdout endless' \
		"$tmp/jit" "$tmp/inside" >"$tmp/map" &
	outer=$!
	until_found '^/tmp/perf-1.map$' "$tmp/map" "$outer"
	inner=$(cut -d ' ' -f 1 "/proc/$outer/task/$outer/children")
	run "$TMA" why -j --budget 2s -p "${inner:-$outer}"
	kill -KILL "${inner:-$outer}"
	expect_status 0
fi
expect_place 'place.function == "~spin app.js:1" and place.object == "[JIT]"'

begin "functions of node have their names"
needs_command node
cat >"$tmp/fib.js" <<'END'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
const end = Date.now() + 1500;
let sum = 0;
while (Date.now() < end)
	sum += fib(22);
END
: >"$tmp/maps"
run "$TMA" why -j sh -c 'cd "$0" && echo "/tmp/perf-$$.map" >>maps && exec node --perf-basic-prof fib.js' "$tmp"
remove_maps
expect_status 0
expect_place 'place.object == "[JIT]" and "fib" in place.function and "fib.js:1" in place.function'
