// SPDX-License-Identifier: GPL-2.0-only
/*
 * tma plan and --dry-run count nothing: they print the groups, their counters and their share of
 * the time.
 */
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/terminal.h"
#include "base/wrap.h"
#include "cmd.h"
#include "machine/machine.h"
#include "output.h"
#include "plan/schedule.h"
#include "plan/sets.h"
#include "stat/stat.h"

#define NAME_COLUMNS 44
#define NAME_LEAST 4
#define INDENT 6
#define SHARE_COLUMNS 27 /* columns for " 100.0 %  fixed counter 3", and two blanks */
#define MORE_INDENT 2

/**
 * struct dry_run - a plan that is printed
 * @sets: the sets of groups (with --passes and --schedule=rotate), or NULL
 * @number: number of the last group
 * @out: text of the plan
 * @width: columns that @out is finally wrapped to; 0 for no limit
 * @name_columns: columns for an event's name in @out
 */
struct dry_run {
	const struct stat_options *o;
	struct run *run;
	const struct plan *plan;
	const struct schedule *schedule;
	const struct sets *sets;
	struct output out;
	int number, name_columns, width;
};

/* The states of a group: in words, and as a key for programs. */
static const struct {
	const char *text, *key;
} states[] = {
	[SCHEDULE_FITS] = { "", "fits" },
	[SCHEDULE_APART] = { "does not fit and is split", "taken apart" },
	[SCHEDULE_REFUSED] = { "does not fit and will be refused", "refused" },
	[SCHEDULE_NEVER] = { "is never counted", "never counted" },
	[SCHEDULE_FREE] = { "", "free" },
	[SCHEDULE_MISSING] = { "is not supported", "not supported" },
};

static void name_counter(int counter, struct sb *sb)
{
	if (counter != SCHEDULE_NO_COUNTER)
		fit__print_counters(1ULL << counter, "", sb);
}

/* --- Text --------------------------------------------------------------- */

static void print_event(struct dry_run *d, int number)
{
	const struct schedule_event *s = &d->schedule->events[number];
	const struct event *e = d->plan->events.at[number];
	auto_free(sb) where = SB_INIT;
	int width;

	name_counter(s->counter, &where);
	sb__pad(&d->out.text, INDENT);
	width = output__puts(&d->out, e->name);
	if (width > d->name_columns && d->width && width > d->width - INDENT - SHARE_COLUMNS) {
		sb__printf(&d->out.text, "\n%*s", INDENT, "");
		width = 0;
	}
	sb__printf(&d->out.text, "%*s %5.1f %%  %s\n",
		   width < d->name_columns ? d->name_columns - width : 0, "", 100 * s->share,
		   sb__str(&where));
}

static void print_metrics(struct dry_run *d, const struct schedule_group *g)
{
	auto_free(sb) names = SB_INIT;

	for (int i = 0; i < d->plan->nr_metrics; i++)
		if (schedule_group__serves(g, &d->plan->metrics[i]))
			sb__printf(&names, "%s%s%s", names.len ? ", " : "for ",
				   d->plan->metrics[i].name,
				   d->plan->metrics[i].split ? " (in part)" : "");
	if (names.len) {
		sb__pad(&d->out.text, INDENT);
		output__wrap(&d->out, INDENT, INDENT, names.buf);
	}
}

static void print_group(struct dry_run *d, const struct schedule_group *g)
{
	sb__printf(&d->out.text, "%s %d", g->nr > 1 ? "group" : "event", ++d->number);
	if (g->pmu)
		sb__printf(&d->out.text, ", %s", g->pmu->name);
	if (g->why)
		sb__printf(&d->out.text, ", %s: %s", states[g->state].text, g->why);
	sb__puts(&d->out.text, "\n");
	for (int i = g->first; i < g->first + g->nr; i++)
		print_event(d, i);
	print_metrics(d, g);
}

static void stat_dry_run__put_number(struct dry_run *d, int nr, const char *what, const char *tail)
{
	sb__printf(&d->out.text, "%d %s%s%s", nr, what, nr == 1 ? "" : "s", tail);
}

static void print_pmu(struct dry_run *d, const struct schedule_pmu *p)
{
	sb__printf(&d->out.text, "%s: ", p->pmu->name);
	stat_dry_run__put_number(d, p->nr_events, "event", " in ");
	stat_dry_run__put_number(d, p->nr_turns, "group", ", ");
	if (p->all_fit)
		sb__puts(&d->out.text, "counted all the time");
	else if (p->nr_turns == 1)
		sb__puts(&d->out.text, "never counted");
	else
		sb__puts(&d->out.text, "which take turns");
	if (p->nr_turns <= p->lower_bound)
		sb__puts(&d->out.text, "; no fewer are possible\n");
	else if (p->nr_turns > p->packed)
		sb__printf(&d->out.text, "; %d would suffice%s\n", p->packed,
			   p->proven ? ", the fewest possible" : "");
	else
		sb__printf(&d->out.text, "; at least %d are needed\n", p->lower_bound);
}

static void print_sums(struct dry_run *d)
{
	bool per_cpu = run__per_cpu(d->run);

	stat_dry_run__put_number(d, d->plan->events.nr, "event", ", ");
	stat_dry_run__put_number(d, d->plan->nr_metrics, "metric", ", ");
	stat_dry_run__put_number(d, run__fds(d->run), "file descriptor",
				 per_cpu ? "" : " for each thread");
	/* Only counters of CPUs can be opened a set at a time; counters of tasks must stay open. */
	if (d->o->req.rotate && per_cpu)
		sb__printf(&d->out.text, ", or %d if no more are allowed", run__most_fds(d->run));
	sb__puts(&d->out.text, "\n");
}

