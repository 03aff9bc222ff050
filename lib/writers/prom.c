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
	SAMPLE_SLOTS,
	SAMPLE_CYCLES,
	SAMPLE_ERROR_SLOTS,
	SAMPLE_ERROR_CYCLES,
	SAMPLE_COUNTED,
};

/* A family is about one of these kinds of columns. */
enum prom_kind {
	PROM_EVENTS,
	PROM_METRICS, /* and built-in ratios; nodes of a TopDown tree where they are asked for */
	PROM_NODES,   /* nodes of a TopDown tree, and all slots of it */
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

/* What is less than one slot is left out: so children stay within their parent. */
static struct prom_number slots(double number)
{
	return number < UINT64_MAX ? whole(number) : real(number);
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
	case SAMPLE_SLOTS:
	case SAMPLE_CYCLES:
		return c->in_cycles == (sample == SAMPLE_CYCLES) ? slots(cell->more->slots)
								 : real(NAN);
	case SAMPLE_ERROR_SLOTS:
	case SAMPLE_ERROR_CYCLES:
		return c->in_cycles == (sample == SAMPLE_ERROR_CYCLES)
			       ? slots(cell->more->error_slots)
			       : real(NAN);
	case SAMPLE_COUNTED:
		return real(c->kind == GRID_METRIC ? cell->more->percent / 100 : (double)NAN);
	default:
		return whole(1);
	}
}

/*
 * @of:         what it is about
 * @has_unit:   the number has the unit of the event or metric
 * @has_status: what became of it and why are labels
 */
