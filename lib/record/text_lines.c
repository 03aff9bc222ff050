// SPDX-License-Identifier: GPL-2.0-only
/* Reads a text recording line by line: the counts, and facts on the run. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "record/text.h"

#define LOOK_LINES 200 /* bytes that are searched for the separator */

static void start_row(struct text *t, const struct text_line *line)
{
	if (!t->rows.nr || line->count.time_ns != t->last_time)
		t->last_row++;
	t->last_time = line->count.time_ns;
	t->has_time |= line->has_time;
}

/* Digits after the point are kept even if the factor of the unit is unknown. */
static void keep_digits(struct event *e, const struct text_line *line)
{
	if (line->digits && e->scale == 1.0 && !e->tool && line->digits < 10)
		e->scale = pow(10, -line->digits);
}

/* An assumed latency was the vendor's value, which is used again. */
static void keep_latency(struct event *e, const struct text_line *line)
{
	if (line->count.assumed && line->count.value > 0)
		e->vendor_latency.mean = line->count.value;
	else if (line->count.status == SAMPLE_COUNTED)
		e->sampled = true;
}

/* Report a reason only if all rows of the event have it. */
static void keep_reason(struct recorded_event *trait, const struct text_line *line)
{
	if (line->count.status == SAMPLE_COUNTED || !line->reason || trait->reasons_differ)
		return;
	if (!trait->refusal) {
		trait->refusal = xstrdup(line->reason);
	} else if (strcmp(trait->refusal, line->reason)) {
		trait->reasons_differ = true;
		free(trait->refusal);
		trait->refusal = NULL;
	}
}

static int add_line(struct recording *r, const struct text_line *line, int number)
{
	struct text *t = r->text;
	struct text_row row = { .count = line->count, .line = number,
				.is_cut = line->is_cut };

	if (t->rows.nr && line->has_time != t->has_time)
		return 0; /* This line is a summary after the rows. */
	if (text_runs__begins_with(t, line))
		return -EEXIST;
	start_row(t, line);
	row.unit = text__unit(r, line);
	if (row.unit < 0)
		return row.unit;
	row.event = text__event(r, line, row.unit, &row.pair);
	if (row.event < 0)
		return row.event;
	text__convert_clock(r->events.at[row.event], line, &row.count);
	if (r->events.at[row.event]->retire_latency)
		keep_latency(r->events.at[row.event], line);
	else
		keep_digits(r->events.at[row.event], line);
	keep_reason(&r->traits.at[row.event], line);
	vec__push(&t->rows, row);
	t->goes_on = false;
	return 0;
}

/* Set the share of the time of the last row, from a line that has nothing but the share. */
static void take_share(struct text *t, double percent)
{
	struct text_count *count = &t->rows.at[t->rows.nr - 1].count;

	if (count->percent < 100 || count->status != SAMPLE_COUNTED)
		return;
	count->percent = percent;
	count->running = count->running / 100.0 * percent;
}

static void keep_cpuid(struct recording *r, const char *cpuid)
{
	char *copy = xstrdup(cpuid);

	if (!*r->machine->cpuid)
		event__set_text(&r->machine->cpuid, text__trim(copy));
	free(copy);
}

static void keep_odd(struct recording *r, int number)
{
	if (!r->info.nr_odd++)
		r->info.odd_line = number;
}

/* Read a line; a line that is not a count is skipped and counted. Return: like add_line(). */
static int text_lines__read_line(struct recording *r, char *text, const char *separator, int number)
{
	bool blank = !text[strspn(text, " \t")];
	struct text_line line = { .known = false };
	void *object = NULL;
	double percent;
	bool count = false;
	int rc = 0;

	if (*text == '#')
		return 0;
	if (*text != '{' && r->text->is_table)
		text_metrics__table(r->text, text);
	else if (*text != '{' && *separator)
		text_metrics__csv(r->text, text, separator);
	if (*text == '{')
		count = text_json__line(text, &object, &line);
	else if (r->text->is_table && r->text->rows.nr && text_table__share(text, &percent))
		take_share(r->text, percent);
	else if (r->text->is_table)
		count = text_table__line(text, &line);
	else
		count = *separator && text_csv__line(text, separator, &line);
	if (count)
		rc = add_line(r, &line, number);
	else if (object && line.cpuid)
		keep_cpuid(r, line.cpuid);
	/* A table for people may contain any other lines, which are not odd. */
	if (!count && !blank && !line.known && !r->text->is_table && (*separator || *text == '{'))
		keep_odd(r, number);
	if (object && line.metric)
		text_metrics__json(r->text, line.metric);
	text_metrics__place(r->text, line.sorted);
	text_json__free(object);
	return rc;
}

/*
 * Whether one of the first lines is a count with this separator; NULL: a count in a table for
 * people.
 */
static bool separates(const char *text, const char *separator)
{
	struct text_line line;
	bool found = false;

	for (int i = 0; i < LOOK_LINES && *text && !found; i++) {
		size_t len = strcspn(text, "\n");
		char *copy = xstrndup(text, len);

		found = *copy != '#' && *copy != '{' &&
			(separator ? text_csv__line(copy, separator, &line)
				   : text_table__line(copy, &line));
		free(copy);
		text += len + !!text[len];
	}
	return found;
}

static const char *find_separator(struct recording *r, const char *text)
{
	/* A table has blanks between its columns, and times of the clock above them. */
	static const char *const usual[] = {",", ";", "\t", "|", NULL, ":", " "};

	if (r->opts.separator && separates(text, r->opts.separator))
		return r->opts.separator;
	for (int i = 0; i < array__nr(usual); i++) {
		if (!separates(text, usual[i]))
			continue;
		r->text->is_table = !usual[i];
		return usual[i] ? usual[i] : "";
	}
	return "";
}

