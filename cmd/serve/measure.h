/* SPDX-License-Identifier: GPL-2.0-only */
/* The process of "tma serve" that measures: it writes rows to a text, which the server reads. */
#ifndef TMA_CMD_SERVE_MEASURE_H
#define TMA_CMD_SERVE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shared_text;

#define TOP_CGROUPS_MAX 100
#define CGROUPS_MAX 1000 /* most cgroups that --cgroups may name */

/**
 * struct serve_wish - what is measured
 * @metrics:  names of metrics, or ""
 * @topdown, @td_level: see struct request
 * @cputype:  the only core type, or NULL
 * @error:    also serve the errors of estimates
 * @ratios:   also serve ratios of the tree
 * @cgroups:  number of cgroups that are counted at a time: the ones with most CPU time
 * @cgroup_names: names of the @cgroups cgroups that are counted instead, or NULL
 */
struct serve_wish {
	const char *metrics, *cputype;
	bool topdown, error, ratios;
	uint64_t td_level, interval_ms;
	int cgroups;
	const char *const *cgroup_names;
};

/**
 * struct serve_published - where rows are written
 * @text: each row replaces this text; it is empty from the opening of the counters to the first row
 * @restarts: how often measuring was restarted
 * @lost_ns: how long nothing was measured because of restarts
 */
struct serve_published {
	struct shared_text *text;
	uint64_t restarts, lost_ns;
};

/**
 * serve_measure() - measure the whole computer, and cgroups if asked for, until a signal comes
 *
 * With cgroups, two runs are under way at a time. The run of the whole computer never ends. The run
 * of cgroups begins again if other cgroups have most CPU time; this is checked after a row, at most
 * every 5 seconds. If cgroups cannot be measured, a message says so, and only the whole is
 * measured.
 *
 * Reasons for a failure are printed on standard error. Return: the exit status.
 */
int serve_measure(const struct serve_wish *wish, const struct serve_published *to);
/** serve_measure__read_online() - read the kernel's list of the CPUs that are online, or "". */
void serve_measure__read_online(char *text, size_t size);

#endif
