// SPDX-License-Identifier: GPL-2.0-only
/* The rows on the model's canvas, and texts that are shown above all else. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/text.h"
#include "base/wrap.h"
#include "screen/canvas.h"
#include "screen/internal.h"

#define KEY_ROOM 8
#define CPUS_ROOM 8
#define LOST_ROOM 8
#define RATE_ROOM 12
#define VALUE_ROOM 9
#define ERROR_ROOM 7
#define END_GAP 2
#define END_LEAST 14
#define END_MOST 44
#define PLACE_LEAST 12
#define PLACE_MOST 48 /* more would part names from their numbers */
#define OTHERS_LEAST 0.005 /* CPUs that others have, to be told */
#define KEYS_ROOM 22 /* of a text on keys, where a line is long enough for both */
#define KEYS_WIDTH 60

/** struct top_columns - how wide the parts of a row are; 0 columns for what is left out */
struct top_columns {
	int key, place, cpus, lost, switches, faults, end, value, error;
	bool is_short; /* metrics go without their prefix */
};

static const char *end_of(const struct top_row *r, bool is_short)
{
	const char *name = r->bottleneck ?: "";

	return is_short && text__has_prefix(name, "tma_") ? name + strlen("tma_") : name;
}

static int longest_end(const struct top *t, bool is_short)
{
	int most = END_LEAST;

	for (int i = 0; i < t->rows.nr; i++) {
		int width = text__width(end_of(&t->rows.at[i], is_short)) + END_GAP;

		most = width > most ? width : most;
	}
	return most > END_MOST ? END_MOST : most;
}

static int longest_place(const struct top *t)
{
	int most = PLACE_LEAST;

	for (int i = 0; i < t->rows.nr; i++) {
		int width = text__width(t->rows.at[i].name) + 1;

		most = width > most ? width : most;
	}
	return most > PLACE_MOST ? PLACE_MOST : most;
}

/* Columns that no row has a value for are left out. */
static void leave_empty_out(const struct top *t, struct top_columns *l)
{
	bool lost = false, error = false, cpus = false;

	for (int i = 0; i < t->rows.nr; i++) {
		lost |= isfinite(t->rows.at[i].lost);
		error |= t->rows.at[i].error > 0;
		cpus |= isfinite(t->rows.at[i].cpus);
	}
	l->lost = lost ? l->lost : 0;
	l->error = error ? l->error : 0;
	l->cpus = cpus || !t->rows.nr ? l->cpus : 0;
}

static int too_many(const struct top_columns *l, int width)
{
	return l->key + l->place + l->cpus + l->lost + l->switches + l->faults + l->end +
	       l->value + l->error - width;
}

static int shrink(int columns, int by, int least)
{
	return by <= 0 ? columns : columns - by > least ? columns - by : least;
}

static struct top_columns top_table__lay_out(const struct top *t, int width)
{
	bool kernels = t->opts.software;
	struct top_columns l = {
		.key = t->opts.rows <= TOP_CPUS && t->opts.rows != TOP_CGROUPS ? KEY_ROOM : 0,
		.place = longest_place(t),
		.cpus = CPUS_ROOM,
		.lost = kernels ? 0 : LOST_ROOM,
		.switches = kernels ? RATE_ROOM : 0,
		.faults = kernels ? RATE_ROOM : 0,
		.end = kernels ? 0 : longest_end(t, false),
		.value = kernels ? 0 : VALUE_ROOM,
		.error = kernels ? 0 : ERROR_ROOM,
	};

	leave_empty_out(t, &l);
	if (too_many(&l, width) > 0)
		l.error = 0;
	if (too_many(&l, width) > 0)
		l.lost = 0;
	if (too_many(&l, width) > 0 && l.end) {
		l.is_short = true;
		l.end = longest_end(t, true);
	}
	l.place = shrink(l.place, too_many(&l, width), PLACE_LEAST);
	l.faults = too_many(&l, width) > 0 ? 0 : l.faults;
	l.end = l.end ? shrink(l.end, too_many(&l, width), END_LEAST) : 0;
	l.value = too_many(&l, width) > 0 ? 0 : l.value;
	return l;
}

static int put_heading(struct canvas *c, int row, int at, int room, const char *text)
{
	canvas__right(c, row, at, room, STYLE_HEAD, room ? text : "");
	return at + room;
}

