// SPDX-License-Identifier: GPL-2.0-only
/* The table of formats: what is written for each, and how. */
#include <string.h>

#include "report/own.h"

/* Lines of fields, or one line of metrics: text, CSV and JSON as perf prints them. */
static void perfs__rows(struct report *r)
{
	if (r->opts.metric_only)
		metric_only__print(r);
	else
		rows__print(r);
}

void csv__heads(struct report *r)
{
	if (r->opts.metric_only) {
		metric_only__heads(r);
	} else if (r->opts.header) {
		fields__heads(r, &r->layouts[LINE_EVENT]);
		sb__putc(&r->text, '\n');
	}
}

const struct writer writers[REPORT_NR_FORMATS] = {
	[REPORT_TEXT] = { "text", true, dress__text, text__heading, perfs__rows, text__footer,
			  verdicts__text },
	[REPORT_CSV] = { "csv", true, dress__csv, csv__heads, perfs__rows, NULL, NULL },
	[REPORT_JSON] = { "json-perf", true, dress__json, NULL, perfs__rows, NULL,
			  verdicts__perf_json },
	[REPORT_WIDE] = { "csv-wide", false, dress__csv, wide__heads, wide__rows, NULL, NULL },
	[REPORT_VALUES] = { "json", false, dress__json, NULL, values__rows, NULL, verdicts__json },
	[REPORT_PROM] = { "prom", false, dress__label, NULL, prom__rows, NULL, NULL },
};

const char *report_format__name(enum report_format format)
{
	return writers[format].name;
}

int report_format__find(const char *name)
{
	for (int i = 0; i < REPORT_NR_FORMATS; i++)
		if (!strcmp(writers[i].name, name))
			return i;
	return -1;
}

bool report_format__has_verdict(enum report_format format)
{
	return writers[format].verdict;
}
