// SPDX-License-Identifier: GPL-2.0-only
/* The one table of fields a line of output is made of, from which perf's formats are printed. */
#include <math.h>

#include "base/fixed.h"
#include "writers/perfs.h"

#define EVENT_WIDTH 32
#define METRIC_WIDTH 38
/* Where the metrics of text stand that have no count before them. */
#define METRIC_INDENT 49
#define METRIC_INDENT_PER_CPU 8

#define TIME_TEXT_WIDTH 16

enum field_id {
	FIELD_TIME,
	FIELD_SUMMARY,
	FIELD_AGGR,
	FIELD_AGGR_NR,
	FIELD_VALUE,
	FIELD_TEXT_ERROR,
	FIELD_UNIT,
	FIELD_EVENT,
	FIELD_CGROUP,
	FIELD_SPREAD,
	FIELD_RUNTIME,
	FIELD_PERCENT,
	FIELD_GROUP,
	FIELD_INDENT,
	FIELD_CPU_INDENT,
	FIELD_METRIC,
	FIELD_METRIC_UNIT,
	FIELD_ERROR,
	FIELD_METRIC_ERROR,
	FIELD_STATUS,
	FIELD_REASON,
	FIELD_NR,
};

/* In a layout: the field's place is kept, and empty, where other lines have the field. */
#define BLANK 0x80
#define BLANK_OF(id) (BLANK | (id))

typedef void (*field_print_fn)(struct writer *w, const struct line *line);

static struct perfs *perfs_of(const struct writer *w)
{
	return w->state;
}

static void put_time(struct writer *w)
{
	uint64_t ns = w->grid->since_start_ns;

	fixed__print_u64(&w->text, ns / NS_PER_S, 1);
	sb__putc(&w->text, '.');
	fixed__print_u64(&w->text, ns % NS_PER_S, 9);
}

static void time_text(struct writer *w, const struct line *line)
{
	size_t start = w->text.len;

	(void)line;
	put_time(w);
	sb__indent(&w->text, start, TIME_TEXT_WIDTH - (int)(w->text.len - start));
	sb__putc(&w->text, ' ');
}

static void time_machine(struct writer *w, const struct line *line)
{
	(void)line;
	put_time(w);
}

static void summary_csv(struct writer *w, const struct line *line)
{
	(void)line;
	sb__puts(&w->text, "summary");
}

static void aggr_any(struct writer *w, const struct line *line)
{
	const struct perfs *p = perfs_of(w);

	sb__puts(&w->text, (line->of_core ? p->core_labels : p->labels)[line->number]);
}

static void aggr_nr_text(struct writer *w, const struct line *line)
{
	sb__printf(&w->text, "%*d ", CPUS_WIDTH, line->nr);
}

static void aggr_nr_machine(struct writer *w, const struct line *line)
{
	fixed__print_u64(&w->text, line->nr, 1);
}

static const char *bad_count(const struct line *line)
{
	return line->column->supported ? "<not counted>" : "<not supported>";
}

static void value_text(struct writer *w, const struct line *line)
{
	size_t start = w->text.len;

	if (!line->cell->counted) {
		sb__puts(&w->text, bad_count(line));
	} else {
		if (line->cell->assumed)
			sb__puts(&w->text, ASSUMED_MARK);
		fixed__print(&w->text, line->cell->value, line->column->fraction ? 2 : 0,
			     w->opts.big_num);
	}
	/* By columns: a locale's separators may have several bytes. */
	sb__indent(&w->text, start, COUNT_WIDTH - dress__width(sb__str(&w->text) + start));
	/* What follows an error is further off. */
	if (!w->opts.error)
		sb__putc(&w->text, ' ');
}

static void put_error(struct writer *w, const struct figure *f, int width)
{
	struct sb *error = &perfs_of(w)->error;

	sb__clear(error);
	figure__error(w, error, f);
	dress__left(&w->text, sb__str(error), width);
}

static void error_text(struct writer *w, const struct line *line)
{
	const struct figure f = { .form = line->column->form,
				  .error = line->cell->counted ? line->cell->more->error : 0 };

	put_error(w, &f, ERROR_WIDTH);
}

