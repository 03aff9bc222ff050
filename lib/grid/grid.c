// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "base/sb.h"
#include "grid/grid.h"

/* x86 kernels report this number if the CPU does not report which caches its cores share. */
#define NO_CLUSTER 65535
#define GAP_NS 500000000 /* a message explains an interval of this length if it is late */

static const char *const status_names[CELL_NR_STATUS] = {
	[CELL_COUNTED] = "counted",
	[CELL_SCALED] = "scaled",
	[CELL_PARTIAL] = "partial",
	[CELL_ASSUMED] = "assumed",
	[CELL_APPROXIMATE] = "approximate",
	[CELL_NOT_COUNTED] = "not counted",
	[CELL_NOT_SUPPORTED] = "not supported",
	[CELL_BUSY] = "busy",
	[CELL_LOST] = "lost",
	[CELL_NO_VALUE] = "no value",
	[CELL_ABSENT] = "absent",
};

/*
 * Texts for the vendor's mean, least and greatest latency, which replace a latency that was not
 * measured.
 */
#define VENDOR(reason, why)                                                                        \
	[reason] = "the vendor's mean latency, " why,                                              \
	[reason + 1] = "the vendor's least latency, " why,                                         \
	[reason + 2] = "the vendor's greatest latency, " why

static const char *const reasons[REASON_NR] = {
	[REASON_NO_SAMPLE] = "no latency was sampled, and the tables have no latency for it",
	[REASON_NOT_SAMPLED] = "it was not sampled, and the tables have no latency for it",
	[REASON_NO_PASS] = "the command failed before the pass in which it is counted",
	[REASON_NOT_IN_ALL_RUNS] = "it was not counted in every run",
	[REASON_SOME_OFFLINE] = "a CPU of this row was offline",
	[REASON_NOT_ON_ALL_CPUS] = "it was not counted on every CPU of this row",
	[REASON_CGROUP_IDLE] = "no task of the cgroup ran while it was enabled",
	[REASON_CGROUP_GONE] = "the cgroup was removed",
	[REASON_CGROUP_ANOTHER] =
		"the cgroup was removed, and a new cgroup of the same name is not counted",
	[REASON_OFFLINE] = "the CPU was offline",
	[REASON_NOT_ENABLED] = "it was not enabled",
	[REASON_TASK_IDLE] = "the task did not run while it was enabled",
	[REASON_NO_SET_TURN] =
		"its set of groups had no turn, or no counter was free for it in its turn",
	[REASON_OTHER_TYPE] = "the task did not run on a core of this type",
	[REASON_OTHER_TYPE_OR_NO_COUNTER] =
		"the task did not run on a core of this type, or no counter was free for it",
	[REASON_NO_COUNTER_ON_TYPE] =
		"no counter was free for it while the task ran on a core of this type",
	[REASON_NO_TURN] =
		"it was not scheduled: the time was too short for all groups to have a turn",
	[REASON_WATCHDOG] = "no counter was free for it; the NMI watchdog holds one",
	[REASON_NO_COUNTER] = "no counter was free for it: other users held the counters",
	[REASON_TOO_LITTLE] = "it was counted for less of the time than --min-running requires",
	[REASON_TURNS] = "an estimate, since events were multiplexed",
	[REASON_TURNS_UNSCALED] = "events were multiplexed, and the counts are not scaled",
	[REASON_PART_ON_TYPE] =
		"an estimate for all of the task's time, from its time on cores of this type",
	[REASON_PART_ON_TYPE_UNSCALED] = "the task ran part of its time on cores of this type, "
					 "and the counts are not scaled",
	[REASON_PART_AND_TURNS] = "an estimate for all of the task's time: only part of it was on "
				  "cores of this type, where events were multiplexed",
	[REASON_PART_AND_TURNS_UNSCALED] =
		"the task ran part of its time on cores of this type, where events were "
		"multiplexed, and the counts are not scaled",
	[REASON_OVER_PASSES] = "its events were counted in several runs of the command",
	[REASON_UNSUPPORTED] = "the kernel does not count it here",
	[REASON_BUSY] = "it is pinned, and other users hold the counters",
	[REASON_LOST] = "its counter could not be read, or ran backwards",
	[REASON_ABSENT] = "it is not counted in this row",
	[REASON_NO_VALUE] = "the formula has no value for these counts",
	[REASON_UNCORRECTED] = "not counted, and assumed to be 0",
	[REASON_ONE_THREAD] = "not counted, as it needs kernel.perf_event_paranoid=0 or "
			      "CAP_PERFMON: the count of one thread of the core is used",
	[REASON_LITERAL] = "not known for that machine (--set gives its value)",
	[REASON_OTHER_TIMES] = "its events were counted at different times",
	[REASON_NEAR] = "its samples may belong to a neighbouring site",
	[REASON_FEW_SAMPLES] = "too few samples",
	[REASON_DEAD] = "its counter stays at 0 while the CPU executes",
	[REASON_NOT_LENT] = "it is 0, like other events that stay at 0 while the CPU executes",
	VENDOR(REASON_VENDOR_UNMEASURED, "not measured here"),
	VENDOR(REASON_VENDOR_NO_SAMPLE, "since there was no sample"),
	VENDOR(REASON_VENDOR_REFUSED, "since the kernel does not sample it here"),
};

