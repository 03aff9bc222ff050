#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Metrics of uncore units, idle states and energy against the truth: boxes x packages x rate x time
# of a machine whose rates do not change; and metrics whose events the machine lacks.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=10
export TMA_SIM_STEP

# Two packages with two cores of two threads each; each package has 4 memory channels and 3 caching
# agents.
machine="$tmp/server"
cat >"$machine" <<END
cpuid GenuineIntel-6-8F-8
model A server @ 2.00GHz
cpus 0-7
core 0,4 package=0 id=0
core 1,5 package=0 id=1
core 2,6 package=1 id=0
core 3,7 package=1 id=1

pmu cpu
type 4
kind core
counters 8
fixed 4
format event config:0-7
format umask config:8-15
generic cpu-cycles event=0x3c
generic instructions event=0xc0
constraint event=0xc0,umask=0x00 fixed 0 any
constraint event=0x3c,umask=0x00 fixed 1 any
constraint event=0x00,umask=0x03 fixed 2
rate event=0x3c 3G
rate event=0xc0 4G
rate event=0x00,umask=0x03 1.5G
hash 1M 2M
end

pmu msr
type 20
kind free
format event config:0-63
event tsc event=0x00
rate event=0x00 2G
end

pmu power
type 21
kind uncore
counters 4
cpumask packages
format event config:0-7
event energy-pkg event=0x02 scale=2.3283064365386962890625e-10 unit=Joules
rate event=0x02 644245094400
end

pmu cstate_core
type 22
kind uncore
counters 4
cpumask cores
format event config:0-63
event c6-residency event=0x02
rate event=0x02 0.5G
end

pmu cstate_pkg
type 23
kind uncore
counters 4
cpumask packages
format event config:0-63
event c6-residency event=0x02
rate event=0x02 0.2G
end

pmu uncore_imc_0..3
type 24
kind uncore
counters 4
cpumask packages
format event config:0-7
format umask config:8-15
rate event=0x05,umask=0xcf 100M
rate event=0x05,umask=0xf0 50M
end

pmu uncore_cha_0..2
type 32
kind uncore
counters 4
cpumask packages
format event config:0-7
format umask config:8-15,32-57
format thresh config:24-31
rate event=0x01 2.1G
hash 1M 50M
end
END

# edited SED_ARG ...: write the machine, changed by sed, to $tmp/edited
edited()
{
	sed "$@" "$machine" >"$tmp/edited"
}

# measure MACHINE ARG ...: count for one second, and print CSV
measure()
{
	on=$1
	shift
	sim "$on" stat -x, -I1000 --interval-count 1 "$@"
	expect_status 0
}

# expect_values METRIC VALUE ...: the rows of a metric have these values, in order; in a row the
# value precedes the metric's name
expect_values()
{
	metric=$1
	shift
	[ $test_state = ok ] || return 0
	expect_equal "$metric" "$(awk -F, -v metric="$metric" '{
		split($NF, last, " ")
		if (last[1] == metric || last[2] == metric) print $(NF - 1) }' "$stderr" | tr '\n' ' ')" "$* "
}

begin "all boxes of all packages are added up for everything"
measure "$machine" -a -M memory_bandwidth_read,memory_bandwidth_total,uncore_frequency
expect_values memory_bandwidth_read 51200.0
expect_values memory_bandwidth_total 76800.0
expect_values uncore_frequency 2.1

begin "a row of a package has its own boxes, and their mean is over one package"
for rows in --per-socket --per-die --per-core; do
	measure "$machine" -a $rows -M memory_bandwidth_read,uncore_frequency
	expect_values memory_bandwidth_read 25600.0 25600.0
	expect_values uncore_frequency 2.1 2.1
done

# One package has two dies, and fewer boxes of a unit than the other package.
begin "the mean is over the boxes of all dies, and of packages that differ"
edited -e 's/package=1 id=\([01]\)/package=0 die=1 id=1\1/' -e '/^pmu uncore_cha/,/^end/s/cpumask packages/cpumask 0,2/'
for rows in '' --per-socket --per-die; do
	measure "$tmp/edited" -a $rows -M uncore_frequency
	[ "$rows" = --per-die ] && expect_values uncore_frequency 2.1 2.1 || expect_values uncore_frequency 2.1
