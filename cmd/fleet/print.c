// SPDX-License-Identifier: GPL-2.0-only
/* The answer of "tma fleet" for people and for programs. */
#include "fleet/fleet.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/json.h"
#include "base/sb.h"
#include "base/text.h"

#define MOST_COLUMNS 5
#define LEAST_NAME 12 /* names are not cut to fewer columns than this */

/* --- Tables -------------------------------------------------------------------------------- */

/* Lines of cells, which are texts without control characters. The first line is the heading. */
struct fleet_cells {
	VEC(char *) at;
	int columns;
	bool left[MOST_COLUMNS];
};

static void add_cell(struct fleet_cells *cells, struct sb *text)
{
	vec__push(&cells->at, sb__detach(text));
	*text = (struct sb)SB_INIT;
}

static void fleet_print__add_name(struct fleet_cells *cells, int indent, const char *name)
{
	struct sb sb = SB_INIT;

	sb__puts(&sb, "");
	sb__pad(&sb, indent);
	text__clean(&sb, name, strlen(name), "");
	add_cell(cells, &sb);
}

static void add_text(struct fleet_cells *cells, const char *text)
{
	fleet_print__add_name(cells, 0, text);
}

/* Put a number of slots per second with three or four digits. */
static void put_rate(struct sb *sb, double rate)
{
	static const char units[] = " kMGTPE";
	int unit = 0;

	if (isnan(rate)) {
		sb__putc(sb, '-');
		return;
	}
	while (fabs(rate) >= 999.95 && units[unit + 1]) {
		rate /= 1000;
		unit++;
	}
	sb__printf(sb, "%.1f ", rate);
	if (unit)
		sb__putc(sb, units[unit]);
	sb__puts(sb, "/s");
}

static void put_percent(struct sb *sb, double share)
{
	if (isnan(share))
		sb__putc(sb, '-');
	else
		sb__printf(sb, "%.1f %%", fabs(share) < 0.0005 ? 0 : 100 * share);
}

static void add_rate(struct fleet_cells *cells, double rate)
{
	struct sb sb = SB_INIT;

	put_rate(&sb, rate);
	add_cell(cells, &sb);
}

static void add_percent(struct fleet_cells *cells, double share)
{
	struct sb sb = SB_INIT;

	put_percent(&sb, share);
	add_cell(cells, &sb);
}

static void add_points(struct fleet_cells *cells, double points)
{
	struct sb sb = SB_INIT;

	if (isnan(points))
		sb__putc(&sb, '-');
	else
		sb__printf(&sb, "%+.1f", fabs(points) < 0.05 ? 0 : points);
	add_cell(cells, &sb);
}

static int fleet_print__columns_of(const char *text)
{
	int columns = 0;

	for (; *text; text++)
		columns += (*text & 0xc0) != 0x80; /* a UTF-8 character counts as one column */
	return columns;
}

/* Put a name; if it is too long, put its beginning and two dots. */
static void put_cut(struct sb *sb, const char *text, int columns)
{
	int room = fleet_print__columns_of(text) > columns ? columns - 2 : columns;

	for (; *text; text++) {
		bool begins = (*text & 0xc0) != 0x80;

		if (begins && !room) {
			sb__puts(sb, "..");
			return;
		}
		room -= begins;
		sb__putc(sb, *text);
	}
}

static void fleet_print__put_line(const struct fleet_cells *cells, int first, const int *widths,
				  struct sb *sb)
{
	size_t start = sb->len;

	for (int c = 0; c < cells->columns; c++) {
		const char *text = cells->at.at[first + c];
		int blanks = widths[c] - fleet_print__columns_of(text);

		if (c)
			sb__puts(sb, "  ");
		if (!cells->left[c])
			sb__pad(sb, blanks);
		put_cut(sb, text, widths[c]);
		if (cells->left[c])
			sb__pad(sb, blanks);
	}
	while (sb->len > start && sb->buf[sb->len - 1] == ' ')
		sb->buf[--sb->len] = '\0';
	sb__putc(sb, '\n');
}

