#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma test --report: a file for an issue, without any name that a person gave.
. "$(dirname "$0")/lib.sh"

machines=$(cd "$BUILD" && pwd)/machines
program=$(command -v "$TMA")
program=$(cd "$(dirname "$program")" && pwd)/${program##*/}
report=$tmp/report.md
promise='read it before you send it; it has no names of hosts, users, files or processes'

# expect_whole FILE: it has each section, fences are in pairs, and it fits into an issue (65,536
# characters)
expect_whole()
{
	for section in Program Machine Kernel Checks PMUs; do
		expect_match "$1" "^## $section\$"
	done
	expect_equal "fences" "$(grep -c '^```' "$1")" 10
	expect_between "bytes" "$(wc -c <"$1")" 1000 60000
}

begin "a report is written beside the lines of the checks, and the program says so"
run "$TMA" --machine skylakex test --report "$report"
expect_status 0
expect_match stdout '^ok   hardware events$'
expect_match stderr "^tma: report: .*/report\.md: $promise\$"
expect_whole "$report"
expect_match "$report" '^Written by .*, on a [*][*]simulated machine[*][*]\. '
expect_match "$report" '^tma +[0-9]+\.[0-9]+\.[0-9]+( \(commit [0-9a-f]+\))?$'
expect_match "$report" "^kernel +$(uname -r)\$"
expect_match "$report" '^BPF counters +(not )?built in$'
expect_match "$report" '^simulated +skylakex: '
expect_match "$report" '^CPU id +GenuineIntel-6-55-4$'
expect_match "$report" '^model name +Intel\(R\) Xeon\(R\) '
expect_match "$report" '^topology +sockets 2, dies 2, cores 8, threads 16, NUMA nodes 2, SMT on$'
expect_match "$report" '^CPUs online +16 \(0-15\)$'
expect_match "$report" '^tables +skylakex v[0-9.]+ \(built in\): [0-9]+ events, [0-9]+ metrics, hash [0-9a-f]{16}$'
expect_match "$report" '^perf_event_paranoid +-1$'
expect_match "$report" '^rights +(not )?root'
expect_match "$report" '^ok   hardware events$'
expect_match "$report" '^     exit status 0, after [0-9.]+ s$'
expect_match "$report" '^cpu: type 4, .*rdpmc 1'
expect_match "$report" '^  caps +.*max_precise=3'
expect_match "$report" '^  format +.*cmask .*umask$'
expect_match "$report" '^  events +branch-instructions '
expect_match "$report" '^uncore_imc_\*: 6, types 24 25 26 27 28 29, cpumask 0,4,'
expect_no_match "$report" '\.(scale|unit)( |$)'

begin "- is standard output, with the report alone"
run "$TMA" --machine kernels test --report -
expect_status 0
cp "$stdout" "$tmp/answer"
expect_whole "$tmp/answer"
expect_equal "first line" "$(head -n 1 "$tmp/answer")" "# tma test"
expect_match "$tmp/answer" '^ok   kernel chase: .*: backend_bound [0-9.]+ %, memory_bound [0-9.]+ %$'
expect_match stderr "^tma: report: $promise\$"

begin "core types, vendors and architectures have what there is of them"
for machine in alderlake zen4 neoverse-n2 sapphirerapids-guest; do
	run "$TMA" --machine $machine test --report "$tmp/$machine"
	expect_status 0
	expect_whole "$tmp/$machine"
done
expect_match "$tmp/alderlake" '^cpu_atom +8 \(16-23\)$'
expect_match "$tmp/alderlake" '^cpu_core: type 4, cpus 0-15,'
expect_match "$tmp/zen4" '^CPU id +AuthenticAMD-25-11-1$'
expect_match "$tmp/neoverse-n2" '^CPU id +0x00000000410fd490$'
expect_match "$tmp/neoverse-n2" '^hypervisor +unknown$'
expect_match "$tmp/neoverse-n2" '^armv8_pmuv3_0: type 8, '
expect_match "$tmp/sapphirerapids-guest" '^hypervisor +yes$'

begin "this machine has one, with counters or without"
run "$TMA" test --report -
cp "$stdout" "$tmp/answer"
expect_whole "$tmp/answer"
expect_no_match "$tmp/answer" 'simulated'
expect_match "$tmp/answer" '^software: type 1'

# The program prints or reads each of these words.
begin "no name is in it: of the host, users, files, tables, a machine, or the directory"
mkdir -p "$tmp/secret home/secret work/secret-tables"
echo '[{"MetricName": "own", "MetricExpr": "cycles"}, {"secret": 1}]' >"$tmp/secret home/secret work/secret-tables/secret.json"
sed "s#^include #include $machines/#" "$machines/kernels" >"$tmp/secret home/secret-machine"
cat >"$tmp/nameless" <<'END'
cd "$1/secret home/secret work" || exit
program=$2
[ -z "$3" ] || hostname secret-host.example.org || exit
shift 3
export HOME="$PWD" USER=secret-user LOGNAME=secret-log SUDO_USER=secret-sudo SECRET=secret-value TMA_TABLES=secret-tables
exec "$program" "$@"
END
for machine in '' ../secret-machine; do
	run sh "$tmp/nameless" "$tmp" "$program" '' ${machine:+--machine $machine} --tables "$tmp/secret home/secret work/secret-tables" test --report report.md
	expect_status 0
	answer="$tmp/secret home/secret work/report.md"
	expect_whole "$answer"
	[ ! -s "$answer" ] || ! grep -n -i -e secret -e example -e "$tmp" "$answer" >"$tmp/leaks" || fail "names are in the report" "$tmp/leaks"
	expect_match "$answer" '^tables +\(path\) \(\(path\)\): 0 events, 1 metrics, hash '
done
expect_match "$answer" '^simulated +\(machine file\): '

begin "nor that of a host which is named in a message"
needs_root
unshare -u true 2>/dev/null || skip "no namespace for a name of the host"
run unshare -u sh "$tmp/nameless" "$tmp" "$program" host --machine ../secret-machine test --report -
expect_status 0
expect_no_match stdout '[Ss]ecret|example'

begin "nor the value of PERF_CPUID, unless a vendor has such a CPU"
run env PERF_CPUID=secret-id "$TMA" test --report -
expect_no_match stdout 'secret'
expect_match stdout '^CPU id +\(PERF_CPUID\)'
run env PERF_CPUID=GenuineIntel-6-8F-8 "$TMA" test --report -
expect_match stdout '^CPU id +GenuineIntel-6-8F-8, of PERF_CPUID$'

begin "an ordinary user has a report, and is not root in it"
needs_root
command -v setpriv >/dev/null || skip "needs setpriv"
make_public "$BUILD/tma"
run setpriv --reuid 65534 --regid 65534 --clear-groups "$tmp/public/tma" test --report -
cp "$stdout" "$tmp/answer"
expect_whole "$tmp/answer"
expect_match "$tmp/answer" '^rights +not root'

begin "a report without a place is refused before anything is measured"
run env TMA_SIM_TRUTH="$tmp/truth" "$TMA" --machine kernels test --report /nosuch/report.md
expect_status 125
expect_empty stdout
expect_match stderr '^tma: cannot open /nosuch/report\.md for writing: No such file or directory$'

begin "a report that cannot be written" # R12
[ -c /dev/full ] || skip "no /dev/full"
run "$TMA" --machine skylakex test --report /dev/full
expect_status 125
expect_match stderr '^tma: cannot write to /dev/full: No space left on device$'
expect_no_match stderr 'report:'
run sh -c "$TMA --machine skylakex test --report - >/dev/full"
expect_status 125
expect_match stderr 'cannot write to standard output: No space left on device'

begin "wrong options are 129"
run "$TMA" test -w adds --report "$report"
expect_status 129
expect_match stderr '^tma: -w and --report cannot be combined: a workload checks nothing$'
run "$TMA" test --report ''
expect_status 129
expect_match stderr '^tma: --report needs the name of a file, or - for standard output$'
run "$TMA" test --report
expect_status 129
