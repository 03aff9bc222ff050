#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --iostat: the traffic of each PCIe root port of Intel's servers.
. "$(dirname "$0")/lib.sh"

begin "--iostat=list names the root ports, and counts nothing"
sim skylakex stat --iostat=list
expect_status 0
grep uncore "$stderr" >"$tmp/ports" || :
expect_file "$tmp/ports" <<-END
	S0-uncore_iio_0<0000:00>
	S1-uncore_iio_0<0000:80>
	S0-uncore_iio_1<0000:17>
	S1-uncore_iio_1<0000:85>
	S0-uncore_iio_2<0000:3a>
	S1-uncore_iio_2<0000:ae>
END

begin "a row for each root port, in MB"
run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat --iostat -x, --timeout 100
expect_status 0
expect_match stderr '^port,Inbound Read\(MB\),Inbound Write\(MB\),Outbound Read\(MB\),Outbound Write\(MB\),$'
# 100 ms; the rates are 400, 260, 1.1 and 8 million times four bytes per second
for port in 0000:00 0000:80 0000:17 0000:85 0000:3a 0000:ae; do
	expect_match stderr "^$port,153,99,0,3,$"
done
run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat --iostat --timeout 100
expect_match stderr '^    port             Inbound Read\(MB\)    Inbound Write\(MB\)    Outbound Read\(MB\)   Outbound Write\(MB\) $'
expect_match stderr '^0000:17                  153                   99                    0                    3 $'
run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat --iostat -I 50 --interval-count 2
expect_match stderr '^ #          time    port             Inbound Read\(MB\) '
expect_match stderr '^     0\.100000000 0000:ae                   76                   50                    0                    2 $'
run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat --iostat -j --timeout 100
expect_match stderr '^\{"port" : "0000:3a", "Inbound Read\(MB\)" : "153", "Inbound Write\(MB\)" : "99", "Outbound Read\(MB\)" : "0", "Outbound Write\(MB\)" : "3"\}$'

begin "root ports are chosen by name, in the order of the names"
run env TMA_SIM_STEP=10 "$TMA" --machine skylakex stat --iostat=0:85,0000:00,0:85 -x, --timeout 100
expect_status 0
grep '^0000' "$stderr" | cut -d, -f1 >"$tmp/ports" || :
expect_file "$tmp/ports" <<-END
	0000:85
	0000:00
END
sim skylakex stat --iostat=0:1
expect_status 125
expect_match stderr '^tma: --iostat: there is no root port 0000:01'
sim skylakex stat --iostat=x
expect_match stderr "^tma: --iostat: 'x' is not a root port"

begin "all lanes are counted where a table names them, and perf's four under its name"
run env TMA_SIM_STEP=10 "$TMA" --machine sapphirerapids stat --iostat=0:26 -x, --timeout 100
expect_match stderr '^0000:26,153,99,0,3,$'
ln -sf "$TMA" "$tmp/perf"
run env TMA_SIM_STEP=10 "$tmp/perf" --machine sapphirerapids stat --iostat=0:26 -x, --timeout 100
expect_match stderr '^0000:26,76,50,0,2,$'
run env TMA_SIM_STEP=10 "$TMA" --machine icelakex stat --iostat -x, --timeout 100
expect_match stderr '^0000:e2,76,50,0,2,$'

begin "a command is counted with all else"
sim skylakex stat --iostat true
expect_status 0
expect_match stderr "stats for 'system wide':"

begin "machines without root ports, and what cannot be combined"
for machine in zen4 alderlake neoverse-n2; do
	sim $machine stat --iostat
	expect_status 125
	expect_match stderr '^tma: --iostat: this machine shows no PCIe root ports'
done
for args in "-e cycles" "-M tma_retiring" "--topdown" "-p 1" "-C 0" "-A" "--per-socket" "-d" "-n" "-r 2 true" \
	"-a --for-each-cgroup /" "--format=json"; do
	# shellcheck disable=SC2086
	sim skylakex stat --iostat $args
	expect_status 129
	expect_match stderr '^tma: --iostat'
done
mkdir -p "$tmp/sys/bus/event_source/devices/uncore_iio_0"
(
	cd "$tmp/sys/bus/event_source/devices/uncore_iio_0" && echo 44 >type && echo 0 >cpumask && echo nothing >die0
)
run env SYSFS_PATH="$tmp/sys" "$TMA" stat --iostat
expect_status 125
expect_match stderr "die0: 'nothing' is not a PCIe root port"

begin "perf prints the same"
needs_perf
for options in "-x," ""; do
	# shellcheck disable=SC2086
	run env LD_PRELOAD="$PWD/$BUILD/libtma-sim.so" TMA_MACHINE=skylakex "$PERF" stat --iostat=0:17 $options --timeout 100
	sed 's/[0-9.]* seconds/N seconds/; s/ *[0-9][0-9]*\([ ,]\)/N\1/g' "$stderr" | grep -v caution >"$tmp/perfs" || :
	# shellcheck disable=SC2086
	run "$TMA" --machine skylakex stat --iostat=0:17 $options --timeout 100
	sed '/synthetic/d; s/[0-9.]* seconds/N seconds/; s/ *[0-9][0-9]*\([ ,]\)/N\1/g' "$stderr" >"$tmp/ours"
	expect_file "$tmp/ours" <"$tmp/perfs"
done
