#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs the tests written in Python: metrics as code, and the overlay tables made by it.
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || skip_all "python3 is not installed"
python3 -B tests/python/run.py
