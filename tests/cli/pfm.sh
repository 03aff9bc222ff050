#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Events by their names in libpfm4.
. "$(dirname "$0")/lib.sh"

begin "without libpfm4, a line says what to install"
needs_counters
printf 'int pfm_initialize(void) { return 0; }\n' >"$tmp/none.c"
if gcc -shared -fPIC -Wl,-soname,libpfm.so.4 -o "$tmp/libpfm.so.4" "$tmp/none.c"; then
	run env LD_LIBRARY_PATH="$tmp" "$TMA" stat --pfm-events perf::CPU-CLOCK true
	expect_status 125
	expect_match stderr '^tma: libpfm\.so\.4 has no pfm_strerror\(\): another version is needed'
else
	fail "the library is not built"
fi
printf 'int pfm_initialize(void) { return -1; }\nconst char *pfm_strerror(int n) { return "x"; }\n%s\n' \
	'int pfm_get_perf_event_encoding(void) { return -4; }' >"$tmp/none.c"
gcc -shared -fPIC -Wl,-soname,libpfm.so.4 -o "$tmp/libpfm.so.4" "$tmp/none.c" || fail "the library is not built"
run env LD_LIBRARY_PATH="$tmp" "$TMA" stat --pfm-events perf::CPU-CLOCK true
expect_status 125
expect_match stderr '^tma: --pfm-events: libpfm4 knows no PMU of this computer'
run "$TMA" stat --pfm-events perf::CPU-CLOCK true
[ "$status" = 0 ] || grep -q 'cannot be loaded: install libpfm4' "$stderr" || fail "neither there nor missing"
[ "$status" = 0 ] || skip_all "libpfm4 is not installed"

begin "software events by its names, beside those of -e"
needs_counters
run "$TMA" stat -x, --pfm-events 'perf::CPU-CLOCK:u,{perf::PAGE-FAULTS,perf::PERF_COUNT_SW_TASK_CLOCK}' -e cs true
expect_status 0
expect_match stderr '^[0-9.]+,msec,perf::CPU-CLOCK:u,'
expect_match stderr '^[0-9]+,,perf::PAGE-FAULTSu?,'
expect_match stderr '^[0-9]+,,cs(:u)?,'

# pfm NAME EVENT: on Skylake, libpfm4's name NAME counts the same as EVENT
pfm()
{
	run env LIBPFM_FORCE_PMU=skx TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -a -x, --pfm-events "$1" --timeout 300
	expect_status 0
	cut -d, -f1 "$stderr" >"$tmp/pfm"
	run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat -a -x, -e "$2" --timeout 300
	expect_status 0
	cut -d, -f1 "$stderr" >"$tmp/event"
	run cmp "$tmp/pfm" "$tmp/event"
	expect_status 0
}

begin "an event with modifiers is encoded as by terms, and groups are groups"
pfm inst_retired:any_p:u:c=1:i cpu/event=0xc0,cmask=1,inv/u
pfm BR_INST_RETIRED:ALL_BRANCHES cpu/event=0xc4/
pfm '{UNHALTED_CORE_CYCLES,skx::BR_INST_RETIRED:k}' '{cpu/event=0x3c/,cpu/event=0xc4/k}'

begin "mistakes are shown with their place"
for text in foo '' '{perf::PAGE-FAULTS,{perf::PAGE-FAULTS}}' '{perf::PAGE-FAULTS' 'perf::PAGE-FAULTS}' \
	'{}' ',' 'perf::PAGE-FAULTS,,perf::PAGE-FAULTS' perf::PAGE-FAULTS:x=1; do
	run "$TMA" stat --pfm-events "$text" true
	expect_status 125
	expect_match stderr '\\___ (libpfm4: |expected |.}. is missing)'
done
