// SPDX-License-Identifier: GPL-2.0-only
/* The one table of fields a line of output is made of, from which every format is printed. */
#include <inttypes.h>
#include <math.h>

#include "base/fixed.h"
#include "report/reason.h"

#define EVENT_WIDTH 32
#define METRIC_WIDTH 38
/* Where the metrics of text stand that have no count before them. */
#define METRIC_INDENT 49
#define METRIC_INDENT_PER_CPU 8

#define NS_PER_S 1000000000
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

typedef void (*field_print_fn)(struct report *r, const struct row *row);

static void put_time(struct report *r)
{
	uint64_t ns = r->time->since_start_ns;

	fixed__print_u64(&r->text, ns / NS_PER_S, 1);
	sb__putc(&r->text, '.');
	fixed__print_u64(&r->text, ns % NS_PER_S, 9);
}

static void time_text(struct report *r, const struct row *row)
{
	size_t start = r->text.len;

	(void)row;
	put_time(r);
	sb__indent(&r->text, start, TIME_TEXT_WIDTH - (int)(r->text.len - start));
	sb__putc(&r->text, ' ');
}

static void time_machine(struct report *r, const struct row *row)
{
	(void)row;
	put_time(r);
}

static void summary_csv(struct report *r, const struct row *row)
{
	(void)row;
	sb__puts(&r->text, "summary");
}

static void aggr_machine(struct report *r, const struct row *row)
{
	sb__puts(&r->text, row->core ? row->core : row->bucket->label);
}

static void aggr_nr_text(struct report *r, const struct row *row)
{
	sb__printf(&r->text, "%*d ", CPUS_WIDTH, row->nr);
}

static void aggr_nr_machine(struct report *r, const struct row *row)
{
	fixed__print_u64(&r->text, row->nr, 1);
}

static const char *bad_count(const struct row *row)
{
	return row->event->supported ? "<not counted>" : "<not supported>";
}

static void value_text(struct report *r, const struct row *row)
{
	size_t start = r->text.len;

	if (!row->counted) {
		sb__puts(&r->text, bad_count(row));
	} else {
		if (row->sum->assumed)
			sb__puts(&r->text, ASSUMED_MARK);
		fixed__print(&r->text, row->value, row->event->fraction ? 2 : 0, r->opts.big_num);
	}
	/* By columns: a locale's separators may have several bytes. */
	sb__indent(&r->text, start, COUNT_WIDTH - dress__width(sb__str(&r->text) + start));
	sb__putc(&r->text, ' ');
}

static void put_padded(struct report *r, const struct figure *f, int width)
{
	struct sb error = SB_INIT;

	figure__error(r, &error, f);
	dress__left(&r->text, sb__str(&error), width);
	sb__free(&error);
}

/* The value has a blank behind it. */
static void error_text(struct report *r, const struct row *row)
{
	const struct figure f = { .form = row->event->fraction ? FORM_PLAIN : FORM_COUNT,
				  .error = row->counted ? row->error : 0 };

	r->text.len--;
	put_padded(r, &f, ERROR_WIDTH);
}

static void value_csv(struct report *r, const struct row *row)
{
	if (row->counted)
		fixed__print(&r->text, row->value, row->event->fraction ? 2 : 0, false);
	else
		sb__puts(&r->text, bad_count(row));
}

static void value_json(struct report *r, const struct row *row)
{
	if (row->counted)
		fixed__print(&r->text, row->value, 6, false);
	else
		sb__puts(&r->text, bad_count(row));
}

static void unit_text(struct report *r, const struct row *row)
{
	dress__left(&r->text, row->event->unit, r->unit_width);
	sb__putc(&r->text, ' ');
}

static void unit_machine(struct report *r, const struct row *row)
{
	sb__puts(&r->text, row->event->unit);
}

static void event_text(struct report *r, const struct row *row)
{
	dress__left(&r->text, row->event->name, EVENT_WIDTH);
}

