#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# libtma-topdown as its users get it: installed, linked, from C and C++, with threads.
. "$(dirname "$0")/lib.sh"

check=$(pkg-config --cflags --libs check)
root=$tmp/root
prefix=/usr/local
library=$root$prefix/lib
examples=$BUILD/Documentation/examples

# The prefix of the build: with another prefix, the tested files would be built again.
begin "it is installed with its headers and names"
run make O="${BUILD#"$PWD"/}" DESTDIR="$root" prefix=$prefix install-topdown
expect_status 0
for file in lib/libtma-topdown.a lib/libtma-topdown.so lib/libtma-topdown.so.0 \
	lib/pkgconfig/libtma-topdown.pc include/tma/topdown.h include/tma/region_page.h; do
	[ -e "$root$prefix/$file" ] || fail "no $file"
done
run readlink "$library/libtma-topdown.so"
expect_stdout <<END
libtma-topdown.so.0
END

begin "it exports what its header declares, with a version, and nothing else"
# Functions in declarations; their names in comments do not count.
grep -v '^ \*' lib/topdown/include/tma/topdown.h |
	sed -n 's/^[a-z][a-z_0-9 ]*[ *]\(tma_[a-z_]*\)(.*/\1@@TMA_TOPDOWN_0/p' | sort >"$tmp/declared"
nm -D --defined-only "$library/libtma-topdown.so.0" | awk '$2 != "A" { print $3 }' | sort >"$tmp/exported"
run diff "$tmp/declared" "$tmp/exported"
expect_status 0
run readelf -d "$library/libtma-topdown.so.0"
expect_match stdout 'SONAME.*\[libtma-topdown\.so\.0\]'

begin "it needs no library but libc's"
run sh -c "readelf -d '$library/libtma-topdown.so.0' | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v '^lib\(c\|pthread\)\.so'"
expect_empty stdout

begin "every function is in a manual page"
for function in $(sed 's/@.*//' "$tmp/declared"); do
	grep -q "\*$function\*" Documentation/tma-topdown*.3.adoc || fail "no page has $function"
done

# Compile the header alone with strict warnings: it must not suppress those of a user's compiler.
strict="-pedantic -Wall -Wextra -Werror -fsyntax-only -I$root$prefix/include"

for header in topdown.h region_page.h; do
	begin "tma/$header is strict C11"
	echo "#include <tma/$header>" >"$tmp/header.c"
	# shellcheck disable=SC2086 # options
	run "${CC:-gcc}" -std=c11 $strict "$tmp/header.c"
	expect_status 0

	begin "tma/$header is strict C++17"
	needs_command g++
	cp "$tmp/header.c" "$tmp/header.cc"
	# shellcheck disable=SC2086 # options
	run g++ -std=c++17 $strict "$tmp/header.cc"
	expect_status 0
done

begin "a program is built by pkg-config and runs"
needs_command pkg-config
PKG_CONFIG_SYSROOT_DIR=$root
PKG_CONFIG_LIBDIR=$library/pkgconfig
PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR PKG_CONFIG_ALLOW_SYSTEM_CFLAGS PKG_CONFIG_ALLOW_SYSTEM_LIBS
run pkg-config --modversion libtma-topdown
expect_match stdout '^[0-9]+\.[0-9]+\.[0-9]+$'
# shellcheck disable=SC2046 # options
run "${CC:-gcc}" -std=c11 -o "$tmp/regions" Documentation/examples/regions.c \
	$(pkg-config --cflags --libs libtma-topdown) -lpthread
expect_status 0
run env LD_LIBRARY_PATH="$library" "$tmp/regions"
expect_status 0
expect_match stdout '^region +thread +count'

begin "a C++ program's scopes are regions, in threads and in a child"
needs_command g++
cat >"$tmp/scopes.cc" <<'END'
#include <cstdio>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <tma/topdown.h>
#include <unistd.h>

struct scope {
	tma_region *region;
	explicit scope(tma_region *r) : region(r) { tma_region_begin(region); }
	~scope() { tma_region_end(region); }
};

