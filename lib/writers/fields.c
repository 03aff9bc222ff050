// SPDX-License-Identifier: GPL-2.0-only
/* The table of fields by which perf's CSV and JSON print lines. */
#include <math.h>

#include "base/fixed.h"
#include "writers/perfs.h"

enum field_id {
	FIELD_TIME,
	FIELD_SUMMARY,
	FIELD_AGGR,
	FIELD_AGGR_NR,
	FIELD_VALUE,
	FIELD_UNIT,
	FIELD_EVENT,
	FIELD_CGROUP,
	FIELD_PORT,
	FIELD_SPREAD,
	FIELD_RUNTIME,
	FIELD_PERCENT,
	FIELD_GROUP,
	FIELD_METRIC,
	FIELD_METRIC_UNIT,
	FIELD_THRESHOLD,
	FIELD_ERROR,
	FIELD_METRIC_ERROR,
	FIELD_STATUS,
	FIELD_REASON,
	FIELD_MISSED,
	FIELD_CUT,
	FIELD_NR,
};

_Static_assert(FIELD_NR <= LINE_MAX_FIELDS, "a layout has room for each field once");

/* Mark in a layout: CSV leaves the field empty, since other lines have a field in this place. */
#define BLANK 0x80
#define BLANK_OF(id) (BLANK | (id))

static bool is_json(const struct writer *w)
{
	return w->perfs->form == IN_JSON;
}

/* --- What lines of text have too ------------------------------------------------------------- */

const char *line__label(const struct writer *w, const struct line *line)
{
	return (line->of_core ? w->perfs->core_labels : w->perfs->labels)[line->number];
}

void line__print_value(struct writer *w, const struct line *line, int digits)
{
	bool grouped = w->perfs->form == IN_TEXT && w->opts.big_num;

	if (line->cell->counted)
		fixed__print(&w->text, line->cell->value, digits, grouped);
	else
		sb__puts(&w->text, line->column->supported ? "<not counted>" : "<not supported>");
}

double line__spread(const struct line *line)
{
	return isnan(line->cell->more->spread_percent) ? 0 : line->cell->more->spread_percent;
}

bool line__has_figure(const struct line *line)
{
	return line->figure && !line->figure->empty;
}

/* --- Fields that are a text ------------------------------------------------------------------ */

static const char *summary(const struct writer *w, const struct line *line)
{
	(void)w;
	(void)line;
	return "summary";
}

static const char *unit(const struct writer *w, const struct line *line)
{
	(void)w;
	return line->names->unit;
}

static const char *event(const struct writer *w, const struct line *line)
{
	(void)w;
	return line->names->name;
}

static const char *cgroup(const struct writer *w, const struct line *line)
{
	(void)w;
	return line->cgroup;
}

static const char *group(const struct writer *w, const struct line *line)
{
	(void)line;
	return w->perfs->group;
}

static const char *metric_unit(const struct writer *w, const struct line *line)
{
	if (!is_json(w))
		return line__has_figure(line) ? line->figure->unit : "";
	/* For an event without a metric, perf 6.12 prints a null pointer. */
	return line->figure ? line->figure->unit : "(null)";
}

/* A count may be exact although the metric after it is computed from an assumed latency. */
static const char *status(const struct writer *w, const struct line *line)
{
	(void)w;
	if (line->cell->assumed && line->figure == line->figures)
		return "assumed";
	return line->figure && line->figure->assumed ? "metric assumed" : "";
}

/* --- Fields that are a number ---------------------------------------------------------------- */

static void put_time(struct writer *w, const struct line *line)
{
	(void)line;
	seconds__print(&w->text, w->grid->since_start_ns);
}

static void put_nr(struct writer *w, const struct line *line)
{
	fixed__print_u64(&w->text, line->nr, 1);
}

static void fields__put_value(struct writer *w, const struct line *line)
{
	line__print_value(w, line, is_json(w) ? 6 : line->column->fraction ? 2 : 0);
}

static void put_spread(struct writer *w, const struct line *line)
{
	sb__printf(&w->text, is_json(w) ? "%.2f" : "%.2f%%", line__spread(line));
}

static void put_runtime(struct writer *w, const struct line *line)
{
	fixed__print_u64(&w->text, line->cell->running, 1);
}

/*
 * Append the share of the time in which the event had a counter. perf 6.12 rounds to whole percents
 * in machine formats (33.00 where text has 33.33), and prints 100 for a counter that was not
 * opened; JSON of tma has 0 for that.
 */
