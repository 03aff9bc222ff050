#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --machine: the simulator is loaded or the run is refused, and programs that tma runs do not see
# it.
. "$(dirname "$0")/lib.sh"

# If a program runs under valgrind, valgrind handles the libraries that are preloaded.
[ -z "${TEST_VALGRIND-}" ] || skip_all "valgrind preloads libraries of its own"

machines=$(cd "$BUILD/machines" && pwd -P)

# install_in DIR: install the program, the simulator and the machines
install_in()
{
	mkdir -p "$1"
	cp "$TMA" "$sim_library" "$1"
	# Another user may not be able to enter the folder of the build.
	rm -rf "$1/machines"
	cp -rL "$machines" "$1/machines"
	chmod -R a+rX "$1"
}

# shellcheck disable=SC2016 # the variables are the command's
show='env | grep -E "^$|LD_PRELOAD|TMA_[MS]|PERF_CPUID"; cat /sys/devices/system/cpu/online; ls /proc/self/fd'
online=$(cat /sys/devices/system/cpu/online)

# expect_no_trace FILE: check the output of the command in $show
expect_no_trace()
{
	expect_match "$1" "^$online\$"
	expect_no_match "$1" '^$|LD_PRELOAD|TMA_[MS]|PERF_CPUID'
	# 0 to 2, ls's own, and what the test itself was started with.
	# shellcheck disable=SC2012 # these are numbers
	[ $test_state != ok ] || ls /proc/self/fd >"$tmp/own.fds"
	sed '1,/^[0-9-]*$/d' "$1" | grep -vxF -f "$tmp/own.fds" >"$tmp/more.fds"
	[ ! -s "$tmp/more.fds" ] || fail "descriptors are inherited" "$tmp/more.fds"
}

# --- The library is loaded wherever it lies -----------------------------------------------------------

for name in 'a blank' a:colon "a\$ORIGIN" 'all : $LIB ;'; do
	begin "the simulator is loaded from a directory named '$name'"
	install_in "$tmp/$name"
	run env TMA_SIM_STEP=10 "$tmp/$name/tma" --machine alderlake stat -a -x, -e cpu_atom/cycles/ sh -c "$show"
	expect_status 0
	expect_match stderr "^tma: simulated machine 'alderlake'"
	expect_match stderr '^[0-9]+,,cpu_atom/cycles/,'
	expect_no_match stderr 'ld\.so'
	expect_no_trace "$stdout"
	# A program that measures its own regions is on the machine, too.
	[ -x "$BUILD/tests/sim/regions" ] || continue
	run env TMA_SIM_STEP=10 "$tmp/$name/tma" --machine icelakex stat --regions -x, sh -c "true; $BUILD/tests/sim/regions three >&2"
	expect_status 0
	expect_match stderr '^phase3,[0-9]+,'
done

begin "a library of the current directory is not loaded"
needs_command gcc
if [ $test_state = ok ]; then
	install_in "$tmp/x:y"
	mkdir -p "$tmp/here/y"
	cat >"$tmp/decoy.c" <<'END'
#include <unistd.h>
__attribute__((constructor)) static void loaded(void)
{
	(void)!write(2, "decoy\n", 6);
}
END
	gcc -shared -fPIC -o "$tmp/here/y/libtma-sim.so" "$tmp/decoy.c" || fail "the decoy is not built"
	cp "$tmp/here/y/libtma-sim.so" "$tmp/here"
fi
cd "$tmp/here" 2>/dev/null && {
	run "$tmp/x:y/tma" --machine skylakex stat -e cycles true
	cd "$OLDPWD" || exit 1
}
expect_status 0
expect_match stderr "^tma: simulated machine 'skylakex'"
expect_no_match stderr decoy

# --- It is not: refused -------------------------------------------------------------------------------

begin "a library that cannot be loaded is no simulated machine" # R54
install_in "$tmp/broken"
echo "no library" >"$tmp/broken/libtma-sim.so"
run timeout 20 "$tmp/broken/tma" --machine skylakex stat -e cycles true
expect_status 125
expect_match stderr '^tma: --machine: .*/libtma-sim\.so was not loaded into this program'
expect_no_match stderr 'simulated machine .*: its counts|Performance counter'

begin "the environment alone makes no simulated machine"
run timeout 20 env LD_PRELOAD="$tmp/nothing/libtma-sim.so" TMA_MACHINE=skylakex TMA_SIM_STEP=10 \
	"$TMA" stat -a -x, -e cycles true
