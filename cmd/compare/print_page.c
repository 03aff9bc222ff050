// SPDX-License-Identifier: GPL-2.0-only
/* The answer of "tma compare" as a part of a page. */
#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "base/sb.h"
#include "base/text.h"
#include "compare/compare.h"
#include "writers/page.h"
#include "writers/page_table.h"

#define PLOT_WIDTH 240
#define PLOT_HEIGHT 16
#define NO_BREAK "\302\240" /* a no-break space in UTF-8 */

/* Shares are plotted in points, all other values in percent of the first value. */
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

/* Draw the interval of a difference, next to a line that means no difference. */
static void put_plot(const struct compared *row, const struct difference *d, double reach,
		     struct sb *sb)
{
	double by = plotted(row, d, d->by), half = plotted(row, d, d->half);
	double scale = PLOT_WIDTH / 2 / reach, middle = PLOT_WIDTH / 2 + by * scale;

	sb__printf(sb,
		   "<td class=\"plot\" data-v=\"%.9g\"><svg viewBox=\"0 0 %d %d\" "
		   "aria-hidden=\"true\">"
		   "<line class=\"phase\" x1=\"%d\" x2=\"%d\" y1=\"0\" y2=\"%d\"/>",
		   by, PLOT_WIDTH, PLOT_HEIGHT, PLOT_WIDTH / 2, PLOT_WIDTH / 2, PLOT_HEIGHT);
	if (!isnan(by) && !isnan(half))
		sb__printf(sb,
			   "<rect class=\"error\" x=\"%.1f\" width=\"%.1f\" y=\"5\" "
			   "height=\"6\"/>",
			   middle - half * scale, 2 * half * scale > 1 ? 2 * half * scale : 1);
	if (!isnan(by))
		sb__printf(sb,
			   "<line class=\"cursor\" x1=\"%.1f\" x2=\"%.1f\" y1=\"2\" y2=\"%d\"/>",
			   middle, middle, PLOT_HEIGHT - 2);
	sb__puts(sb, "</svg></td>");
}

/* Put a row; the children of a node follow it, indented. */
static void put_page_row(const struct compare_answer *a, const struct compared *row, int side,
			 double reach, struct sb *sb)
{
	const struct difference *d = &row->with[side];
	struct compare_line line = {.field = {""}};
	auto_free(sb) name = SB_INIT;

	compare_line__make(a, row, side, &line);
	for (int i = 0; i < row->depth; i++)
		sb__puts(&name, NO_BREAK NO_BREAK);
	sb__puts(&name, line.field[0] + strspn(line.field[0], " "));
	page_table__begin_line(sb, sb__str(&name));
	page_table__put_keyed(sb, line.field[1], d->a);
	page_table__put_keyed(sb, line.field[2], d->b);
	page_table__put_keyed(sb, line.field[3], plotted(row, d, d->by));
	page_table__put_text(sb, line.field[4]);
	put_plot(row, d, reach, sb);
	page_table__end_line(sb);
}

static void put_page_table(const struct compare_answer *a, const struct compare_table *t,
			   struct sb *sb)
{
	double reach = plot_reach(a, t);
	const struct compared *row;
	const char *letter = compare__letter(t->side);
	int digits = reach < 10;
	auto_free(sb) difference = SB_INIT, plot = SB_INIT;
	const struct page_column columns[] = {
		{*t->head ? t->head : "Name", true, NULL},
		{"A", false, NULL},
		{letter, false, NULL},
		{(sb__printf(&difference, "%s - A (90 %%)", letter), sb__str(&difference)), false,
		 "with half the width of its interval, of 90 % confidence"},
		{"Change", true, NULL},
		{(sb__printf(&plot, "-%.*f \342\200\246 +%.*f points of a share, or %%", digits,
			     reach, digits, reach),
		  sb__str(&plot)),
		 false, "the interval of the difference: the dashed line is no difference"},
	};

	page_table__begin(sb, t->sites ? "differences sites" : "differences", columns,
			  sizeof(columns) / sizeof(*columns));
	for (int i = 0; (row = compare_table__row(a, t, i)); i++)
		put_page_row(a, row, t->side, reach, sb);
	page_table__end(sb);
}

/* --- Sides ----------------------------------------------------------------------------------- */