const char *cell_status__name(enum cell_status status)
{
	return status_names[status];
}

const char *cell__words(const struct grid_cell *cell)
{
	return cell->reason == REASON_TEXT ? cell->more->reason_text : reasons[cell->reason];
}

int grid_row__place(const struct grid_row *row, enum grid_place place)
{
	int number = row->at[place];

	return place == PLACE_CLUSTER && number == NO_CLUSTER ? -1 : number;
}

int grid__cmp_cores(const struct grid *g, int a, int b)
{
	if (!g->cores_by_column)
		return a - b;
	for (int i = 0; i < g->nr_columns && a != b; i++) {
		if (g->columns[i].core == a)
			return -1;
		if (g->columns[i].core == b)
			return 1;
	}
	return 0;
}

struct grid_column *grid__add(struct grid *g, enum grid_kind kind)
{
	int nr = g->nr_columns++;

	/* The capacity doubles at each power of two. */
	if (!(nr & (nr - 1)))
		g->columns = xreallocarray(g->columns, nr ? 2 * nr : 1, sizeof(*g->columns));
	g->columns[nr] = (struct grid_column){.kind = kind, .parent = -1, .whole = -1};
	return &g->columns[nr];
}

const char *grid__keep(struct grid *g, struct sb *text)
{
	return arena__keep(&g->memory, sb__detach(text));
}

void grid__allocate(struct grid *g)
{
	size_t nr = (size_t)g->nr_columns * g->nr_rows;
	bool each = g->wants & WANT_MORE;

	g->cells = arena__calloc(&g->memory, nr, sizeof(*g->cells));
	g->more = arena__calloc(&g->memory, each ? nr : 1, sizeof(*g->more));
	g->more[0] = CELL_MORE_NONE;
	for (size_t i = 0; i < nr; i++)
		g->cells[i].more = &g->more[each ? i : 0];
	g->present = arena__calloc(&g->memory, (size_t)g->nr_blocks * g->nr_rows,
				   sizeof(*g->present));
}

const struct grid_share *grid__share(const struct grid *g, int core, int row)
{
	return g->shares && core < g->cores.nr ? &g->shares[core * g->nr_rows + row] : NULL;
}

/* A small share gets more digits, or it would be printed as 0. */
static int grid__digits_of(double percent)
{
	return percent > 0 && percent < 0.1 ? 3 : 1;
}

void grid_share__print(struct grid_share share, const char *at_least, struct sb *sb)
{
	if (share.known)
		sb__printf(sb, "%s%.*f", share.at_least ? at_least : "",
			   grid__digits_of(share.percent), share.percent);
}

bool grid__knows_any(const struct grid *g)
{
	for (int c = 0; c < g->nr_columns; c++)
		for (int row = 0; row < g->nr_rows; row++)
			if (grid__cell(g, c, row)->status < CELL_NOT_COUNTED ||
			    grid__cell(g, c, row)->status == CELL_NO_VALUE)
				return true;
	return false;
}

bool grid__has_gap(const struct grid *g)
{
	return g->span == SPAN_INTERVAL && g->missed &&
	       (g->elapsed_ns >= GAP_NS || row_kind__is_site(g->aggr));
}

void grid__free_misfits(struct grid *g)
{
	struct grid_misfit *m;

	if (!g->notes.misfits.nr)
		return;
	vec__for_each(m, &g->notes.misfits)
		free(m->text);
	vec__free(&g->notes.misfits);
}

void grid__free_verdicts(struct grid *g)
{
	for (int i = 0; i < g->nr_verdicts; i++) {
		struct grid_verdict *v = &g->verdicts[i];

		for (int p = 0; p < v->nr_phases; p++) {
			free(v->phases[p].path.at);
			free(v->phases[p].values);
		}
		free(v->phases);
		free(v->nodes);
		free(v->path.at);
		free(v->others.at);
		free(v->uncertain.at);
		free(v->may_be_over.at);
		free(v->open.at);
		free(v->larger.at);
		free(v->between.at);
		free(v->doubts);
		free(v->missing);
		free(v->own_reason);
		for (int m = 0; m < v->nr_misfits; m++)
			free(v->misfits[m]);
		free(v->misfits);
		free(v->next);
		free(v->next_group);
		free(v->sample);
		free(v->record);
	}
	free(g->verdicts);
	g->verdicts = NULL;
	g->nr_verdicts = 0;
}

void grid__free(struct grid *g)
{
	grid__free_verdicts(g);
	vec__free(&g->cgroups);
	vec__free(&g->cores);
	vec__free(&g->notes.over_passes);
	grid__free_misfits(g);
	free(g->columns);
	arena__free(&g->memory);
}
