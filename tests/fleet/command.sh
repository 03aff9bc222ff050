#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma fleet, with a fake Prometheus: its requests, its output, and errors.
. "$(dirname "$0")/../cli/lib.sh"

command -v python3 >/dev/null || skip_all "needs python3"
unset TMA_PROMETHEUS http_proxy HTTP_PROXY all_proxy ALL_PROXY
HOME=$tmp
export HOME
fakes=
trap 'ended=$?; kill $fakes; (exit "$ended"); end_script' EXIT

# start_fake FILE [CERTIFICATE KEY]: start a server, and set $port
start_fake()
{
	file=$1
	shift
	python3 -B tests/fleet/fake.py "$file" "$tmp/asked" "$@" </dev/null >>"$tmp/fake" 2>&1 &
	fakes="$fakes $!"
	for _ in $(seq 1000); do
		[ ! -e "$file" ] || break
		sleep 0.1
	done
	read -r port <"$file"
}

start_fake "$tmp/port"
url=http://127.0.0.1:$port
"$TMA" fleet --prometheus "$url/good" >"$tmp/first" 2>&1 ||
	! grep -q -e 'libcurl' "$tmp/first" || skip_all "needs libcurl (scripts/setup)"

# fleet WAY [ARG ...]: run tma fleet with the server that answers in this way
fleet()
{
	way=$1
	shift
	: >"$tmp/asked"
	run "$TMA" fleet --prometheus "$url/$way" "$@"
}

begin "hosts and cgroups by slots lost"
fleet good
expect_status 0
expect_empty stderr
expect_stdout <<END
Slots of 2 hosts over 10m: 5.0 k/s, of which 66.0 % are lost

instance        lost  of all lost  of its own  most of it in
db-1:9100    3.0 k/s       90.9 %      75.0 %  tma_memory_bound 60.0 %
web-1:9100  300.0 /s        9.1 %      30.0 %  tma_memory_bound 20.0 %