/* Return: whether a side has the fact: else the table has no column for it. */
static bool any_side(const struct compare_answer *a,
		     const char *(*of)(const struct compare_side *side))
{
	bool any = false;

	for (int side = 0; side < a->nr; side++)
		any |= *of(&a->sides[side]) != '\0';
	return any;
}

static const char *command_of(const struct compare_side *s)
{
	return s->kind == SIDE_COMMAND ? s->name : s->command ?: "";
}

static const char *file_of(const struct compare_side *s)
{
	return s->kind == SIDE_COMMAND ? "" : s->name;
}

static const char *host_of(const struct compare_side *s)
{
	return s->about.host ?: "";
}

/* Counts of a simulated machine do not belong to the CPU that it ran on. */
static const char *processor_of(const struct compare_side *s)
{
	return s->simulated ? "" : s->about.processor ?: s->cpu ?: "";
}

static const char *simulated_of(const struct compare_side *s)
{
	return s->simulated ?: "";
}

static const char *kernel_of(const struct compare_side *s)
{
	return s->about.kernel ?: "";
}

static const char *commit_of(const struct compare_side *s)
{
	return s->about.commit ?: "";
}

static const char *date_of(const struct compare_side *s)
{
	return s->about.date ?: "";
}

static const struct {
	const char *name, *title;
	const char *(*of)(const struct compare_side *side);
} facts[] = {
	{"Command", NULL, command_of},
	{"Recording", "or the name of runs that were saved", file_of},
	{"Simulated machine", "its counts are synthetic", simulated_of},
	{"Host", NULL, host_of},
	{"CPU", NULL, processor_of},
	{"Date (UTC)", "of the first run, or of the file", date_of},
	{"Kernel", NULL, kernel_of},
	{"Commit", "of the project", commit_of},
};

#define NR_FACTS ((int)(sizeof(facts) / sizeof(*facts)))

static void put_side(const struct compare_answer *a, int side, struct sb *sb)
{
	auto_free(sb) runs = SB_INIT;

	compare__put_nr_runs(a, side, &runs);
	compare__put_range(a, side, &runs);
	page_table__begin_line(sb, compare__letter(side));
	for (int i = 0; i < NR_FACTS; i++)
		if (any_side(a, facts[i].of))
			page_table__put_text(sb, facts[i].of(&a->sides[side]));
	page_table__put_text(sb, sb__str(&runs));
	page_table__end_line(sb);
}

static void print_page__put_sides(const struct compare_answer *a, struct sb *sb)
{
	struct page_column columns[NR_FACTS + 2] = {{"Side", true, NULL}};

	for (int i = 0; i < NR_FACTS; i++)
		columns[i + 1] = (struct page_column){
			any_side(a, facts[i].of) ? facts[i].name : NULL, true, facts[i].title};
	columns[NR_FACTS + 1] = (struct page_column){"Measured", true, NULL};
	page_table__begin(sb, "sides", columns, NR_FACTS + 2);
	for (int side = 0; side < a->nr; side++)
		put_side(a, side, sb);
	page_table__end(sb);
}

/* --- The answer ------------------------------------------------------------------------------ */

static void put_paragraphs(const struct sb *lines, struct sb *sb)
{
	auto_free(sb) line = SB_INIT;
	int len;

	text__for_each_item(note, len, sb__str(lines), "\n")
	{
		sb__clear(&line);
		sb__add(&line, note, len);
		sb__puts(sb, "<p>");
		page__put_text(sb, sb__str(&line));
		sb__puts(sb, "</p>\n");
	}
}

void compare__put_page(const struct compare_answer *a, struct sb *sb)
{
	const struct compare_rule *rule;
	struct compare_table table;
	auto_free(sb) changes = SB_INIT, notes = SB_INIT;

	sb__puts(sb, "<h1>Comparison</h1>\n");
	for (int side = 1; side < a->nr; side++) {
		compare__tell(a, side, &changes);
		sb__putc(&changes, '\n');
	}
	put_paragraphs(&changes, sb);
	print_page__put_sides(a, sb);
	compare__put_notes(a, &notes);
	vec__for_each (rule, &a->rules)
		sb__printf(&notes, "%s: %s\n", rule->text, compare__outcome(rule));
	put_paragraphs(&notes, sb);
	for (int i = 0; compare_table__find(a, i, &table); i++)
		put_page_table(a, &table, sb);
}