static void work(tma_regions *block, const char *name)
{
	tma_topdown_options options{};
	tma_topdown_error error;

	options.size = sizeof(options);
	options.regions = block;
	tma_topdown *topdown = tma_topdown_open(&options, &error);
	if (!topdown)
		std::puts(error.text);
	tma_region *outer = topdown ? tma_topdown_region(topdown, name, nullptr) : nullptr;
	try {
		scope first(outer);
		scope second(outer);
		throw std::runtime_error("the way out");
	} catch (const std::runtime_error &) {
	}
	if (tma_region_end(outer) != -22)
		std::puts("a region was left open");
	tma_topdown_close(topdown);
}

int main()
{
	tma_regions *block = tma_regions_new(nullptr);
	std::thread a(work, block, "a"), b(work, block, "b");

	a.join();
	b.join();
	if (pid_t child = fork())
		waitpid(child, nullptr, 0);
	else {
		work(block, "child");
		_exit(0);
	}
	unsigned int cursor = 0;
	for (tma_region_totals totals; tma_regions_next(block, &cursor, &totals);)
		std::printf("%s %d\n", totals.name, static_cast<int>(totals.count));
	tma_regions_free(block);
}
END
# shellcheck disable=SC2046 # options
run g++ -std=c++17 -pedantic -Wall -Wextra -Werror -o "$tmp/scopes" "$tmp/scopes.cc" \
	$(pkg-config --cflags --libs libtma-topdown) -lpthread
expect_status 0
run env LD_LIBRARY_PATH="$library" LD_PRELOAD="$(cd "$BUILD" && pwd)/libtma-sim.so" \
	TMA_MACHINE=icelakex "$tmp/scopes"
expect_status 0
sort -o "$tmp/sorted" "$stdout"
run cat "$tmp/sorted"
expect_stdout <<END
a 2
b 2
child 2
END

begin "and linked with the archive"
! nm "$library/libtma-topdown.a" | grep -q '__[au]b*san' || skip "it was built with a sanitizer"
run "${CC:-gcc}" -std=c11 -I"$root$prefix/include" -o "$tmp/snapshot" \
	Documentation/examples/snapshot.c "$library/libtma-topdown.a" -lpthread
expect_status 0

begin "a program goes on where nothing can be measured, and says why"
if [ -e /sys/bus/event_source/devices/cpu ] || [ -e /sys/bus/event_source/devices/cpu_core ]; then
	skip "this machine has a core PMU"
fi
run "$examples/snapshot"
expect_status 0
expect_match stdout '^Not measured \(no-pmu, errno 19\): this machine has no core PMU'
expect_match stdout '^The walk ended at 0\.$'
run "$examples/regions"
expect_status 0
expect_match stderr '^regions: not measured: this machine has no core PMU'
expect_lines stdout 1

simulated="env LD_PRELOAD=$(cd "$BUILD" && pwd)/libtma-sim.so TMA_MACHINE"
begin "a simulated machine's slots are told by region and thread"
# shellcheck disable=SC2086 # a command and its variable
run $simulated=sapphirerapids "$examples/regions"
expect_status 0
expect_lines stdout 7
expect_match stdout '^region .* retiring bad-spec fe-bound be-bound light-ops heavy-ops '
awk 'NR > 1 && $6 > 0 && ($8 + $9 + $10 + $11 < 99 || $8 + $9 + $10 + $11 > 101)' "$stdout" >"$tmp/odd"
expect_empty "$tmp/odd"

begin "a CPU of one level has the columns of one"
# shellcheck disable=SC2086 # a command and its variable
run $simulated=icelakex "$examples/regions"
expect_status 0
expect_match stdout 'be-bound$'

begin "a CPU without the register is told"
# shellcheck disable=SC2086 # a command and its variable
run $simulated=skylakex "$examples/snapshot"
expect_match stdout '^Not measured \(no-slots, errno 95\)'

begin "its threads do not race"
# shellcheck disable=SC2086 # options
run "${CC:-gcc}" -std=c11 -D_GNU_SOURCE -fsanitize=thread -O1 -g -Ilib -Itests/unit -o "$tmp/race" \
	lib/topdown/*.c tests/unit/test_topdown_block.c $check -lpthread
if [ "$status" != 0 ] && grep -q 'tsan' "$stderr"; then
	skip "the compiler has no thread sanitizer"
fi
expect_status 0
run env CK_FORK=no CK_RUN_CASE=topdown_block "$tmp/race"
expect_status 0
expect_no_match stderr 'WARNING: ThreadSanitizer'
expect_match stdout '^100%: Checks: 10, '
