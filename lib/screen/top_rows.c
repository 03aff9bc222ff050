// SPDX-License-Identifier: GPL-2.0-only
/* Keep the model's rows: places, sorted by the slots that each has lost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "screen/internal.h"

#define PERCENT 100
#define NS_PER_S 1e9

/**
 * struct top_loss - the slots that a place lost on one core type
 * @core:  number of the core type; @cgroup: as grid_column.cgroup_number
 * @value: the part of the slots, in %, that was lost, or that belongs to the branch if a branch is
 *         counted
 * @end:   column of the bottleneck, or -1
 */
struct top_loss {
	int core, cgroup, end;
	double value;
};

/* --- CPU time -------------------------------------------------------------------------------- */

/* Whether an event has a name, perhaps with modifiers: "page-faults:u". */
static bool top_rows__is(const char *name, const char *word)
{
	return text__is(name, strcspn(name, ":"), word);
}

/* Whether an event counts CPU time. */
static bool is_cpu_time(const char *name)
{
	return top_rows__is(name, "user_time") || top_rows__is(name, "system_time") ||
	       top_rows__is(name, "task-clock") || top_rows__is(name, "cpu-clock");
}

double top__cpu_time(const struct grid *g, int row, int cgroup)
{
	double ns = 0;
	bool known = false;

	for (int i = 0; i < g->nr_columns && g->elapsed_ns; i++) {
		const struct grid_column *c = &g->columns[i];
		const struct grid_cell *cell = grid__cell(g, i, row);

		if (c->kind != GRID_EVENT || c->cgroup_number != cgroup || !is_cpu_time(c->name) ||
		    cell->status >= CELL_NOT_COUNTED || !isfinite(cell->value))
			continue;
		/* The count is in ns, even if the value is printed in another unit. */
		ns += cell->count;
		known = true;
	}
	return known ? ns / g->elapsed_ns : NAN;
}

/* Return: the rate of a software event per second; NAN if it was not counted. */
static double top_rows__rate_of(const struct grid *g, int row, int cgroup, const char *name)
{
	for (int i = 0; i < g->nr_columns && g->elapsed_ns; i++) {
		const struct grid_column *c = &g->columns[i];
		const struct grid_cell *cell = grid__cell(g, i, row);

		if (c->kind == GRID_EVENT && c->cgroup_number == cgroup &&
		    top_rows__is(c->name, name) &&
		    cell->status < CELL_NOT_COUNTED)
			return cell->count * NS_PER_S / g->elapsed_ns;
	}
	return NAN;
}

static void take_kernels(struct top_row *to, const struct grid *g, int row, int cgroup)
{
	to->cpus = top__cpu_time(g, row, cgroup);
	to->switches = top_rows__rate_of(g, row, cgroup, "context-switches");
	to->faults = top_rows__rate_of(g, row, cgroup, "page-faults");
}

/* --- The bottleneck -------------------------------------------------------------------------- */

static bool is_there(const struct grid *g, int column, int row, int core, int cgroup)
{
	const struct grid_column *c = &g->columns[column];
	const struct grid_cell *cell = grid__cell(g, column, row);

	return c->kind == GRID_METRIC && c->level > 0 && c->core == core &&
	       c->cgroup_number == cgroup && cell->status < CELL_NOT_COUNTED &&
	       isfinite(cell->value);
}

/*
 * Find the largest child of column @above that is over its threshold, or has no threshold. @above:
 * -1 for the first level. Return: column of the child, or -1.
 */
static int largest_over(const struct grid *g, int row, const struct top_loss *loss, int above)
{
	int best = -1;

	for (int i = 0; i < g->nr_columns; i++) {
		const struct grid_cell *cell = grid__cell(g, i, row);

		if (g->columns[i].parent != above ||
		    !is_there(g, i, row, loss->core, loss->cgroup) || !cell->threshold ||
		    (above < 0 && top__is_retiring(g->columns[i].name)))
			continue;
		if (best < 0 || cell->value > grid__cell(g, best, row)->value)
			best = i;
	}
	return best;
}

