// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compute the ratios that do not come from the vendor's tables: instructions per cycle, CPUs
 * utilized, the share of accesses that miss.
 */
#include <math.h>

#include "base/array.h"
#include "report/internal.h"

/* A share above the first limit is red, above the second magenta, above the third yellow. */
static const double miss_limits[] = { 20, 10, 5 };
static const double front_limits[] = { 50, 30, 10 };
static const double back_limits[] = { 75, 50, 20 };

/* Each event at a root port is a transfer of four bytes. */
#define EVENTS_PER_MB (1024 * 1024 / 4)

/**
 * struct ratio_info - a ratio
 * @words: name in perf's formats; @name, @unit: name and unit in tma's own formats, which have no
 *         rates: readers can divide the count by the length of the row
 * @of, @over: kinds of the two events, if the ratio is one event divided by another
 */
static const struct ratio_info {
	const char *words, *name, *unit;
	enum grid_form form;
	enum event_kind of, over;
	const double *limits;
} infos[] = {
	[RATIO_CPUS] = { "CPUs utilized", "cpus_utilized", "CPUs", FORM_RATE },
	[RATIO_STALLED] = { "stalled cycles per insn", "stalled_cycles_per_insn", "", FORM_RATIO },
	[RATIO_RATE] = { "/sec", "", "", FORM_RATE },
	[RATIO_SAMPLES] = { "samples", "", "", FORM_COUNT },
	[RATIO_MEGABYTES] = { "Inbound Read(MB)", "inbound_read", "MB", FORM_COUNT,
			      EVENT_KIND_INBOUND_READ },
	{ "Inbound Write(MB)", "inbound_write", "MB", FORM_COUNT, EVENT_KIND_INBOUND_WRITE },
	{ "Outbound Read(MB)", "outbound_read", "MB", FORM_COUNT, EVENT_KIND_OUTBOUND_READ },
	{ "Outbound Write(MB)", "outbound_write", "MB", FORM_COUNT, EVENT_KIND_OUTBOUND_WRITE },
	[RATIO_QUOTIENTS] = { "GHz", "frequency", "GHz", FORM_RATE,
			      EVENT_KIND_CYCLES, EVENT_KIND_NSECS },
	{ "insn per cycle", "insn_per_cycle", "", FORM_RATIO,
	  EVENT_KIND_INSTRUCTIONS, EVENT_KIND_CYCLES },
	{ "frontend cycles idle", "frontend_cycles_idle", "%", FORM_PERCENT,
	  EVENT_KIND_STALLED_FRONT, EVENT_KIND_CYCLES, front_limits },
	{ "backend cycles idle", "backend_cycles_idle", "%", FORM_PERCENT,
	  EVENT_KIND_STALLED_BACK, EVENT_KIND_CYCLES, back_limits },
	{ "of all branches", "branch_miss_rate", "%", FORM_PERCENT,
	  EVENT_KIND_BRANCH_MISSES, EVENT_KIND_BRANCHES, miss_limits },
	{ "of all cache refs", "cache_miss_rate", "%", FORM_PERCENT,
	  EVENT_KIND_CACHE_MISSES, EVENT_KIND_CACHE_REFS, miss_limits },
	{ "of all L1-dcache accesses", "l1d_miss_rate", "%", FORM_PERCENT,
	  EVENT_KIND_L1D_MISSES, EVENT_KIND_L1D, miss_limits },
	{ "of all L1-icache accesses", "l1i_miss_rate", "%", FORM_PERCENT,
	  EVENT_KIND_L1I_MISSES, EVENT_KIND_L1I, miss_limits },
	{ "of all LL-cache accesses", "llc_miss_rate", "%", FORM_PERCENT,
	  EVENT_KIND_LL_MISSES, EVENT_KIND_LL, miss_limits },
	{ "of all dTLB cache accesses", "dtlb_miss_rate", "%", FORM_PERCENT,
	  EVENT_KIND_DTLB_MISSES, EVENT_KIND_DTLB, miss_limits },
	{ "of all iTLB cache accesses", "itlb_miss_rate", "%", FORM_PERCENT,
	  EVENT_KIND_ITLB_MISSES, EVENT_KIND_ITLB, miss_limits },
};

