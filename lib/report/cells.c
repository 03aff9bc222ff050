// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fill each cell of the grid with the value of an event, a ratio or a metric in a row, or with the
 * reason why there is no value.
 */
#include <math.h>

#include "base/array.h"
#include "report/internal.h"

static double coverage_of(const struct sums *s, int event, int row)
{
	const struct event *e = s->events[event].event;
	const struct sum *sum = sums__at(s, event, row);
	double percent;

	if (!s->per_cpu || e->cgroup || e->tool || e->retire_latency || !s->time->elapsed_ns ||
	    sum->nr < 1 || sum->counters < 1)
		return NAN;
	percent = 100.0 * sum->running / ((double)s->time->elapsed_ns * sum->counters);
	return percent < 100 ? percent : 100;
}

/* Set the status of an event as far as the writer needs it. Some writers only need reasons. */
static void set_event_status(const struct report *r, int event, int row, struct grid_cell *cell)
{
	const struct sum *sum = sums__at(r->sums, event, row);

	if (!(r->opts.wants & (WANT_STATUS | WANT_REASONS)))
		return;
	reason__set(r, event, row, cell);
	if (!(r->opts.wants & WANT_STATUS))
		return;
	cell->more->percent = sum__percent(sum);
	cell->more->coverage = coverage_of(r->sums, event, row);
}

static void fill_event(struct report *r, const struct origin *from, int row, struct grid_cell *cell)
{
	const struct sums *s = r->sums;
	int event = from->event, at = event * s->nr_rows + row;
	const struct sum *sum = &s->at[at];

	if (!sum->present)
		return;
	cell->enabled = sum->enabled;
	cell->running = sum->running;
	cell->count = sum->value;
	cell->assumed = sum->assumed;
	set_event_status(r, event, row, cell);
	if (r->totals) {
		cell->more->has_total = r->has_total[at];
		cell->more->total = r->totals[at];
	}
	if (!cell->counted)
		return;
	cell->value = sums__value(s, event, row);
	cell->is_count = s->events[event].event->scale == 1 && !sum->is_latency;
	if (r->opts.error)
		cell->more->error = error__of_event(r->errors, event, row);
	if (r->opts.runs)
		cell->more->spread_percent = sums__run_spread(s, event, row);
}

/*
 * Return: the number of the event that is counted for a metric: in the row of an uncore box, the
 * event on the PMU of this box.
 */
static int served_by(const struct sums *s, int shown_at, const struct event *event)
{
	const struct summed_event *at = &s->events[shown_at];

	for (int i = 0; at->has_own_values && i < s->nr_events; i++)
		if (s->events[i].event->first == event && s->events[i].event->pmu == at->event->pmu)
			return i;
	return event->index;
}

/* Whether a metric's value depends on no event, since literals chose a constant branch. */
static bool is_constant(const struct report *r, const struct summed_metric *m)
{
	const struct plan_metric *pm = m ? m->metric : NULL;

	for (int i = 0; pm && pm->events && i < plan_metric__nr_events(pm); i++)
		if (pm->events[i] &&
		    program__uses(r->sums->plan->program, pm->value, pm->events[i]->index))
			return false;
	return pm;
}

/*
 * Note in a cell for how long an event was counted on which the value depends, or why it was not
 * counted.
 */
static void depend_on(const struct report *r, const struct origin *from, int event, int row,
		      struct grid_cell *cell)
{
	const struct sum *sum = sums__at(r->sums, event, row);
	double percent = sum__percent(sum), coverage = coverage_of(r->sums, event, row);

	if (!isnan(coverage) && !(coverage >= cell->more->coverage))
		cell->more->coverage = coverage;
	if (cell->status != CELL_COUNTED)
		return;
	if (sum__is_counted(sum)) {
		/* An assumed latency has no share of the time. */
		if (!sum->assumed && !(percent >= cell->more->percent))
			cell->more->percent = percent;
		return;
	}
	/*
	 * Without the event there is a value if only the threshold, or a branch that was not taken,
	 * needs the event. But a constant is printed only if the formula's events are counted.
	 */
	if (isfinite(cell->value) && !is_constant(r, from->metric))
		return;
	cell->value = NAN;
	cell->more->percent = percent;
	reason__set(r, event, row, cell);
	if (cell->status == CELL_ABSENT)
		cell->status = CELL_NOT_COUNTED;
	if (event != from->event || from->metric)
		cell->more->culprit = r->sums->events[event].event->name;
}

