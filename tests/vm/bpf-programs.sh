#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Counts events that BPF programs read, under Debian's kernel in QEMU: not every kernel that runs
# the tests lets one BPF program run another.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/lib.sh"

vm_needs
"$TMA" stat --bpf-counters --bpf-attr-map /dev/null -e cs true 2>"$tmp/built"
! grep -q 'was built without BPF counters' "$tmp/built" || skip_all "tma is built without BPF counters"
for program in clang bpftool; do
	command -v $program >/dev/null || [ -x /usr/sbin/$program ] || skip_all "no $program (scripts/setup check-vm installs it)"
done
vm_build
begin "the machine boots and runs its tests"
vm_pack
clang -target bpf -std=gnu11 -O2 -g -I lib/count/bpf -c -o "$vm_root/src/work.bpf.o" tests/vm/bpf/work.bpf.c ||
	fail "work.bpf.c does not compile"
printf 'int main(void) { for (volatile long i = 0; i < 20000000; i++); }\n' |
	${CC:-cc} -x c -static -o "$vm_root/bin/spin" - || fail "the program to be counted does not compile"
vm_take "$(PATH=$PATH:/usr/sbin command -v bpftool)" bpftool
vm_take_library libbpf.so.1
# The clock advances with the instructions, so counts do not depend on how busy this machine is.
vm_boot 400 tests/vm/bpf/guest.sh -icount shift=0,sleep=off
close_test
sed -n '/^ok \|^not ok \|^skip \|^#/p' "$tmp/console"