/* On a terminal, no line is wider than the terminal. */
static void print_text(struct dry_run *d)
{
	struct output whole = d->out;
	int width = d->width = d->o->output_name ? 0 : terminal__width(STDOUT_FILENO);

	output__begin_part(&d->out, &whole);
	d->name_columns = NAME_COLUMNS;
	if (width && width < INDENT + NAME_COLUMNS + SHARE_COLUMNS)
		d->name_columns = width - INDENT - SHARE_COLUMNS;
	if (d->name_columns < NAME_LEAST)
		d->name_columns = NAME_LEAST;
	for (int i = 0; i < d->schedule->nr_groups; i++)
		print_group(d, &d->schedule->groups[i]);
	for (int i = 0; i < d->schedule->nr_pmus; i++)
		print_pmu(d, &d->schedule->pmus[i]);
	print_sums(d);
	wrap__lines(&whole.text, sb__str(&d->out.text), MORE_INDENT, width);
	sb__free(&d->out.text);
	d->out = whole;
}

/* --- JSON --------------------------------------------------------------- */

static void stat_dry_run__put_event(struct dry_run *d, int number)
{
	const struct schedule_event *s = &d->schedule->events[number];
	const struct event *e = d->plan->events.at[number];
	struct json *out = &d->out.json;
	auto_free(sb) where = SB_INIT;

	name_counter(s->counter, &where);
	json__open(out, NULL, '{');
	json__text(out, "EventName", e->name);
	json__text_if(out, "Counter", sb__str(&where));
	json__number(out, "Share", s->share);
	json__int(out, "FileDescriptors", run__event_fds(d->run, number));
	json__close(out, '}');
}

static void stat_dry_run__put_group(struct dry_run *d, const struct schedule_group *g)
{
	struct json *out = &d->out.json;

	json__open(out, NULL, '{');
	json__text(out, "Kind", "group");
	json__int(out, "Group", ++d->number);
	json__text_if(out, "Unit", g->pmu ? g->pmu->name : "");
	json__text(out, "State", states[g->state].key);
	json__text_if(out, "Why", g->why ? g->why : "");
	json__open(out, "Events", '[');
	for (int i = g->first; i < g->first + g->nr; i++)
		stat_dry_run__put_event(d, i);
	json__close(out, ']');
	json__open(out, "Metrics", '[');
	for (int i = 0; i < d->plan->nr_metrics; i++)
		if (schedule_group__serves(g, &d->plan->metrics[i]))
			json__text(out, NULL, d->plan->metrics[i].name);
	json__close(out, ']');
	json__close(out, '}');
}

static void put_pmu(struct dry_run *d, const struct schedule_pmu *p)
{
	struct json *out = &d->out.json;

	json__open(out, NULL, '{');
	json__text(out, "Kind", "unit");
	json__text(out, "Unit", p->pmu->name);
	json__int(out, "Events", p->nr_events);
	json__int(out, "Groups", p->nr_turns);
	json__int(out, "AllTheTime", p->all_fit);
	json__int(out, "Packed", p->packed);
	json__int(out, "LowerBound", p->lower_bound);
	json__int(out, "Proven", p->proven);
	json__close(out, '}');
}

static void put_plan(struct dry_run *d)
{
	struct json *out = &d->out.json;

	json__open(out, NULL, '{');
	json__text(out, "Kind", "plan");
	json__int(out, "Events", d->plan->events.nr);
	json__int(out, "Metrics", d->plan->nr_metrics);
	json__int(out, "FileDescriptors", run__fds(d->run));
	if (d->sets)
		json__int(out, "FileDescriptorsOfSet", run__most_fds(d->run));
	json__open(out, "Split", '[');
	for (int i = 0; i < d->plan->nr_metrics; i++)
		if (d->plan->metrics[i].split)
			json__text(out, NULL, d->plan->metrics[i].name);
	json__close(out, ']');
	json__close(out, '}');
}

static void print_json(struct dry_run *d)
{
	json__open(&d->out.json, NULL, '[');
	for (int i = 0; i < d->schedule->nr_groups; i++)
		stat_dry_run__put_group(d, &d->schedule->groups[i]);
	for (int i = 0; i < d->schedule->nr_pmus; i++)
		put_pmu(d, &d->schedule->pmus[i]);
	put_plan(d);
	json__close(&d->out.json, ']');
}

int stat_dry_run(const struct stat_options *o, struct run *run, struct err *err)
{
	struct schedule *schedule = run__schedule(run);
	struct dry_run d = {.o = o,
			    .run = run,
			    .plan = run__planned(run),
			    .schedule = schedule,
			    .sets = o->req.passes || o->req.rotate ? run__sets(run) : NULL};
	int rc = output__open(&d.out, o->output_name, false, err);

	if (!rc) {
		if (o->verb == STAT_PLAN && o->no_target)
			say("no command, -p, -t or -C given: this is the plan for all CPUs (-a)");
		if (format__is(o->format.format, FORMAT_JSON))
			print_json(&d);
		else
			print_text(&d);
		rc = output__close(&d.out, err);
	}
	schedule__free(schedule);
	return rc;
}
