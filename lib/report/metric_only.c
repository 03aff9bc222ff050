// SPDX-License-Identifier: GPL-2.0-only
/* --metric-only: one line of metrics for each bucket, the same columns in every line. */
#include <math.h>

#include "report/internal.h"

#define SHARE_HEAD "% of time"
#define SHARE_WIDTH 9

/**
 * struct line_place - what a line is of
 * @first: index of the cgroup's first event; the columns are those of the first cgroup
 */
struct line_place {
	int bucket, first;
};

static const struct sum *cell__sum(const struct report *r, const struct column *c,
				   const struct line_place *at)
{
	return &r->sums[(at->first + c->event) * r->nr_buckets + at->bucket];
}

/* The column's figure there; an empty one where it was not measured. */
static void cell__figure(const struct report *r, const struct column *c,
			 const struct line_place *at, struct figure *out)
{
	const struct shown_event *e = &r->events[at->first + c->event];
	struct figure figures[2];

	*out = (struct figure){ .empty = true };
	if (!sum__counted(cell__sum(r, c, at)))
		return;
	if (c->metric) {
		/* Each cgroup's events have the same metrics in the same order. */
		metric__figure(r, &e->metrics[c->metric - r->events[c->event].metrics],
			       at->bucket, out);
		return;
	}
	shadow__figures(r, e, at->bucket, figures);
	*out = figures[0];
}

/* Right-aligned under its heading whatever the colour's bytes are. */
static void cell__text(struct report *r, const struct column *c, const struct figure *f)
{
	size_t start = r->text.len, before_error;
	int len;

	if (f->empty) {
		sb__pad(&r->text, c->width + 1);
		return;
	}
	len = figure__text(r, &r->text, f);
	before_error = r->text.len;
	figure__error(r, &r->text, f);
	len += r->text.len - before_error;
	sb__indent(&r->text, start, c->width - len);
	sb__putc(&r->text, ' ');
}

static void cell__csv(struct report *r, const struct figure *f)
{
	if (!f->empty)
		figure__bare(&r->text, f);
	sb__puts(&r->text, r->opts.separator);
}

/* Return: whether there was something to print. */
static bool cell__json(struct report *r, const struct column *c, const struct figure *f, bool first)
{
	size_t start = r->text.len, before;

	if (f->empty)
		return false;
	sb__puts(&r->text, first ? "\"" : ", \"");
	sb__puts(&r->text, c->name);
	sb__puts(&r->text, "\" : \"");
	before = r->text.len;
	figure__bare(&r->text, f);
	if (r->text.len == before) {
		r->text.len = start;
		return false;
	}
	sb__putc(&r->text, '"');
	return true;
}

static bool row__is_counted(const struct report *r, const struct line_place *at, int first, int end)
{
	for (int i = first; i < end; i++)
		if (sum__counted(cell__sum(r, &r->columns[i], at)))
			return true;
	return false;
}

/* In text: the values of columns @first to before @end, each under its heading. */
static void row__text(struct report *r, const struct line_place *at, int first, int end)
{
	struct figure f = { .empty = true };

	/* A task that never ran on cores of this type. */
	if (r->row_per_pmu && !row__is_counted(r, at, first, end)) {
		dress__right(&r->text, "<not counted>", r->headings[0].width);
		return;
	}

	for (int slot = 0; slot < r->nr_headings; slot++) {
		const struct column *c = &r->columns[first];

		if (first < end && c->slot == slot) {
			cell__figure(r, c, at, &f);
			cell__text(r, c, &f);
			first++;
		} else {
			sb__pad(&r->text, r->headings[slot].width + 1);
		}
	}
}

/* Behind the columns: which of them are made of latencies that were not measured. */
static void row__assumed(struct report *r, const struct line_place *at)
{
	bool json = r->opts.format == REPORT_JSON, some = false;
	struct figure f;

	for (int i = 0; r->assumes && i < r->nr_columns; i++) {
		cell__figure(r, &r->columns[i], at, &f);
		if (f.empty || !f.assumed)
			continue;
		sb__puts(&r->text, some ? "; " : json ? ", \"assumed\" : \"" : "");
		sb__puts(&r->text, r->columns[i].name);
		some = true;
	}
	if (json && some)
		sb__putc(&r->text, '"');
	else if (!json && r->assumes)
		sb__puts(&r->text, r->opts.separator);
}

