// SPDX-License-Identifier: GPL-2.0-only
/* --format=prom prints the text that Prometheus reads; samples of the same name are together. */
#include <inttypes.h>
#include <math.h>

#include "base/fixed.h"
#include "base/text.h"
#include "writers/own.h"

/**
 * struct family - samples with one name
 * @field: their value; @of: kinds of columns that have such samples
 */
struct family {
	const struct cell_field *field;
	enum prom_kind of;
	const char *name;
};

static void prom__begin_label(struct sb *sb, const char *name)
{
	if (sb__str(sb)[sb->len - 1] != '{')
		sb__putc(sb, ',');
	sb__puts(sb, name);
	sb__puts(sb, "=\"");
}

/* Append a label; nothing if its text is empty. */
static void put_label(struct sb *sb, const char *name, const char *text)
{
	if (!*text)
		return;
	prom__begin_label(sb, name);
	sb__puts(sb, text);
	sb__putc(sb, '"');
}

/* Append a label whose text is not escaped yet; nothing if the text is NULL or empty. */
static void prom__put_text(struct writer *w, const char *name, const char *text)
{
	if (!text || !*text)
		return;
	prom__begin_label(&w->text, name);
	dress__label(w, text, &w->text);
	sb__putc(&w->text, '"');
}

static void prom__put_keys(struct writer *w, const struct own_place *at)
{
	for (int i = 0; i < w->own->nr_keys; i++) {
		enum own_key key = w->own->keys[i];

		/*
		 * Times and lengths are not labels: Prometheus adds the time, and labels must not
		 * change in a series.
		 */
		if (key < KEY_PLACE || key == KEY_CPUS || key == KEY_NEAR || key == KEY_BOTTLENECK)
			continue;
		sb__clear(&w->scratch);
		own_key__print(w, key, at, NULL, &w->scratch);
		put_label(&w->text, own_keys[key].name, sb__str(&w->scratch));
	}
}

static void prom__put_status(struct writer *w, const struct grid_cell *cell)
{
	put_label(&w->text, "status", cell_status__name(cell->status));
	sb__clear(&w->scratch);
	cell__print_reason(&w->scratch, cell);
	prom__put_text(w, "reason", sb__str(&w->scratch));
}

/* A node has the label "metric", and labels for its place in the tree. */
static void put_node(struct writer *w, int column)
{
	const struct grid_column *c = own__column(w, column);
	const struct grid *g = w->grid;
	const char *parent = c->kind == GRID_WHOLE ? "" : g->columns[c->whole].name;

	if (c->parent >= 0)
		parent = g->columns[c->parent].name;
	put_label(&w->text, "metric", w->own->columns[column].name);
	prom__put_text(w, "parent", parent);
	sb__printf(&w->text, ",level=\"%d\"", c->kind == GRID_WHOLE ? 0 : c->level);
	prom__put_text(w, "pmu", c->tree_pmu);
}

static void prom__put_name(struct writer *w, const struct family *f, int column)
{
	const struct own_column *names = &w->own->columns[column];

	put_label(&w->text, f->of == PROM_METRICS ? "name" : "event", names->name);
	put_label(&w->text, "pmu", names->pmu);
	put_label(&w->text, "event", names->of);
	if (f->field->in_unit)
		put_label(&w->text, "unit", names->unit);
}

static void put_labels(struct writer *w, const struct family *f, int column,
		       const struct own_place *at)
{
	sb__puts(&w->text, f->name);
	sb__putc(&w->text, '{');
	if (f->of == PROM_NODES)
		put_node(w, column);
	else
		prom__put_name(w, f, column);
	prom__put_keys(w, at);
	if (f->field->from == FROM_STATUS)
		prom__put_status(w, own__cell(w, column, at->row));
	sb__puts(&w->text, "} ");
}

/* Names of counters, and only these, end with _total. */
static void put_help(struct writer *w, const char *name, const char *help)
{
	sb__printf(&w->text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name,
		   text__has_suffix(name, "_total") ? "counter" : "gauge");
}

/*
 * Whether a family has a sample for a cell. A node is a counter, and on request a ratio as well.
 * The reason for a missing value is always a sample.
 */
static bool is_about(const struct writer *w, const struct family *f, const struct grid_column *c,
		     const struct grid_cell *cell)
{
	bool is_why = f->field->from == FROM_STATUS && !isfinite(cell->value);

	if (!cell_field__is_of(f->field, c))
		return false;
	if (f->of == PROM_NODES)
		return c->whole >= 0;
	if (f->of == PROM_EVENTS || c->kind == GRID_EVENT)
		return f->of == PROM_EVENTS && c->kind == GRID_EVENT;
	return c->kind != GRID_WHOLE && (c->whole < 0 || w->opts.ratios || is_why);
}

