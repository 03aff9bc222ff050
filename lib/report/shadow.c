// SPDX-License-Identifier: GPL-2.0-only
/* The ratios that need no table: instructions per cycle, CPUs utilized, misses of all accesses. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/error.h"

#define CACHE_READ_MISS(cache)                                                                     \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_READ << 8 |                          \
	 PERF_COUNT_HW_CACHE_RESULT_MISS << 16)
#define CONFIG_MASK 0xffffffff /* above stands the PMU of an extended type */

static const struct {
	uint32_t type;
	uint64_t config;
	enum stat_kind kind;
} kinds[] = {
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, STAT_NSECS },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, STAT_NSECS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, STAT_CYCLES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, STAT_INSTRUCTIONS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, STAT_STALLED_FRONT },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, STAT_STALLED_BACK },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, STAT_BRANCHES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, STAT_BRANCH_MISSES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, STAT_CACHE_REFS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, STAT_CACHE_MISSES },
	{ PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_L1D, STAT_L1D },
	{ PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_L1I, STAT_L1I },
	{ PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_LL, STAT_LL },
	{ PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_DTLB, STAT_DTLB },
	{ PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_ITLB, STAT_ITLB },
	{ PERF_TYPE_HW_CACHE, CACHE_READ_MISS(L1D), STAT_L1D_MISSES },
	{ PERF_TYPE_HW_CACHE, CACHE_READ_MISS(L1I), STAT_L1I_MISSES },
	{ PERF_TYPE_HW_CACHE, CACHE_READ_MISS(LL), STAT_LL_MISSES },
	{ PERF_TYPE_HW_CACHE, CACHE_READ_MISS(DTLB), STAT_DTLB_MISSES },
	{ PERF_TYPE_HW_CACHE, CACHE_READ_MISS(ITLB), STAT_ITLB_MISSES },
};

/* Names whose sysfs event counts the same as the kernel's hardware event. */
static const struct {
	const char *name;
	enum stat_kind kind;
} named_kinds[] = {
	{ "cpu-cycles", STAT_CYCLES },
	{ "cycles", STAT_CYCLES },
	{ "instructions", STAT_INSTRUCTIONS },
	{ "stalled-cycles-frontend", STAT_STALLED_FRONT },
	{ "idle-cycles-frontend", STAT_STALLED_FRONT },
	{ "stalled-cycles-backend", STAT_STALLED_BACK },
	{ "idle-cycles-backend", STAT_STALLED_BACK },
	{ "branch-instructions", STAT_BRANCHES },
	{ "branches", STAT_BRANCHES },
	{ "branch-misses", STAT_BRANCH_MISSES },
	{ "cache-references", STAT_CACHE_REFS },
	{ "cache-misses", STAT_CACHE_MISSES },
};

static const char *const units[SHADOW_NR_UNITS] = {
	[SHADOW_CPUS] = "CPUs utilized",
	[SHADOW_GHZ] = "GHz",
	[SHADOW_IPC] = "insn per cycle",
	[SHADOW_STALLED] = "stalled cycles per insn",
	[SHADOW_FRONT] = "frontend cycles idle",
	[SHADOW_BACK] = "backend cycles idle",
	[SHADOW_BRANCHES] = "of all branches",
	[SHADOW_CACHE] = "of all cache refs",
	[SHADOW_L1D] = "of all L1-dcache accesses",
	[SHADOW_L1I] = "of all L1-icache accesses",
	[SHADOW_LL] = "of all LL-cache accesses",
	[SHADOW_DTLB] = "of all dTLB cache accesses",
	[SHADOW_ITLB] = "of all iTLB cache accesses",
	[SHADOW_RATE] = "/sec",
	[SHADOW_RATE_K] = "K/sec",
	[SHADOW_RATE_M] = "M/sec",
	[SHADOW_RATE_G] = "G/sec",
	[SHADOW_SAMPLES] = "samples",
};

/*
 * What the formats of tma's own call them: a name and a unit. They have no rates: a rate is a count
 * over the length of its row, and both are there.
 */
