// SPDX-License-Identifier: GPL-2.0-only
/* Make, sort and describe the rows of functions or files in a comparison. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "verdict/comparison.h"

#define MOST_NAMED 3	 /* greatest number of sites in one line */
#define MOST_WIDTH 60	 /* greatest width of a name in this line, in columns */
#define LEAST_PERCENT 10 /* least part of the difference, in %, that a named site explains */

/* --- Rows ---------------------------------------------------------------------------------- */

static void set_kind(struct compared *row, enum compared_kind kind, const char *unit, int parent)
{
	row->kind = kind;
	free(row->unit);
	row->unit = xstrdup(unit);
	row->parent = parent;
	row->depth = parent >= 0;
}

static int put_site(struct comparison *c, int match, const char *name, const char *object)
{
	int index = comparison__new_row(c, name, NULL, NULL);
	struct compared *row = &c->at[index];

	set_kind(row, COMPARED_SITE, c->sites.unit, -1);
	row->object = xstrdup(object);
	for (int side = 0; side < c->nr_sides; side++)
		compared_sites__series(&c->sites, match, side, &row->series[side]);
	return index;
}

static void copy_series(const struct series *from, struct series *to)
{
	for (int i = 0; i < from->nr; i++)
		series__add(to, from->at[i], 0);
	to->errors = from->errors;
	to->nr_errors = from->nr_errors;
}

/* Find the row of a site's node from row @first on: another side may have added the row. */
static int find_node(const struct comparison *c, int first, const char *name, const char *core_name)
{
	for (int i = first; name && i < c->nr; i++)
		if (!strcmp(c->at[i].name, name) && text__same(c->at[i].core_name, core_name))
			return i;
	return -1;
}

static void site_rows__put_node(struct comparison *c, int site, int side,
				const struct site_node *node)
{
	int index = find_node(c, site + 1, node->name, node->core_name);

	if (index < 0)
		index = comparison__new_row(c, node->name, node->core_name, NULL);
	set_kind(&c->at[index], COMPARED_SITE_NODE, node->unit, site);
	c->at[index].level = node->level;
	copy_series(&node->series[side], &c->at[index].series[side]);
}

static void set_parents(struct comparison *c, int site, const struct compared_site *of)
{
	for (int i = 0; i < of->nodes.nr; i++) {
		const struct site_node *node = &of->nodes.at[i];
		int own = find_node(c, site + 1, node->name, node->core_name);
		int parent = find_node(c, site + 1, node->parent, node->core_name);

		if (own >= 0 && parent >= 0 && own != parent)
			c->at[own].parent = parent;
	}
}

/*
 * Drop nodes without a value on some side: there the function may run too briefly for a
 * measurement.
 */
static void drop_unknown(struct comparison *c, int first)
{
	for (int i = first; i < c->nr; i++)
		for (int side = 0; side < c->nr_sides; side++)
			if (c->at[i].series[side].nr < 1)
				c->at[i].kind = COMPARED_NOTHING;
}

static void put_nodes(struct comparison *c, int match, int row)
{
	for (int side = 0; side < c->nr_sides; side++) {
		int site = compared_sites__main(&c->sites, match, side);

		for (int i = 0; site >= 0 && i < c->sites.at[site].nodes.nr; i++)
			site_rows__put_node(c, row, side, &c->sites.at[site].nodes.at[i]);
		if (site >= 0)
			set_parents(c, row, &c->sites.at[site]);
	}
	drop_unknown(c, row + 1);
}

static void put_others(struct comparison *c)
{
	int nr = compared_sites__nr_folded(&c->sites);
	char name[32];

	snprintf(name, sizeof(name), "%d other%s", nr, nr == 1 ? "" : "s");
	if (nr)
		c->others = put_site(c, SITES_FOLDED, nr < 0 ? "others" : name, NULL);
}

void comparison__put_sites(struct comparison *c)
{
	struct compared_sites *s = &c->sites;

	c->all_sites = c->others = -1;
	if (!s->kind)
		return;
	compared_sites__match(s);
	c->all_sites = put_site(c, SITES_ALL, "all", NULL);
	for (int i = 0; i < s->matches.nr; i++) {
		int row;

		if (s->matches.at[i].folded)
			continue;
		row = put_site(c, i, s->matches.at[i].name, s->matches.at[i].object);
		put_nodes(c, i, row);
	}
	put_others(c);
}

/* --- Order --------------------------------------------------------------------------------- */

static bool site_rows__is_changed(const struct compared *row, int side)
{
	return row->with[side].change == CHANGE_MORE || row->with[side].change == CHANGE_LESS;
}

/** struct ranked_site - the row of a site, with the difference of its time */
struct ranked_site {
	int row;
	double by, of;
};

static int by_difference(const void *va, const void *vb)
{
	const struct ranked_site *a = va, *b = vb;

	if (a->by != b->by)
		return (a->by < b->by) - (a->by > b->by);
	return (a->of < b->of) - (a->of > b->of);
}

/* Sort the sites that have their own rows by difference. Return: how many there are. */
static int rank_sites(const struct comparison *c, int side, struct ranked_site *out)
{
	int nr = 0;

	for (int i = 0; i < c->nr; i++) {
		const struct difference *d = &c->at[i].with[side];

		if (c->at[i].kind == COMPARED_SITE && i != c->all_sites && i != c->others)
			out[nr++] = (struct ranked_site){i, isnan(d->by) ? 0 : fabs(d->by),
							 fmax(d->a, d->b)};
	}
	qsort(out, nr, sizeof(*out), by_difference);
	return nr;
}

