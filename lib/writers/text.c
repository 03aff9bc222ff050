// SPDX-License-Identifier: GPL-2.0-only
/* Print the lines above and below the rows of text. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/wrap.h"
#include "writers/perfs.h"

#define TABLE_PERCENT_PER_MARK 5 /* % of deviation from the mean length that each mark represents */
#define PASS_DIGITS 9
#define SECOND 1e9

int text__label_width(const struct writer *w)
{
	const struct row_kind *kind = &row_kinds[w->grid->aggr];

	if (!kind->width)
		return 0;
	return kind->width + 1 + (kind->adds_cpus ? CPUS_WIDTH + 1 : 0);
}

static void put_interval_heading(struct writer *w)
{
	const struct row_kind *kind = &row_kinds[w->grid->aggr];

	if (w->grid->has_ports)
		return;
	sb__printf(&w->text, "#%*s", TIME_WIDTH - 1, "time");
	if (w->grid->aggr == AGGR_THREAD)
		sb__printf(&w->text, " %*s-%-*s", COMM_WIDTH, "comm", PID_WIDTH, "pid");
	else if (kind->width)
		sb__printf(&w->text, " %-*s%s", kind->width, kind->key,
			   !kind->adds_cpus ? "" : w->opts.compat7 ? " ctrs" : " cpus");
	if (!w->opts.metric_only)
		sb__printf(&w->text, " %*s %*s%*s events\n", COUNT_WIDTH, "counts",
			   w->opts.error ? ERROR_WIDTH - 1 : 0, "", w->perfs->unit_width, "unit");
}

static void break_lines(struct writer *w, size_t from, int more, int width)
{
	auto_free(sb) lines = SB_INIT;

	sb__puts(&lines, sb__str(&w->text) + from);
	sb__truncate(&w->text, from);
	wrap__lines(&w->text, sb__str(&lines), more, width);
}

/*
 * Fold lines for a terminal. Between the rows of intervals only notes are folded, so that rows cost
 * nothing.
 */
void text__fold(struct writer *w, size_t from, int more)
{
	int width = 0;

	if (w->text.len == from)
		return;
	if (format__is(w->format, FORMAT_TEXT))
		width = terminal__width(fileno(w->out));
	if (width || strstr(sb__str(&w->text) + from, WRAP_COMMAND))
		break_lines(w, from, more, width);
}

void text__run_head(struct writer *w)
{
	const char *head = w->opts.head ? w->opts.head : "";
	size_t from = w->text.len;

	if (w->grid->span == SPAN_INTERVAL)
		return;
	sb__puts(&w->text, "\n Performance counter stats for ");
	/*
	 * The head quotes a command, which may come from a recording of another user: a line of it
	 * must not look like a row.
	 */
	text__clean(&w->text, head, strlen(head), w->opts.raw_head ? "\n\t" : "");
	sb__puts(&w->text, ":\n\n");
	text__fold(w, from, FOLD_INDENT);
}

void text__heads(struct writer *w)
{
	perfs__lay_out(w);
	lines__measure(w);
	if (w->grid->span == SPAN_INTERVAL)
		put_interval_heading(w);
	text__run_head(w);
	if (w->opts.metric_only)
		metric_only__heads(w);
}

/* Return: a mark that distinguishes a note from rows of intervals. */
static const char *note_mark(const struct writer *w)
{
	return w->grid->span == SPAN_INTERVAL ? "# " : " ";
}

/*
 * Print how many CPUs went offline or online, and which share of the time was counted in spite of
 * it.
 */
static void put_away(struct writer *w)
{
	const struct grid_notes *notes = &w->grid->notes;

	if (!notes->nr_away || !(notes->coverage < 1))
		return;
	sb__printf(&w->text, "%s%d CPU%s offline for a part of the time: the counts cover %.1f %% of it\n%s",
		   note_mark(w), notes->nr_away, notes->nr_away > 1 ? "s were" : " was",
		   100 * notes->coverage, w->grid->span == SPAN_INTERVAL ? "" : "\n");
}