static const struct {
	const char *name, *unit;
} plain[SHADOW_NR_UNITS] = {
	[SHADOW_CPUS] = { "cpus_utilized", "CPUs" },
	[SHADOW_GHZ] = { "frequency", "GHz" },
	[SHADOW_IPC] = { "insn_per_cycle", "" },
	[SHADOW_STALLED] = { "stalled_cycles_per_insn", "" },
	[SHADOW_FRONT] = { "frontend_cycles_idle", "%" },
	[SHADOW_BACK] = { "backend_cycles_idle", "%" },
	[SHADOW_BRANCHES] = { "branch_miss_rate", "%" },
	[SHADOW_CACHE] = { "cache_miss_rate", "%" },
	[SHADOW_L1D] = { "l1d_miss_rate", "%" },
	[SHADOW_L1I] = { "l1i_miss_rate", "%" },
	[SHADOW_LL] = { "llc_miss_rate", "%" },
	[SHADOW_DTLB] = { "dtlb_miss_rate", "%" },
	[SHADOW_ITLB] = { "itlb_miss_rate", "%" },
};

/*
 * @over:  what it is divided by
 * @above: limits for red, magenta and yellow
 */
static const struct ratio {
	enum stat_kind over;
	enum figure_form form;
	enum shadow_unit unit;
	double above[3];
} ratios[] = {
	[STAT_CYCLES] = { STAT_NSECS, FORM_RATE, SHADOW_GHZ, { 0 } },
	[STAT_INSTRUCTIONS] = { STAT_CYCLES, FORM_RATIO, SHADOW_IPC, { 0 } },
	[STAT_STALLED_FRONT] = { STAT_CYCLES, FORM_PERCENT, SHADOW_FRONT, { 50, 30, 10 } },
	[STAT_STALLED_BACK] = { STAT_CYCLES, FORM_PERCENT, SHADOW_BACK, { 75, 50, 20 } },
	[STAT_BRANCH_MISSES] = { STAT_BRANCHES, FORM_PERCENT, SHADOW_BRANCHES, { 20, 10, 5 } },
	[STAT_CACHE_MISSES] = { STAT_CACHE_REFS, FORM_PERCENT, SHADOW_CACHE, { 20, 10, 5 } },
	[STAT_L1D_MISSES] = { STAT_L1D, FORM_PERCENT, SHADOW_L1D, { 20, 10, 5 } },
	[STAT_L1I_MISSES] = { STAT_L1I, FORM_PERCENT, SHADOW_L1I, { 20, 10, 5 } },
	[STAT_LL_MISSES] = { STAT_LL, FORM_PERCENT, SHADOW_LL, { 20, 10, 5 } },
	[STAT_DTLB_MISSES] = { STAT_DTLB, FORM_PERCENT, SHADOW_DTLB, { 20, 10, 5 } },
	[STAT_ITLB_MISSES] = { STAT_ITLB, FORM_PERCENT, SHADOW_ITLB, { 20, 10, 5 } },
};

#define NR(array) ((int)(sizeof(array) / sizeof(*(array))))

static const struct ratio *ratio__of(enum stat_kind kind)
{
	return (int)kind < NR(ratios) && ratios[kind].over ? &ratios[kind] : NULL;
}

/* "cpu_core/cycles/" names a sysfs event that may be one of the kernel's by another encoding. */
static enum stat_kind kind__of_name(const struct event *e)
{
	size_t pmu = strlen(e->pmu->name), len;
	const char *term;

	if (strncmp(e->name, e->pmu->name, pmu) || e->name[pmu] != '/')
		return STAT_NONE;
	term = e->name + pmu + 1;
	len = strcspn(term, "/:");
	for (int i = 0; i < NR(named_kinds); i++)
		if (strlen(named_kinds[i].name) == len && !strncmp(named_kinds[i].name, term, len))
			return named_kinds[i].kind;
	return STAT_NONE;
}

static enum stat_kind kind__of(const struct event *e)
{
	uint64_t config = e->attr.config;

	/* The latency of an event is not its count. */
	if (e->tool || e->retire_latency)
		return STAT_NONE;
	if (e->attr.type == PERF_TYPE_HARDWARE || e->attr.type == PERF_TYPE_HW_CACHE)
		config &= CONFIG_MASK;
	for (int i = 0; i < NR(kinds); i++)
		if (kinds[i].type == e->attr.type && kinds[i].config == config)
			return kinds[i].kind;
	if (e->pmu && e->pmu->is_core && e->attr.type == e->pmu->type)
		return kind__of_name(e);
	return STAT_NONE;
}

