// SPDX-License-Identifier: GPL-2.0-only
/* The rows of a run in turn: recorded, printed, and what follows them. */
#include "base/err.h"
#include "stat.h"

/**
 * struct rows - rows under way
 * @print, @recorder: made when the first session is open, for all of them
 */
struct rows {
	const struct stat_run *run;
	const struct source *source;
	struct print print;
	struct recorder *recorder;
};

static int take(struct rows *r, enum source_step step, const struct source_row *row,
		struct err *err)
{
	const struct stat_run *run = r->run;
	bool is_first = !r->print.report;
	int rc = 0;

	if (step == SOURCE_OPENED) {
		stat_print__open(run, r->source, &r->print);
		return is_first && run->o->verb == STAT_RECORD ?
			       stat_record(run, r->source->session, &r->recorder, err) :
			       0;
	}
	if (step == SOURCE_ROW && r->recorder)
		rc = recorder__round(r->recorder, row->since_start, !run->interval, err);
	if (rc || run->o->no_print)
		return rc;
	if (step == SOURCE_ROW)
		return stat_print__row(run, &r->print, r->source->session, row, err);
	if (run->interval && run->o->summary)
		rc = stat_print__total(&r->print, row, err);
	if (!rc && run->report.verdict)
		rc = stat_print__verdict(run, &r->print, row, err);
	return rc;
}

int stat_run(const struct stat_run *run, struct source *source, struct err *err)
{
	struct rows r = { .run = run, .source = source };
	struct source_row row;
	int step, rc = 0;

	while (!rc && (step = source->next(source, &row, err)))
		rc = step < 0 ? step : take(&r, step, &row, err);
	if (source->end)
		source->end(source, rc);
	if (!rc && !run->o->no_print)
		rc = stat_print__end(run, source, &r.print, err);
	if (!rc && r.recorder)
		rc = recorder__finish(r.recorder, err);
	recorder__free(r.recorder);
	stat_print__close(&r.print);
	return rc;
}
