// SPDX-License-Identifier: GPL-2.0-only
/* The part that perf's formats share: their names of columns and rows. */
#include "base/text.h"
#include "writers/perfs.h"

static const char *const rates[] = { "/sec", "K/sec", "M/sec", "G/sec" };

static enum line_form form_of(const struct format *f)
{
	if (format__is(f, FORMAT_TEXT))
		return IN_TEXT;
	return format__is(f, FORMAT_CSV) ? IN_CSV : IN_JSON;
}

/* Make a label in the format's form; in text the label is padded, and a blank follows. */
static const char *perfs__label_of(struct writer *w, enum grid_aggr aggr,
				   const struct grid_row *row)
{
	struct sb sb = SB_INIT, padded = SB_INIT;
	const char *label;

	row__label(w, aggr, row, &sb);
	label = dress_sb(w, &sb);
	if (!format__is(w->format, FORMAT_TEXT) || aggr == AGGR_GLOBAL)
		return label;
	dress__left(&padded, label, row_kinds[aggr].width);
	sb__putc(&padded, ' ');
	return arena__keep(&w->memory, sb__detach(&padded));
}

/*
 * Make "%  tma_retiring": a unit, which depends on the metric's own scale, then the metric's name.
 */
static const char *figure_of(struct writer *w, const struct grid_column *c)
{
	struct sb sb = SB_INIT;

	if (c->form == FORM_SCALED)
		sb__printf(&sb, "%s  ", c->unit);
	sb__puts(&sb, c->label);
	return dress_sb(w, &sb);
}

static void perfs__name_column(struct writer *w, const struct grid_column *c,
			       struct column_names *names)
{
	names->name = dress(w, c->label);
	names->unit = dress(w, c->unit);
	names->unit_width = text__width(c->unit);
	names->cgroup = dress(w, c->cgroup ? c->cgroup : "");
	names->figure = figure_of(w, c);
	names->group = dress(w, c->group);
}

void perfs__name_rows(struct writer *w)
{
	const struct grid *g = w->grid;
	struct perfs *p = w->perfs;

	for (int i = 0; i < g->nr_rows; i++) {
		p->labels[i] = perfs__label_of(w, g->aggr, &g->rows[i]);
		if (p->core_labels)
			p->core_labels[i] = perfs__label_of(w, AGGR_CORE, &g->rows[i]);
	}
}

void perfs__begin(struct writer *w)
{
	const struct grid *g = w->grid;
	struct perfs *p = w->perfs = arena__calloc(&w->memory, 1, sizeof(*p));
	bool cores = false;

	p->form = form_of(w->format);
	p->names = arena__calloc(&w->memory, g->nr_columns, sizeof(*p->names));
	for (int i = 0; i < g->nr_columns; i++) {
		perfs__name_column(w, &g->columns[i], &p->names[i]);
		cores |= g->columns[i].of_cores;
	}
	p->labels = arena__calloc(&w->memory, g->nr_rows, sizeof(*p->labels));
	if (cores)
		p->core_labels = arena__calloc(&w->memory, g->nr_rows, sizeof(*p->core_labels));
	perfs__name_rows(w);
	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++)
		p->rates[i] = dress(w, rates[i]);
	p->cgroups = arena__calloc(&w->memory, g->nr_blocks, sizeof(*p->cgroups));
	for (int i = 0; i < g->nr_blocks; i++)
		p->cgroups[i] = dress(w, g->blocks[i].cgroup ? g->blocks[i].cgroup : "");
	p->figures = arena__calloc(&w->memory, g->nr_columns + 1, sizeof(*p->figures));
	if (w->opts.metric_only)
		table__begin(w);
}

#define WANTS_LINES (WANT_EVENTS | WANT_RATIOS | WANT_RATES | WANT_METRICS)
#define WANTS_METRICS (WANT_RATIOS | WANT_METRICS)

const struct format format_text = {
	.name = "text",
	.traits = FORMAT_TEXT | FORMAT_PERFS | FORMAT_VERDICT | FORMAT_REGIONS,
	.wants = WANTS_LINES,
	.metric_only_wants = WANTS_METRICS,
	.dress = dress__text,
	.begin = perfs__begin,
	.fit = metric_only__fit,
	.heads = text__heads,
	.rows = lines__rows,
	.foot = text__foot,
	.verdicts = text__verdicts,
};

const struct format format_csv = {
	.name = "csv",
	.traits = FORMAT_CSV | FORMAT_PERFS | FORMAT_REGIONS,
	.wants = WANTS_LINES,
	.metric_only_wants = WANTS_METRICS,
	.dress = dress__csv,
	.begin = perfs__begin,
	.heads = lines__heads,
	.rows = lines__rows,
};

const struct format format_json_perf = {
	.name = "json-perf",
	.traits = FORMAT_JSON | FORMAT_PERFS | FORMAT_VERDICT | FORMAT_REGIONS,
	.wants = WANTS_LINES,
	.metric_only_wants = WANTS_METRICS,
	.dress = dress__json,
	.begin = perfs__begin,
	.rows = lines__rows,
	.verdicts = json_perf__verdicts,
};
