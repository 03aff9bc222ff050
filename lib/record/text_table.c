// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of perf's table for people, of any version and locale:
 *
 * 	[time] [label [CPUs]] value [unit] event [[PMU]] [cgroup] [# metric] [( +- 1.23% )]
 * [(45.67%)]
 *
 * If the table was wrapped in a mail, the share of the time may be on a line of its own. In a reply
 * to a mail, lines begin with marks.
 *
 * Numbers have the marks between digits of the locale in which they were printed. The last mark of
 * a value is a decimal point unless three or four digits follow it: perf prints counts as whole
 * numbers, and clocks with two digits (in old versions six). A time and a share of the time always
 * have a point. Lines of other forms are not counts: headings, metrics on lines of their own and
 * footers are skipped.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "base/text.h"
#include "record/text.h"

#define MAX_WORDS 16
#define MAX_NUMBER 64
#define GROUP_MIN 3 /* number of digits between marks in most locales */
#define GROUP_MAX 4 /* digits in zh_TW */
#define TIME_DIGITS 9
#define NOMINAL_NS 1e9 /* run time of an event that ran all the time, as the table does not have run
		        * times */
#define HEADING "Performance counter stats for "
#define LINE_MAX_LENGTH 256
#define COLUMN_GAP 2 /* the least number of blanks between columns; there is one blank between a
		      * number and its unit */

/**
 * struct row_words - the words of a row
 * @gap: number of blanks before each word
 */
struct row_words {
	char *at[MAX_WORDS];
	int gap[MAX_WORDS], nr;
};

/*
 * Return: the number of bytes at the start of a text that are a mark between digits in some locale.
 */
static int mark_len(const char *text)
{
	/* The blanks and the quote are in UTF-8: no-break, thin and narrow no-break spaces. */
	static const char *const marks[] = {
		"\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf", "\xe2\x80\x99", "'", ".", ",",
	};

	for (int i = 0; i < array__nr(marks); i++)
		if (text__has_prefix(text, marks[i]))
			return strlen(marks[i]);
	return 0;
}

/* The last mark of a value may separate groups of digits, but the last mark of a time may not. */
enum marked { MARKED_VALUE, MARKED_TIME };

/*
 * Convert a number to the form of the C locale. @nr_after: set to the number of digits after its
 * last mark, -1 without a mark. Return: whether the whole text is a number.
 */
static bool plain_number(const char *text, enum marked what, char out[MAX_NUMBER], int *nr_after)
{
	char *point = NULL, *end = out;
	int len = 0;

	*nr_after = -1;
	for (; *text && end < out + MAX_NUMBER - 2; text += len) {
		len = isdigit((unsigned char)*text) ? 1 : mark_len(text);
		if (!len || (end == out && !isdigit((unsigned char)*text)))
			return false;
		if (isdigit((unsigned char)*text))
			*end++ = *text;
		else
			point = end;
	}
	*end = '\0';
	if (*text || end == out || end == point)
		return false;
	if (!point)
		return true;
	*nr_after = end - point;
	if (what == MARKED_VALUE && *nr_after >= GROUP_MIN && *nr_after <= GROUP_MAX)
		return true;
	memmove(point + 1, point, *nr_after + 1);
	*point = '.';
	return true;
}

static bool take_number(const char *word, enum marked what, struct text_line *out)
{
	char number[MAX_NUMBER];
	int nr_after;

	return text_value(plain_number(word, what, number, &nr_after) ? number : word, out);
}

static bool take_value(const char *word, struct text_line *out)
{
	return take_number(word, MARKED_VALUE, out);
}

static bool text_table__take_time(const char *word, struct text_line *out)
{
	char number[MAX_NUMBER];
	double seconds;
	int nr_after;

	if (!plain_number(word, MARKED_TIME, number, &nr_after) || nr_after != TIME_DIGITS ||
	    !num__scan_double(number, &seconds) || seconds > UINT32_MAX)
		return false;
	out->has_time = true;
	out->count.time_ns = seconds * 1e9 + 0.5;
	return true;
}

/* Whether digits after a blank continue the number before the blank: "1 234 567". */
static bool goes_on(const struct row_words *w, const char *word)
{
	char number[MAX_NUMBER];
	int nr_after;

	return w->nr && plain_number(w->at[w->nr - 1], MARKED_VALUE, number, &nr_after) &&
	       strspn(word, "0123456789") >= GROUP_MIN &&
	       plain_number(word, MARKED_VALUE, number, &nr_after);
}

/* Split a line in place: each word ends with a NUL, and "<not counted>" is one word. */
static void text_table__split(char *line, struct row_words *w)
{
	w->nr = 0;
	for (char *at = line; w->nr < MAX_WORDS;) {
		int gap = strspn(at, " \t");
		char *word = at += gap, *end;

		if (!*at)
			return;
		end = word + strcspn(word, " \t");
		if (*word == '<' && strchr(word, '>'))
			end = strchr(word, '>') + 1;
		at = end + (*end != '\0');
		*end = '\0';
		if (gap == 0 && goes_on(w, word)) {
			char *last = w->at[w->nr - 1];

			memmove(last + strlen(last), word, strlen(word) + 1);
			continue;
		}
		w->at[w->nr] = word;
		w->gap[w->nr++] = gap + 1;
	}
}

/*
 * Cut "(66.67%)", or "[66.67%]" of old versions, off the end of a line. Return: whether it was
 * found.
 */
static bool cut_percent(char *line, struct text_line *out)
{
	char *end = line + strlen(line), *open;
	struct text_line share;

	if (end - line < 3 || end[-2] != '%' || !strchr(")]", end[-1]))
		return false;
	end[-2] = '\0';
	for (open = end - 3; open > line && !strchr("([", *open); open--)
		;
	if (open == line || !take_number(open + 1 + strspn(open + 1, " "), MARKED_TIME, &share)) {
		end[-2] = '%';
		return false;
	}
	*open = '\0';
	out->count.percent = share.count.value;
	return true;
}

double text_spread(const char *text)
{
	const char *sign = strrchr(text, '+');
	double spread = 0;
	int len;

	if (!sign || sign[1] != '-')
		return 0;
	sign += 2 + strspn(sign + 2, " ");
	len = num__scan_double(sign, &spread);
	return len && sign[len] == '%' && spread > 0 ? spread : 0;
}

/* Cut off the text that follows the names: metrics, and the spread of several runs. */
static bool cut_metrics(char *line, struct text_line *out)
{
	char *metric = strstr(line, " # "), *spread = strstr(line, "+-");

	out->count.spread = text_spread(line);

	if (metric)
		*metric = '\0';
	if (!spread)
		return metric;
	while (spread > line && spread[-1] == ' ')
		spread--;
	if (spread == line || spread[-1] != '(')
		return metric;
	spread[-1] = '\0';
	return true;
}

/* Join the words of "cycles [cpu_core]" again. */
static void text_table__join(char *event, const char *pmu)
{
	size_t len = strlen(event);

	event[len] = ' ';
	memmove(event + len + 1, pmu, strlen(pmu) + 1);
}

/* Whether a word can be the path of a cgroup, which may follow a name without a mark. */
static bool is_cgroup(const struct row_words *w, int at)
{
	return at + 1 == w->nr && (isalpha((unsigned char)*w->at[at]) || strchr("/_.", *w->at[at]));
}

/*
 * Parse the words after the value. @is_marked: the line is indented, or has metrics or a share of
 * time, as lines with counts have; otherwise its words must be in columns.
 */
static bool take_names(const struct row_words *w, int at, bool is_marked, struct text_line *out)
{
	bool has_unit = at + 1 < w->nr && w->gap[at] < COLUMN_GAP && !strchr("[(", *w->at[at + 1]);
	bool columns, in_name;

	out->unit = has_unit ? w->at[at++] : "";
	if (at >= w->nr || !(isalpha((unsigned char)*w->at[at]) || *w->at[at] == '{'))
		return false;
	columns = w->gap[at] >= COLUMN_GAP;
	out->event = w->at[at++];
	/* Before Linux 4.18, the unit came after the name. */
	in_name = at < w->nr && !strcmp(w->at[at], "(msec)");
	if (in_name)
		out->unit = "msec";
	at += in_name;
	if (at < w->nr && *w->at[at] == '[')
		text_table__join((char *)out->event, w->at[at++]);
	if (is_marked && is_cgroup(w, at) && (columns || w->gap[at] >= COLUMN_GAP))
		out->cgroup = w->at[at++];
	return at == w->nr && (is_marked || columns);
}

/* Parse "S0-D0-C0 2" before the value, or "CPU3", or "bash-2724". Return: number of words. */
static int take_label(const struct row_words *w, int at, struct text_line *out)
{
	struct text_line number;
	uint64_t weight;

	if (at + 1 >= w->nr || take_value(w->at[at], &number) || !text__is_label(w->at[at]))
		return 0;
	out->label = w->at[at];
	if (at + 2 < w->nr && take_value(w->at[at + 2], &number) &&
	    num__scan_u64(w->at[at + 1], 10, &weight) && weight <= CPULIST_MAX_CPU) {
		out->weight = weight;
		return 2;
	}
	return 1;
}

/* Return: the line after marks of a terminal or of mails: "^C", "> >". */
static char *skip_marks(char *line)
{
	for (char *at = line; *(at += strspn(at, " \t")) == '>';)
		line = at += 1 + (at[1] == ' ');
	return text__has_prefix(line, "^C") ? line + 2 : line;
}

bool text_table__share(const char *line, double *percent)
{
	struct text_line share;
	char copy[LINE_MAX_LENGTH], *at;

	snprintf(copy, sizeof(copy), " %s", line);
	at = skip_marks(copy);
	/* A blank is put before the text, as only text after a blank is cut off. */
	if (*at == '(')
		*--at = ' ';
	at[strcspn(at, "\r\n")] = '\0';
	for (char *end = at + strlen(at); end > at && end[-1] == ' ';)
		*--end = '\0';
	if (at[strspn(at, " \t")] != '(' || !cut_percent(at, &share))
		return false;
	cut_metrics(at, &share);
	*percent = share.count.percent;
	return !at[strspn(at, " \t")];
}

bool text_table__line(char *line, struct text_line *out)
{
	struct row_words w;
	bool is_marked;
	int at = 0;

	*out = (struct text_line){.weight = 1, .count.percent = 100};
	line = skip_marks(line);
	line[strcspn(line, "\r\n")] = '\0';
	for (char *end = line + strlen(line); end > line && end[-1] == ' ';)
		*--end = '\0';
	is_marked = *line == ' ' || *line == '\t';
	is_marked |= cut_percent(line, out);
	is_marked |= cut_metrics(line, out);
	text_table__split(line, &w);
	if (w.nr > 2 && text_table__take_time(w.at[0], out))
		at++;
	at += take_label(&w, at, out);
	/* Labels are at the left edge, in a column. */
	is_marked |= out->label && w.gap[at] >= COLUMN_GAP;
	if (at >= w.nr || !take_value(w.at[at], out) || !take_names(&w, at + 1, is_marked, out))
		return false;
	if (out->count.status == SAMPLE_COUNTED)
		out->count.running = NOMINAL_NS / 100 * out->count.percent;
	return true;
}

enum fact text_table__scope(const char *line)
{
	static const struct {
		const char *begins;
		enum fact scope;
	} scopes[] = {
		{"'system wide'", FACT_YES}, {"'CPU(s)", FACT_YES},  {"'", FACT_NO},
		{"process id", FACT_NO},     {"thread id", FACT_NO},
	};
	const char *of = strstr(line, HEADING);

	for (int i = 0; of && i < array__nr(scopes); i++)
		if (text__has_prefix(of + strlen(HEADING), scopes[i].begins))
			return scopes[i].scope;
	return FACT_UNKNOWN;
}

uint64_t text_table__length_ns(const char *line)
{
	char copy[LINE_MAX_LENGTH], number[MAX_NUMBER];
	struct row_words w;
	double seconds = 0;
	int nr_after;

	if (!strstr(line, "seconds time elapsed"))
		return 0;
	snprintf(copy, sizeof(copy), "%s", line);
	text_table__split(skip_marks(copy), &w);
	if (w.nr && plain_number(w.at[0], MARKED_TIME, number, &nr_after))
		num__scan_double(number, &seconds);
	return seconds < UINT32_MAX ? seconds * 1e9 + 0.5 : 0;
}