static int find_end(const struct grid *g, int row, const struct top_loss *loss)
{
	int end = largest_over(g, row, loss, -1), next = end;

	while (next >= 0) {
		end = next;
		next = largest_over(g, row, loss, end);
	}
	return end;
}

/* Find the column of a metric. Return: the column; -1 if it has no value in the row. */
static int top_rows__find_column(const struct grid *g, int row, const struct top_loss *loss,
				 const char *name)
{
	for (int i = 0; i < g->nr_columns; i++)
		if (is_there(g, i, row, loss->core, loss->cgroup) &&
		    (name ? !strcmp(g->columns[i].name, name)
			  : g->columns[i].level == 1 && top__is_retiring(g->columns[i].name)))
			return i;
	return -1;
}

/* Find which slots a place lost. Return: whether something is known of its slots. */
static bool find_loss(const struct top *t, const struct grid *g, int row, struct top_loss *loss)
{
	const char *branch = t->branch >= 0 ? t->nodes.at[t->branch].name : NULL;
	int column = top_rows__find_column(g, row, loss, branch);

	if (column < 0)
		return false;
	loss->value = grid__cell(g, column, row)->value;
	if (!branch)
		loss->value = PERCENT - loss->value;
	loss->end = branch ? column : -1;
	if (branch) {
		int part = largest_over(g, row, loss, column);

		loss->end = part >= 0 ? part : column;
	} else {
		loss->end = find_end(g, row, loss);
		if (loss->end < 0)
			loss->end = column;
	}
	return true;
}

/* --- Rows ------------------------------------------------------------------------------------ */

struct top_row *top__row_for(struct top *t, int key, const char *name)
{
	for (int i = 0; i < t->rows.nr; i++)
		if (t->rows.at[i].key == key && !strcmp(t->rows.at[i].name, name))
			return &t->rows.at[i];
	vec__push(&t->rows, ((struct top_row){.key = key, .name = xstrdup(name)}));
	return &t->rows.at[t->rows.nr - 1];
}

static const char *top_rows__why_not(const struct grid *g, int row)
{
	for (int i = 0; i < g->nr_columns; i++) {
		const struct grid_cell *cell = grid__cell(g, i, row);

		if (g->columns[i].kind == GRID_METRIC && cell->status >= CELL_NOT_COUNTED &&
		    cell->status != CELL_ABSENT)
			return cell__words(cell) ?: cell_status__name(cell->status);
	}
	return NULL;
}

void top__set_bottleneck(struct top_row *row, const char *name)
{
	if (row->bottleneck && name && !strcmp(row->bottleneck, name))
		return;
	free(row->bottleneck);
	row->bottleneck = name ? xstrdup(name) : NULL;
}

static void set_bottleneck(struct top_row *to, const struct grid *g, int row,
			   const struct top_loss *loss)
{
	const struct grid_cell *cell = grid__cell(g, loss->end, row);
	const char *name = g->columns[loss->end].name;

	top__set_bottleneck(to, name);
	to->value = cell->value;
	to->error = cell->more->error;
	to->useful = g->columns[loss->end].level == 1 && top__is_retiring(name);
}

/*
 * Return: a place's CPU time on a core type. If this part is unknown, return all of its CPU time.
 */
static double time_on(const struct grid *g, int row, int core, double cpus)
{
	const struct grid_share *share = g->shares ? grid__share(g, core, row) : NULL;

	return share && share->known ? cpus * share->percent / PERCENT : cpus;
}

/* Take a row. With several core types, the bottleneck is from the type with the largest loss. */
static void top_rows__take_row(struct top *t, struct top_row *to, const struct grid *g, int row,
			       int cgroup)
{
	int cores = g->cores.nr ? g->cores.nr : 1, found = 0;
	double most = -1, lost = 0;

	to->now = true;
	take_kernels(to, g, row, cgroup);
	for (int core = 0; core < cores; core++) {
		struct top_loss loss = {.core = core, .cgroup = cgroup, .end = -1};
		double here;

		if (!find_loss(t, g, row, &loss))
			continue;
		here = time_on(g, row, core, isnan(to->cpus) ? 1 : to->cpus) * loss.value / PERCENT;
		lost += here;
		found++;
		if (here <= most)
			continue;
		most = here;
		set_bottleneck(to, g, row, &loss);
	}
	to->why = found ? NULL : top_rows__why_not(g, row);
	/* A cgroup's time on each core type is unknown. */
	to->lost = found == 1 || (found && g->shares) ? lost : NAN;
	if (isnan(to->cpus))
		to->lost = NAN;
	if (!found)
		to->value = NAN;
}

