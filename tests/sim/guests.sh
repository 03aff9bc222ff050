#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A virtual machine has the counters for itself while its guests run (Linux 7.0): events that do not leave guests out are
# refused, of CPUs and of tasks.
. "$(dirname "$0")/../cli/lib.sh"

TMA_SIM_STEP=10
export TMA_SIM_STEP
machines=$(cd "$(dirname "$0")/../../lib/sim/machines" && pwd)
sed "s|^include |include $machines/|; s|^include .*/goldencove.part\$|&\nmediated-vpmu|" "$machines/sapphirerapids" >"$tmp/machine"
note='without guests: a virtual machine has the counters for itself while its guests run$'

for target in -a ''; do
	begin "${target:-a command}: what leaves guests out is counted, and nothing is said" # R52
	# shellcheck disable=SC2086 # no word for a command
	run "$TMA" --machine "$tmp/machine" stat $target -x, -e cycles,instructions:u,cycles:H -- true
	expect_status 0
	expect_no_match stderr 'guests|not supported'

	begin "${target:-a command}: what asks for guests too is counted without them, which is said" # R52
	# shellcheck disable=SC2086
	run "$TMA" --machine "$tmp/machine" stat $target -e cycles:GH -- true
	expect_status 0
	expect_match stderr "^tma: cycles:GH is counted $note"
	expect_match stderr '^ +[1-9][0-9]* +cycles:GH'

	begin "${target:-a command}: guests alone are not supported, and the reason says why" # R52
	# shellcheck disable=SC2086
	run "$TMA" --machine "$tmp/machine" stat $target --format=json -o - -e cycles:G,cycles --timeout 100
	expect_match stdout '"name":"cycles:G".*a virtual machine has the counters for itself'
done

begin "TopDown and its metrics of every level" # R52
run "$TMA" --machine "$tmp/machine" stat -a --topdown --td-level 3 --metric-only -I1000 --interval-count 1
expect_status 0
expect_no_match stderr 'nan|guests'

begin "tma why, with what it samples" # R52
run "$TMA" --machine "$tmp/machine" why -a --once --budget 2s
expect_status 0
expect_no_match stdout 'guests'
expect_no_match stderr 'not supported|guests'
