/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report puts sums, values and verdicts into a grid, once for each row of time.
 *
 * In come a plan, and then the samples of rows and their times; out comes a grid (grid/grid.h),
 * which writers print. The report owns it all.
 */
#ifndef TMA_REPORT_REPORT_H
#define TMA_REPORT_REPORT_H

#include "aggregate/sums.h"
#include "grid/grid.h"
#include "verdict/verdicts.h"

struct report;

/**
 * report__new() - make the rows and columns of a plan
 * @machine, @plan: must outlive the report
 * @session: opened, to tell why events are refused; NULL for counts of others
 * @units: the CPUs or threads that counts are of
 * @opts: copied
 *
 * Return: what report__free() releases.
 */
struct report *report__new(struct machine *machine, const struct plan *plan,
			   const struct session *session, const struct units *units,
			   const struct report_options *opts);
/** report__free() - release it; NULL is allowed. */
void report__free(struct report *r);
/**
 * report__take_refusals() - take over why a session that counts other events of the plan refuses
 * some.
 */
void report__take_refusals(struct report *r, const struct session *session);
/** report__regroup() - the session has taken groups apart: take over its groups and reasons. */
void report__regroup(struct report *r, const struct session *session);
/** report__grid() - give the grid, which lives as long as the report. */
const struct grid *report__grid(const struct report *r);
/** report__sums() - give what it is filled from, of the row at hand; it is the report's. */
struct sums *report__sums(const struct report *r);

/**
 * report__name_row() - say which site a row is of
 * @name, @object: must live until the row is named anew, or as long as the report
 */
void report__name_row(struct report *r, int row, const char *name, const char *object);
/** report__set_near() - say whether samples of a row may be those of other sites. */
void report__set_near(struct report *r, int row, bool near);
/**
 * report__lost() - (rows of sites) find how many of all slots are lost at a site
 *
 * Return: its share of the cycles, times that of its slots which did not retire, where that is
 * known; else as many as in the mean of other sites.
 */
double report__lost(const struct report *r, int row);
/**
 * report__fill() - fill in the cells of an interval, of the run, or of the run behind its intervals
 * @is_total: the latter
 *
 * Allocates nothing, but for what does not fit in a run (@fit).
 */
void report__fill(struct report *r, const struct counts *counts, const struct row_time *time,
		  enum grid_span span, bool is_total);
/**
 * report__conclude() - make the verdicts: which part of the pipeline is the bottleneck, and how
 * sure that is
 * @counts: those of the whole run, with its slices where there are any
 */
void report__conclude(struct report *r, const struct counts *counts, const struct row_time *time);

/**
 * report__add_run() - add one run of several, which are printed together
 * @units: the units of this run: its threads may be others than those of the run before
 *
 * Return: 0; -ESTALE when the CPUs are not those of the first run.
 */
int report__add_run(struct report *r, const struct units *units, const struct counts *counts,
		    const struct row_time *time, struct err *err);
/**
 * report__fill_mean() - fill in the cells of the means of all runs added, and how far they spread
 *
 * The spread is the standard error of the mean, as a share of the mean, as in perf. A count missing
 * in one run is missing in the mean.
 */
void report__fill_mean(struct report *r);

#endif