static void value_csv(struct writer *w, const struct line *line)
{
	if (line->cell->counted)
		fixed__print(&w->text, line->cell->value, line->column->fraction ? 2 : 0, false);
	else
		sb__puts(&w->text, bad_count(line));
}

static void value_json(struct writer *w, const struct line *line)
{
	if (line->cell->counted)
		fixed__print(&w->text, line->cell->value, 6, false);
	else
		sb__puts(&w->text, bad_count(line));
}

static void unit_text(struct writer *w, const struct line *line)
{
	dress__left(&w->text, line->names->unit, perfs_of(w)->unit_width);
	sb__putc(&w->text, ' ');
}

static void unit_machine(struct writer *w, const struct line *line)
{
	sb__puts(&w->text, line->names->unit);
}

static void event_text(struct writer *w, const struct line *line)
{
	dress__left(&w->text, line->names->name, EVENT_WIDTH);
}

static void event_machine(struct writer *w, const struct line *line)
{
	sb__puts(&w->text, line->names->name);
}

static void cgroup_text(struct writer *w, const struct line *line)
{
	sb__putc(&w->text, ' ');
	dress__left(&w->text, line->cgroup, CGROUP_WIDTH);
}

static void cgroup_machine(struct writer *w, const struct line *line)
{
	sb__puts(&w->text, line->cgroup);
}

static double spread_of(const struct line *line)
{
	return isnan(line->cell->more->spread_percent) ? 0 : line->cell->more->spread_percent;
}

static void spread_csv(struct writer *w, const struct line *line)
{
	sb__printf(&w->text, "%.2f%%", spread_of(line));
}

static void spread_json(struct writer *w, const struct line *line)
{
	sb__printf(&w->text, "%.2f", spread_of(line));
}

static void runtime_machine(struct writer *w, const struct line *line)
{
	fixed__print_u64(&w->text, line->cell->running, 1);
}

/* Whole percents, as perf 6.12 has them in machine formats (33.00 where text says 33.33). */
static uint64_t whole_percent(const struct grid_cell *cell)
{
	if (cell->assumed && !cell->running)
		return 0;
	if (cell->running == cell->enabled || !cell->enabled)
		return 100;
	return (uint64_t)(100 * (unsigned __int128)cell->running / cell->enabled);
}

static void percent_csv(struct writer *w, const struct line *line)
{
	fixed__print_u64(&w->text, whole_percent(line->cell), 1);
	sb__puts(&w->text, ".00");
}

/* A counter that was not opened ran none of the time: perf 6.12 says 100 here. */
static void percent_json(struct writer *w, const struct line *line)
{
	fixed__print_u64(&w->text, line->cell->counted ? whole_percent(line->cell) : 0, 1);
	sb__puts(&w->text, ".00");
}

static void group_text(struct writer *w, const struct line *line)
{
	(void)line;
	sb__putc(&w->text, ' ');
	dress__right(&w->text, perfs_of(w)->group, EVENT_WIDTH);
	sb__pad(&w->text, METRIC_INDENT - EVENT_WIDTH - 1 + (w->opts.error ? ERROR_WIDTH - 1 : 0));
}

static void group_machine(struct writer *w, const struct line *line)
{
	(void)line;
	sb__puts(&w->text, perfs_of(w)->group);
}

static void indent_text(struct writer *w, const struct line *line)
{
	(void)line;
	sb__pad(&w->text, METRIC_INDENT + (w->opts.error ? ERROR_WIDTH - 1 : 0));
}

static void cpu_indent_text(struct writer *w, const struct line *line)
{
	(void)line;
	sb__pad(&w->text, METRIC_INDENT_PER_CPU);
}

static bool has_figure(const struct line *line)
{
	return line->figure && !line->figure->empty;
}

