// SPDX-License-Identifier: GPL-2.0-only
/* Why an event was not counted, or for a part of the time: the table of reasons, and which. */
#include "report/reason.h"

#include <math.h>

#define SHORT_NS 100000000 /* in less than this, a turn may well not have come */

enum reason {
	REASON_NO_SAMPLE,
	REASON_NOT_SAMPLED,
	REASON_NO_PASS,
	REASON_NOT_IN_ALL_RUNS,
	REASON_SOME_OFFLINE,
	REASON_NOT_ON_ALL_CPUS,
	REASON_CGROUP_IDLE,
	REASON_OFFLINE,
	REASON_NOT_ENABLED,
	REASON_TASK_IDLE,
	REASON_NO_SET_TURN,
	REASON_OTHER_TYPE,
	REASON_OTHER_TYPE_OR_NO_COUNTER,
	REASON_NO_COUNTER_ON_TYPE,
	REASON_NO_TURN,
	REASON_WATCHDOG,
	REASON_NO_COUNTER,
	REASON_TURNS,
	REASON_TURNS_UNSCALED,
	REASON_PART_ON_TYPE,
	REASON_PART_ON_TYPE_UNSCALED,
	REASON_PART_AND_TURNS,
	REASON_PART_AND_TURNS_UNSCALED,
	REASON_UNSUPPORTED,
	REASON_BUSY,
	REASON_LOST,
	REASON_ABSENT,
	REASON_NO_VALUE,
	REASON_NR,
};

static const char *const reasons[REASON_NR] = {
	[REASON_NO_SAMPLE] = "no latency was sampled, and the tables have none for it",
	[REASON_NOT_SAMPLED] = "it was not sampled, and the tables have no latency for it",
	[REASON_NO_PASS] = "the command failed before the pass in which it is counted",
	[REASON_NOT_IN_ALL_RUNS] = "it was not counted in every run",
	[REASON_SOME_OFFLINE] = "a CPU of this row was offline",
	[REASON_NOT_ON_ALL_CPUS] = "it was not counted on every CPU of this row",
	[REASON_CGROUP_IDLE] = "no task of the cgroup ran while it was enabled",
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
	[REASON_NO_TURN] = "its turn on the counters did not come: the time was too short for all turns",
	[REASON_WATCHDOG] = "no counter was free for it, of which the NMI watchdog holds one",
	[REASON_NO_COUNTER] = "no counter was free for it: others held them",
	[REASON_TURNS] = "an estimate, since events took turns",
	[REASON_TURNS_UNSCALED] = "events took turns, and what was counted is not scaled up",
	[REASON_PART_ON_TYPE] = "an estimate for all of the task's time, from the part of it on cores "
				"of this type",
	[REASON_PART_ON_TYPE_UNSCALED] =
		"the task ran a part of its time on cores of this type, and what was counted is not "
		"scaled up",
	[REASON_PART_AND_TURNS] = "an estimate for all of the task's time: it ran a part of it on cores "
				  "of this type, where events took turns",
	[REASON_PART_AND_TURNS_UNSCALED] =
		"the task ran a part of its time on cores of this type, where events took turns, and "
		"what was counted is not scaled up",
	[REASON_UNSUPPORTED] = "the kernel does not count it here",
	[REASON_BUSY] = "it is pinned, and others hold the counters",
	[REASON_LOST] = "its counter could not be read, or ran backwards",
	[REASON_ABSENT] = "it is not counted in this row",
	[REASON_NO_VALUE] = "the formula has no value for these counts",
};

static const enum cell_status status_of_sample[] = {
	[SAMPLE_COUNTED] = CELL_COUNTED,
	[SAMPLE_SCALED] = CELL_SCALED,
	[SAMPLE_NOT_COUNTED] = CELL_NOT_COUNTED,
	[SAMPLE_NOT_SUPPORTED] = CELL_NOT_SUPPORTED,
	[SAMPLE_BUSY] = CELL_BUSY,
	[SAMPLE_LOST] = CELL_LOST,
	[SAMPLE_ABSENT] = CELL_ABSENT,
};

const struct sum *sum__at(const struct report *r, int event, int bucket)
{
	return &r->sums[event * r->nr_buckets + bucket];
}

double sum__percent(const struct sum *s)
{
	return s->enabled ? 100.0 * s->running / s->enabled : (double)NAN;
}

enum cell_status reason__status(const struct report *r, const struct sum *s)
{
	enum cell_status status = status_of_sample[sum__status(s)];

	if (s->assumed)
		return CELL_ASSUMED;
	return status == CELL_SCALED && r->opts.no_scale ? CELL_PARTIAL : status;
}

static bool is_of_core(const struct shown_event *e)
{
	return e->event->pmu && e->event->pmu->is_core;
}

/*
 * Whether others of its PMU had a counter meanwhile: for a part of the time, or in a time in which
 * not everybody's turn need have come.
 */