static const struct family {
	const char *name, *type, *help;
	enum prom_kind of;
	bool has_unit, has_status;
	enum prom_sample sample;
} families[] = {
	{"tma_slots_total", "counter", "Slots of nodes of the TopDown tree since the start.",
	 PROM_NODES, false, false, SAMPLE_SLOTS},
	{"tma_cycles_total", "counter", "Cycles of nodes of the TopDown tree since the start.",
	 PROM_NODES, false, false, SAMPLE_CYCLES},
	{"tma_error_slots_total", "counter",
	 "Half widths of the 90 % confidence intervals of each row's slots, added up.", PROM_NODES,
	 false, false, SAMPLE_ERROR_SLOTS},
	{"tma_error_cycles_total", "counter",
	 "Half widths of the 90 % confidence intervals of each row's cycles, added up.", PROM_NODES,
	 false, false, SAMPLE_ERROR_CYCLES},
	{"tma_counted_ratio", "gauge",
	 "Least share of the last row's time in which an event of the node had a counter.",
	 PROM_NODES, false, false, SAMPLE_COUNTED},
	{"tma_event_count_total", "counter", "Events counted since the start.", PROM_EVENTS, true,
	 false, SAMPLE_TOTAL},
	{"tma_event_state", "gauge", "Events whose value is a state, not a count.", PROM_EVENTS,
	 true, false, SAMPLE_STATE},
	{"tma_event_running_ratio", "gauge",
	 "Share of the last row's time in which the event had a counter.", PROM_EVENTS, false,
	 false, SAMPLE_RUNNING},
	{"tma_event_coverage_ratio", "gauge",
	 "Share of the last row's time in which all CPUs counted the event.", PROM_EVENTS, false,
	 false, SAMPLE_COVERAGE},
	{"tma_event_error", "gauge",
	 "Half width of the 90 % confidence interval of the event's count in the last row.",
	 PROM_EVENTS, true, false, SAMPLE_ERROR},
	{"tma_event_status", "gauge", "Status of the event in the last row, and the reason.",
	 PROM_EVENTS, false, true, SAMPLE_STATUS},
	{"tma_metric", "gauge", "Metrics of the last row.", PROM_METRICS, true, false,
	 SAMPLE_VALUE},
	{"tma_metric_error", "gauge", "Half width of the 90 % confidence interval of the metric.",
	 PROM_METRICS, true, false, SAMPLE_ERROR},
	{"tma_metric_threshold_passed", "gauge", "Whether the metric is over its threshold.",
	 PROM_METRICS, false, false, SAMPLE_THRESHOLD},
	{"tma_metric_running_ratio", "gauge",
	 "Least share of the last row's time in which an event of the metric had a counter.",
	 PROM_METRICS, false, false, SAMPLE_RUNNING},
	{"tma_metric_status", "gauge", "Status of the metric in the last row, and the reason.",
	 PROM_METRICS, false, true, SAMPLE_STATUS},
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

/* A node is named by "metric", and says where in the tree it is. */
static void put_node(struct writer *w, const struct family *f, int column)
{
	const struct grid_column *c = own__column(w, column);
	const struct grid *g = w->grid;
	const char *parent = c->kind == GRID_WHOLE ? "" : g->columns[c->whole].name;

	if (c->parent >= 0)
		parent = g->columns[c->parent].name;
	sb__printf(&w->text, "%s{metric=\"%s\"", f->name, w->own->columns[column].name);
	if (*parent) {
		sb__puts(&w->text, ",parent=\"");
		dress__label(w, parent, &w->text);
		sb__putc(&w->text, '"');
	}
	sb__printf(&w->text, ",level=\"%d\"", c->kind == GRID_WHOLE ? 0 : c->level);
	if (!c->tree_pmu)
		return;
	sb__puts(&w->text, ",pmu=\"");
	dress__label(w, c->tree_pmu, &w->text);
	sb__putc(&w->text, '"');
}

static void put_name(struct writer *w, const struct family *f, int column)
{
	const struct own_column *names = &w->own->columns[column];

	sb__printf(&w->text, "%s{%s=\"%s\"", f->name, f->of == PROM_METRICS ? "name" : "event",
		   names->name);
	put_label(&w->text, "pmu", names->pmu);
	put_label(&w->text, "event", names->of);
	if (f->has_unit)
		put_label(&w->text, "unit", names->unit);
}

static void put_labels(struct writer *w, const struct family *f, int column,
		       const struct own_place *at)
{
	if (f->of == PROM_NODES)
		put_node(w, f, column);
	else
		put_name(w, f, column);
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
 * A node is told of as a counter, and as a ratio where that is asked for. Why it has no value is
 * always told.
 */
static bool is_about(const struct writer *w, const struct family *f, const struct grid_column *c,
		     const struct grid_cell *cell)
{
	bool is_why = f->sample == SAMPLE_STATUS && !isfinite(cell->value);

	switch (f->of) {
	case PROM_EVENTS:
		return c->kind == GRID_EVENT;
	case PROM_METRICS:
		return c->kind != GRID_EVENT && c->kind != GRID_WHOLE &&
		       (c->whole < 0 || w->opts.ratios || is_why);
	case PROM_NODES:
		return c->whole >= 0;
	}
	return false;
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

	if (!is_about(w, f, c, cell) || cell->status == CELL_ABSENT)
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
	put_help(w, "tma_missed_rows_total", "counter", "Rows left out because they were late.");
	sb__printf(&w->text, "tma_missed_rows_total %" PRIu64 "\n", w->grid->missed_total);
}

static void put_info_label(struct writer *w, const char *name, const char *text)
{
	if (!text || !*text)
		return;
	sb__printf(&w->text, "%s%s=\"", sb__str(&w->text)[w->text.len - 1] == '{' ? "" : ",", name);
	dress__label(w, text, &w->text);
	sb__putc(&w->text, '"');
}

static void put_info(struct writer *w)
{
	if (w->opts.version) {
		put_help(w, "tma_info", "gauge",
			 "The program, the CPU that was counted on, and the tables.");
		sb__puts(&w->text, "tma_info{");
		put_info_label(w, "version", w->opts.version);
		put_info_label(w, "cpu", w->opts.cpu);
		put_info_label(w, "tables", w->opts.tables);
		sb__puts(&w->text, "} 1\n");
	}
	if (!w->opts.cpuid || !*w->opts.cpuid)
		return;
	put_help(w, "tma_cpu_info", "gauge", "The CPU that was counted on.");
	sb__puts(&w->text, "tma_cpu_info{");
	put_info_label(w, "cpuid", w->opts.cpuid);
	sb__puts(&w->text, "} 1\n");
}

static void put_times(struct writer *w)
{
	const struct grid *g = w->grid;

	/* What was read from text need not say how long it was. */
	if (g->since_start_ns)
		put_seconds(w, "tma_measured_seconds_total", "counter",
			    "Time measured since the start.", g->since_start_ns);
	put_seconds(w, "tma_lost_seconds_total", "counter",
		    "Time since the start in which nothing was measured.", g->lost_ns);
	put_help(w, "tma_restarts_total", "counter", "How often the measurement was restarted.");
	sb__printf(&w->text, "tma_restarts_total %" PRIu64 "\n", g->restarts);
	if (g->elapsed_ns)
		put_seconds(w, "tma_row_seconds", "gauge", "Length of the last row.",
			    g->elapsed_ns);
}

static void rows(struct writer *w)
{
	put_info(w);
	put_times(w);
	put_missed(w);
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		put_family(w, &families[i]);
}

const struct format format_prom = {
	.name = "prom",
	.traits = FORMAT_STATE | FORMAT_LEVELS,
	.wants = WANT_EVENTS | WANT_RATIOS | WANT_METRICS | WANT_STATUS | WANT_TOTALS | WANT_SLOTS,
	.metric_only_wants = WANT_RATIOS | WANT_METRICS | WANT_STATUS | WANT_TOTALS | WANT_SLOTS,
	.dress = dress__label,
	.begin = own__begin,
	.rows = rows,
};
