// SPDX-License-Identifier: GPL-2.0-only
/* The answer of "tma compare" for people: as text, and as Markdown. */
#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "base/sb.h"
#include "base/text.h"
#include "compare/compare.h"
#include "grid/unit.h"

#define GREEN "\033[32m"
#define RED "\033[31m"
#define BOLD "\033[1m"
#define PLAIN "\033[0m"

/* --- Common parts -------------------------------------------------------------------------- */

/* A unit in which the numbers of a row are printed, and the factor from the row's unit. */
struct shown_unit {
	const char *name;
	double scale;
};

static struct shown_unit unit_of_time(double seconds)
{
	if (seconds >= 1 || isnan(seconds))
		return (struct shown_unit){"s", 1};
	if (seconds >= 1e-3 || !seconds)
		return (struct shown_unit){"ms", 1e3};
	return (struct shown_unit){"us", 1e6};
}

static struct shown_unit unit_of_count(double count)
{
	if (count >= 1e10)
		return (struct shown_unit){"G", 1e-9};
	if (count >= 1e7)
		return (struct shown_unit){"M", 1e-6};
	if (count >= 1e4)
		return (struct shown_unit){"k", 1e-3};
	return (struct shown_unit){"", 1};
}

static bool compare_print__is_node(const struct compared *row)
{
	return row->kind == COMPARED_NODE || row->kind == COMPARED_SITE_NODE;
}

static bool is_time_of_site(const struct compared *row)
{
	return row->kind == COMPARED_SITE && !strcmp(row->unit, "s");
}

static struct shown_unit compare_print__unit_of(const struct compared *row, double value)
{
	if (row->kind == COMPARED_TIME || is_time_of_site(row))
		return unit_of_time(value);
	if (compare_print__is_node(row) || unit__is_share(row->unit))
		return (struct shown_unit){unit__common(row->unit), 1};
	return unit_of_count(value);
}

/* The times of sites add up, so all of them are printed in the unit of their sum. */
static struct shown_unit unit_of_line(const struct compare_answer *a, const struct compared *row,
				      int side, double value)
{
	const struct compared *all;

	if (row->kind != COMPARED_SITE)
		return compare_print__unit_of(row, value);
	all = &a->comparison.at[a->comparison.all_sites];
	value = series__mean(&all->series[0]);
	return compare_print__unit_of(row, isnan(value) ? series__mean(&all->series[side]) : value);
}

/* Shares, and small means of whole numbers, have one decimal; all other values have two. */
static int digits_of(const struct compared *row, struct shown_unit unit)
{
	bool share = compare_print__is_node(row) || unit__is_share(row->unit);
	bool small = row->kind == COMPARED_COUNT && unit.scale == 1 && !*row->unit;

	return share || small ? 1 : 2;
}

static void put_value(const struct compared *row, double value, struct shown_unit unit,
		      struct sb *sb)
{
	bool own = row->kind == COMPARED_COUNT || row->kind == COMPARED_METRIC;

	if (isnan(value)) {
		sb__puts(sb, "-");
		return;
	}
	sb__printf(sb, "%.*f", digits_of(row, unit), value * unit.scale);
	if (*unit.name || (own && *row->unit))
		sb__printf(sb, " %s", unit.name);
	if (own && !unit__is_share(row->unit))
		text__clean_utf8(sb, row->unit, strlen(row->unit), "");
}

/* Remove the sign of a value that rounds to zero. @step is the unit of the last printed digit. */
static double without_minus_zero(double value, double step)
{
	return fabs(value) < step / 2 ? 0 : value;
}

static void put_difference(const struct compared *row, const struct difference *d,
			   struct shown_unit unit, struct sb *sb)
{
	if (isnan(d->by)) {
		sb__puts(sb, "-");
		return;
	}
	sb__printf(sb, "%+.2f +- ", without_minus_zero(d->by * unit.scale, 0.01));
	if (isnan(d->half))
		sb__puts(sb, "?");
	else
		sb__printf(sb, "%.2f", d->half * unit.scale);
	if (!compare_print__is_node(row) && !unit__is_share(row->unit) && d->a > 0)
		sb__printf(sb, " (%+.1f %%)", without_minus_zero(100 * d->by / d->a, 0.1));
}

static void put_needed(const struct compare_answer *a, const struct difference *d, struct sb *sb)
{
	int more = d->needed - d->runs;

	if (d->needed >= DIFFERENCE_MOST_NEEDED)
		sb__puts(sb, ": too close to decide");
	else if (d->needed)
		sb__printf(sb, ": about %d more %s%s", more, a->recorded ? "value" : "run",
			   more == 1 ? "" : "s");
}

