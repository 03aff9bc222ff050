// SPDX-License-Identifier: GPL-2.0-only
/*
 * On a hybrid machine a task runs for a part of its time on one type of core, and for the rest on
 * another. Each core PMU counts the part on its own cores. Counters show how large the parts are: a
 * counter that is not multiplexed runs whenever the task is on its type of core.
 */
#include <math.h>

#include "aggregate/internal.h"
#include "base/sb.h"
#include "base/xalloc.h"

#define LITTLE 0.01 /* with a smaller share of the time, counts show nothing about a type of core */
#define WHOLE 0.995 /* a share of the time that counts as all: the rest is context switches */

int pmu__place(const struct machine *machine, const struct pmu *pmu)
{
	if (!machine__is_hybrid(machine))
		return 0;
	for (int i = 0; i < machine__nr_core_pmus(machine); i++)
		if (machine__core_pmu(machine, i) == pmu)
			return i;
	return machine__nr_core_pmus(machine);
}

void shares__allocate(struct sums *s)
{
	if (s->per_cpu || !machine__is_hybrid(s->machine))
		return;
	s->nr_types = machine__nr_core_pmus(s->machine);
	s->shares = arena__calloc(&s->memory, (size_t)s->nr_types * (s->nr_rows + 1),
				  sizeof(*s->shares));
}

/* Return: the share of a type in a row; at sums.nr_rows, the share in all rows and runs. */
static struct share *share__at(const struct sums *sums, int type, int row)
{
	return &sums->shares[type * (sums->nr_rows + 1) + row];
}

/* Whether an earlier event of the same group ran for the same time. */
static bool ran_before(const struct sums *sums, int event, int row)
{
	const struct event *leader = sums->events[event].event->leader;
	uint64_t running = sums__at(sums, event, row)->running;

	for (int i = event - 1; leader && i >= 0; i--)
		if (sums->events[i].event->leader == leader &&
		    sums__at(sums, i, row)->running == running)
			return true;
	return false;
}

/* Find the times for which events of a type were enabled and ran in a row. */
static struct share share__measure(const struct sums *sums, int type, int row)
{
	struct share out = { 0 };

	for (int i = 0; i < sums->nr_events; i++) {
		const struct event *e = sums->events[i].event;
		const struct sum *s = sums__at(sums, i, row);

		if (pmu__place(sums->machine, e->pmu) != type || e->retire_latency ||
		    !s->supported || !s->enabled)
			continue;
		if (!out.enabled || s->running < out.least)
			out.least = s->running;
		if (s->running > out.running)
			out.running = s->running;
		if (s->enabled > out.enabled)
			out.enabled = s->enabled;
		if (!ran_before(sums, i, row))
			out.all += s->running;
	}
	return out;
}

static void share__add(struct share *to, const struct share *from)
{
	to->enabled += from->enabled;
	to->running += from->running;
	to->least += from->least;
	to->all += from->all;
}

void shares__measure(struct sums *sums, bool is_total)
{
	for (int type = 0; type < sums->nr_types; type++)
		for (int b = 0; b < sums->nr_rows; b++) {
			struct share now = share__measure(sums, type, b);
			struct share *kept = share__at(sums, type, b);

			/* The shares of several runs are added up. */
			if (!sums->opts->runs)
				*kept = (struct share){ 0 };
			share__add(kept, &now);
			if (!is_total)
				share__add(share__at(sums, type, sums->nr_rows), &now);
		}
}

static bool share__took_turns(const struct share *s)
{
	return s->least < WHOLE * s->running;
}

/* Whether a type has several groups. They may have taken turns even if they ran equally long. */
static bool has_groups(const struct share *s)
{
	return WHOLE * s->all > s->running;
}

/* Set @rest to the other types' part of the time. Return: whether all other types were counted. */
static bool rest_of(const struct sums *sums, int type, int row, double *rest, bool *exact)
{
	bool all = true;

	*rest = 0;
	*exact = true;
	for (int other = 0; other < sums->nr_types; other++) {
		const struct share *s = share__at(sums, other, row);

		if (other == type)
			continue;
		if (!s->enabled) {
			all = false;
			continue;
		}
		*rest += (double)s->running / s->enabled;
		*exact &= !share__took_turns(s);
	}
	return all;
}

/* Return: the largest share of the time that a type can have had: the turns of all its groups. */
static double most_of(const struct share *s)
{
	return s->running ? (double)s->all / s->enabled : 1;
}

/*
 * Whether the other types certainly had little time, even if their groups never ran simultaneously.
 */
static bool others_had_little(const struct sums *sums, int type, int row)
{
	double most = 0;

	for (int other = 0; other < sums->nr_types; other++) {
		const struct share *s = share__at(sums, other, row);

		if (other != type)
			most += s->enabled ? most_of(s) : 1;
	}
	return most < LITTLE;
}