done
edited -e '/^pmu uncore_cha_0..2/,/^end/{s/cha_0[.][.]2/cha_0..1/;/^end/a\
pmu uncore_cha_2\
type 40\
kind uncore\
counters 4\
cpumask 0\
format event config:0-7\
format umask config:8-15,32-57\
format thresh config:24-31\
rate event=0x01 2.1G\
hash 1M 50M\
end
}'
measure "$tmp/edited" -a -M uncore_frequency
expect_values uncore_frequency 2.1
measure "$tmp/edited" -a --per-socket -M uncore_frequency
expect_values uncore_frequency 2.1 2.1

begin "each box has rows of its own with -A and --no-merge"
for option in -A "-a --no-merge"; do
	# shellcheck disable=SC2086 # two words
	measure "$machine" -a $option -M memory_bandwidth_read,uncore_frequency
	expect_values memory_bandwidth_read 6400.0 6400.0 6400.0 6400.0 6400.0 6400.0 6400.0 6400.0
	expect_values uncore_frequency 2.1 2.1 2.1 2.1 2.1 2.1
done

begin "-C counts the packages of its CPUs once each, whichever CPUs they are"
for cpus in 0 5 0-1 1,4-5; do
	measure "$machine" -C $cpus -M memory_bandwidth_read,uncore_frequency
	expect_values memory_bandwidth_read 25600.0
	expect_values uncore_frequency 2.1
done
for cpus in 0,2 0,3 1-2 5,7 0-7; do
	measure "$machine" -C $cpus -M memory_bandwidth_read,uncore_frequency
	expect_values memory_bandwidth_read 51200.0
	expect_values uncore_frequency 2.1
done

begin "one package alone"
edited '/package=1/d; s/^cpus .*/cpus 0-1,4-5/'
measure "$tmp/edited" -a -M memory_bandwidth_read,uncore_frequency
expect_values memory_bandwidth_read 25600.0
expect_values uncore_frequency 2.1

begin "two dies in one package have boxes each"
edited 's/package=1/package=0 die=1/; s/^cpumask packages/cpumask 0,2/'
measure "$tmp/edited" -a --per-die -M memory_bandwidth_read
expect_values memory_bandwidth_read 25600.0 25600.0
measure "$tmp/edited" -a -M memory_bandwidth_read
expect_values memory_bandwidth_read 51200.0

begin "residencies are shares of the time of a core and of a package"
for option in "-a" "-C 5" "-C 0-3" "-a --metric-no-group" "-a --metric-no-merge"; do
	# shellcheck disable=SC2086 # several words
	measure "$machine" $option -M C6_Core_Residency,C6_Pkg_Residency
	expect_values C6_Core_Residency 25.0
	expect_values C6_Pkg_Residency 10.0
done
measure "$machine" -a --per-core -M C6_Core_Residency
expect_values C6_Core_Residency 25.0 25.0 25.0 25.0
measure "$machine" -a --per-socket -M C6_Pkg_Residency,cpu_utilization
expect_values C6_Pkg_Residency 10.0 10.0
expect_values cpu_utilization 75.0 75.0

begin "energy is that of all packages, or of a row's"
measure "$machine" -a -e power/energy-pkg/
expect_match stderr ',300\.00,Joules,power/energy-pkg/,'
measure "$machine" -a --per-socket -e power/energy-pkg/
expect_lines stderr 3
expect_match stderr ',S1,1,150\.00,Joules,power/energy-pkg/,'

begin "the literals of metrics are what this machine is"
literals='packages = #num_packages * (cycles / cycles), dies = #num_dies + 0 * cycles,
	cores = #num_cores * (cycles / cycles), online = #num_cpus_online + 0 * cycles,
	cpus = #num_cpus * (cycles / cycles), smt = #smt_on + 0 * cycles, wide = #core_wide + 0 * cycles,
	tsc = #system_tsc_freq / 1e9 * (cycles / cycles)'
literals=$(echo "$literals" | tr -d '\n\t')

# expect_literals PACKAGES DIES CORES ONLINE CPUS SMT WIDE: the literals have these values
expect_literals()
{
	for literal in packages dies cores online cpus smt wide; do
		expect_values $literal "$1.00"
		shift
	done
	expect_values tsc 2.00
}

