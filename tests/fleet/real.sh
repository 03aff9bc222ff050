#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Three simulated hosts and a real Prometheus, which takes two minutes: make check-fleet does it.
. "$(dirname "$0")/../cli/lib.sh"

[ -n "${TMA_TEST_FLEET-}" ] || skip_all "make check-fleet runs a real Prometheus (scripts/setup check-fleet)"
python3 -B tests/fleet/real.py "$TMA"
