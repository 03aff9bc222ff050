// SPDX-License-Identifier: GPL-2.0-only
/* The rows on the model's canvas, and texts that stand above all else. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "base/text.h"
#include "screen/canvas.h"
#include "screen/internal.h"

#define KEY_ROOM 8
#define CPUS_ROOM 8
#define LOST_ROOM 8
#define VALUE_ROOM 9
#define ERROR_ROOM 7
#define END_SHARE 0.36 /* of the columns, for a bottleneck */
#define END_MOST 44
#define PLACE_LEAST 10
#define PLACE_MOST 48 /* more would part names from their numbers */
#define NARROW 70 /* fewer columns have no room for errors */

/** struct top_columns - where the parts of a row begin; 0 columns for what is left out */
struct top_columns {
	int key, place, cpus, lost, end, value, error;
};

static struct top_columns top_table__lay_out(const struct top *t, int width)
{
	struct top_columns l = {
		.key = t->opts.rows <= TOP_CPUS && t->opts.rows != TOP_CGROUPS ? KEY_ROOM : 0,
		.cpus = CPUS_ROOM,
		.lost = LOST_ROOM,
		.end = width * END_SHARE,
		.value = VALUE_ROOM,
		.error = width < NARROW ? 0 : ERROR_ROOM,
	};

	l.end = l.end > END_MOST ? END_MOST : l.end;
	l.place = width - l.key - l.cpus - l.lost - l.end - l.value - l.error;
	l.place = l.place > PLACE_MOST ? PLACE_MOST : l.place;
	if (l.place < PLACE_LEAST) {
		l.end -= PLACE_LEAST - l.place;
		l.place = PLACE_LEAST;
	}
	return l;
}

static void draw_head(const struct top *t, struct canvas *c, int row, const struct top_columns *l)
{
	static const char *const places[] = {
		[TOP_PROCESSES] = "PROCESS",
		[TOP_CGROUPS] = "CGROUP",
		[TOP_CPUS] = "",
		[TOP_CORE_TYPES] = "CORES",
	};
	int at = 0;
	auto_free(sb) text = SB_INIT;

	canvas__paint(c, row, 0, c->width, STYLE_HEAD);
	canvas__right(c, row, at, l->key - 1, STYLE_HEAD,
		      t->opts.rows == TOP_CPUS ? "CPU"
		      : l->key		       ? "PID"
					       : "");
	at += l->key;
	sb__puts(&text, places[t->opts.rows]);
	if (t->filter.len)
		sb__printf(&text, " (with '%s')", sb__str(&t->filter));
	canvas__put(c, row, at, l->place, STYLE_HEAD, sb__str(&text));
	at += l->place;
	canvas__right(c, row, at, l->cpus, STYLE_HEAD, "CPUs");
	at += l->cpus;
	canvas__right(c, row, at, l->lost, STYLE_HEAD, t->branch < 0 ? "LOST" : "HERE");
	at += l->lost;
	sb__clear(&text);
	sb__printf(&text, "  BOTTLENECK   sorted by %s",
		   t->sort == SORT_LOST && t->branch >= 0 ? "HERE" : top__sort_name(t->sort));
	canvas__put(c, row, at, l->end, STYLE_HEAD, sb__str(&text));
	at += l->end;
	canvas__right(c, row, at, l->value - 2, STYLE_HEAD, "%");
	canvas__right(c, row, at + l->value, l->error, STYLE_HEAD,
		      !l->error	     ? ""
		      : t->opts.utf8 ? "±"
				     : "+-");
}

static void top_table__put_number(struct canvas *c, int row, int at, int room, const char *format,
				  double number)
{
	char text[32];

	if (!isfinite(number) || !room)
		return;
	snprintf(text, sizeof(text), format, number);
	canvas__right(c, row, at, room, STYLE_PLAIN, text);
}