static void draw_head(const struct top *t, struct canvas *c, int row, const struct top_columns *l)
{
	static const char *const places[] = {
		[TOP_PROCESSES] = "PROCESS",
		[TOP_CGROUPS] = "CGROUP",
		[TOP_CPUS] = "",
		[TOP_CORE_TYPES] = "CORES",
	};
	int at = l->key;
	auto_free(sb) text = SB_INIT;

	canvas__paint(c, row, 0, c->width, STYLE_HEAD);
	canvas__right(c, row, 0, l->key - 1, STYLE_HEAD,
		      t->opts.rows == TOP_CPUS ? "CPU"
		      : l->key		       ? "PID"
					       : "");
	sb__puts(&text, places[t->opts.rows]);
	if (t->filter.len)
		sb__printf(&text, " (with '%s')", sb__str(&t->filter));
	canvas__fit(c, row, at, l->place - 1, STYLE_HEAD, sb__str(&text), top__signs(t)->cut);
	at = put_heading(c, row, at + l->place, l->cpus, "CPUs");
	at = put_heading(c, row, at, l->lost, t->branch < 0 ? "LOST" : "HERE");
	at = put_heading(c, row, at, l->switches, "SWITCHES/s");
	at = put_heading(c, row, at, l->faults, "FAULTS/s");
	canvas__put(c, row, at + END_GAP, l->end, STYLE_HEAD, l->end ? "BOTTLENECK" : "");
	at += l->end;
	canvas__right(c, row, at, l->value - 2, STYLE_HEAD, l->value ? "%" : "");
	at = put_heading(c, row, at + l->value, l->error, top__signs(t)->plus_minus);
	sb__clear(&text);
	sb__printf(&text, "sorted by %s",
		   t->sort == SORT_LOST && t->branch >= 0 ? "HERE" : top__sort_name(t->sort));
	if (c->width - at > text__width(sb__str(&text)) + END_GAP)
		canvas__right(c, row, at, c->width - at, STYLE_HEAD, sb__str(&text));
}

static int top_table__put_number(struct canvas *c, int row, int at, int room, const char *format,
				 double number)
{
	char text[32];

	if (isfinite(number) && room) {
		snprintf(text, sizeof(text), format, number);
		canvas__right(c, row, at, room, STYLE_PLAIN, text);
	}
	return at + room;
}

static void draw_row(const struct top *t, struct canvas *c, int row, const struct top_columns *l,
		     const struct top_row *r)
{
	int at = l->key;

	if (l->key && r->numbered)
		top_table__put_number(c, row, 0, l->key - 1, "%.0f", r->key);
	canvas__fit(c, row, at, l->place - 1, STYLE_PLAIN, r->name, top__signs(t)->cut);
	at = top_table__put_number(c, row, at + l->place, l->cpus, "%.2f", r->cpus);
	at = top_table__put_number(c, row, at, l->lost, "%.2f", r->lost);
	at = top_table__put_number(c, row, at, l->switches, "%.0f", r->switches);
	at = top_table__put_number(c, row, at, l->faults, "%.0f", r->faults);
	if (!l->end)
		return;
	if (r->why) {
		canvas__fit(c, row, at + END_GAP, c->width - at - END_GAP, STYLE_DIM, r->why,
			    top__signs(t)->cut);
		return;
	}
	if (!r->bottleneck || isnan(r->value))
		return;
	canvas__fit(c, row, at + END_GAP, l->end - END_GAP, r->useful ? STYLE_UNDER : STYLE_PLAIN,
		    end_of(r, l->is_short), top__signs(t)->cut);
	at = top_table__put_number(c, row, at + l->end, l->value, "%.1f %%", r->value);
	if (r->error > 0)
		top_table__put_number(c, row, at, l->error,
				      t->opts.utf8 ? "±%.1f" : "+-%.1f", r->error);
}

/* With the rows that are shown, others add up to what the first line says. */
static void draw_others(const struct top *t, struct canvas *c, int row,
			const struct top_columns *l, int more, double shown)
{
	char name[32] = "others";
	struct top_row others = {.name = name, .cpus = t->busy - shown, .lost = NAN, .value = NAN,
				 .switches = NAN, .faults = NAN};

	if (!(others.cpus > OTHERS_LEAST))
		return;
	if (more)
		snprintf(name, sizeof(name), "others (+%d)", more);
	draw_row(t, c, row, l, &others);
	canvas__paint(c, row, 0, c->width, STYLE_DIM);
}

/* Return: whether a line is kept for the others. */
static bool has_others(const struct top *t, int nr)
{
	return nr > 2 && isfinite(t->busy) && !t->filter.len && t->rows.nr &&
	       (t->opts.rows == TOP_PROCESSES || t->opts.rows == TOP_CGROUPS);
}

