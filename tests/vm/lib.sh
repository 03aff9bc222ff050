# SPDX-License-Identifier: GPL-2.0-only shellcheck shell=sh A machine in QEMU with Debian's kernel
# and a core PMU of our own (pmu/tma_pmu.c), for the scripts that source this after cli/lib.sh.
# Without QEMU or the kernel the script is skipped; "scripts/setup check-vm" fetches them.

vm_module=$(dirname "$TMA")/vm/$(basename "$0" .sh)

# vm_needs: skip the script if a machine cannot be run; set vm_image and vm_headers
vm_needs()
{
	for program in qemu-system-x86_64 busybox cpio; do
		command -v $program >/dev/null || skip_all "no $program (scripts/setup check-vm installs it)"
	done
	busybox --list 2>/dev/null | grep -q '^insmod$' || skip_all "busybox cannot load a module"
	[ -z "${TEST_VALGRIND-}" ] || skip_all "valgrind is not taken into the guest"
	# Find the newest kernel for which there are an image and headers to build a module with.
	vm_image=
	for headers in /usr/src/linux-headers-6.12.*-cloud-amd64; do
		version=${headers#/usr/src/linux-headers-}
		for file in "/boot/vmlinuz-$version" "third_party/vm/boot/vmlinuz-$version"; do
			[ ! -r "$file" ] || { vm_image=$file && vm_headers=$headers; }
		done
	done
	[ -n "$vm_image" ] || skip_all "no image and headers of one linux-image-6.12-cloud-amd64"
}

# vm_build: build the module of the core PMU
vm_build()
{
	begin "the module of the core PMU builds"
	mkdir -p "$vm_module"
	cp tests/vm/pmu/* "$vm_module"
	run env -u MAKEFLAGS make -s -C "$vm_headers" M="$(cd "$vm_module" && pwd)" modules
	expect_status 0
	[ -e "$vm_module/tma_pmu.ko" ] || fail "there is no tma_pmu.ko"
}

# vm_take PROGRAM NAME: copy a program and the libraries that it is linked to
vm_take()
{
	mkdir -p "$vm_root/bin"
	cp "$1" "$vm_root/bin/$2"
	ldd "$1" 2>/dev/null | grep -o '/[^ ]*' | while read -r library; do
		mkdir -p "$vm_root$(dirname "$library")"
		cp "$library" "$vm_root$library"
	done
}

# vm_take_library NAME: copy a library that programs load, and the libraries that it needs
vm_take_library()
{
	library=$(ldconfig -p 2>/dev/null | sed -n "s|.*$1 (libc6,x86-64.*=> ||p" | head -n 1)
	[ -z "$library" ] || {
		mkdir -p "$vm_root$(dirname "$library")"
		cp -L "$library" "$vm_root$library"
		ldd "$library" | grep -o '/[^ ]*' | while read -r needed; do
			mkdir -p "$vm_root$(dirname "$needed")"
			cp "$needed" "$vm_root$needed"
		done
	}
}

# vm_pack: pack the machine's file system from $vm_root, to which callers may have added files
vm_pack()
{
	vm_root=$tmp/root
	mkdir -p "$vm_root/src/tests" "$vm_root/tmp" "$vm_root/etc"
	vm_take "$TMA" tma
	vm_take "$(command -v busybox)" busybox
	[ -z "$PERF" ] || vm_take "$PERF" perf
	cp -r tests/cli tests/vm "$vm_root/src/tests/"
	printf 'root::0:0:root:/:/bin/sh\nnobody::65534:65534:nobody:/:/bin/sh\n' >"$vm_root/etc/passwd"
	cp tests/vm/init "$vm_root/init" && chmod +x "$vm_root/init"
	cp "$vm_module/tma_pmu.ko" "$vm_root/"
}

# vm_boot SECONDS SCRIPTS [OPTION ...]: run these scripts in the machine, and leave their output in
# $tmp/console. The options are for QEMU
vm_boot()
{
	seconds=$1 scripts=$2
	shift 2
	(cd "$vm_root" && find . | cpio -o -H newc 2>/dev/null | gzip -1) >"$tmp/initrd"
	# The machine is emulated: this needs no rights, and is the same everywhere. QEMU 7.2
	# sometimes fails when the kernel patches its code while it boots (an int3 in
	# enqueue_timer), or when an interrupt follows cmpxchg16b and finds wrong flags. Such
	# failures are not what is tested.
	for _ in 1 2 3; do
		run timeout "$seconds" qemu-system-x86_64 -cpu max,-cx16 -smp 4,sockets=2 -m 512 -nographic \
			-no-reboot -kernel "$vm_image" -initrd "$tmp/initrd" \
			-append "console=ttyS0 quiet panic=-1 scripts=$scripts" "$@"
		tr -d '\r' <"$stdout" >"$tmp/console"
		# This can also fail later: the kernel patches its scheduler when the first event is
		# opened.
		! grep -q '^guest: begun$' "$tmp/console" || grep -q 'int3: 0000' "$tmp/console" || break
	done
	grep -q '^guest: done$' "$tmp/console" || {
		tail -n 30 "$tmp/console"
		fail "it did not come to its end"
	}
}