measure "$machine" -a -M "$literals"
expect_literals 2 2 4 8 8 1 1
measure "$machine" -C 0 -M "$literals"
expect_literals 1 1 2 1 8 1 0
measure "$machine" -a -C 0,4 -M "$literals"
expect_literals 1 1 2 2 8 1 1
edited 's/^cpus .*/&\nonline 0-2,4-6/'
measure "$tmp/edited" -a -M "$literals"
expect_literals 2 2 3 6 8 1 1
edited 's/^core \(.\),./core \1/; s/^cpus .*/cpus 0-3/'
measure "$tmp/edited" -a -M "$literals"
expect_literals 2 2 4 4 4 0 1
measure "$machine" -a --per-socket -M "$literals"
expect_values packages 1.00 1.00
expect_values cores 2.00 2.00
expect_values online 4.00 4.00
measure "$machine" -a --per-core -M "$literals"
expect_values packages 1.00 1.00 1.00 1.00
expect_values cores 2.00 2.00 2.00 2.00
expect_values online 2.00 2.00 2.00 2.00

begin "a metric of cores and boxes divides the whole of both"
measure "$machine" -a -M 'm = UNC_M_CAS_COUNT.RD * 1000 / INST_RETIRED.ANY'
expect_values m 25.00
measure "$machine" -a --per-socket -M 'm = UNC_M_CAS_COUNT.RD * 1000 / INST_RETIRED.ANY'
expect_values m 25.00 25.00

begin "an event in several groups is added up in each"
measure "$machine" -a --metric-no-merge -M memory_bandwidth_read,memory_bandwidth_write,memory_bandwidth_total
expect_values memory_bandwidth_read 51200.0
expect_values memory_bandwidth_write 25600.0
expect_values memory_bandwidth_total 76800.0

begin "a task has no uncore counts, and the rest is printed"
sim "$machine" stat -x, -M memory_bandwidth_total,tma_info_thread_ipc true
expect_status 0
expect_match stderr '^tma: UNC_M_CAS_COUNT.RD, UNC_M_CAS_COUNT.WR cannot count one task: they need whole CPUs'
expect_equal "how often it is said" "$(grep -c 'cannot count' "$stderr")" 1
expect_match stderr ',1\.33,tma_info_thread_ipc$'
expect_no_match stderr '[0-9],MB/s  memory_bandwidth_total$'

begin "a cgroup has no uncore counts either, as one line says"
sim "$machine" stat -C 0 -x, -M memory_bandwidth_total,tma_info_thread_ipc --for-each-cgroup /,/. true
expect_status 0
expect_match stderr '^tma: UNC_M_CAS_COUNT.RD, UNC_M_CAS_COUNT.WR cannot count one cgroup: they need whole CPUs'
expect_equal "how often it is said" "$(grep -Ec 'cannot count|tma: .*not supported' "$stderr")" 1
expect_equal "cgroups with a value" "$(grep -Ec ',1\.33,tma_info_thread_ipc$' "$stderr")" 2

begin "uncore events alone count the system while the command runs"
sim "$machine" stat -x, -M memory_bandwidth_read,C6_Pkg_Residency true
expect_status 0
expect_values memory_bandwidth_read 51200.0
expect_values C6_Pkg_Residency 10.0

begin "a PMU that is missing costs its metrics, by name, and no others"
edited '/^pmu uncore_imc/,/^end/d'
for option in "" "-A" "--per-socket"; do
	# shellcheck disable=SC2086 # may be empty
	measure "$tmp/edited" -a $option -M memory_bandwidth_read,uncore_frequency,pmem_memory_bandwidth_read
	expect_match stderr 'no PMU uncore_imc: this machine has no event UNC_M_CAS_COUNT.RD$'
	expect_match stderr 'no PMU uncore_imc: this machine has no event UNC_M_PMM_RPQ_INSERTS$'
	expect_match stderr ',2\.1,GHz  uncore_frequency$'
	expect_no_match stderr ',MB/s  memory_bandwidth_read$'