static bool same_modifiers(const struct perf_event_attr *a, const struct perf_event_attr *b)
{
	return a->exclude_kernel == b->exclude_kernel && a->exclude_user == b->exclude_user &&
	       a->exclude_hv == b->exclude_hv && a->exclude_host == b->exclude_host &&
	       a->exclude_idle == b->exclude_idle;
}

/* Which kinds of events there are, as bits: most runs have none that another is compared with. */
static unsigned int all_kinds(const struct report *r)
{
	unsigned int kinds = 0;

	for (int i = 0; i < r->nr_events; i++)
		kinds |= 1u << r->events[i].kind;
	return kinds;
}

/* The first event of that kind which counted the same as @event: group, modifiers, PMU, cgroup. */
static int find(const struct report *r, unsigned int kinds, int event, enum stat_kind kind)
{
	const struct event *e = r->events[event].event;

	for (int i = 0; kinds & 1u << kind && i < r->nr_events; i++) {
		const struct event *other = r->events[i].event;

		if (i == event || r->events[i].kind != kind || e->cgroup != other->cgroup ||
		    (e->leader && e->leader->nr_members > 1 && e->leader != other->leader) ||
		    !same_modifiers(&e->attr, &other->attr))
			continue;
		if (kind == STAT_NSECS || e->pmu == other->pmu)
			return i;
	}
	return -1;
}

int shadow__build(struct report *r)
{
	unsigned int kinds;

	for (int i = 0; i < SHADOW_NR_UNITS; i++) {
		r->shadow_units[i] = dress(r, units[i]);
		if (!r->shadow_units[i])
			return -ENOMEM;
	}
	for (int i = 0; i < r->nr_events; i++)
		r->events[i].kind = kind__of(r->events[i].event);
	kinds = all_kinds(r);
	for (int i = 0; i < r->nr_events; i++) {
		struct shown_event *e = &r->events[i];
		const struct ratio *ratio = ratio__of(e->kind);
		bool instructions = e->kind == STAT_INSTRUCTIONS;

		e->nsecs = ratio || e->kind == STAT_NSECS ? -1 : find(r, kinds, i, STAT_NSECS);
		e->over = ratio ? find(r, kinds, i, ratio->over) : -1;
		e->front = instructions ? find(r, kinds, i, STAT_STALLED_FRONT) : -1;
		e->back = instructions ? find(r, kinds, i, STAT_STALLED_BACK) : -1;
	}
	return 0;
}

void shadow__free(struct report *r)
{
	for (int i = 0; i < SHADOW_NR_UNITS; i++)
		free(r->shadow_units[i]);
}

/* What --metric-only heads the column of an event's ratio with; NULL when it has none. */
const char *shadow__column(const struct shown_event *e)
{
	const struct ratio *ratio = ratio__of(e->kind);

	return ratio ? units[ratio->unit] : NULL;
}

int shadow__ratios(const struct shown_event *e, enum shadow_unit *out)
{
	const struct ratio *ratio = ratio__of(e->kind);
	int nr = 0;

	if (e->kind == STAT_NSECS)
		out[nr++] = SHADOW_CPUS;
	else if (ratio && e->over >= 0)
		out[nr++] = ratio->unit;
	if (e->front >= 0 || e->back >= 0)
		out[nr++] = SHADOW_STALLED;
	return nr;
}

const char *shadow__name(enum shadow_unit ratio)
{
	return plain[ratio].name;
}

const char *shadow__unit(enum shadow_unit ratio)
{
	return plain[ratio].unit;
}

static double value_or_zero(const struct report *r, int event, int bucket)
{
	return event < 0 ? 0 : event__value(r, event, bucket);
}

/* Clocks are printed in ms: their raw sum is in ns. */
static double nsecs_of(const struct report *r, int event, int bucket)
{
	return event < 0 ? 0 : r->sums[event * r->nr_buckets + bucket].value;
}

static enum colour ratio__colour(const struct ratio *ratio, double value)
{
	static const enum colour colours[] = { COLOUR_RED, COLOUR_MAGENTA, COLOUR_YELLOW };

	for (int i = 0; ratio->form == FORM_PERCENT && i < 3; i++)
		if (value > ratio->above[i])
			return colours[i];
	return COLOUR_NONE;
}

