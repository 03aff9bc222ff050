// SPDX-License-Identifier: GPL-2.0-only
/*
 * Draw the model's canvas: a line on what is measured, a line for messages, the tree, the rows, and
 * a line with keys. The height of each part depends only on the size and the view, so that nothing
 * moves in the next interval or with another branch.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "grid/unit.h"
#include "base/auto.h"
#include "base/text.h"
#include "base/wrap.h"
#include "screen/canvas.h"
#include "screen/internal.h"

#define FRAME 3	       /* lines of two headings, and the last line */
#define LEAST_WIDTH 30 /* least width of a canvas */
#define TREE_SHARE 0.66 /* the tree's share of the lines for the tree and the rows */
#define SHARE_BY_FUNCTIONS 0.45 /* the same if the rows are functions */
#define TREE_MOST 32
#define NAME_LEAST 20
#define NAME_MOST 48
#define FOLDED_ROOM 6 /* " (+12)" */
#define VALUE_ROOM 10
#define ERROR_ROOM 7
#define SHARE_ROOM 6
#define MARK_ROOM 2
#define SPARK_LEAST 20 /* least width of a history, for its heading */
#define SPARK_SHORT 8
#define SPARK_PLAIN 30 /* beside plain names */
#define PLAIN_LEAST 14
#define BAR_LEAST 10
#define BAR_MOST 40
#define LEVELS 8
#define PERCENT 100
#define BIG_RATE 100000