/* Take the row of one core type: core types are columns of the grid, which has one row. */
static void take_core_type(struct top *t, const struct grid *g, int core)
{
	const char *name = g->cores.nr ? g->cores.at[core] : "all CPUs";
	struct top_row *to = top__row_for(t, core, name);
	struct top_loss loss = {.core = core, .end = -1};

	to->now = true;
	take_kernels(to, g, 0, 0);
	if (g->cores.nr)
		to->cpus = NAN;
	to->lost = NAN;
	to->value = NAN;
	if (!find_loss(t, g, 0, &loss)) {
		to->why = top_rows__why_not(g, 0);
		return;
	}
	to->why = NULL;
	/* If the CPU time of a core type is unknown, this is NAN. */
	to->lost = to->cpus * loss.value / PERCENT;
	set_bottleneck(to, g, 0, &loss);
}

static void take_cgroup(struct top *t, const struct grid *g, int cgroup)
{
	const char *name = g->cgroups.at[cgroup];

	top_rows__take_row(t, top__row_for(t, cgroup, *name ? name : "/"), g, 0, cgroup);
}

static void take_place(struct top *t, const struct grid *g, int row)
{
	const struct grid_row *place = &g->rows[row];
	struct top_row *to;
	int key;

	if (t->shows == TOP_CPUS) {
		key = place->at[PLACE_CPU];
		to = top__row_for(t, key, "");
	} else {
		key = place->at[PLACE_THREAD];
		to = top__row_for(t, key, place->comm ?: "");
	}
	to->numbered = true;
	top_rows__take_row(t, to, g, row, 0);
	to->now = !t->opts.hide_idle || t->shows != TOP_PROCESSES || to->cpus > 0;
}

void top__free_row(struct top_row *row)
{
	free(row->name);
	free(row->bottleneck);
	free(row->object);
}

void top__forget_rows(struct top *t)
{
	for (int i = 0; i < t->rows.nr; i++)
		top__free_row(&t->rows.at[i]);
	t->rows.nr = t->scroll_rows = 0;
}

void top__drop_rows(struct top *t)
{
	if (!t->held)
		top__forget_rows(t);
}

static void drop_gone(struct top *t)
{
	int kept = 0;

	for (int i = 0; i < t->rows.nr; i++) {
		if (t->rows.at[i].now) {
			t->rows.at[kept++] = t->rows.at[i];
			continue;
		}
		top__free_row(&t->rows.at[i]);
	}
	t->rows.nr = kept;
}

void top__take_rows(struct top *t, const struct grid *g)
{
	int cores = g->cores.nr ? g->cores.nr : 1;

	if (t->held)
		return;
	for (int i = 0; i < t->rows.nr; i++)
		t->rows.at[i].now = false;
	if (t->shows == TOP_CORE_TYPES)
		for (int core = 0; core < cores; core++)
			take_core_type(t, g, core);
	else if (t->shows == TOP_CGROUPS)
		for (int i = 0; i < g->cgroups.nr; i++)
			take_cgroup(t, g, i);
	else if (t->shows == TOP_FUNCTIONS)
		top__take_functions(t, g);
	else
		for (int row = 0; row < g->nr_rows; row++)
			take_place(t, g, row);
	drop_gone(t);
	top__sort_rows(t);
}

/* --- Order and filter ------------------------------------------------------------------------ */

/* Unknown values come last. */
static int by_number(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a < b) - (a > b);
}

static int top_rows__by_name(const struct top_row *a, const struct top_row *b)
{
	return strcasecmp(a->name, b->name) ?: (a->key > b->key) - (a->key < b->key);
}

static int by_value(const struct top_row *a, const struct top_row *b)
{
	return by_number(a->value, b->value) ?: top_rows__by_name(a, b);
}

