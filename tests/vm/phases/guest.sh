# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# In the guest: counts each cell of /cells, and sends what was printed to the host's file. A line is
#	NAME COUNTED-BY CPUID COUNTERS LEVELS PHASES MUX-MS ROW-MS ROWS
# The state's times, which tell the truth of each row, are counted with it.
module=/sys/module/tma_pmu/parameters
states=phase/state=0/,phase/state=1/,phase/state=2/,phase/state=3/
states=$states,phase/state=4/,phase/state=5/,phase/state=6/,phase/state=7/
port=/dev/$(cd /sys/class/virtio-ports && ls | head -n 1)

while read -r name by cpuid counters levels phases mux row rows; do
	export PERF_CPUID="$cpuid"
	echo "$counters" >$module/nr_counters
	echo "$phases" >$module/phases
	echo "$mux" >/sys/bus/event_source/devices/cpu/perf_event_mux_interval_ms
	set -- -a -A -I "$row" --interval-count "$rows" -e "$states" -M "$levels"
	echo "cell $name"
	case $by in
	ours) tma stat "$@" --format=json --error -o /tmp/out 2>&1 | cat ;;
	time) tma stat "$@" --format=json --error --estimate=time -o /tmp/out 2>&1 | cat ;;
	grouping) tma stat "$@" --format=json --grouping=perf -o /tmp/out 2>&1 | cat ;;
	perf) perf stat "$@" -j -o /tmp/out 2>&1 | cat ;;
	esac
	echo "took $(cut -d' ' -f1 /proc/uptime)"
	{
		echo "cell $name"
		cat /tmp/out
	} >"$port"
	rm /tmp/out
done </cells
