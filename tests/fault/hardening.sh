#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# How built and installed files are protected against memory errors: SECURITY.md.
. "$(dirname "$0")/lib.sh"

# expect_protected FILE: its address is random, all symbols are bound when it starts, and their
# tables are then read-only; no memory is both writable and executable
expect_protected()
{
	run readelf -hldW "$1"
	expect_match stdout '^ *Type: *DYN '
	expect_match stdout '^ *GNU_RELRO '
	expect_match stdout '\(FLAGS\).*BIND_NOW'
	expect_match stdout '\(FLAGS_1\).*NOW'
	expect_match stdout '^ *GNU_STACK .* RW '
	expect_no_match stdout ' RWE |TEXTREL'
}

# expect_checks FILE: it checks return addresses and the sizes of copies
expect_checks()
{
	run readelf --dyn-syms -W "$1"
	expect_match stdout ' UND __stack_chk_fail@'
	! grep -q -e -D_FORTIFY_SOURCE=2 "$BUILD/.flags" || expect_match stdout ' UND __[a-z]*printf_chk@'
}

products="tma libtma-sim.so libtma-topdown.so"

begin "the program and the libraries are protected"
needs_command readelf
for name in $products; do
	expect_protected "$BUILD/$name"
done
run readelf -dW "$BUILD/tma"
expect_match stdout '\(FLAGS_1\).*PIE'

begin "all other built files are the same"
needs_command readelf
if [ $test_state = ok ]; then
	# Files of an earlier build are not checked, nor the kernel's scheduler, which has the
	# kernel's own options.
	find "$BUILD/" \( -name '.ordered-*' -o -path '*/tests/kernel/linux' \) -prune -o \
		-type f -perm -u+x -newer "$BUILD/.flags" -print >"$tmp/files"
	while read -r file; do
		[ "$(head -c 4 "$file" | tail -c 3)" = ELF ] || continue
		echo "$file" >>"$tmp/checked"
		expect_protected "$file"
	done <"$tmp/files"
	grep -q '/tma$' "$tmp/checked" || fail "the program was not found"
fi

begin "the stack and copies are checked as the program runs"
needs_command readelf
needs_optimised()
{
	grep -q -e ' -O[1-3sz]' "$BUILD/.flags" && ! grep -q -e -fsanitize "$BUILD/.flags" ||
		skip "it is built without optimisation, or with a sanitizer"
}
needs_optimised
for name in $products; do
	expect_checks "$BUILD/$name"
done

begin "objects are marked for the shadow stack"
needs_command readelf
[ "$(uname -m)" = x86_64 ] || skip "this CPU has none that Linux knows"
for name in cmd/tma pic/lib/sim/load lib/topdown/region; do
	run readelf -nW "$BUILD/$name.o"
	expect_match stdout 'x86 feature:.*SHSTK'
done
