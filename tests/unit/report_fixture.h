/* SPDX-License-Identifier: GPL-2.0-only */
/* Reports of made-up events and samples, printed as tma prints its counts. */
#ifndef TMA_TESTS_REPORT_FIXTURE_H
#define TMA_TESTS_REPORT_FIXTURE_H

#include "counts_fixture.h"

/* Make a report and a writer from the current options, unless this has been done. */
static inline void fixture__open(struct fixture *f)
{
	struct units units = fixture__units(f);

	if (f->report)
		return;
	for (int i = 0; i < f->plan.events.nr; i++)
		event__set_kind(&f->events[i]);
	f->print.format = format__find(f->format);
	ck_assert_msg(f->print.format, "no format %s", f->format);
	f->print.metric_only = f->opts.metric_only;
	f->opts.wants = writer__wants(&f->print);
	f->report = report__new(&f->machine, &f->plan, NULL, &units, &f->opts);
	f->writer = writer__new(&f->print, report__grid(f->report), f->out);
}

/* After a change of the options, make the report and the writer again for the next print. */
static inline void fixture__close(struct fixture *f)
{
	writer__free(f->writer);
	report__free(f->report);
	f->writer = NULL;
	f->report = NULL;
}

static inline int fixture__try_print(struct fixture *f, struct err *err)
{
	struct counts counts = fixture__counts(f);

	fixture__open(f);
	report__fill(f->report, &counts, &f->time, f->interval ? SPAN_INTERVAL : SPAN_RUN, false);
	return writer__rows(f->writer, err);
}

/* Return: the text that one more call of writer__rows() prints. */
static inline const char *fixture__print(struct fixture *f)
{
	struct err err = ERR_INIT;
	size_t before = f->len;

	ck_assert_msg(!fixture__try_print(f, &err), "%s", err.msg);
	return f->text + before;
}

/* Print the same events and samples again in another format. */
static inline const char *fixture__print_as(struct fixture *f, const char *format)
{
	fixture__close(f);
	f->format = format;
	return fixture__print(f);
}

/*
 * Read the field of CSV (RFC 4180) at @at into @field, without its quotes, and move @at to after
 * it. Return: the character that ends the field: the separator, a newline or the zero byte of the
 * text.
 */
static inline char fixture__field(const char **at, char separator, char *field, size_t size)
{
	const char *p = *at;
	bool quoted = *p == '"';
	size_t len = 0;

	for (p += quoted; *p; p++) {
		if (quoted && *p == '"' && *++p != '"')
			quoted = false;
		if (!quoted && (*p == separator || *p == '\n' || !*p))
			break;
		ck_assert_uint_lt(len + 1, size);
		field[len++] = *p;
	}
	ck_assert_msg(!quoted, "a quote is not closed: %s", *at);
	field[len] = '\0';
	*at = *p ? p + 1 : p;
	return *p;
}

/* Count the fields of the line at @at, and move @at to the next line. */
static inline int fixture__fields(const char **at, char separator)
{
	char field[1024];
	int nr = 1;

	while (fixture__field(at, separator, field, sizeof(field)) == separator)
		nr++;
	return nr;
}

/*
 * Find the field under a heading. @text begins with the header line, and @line counts the lines
 * after it.
 */
static inline const char *fixture__under(const char *text, int line, const char *heading,
					 char *field, size_t size)
{
	int column = 0;
	char end;

	do {
		end = fixture__field(&text, ',', field, size);
		if (!strcmp(field, heading))
			break;
		column++;
	} while (end == ',');
	ck_assert_msg(end == ',' || !strcmp(field, heading), "no column %s", heading);
	while (end == ',')
		end = fixture__field(&text, ',', field, size);
	for (int i = 0; i < line; i++)
		fixture__fields(&text, ',');
	for (int i = 0; i <= column; i++) {
		ck_assert_msg(*text, "no line %d", line);
		end = fixture__field(&text, ',', field, size);
	}
	return field;
}

static inline void fixture__free(struct fixture *f)
{
	fixture__close(f);
	fixture__free_counts(f);
}

#endif
