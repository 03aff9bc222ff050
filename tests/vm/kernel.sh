#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Boots Debian's kernel in QEMU with a core PMU of our own (pmu/tma_pmu.c), and runs guest/*.sh there:
# what schedules groups, inherits, takes turns and fills ring buffers is a real kernel. Without
# QEMU or the kernel it is skipped; "scripts/setup check-vm" fetches them.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/lib.sh"

vm_needs
vm_build
begin "the machine boots and runs its tests"
vm_pack
cat >"$tmp/spin.c" <<'END'
static volatile unsigned long sum;
__attribute__((noinline)) static void spin(unsigned long times)
{
	while (times--)
		/* It spends its time here, or in the line above. */
		sum += times ^ sum; /* here */
}
int main(void)
{
	spin(20000000);
	return 0;
}
END
${CC:-cc} -O1 -g -static -o "$vm_root/bin/spin" "$tmp/spin.c" || fail "spin.c does not compile"
# It announces its functions f0 to f3, which are the states 0 to 3.
${CC:-cc} -O2 -Ilib -D_GNU_SOURCE -static -o "$vm_root/bin/places" tests/sim/places.c lib/kernels/announce.c -lpthread ||
	fail "places.c does not compile"
(cd tests/vm/phases && python3 -B -c '
from truth import rate
for state in range(4):
    print(f"f{state}", rate(0x3c, 0, state), rate(0xc0, 0, state))') >"$vm_root/rates" || fail "no rates"
vm_take_library libdw.so.1
# Without KVM, the boot takes 5 of these seconds.
vm_boot 260 'tests/vm/guest/*.sh' -accel tcg,thread=multi
close_test
sed -n '/^ok \|^not ok \|^skip \|^#/p' "$tmp/console"
