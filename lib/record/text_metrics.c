// SPDX-License-Identifier: GPL-2.0-only
/*
 * A text has values of metrics beside its counts, which its writer computed. These values are not
 * counts and are not used. This file finds the names of the metrics, so that a note can report
 * them.
 *
 * The ratios that perf prints without a request ("insn per cycle", "of all branches", "M/sec") are
 * left out, as they are printed again with their counts.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "plan/plan.h"
#include "record/text.h"

#define FIRST_FIELD 5	 /* number of the first field of CSV that can be the name of a metric */
#define MOST_METRICS 500 /* names are kept */
#define MOST_PLACES 2000 /* the most pairs of a metric and the event that it is beside */
#define MOST_NAMES 3	 /* number of metrics that are listed; a count of the other metrics follows
			  * them */

/*
 * Find the name that follows a unit, in place: "% tma_retiring", "MB/s tma_info_bw", "retiring".
 * Return: NULL for a ratio of perf's own.
 */
static char *name_of(char *text)
{
	bool percent, is_ratio;
	char *gap;

	text[strcspn(text, "\r\n([|;,\"")] = '\0';
	text = text__trim(text);
	percent = *text == '%';
	text = text__trim(text + percent);
	while ((gap = strstr(text, "  ")))
		text = text__trim(gap);
	if (!isalpha((unsigned char)*text) || strchr(text, '/'))
		return NULL;
	if (percent)
		is_ratio = text__has_prefix(text, "of ") || text__has_suffix(text, "cycles idle");
	else
		is_ratio = strchr(text, ' ') || text__is_any(text, "GHz", "samples");
	return is_ratio ? NULL : text;
}

static void note(struct text *t, const char *text)
{
	char *copy = xstrdup(text), *name = name_of(copy);
	int metric = name ? strmap__get(t->metric_map, name) : -1;

	if (name && metric < 0 && t->metrics.nr < MOST_METRICS) {
		metric = t->metrics.nr;
		strmap__put(t->metric_map, name, metric);
		vec__push(&t->metrics, xstrdup(name));
	}
	if (metric >= 0)
		vec__push(&t->noted, metric);
	free(copy);
}

/* Whether @len bytes are a number. */
static bool text_metrics__is_number(const char *text, size_t len)
{
	char number[64];
	double value;
	int used;

	while (len && *text == ' ') {
		text++;
		len--;
	}
	if (!len || len >= sizeof(number))
		return false;
	memcpy(number, text, len);
	number[len] = '\0';
	number[strcspn(number, " ")] = '\0';
	used = num__scan_double(number, &value);
	return used && !number[used];
}

void text_metrics__csv(struct text *t, const char *line, const char *separator)
{
	const char *before = line, *field;

	for (int i = 1; (field = strstr(before, separator)); i++) {
		size_t len = field - before;

		field += strlen(separator);
		if (i >= FIRST_FIELD && text_metrics__is_number(before, len))
			note(t, field);
		before = field;
	}
}

void text_metrics__table(struct text *t, const char *line)
{
	const char *metric = strstr(line, " # ");

	if (!metric)
		return;
	metric += strspn(metric, " #");
	if (!isdigit((unsigned char)*metric))
		return;
	note(t, metric + strspn(metric, "0123456789.,'"));
}

void text_metrics__json(struct text *t, const char *unit)
{
	note(t, unit);
}

void text_metrics__place(struct text *t, bool sorted)
{
	int *metric, event = t->rows.nr && !sorted ? t->rows.at[t->rows.nr - 1].event : -1;

	vec__for_each(metric, &t->noted) {
		sb__clear(&t->key);
		sb__printf(&t->key, "%d %d", *metric, event);
		if (event < 0 || t->besides.nr >= MOST_PLACES ||
		    strmap__add(t->beside_map, sb__str(&t->key), t->besides.nr) != t->besides.nr)
			continue;
		vec__push(&t->besides, (struct beside){ *metric, event });
	}
	t->noted.nr = 0;
}

/* Whether a name in the text is the name of a metric: versions of perf print different forms. */
static bool is_same(const char *name, const char *metric)
{
	if (text__has_prefix(metric, "tma_") && !text__has_prefix(name, "tma_"))
		metric += strlen("tma_");
	for (; *name && *metric; name++, metric++)
		if (tolower((unsigned char)*name) != tolower((unsigned char)*metric) &&
		    !(*name == ' ' && *metric == '_'))
			return false;
	return !*name && !*metric;
}

bool text__has_metric(const struct recording *r, int event)
{
	const struct beside *at;

	vec__for_each(at, &r->text->besides)
		if (at->event == event)
			return true;
	return false;
}

bool text__has_metric_of(const struct recording *r, int event, const char *name)
{
	const struct beside *at;

	vec__for_each(at, &r->text->besides)
		if (at->event == event && is_same(r->text->metrics.at[at->metric], name))
			return true;
	return false;
}

static bool is_computed(const struct plan *plan, const char *name)
{
	for (int i = 0; i < plan->nr_metrics; i++)
		if (is_same(name, plan->metrics[i].metric->info.name))
			return true;
	return false;
}

/* Append the first few names of metrics that are not computed. */
static void text_metrics__put_names(const struct text *t, const struct plan *plan, struct sb *sb)
{
	char **name;
	int nr = 0;

	vec__for_each(name, &t->metrics) {
		if (is_computed(plan, *name) || nr++ >= MOST_NAMES)
			continue;
		sb__printf(sb, "%s%s", nr > 1 ? ", " : "", *name);
	}
	if (nr > MOST_NAMES)
		sb__printf(sb, " and %d more", nr - MOST_NAMES);
}

void recording__describe_unused(const struct recording *r, const struct plan *plan, struct sb *out)
{
	struct sb names = SB_INIT;

	if (!r->text || !r->text->metrics.nr)
		return;
	text_metrics__put_names(r->text, plan, &names);
	if (!plan->nr_metrics)
		sb__printf(out,
			   "the values of metrics in %s (%s) are ignored: --topdown and -M compute "
			   "them from its counts",
			   r->in.name, sb__str(&names));
	else
		sb__printf(
			out,
			"the values of metrics in %s are ignored, and computed from its counts%s%s",
			r->in.name, names.len ? "; not computed: " : "", sb__str(&names));
	sb__free(&names);
}