static void metric_text(struct writer *w, const struct line *line)
{
	int len;

	if (!has_figure(line)) {
		sb__pad(&w->text, METRIC_WIDTH + (w->opts.error ? METRIC_ERROR_WIDTH : 0));
		return;
	}
	sb__puts(&w->text, " # ");
	len = 3 + figure__text(w, &w->text, line->figure);
	if (w->opts.error)
		put_error(w, line->figure, METRIC_ERROR_WIDTH);
	sb__putc(&w->text, ' ');
	dress__left(&w->text, line->figure->unit, METRIC_WIDTH - len - 1);
}

static void metric_csv(struct writer *w, const struct line *line)
{
	if (has_figure(line))
		figure__bare(&w->text, line->figure);
}

static void metric_json(struct writer *w, const struct line *line)
{
	double value = has_figure(line) ? line->figure->value : 0;

	/* The sign of a NaN depends on the CPU and says nothing. */
	if (isnan(value))
		sb__puts(&w->text, "nan");
	else
		fixed__print(&w->text, value, 6, false);
}

static void metric_unit_csv(struct writer *w, const struct line *line)
{
	if (has_figure(line))
		sb__puts(&w->text, line->figure->unit);
}

static void metric_unit_json(struct writer *w, const struct line *line)
{
	/* perf 6.12 prints a null pointer for an event without a metric. */
	sb__puts(&w->text, line->figure ? line->figure->unit : "(null)");
}

static void error_machine(struct writer *w, const struct line *line)
{
	if (line->cell->counted)
		figure__error_bare(&w->text, line->cell->more->error);
}

static void metric_error_machine(struct writer *w, const struct line *line)
{
	if (has_figure(line) && isfinite(line->figure->value))
		figure__error_bare(&w->text, line->figure->error);
}

/* A count may be none of what is assumed, and its metric be made of it. */
static const char *assumption(const struct line *line)
{
	if (line->cell->assumed && line->figure == line->figures)
		return "assumed";
	return line->figure && line->figure->assumed ? "metric assumed" : "";
}

static void status_machine(struct writer *w, const struct line *line)
{
	sb__puts(&w->text, assumption(line));
}

static void reason_json(struct writer *w, const struct line *line)
{
	dress__json(w, cell__words(line->cell), &w->text);
}

/*
 * @key:  of JSON; NULL where it depends on what rows stand for
 * @bare: JSON has it without quotes
 * @head: in the header line of CSV; NULL for @key
 */
static const struct {
	const char *key;
	bool bare;
	field_print_fn print[LINE_NR_FORMS];
	const char *head;
} fields[FIELD_NR] = {
	[FIELD_TIME] = { .key = "interval", .bare = true, .head = "time",
		.print = { time_text, time_machine, time_machine } },
	[FIELD_SUMMARY] = { .head = "summary", .print = { NULL, summary_csv, NULL } },
	[FIELD_AGGR] = { .print = { aggr_any, aggr_any, aggr_any } },
	[FIELD_AGGR_NR] = { .key = "aggregate-number", .bare = true, .head = "cpus",
		.print = { aggr_nr_text, aggr_nr_machine, aggr_nr_machine } },
	[FIELD_VALUE] = { .key = "counter-value", .print = { value_text, value_csv, value_json } },
	[FIELD_UNIT] = { .key = "unit", .print = { unit_text, unit_machine, unit_machine } },
	[FIELD_EVENT] = { .key = "event", .print = { event_text, event_machine, event_machine } },
	[FIELD_CGROUP] = { .key = "cgroup",
		.print = { cgroup_text, cgroup_machine, cgroup_machine } },
	[FIELD_SPREAD] = { .key = "variance", .bare = true,
		.print = { NULL, spread_csv, spread_json } },
	[FIELD_RUNTIME] = { .key = "event-runtime", .bare = true,
		.print = { NULL, runtime_machine, runtime_machine } },
	[FIELD_PERCENT] = { .key = "pcnt-running", .bare = true,
		.print = { NULL, percent_csv, percent_json } },
	[FIELD_GROUP] = { .key = "metricgroup",
		.print = { group_text, group_machine, group_machine } },
	[FIELD_INDENT] = { .print = { indent_text, NULL, NULL } },
	[FIELD_CPU_INDENT] = { .print = { cpu_indent_text, NULL, NULL } },
	[FIELD_METRIC] = { .key = "metric-value",
		.print = { metric_text, metric_csv, metric_json } },
	[FIELD_METRIC_UNIT] = { .key = "metric-unit",
		.print = { NULL, metric_unit_csv, metric_unit_json } },
	[FIELD_TEXT_ERROR] = { .print = { error_text, NULL, NULL } },
	[FIELD_ERROR] = { .key = "error", .bare = true,
		.print = { NULL, error_machine, error_machine } },
	[FIELD_METRIC_ERROR] = { .key = "metric-error", .bare = true,
		.print = { NULL, metric_error_machine, metric_error_machine } },
	[FIELD_STATUS] = { .key = "status", .print = { NULL, status_machine, status_machine } },
	[FIELD_REASON] = { .key = "reason", .print = { NULL, NULL, reason_json } },
};