static void print_cells(struct fleet_cells *cells, int width, FILE *out)
{
	auto_free(sb) sb = SB_INIT;
	int widths[MOST_COLUMNS] = {0}, all = 2 * (cells->columns - 1);

	for (int i = 0; i < cells->at.nr; i++) {
		int *most = &widths[i % cells->columns],
		    columns = fleet_print__columns_of(cells->at.at[i]);

		*most = columns > *most ? columns : *most;
	}
	for (int c = 0; c < cells->columns; c++)
		all += widths[c];
	if (width && all > width) {
		int room = widths[0] - (all - width);

		if (room < LEAST_NAME)
			room = LEAST_NAME;
		widths[0] = room < widths[0] ? room : widths[0];
	}
	for (int i = 0; i < cells->at.nr; i += cells->columns)
		fleet_print__put_line(cells, i, widths, &sb);
	fputs(sb__str(&sb), out);
	for (int i = 0; i < cells->at.nr; i++)
		free(cells->at.at[i]);
	vec__free(&cells->at);
}

/* --- For people ---------------------------------------------------------------------------- */

static double lost_of_all(const struct fleet_report *r)
{
	return r->all.trees.nr ? fleet_tree__lost(&r->all.trees.at[0], 0) : NAN;
}

static double total_of_all(const struct fleet_report *r)
{
	return r->all.trees.nr ? r->all.trees.at[0].total[0] : NAN;
}

static double rate_of(const struct fleet_tree *tree, const char *metric, int side)
{
	const struct fleet_node *node =
		metric ? vec__find(n, &tree->nodes, !strcmp(n->metric, metric)) : NULL;

	return node ? node->rate[side] : NAN;
}

static void add_worst(struct fleet_cells *cells, const struct fleet_report *r,
		      const struct fleet_tree *tree)
{
	const struct fleet_node *worst = tree ? fleet_tree__worst(tree, r->level, 0) : NULL;
	struct sb sb = SB_INIT;

	if (!worst) {
		add_text(cells, "-");
		return;
	}
	text__clean(&sb, worst->metric, strlen(worst->metric), "");
	sb__putc(&sb, ' ');
	put_percent(&sb, fleet_node__share(worst, 0));
	add_cell(cells, &sb);
}

static void print_table(const struct fleet_report *r, const struct fleet_table *table, int width,
			FILE *out)
{
	struct fleet_cells cells = {.columns = 5, .left = {[0] = true, [4] = true}};
	const struct fleet_row *row;
	double all = lost_of_all(r);

	add_text(&cells, table->label);
	add_text(&cells, r->node ? "in node" : "lost");
	add_text(&cells, "of all lost");
	add_text(&cells, "of its own");
	add_text(&cells, "most of it in");
	vec__for_each (row, &table->rows) {
		fleet_print__add_name(&cells, 0, *row->name ? row->name : "(without)");
		add_rate(&cells, row->rank);
		add_percent(&cells, all > 0 ? row->rank / all : NAN);
		add_percent(&cells, row->own);
		add_worst(&cells, r, row->tree);
	}
	fputc('\n', out);
	print_cells(&cells, width, out);
}

static void print_top(const struct fleet_report *r, int width, FILE *out)
{
	const struct fleet_table *table;
	auto_free(sb) sb = SB_INIT;

	sb__printf(&sb, "%s of %d host%s over %s: ", r->sides[0].unit, r->hosts[0],
		   r->hosts[0] == 1 ? "" : "s", r->sides[0].window);
	*sb.buf -= 'a' - 'A';
	put_rate(&sb, total_of_all(r));
	sb__puts(&sb, ", of which ");
	put_percent(&sb, lost_of_all(r) / total_of_all(r));
	sb__puts(&sb, " are lost");
	if (r->node) {
		sb__puts(&sb, "\nSorted by slots lost in ");
		text__clean(&sb, r->node, strlen(r->node), "");
	}
	fprintf(out, "%s\n", sb__str(&sb));
	vec__for_each (table, &r->tables)
		print_table(r, table, width, out);
}

