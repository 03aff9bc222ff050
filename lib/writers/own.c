// SPDX-License-Identifier: GPL-2.0-only
/*
 * The part that tma's own formats share: which cells they print, under which names, with which
 * times and places.
 */
#include "writers/own.h"
#include "grid/unit.h"

#include <math.h>
#include <string.h>

#include "base/fixed.h"
#include "base/strmap.h"

const struct grid_column *own__column(const struct writer *w, int column)
{
	return &w->grid->columns[w->own->columns[column].number];
}

const struct grid_cell *own__cell(const struct writer *w, int column, int row)
{
	return grid__cell(w->grid, w->own->columns[column].number, row);
}

/* --- Columns --------------------------------------------------------------------------------- */

/*
 * Rates are not printed: a rate is a count divided by the length of its row, and both are printed.
 */
static bool is_printed(const struct grid_column *c)
{
	return c->kind == GRID_EVENT || c->kind == GRID_METRIC || c->kind == GRID_WHOLE ||
	       (c->kind == GRID_RATIO && c->possible);
}

static int own__compare(const void *a, const void *b, void *writer)
{
	const struct own_column *oa = a, *ob = b;
	const struct writer *w = writer;
	const struct grid_column *ca = &w->grid->columns[oa->number];
	const struct grid_column *cb = &w->grid->columns[ob->number];

	if (ca->cgroup_number != cb->cgroup_number)
		return ca->cgroup_number - cb->cgroup_number;
	if (w->opts.metric_only && ca->core != cb->core)
		return grid__cmp_cores(w->grid, ca->core, cb->core);
	if (w->opts.metric_only && ca->rank != cb->rank)
		return ca->rank - cb->rank;
	return oa->number - ob->number;
}

/*
 * Count the columns with the same name, PMU and cgroup, including this one: several metrics whose
 * events are grouped separately may count the same event.
 */
static int count_name(struct strmap *names, int cgroup, const char *pmu, const char *name)
{
	struct sb key = SB_INIT;
	int nr;

	sb__printf(&key, "%d [%s] %s", cgroup, pmu, name);
	nr = strmap__get(names, sb__str(&key));
	nr = nr < 0 ? 1 : nr + 1;
	strmap__put(names, sb__str(&key), nr);
	sb__free(&key);
	return nr;
}

static void own__name_column(struct writer *w, struct own_column *to, struct strmap *names)
{
	const struct grid_column *c = &w->grid->columns[to->number];
	/* The name of an event on a core type begins with the type already. */
	bool has_pmu = (c->kind != GRID_EVENT || c->apart) && *c->pmu;
	int nr = count_name(names, c->cgroup_number, has_pmu ? c->pmu : "", c->name);
	struct sb name = SB_INIT, heading = SB_INIT;

	sb__puts(&name, c->name);
	if (nr > 1)
		sb__printf(&name, " #%d", nr);
	sb__puts(&heading, sb__str(&name));
	if (has_pmu)
		sb__printf(&heading, " [%s]", c->pmu);
	to->label = arena__keep(&w->memory, xstrdup(sb__str(&heading)));
	if (*c->unit)
		sb__printf(&heading, " (%s)", unit__common(c->unit));
	to->unit = dress(w, unit__common(c->unit));
	to->share_of = c->share_of ? dress(w, c->share_of) : NULL;
	to->of = dress(w, c->of);
	to->pmu = dress(w, c->pmu);
	to->name = dress_sb(w, &name);
	to->heading = arena__keep(&w->memory, sb__detach(&heading));
}

static void own__add_columns(struct writer *w)
{
	const struct grid *g = w->grid;
	struct own *own = w->own;
	struct strmap *names = strmap__new();

	own->columns = arena__calloc(&w->memory, g->nr_columns, sizeof(*own->columns));
	for (int i = 0; i < g->nr_columns; i++)
		if (is_printed(&g->columns[i]))
			own->columns[own->nr_columns++].number = i;
	qsort_r(own->columns, own->nr_columns, sizeof(*own->columns), own__compare, w);
	own->cgroups = arena__calloc(&w->memory, g->cgroups.nr, sizeof(*own->cgroups));
	for (int i = 0; i < g->cgroups.nr; i++)
		own->cgroups[i].name = dress(w, g->cgroups.at[i]);
	for (int i = 0; i < own->nr_columns; i++) {
		struct own_cgroup *cgroup = &own->cgroups[own__column(w, i)->cgroup_number];

		if (!cgroup->nr++)
			cgroup->first = i;
		own__name_column(w, &own->columns[i], names);
	}
	strmap__free(names);
}

static bool own__is_shown(const struct writer *w, const struct own_place *at)
{
	own__for_each(i, w, at) {
		const struct grid_cell *cell = own__cell(w, i, at->row);
		bool assumed;

		if (cell->status == CELL_ABSENT)
			continue;
		/* Rows in which nothing ran have assumed values, too. */
		assumed = cell->status == CELL_ASSUMED && own__column(w, i)->kind == GRID_EVENT;
		if (!w->grid->skip_idle || (cell->value > 0 && isfinite(cell->value) && !assumed))
			return true;
	}
	return false;
}

