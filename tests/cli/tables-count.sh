#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Events, metrics and CPU ids of the built-in tables, compared with those that Python finds in the
# vendors' JSON.
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || skip_all "python3 is not installed"
list=$BUILD/tests/tables/list
[ -x "$list" ] || skip_all "$list is not built; make tests"

# The JSON that the tables of this build are made from.
set --
for arch in $(sed -n 's/.*table_data_\([a-z0-9]*\);/\1/p' "$BUILD/pmu-events/archs.c"); do
	for dir in $(sed 's/:.*//' "$BUILD/.tables-$arch"); do
		[ ! -d "$dir/$arch" ] || set -- "$@" "$dir/$arch"
	done
done

begin "every model's events and metrics are those of its JSON, and every row of a mapfile leads there"
run python3 -B tests/tables/count.py "$list" "$@"
expect_status 0
expect_match stdout '^[0-9]+ models with [0-9]{2,} events and [0-9]+ metrics, [0-9]+ CPU ids: 0 differences$'

begin "a table that lacks an event is found out"
mkdir "$tmp/x86"
cp -r "${1:?}/skylake" "$tmp/x86/" 2>/dev/null || skip "the tables of this build have no skylake"
printf '%s\n' '[{"EventName": "NO.SUCH_EVENT"}, {"MetricName": "none", "MetricExpr": "1"}]' \
	>"$tmp/x86/skylake/more.json"
run python3 -B tests/tables/count.py "$list" "$@" "$tmp/x86"
expect_status 1
expect_match stdout '^skylake: event no.such_event of default_core is missing$'
expect_match stdout '^skylake: metric none of default_core is missing$'
expect_match stdout ': 2 differences$'