static void put_percent(struct writer *w, const struct line *line)
{
	const struct grid_cell *cell = line->cell;
	bool none = is_json(w) && !cell->counted && cell->reason != REASON_TOO_LITTLE;
	uint64_t percent = 100;

	if ((cell->assumed && !cell->running) || none)
		percent = 0;
	else if (cell->running != cell->enabled && cell->enabled)
		percent = 100 * (unsigned __int128)cell->running / cell->enabled;
	fixed__print_u64(&w->text, percent, 1);
	sb__puts(&w->text, ".00");
}

static void fields__put_metric(struct writer *w, const struct line *line)
{
	double value = line__has_figure(line) ? line->figure->value : 0;

	if (!is_json(w) && line__has_figure(line))
		figure__bare(&w->text, line->figure);
	if (!is_json(w))
		return;
	/* The sign of a NaN depends on the CPU and has no meaning. */
	if (isnan(value))
		sb__puts(&w->text, "nan");
	else
		fixed__print(&w->text, value, 6, false);
}

static void fields__put_error(struct writer *w, const struct line *line)
{
	if (line->cell->counted)
		figure__error_bare(&w->text, line->cell->more->error);
}

static void put_metric_error(struct writer *w, const struct line *line)
{
	if (line__has_figure(line) && isfinite(line->figure->value))
		figure__error_bare(&w->text, line->figure->error);
}

static void put_reason(struct writer *w, const struct line *line)
{
	dress__json(w, cell__words(line->cell), &w->text);
}

static void put_missed(struct writer *w, const struct line *line)
{
	(void)line;
	fixed__print_u64(&w->text, w->grid->missed, 1);
}

static void put_cut(struct writer *w, const struct line *line)
{
	(void)line;
	sb__puts(&w->text, "true");
}

/* Return: the grade of a metric, in perf 7's words. */
static const char *threshold(const struct writer *w, const struct line *line)
{
	static const char *const words[] = {[COLOUR_NONE] = "good",
					    [COLOUR_GREEN] = "good",
					    [COLOUR_RED] = "bad",
					    [COLOUR_MAGENTA] = "nearly bad",
					    [COLOUR_YELLOW] = "less good"};

	(void)w;
	return words[line->figure->colour];
}

/**
 * struct field - a field of a line
 * @key:  key in JSON; NULL if the key depends on the kind of rows
 * @head: name in the header line of CSV; NULL if it is @key
 * @text: returns the field's text, in the format's form; NULL if @put appends a number or words
 * @bare: JSON has the field without quotes
 */
static const struct field {
	const char *key, *head;
	const char *(*text)(const struct writer *w, const struct line *line);
	void (*put)(struct writer *w, const struct line *line);
	bool bare;
} fields[FIELD_NR] = {
	[FIELD_TIME] = {"interval", "time", .put = put_time, .bare = true},
	[FIELD_SUMMARY] = {NULL, "summary", .text = summary},
	[FIELD_AGGR] = {.text = line__label},
	[FIELD_AGGR_NR] = {"aggregate-number", "cpus", .put = put_nr, .bare = true},
	[FIELD_VALUE] = {"counter-value", .put = fields__put_value},
	[FIELD_UNIT] = {"unit", .text = unit},
	[FIELD_EVENT] = {"event", .text = event},
	[FIELD_CGROUP] = {"cgroup", .text = cgroup},
	[FIELD_PORT] = {"port", .text = cgroup},
	[FIELD_SPREAD] = {"variance", .put = put_spread, .bare = true},
	[FIELD_RUNTIME] = {"event-runtime", .put = put_runtime, .bare = true},
	[FIELD_PERCENT] = {"pcnt-running", .put = put_percent, .bare = true},
	[FIELD_GROUP] = {"metricgroup", .text = group},
	[FIELD_METRIC] = {"metric-value", .put = fields__put_metric},
	[FIELD_METRIC_UNIT] = {"metric-unit", .text = metric_unit},
	[FIELD_THRESHOLD] = {"metric-threshold", .text = threshold},
	[FIELD_ERROR] = {"error", .put = fields__put_error, .bare = true},
	[FIELD_METRIC_ERROR] = {"metric-error", .put = put_metric_error, .bare = true},
	[FIELD_STATUS] = {"status", .text = status},
	[FIELD_REASON] = {"reason", .put = put_reason},
	[FIELD_MISSED] = {"missed-rows", .put = put_missed, .bare = true},
	[FIELD_CUT] = {"cut", .put = put_cut, .bare = true},
};

