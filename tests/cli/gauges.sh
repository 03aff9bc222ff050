#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Values in files as events: sensors (hwmon) and GPUs (drm), of a sysfs and a procfs made here.
. "$(dirname "$0")/lib.sh"

# sensor NUMBER NAME: make the device of a sensor; put FILE TEXT: put a file into it
sensor()
{
	device=$tmp/sys/class/hwmon/hwmon$1
	mkdir -p "$device"
	put name "$2"
}
put()
{
	echo "$2" >"$device/$1"
}

# gpu PID FD CLIENT NS: let a process have a file of a GPU open
gpu()
{
	mkdir -p "$tmp/proc/$1/fd" "$tmp/proc/$1/fdinfo"
	ln -sf /dev/dri/renderD128 "$tmp/proc/$1/fd/$2"
	printf 'pos:\t0\ndrm-driver:\ti915\ndrm-client-id:\t%s\ndrm-pdev:\t0000:00:02.0\ndrm-engine-render:\t%s ns\ndrm-total-system0:\t12 KiB\ndrm-maxfreq-gt:\t1200 MHz\n' \
		"$3" "$4" >"$tmp/proc/$1/fdinfo/$2"
}

mkdir -p "$tmp/sys/devices/system/cpu" "$tmp/proc"
for file in online possible present; do
	echo 0 >"$tmp/sys/devices/system/cpu/$file"
done
sensor 0 'Core Temp'
put temp1_input 43500
put temp1_label 'Package id 0'
put temp1_crit 100000
put temp1_crit_alarm 1
put fan1_input 1234
put power1_average 5000000
put energy1_input 7250000
put label nothing
sensor 1 nvme
put temp1_input -5000
put in3_input 7500
put in3_label 'VOUT +12V'
put in4_input 100
put in4_label 'A{b},c=d'
sensor 2 nvme
put temp1_input 41000
put in1_input 'no number'
gpu 12 5 7 1000
gpu 12 6 7 1000
gpu 13 3 8 500

# count ARG...: run tma stat with these files
count()
{
	run env SYSFS_PATH="$tmp/sys" PROCFS_PATH="$tmp/proc" "$TMA" stat "$@"
}

begin "a sensor by its label, its number and its PMU"
count -a -x, -e temp_package_id_0,FAN1,hwmon_core_temp/temp1/,hwmon0/fan1,name=fan/ --timeout 10
expect_status 0
expect_match stderr "^43\.50,'C,temp_package_id_0,1,100\.00,,\$"
expect_match stderr '^1234,rpm,FAN1,1,100\.00,,$'
expect_match stderr "^43\.50,'C,hwmon_core_temp/temp1/,"
expect_match stderr '^1234,rpm,fan,'

begin "limits, alarms and means beside a value"
count -a -x, -e temp1_crit,temp1_crit_alarm,power1_average,energy1 --timeout 10
expect_status 0
expect_match stderr "^100\.00,'C,temp1_crit,"
expect_match stderr '^1,,temp1_crit_alarm,'
expect_match stderr '^5\.00,W,power1_average,'
expect_match stderr '^7\.25,J,energy1,'

begin "a name that several devices have is each device's"
count -a -x, -e temp1 --timeout 10
expect_status 0
expect_match stderr "^43\.50,'C,hwmon_core_temp/temp_package_id_0/,"
expect_match stderr "^<not counted>,'C,hwmon1/temp1/,"
expect_match stderr "^41\.00,'C,hwmon2/temp1/,"

begin "sensors with negative or invalid numbers are not counted"
count -a -x, -e hwmon1/temp1/,in1,in3 --timeout 10
expect_match stderr "^<not counted>,'C,hwmon1/temp1/"
expect_match stderr '^<not counted>,V,in1,'
expect_match stderr '^7\.50,V,in3,'

begin "a label that no name of an event can have leaves the number"
run env SYSFS_PATH="$tmp/sys" PROCFS_PATH="$tmp/proc" "$TMA" list hwmon --names
expect_match stdout '^in3$'
expect_match stdout '^in4$'
expect_no_match stdout '[+{]'