void top__draw_rows(struct top *t, struct canvas *c, int first, int nr)
{
	struct top_columns l = top_table__lay_out(t, c->width);
	int shown = 0, passed = 0, room = nr - has_others(t, nr);
	double cpus = 0;

	draw_head(t, c, first, &l);
	for (int i = 0; i < t->rows.nr; i++)
		passed += top__passes(t, &t->rows.at[i]);
	if (t->scroll_rows > passed - room)
		t->scroll_rows = passed > room ? passed - room : 0;
	for (int i = 0, at = 0; i < t->rows.nr && shown < room; i++) {
		const struct top_row *r = &t->rows.at[i];

		if (!top__passes(t, r) || at++ < t->scroll_rows)
			continue;
		draw_row(t, c, first + 1 + shown++, &l, r);
		cpus += isfinite(r->cpus) ? r->cpus : 0;
	}
	t->page_lines = room;
	if (shown && room < nr)
		draw_others(t, c, first + 1 + shown, &l, passed - shown, cpus);
	if (!shown)
		canvas__fit(c, first + 1, 0, c->width, STYLE_DIM,
			    t->rows.nr ? "no row matches the filter: / changes it"
				       : sb__str(&t->rows_message),
			    top__signs(t)->cut);
}

/* --- Above all else -------------------------------------------------------------------------- */

static const char *const keys[][2] = {
	{"up, down, home, end", "select a metric"},
	{"Enter, right", "count the children of the selected metric, and only these"},
	{"backspace, left", "back to its parent"},
	{"e", "explain the selected metric"},
	{"g", "show the history of the selected metric as a graph, or hide it"},
	{"f", "fold or show children of metrics under their thresholds"},
	{"page up, page down", "scroll the rows"},
	{"/", "show only rows whose name or bottleneck contains a text"},
	{"s", "sort the rows by another column"},
	{"space", "hold or continue"},
	{"w", "write what was seen as an HTML page"},
	{"q, Ctrl-C", "quit"},
};

static const char *const columns[] = {
	"NOW is the last interval, +- its error (90 %), TIME the share of the time it was counted.",
	"! and red: over its threshold. Dim: not counted now.",
	"CPUs is CPU time by time. LOST is the part of it whose slots did no useful work; HERE, with "
	"a branch, the part whose slots the branch had.",
	"Where most is lost, the children of the bottleneck are counted, too, if there is room.",
};

void top__put_help(struct sb *sb, int width)
{
	int indent = width < KEYS_WIDTH ? 2 : KEYS_ROOM;

	for (int i = 0; i < array__nr(keys); i++) {
		sb__printf(sb, width < KEYS_WIDTH ? "%s: " : "%-22s", keys[i][0]);
		wrap__text(sb, keys[i][1],
			   width < KEYS_WIDTH ? text__width(keys[i][0]) + 2 : KEYS_ROOM, indent,
			   width);
		sb__putc(sb, '\n');
	}
	for (int i = 0; i < array__nr(columns); i++) {
		sb__putc(sb, '\n');
		wrap__text(sb, columns[i], 0, 0, width);
		sb__puts(sb, "\n");
	}
}

static int count_lines(const char *text)
{
	int nr = 0;

	for (; *text; text++)
		nr += *text == '\n';
	return nr;
}

void top__draw_told(struct top *t, struct canvas *c)
{
	const char *title = t->told ? t->told_title : "help", *text;
	auto_free(sb) lines = SB_INIT;
	int row = 1, skip, most;

	if (t->told)
		wrap__lines(&lines, t->told, 2, c->width);
	else
		top__put_help(&lines, c->width);
	text = sb__str(&lines);
	t->page_lines = c->height - 2;
	most = count_lines(text) - t->page_lines;
	t->scroll_told = t->scroll_told > most ? most : t->scroll_told;
	skip = t->scroll_told = t->scroll_told < 0 ? 0 : t->scroll_told;
	canvas__paint(c, 0, 0, c->width, STYLE_HEAD);
	canvas__put(c, 0, 0, c->width, STYLE_HEAD, title);
	for (; *text && row < c->height - 1; text += strcspn(text, "\n"), text += *text == '\n') {
		auto_free(sb) line = SB_INIT;

		if (skip-- > 0)
			continue;
		sb__add(&line, text, strcspn(text, "\n"));
		canvas__put(c, row++, 0, c->width, STYLE_PLAIN, sb__str(&line));
	}
	canvas__put(c, c->height - 1, 0, c->width, STYLE_DIM,
		    !*text		     ? "any key: back"
		    : c->width < KEYS_WIDTH ? "down: more; other keys: back"
					    : "down, page down: more; any other key: back");
}