/* Note that a row has the counts of several intervals, because tma could not read some in time. */
static void put_gap(struct writer *w)
{
	const struct grid *g = w->grid;

	if (!grid__has_gap(g))
		return;
	sb__printf(&w->text, "%s%" PRIu64 " row%s left out before %.9f: this one is %.3f s long\n",
		   note_mark(w), g->missed, g->missed > 1 ? "s were" : " was",
		   g->since_start_ns / SECOND, g->elapsed_ns / SECOND);
}

/* --- -v: each reason once, with the events that have it somewhere ---------------------------- */

static bool has_this_note(const struct writer *w, int column, const struct grid_cell *note)
{
	for (int row = 0; row < w->grid->nr_rows; row++)
		if (cell__has_same_reason(grid__cell(w->grid, column, row), note))
			return true;
	return false;
}

static void put_note(struct writer *w, const struct grid_cell *note)
{
	const char *comma = "";

	sb__puts(&w->text, note_mark(w));
	for (int i = 0; i < w->grid->nr_columns; i++) {
		if (w->grid->columns[i].kind != GRID_EVENT || !has_this_note(w, i, note))
			continue;
		sb__printf(&w->text, "%s%s", comma, w->perfs->names[i].name);
		comma = ", ";
	}
	sb__printf(&w->text, ": %s: ", cell_status__name(note->status));
	dress__text(w, cell__words(note), &w->text);
	sb__putc(&w->text, '\n');
}

/* Counts are always scaled by time; better estimates are used only for metrics. */
static void put_method(struct writer *w, const struct reasons *printed)
{
	const struct grid *g = w->grid;
	bool scaled = false, has_metric = false;

	for (int i = 0; i < printed->nr; i++)
		scaled |= printed->at[i]->status == CELL_SCALED;
	for (int i = 0; i < g->nr_columns; i++)
		has_metric |= g->columns[i].kind == GRID_METRIC;
	if (g->estimate && scaled && has_metric)
		sb__printf(&w->text, "%smetrics of multiplexed events: %s: --estimate=%s\n",
			   note_mark(w), cell_status__name(CELL_SCALED), g->estimate);
}

static void put_misfits(struct writer *w)
{
	const struct grid_misfit *m;

	vec__for_each(m, &w->grid->notes.misfits)
	{
		sb__printf(&w->text, "%simpossible: ", note_mark(w));
		row__label(w, w->grid->aggr, &w->grid->rows[m->row], &w->text);
		sb__printf(&w->text, "%s\n", m->text);
	}
}

static void text__put_reasons(struct writer *w)
{
	const struct grid *g = w->grid;
	struct reasons printed = { .most = REASONS_MAX };

	for (int i = 0; w->opts.reasons && i < g->nr_columns; i++)
		for (int row = 0; g->columns[i].kind == GRID_EVENT && row < g->nr_rows; row++)
			if (reasons__add(&printed, grid__cell(g, i, row)))
				put_note(w, grid__cell(g, i, row));
	put_method(w, &printed);
	put_misfits(w);
	if ((printed.nr || w->grid->notes.misfits.nr) && g->span != SPAN_INTERVAL)
		sb__putc(&w->text, '\n');
}

static void put_notes(struct writer *w)
{
	put_gap(w);
	put_away(w);
	/* In a tree each line shows its own reason. */
	if (w->perfs)
		text__put_reasons(w);
}

/* --- The length of the run, or of several ---------------------------------------------------- */

static void put_lengths(struct writer *w, int digits)
{
	const struct grid_lengths *l = &w->grid->lengths;
	char text[64];
	int indent;

	if (!w->opts.run_table || !l->nr)
		return;
	snprintf(text, sizeof(text), " %17.*f", digits, l->mean);
	indent = strspn(text, " ");
	sb__printf(&w->text, "%*s# Table of individual measurements:\n", indent, "");
	for (int i = 0; i < l->nr; i++) {
		double run = l->at[i] / SECOND;
		int marks = 1 + abs((int)(100 * (run - l->mean) / run) / TABLE_PERCENT_PER_MARK);

		sb__printf(&w->text, " %17.*f (%+.*f) ", digits, run, digits, run - l->mean);
		while (marks--)
			sb__putc(&w->text, '#');
		sb__putc(&w->text, '\n');
	}
	sb__printf(&w->text, "\n%*s# Final result:\n", indent, "");
}

