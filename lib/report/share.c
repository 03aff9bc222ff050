// SPDX-License-Identifier: GPL-2.0-only
/*
 * On a hybrid machine a task runs on cores of one type for a part of its time and of another for
 * the rest, and each core PMU counts its part alone. How large the parts are is seen from the
 * counters: one that needs not wait for its turn runs whenever the task is on its type of core.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "report/internal.h"

#define WHOLE 0.995 /* of the time: what is missing is no time elsewhere, but that of a switch */

int shares__allocate(struct report *r)
{
	if (r->per_cpu || !machine__is_hybrid(r->machine))
		return 0;
	r->nr_types = machine__nr_core_pmus(r->machine);
	r->shares = calloc((size_t)r->nr_types * (r->nr_buckets + 1), sizeof(*r->shares));
	return r->shares ? 0 : -ENOMEM;
}

void shares__free(struct report *r)
{
	free(r->shares);
}

/* Behind those of the buckets stands that of all rows and runs. */
static struct share *share__at(const struct report *r, int type, int bucket)
{
	return &r->shares[type * (r->nr_buckets + 1) + bucket];
}

static bool share__counts(const struct report *r, const struct event *e, int type)
{
	return pmu__place(r->machine, e->pmu) == type && !e->retire_latency;
}

/* The event of the type that ran longest in a bucket, and the one that ran least. */
static struct share share__measure(const struct report *r, int type, int bucket)
{
	struct share out = { 0 };

	for (int i = 0; i < r->nr_events; i++) {
		const struct sum *s = &r->sums[i * r->nr_buckets + bucket];

		if (!share__counts(r, r->events[i].event, type) || !s->supported || !s->enabled)
			continue;
		if (!out.enabled || s->running < out.least)
			out.least = s->running;
		if (s->running > out.running)
			out.running = s->running;
		if (s->enabled > out.enabled)
			out.enabled = s->enabled;
	}
	return out;
}

static void share__add(struct share *to, const struct share *from)
{
	to->enabled += from->enabled;
	to->running += from->running;
	to->least += from->least;
}

void shares__measure(struct report *r)
{
	for (int type = 0; type < r->nr_types; type++)
		for (int b = 0; b < r->nr_buckets; b++) {
			struct share now = share__measure(r, type, b);
			struct share *kept = share__at(r, type, b);

			/* Of several runs, those of all. */
			if (!r->opts.runs)
				*kept = (struct share){ 0 };
			share__add(kept, &now);
			if (!r->shares_are_total)
				share__add(share__at(r, type, r->nr_buckets), &now);
		}
}

static bool took_turns(const struct share *s)
{
	return s->least < WHOLE * s->running;
}

/* Return: whether all types but @type were counted; in @rest what part of the time they had. */
static bool rest_of(const struct report *r, int type, int bucket, double *rest, bool *exact)
{
	bool all = true;

	*rest = 0;
	*exact = true;
	for (int other = 0; other < r->nr_types; other++) {
		const struct share *s = share__at(r, other, bucket);

		if (other == type)
			continue;
		if (!s->enabled) {
			all = false;
			continue;
		}
		*rest += (double)s->running / s->enabled;
		*exact &= !took_turns(s);
	}
	return all;
}

/*
 * Where events took turns on a type, none of them ran for all of its part: this is a lower limit
 * then, and the other types' parts may give an upper one.
 */
static bool share__limits(const struct report *r, int type, int bucket, double *low, double *high)
{
	const struct share *s;
	bool all, exact;
	double rest;

	if (type >= r->nr_types)
		return false;
	s = share__at(r, type, bucket);
	if (!s->enabled)
		return false;
	all = rest_of(r, type, bucket, &rest, &exact);
	*low = fmin((double)s->running / s->enabled, 1);
	*high = all ? fmax(1 - rest, *low) : 1;
	if (!took_turns(s))
		*high = *low;
	else if (all && exact)
		*low = *high;
	return true;
}

enum share_kind share__kind(const struct report *r, int type, int bucket)
{
	double low, high;

	if (!share__limits(r, type, bucket, &low, &high))
		return SHARE_UNKNOWN;
	if (!(high > 0))
		return SHARE_NONE;
	return high < WHOLE ? SHARE_PART : SHARE_ALL;
}

bool share__is_all_counted(const struct report *r, int type, int bucket, double percent)
{
	double low, high;

	return share__limits(r, type, bucket, &low, &high) && percent >= 100 * WHOLE * high;
}

/* A share above none is not printed as none. */
static int digits_of(double percent)
{
	return percent > 0 && percent < 0.1 ? 3 : 1;
}

bool share__print(const struct report *r, int type, int bucket, const char *at_least, struct sb *sb)
{
	double low, high;

	if (!share__limits(r, type, bucket, &low, &high))
		return false;
	sb__printf(sb, "%s%.*f", high - low > 1 - WHOLE ? at_least : "", digits_of(100 * low),
		   100 * low);
	return true;
}

/* Counts of merged types are those of all of its time. */
static bool has_estimates(const struct report *r)
{
	for (int i = 0; i < r->nr_events; i++) {
		const struct event *e = r->events[i].event;
		int type = pmu__place(r->machine, e->pmu);

		if (type < r->nr_types && !e->merge && !r->opts.no_scale &&
		    share__kind(r, type, r->nr_buckets) == SHARE_PART)
			return true;
	}
	return false;
}

/* The types the task never ran on, or the others. Return: how many. */
static int put_types(const struct report *r, bool never, const char *verb, struct sb *sb)
{
	int nr = 0;

	for (int type = 0; type < r->nr_types; type++) {
		enum share_kind kind = share__kind(r, type, r->nr_buckets);

		if (kind == SHARE_UNKNOWN || (kind == SHARE_NONE) != never)
			continue;
		sb__puts(sb, nr ? ", " : verb);
		if (!never) {
			share__print(r, type, r->nr_buckets, "at least ", sb);
			sb__puts(sb, nr ? " % " : " % of its time ");
		}
		sb__printf(sb, "on %s", machine__core_pmu(r->machine, type)->name);
		nr++;
	}
	return nr;
}

void report__shares(const struct report *r, struct sb *sb)
{
	bool worth = false, some;

	for (int type = 0; type < r->nr_types; type++) {
		enum share_kind kind = share__kind(r, type, r->nr_buckets);

		worth |= kind == SHARE_PART || kind == SHARE_NONE;
	}
	if (!worth)
		return;
	sb__puts(sb, "the task ");
	some = put_types(r, false, "ran ", sb);
	put_types(r, true, some ? ", never " : "never ran ", sb);
	if (some && r->opts.metric_only)
		sb__puts(sb, "; each type's metrics are of its part");
	else if (has_estimates(r))
		sb__puts(sb, "; each type's counts are scaled up to all of its time");
}