static void event_machine(struct report *r, const struct row *row)
{
	sb__puts(&r->text, row->event->name);
}

static void cgroup_text(struct report *r, const struct row *row)
{
	sb__putc(&r->text, ' ');
	dress__left(&r->text, row->event->cgroup, CGROUP_WIDTH);
}

static void cgroup_machine(struct report *r, const struct row *row)
{
	sb__puts(&r->text, row->event->cgroup);
}

static void spread_csv(struct report *r, const struct row *row)
{
	sb__printf(&r->text, "%.2f%%", row->spread_percent);
}

static void spread_json(struct report *r, const struct row *row)
{
	sb__printf(&r->text, "%.2f", row->spread_percent);
}

static void runtime_machine(struct report *r, const struct row *row)
{
	fixed__print_u64(&r->text, row->sum->running, 1);
}

/* Whole percents, as perf 6.12 has them in machine formats (33.00 where text says 33.33). */
static uint64_t whole_percent(const struct sum *sum)
{
	if (sum->assumed && !sum->running)
		return 0;
	if (sum->running == sum->enabled || !sum->enabled)
		return 100;
	return (uint64_t)(100 * (unsigned __int128)sum->running / sum->enabled);
}

static void percent_csv(struct report *r, const struct row *row)
{
	fixed__print_u64(&r->text, whole_percent(row->sum), 1);
	sb__puts(&r->text, ".00");
}

/* A counter that was not opened ran none of the time: perf 6.12 says 100 here. */
static void percent_json(struct report *r, const struct row *row)
{
	fixed__print_u64(&r->text, row->counted ? whole_percent(row->sum) : 0, 1);
	sb__puts(&r->text, ".00");
}

static void group_text(struct report *r, const struct row *row)
{
	sb__putc(&r->text, ' ');
	dress__right(&r->text, r->group_head, EVENT_WIDTH);
	sb__pad(&r->text, METRIC_INDENT - EVENT_WIDTH - 1 + (r->opts.error ? ERROR_WIDTH - 1 : 0));
	(void)row;
}

static void group_machine(struct report *r, const struct row *row)
{
	sb__puts(&r->text, r->group_head);
	(void)row;
}

static void indent_text(struct report *r, const struct row *row)
{
	sb__pad(&r->text, METRIC_INDENT + (r->opts.error ? ERROR_WIDTH - 1 : 0));
	(void)row;
}

static void cpu_indent_text(struct report *r, const struct row *row)
{
	sb__pad(&r->text, METRIC_INDENT_PER_CPU);
	(void)row;
}

static void metric_text(struct report *r, const struct row *row)
{
	int len, width = METRIC_WIDTH;

	if (!row->figure || row->figure->empty) {
		sb__pad(&r->text, width + (r->opts.error ? METRIC_ERROR_WIDTH : 0));
		return;
	}
	sb__puts(&r->text, " # ");
	len = 3 + figure__text(r, &r->text, row->figure);
	if (r->opts.error)
		put_padded(r, row->figure, METRIC_ERROR_WIDTH);
	sb__putc(&r->text, ' ');
	dress__left(&r->text, row->figure->unit, width - len - 1);
}

static void metric_csv(struct report *r, const struct row *row)
{
	if (row->figure && !row->figure->empty)
		figure__bare(&r->text, row->figure);
}

static void metric_json(struct report *r, const struct row *row)
{
	double value = row->figure && !row->figure->empty ? row->figure->value : 0;

	/* The sign of a NaN depends on the CPU and says nothing. */
	if (isnan(value))
		sb__puts(&r->text, "nan");
	else
		fixed__print(&r->text, value, 6, false);
}

static void metric_unit_csv(struct report *r, const struct row *row)
{
	if (row->figure && !row->figure->empty)
		sb__puts(&r->text, row->figure->unit);
}

