#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma top: tables of -b, and the screen on a terminal of its own (top.py).
. "$(dirname "$0")/../cli/lib.sh"

cd "$tmp" || exit 2
scenarios=$OLDPWD/tests/sim/top.py

begin "a table has the tree and the rows that were asked for"
for rows in --processes --cpus -a; do
	sim sapphirerapids top -b -d 0.1 -n 2 $rows
	expect_status 0
	expect_match stdout '^tma top  simulated sapphirerapids  8 CPUs, [0-9.]+ busy  [0-9.]+ IPC  every 0\.1 s'
	expect_match stdout 'tma_memory_bound  +[0-9.]+ %'
	expect_equal "tables" "$(grep -c '^METRIC' "$stdout")" 2
	expect_equal "lines that say what is made up" "$(grep -c '^made up: ' "$stdout")" 1
done
sim sapphirerapids top -b -d 0.1 -n 1 --cpus
expect_equal "CPUs" "$(sed -n '/ CPU .*BOTTLENECK/,$p' "$stdout" | grep -c '^ *[0-9] ')" 8

begin "a table has 40 columns at least, and no more than fit the memory"
for columns in 1 20 40; do
	run env COLUMNS=$columns "$TMA" --machine skylakex top -b -d 0.1 -n 1 --cpus
	expect_status 0
	expect_match stdout '^METRIC +NOW$'
done
run env COLUMNS=2000000000 "$TMA" --machine skylakex top -b -d 0.1 -n 1 --cpus
expect_status 0

begin "core types have a tree and a row each"
sim alderlake top -b -d 0.1 -n 2 -a
expect_status 0
expect_match stdout '^cpu_core$'
expect_match stdout '^cpu_atom$'
expect_match stdout '^cpu_core +tma_'
expect_match stdout '^cpu_atom +tma_'
sim alderlake top -b -d 0.1 -n 1 --cpus
expect_equal "CPUs" "$(sed -n '/ CPU .*BOTTLENECK/,$p' "$stdout" | grep -c '^ *[0-9][0-9]* ')" 24

begin "AMD and Arm"
sim zen4 top -b -d 0.1 -n 2 --cpus
expect_status 0
expect_match stdout 'backend_bound_memory +[0-9.]+ %'
sim neoverse-n2 top -b -d 0.1 -n 2 --cpus
expect_status 0
expect_match stdout 'backend_bound +[0-9.]+ %'

begin "the processes that were named, with their loss"
sh -c 'while :; do :; done' &
busy=$!
sim sapphirerapids top -b -d 0.5 -n 4 -p $busy
kill $busy
expect_status 0
expect_equal "rows of others" "$(grep -c '^ *[0-9]* .*tma_[a-z_]* *[0-9.]* %' "$stdout")" \
	"$(grep -c "^ *$busy .*tma_[a-z_]* *[0-9.]* %" "$stdout")"
expect_match stdout "^ *$busy +sh +[0-9.]+ +[0-9.]+ +tma_[a-z_]+ +[0-9.]+ %"

begin "each interval has errors of the tree while processes are counted, too"
sh -c 'while :; do :; done' &
busy=$!
sim skylakex top -b -d 0.5 -n 3 -p $busy
kill $busy
expect_status 0
expect_equal "intervals with errors" "$(grep -cE '^tma_retiring +[0-9.]+ % +\S+[0-9.]+ ' "$stdout")" 3

begin "a process that has ended leaves no row"
sh -c 'while :; do :; done' &
busy=$!
"$TMA" --machine skylakex top -b -d 0.3 -n 6 -p $busy >"$stdout" 2>"$stderr" &
top=$!
until_found "^ *$busy +sh " "$stdout"
kill -9 $busy
wait $top
status=$?
expect_status 0
sed -n '/^tma top/h; /^tma top/!H; ${x;p}' "$stdout" >"$tmp/last"
expect_no_match "$tmp/last" "^ *$busy "
expect_match "$tmp/last" "^the processes have ended$"

begin "rows and others add up to the CPU time of the first line"
sh -c 'while :; do :; done' &
busy=$!
sh -c 'while :; do :; done' &
other=$!
sim sapphirerapids top -b -d 0.5 -n 2 -p $busy
kill $busy $other
expect_status 0
expect_match stdout '^ +others +[0-9.]+$'
# The interval of the tasks is not exactly that of the CPUs.
awk '/^tma top/ { for (i = 1; i < NF; i++) if ($(i + 1) == "busy") busy = $i; of = 0 }
	/CPUs +LOST/ { rows = 1; next }
	/^tma top/ { rows = 0 }
	rows && /others/ { of += $2; if (of > 1.3 * busy + 0.1 || of < 0.7 * busy - 0.1) print busy, of }
	rows && /^ *[0-9]+ / { of += $3 }' "$stdout" >"$tmp/sums"
