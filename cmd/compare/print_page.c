// SPDX-License-Identifier: GPL-2.0-only
/* The answer of "tma compare" as a part of a page. */
#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "base/sb.h"
#include "base/text.h"
#include "compare/compare.h"
#include "writers/page.h"

#define PLOT_WIDTH 240
#define PLOT_HEIGHT 16

/* Shares are plotted in points, and all others in percent of the first value. */
static double plotted(const struct compared *row, const struct difference *d, double value)
{
	if (row->kind == COMPARED_NODE || row->kind == COMPARED_SITE_NODE)
		return value;
	return d->a > 0 ? 100 * value / d->a : (double)NAN;
}

static double plot_reach(const struct compare_answer *a, const struct compare_table *t)
{
	const struct compared *row;
	double reach = 1;

	for (int i = 0; (row = compare_table__row(a, t, i)); i++) {
		const struct difference *d = &row->with[t->side];
		double half = isnan(d->half) ? 0 : d->half;
		double end = plotted(row, d, fabs(d->by) + half);

		reach = end > reach ? end : reach;
	}
	return reach;
}

/* The interval of a difference, on both sides of a line that stands for none. */
static void put_plot(const struct compared *row, const struct difference *d, double reach,
		     struct sb *sb)
{
	double by = plotted(row, d, d->by), half = plotted(row, d, d->half);
	double scale = PLOT_WIDTH / 2 / reach, middle = PLOT_WIDTH / 2 + by * scale;

	sb__printf(sb,
		   "<td class=\"plot\"><svg viewBox=\"0 0 %d %d\" aria-hidden=\"true\">"
		   "<line class=\"phase\" x1=\"%d\" x2=\"%d\" y1=\"0\" y2=\"%d\"/>",
		   PLOT_WIDTH, PLOT_HEIGHT, PLOT_WIDTH / 2, PLOT_WIDTH / 2, PLOT_HEIGHT);
	if (!isnan(by) && !isnan(half))
		sb__printf(sb,
			   "<rect class=\"error\" x=\"%.1f\" width=\"%.1f\" y=\"5\" "
			   "height=\"6\"/>",
			   middle - half * scale, 2 * half * scale > 1 ? 2 * half * scale : 1);
	if (!isnan(by))
		sb__printf(sb,
			   "<line class=\"cursor\" x1=\"%.1f\" x2=\"%.1f\" y1=\"2\" y2=\"%d\"/>",
			   middle, middle, PLOT_HEIGHT - 2);
	sb__puts(sb, "</svg></td></tr>\n");
}

static void put_page_row(const struct compare_answer *a, const struct compared *row, int side,
			 double reach, struct sb *sb)
{
	struct compare_line line = {.field = {""}};

	compare_line__make(a, row, side, &line);
	for (int i = 0; i < COMPARE_COLUMNS; i++) {
		sb__puts(sb, i ? i == COMPARE_COLUMNS - 1 ? "<td class=\"text\">" : "<td>"
			       : "<tr><th scope=\"row\">");
		for (int blank = 0; !i && blank < row->depth; blank++)
			sb__puts(sb, "&nbsp;&nbsp;");
		page__put_text(sb, line.field[i] + strspn(line.field[i], " "));
		sb__puts(sb, i ? "</td>" : "</th>");
	}
	put_plot(row, &row->with[side], reach, sb);
}

static void put_page_table(const struct compare_answer *a, const struct compare_table *t,
			   struct sb *sb)
{
	double reach = plot_reach(a, t);
	const struct compared *row;
	int side = t->side;

	sb__printf(sb,
		   "<div class=\"wide\"><table>\n<tr><th class=\"text\">%s</th><th>A</th>"
		   "<th>%s</th><th>%s - A (90 %%)</th><th></th><th class=\"plot\">"
		   "-%.3g &hellip; +%.3g points of a share, or percent</th></tr>\n",
		   *t->head ? t->head : "Name", compare__letter(side), compare__letter(side), reach,
		   reach);
	for (int i = 0; (row = compare_table__row(a, t, i)); i++)
		put_page_row(a, row, side, reach, sb);
	sb__puts(sb, "</table></div>\n");
}

void compare__put_page(const struct compare_answer *a, struct sb *sb)
{
	const struct compare_rule *rule;
	struct compare_table table;
	auto_free(sb) notes = SB_INIT, line = SB_INIT;
	int len;

	sb__puts(sb, "<h1>Comparison</h1>\n");
	for (int side = 0; side < a->nr; side++) {
		sb__printf(sb, "<p>%s: <code>", compare__letter(side));
		page__put_text(sb, a->sides[side].name);
		sb__puts(sb, "</code>, ");
		compare__put_nr_runs(a, side, sb);
		compare__put_range(a, side, sb);
		sb__puts(sb, "</p>\n");
	}
	for (int side = 1; side < a->nr; side++) {
		compare__tell(a, side, &notes);
		sb__putc(&notes, '\n');
	}
	compare__put_notes(a, &notes);
	vec__for_each (rule, &a->rules)
		sb__printf(&notes, "%s: %s\n", rule->text, compare__outcome(rule));
	text__for_each_item(note, len, sb__str(&notes), "\n")
	{
		sb__clear(&line);
		sb__add(&line, note, len);
		sb__puts(sb, "<p>");
		page__put_text(sb, sb__str(&line));
		sb__puts(sb, "</p>\n");
	}
	for (int i = 0; compare_table__find(a, i, &table); i++)
		put_page_table(a, &table, sb);
}
