// SPDX-License-Identifier: GPL-2.0-only
/*
 * The model's canvas: a line on what is measured, one for messages, the tree, the rows, and a line
 * on keys. How many lines each has follows from the size alone, so that nothing moves when the next
 * interval comes, or another branch.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "grid/unit.h"
#include "base/auto.h"
#include "base/text.h"
#include "screen/canvas.h"
#include "screen/internal.h"

#define ABOVE 2	       /* lines above the heading of the tree */
#define FRAME 5	       /* these, two headings and the last line */
#define TREE_SHARE 0.6 /* of the other lines */
#define TREE_MOST 32
#define NAME_SHARE 0.42 /* of the columns */
#define NAME_LEAST 22
#define NAME_MOST 44
#define VALUE_ROOM 10
#define ERROR_ROOM 7
#define SHARE_ROOM 6
#define MARK_ROOM 2
#define SPARK_LEAST 20 /* for its heading, however few intervals a minute has */
#define NARROW 70 /* fewer columns have no room for shares */
#define BAR_LEAST 10
#define BAR_MOST 40
#define LEVELS 8
#define PERCENT 100
#define BIG_RATE 100000

/** struct top_signs - what a history and a bar are drawn with, from small to large */
struct top_signs {
	const struct outline_signs *branches;
	const char *levels[LEVELS], *bar, *plus_minus, *cut;
};

