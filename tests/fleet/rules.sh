#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The recording rules and alerts, by Prometheus' own tests of rules, and the dashboard's form.
. "$(dirname "$0")/../cli/lib.sh"

# Prometheus needs half a minute for these rules.
needs_fleet()
{
	[ -n "${TMA_TEST_FLEET-}" ] || skip "make check-fleet runs the tests of rules (scripts/setup check-fleet)"
}

begin "promtool accepts the recording rules and alerts"
needs_command promtool
for rules in tma.rules.yml tma.global.rules.yml; do
	run promtool check rules "scripts/fleet/$rules"
	expect_status 0
	expect_match stdout '^  SUCCESS: '
done

begin "shares have the weight of slots, and alerts fire, on made up counters"
needs_fleet
run promtool test rules tests/fleet/rules.test.yml
expect_status 0
expect_match stdout '^  SUCCESS$'

begin "a Prometheus above several makes shares of the sums of their slots"
needs_fleet
run promtool test rules tests/fleet/global.test.yml
expect_status 0
expect_match stdout '^  SUCCESS$'

begin "the upper Prometheus records the same series as those below"
run python3 -B tests/fleet/same.py scripts/fleet/tma.rules.yml scripts/fleet/tma.global.rules.yml
expect_status 0
expect_match stdout '^[1-9][0-9]* rules$'

begin "promtool accepts the configurations of the manual"
needs_command promtool
python3 - "$tmp" <<'END'
import re, sys
with open('Documentation/fleet.adoc', encoding='utf-8') as file:
    blocks = re.findall(r'(?ms)^----\n(.*?)^----$', file.read())
for i, block in enumerate(blocks):
    with open(f'{sys.argv[1]}/{i}.yml', 'w', encoding='utf-8') as file:
        block = block.replace('[tma.', '[scripts/fleet/tma.')
        # Debian's Prometheus does not have this function.
        file.write(re.sub(r'    kubernetes_sd_configs: .*\n', '', block))
END
for config in "$tmp"/*.yml; do
	run promtool check config --syntax-only "$config"
	expect_status 0
	expect_match stdout 'SUCCESS'
done

begin "the dashboard asks for what the rules record"
run python3 -B tests/fleet/dashboard.py scripts/fleet/tma.dashboard.json scripts/fleet/tma.rules.yml
expect_status 0
expect_match stdout '^[1-9][0-9]* queries$'
