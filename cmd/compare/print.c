// SPDX-License-Identifier: GPL-2.0-only
/* The answer of "tma compare" for people, for pages, and for programs. */
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/auto.h"
#include "grid/unit.h"
#include "base/json.h"
#include "base/sb.h"
#include "base/text.h"
#include "compare/compare.h"
#include "writers/page.h"

/* --- What all have ------------------------------------------------------------------------- */

/* Unit that times of a row are told in. */
struct time_unit {
	const char *name;
	double scale;
};

static struct time_unit compare_print__unit_of(double seconds)
{
	if (seconds >= 1 || isnan(seconds))
		return (struct time_unit){"s", 1};
	if (seconds >= 1e-3 || !seconds)
		return (struct time_unit){"ms", 1e3};
	return (struct time_unit){"us", 1e6};
}

static void compare_print__put_value(const struct compared *row, double value,
				     struct time_unit unit, struct sb *sb)
{
	if (isnan(value))
		sb__puts(sb, "-");
	else if (row->level)
		sb__printf(sb, "%.1f %s", value, unit__common(row->unit));
	else
		sb__printf(sb, "%.2f %s", value * unit.scale, unit.name);
}

/* What is printed as zero has no sign; @step is the last digit's. */
static double without_minus_zero(double value, double step)
{
	return fabs(value) < step / 2 ? 0 : value;
}

static void put_difference(const struct compared *row, const struct difference *d,
			   struct time_unit unit, struct sb *sb)
{
	double scale = row->level ? 1 : unit.scale;

	if (isnan(d->by)) {
		sb__puts(sb, "-");
		return;
	}
	sb__printf(sb, "%+.2f +- ", without_minus_zero(d->by * scale, 0.01));
	if (isnan(d->half))
		sb__puts(sb, "?");
	else
		sb__printf(sb, "%.2f", d->half * scale);
	if (!row->level && d->a > 0)
		sb__printf(sb, " (%+.1f %%)", without_minus_zero(100 * d->by / d->a, 0.1));
}

static void put_change(const struct compare_answer *a, const struct difference *d, struct sb *sb)
{
	static const char *const words[] = {
		[CHANGE_UNKNOWN] = "not known",	  [CHANGE_MORE] = "more",
		[CHANGE_LESS] = "less",		  [CHANGE_NONE] = "no difference",
		[CHANGE_UNDECIDED] = "undecided",
	};

	if (d->change == CHANGE_UNKNOWN && (isnan(d->a) || isnan(d->b)))
		sb__puts(sb, "not measured");
	else
		sb__puts(sb, words[d->change]);
	if (d->needed)
		sb__printf(sb, ": about %d %s would decide it", d->needed,
			   a->recorded ? "values" : "runs");
}

static void put_row_name(const struct compared *row, struct sb *sb)
{
	if (row->cgroup) {
		text__clean(sb, row->cgroup, strlen(row->cgroup), "");
		sb__putc(sb, ' ');
	}
	sb__printf(sb, "%s%s%s", row->core_name ?: "", row->core_name ? " " : "", row->name);
}

static const char *outcome(const struct compare_rule *rule)
{
	static const char *const words[] = {
		[BEYOND_NO] = "no",
		[BEYOND_UNCERTAIN] = "not certain",
		[BEYOND_YES] = "yes",
	};

	return rule->unmeasured ? "not measured" : words[rule->outcome];
}

static void compare_print__tell(const struct compare_answer *a, int side, struct sb *sb)
{
	int without = !compare__nr_runs(a, 0) ? 0 : side;

	if (!compare__nr_runs(a, without)) {
		sb__printf(sb, "%s has no %s: it is not compared", compare__letter(without),
			   a->recorded ? "values" : "runs");
		return;
	}
	comparison__tell(&a->comparison, side, compare__letter(0), compare__letter(side), sb);
}

/* --- Text ---------------------------------------------------------------------------------- */

#define COLUMNS 5

/* The fields of a line, one behind the other, each ending with NUL. */
struct compare_line {
	char field[COLUMNS][128];
};

static void compare_print__set(struct compare_line *line, int column, struct sb *sb)
{
	snprintf(line->field[column], sizeof(line->field[column]), "%s", sb__str(sb));
	sb__clear(sb);
}

static void make_line(const struct compare_answer *a, const struct compared *row, int side,
		      struct compare_line *line)
{
	const struct difference *d = &row->with[side];
	struct time_unit unit = compare_print__unit_of(d->a);
	auto_free(sb) sb = SB_INIT;

