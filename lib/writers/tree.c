// SPDX-License-Identifier: GPL-2.0-only
/*
 * --format=tree prints the metrics of a row as a tree, each in a line: children follow their
 * parent, and children of nodes under their thresholds are left out. Events, and metrics that are
 * not in a tree, begin at the margin.
 */
#include <langinfo.h>
#include <math.h>
#include <string.h>

#include "base/terminal.h"
#include "grid/unit.h"
#include "base/text.h"
#include "base/wrap.h"
#include "grid/outline.h"
#include "writers/own.h"

#define FOLDED_WIDTH 6 /* " (+12)" */
#define NUMBER_COLUMNS 8
#define COUNT_COLUMNS 19
#define ERROR_COLUMNS 9
#define SHARE_COLUMNS 7
#define MARK_COLUMNS 2
#define NAME_LEAST 16
#define STATUS_INDENT 4 /* indent of a status on a line of its own */
#define PLAIN_LEAST 12
#define BAR_LEAST 5
#define HEAD_BAR 9 /* width of the heading above bars */
#define BAR_ROOM 12 /* width reserved for bars beside plain names */
#define BAR_MOST 50
#define WIDTH_LEAST 40
#define PIPE_WIDTH 100 /* width if the output is not a terminal */
#define EIGHTHS 8
#define PERCENT 100

/**
 * struct signs - the characters that a tree is drawn with
 * @bar: a column of a bar: empty, with one of @nr_bar parts filled, with two parts filled ...
 */
struct signs {
	const struct outline_signs *branches;
	const char *bar[EIGHTHS + 1];
	int nr_bar;
};

