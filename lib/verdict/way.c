// SPDX-License-Identifier: GPL-2.0-only
/* Find the path down a TopDown tree from the verdicts of several measurements. */
#include "verdict/way.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "grid/grid.h"
#include "grid/unit.h"
#include "verdict/trees.h"
#include "verdict/way_functions.h"
#include "verdict/way_phases.h"

#define WHOLE_PERCENT 100.0
#define MOST_CHANGES 2 /* changes of the first level for which the path is restarted */

/* --- Lists of nodes -------------------------------------------------------------------------- */

void way_nodes__free(struct way_nodes *list)
{
	for (int i = 0; i < list->nr; i++) {
		free(list->at[i].name);
		free(list->at[i].unit);
	}
	vec__free(list);
}

static struct way_node *ways__find(struct way_nodes *list, const char *name)
{
	return vec__find(n, list, !strcmp(n->name, name));
}

/* Limit a share to the range of 0 to 100 %, which the true value cannot leave. */
static double way__within(double value, const char *unit)
{
	if (!unit__is_share(unit) || !isfinite(value))
		return value;
	return fmin(fmax(value, 0), WHOLE_PERCENT);
}

void way_nodes__add(struct way_nodes *list, const struct grid_node *n, int step)
{
	vec__push(list, ((struct way_node){
				.name = xstrdup(n->name),
				.unit = xstrdup(n->unit),
				.value = way__within(n->value, n->unit),
				.error = n->error,
				.level = n->level,
				.step = step,
				.useful = n->useful,
				.has_threshold = n->has_threshold,
				.has_parts = n->has_parts,
			}));
}

static void take_list(struct way_nodes *list, const struct grid_verdict *v,
		      const struct grid_nodes *from, int step)
{
	way_nodes__free(list);
	for (int i = 0; i < from->nr; i++)
		way_nodes__add(list, &v->nodes[from->at[i]], step);
}

/* --- A verdict ------------------------------------------------------------------------------- */

static struct way *way_of(struct ways *w, const struct grid_verdict *v)
{
	struct way *way = vec__find(
		a, w, text__same(a->core_name, v->core_name) && text__same(a->cgroup, v->cgroup));

	if (way)
		return way;
	vec__push(w, ((struct way){.core_name = v->core_name ? xstrdup(v->core_name) : NULL,
				   .cgroup = v->cgroup ? xstrdup(v->cgroup) : NULL,
				   .reason = xstrdup(""),
				   .remedy = xstrdup(""),
				   .groups = xstrdup(""),
				   .sample = xstrdup(""),
				   .record = xstrdup(""),
				   .misfits = xstrdup("")}));
	return &w->at[w->nr - 1];
}

static void ways__set(char **text, const char *to)
{
	free(*text);
	*text = xstrdup(to ? to : "");
}

static int ways__end_of(const struct grid_verdict *v)
{
	return v->path.nr ? v->path.at[v->path.nr - 1] : -1;
}

static bool ways__is_in(const struct grid_nodes *list, int node)
{
	for (int i = 0; i < list->nr; i++)
		if (list->at[i] == node)
			return true;
	return false;
}

static bool has_name(const struct grid_verdict *v, const struct grid_nodes *list, const char *name)
{
	for (int i = 0; i < list->nr; i++)
		if (!strcmp(v->nodes[list->at[i]].name, name))
			return true;
	return false;
}

/*
 * Return: how many nodes, from the start, the path of a verdict and the known path have in common.
 */
static int nr_common(const struct way *way, const struct grid_verdict *v)
{
	int nr = 0;

	while (nr < way->path.nr && nr < v->path.nr &&
	       !strcmp(way->path.at[nr].name, v->nodes[v->path.at[nr]].name))
		nr++;
	return nr;
}

/*
 * Whether a verdict contradicts the known path: its path leads elsewhere, or certainly ends before
 * a node of the known path. If this node is uncertain in the verdict, the measurement is merely
 * less exact.
 */
static bool contradicts(const struct way *way, const struct grid_verdict *v)
{
	int common = nr_common(way, v);
	const char *next;

	if (common == way->path.nr || v->outcome > OUTCOME_NOTHING_OVER)
		return false;
	if (common < v->path.nr)
		return true;
	next = way->path.at[common].name;
	return !has_name(v, &v->between, next) && !has_name(v, &v->uncertain, next) &&
	       !has_name(v, &v->open, next);
}