#define ALL_DIGITS 9 /* digits of a time, which perf 7 prints to the ns */

/*
 * Return: number of digits after the point: two more than the error has zeros after its point. As
 * in perf 6.12, two digits if the error is 0 or above 1.
 */
static int text__digits_of(double error)
{
	return error > 0 && error <= 1 ? (int)ceil(-log10(error)) + 2 : 2;
}

static void put_mean_time(struct writer *w)
{
	const struct grid_lengths *l = &w->grid->lengths;
	int digits = w->opts.compat7 ? ALL_DIGITS : text__digits_of(l->error);

	put_lengths(w, digits);
	sb__printf(&w->text, " %17.*f +- %.*f seconds time elapsed", digits, l->mean, digits,
		   l->error);
	if (l->error)
		sb__printf(&w->text, "  ( +-%6.2f%% )", l->percent);
	sb__puts(&w->text, "\n\n");
}

static void put_run_time(struct writer *w)
{
	const struct grid *g = w->grid;

	/* The length of counts that were read from text may be unknown. */
	if (!g->elapsed_ns && !g->has_cpu_time)
		return;
	put_lengths(w, PASS_DIGITS);
	sb__printf(&w->text, " %17.9f seconds time elapsed", g->elapsed_ns / SECOND);
	if (g->has_cpu_time)
		sb__printf(&w->text, "\n\n %17.9f seconds user\n %17.9f seconds sys\n",
			   g->user_ns / SECOND, g->system_ns / SECOND);
	sb__puts(&w->text, "\n\n");
}

/* --- The footer ------------------------------------------------------------------------------ */

/* Name the metrics that are computed from several runs of the command. */
static void put_over_passes(struct writer *w)
{
	const struct grid_notes *notes = &w->grid->notes;
	const char *before = "From events of several passes: ";

	for (int i = 0; i < notes->over_passes.nr; i++) {
		sb__printf(&w->text, "%s%s", before, notes->over_passes.at[i]);
		before = ", ";
	}
	if (notes->over_passes.nr)
		sb__puts(&w->text, "\n\n");
}

/* Explain the mark before numbers, if some number has it. */
static void put_assumed(struct writer *w)
{
	if (w->grid->notes.assumed)
		sb__puts(&w->text, ASSUMED_MARK
			 " uses the vendor's retire latency of an event, not measured here\n"
			 "\n");
	if (w->grid->notes.uncorrected)
		sb__printf(&w->text,
			   ASSUMED_MARK " computed without %s, which was not counted: 0 is "
					"assumed\n"
					"\n",
			   w->grid->notes.uncorrected);
	if (w->grid->notes.one_thread)
		sb__printf(&w->text,
			   ASSUMED_MARK
			   " computed without %s, which needs kernel.perf_event_paranoid=0 or "
			   "CAP_PERFMON: the count of one thread is used\n"
			   "\n",
			   w->grid->notes.one_thread);
}

void text__foot(struct writer *w)
{
	const struct grid *g = w->grid;

	if (g->span == SPAN_INTERVAL) {
		put_notes(w);
		return;
	}
	if (g->has_events)
		sb__putc(&w->text, '\n');
	if (g->runs)
		put_mean_time(w);
	else
		put_run_time(w);
	put_over_passes(w);
	put_assumed(w);
	put_notes(w);
	if (g->notes.watchdog && !g->runs)
		sb__puts(&w->text,
			 "Some events were not counted: the NMI watchdog holds a counter of every "
			 "CPU.\nTo use that counter too, as root:\n"
			 "\techo 0 > /proc/sys/kernel/nmi_watchdog\n");
}