/* Add a site, then its nodes that certainly changed, beginning with the largest change. */
static int add_with_nodes(const struct comparison *c, int side, int site, int *order, int nr)
{
	struct ranked_site *ranked = xcalloc(c->nr + 1, sizeof(*ranked));
	int nr_ranked = 0;

	for (int i = site + 1; i < c->nr && c->at[i].kind != COMPARED_SITE; i++)
		if (c->at[i].kind == COMPARED_SITE_NODE && site_rows__is_changed(&c->at[i], side))
			ranked[nr_ranked++] = (struct ranked_site){i, fabs(c->at[i].with[side].by),
								   -i};
	qsort(ranked, nr_ranked, sizeof(*ranked), by_difference);
	order[nr++] = site;
	for (int i = 0; i < nr_ranked; i++)
		order[nr++] = ranked[i].row;
	free(ranked);
	return nr;
}

static int *order_of_side(const struct comparison *c, int side)
{
	struct ranked_site *ranked = xcalloc(c->nr + 1, sizeof(*ranked));
	int *order = xcalloc(c->nr + 1, sizeof(*order));
	int nr_ranked = rank_sites(c, side, ranked), nr = 0;

	order[nr++] = c->all_sites;
	for (int i = 0; i < nr_ranked; i++)
		nr = add_with_nodes(c, side, ranked[i].row, order, nr);
	if (c->others >= 0)
		order[nr++] = c->others;
	order[nr] = -1;
	free(ranked);
	return order;
}

void comparison__order_sites(struct comparison *c)
{
	if (c->all_sites < 0)
		return;
	c->site_orders = xcalloc(c->nr_sides, sizeof(*c->site_orders));
	for (int side = 0; side < c->nr_sides; side++)
		c->site_orders[side] = order_of_side(c, side);
}

/* --- Words --------------------------------------------------------------------------------- */

double comparison__find_explained(const struct comparison *c, const struct compared *row, int side)
{
	const struct compared *all = c->all_sites < 0 ? NULL : &c->at[c->all_sites];

	if (!all || row->kind != COMPARED_SITE || row == all || !site_rows__is_changed(all, side))
		return NAN;
	return 100 * row->with[side].by / all->with[side].by;
}

static bool is_never(const struct series *s)
{
	double min, max;

	series__range(s, &min, &max);
	return s->nr && !max;
}

enum site_presence compared__find_presence(const struct compared *row, int side)
{
	if (row->kind != COMPARED_SITE || !site_rows__is_changed(row, side))
		return SITE_ON_BOTH;
	if (is_never(&row->series[0]))
		return SITE_APPEARED;
	return is_never(&row->series[side]) ? SITE_GONE : SITE_ON_BOTH;
}

/*
 * Return: the node of a site with the largest certain change. A child is preferred to its parent.
 */
static const struct compared *main_node(const struct comparison *c, const int *order, int side)
{
	const struct compared *best = NULL;

	for (; *order >= 0 && c->at[*order].kind == COMPARED_SITE_NODE; order++) {
		const struct compared *row = &c->at[*order];
		double by = fabs(row->with[side].by);

		if (!best || by > fabs(best->with[side].by) ||
		    (row->parent == best - c->at && by > fabs(best->with[side].by) / 2))
			best = row;
	}
	return best;
}

static void tell_site(const struct comparison *c, const int *order, int side, struct sb *sb)
{
	const struct compared *row = &c->at[*order], *node = main_node(c, order + 1, side);
	const struct difference *d = &row->with[side];
	double part = comparison__find_explained(c, row, side);
	size_t len = text__fitting(row->name, MOST_WIDTH);

	text__clean(sb, row->name, len, "");
	sb__puts(sb, row->name[len] ? ".." : "");
	if (part > 0)
		sb__printf(sb, " explains %.0f %% of the difference", part);
	else
		sb__printf(sb, " takes %s", d->by > 0 ? "more" : "less");
	if (compared__find_presence(row, side) != SITE_ON_BOTH)
		sb__puts(sb, d->by > 0 ? " (appeared)" : " (gone)");
	if (node)
		sb__printf(sb, " (%s%s%s %+.1f)", node->core_name ?: "", node->core_name ? " " : "",
			   node->name, node->with[side].by);
}

void comparison__tell_sites(const struct comparison *c, int side, struct sb *sb)
{
	const int *order = c->site_orders ? c->site_orders[side] : NULL;
	int nr = 0;

	for (int i = 0; order && order[i] >= 0 && nr < MOST_NAMED; i++) {
		const struct compared *row = &c->at[order[i]];
		double part = comparison__find_explained(c, row, side);

		if (row->kind != COMPARED_SITE || order[i] == c->all_sites ||
		    order[i] == c->others || !site_rows__is_changed(row, side) ||
		    fabs(part) < LEAST_PERCENT)
			continue;
		sb__puts(sb, nr++ ? ", " : "; ");
		tell_site(c, &order[i], side, sb);
	}
	if (order && !nr)
		sb__printf(sb, "; no %s is certain to have changed", c->sites.kind);
}
