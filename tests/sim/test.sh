#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma test: what can be counted, and kernels with a known bottleneck in phases of known mix.
. "$(dirname "$0")/../cli/lib.sh"

machines=$(cd "$BUILD" && pwd)/machines

# altered MACHINE SED-SCRIPT: write a changed machine to $tmp/machine
altered()
{
	sed "s#^include #include $machines/#; $2" "$machines/$1" > "$tmp/machine"
}

begin "TopDown names the bottleneck of each kernel"
run "$TMA" --machine kernels test
expect_status 0
expect_match stdout '^     CPU GenuineIntel-6-8F-8$'
expect_match stdout '^ok   kernel adds: independent additions: retiring 80\.[0-9] %$'
expect_match stdout '^ok   kernel branches: .*: bad_speculation 50\.[0-9] %$'
expect_match stdout '^ok   kernel divides: .*: backend_bound 82\.[0-9] %, core_bound 8[01]\.[0-9] %$'
expect_match stdout '^ok   kernel chase: .*: backend_bound 8[12]\.[0-9] %, memory_bound 6[56]\.[0-9] %$'
expect_match stdout '^ok   kernel jumps: .*: frontend_bound 6[89]\.[0-9] %, fetch_latency 42\.[0-9] %$'
# Tracepoints are the real kernel's, and this user may not be allowed to see them.
expect_no_match stdout '^no   ([^t]|t[^r])'

begin "what it names wrongly is a line and a status"
altered kernels 's/^phase-names.*/phase-names jumps divides branches chase adds/'
run "$TMA" --machine "$tmp/machine" test
expect_status 1
expect_match stdout '^no   kernel adds: .*: retiring 1[34]\.[0-9] %, but frontend_bound 6[89]\.[0-9] %$'
expect_match stdout '^no   kernel divides: .*: backend_bound 5\.[0-9] %, but bad_speculation 50\.[0-9] %$'
expect_match stdout '^no   kernel jumps: .*: frontend_bound 10\.[0-9] %, and at least 20 % are expected$'
expect_match stdout '^ok   kernel chase: '

begin "a kernel that does not run is not judged"
run sh -c 'ulimit -v 100000 && exec "$@"' sh "$TMA" --machine kernels test
expect_status 0
expect_match stdout '^     kernel chase: .*: not judged: it could not be run and counted \(status 125\)$'
expect_match stderr '^tma: 128 MiB of memory are not available$'
expect_match stdout '^ok   kernel adds: '

begin "each type of core is tried"
altered alderlake '/^phases/a phase-names adds branches chase jumps'
sed -i 's/^let retiring .*/let retiring 0.8 0.2 0.1 0.1/; s/^let bad_spec .*/let bad_spec 0.02 0.5 0.02 0.06/
	s/^let fe_bound .*/let fe_bound 0.1 0.25 0.05 0.74/; s/^let mem_bound .*/let mem_bound 0.02 0.01 0.7 0.02/' \
	"$tmp/machine"
run "$TMA" --machine "$tmp/machine" test
expect_status 0
expect_match stdout '^ok   kernel adds on cpu_core: .*: retiring 80\.[0-9] %$'
expect_match stdout '^ok   kernel adds on cpu_atom: .*: retiring 80\.[0-9] %$'
expect_match stdout '^ok   kernel jumps on cpu_atom: '
expect_match stdout "^     kernel divides: the simulated machine '.*' has no phase for it$"

begin "a machine without such phases says where they are"
run "$TMA" --machine zen4 test
expect_status 0
expect_match stdout "^     kernels: the simulated machine 'zen4' has no phases for them; 'kernels' has$"

begin "without counters no kernel is run"
run "$TMA" test
if ls /sys/bus/event_source/devices/cpu /sys/bus/event_source/devices/cpu_core > /dev/null 2>&1; then
	skip "this machine has a core PMU"
else
	needs_counters
	expect_status 0
	expect_match stdout '^no   hardware events: sysfs shows no core PMU'
	expect_no_match stdout '^(ok|no)   kernel'
fi

begin "workloads are run, and others are refused"
for name in adds branches divides chase jumps noploop; do
	run "$TMA" test -w $name 0.01
	expect_status 0
done
run "$TMA" test -w chase x
expect_status 129
expect_match stderr "^tma: chase: 'x' is not a number of seconds$"
run "$TMA" test -w what
expect_status 129
expect_match stderr '^tma: -w what: unknown workload; use noploop, adds, branches, divides, chase, jumps$'