static const char *word_of(const struct compared *row, int side)
{
	static const char *const words[] = {
		[CHANGE_UNKNOWN] = "not known",
		[CHANGE_MORE] = "more",
		[CHANGE_LESS] = "less",
		[CHANGE_NONE] = "too small to matter",
		[CHANGE_PROBABLY_MORE] = "probably more",
		[CHANGE_PROBABLY_LESS] = "probably less",
		[CHANGE_UNDECIDED] = "not certain yet",
	};
	const struct difference *d = &row->with[side];
	enum site_presence presence = compared__find_presence(row, side);

	if (presence != SITE_ON_BOTH)
		return presence == SITE_APPEARED ? "appeared" : "gone";
	if (d->change == CHANGE_UNKNOWN && (isnan(d->a) || isnan(d->b)))
		return "not measured";
	return d->change == CHANGE_NONE && !d->by && !d->half ? "the same" : words[d->change];
}

static void put_change(const struct compare_answer *a, const struct compared *row, int side,
		       struct sb *sb)
{
	const struct difference *d = &row->with[side];
	double part = comparison__find_explained(&a->comparison, row, side);
	bool certain = d->change == CHANGE_MORE || d->change == CHANGE_LESS;

	sb__puts(sb, word_of(row, side));
	put_needed(a, d, sb);
	if (certain && isfinite(part))
		sb__printf(sb, ": %.0f %% of the difference", part);
}

/* Shorten names of functions: those of C++ may be longer than a line. */
static void put_row_name(const struct compared *row, struct sb *sb)
{
	size_t len;

	if (row->cgroup) {
		text__clean(sb, row->cgroup, strlen(row->cgroup), "");
		sb__putc(sb, ' ');
	}
	sb__printf(sb, "%s%s", row->core_name ?: "", row->core_name ? " " : "");
	len = row->kind == COMPARED_SITE ? text__fitting(row->name, SITE_WIDTH) : strlen(row->name);
	text__clean(sb, row->name, len, "");
	sb__puts(sb, row->name[len] ? ".." : "");
}

const char *compare__outcome(const struct compare_rule *rule)
{
	static const char *const words[] = {
		[BEYOND_NO] = "no",
		[BEYOND_UNCERTAIN] = "not certain",
		[BEYOND_YES] = "yes",
	};

	return rule->unmeasured ? "not measured" : words[rule->outcome];
}

void compare__put_nr_runs(const struct compare_answer *a, int side, struct sb *sb)
{
	int nr = compare__nr_runs(a, side);

	sb__printf(sb, "%d %s%s", nr, a->recorded ? "value" : "run", nr == 1 ? "" : "s");
}

void compare__put_range(const struct compare_answer *a, int side, struct sb *sb)
{
	const struct compared *time = comparison__find(&a->comparison, "time", -1);
	const struct series *s = time ? &time->series[side] : NULL;
	struct shown_unit unit;
	double min, max;
	int far;

	if (!s || s->nr < 2)
		return;
	series__range(s, &min, &max);
	unit = unit_of_time(series__mean(s));
	sb__printf(sb, ", %.2f %s +- %.2f each (%.2f ... %.2f", series__mean(s) * unit.scale,
		   unit.name, series__spread(s) * unit.scale, min * unit.scale, max * unit.scale);
	far = series__outliers(s);
	if (far)
		sb__printf(sb, ", %d outlier%s", far, far == 1 ? "" : "s");
	sb__putc(sb, ')');
}

void compare__tell(const struct compare_answer *a, int side, struct sb *sb)
{
	int without = !compare__nr_runs(a, 0) ? 0 : side;

	if (!compare__nr_runs(a, without)) {
		sb__printf(sb, "%s has no %s: it is not compared", compare__letter(without),
			   a->recorded ? "values" : "runs");
		return;
	}
	comparison__tell(&a->comparison, side, compare__letter(0), compare__letter(side), sb);
}

static void compare_line__set(struct compare_line *line, int column, struct sb *sb)
{
	snprintf(line->field[column], sizeof(line->field[column]), "%s", sb__str(sb));
	sb__clear(sb);
}

void compare_line__make(const struct compare_answer *a, const struct compared *row, int side,
			struct compare_line *line)
{
	const struct difference *d = &row->with[side];
	struct shown_unit unit = unit_of_line(a, row, side, isnan(d->a) ? d->b : d->a);
	auto_free(sb) sb = SB_INIT;

	sb__printf(&sb, "%*s", 2 * row->depth, "");
	put_row_name(row, &sb);
	compare_line__set(line, 0, &sb);
	put_value(row, d->a, unit, &sb);
	compare_line__set(line, 1, &sb);
	put_value(row, d->b, unit, &sb);
	compare_line__set(line, 2, &sb);
	put_difference(row, d, unit, &sb);
	compare_line__set(line, 3, &sb);
	put_change(a, row, side, &sb);
	compare_line__set(line, 4, &sb);
}