	sb__printf(&sb, "%*s", 2 * row->depth, "");
	put_row_name(row, &sb);
	compare_print__set(line, 0, &sb);
	compare_print__put_value(row, d->a, unit, &sb);
	compare_print__set(line, 1, &sb);
	compare_print__put_value(row, d->b, unit, &sb);
	compare_print__set(line, 2, &sb);
	put_difference(row, d, unit, &sb);
	compare_print__set(line, 3, &sb);
	put_change(a, d, &sb);
	compare_print__set(line, 4, &sb);
}

static struct compare_line compare_print__heading(int side)
{
	struct compare_line line = {.field = {"", "A", "", "", ""}};

	strcpy(line.field[2], compare__letter(side));
	snprintf(line.field[3], sizeof(line.field[3]), "%s - A (90 %%)", compare__letter(side));
	return line;
}

static void widen(int *widths, const struct compare_line *line)
{
	for (int i = 0; i < COLUMNS; i++) {
		int len = strlen(line->field[i]);

		widths[i] = len > widths[i] ? len : widths[i];
	}
}

static void compare_print__put_line(const int *widths, const struct compare_line *line,
				    struct sb *sb)
{
	sb__printf(sb, "  %-*s  %*s  %*s  %*s  %s", widths[0], line->field[0], widths[1],
		   line->field[1], widths[2], line->field[2], widths[3], line->field[3],
		   line->field[4]);
	while (sb->len && sb->buf[sb->len - 1] == ' ')
		sb->buf[--sb->len] = '\0';
	sb__putc(sb, '\n');
}

static void put_table(const struct compare_answer *a, int side, struct sb *sb)
{
	struct compare_line line = compare_print__heading(side);
	int widths[COLUMNS] = {0};

	widen(widths, &line);
	for (int i = 0; compare__row(a, i); i++) {
		make_line(a, compare__row(a, i), side, &line);
		widen(widths, &line);
	}
	line = compare_print__heading(side);
	compare_print__put_line(widths, &line, sb);
	for (int i = 0; compare__row(a, i); i++) {
		make_line(a, compare__row(a, i), side, &line);
		compare_print__put_line(widths, &line, sb);
	}
	sb__putc(sb, '\n');
}

static void put_sides(const struct compare_answer *a, struct sb *sb)
{
	for (int side = 0; side < a->nr; side++) {
		int nr = compare__nr_runs(a, side);

		sb__printf(sb, "  %s  ", compare__letter(side));
		text__clean(sb, a->names[side], strlen(a->names[side]), "");
		if (a->recorded)
			sb__printf(sb, "   %d value%s\n", nr, nr == 1 ? "" : "s");
		else
			sb__printf(sb, "   %d run%s\n", nr, nr == 1 ? "" : "s");
	}
	sb__putc(sb, '\n');
}

void compare__print(const struct compare_answer *a, FILE *out)
{
	const struct compare_rule *rule;
	auto_free(sb) sb = SB_INIT, notes = SB_INIT;
	int len;

	put_sides(a, &sb);
	for (int side = 1; side < a->nr; side++)
		put_table(a, side, &sb);
	compare__put_notes(a, &notes);
	text__for_each_item(note, len, sb__str(&notes), "\n")
		sb__printf(&sb, "  %.*s\n", len, note);
	vec__for_each (rule, &a->rules) {
		sb__puts(&sb, "  ");
		text__clean(&sb, rule->text, strlen(rule->text), "");
		sb__printf(&sb, ": %s\n", outcome(rule));
	}
	for (int side = 1; side < a->nr; side++) {
		sb__puts(&sb, "  ");
		compare_print__tell(a, side, &sb);
		sb__putc(&sb, '\n');
	}
	fputs(sb__str(&sb), out);
}

/* --- Markdown ------------------------------------------------------------------------------ */

/* Put a text that nothing in it ends or begins anything. */
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
	struct compare_line line;

	make_line(a, row, side, &line);
	for (int i = 0; i < COLUMNS; i++) {
		const char *text = line.field[i] + strspn(line.field[i], " ");

		sb__puts(sb, i ? " | " : "| ");
		for (int blank = 0; !i && blank < row->depth; blank++)
			sb__puts(sb, "&nbsp;&nbsp;");
		put_escaped(text, sb);
	}
	sb__puts(sb, " |\n");
}