static bool same_modifiers(const struct perf_event_attr *a, const struct perf_event_attr *b)
{
	return a->exclude_kernel == b->exclude_kernel && a->exclude_user == b->exclude_user &&
	       a->exclude_hv == b->exclude_hv && a->exclude_host == b->exclude_host &&
	       a->exclude_idle == b->exclude_idle;
}

/*
 * Whether one event counts cores and the other one threads, so that they have no quotient. (But a
 * core's count has a rate in any time.)
 */
static bool are_of_core_and_thread(const struct sums *s, int a, int b)
{
	bool is_rate = s->events[b].event->kind == EVENT_KIND_NSECS &&
		       s->events[a].event->kind != EVENT_KIND_CYCLES;

	return sums__is_percore(s, a) != sums__is_percore(s, b) && !is_rate;
}

/*
 * Find the first event of a kind that was counted like @event: in the same group, PMU and cgroup,
 * with the same modifiers, and both of threads or both of cores.
 */
static int ratios__find(const struct report *r, int event, enum event_kind kind)
{
	const struct sums *s = r->sums;
	const struct event *e = s->events[event].event;

	for (int i = 0; r->kinds & 1u << kind && i < s->nr_events; i++) {
		const struct event *other = s->events[i].event;

		if (other->kind != kind || i == event || e->cgroup != other->cgroup ||
		    (e->leader && e->leader->nr_members > 1 && e->leader != other->leader) ||
		    !same_modifiers(&e->attr, &other->attr) || are_of_core_and_thread(s, event, i))
			continue;
		if (kind == EVENT_KIND_NSECS || e->pmu == other->pmu)
			return i;
	}
	return -1;
}

static int ratios__add(struct ratio_use *out, int nr, int ratio, int over, int also)
{
	out[nr] = (struct ratio_use){ .ratio = ratio, .over = over, .also = also };
	return nr + 1;
}

static bool is_at_port(const struct event *e)
{
	return e->kind >= EVENT_KIND_INBOUND_READ && e->kind <= EVENT_KIND_OUTBOUND_WRITE;
}

int ratios__list(const struct report *r, int event, struct ratio_use *out)
{
	const struct event *e = r->sums->events[event].event;
	int nr = 0;

	if (is_at_port(e))
		return ratios__add(out, 0, RATIO_MEGABYTES + (e->kind - EVENT_KIND_INBOUND_READ),
				   -1, -1);
	if (r->opts.no_ratios)
		return 0;
	if (e->kind == EVENT_KIND_NSECS)
		return ratios__add(out, 0, RATIO_CPUS, -1, -1);
	if (e->retire_latency)
		return ratios__add(out, 0, RATIO_SAMPLES, -1, -1);
	for (int i = RATIO_QUOTIENTS; e->kind && i < array__nr(infos); i++)
		if (infos[i].of == e->kind)
			nr = ratios__add(out, nr, i, ratios__find(r, event, infos[i].over), -1);
	if (!nr && event_tool__is_state(e->tool))
		return ratios__add(out, 0, RATIO_RATE, -1, -1); /* a state has no rate */
	if (!nr)
		return ratios__add(out, 0, RATIO_RATE, ratios__find(r, event, EVENT_KIND_NSECS),
				   -1);
	if (e->kind == EVENT_KIND_INSTRUCTIONS)
		nr = ratios__add(out, nr, RATIO_STALLED,
				 ratios__find(r, event, EVENT_KIND_STALLED_FRONT),
				 ratios__find(r, event, EVENT_KIND_STALLED_BACK));
	return nr;
}

static bool is_megabytes(const struct ratio_use *use)
{
	return use->ratio >= RATIO_MEGABYTES && use->ratio < RATIO_QUOTIENTS;
}

void ratio__describe(const struct ratio_use *use, struct grid_column *c)
{
	const struct ratio_info *info = &infos[use->ratio];

	c->name = info->name;
	c->label = info->words;
	c->unit = info->unit;
	c->form = info->form;
	c->limits = info->limits;
	c->in_metric_only = info->of;
	c->possible = use->ratio == RATIO_CPUS || is_megabytes(use) || use->over >= 0 ||
		      use->also >= 0;
	c->optional = !info->of && use->ratio != RATIO_CPUS && use->ratio != RATIO_SAMPLES;
}

