/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report fills a grid with sums, values and verdicts, once for each row of time.
 *
 * The input is a plan, then the counts and times of each row; the output is a grid (grid/grid.h),
 * which writers print. The report owns the grid.
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
 * @session: an opened session, which has the reasons for refused events; NULL for counts without a
 *           session
 * @units: the CPUs or threads that counts belong to
 * @opts: options, which are copied
 *
 * Return: the report, which report__free() releases.
 */
struct report *report__new(struct machine *machine, const struct plan *plan,
			   const struct session *session, const struct units *units,
			   const struct report_options *opts);
/** report__free() - release the report; NULL is allowed. */
void report__free(struct report *r);
/**
 * report__take_refusals() - copy the reasons for refused events from a session that counts other
 * events of the plan
 */
void report__take_refusals(struct report *r, const struct session *session);
/** report__regroup() - use the new groups and reasons of a session that has split groups. */
void report__regroup(struct report *r, const struct session *session);
/** report__grid() - return the grid, which lives as long as the report. */
const struct grid *report__grid(const struct report *r);
/** report__sums() - return the sums of the current row; the report owns them. */
struct sums *report__sums(const struct report *r);

/**
 * report__name_row() - set the site of a row
 * @name, @object: must live until the row gets another name, or as long as the report
 */
void report__name_row(struct report *r, int row, const char *name, const char *object);
/** report__set_near() - set whether samples of a row may belong to other sites nearby. */
void report__set_near(struct report *r, int row, bool near);
/**
 * report__find_lost() - (rows of sites) compute the part of all slots that is lost at a site
 *
 * Return: the site's share of the cycles times the share of its slots that did not retire. If this
 * share is unknown, the mean share of other sites is used.
 */
double report__find_lost(const struct report *r, int row);
/**
 * report__fill() - fill the cells with the values of an interval or a run
 * @is_total: the counts cover the run, whose intervals were filled in before
 *
 * Allocates nothing, except for impossible values of a run (report_options.fit).
 */
void report__fill(struct report *r, const struct counts *counts, const struct row_time *time,
		  enum grid_span span, bool is_total);
/**
 * report__conclude() - make the verdicts, which name the bottleneck of the pipeline and how certain
 * it is
 * @counts: counts of the whole run, with slices if it has any
 */
void report__conclude(struct report *r, const struct counts *counts, const struct row_time *time);

/**
 * report__add_run() - add one of several runs that are printed together
 * @units: the units of this run, which may have other threads than the run before
 *
 * Return: 0; -ESTALE if the CPUs are not those of the first run.
 */
int report__add_run(struct report *r, const struct units *units, const struct counts *counts,
		    const struct row_time *time, struct err *err);
/**
 * report__fill_mean() - fill the cells with the means of all added runs, and with the spread of the
 * runs
 *
 * The spread is the standard error of the mean, as a share of the mean, as in perf. An event that
 * was not counted in one run has no mean.
 */
void report__fill_mean(struct report *r);

#endif
