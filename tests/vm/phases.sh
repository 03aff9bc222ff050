#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# How far values of events that take turns are off under a real kernel's rotation, and how many lie
# within the errors that tma prints: rates change by schedules that are known (pmu/tma_pmu.c).
#
#	TMA=build/tma PERF=... tests/vm/phases.sh [PATTERN ...]
#
# counts the cells of these names (COUNTED-BY,MODEL,LEVEL,PHASES,MUX-MS,ROW-MS, each of which may be
# a pattern as the shell's, and the last be left out), and prints a line for each:
# "ours,icelakex,3,log,4,100" is tma's own groups on icelakex at levels 1 to 3, phases of 5 ms to
# 2 s, rotation each 4 ms, rows of 0.1 s. Without a name it is one cell, whose few values may hold
# somewhat less or more.
# With CELLS=FILE what was counted is kept in the file, which "phases.py judge TMA FILE" reads.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/lib.sh"

cells=${CELLS-$tmp/cells}
from=85 to=95
[ $# -gt 0 ] || {
	set -- ours,icelakex,3,log,4,1000
	from=80 to=98
}

vm_needs
vm_build
begin "the machine boots and counts the cells"
vm_pack
python3 -B tests/vm/phases/phases.py cells "$@" >"$vm_root/cells"
[ -n "$PERF" ] || sed -i '/^perf,/d' "$vm_root/cells"
[ -s "$vm_root/cells" ] || fail "no cell has such a name"
# The clock advances with the instructions, so counts do not depend on how busy this machine is.
vm_boot 7200 tests/vm/phases/guest.sh -icount shift=0,sleep=off -device virtio-serial-pci \
	-chardev "file,id=cells,path=$cells" -device virtserialport,chardev=cells
close_test
begin "$from % of the values lie within their errors, or more"
python3 -B tests/vm/phases/phases.py judge "$TMA" "$cells" "$from" "$to" || fail "they do not"
close_test