static int by_cpus(const struct top_row *a, const struct top_row *b)
{
	return by_number(a->cpus, b->cpus) ?: top_rows__by_name(a, b);
}

static int by_switches(const struct top_row *a, const struct top_row *b)
{
	return by_number(a->switches, b->switches) ?: by_cpus(a, b);
}

static int by_faults(const struct top_row *a, const struct top_row *b)
{
	return by_number(a->faults, b->faults) ?: by_cpus(a, b);
}

static int top_rows__by_share(const struct top_row *a, const struct top_row *b)
{
	return by_number(a->share, b->share) ?: top_rows__by_name(a, b);
}

static int by_lost(const struct top_row *a, const struct top_row *b)
{
	return by_number(a->lost, b->lost) ?: by_cpus(a, b);
}

static const struct {
	const char *name;
	int (*compare)(const struct top_row *a, const struct top_row *b);
} sorts[SORT_NR] = {
	[SORT_LOST] = {"LOST", by_lost},
	[SORT_CPUS] = {"CPUs", by_cpus},
	[SORT_VALUE] = {"%", by_value},
	[SORT_SWITCHES] = {"SWITCHES", by_switches},
	[SORT_FAULTS] = {"FAULTS", by_faults},
	[SORT_SHARE] = {"SHARE", top_rows__by_share},
	[SORT_NAME] = {"name", top_rows__by_name},
};

/*
 * Whether rows can be sorted by a key. Without a tree, losses are unknown, and rows have rates of
 * the kernel's events.
 */
static bool is_sort(const struct top *t, enum top_sort sort)
{
	bool kernels = sort == SORT_SWITCHES || sort == SORT_FAULTS;

	if (t->shows == TOP_FUNCTIONS || sort == SORT_SHARE)
		return sort == SORT_NAME ||
		       (t->shows == TOP_FUNCTIONS &&
			(sort == SORT_SHARE || (sort == SORT_VALUE && !t->opts.software)));
	return sort == SORT_CPUS || sort == SORT_NAME || kernels == t->opts.software;
}

enum top_sort top__sort_first(const struct top *t)
{
	return t->shows == TOP_FUNCTIONS ? SORT_SHARE : t->opts.software ? SORT_CPUS : SORT_LOST;
}

void top__next_sort(struct top *t)
{
	do {
		t->sort = (t->sort + 1) % SORT_NR;
	} while (!is_sort(t, t->sort));
	top__sort_rows(t);
}

const char *top__sort_name(enum top_sort sort)
{
	return sorts[sort].name;
}

void top__sort_rows(struct top *t)
{
	if (t->rows.nr)
		qsort(t->rows.at, t->rows.nr, sizeof(*t->rows.at),
		      (int (*)(const void *, const void *))sorts[t->sort].compare);
}

bool top__has_match(const struct top *t, const struct top_row *row)
{
	return !t->filter.len || strcasestr(row->name, t->filter.buf) ||
	       (row->object && strcasestr(row->object, t->filter.buf)) ||
	       (row->bottleneck && strcasestr(row->bottleneck, t->filter.buf));
}

/* --- Selection ------------------------------------------------------------------------------- */

static bool is_selected(const struct top *t, const struct top_row *row)
{
	return row->key == t->row_key &&
	       (row->key || !strcmp(row->name, sb__str(&t->row_name)));
}

int top__selected_row(const struct top *t)
{
	int first = -1;

	for (int i = t->rows.nr - 1; i >= 0; i--) {
		const struct top_row *row = &t->rows.at[i];

		if (!top__has_match(t, row))
			continue;
		if (is_selected(t, row))
			return i;
		first = i;
	}
	return first;
}

void top__move_row(struct top *t, int by)
{
	int at = top__selected_row(t), step = by < 0 ? -1 : 1;

	for (int i = at + step; by && i >= 0 && i < t->rows.nr; i += step) {
		if (!top__has_match(t, &t->rows.at[i]))
			continue;
		at = i;
		by -= step;
	}
	if (at < 0)
		return;
	t->row_key = t->rows.at[at].key;
	sb__clear(&t->row_name);
	sb__puts(&t->row_name, t->rows.at[at].name);
}