/* Behind them: how far off each column is. */
static void row__errors(struct report *r, const struct line_place *at)
{
	bool json = r->opts.format == REPORT_JSON;
	struct figure f;

	for (int i = 0; r->opts.error && i < r->nr_columns; i++) {
		bool known;

		cell__figure(r, &r->columns[i], at, &f);
		known = !f.empty && isfinite(f.value) && isfinite(f.error);
		if (json && known)
			sb__printf(&r->text, ", \"%s error\" : ", r->columns[i].name);
		if (known)
			figure__error_bare(&r->text, f.error);
		if (!json)
			sb__puts(&r->text, r->opts.separator);
	}
}

static bool has_type(const struct report *r, int type)
{
	for (int i = 0; i < r->nr_columns; i++)
		if (r->columns[i].pmu == type)
			return true;
	return false;
}

/* Behind the columns: of a task's time, what part of it those of each core type are of. */
static void row__shares(struct report *r, int bucket)
{
	bool json = r->opts.format == REPORT_JSON;

	for (int type = 0; type < r->nr_types; type++) {
		size_t start = r->text.len;
		bool known;

		if (!has_type(r, type))
			continue;
		if (json)
			sb__printf(&r->text, ", \"%s (%s)\" : \"", SHARE_HEAD,
				   machine__core_pmu(r->machine, type)->name);
		known = share__print(r, type, bucket, "", &r->text);
		if (json && !known)
			r->text.len = start;
		else
			sb__puts(&r->text, json ? "\"" : r->opts.separator);
	}
}

static void row__cells(struct report *r, const struct line_place *at)
{
	bool first = true;

	for (int i = 0; i < r->nr_columns; i++) {
		const struct column *c = &r->columns[i];
		struct figure f;

		cell__figure(r, c, at, &f);
		if (r->opts.format == REPORT_CSV)
			cell__csv(r, &f);
		else if (cell__json(r, c, &f, first))
			first = false;
	}
	if (r->opts.format == REPORT_JSON && first)
		sb__puts(&r->text, "\"metric-value\" : \"none\"");
	row__shares(r, at->bucket);
	row__assumed(r, at);
	row__errors(r, at);
}

static void put_separator(struct report *r)
{
	sb__puts(&r->text, r->opts.format == REPORT_CSV ? r->opts.separator : ", ");
}

/* @nr: how many CPUs or threads the values are of. */
static void row__prefix(struct report *r, const struct line_place *at, int nr)
{
	struct row row = {
		.event = &r->events[at->first],
		.bucket = &r->buckets[at->bucket],
		.nr = nr,
	};

	fields__prefix(r, &row);
	if (r->opts.format != REPORT_TEXT) {
		if (r->prefix.nr)
			put_separator(r);
		return;
	}
	/* The heading begins with a blank. */
	if (!r->opts.interval && !text__label_width(r))
		sb__putc(&r->text, ' ');
	if (r->has_cgroups) {
		dress__left(&r->text, row.event->cgroup, CGROUP_WIDTH);
		sb__putc(&r->text, ' ');
	}
}

/* -A: CPUs on which nothing of the plan counts have no line. */
static bool bucket__is_empty(const struct report *r, const struct line_place *at)
{
	for (int e = at->first; e < at->first + r->cgroup_events; e++)
		if (r->sums[e * r->nr_buckets + at->bucket].present)
			return false;
	return r->opts.aggr != AGGR_GLOBAL;
}

/* Return: behind the last of the columns which share a row with column @first. */
static int row__end(const struct report *r, int first)
{
	int end = first;

	while (end < r->nr_columns &&
	       (!r->row_per_pmu || r->columns[end].pmu == r->columns[first].pmu))
		end++;
	return end;
}

/*
 * How many of the bucket's CPUs or threads the values of these columns are of: those of the core
 * type in a row for one, and 0 where it has none (an E-core has no row of P-cores).
 */
