// SPDX-License-Identifier: GPL-2.0-only
/* The table of fields by which json, csv-wide, prom and trace print cells. */
#include <math.h>
#include <stddef.h>

#include "base/array.h"
#include "writers/own.h"

#define EVENTS (1u << GRID_EVENT)
#define METRICS (~EVENTS)
#define ALL (~0u)
#define NAME(member) FROM_NAMES, VALUE_DRESSED, .offset = offsetof(struct own_column, member)
#define CELL(member) FROM_CELL, VALUE_WHOLE, .offset = offsetof(struct grid_cell, member)
#define MORE(member) FROM_MORE, VALUE_REAL, .offset = offsetof(struct cell_more, member)
#define SLOTS(member, in) .from = FROM_##in, .offset = offsetof(struct cell_more, member)
#define NODE(name, help) .families[PROM_NODES] = {"tma_" name, help}
#define EVENT(name, help) .families[PROM_EVENTS] = {"tma_event_" name, help}
#define BESIDE(when, heading) .wide = WIDE_##when, .aside = heading
#define IN_UNIT .in_unit = true
#define PERCENT .is_percent = true
#define METRIC(name, help) .families[PROM_METRICS] = {"tma_metric" name, help}

/* clang-format off */

/*
 * Json has the fields in this order, and csv-wide has a line's fields in the opposite order. Prom
 * has the families of nodes, of events and of metrics in this order; a family with another order
 * has a line of its own.
 */
const struct cell_field cell_fields[] = {
	{NULL, EVENTS, .from = FROM_TOTAL, IN_UNIT,
	 EVENT("count_total", "Events counted since the start.")},
	{NULL, EVENTS, .from = FROM_STATE, IN_UNIT,
	 EVENT("state", "Events whose value is a state, not a count.")},
	{NULL, ALL, SLOTS(slots, SLOTS),
	 NODE("slots_total", "Slots of nodes of the TopDown tree since the start.")},
	{NULL, ALL, SLOTS(slots, CYCLES),
	 NODE("cycles_total", "Cycles of nodes of the TopDown tree since the start.")},
	{NULL, ALL, SLOTS(error_slots, SLOTS), NODE("error_slots_total",
	 "Half widths of the 90 % confidence intervals of each row's slots, added up.")},
	{NULL, ALL, SLOTS(error_slots, CYCLES), NODE("error_cycles_total",
	 "Half widths of the 90 % confidence intervals of each row's cycles, added up.")},
	{NULL, 1u << GRID_METRIC, MORE(percent), PERCENT, NODE("counted_ratio",
	 "Least share of the last row's time in which an event of the node had a counter.")},
	{"name", ALL, NAME(name)},
	{"pmu", ALL, NAME(pmu)},
	{"value", ALL, .from = FROM_VALUE, IN_UNIT, .track = "",
	 METRIC("", "Metrics of the last row.")},
	{"error", ALL, .from = FROM_ERROR, IN_UNIT, .track = " error", BESIDE(ERRORS, " error"),
	 METRIC("_error", "Half width of the 90 % confidence interval of the metric.")},
	{"unit", ALL, NAME(unit)},
	{"share_of", 1u << GRID_METRIC, NAME(share_of)},
	{"estimate", METRICS, .from = FROM_ESTIMATE, .wide = WIDE_ESTIMATES},
	{"contradiction", METRICS, .from = FROM_MISFIT},
	{"event", METRICS, NAME(of)},
	{"threshold_passed", METRICS, .from = FROM_THRESHOLD,
	 METRIC("_threshold_passed", "Whether the metric is over its threshold.")},
	{"samples", EVENTS, .from = FROM_SAMPLES},
	{"enabled_ns", EVENTS, CELL(enabled)},
	{"running_ns", EVENTS, CELL(running)},
	{NULL, EVENTS, MORE(percent), PERCENT,
	 EVENT("running_ratio", "Share of the last row's time in which the event had a counter.")},
	{"coverage_percent", EVENTS, MORE(coverage), PERCENT, .wide = WIDE_CPUS,
	 EVENT("coverage_ratio",
	       "Share of the last row's time in which all CPUs counted the event.")},
	{NULL, EVENTS, .from = FROM_ERROR, IN_UNIT, EVENT("error",
	 "Half width of the 90 % confidence interval of the event's count in the last row.")},
	{"spread_percent", EVENTS, .from = FROM_SPREAD, PERCENT, BESIDE(RUNS, " spread")},
	{"running_percent", ALL, MORE(percent), PERCENT, .wide = WIDE_ALWAYS,
	 METRIC("_running_ratio",
	 "Least share of the last row's time in which an event of the metric had a counter.")},
	{"status", ALL, .from = FROM_STATUS, .wide = WIDE_ALWAYS,
	 EVENT("status", "Status of the event in the last row, and the reason."),
	 METRIC("_status", "Status of the metric in the last row, and the reason.")},
	{"reason", ALL, .from = FROM_REASON},
};

