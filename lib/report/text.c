// SPDX-License-Identifier: GPL-2.0-only
/* What stands above and below the rows of text. */
#include "report/internal.h"

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

void text__footer(struct report *r)
{
	if (r->opts.interval)
		return;
	if (r->nr_events)
		sb__putc(&r->text, '\n');
	if (r->opts.runs) {
		runs__footer(r);
		text__over_passes(r);
		text__assumed(r);
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
	if (r->watchdog_hint && r->machine->nmi_watchdog)
		sb__puts(&r->text,
			 "Some events were not counted: the NMI watchdog holds a counter of every "
			 "CPU.\nTo use that counter too, as root:\n"
			 "\techo 0 > /proc/sys/kernel/nmi_watchdog\n");
}
