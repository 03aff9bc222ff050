// SPDX-License-Identifier: GPL-2.0-only
/* --format=prom prints the text that Prometheus reads, all samples of a name together. */
#include <inttypes.h>
#include <math.h>

#include "writers/own.h"

/**
 * struct prom_number - of a sample
 * @is_whole: it is @whole; else @real, which is NAN where there is no sample
 */
struct prom_number {
	double real;
	uint64_t whole;
	bool is_whole;
};

/* The samples of a family are one of these numbers. */
enum prom_sample {
	SAMPLE_TOTAL,
	SAMPLE_STATE,
	SAMPLE_VALUE,
	SAMPLE_RUNNING,
	SAMPLE_COVERAGE,
	SAMPLE_ERROR,
	SAMPLE_THRESHOLD,
	SAMPLE_STATUS,
};

static struct prom_number real(double value)
{
	return (struct prom_number){.real = value};
}

static struct prom_number whole(uint64_t value)
{
	return (struct prom_number){.whole = value, .is_whole = true};
}

static struct prom_number total(const struct grid_column *c, const struct grid_cell *cell)
{
	if (!cell->more->has_total)
		return real(NAN);
	return c->scale == 1 ? whole(cell->more->total) : real(cell->more->total * c->scale);
}

static struct prom_number number_of(const struct writer *w, enum prom_sample sample,
				    const struct grid_column *c, const struct grid_cell *cell)
{
	bool has_threshold = cell->threshold >= 0 && isfinite(cell->value);

	switch (sample) {
	case SAMPLE_TOTAL:
		return c->is_state ? real(NAN) : total(c, cell);
	case SAMPLE_STATE:
		if (c->is_latency)
			return real(cell->value);
		return c->is_state ? total(c, cell) : real(NAN);
	case SAMPLE_VALUE:
		return real(cell->value);
	case SAMPLE_RUNNING:
		return real(cell->more->percent / 100);
	case SAMPLE_COVERAGE:
		return real(cell->more->coverage / 100);
	case SAMPLE_ERROR:
		return real(w->opts.error ? cell__error(cell) : (double)NAN);
	case SAMPLE_THRESHOLD:
		return has_threshold ? whole(cell->threshold) : real(NAN);
	default:
		return whole(1);
	}
}

/*
 * @of_metrics: it is about metrics, and not about events
 * @has_unit:   the number has the unit of the event or metric
 * @has_status: what became of it and why are labels
 */
static const struct family {
	const char *name, *type, *help;
	bool of_metrics, has_unit, has_status;
	enum prom_sample sample;
} families[] = {
	{ "tma_event_count_total", "counter", "Events counted since the start.", false, true, false,
	  SAMPLE_TOTAL },
	{ "tma_event_state", "gauge", "Events whose value is a state and no count.", false, true,
	  false, SAMPLE_STATE },
	{ "tma_event_running_ratio", "gauge",
	  "Share of the last row's time in which the event had a counter.", false, false, false,
	  SAMPLE_RUNNING },
	{ "tma_event_coverage_ratio", "gauge",
	  "Share of the last row's time in which all CPUs counted the event.", false, false, false,
	  SAMPLE_COVERAGE },
	{ "tma_event_error", "gauge",
	  "Half the width of the 90 % interval of the event's count in the last row.", false, true,
	  false, SAMPLE_ERROR },
	{ "tma_event_status", "gauge", "What became of the event in the last row, and why.", false,
	  false, true, SAMPLE_STATUS },
	{ "tma_metric", "gauge", "Metrics of the last row.", true, true, false, SAMPLE_VALUE },
	{ "tma_metric_error", "gauge", "Half the width of the 90 % interval of the metric.", true,
	  true, false, SAMPLE_ERROR },
	{ "tma_metric_threshold_passed", "gauge",
	  "Whether the metric's value is one to look into.", true, false, false, SAMPLE_THRESHOLD },
	{ "tma_metric_running_ratio", "gauge",
	  "Least share of the last row's time in which an event of the metric had a counter.", true,
	  false, false, SAMPLE_RUNNING },
	{ "tma_metric_status", "gauge", "What became of the metric in the last row, and why.", true,
	  false, true, SAMPLE_STATUS },
};

static void put_label(struct sb *sb, const char *name, const char *text)
{
	if (*text)
		sb__printf(sb, ",%s=\"%s\"", name, text);
}

