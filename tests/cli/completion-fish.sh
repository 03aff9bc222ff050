#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Completion in fish: the tests of completion.sh.
shells=fish
. "$(dirname "$0")/completion.sh"
