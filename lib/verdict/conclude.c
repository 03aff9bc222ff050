// SPDX-License-Identifier: GPL-2.0-only
/* Make a verdict for the grid from a tree that was judged. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "grid/unit.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "metrics/expr.h"
#include "metrics/words.h"
#include "verdict/misfit.h"
#include "verdict/trees.h"

#define WHOLE_PERCENT 100

static const struct grid_doubt doubts[DOUBT_NR] = {
	[DOUBT_NONE] = {"", ""},
	[DOUBT_STEPS] = {"the hardware measures shares of slots in steps, and the threshold is "
			 "less than a step away",
			 "look at the metric and at its siblings"},
	[DOUBT_ERROR] = {"the threshold lies within the error",
			 "count for longer, or a command with --passes"},
	[DOUBT_FEW_TURNS] =
		{"multiplexed events had too few turns on counters: the error is unknown",
		 "count for longer, or a command with --passes"},
	[DOUBT_NO_READS] = {"events were multiplexed, but not read in between: the error is unknown",
			    "count with --verdict, or a command with --passes"},
	[DOUBT_ROTATED] =
		{"with --schedule=rotate events are not read in between: the error is unknown",
		 "use the kernel's multiplexing, or count a command with --passes"},
	[DOUBT_ELSEWHERE] =
		{"events were multiplexed on cores that the task used for a part of the time",
		 "keep the task on one type of core (taskset)"},
	[DOUBT_RUNS] =
		{"runs of the command differ by more than the distance from value to threshold",
		 "make every run do the same work"},
	[DOUBT_PASSES] =
		{"events were counted in several runs, and how much the runs differ is unknown",
		 "let the command run for longer"},
	[DOUBT_LATENCY] = {"the error of a retire latency is not known",
			   "compare several runs with --record-tpebs"},
};

static bool has(const struct grid_nodes *nodes, int node)
{
	return array__has(nodes->at, nodes->nr, node);
}

/* Insert a node into a list that is sorted by level, and within a level by value. */
static void add_sorted(const struct verdict_tree *t, struct grid_nodes *list, int node)
{
	const struct verdict_node *new = &t->nodes[node];
	int at = list->nr++;

	for (; at; at--) {
		const struct verdict_node *before = &t->nodes[list->at[at - 1]];

		if (before->level < new->level ||
		    (before->level == new->level && before->value >= new->value))
			break;
		list->at[at] = list->at[at - 1];
	}
	list->at[at] = node;
}

/* Return: the limit in a node's threshold for the node's own metric; NAN without a limit. */
static double limit_of(const struct verdict_node *n)
{
	const struct expr *e = n->threshold;

	for (int i = 0; e && i < e->nr; i++) {
		const struct expr_node *left, *right;

		if (e->at[i].op != EXPR_GREATER)
			continue;
		left = &e->at[e->at[i].at[0]];
		right = &e->at[e->at[i].at[1]];
		if (left->op == EXPR_ID && right->op == EXPR_NUMBER &&
		    !strcasecmp(left->id, n->name))
			return right->number;
	}
	return NAN;
}

static const char *conclude__unit_of(const struct verdict_metric *m)
{
	const struct metric_info *info = &m->summed->metric->metric->info;

	if (info->scale_unit && !unit__is_share(info->unit))
		return info->unit;
	return metrics__share_unit(info);
}

static void copy_nodes(struct grid_verdict *to, const struct verdict_subject *s)
{
	to->nr_nodes = s->tree.nr;
	to->nodes = xcalloc(s->tree.nr, sizeof(*to->nodes));
	for (int i = 0; i < s->tree.nr; i++) {
		const struct verdict_node *n = &s->tree.nodes[i];
		const struct verdict_metric *m = &s->metrics[i];

		to->nodes[i] = (struct grid_node){
			.name = m->summed->metric->name,
			.unit = conclude__unit_of(m),
			.value = n->value * verdict_metric__scale(m),
			.error = n->error * fabs(verdict_metric__scale(m)),
			.share = m->share,
			.level = n->level,
			.parent = n->parent,
			.groups = m->groups,
			.whole = m->whole,
			.limit = limit_of(n) * verdict_metric__scale(m),
			.has_threshold = n->threshold,
			.useful = n->useful,
			.open = n->state == VERDICT_OPEN,
			.has_parts = m->parts_level,
			.nr_parts = m->nr_parts,
		};
	}
}

/* Whether a node can be the bottleneck. Without a threshold, only a child of the path's end can. */
static bool matters(const struct verdict_tree *t, const struct grid_nodes *path, int node)
{
	int end = path->nr ? path->at[path->nr - 1] : -1;

	return t->nodes[node].threshold || t->nodes[node].parent == end;
}