static void put_keys(struct writer *w, const struct own_place *at)
{
	for (int i = 0; i < w->own->nr_keys; i++) {
		enum own_key key = w->own->keys[i];

		/* When it was is the time of reading; how many CPUs are added up may change. */
		if (key < KEY_PLACE || key == KEY_CPUS)
			continue;
		sb__clear(&w->scratch);
		own_key__print(w, key, at, NULL, &w->scratch);
		put_label(&w->text, own_keys[key].name, sb__str(&w->scratch));
	}
}

static void put_status(struct writer *w, const struct grid_cell *cell)
{
	struct sb *reason = &w->scratch;

	put_label(&w->text, "status", cell_status__name(cell->status));
	if (!cell__words(cell))
		return;
	sb__clear(reason);
	cell__print_reason(reason, cell);
	sb__puts(&w->text, ",reason=\"");
	dress__label(w, sb__str(reason), &w->text);
	sb__putc(&w->text, '"');
}

static void put_labels(struct writer *w, const struct family *f, int column,
		       const struct own_place *at)
{
	const struct own_column *names = &w->own->columns[column];

	sb__printf(&w->text, "%s{%s=\"%s\"", f->name, f->of_metrics ? "name" : "event",
		   names->name);
	put_label(&w->text, "pmu", names->pmu);
	put_label(&w->text, "event", names->of);
	if (f->has_unit)
		put_label(&w->text, "unit", names->unit);
	put_keys(w, at);
	if (f->has_status)
		put_status(w, own__cell(w, column, at->row));
	sb__puts(&w->text, "} ");
}

static void put_help(struct writer *w, const char *name, const char *type, const char *help)
{
	sb__printf(&w->text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/*
 * Appends a sample, below the family's heading if it is the first. @some: there was one before.
 * Return: whether there is one now.
 */
static bool put_sample(struct writer *w, const struct family *f, int column,
		       const struct own_place *at, bool some)
{
	const struct grid_column *c = own__column(w, column);
	const struct grid_cell *cell = own__cell(w, column, at->row);
	struct prom_number number;

	if ((c->kind != GRID_EVENT) != f->of_metrics || cell->status == CELL_ABSENT)
		return some;
	number = number_of(w, f->sample, c, cell);
	if (!number.is_whole && !isfinite(number.real))
		return some;
	if (!some)
		put_help(w, f->name, f->type, f->help);
	put_labels(w, f, column, at);
	if (number.is_whole)
		sb__printf(&w->text, "%" PRIu64, number.whole);
	else
		number__print(&w->text, number.real);
	sb__putc(&w->text, '\n');
	return true;
}

static void put_family(struct writer *w, const struct family *f)
{
	struct own_place at = { .row = -1 };
	bool some = false;

	while (own__next(w, &at)) {
		own__for_each(i, w, &at)
			some = put_sample(w, f, i, &at, some);
	}
}

static void put_seconds(struct writer *w, const char *name, const char *type, const char *help,
			uint64_t ns)
{
	if (!ns)
		return;
	put_help(w, name, type, help);
	sb__printf(&w->text, "%s ", name);
	seconds__print(&w->text, ns);
	sb__putc(&w->text, '\n');
}

/* Rows that were left out are told of once there are any. */
static void put_missed(struct writer *w)
{
	if (!w->grid->missed_total)
		return;
	put_help(w, "tma_missed_rows_total", "counter",
		 "Rows that were left out, as they were late.");
	sb__printf(&w->text, "tma_missed_rows_total %" PRIu64 "\n", w->grid->missed_total);
}

static void put_cpu(struct writer *w)
{
	if (!w->opts.cpuid || !*w->opts.cpuid)
		return;
	put_help(w, "tma_cpu_info", "gauge", "The CPU that was counted on.");
	sb__puts(&w->text, "tma_cpu_info{cpuid=\"");
	dress__label(w, w->opts.cpuid, &w->text);
	sb__puts(&w->text, "\"} 1\n");
}

static void rows(struct writer *w)
{
	put_cpu(w);
	put_seconds(w, "tma_measured_seconds_total", "counter", "Time since the start.",
		    w->grid->since_start_ns);
	put_seconds(w, "tma_row_seconds", "gauge", "Length of the last row.", w->grid->elapsed_ns);
	put_missed(w);
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		put_family(w, &families[i]);
}

const struct format format_prom = {
	.name = "prom",
	.traits = FORMAT_STATE,
	.wants = WANT_EVENTS | WANT_RATIOS | WANT_METRICS | WANT_STATUS | WANT_TOTALS,
	.metric_only_wants = WANT_RATIOS | WANT_METRICS | WANT_STATUS | WANT_TOTALS,
	.dress = dress__label,
	.begin = own__begin,
	.rows = rows,
};
