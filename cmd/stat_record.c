// SPDX-License-Identifier: GPL-2.0-only
/* "tma stat record": what is counted goes to a file too. */
#include "base/err.h"
#include "stat.h"

static const enum record_aggr aggrs[AGGR_NR] = {
	[AGGR_GLOBAL] = RECORD_AGGR_GLOBAL,   [AGGR_NONE] = RECORD_AGGR_NONE,
	[AGGR_SOCKET] = RECORD_AGGR_SOCKET,   [AGGR_DIE] = RECORD_AGGR_DIE,
	[AGGR_CLUSTER] = RECORD_AGGR_CLUSTER, [AGGR_CACHE] = RECORD_AGGR_CACHE,
	[AGGR_CORE] = RECORD_AGGR_CORE,	      [AGGR_NODE] = RECORD_AGGR_NODE,
	[AGGR_THREAD] = RECORD_AGGR_THREAD,
};

enum grid_aggr stat_record__report_aggr(enum record_aggr aggr)
{
	for (int i = 0; i < AGGR_NR; i++)
		if (aggrs[i] == aggr)
			return i;
	return AGGR_GLOBAL;
}

enum record_aggr stat_record__aggr(enum grid_aggr aggr)
{
	return aggrs[aggr];
}

int stat_record(const struct stat_run *run, const struct session *session,
		struct recorder **recorder, struct err *err)
{
	const struct recorder_options opts = {
		.path = run->o->data_name,
		.version = "tma " TMA_VERSION,
		.argv = run->o->command_line,
		.aggr = aggrs[run->report.aggr],
		.cache_level = run->report.cache_level,
		.interval_ms = run->o->interval_ms,
		.scale = run->count.scale,
		.latency_mode = run->count.latency.mode,
	};

	return recorder__new(run->host.machine, session, &run->plan->events, &opts, recorder, err);
}