/* Mark a metric that is computed without some events of its formula. Return: whether it is. */
static bool is_approximate(const struct origin *from, struct grid_cell *cell)
{
	const struct metric_without *without = &from->metric->metric->metric->without;

	if (!without->corrections && !without->any_thread)
		return false;
	cell->status = CELL_APPROXIMATE;
	cell->more->culprit = without->corrections ?: without->any_thread;
	cell->reason = without->corrections ? REASON_UNCORRECTED : REASON_ONE_THREAD;
	return true;
}

static void tell_lacking(const struct sums *s, const struct origin *from, int event, bool differs,
			 struct grid_cell *cell)
{
	const struct summed_event *e = &s->events[event];

	cell->status = differs ? CELL_NO_VALUE : CELL_PARTIAL;
	cell->reason = REASON_TEXT;
	cell->more->reason_text = differs ? e->lacking.differs : e->lacking.words;
	if (event != from->event || from->metric)
		cell->more->culprit = e->event->name;
}

/*
 * Return: an event of a ratio that lacks parts, or -1. @differs: set if its events lack different
 * parts
 */
static int lacking_of_ratio(const struct sums *s, const struct origin *from, bool *differs)
{
	const int with[] = { from->ratio.over, from->ratio.also };
	int lacking = s->events[from->event].lacking.key ? from->event : -1;

	for (int i = 0; i < array__nr(with); i++) {
		if (with[i] < 0)
			continue;
		*differs |= !sums__has_same_parts(s, from->event, with[i]);
		if (lacking < 0 && s->events[with[i]].lacking.key)
			lacking = with[i];
	}
	return lacking;
}

/*
 * Mark a value that covers only a part of the machine. It is NaN if its events cover different
 * parts. Return: whether parts are lacking.
 */
static bool lacks_parts(const struct report *r, const struct origin *from, struct grid_cell *cell)
{
	struct sums *s = r->sums;
	bool differs = false;
	int lacking;

	if (!s->lacks || s->opts->aggr != AGGR_GLOBAL || s->events[from->event].has_own_values)
		return false;
	if (from->metric) {
		lacking = sums__odd_event(s, from->metric->metric, from->metric->metric->value);
		differs = lacking >= 0;
		if (!differs)
			lacking = sums__lacking_event(s, from->metric->metric);
	} else {
		lacking = lacking_of_ratio(s, from, &differs);
	}
	if (lacking < 0 || (!differs && !isfinite(cell->value)))
		return false;
	tell_lacking(s, from, lacking, differs, cell);
	return true;
}

/* Set the reason if a literal of the formula is unknown for the machine that was measured. */
static void set_unknown_reason(const struct metric *m, struct grid_cell *cell)
{
	if (m->why_unknown) {
		cell->reason = REASON_TEXT;
		cell->more->reason_text = m->why_unknown;
	} else if (m->unknown) {
		cell->reason = REASON_LITERAL;
		cell->more->culprit = m->unknown;
	}
}

/* Set the status of a value whose events were all counted. */
static void cells__conclude(const struct report *r, const struct origin *from, int row,
			    struct grid_cell *cell)
{
	int assumed = from->metric ? latency__of_metric(r->sums, from->metric, row) : -1;

	if (cell->status != CELL_COUNTED || lacks_parts(r, from, cell))
		return;
	if (!isfinite(cell->value)) {
		cell->status = CELL_NO_VALUE;
		cell->reason = REASON_NO_VALUE;
		if (!from->metric && !ratio__has_value(r, from->event, &from->ratio, row))
			cell->reason = REASON_OTHER_TIMES;
		else if (from->metric)
			set_unknown_reason(from->metric->metric->metric, cell);
	} else if (assumed >= 0) {
		cell->status = CELL_ASSUMED;
		cell->more->culprit = r->sums->events[assumed].event->name;
		cell->reason = latency__reason(r->sums, assumed);
	} else if (from->metric && is_approximate(from, cell)) {
		return;
	} else if (cell->more->percent < 100) {
		cell->status = r->opts.no_scale ? CELL_PARTIAL : CELL_SCALED;
		cell->reason = reason__of_part(r, from->pmu, row, cell->more->percent);
	} else if (from->metric && from->metric->metric->over_passes) {
		cell->reason = REASON_OVER_PASSES;
	}
}

