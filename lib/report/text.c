// SPDX-License-Identifier: GPL-2.0-only
/* What stands above and below the rows of text. */
#include <math.h>
#include <string.h>

#include "report/reason.h"

#define TIME_WIDTH 16

#define NS_PER_S 1e9

/* Columns that the label of a row takes, with its number of CPUs and the blanks behind them. */
int text__label_width(const struct report *r)
{
	const struct aggr_info *info = &aggr_infos[r->opts.aggr];

	if (!info->width)
		return 0;
	return info->width + 1 + (info->counts_units ? CPUS_WIDTH + 1 : 0);
}

static void text__interval_heading(struct report *r)
{
	const struct aggr_info *info = &aggr_infos[r->opts.aggr];

	sb__printf(&r->text, "#%*s", TIME_WIDTH - 1, "time");
	if (r->opts.aggr == AGGR_THREAD)
		sb__printf(&r->text, " %*s-%-*s", COMM_WIDTH, "comm", PID_WIDTH, "pid");
	else if (info->width)
		sb__printf(&r->text, " %-*s%s", info->width, info->head,
			   info->counts_units ? " cpus" : "");
	if (!r->opts.metric_only)
		sb__printf(&r->text, " %*s %*s%*s events\n", COUNT_WIDTH, "counts",
			   r->opts.error ? ERROR_WIDTH - 1 : 0, "", r->unit_width, "unit");
}

void text__heading(struct report *r)
{
	if (r->opts.interval)
		text__interval_heading(r);
	else
		sb__printf(&r->text, "\n Performance counter stats for %s:\n\n",
			   r->opts.head ? r->opts.head : "");
	if (r->opts.metric_only)
		metric_only__heads(r);
}

static void text__cpu_time(struct report *r)
{
	sb__printf(&r->text, "\n\n %17.9f seconds user\n", r->time->user_ns / NS_PER_S);
	sb__printf(&r->text, " %17.9f seconds sys\n", r->time->system_ns / NS_PER_S);
}

/* What the mark before a number means, where there is one. */
static void text__assumed(struct report *r)
{
	bool assumed = false;

	for (int i = 0; i < r->nr_events; i++)
		assumed |= report__assumed(r, i);
	if (assumed)
		sb__puts(&r->text, ASSUMED_MARK " made with the vendor's retire latency of an event, "
						"not measured here\n\n");
}

/* Metrics which are made of several runs of the command. */
static void text__over_passes(struct report *r)
{
	const char *separator = "Made of events of several passes: ";
	int before = r->text.len;

	for (int i = 0; i < r->plan->nr_metrics; i++) {
		if (!r->plan->metrics[i].over_passes)
			continue;
		sb__printf(&r->text, "%s%s", separator, r->plan->metrics[i].name);
		separator = ", ";
	}
	if ((int)r->text.len > before)
		sb__puts(&r->text, "\n\n");
}

/* What stands before a note: among the rows of intervals, it must be told from them. */
static const char *note_mark(const struct report *r)
{
	return r->opts.interval ? "# " : " ";
}

/* The share of the time of all CPUs for which anything was counted; NAN where it is not known. */
static double coverage(const struct report *r)
{
	double most = NAN;

	for (int e = 0; e < r->nr_events; e++) {
		const struct event *event = r->events[e].event;
		double enabled = 0, nr = 0;

		if (event->cgroup || event->tool || event->retire_latency)
			continue;
		for (int b = 0; b < r->nr_buckets; b++) {
			enabled += sum__at(r, e, b)->enabled;
			nr += sum__at(r, e, b)->nr;
		}
		if (nr && r->time->elapsed_ns)
			most = fmax(most, enabled / nr / r->time->elapsed_ns);
	}
	return most;
}