static void draw_row(const struct top *t, struct canvas *c, int row, const struct top_columns *l,
		     const struct top_row *r)
{
	int at = 0;

	if (l->key)
		top_table__put_number(c, row, at, l->key - 1, "%.0f", r->key);
	at += l->key;
	canvas__put(c, row, at, l->place - 1, STYLE_PLAIN, r->name);
	at += l->place;
	top_table__put_number(c, row, at, l->cpus, "%.2f", r->cpus);
	at += l->cpus;
	top_table__put_number(c, row, at, l->lost, "%.2f", r->lost);
	at += l->lost + 2;
	if (r->why) {
		canvas__put(c, row, at, c->width - at, STYLE_DIM, r->why);
		return;
	}
	if (!r->bottleneck || isnan(r->value))
		return;
	canvas__put(c, row, at, l->end - 2, r->useful ? STYLE_UNDER : STYLE_PLAIN, r->bottleneck);
	at += l->end - 2;
	top_table__put_number(c, row, at, l->value, "%.1f %%", r->value);
	if (r->error > 0)
		top_table__put_number(c, row, at + l->value, l->error,
				      t->opts.utf8 ? "±%.1f" : "+-%.1f", r->error);
}

void top__draw_rows(struct top *t, struct canvas *c, int first, int nr)
{
	struct top_columns l = top_table__lay_out(t, c->width);
	int shown = 0, passed = 0;

	draw_head(t, c, first, &l);
	for (int i = 0; i < t->rows.nr; i++)
		passed += top__passes(t, &t->rows.at[i]);
	if (t->scroll_rows > passed - nr)
		t->scroll_rows = passed > nr ? passed - nr : 0;
	for (int i = 0, at = 0; i < t->rows.nr && shown < nr; i++)
		if (top__passes(t, &t->rows.at[i]) && at++ >= t->scroll_rows)
			draw_row(t, c, first + 1 + shown++, &l, &t->rows.at[i]);
	t->page_lines = nr;
	if (!shown)
		canvas__put(c, first + 1, 0, c->width, STYLE_DIM,
			    t->rows.nr ? "no row matches the filter: / changes it"
				       : sb__str(&t->rows_message));
}

/* --- Above all else -------------------------------------------------------------------------- */

static const char help[] =
	"up, down, home, end   select a metric\n"
	"Enter, right          count the children of the selected metric, and only these\n"
	"backspace, left       back to its parent\n"
	"e                     explain the selected metric\n"
	"f                     fold or show children of metrics under their thresholds\n"
	"page up, page down    scroll the rows\n"
	"/                     show only rows whose name or bottleneck contains a text\n"
	"s                     sort the rows by another column\n"
	"space                 hold or continue\n"
	"w                     write what was seen as an HTML page\n"
	"q, Ctrl-C             quit\n"
	"\n"
	"NOW is the last interval, +- its error (90 %), TIME the share of the time it was "
	"counted.\n"
	"! and red: over its threshold. Dim: not counted now.\n"
	"CPUs is CPU time by time. LOST is the part of it whose slots did no useful work; HERE,\n"
	"with a branch, the part whose slots the branch had.\n";

const char *top__help(void)
{
	return help;
}

void top__draw_told(struct top *t, struct canvas *c)
{
	const char *text = t->told ?: help, *title = t->told ? t->told_title : "help";
	int row = 1, skip = t->scroll_told;

	canvas__paint(c, 0, 0, c->width, STYLE_HEAD);
	canvas__put(c, 0, 0, c->width, STYLE_HEAD, title);
	for (; *text && row < c->height - 1; text += strcspn(text, "\n"), text += *text == '\n') {
		auto_free(sb) line = SB_INIT;

		if (skip-- > 0)
			continue;
		sb__add(&line, text, strcspn(text, "\n"));
		canvas__put(c, row++, 0, c->width, STYLE_PLAIN, sb__str(&line));
	}
	t->page_lines = c->height - 2;
	canvas__put(c, c->height - 1, 0, c->width, STYLE_DIM,
		    *text ? "down, page down: more; any other key: back" : "any key: back");
}