void compare__print_markdown(const struct compare_answer *a, FILE *out)
{
	const struct compare_rule *rule;
	auto_free(sb) sb = SB_INIT, notes = SB_INIT, line = SB_INIT;
	int len;

	for (int side = 0; side < a->nr; side++) {
		sb__printf(&sb, "- %s: ", compare__letter(side));
		put_escaped(a->names[side], &sb);
		sb__printf(&sb, ", %d %s\n", compare__nr_runs(a, side),
			   a->recorded ? "values" : "runs");
	}
	for (int side = 1; side < a->nr; side++) {
		sb__printf(&sb, "\n|  | A | %s | %s - A (90 %%) |  |\n", compare__letter(side),
			   compare__letter(side));
		sb__puts(&sb, "|:--|--:|--:|--:|:--|\n");
		for (int i = 0; compare__row(a, i); i++)
			put_markdown_row(a, compare__row(a, i), side, &sb);
	}
	sb__putc(&sb, '\n');
	compare__put_notes(a, &notes);
	vec__for_each (rule, &a->rules)
		sb__printf(&notes, "%s: %s\n", rule->text, outcome(rule));
	for (int side = 1; side < a->nr; side++) {
		compare_print__tell(a, side, &notes);
		sb__putc(&notes, '\n');
	}
	text__for_each_item(note, len, sb__str(&notes), "\n")
	{
		sb__clear(&line);
		sb__add(&line, note, len);
		put_escaped(sb__str(&line), &sb);
		sb__puts(&sb, "  \n");
	}
	fputs(sb__str(&sb), out);
}

/* --- Pages --------------------------------------------------------------------------------- */

#define PLOT_WIDTH 240
#define PLOT_HEIGHT 16

/* What a difference is plotted as: points, and of times percent of the first. */
static double plotted(const struct compared *row, const struct difference *d, double value)
{
	if (row->level)
		return value;
	return d->a > 0 ? 100 * value / d->a : (double)NAN;
}