static void metric_unit_json(struct report *r, const struct row *row)
{
	/* perf 6.12 prints a null pointer for an event without a metric. */
	sb__puts(&r->text, row->figure ? row->figure->unit : "(null)");
}

static void error_machine(struct report *r, const struct row *row)
{
	if (row->counted)
		figure__error_bare(&r->text, row->error);
}

static void metric_error_machine(struct report *r, const struct row *row)
{
	if (row->figure && !row->figure->empty && isfinite(row->figure->value))
		figure__error_bare(&r->text, row->figure->error);
}

/* A count may be none of what is assumed, and its metric be made of it. */
static const char *assumption(const struct row *row)
{
	if (row->sum->assumed && row->figure == row->figures)
		return "assumed";
	return row->figure && row->figure->assumed ? "metric assumed" : "";
}

static void status_machine(struct report *r, const struct row *row)
{
	sb__puts(&r->text, assumption(row));
}

/* NULL where there is nothing to tell. */
static const char *reason(const struct report *r, const struct row *row)
{
	int event = row->event - r->events, bucket = row->bucket - r->buckets;

	return reason__of(r, event, bucket, reason__status(r, row->sum));
}

static void reason_json(struct report *r, const struct row *row)
{
	dress__json(r, reason(r, row), &r->text);
}

/*
 * @key:  of JSON; NULL where it depends on what rows stand for
 * @bare: JSON has it without quotes
 * @head: in the header line of CSV; NULL for @key
 */