/*
 * Append a sample, after the family's heading if it is the first sample. @some: there was a sample
 * before. Return: whether there is a sample now.
 */
static bool put_sample(struct writer *w, const struct family *f, int column,
		       const struct own_place *at, bool some)
{
	struct own_cell cell;
	struct own_value v;

	if (!is_about(w, f, own__column(w, column), own__cell(w, column, at->row)))
		return some;
	cell = own_cell__at(w, column, at->row);
	v = cell_field__value(w, f->field, &cell);
	/* For a text the sample has a label with the text, and a number without meaning. */
	if (v.type >= VALUE_TEXT)
		v = OWN_WHOLE(1);
	if (!own_value__is_number(&v) || cell.cell->status == CELL_ABSENT)
		return some;
	if (!some)
		put_help(w, f->name, f->field->families[f->of].help);
	put_labels(w, f, column, at);
	if (v.type == VALUE_REAL)
		number__print(&w->text, f->field->is_percent ? v.real / 100 : v.real);
	else
		fixed__print_u64(&w->text, v.whole, 1);
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

static void put_seconds(struct writer *w, const char *name, const char *help, uint64_t ns)
{
	put_help(w, name, help);
	sb__printf(&w->text, "%s ", name);
	seconds__print(&w->text, ns);
	sb__putc(&w->text, '\n');
}

/* Report the number of missing rows, if there are any. */
static void put_missed(struct writer *w)
{
	if (!w->grid->missed_total)
		return;
	put_help(w, "tma_missed_rows_total", "Rows left out because they were late.");
	sb__printf(&w->text, "tma_missed_rows_total %" PRIu64 "\n", w->grid->missed_total);
}

static void put_info(struct writer *w)
{
	if (w->opts.version) {
		put_help(w, "tma_info",
			 "The program, the CPU on which events were counted, and the tables.");
		sb__puts(&w->text, "tma_info{");
		prom__put_text(w, "version", w->opts.version);
		prom__put_text(w, "cpu", w->opts.cpu);
		prom__put_text(w, "tables", w->opts.tables);
		sb__puts(&w->text, "} 1\n");
	}
	if (w->grid->simulated) {
		put_help(w, "tma_simulated",
			 "The counts are synthetic: they come from a simulated machine.");
		sb__puts(&w->text, "tma_simulated{");
		prom__put_text(w, "machine", w->grid->simulated);
		sb__puts(&w->text, "} 1\n");
	}
	if (!w->opts.cpuid || !*w->opts.cpuid)
		return;
	put_help(w, "tma_cpu_info", "The CPU on which events were counted.");
	sb__puts(&w->text, "tma_cpu_info{");
	prom__put_text(w, "cpuid", w->opts.cpuid);
	sb__puts(&w->text, "} 1\n");
}

static void put_times(struct writer *w)
{
	const struct grid *g = w->grid;

	/* The length of counts that were read from text may be unknown. */
	if (g->since_start_ns)
		put_seconds(w, "tma_measured_seconds_total",
			    "Time measured since the start.", g->since_start_ns);
	put_seconds(w, "tma_lost_seconds_total",
		    "Time since the start in which nothing was measured.", g->lost_ns);
	put_help(w, "tma_restarts_total", "How often the measurement was restarted.");
	sb__printf(&w->text, "tma_restarts_total %" PRIu64 "\n", g->restarts);
	if (g->elapsed_ns)
		put_seconds(w, "tma_row_seconds", "Length of the last row.", g->elapsed_ns);
}

static void prom__rows(struct writer *w)
{
	put_info(w);
	put_times(w);
	put_missed(w);
	for (enum prom_kind of = 0; of < PROM_NR; of++)
		cell_fields__for_each(f)
			if (f->families[of].name)
				put_family(w, &(struct family){f, of, f->families[of].name});
}

const struct format format_prom = {
	.name = "prom",
	.traits = FORMAT_STATE | FORMAT_LEVELS,
	.wants = WANT_EVENTS | WANT_RATIOS | WANT_METRICS | WANT_STATUS | WANT_TOTALS | WANT_SLOTS,
	.metric_only_wants = WANT_RATIOS | WANT_METRICS | WANT_STATUS | WANT_TOTALS | WANT_SLOTS,
	.dress = dress__label,
	.begin = own__begin,
	.rows = prom__rows,
};
