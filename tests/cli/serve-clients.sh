#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Hostile clients of tma serve, which guess passwords or are slow: each test is a function of
# serve.py.
. "$(dirname "$0")/lib.sh"

needs_all_serve

begin "requests that are not HTTP do no harm" # R60
serve odd_requests

begin "slow clients hurt nobody, and are cut off" # R60
serve slow_clients

begin "more clients than there is room for" # R60
serve many_clients

begin "without a user and a password nothing is served; wrong ones are limited; SIGHUP reads the users again" # R61
serve credentials

begin "an address that tries passwords takes no tries from another" # R61
serve addresses

begin "TLS, and SIGHUP reads the certificate again" # R61
serve certificate

begin "the measuring process knows no password and no key"
serve secrets
