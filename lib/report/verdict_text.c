// SPDX-License-Identifier: GPL-2.0-only
/* Verdicts for people. */
#include <math.h>
#include <string.h>

#include "report/verdicts.h"

#define INDENT "          " /* under the text behind " Verdict: " */
#define MOST_NAMES 6 /* in a list: the others are counted */

static void put_number(const struct verdict_subject *s, int node, struct sb *sb)
{
	const struct shown_metric *m = s->metrics[node].shown;
	const struct verdict_node *n = &s->tree.nodes[node];
	const char *unit = m->metric->metric->info.unit;

	sb__printf(sb, "%s %.1f%s%s", m->metric->name, n->value * m->scale, *unit ? " " : "", unit);
	if (isnan(n->error))
		sb__puts(sb, " +- ?");
	else if (n->error > 0)
		sb__printf(sb, " +- %.1f",
			   figure__shown_error(n->error * fabs(m->scale), 1));
}

static void put_list(const struct verdict_subject *s, const int *nodes, int nr, const char *head,
		     struct sb *sb)
{
	for (int i = 0; i < nr && i < MOST_NAMES; i++) {
		sb__puts(sb, i ? ", " : head);
		put_number(s, nodes[i], sb);
	}
	if (nr > MOST_NAMES)
		sb__printf(sb, " and %d more", nr - MOST_NAMES);
}

static bool any_state(const struct verdict_tree *t, enum verdict_state state)
{
	for (int i = 0; i < t->nr; i++)
		if (t->nodes[i].state == state)
			return true;
	return false;
}

static void put_path(struct report *r, const struct verdict_subject *s, int path, struct sb *sb)
{
	const int *nodes = r->verdicts->path;

	for (int i = 0; i < path; i++) {
		sb__puts(sb, i ? " -> " : "");
		put_number(s, nodes[i], sb);
	}
	if (!s->tree.nodes[nodes[0]].threshold)
		sb__puts(sb, " (the largest part that is lost: the tables have no thresholds)");
	else if (s->tree.nodes[nodes[0]].useful)
		sb__puts(sb, " (slots that did useful work: no other is over its threshold)");
}

static void put_head(struct report *r, const struct verdict_subject *s, int path, struct sb *sb)
{
	const struct verdict_tree *t = &s->tree;

	if (path)
		put_path(r, s, path, sb);
	else if (any_state(t, VERDICT_UNCERTAIN))
		sb__puts(sb, "not certain");
	else if (any_state(t, VERDICT_UNDER))
		sb__puts(sb, "nothing is over its threshold");
	else
		sb__puts(sb, "not known: no threshold could be looked at");
}

static bool is_on(const int *path, int nr, int node)
{
	while (nr--)
		if (path[nr] == node)
			return true;
	return false;
}

/* What else was it most often: where the way there is left. Return: its number or -1. */
static int best_other(const struct report *r, const struct verdict_subject *s, int bucket, int path)
{
	const int *nodes = r->verdicts->path;
	int best = -1;

	for (int i = 0; i < s->tree.nr; i++) {
		int parent = s->tree.nodes[i].parent;

		if (is_on(nodes, path, i) || !s->metrics[i].same[bucket] ||
		    (parent >= 0 && !(path > 1 && is_on(nodes, path - 1, parent))))
			continue;
		if (best < 0 || s->metrics[i].same[bucket] > s->metrics[best].same[bucket])
			best = i;
	}
	return best;
}

/* "the same in 34 of 40 intervals, tma_frontend_bound in 6", all at their values */
static void put_intervals(struct report *r, const struct verdict_subject *s, int bucket, int path,
			  const char *before, struct sb *sb)
{
	const struct verdict_metric *end = path ? &s->metrics[r->verdicts->path[path - 1]] : NULL;
	int other = best_other(r, s, bucket, path), of = s->intervals[bucket];

	if (of && end)
		sb__printf(sb, "%sthe same in %d of %d interval%s", before, end->same[bucket], of,
			   of > 1 ? "s" : "");
	else if (of)
		sb__printf(sb, "%sby interval, of %d", before, of);
	if (other >= 0)
		sb__printf(sb, "%s%s in %d", path ? ", " : ": ",
			   s->metrics[other].shown->metric->name, s->metrics[other].same[bucket]);
	if (s->short_of[bucket])
		sb__printf(sb, "%s%d interval%s with not enough counted to tell",
			   of ? "; " : before, s->short_of[bucket],
			   s->short_of[bucket] > 1 ? "s" : "");
}

