// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of formats; one call, one write: heading, rows and footer put together and handed over.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/xalloc.h"
#include "writers/internal.h"

#define PRINTS_PER_HEADING 26

/* The table of formats: a line for each, which lib/writers defines as format_NAME. */
#define FORMATS(format) \
	format(text) \
	format(csv) \
	format(json_perf) \
	format(wide) \
	format(json) \
	format(prom) \
	format(markdown) \

#define DECLARE(name) extern const struct format format_##name;
#define ADDRESS(name) &format_##name,

FORMATS(DECLARE)

static const struct format *const formats[] = { FORMATS(ADDRESS) };

#define NR_FORMATS ((int)(sizeof(formats) / sizeof(*formats)))

const struct format *format__at(int number)
{
	return number < NR_FORMATS ? formats[number] : NULL;
}

const struct format *format__find(const char *name)
{
	for (int i = 0; i < NR_FORMATS; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

const char *format__name(const struct format *f)
{
	return f->name;
}

bool format__is(const struct format *f, unsigned int traits)
{
	return f->traits & traits;
}

unsigned int writer__wants(const struct writer_options *opts)
{
	const struct format *f = opts->format;
	unsigned int wants = opts->metric_only ? f->metric_only_wants : f->wants;

	/* Below the rows of text all events are told of; in JSON those which have lines. */
	if (opts->reasons && format__is(f, FORMAT_TEXT))
		wants |= WANT_REASONS | WANT_EVENTS;
	else if (opts->reasons && !opts->metric_only)
		wants |= WANT_REASONS;
	return wants;
}

struct writer *writer__new(const struct writer_options *opts, const struct grid *g, FILE *out)
{
	struct writer *w = xcalloc(1, sizeof(*w));

	w->format = opts->format;
	w->opts = *opts;
	if (!w->opts.separator)
		w->opts.separator = ",";
	w->grid = g;
	w->out = out;
	w->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (w->format->begin)
		w->format->begin(w);
	return w;
}

void writer__free(struct writer *w)
{
	if (!w)
		return;
	if (w->format->end)
		w->format->end(w);
	sb__free(&w->text);
	if (w->c_locale)
		freelocale(w->c_locale);
	free(w);
}

static void put_heads(struct writer *w)
{
	/* Of a total the headings stand above. */
	bool due = (w->nr_prints % PRINTS_PER_HEADING == 0 && !w->grid->is_total) || w->opts.clear;

	if (w->opts.clear)
		sb__puts(&w->text, "\033[H\033[2J");
	if (w->opts.header)
		due = !w->has_heads;
	if (due && w->format->heads)
		w->format->heads(w);
	w->has_heads = w->opts.header;
	w->nr_prints = (w->nr_prints + 1) % PRINTS_PER_HEADING;
}

static void put_rows(struct writer *w)
{
	put_heads(w);
	w->format->rows(w);
	if (w->format->foot)
		w->format->foot(w);
}

/* Straight to the file: what is printed to stderr must not be cut into many writes. */
static int write_text(struct writer *w, struct err *err)
{
	const char *text = sb__str(&w->text);
	int fd = fileno(w->out), rc = 0;

	if (w->opts.path)
		return file__replace(w->opts.path, text, w->text.len, err);
	errno = 0;
	if (fflush(w->out))
		rc = errno ? -errno : -EIO;
	else if (fd >= 0)
		rc = file__write(fd, text, w->text.len);
	else if (fwrite(text, 1, w->text.len, w->out) != w->text.len || fflush(w->out))
		rc = errno ? -errno : -EIO;
	if (rc)
		return err__set(err, -rc, "cannot write the counts: %s", strerror(-rc));
	return 0;
}

/* What a format appends; numbers for machines are never in the user's locale. */
static void append(struct writer *w, void (*what)(struct writer *w))
{
	bool for_machines = !format__is(w->format, FORMAT_TEXT);
	locale_t users = (locale_t)0;

	sb__clear(&w->text);
	if (for_machines)
		users = uselocale(w->c_locale);
	what(w);
	if (for_machines)
		uselocale(users);
}

int writer__rows(struct writer *w, struct err *err)
{
	append(w, put_rows);
	return write_text(w, err);
}

int writer__verdicts(struct writer *w, struct sb *lines, struct err *err)
{
	if (w->format->verdicts) {
		append(w, w->format->verdicts);
		return write_text(w, err);
	}
	append(w, text__verdicts);
	sb__puts(lines, sb__str(&w->text));
	return 0;
}