/* --- Text ---------------------------------------------------------------------------------- */

static struct compare_line compare_print__heading(int side, const char *name)
{
	struct compare_line line = {.field = {"", "A", "", "", ""}};

	snprintf(line.field[0], sizeof(line.field[0]), "%s", name);
	strcpy(line.field[2], compare__letter(side));
	snprintf(line.field[3], sizeof(line.field[3]), "%s - A (90 %%)", compare__letter(side));
	return line;
}

static void widen(int *widths, const struct compare_line *line)
{
	for (int i = 0; i < COMPARE_COLUMNS; i++) {
		int len = text__width(line->field[i]);

		widths[i] = len > widths[i] ? len : widths[i];
	}
}

/* More time or events are worse. Whether a larger node is better depends on the node. */
static const char *print__colour_of(const struct compared *row, enum change change)
{
	bool more = change == CHANGE_MORE;

	if (change != CHANGE_MORE && change != CHANGE_LESS)
		return "";
	if (row->kind == COMPARED_TIME || row->kind == COMPARED_COUNT || row->kind == COMPARED_SITE)
		return more ? RED : GREEN;
	return BOLD;
}

static void compare_print__put_line(const int *widths, const struct compare_line *line,
				    const char *colour, struct sb *sb)
{
	sb__printf(sb, "  %-*s  %*s  %*s  %*s  %s%s", widths[0], line->field[0], widths[1],
		   line->field[1], widths[2], line->field[2], widths[3], line->field[3], colour,
		   line->field[4]);
	while (sb->len && sb->buf[sb->len - 1] == ' ')
		sb->buf[--sb->len] = '\0';
	sb__printf(sb, "%s\n", *colour ? PLAIN : "");
}

static void put_table(const struct compare_answer *a, const struct compare_table *t, struct sb *sb)
{
	struct compare_line line = compare_print__heading(t->side, t->head);
	const struct compared *row;
	int widths[COMPARE_COLUMNS] = {0};

	widen(widths, &line);
	for (int i = 0; (row = compare_table__row(a, t, i)); i++) {
		compare_line__make(a, row, t->side, &line);
		widen(widths, &line);
	}
	line = compare_print__heading(t->side, t->head);
	compare_print__put_line(widths, &line, "", sb);
	for (int i = 0; (row = compare_table__row(a, t, i)); i++) {
		const char *colour = print__colour_of(row, row->with[t->side].change);

		compare_line__make(a, row, t->side, &line);
		compare_print__put_line(widths, &line, a->colour ? colour : "", sb);
	}
	sb__putc(sb, '\n');
}

static void put_single_row(const struct compare_answer *a, const struct compared *row,
			   struct sb *sb)
{
	const struct series *s = &row->series[0];
	double mean = series__mean(s);
	struct shown_unit unit = unit_of_line(a, row, 0, mean);
	int width = row->kind == COMPARED_SITE ? SITE_WIDTH + 2 : 24 - 2 * row->depth;
	auto_free(sb) name = SB_INIT;

	put_row_name(row, &name);
	sb__printf(sb, "  %*s%-*s  ", 2 * row->depth, "", width, sb__str(&name));
	put_value(row, mean, unit, sb);
	if (s->nr > 1)
		sb__printf(sb, " +- %.2f", series__spread(s) * unit.scale);
	sb__putc(sb, '\n');
}

/* Put the result for a single command, which is saved: the means, and the spread of the runs. */
static void put_single(const struct compare_answer *a, struct sb *sb)
{
	const struct compared *row;

	for (int i = 0; (row = compare__row(a, i)); i++)
		put_single_row(a, row, sb);
	sb__putc(sb, '\n');
	for (int i = 0; (row = compare__site_row(a, 0, i)); i++)
		put_single_row(a, row, sb);
	if (compare__site_row(a, 0, 0))
		sb__putc(sb, '\n');
}

static void put_sides(const struct compare_answer *a, struct sb *sb)
{
	for (int side = 0; side < a->nr; side++) {
		const struct compare_side *s = &a->sides[side];

		sb__printf(sb, "  %s  ", compare__letter(side));
		text__clean(sb, s->name, strlen(s->name), "");
		if (s->kind == SIDE_SAVED) {
			sb__puts(sb, ": ");
			text__clean(sb, s->command, strlen(s->command), "");
		}
		sb__puts(sb, "   ");
		compare__put_nr_runs(a, side, sb);
		compare__put_range(a, side, sb);
		sb__putc(sb, '\n');
	}
	sb__putc(sb, '\n');
}