/* Return: the share of all slots that hosts with this node have. */
static double measured(const struct fleet_tree *tree, const struct fleet_node *node)
{
	return tree->total[0] > 0 ? node->of[0] / tree->total[0] : NAN;
}

static bool is_all_measured(const struct fleet_tree *tree)
{
	return !vec__find(n, &tree->nodes, measured(tree, n) < 0.999);
}

static void print_tree(const struct fleet_report *r, const struct fleet_tree *tree, int width,
		       FILE *out)
{
	bool two = r->nr_sides == 2, parts = !two && !is_all_measured(tree);
	struct fleet_cells cells = {.columns = two || parts ? 4 : 3, .left = {[0] = true}};
	const struct fleet_node *node;

	fleet_print__add_name(&cells, 0, *tree->name ? tree->name : "all");
	for (int side = 0; side < r->nr_sides; side++)
		add_rate(&cells, tree->total[side]);
	add_text(&cells, two ? "B - A" : "");
	if (parts)
		add_text(&cells, "measured on");
	vec__for_each (node, &tree->nodes) {
		double a = fleet_node__share(node, 0), b;

		fleet_print__add_name(&cells, 2 + 2 * node->depth, node->metric);
		add_percent(&cells, a);
		if (two) {
			b = fleet_node__share(node, 1);
			add_percent(&cells, b);
			add_points(&cells, 100 * (b - a));
		} else {
			add_rate(&cells, node->rate[0]);
		}
		if (parts)
			add_percent(&cells, measured(tree, node));
	}
	fputc('\n', out);
	print_cells(&cells, width, out);
}

static void put_side(const struct fleet_report *r, int side, struct sb *sb)
{
	const struct fleet_question *q = &r->sides[side];
	size_t at = sb->len;

	sb__printf(sb, "%s of %d host%s over %s", q->unit, r->hosts[side],
		   r->hosts[side] == 1 ? "" : "s", q->window);
	sb->buf[at] -= 'a' - 'A';
	if (q->offset)
		sb__printf(sb, ", %s before", q->offset);
	if (*q->selection) {
		sb__puts(sb, ", ");
		text__clean(sb, q->selection, strlen(q->selection), "");
	}
	sb__putc(sb, '\n');
}

static void print_trees(const struct fleet_report *r, int width, FILE *out)
{
	const struct fleet_tree *tree;
	auto_free(sb) sb = SB_INIT;

	for (int side = 0; side < r->nr_sides; side++) {
		if (r->nr_sides == 2)
			sb__printf(&sb, "%c: ", 'A' + side);
		put_side(r, side, &sb);
	}
	fputs(sb__str(&sb), out);
	vec__for_each (tree, &r->forest.trees)
		print_tree(r, tree, width, out);
}

void fleet__print(const struct fleet_report *r, int width, FILE *out)
{
	if (!strcmp(r->command, "top"))
		print_top(r, width, out);
	else
		print_trees(r, width, out);
}

/* --- For programs -------------------------------------------------------------------------- */

static void fleet_print__put_nodes(struct json *j, const struct fleet_report *r,
				   const struct fleet_tree *tree)
{
	const struct fleet_node *node;

	json__open(j, "nodes", '[');
	vec__for_each (node, &tree->nodes) {
		json__open(j, NULL, '{');
		json__text(j, "metric", node->metric);
		json__text(j, "parent", node->parent);
		json__int(j, "level", node->level);
		json__open(j, "rate", '[');
		for (int side = 0; side < r->nr_sides; side++)
			json__double(j, NULL, node->rate[side]);
		json__close(j, ']');
		json__open(j, "of", '[');
		for (int side = 0; side < r->nr_sides; side++)
			json__double(j, NULL, node->of[side]);
		json__close(j, ']');
		json__open(j, "share", '[');
		for (int side = 0; side < r->nr_sides; side++)
			json__double(j, NULL, fleet_node__share(node, side));
		json__close(j, ']');
		json__close(j, '}');
	}
	json__close(j, ']');
}

