/* SPDX-License-Identifier: GPL-2.0-only */
/* The process of "tma serve" that measures: rows go to a text, which the server reads. */
#ifndef TMA_CMD_SERVE_MEASURE_H
#define TMA_CMD_SERVE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shared_text;

#define TOP_CGROUPS_MAX 100
#define CGROUPS_MAX 1000 /* that are named */

/**
 * struct serve_wish - what is measured
 * @metrics:  names of metrics, or ""; @topdown, @td_level: of the tree, see struct request
 * @cputype:  the only core type, or NULL
 * @error, @ratios: errors of estimates, and ratios of the tree, are served, too
 * @cgroups:  of the cgroups with most CPU time, how many are counted at a time; 0 for none
 * @cgroup_names: instead, these, of which there are @cgroups; or NULL
 */
struct serve_wish {
	const char *metrics, *cputype;
	bool topdown, error, ratios;
	uint64_t td_level, interval_ms;
	int cgroups;
	const char *const *cgroup_names;
};

/**
 * struct serve_published - where rows go
 * @text: each row replaces it; it is empty once what is counted is known
 * @restarts, @lost_ns: how often it was begun anew, and how long nothing was measured
 */
struct serve_published {
	struct shared_text *text;
	uint64_t restarts, lost_ns;
};

/**
 * serve_measure() - measure the whole computer, and cgroups if wished, until a signal comes
 *
 * With cgroups two runs are under way at a time. That of the whole goes on for ever; the other one
 * is begun anew when others have most CPU time, which is looked at after a row, and not more often
 * than each 5 seconds. Without cgroups the whole is measured alone, which is said.
 *
 * Reasons for a failure are said on stderr. Return: the exit status.
 */
int serve_measure(const struct serve_wish *wish, const struct serve_published *to);
/** serve_measure__read_online() - the kernel's list of the CPUs that are online, or "". */
void serve_measure__read_online(char *text, size_t size);

#endif
