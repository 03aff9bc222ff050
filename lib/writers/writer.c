// SPDX-License-Identifier: GPL-2.0-only
/*
 * Put heading, rows and footer together in memory, and write them together. The table of formats is
 * in this file, too.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/shared_text.h"
#include "base/terminal.h"
#include "writers/own.h"
#include "writers/perfs.h"

#define PRINTS_PER_HEADING 26

/* Each format has an entry here, and is defined in lib/writers as format_NAME. */
#define FORMATS(format)                                                                   \
	format(text) format(csv) format(json_perf) format(wide) format(json) format(prom) \
		format(markdown) format(tree) format(trace) format(html)

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

	if (opts->narrow)
		wants |= opts->metric_only ? opts->narrow->metric_only_wants : opts->narrow->wants;

	/*
	 * Text prints the reasons of all events below its rows; JSON prints the reasons of events
	 * that have lines.
	 */
	if (opts->reasons && format__is(f, FORMAT_TEXT))
		wants |= WANT_REASONS | WANT_EVENTS;
	else if (opts->reasons && !opts->metric_only)
		wants |= WANT_REASONS;
	return wants;
}

/* Change to the narrow format, which must want nothing more than the other format. */
static void take_narrow(struct writer *w)
{
	int width = terminal__width(fileno(w->out));

	if (!w->opts.narrow || !w->format->fit || w->format->fit(w, width ? width : TABLE_MOST))
		return;
	w->format = w->opts.narrow;
	w->perfs = NULL;
	w->format->begin(w);
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
	w->to_file = file__is_regular(fileno(out));
	w->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (w->format->begin)
		w->format->begin(w);
	take_narrow(w);
	return w;
}

void writer__free(struct writer *w)
{
	if (!w)
		return;
	if (w->format->release)
		w->format->release(w);
	arena__free(&w->memory);
	sb__free(&w->text);
	sb__free(&w->scratch);
	freelocale(w->c_locale);
	free(w);
}

/* Rows may get their names late: sites are known only after samples of them. */
static void name_rows(struct writer *w)
{
	if (w->named == w->grid->named)
		return;
	w->named = w->grid->named;
	if (w->perfs)
		perfs__name_rows(w);
	if (w->own)
		own__name_rows(w);
}

static void put_heads(struct writer *w)
{
	bool first = !w->has_heads, is_total = w->grid->is_total;
	/* If anything was printed, the headings above a total were printed as well. */
	bool due = w->opts.clear || (is_total ? first : !w->nr_prints);

	if (w->opts.clear)
		sb__puts(&w->text, "\033[H\033[2J");
	if (w->opts.header)
		due = first;
	if (due && w->format->heads)
		w->format->heads(w);
	w->has_heads = true;
	w->nr_prints = (w->nr_prints + !is_total) % PRINTS_PER_HEADING;
}

static void put_rows(struct writer *w)
{
	size_t from;

	put_heads(w);
	w->format->rows(w);
	from = w->text.len;
	if (w->format->foot)
		w->format->foot(w);
	if (format__is(w->format, FORMAT_TEXT))
		text__fold(w, from, FOLD_INDENT);
}

int writer__put(FILE *out, const char *text, size_t len, bool to_file, struct err *err)
{
	int fd = fileno(out), rc = 0;

	errno = 0;
	if (fflush(out))
		rc = errno ? -errno : -EIO;
	else if (fd >= 0)
		rc = to_file ? file__write(fd, text, len) : file__write_stream(fd, text, len);
	else if (fwrite(text, 1, len, out) != len || fflush(out))
		rc = errno ? -errno : -EIO;
	if (rc == -ETIMEDOUT)
		return err__set(err, ETIMEDOUT, "the last rows are lost: the run was ended, and no "
						"process reads them");
	if (rc)
		return err__set(err, -rc, "cannot write the counts: %s", strerror(-rc));
	return 0;
}

static int publish(struct writer *w, const char *text, struct err *err)
{
	if (!shared_text__put(w->opts.published, text, w->text.len))
		return 0;
	return err__set(err, EFBIG,
			"a row is longer than the %u MiB that can be served: measure less",
			SHARED_TEXT_MAX >> 20);
}

static int write_text(struct writer *w, struct err *err)
{
	const char *text = sb__str(&w->text);

	if (w->opts.published)
		return publish(w, text, err);
	if (w->opts.path)
		return file__replace(w->opts.path, text, w->text.len, err);
	return writer__put(w->out, text, w->text.len, w->to_file, err);
}

/*
 * Append the output of a format, with numbers in the process's locale for people, else in the C
 * locale.
 */
static void append(struct writer *w, void (*what)(struct writer *w))
{
	bool for_people = format__is(w->format, FORMAT_TEXT);
	locale_t before = uselocale(for_people ? LC_GLOBAL_LOCALE : w->c_locale);

	sb__clear(&w->text);
	what(w);
	uselocale(before);
}

bool writer__fits_above(struct writer *w)
{
	if (!w->opts.above)
		return true;
	append(w, w->format->heads);
	w->has_heads = true;
	return !strcmp(sb__str(&w->text), w->opts.above);
}

/* Pages are made for programs, so numbers are in the C locale. */
static int hand_over(struct writer *w, int (*to)(struct writer *w, struct err *err),
		     struct err *err)
{
	locale_t before = uselocale(w->c_locale);
	int rc = to(w, err);

	uselocale(before);
	return rc;
}

int writer__rows(struct writer *w, struct err *err)
{
	name_rows(w);
	if (w->format->take)
		return hand_over(w, w->format->take, err);
	append(w, put_rows);
	return write_text(w, err);
}

int writer__verdicts(struct writer *w, struct sb *lines, struct err *err)
{
	if (w->format->verdicts) {
		append(w, w->format->verdicts);
		return w->format->take ? 0 : write_text(w, err);
	}
	append(w, text__verdicts);
	sb__puts(lines, sb__str(&w->text));
	return 0;
}

int writer__finish(struct writer *w, struct err *err)
{
	if (w->format->finish)
		return hand_over(w, w->format->finish, err);
	if (!w->format->last)
		return 0;
	append(w, w->format->last);
	return write_text(w, err);
}