/* Return: the scale of a divisor. Clocks are printed in ms, but as divisors they are in ns. */
static double scale_of(const struct sums *s, int event)
{
	const struct event *e = s->events[event].event;

	return e->kind == EVENT_KIND_NSECS ? 1 : e->scale;
}

static double divisor(const struct sums *s, int event, int row)
{
	return event < 0 ? 0 : sums__at(s, event, row)->value * scale_of(s, event);
}

/* Compute the error of a value that depends on two events; 0 if errors are not needed. */
static double ratios__error_of(const struct report *r, int event, int other, int row, double slope,
			       double other_slope)
{
	struct error_term terms[] = { { event, slope * r->sums->events[event].event->scale },
				      { other, other_slope } };

	if (!r->opts.error)
		return 0;
	if (other >= 0)
		terms[1].slope *= scale_of(r->sums, other);
	return error__of_terms(r->errors, row, terms, other < 0 ? 1 : 2);
}

static void fill_quotient(const struct report *r, int event, const struct ratio_use *use, int row,
			  struct grid_cell *cell)
{
	enum grid_form form = infos[use->ratio].form;
	double value = sums__value(r->sums, event, row), over = divisor(r->sums, use->over, row);

	/*
	 * If the event is 0, rates such as the clock's are unknown, but 0 instructions per cycle
	 * are valid.
	 */
	if (!over || (!value && form != FORM_RATIO))
		return;
	cell->value = value / over;
	cell->more->error = ratios__error_of(r, event, use->over, row, cell->value / value,
					     -cell->value / over);
	if (form == FORM_PERCENT) {
		cell->value *= 100;
		cell->more->error *= 100;
	}
}

static void fill_stalled(const struct report *r, int event, const struct ratio_use *use, int row,
			 struct grid_cell *cell)
{
	double front = divisor(r->sums, use->over, row), back = divisor(r->sums, use->also, row);
	double stalled = fmax(front, back), instructions = sums__value(r->sums, event, row);
	int larger = use->over >= 0 && front == stalled ? use->over : use->also;

	if (!stalled || !instructions)
		return;
	cell->value = stalled / instructions;
	cell->more->error = ratios__error_of(
		r, event, larger, row, -stalled / (instructions * instructions), 1 / instructions);
}

static void fill_megabytes(const struct report *r, int event, int row, struct grid_cell *cell)
{
	cell->value = sums__value(r->sums, event, row) / EVENTS_PER_MB;
	cell->more->error = ratios__error_of(r, event, -1, row, 1.0 / EVENTS_PER_MB, 0);
}

static void fill_rate(const struct report *r, int event, const struct ratio_use *use, int row,
		      struct grid_cell *cell)
{
	double nsecs = divisor(r->sums, use->over, row);

	if (!nsecs)
		return;
	cell->value = 1e9 * sums__value(r->sums, event, row) / nsecs;
	cell->more->error = ratios__error_of(r, event, -1, row, 1e9 / nsecs, 0);
}

bool ratio__has_value(const struct report *r, int event, const struct ratio_use *use, int row)
{
	const int with[] = { use->over, use->also };

	for (int i = 0; i < array__nr(with); i++)
		if (with[i] >= 0 && (!sums__has_same_parts(r->sums, event, with[i]) ||
				     !sums__has_same_time(r->sums, event, with[i], row)))
			return false;
	return true;
}

void ratio__fill(const struct report *r, int event, const struct ratio_use *use, int row,
		 struct grid_cell *cell)
{
	double elapsed = row_time__on_ns(r->sums->time);

	if (!ratio__has_value(r, event, use, row))
		return;
	switch (use->ratio) {
	case RATIO_CPUS:
		if (elapsed)
			cell->value = sums__value(r->sums, event, row) /
				      (elapsed * r->sums->events[event].event->scale);
		cell->more->error = 0;
		break;
	case RATIO_SAMPLES:
		cell->value = sums__at(r->sums, event, row)->value;
		cell->more->error = 0;
		break;
	case RATIO_RATE:
		fill_rate(r, event, use, row, cell);
		break;
	case RATIO_STALLED:
		fill_stalled(r, event, use, row, cell);
		break;
	default:
		if (is_megabytes(use)) {
			fill_megabytes(r, event, row, cell);
			break;
		}
		fill_quotient(r, event, use, row, cell);
		break;
	}
}