#define FIELDS(...)                                                                                \
	{                                                                                          \
		.nr = sizeof((unsigned char[]){ __VA_ARGS__ }), .at = { __VA_ARGS__ }              \
	}

/* What a line has behind its time and label. The spread is left out but for several runs. */
static const struct layout layouts[LINE_NR_FORMS][LINE_NR] = {
	[IN_TEXT] = {
		[LINE_EVENT] = FIELDS(FIELD_VALUE, FIELD_TEXT_ERROR, FIELD_UNIT, FIELD_EVENT,
				      FIELD_CGROUP, FIELD_METRIC),
		[LINE_METRIC] = FIELDS(FIELD_CPU_INDENT, FIELD_INDENT, FIELD_METRIC),
		[LINE_GROUP] = FIELDS(FIELD_GROUP, FIELD_METRIC),
		[LINE_GROUP_MORE] = FIELDS(FIELD_INDENT, FIELD_METRIC),
		/* The cgroup has a column of its own there. */
		[LINE_PREFIX] = { .nr = 0 },
	},
	[IN_CSV] = {
		[LINE_EVENT] = FIELDS(FIELD_VALUE, FIELD_UNIT, FIELD_EVENT, FIELD_CGROUP,
				      FIELD_SPREAD, FIELD_RUNTIME, FIELD_PERCENT, FIELD_METRIC,
				      FIELD_METRIC_UNIT, FIELD_ERROR,
				      FIELD_METRIC_ERROR, FIELD_STATUS),
		[LINE_METRIC] = FIELDS(BLANK_OF(FIELD_VALUE), BLANK_OF(FIELD_UNIT),
				       BLANK_OF(FIELD_EVENT), BLANK_OF(FIELD_CGROUP),
				       BLANK_OF(FIELD_SPREAD), BLANK_OF(FIELD_RUNTIME),
				       BLANK_OF(FIELD_PERCENT), FIELD_METRIC, FIELD_METRIC_UNIT,
				       BLANK_OF(FIELD_ERROR), FIELD_METRIC_ERROR, FIELD_STATUS),
		/* perf 6.12 puts these two fields too far to the left. */
		[LINE_GROUP] = FIELDS(BLANK_OF(FIELD_VALUE), FIELD_SPREAD, FIELD_RUNTIME,
				      FIELD_PERCENT, BLANK_OF(FIELD_UNIT), BLANK_OF(FIELD_EVENT),
				      BLANK_OF(FIELD_METRIC), FIELD_GROUP),
		[LINE_GROUP_MORE] = FIELDS(BLANK_OF(FIELD_VALUE), FIELD_SPREAD, FIELD_RUNTIME,
					   FIELD_PERCENT, BLANK_OF(FIELD_UNIT),
					   BLANK_OF(FIELD_EVENT), FIELD_METRIC, FIELD_METRIC_UNIT,
					   BLANK_OF(FIELD_ERROR), FIELD_METRIC_ERROR, FIELD_STATUS),
		[LINE_PREFIX] = FIELDS(FIELD_CGROUP),
	},
	[IN_JSON] = {
		[LINE_EVENT] = FIELDS(FIELD_VALUE, FIELD_UNIT, FIELD_EVENT, FIELD_CGROUP,
				      FIELD_SPREAD, FIELD_RUNTIME, FIELD_PERCENT, FIELD_METRIC,
				      FIELD_METRIC_UNIT, FIELD_ERROR,
				      FIELD_METRIC_ERROR, FIELD_STATUS, FIELD_REASON),
		[LINE_METRIC] = FIELDS(FIELD_METRIC, FIELD_METRIC_UNIT, FIELD_METRIC_ERROR,
				       FIELD_STATUS),
		[LINE_GROUP] = FIELDS(FIELD_SPREAD, FIELD_RUNTIME, FIELD_PERCENT, FIELD_GROUP),
		[LINE_GROUP_MORE] = FIELDS(FIELD_SPREAD, FIELD_RUNTIME, FIELD_PERCENT, FIELD_METRIC,
					   FIELD_METRIC_UNIT, FIELD_METRIC_ERROR, FIELD_STATUS),
		[LINE_PREFIX] = FIELDS(FIELD_CGROUP),
	},
};

