// SPDX-License-Identifier: GPL-2.0-only
/* "tma stat record": what is counted goes to a file too. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd.h"
#include "stat.h"

static const enum record_aggr aggrs[AGGR_NR] = {
	[AGGR_GLOBAL] = RECORD_AGGR_GLOBAL,   [AGGR_NONE] = RECORD_AGGR_NONE,
	[AGGR_SOCKET] = RECORD_AGGR_SOCKET,   [AGGR_DIE] = RECORD_AGGR_DIE,
	[AGGR_CLUSTER] = RECORD_AGGR_CLUSTER, [AGGR_CACHE] = RECORD_AGGR_CACHE,
	[AGGR_CORE] = RECORD_AGGR_CORE,	      [AGGR_NODE] = RECORD_AGGR_NODE,
	[AGGR_THREAD] = RECORD_AGGR_THREAD,
};

enum report_aggr stat_record__report_aggr(enum record_aggr aggr)
{
	for (int i = 0; i < AGGR_NR; i++)
		if (aggrs[i] == aggr)
			return i;
	return AGGR_GLOBAL;
}

enum record_aggr stat_record__record_aggr(enum report_aggr aggr)
{
	return aggrs[aggr];
}

/* As perf: a pipe is written to without being asked. */
static bool stdout_is_pipe(void)
{
	struct stat st;

	return !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode);
}

void stat_record__set_output(struct stat_options *o)
{
	o->data_name = o->output_name;
	o->output_name = NULL;
	if (!o->data_name)
		o->data_name = stdout_is_pipe() ? "-" : RECORD_DEFAULT_NAME;
	o->no_print = !strcmp(o->data_name, "-");
}

int stat_record__start(const struct stat_options *o, struct machine *machine,
		       const struct session *session, const struct event_list *events,
		       struct recorder **recorder, struct err *err)
{
	const struct recorder_options opts = {
		.path = o->data_name,
		.version = "tma " TMA_VERSION,
		.argv = o->command_line,
		.aggr = aggrs[o->report.aggr],
		.cache_level = o->report.cache_level,
		.interval_ms = o->interval_ms,
		.scale = o->count.scale,
		.latency_mode = o->count.latency.mode,
	};

	if (o->verb != STAT_RECORD)
		return 0;
	return recorder__new(machine, session, events, &opts, recorder, err);
}

int stat_record__round(struct recorder *recorder, const struct counts *total, bool final,
		       struct err *err)
{
	return recorder ? recorder__round(recorder, total, final, err) : 0;
}

int stat_record__finish(struct recorder *recorder, struct err *err)
{
	return recorder ? recorder__finish(recorder, err) : 0;
}