static void list_nodes(struct grid_verdict *to, const struct verdict_tree *t)
{
	struct grid_nodes *const lists[] = {&to->path,	      &to->others, &to->uncertain,
					    &to->may_be_over, &to->open,   &to->larger,
					    &to->between};

	for (int i = 0; i < array__nr(lists); i++)
		lists[i]->at = xcalloc(t->nr, sizeof(int));
	for (int n = -1; (n = verdict_tree__next(t, n, true)) >= 0;)
		to->path.at[to->path.nr++] = n;
	for (int i = 0; i < t->nr; i++) {
		const struct verdict_node *n = &t->nodes[i];

		if (n->state == VERDICT_OVER && n->threshold && !has(&to->path, i))
			add_sorted(t, &to->others, i);
		if (n->state == VERDICT_OPEN)
			to->open.at[to->open.nr++] = i;
		if (n->state != VERDICT_UNCERTAIN || !matters(t, &to->path, i))
			continue;
		if (n->over)
			add_sorted(t, &to->may_be_over, i);
		if (n->over || !isnan(n->error))
			add_sorted(t, &to->uncertain, i);
	}
}

/*
 * Return: the node's largest child that is a loss, is not over its threshold, and is above @least;
 * or -1.
 */
static int largest_under(const struct verdict_tree *t, int parent, double least)
{
	int largest = -1;

	for (int i = 0; i < t->nr; i++) {
		const struct verdict_node *n = &t->nodes[i];

		if (n->parent != parent || n->useful || !n->threshold || !(n->value > least) ||
		    (n->state != VERDICT_UNDER && n->state != VERDICT_OPEN))
			continue;
		largest = i;
		least = n->value;
	}
	return largest;
}

/* List nodes larger than the chosen node: readers might take them for the bottleneck. */
static void list_larger(struct grid_verdict *to, const struct verdict_tree *t)
{
	int end = to->path.nr ? to->path.at[to->path.nr - 1] : -1, part;
	bool useful = end >= 0 && t->nodes[to->path.at[0]].useful;

	for (int i = 0; i < to->path.nr && !useful; i++) {
		const struct verdict_node *n = &t->nodes[to->path.at[i]];
		int larger = largest_under(t, n->parent, n->value);

		if (larger >= 0)
			to->larger.at[to->larger.nr++] = larger;
	}
	part = end < 0 || useful || to->between.nr ? -1 : largest_under(t, end, 0);
	if (part >= 0)
		to->larger.at[to->larger.nr++] = part;
}

/*
 * If the next node of the path is not certain, list the candidates, from the largest down to the
 * first one that is certainly over its threshold.
 */
static void list_between(struct grid_verdict *to, const struct verdict_tree *t)
{
	int end = to->path.nr ? to->path.at[to->path.nr - 1] : -1;

	for (int i = 0; i < t->nr; i++) {
		const struct verdict_node *n = &t->nodes[i];

		if (n->parent == end && !n->useful && n->state >= VERDICT_UNCERTAIN &&
		    !to->nodes[i].impossible)
			add_sorted(t, &to->between, i);
	}
	to->or_none = to->between.nr;
	for (int i = 0; i < to->between.nr && to->or_none; i++) {
		if (t->nodes[to->between.at[i]].state != VERDICT_OVER)
			continue;
		to->between.nr = i + 1;
		to->or_none = false;
	}
}

static bool any_state(const struct verdict_tree *t, enum verdict_state state)
{
	for (int i = 0; i < t->nr; i++)
		if (t->nodes[i].state == state)
			return true;
	return false;
}

/*
 * Whether the first level adds up to 100 % of the slots. If not, a node was not measured, or
 * measured wrongly, and the largest of the other nodes may not be the bottleneck.
 */
static bool conclude__is_whole(struct grid_verdict *to)
{
	double sum = 0, error = 0;

	for (int i = 0; i < to->nr_nodes; i++) {
		if (to->nodes[i].level != 1 || !isfinite(to->nodes[i].value))
			continue;
		sum += to->nodes[i].value;
		error += to->nodes[i].error;
	}
	to->top = sum;
	/* With an unknown error nothing is certain, not even this. */
	return !sum || isnan(error) || fabs(sum - WHOLE_PERCENT) <= TOLERATED_PERCENT + error;
}

/* Return: number of misfits in @found, which the caller frees. */
static int find_misfits(const struct grid_verdict *to, struct misfit **found)
{
	*found = xcalloc(2 * (size_t)to->nr_nodes + 1, sizeof(**found));
	return misfits__find(to->nodes, to->nr_nodes, *found);
}