static const struct top_signs in_utf8 = {
	&outline_utf8, {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, "█", "±", "…"};
static const struct top_signs in_ascii = {
	&outline_ascii, {"_", ".", ":", "-", "=", "+", "*", "#"}, "#", "+-", "~"};

/** struct top_layout - widths of the parts of a line of the tree; 0 for a part that is left out */
struct top_layout {
	int name, error, share, plain, bar, spark;
	bool is_short; /* names are without their prefix */
	const struct top_signs *signs;
	double most;
};

const struct top_signs *top__signs(const struct top *t)
{
	return t->opts.utf8 ? &in_utf8 : &in_ascii;
}

/* --- The tree -------------------------------------------------------------------------------- */

/*
 * Return: the upper end of the scale of all histories: the largest % of the last minute, rounded up
 * to a step.
 */
static double scale_of(const struct top *t)
{
	static const double steps[] = {10, 25, 50, PERCENT};
	double most = 0;

	for (int i = 0; i < t->nodes.nr; i++)
		for (int j = 0; j < t->nr_history && t->nodes.at[i].level; j++)
			most = fmax(most, t->nodes.at[i].history[j]);
	for (int i = 0; i < array__nr(steps); i++)
		if (most <= steps[i])
			return steps[i];
	return PERCENT;
}

static const char *label_of(const struct top_node *n, bool is_short)
{
	return is_short && text__has_prefix(n->name, "tma_") ? n->name + strlen("tma_") : n->name;
}

/*
 * Return: the width of the longest name with branches. @plain: set to the width of the longest
 * plain name
 */
static int longest_name(const struct top *t, bool is_short, int *plain)
{
	int most = NAME_LEAST;

	*plain = 0;
	for (int i = 0; i < t->nodes.nr; i++) {
		const struct top_node *n = &t->nodes.at[i];
		const struct outline_line *line = &t->outline.lines[i];
		int width = OUTLINE_BRANCH_WIDTH * line->depth + 1 +
			    text__width(label_of(n, is_short)) +
			    (line->has_parts && t->folds ? FOLDED_ROOM : 0);

		most = width > most ? width : most;
		width = n->plain ? text__width(n->plain) + 1 : 0;
		*plain = width > *plain ? width : *plain;
	}
	return most > NAME_MOST ? NAME_MOST : most;
}

static int room_left(const struct top_layout *l, int width)
{
	return width - l->name - VALUE_ROOM - l->error - l->share - MARK_ROOM - 1;
}

/*
 * If there is little room, leave out plain names and bars first, then the share of the time,
 * errors, the prefixes of names, and the history.
 */
static struct top_layout top_draw__lay_out(const struct top *t, int width)
{
	struct top_layout l = {.signs = top__signs(t),
			       .most = scale_of(t),
			       .error = t->has_errors ? ERROR_ROOM : 0,
			       .share = t->has_shares ? SHARE_ROOM : 0};
	int left, plain, room = t->nr_history < HISTORY_S ? t->nr_history : HISTORY_S;

	room = room < SPARK_LEAST ? SPARK_LEAST : room;
	l.name = longest_name(t, false, &plain);
	if (room_left(&l, width) < SPARK_LEAST)
		l.share = 0;
	if (room_left(&l, width) < SPARK_SHORT)
		l.error = 0;
	if (room_left(&l, width) < SPARK_SHORT) {
		l.is_short = true;
		l.name = longest_name(t, true, &plain);
	}
	left = room_left(&l, width);
	if (left < 0)
		l.name += left;
	l.spark = left < SPARK_SHORT ? 0 : left > room ? room : left;
	if (l.spark > SPARK_PLAIN && left - l.spark - 1 < plain) {
		l.spark = left - 1 - plain;
		l.spark = l.spark < SPARK_PLAIN ? SPARK_PLAIN : l.spark;
	}
	left -= l.spark + 1;
	l.plain = left > plain ? plain : left;
	l.plain = l.plain < PLAIN_LEAST ? 0 : l.plain;
	left -= l.plain;
	l.bar = left < BAR_LEAST ? 0 : left > BAR_MOST ? BAR_MOST : left;
	return l;
}

/* Return: the mean of the known values in some intervals; NAN without known values. */
double top__mean_of(const struct top *t, const struct top_node *n, uint64_t first, uint64_t nr)
{
	double sum = 0;
	int known = 0;

	for (uint64_t i = first; i < first + nr && i <= t->interval; i++) {
		float value = n->history[i % t->nr_history];

		if (i + t->nr_history <= t->interval || isnan(value))
			continue;
		sum += value;
		known++;
	}
	return known ? sum / known : NAN;
}

/* Return: the upper end of the scale of a node whose values are not in %. */
static double own_scale(const struct top *t, const struct top_node *n)
{
	double most = 0;

	for (int i = 0; i < t->nr_history; i++)
		most = fmax(most, n->history[i]);
	return most;
}

/* Draw a node's history. If there is little room, the same intervals always share a column. */
static void draw_history(const struct top *t, struct canvas *c, int row, int column,
			 const struct top_layout *l, const struct top_node *n)
{
	double most = n->level ? l->most : own_scale(t, n);
	int each = l->spark ? (t->nr_history + l->spark - 1) / l->spark : t->nr_history;
	int columns = (t->nr_history + each - 1) / each;
	uint64_t last = t->interval / each;

	for (int i = 0; l->spark && i < columns && (uint64_t)i <= last; i++) {
		double value = top__mean_of(t, n, (last - i) * each, each);
		int level = most > 0 ? value / most * LEVELS : 0;

		if (isnan(value))
			continue;
		level = level < 0 ? 0 : level >= LEVELS ? LEVELS - 1 : level;
		canvas__put(c, row, column + l->spark - 1 - i, 1,
			    n->now ? STYLE_PART + n->part : STYLE_DIM,
			    l->signs->levels[level]);
	}
}

static void top_draw__put_number(const struct top_node *n, struct sb *sb)
{
	bool percent = unit__is_share(n->unit);

	if (n->level || percent)
		sb__printf(sb, "%.1f %%", n->value);
	else if (fabs(n->value) >= BIG_RATE)
		sb__printf(sb, "%.2e%s", n->value, n->unit);
	else
		sb__printf(sb, "%.1f %s", n->value, n->unit);
}

static void draw_value(struct canvas *c, int row, const struct top_layout *l,
		       const struct top_node *n)
{
	auto_free(sb) text = SB_INIT;
	enum canvas_style style = n->threshold > 0 ? STYLE_OVER : STYLE_PLAIN;
	int at = l->name;

	style = n->now ? style : STYLE_DIM;
	top_draw__put_number(n, &text);
	canvas__right(c, row, at, VALUE_ROOM, style, sb__str(&text));
	at += VALUE_ROOM;
	sb__clear(&text);
	if (l->error && isfinite(n->error) && n->error > 0)
		sb__printf(&text, "%s%.1f", l->signs->plus_minus, n->error);
	canvas__right(c, row, at, l->error, STYLE_DIM, sb__str(&text));
	at += l->error;
	sb__clear(&text);
	if (l->share && isfinite(n->share) && n->share < PERCENT - 0.5)
		sb__printf(&text, "%.0f%%", n->share);
	canvas__right(c, row, at, l->share, STYLE_DIM, sb__str(&text));
	at += l->share;
	canvas__put(c, row, at, MARK_ROOM, style, n->threshold > 0 ? " !" : "");
	at += MARK_ROOM + 1;
	if (l->plain && n->plain && text__width(n->plain) < l->plain)
		canvas__put(c, row, at, l->plain - 1, STYLE_PLAIN, n->plain);
	at += l->plain;
	for (int i = 0; i < l->bar && n->level && i < lround(n->value / PERCENT * l->bar); i++)
		canvas__put(c, row, at + i, 1, STYLE_PART + n->part, l->signs->bar);
}

static void draw_node(struct top *t, struct canvas *c, int row, const struct top_layout *l,
		      int node)
{
	const struct top_node *n = &t->nodes.at[node];
	const struct outline_line *line = &t->outline.lines[node];
	int spark = c->width - l->spark;
	auto_free(sb) name = SB_INIT;

	outline__put_branches(&t->outline, node, l->signs->branches, &name);
	sb__puts(&name, label_of(n, l->is_short));
	if (line->nr_below && !line->parts)
		sb__printf(&name, " (+%d)", line->nr_below);
	canvas__fit(c, row, 0, l->name - 1, n->now ? STYLE_PLAIN : STYLE_DIM, sb__str(&name),
		    l->signs->cut);
	/* A node that is not counted now shows only its history. */
	if (n->has_value && n->now)
		draw_value(c, row, l, n);
	else if (n->now)
		canvas__fit(c, row, l->name + 2, spark - l->name - 3, STYLE_DIM, n->why ?: "",
			    l->signs->cut);
	draw_history(t, c, row, spark, l, n);
	if (node == t->cursor)
		canvas__paint(c, row, 0, l->name - 1, STYLE_SELECTED);
}

/* Keep the selected line visible, on @nr lines. */
static void scroll_to_cursor(struct top *t, int nr)
{
	int at = 0;

	for (int i = 0; i < t->lines.nr; i++)
		if (t->lines.at[i] == t->cursor)
			at = i;
	if (at < t->scroll)
		t->scroll = at;
	if (at >= t->scroll + nr)
		t->scroll = at - nr + 1;
	if (t->scroll > t->lines.nr - nr)
		t->scroll = t->lines.nr - nr;
	t->scroll = t->scroll < 0 ? 0 : t->scroll;
}

/* Whether another core type begins at this line, so that a heading names the type. */
static bool begins_type(const struct top *t, int line)
{
	const char *core = t->nodes.at[t->lines.at[line]].core;

	return *core && (!line || strcmp(core, t->nodes.at[t->lines.at[line - 1]].core));
}

static void draw_tree_head(const struct top *t, struct canvas *c, int row,
			   const struct top_layout *l)
{
	char scale[64];
	int minute = (int)(t->nr_history * t->opts.interval_ms / 1000);

	canvas__paint(c, row, 0, c->width, STYLE_HEAD);
	canvas__put(c, row, 0, l->name, STYLE_HEAD, "METRIC");
	canvas__right(c, row, l->name, VALUE_ROOM - 2, STYLE_HEAD, "NOW");
	canvas__right(c, row, l->name + VALUE_ROOM, l->error, STYLE_HEAD,
		      l->error ? l->signs->plus_minus : "");
	canvas__right(c, row, l->name + VALUE_ROOM + l->error, l->share, STYLE_HEAD,
		      l->share ? "TIME" : "");
	canvas__put(c, row,
		    l->name + VALUE_ROOM + l->error + l->share + MARK_ROOM + 1, l->plain,
		    STYLE_HEAD, l->plain ? "MEANING" : "");
	/* Each rate has its own scale. */
	if (t->opts.software)
		snprintf(scale, sizeof(scale), "LAST %d s", minute);
	else
		snprintf(scale, sizeof(scale), "LAST %d s, 0-%.0f %%", minute, l->most);
	if (text__width(scale) > l->spark && !t->opts.software)
		snprintf(scale, sizeof(scale), "%d s, 0-%.0f%%", minute, l->most);
	canvas__put(c, row, c->width - l->spark, l->spark, STYLE_HEAD, scale);
}

/* Write which lines of the tree are visible. */
static void draw_cut_note(const struct top *t, struct canvas *c, int row,
			  const struct top_layout *l, int shown)
{
	char text[64];

	snprintf(text, sizeof(text), "METRIC  %d-%d of %d", t->scroll + 1, t->scroll + shown,
		 t->lines.nr);
	canvas__put(c, row, 0, l->name, STYLE_HEAD, text);
}

static void draw_tree(struct top *t, struct canvas *c, int first, int nr)
{
	struct top_layout l = top_draw__lay_out(t, c->width);
	int row = first + 1, type_rows = 0, shown = 0;

	draw_tree_head(t, c, first, &l);
	top__find_lines(t);
	for (int i = 0; i < t->lines.nr; i++)
		type_rows += begins_type(t, i);
	t->free_lines = nr - t->lines.nr - type_rows;
	scroll_to_cursor(t, nr > type_rows ? nr - type_rows : 1);
	for (int i = t->scroll; i < t->lines.nr && row <= first + nr; i++) {
		if (begins_type(t, i) || (i == t->scroll && *t->nodes.at[t->lines.at[i]].core)) {
			canvas__put(c, row, 0, l.name, STYLE_BOLD,
				    t->nodes.at[t->lines.at[i]].core);
			if (++row > first + nr)
				break;
		}
		draw_node(t, c, row++, &l, t->lines.at[i]);
		shown++;
	}
	if (shown < t->lines.nr)
		draw_cut_note(t, c, first, &l, shown);
}

/* --- Around it ------------------------------------------------------------------------------- */

/* Return: the word for what a key does in the current view; NULL if the key does nothing. */
static const char *word_of(const struct top *t, const char *key)
{
	bool functions = t->shows == TOP_FUNCTIONS;

	if (!strcmp(key, "f"))
		return functions ? "back" : "functions";
	if (!strcmp(key, "Tab"))
		return t->in_rows ? "tree" : "rows";
	if (t->in_rows)
		return t->shows == TOP_PROCESSES ? "functions" : NULL;
	return "parts";
}

static void draw_last(const struct top *t, struct canvas *c)
{
	static const char *const keys[][2] = {
		{"q", "quit"},	   {"?", "help"},    {"f", NULL},     {"Tab", NULL},
		{"Enter", NULL},   {"e", "explain"}, {"/", "filter"}, {"s", "sort"},
		{"space", "hold"}, {"w", "page"},    {"g", "graph"},  {"-", "fold"},
	};
	int at = 0, row = c->height - 1;

	if (t->typing) {
		at = canvas__put(c, row, 0, c->width, STYLE_BOLD, "rows with: ");
		at += canvas__put(c, row, at, c->width - at, STYLE_PLAIN, sb__str(&t->filter));
		canvas__put(c, row, at, 1, STYLE_SELECTED, " ");
		return;
	}
	for (int i = 0; i < array__nr(keys); i++) {
		const char *word = keys[i][1] ?: word_of(t, keys[i][0]);

		if (!word)
			continue;
		if (at + (int)strlen(keys[i][0]) + (int)strlen(word) + 1 > c->width)
			break;
		at += canvas__put(c, row, at, c->width - at, STYLE_BOLD, keys[i][0]) + 1;
		at += canvas__put(c, row, at, c->width - at, STYLE_DIM, word) + 2;
	}
}

/* Write only that the canvas is too small: parts would cover each other. */
static void draw_too_small(struct canvas *c)
{
	auto_free(sb) text = SB_INIT;
	auto_free(sb) lines = SB_INIT;
	char *rest, *line;
	int row = 0;

	sb__printf(&text, "too small: %dx%d, at least %dx%d", c->width, c->height, LEAST_WIDTH,
		   CANVAS_LEAST);
	wrap__text(&lines, sb__str(&text), 0, 0, c->width);
	rest = lines.buf;
	while (rest && (line = strsep(&rest, "\n")) && row < c->height)
		canvas__put(c, row++, 0, c->width, STYLE_PLAIN, line);
}

void top__draw(struct top *t, struct canvas *c)
{
	int above, left, tree, chart = top__chart_lines(t, c->height);

	canvas__clear(c);
	if (c->width < LEAST_WIDTH || c->height < CANVAS_LEAST) {
		draw_too_small(c);
		return;
	}
	if (t->overlay || t->helps) {
		top__draw_overlay(t, c);
		return;
	}
	t->charting = chart;
	above = top__draw_head(t, c);
	left = c->height - above - FRAME - chart;
	tree = left * (t->shows == TOP_FUNCTIONS ? SHARE_BY_FUNCTIONS : TREE_SHARE);
	tree = tree > TREE_MOST ? TREE_MOST : tree;
	if (left > 1) {
		draw_tree(t, c, above, tree);
		if (chart)
			top__draw_chart(t, c, above + 1 + tree, chart);
		top__draw_rows(t, c, above + 1 + tree + chart, left - tree);
	}
	draw_last(t, c);
}
