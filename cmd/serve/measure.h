/* SPDX-License-Identifier: GPL-2.0-only */
/* The process of "tma serve" that measures: it writes rows to a text, which the server reads. */
#ifndef TMA_CMD_SERVE_MEASURE_H
#define TMA_CMD_SERVE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shared_text;

#define TOP_CGROUPS_MAX 100
#define CGROUPS_MAX 1000 /* limit of those that are named */

/**
 * struct serve_wish - what is measured
 * @metrics:  names of metrics, or ""; @topdown, @td_level: of the tree, see struct request
 * @cputype:  the only core type, or NULL
 * @error, @ratios: also serve errors of estimates, and ratios of the tree
 * @cgroups:  how many of the cgroups with most CPU time are counted at a time; 0 for none
 * @cgroup_names: count these @cgroups cgroups instead; or NULL
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
 * @text: each row replaces it; it is empty once the counters are open, until the first row
 * @restarts, @lost_ns: how often measuring began again, and for how long nothing was measured
 */
struct serve_published {
	struct shared_text *text;
	uint64_t restarts, lost_ns;
};

/**
 * serve_measure() - measure the whole computer, and cgroups if asked for, until a signal comes
 *
 * With cgroups two runs are under way at a time. That of the whole computer goes on for ever; the
 * other one begins again when other cgroups have most CPU time, which is checked after a row, at
 * most every 5 seconds. Where cgroups cannot be measured, the whole is measured alone, and a
 * message says so.
 *
 * Reasons for a failure are printed on standard error. Return: the exit status.
 */
int serve_measure(const struct serve_wish *wish, const struct serve_published *to);
/** serve_measure__read_online() - read the kernel's list of the CPUs that are online, or "". */
void serve_measure__read_online(char *text, size_t size);

#endif