/* Of what moves with an event and with another, as printed; 0 when it is not asked for. */
static double error_of(const struct report *r, const struct shown_event *e, int other, int bucket,
		       double slope, double other_slope)
{
	struct error_term terms[] = { { e->event->index, slope * e->event->scale },
				      { other, other_slope } };

	if (!r->opts.error)
		return 0;
	if (other >= 0 && r->events[other].kind != STAT_NSECS)
		terms[1].slope *= r->events[other].event->scale;
	return error__of_sums(r, bucket, terms, other < 0 ? 1 : 2);
}

static void ratio__figure(const struct report *r, const struct shown_event *e, int bucket,
			  const struct ratio *ratio, struct figure *out)
{
	double value = event__value(r, e->event->index, bucket);
	double over = ratio->over == STAT_NSECS ? nsecs_of(r, e->over, bucket)
						: value_or_zero(r, e->over, bucket);

	*out = (struct figure){ .form = ratio->form,
				.unit = r->shadow_units[ratio->unit],
				.ratio = ratio->unit };
	/* No cycles, no clock rate; but no instruction per cycle is a number. */
	if (!over || (!value && ratio->form != FORM_RATIO)) {
		out->empty = true;
		return;
	}
	out->value = value / over;
	out->error = error_of(r, e, e->over, bucket, out->value / value, -out->value / over);
	if (ratio->form == FORM_PERCENT) {
		out->value *= 100;
		out->error *= 100;
	}
	out->colour = ratio__colour(ratio, out->value);
}

static void utilized__figure(const struct report *r, const struct shown_event *e, int bucket,
			     struct figure *out)
{
	double value = event__value(r, e->event->index, bucket);
	double elapsed = r->time->elapsed_ns;

	*out = (struct figure){ .form = FORM_RATE,
				.unit = r->shadow_units[SHADOW_CPUS],
				.ratio = SHADOW_CPUS };
	if (elapsed)
		out->value = value / (elapsed * e->event->scale);
	else
		out->empty = true;
}

static void samples__figure(const struct report *r, const struct shown_event *e, int bucket,
			    struct figure *out)
{
	*out = (struct figure){
		.value = r->sums[e->event->index * r->nr_buckets + bucket].value,
		.form = FORM_COUNT,
		.unit = r->shadow_units[SHADOW_SAMPLES],
		.ratio = SHADOW_SAMPLES,
	};
}

static bool rate__figure(const struct report *r, const struct shown_event *e, int bucket,
			 struct figure *out)
{
	double nsecs = nsecs_of(r, e->nsecs, bucket);
	int unit = SHADOW_RATE;

	if (!nsecs)
		return false;
	*out = (struct figure){ .form = FORM_RATE };
	out->value = 1e9 * event__value(r, e->event->index, bucket) / nsecs;
	out->error = error_of(r, e, -1, bucket, 1e9 / nsecs, 0);
	for (; unit < SHADOW_RATE_G && out->value > 1000; unit++) {
		out->value /= 1000;
		out->error /= 1000;
	}
	out->unit = r->shadow_units[unit];
	out->ratio = unit;
	return true;
}

/* Return: how many figures were made, of room for two. */
int shadow__figures(const struct report *r, const struct shown_event *e, int bucket,
		    struct figure *out)
{
	const struct ratio *ratio = ratio__of(e->kind);
	double stalled, instructions;

	if (e->kind == STAT_NSECS) {
		utilized__figure(r, e, bucket, out);
		return 1;
	}
	if (e->event->retire_latency) {
		samples__figure(r, e, bucket, out);
		return 1;
	}
	if (!ratio)
		return rate__figure(r, e, bucket, out);
	ratio__figure(r, e, bucket, ratio, out);
	if (e->kind != STAT_INSTRUCTIONS)
		return 1;

	stalled = fmax(value_or_zero(r, e->front, bucket), value_or_zero(r, e->back, bucket));
	instructions = event__value(r, e->event->index, bucket);
	if (!stalled || !instructions)
		return 1;
	out[1] = (struct figure){ .value = stalled / instructions,
				  .error = error_of(r, e, e->front >= 0 &&
						    value_or_zero(r, e->front, bucket) == stalled ?
						    e->front : e->back, bucket,
						    -stalled / (instructions * instructions),
						    1 / instructions),
				  .form = FORM_RATIO,
				  .unit = r->shadow_units[SHADOW_STALLED],
				  .ratio = SHADOW_STALLED };
	return 2;
}
