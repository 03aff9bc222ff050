#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Boots Debian's kernel in QEMU with a core PMU of our own (pmu/tma_pmu.c), and runs guest/*.sh there:
# what schedules groups, inherits, takes turns and fills ring buffers is a real kernel. Without
# QEMU or the kernel it is skipped; "scripts/setup check-vm" fetches them.
. "$(dirname "$0")/../cli/lib.sh"

seconds=100 # within which the guest must have done all; a boot without KVM takes 5
build=$(dirname "$TMA")

for program in qemu-system-x86_64 busybox cpio; do
	command -v $program >/dev/null || skip_all "no $program (scripts/setup check-vm installs it)"
done
busybox --list 2>/dev/null | grep -q '^insmod$' || skip_all "busybox cannot load a module"
[ -z "${TEST_VALGRIND-}" ] || skip_all "valgrind is not taken into the guest"

# The newest kernel of which there are the image, and the headers to build a module with.
image=
for headers in /usr/src/linux-headers-6.12.*-cloud-amd64; do
	version=${headers#/usr/src/linux-headers-}
	for file in "/boot/vmlinuz-$version" "third_party/vm/boot/vmlinuz-$version"; do
		[ ! -r "$file" ] || { image=$file && kernel=$headers; }
	done
done
[ -n "$image" ] || skip_all "no image and headers of one linux-image-6.12-cloud-amd64"

begin "the module of the core PMU builds"
module=$build/vm/pmu
mkdir -p "$module"
cp tests/vm/pmu/* "$module"
run env -u MAKEFLAGS make -s -C "$kernel" M="$(cd "$module" && pwd)" modules
expect_status 0
[ -e "$module/tma_pmu.ko" ] || fail "there is no tma_pmu.ko"

# $1: program; copied with the libraries it is linked to
take()
{
	mkdir -p "$root/bin"
	cp "$1" "$root/bin/$2"
	ldd "$1" 2>/dev/null | grep -o '/[^ ]*' | while read -r library; do
		mkdir -p "$root$(dirname "$library")"
		cp "$library" "$root$library"
	done
}

begin "the machine boots and runs its tests"
root=$tmp/root
mkdir -p "$root/src/tests/vm" "$root/tmp"
take "$TMA" tma
take "$(command -v busybox)" busybox
[ -z "$PERF" ] || take "$PERF" perf
cp -r tests/cli "$root/src/tests/"
cp -r tests/vm/guest "$root/src/tests/vm/"
mkdir -p "$root/etc"
printf 'root::0:0:root:/:/bin/sh\nnobody::65534:65534:nobody:/:/bin/sh\n' >"$root/etc/passwd"
cp tests/vm/init "$root/init" && chmod +x "$root/init"
cp "$module/tma_pmu.ko" "$root/"
(cd "$root" && find . | cpio -o -H newc 2>/dev/null | gzip -1) >"$tmp/initrd"
# Emulated, so that it needs no rights and is the same everywhere. QEMU 7.2 is not always in time with
# code that the kernel patches while it boots (an int3 in enqueue_timer): that is not what is tested.
for _ in 1 2 3; do
	run timeout $seconds qemu-system-x86_64 -accel tcg,thread=multi -cpu max -smp 4,sockets=2 \
		-m 512 -nographic -no-reboot -kernel "$image" -initrd "$tmp/initrd" \
		-append "console=ttyS0 quiet panic=-1"
	tr -d '\r' <"$stdout" >"$tmp/console"
	! grep -q '^guest: begun$' "$tmp/console" || break
done
grep -q '^guest: done$' "$tmp/console" || {
	tail -n 30 "$tmp/console"
	fail "it did not come to its end"
}
close_test
sed -n '/^ok \|^not ok \|^skip \|^#/p' "$tmp/console"