/* "tma_a from 25.0 % of the time, in 3 groups at different times" */
static void put_estimated(const struct verdict_metric *m, const char *before, struct sb *sb)
{
	sb__printf(sb, "%s%s from %.1f %% of the time", before, m->shown->metric->name,
		   100 * m->share);
	if (m->groups > 1)
		sb__printf(sb, " in %d groups", m->groups);
}

/* What of these was counted all the time, and so together, and what was not. */
static void put_measured(const struct report *r, const struct verdict_subject *s,
			 const int *nodes, int nr, struct sb *sb)
{
	const char *before = "\n" INDENT "counted together, all of the time: ";
	int whole = 0;

	if (nr && r->opts.nr_passes > 1) {
		sb__printf(sb, "\n" INDENT "counted all of the time, in %d runs of the command",
			   r->opts.nr_passes);
		return;
	}
	for (int i = 0; i < nr; i++)
		whole += s->metrics[nodes[i]].whole;
	for (int i = 0; i < nr && whole < nr; i++) {
		if (!s->metrics[nodes[i]].whole)
			continue;
		sb__printf(sb, "%s%s", before, s->metrics[nodes[i]].shown->metric->name);
		before = ", ";
	}
	if (nr && whole == nr)
		sb__puts(sb, "\n" INDENT "all of it was counted together, all of the time");
	before = "\n" INDENT "estimated: ";
	for (int i = 0; i < nr; i++) {
		if (s->metrics[nodes[i]].whole)
			continue;
		put_estimated(&s->metrics[nodes[i]], before, sb);
		before = ", ";
	}
}

/* Which doubts there are, and what would remove them. */
static void put_doubts(const struct verdict_subject *s, struct sb *sb)
{
	bool seen[DOUBT_NR] = { false };
	const char *before = "\n" INDENT "since ";

	for (int i = 0; i < s->tree.nr; i++)
		if (s->tree.nodes[i].state == VERDICT_UNCERTAIN)
			seen[verdict__doubt(s, i)] = true;
	for (int i = DOUBT_NONE + 1; i < DOUBT_NR; i++) {
		if (!seen[i])
			continue;
		sb__printf(sb, "%s%s: %s", before, verdict__why(i), verdict__remedy(i));
		before = "\n" INDENT "and ";
	}
}

static void put_open(const struct verdict_subject *s, struct sb *sb)
{
	const char *before = "\n" INDENT "not looked at, as the threshold needs metrics not measured: ";

	for (int i = 0; i < s->tree.nr; i++) {
		if (s->tree.nodes[i].state != VERDICT_OPEN)
			continue;
		sb__printf(sb, "%s%s", before, s->metrics[i].shown->metric->name);
		before = ", ";
	}
}

static void put_sampling(struct report *r, const struct metric_info *info, struct sb *sb)
{
	const struct tables *tables = r->plan->scope ? r->plan->scope->tables : NULL;
	struct sb list = SB_INIT, events = SB_INIT;

	if (tables)
		metrics__sampling(tables, info, &list, &events);
	if (events.len)
		sb__printf(sb, "\n" INDENT "where in the program: perf record%s", sb__str(&events));
	sb__free(&list);
	sb__free(&events);
}

static bool has_uncertain_part(const struct verdict_tree *t, int node)
{
	for (int i = 0; i < t->nr; i++)
		if (t->nodes[i].parent == node && t->nodes[i].state == VERDICT_UNCERTAIN)
			return true;
	return false;
}

