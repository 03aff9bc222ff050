/* SPDX-License-Identifier: GPL-2.0-only */
/* What is printed of made-up events and samples, as tma prints what it counts. */
#ifndef TMA_TESTS_REPORT_FIXTURE_H
#define TMA_TESTS_REPORT_FIXTURE_H

#include "counts_fixture.h"

/* A report and a writer for what the options say by now, unless they are there. */
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

/* The options have changed: what is printed next begins anew. */
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

/* The text of one more call of writer__rows(). */
static inline const char *fixture__print(struct fixture *f)
{
	struct err err = ERR_INIT;
	size_t before = f->len;

	ck_assert_msg(!fixture__try_print(f, &err), "%s", err.msg);
	return f->text + before;
}

/* The same events and samples once more, in another form. */
static inline const char *fixture__print_as(struct fixture *f, const char *format)
{
	fixture__close(f);
	f->format = format;
	return fixture__print(f);
}

/*
 * The next field of RFC 4180 at @at, without its quotes, into @field. Return: what ends it, the
 * separator, a newline or the end of the text; @at is then behind it.
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

/* How many fields the line at @at has; @at is then at the next one. */
static inline int fixture__fields(const char **at, char separator)
{
	char field[1024];
	int nr = 1;

	while (fixture__field(at, separator, field, sizeof(field)) == separator)
		nr++;
	return nr;
}

/* The field under a heading, in line @line behind the header line @text begins with. */
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