expect_status 0
expect_match stderr '^[0-9]+,,cycles,'
run timeout 20 env LD_PRELOAD="$tmp/broken/libtma-sim.so" TMA_MACHINE=skylakex "$tmp/broken/tma" stat true
expect_status 125
expect_no_match stderr 'simulated machine .*: its counts|Performance counter'

# needs_privileged FILE: give the file a capability, which has no effect under setpriv
needs_privileged()
{
	needs_command setcap
	needs_command setpriv
	[ $test_state = ok ] || return 0
	[ "$(id -u)" = 0 ] || skip "only root gives a program capabilities"
	chmod 755 "$tmp" "${1%/*}"
	setcap cap_perfmon=ep "$1" 2>/dev/null || setcap cap_sys_nice=ep "$1" 2>/dev/null ||
		skip "the file system takes no capabilities"
	[ $test_state = ok ] || return 0
	# The loader ignores LD_PRELOAD if a program gains privileges, but not if the program is on
	# a nosuid mount.
	cp "$(command -v env)" "$1.env"
	setcap cap_sys_nice=ep "$1.env"
	LD_PRELOAD=/none setpriv --reuid 65534 --regid 65534 --clear-groups "$1.env" 2>/dev/null |
		grep -q LD_PRELOAD && skip "this file system's programs get no capabilities"
	return 0
}

begin "with capabilities of its own it says at once that it cannot, and what to do"
install_in "$tmp/privileged"
needs_privileged "$tmp/privileged/tma"
run timeout 20 setpriv --reuid 65534 --regid 65534 --clear-groups \
	"$tmp/privileged/tma" --machine skylakex stat -e cycles true
expect_status 125
expect_match stderr "^tma: --machine: the simulator cannot be preloaded into a program with privileges.*'cp $tmp/privileged/tma $tmp/privileged/tma-plain'"
expect_lines "$stderr" 1
[ $test_state != ok ] || cp "$tmp/privileged/tma" "$tmp/privileged/tma-plain"
run timeout 20 setpriv --reuid 65534 --regid 65534 --clear-groups env TMA_SIM_STEP=10 \
	"$tmp/privileged/tma-plain" --machine skylakex stat -a -x, -e cycles true
expect_status 0
expect_match stderr '^[0-9]+,,cycles,'

# --- What it runs -------------------------------------------------------------------------------------

begin "the command, and those of --pre and --post, see nothing of the simulated machine" # R54
run "$TMA" --machine alderlake stat -e cycles -o "$tmp/counts" --pre "{ $show; } >$tmp/pre" \
	--post "{ $show; } >$tmp/post" sh -c "$show"
expect_status 0
expect_no_trace "$stdout"
expect_no_trace "$tmp/pre"
expect_no_trace "$tmp/post"

begin "what the user has set stays"
run env LD_PRELOAD="$BUILD/tests/fault/memory.so" PERF_CPUID=GenuineIntel-6-8F-8 "$TMA" --machine sapphirerapids \
	stat -e cycles -o "$tmp/counts" --pre 'env >&2' sh -c env
expect_status 0
for stream in stdout stderr; do
	expect_match $stream "^LD_PRELOAD=$BUILD/tests/fault/memory.so\$"
	expect_match $stream '^PERF_CPUID=GenuineIntel-6-8F-8$'
	expect_no_match $stream 'TMA_[MS]|libtma-sim'
done

begin "another tma that it runs is on the real machine, or on its own"
run env TMA_SIM_STEP=10 "$TMA" --machine alderlake stat -o "$tmp/counts" -e cycles "$TMA" test
expect_no_match stderr 'simulated machine .*cycles'
[ $test_state != ok ] || [ "$(grep -c 'simulated machine' "$stderr")" = 1 ] || fail "the inner one is simulated"
run env TMA_SIM_STEP=10 "$TMA" --machine alderlake stat -o "$tmp/counts" -e cycles \
	"$TMA" --machine skylakex stat -x, -e cycles true
expect_status 0
expect_match stderr "^tma: simulated machine 'alderlake'"
expect_match stderr "^tma: simulated machine 'skylakex'"

begin "the pager sees nothing of it either"
needs_command script
printf '#!/bin/sh\n{ %s; } >%s/paged\ncat >/dev/null\n' "$show" "$tmp" >"$tmp/pager"
chmod +x "$tmp/pager"
run env TMA_PAGER="$tmp/pager" \
	script -qec "$TMA --machine alderlake list" /dev/null
expect_status 0
expect_no_trace "$tmp/paged"
