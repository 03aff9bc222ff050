// SPDX-License-Identifier: GPL-2.0-only
/* Goes through the steps of a run, and prints its rows. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/text.h"
#include "stat/stat.h"

#define NS_PER_S 1e9

static int stat_rows__open(struct stat_output *s, struct err *err)
{
	if (s->writer)
		return 0;
	s->writer = writer__new(&s->format, run__grid(s->run), s->out);
	if (writer__fits_above(s->writer))
		return 0;
	return err__set(err, EINVAL,
			"--append: the header of %s is not that of these rows: write to another "
			"file",
			s->o->output_name);
}

static int stat_rows__write(struct stat_output *s, struct err *err)
{
	progress__make_room(fileno(s->out));
	return writer__rows(s->writer, err);
}

/* Print the verdict after all rows: on standard error if it has no place in the format. */
static int stat_rows__write_verdict(struct stat_output *s, struct err *err)
{
	auto_free(sb) lines = SB_INIT;
	int rc;

	if (!run__about(s->run)->verdict)
		return 0;
	progress__make_room(fileno(s->out));
	rc = writer__verdicts(s->writer, &lines, err);
	for (char *rest = lines.buf, *line; !rc && (line = strsep(&rest, "\n"));)
		if (*line && !s->o->quiet)
			say("%s", text__trim(line));
	return rc;
}

/* --- Progress -------------------------------------------------------------------------------- */

/* If there are several runs, show on the terminal which run begins. */
static void stat_rows__show_run(struct stat_output *s)
{
	const struct run_about *about = run__about(s->run);
	uint64_t sets = about->nr_passes ?: 1, repeat = s->o->req.repeat;
	auto_free(sb) what = SB_INIT;

	if (s->o->quiet || repeat * sets == 1)
		return;
	if (repeat != 1)
		sb__printf(&what, "run %" PRIu64, about->nr + 1);
	if (repeat > 1)
		sb__printf(&what, " of %" PRIu64, repeat);
	if (sets > 1)
		sb__printf(&what, "%spass %d of %" PRIu64, what.len ? ", " : "", about->pass + 1,
			   sets);
	progress__show(&s->progress,
		       repeat ? (double)(about->nr * sets + about->pass) / (repeat * sets)
			      : (double)NAN,
		       "%s", sb__str(&what));
}

static void stat_rows__show(struct stat_output *s, int step)
{
	const struct request *req = &s->o->req;

	if (step == RUN_OPENED && !req->input)
		stat_rows__show_run(s);
	/* If rows go to a terminal, they show the progress. */
	if (!req->input || (!s->o->quiet && !isatty(fileno(s->out))))
		show_step(req, step, &s->progress);
}

/* --- The end --------------------------------------------------------------------------------- */

static bool stat_rows__have_metric(const struct grid *g, bool perfs)
{
	const struct grid_column *c = g->columns;

	for (int i = 0; i < g->nr_columns; i++)
		if (c[i].kind == GRID_METRIC ||
		    (perfs ? c[i].in_metric_only : c[i].kind == GRID_RATIO && c[i].possible))
			return true;
	return false;
}

/*
 * If there are no rows because the format has no place for the only value, print this value or why.
 */
static void stat_rows__say_empty(const struct stat_output *s)
{
	const struct format *format = s->format.format;
	const struct grid *g = run__grid(s->run);
	bool null = s->o->req.null;

	if (as_perf() || s->o->quiet)
		return;
	if (null && !format__is(format, FORMAT_TEXT) && !format__is(format, FORMAT_STATE))
		say("-n: %s has no row for the only value, the elapsed time of %.9f s; use text or "
		    "prom",
		    format__name(format), g->elapsed_ns / NS_PER_S);
	else if (s->format.metric_only && !null &&
		 !stat_rows__have_metric(g, format__is(format, FORMAT_PERFS)))
		say("no metric is counted: remove --metric-only, or add -M or --topdown");
}

static void stat_rows__say_notes(struct stat_output *s)
{
	stat_page__note(s);
	say_notes(run__notes(s->run));
}

static int stat_rows__end(struct stat_output *s, struct err *err)
{
	int rc = 0;

	if (s->writer && !s->o->req.no_rows) {
		rc = writer__finish(s->writer, err);
		if (!rc)
			stat_rows__say_empty(s);
	}
	if (!rc)
		stat_rows__say_notes(s);
	return rc;
}

static int stat_rows__take(struct stat_output *s, int step, struct err *err)
{
	switch (step) {
	case RUN_OPENED:
		return stat_rows__open(s, err);
	case RUN_ROW:
	case RUN_TOTAL:
	case RUN_SO_FAR:
		return stat_rows__write(s, err);
	case RUN_WHOLE:
		return stat_rows__write_verdict(s, err);
	case RUN_REGIONS:
		return writer__regions(&s->format, run__grid(s->run), s->out, err);
	case RUN_END:
		return stat_rows__end(s, err);
	default:
		return 0;
	}
}

int stat_rows__run(struct stat_output *s, struct err *err)
{
	int step, rc;

	do {
		step = run__next(s->run, err);
		if (step != RUN_END)
			stat_rows__say_notes(s);
		if (step < 0)
			return step;
		stat_rows__show(s, step);
		rc = stat_rows__take(s, step, err);
	} while (!rc && step != RUN_END);
	if (rc) {
		run__break(s->run);
		stat_rows__say_notes(s);
	}
	return rc;
}