static void fleet_print__put_row(struct json *j, const struct fleet_report *r,
				 const struct fleet_row *row)
{
	const struct fleet_node *worst = row->tree ? fleet_tree__worst(row->tree, r->level, 0)
						   : NULL;

	json__open(j, NULL, '{');
	json__text(j, "name", row->name);
	json__double(j, "rank", row->rank);
	json__double(j, "share", row->own);
	json__double(j, "total", row->tree ? row->tree->total[0] : NAN);
	json__double(j, "lost", row->tree ? fleet_tree__lost(row->tree, 0) : NAN);
	if (r->node)
		json__double(j, "in_node", row->tree ? rate_of(row->tree, r->node, 0) : NAN);
	json__text(j, "bottleneck", worst ? worst->metric : "");
	json__double(j, "bottleneck_share", worst ? fleet_node__share(worst, 0) : NAN);
	json__close(j, '}');
}

static void put_tables(struct json *j, const struct fleet_report *r)
{
	const struct fleet_table *table;
	const struct fleet_row *row;

	json__double(j, "total", total_of_all(r));
	json__double(j, "lost", lost_of_all(r));
	json__open(j, "tables", '[');
	vec__for_each (table, &r->tables) {
		json__open(j, NULL, '{');
		json__text(j, "label", table->label);
		json__open(j, "rows", '[');
		vec__for_each (row, &table->rows)
			fleet_print__put_row(j, r, row);
		json__close(j, ']');
		json__close(j, '}');
	}
	json__close(j, ']');
}

static void put_trees(struct json *j, const struct fleet_report *r)
{
	const struct fleet_tree *tree;

	json__open(j, "trees", '[');
	vec__for_each (tree, &r->forest.trees) {
		json__open(j, NULL, '{');
		json__text(j, "pmu", tree->name);
		json__open(j, "total", '[');
		for (int side = 0; side < r->nr_sides; side++)
			json__double(j, NULL, tree->total[side]);
		json__close(j, ']');
		fleet_print__put_nodes(j, r, tree);
		json__close(j, '}');
	}
	json__close(j, ']');
}

static void put_sides(struct json *j, const struct fleet_report *r)
{
	json__open(j, "sides", '[');
	for (int side = 0; side < r->nr_sides; side++) {
		json__open(j, NULL, '{');
		json__text(j, "selection", r->sides[side].selection);
		json__text(j, "offset", r->sides[side].offset ?: "");
		json__int(j, "hosts", r->hosts[side]);
		json__close(j, '}');
	}
	json__close(j, ']');
}

void fleet__print_json(const struct fleet_report *r, FILE *out)
{
	auto_free(sb) sb = SB_INIT;
	struct json j = JSON_INIT(&sb, JSON_COMPACT);

	json__open(&j, NULL, '{');
	json__int(&j, "schema", 1);
	json__text(&j, "type", "fleet");
	json__text(&j, "command", r->command);
	json__text(&j, "prometheus", r->url);
	json__text(&j, "unit", r->sides[0].unit);
	json__text(&j, "window", r->sides[0].window);
	json__double(&j, "time", r->time);
	put_sides(&j, r);
	if (!strcmp(r->command, "top"))
		put_tables(&j, r);
	else
		put_trees(&j, r);
	json__open(&j, "queries", '[');
	for (int i = 0; i < r->queries.nr; i++)
		json__text(&j, NULL, r->queries.at[i]);
	json__close(&j, ']');
	json__open(&j, "warnings", '[');
	for (int i = 0; i < r->warnings.nr; i++)
		json__text(&j, NULL, r->warnings.at[i]);
	json__close(&j, ']');
	json__close(&j, '}');
	fputs(sb__str(&sb), out);
}