/* Whether a measurement has all nodes of the known path. Without them it cannot extend the path. */
static bool has_path(const struct way *way, const struct grid_verdict *v)
{
	int found = 0;

	for (int i = 0; i < way->path.nr; i++)
		for (int n = 0; n < v->nr_nodes; n++)
			found += !strcmp(way->path.at[i].name, v->nodes[n].name) &&
				 !isnan(v->nodes[n].value);
	return found == way->path.nr;
}

/*
 * Take the path of a verdict. A node that was measured before keeps the value with the smaller
 * error.
 */
static void take_path(struct way *way, const struct grid_verdict *v, int step)
{
	struct way_nodes before = way->path;

	way->path = (struct way_nodes){0};
	for (int i = 0; i < v->path.nr; i++) {
		const struct grid_node *n = &v->nodes[v->path.at[i]];
		struct way_node *old = ways__find(&before, n->name), *new;

		way_nodes__add(&way->path, n, step);
		new = &way->path.at[way->path.nr - 1];
		if (!old || !(old->error <= n->error))
			continue;
		new->value = old->value;
		new->error = old->error;
		new->step = old->step;
	}
	way_nodes__free(&before);
}

static void ways__drop(struct way_nodes *list, const char *name)
{
	struct way_node *n = ways__find(list, name);

	if (!n)
		return;
	free(n->name);
	free(n->unit);
	memmove(n, n + 1, (list->at + --list->nr - n) * sizeof(*n));
}

/*
 * Note which siblings of the path's nodes are ruled out: certainly not over their thresholds. A
 * sibling that an earlier measurement ruled out stays ruled out, unless this verdict differs. A
 * verdict without values rules nothing out.
 */
static void take_out(struct way *way, const struct grid_verdict *v, int step)
{
	if (v->outcome == OUTCOME_NOTHING_MEASURED || v->outcome > OUTCOME_NOTHING_OVER)
		return;
	for (int i = 0; i < v->nr_nodes; i++) {
		const struct grid_node *n = &v->nodes[i];
		bool beside = n->parent < 0 || ways__is_in(&v->path, n->parent);

		ways__drop(&way->out, n->name);
		if (beside && !isnan(n->value) && !n->useful && !n->impossible &&
		    !ways__is_in(&v->path, i) && !ways__is_in(&v->others, i) &&
		    !ways__is_in(&v->uncertain, i) && !ways__is_in(&v->open, i))
			way_nodes__add(&way->out, n, step);
	}
}

static enum way_state state_of(const struct grid_verdict *v)
{
	static const enum way_state of_parts[] = {
		[PARTS_NONE] = WAY_LEAF,
		[PARTS_UNDER] = WAY_UNDER,
		[PARTS_UNCERTAIN] = WAY_UNDECIDED,
		[PARTS_NOT_MEASURED] = WAY_GOES_ON,
		[PARTS_IMPOSSIBLE] = WAY_IMPOSSIBLE,
	};

	switch (v->outcome) {
	case OUTCOME_BOTTLENECK:
		/* Useful slots are not a loss: do not search their children. */
		return v->nodes[ways__end_of(v)].useful ? WAY_NO_LOSS : of_parts[v->parts];
	case OUTCOME_UNCERTAIN:
		return WAY_UNDECIDED;
	case OUTCOME_NOTHING_OVER:
		return WAY_NO_LOSS;
	case OUTCOME_NOTHING_MEASURED:
		return WAY_NOTHING;
	default:
		return WAY_NONE;
	}
}

/*
 * Take the candidates for the next node, the largest first: uncertain children of the path's end.
 */
static void take_between(struct way *way, const struct grid_verdict *v, int step)
{
	way_nodes__free(&way->between);
	for (int i = 0; i < v->uncertain.nr; i++) {
		const struct grid_node *n = &v->nodes[v->uncertain.at[i]];

		if (n->parent == ways__end_of(v))
			way_nodes__add(&way->between, n, step);
	}
}

/*
 * Choose the metric groups to measure next: what decides between the candidates, and the children
 * of all candidates.
 */
static void take_groups(const struct ways *w, struct way *way, const struct grid_verdict *v)
{
	auto_free(sb) groups = SB_INIT;

	if (way->state == WAY_GOES_ON || way->state == WAY_LEAF)
		sb__puts(&groups, v->next_group);
	else if (way->path.nr)
		sb__printf(&groups, "%s_group", way->path.at[way->path.nr - 1].name);
	else
		sb__puts(&groups, w->first_groups ?: "");
	ways__set(&way->groups, sb__str(&groups));
}