void compare__print(const struct compare_answer *a, FILE *out)
{
	struct compare_table table;
	const struct compare_rule *rule;
	auto_free(sb) sb = SB_INIT, notes = SB_INIT;
	int len;

	put_sides(a, &sb);
	if (a->nr == 1)
		put_single(a, &sb);
	for (int i = 0; compare_table__find(a, i, &table); i++)
		put_table(a, &table, &sb);
	compare__put_notes(a, &notes);
	text__for_each_item(note, len, sb__str(&notes), "\n")
		sb__printf(&sb, "  %.*s\n", len, note);
	vec__for_each (rule, &a->rules) {
		sb__puts(&sb, "  ");
		text__clean(&sb, rule->text, strlen(rule->text), "");
		sb__printf(&sb, ": %s\n", compare__outcome(rule));
	}
	for (int side = 1; side < a->nr; side++) {
		sb__printf(&sb, "  %s", a->colour ? BOLD : "");
		compare__tell(a, side, &sb);
		sb__printf(&sb, "%s\n", a->colour ? PLAIN : "");
	}
	fputs(sb__str(&sb), out);
}

/* --- Markdown ------------------------------------------------------------------------------ */

/* Put a text; escape characters that have a meaning in Markdown. */
static void put_escaped(const char *text, struct sb *sb)
{
	auto_free(sb) clean = SB_INIT;

	text__clean(&clean, text, strlen(text), "");
	for (const char *c = sb__str(&clean); *c; c++) {
		if (strchr("\\`*_[]<>|&~", *c))
			sb__putc(sb, '\\');
		sb__putc(sb, *c);
	}
}

static void put_markdown_row(const struct compare_answer *a, const struct compared *row, int side,
			     struct sb *sb)
{
	bool certain = row->with[side].change == CHANGE_MORE ||
		       row->with[side].change == CHANGE_LESS;
	struct compare_line line = {.field = {""}};

	compare_line__make(a, row, side, &line);
	for (int i = 0; i < COMPARE_COLUMNS; i++) {
		const char *text = line.field[i] + strspn(line.field[i], " ");
		bool bold = certain && i == COMPARE_COLUMNS - 1;

		sb__puts(sb, i ? " | " : "| ");
		for (int blank = 0; !i && blank < row->depth; blank++)
			sb__puts(sb, "&nbsp;&nbsp;");
		sb__puts(sb, bold ? "**" : "");
		put_escaped(text, sb);
		sb__puts(sb, bold ? "**" : "");
	}
	sb__puts(sb, " |\n");
}

static void put_markdown_table(const struct compare_answer *a, const struct compare_table *t,
			       struct sb *sb)
{
	const struct compared *row;

	sb__printf(sb, "\n| %s | A | %s | %s - A (90 %%) |  |\n", t->head, compare__letter(t->side),
		   compare__letter(t->side));
	sb__puts(sb, "|:--|--:|--:|--:|:--|\n");
	for (int i = 0; (row = compare_table__row(a, t, i)); i++)
		put_markdown_row(a, row, t->side, sb);
}

static void put_markdown_sides(const struct compare_answer *a, struct sb *sb)
{
	for (int side = 0; side < a->nr; side++) {
		sb__printf(sb, "- %s: ", compare__letter(side));
		put_escaped(a->sides[side].name, sb);
		sb__puts(sb, ", ");
		compare__put_nr_runs(a, side, sb);
		compare__put_range(a, side, sb);
		sb__putc(sb, '\n');
	}
}

/* Put lines as paragraphs, the changes first: readers of a pull request look for these. */
static void put_markdown_lines(const char *lines, bool bold, struct sb *sb)
{
	auto_free(sb) line = SB_INIT;
	int len;

	text__for_each_item(note, len, lines, "\n")
	{
		sb__clear(&line);
		sb__add(&line, note, len);
		sb__puts(sb, bold ? "**" : "");
		put_escaped(sb__str(&line), sb);
		sb__printf(sb, "%s  \n", bold ? "**" : "");
	}
}

void compare__print_markdown(const struct compare_answer *a, FILE *out)
{
	struct compare_table table;
	const struct compare_rule *rule;
	auto_free(sb) sb = SB_INIT, notes = SB_INIT, told = SB_INIT;

	for (int side = 1; side < a->nr; side++) {
		compare__tell(a, side, &told);
		sb__putc(&told, '\n');
	}
	put_markdown_lines(sb__str(&told), true, &sb);
	sb__puts(&sb, told.len ? "\n" : "");
	put_markdown_sides(a, &sb);
	for (int i = 0; compare_table__find(a, i, &table); i++)
		put_markdown_table(a, &table, &sb);
	compare__put_notes(a, &notes);
	vec__for_each (rule, &a->rules)
		sb__printf(&notes, "%s: %s\n", rule->text, compare__outcome(rule));
	sb__puts(&sb, notes.len ? "\n" : "");
	put_markdown_lines(sb__str(&notes), false, &sb);
	fputs(sb__str(&sb), out);
}