static void set_threshold(const struct report *r, const struct summed_metric *m, int row,
			  struct grid_cell *cell)
{
	const struct plan_metric *pm = m->metric;
	double over;

	if (pm->threshold < 0 || r->opts.no_threshold)
		return;
	over = r->out[pm->threshold * r->sums->nr_rows + row];
	if (over == 0)
		cell->threshold = 0;
	else if (!isnan(over) &&
		 !error__may_be_under(pm->metric, cell->value, cell->more->error, m->scale))
		cell->threshold = 1;
}

/* Find the status of a metric or ratio from its events. */
static void find_status(const struct report *r, const struct origin *from, int row,
			struct grid_cell *cell)
{
	const struct plan_metric *pm = from->metric ? from->metric->metric : NULL;
	const int needs[] = { from->event, from->ratio.over, from->ratio.also };

	for (int i = 0; pm && pm->events && i < plan_metric__nr_events(pm); i++)
		if (pm->events[i])
			depend_on(r, from, served_by(r->sums, from->event, pm->events[i]), row,
				  cell);
	for (int i = 0; !pm && i < array__nr(needs); i++)
		if (needs[i] >= 0)
			depend_on(r, from, needs[i], row, cell);
	cells__conclude(r, from, row, cell);
}

static void fill_metric(struct report *r, const struct origin *from, int row,
			struct grid_cell *cell)
{
	const struct summed_metric *m = from->metric;
	bool own = r->sums->events[from->event].has_own_values;

	cell->value = r->out[m->metric->value * r->sums->nr_rows + row] * m->scale;
	/* Do not print the undefined quotient of 0 and 0 at a site without samples. */
	cell->counted &= !r->opts.sites || isfinite(cell->value);
	cell->assumed = !isnan(cell->value) &&
			(metric__is_approximate(m->metric->metric) ||
			 (m->nr_latencies && latency__of_metric(r->sums, m, row) >= 0));
	if (r->opts.error)
		cell->more->error = own ? (double)NAN : error__of_metric(r->errors, m, row);
	set_threshold(r, m, row, cell);
}

/* Set the reason of an event that is not counted in any row: otherwise no row would name it. */
static void set_absent_reason(const struct report *r, const struct origin *from,
			      enum grid_kind kind, struct grid_cell *cell)
{
	const char *refusal = r->sums->events[from->event].refusal;

	cell->status = CELL_ABSENT;
	if (kind != GRID_EVENT || !refusal || r->opts.aggr != AGGR_GLOBAL ||
	    !(r->opts.wants & (WANT_STATUS | WANT_REASONS)))
		return;
	cell->status = CELL_NOT_COUNTED;
	cell->reason = REASON_TEXT;
	cell->more->reason_text = refusal;
}

static void fill_cell(struct report *r, const struct origin *from, enum grid_kind kind, int row,
		      struct grid_cell *cell)
{
	if (!cell->present)
		set_absent_reason(r, from, kind, cell);
	if (from->site) {
		sites__fill_cell(r, from, row, cell);
		return;
	}
	if (kind == GRID_METRIC)
		fill_metric(r, from, row, cell);
	else if (kind == GRID_WHOLE)
		cell->value = r->sums->out[from->metric->metric->whole * r->sums->nr_rows + row];
	else if (kind == GRID_EVENT)
		fill_event(r, from, row, cell);
	else if (cell->counted)
		ratio__fill(r, from->event, &from->ratio, row, cell);
	if (kind != GRID_EVENT && cell->present && r->opts.wants & WANT_STATUS)
		find_status(r, from, row, cell);
}

/*
 * Whether the count of a core is in another row: only one CPU's row has it, so that rows can be
 * added up.
 */
static bool has_other_row(const struct report *r, int column, int row)
{
	const struct grid_column *c = &r->grid.columns[column];

	return c->of_cores && c->kind != GRID_METRIC && c->kind != GRID_WHOLE &&
	       !r->grid.rows[row].leads_core;
}

