// SPDX-License-Identifier: GPL-2.0-only
/*
 * [time,][summary,][label,[CPUs,]]value,unit,event[,cgroup][,spread],run time,percent[,...]
 *
 * Fields are identified by their content. The value is the first number or "<not ...>" after fields
 * that can only be a time and a label. The run time is the first whole number before a percentage.
 * The fields between value and run time include the name, which may contain commas, as perf does
 * not quote it.
 */
#include <ctype.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "record/text.h"

#define MAX_FIELDS 64
#define TIME_DIGITS 9
#define COUNT_MAX 18446744073709551615.0 /* a counter cannot hold a larger value */

struct fields {
	char *at[MAX_FIELDS];
	int nr;
	size_t separator_len;
};

/* Remove the quotes of a quoted field, in place. Return: the text after the closing quote. */
static char *unquote(char *field)
{
	char *from = field + 1, *to = field;

	for (; *from; from++) {
		if (*from == '"' && from[1] != '"')
			break;
		if (*from == '"')
			from++;
		*to++ = *from;
	}
	if (*from)
		from++;
	*to = '\0';
	return from;
}

static bool all_digits(const char *text)
{
	if (!*text)
		return false;
	for (; *text; text++)
		if (!isdigit((unsigned char)*text))
			return false;
	return true;
}

/* Replace a locale's decimal comma, as in "225851,20", if the separator is another. */
static void make_point(char *field)
{
	char *comma = strchr(field, ',');

	if (comma && comma > field && strspn(field, "0123456789") == (size_t)(comma - field) &&
	    all_digits(comma + 1))
		*comma = '.';
}

static void text_csv__split(char *line, const char *separator, struct fields *f)
{
	char *at = line;

	f->nr = 0;
	f->separator_len = strlen(separator);
	while (f->nr < MAX_FIELDS) {
		char *field = at, *end = *field == '"' ? unquote(field) : field;

		f->at[f->nr++] = field;
		end = strstr(end, separator);
		/* unquote() has already ended a quoted field. */
		if (end)
			*end = '\0';
		if (*separator != ',')
			make_point(field + strspn(field, " "));
		if (!end)
			return;
		at = end + f->separator_len;
	}
}

/*
 * Whether a field is a time. Its seconds have nine digits after the point, as in "12.345678901",
 * unlike those of counts.
 */
static bool text_csv__take_time(const char *text, struct text_line *out)
{
	uint64_t s, ns;
	int len;

	while (*text == ' ')
		text++;
	len = num__scan_u64(text, 10, &s);
	if (!len || text[len] != '.' || strlen(text + len + 1) != TIME_DIGITS ||
	    !all_digits(text + len + 1) || s > UINT64_MAX / 2000000000)
		return false;
	num__scan_u64(text + len + 1, 10, &ns);
	out->has_time = true;
	out->count.time_ns = s * 1000000000 + ns;
	return true;
}

bool text_value(const char *text, struct text_line *out)
{
	const char *point;
	int len;

	if (!strcmp(text, "<not counted>")) {
		out->count.status = SAMPLE_NOT_COUNTED;
		return true;
	}
	if (!strcmp(text, "<not supported>")) {
		out->count.status = SAMPLE_NOT_SUPPORTED;
		return true;
	}
	len = num__scan_double(text, &out->count.value);
	if (!len || text[len])
		return false;
	if (out->count.value < 0 || out->count.value > COUNT_MAX)
		return false;
	point = strchr(text, '.');
	out->digits = point ? (int)strspn(point + 1, "0123456789") : 0;
	out->count.status = SAMPLE_COUNTED;
	return true;
}

void text_latency(const char *number, const char *unit, const char *status, struct text_line *out)
{
	double samples = 0;

	if (number && unit && !strcmp(unit, "samples") && num__scan_double(number, &samples) &&
	    samples >= 0 && samples < 1e18)
		out->count.samples = samples;
	out->count.assumed = status && !strcmp(status, "assumed");
}

static bool text_csv__is_percent(const char *text)
{
	double value;
	int len = num__scan_double(text, &value);

	return len && !text[len] && strchr(text, '.');
}

/*
 * Find the field with the run time, which follows value, unit and name. Return: -1 if there is
 * none.
 */