static int row__units(const struct report *r, const struct line_place *at, int first, int end)
{
	int nr = r->buckets[at->bucket].nr_units;

	for (int i = first; i < end && r->row_per_pmu; i++) {
		const struct sum *s = &r->sums[(at->first + r->columns[i].where) * r->nr_buckets +
					       at->bucket];

		if (s->present)
			return machine__core_pmu(r->machine, r->columns[i].pmu) ? s->nr : nr;
	}
	return r->row_per_pmu ? 0 : nr;
}

/* Of a task's time: what part of it the row is of. */
static void row__share(struct report *r, int bucket, int type)
{
	size_t start = r->text.len;

	share__print(r, type, bucket, ">=", &r->text);
	sb__indent(&r->text, start, SHARE_WIDTH - (int)(r->text.len - start));
	sb__putc(&r->text, ' ');
}

static void row__pmu(struct report *r, const struct line_place *at, int first)
{
	const struct pmu *pmu;

	if (!r->row_per_pmu)
		return;
	pmu = machine__core_pmu(r->machine, r->columns[first].pmu);
	dress__left(&r->text, pmu ? pmu->name : "", r->pmu_width);
	sb__putc(&r->text, ' ');
	if (r->shares)
		row__share(r, at->bucket, r->columns[first].pmu);
}

static void bucket__text(struct report *r, const struct line_place *at)
{
	int first = 0, end, nr;

	do {
		end = row__end(r, first);
		nr = row__units(r, at, first, end);
		if (nr) {
			row__prefix(r, at, nr);
			row__pmu(r, at, first);
			row__text(r, at, first, end);
			sb__putc(&r->text, '\n');
		}
		first = end;
	} while (first < r->nr_columns);
}

static void line__print(struct report *r, const struct line_place *at)
{
	if (bucket__is_empty(r, at))
		return;
	if (r->opts.format == REPORT_TEXT) {
		bucket__text(r, at);
		return;
	}
	if (r->opts.format == REPORT_JSON)
		sb__putc(&r->text, '{');
	row__prefix(r, at, r->buckets[at->bucket].nr_units);
	row__cells(r, at);
	sb__puts(&r->text, r->opts.format == REPORT_JSON ? "}\n" : "\n");
}

void metric_only__print(struct report *r)
{
	struct line_place at;

	for (at.first = 0; at.first < r->nr_events; at.first += r->cgroup_events)
		for (at.bucket = 0; at.bucket < r->nr_buckets; at.bucket++)
			line__print(r, &at);
}

static void heads__csv(struct report *r)
{
	const char *separator = r->opts.separator;
	size_t before = r->text.len;

	fields__heads(r, &r->prefix);
	if (r->text.len > before)
		sb__puts(&r->text, separator);
	for (int i = 0; i < r->nr_columns; i++)
		sb__printf(&r->text, "%s%s", r->columns[i].name, separator);
	for (int type = 0; type < r->nr_types; type++)
		if (has_type(r, type))
			sb__printf(&r->text, "%s (%s)%s", SHARE_HEAD,
				   machine__core_pmu(r->machine, type)->name, separator);
	if (r->assumes)
		sb__printf(&r->text, "assumed%s", separator);
	for (int i = 0; r->opts.error && i < r->nr_columns; i++)
		sb__printf(&r->text, "%s error%s", r->columns[i].name, separator);
	sb__putc(&r->text, '\n');
}

static void heads__text(struct report *r)
{
	int indent = r->opts.interval ? 0 : text__label_width(r);

	sb__printf(&r->text, "%*s", indent ? indent : 1, "");
	if (r->has_cgroups)
		sb__printf(&r->text, "%-*s ", CGROUP_WIDTH, "cgroup");
	if (r->row_per_pmu) {
		dress__left(&r->text, "pmu", r->pmu_width);
		sb__putc(&r->text, ' ');
		if (r->shares)
			sb__puts(&r->text, SHARE_HEAD " ");
	}
	for (int i = 0; i < r->nr_headings; i++) {
		dress__right(&r->text, r->headings[i].name, METRIC_ONLY_WIDTH);
		sb__putc(&r->text, ' ');
	}
	sb__putc(&r->text, '\n');
}

/* Names of the columns; JSON has them in every line instead. */
void metric_only__heads(struct report *r)
{
	if (r->opts.format == REPORT_CSV)
		heads__csv(r);
	else if (r->opts.format == REPORT_TEXT)
		heads__text(r);
}