static void drop_end(struct way_nodes *list, int from)
{
	while (list->nr > from)
		ways__drop(list, list->at[list->nr - 1].name);
}

/*
 * After two measurements that contradict each other, end the path where both agree. The next node
 * of each becomes a candidate, and another measurement decides.
 */
static void turn_back(const struct ways *w, struct way *way, const struct grid_verdict *v)
{
	int common = nr_common(way, v);

	way_nodes__free(&way->between);
	if (common < v->path.nr)
		way_nodes__add(&way->between, &v->nodes[v->path.at[common]], w->steps);
	vec__push(&way->between, ((struct way_node){
					 .name = xstrdup(way->path.at[common].name),
					 .unit = xstrdup(way->path.at[common].unit),
					 .value = way->path.at[common].value,
					 .error = way->path.at[common].error,
					 .level = way->path.at[common].level,
					 .has_parts = way->path.at[common].has_parts,
					 .step = way->path.at[common].step,
				 }));
	drop_end(&way->path, common);
	way->turns_back++;
	way->state = WAY_UNDECIDED;
	ways__set(&way->reason, "two measurements contradict each other");
	ways__set(&way->remedy, "measure again, under the same load");
	ways__set(&way->sample, common == v->path.nr ? v->sample : "");
	ways__set(&way->record, common == v->path.nr ? v->record : "");
	take_groups(w, way, v);
}

/* Note the doubt of a measurement that is less certain than earlier ones. The path stays. */
static void note_doubt(const struct ways *w, struct way *way, const struct grid_verdict *v)
{
	way->state = WAY_UNDECIDED;
	way->tries++;
	ways__set(&way->reason, v->reason);
	ways__set(&way->remedy, v->nr_doubts ? v->doubts[v->nr_doubts - 1].remedy : "");
	take_groups(w, way, v);
}

static void take_verdict(const struct ways *w, struct way *way, const struct grid_verdict *v)
{
	int before = way->path.nr;

	if (v->outcome == OUTCOME_NOTHING_MEASURED && before)
		return;
	if (!has_path(way, v)) {
		way->tries++;
		return;
	}
	way->share = v->share.known ? v->share.percent : NAN;
	if (contradicts(way, v)) {
		turn_back(w, way, v);
		return;
	}
	if (v->path.nr < before) {
		note_doubt(w, way, v);
		return;
	}
	take_path(way, v, w->steps);
	take_out(way, v, w->steps);
	take_list(&way->others, v, &v->others, w->steps);
	way->state = state_of(v);
	take_between(way, v, w->steps);
	way->tries = way->path.nr > before ? 0 : way->tries + 1;
	ways__set(&way->reason, v->reason);
	ways__set(&way->remedy, v->nr_doubts ? v->doubts[v->nr_doubts - 1].remedy : "");
	ways__set(&way->sample, v->sample);
	ways__set(&way->record, v->record);
	take_groups(w, way, v);
}

/* Forget the path, which was found in an earlier phase of the first level. */
static void restart(struct way *way, uint64_t since_ns)
{
	way_nodes__free(&way->path);
	way_nodes__free(&way->others);
	way_nodes__free(&way->between);
	way_nodes__free(&way->out);
	way->state = WAY_GOES_ON;
	way->since_ns = since_ns;
	way->tries = way->turns_back = 0;
	way->stale = false;
}

/* Append sentences on impossible values that are not in the list yet. */
static void take_misfits(struct way *way, const struct grid_verdict *v)
{
	auto_free(sb) sb = SB_INIT;

	sb__puts(&sb, way->misfits);
	for (int i = 0; i < v->nr_misfits; i++)
		if (!text__has_item(sb__str(&sb), "\n", v->misfits[i]))
			sb__printf(&sb, "%s%s", sb.len ? "\n" : "", v->misfits[i]);
	ways__set(&way->misfits, sb__str(&sb));
}

static void follow_phases(struct ways *w, struct way *way, const struct grid *g,
			  const struct grid_verdict *v)
{
	if (way->stale)
		restart(way, w->begin_ns);
	/* Runs of a command are alike: the phases of the first run are used for all runs. */
	if (w->goes_on || w->steps == 1)
		way__take_rows(w, way, g, v);
	if (!w->goes_on || way->changes == MOST_CHANGES || !way__has_changed(way))
		return;
	restart(way, way->phases.at[way->phases.nr - 1].start_ns);
	way->changes++;
	if (way->since_ns <= w->begin_ns)
		return;
	/* The measurement covers two phases, but is used until the next one. */
	way->since_ns = w->begin_ns;
	way->stale = true;
}

