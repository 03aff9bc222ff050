// SPDX-License-Identifier: GPL-2.0-only
/* Find out why an event was not counted, or was counted for only a part of the time. */
#include "aggregate/site_counts.h"
#include "report/internal.h"

#define SHORT_NS 100000000 /* in a shorter time, some events usually have no turn */

static const enum cell_status status_of_sample[] = {
	[SAMPLE_COUNTED] = CELL_COUNTED,
	[SAMPLE_SCALED] = CELL_SCALED,
	[SAMPLE_NOT_COUNTED] = CELL_NOT_COUNTED,
	[SAMPLE_NOT_SUPPORTED] = CELL_NOT_SUPPORTED,
	[SAMPLE_BUSY] = CELL_BUSY,
	[SAMPLE_LOST] = CELL_LOST,
	[SAMPLE_ABSENT] = CELL_ABSENT,
};

static enum cell_status status_of(const struct report *r, const struct sum *s)
{
	enum cell_status status = status_of_sample[sum__status(s)];

	if (s->assumed)
		return CELL_ASSUMED;
	if (s->lacks && status <= CELL_SCALED)
		return CELL_PARTIAL;
	return status == CELL_SCALED && r->opts.no_scale ? CELL_PARTIAL : status;
}

/*
 * Whether other events of the same PMU had a counter meanwhile: for a part of the time, or in a
 * time too short for turns of all events.
 */
static bool others_had_turns(const struct sums *s, int event, int row)
{
	const struct event *e = s->events[event].event;

	for (int i = 0; i < s->nr_events; i++) {
		const struct event *other = s->events[i].event;
		const struct sum *sum = sums__at(s, i, row);

		if (other->pmu != e->pmu || other->leader == e->leader || !sum->running ||
		    (sum->failed && !sum->withheld))
			continue;
		if (sum->running < sum->enabled || sum->enabled < (uint64_t)SHORT_NS * sum->nr)
			return true;
	}
	return false;
}

/* Return: why an event that was enabled never ran, although it could have been counted. */
static enum grid_reason why_no_counter(const struct sums *s, int event, int row)
{
	bool core = event__is_of_core(s->events[event].event);

	if (core && others_had_turns(s, event, row))
		return REASON_NO_TURN;
	return core && s->machine->nmi_watchdog ? REASON_WATCHDOG : REASON_NO_COUNTER;
}

static enum grid_reason why_not_on_type(const struct sums *s, int event, int row)
{
	int type = pmu__place(s->machine, s->events[event].event->pmu);

	switch (share__kind(s, type, row)) {
	case SHARE_NONE:
		return REASON_OTHER_TYPE;
	case SHARE_PART:
		return REASON_NO_COUNTER_ON_TYPE;
	case SHARE_ALL:
		return why_no_counter(s, event, row);
	case SHARE_UNKNOWN:
		break;
	}
	return REASON_OTHER_TYPE_OR_NO_COUNTER;
}

static enum grid_reason why_not_enabled(const struct sums *s, int event, int row)
{
	const struct cgroup *cgroup = s->events[event].event->cgroup;

	if (cgroup && cgroup->state == CGROUP_THERE)
		return REASON_CGROUP_IDLE;
	if (cgroup)
		return cgroup->state == CGROUP_GONE ? REASON_CGROUP_GONE : REASON_CGROUP_ANOTHER;
	if (!s->per_cpu)
		return REASON_TASK_IDLE;
	return s->rows[row].nr_away ? REASON_OFFLINE : REASON_NOT_ENABLED;
}

static enum grid_reason why_not_counted(const struct report *r, int event, int row)
{
	const struct sums *s = r->sums;
	const struct summed_event *e = &s->events[event];
	const struct sum *sum = sums__at(s, event, row);
	bool on_type = event__is_of_core(e->event) && s->shares;

	if (sum->dead)
		return e->runs_always ? REASON_DEAD : REASON_NOT_LENT;
	if (sum->withheld)
		return REASON_TOO_LITTLE;
	if (sum->is_latency && !(e->event->sampled && e->refusal))
		return e->event->sampled ? REASON_NO_SAMPLE : REASON_NOT_SAMPLED;
	if (r->opts.nr_passes && !sum->was_enabled)
		return REASON_NO_PASS;
	if (r->opts.runs)
		return REASON_NOT_IN_ALL_RUNS;
	if (sum->failed && sum->nr > 1)
		return s->rows[row].nr_away ? REASON_SOME_OFFLINE : REASON_NOT_ON_ALL_CPUS;
	if (!sum->was_enabled)
		return why_not_enabled(s, event, row);
	if (r->opts.rotated && !on_type)
		return REASON_NO_SET_TURN;
	return on_type ? why_not_on_type(s, event, row) : why_no_counter(s, event, row);
}

/*
 * Return: a reason that is known since the event was opened: why the kernel refused it, or why it
 * can never have a counter.
 */
static const char *opening_reason(const struct summed_event *e, const struct sum *sum)
{
	if (sum->is_latency && !e->event->sampled)
		return NULL;
	if (e->refusal)
		return e->refusal;
	return sum->was_enabled && !sum->running ? e->obstacle : NULL;
}

enum grid_reason reason__of_part(const struct report *r, const struct pmu *pmu, int row,
				 double percent)
{
	const struct sums *s = r->sums;
	int type = pmu__place(s->machine, pmu), unscaled = r->opts.no_scale;

	if (!s->shares || share__kind(s, type, row) != SHARE_PART)
		return REASON_TURNS + unscaled;
	if (share__is_all_counted(s, type, row, percent))
		return REASON_PART_ON_TYPE + unscaled;
	return REASON_PART_AND_TURNS + unscaled;
}

static enum grid_reason reason_of(const struct report *r, int event, int row,
				  enum cell_status status)
{
	/* Statuses that have only one reason. */
	static const enum grid_reason plain[CELL_NR_STATUS] = {
		[CELL_NOT_SUPPORTED] = REASON_UNSUPPORTED,
		[CELL_BUSY] = REASON_BUSY,
		[CELL_LOST] = REASON_LOST,
		[CELL_ABSENT] = REASON_ABSENT,
	};

	if (r->opts.sites && status == CELL_NOT_COUNTED)
		return r->opts.sites->near[row] ? REASON_NEAR : REASON_FEW_SAMPLES;
	switch (status) {
	case CELL_SCALED:
	case CELL_PARTIAL:
		return reason__of_part(r, r->sums->events[event].event->pmu, row,
				       sum__percent(sums__at(r->sums, event, row)));
	case CELL_ASSUMED:
		return latency__reason(r->sums, event);
	case CELL_NOT_COUNTED:
		return why_not_counted(r, event, row);
	default:
		return plain[status];
	}
}

void reason__set(const struct report *r, int event, int row, struct grid_cell *cell)
{
	const struct summed_event *e = &r->sums->events[event];
	const struct sum *sum = sums__at(r->sums, event, row);

	cell->status = status_of(r, sum);
	cell->more->reason_text = NULL;
	if (sum->lacks)
		cell->more->reason_text = e->lacking.words;
	else if (cell->status == CELL_NOT_COUNTED)
		cell->more->reason_text = opening_reason(e, sum);
	else if (cell->status == CELL_NOT_SUPPORTED)
		cell->more->reason_text = e->refusal;
	cell->reason = cell->more->reason_text ? REASON_TEXT :
						 reason_of(r, event, row, cell->status);
}