/* Whether each other type has one group, so that its part of the time is exact. */
static bool others_are_sure(const struct sums *sums, int type, int row)
{
	for (int other = 0; other < sums->nr_types; other++)
		if (other != type && has_groups(share__at(sums, other, row)))
			return false;
	return true;
}

/*
 * Set the lower and upper limit of a type's part of the time. If the type's events were
 * multiplexed, each ran for less than the whole part: the longest gives the lower limit. The parts
 * of the other types may give the upper limit.
 * Return: false for a type that is unknown or was not enabled.
 */
static bool share__limits(const struct sums *sums, int type, int row, double *low, double *high)
{
	const struct share *s;
	bool all, exact;
	double rest;

	if (type >= sums->nr_types)
		return false;
	s = share__at(sums, type, row);
	if (!s->enabled)
		return false;
	all = rest_of(sums, type, row, &rest, &exact);
	*low = fmin((double)s->running / s->enabled, 1);
	*high = all ? fmax(1 - rest, *low) : 1;
	if (!share__took_turns(s) && all && has_groups(s) && others_are_sure(sums, type, row))
		*low = *high;
	else if (!share__took_turns(s))
		*high = *low;
	else if ((all && exact) || others_had_little(sums, type, row))
		*low = *high;
	else if (most_of(s) < LITTLE)
		*high = most_of(s);
	return true;
}

bool share__is_little(const struct sums *sums, int type, int row)
{
	double low, high;

	return share__limits(sums, type, row, &low, &high) && low > 0 && high < LITTLE;
}

bool share__is_nearly_all(const struct sums *sums, int type, int row)
{
	double low, high;

	return share__limits(sums, type, row, &low, &high) && low > 1 - LITTLE;
}

enum share_kind share__kind(const struct sums *sums, int type, int row)
{
	double low, high;

	if (!share__limits(sums, type, row, &low, &high))
		return SHARE_UNKNOWN;
	if (!(high > 0))
		return SHARE_NONE;
	return high < WHOLE ? SHARE_PART : SHARE_ALL;
}

bool share__is_all_counted(const struct sums *sums, int type, int row, double percent)
{
	double low, high;

	return share__limits(sums, type, row, &low, &high) && percent >= 100 * WHOLE * high;
}

struct grid_share share__of(const struct sums *sums, int type, int row)
{
	struct grid_share share = { .known = false };
	double low, high;

	if (!share__limits(sums, type, row, &low, &high))
		return share;
	share.known = true;
	share.percent = 100 * low;
	share.at_least = high - low > 1 - WHOLE;
	return share;
}

/* Whether counts are scaled up from a part of the time. Counts of merged types never are. */
static bool has_estimates(const struct sums *sums)
{
	for (int i = 0; i < sums->nr_events; i++) {
		const struct event *e = sums->events[i].event;
		int type = pmu__place(sums->machine, e->pmu);

		if (type < sums->nr_types && !e->merge && !sums->opts->no_scale &&
		    share__kind(sums, type, sums->nr_rows) == SHARE_PART)
			return true;
	}
	return false;
}

/*
 * Append the types that the task never ran on if @never, else the types it ran on. Return: how
 * many.
 */
static int put_types(const struct sums *sums, bool never, const char *verb, struct sb *sb)
{
	int nr = 0;

	for (int type = 0; type < sums->nr_types; type++) {
		enum share_kind kind = share__kind(sums, type, sums->nr_rows);

		if (kind == SHARE_UNKNOWN || (kind == SHARE_NONE) != never)
			continue;
		sb__puts(sb, nr ? ", " : verb);
		if (!never) {
			grid_share__print(share__of(sums, type, sums->nr_rows), "at least ", sb);
			sb__puts(sb, nr ? " % " : " % of its time ");
		}
		sb__printf(sb, "on %s", machine__core_pmu(sums->machine, type)->name);
		nr++;
	}
	return nr;
}

void shares__describe(const struct sums *sums, bool metrics_alone, struct sb *sb)
{
	bool worth = false, some;

	for (int type = 0; type < sums->nr_types; type++) {
		enum share_kind kind = share__kind(sums, type, sums->nr_rows);

		worth |= kind == SHARE_PART || kind == SHARE_NONE;
	}
	if (!worth)
		return;
	sb__puts(sb, "the task ");
	some = put_types(sums, false, "ran ", sb);
	put_types(sums, true, some ? ", never " : "never ran ", sb);
	if (some && metrics_alone)
		sb__puts(sb, "; each type's metrics cover its part");
	else if (has_estimates(sums))
		sb__puts(sb, "; each type's counts are scaled up to all of its time");
}