static int find_runtime(const struct fields *f, int value)
{
	for (int i = value + 3; i + 1 < f->nr; i++)
		if (all_digits(f->at[i]) && text_csv__is_percent(f->at[i + 1]))
			return i;
	return -1;
}

/*
 * Restore the separators in a name up to its second slash: "cpu/event=0x3c" and "umask=0x1/" are
 * one name.
 */
static void text_csv__join(struct fields *f, int first, int end, const char *separator)
{
	const char *slash = strchr(f->at[first], '/');

	if (!slash || strchr(slash + 1, '/'))
		return;
	for (int i = first + 1; i < end; i++) {
		memcpy(f->at[i] - f->separator_len, separator, f->separator_len);
		if (strchr(f->at[i], '/'))
			return;
	}
}

/*
 * Find the cgroup. Between a name and the run time there may be a cgroup, and the spread of several
 * runs.
 */
static const char *find_cgroup(const struct fields *f, int first, int runtime)
{
	const char *last = f->at[runtime - 1];

	if (runtime - 1 < first || !*last || strpbrk(last, "%="))
		return NULL;
	return last;
}

/* Find the spread, such as "0.52%". Only several runs have a spread. */
static double find_spread(const struct fields *f, int first, int runtime)
{
	const char *last = f->at[runtime - 1];
	double spread = 0;
	int len = runtime > first ? num__scan_double(last, &spread) : 0;

	return len && !strcmp(last + len, "%") ? spread : 0;
}

static bool take_counts(struct fields *f, int value, const char *separator, struct text_line *out)
{
	int runtime = find_runtime(f, value);

	if (runtime < 0 || !num__scan_u64(f->at[runtime], 10, &out->count.running))
		return false;
	num__scan_double(f->at[runtime + 1], &out->count.percent);
	out->unit = f->at[value + 1];
	text_csv__join(f, value + 2, runtime, separator);
	out->event = f->at[value + 2];
	out->cgroup = find_cgroup(f, value + 3, runtime);
	out->count.spread = find_spread(f, value + 3, runtime);
	if (runtime + 3 < f->nr)
		text_latency(f->at[runtime + 2], f->at[runtime + 3],
			     runtime + 4 < f->nr ? f->at[runtime + 4] : NULL, out);
	return *out->event;
}

/*
 * Whether a line has only a metric: value, unit and event are empty, after a label and the number
 * of its CPUs. A text that looks like a number is not a label.
 */
static bool is_metric(const struct fields *f, int at, const char *label)
{
	if (label && strchr("-0123456789", *label))
		return false;
	if (label && at + 1 < f->nr && all_digits(f->at[at]))
		at++;
	return at + 2 < f->nr && !*f->at[at] && !*f->at[at + 1] && !*f->at[at + 2];
}

static bool is_heading(const struct fields *f)
{
	for (int i = 0; i < f->nr; i++)
		if (!strcmp(f->at[i], "counter-value"))
			return true;
	return false;
}

bool text_csv__line(char *line, const char *separator, struct text_line *out)
{
	struct fields f;
	uint64_t weight;
	int at = 0;

	*out = (struct text_line){ .weight = 1 };
	text_csv__split(line, separator, &f);
	if (f.nr < 5)
		return false;
	at += text_csv__take_time(f.at[at], out);
	out->known = !strcmp(text__trim(f.at[at]), "summary") || is_heading(&f);
	if (out->known)
		return false;
	/* Any text before the value is a label. A line of a metric has an empty value. */
	if (*f.at[at] && !text_value(f.at[at], out)) {
		out->label = f.at[at++];
		if (all_digits(f.at[at]) && at + 1 < f.nr && text_value(f.at[at + 1], out) &&
		    num__scan_u64(f.at[at], 10, &weight) && weight <= CPULIST_MAX_CPU) {
			out->weight = weight;
			at++;
		}
	}
	out->known = is_metric(&f, at, out->label);
	return at + 4 < f.nr && text_value(f.at[at], out) && take_counts(&f, at, separator, out);
}

bool text_csv__is_wide(const char *line)
{
	return text__has_prefix(line, "time") && strstr(line, "length") == line + 5 &&
	       text__has_prefix(line + 12, "row");
}

bool text_csv__is_metrics(const char *line)
{
	return strstr(line, "%  ") || text__has_prefix(line, "time");
}
