#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tma serve --top-cgroups: cgroups come and go, and are more than can be counted: each test is a
# function of serve.py.
. "$(dirname "$0")/lib.sh"

needs_all_serve

begin "cgroups with most CPU time, and all others together, have counters; cgroups come and go"
serve top_cgroups

begin "cgroups that are named are counted once they are there" # R72
serve named_cgroups
