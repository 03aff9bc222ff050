// SPDX-License-Identifier: GPL-2.0-only
/*
 * Draw the model's chart: the history of the selected metric in the last minute, on several lines.
 */
#include <math.h>
#include <stdio.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/sb.h"
#include "screen/canvas.h"
#include "screen/internal.h"

#define LINES 6	       /* including its heading */
#define ROOMY 36       /* a canvas with this many lines or more shows the chart by default */
#define LEAST_HEIGHT 16 /* a canvas with fewer lines cannot show the chart */
#define LABEL 9	       /* width of the scale, in columns */
#define LEVELS 8

int top__chart_lines(const struct top *t, int height)
{
	bool shown = t->charts > 0 || (!t->charts && height >= ROOMY);

	return shown && t->cursor >= 0 && height >= LEAST_HEIGHT ? LINES : 0;
}

/** struct top_range - the range of the known values of a node */
struct top_range {
	double least, most;
};

static struct top_range top_chart__range_of(const struct top *t, const struct top_node *n)
{
	struct top_range range = {.least = NAN, .most = NAN};

	for (int i = 0; i < t->nr_history; i++) {
		range.least = fmin(range.least, n->history[i]);
		range.most = fmax(range.most, n->history[i]);
	}
	return range;
}

static void put_value(const struct top_node *n, double value, struct sb *sb)
{
	if (n->level)
		sb__printf(sb, "%.1f %%", value);
	else
		sb__printf(sb, "%.3g%s", value, n->unit);
}

static void draw_heading(const struct top *t, struct canvas *c, int row, const struct top_node *n,
			 const struct top_range *range)
{
	auto_free(sb) text = SB_INIT;

	canvas__paint(c, row, 0, c->width, STYLE_HEAD);
	sb__printf(&text, "%s", n->name);
	if (isfinite(range->most)) {
		sb__puts(&text, "  ");
		put_value(n, range->least, &text);
		sb__puts(&text, " to ");
		put_value(n, range->most, &text);
		sb__printf(&text, "  LAST %d s",
			   (int)(t->nr_history * t->opts.interval_ms / 1000));
	}
	canvas__fit(c, row, 0, c->width, STYLE_HEAD, sb__str(&text), top__signs(t)->cut);
}

/* Fill a column from the bottom up, by eighths of a line. */
static void draw_column(const struct top *t, struct canvas *c, int last, int nr, int column,
			double share, enum canvas_style style)
{
	int parts = lround(share * nr * LEVELS);

	parts = parts < 1 ? 1 : parts > nr * LEVELS ? nr * LEVELS : parts;
	for (int row = last; parts > 0; row--, parts -= LEVELS)
		canvas__put(c, row, column, 1, style,
			    top__signs(t)->levels[parts >= LEVELS ? LEVELS - 1 : parts - 1]);
}

void top__draw_chart(const struct top *t, struct canvas *c, int first, int nr)
{
	const struct top_node *n = &t->nodes.at[t->cursor];
	struct top_range range = top_chart__range_of(t, n);
	int room = c->width - LABEL, each = 1, last = first + nr - 1;
	enum canvas_style style = STYLE_PART + n->part;
	auto_free(sb) text = SB_INIT;

	draw_heading(t, c, first, n, &range);
	if (!(range.most > 0) || room < LABEL)
		return;
	put_value(n, range.most, &text);
	canvas__right(c, first + 1, 0, LABEL - 1, STYLE_DIM, sb__str(&text));
	canvas__right(c, last, 0, LABEL - 1, STYLE_DIM, "0");
	while (t->nr_history / each > room)
		each++;
	for (int i = 0; i < t->nr_history / each && (uint64_t)i * each <= t->interval; i++) {
		double mean = top__mean_of(t, n, (t->interval / each - i) * each, each);

		if (isfinite(mean))
			draw_column(t, c, last, nr - 1, c->width - 1 - i, mean / range.most, style);
	}
}