expect_equal "sums that differ" "$(cat "$tmp/sums")" ""

begin "a busy process is found"
# There may be many other processes: use as many rows and intervals as needed.
sh -c 'while :; do :; done' &
busy=$!
"$TMA" --machine sapphirerapids top -b -d 0.3 -N 1000 >"$stdout" 2>"$stderr" &
top=$!
until_found "^ *$busy +sh " "$stdout" $top
kill $top $busy

begin "without counters it shows software events, and says so"
needs_system_wide
run env SYSFS_PATH="$tmp/none" "$TMA" top -b -d 0.1 -n 2 --cpus
expect_status 0
expect_match stdout 'no hardware counters on this machine: software events only'
expect_match stdout '^context-switches +[0-9.e+]+ ?/s'
expect_match stdout '^ +CPU +CPUs +SWITCHES/s +FAULTS/s +sorted by CPUs$'
expect_no_match stdout '^ +CPU .*(LOST|BOTTLENECK)'
sh -c 'while :; do :; done' &
busy=$!
SYSFS_PATH=$tmp/none "$TMA" top -b -d 0.3 -N 1000 >"$stdout" 2>"$stderr" &
top=$!
until_found "^ *$busy +sh +[0-9.]+ +[0-9]+ +[0-9]+$" "$stdout" $top
kill $top $busy

begin "an ordinary user has a view of own processes, as far as the rights go"
needs_root
needs_command setpriv
needs_counters
make_public "$TMA" "$(dirname "$TMA")/libtma-sim.so"
cp -rL "$(dirname "$TMA")/machines" "$tmp/public"
for paranoid in 0 1 2 3; do
	printf 'include skylakex\nsysctl perf_event_paranoid %s\n' $paranoid >"$tmp/public/machines/paranoid$paranoid"
done
chmod -R a+rX "$tmp/public"
# As another user on such a machine.
as_other()
{
	paranoid=$1
	shift
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/public/tma" \
		--machine "$tmp/public/machines/paranoid$paranoid" top -b -n 2 -d 0.3 "$@"
}
setpriv --reuid=65534 --regid=65534 --clear-groups sh -c 'while :; do :; done' &
busy=$!
for paranoid in 1 2; do
	as_other $paranoid
	expect_status 0
	expect_match stdout '^your own processes alone.*The whole machine needs root'
	expect_match stdout '^tma_retiring +[0-9.]+ %'
	expect_match stdout "^ *$busy +sh +[0-9.]+ +[0-9.]+ +tma_[a-z_]+ +[0-9.]+ %"
	expect_no_match stdout '^ +1 '
done
as_other 3
expect_status 0
expect_match stdout '^CPU time of your own processes: you may not count anything'
expect_match stdout "^ *$busy +sh +[01]\.[0-9]+"
as_other 1 --functions
expect_status 0
expect_match stdout '^functions of your own processes'
as_other 1 --functions -N 1
expect_match stdout '^functions of 1 of your own processes'
for rows in --cpus --cgroups -a; do
	as_other 1 $rows
	expect_status 125
	expect_match stderr 'tma top counts the whole machine for these rows, which this user may not'
done
as_other 3 --functions
expect_status 125
expect_match stderr 'functions need samples, which this user may not take'
kill $busy

begin "a process that its user may not count is left out, and an error if it is named"
needs_root
needs_command setpriv
needs_counters
setpriv --reuid=65534 --regid=65534 --clear-groups sh -c 'while :; do :; done' &
busy=$!
# The kernel lets only root trace a process that has changed its user, until it executes a program.
python3 -c 'import os, time
os.setgid(65534)
os.setuid(65534)
while True: pass' &
hidden=$!
until_found '^Uid:.65534' /proc/$hidden/status
for paranoid in 0 1 2; do
	as_other $paranoid
	expect_status 0
	expect_match stdout "^ *$busy +sh "
	expect_no_match stdout "^ *$hidden "
	as_other $paranoid -p $busy,$hidden
	expect_status 125
	expect_match stderr "-p $hidden: the kernel does not let this user count that process"
done
kill $busy $hidden