cgroup              lost  of all lost  of its own  most of it in
nginx.service   400.0 /s       12.1 %      80.0 %  tma_memory_bound 60.0 %
evil?[31m"|\\.*   10.0 /s        0.3 %      20.0 %  tma_memory_bound 10.0 %
END

begin "in JSON, by its schema, with the queries"
fleet good -j
expect_status 0
cp "$stdout" "$tmp/json"
run python3 -B tests/formats/check.py json Documentation/tma-fleet.schema.json "$tmp/json"
expect_status 0
expect_match "$tmp/json" '"name":"nginx.service","rank":400,"share":0.8,"total":500,"lost":400,"bottleneck":"tma_memory_bound","bottleneck_share":0.6'

begin "names are quoted twice: for the regular expression, and for the query" # R64
expect_match "$tmp/asked" 'cgroup=~"nginx\\\\\.service[|]evil.\\\\\[31m\\"\\\\[|]\\\\\\\\\\\\\.\\\\\*"'

begin "a node that sorts the hosts"
fleet good --node tma_memory_bound --by instance -n 3 --at 2026-01-31T12:00:00Z
expect_status 0
expect_match stdout '^Slots of 2 hosts .* are lost$'
expect_match stdout '^Sorted by slots lost in tma_memory_bound$'
expect_match stdout '^db-1:9100 +2\.4 k/s +72\.7 % +60\.0 %'
expect_no_match stdout nginx
expect_match "$tmp/asked" '^topk\(3, sum by \(instance\) \(rate\(tma_slots_total\{metric="tma_memory_bound",cgroup=~"/\?"\}\[10m\]\)\)\) 2026-01-31T12:00:00Z -$'

begin "a tree"
fleet good tree --select 'cluster="eu", cgroup=~"ngi.*",' --window 1h
expect_status 0
expect_stdout <<'END'
Slots of 2 hosts over 1h, cluster="eu", cgroup=~"ngi.*",

cpu                    5.0 k/s
  tma_backend_bound     52.0 %   2.6 k/s
    tma_memory_bound    52.0 %   2.6 k/s
  tma_retiring          34.0 %   1.7 k/s
  tma_frontend_bound    14.0 %  700.0 /s
    tma_fetch_latency   14.0 %  700.0 /s
END
expect_match "$tmp/asked" '\{level=~"0[|]1[|]2",cluster="eu", cgroup=~"ngi\.\*"\}\[1h\]'
expect_no_match "$tmp/asked" '/[?]'

begin "shares are of the slots of the hosts that measure a node, and it is told which part they are"
fleet part tree
expect_status 0
expect_stdout <<'END'
Slots of 2 hosts over 10m

cpu                   10.0 k/s            measured on
  tma_backend_bound     60.0 %   6.0 k/s      100.0 %
    tma_memory_bound    45.0 %  450.0 /s       10.0 %
    tma_core_bound       5.0 %   50.0 /s       10.0 %
  tma_retiring          40.0 %   4.0 k/s      100.0 %
END
expect_match "$tmp/asked" '^sum by \(pmu, metric, parent, level\) \(rate\(tma_slots_total\{level=~"1[|]2",cgroup=~"/[?]"\}\[10m\]\) [*] 0 [+] ignoring \(metric, parent, level\) group_left \(\) rate\(tma_slots_total\{metric="total",cgroup=~"/[?]"\}\[10m\]\)\) now -$'

begin "a level that few hosts measure does not have the node that most is lost in"
fleet part --by cluster
expect_status 0
expect_match stdout '^eu +6\.0 k/s +100\.0 % +60\.0 % +tma_backend_bound 60\.0 %$'
expect_match "$tmp/asked" 'sum by \(cluster, metric, parent, level\) \(sum without \(pmu\) \(rate\(.*,cluster=~"eu".*\)\) [*] 0 .* sum without \(pmu\) \(rate\(tma_slots_total\{metric="total",cluster=~"eu"'
fleet part --by cluster --node tma_memory_bound
expect_status 0
expect_match stdout '^eu +450\.0 /s +7\.5 % +45\.0 % +tma_backend_bound 60\.0 %$'

begin "two windows"
fleet good diff
expect_status 0
expect_stdout <<'END'
A: Slots of 2 hosts over 10m, 1d before
B: Slots of 2 hosts over 10m

cpu                    3.0 k/s  5.0 k/s  B - A
  tma_backend_bound     33.3 %   52.0 %  +18.7
    tma_memory_bound    33.3 %   52.0 %  +18.7
  tma_retiring          50.0 %   34.0 %  -16.0
  tma_frontend_bound    16.7 %   14.0 %   -2.7
    tma_fetch_latency   16.7 %   14.0 %   -2.7
END

begin "trees in JSON are of the schema as well"
fleet good diff -j --against 'a="b"' --offset 2d
expect_status 0
cp "$stdout" "$tmp/json"
run python3 -B tests/formats/check.py json Documentation/tma-fleet.schema.json "$tmp/json"
expect_status 0

begin "queries are shown with -v, and the answer is written to a file"
fleet good tree -v -o "$tmp/out"
expect_status 0
expect_match stderr '^tma: sum by \(pmu, metric, parent, level\) \(rate\(tma_slots_total\{level=~"0[|]1[|]2",cgroup=~"/[?]"\}\[10m\]\)\)$'
expect_empty stdout
expect_match "$tmp/out" tma_memory_bound

begin "a token is sent"
printf 'se-cret\nmore\n' >"$tmp/token"
fleet good tree --token-file "$tmp/token"
expect_status 0
expect_match "$tmp/asked" 'Bearer se-cret$'
expect_no_match stderr 'can read the token'

begin "a token that can be read on the way is told of, and goes through no proxy to this machine"
run env http_proxy="$url" "$TMA" fleet --prometheus http://prometheus.example/good tree --token-file "$tmp/token"
expect_status 0
expect_match stderr '^tma: http://prometheus\.example/good: others on the network can read the token; use https$'
run env http_proxy=http://127.0.0.1:1 "$TMA" fleet --prometheus "$url/good" tree --token-file "$tmp/token"
expect_status 0
expect_no_match stderr 'can read the token'
run env http_proxy="$url" "$TMA" fleet --prometheus http://127.example/good tree --token-file "$tmp/token"
expect_match stderr 'can read the token'

begin "a user and a password are those of ~/.netrc for this host"
printf 'machine elsewhere login other password wrong\nmachine 127.0.0.1 login me password ge-heim\n' >"$HOME/.netrc"
chmod 600 "$HOME/.netrc"
fleet good tree
expect_status 0
expect_match "$tmp/asked" 'Basic bWU6Z2UtaGVpbQ==$'
expect_no_match stdout ge-heim
printf 'machine elsewhere login other password wrong\n' >"$HOME/.netrc"
fleet good tree
expect_status 0
expect_match "$tmp/asked" ' -$'
rm "$HOME/.netrc"

# make_certificate NAME SUBJECT: make a certificate for a host of this name, signed by itself
make_certificate()
{
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$2" \
		-addext "subjectAltName=$2" -keyout "$tmp/$1.key" -out "$tmp/$1.pem" 2>>"$tmp/openssl"
}

# ask_tls [ARG ...]: run tma fleet with the same server, which has a certificate
ask_tls()
{
	: >"$tmp/asked"
	run "$TMA" fleet --prometheus "$tls/good" tree "$@"
}

begin "a server's certificate has to be one of --ca-file"
needs_command openssl
if [ $test_state = ok ]; then
	make_certificate right IP:127.0.0.1
	make_certificate wrong DNS:elsewhere
	start_fake "$tmp/tls" "$tmp/right.pem" "$tmp/right.key"
	tls=https://127.0.0.1:$port
fi
ask_tls --ca-file "$tmp/right.pem"
expect_status 0
expect_match stdout tma_memory_bound
for ca in "" "--ca-file $tmp/wrong.pem"; do
	# shellcheck disable=SC2086 # none or two words
	ask_tls $ca
	expect_status 125
	expect_empty "$tmp/asked"
	expect_match stderr '^tma: cannot ask https://.*certificate'
done

begin "the certificate's name has to be that of the URL"
needs_command openssl
if [ $test_state = ok ]; then
	start_fake "$tmp/other" "$tmp/wrong.pem" "$tmp/wrong.key"
	tls=https://127.0.0.1:$port
fi
ask_tls --ca-file "$tmp/wrong.pem"
expect_status 125
expect_empty "$tmp/asked"
expect_match stderr '^tma: cannot ask https://.*(certificate|name)'

begin "a file of certificates that is not there, or has none, is told of"
ask_tls --ca-file "$tmp/none"
expect_status 125
expect_match stderr "^tma: .*$tmp/none"
ask_tls --ca-file "$tmp/token"
expect_status 125
expect_match stderr '^tma: cannot ask'

begin "the environment says where Prometheus is"
run env TMA_PROMETHEUS="$url/good/" "$TMA" fleet tree
expect_status 0

begin "warnings are told, without what a terminal would act on" # R64
fleet warns tree
expect_status 0
expect_match stderr 'warns: a store\?\[2J could\?not\?be reached'
expect_equal "warnings" "$(grep -c 'warns:' "$stderr")" 1

# refused WAY REGEX [ARG ...]: tma fleet fails, and its message matches REGEX
refused()
{
	way=$1 words=$2
	shift 2
	begin "$way: it is said what went wrong" # R63
	fleet "$way" "$@"
	expect_status 125
	expect_empty stdout
	expect_match stderr "^tma: .*$words"
}

refused empty 'has no data for rate\(tma_slots_total.*: is it scraped, at least twice in the window\?'
refused bad 'HTTP 400.: bad_data: parse error: no'
refused full 'HTTP 503.: not an answer of Prometheus: JSON'
refused half 'its JSON ends too early'
refused other 'that is not from tma|nothing for' tree
refused huge 'more than 32 MiB'
refused many 'not an answer of Prometheus: 1e\+300 hosts' tree
refused values 'not an answer of Prometheus: it has too many values' tree
refused slow 'no answer from .* within 1 s' --timeout 1
refused cut 'cannot ask .*: '
refused secret 'requires credentials .HTTP 401.'
refused moved 'redirects elsewhere .HTTP 302.'
refused nothing 'no Prometheus at .* .HTTP 404'

begin "no server listens" # R63
run "$TMA" fleet --prometheus http://127.0.0.1:1
expect_status 125
expect_match stderr '^tma: cannot ask http://127.0.0.1:1: .*[Cc]onnect'

# wrong REGEX ARG ...: an option is wrong, and tma fleet asks nothing
wrong()
{
	words=$1
	shift
	begin "wrong: $*"
	fleet good "$@"
	expect_status 129
	expect_match stderr "$words"
	expect_empty "$tmp/asked"
}

wrong 'use top, tree or diff' bottom
wrong 'unexpected argument' tree tree
wrong "window '10'" --window 10
wrong "window '0s'" --window 0s
wrong "window '5m1h'" --window 5m1h
wrong 'a value in quotes is missing' --select 'a=b'
wrong 'one of =, !=, =~ and' --select 'a'
wrong 'the name of a label' --select '1="2"'
wrong 'a comma is missing' --select 'a="b"} or up{c="d"'
wrong "not a label's name" --by 'a b'
wrong 'not between 1 and 1000' -n 0
wrong 'are for diff' --offset 1h
wrong 'are for top' tree --by x
wrong 'slots or cycles' --counters x

begin "a URL with a password, or of something else, is refused" # R64
run "$TMA" fleet --prometheus 'http://me:secret@host'
expect_status 129
expect_match stderr 'everyone can see'
expect_no_match stderr secret
run "$TMA" fleet --prometheus 'file:///etc/passwd'
expect_status 129

begin "a narrow terminal cuts names"
needs_command script
run script -qec "stty cols 62; '$TMA' fleet --prometheus '$url/good' --by cgroup" /dev/null
expect_match stdout '^nginx\.serv\.\. +400\.0 /s'

begin "libcurl is loaded by this command alone"
needs_counters
LD_DEBUG=files
export LD_DEBUG
fleet good
expect_match stderr 'libcurl\.so'
run "$TMA" stat -e task-clock true
expect_status 0
expect_no_match stderr 'libcurl\.so'
unset LD_DEBUG