/* clang-format on */

const struct cell_field *const cell_fields_end = cell_fields + array__nr(cell_fields);

/* Round down to whole slots, so that children do not exceed their parent. */
static struct own_value field__slots(double number)
{
	return number < UINT64_MAX ? OWN_WHOLE(number) : OWN_REAL(number);
}

/* Return: a count since the start, or a state. */
static struct own_value field__total(const struct own_cell *at, bool as_state)
{
	const struct grid_column *c = at->column;

	if (as_state && c->is_latency)
		return OWN_REAL(at->cell->value);
	if (c->is_state != as_state || !at->cell->more->has_total)
		return OWN_ABSENT;
	return c->scale == 1 ? OWN_WHOLE(at->cell->more->total)
			     : OWN_REAL(at->cell->more->total * c->scale);
}

static struct own_value field__misfit(const struct writer *w, const struct own_cell *at)
{
	const struct grid_misfit *m;

	vec__for_each(m, &w->grid->notes.misfits)
	{
		if (m->row == at->row && &w->grid->columns[m->column] == at->column)
			return OWN_TEXT(m->text);
	}
	return OWN_ABSENT;
}

static struct own_value field__reason(struct writer *w, const struct grid_cell *cell)
{
	sb__clear(&w->scratch);
	cell__print_reason(&w->scratch, cell);
	return OWN_TEXT(sb__str(&w->scratch));
}

struct own_value cell_field__find(struct writer *w, const struct cell_field *f,
				  const struct own_cell *at)
{
	const struct grid_cell *cell = at->cell;
	const char *slots = (const char *)cell->more + f->offset;

	switch (f->from) {
	case FROM_SLOTS:
	case FROM_CYCLES:
		if (at->column->in_cycles != (f->from == FROM_CYCLES))
			return OWN_ABSENT;
		return field__slots(*(const double *)slots);
	case FROM_VALUE:
		return own_cell__value(cell);
	case FROM_ERROR:
		return w->opts.error ? OWN_REAL(cell__error(cell)) : OWN_ABSENT;
	case FROM_SPREAD:
		return w->grid->runs ? OWN_REAL(cell->more->spread_percent) : OWN_ABSENT;
	case FROM_SAMPLES:
		return at->column->is_latency ? OWN_WHOLE(cell->count) : OWN_ABSENT;
	case FROM_TOTAL:
	case FROM_STATE:
		return field__total(at, f->from == FROM_STATE);
	case FROM_THRESHOLD:
		if (cell->threshold < 0 || !isfinite(cell->value))
			return OWN_REAL(NAN);
		return (struct own_value){VALUE_FLAG, {.whole = cell->threshold}};
	case FROM_ESTIMATE:
		/* A built-in ratio uses counts as they are printed; its value is not estimated. */
		if (w->grid->estimate && at->column->kind == GRID_METRIC &&
		    cell->status == CELL_SCALED)
			return OWN_TEXT(w->grid->estimate);
		break;
	case FROM_MISFIT:
		return field__misfit(w, at);
	case FROM_STATUS:
		return OWN_DRESSED(cell_status__name(cell->status));
	case FROM_REASON:
		return field__reason(w, cell);
	default:
		break;
	}
	return OWN_ABSENT;
}

void own_value__json(const struct own_value *v, struct json *j, const char *key)
{
	if (v->type == VALUE_REAL)
		json__double(j, key, v->real);
	else if (v->type == VALUE_WHOLE)
		json__u64(j, key, v->whole);
	else if (v->type == VALUE_FLAG)
		json__bool(j, key, v->whole);
	else if (v->type == VALUE_TEXT)
		json__text(j, key, v->text);
	else if (v->type == VALUE_DRESSED)
		json__escaped(j, key, v->text);
}
