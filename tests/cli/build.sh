#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
. "$(dirname "$0")/lib.sh"

# Under valgrind $TMA is not the program make has built.
program=$BUILD/tma

begin "a second make does nothing"
run make O="$BUILD"
expect_status 0
expect_stdout <<END
make: Nothing to be done for 'all'.
END

begin "make install leaves what runs"
run make O="$BUILD" DESTDIR="$tmp/root" prefix=/usr/local install
expect_status 0
run "$tmp/root/usr/local/bin/tma" --version
expect_status 0
expect_match stdout '^tma version [0-9]+\.[0-9]+'
run cmp "$program" "$tmp/root/usr/local/bin/tma"
expect_status 0

begin "and the simulator, its machines and the man pages"
run find "$tmp/root" -type f
for file in lib/tma/libtma-sim.so share/tma/machines/alderlake share/man/man1/tma.1 \
	share/man/man1/tma-stat.1 share/man/man1/tma-list.1; do
	expect_match stdout "/root/usr/local/$file"
done

begin "make help names every target and variable"
run make help
for word in all demo check install clean O= V=1 CC= CFLAGS= SANITIZE= prefix= DESTDIR= KERNEL_SRC=; do
	expect_match stdout "$word"
done

begin "a kernel tree that is none is told"
run make O="$tmp/build" KERNEL_SRC="$tmp"
expect_status 2
expect_match stderr "No kernel source in $tmp: run scripts/setup, or give KERNEL_SRC="

begin "so does the set-up"
run scripts/setup KERNEL_SRC="$tmp"
expect_status 1
expect_stderr <<END
setup: KERNEL_SRC=$tmp is no kernel source tree: it has no tools/lib/perf/core.c.
END

begin "the set-up explains itself"
run scripts/setup --help
expect_status 0
expect_match stdout '^usage: scripts/setup \[TARGET\]'
run scripts/setup --no-such
expect_status 2
expect_empty stdout
