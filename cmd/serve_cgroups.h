/* SPDX-License-Identifier: GPL-2.0-only */
/* "tma serve --top-cgroups": the whole computer, and beside it the cgroups with most CPU time. */
#ifndef TMA_CMD_SERVE_CGROUPS_H
#define TMA_CMD_SERVE_CGROUPS_H

#include "stat.h"

#define TOP_CGROUPS_MAX 100

/**
 * serve_cgroups() - measure as stat_publish() does, and the cgroups besides
 * @argc, @argv: as there, of the whole computer
 * @nr, @words: the same of its cgroups, without their names
 * @most: how many cgroups are counted at a time
 *
 * Two measurements are under way at a time. That of the whole goes on for ever; the other one is
 * begun anew when others have most CPU time, which is looked at after a row, and not more often
 * than each 5 seconds. Without cgroups the whole is measured alone, which is said.
 *
 * Return: as stat_publish().
 */
int serve_cgroups(int argc, const char **argv, int nr, const char **words, int most,
		  const struct stat_published *to);

#endif
