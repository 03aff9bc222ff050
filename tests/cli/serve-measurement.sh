#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The measuring process of tma serve ends, hangs, never has a row, or outlives CPUs: each test is a
# function of serve.py.
. "$(dirname "$0")/lib.sh"

needs_all_serve

begin "both processes end after a signal, and after the end of the serving process" # R62
serve ends

begin "a measurement that ends begins anew, and says so" # R62
serve begins_anew

begin "a measurement that is killed before its first row is reported" # R62
serve killed_early

begin "CPUs that come and go"
serve comes_and_goes

begin "a measurement that never had a row ends the program" # R62
serve no_row

begin "counters that can never be read are not served" # R72
serve never_read

begin "in a virtual machine without TopDown metric events the tree counts slots, too" # R73
serve of_plain_events

begin "the first row comes soon, however long the others are" # R72
serve comes_at_once

begin "old counts are not served" # R62
serve stops_being_fresh
