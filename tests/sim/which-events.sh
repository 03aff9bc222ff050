#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Ambiguous events: one name for units of several kinds, boxes that are counted, the CPUs whose time
# stamp counters a metric divides by, and metrics with the name of a group.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=100
export TMA_SIM_STEP

# counts: print "NAME VALUE" for each event in JSON
counts()
{
	jq -r 'select(.type == "event") | "\(.name) \(.pmu) \(.value)"' "$stdout"
}

# metric NAME: print the values of a metric in JSON, rounded to two digits
metric()
{
	jq -r "select(.name == \"$1\") | .value * 100 | round / 100" "$stdout" | tr '\n' ' '
}

begin "a name of units of several kinds is an event of each, with the unit in its name"
sim sapphirerapids stat -a -e c6-residency,clockticks --timeout 200 --format=json
expect_status 0
expect_equal "counts" "$(counts)" "cstate_core/c6-residency/ cstate_core 144000000
cstate_pkg/c6-residency/ cstate_pkg 12000000
uncore_cha/clockticks/ uncore_cha 3680000000
uncore_imc/clockticks/ uncore_imc 7680000000"
for args in '-x,' '-j' '--per-socket -x,'; do
	sim sapphirerapids stat -a -e clockticks --timeout 200 $args
	expect_match stderr 'uncore_cha/clockticks/'
	expect_match stderr 'uncore_imc/clockticks/'
done

begin "as what names each unit counts, and as --compat=6.12 does not"
sim sapphirerapids stat -a -e uncore_imc/clockticks/,uncore_cha/clockticks/ --timeout 200 --format=json
expect_equal "counts" "$(counts | sort)" "uncore_cha/clockticks/ uncore_cha 3680000000
uncore_imc/clockticks/ uncore_imc 7680000000"
sim sapphirerapids stat -a -e clockticks --timeout 200 --compat=6.12 -x,
expect_match stderr '^11360000000,,clockticks,'

begin "an event of a core and of another unit are two; modifiers and recordings keep the names"
sed 's/^format event.*/&\nevent bus_access event=0x19/' "$(dirname "$0")/../../lib/sim/machines/neoverse-n2" >"$tmp/arm"
cp "$(dirname "$0")"/../../lib/sim/machines/*.part "$tmp"
cat >>"$tmp/arm" <<END
pmu nvidia_scf_pmu
type 60
kind uncore
counters 4
cpumask 0
format event config:0-7
event bus_access event=0x01
rate event=0x01 1M
end
END
sim "$tmp/arm" stat -a -e bus_access --timeout 200 --format=json
expect_equal "rows" "$(counts | grep -c bus_access)" 2
expect_match stdout '"name":"nvidia_scf_pmu/bus_access/"'
sim "$tmp/arm" stat record -o "$tmp/data" -a -e bus_access --timeout 200
run "$TMA" stat report -i "$tmp/data" --format=json
expect_equal "recorded rows" "$(counts | grep -c bus_access)" 2

begin "the mean of boxes is over those that were counted"
sim sapphirerapids stat -a -M uncore_frequency --timeout 1000 --format=json
expect_equal "frequency" "$(metric uncore_frequency)" "2.05 "
TMA_SIM_FAULT='open:uncore_cha_2/event=0x01=EINVAL'
export TMA_SIM_FAULT
sim sapphirerapids stat -a -M uncore_frequency --timeout 1000 --format=json
unset TMA_SIM_FAULT
expect_equal "frequency without a box" "$(metric uncore_frequency)" "2.05 "

begin "CPUs utilized are a number of CPUs, and their share is of the CPUs that count"
sim sapphirerapids stat -a --timeout 1000 --format=json -M tma_info_system_cpu_utilization,tma_info_system_cpus_utilized,cpu_utilization
expect_equal "CPUs" "$(metric tma_info_system_cpus_utilized)" "5.4 "
expect_equal "share" "$(metric tma_info_system_cpu_utilization)" "0.68 "
expect_equal "percent" "$(metric cpu_utilization)" "67.56 "
sim sapphirerapids stat -a --per-socket --timeout 1000 --format=json -M tma_info_system_cpu_utilization,tma_info_system_cpus_utilized
expect_equal "CPUs of sockets" "$(metric tma_info_system_cpus_utilized | tr ' ' '\n' | awk '{ s += $1 } END { print s }')" 5.4

begin "on each type of core of a hybrid machine, as with -C"
sim alderlake stat -a --timeout 1000 --format=json -M tma_info_system_cpu_utilization,tma_info_system_cpus_utilized
expect_equal "CPUs" "$(metric tma_info_system_cpus_utilized)" "9.65 "
expect_equal "shares" "$(metric tma_info_system_cpu_utilization)" "0.4 0.39 "
sim alderlake stat -C 16-23 --timeout 1000 --format=json -M tma_info_system_cpu_utilization
expect_equal "share" "$(metric tma_info_system_cpu_utilization)" "0.39 "

begin "a metric of the user's own is no group of the tables"
sim sapphirerapids stat -a -M 'bad = instructions / cycles' --timeout 400 --format=json
expect_equal "metrics" "$(jq -r 'select(.type == "metric" and .event == "") | .name' "$stdout")" bad
sim sapphirerapids stat -a -M 'bad = instructions / cycles, Retire' --timeout 400 --format=json
expect_between "metrics of a group beside it" "$(grep -c '"type":"metric"' "$stdout")" 4 1000

close_test