/* What to run next, to know more than the path's end. */
static void put_next(struct report *r, const struct verdict_subject *s, int end, struct sb *sb)
{
	const struct verdict_metric *m = &s->metrics[end];

	if (m->parts_level && verdict__has_parts(&s->tree, end)) {
		sb__puts(sb, !has_uncertain_part(&s->tree, end) ?
			 "\n" INDENT "none of its parts is over its threshold" :
			 "\n" INDENT "which of its parts it is, is not certain");
	} else if (m->parts_level) {
		sb__puts(sb, "\n" INDENT "its parts were not measured; next: ");
		verdict__put_next(s, end, true, sb);
	}
	put_sampling(r, &m->shown->metric->metric->info, sb);
}

static void put_brief(struct report *r, const struct verdict_subject *s, int bucket, int path,
		      struct sb *sb)
{
	put_list(s, r->verdicts->list, verdict__uncertain(r, s, true), "; not certain: ", sb);
	put_intervals(r, s, bucket, path, "; ", sb);
}

static void put_details(struct report *r, const struct verdict_subject *s, int bucket, int path,
			struct sb *sb)
{
	int *list = r->verdicts->list, nr;

	put_intervals(r, s, bucket, path, "\n" INDENT, sb);
	put_list(s, list, verdict__others(r, s, path),
		 "\n" INDENT "also over their thresholds: ", sb);
	nr = verdict__uncertain(r, s, false);
	put_list(s, list, nr, "\n" INDENT "not certain: ", sb);
	put_doubts(s, sb);
	if (!path)
		put_open(s, sb);
	put_measured(r, s, r->verdicts->path, path, sb);
	if (!path)
		put_measured(r, s, list, nr < MOST_NAMES ? nr : MOST_NAMES, sb);
	if (path)
		put_next(r, s, r->verdicts->path[path - 1], sb);
}

void verdict_text__put(struct report *r, const struct verdict_subject *s, int bucket, bool brief,
		       struct sb *sb)
{
	int path = verdict__path(r, s);

	put_head(r, s, path, sb);
	if (brief)
		put_brief(r, s, bucket, path, sb);
	else
		put_details(r, s, bucket, path, sb);
	sb__putc(sb, '\n');
}

/* " Verdict (S0, cpu_core, 65.0 % of the time): " */
static void put_whose(struct report *r, const struct verdict_subject *s, int bucket, struct sb *sb)
{
	const char *label = r->buckets[bucket].label, *open = " (";
	size_t start;
	int len;

	/* In text it stands in a column. */
	label += strspn(label, " ");
	len = strlen(label);
	while (len && label[len - 1] == ' ')
		len--;
	sb__puts(sb, " Verdict");
	if (len) {
		sb__printf(sb, "%s%.*s", open, len, label);
		open = ", ";
	}
	if (s->cgroup) {
		sb__printf(sb, "%s%s", open, r->events[s->event].cgroup);
		open = ", ";
	}
	if (s->core) {
		sb__printf(sb, "%s%s", open, s->core->name);
		open = ", ";
		start = sb->len;
		sb__puts(sb, open);
		if (r->shares && share__print(r, pmu__place(r->machine, s->core), bucket,
					      "at least ", sb))
			sb__puts(sb, " % of the time");
		else
			sb->len = start;
	}
	sb__puts(sb, *open == ',' ? "): " : ": ");
}

void verdicts__text(struct report *r)
{
	struct verdicts *v = r->verdicts;
	bool brief = r->opts.aggr != AGGR_GLOBAL;

	for (int i = 0; i < v->nr; i++)
		for (int b = 0; b < r->nr_buckets; b++) {
			struct verdict_subject *s = &v->at[i];

			if (!verdicts__judge(r, s, b)) {
				if (brief || s->core)
					continue;
				put_whose(r, s, b, &r->text);
				sb__puts(&r->text, "none: nothing was measured\n");
				continue;
			}
			put_whose(r, s, b, &r->text);
			verdict_text__put(r, s, b, brief, &r->text);
		}
}