/* Under a header every line has the fields it names: those of perf's which have not, in place. */
static const struct layout headed[LINE_NR] = {
	[LINE_GROUP] = FIELDS(BLANK_OF(FIELD_VALUE), BLANK_OF(FIELD_UNIT), BLANK_OF(FIELD_EVENT),
			      BLANK_OF(FIELD_CGROUP), FIELD_SPREAD, FIELD_RUNTIME, FIELD_PERCENT,
			      BLANK_OF(FIELD_METRIC), FIELD_GROUP, BLANK_OF(FIELD_ERROR),
			      BLANK_OF(FIELD_METRIC_ERROR), BLANK_OF(FIELD_STATUS)),
	[LINE_GROUP_MORE] = FIELDS(BLANK_OF(FIELD_VALUE), BLANK_OF(FIELD_UNIT),
				   BLANK_OF(FIELD_EVENT), BLANK_OF(FIELD_CGROUP), FIELD_SPREAD,
				   FIELD_RUNTIME, FIELD_PERCENT, FIELD_METRIC, FIELD_METRIC_UNIT,
				   BLANK_OF(FIELD_ERROR), FIELD_METRIC_ERROR, FIELD_STATUS),
};

static enum field_id field__of(unsigned char place)
{
	return place & ~BLANK;
}

/* Whether a field that stands in a layout is in this output. */
static bool is_wanted(const struct writer *w, enum field_id id)
{
	switch (id) {
	case FIELD_CPU_INDENT:
		return w->grid->aggr == AGGR_NONE;
	case FIELD_CGROUP:
		return w->grid->has_cgroups;
	case FIELD_SPREAD:
		return w->grid->runs;
	case FIELD_TEXT_ERROR:
	case FIELD_ERROR:
	case FIELD_METRIC_ERROR:
		return w->opts.error;
	case FIELD_STATUS:
		return w->grid->has_latencies;
	case FIELD_REASON:
		return w->opts.reasons;
	default:
		return true;
	}
}

static void add(struct layout *to, unsigned char place)
{
	to->at[to->nr++] = place;
}

/* When and where: what every line begins with. */
static void lay_out_prefix(const struct writer *w, struct layout *to)
{
	const struct grid *g = w->grid;

	to->nr = 0;
	if (g->span == SPAN_INTERVAL)
		add(to, FIELD_TIME);
	else if (w->opts.summary_mark && perfs_of(w)->form == IN_CSV)
		add(to, FIELD_SUMMARY);
	else if (g->is_total && w->opts.header)
		add(to, BLANK_OF(FIELD_TIME)); /* of a summary behind intervals */
	if (g->aggr != AGGR_GLOBAL)
		add(to, FIELD_AGGR);
	if (row_kinds[g->aggr].counts_units)
		add(to, FIELD_AGGR_NR);
}