done
sim "$tmp/edited" stat -a -M memory_bandwidth_read,pmem_memory_bandwidth_read -I1000 --interval-count 1
expect_status 125
expect_match stderr '^None of the 2 requested metrics'
expect_match stderr '^Left out memory_bandwidth_read: no PMU uncore_imc: .* UNC_M_CAS_COUNT.RD$'
expect_match stderr '^Left out pmem_memory_bandwidth_read: no PMU uncore_imc: .* UNC_M_PMM_RPQ_INSERTS$'
expect_no_match stderr 'seconds time elapsed'
sim "$tmp/edited" list metric pmem_memory_bandwidth_write uncore_frequency
expect_equal "metrics that are not here" "$(grep -c 'Not on this machine' "$stdout")" 1
expect_match stdout '\[Reason: no PMU uncore_imc\]'
sim "$tmp/edited" explain memory_bandwidth_read
expect_match stdout 'no PMU uncore_imc'

begin "an event whose terms the driver lacks costs its metrics too"
edited '/^pmu uncore_cha/,/^end/{ /^format umask/d; }'
measure "$tmp/edited" -a -M llc_miss_local_memory_bandwidth_read,uncore_frequency
expect_match stderr "PMU uncore_cha_0 has no term or event 'umask': this machine has no event UNC_CHA_REQUESTS"
expect_match stderr ',2\.1,GHz  uncore_frequency$'

begin "units are found by the tables' names for them, free-running counters and CXL too"
{
	sed 's/^cpuid .*/cpuid GenuineIntel-6-6A-6/' "$machine"
	printf 'pmu uncore_imc_free_running_0..3\nkind uncore\ntype 50\ncounters 8\ncpumask packages\n'
	printf 'format event config:0-7\nformat umask config:8-15\nrate event=0xff,umask=0x10 7\nend\n'
} >"$tmp/free"
measure "$tmp/free" -a --per-socket -e UNC_M_CLOCKTICKS_FREERUN
expect_match stderr ',S1,1,28,,UNC_M_CLOCKTICKS_FREERUN,'
{
	cat "$machine"
	printf 'pmu uncore_cxlcm_0..1\nkind uncore\ntype 50\ncounters 8\ncpumask packages\n'
	printf 'format event config:0-7\nformat umask config:8-15\nrate event=0x01,umask=0x02 9\nend\n'
} >"$tmp/cxl"
measure "$tmp/cxl" -a -e UNC_CXLCM_CLOCKTICKS
expect_match stderr ',36,,UNC_CXLCM_CLOCKTICKS,'
sim "$machine" stat -a -e UNC_CXLCM_CLOCKTICKS -I1000 --interval-count 1
expect_status 125
expect_match stderr 'no PMU uncore_cxlcm'

begin "an expression chooses what this machine has"
choice='m = UNC_CHA_CLOCKTICKS if has_event(UNC_CHA_CLOCKTICKS) else cycles'
measure "$machine" -a -M "$choice"
expect_values m 12600000000.00
edited '/^pmu uncore_cha/,/^end/d'
measure "$tmp/edited" -a -M "$choice"
expect_values m 24000000000.00

# These machines have no persistent memory, so its latency is 0 / 0; they measure only the energy of
# packages and memory.
for name in sapphirerapids skylakex icelakex; do
	begin "every uncore metric of $name has a number or a reason"
	sim "$name" list --raw-dump metric
	metrics=$(tr ' ' '\n' <"$stdout" |
		grep -E 'bandwidth|_mpi_|latency|Residency|uncore|upi_|numa_|io_|_power' |
		grep -Ev 'pmem_latency|lpm_cpu_power_(cores|gpu|psys)' | sort -u | tr '\n' ',')
	expect_match stdout 'uncore_frequency'
	sim "$name" stat -a -x, -I1000 --interval-count 1 -M "${metrics%,}"
	expect_status 0
	expect_no_match stderr 'not counted|not supported'
	expect_equal "metrics without a number" "$(awk -F, 'NF > 6 && $NF != "" && $(NF - 1) !~ /^-?[0-9.]+$/ {
		print $NF }' "$stderr")" ""
done

begin "a group of several units is split with a message; instances of one unit cause none"
sim sapphirerapids stat -a -e '{cycles,uncore_imc/cas_count_read/}' true
expect_match stderr '^events were regrouped .*: cycles uncore_imc/cas_count_read/$'
sim sapphirerapids stat -a -e '{uncore_imc/cas_count_read/,uncore_imc/cas_count_write/}' true
expect_no_match stderr 'grouped anew'
