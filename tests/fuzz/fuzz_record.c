// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recordings: perf.data, the form for pipes, CSV and JSON. What is opened has events, units and
 * rows that fit together; metrics on its events are computed from them; anything else has a
 * message.
 */
#include <errno.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "machine/machine.h"
#include "metrics/metrics.h"
#include "plan/plan.h"
#include "record/record.h"
#include "tables/tables.h"

#define ROWS_MAX 100

static struct tables *tables;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	tables = tables__find("GenuineIntel-6-8F-8");
	fuzz_check(tables);
	return 0;
}

static void check_sample(const struct sample *s)
{
	switch (s->status) {
	case SAMPLE_COUNTED:
	case SAMPLE_SCALED:
		return;
	case SAMPLE_NOT_COUNTED:
		fuzz_check(!s->running || !s->enabled || !s->scaled);
		return;
	default:
		fuzz_check(!s->value && !s->enabled && !s->running, "status %d", s->status);
	}
}

static void check_info(struct recording *r)
{
	const struct recording_info *i = recording__info(r);
	const struct event_list *events = recording__events(r);

	fuzz_check(i->command && i->cpuid);
	fuzz_check(i->aggr < AGGR_NR && i->cache_level >= 0 && i->cache_level <= 4);
	fuzz_check(i->per_cpu || !i->units.nr || i->units.comms);
	for (int u = 0; u < i->units.nr; u++) {
		fuzz_check(!i->per_cpu || i->units.ids[u] >= 0, "CPU %d", i->units.ids[u]);
		fuzz_check(!i->units.weights || i->units.weights[u] >= 1);
	}
	for (int e = 0; e < events->nr; e++) {
		fuzz_check(events->at[e]->index == e && events->at[e]->name && events->at[e]->unit);
		fuzz_check(events->at[e]->scale > 0 && isfinite(events->at[e]->scale));
		fuzz_check(events->at[e]->leader->leader && events->at[e]->first->first);
	}
}

static void read_rows(struct recording *r)
{
	struct counts row, sum;
	struct recorded_row at;
	struct err err = ERR_INIT;
	int rc = 1;

	recording__counts(r, &row);
	recording__counts(r, &sum);
	for (int i = 0; i < ROWS_MAX && rc > 0; i++) {
		rc = recording__next(r, &row, &at, &err);
		if (rc < 0)
			fuzz__check_error(rc, &err);
		if (rc <= 0)
			break;
		for (int s = 0; s < row.nr_events * row.nr_units; s++)
			check_sample(&row.at[s]);
		recording__sum(r, &row, &sum);
	}
	counts__free(&row);
	counts__free(&sum);
}

static void bind(struct recording *r)
{
	struct metrics_scope scope = {
		.machine = recording__machine(r),
		.tables = tables,
		.system_wide = true,
		.has_event = recording__has_event,
		.arg = r,
	};
	struct plan *plan = plan__new(&scope);
	struct err err = ERR_INIT;
	int rc;

	fuzz_check(plan);
	rc = recording__bind(r, plan, &scope, "TopdownL1,tma_info_thread_ipc,io_bandwidth_read",
			     true, &err);
	if (rc)
		fuzz__check_error(rc, &err);
	for (int i = 0; !rc && i < plan->nr_metrics; i++)
		fuzz_check(plan->metrics[i].shown_at && plan->metrics[i].value >= 0);
	if (!rc)
		read_rows(r);
	plan__free(plan);
}

static void open_it(int fd, bool with_metrics)
{
	static const struct recording_options opts[] = {
		{ .cpuid = NULL },
		{ .cpuid = "GenuineIntel-6-8F-8", .separator = ";" },
	};
	struct recording *r = NULL;
	struct err err = ERR_INIT;
	int rc = recording__open(fd, "input", &opts[with_metrics], &r, &err);

	if (rc) {
		fuzz__check_error(rc, &err);
		return;
	}
	check_info(r);
	if (with_metrics)
		bind(r);
	else
		read_rows(r);
	recording__free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	fuzz_check(fd >= 0);
	fuzz_check(write(fd, data, size) == (ssize_t)size);
	open_it(fd, false);
	open_it(fd, true);
	close(fd);
	return 0;
}
