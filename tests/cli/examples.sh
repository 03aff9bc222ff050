#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The examples of README and the man pages, each of them run, or compiled.
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || skip_all "python3 is not installed"
python3 -B tests/cli/examples.py "$TMA" lib/topdown/include "$BUILD"