/* CPUs that went or came. */
static void text__away(struct report *r)
{
	double share = coverage(r);
	int nr = 0;

	for (int b = 0; b < r->nr_buckets; b++)
		nr += r->buckets[b].nr_away;
	if (!nr || !(share < 1))
		return;
	sb__printf(&r->text, "%s%d CPU%s offline for a part of the time: the counts cover %.1f %% of it\n%s",
		   note_mark(r), nr, nr > 1 ? "s were" : " was", 100 * share,
		   r->opts.interval ? "" : "\n");
}

#define REASONS_MAX 16 /* that are told at a time */

/* What became of events, and why: those told so far. */
struct notes {
	struct note {
		enum cell_status status;
		const char *reason;
	} at[REASONS_MAX];
	int nr;
};

static struct note note_of(const struct report *r, int event, int bucket)
{
	struct note note = { .status = reason__status(r, sum__at(r, event, bucket)) };

	if (note.status != CELL_ABSENT)
		note.reason = reason__of(r, event, bucket, note.status);
	else if (r->opts.aggr == AGGR_GLOBAL)
		note = (struct note){ CELL_NOT_COUNTED, r->events[event].refusal };
	return note;
}

static bool is_same_note(const struct note *a, const struct note *b)
{
	return a->status == b->status && !strcmp(a->reason, b->reason);
}

static bool has_note(const struct report *r, int event, const struct note *note)
{
	for (int b = 0; b < r->nr_buckets && !r->events[event].merged; b++) {
		const struct note other = note_of(r, event, b);

		if (other.reason && is_same_note(&other, note))
			return true;
	}
	return false;
}

static void put_note(struct report *r, const struct note *note)
{
	const char *comma = "";

	sb__puts(&r->text, note_mark(r));
	for (int e = 0; e < r->nr_events; e++) {
		if (!has_note(r, e, note))
			continue;
		sb__printf(&r->text, "%s%s", comma, r->events[e].name);
		comma = ", ";
	}
	sb__printf(&r->text, ": %s: ", cell__status_name(note->status));
	dress__text(r, note->reason, &r->text);
	sb__putc(&r->text, '\n');
}

/* -v: each reason once, with the events that have it somewhere. */
static void text__reasons(struct report *r)
{
	struct notes notes = { .nr = 0 };

	for (int e = 0; e < r->nr_events && r->opts.reasons; e++)
		for (int b = 0; b < r->nr_buckets && !r->events[e].merged; b++) {
			struct note note = note_of(r, e, b);
			int i = 0;

			while (i < notes.nr && note.reason && !is_same_note(&notes.at[i], &note))
				i++;
			if (!note.reason || i < notes.nr || i == REASONS_MAX)
				continue;
			notes.at[notes.nr++] = note;
			put_note(r, &note);
		}
	if (notes.nr && !r->opts.interval)
		sb__putc(&r->text, '\n');
}

static void text__notes(struct report *r)
{
	text__away(r);
	text__reasons(r);
}

void text__footer(struct report *r)
{
	if (r->opts.interval) {
		text__notes(r);
		return;
	}
	if (r->nr_events)
		sb__putc(&r->text, '\n');
	if (r->opts.runs) {
		runs__footer(r);
		text__over_passes(r);
		text__assumed(r);
		text__notes(r);
		return;
	}
	/* What was read from text need not say how long it took. */
	if (r->time->elapsed_ns) {
		runs__pass_table(r);
		sb__printf(&r->text, " %17.9f seconds time elapsed",
			   r->time->elapsed_ns / NS_PER_S);
		if (r->time->has_cpu_time)
			text__cpu_time(r);
		sb__puts(&r->text, "\n\n");
	}
	text__over_passes(r);
	text__assumed(r);
	text__notes(r);
	if (r->watchdog_hint && r->machine->nmi_watchdog)
		sb__puts(&r->text,
			 "Some events were not counted: the NMI watchdog holds a counter of every "
			 "CPU.\nTo use that counter too, as root:\n"
			 "\techo 0 > /proc/sys/kernel/nmi_watchdog\n");
}