static char *misfit_text(const struct misfit *m, const struct grid_node *nodes)
{
	struct sb sb = SB_INIT;

	misfit__print(m, nodes, &sb);
	return sb__detach(&sb);
}

static void tell_misfits(struct grid_verdict *to)
{
	struct misfit *found;

	to->nr_misfits = find_misfits(to, &found);
	to->misfits = xcalloc(to->nr_misfits + 1, sizeof(*to->misfits));
	for (int i = 0; i < to->nr_misfits; i++)
		to->misfits[i] = misfit_text(&found[i], to->nodes);
	misfits__mark(to->nodes, to->nr_nodes, found, to->nr_misfits);
	free(found);
}

static bool is_impossible(const struct grid_verdict *to, int parent, int level)
{
	for (int i = 0; i < to->nr_nodes; i++)
		if (to->nodes[i].impossible && to->nodes[i].parent == parent &&
		    to->nodes[i].level == level)
			return true;
	return false;
}

static void drop_impossible(const struct grid_verdict *to, struct grid_nodes *list)
{
	int kept = 0;

	for (int i = 0; i < list->nr; i++)
		if (!to->nodes[list->at[i]].impossible)
			list->at[kept++] = list->at[i];
	list->nr = kept;
}

/* End the path before the first impossible node, and remove impossible nodes from the lists. */
static void cut_path(struct grid_verdict *to)
{
	struct grid_nodes *const lists[] = {&to->others, &to->uncertain, &to->may_be_over,
					    &to->open};

	for (int i = 0; i < to->path.nr; i++)
		if (to->nodes[to->path.at[i]].impossible)
			to->path.nr = i;
	for (int i = 0; i < array__nr(lists); i++)
		drop_impossible(to, lists[i]);
}

/* Set the reason why the first level does not add up, if known. */
static void tell_not_whole(struct grid_verdict *to, const struct verdicts *v,
			   const struct verdict_subject *s)
{
	struct sb reason = SB_INIT;

	to->outcome = OUTCOME_NOT_WHOLE;
	to->missing = verdicts__list_missing(v, s, to->row);
	to->hint = v->sums->opts->hint;
	sb__puts(&reason, "the first level does not add up to 100 %");
	if (*to->missing)
		sb__printf(&reason, "; not computed: %s", to->missing);
	if (to->hint)
		sb__printf(&reason, "; %s", to->hint);
	to->own_reason = sb__detach(&reason);
	to->reason = to->own_reason;
}

static enum grid_outcome outcome_of(const struct verdict_tree *t, int path)
{
	if (path)
		return OUTCOME_BOTTLENECK;
	if (any_state(t, VERDICT_UNCERTAIN))
		return OUTCOME_UNCERTAIN;
	return any_state(t, VERDICT_UNDER) ? OUTCOME_NOTHING_OVER : OUTCOME_UNKNOWN;
}

static enum verdict_doubt doubt_of(const struct verdict_subject *s, int node)
{
	enum verdict_doubt doubt = s->metrics[node].doubt;

	if (doubt == DOUBT_NONE && s->tree.nodes[node].error < s->tree.nodes[node].resolution)
		return DOUBT_STEPS;
	/* For an exact value, the doubt comes from another metric in its threshold. */
	if (doubt != DOUBT_NONE || s->tree.nodes[node].error <= 0)
		return doubt;
	return s->metrics[node].summed->metric->over_passes ? DOUBT_RUNS : DOUBT_ERROR;
}

/*
 * Errors from multiplexing shrink with the square root of the time. Note how many times as long a
 * run must be until no error reaches across a threshold, and whether fewer events suffice.
 */
static void tell_decision(struct grid_verdict *to, const struct verdict_subject *s)
{
	const struct verdict_tree *t = &s->tree;
	double times = 1;
	int level = 0;

	for (int i = 0; i < to->between.nr; i++) {
		const struct grid_node *n = &to->nodes[to->between.at[i]];
		enum verdict_doubt doubt = doubt_of(s, to->between.at[i]);
		double off = n->error / fabs(n->value - n->limit);

		if (t->nodes[to->between.at[i]].state != VERDICT_UNCERTAIN)
			continue;
		if (doubt != DOUBT_ERROR && doubt != DOUBT_FEW_TURNS)
			return;
		level = n->level > level ? n->level : level;
		/* The comparison is written so that NAN remains NAN. */
		times = off * off <= times ? times : off * off;
	}
	if (!level)
		return;
	to->times = times;
	for (int i = 0; i < t->nr; i++)
		if (t->nodes[i].level > level && isfinite(t->nodes[i].value))
			to->less_level = level;
}

