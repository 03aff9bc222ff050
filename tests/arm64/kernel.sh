#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Boots Debian's kernel for arm64 on an emulated Neoverse N1, whose PMU counts cycles and instructions, and runs
# guest/*.sh there. "scripts/setup check-arm64" fetches what it takes.
. "$(dirname "$0")/../cli/lib.sh"

arm64=${ARM64_ROOT:-third_party/arm64}
build=$(dirname "$TMA")
root=$tmp/root

# take DIRECTORY FILE ...: copy programs and libraries, without the parts for debuggers
take()
{
	to=$root/$1
	shift
	mkdir -p "$to"
	for file; do
		aarch64-linux-gnu-strip -o "$to/${file##*/}" "$file"
	done
}

for program in qemu-system-aarch64 cpio aarch64-linux-gnu-strip; do
	command -v $program >/dev/null || skip_all "no $program (scripts/setup check-arm64 installs it)"
done
image=$(echo "$arm64"/boot/vmlinuz-*)
[ -r "$image" ] || skip_all "no kernel of arm64 (scripts/setup check-arm64 fetches it)"
[ "$(od -An -tx1 -j18 -N1 "$TMA")" = " b7" ] ||
	skip_all "$TMA is not built for arm64 (make check-arm64)"

begin "the machine boots and runs its tests"
mkdir -p "$root/src/build/pmu-events" "$root/src/tests" "$root/tmp" "$root/etc" "$root/bin"
printf 'root::0:0:root:/:/bin/sh\nnobody::65534:65534:nobody:/:/bin/sh\n' >"$root/etc/passwd"
cp tests/vm/init "$root/init" && chmod +x "$root/init"
cp "$arm64/bin/busybox" "$root/bin/"
take lib "$arm64"/lib/ld-linux-aarch64.so.1
# Leave out modules for locales, and all but one version of other files.
for library in libc.so.6 libm.so.6 libgcc_s.so.1 libcrypt.so.1 libsubunit.so.0 libyaml-0.so.2 libz.so.1; do
	for dir in lib usr/lib; do
		[ ! -e "$arm64/$dir/aarch64-linux-gnu/$library" ] ||
			take lib/aarch64-linux-gnu "$arm64/$dir/aarch64-linux-gnu/$library"
	done
done
take bin "$build/tma" "$build/Documentation/examples/snapshot"
take bin "$build/libtma-sim.so" "$build/libtma-topdown.so.0"
cp -r lib/sim/machines "$root/bin/machines"
for unit in ${ARM64_UNIT-}; do
	take src/build/tests/unit "$build/tests/unit/$unit"
done
take src/build/pmu-events "$build/pmu-events/gen-tables"
cp -r tests/cli tests/arm64 tests/unit "$root/src/tests/"
(cd "$root" && find . | cpio -o -H newc 2>/dev/null | gzip -1) >"$tmp/initrd"
# An instruction takes two nanoseconds of the guest's time, however busy the host is, and waits are
# skipped.
run timeout 250 qemu-system-aarch64 -M virt -cpu neoverse-n1 -smp 2 -m 1000 -nographic -no-reboot \
	-icount shift=1,sleep=off -kernel "$image" -initrd "$tmp/initrd" \
	-append "console=ttyAMA0 quiet panic=-1 scripts=tests/arm64/guest/*.sh"
tr -d '\r' <"$stdout" >"$tmp/console"
grep -q '^guest: done$' "$tmp/console" || {
	tail -n 30 "$tmp/console"
	fail "it did not come to its end"
}
close_test
sed -n '/^ok \|^not ok \|^skip \|^#/p' "$tmp/console"