begin "once all processes of a user that were counted have ended, others are"
needs_root
needs_command setpriv
needs_counters
for loop in busy other; do
	setpriv --reuid=65534 --regid=65534 --clear-groups sh -c 'while :; do :; done' &
	eval "$loop=$!"
done
kill -STOP $other
setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/public/tma" \
	--machine "$tmp/public/machines/paranoid1" top -b -d 0.3 -N 1 >"$stdout" 2>"$stderr" &
top=$!
until_found "^ *$busy +sh " "$stdout" $top
kill -CONT $other
kill $busy
until_found "^ *$other +sh " "$stdout" $top
kill $top $other

begin "an ordinary user turns to functions and to a node after a process has ended"
needs_root
needs_command setpriv
needs_counters
run python3 -B "$scenarios" own setpriv --reuid=65534 --regid=65534 --clear-groups \
	"$tmp/public/tma" --machine "$tmp/public/machines/paranoid1" top -d 0.2
expect_status 0

begin "rights and not the user's number decide about the view"
needs_root
needs_command setpriv
needs_system_wide
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 1 ] || skip "everyone may count whole CPUs here"
sh -c 'while :; do :; done' &
busy=$!
run env SYSFS_PATH="$tmp/none" setpriv --bounding-set=-all --inh-caps=-all "$TMA" top -b -n 1 -d 0.1
expect_status 0
expect_match stdout '^your own processes alone.* The whole machine needs CAP_PERFMON or'
run env SYSFS_PATH="$tmp/none" setpriv --reuid=65534 --regid=65534 --clear-groups \
	--inh-caps=+perfmon --ambient-caps=+perfmon "$tmp/public/tma" top -b -n 2 -d 0.3 -N 1000
expect_status 0
expect_no_match stdout 'your own processes'
expect_match stdout "^ *$busy +sh "
kill $busy

begin "what is wrong is said before anything is counted"
for wrong in "-d 0" "-d x" "-d 0.01" "-n 0" "-N 0" "-a --cpus" "-a -G /" "--cpus -p 1" "--functions --cpus" "--functions -G /" "--color blue" "true" "--nosuch"; do
	# shellcheck disable=SC2086 # several words
	run "$TMA" top -b $wrong
	expect_status 129
done
run "$TMA" --machine sapphirerapids top </dev/null
expect_status 125
expect_match stderr 'standard output is not a terminal: -b prints a table'
for named in "-G none-such" "-p abc" "-p 999999999"; do
	# shellcheck disable=SC2086 # an option and its value
	sim sapphirerapids top -b -n 1 -d 0.1 $named
	expect_status 125
	expect_match stderr '^tma: .*(none-such|abc|999999999)'
done

begin "a pipe without a reader ends it"
run sh -c "timeout 20 \"$TMA\" --machine sapphirerapids top -b -d 0.1 2>/dev/null | head -n 3 >/dev/null"
expect_status 0

begin "a terminal that cannot move its cursor gets words in place of a screen"
run timeout 20 script -qec "TERM=dumb $TMA --machine sapphirerapids top" /dev/null
expect_match stdout 'tma: .*(-b|terminal)'

for scenario in quit interrupt terminate crash killed memory huge hangup keys deeper stop resize frames; do
	begin "on a terminal: $scenario"
	run python3 -B "$scenarios" $scenario "$TMA" --machine sapphirerapids top -d 0.2
	expect_status 0
done

begin "the page that w writes has what was seen"
run python3 -B "$OLDPWD/tests/formats/page.py" form "$tmp"/tma-top-*.html
expect_status 0
expect_equal "runs, and their heads" "$(cat "$tmp"/tma-top-*.html | grep -c '<section class="run"')" \
	"$(cat "$tmp"/tma-top-*.html | grep -c 'class="r"')"

begin "a key before the first interval is over"
run timeout 20 python3 -B "$scenarios" early "$TMA" --machine sapphirerapids top -d 100
expect_status 0

begin "what terminals understand is looked up by tma top alone"
run strace -f -e trace=openat -o "$tmp/trace" "$TMA" --machine sapphirerapids stat -a --timeout 20
expect_no_match "$tmp/trace" 'libtinfo|libncurses'

begin "counters that can never be read are a failure" # R67
run env TMA_SIM_STEP=20 TMA_SIM_FAULT=read=EIO "$TMA" --machine skylakex top -b -d 0.1 -n 2
expect_status 125
expect_match stderr '^tma: nothing could be counted in 2 intervals$'