begin "each row has the value as it is; rows of sockets, -A, JSON and runs"
count -a -I 20 --interval-count 2 -x, -e fan1
expect_status 0
expect_lines "$stderr" 2
expect_no_match stderr '<not'
count -a -A -x, -e fan1 --timeout 10
expect_match stderr '^CPU0,1234,rpm,fan1,'
count -a --per-socket -e fan1 --timeout 10
expect_match stderr ' 1 +1234 rpm +fan1 '
count -j -e fan1 -r 2 true
expect_status 0
expect_match stderr '"counter-value" : "1234\.000000", "unit" : "rpm", "event" : "fan1"'

begin "in metrics they are as the file has them"
count -M 'hot = temp_package_id_0 / 1000' --metric-only -x, -a --timeout 10
expect_status 0
expect_match stderr '43\.5'

begin "a GPU's files: each counted once, however many descriptors it has"
count -a -x, -e drm-engine-render,drm_i915/drm-total-system0/,drm-maxfreq-gt --timeout 10
expect_status 0
expect_match stderr '^1500,ns,drm-engine-render,'
expect_match stderr '^24576,bytes,drm_i915/drm-total-system0/,'
expect_match stderr '^2400000000,hz,drm-maxfreq-gt,'
count -x, -e drm-engine-render true
expect_match stderr '^<not counted>,ns,drm-engine-render,'

begin "the counts of tasks are those of their processes, which threads share"
sleep 60 &
pid=$!
gpu $pid 3 9 250
for file in task stat status comm; do
	ln -s "/proc/$pid/$file" "$tmp/proc/$pid/$file"
done
count -p $pid -x, -e drm-engine-render,fan1 --timeout 10
expect_status 0
expect_match stderr '^250,ns,drm-engine-render,'
expect_match stderr '^1234,rpm,fan1,'
count -p $pid --per-thread -x, -e drm-engine-render --timeout 10
expect_match stderr '^sleep-[0-9]+,250,ns,drm-engine-render,'
kill $pid

begin "in a recording and in CSV, events keep their names and units"
count record -o "$tmp/data" -a -e temp_package_id_0,fan1 -I 20 --interval-count 2
expect_status 0
run "$TMA" stat report -x, -i "$tmp/data"
expect_status 0
expect_match stderr "43\.50,'C,temp_package_id_0,"
expect_match stderr ',1234,rpm,fan1,'
count -a -x, -o "$tmp/csv" -e fan1 -I 20 --interval-count 2
run "$TMA" stat report -x, -i "$tmp/csv"
expect_match stderr ',1234,rpm,fan1,'

begin "they are listed, explained and refused"
run env SYSFS_PATH="$tmp/sys" PROCFS_PATH="$tmp/proc" "$TMA" list hwmon drm
expect_status 0
expect_match stdout '^  temp_package_id_0 OR temp1$'
expect_match stdout 'called Package id 0; crit 100 .C; crit_alarm'
expect_match stdout '^  drm-engine-render'
expect_no_match stdout '^  temp1_crit'
run env SYSFS_PATH="$tmp/sys" PROCFS_PATH="$tmp/proc" "$TMA" explain fan1
expect_status 0
expect_match stdout 'multiplied|fan1  \[event, hwmon_core_temp\]'
for event in hwmon_core_temp/fan7/ hwmon_none/temp1/ temp_none drm-none drm_none// hwmon0/fan1,x=1/; do
	count -e "$event" true
	expect_status 125
done
count -e hwmon_core_temp/fan7/ true
expect_match stderr "no PMU hwmon_core_temp of this machine has that event: 'tma list hwmon' shows"

begin "on a simulated machine and without sysfs there are none, or this one's"
sim alderlake stat -a -e temp_none --timeout 10
expect_status 125
expect_no_match stderr 'Segmentation|assert'
