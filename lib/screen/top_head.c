// SPDX-License-Identifier: GPL-2.0-only
/* Draw the model's first lines: what is measured, the state, and messages. */
#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "base/text.h"
#include "base/wrap.h"
#include "screen/canvas.h"
#include "screen/internal.h"

#define GAP 2	      /* columns between two parts */
#define NARROW 80     /* a canvas with fewer columns has two lines */
#define NO_NAME 60    /* a canvas with fewer columns omits the name of the program */
#define MESSAGE_MOST 4 /* greatest number of lines of a message */

/** struct top_first - the current lines, and the position of the next part */
struct top_first {
	struct canvas *c;
	int row, column, rows, room;
};

/*
 * Put a part on the current line, or on the next line if it does not fit. After the last line,
 * leave the part out.
 */
static void put_part(struct top_first *at, enum canvas_style style, const char *text)
{
	int width = text__width(text), gap = at->column ? GAP : 0;

	if (!width)
		return;
	if (at->column + gap + width > at->room && at->column && at->row + 1 < at->rows) {
		at->row++;
		at->column = gap = 0;
		at->room = at->c->width;
	}
	if (at->column && at->column + gap + width > at->room)
		return;
	at->column += gap;
	at->column += canvas__put(at->c, at->row, at->column, at->room - at->column, style, text);
}

static void put_busy(const struct top *t, struct sb *sb)
{
	sb__printf(sb, "%d CPU%s", t->opts.cpus, t->opts.cpus == 1 ? "" : "s");
	if (isfinite(t->busy))
		sb__printf(sb, ", %.2f busy", t->busy);
}

static void put_ipc(const struct top *t, struct sb *sb)
{
	const struct top_ipc *ipc;

	vec__for_each (ipc, &t->ipc) {
		if (!isfinite(ipc->value))
			continue;
		sb__printf(sb, "%s%.2f IPC", sb->len ? ", " : "", ipc->value);
		if (*ipc->core)
			sb__printf(sb, " on %s", ipc->core);
	}
}

/*
 * Append the clock rate. Omit an impossible rate: then CPU time and cycles come from different
 * machines.
 */
static void put_ghz(const struct top *t, struct sb *sb)
{
	double ghz = t->busy > 0 ? t->cycles / t->busy : (double)NAN;

	if (ghz > 0.01 && ghz < 10)
		sb__printf(sb, "%.1f GHz", ghz);
}

/* Draw the first lines; several core types need one more. Return: number of lines. */
static int draw_first(const struct top *t, struct canvas *c)
{
	static void (*const parts[])(const struct top *t, struct sb *sb) = {put_busy, put_ipc,
									     put_ghz};
	int time = text__width(sb__str(&t->time));
	struct top_first at = {.c = c, .rows = 1 + (c->width < NARROW) + (t->ipc.nr > 1),
			       .room = c->width - time - 1};
	auto_free(sb) text = SB_INIT;

	put_part(&at, STYLE_BOLD, c->width < NO_NAME ? "" : "tma top");
	put_part(&at, STYLE_BOLD, t->opts.machine);
	for (int i = 0; i < (int)(sizeof(parts) / sizeof(*parts)); i++) {
		sb__clear(&text);
		parts[i](t, &text);
		put_part(&at, STYLE_BOLD, sb__str(&text));
	}
	sb__clear(&text);
	sb__printf(&text, "every %g s", t->opts.interval_ms / 1000.0);
	at.rows = at.row + 1;
	put_part(&at, STYLE_PLAIN, sb__str(&text));
	canvas__put(c, 0, c->width - time, time, STYLE_PLAIN, sb__str(&t->time));
	return at.rows;
}

/*
 * Make the message; without one, show the meaning of the selected metric. Return: style of the
 * message.
 */
static enum canvas_style make_message(const struct top *t, struct sb *sb)
{
	const char *above;

	if (t->held) {
		sb__puts(sb, "held: space continues (intervals in between are not shown)");
		return STYLE_WARN;
	}
	if (t->message.len) {
		sb__puts(sb, sb__str(&t->message));
		return t->warning ? STYLE_WARN : STYLE_PLAIN;
	}
	for (int i = 0; (above = top__each_above(t, i)); i++)
		sb__printf(sb, "%s%s", i ? " > " : "parts of ", above);
	if (sb->len)
		sb__puts(sb, "  (backspace: up)");
	else if (t->cursor >= 0 && t->nodes.at[t->cursor].plain)
		sb__printf(sb, "%s: %s  (e explains)", t->nodes.at[t->cursor].name,
			   t->nodes.at[t->cursor].plain);
	return STYLE_PLAIN;
}

int top__draw_head(const struct top *t, struct canvas *c)
{
	auto_free(sb) text = SB_INIT;
	auto_free(sb) lines = SB_INIT;
	enum canvas_style style = make_message(t, &text);
	int row = draw_first(t, c), first = row, spare = c->height - CANVAS_LEAST, most;
	char *rest, *line;

	wrap__text(&lines, sb__str(&text), 0, 0, c->width);
	/* On a small canvas a long message leaves room for the tree and the rows. */
	most = spare < MESSAGE_MOST ? spare + 1 : MESSAGE_MOST;
	rest = lines.buf;
	while (rest && (line = strsep(&rest, "\n")) && row < first + most)
		canvas__fit(c, row++, 0, c->width, style, line, top__signs(t)->cut);
	return row > first ? row : first + 1;
}