static void list_doubts(struct grid_verdict *to, const struct verdict_subject *s)
{
	bool seen[DOUBT_NR] = { false };

	for (int i = 0; i < s->tree.nr; i++)
		if (s->tree.nodes[i].state == VERDICT_UNCERTAIN)
			seen[doubt_of(s, i)] = true;
	to->doubts = xcalloc(DOUBT_NR, sizeof(*to->doubts));
	to->reason = "";
	for (int i = DOUBT_NONE + 1; i < DOUBT_NR; i++) {
		if (!seen[i])
			continue;
		to->doubts[to->nr_doubts++] = doubts[i];
		to->reason = doubts[i].why;
	}
}

/* Return: the sibling of a node of the path that most intervals had on their paths; or -1. */
static int best_other(const struct grid_verdict *to, const struct verdict_subject *s)
{
	const struct grid_nodes before_end = { to->path.at, to->path.nr ? to->path.nr - 1 : 0 };
	int best = -1;

	for (int i = 0; i < s->tree.nr; i++) {
		int parent = s->tree.nodes[i].parent, same = s->metrics[i].same[to->row];

		if (has(&to->path, i) || !same || (parent >= 0 && !has(&before_end, parent)))
			continue;
		if (best < 0 || same > s->metrics[best].same[to->row])
			best = i;
	}
	return best;
}

static void count_intervals(struct grid_verdict *to, const struct verdict_subject *s)
{
	to->intervals = s->intervals[to->row];
	to->short_of = s->short_of[to->row];
	if (to->path.nr)
		to->same = s->metrics[to->path.at[to->path.nr - 1]].same[to->row];
	to->other = best_other(to, s);
	if (to->other >= 0)
		to->same_other = s->metrics[to->other].same[to->row];
}

static enum grid_parts parts_of(const struct verdict_subject *s, int node)
{
	if (!s->metrics[node].parts_level)
		return PARTS_NONE;
	if (!verdict_tree__has_parts(&s->tree, node))
		return s->metrics[node].summed->metric->deeper ? PARTS_NOT_COMPUTED :
								 PARTS_NOT_MEASURED;
	for (int i = 0; i < s->tree.nr; i++)
		if (s->tree.nodes[i].parent == node && s->tree.nodes[i].state == VERDICT_UNCERTAIN)
			return PARTS_UNCERTAIN;
	return PARTS_UNDER;
}

/* At a leaf, append the metric groups of resources with which Arm's methodology continues. */
static void tell_resources(const struct tables *tables, const struct report_options *o,
			   const char *name, struct sb *next, struct sb *groups)
{
	metrics__resources(tables, name, groups);
	if (!groups->len)
		return;
	sb__puts(next, o->again ?: "tma stat");
	metrics__put_options(sb__str(groups), next);
	sb__puts(next, o->program ?: "");
}

/* Note the command that measures the bottleneck's children, and events that show its place. */
static void tell_next(struct grid_verdict *to, const struct verdicts *v,
		      const struct verdict_subject *s, int node)
{
	const struct metrics_scope *scope = v->sums->plan->scope;
	const struct report_options *o = v->sums->opts;
	const char *name = s->tree.nodes[node].name;
	struct sb next = SB_INIT, group = SB_INIT, sample = SB_INIT, record = SB_INIT;

	to->parts = is_impossible(to, node, to->nodes[node].level + 1) ? PARTS_IMPOSSIBLE
									: parts_of(s, node);
	if (to->parts == PARTS_NOT_COMPUTED)
		sb__printf(&next, "%s --topdown --td-level %d --verdict",
			   o->read ?: "tma stat report", s->metrics[node].summed->metric->deeper);
	else if (to->parts == PARTS_NOT_MEASURED && s->modifier)
		sb__printf(&next, "%s -M %s_group:%s --verdict%s", o->again ?: "tma stat", name,
			   s->modifier, o->program ?: "");
	else if (to->parts == PARTS_NOT_MEASURED)
		sb__printf(&next, "%s --topdown --td-level %d --verdict%s", o->again ?: "tma stat",
			   s->metrics[node].parts_level, o->program ?: "");
	if (next.len && !s->modifier)
		sb__printf(&group, "%s_group", name);
	if (to->parts == PARTS_NONE && scope && scope->tables)
		tell_resources(scope->tables, o, name, &next, &group);
	if (scope && scope->tables)
		metrics__sampling(scope->tables, scope->machine,
				  &s->metrics[node].summed->metric->metric->info, &sample,
				  &record);
	to->next = sb__detach(&next);
	to->next_group = sb__detach(&group);
	to->sample = sb__detach(&sample);
	to->record = sb__detach(&record);
}

