// SPDX-License-Identifier: GPL-2.0-only
/* "tma plan": what "tma stat" would count and how: its --dry-run, as a command. */
#include "cmd.h"
#include "stat.h"

int cmd_plan(int argc, const char **argv)
{
	return stat_main(STAT_PLAN, argc, argv);
}