void ways__begin(struct ways *w, uint64_t begin_ns)
{
	w->begin_ns = begin_ns;
	w->rows.times.nr = w->rows.values.nr = 0;
}

static double bound_of(const struct way *way)
{
	const struct way_node *end = way->path.nr ? &way->path.at[way->path.nr - 1] : NULL;

	return end && !end->useful ? verdicts__bound(end->value, end->unit) : NAN;
}

/*
 * If a later measurement finds a child larger than its parent, even with errors, the parent was
 * less certain than it seemed: its groups took turns while the program changed. Note this.
 */
static void doubt_wholes(struct way *way)
{
	for (int i = 1; i < way->path.nr; i++) {
		struct way_node *whole = &way->path.at[i - 1];
		const struct way_node *part = &way->path.at[i];

		if (whole->step != part->step && !strcmp(whole->unit, part->unit) &&
		    strcmp(part->unit, PARENT_UNIT) &&
		    part->value - part->error > whole->value + whole->error)
			whole->error = NAN;
	}
}

/*
 * A metric group that is measured for one path may also contain some nodes below the end of another
 * path, but not all. Such nodes must not extend a path that is at its end.
 */
void ways__take(struct ways *w, const struct grid *g)
{
	w->steps++;
	for (int i = 0; i < g->nr_verdicts; i++) {
		struct way *way = g->verdicts[i].row ? NULL : way_of(w, &g->verdicts[i]);

		if (!way || (way->state != WAY_NOTHING && ways__is_at_end(w, way)))
			continue;
		if (g->verdicts[i].outcome != OUTCOME_NOTHING_MEASURED)
			follow_phases(w, way, g, &g->verdicts[i]);
		take_misfits(way, &g->verdicts[i]);
		take_verdict(w, way, &g->verdicts[i]);
		doubt_wholes(way);
		if (way->stale) {
			way->state = WAY_GOES_ON;
			ways__set(&way->groups, w->first_groups);
		}
		way->until_ns = w->begin_ns + g->since_start_ns;
		way->bound = bound_of(way);
	}
}

bool ways__is_at_end(const struct ways *w, const struct way *way)
{
	bool stuck = way->tries > w->tries || way->turns_back > w->tries;

	return stuck || (way->state != WAY_GOES_ON && way->state != WAY_UNDECIDED);
}

/* Append metric groups that are not in the list yet: paths may have groups in common. */
static void ways__add_groups(const char *added, struct sb *groups)
{
	auto_free(sb) name = SB_INIT;
	int len;

	text__for_each_item(group, len, added, ",")
	{
		sb__clear(&name);
		sb__add(&name, group, len);
		if (!text__has_item(sb__str(groups), ",", sb__str(&name)))
			sb__printf(groups, "%s%s", groups->len ? "," : "", sb__str(&name));
	}
}

bool ways__next(const struct ways *w, struct sb *groups, bool *doubtful)
{
	const struct way *way;
	bool any = false;

	sb__clear(groups);
	*doubtful = false;
	vec__for_each (way, w) {
		if (ways__is_at_end(w, way))
			continue;
		any = true;
		*doubtful |= way->state == WAY_UNDECIDED || way->tries;
		ways__add_groups(way->groups, groups);
	}
	return any;
}

bool ways__add_branches(const struct ways *w, struct sb *groups)
{
	const struct way *way;
	size_t before = groups->len;

	vec__for_each (way, w) {
		if (ways__is_at_end(w, way) || way->state != WAY_UNDECIDED)
			continue;
		for (int i = 0; i < way->between.nr; i++)
			if (way->between.at[i].has_parts)
				sb__printf(groups, "%s%s_group", groups->len ? "," : "",
					   way->between.at[i].name);
	}
	return groups->len > before;
}

void ways__free(struct ways *w)
{
	struct way *way;

	vec__for_each (way, w) {
		struct way_nodes *const lists[] = {&way->path, &way->others, &way->between,
						   &way->out, &way->top};
		char *const texts[] = {way->core_name, way->cgroup, way->reason, way->remedy,
				       way->groups,    way->sample, way->record,
				       way->misfits};

		for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
			way_nodes__free(lists[i]);
		for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
			free(texts[i]);
		way__free_phases(way);
		way__free_functions(way);
	}
	vec__free(&w->rows.times);
	vec__free(&w->rows.values);
	arena__free(&w->memory);
	vec__free(w);
}
