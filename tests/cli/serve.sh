#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma serve, as those see it who scrape it, start it, and mean it harm: each test is a function of serve.py.
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || skip_all "needs python3"
"$TMA" --machine sapphirerapids serve --listen 127.0.0.1:0 -M no_such_metric >"$tmp/first" 2>&1
! grep -q -e 'was built without' -e 'cannot be loaded' "$tmp/first" || skip_all "no libmicrohttpd here"
tma=$(command -v "$TMA")
case $tma in /*) ;; *) tma=$PWD/$tma ;; esac

# serve NAME: run that test
serve()
{
	run timeout 300 python3 -B tests/cli/serve.py "$tma" "$1"
	[ "$status" != 77 ] || skip "$(cat "$stdout")"
	expect_status 0
}

begin "the text format, OpenMetrics and gzip have the same samples"
serve forms

begin "counters grow with each row, and level 1 is all slots"
serve counters

begin "cgroups with most CPU time have counters of their own, as has the rest, and come and go"
serve top_cgroups

begin "there are /metrics, /healthz and / to GET and HEAD, and nothing else" # R60
serve pages

begin "requests that are none harm nobody" # R60
serve odd_requests

begin "a Unix socket is for the user and the group, and is removed"
serve unix_socket

begin "who listens to others without a password or a certificate is warned"
serve warnings

begin "wrong options"
serve wrong_options

begin "a signal ends both processes, as does the end of the one that serves" # R62
serve ends

begin "a measurement that ends begins anew, and says so" # R62
serve begins_anew

begin "CPUs that come and go"
serve comes_and_goes

begin "a measurement that never had a row ends the program" # R62
serve no_row

begin "what was counted long ago is not served" # R62
serve stops_being_fresh

begin "without a user and a password nothing is served; wrong ones are limited; SIGHUP reads the users again" # R61
serve credentials

begin "an address that tries passwords takes no tries from another" # R61
serve addresses

begin "TLS, and SIGHUP reads the certificate again" # R61
serve certificate

begin "what measures knows no password and no key"
serve secrets

begin "slow clients hurt nobody, and are cut off" # R60
serve slow_clients

begin "more clients than there is room for" # R60
serve many_clients

begin "the manager of services is told"
serve service

begin "a socket that was given is served"
serve given_socket

begin "promtool finds nothing wrong, whatever is measured"
serve promtool

begin "the container with users: its options, its secret and its probes agree"
serve container

begin "no other command loads the libraries"
serve libraries

begin "systemd understands its units, and they have few rights"
needs_command systemd-analyze
for unit in tma-serve tma-textfile; do
	sed -e '/^@hardening@$/{r scripts/systemd/hardening' -e 'd}' -e 's,@bindir@/tma,/bin/true,' \
		scripts/systemd/$unit.service.in >"$tmp/$unit.service"
	run systemd-analyze verify --man=no "$tmp/$unit.service"
	expect_status 0
	expect_no_match stderr "$unit"
	run systemd-analyze security --offline=true --threshold=25 --no-pager "$tmp/$unit.service"
	expect_status 0
done

begin "node_exporter, which is another user, may read the file of the unit"
for unit in scripts/systemd/*.service.in scripts/systemd/hardening; do
	expect_no_match "$unit" '^(State|Cache|Logs)Directory='
done
expect_match scripts/systemd/tma-textfile.service.in '^RuntimeDirectoryMode=0755$'
expect_match scripts/systemd/tma-textfile.service.in '^UMask=0022$'

begin "systemd passes the files of --web-config as the manual says, and restarts nothing that is wrong with them"
needs_command systemd-analyze
sed -n '/^LoadCredential=/,/^----$/{/^----$/!p}' Documentation/tma-serve.1.adoc >"$tmp/credentials"
sed -e '/^@hardening@$/{r scripts/systemd/hardening' -e 'd}' -e 's,@bindir@/tma,/bin/true,' -e "/^Environment=TMA_SERVE=/r $tmp/credentials" \
	scripts/systemd/tma-serve.service.in >"$tmp/tma-serve.service"
[ "$(grep -c '^LoadCredential=' "$tmp/tma-serve.service")" = 3 ] || fail "the manual has no three LoadCredential="
run systemd-analyze verify --man=no "$tmp/tma-serve.service"
expect_status 0
expect_no_match stderr "tma-serve"
grep -q '^RestartPreventExitStatus=129$' "$tmp/tma-serve.service" || fail "status 129 restarts it"