static void fill_column(struct report *r, int column)
{
	const struct origin *from = &r->sources.at[column];
	const struct sum *shown = sums__at(r->sums, from->where, 0);
	const struct sum *event = sums__at(r->sums, from->event, 0);
	struct grid_cell *cells = grid__cell(&r->grid, column, 0);
	enum grid_kind kind = r->grid.columns[column].kind;
	bool more = r->grid.wants & WANT_MORE;

	for (int row = 0; row < r->grid.nr_rows; row++) {
		struct grid_cell *cell = &cells[row];

		/* Set the defaults of a cell. */
		*cell = (struct grid_cell){ .value = NAN, .more = cell->more,
					    .nr = r->opts.perf7 ? shown[row].counters :
								  shown[row].nr,
					    .threshold = -1, .present = shown[row].present,
					    .counted = sum__is_counted(&event[row]) };
		if (more)
			*cell->more = CELL_MORE_NONE;
		if (!has_other_row(r, column, row)) {
			fill_cell(r, from, kind, row, cell);
			continue;
		}
		cell->present = cell->counted = false;
		cell->status = CELL_ABSENT;
	}
}

/*
 * Choose the values of metrics for a column. Values of an uncore box are computed once for all
 * columns of the box.
 */
static void choose_values(struct report *r, const struct origin *from, int *event)
{
	if (*event == from->event)
		return;
	*event = from->event;
	r->out = r->sums->out;
	if (r->sums->events[from->event].has_own_values) {
		sums__evaluate_own(r->sums, from->event);
		r->out = r->sums->own_out;
	}
}

static void fill_shares(struct report *r)
{
	struct grid *g = &r->grid;

	for (int core = 0; g->shares && core < g->cores.nr; core++)
		for (int row = 0; row < g->nr_rows; row++)
			g->shares[core * g->nr_rows + row] = share__of(r->sums, core, row);
}

static void find_present(struct report *r)
{
	const struct sums *s = r->sums;
	struct grid *g = &r->grid;
	int events = s->nr_events / g->nr_blocks;

	for (int i = 0; i < g->nr_blocks * g->nr_rows; i++) {
		int first = i / g->nr_rows * events, row = i % g->nr_rows;

		g->present[i] = g->aggr == AGGR_GLOBAL;
		for (int e = first; e < first + events && !g->present[i]; e++)
			g->present[i] = sums__at(s, e, row)->present;
	}
}

/*
 * Update the counts since the start: add the counts of the row. States are not added up, but
 * replaced.
 */
static void add_totals(struct report *r)
{
	const struct sums *s = r->sums;

	for (int i = 0; r->totals && i < s->nr_events * s->nr_rows; i++) {
		const struct event *e = s->events[i / s->nr_rows].event;

		if (!sum__is_counted(&s->at[i]))
			continue;
		if (e->snapshot || e->retire_latency || r->grid.span != SPAN_INTERVAL)
			r->totals[i] = 0;
		r->has_total[i] = true;
		r->totals[i] += s->at[i].value;
	}
}

/* Return: how long a task ran: its events are enabled during this time, even without a counter. */
static uint64_t time_ran(const struct sums *s, int row)
{
	uint64_t most = 0;

	for (int e = 0; e < s->nr_events; e++) {
		const struct sum *sum = sums__at(s, e, row);

		if (!s->events[e].event->tool && sum->enabled > most)
			most = sum->enabled;
	}
	return most;
}

/*
 * Sort threads by the time for which they ran. The order hardly changes: few threads run, and
 * mostly the same.
 */
void cells__sort_threads(struct report *r)
{
	struct grid_ran *ran = &r->grid.ran;

	if (!ran->order)
		return;
	ran->total_ns = 0;
	for (int row = 0; row < r->grid.nr_rows; row++)
		ran->total_ns += ran->ns[row] = time_ran(r->sums, row);
	for (int i = 1; i < r->grid.nr_rows; i++) {
		int row = ran->order[i], at = i;

		for (; at && ran->ns[ran->order[at - 1]] < ran->ns[row]; at--)
			ran->order[at] = ran->order[at - 1];
		ran->order[at] = row;
	}
}

void cells__fill(struct report *r)
{
	struct grid *g = &r->grid;
	int event = -1;

	add_totals(r);
	find_present(r);
	fill_shares(r);
	cells__sort_threads(r);
	for (int i = 0; i < g->nr_columns; i++) {
		const struct origin *from = &r->sources.at[i];
		struct grid_column *c = &g->columns[i];

		c->supported = r->sums->events[from->event].supported;
		if (c->kind == GRID_METRIC && from->metric)
			choose_values(r, from, &event);
		fill_column(r, i);
	}
	slots__add(r->slots, g);
}