/* --- Which fields a line has ----------------------------------------------------------------- */

#define FIELDS(...)                                                                                \
	{                                                                                          \
		.nr = sizeof((unsigned char[]){ __VA_ARGS__ }), .at = { __VA_ARGS__ }              \
	}

/* Fields after a line's time and label in CSV; JSON omits the blank ones. */
static const struct layout layouts[LINE_NR] = {
	[LINE_EVENT] = FIELDS(FIELD_VALUE, FIELD_UNIT, FIELD_EVENT, FIELD_CGROUP, FIELD_SPREAD,
			      FIELD_RUNTIME, FIELD_PERCENT, FIELD_METRIC, FIELD_METRIC_UNIT,
			      FIELD_THRESHOLD, FIELD_ERROR, FIELD_METRIC_ERROR, FIELD_STATUS,
			      FIELD_REASON, FIELD_MISSED, FIELD_CUT),
	[LINE_METRIC] = FIELDS(BLANK_OF(FIELD_VALUE), BLANK_OF(FIELD_UNIT), BLANK_OF(FIELD_EVENT),
			       BLANK_OF(FIELD_CGROUP), BLANK_OF(FIELD_SPREAD),
			       BLANK_OF(FIELD_RUNTIME), BLANK_OF(FIELD_PERCENT), FIELD_METRIC,
			       FIELD_METRIC_UNIT, FIELD_THRESHOLD, BLANK_OF(FIELD_ERROR),
			       FIELD_METRIC_ERROR, FIELD_STATUS),
	/* perf 6.12 puts these two fields too far to the left, and so does tma. */
	[LINE_GROUP] = FIELDS(BLANK_OF(FIELD_VALUE), FIELD_SPREAD, FIELD_RUNTIME, FIELD_PERCENT,
			      BLANK_OF(FIELD_UNIT), BLANK_OF(FIELD_EVENT), BLANK_OF(FIELD_METRIC),
			      FIELD_GROUP),
	[LINE_GROUP_MORE] = FIELDS(BLANK_OF(FIELD_VALUE), FIELD_SPREAD, FIELD_RUNTIME,
				   FIELD_PERCENT, BLANK_OF(FIELD_UNIT), BLANK_OF(FIELD_EVENT),
				   FIELD_METRIC, FIELD_METRIC_UNIT, FIELD_THRESHOLD,
				   BLANK_OF(FIELD_ERROR), FIELD_METRIC_ERROR, FIELD_STATUS),
	[LINE_PREFIX] = FIELDS(FIELD_CGROUP, FIELD_PORT, FIELD_MISSED, FIELD_CUT),
};

/* With a header, every line has the fields that the header names, in the same places. */
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

/* Whether this output has a field of a layout. */
static bool fields__is_wanted(const struct writer *w, enum field_id id)
{
	switch (id) {
	case FIELD_CGROUP:
		return w->grid->has_cgroups && !w->grid->has_ports;
	case FIELD_PORT:
		return w->grid->has_ports;
	case FIELD_SPREAD:
		return w->grid->runs;
	case FIELD_THRESHOLD:
		return w->opts.compat7 && is_json(w);
	case FIELD_ERROR:
	case FIELD_METRIC_ERROR:
		return w->opts.error;
	case FIELD_STATUS:
		return w->grid->has_latencies || w->grid->notes.uncorrected ||
		       w->grid->notes.one_thread;
	case FIELD_REASON:
	case FIELD_MISSED:
	case FIELD_CUT:
		return w->opts.reasons && is_json(w);
	default:
		return true;
	}
}

static void fields__add(struct layout *to, unsigned char place)
{
	to->at[to->nr++] = place;
}

/* Every line begins with its time and place. */
static void lay_out_prefix(const struct writer *w, struct layout *to)
{
	const struct grid *g = w->grid;

	to->nr = 0;
	if (g->span == SPAN_INTERVAL)
		fields__add(to, FIELD_TIME);
	else if (w->opts.summary_mark && !is_json(w))
		fields__add(to, FIELD_SUMMARY);
	else if (g->is_total && w->opts.header)
		fields__add(to, BLANK_OF(FIELD_TIME)); /* blank below the times of the intervals */
	if (g->aggr != AGGR_GLOBAL)
		fields__add(to, FIELD_AGGR);
	if (row_kinds[g->aggr].adds_cpus)
		fields__add(to, FIELD_AGGR_NR);
}