bool text__lacks_counts(struct recording *r, const char *start)
{
	const char *line = start;
	int nr = 0;

	for (; line && *line; nr++) {
		if (*line == '{')
			return false;
		line = strchr(line, '\n');
		line += !!line;
	}
	return nr > LOOK_LINES && !*find_separator(r, start) && !r->text->is_table;
}

static bool has_word(const char *line)
{
	while (*line && !isalpha((unsigned char)*line))
		line++;
	return *line;
}

/* Read facts on the run and its computer from lines that are not rows. */
static void read_remark(struct recording *r, const char *line)
{
	struct text *t = r->text;

	if (text__has_prefix(line, RECORD_CPUID_LINE))
		keep_cpuid(r, line + strlen(RECORD_CPUID_LINE));
	if (!t->scope)
		t->scope = text_table__scope(line);
	text_runs__take_length(t, text_table__length_ns(line), text_spread(line));
	/* A metric on a line of its own still belongs to the table. */
	if (has_word(line) && !strstr(line, " # "))
		t->goes_on = true;
}

static int text_lines__explain(const struct recording *r, int rc, int number, struct err *err)
{
	if (rc == -EFBIG)
		return recording__too_many(r, "events", err);
	if (rc == -EEXIST)
		return err__set(err, EINVAL,
				"%s: line %d: another run begins there: a report covers one run; "
				"split the file (csplit %s %d)",
				r->in.name, number, r->in.name, number);
	return err__set(err, EINVAL,
			"%s: line %d: its row does not combine what earlier rows combine",
			r->in.name, number);
}

/* Return: the number of separators in a line of CSV. */
static int count_fields(const char *line, const char *separator)
{
	int nr = 0;

	for (; (line = strstr(line, separator)); line += strlen(separator))
		nr++;
	return nr;
}

static bool is_json(const char *line)
{
	struct text_line out;
	void *object = NULL;
	bool whole;

	text_json__line(line, &object, &out);
	whole = object;
	text_json__free(object);
	return whole;
}

/*
 * Whether the last line is incomplete, if it does not end with a newline: an object that is not
 * closed, a row with fewer fields than earlier rows, or a footer.
 */
static bool is_part(const struct text *t, const char *line, const char *separator)
{
	if (*line == '{')
		return !is_json(line);
	if (!*line || *line == '#')
		return false;
	if (t->is_table)
		return t->rows.nr && !t->length_ns && strstr(line, " seconds");
	return *separator && t->fields && count_fields(line, separator) < t->fields;
}

/*
 * Return: how complete the text is, after its last line was read. @before: number of rows before
 * the last line; @open: the last line does not end with a newline.
 */
static enum recording_end text_lines__end_of(const struct text *t, const char *line, int before,
					     bool open)
{
	bool footer = t->length_ns || t->has_time;

	/* The share of the time is the end of a row. */
	if (t->is_table && open && !footer && !text__has_suffix(line, ")")) {
		if (t->rows.nr > before)
			return END_ROW_TAKEN;
		if (strspn(line, " \t") && isdigit((unsigned char)line[strspn(line, " \t")]))
			return END_ROW_LEFT_OUT;
	}
	return t->is_table && t->scope && !footer && !t->goes_on ? END_BEFORE_LENGTH : END_WHOLE;
}

/* Read a line that is not the last line. Return: like text_lines__read_line(). */
static int read_whole(struct recording *r, char *line, const char *separator, int number)
{
	struct text *t = r->text;
	int fields = *separator ? count_fields(line, separator) : 0, before = t->rows.nr;
	int rc = text_lines__read_line(r, line, separator, number);

	if (t->rows.nr > before && (!t->fields || fields < t->fields))
		t->fields = fields;
	return rc;
}

/* Read the text after the last newline. Return: like text_lines__read_line(). */
static int read_last(struct recording *r, char *line, const char *separator, int number)
{
	char *copy;
	int before = r->text->rows.nr, rc;

	if (is_part(r->text, line, separator)) {
		r->info.end = END_ROW_LEFT_OUT;
		return 0;
	}
	copy = xstrdup(line);
	rc = text_lines__read_line(r, line, separator, number);
	r->info.end = text_lines__end_of(r->text, copy, before, *copy);
	free(copy);
	return rc;
}

int text__read_lines(struct recording *r, char *text, struct err *err)
{
	const char *separator = find_separator(r, text);
	bool metrics = false;
	char *line;
	int rc, another;

	for (int number = 1; (line = strsep(&text, "\n")); number++) {
		size_t len = strlen(line);

		if (len && line[len - 1] == '\r')
			line[len - 1] = '\0';
		if (text_csv__is_wide(line))
			return err__set(err, EINVAL,
					"%s, line %d: csv-wide cannot be read, as its values are "
					"rounded; use output of 'tma stat record', -x or -j",
					r->in.name, number);
		metrics |= text_csv__is_metrics(line);
		read_remark(r, line);
		rc = text_runs__begins(r->text, line) ? -EEXIST
		     : text		     ? read_whole(r, line, separator, number)
					     : read_last(r, line, separator, number);
		if (rc)
			return text_lines__explain(r, rc, number, err);
	}
	another = text_runs__find_another(r);
	if (another)
		return text_lines__explain(r, -EEXIST, another, err);
	text_times__set(r);
	if (r->text->rows.nr)
		return 0;
	metrics |= r->text->metrics.nr;
	return err__set(err, EINVAL,
			metrics ? "%s has only metrics (--metric-only): counts are needed"
				: "%s is not a recording: neither perf.data nor a table, nor "
				  "output of -x or -j",
			r->in.name);
}