void perfs__lay_out(struct writer *w)
{
	struct perfs *p = w->state;

	if (p->laid_out && p->span == w->grid->span && p->is_total == w->grid->is_total)
		return;
	p->laid_out = true;
	p->span = w->grid->span;
	p->is_total = w->grid->is_total;
	for (int kind = 0; kind < LINE_NR; kind++) {
		const struct layout *from = w->opts.header && headed[kind].nr ?
						    &headed[kind] : &layouts[p->form][kind];
		struct layout *to = &p->layouts[kind];

		lay_out_prefix(w, to);
		for (int i = 0; i < from->nr; i++)
			if (is_wanted(w, field__of(from->at[i])))
				add(to, from->at[i]);
	}
}

static const char *field__key(const struct writer *w, enum field_id id)
{
	return fields[id].key ? fields[id].key : row_kinds[w->grid->aggr].key;
}

void fields__heads(struct writer *w, enum line_kind kind)
{
	const struct layout *l = &perfs_of(w)->layouts[kind];
	const char *separator = "";

	for (int i = 0; i < l->nr; i++) {
		enum field_id id = field__of(l->at[i]);

		/* perf 6.12 has none for it, which matters in --metric-only. */
		if (id == FIELD_SUMMARY && !w->opts.header)
			continue;
		sb__puts(&w->text, separator);
		sb__puts(&w->text, fields[id].head ? fields[id].head : field__key(w, id));
		separator = w->opts.separator;
	}
}

/* The last fields are there where they say something; in CSV, too, where a header names them. */
static bool is_left_out(const struct writer *w, const struct line *line, enum field_id id)
{
	bool json = perfs_of(w)->form == IN_JSON;

	switch (id) {
	/* Of what is not known JSON has no number. */
	case FIELD_ERROR:
		return json && (!line->cell->counted || !isfinite(line->cell->more->error));
	case FIELD_METRIC_ERROR:
		return json && (!has_figure(line) || !isfinite(line->figure->error) ||
				!isfinite(line->figure->value));
	case FIELD_REASON:
		return !cell__words(line->cell);
	case FIELD_STATUS:
		return !*assumption(line) && (json || !w->opts.header);
	default:
		return false;
	}
}

void fields__members(struct writer *w, const struct line *line, enum line_kind kind,
		     struct json *j)
{
	const struct layout *l = &perfs_of(w)->layouts[kind];

	for (int i = 0; i < l->nr; i++) {
		enum field_id id = l->at[i];
		const char *key = line->of_core && id == FIELD_AGGR ? row_kinds[AGGR_CORE].key :
								      field__key(w, id);

		if (is_left_out(w, line, id))
			continue;
		if (fields[id].bare)
			json__key(j, key);
		else
			json__begin_text(j, key);
		fields[id].print[IN_JSON](w, line);
		if (!fields[id].bare)
			json__end_text(j);
	}
}

static void put_fields(struct writer *w, const struct line *line, const struct layout *l)
{
	enum line_form form = perfs_of(w)->form;
	bool blank;

	for (int i = 0; i < l->nr; i++) {
		blank = l->at[i] & BLANK;
		if (!blank && is_left_out(w, line, l->at[i]))
			continue;
		if (i && form == IN_CSV)
			sb__puts(&w->text, w->opts.separator);
		if (!blank)
			fields[l->at[i]].print[form](w, line);
	}
}

void fields__line(struct writer *w, const struct line *line, enum line_kind kind)
{
	struct json j = JSON_INIT(&w->text, JSON_SPACED);

	if (perfs_of(w)->form != IN_JSON) {
		put_fields(w, line, &perfs_of(w)->layouts[kind]);
		return;
	}
	json__open(&j, NULL, '{');
	fields__members(w, line, kind, &j);
	json__close(&j, '}');
}

void fields__tail(struct writer *w, const struct line *line)
{
	const struct grid_cell *cell = line->cell;

	if (perfs_of(w)->form != IN_TEXT)
		return;
	if (spread_of(line))
		sb__printf(&w->text, "  ( +-%6.2f%% )", spread_of(line));
	if (cell->running == cell->enabled)
		return;
	sb__puts(&w->text, "  (");
	fixed__print(&w->text, 100.0 * cell->running / cell->enabled, 2, false);
	sb__puts(&w->text, "%)");
}
