#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma serve from the view of its clients and starters: each test is a function of serve.py.
. "$(dirname "$0")/lib.sh"

needs_all_serve

begin "the text format, OpenMetrics and gzip have the same samples"
serve forms

begin "counters grow with each row, and level 1 is all slots"
serve counters

begin "there are /metrics, /healthz and / to GET and HEAD, and nothing else" # R60
serve pages

begin "a Unix socket is for the user and the group, and is removed"
serve unix_socket

begin "a warning is printed if others can connect without a password or a certificate"
serve warnings

begin "wrong options"
serve wrong_options

begin "the service manager is notified"
serve service

begin "a socket that was passed is served"
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