double verdicts__bound(double value, const char *unit)
{
	static const char *const of_less[] = {"uops", "ops", "instructions", "parent", NULL};
	double left = 1 - value / WHOLE_PERCENT;

	/* A share of the retired slots, or of a part of the time, does not limit the speedup. */
	for (int i = 0; of_less[i]; i++)
		if (text__has_suffix(unit, of_less[i]))
			return NAN;
	return unit__is_share(unit) && left > 0 && left < 1 ? 1 / left : NAN;
}

/* Note the meaning of the bottleneck, and the upper limit of the speedup without it. */
static void tell_meaning(struct grid_verdict *to, int node)
{
	const struct grid_node *n = &to->nodes[node];
	const struct metric_words *words = metric_words__find(n->name);

	if (words)
		to->words = (struct grid_words){words->plain, words->means, words->remedy};
	if (!n->useful)
		to->bound = verdicts__bound(n->value, n->unit);
}

static void conclude__subject(struct verdicts *v, struct verdict_subject *s, const struct grid *g,
			      struct grid_verdict *to)
{
	const char *cgroup = s->cgroup ? s->cgroup->name : "";

	to->cgroup = s->cgroup ? cgroup : NULL;
	while (to->cgroup_number < g->cgroups.nr &&
	       strcmp(g->cgroups.at[to->cgroup_number], cgroup))
		to->cgroup_number++;
	if (s->core) {
		to->core_name = s->core->name;
		if (v->sums->shares)
			to->share = share__of(v->sums, pmu__place(v->sums->machine, s->core),
					      to->row);
	}
	to->passes = v->sums->opts->nr_passes;
	to->other = -1;
	to->bound = to->times = NAN;
	to->assumes = v->errors && v->sums->opts->recorded;
	if (!verdicts__judge(v, s, to->row)) {
		verdicts__tell_lacking(to, v, s);
		return;
	}
	if (s->core && v->sums->shares &&
	    share__is_little(v->sums, pmu__place(v->sums->machine, s->core), to->row)) {
		to->outcome = OUTCOME_TOO_LITTLE;
		to->reason = "the task ran too little of its time on cores of this type";
		return;
	}
	copy_nodes(to, s);
	tell_misfits(to);
	if (!conclude__is_whole(to)) {
		tell_not_whole(to, v, s);
		return;
	}
	if (is_impossible(to, -1, 1)) {
		to->outcome = OUTCOME_IMPOSSIBLE;
		to->reason = "values of the first level are impossible";
		return;
	}
	list_nodes(to, &s->tree);
	cut_path(to);
	to->outcome = outcome_of(&s->tree, to->path.nr);
	list_between(to, &s->tree);
	list_larger(to, &s->tree);
	list_doubts(to, s);
	tell_decision(to, s);
	count_intervals(to, s);
	verdicts__tell_phases(s, to);
	if (!to->path.nr)
		return;
	tell_next(to, v, s, to->path.at[to->path.nr - 1]);
	tell_meaning(to, to->path.at[to->path.nr - 1]);
}

void verdicts__conclude(struct verdicts *v, struct grid *g)
{
	int rows = v->sums->nr_rows;

	verdicts__measure_passes(v);
	grid__free_verdicts(g);
	g->nr_verdicts = v->nr * rows;
	g->verdicts = xcalloc(g->nr_verdicts, sizeof(*g->verdicts));
	for (int i = 0; i < g->nr_verdicts; i++) {
		g->verdicts[i].row = i % rows;
		conclude__subject(v, &v->at[i / rows], g, &g->verdicts[i]);
	}
}

void verdicts__find_misfits(struct verdicts *v, const struct misfit_taker *taker)
{
	int rows = v->sums->nr_rows;

	verdicts__measure_passes(v);
	for (int i = 0; i < v->nr * rows; i++) {
		struct verdict_subject *s = &v->at[i / rows];
		struct grid_verdict of = {.row = i % rows};
		struct misfit *found;
		int nr;

		if (!verdicts__judge(v, s, of.row))
			continue;
		copy_nodes(&of, s);
		nr = find_misfits(&of, &found);
		for (int n = 0; n < nr; n++)
			taker->take(taker->arg, of.row, s->metrics[found[n].node].summed,
				    misfit_text(&found[n], of.nodes));
		free(found);
		free(of.nodes);
	}
}
