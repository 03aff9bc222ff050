// SPDX-License-Identifier: GPL-2.0-only
/* Fill the grid from counts, one row of time after the other. */
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xalloc.h"
#include "report/internal.h"

#define NS_PER_S 1e9

static void build_grid(struct report *r)
{
	const struct sums *s = r->sums;
	struct grid *g = &r->grid;
	size_t cells = (size_t)s->nr_events * s->nr_rows;

	g->aggr = r->opts.aggr;
	g->wants = r->opts.wants | (r->opts.error ? WANT_ERRORS : 0) |
		   (r->opts.runs ? WANT_SPREADS : 0);
	g->rows = s->rows;
	g->nr_rows = s->nr_rows;
	g->per_cpu = s->per_cpu;
	g->counts_cpus = s->per_cpu && !s->uncounted;
	g->skip_idle = r->opts.skip_idle;
	g->runs = r->opts.runs;
	if (r->opts.estimate != ESTIMATE_TIME)
		g->estimate = estimate__name(r->opts.estimate);
	g->simulated = s->machine->simulated;
	g->restarts = r->opts.restarts;
	g->lost_ns = r->opts.lost_ns;
	g->span = r->opts.interval ? SPAN_INTERVAL : g->runs ? SPAN_MEAN : SPAN_RUN;
	columns__build(r);
	grid__allocate(g);
	if (r->opts.wants & WANT_SLOTS)
		r->slots = slots__new(g);
	if (s->shares)
		g->shares = arena__calloc(&g->memory, (size_t)g->cores.nr * g->nr_rows,
					  sizeof(*g->shares));
	if (r->opts.sites && g->cores.nr > 1)
		g->bottlenecks = arena__calloc(&g->memory, (size_t)g->cores.nr * g->nr_rows,
					       sizeof(*g->bottlenecks));
	if (g->skip_idle && g->aggr == AGGR_THREAD && !g->runs) {
		g->ran.ns = arena__calloc(&g->memory, g->nr_rows, sizeof(*g->ran.ns));
		g->ran.order = arena__calloc(&g->memory, g->nr_rows, sizeof(*g->ran.order));
		for (int row = 0; row < g->nr_rows; row++)
			g->ran.order[row] = row;
	}
	if (r->opts.wants & WANT_TOTALS) {
		r->totals = arena__calloc(&r->sums->memory, cells, sizeof(*r->totals));
		r->has_total = arena__calloc(&r->sums->memory, cells, sizeof(*r->has_total));
	}
}

/* Append the names of a list that are missing in @names. */
static void add_words(struct sb *names, const char *list)
{
	int len;

	text__for_each_item(name, len, list ?: "", ", ")
	{
		char *word = xstrndup(name, len);

		if (!text__has_item(sb__str(names), " ", word))
			sb__printf(names, "%s%s", names->len ? " and " : "", word);
		free(word);
	}
}

/* Note which events were left out of the formulas of metrics. */
static void note_approximate(struct report *r)
{
	struct sb corrections = SB_INIT, any_thread = SB_INIT;

	for (int i = 0; i < r->sums->nr_metrics; i++) {
		const struct metric *m = r->sums->metrics[i].metric->metric;

		add_words(&corrections, m->without.corrections);
		add_words(&any_thread, m->without.any_thread);
	}
	if (corrections.len)
		r->grid.notes.uncorrected = grid__keep(&r->grid, &corrections);
	if (any_thread.len)
		r->grid.notes.one_thread = grid__keep(&r->grid, &any_thread);
}

/* Return: the leader of each event's group, from the session or from the recording. */
static int *leaders_of(const struct session *session, const struct event_list *events)
{
	int *leaders = xcalloc(events->nr, sizeof(*leaders));

	for (int i = 0; i < events->nr; i++) {
		const struct event *leader = events->at[i]->leader;

		leaders[i] = session ? session__leader(session, i) : leader ? leader->index : i;
	}
	return leaders;
}

struct report *report__new(struct machine *machine, const struct plan *plan,
			   const struct session *session, const struct units *units,
			   const struct report_options *opts)
{
	struct report *r = xcalloc(1, sizeof(*r));

	r->opts = *opts;
	r->sums = sums__new(machine, plan, units, &r->opts);
	build_grid(r);
	note_approximate(r);
	if ((opts->recorded ? opts->verdict : opts->turns && (session || opts->sites)) ||
	    opts->estimate != ESTIMATE_TIME)
		r->errors = errors__new(r->sums, leaders_of(session, &plan->events));
	if (opts->verdict || opts->fit || opts->sites)
		r->verdicts = verdicts__new(r->sums, r->errors);
	if (session)
		report__take_refusals(r, session);
	return r;
}

void report__free(struct report *r)
{
	if (!r)
		return;
	verdicts__free(r->verdicts);
	errors__free(r->errors);
	slots__free(r->slots);
	grid__free(&r->grid);
	sums__free(r->sums);
	vec__free(&r->sources);
	free(r);
}

void report__take_refusals(struct report *r, const struct session *session)
{
	for (int i = 0; i < r->sums->nr_events; i++)
		sums__set_reasons(r->sums, i, session__refusal(session, i),
				  session__obstacle(session, i));
}

