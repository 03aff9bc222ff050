#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The recording rules and alerts, by Prometheus' own tests of rules, and the dashboard's form.
. "$(dirname "$0")/../cli/lib.sh"

begin "promtool accepts the recording rules and alerts"
needs_command promtool
run promtool check rules scripts/fleet/tma.rules.yml
expect_status 0
expect_match stdout '^  SUCCESS: '

begin "shares have the weight of slots, and alerts fire, on made up counters"
needs_command promtool
run promtool test rules tests/fleet/rules.test.yml
expect_status 0
expect_match stdout '^  SUCCESS$'

begin "what tma exports is as Prometheus wants it"
needs_command promtool
run env TMA_SIM_STEP=1000 "$TMA" --machine alderlake stat -a --topdown --td-level 2 --error -I 15000 \
	--interval-count 2 --format=prom -o "$tmp/prom"
# shellcheck disable=SC2016 # the inner shell's
run sh -c 'promtool check metrics <"$1"' sh "$tmp/prom"
expect_status 0

begin "the dashboard asks for what the rules record"
run python3 -B tests/fleet/dashboard.py scripts/fleet/tma.dashboard.json scripts/fleet/tma.rules.yml
expect_status 0
expect_match stdout '^[1-9][0-9]* queries$'
