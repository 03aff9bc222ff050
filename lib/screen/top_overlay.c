// SPDX-License-Identifier: GPL-2.0-only
/* Draw texts that cover the model's canvas: the help, and the explanation of a metric. */
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/text.h"
#include "base/wrap.h"
#include "screen/canvas.h"
#include "screen/internal.h"

#define KEYS_ROOM 22 /* columns for keys, if lines have room for keys and texts */
#define KEYS_WIDTH 60

static const char *const keys[][2] = {
	{"up, down, home, end", "select a metric, or a row"},
	{"Enter, right", "count the children of the selected metric, and only these"},
	{"backspace, left", "go back to the parent"},
	{"f", "show functions of all processes, or of the process selected after Tab; f or Escape "
	      "goes back"},
	{"Tab", "switch the arrows between the tree and the rows; Enter on a process shows its "
		"functions"},
	{"e", "explain the selected metric"},
	{"g", "show the history of the selected metric as a graph, or hide it"},
	{"-", "fold or show children of metrics under their thresholds"},
	{"page up, page down", "scroll the rows"},
	{"/", "show only rows whose name or bottleneck contains a text"},
	{"s", "sort the rows by another column"},
	{"space", "hold or continue"},
	{"w", "write what was seen as an HTML page"},
	{"q, Ctrl-C", "quit"},
};

static const char *const columns[] = {
	"NOW is the value in the last interval, +- its error (90 %), TIME the share of the time "
	"in which it was counted.",
	"! and red: over its threshold. Dim: not counted now.",
	"CPUs is CPU time divided by time. LOST is the part of CPUs whose slots did no useful "
	"work; with a branch, HERE is the part whose slots belong to the branch.",
	"Functions are estimated from samples of the last 10 s. SHARE is a share of all cycles; "
	"the parts and the bottleneck are shares of the function's slots. Near: the program "
	"leaves the function so soon that samples may belong to another one, and nothing more is "
	"known.",
	"If there is room, the children of the node where most is lost are counted, too.",
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

void top__draw_overlay(struct top *t, struct canvas *c)
{
	const char *title = t->overlay ? t->overlay_title : "help", *text;
	auto_free(sb) lines = SB_INIT;
	int row = 1, skip, most;

	if (t->overlay)
		wrap__lines(&lines, t->overlay, 2, c->width);
	else
		top__put_help(&lines, c->width);
	text = sb__str(&lines);
	t->page_lines = c->height - 2;
	most = count_lines(text) - t->page_lines;
	t->scroll_overlay = t->scroll_overlay > most ? most : t->scroll_overlay;
	skip = t->scroll_overlay = t->scroll_overlay < 0 ? 0 : t->scroll_overlay;
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
