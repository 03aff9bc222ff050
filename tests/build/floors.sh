#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Rules beyond the order of the floors: the measuring engine has no command line and prints
# nothing, and no code writes to its request.
. "$(dirname "$0")/../cli/lib.sh"

# Arguments: a regular expression of perl, and files
expect_nowhere()
{
	run grep -nP "$@"
	expect_status 1
	expect_empty stdout
}

begin "lib/run knows no option table, no words of a command line and no stream"
expect_nowhere 'subcmd/|\bargc\b|char \*\*argv|\bFILE \*|\b(f?printf|fputs|puts|getenv|exit)\(' lib/run/*.[ch]

begin "no command takes the way of another one's command line"
expect_nowhere 'cmd_(stat|plan)\(' cmd/[!s]*/*.c cmd/serve/*.c

begin "a request is const for the run, and options are const once they are settled"
expect_nowhere '(?<!const )struct request \*' lib/run/*.[ch]
expect_nowhere '(?<!const )struct stat_options \*' cmd/stat/again.c cmd/stat/check.c cmd/stat/dry_run.c \
	cmd/stat/output.c cmd/stat/page.c cmd/stat/rows.c cmd/stat/stat.c cmd/stat/notes.c

begin "options of tma stat are few enough to be read"
fields=$(sed -n '/^struct stat_options {/,/^};/p' cmd/stat/stat.h | sed 's/VEC([^)]*)/VEC/; s/{.*//' | tr ',;' '\n\n' |
	grep -cE '[a-z_]+(\[[A-Z_]+\])?$')
expect_between "fields" "$fields" 30 45