static const struct top_signs in_utf8 = {
	&outline_utf8, {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, "█", "±", "…"};
static const struct top_signs in_ascii = {
	&outline_ascii, {"_", ".", ":", "-", "=", "+", "*", "#"}, "#", "+-", "~"};

/** struct top_layout - where the parts of a line of the tree are; 0 columns for what is left out */
struct top_layout {
	int name, error, share, bar, spark;
	const struct top_signs *signs;
	double most;
};

static const struct top_signs *signs_of(const struct top *t)
{
	return t->opts.utf8 ? &in_utf8 : &in_ascii;
}

/* --- The tree -------------------------------------------------------------------------------- */

/* The largest percentage of the last minute, in steps: all histories have the same scale. */
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

static struct top_layout top_draw__lay_out(const struct top *t, int width)
{
	struct top_layout l = {.signs = signs_of(t), .most = scale_of(t), .error = ERROR_ROOM};
	int left, room = t->nr_history < HISTORY_S ? t->nr_history : HISTORY_S;

	l.name = width * NAME_SHARE;
	l.name = l.name < NAME_LEAST ? NAME_LEAST : l.name > NAME_MOST ? NAME_MOST : l.name;
	l.share = width < NARROW ? 0 : SHARE_ROOM;
	left = width - l.name - VALUE_ROOM - l.error - l.share - MARK_ROOM - 1;
	room = room < SPARK_LEAST ? SPARK_LEAST : room;
	l.spark = left < 0 ? 0 : left > room ? room : left;
	left -= l.spark + 1;
	l.bar = left < BAR_LEAST ? 0 : left > BAR_MOST ? BAR_MOST : left;
	return l;
}

/* The mean of what is known of some intervals; NAN where nothing is. */
static double mean_of(const struct top *t, const struct top_node *n, uint64_t first, uint64_t nr)
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

/* What has no percentage has a scale of its own. */
static double own_scale(const struct top *t, const struct top_node *n)
{
	double most = 0;

	for (int i = 0; i < t->nr_history; i++)
		most = fmax(most, n->history[i]);
	return most;
}

/* Several intervals share a column where there is little room: always the same ones. */
static void draw_history(const struct top *t, struct canvas *c, int row, int column,
			 const struct top_layout *l, const struct top_node *n)
{
	double most = n->level ? l->most : own_scale(t, n);
	int each = l->spark ? (t->nr_history + l->spark - 1) / l->spark : 1;
	int columns = (t->nr_history + each - 1) / each;
	uint64_t last = t->interval / each;

	for (int i = 0; i < columns && (uint64_t)i <= last; i++) {
		double value = mean_of(t, n, (last - i) * each, each);
		int level = most > 0 ? value / most * LEVELS : 0;

		if (isnan(value))
			continue;
		level = level < 0 ? 0 : level >= LEVELS ? LEVELS - 1 : level;
		canvas__put(c, row, column + l->spark - 1 - i, 1,
			    !n->now	       ? STYLE_DIM
			    : n->threshold > 0 ? STYLE_OVER
					       : STYLE_PLAIN,
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
	if (isfinite(n->error) && n->error > 0)
		sb__printf(&text, "%s%.1f", l->signs->plus_minus, n->error);
	canvas__right(c, row, at, l->error, STYLE_DIM, sb__str(&text));
	at += l->error;
	sb__clear(&text);
	if (isfinite(n->share) && n->share < PERCENT - 0.5)
		sb__printf(&text, "%.0f%%", n->share);
	canvas__right(c, row, at, l->share, STYLE_DIM, sb__str(&text));
	at += l->share;
	canvas__put(c, row, at, MARK_ROOM, style, n->threshold > 0 ? " !" : "");
	at += MARK_ROOM + 1;
	for (int i = 0; i < l->bar && n->level && i < lround(n->value / PERCENT * l->bar); i++)
		canvas__put(c, row, at + i, 1, style, l->signs->bar);
}

static void draw_node(struct top *t, struct canvas *c, int row, const struct top_layout *l,
		      int node)
{
	const struct top_node *n = &t->nodes.at[node];
	const struct outline_line *line = &t->outline.lines[node];
	int spark = c->width - l->spark, used;
	auto_free(sb) name = SB_INIT;

	outline__put_branches(&t->outline, node, l->signs->branches, &name);
	sb__puts(&name, n->name);
	if (line->nr_below && !line->parts)
		sb__printf(&name, " (+%d)", line->nr_below);
	used = canvas__put(c, row, 0, l->name - 1, n->now ? STYLE_PLAIN : STYLE_DIM,
			   sb__str(&name));
	if (used < text__width(sb__str(&name)))
		canvas__put(c, row, used - 1, 1, STYLE_DIM, l->signs->cut);
	/* What is not counted now has its history alone. */
	if (n->has_value && n->now)
		draw_value(c, row, l, n);
	else if (n->now)
		canvas__put(c, row, l->name + 2, spark - l->name - 3, STYLE_DIM, n->why ?: "");
	draw_history(t, c, row, spark, l, n);
	if (node == t->cursor)
		canvas__paint(c, row, 0, l->name - 1, STYLE_SELECTED);
}

/* The line of the selection stays in sight. Return: whether a heading of a core type is needed. */
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

/* Of several core types, each has its name where its lines begin. */
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
	snprintf(scale, sizeof(scale), "LAST %d s, 0-%.0f %%", minute, l->most);
	if (text__width(scale) > l->spark)
		snprintf(scale, sizeof(scale), "%d s, 0-%.0f%%", minute, l->most);
	canvas__put(c, row, c->width - l->spark, l->spark, STYLE_HEAD, scale);
}

/* A tree that is cut off says so. */
static void draw_part(const struct top *t, struct canvas *c, int row, const struct top_layout *l,
		      int shown)
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
		draw_part(t, c, first, &l, shown);
}

/* --- Around it ------------------------------------------------------------------------------- */

static void draw_first(const struct top *t, struct canvas *c)
{
	auto_free(sb) text = SB_INIT;
	int time = text__width(sb__str(&t->time));

	sb__printf(&text, "tma top  %s  %d CPU%s", t->opts.machine, t->opts.cpus,
		   t->opts.cpus == 1 ? "" : "s");
	if (isfinite(t->busy))
		sb__printf(&text, ", %.2f busy", t->busy);
	sb__printf(&text, "  every %g s", t->opts.interval_ms / 1000.0);
	canvas__put(c, 0, 0, c->width - time - 1, STYLE_BOLD, sb__str(&text));
	canvas__put(c, 0, c->width - time, time, STYLE_PLAIN, sb__str(&t->time));
}

static void draw_message(const struct top *t, struct canvas *c)
{
	auto_free(sb) way = SB_INIT;
	const char *above;

	if (t->held) {
		canvas__put(c, 1, 0, c->width, STYLE_WARN,
			    "held: space continues (what came meanwhile is not shown)");
		return;
	}
	if (t->message.len) {
		canvas__put(c, 1, 0, c->width, t->warning ? STYLE_WARN : STYLE_PLAIN,
			    sb__str(&t->message));
		return;
	}
	for (int i = 0; (above = top__each_above(t, i)); i++)
		sb__printf(&way, "%s%s", i ? " > " : "parts of ", above);
	if (way.len)
		sb__puts(&way, "  (backspace: up)");
	canvas__put(c, 1, 0, c->width, STYLE_PLAIN, sb__str(&way));
}

static void draw_last(const struct top *t, struct canvas *c)
{
	static const char *const keys[][2] = {
		{"q", "quit"},	   {"?", "help"},   {"Enter", "parts"},
		{"e", "explain"},  {"/", "filter"}, {"s", "sort"},
		{"space", "hold"}, {"w", "page"},   {"f", "fold"},
	};
	int at = 0, row = c->height - 1;

	if (t->typing) {
		at = canvas__put(c, row, 0, c->width, STYLE_BOLD, "rows with: ");
		at += canvas__put(c, row, at, c->width - at, STYLE_PLAIN, sb__str(&t->filter));
		canvas__put(c, row, at, 1, STYLE_SELECTED, " ");
		return;
	}
	for (int i = 0; i < array__nr(keys); i++) {
		if (at + (int)strlen(keys[i][0]) + (int)strlen(keys[i][1]) + 1 > c->width)
			break;
		at += canvas__put(c, row, at, c->width - at, STYLE_BOLD, keys[i][0]) + 1;
		at += canvas__put(c, row, at, c->width - at, STYLE_DIM, keys[i][1]) + 2;
	}
}

void top__draw(struct top *t, struct canvas *c)
{
	int left = c->height - FRAME, tree = left * TREE_SHARE;

	canvas__clear(c);
	if (t->told || t->helps) {
		top__draw_told(t, c);
		return;
	}
	tree = tree > TREE_MOST ? TREE_MOST : tree;
	draw_first(t, c);
	draw_message(t, c);
	if (left > 1) {
		draw_tree(t, c, ABOVE, tree);
		top__draw_rows(t, c, ABOVE + 1 + tree, left - tree);
	}
	draw_last(t, c);
}
