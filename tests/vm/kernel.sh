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
# A boot without KVM takes 5 of the seconds.
vm_boot 100 'tests/vm/guest/*.sh' -accel tcg,thread=multi
close_test
sed -n '/^ok \|^not ok \|^skip \|^#/p' "$tmp/console"
