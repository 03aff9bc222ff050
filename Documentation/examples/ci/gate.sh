#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Whether a change makes a command worse: gate.sh BEFORE AFTER, each a command in quotes
#
# Writes comment.md (COMMENT=FILE), for the pull request. The exit status is 0; 123 where something is
# certainly worse by more than its limit; or that of tma or a command where nothing could be compared, which is
# no verdict on the change. Limits are variables, "" for none:
#   INSTRUCTIONS=1%  TIME=10%  RUNS=20  NODES='tma_memory_bound>+3 tma_bad_speculation>+3'
set -eu

before=$1
after=$2
comment=${COMMENT:-comment.md}
part=$(mktemp)
trap 'rm -f "$part"' EXIT
status=0
: >"$comment"

# compare TITLE OPTION ...: a part of the comment; a limit that is passed is remembered, all else that is wrong ends it
compare()
{
	title=$1
	shift
	found=0
	tma compare --markdown -o "$part" "$@" "$before" "$after" || found=$?
	case $found in
	0 | 123) ;;
	*)
		cat "$part" >&2
		exit "$found"
		;;
	esac
	[ "$found" = 0 ] || status=123
	printf '### %s\n\n' "$title" | cat - "$part" >>"$comment"
	echo >>"$comment"
}

# has_counters: whether hardware events can be counted here
has_counters()
{
	tma test -j | grep -q '"check":"hardware events","result":"ok"'
}

instructions=${INSTRUCTIONS-1%}
time=${TIME-10%}
set -- -r "${RUNS:-20}" --warmup 1
if has_counters; then
	set -- "$@" -e instructions ${instructions:+--fail-if "instructions>+$instructions"}
	for node in ${NODES-}; do
		set -- "$@" --fail-if "$node"
	done
elif [ -n "$instructions" ]; then
	compare "Instructions" --count instructions --fail-if "instructions>+$instructions"
fi
compare "Time" "$@" ${time:+--fail-if "time>+$time"}
cat "$comment"
exit $status
