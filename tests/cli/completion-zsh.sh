#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Completion in zsh: the tests of completion.sh.
shells=zsh
. "$(dirname "$0")/completion.sh"