static double plot_reach(const struct compare_answer *a, int side)
{
	double reach = 1;

	for (int i = 0; compare__row(a, i); i++) {
		const struct compared *row = compare__row(a, i);
		const struct difference *d = &row->with[side];
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
	struct compare_line line;

	make_line(a, row, side, &line);
	for (int i = 0; i < COLUMNS; i++) {
		sb__puts(sb, i ? i == COLUMNS - 1 ? "<td class=\"text\">" : "<td>"
			       : "<tr><th scope=\"row\">");
		for (int blank = 0; !i && blank < row->depth; blank++)
			sb__puts(sb, "&nbsp;&nbsp;");
		page__put_text(sb, line.field[i] + strspn(line.field[i], " "));
		sb__puts(sb, i ? "</td>" : "</th>");
	}
	put_plot(row, &row->with[side], reach, sb);
}

static void put_page_table(const struct compare_answer *a, int side, struct sb *sb)
{
	double reach = plot_reach(a, side);

	sb__printf(sb,
		   "<div class=\"wide\"><table>\n<tr><th class=\"text\">Name</th><th>A</th>"
		   "<th>%s</th><th>%s - A (90 %%)</th><th></th><th class=\"plot\">"
		   "-%.3g &hellip; +%.3g points, or percent of a time</th></tr>\n",
		   compare__letter(side), compare__letter(side), reach, reach);
	for (int i = 0; compare__row(a, i); i++)
		put_page_row(a, compare__row(a, i), side, reach, sb);
	sb__puts(sb, "</table></div>\n");
}

/* The file of a recording tells when it was made. */
static void put_page_time(const struct compare_answer *a, int side, struct sb *sb)
{
	struct stat file;
	char text[64];
	struct tm tm;

	if (!a->recorded || stat(a->names[side], &file) || !localtime_r(&file.st_mtime, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &tm))
		return;
	sb__printf(sb, ", of %s", text);
}

void compare__put_page(const struct compare_answer *a, struct sb *sb)
{
	const struct compare_rule *rule;
	auto_free(sb) notes = SB_INIT, line = SB_INIT;
	int len;

	sb__puts(sb, "<h1>Comparison</h1>\n");
	for (int side = 0; side < a->nr; side++) {
		sb__printf(sb, "<p>%s: <code>", compare__letter(side));
		page__put_text(sb, a->names[side]);
		sb__printf(sb, "</code>, %d %s", compare__nr_runs(a, side),
			   a->recorded ? "values" : "runs");
		if (a->cpu[side]) {
			sb__puts(sb, ", CPU ");
			page__put_text(sb, a->cpu[side]);
		}
		put_page_time(a, side, sb);
		sb__puts(sb, "</p>\n");
	}
	for (int side = 1; side < a->nr; side++) {
		compare_print__tell(a, side, &notes);
		sb__putc(&notes, '\n');
	}
	compare__put_notes(a, &notes);
	vec__for_each (rule, &a->rules)
		sb__printf(&notes, "%s: %s\n", rule->text, outcome(rule));
	text__for_each_item(note, len, sb__str(&notes), "\n")
	{
		sb__clear(&line);
		sb__add(&line, note, len);
		sb__puts(sb, "<p>");
		page__put_text(sb, sb__str(&line));
		sb__puts(sb, "</p>\n");
	}
	for (int side = 1; side < a->nr; side++)
		put_page_table(a, side, sb);
}

/* --- JSON ---------------------------------------------------------------------------------- */

static void put_json_row(struct json *j, const struct compared *row, int side)
{
	static const char *const words[] = {
		[CHANGE_UNKNOWN] = "not-known",	  [CHANGE_MORE] = "more",
		[CHANGE_LESS] = "less",		  [CHANGE_NONE] = "none",
		[CHANGE_UNDECIDED] = "undecided",
	};
	const struct difference *d = &row->with[side];

	json__open(j, NULL, '{');
	json__text(j, "name", row->name);
	json__text(j, "unit", row->unit);
	json__text(j, "pmu", row->core_name ?: "");
	json__text(j, "cgroup", row->cgroup ?: "");
	json__int(j, "level", row->level);
	json__double(j, "first", d->a);
	json__double(j, "value", d->b);
	json__double(j, "difference", d->by);
	json__double(j, "error", d->half);
	json__double(j, "probability", d->p);
	json__text(j, "change", words[d->change]);
	json__int(j, "runs", d->runs);
	json__int(j, "runs_needed", d->needed);
	json__close(j, '}');
}

static void put_json_side(struct json *j, const struct compare_answer *a, int side)
{
	auto_free(sb) notes = SB_INIT, line = SB_INIT;
	int len;

	json__open(j, NULL, '{');
	json__text(j, "name", compare__letter(side));
	json__text(j, a->recorded ? "recording" : "command", a->names[side]);
	if (a->simulated[side])
		json__text(j, "simulated", a->simulated[side]);
	json__int(j, "runs", compare__nr_runs(a, side));
	json__int(j, "failed", a->failed[side]);
	json__open(j, "notes", '[');
	compare__put_doubts(a, side, &notes);
	text__for_each_item(note, len, sb__str(&notes), "\n")
	{
		sb__clear(&line);
		sb__add(&line, note, len);
		json__text(j, NULL, sb__str(&line));
	}
	json__close(j, ']');
	if (side) {
		sb__clear(&line);
		compare_print__tell(a, side, &line);
		json__text(j, "summary", sb__str(&line));
		json__open(j, "differences", '[');
		for (int i = 0; compare__row(a, i); i++)
			put_json_row(j, compare__row(a, i), side);
		json__close(j, ']');
	}
	json__close(j, '}');
}

void compare__print_json(const struct compare_answer *a, FILE *out)
{
	auto_free(sb) sb = SB_INIT;
	struct json j = JSON_INIT(&sb, JSON_COMPACT);
	const struct compare_rule *rule;

	json__open(&j, NULL, '{');
	json__int(&j, "schema", 1);
	json__text(&j, "type", "compare");
	json__text(&j, "ended", a->ended ?: "");
	json__text(&j, "times_alone", a->why_times);
	json__double(&j, "margin", a->points);
	json__double(&j, "time_margin_percent", a->percent);
	json__open(&j, "sides", '[');
	for (int side = 0; side < a->nr; side++)
		put_json_side(&j, a, side);
	json__close(&j, ']');
	json__open(&j, "fail_if", '[');
	vec__for_each (rule, &a->rules) {
		json__open(&j, NULL, '{');
		json__text(&j, "condition", rule->text);
		json__text(&j, "outcome", outcome(rule));
		json__close(&j, '}');
	}
	json__close(&j, ']');
	json__close(&j, '}');
	fputs(sb__str(&sb), out);
}