void report__regroup(struct report *r, const struct session *session)
{
	if (r->errors)
		errors__regroup(r->errors, leaders_of(session, &r->sums->plan->events));
	report__take_refusals(r, session);
}

const struct grid *report__grid(const struct report *r)
{
	return &r->grid;
}

struct sums *report__sums(const struct report *r)
{
	return r->sums;
}

/* Return: the share of the time of all CPUs in which an event was counted; NAN if unknown. */
static double coverage(const struct sums *s)
{
	double most = NAN;

	for (int e = 0; e < s->nr_events; e++) {
		const struct event *event = s->events[e].event;
		double enabled = 0, nr = 0;

		if (event->cgroup || event->tool || event->retire_latency)
			continue;
		for (int row = 0; row < s->nr_rows; row++) {
			enabled += sums__at(s, e, row)->enabled;
			nr += sums__at(s, e, row)->nr;
		}
		if (nr && s->time->elapsed_ns)
			most = fmax(most, enabled / nr / s->time->elapsed_ns);
	}
	return most;
}

static void fill_notes(struct report *r)
{
	const struct sums *s = r->sums;
	struct grid_notes *notes = &r->grid.notes;

	notes->nr_away = 0;
	for (int row = 0; row < s->nr_rows; row++)
		notes->nr_away += s->rows[row].nr_away;
	if (notes->nr_away)
		notes->coverage = coverage(s);
	notes->watchdog = s->watchdog_hint && s->machine->nmi_watchdog;
	for (int e = 0; e < s->nr_events; e++)
		notes->assumed |= s->events[e].assumed;
}

static void fill_time(struct report *r, const struct row_time *time, enum grid_span span)
{
	struct grid *g = &r->grid;

	g->span = span;
	g->since_start_ns = time->since_start_ns;
	g->elapsed_ns = time->elapsed_ns;
	if (span == SPAN_INTERVAL)
		g->missed_total += time->missed;
	g->missed = span == SPAN_INTERVAL ? time->missed : g->missed_total;
	g->is_cut = span == SPAN_INTERVAL && time->is_cut;
	g->user_ns = time->user_ns;
	g->system_ns = time->system_ns;
	g->peak_bytes = time->peak_bytes;
	g->has_cpu_time = time->has_cpu_time;
	g->lengths = (struct grid_lengths){ .at = time->pass_ns, .nr = time->nr_passes,
					    .mean = time->elapsed_ns / NS_PER_S };
}

/* Compute everything that follows from the sums. */
static void evaluate(struct report *r, const struct row_time *time, enum grid_span span)
{
	fill_time(r, time, span);
	sums__evaluate(r->sums, time);
	errors__propagate(r->errors);
}

static void take_misfit(void *report, int row, const struct summed_metric *metric, char *text)
{
	struct report *r = report;
	int column = 0;

	while (column < r->grid.nr_columns && r->sources.at[column].metric != metric)
		column++;
	vec__push(&r->grid.notes.misfits, (struct grid_misfit){row, column, text});
}

static void look_at_fit(struct report *r)
{
	const struct misfit_taker taker = {take_misfit, r};

	grid__free_misfits(&r->grid);
	if (r->opts.fit && r->grid.span == SPAN_RUN)
		verdicts__find_misfits(r->verdicts, &taker);
}

void report__fill(struct report *r, const struct counts *counts, const struct row_time *time,
		  enum grid_span span, bool is_total)
{
	r->grid.is_total = is_total;
	sums__take(r->sums, counts, is_total);
	errors__measure(r->errors, counts, span == SPAN_INTERVAL, !r->opts.error);
	evaluate(r, time, span);
	if (r->opts.sites)
		sites__judge(r);
	cells__fill(r);
	fill_notes(r);
	look_at_fit(r);
	if (span == SPAN_INTERVAL && r->opts.verdict)
		verdicts__add_row(r->verdicts);
}

void report__conclude(struct report *r, const struct counts *counts, const struct row_time *time)
{
	sums__take(r->sums, counts, true);
	errors__measure(r->errors, counts, false, false);
	evaluate(r, time, SPAN_RUN);
	cells__sort_threads(r);
	verdicts__conclude(r->verdicts, &r->grid);
}

int report__add_run(struct report *r, const struct units *units, const struct counts *counts,
		    const struct row_time *time, struct err *err)
{
	int rc = sums__add_run(r->sums, units, counts, time, err);

	r->grid.rows = r->sums->rows;
	return rc;
}

void report__fill_mean(struct report *r)
{
	const struct runs *runs = &r->sums->runs;
	const struct row_time time = { .since_start_ns = runs->elapsed.mean,
				       .elapsed_ns = runs->elapsed.mean };

	sums__take_runs(r->sums);
	evaluate(r, &time, SPAN_MEAN);
	r->grid.lengths = (struct grid_lengths){
		.at = runs->lengths.at,
		.nr = runs->lengths.nr,
		.mean = runs->elapsed.mean / NS_PER_S,
		.error = spread__error(&runs->elapsed) / NS_PER_S,
		.percent = spread__percent(&runs->elapsed),
	};
	cells__fill(r);
	fill_notes(r);
}