static const struct signs in_utf8 = {
	&outline_utf8, {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"}, EIGHTHS};
static const struct signs in_ascii = {&outline_ascii, {"", "#"}, 1};

/**
 * struct metric_tree - the columns of a grid as a tree
 * @outline: outline of own.columns, with the same numbers
 * @labels: name of each column, with the PMU unless it is a core PMU
 * @width: columns of a line; @is_terminal: lines must not be wider than @width
 * @name_width: width of names with their branches; a longer name has a line of its own
 * @number_width, @unit_width, @share_width, @plain_width, @bar_width: widths of fields; 0: no room
 * @has_bars: a column is a node
 * @is_narrow: there is no room for units of shares
 * @has_shares: an event had no counter for some time
 * @printed: reasons that were printed in a line of the current row
 * @has_over: a printed value is over its threshold; @has_folded: a printed node has hidden children
 */
struct metric_tree {
	const struct signs *signs;
	struct outline outline;
	const char **labels;
	int width, name_width, number_width, unit_width, share_width, plain_width, bar_width;
	bool is_terminal, is_narrow, has_bars;
	bool has_shares, has_over, has_folded;
	struct reasons printed;
};

/* --- The order ------------------------------------------------------------------------------- */

static int find_parent(const struct writer *w, int column, const struct own_cgroup *in)
{
	int parent = own__column(w, column)->parent;

	for (int i = in->first; parent >= 0 && i < in->first + in->nr; i++)
		if (w->own->columns[i].number == parent)
			return i;
	return -1;
}

static const char *writers_tree__label_of(struct writer *w, int column)
{
	const struct grid_column *c = own__column(w, column);
	const char *name = w->own->columns[column].name;
	struct sb label = SB_INIT;

	if (c->core_name || !*c->pmu || (c->kind == GRID_EVENT && !c->apart))
		return name;
	sb__printf(&label, "%s [%s]", name, w->own->columns[column].pmu);
	return arena__keep(&w->memory, sb__detach(&label));
}

/* Sort nodes of a tree in the order of the first level's parts; leave other columns in place. */
static void rank_lines(struct writer *w, const struct own_cgroup *in)
{
	const int step = PART_NR + 1;
	int core = -1;
	bool seen = false;

	for (int i = in->first; i < in->first + in->nr; i++) {
		const struct grid_column *c = own__column(w, i);

		seen = (seen && c->core == core) || c->part;
		core = c->core;
		w->tree->outline.lines[i].rank = c->core * step + (c->part	? (int)c->part
								   : seen ? PART_NR
									  : 0);
	}
}

static void writers_tree__begin(struct writer *w)
{
	struct metric_tree *t = w->tree = arena__calloc(&w->memory, 1, sizeof(*t));

	own__begin(w);
	t->signs = strcmp(nl_langinfo(CODESET), "UTF-8") ? &in_ascii : &in_utf8;
	t->labels = arena__calloc(&w->memory, w->own->nr_columns, sizeof(*t->labels));
	t->outline = (struct outline){
		.lines = arena__calloc(&w->memory, w->own->nr_columns, sizeof(*t->outline.lines)),
		.order = arena__calloc(&w->memory, w->own->nr_columns, sizeof(*t->outline.order)),
	};
	for (int c = 0; c < w->grid->cgroups.nr; c++) {
		const struct own_cgroup *in = &w->own->cgroups[c];

		for (int i = in->first; i < in->first + in->nr; i++) {
			t->outline.lines[i].parent = find_parent(w, i, in);
			t->outline.lines[i].is_part = own__column(w, i)->level > 0;
			t->labels[i] = writers_tree__label_of(w, i);
		}
		rank_lines(w, in);
		outline__arrange(&t->outline, in->first, in->nr);
	}
}

/* --- What is shown of a row ------------------------------------------------------------------ */

static void choose_lines(struct writer *w, const struct own_place *at)
{
	const struct own_cgroup *in = &w->own->cgroups[at->cgroup];

	for (int i = in->first; i < in->first + in->nr; i++) {
		struct outline_line *line = &w->tree->outline.lines[i];
		const struct grid_cell *cell = own__cell(w, i, at->row);

		line->there = cell->status != CELL_ABSENT;
		line->over = cell->threshold > 0;
		line->under = !cell->threshold;
	}
	outline__fold(&w->tree->outline, in->first, in->nr, w->opts.unfold);
}

/* --- Widths ---------------------------------------------------------------------------------- */

/* Return: the width of a name with its branches, and room for "(+12)" if it has children. */
static int name_width(const struct writer *w, int column)
{
	const struct outline_line *line = &w->tree->outline.lines[column];

	return OUTLINE_BRANCH_WIDTH * line->depth + text__width(w->tree->labels[column]) +
	       (line->has_parts ? FOLDED_WIDTH : 0);
}

/* Return: the unit of a node, with the whole that it is a share of. */
static const char *tree_unit(struct writer *w, int column, struct sb *sb)
{
	const struct own_column *c = &w->own->columns[column];

	sb__clear(sb);
	sb__puts(sb, c->unit);
	if (c->share_of && own__column(w, column)->level && !w->tree->is_narrow)
		sb__printf(sb, " %s", c->share_of);
	return sb__str(sb);
}

/* Whether a node is a share of the same whole as level 1, so that its bar has the same scale. */
static bool is_of_same(const struct writer *w, const struct grid_column *c)
{
	const struct grid_column *top = c;

	while (top->parent >= 0)
		top = &w->grid->columns[top->parent];
	return top == c || (c->share_of && top->share_of && !strcmp(c->share_of, top->share_of));
}

/* Return: the plain English name of a node, "back end"; "" if it has none. */
static const char *plain_of(const struct writer *w, int column)
{
	return own__column(w, column)->plain ?: "";
}

static int wider(int a, int b)
{
	return a > b ? a : b;
}

static bool is_part_of_time(const struct grid_cell *cell)
{
	return isfinite(cell->more->percent) && cell->more->percent < PERCENT - 0.5;
}

/* Whether an event in the current or earlier rows had no counter for some time. */
static bool has_shares(struct writer *w)
{
	struct own_place at = {.row = -1};

	while (!w->tree->has_shares && own__next(w, &at))
		for (int i = 0; i < w->own->cgroups[at.cgroup].nr; i++)
			w->tree->has_shares |= is_part_of_time(
				own__cell(w, w->own->cgroups[at.cgroup].first + i, at.row));
	return w->tree->has_shares;
}

/* Find the widths that the columns would have. */
static void measure_columns(struct writer *w)
{
	struct metric_tree *t = w->tree;

	t->name_width = t->unit_width = t->plain_width = 0;
	t->number_width = NUMBER_COLUMNS;
	t->share_width = has_shares(w) ? SHARE_COLUMNS : 0;
	for (int i = 0; i < w->own->nr_columns; i++) {
		t->name_width = wider(t->name_width, name_width(w, i));
		t->unit_width = wider(t->unit_width,
				      1 + text__width(tree_unit(w, i, &w->scratch)));
		if (*plain_of(w, i))
			t->plain_width = wider(t->plain_width, 2 + text__width(plain_of(w, i)));
		if (own__column(w, i)->kind != GRID_METRIC)
			t->number_width = COUNT_COLUMNS;
		t->has_bars |= own__column(w, i)->level > 0;
	}
	sb__clear(&w->scratch);
}

/* Return: the width that is left in a line after all parts except the bar. */
static int columns_left(const struct writer *w)
{
	const struct metric_tree *t = w->tree;
	int error = w->opts.error || w->grid->runs ? ERROR_COLUMNS : 0;

	return t->width - t->name_width - t->number_width - t->unit_width - error -
	       t->share_width - MARK_COLUMNS - t->plain_width;
}

/*
 * Columns have the same width in all rows, whichever nodes are folded. If there is little room,
 * long plain names go first, then plain names and bars, units of shares, and shares of the time.
 */
static void writers_tree__lay_out(struct writer *w)
{
	struct metric_tree *t = w->tree;
	int width = terminal__width(fileno(w->out)), left;

	t->is_terminal = width > 0;
	width = width ? width : PIPE_WIDTH;
	t->width = width < WIDTH_LEAST ? WIDTH_LEAST : width;
	t->is_narrow = false;
	measure_columns(w);
	left = columns_left(w) - BAR_ROOM;
	t->plain_width += left < 0 ? left : 0;
	if (t->plain_width < PLAIN_LEAST)
		t->plain_width = 0;
	left = columns_left(w) - 1;
	t->bar_width = left < BAR_LEAST ? 0 : left > BAR_MOST ? BAR_MOST : left;
	if (columns_left(w) >= 0)
		return;
	t->is_narrow = true;
	measure_columns(w);
	t->plain_width = 0;
	if (columns_left(w) < 0)
		t->share_width = 0;
	if (columns_left(w) < 0)
		t->name_width = wider(NAME_LEAST, t->name_width + columns_left(w));
}

/* Print the headings above the first row, and again whenever they are due. */
static void put_head(struct writer *w)
{
	const struct metric_tree *t = w->tree;
	size_t start = w->text.len;
	bool error = w->opts.error || w->grid->runs;

	dress__left(&w->text, w->grid->span == SPAN_INTERVAL ? "# METRIC" : "METRIC",
		    t->name_width);
	dress__right(&w->text, "VALUE", t->number_width);
	dress__left(&w->text, t->is_narrow ? "" : " UNIT", t->unit_width);
	dress__right(&w->text, error ? "+-" : "", error ? ERROR_COLUMNS : 0);
	dress__right(&w->text, t->share_width ? "TIME" : "", t->share_width);
	sb__pad(&w->text, MARK_COLUMNS);
	dress__left(&w->text, t->plain_width ? "  MEANING" : "", t->plain_width);
	sb__puts(&w->text, t->has_bars && t->bar_width >= HEAD_BAR ? " 0-100 %" : "");
	while (w->text.len > start && w->text.buf[w->text.len - 1] == ' ')
		w->text.len--;
	sb__putc(&w->text, '\n');
}

static void writers_tree__heads(struct writer *w)
{
	text__run_head(w);
	writers_tree__lay_out(w);
	put_head(w);
}

/* --- Lines ----------------------------------------------------------------------------------- */

static void put_bar(struct writer *w, enum grid_part part, const struct figure *f)
{
	const struct metric_tree *t = w->tree;
	int most = t->bar_width * t->signs->nr_bar;
	int parts = f->value > 0 ? lround(f->value / PERCENT * most) : 0;

	if (parts > most)
		parts = most;
	sb__putc(&w->text, ' ');
	figure__begin_part(w, &w->text, part);
	for (; parts >= t->signs->nr_bar; parts -= t->signs->nr_bar)
		sb__puts(&w->text, t->signs->bar[t->signs->nr_bar]);
	sb__puts(&w->text, t->signs->bar[parts]);
	figure__end_part(w, &w->text, part);
}

/* Append the text of the scratch buffer, right-aligned in a field. */
static void writers_tree__put_field(struct writer *w, int width)
{
	dress__right(&w->text, sb__str(&w->scratch), width);
	sb__clear(&w->scratch);
}

static void writers_tree__put_value(struct writer *w, const char *unit, const struct figure *f)
{
	size_t start = w->text.len;

	sb__indent(&w->text, start, w->tree->number_width - figure__text(w, &w->text, f));
	sb__printf(&w->text, " %s", unit);
	sb__pad(&w->text, w->tree->unit_width - 1 - text__width(unit));
}

/* Append the status of a line without a value; its reason only if no line before printed it. */
static void writers_tree__put_status(struct writer *w, const struct grid_cell *cell, int column)
{
	const struct metric_tree *t = w->tree;

	sb__clear(&w->scratch);
	sb__printf(&w->scratch, "<%s>", cell_status__name(cell->status));
	if (reasons__add(&w->tree->printed, cell)) {
		sb__puts(&w->scratch, ": ");
		dress__text(w, cell__words(cell), &w->scratch);
	}
	sb__pad(&w->text, 2);
	if (t->is_terminal)
		wrap__text(&w->text, sb__str(&w->scratch), column + 2, STATUS_INDENT, t->width);
	else
		sb__puts(&w->text, sb__str(&w->scratch));
	sb__putc(&w->text, '\n');
	sb__clear(&w->scratch);
}

/* Append the error of a value, or the spread of several runs, in % of the value. */
static void writers_tree__put_error(struct writer *w, const struct grid_cell *cell,
				    const struct figure *f)
{
	if (w->opts.error && !f->empty && isfinite(f->value))
		figure__error(w, &w->scratch, f);
	else if (w->grid->runs && isfinite(cell->more->spread_percent))
		sb__printf(&w->scratch, "+-%.2f%%", cell->more->spread_percent);
	if (w->opts.error || w->grid->runs)
		writers_tree__put_field(w, ERROR_COLUMNS);
}

static void put_share(struct writer *w, const struct grid_cell *cell)
{
	if (!w->tree->share_width)
		return;
	if (is_part_of_time(cell))
		sb__printf(&w->scratch, "%.0f%%", cell->more->percent);
	writers_tree__put_field(w, w->tree->share_width);
}

static bool writers_tree__is_percent(const struct grid_column *c)
{
	return c->form == FORM_SCALED && unit__is_share(c->unit);
}

/* Append a name, padded to the width of its column; a longer name has a line of its own. */
static void put_name(struct writer *w, int column)
{
	const struct metric_tree *t = w->tree;
	const struct outline_line *line = &t->outline.lines[column];
	size_t start = w->text.len;
	int width;

	outline__put_branches(&t->outline, column, t->signs->branches, &w->text);
	sb__puts(&w->text, t->labels[column]);
	if (line->nr_below && !line->parts)
		sb__printf(&w->text, " (+%d)", line->nr_below);
	width = text__width(sb__str(&w->text) + start);
	if (width > t->name_width)
		sb__putc(&w->text, '\n');
	sb__pad(&w->text, t->name_width - (width > t->name_width ? 0 : width));
}

/* Append the fields after a number and its unit. */
static void put_rest(struct writer *w, int column, const struct grid_cell *cell,
		     const struct figure *f)
{
	const struct metric_tree *t = w->tree;
	const struct grid_column *c = own__column(w, column);

	writers_tree__put_error(w, cell, f);
	put_share(w, cell);
	sb__puts(&w->text, cell->threshold > 0 ? " !" : "  ");
	if (t->plain_width) {
		bool fits = text__width(plain_of(w, column)) <= t->plain_width - 2;

		sb__pad(&w->text, 2);
		dress__left(&w->text, fits ? plain_of(w, column) : "", t->plain_width - 2);
	}
	if (t->outline.lines[column].is_part && t->bar_width && writers_tree__is_percent(c) &&
	    is_of_same(w, c))
		put_bar(w, c->part, f);
	while (w->text.len && w->text.buf[w->text.len - 1] == ' ')
		w->text.len--;
}

/* Append the status of a line without a value, or the bar of a value that is a share. */
static void writers_tree__put_line(struct writer *w, int column, int row)
{
	const struct outline_line *line = &w->tree->outline.lines[column];
	const struct grid_cell *cell = own__cell(w, column, row);
	const struct grid_column *c = own__column(w, column);
	struct figure f = figure__make(c, cell);

	if (c->kind == GRID_EVENT)
		f.form = cell->is_count ? FORM_COUNT : FORM_PLAIN;
	f.empty |= cell->status >= CELL_NOT_COUNTED || !isfinite(cell->value);
	w->tree->has_folded |= line->nr_below && !line->parts;
	w->tree->has_over |= cell->threshold > 0;
	put_name(w, column);
	if (f.empty) {
		writers_tree__put_status(w, cell, w->tree->name_width);
		return;
	}
	writers_tree__put_value(w, tree_unit(w, column, &w->scratch), &f);
	sb__clear(&w->scratch);
	put_rest(w, column, cell, &f);
	if (cell->status == CELL_PARTIAL && cell->reason == REASON_TEXT)
		writers_tree__put_status(w, cell, w->tree->width);
	else
		sb__putc(&w->text, '\n');
}

/* --- Places ---------------------------------------------------------------------------------- */

/* Append the time and place of the lines below. */
static void put_place(struct writer *w, const struct own_place *at)
{
	const struct grid *g = w->grid;
	const struct row_kind *kind = &row_kinds[g->aggr];
	const struct grid_row *row = &g->rows[at->row];
	const char *before = "";

	if (g->span == SPAN_INTERVAL) {
		sb__puts(&w->text, "# ");
		seconds__print(&w->text, g->since_start_ns);
		sb__puts(&w->text, " s");
		before = "  ";
	}
	if (kind->width) {
		sb__puts(&w->text, before);
		row__label(w, g->aggr, row, &w->scratch);
		dress__text(w, sb__str(&w->scratch) + strspn(sb__str(&w->scratch), " "), &w->text);
		sb__clear(&w->scratch);
		before = "  ";
	}
	if (kind->adds_cpus)
		sb__printf(&w->text, "  %d CPU%s", row->nr_units - row->nr_unseen,
			   row->nr_units - row->nr_unseen == 1 ? "" : "s");
	if (g->has_cgroups && *w->own->cgroups[at->cgroup].name)
		sb__printf(&w->text, "%s%s", before, w->own->cgroups[at->cgroup].name);
	if (*before || g->has_cgroups)
		sb__putc(&w->text, '\n');
}

/* On a hybrid machine each core type has a tree. */
static void put_core(struct writer *w, int column, int row)
{
	const struct grid_column *c = own__column(w, column);

	if (!c->core_name)
		return;
	sb__puts(&w->text, c->core_name);
	if (w->grid->shares && grid__share(w->grid, c->core, row)->known) {
		sb__puts(&w->text, "  ");
		grid_share__print(*grid__share(w->grid, c->core, row), ">=", &w->text);
		sb__puts(&w->text, " % of the time");
	}
	sb__putc(&w->text, '\n');
}

static void put_tree(struct writer *w, const struct own_place *at)
{
	const struct own_cgroup *in = &w->own->cgroups[at->cgroup];
	struct metric_tree *t = w->tree;
	const char *core = NULL;

	choose_lines(w, at);
	t->printed = (struct reasons){.most = REASONS_MAX};
	put_place(w, at);
	for (int n = in->first; n < in->first + in->nr; n++) {
		int i = t->outline.order[n];

		if (!outline__is_shown(&t->outline, i))
			continue;
		if (own__column(w, i)->core_name != core)
			put_core(w, i, at->row);
		core = own__column(w, i)->core_name;
		writers_tree__put_line(w, i, at->row);
	}
}

static void writers_tree__rows(struct writer *w)
{
	struct own_place at = {.row = -1};

	writers_tree__lay_out(w);
	for (bool first = true; own__next(w, &at); first = false) {
		if (!first)
			sb__putc(&w->text, '\n');
		put_tree(w, &at);
	}
}

/* Explain a unit, if some value has it. */
static void put_unit_legend(struct writer *w, const char *share_of, const char *words)
{
	for (int i = 0; i < w->own->nr_columns; i++)
		if (own__column(w, i)->level && text__same(own__column(w, i)->share_of, share_of)) {
			sb__printf(&w->text, " %% %-6s %s\n", share_of, words);
			return;
		}
}

static void put_legend(struct writer *w)
{
	const struct metric_tree *t = w->tree;

	sb__putc(&w->text, '\n');
	if (t->has_over)
		sb__puts(&w->text, " !        over its threshold\n");
	if (t->has_folded)
		sb__puts(&w->text, " (+N)     hidden children of a node under its threshold: --all "
				   "shows them\n");
	if (t->share_width)
		sb__puts(&w->text, " TIME     share of the time in which its events had "
				   "counters\n");
	if (t->is_narrow)
		return;
	put_unit_legend(w, "slots", "share of the operations that the pipeline could begin");
	put_unit_legend(w, "clocks", "share of the cycles");
	put_unit_legend(w, "stalls", "share of the cycles in which the core was stalled");
}

/* Explain the signs that were used, at the end of a run. */
static void foot(struct writer *w)
{
	if (w->grid->span != SPAN_INTERVAL)
		put_legend(w);
	if (w->grid->span != SPAN_INTERVAL && w->grid->simulated) {
		sb__puts(&w->text, "\n simulated machine ");
		dress__text(w, w->grid->simulated, &w->text);
		sb__puts(&w->text, ": its counts are synthetic\n");
	}
	text__foot(w);
}

const struct format format_tree = {
	.name = "tree",
	.traits = FORMAT_TEXT | FORMAT_VERDICT | FORMAT_LEVELS,
	.wants = WANT_EVENTS | WANT_METRICS | WANT_STATUS | WANT_TREE,
	.metric_only_wants = WANT_METRICS | WANT_STATUS | WANT_TREE,
	.dress = dress__text,
	.begin = writers_tree__begin,
	.heads = writers_tree__heads,
	.rows = writers_tree__rows,
	.foot = foot,
	.verdicts = text__verdicts,
};
