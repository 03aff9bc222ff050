#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Values when a file of sysfs or procfs, or a counter, is wrong. make check-facts tries every file
# and every counter.
. "$(dirname "$0")/lib.sh"

needs_all_python
needs_all_strace

begin "some facts are spoilt: each value is as without, or is marked, and what is missing is named" # R38
run python3 -B tests/fault/facts.py --every 73 "$BUILD" '^stat -a: skylakex' '^stat -M: alderlake' \
	'^stat task: ' '^why -a: zen4' '^compare: zen4' '^serve: zen4'
expect_status 0
expect_match stdout '^all +[0-9]+ +[0-9]+ +[0-9]+ +0$'

# wrong PROGRAM WHAT: PROGRAM replaces tma, and its fault must be found
wrong()
{
	mkdir -p "$tmp/build"
	printf '#!/bin/sh\nreal=%s\n%s\n' "$(cd "$BUILD" && pwd)/tma" "$1" >"$tmp/build/tma"
	chmod +x "$tmp/build/tma"
	ln -sf "$sim_library" "$tmp/build"
	run python3 -B tests/fault/facts.py --every 9 "$tmp/build" '^stat --per-node: '
	expect_status 1
	expect_match stdout "$2"
}

begin "another value, a mark without a name, a crash: each is found"
# shellcheck disable=SC2016 # for the program to expand
{
	# shellcheck disable=SC2028 # so it is printed by sed
	wrong '"$real" "$@" 2>/dev/null; rc=$?; for f; do [ ! -f "$f" ] || [ -z "$TMA_SIM_FAULT" ] ||
		sed -i "s/\"value\":[0-9]/\"value\":77/" "$f"; done; exit $rc' ': silent: '
	wrong '"$real" "$@" 2>/dev/null; rc=$?; for f; do [ ! -f "$f" ] || [ -z "$TMA_SIM_FAULT" ] ||
		sed -i "s/\"value\":[0-9]*/\"value\":null/;s/\"reason\":\"\"/\"reason\":\"lost\"/" "$f"; done; exit $rc' ': unnamed: '
	wrong '[ -z "$TMA_SIM_FAULT" ] || kill -SEGV $$; exec "$real" "$@"' ': crash: '
}