bool own__next(const struct writer *w, struct own_place *at)
{
	do {
		if (++at->row >= w->grid->nr_rows) {
			at->row = 0;
			at->cgroup++;
		}
		if (at->cgroup >= w->grid->cgroups.nr || !w->grid->nr_rows)
			return false;
	} while (!own__is_shown(w, at));
	return true;
}

/* --- Keys ------------------------------------------------------------------------------------ */

const struct own_key_info own_keys[KEY_NR] = {
	[KEY_TIME] = { "time", false },
	[KEY_LENGTH] = { "length", false },
	[KEY_ROW] = { "row", true },
#define X(place, key, ...) [KEY_PLACE + PLACE_##place] = { key, false },
	GRID_PLACES(X)
#undef X
	[KEY_COMM] = { "comm", true },
	[KEY_FUNCTION] = {"function", true},
	[KEY_LINE] = {"line", true},
	[KEY_OBJECT] = {"object", true},
	[KEY_NEAR] = {"near", false},
	[KEY_BOTTLENECK] = {"bottleneck", true},
	[KEY_CPUS] = { "cpus", false },
	[KEY_CGROUP] = { "cgroup", true },
};

static const char *const spans[] = {
	[SPAN_INTERVAL] = "interval",
	[SPAN_RUN] = "run",
	[SPAN_MEAN] = "mean",
};

static bool own__is_wanted(const struct grid *g, enum own_key key)
{
	switch (key) {
	case KEY_COMM:
		return g->aggr == AGGR_THREAD;
	case KEY_FUNCTION:
		return g->aggr == AGGR_FUNCTION;
	case KEY_LINE:
		return g->aggr == AGGR_LINE;
	case KEY_OBJECT:
	case KEY_NEAR:
	case KEY_BOTTLENECK:
		return row_kind__is_site(g->aggr);
	case KEY_CPUS:
		return g->counts_cpus && g->aggr != AGGR_NONE;
	case KEY_CGROUP:
		return g->has_cgroups;
	default:
		return key < KEY_PLACE || row_kinds[g->aggr].places & 1u << (key - KEY_PLACE);
	}
}

/* The time of counts that were read from text may be unknown. */
static void print_time(struct sb *sb, uint64_t ns)
{
	if (ns)
		seconds__print(sb, ns);
}

void own_key__print(struct writer *w, enum own_key key, const struct own_place *at,
		    const struct grid_cell *cell, struct sb *sb)
{
	const struct grid_row *row = &w->grid->rows[at->row];
	int place;

	switch (key) {
	case KEY_TIME:
		print_time(sb, w->grid->since_start_ns);
		break;
	case KEY_LENGTH:
		print_time(sb, w->grid->elapsed_ns);
		break;
	case KEY_ROW:
		sb__puts(sb, spans[w->grid->span]);
		break;
	case KEY_COMM:
	case KEY_FUNCTION:
	case KEY_LINE:
		sb__puts(sb, w->own->comms[at->row]);
		break;
	case KEY_OBJECT:
		sb__puts(sb, w->own->objects[at->row]);
		break;
	case KEY_NEAR:
		sb__puts(sb, row->near ? "1" : "0");
		break;
	case KEY_BOTTLENECK:
		sb__puts(sb, w->own->bottlenecks[at->row]);
		break;
	case KEY_CPUS:
		fixed__print_u64(sb, cell ? cell->nr : row->nr_units - row->nr_unseen, 1);
		break;
	case KEY_CGROUP:
		sb__puts(sb, w->own->cgroups[at->cgroup].name);
		break;
	default:
		place = grid_row__place(row, key - KEY_PLACE);
		if (place >= 0)
			fixed__print_u64(sb, place, 1);
		break;
	}
}

/* --- All of it ------------------------------------------------------------------------------- */

static const char *dress_or_none(struct writer *w, const char *text)
{
	return dress(w, text ?: "");
}

void own__name_rows(struct writer *w)
{
	for (int i = 0; i < w->grid->nr_rows; i++) {
		const struct grid_row *row = &w->grid->rows[i];

		w->own->comms[i] = dress_or_none(w, row->comm);
		w->own->objects[i] = dress_or_none(w, row->object);
		w->own->bottlenecks[i] = dress_or_none(w, row->bottleneck);
	}
}

void own__begin(struct writer *w)
{
	const struct grid *g = w->grid;
	struct own *own = w->own = arena__calloc(&w->memory, 1, sizeof(*own));

	own__add_columns(w);
	own->comms = arena__calloc(&w->memory, g->nr_rows, sizeof(*own->comms));
	own->objects = arena__calloc(&w->memory, g->nr_rows, sizeof(*own->objects));
	own->bottlenecks = arena__calloc(&w->memory, g->nr_rows, sizeof(*own->bottlenecks));
	own__name_rows(w);
	for (enum own_key key = 0; key < KEY_NR; key++)
		if (own__is_wanted(g, key))
			own->keys[own->nr_keys++] = key;
}

/* --- Cells ----------------------------------------------------------------------------------- */

void number__print(struct sb *sb, double number)
{
	if (isfinite(number))
		sb__printf(sb, "%.15g", number);
}

double cell__error(const struct grid_cell *cell)
{
	return isfinite(cell->value) ? cell->more->error : (double)NAN;
}