static const struct {
	const char *key;
	bool bare;
	field_print_fn print[REPORT_NR_PERFS];
	const char *head;
} fields[FIELD_NR] = {
	[FIELD_TIME] = { .key = "interval", .bare = true, .head = "time",
		.print = { time_text, time_machine, time_machine } },
	[FIELD_SUMMARY] = { .head = "summary", .print = { NULL, summary_csv, NULL } },
	[FIELD_AGGR] = { .print = { aggr_machine, aggr_machine, aggr_machine } },
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
static const struct layout layouts[REPORT_NR_PERFS][LINE_NR] = {
	[REPORT_TEXT] = {
		[LINE_EVENT] = FIELDS(FIELD_VALUE, FIELD_TEXT_ERROR, FIELD_UNIT, FIELD_EVENT,
				      FIELD_CGROUP, FIELD_METRIC),
		[LINE_METRIC] = FIELDS(FIELD_CPU_INDENT, FIELD_INDENT, FIELD_METRIC),
		[LINE_GROUP] = FIELDS(FIELD_GROUP, FIELD_METRIC),
		[LINE_GROUP_MORE] = FIELDS(FIELD_INDENT, FIELD_METRIC),
	},
	[REPORT_CSV] = {
		[LINE_EVENT] = FIELDS(FIELD_VALUE, FIELD_UNIT, FIELD_EVENT, FIELD_CGROUP,
				      FIELD_SPREAD, FIELD_RUNTIME, FIELD_PERCENT, FIELD_METRIC,
				      FIELD_METRIC_UNIT, FIELD_ERROR,
				      FIELD_METRIC_ERROR, FIELD_STATUS),
		[LINE_METRIC] = FIELDS(BLANK_OF(FIELD_VALUE), BLANK_OF(FIELD_UNIT),
				       BLANK_OF(FIELD_EVENT), BLANK_OF(FIELD_CGROUP),
				       BLANK_OF(FIELD_SPREAD), BLANK_OF(FIELD_RUNTIME),
				       BLANK_OF(FIELD_PERCENT), FIELD_METRIC, FIELD_METRIC_UNIT,
				       BLANK_OF(FIELD_ERROR),
				       FIELD_METRIC_ERROR, FIELD_STATUS),
		/* perf 6.12 puts these two fields too far to the left. */
		[LINE_GROUP] = FIELDS(BLANK_OF(FIELD_VALUE), FIELD_SPREAD, FIELD_RUNTIME,
				      FIELD_PERCENT, BLANK_OF(FIELD_UNIT), BLANK_OF(FIELD_EVENT),
				      BLANK_OF(FIELD_METRIC), FIELD_GROUP),
		[LINE_GROUP_MORE] = FIELDS(BLANK_OF(FIELD_VALUE), FIELD_SPREAD, FIELD_RUNTIME,
					   FIELD_PERCENT, BLANK_OF(FIELD_UNIT),
					   BLANK_OF(FIELD_EVENT), FIELD_METRIC, FIELD_METRIC_UNIT,
					   BLANK_OF(FIELD_ERROR),
				       FIELD_METRIC_ERROR, FIELD_STATUS),
	},
	[REPORT_JSON] = {
		[LINE_EVENT] = FIELDS(FIELD_VALUE, FIELD_UNIT, FIELD_EVENT, FIELD_CGROUP,
				      FIELD_SPREAD, FIELD_RUNTIME, FIELD_PERCENT, FIELD_METRIC,
				      FIELD_METRIC_UNIT, FIELD_ERROR,
				      FIELD_METRIC_ERROR, FIELD_STATUS, FIELD_REASON),
		[LINE_METRIC] = FIELDS(FIELD_METRIC, FIELD_METRIC_UNIT, FIELD_METRIC_ERROR,
				       FIELD_STATUS),
		[LINE_GROUP] = FIELDS(FIELD_SPREAD, FIELD_RUNTIME, FIELD_PERCENT, FIELD_GROUP),
		[LINE_GROUP_MORE] = FIELDS(FIELD_SPREAD, FIELD_RUNTIME, FIELD_PERCENT, FIELD_METRIC,
					   FIELD_METRIC_UNIT, FIELD_METRIC_ERROR, FIELD_STATUS),
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
				   BLANK_OF(FIELD_ERROR),
				       FIELD_METRIC_ERROR, FIELD_STATUS),
};

static const struct layout *layout__of(const struct report *r, enum line line)
{
	return r->opts.header && headed[line].nr ? &headed[line] : &layouts[r->opts.format][line];
}

static enum field_id field__of(unsigned char place)
{
	return place & ~BLANK;
}

/* Whether this report has a field that stands in a layout. */
static bool field__is_wanted(const struct report *r, enum field_id id)
{
	switch (id) {
	case FIELD_CPU_INDENT:
		return r->opts.aggr == AGGR_NONE;
	case FIELD_CGROUP:
		return r->has_cgroups;
	case FIELD_SPREAD:
		return r->opts.runs;
	case FIELD_TEXT_ERROR:
	case FIELD_ERROR:
	case FIELD_METRIC_ERROR:
		return r->opts.error;
	case FIELD_STATUS:
		return r->latencies;
	case FIELD_REASON:
		return r->opts.reasons;
	default:
		return true;
	}
}

static void layout__add(struct layout *to, unsigned char place)
{
	to->at[to->nr++] = place;
}

/* When and where: what every line begins with. */
static void lay_out_prefix(struct report *r, struct layout *to)
{
	to->nr = 0;
	if (r->opts.interval)
		layout__add(to, FIELD_TIME);
	else if (r->opts.summary_mark && r->opts.format == REPORT_CSV)
		layout__add(to, FIELD_SUMMARY);
	else if (r->has_heads)
		layout__add(to, BLANK_OF(FIELD_TIME)); /* of a summary behind intervals */
	if (r->opts.aggr != AGGR_GLOBAL)
		layout__add(to, FIELD_AGGR);
	if (aggr_infos[r->opts.aggr].counts_units)
		layout__add(to, FIELD_AGGR_NR);
}

void fields__lay_out(struct report *r)
{
	for (int line = 0; line < LINE_NR; line++) {
		const struct layout *from = layout__of(r, line);
		struct layout *to = &r->layouts[line];

		lay_out_prefix(r, to);
		for (int i = 0; i < from->nr; i++)
			if (field__is_wanted(r, field__of(from->at[i])))
				layout__add(to, from->at[i]);
	}
	lay_out_prefix(r, &r->prefix);
	/* In text it has a column of its own there. */
	if (r->has_cgroups && r->opts.format != REPORT_TEXT)
		layout__add(&r->prefix, FIELD_CGROUP);
}

static const char *field__key(const struct report *r, enum field_id id)
{
	return fields[id].key ? fields[id].key : aggr_infos[r->opts.aggr].key;
}

void fields__heads(struct report *r, const struct layout *l)
{
	const char *separator = "";

	for (int i = 0; i < l->nr; i++) {
		enum field_id id = field__of(l->at[i]);

		/* perf 6.12 has none for it, which matters in --metric-only. */
		if (id == FIELD_SUMMARY && !r->opts.header)
			continue;
		sb__printf(&r->text, "%s%s", separator,
			   fields[id].head ? fields[id].head : field__key(r, id));
		separator = r->opts.separator;
	}
}

static void json_field(struct report *r, const struct row *row, enum field_id id)
{
	const char *key = row->core && id == FIELD_AGGR ? aggr_infos[AGGR_CORE].key
							 : field__key(r, id);
	const char *quote = fields[id].bare ? "" : "\"";

	sb__putc(&r->text, '"');
	sb__puts(&r->text, key);
	sb__puts(&r->text, *quote ? "\" : \"" : "\" : ");
	fields[id].print[REPORT_JSON](r, row);
	sb__puts(&r->text, quote);
}

/* The last field is there where it says something; in CSV, too, where a header names it. */
static bool is_left_out(const struct report *r, const struct row *row, unsigned char place)
{
	/* Of what is not known JSON has no number. */
	if (r->opts.format == REPORT_JSON && place == FIELD_ERROR)
		return !row->counted || !isfinite(row->error);
	if (r->opts.format == REPORT_JSON && place == FIELD_METRIC_ERROR)
		return !row->figure || row->figure->empty || !isfinite(row->figure->error) ||
		       !isfinite(row->figure->value);
	if (place == FIELD_REASON)
		return !reason(r, row);
	if (place != FIELD_STATUS || *assumption(row))
		return false;
	return r->opts.format == REPORT_JSON || !r->opts.header;
}

static void fields__run(struct report *r, const struct row *row, const struct layout *l)
{
	for (int i = 0; i < l->nr; i++) {
		if (is_left_out(r, row, l->at[i]))
			continue;
		if (r->opts.format == REPORT_JSON) {
			if (i)
				sb__puts(&r->text, ", ");
			json_field(r, row, l->at[i]);
		} else {
			if (i && r->opts.format == REPORT_CSV)
				sb__puts(&r->text, r->opts.separator);
			if (!(l->at[i] & BLANK))
				fields[l->at[i]].print[r->opts.format](r, row);
		}
	}
}

void fields__line(struct report *r, const struct row *row, enum line line)
{
	if (r->opts.format == REPORT_JSON)
		sb__putc(&r->text, '{');
	fields__run(r, row, &r->layouts[line]);
	if (r->opts.format == REPORT_JSON)
		sb__putc(&r->text, '}');
}

void fields__prefix(struct report *r, const struct row *row)
{
	fields__run(r, row, &r->prefix);
}

void fields__tail(struct report *r, const struct row *row)
{
	const struct sum *s = row->sum;

	if (r->opts.format != REPORT_TEXT)
		return;
	if (row->spread_percent)
		sb__printf(&r->text, "  ( +-%6.2f%% )", row->spread_percent);
	if (s->running == s->enabled)
		return;
	sb__puts(&r->text, "  (");
	fixed__print(&r->text, 100.0 * s->running / s->enabled, 2, false);
	sb__puts(&r->text, "%)");
}