static bool others_had_turns(const struct report *r, int event, int bucket)
{
	const struct event *e = r->events[event].event;

	for (int i = 0; i < r->nr_events; i++) {
		const struct event *other = r->events[i].event;
		const struct sum *s = sum__at(r, i, bucket);

		if (other->pmu != e->pmu || other->leader == e->leader || !s->running || s->failed)
			continue;
		if (s->running < s->enabled || s->enabled < (uint64_t)SHORT_NS * s->nr)
			return true;
	}
	return false;
}

/* Of what was enabled, and never ran though somebody could have counted it. */
static enum reason why_no_counter(const struct report *r, int event, int bucket)
{
	const struct shown_event *e = &r->events[event];

	if (is_of_core(e) && others_had_turns(r, event, bucket))
		return REASON_NO_TURN;
	return is_of_core(e) && r->machine->nmi_watchdog ? REASON_WATCHDOG : REASON_NO_COUNTER;
}

static enum reason why_not_on_type(const struct report *r, int event, int bucket)
{
	int type = pmu__place(r->machine, r->events[event].event->pmu);

	switch (share__kind(r, type, bucket)) {
	case SHARE_NONE:
		return REASON_OTHER_TYPE;
	case SHARE_PART:
		return REASON_NO_COUNTER_ON_TYPE;
	case SHARE_ALL:
		return why_no_counter(r, event, bucket);
	case SHARE_UNKNOWN:
		break;
	}
	return REASON_OTHER_TYPE_OR_NO_COUNTER;
}

static enum reason why_not_enabled(const struct report *r, int event, int bucket)
{
	if (r->events[event].event->cgroup)
		return REASON_CGROUP_IDLE;
	if (!r->per_cpu)
		return REASON_TASK_IDLE;
	return r->buckets[bucket].nr_away ? REASON_OFFLINE : REASON_NOT_ENABLED;
}

static enum reason why_not_counted(const struct report *r, int event, int bucket)
{
	const struct shown_event *e = &r->events[event];
	const struct sum *s = sum__at(r, event, bucket);
	bool on_type = is_of_core(e) && r->shares;

	if (s->is_latency && !(e->event->sampled && e->refusal))
		return e->event->sampled ? REASON_NO_SAMPLE : REASON_NOT_SAMPLED;
	if (r->opts.nr_passes && !s->was_enabled)
		return REASON_NO_PASS;
	if (r->opts.runs)
		return REASON_NOT_IN_ALL_RUNS;
	if (s->failed && s->nr > 1)
		return r->buckets[bucket].nr_away ? REASON_SOME_OFFLINE : REASON_NOT_ON_ALL_CPUS;
	if (!s->was_enabled)
		return why_not_enabled(r, event, bucket);
	if (r->opts.rotated && !on_type)
		return REASON_NO_SET_TURN;
	return on_type ? why_not_on_type(r, event, bucket) : why_no_counter(r, event, bucket);
}

/* What was told when it was opened: why it was refused, or can never have its counters. */
static const char *what_was_told(const struct report *r, int event, int bucket)
{
	const struct shown_event *e = &r->events[event];
	const struct sum *s = sum__at(r, event, bucket);

	if (s->is_latency && !e->event->sampled)
		return NULL;
	if (e->refusal)
		return e->refusal;
	return s->was_enabled && !s->running ? e->obstacle : NULL;
}

const char *reason__of_part(const struct report *r, const struct pmu *pmu, int bucket,
			    double percent)
{
	int type = pmu__place(r->machine, pmu);
	bool scaled = !r->opts.no_scale;

	if (!r->shares || share__kind(r, type, bucket) != SHARE_PART)
		return reasons[scaled ? REASON_TURNS : REASON_TURNS_UNSCALED];
	if (share__is_all_counted(r, type, bucket, percent))
		return reasons[scaled ? REASON_PART_ON_TYPE : REASON_PART_ON_TYPE_UNSCALED];
	return reasons[scaled ? REASON_PART_AND_TURNS : REASON_PART_AND_TURNS_UNSCALED];
}

const char *reason__of(const struct report *r, int event, int bucket, enum cell_status status)
{
	const struct shown_event *e = &r->events[event];
	const char *told;

	switch (status) {
	case CELL_COUNTED:
		return NULL;
	case CELL_SCALED:
	case CELL_PARTIAL:
		return reason__of_part(r, e->event->pmu, bucket,
				       sum__percent(sum__at(r, event, bucket)));
	case CELL_ASSUMED:
		return latency__why_assumed(r, e);
	case CELL_NOT_COUNTED:
		told = what_was_told(r, event, bucket);
		return told ? told : reasons[why_not_counted(r, event, bucket)];
	case CELL_NOT_SUPPORTED:
		return e->refusal ? e->refusal : reasons[REASON_UNSUPPORTED];
	case CELL_BUSY:
		return reasons[REASON_BUSY];
	case CELL_LOST:
		return reasons[REASON_LOST];
	case CELL_ABSENT:
		return reasons[REASON_ABSENT];
	case CELL_NO_VALUE:
		break;
	}
	return reasons[REASON_NO_VALUE];
}