void perfs__lay_out(struct writer *w)
{
	struct perfs *p = w->perfs;

	if (p->form == IN_TEXT ||
	    (p->laid_out && p->span == w->grid->span && p->is_total == w->grid->is_total))
		return;
	p->laid_out = true;
	p->span = w->grid->span;
	p->is_total = w->grid->is_total;
	for (int kind = 0; kind < LINE_NR; kind++) {
		const struct layout *from = w->opts.header && headed[kind].nr ? &headed[kind]
									      : &layouts[kind];
		struct layout *to = &p->layouts[kind];

		lay_out_prefix(w, to);
		for (int i = 0; i < from->nr; i++)
			if (fields__is_wanted(w, field__of(from->at[i])) &&
			    !(is_json(w) && from->at[i] & BLANK))
				fields__add(to, from->at[i]);
	}
}

/* --- Lines ----------------------------------------------------------------------------------- */

static const char *field__key(const struct writer *w, enum field_id id)
{
	/* In perf 7 the key of the number is "counters" for all kinds of rows. */
	if (id == FIELD_AGGR_NR && w->opts.compat7)
		return "counters";
	return fields[id].key ? fields[id].key : row_kinds[w->grid->aggr].key;
}

void fields__heads(struct writer *w, enum line_kind kind)
{
	const struct layout *l = &w->perfs->layouts[kind];
	const char *separator = "";

	for (int i = 0; i < l->nr; i++) {
		enum field_id id = field__of(l->at[i]);

		/* perf 6.12 has no heading for this field, which matters in --metric-only. */
		if (id == FIELD_SUMMARY && !w->opts.header)
			continue;
		sb__puts(&w->text, separator);
		if (id == FIELD_AGGR_NR && w->opts.compat7)
			sb__puts(&w->text, "ctrs");
		else
			sb__puts(&w->text, fields[id].head ? fields[id].head : field__key(w, id));
		separator = w->opts.separator;
	}
}

/*
 * Whether a field at the end of a line is omitted: it has no value, and no header of CSV names it.
 */
static bool is_left_out(const struct writer *w, const struct line *line, enum field_id id)
{
	switch (id) {
	/* perf 7 does not print a metric without a unit. */
	case FIELD_METRIC:
	case FIELD_METRIC_UNIT:
		return is_json(w) && w->opts.compat7 && !line__has_figure(line);
	case FIELD_THRESHOLD:
		return !line__has_figure(line) || !line->figure->graded ||
		       !isfinite(line->figure->value);
	/* JSON has no form for an unknown number. */
	case FIELD_ERROR:
		return is_json(w) &&
		       (!line->cell->counted || !isfinite(line->cell->more->error));
	case FIELD_METRIC_ERROR:
		return is_json(w) &&
		       (!line__has_figure(line) || !isfinite(line->figure->error) ||
			!isfinite(line->figure->value));
	case FIELD_REASON:
		return !cell__words(line->cell);
	case FIELD_MISSED:
		return !w->grid->missed;
	case FIELD_CUT:
		return !w->grid->is_cut;
	case FIELD_STATUS:
		return !*status(w, line) && (is_json(w) || !w->opts.header);
	default:
		return false;
	}
}

static void fields__put_field(struct writer *w, const struct line *line, enum field_id id)
{
	if (fields[id].text)
		sb__puts(&w->text, fields[id].text(w, line));
	else
		fields[id].put(w, line);
}

void fields__members(struct writer *w, const struct line *line, enum line_kind kind,
		     struct json *j)
{
	const struct layout *l = &w->perfs->layouts[kind];

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
		fields__put_field(w, line, id);
		if (!fields[id].bare)
			json__end_text(j);
	}
}

static void fields__put_csv(struct writer *w, const struct line *line, const struct layout *l)
{
	for (int i = 0; i < l->nr; i++) {
		bool blank = l->at[i] & BLANK;

		if (!blank && is_left_out(w, line, l->at[i]))
			continue;
		if (i)
			sb__puts(&w->text, w->opts.separator);
		if (!blank)
			fields__put_field(w, line, l->at[i]);
	}
}

void perfs__line(struct writer *w, const struct line *line, enum line_kind kind)
{
	struct json j = JSON_INIT(&w->text, JSON_SPACED);

	switch (w->perfs->form) {
	case IN_TEXT:
		text__line(w, line, kind);
		break;
	case IN_CSV:
		fields__put_csv(w, line, &w->perfs->layouts[kind]);
		break;
	default:
		json__open(&j, NULL, '{');
		fields__members(w, line, kind, &j);
		json__close(&j, '}');
		break;
	}
}
