// SPDX-License-Identifier: GPL-2.0-only
/* Print the numbers of ratios and metrics: their width, digits and colour. */
#include <math.h>
#include <string.h>

#include "base/fixed.h"
#include "base/text.h"
#include "writers/internal.h"

static const struct {
	int width, digits;
	const char *tail;
} shapes[] = {
	[FORM_SCALED] = { 8, 1, "" },	[FORM_PLAIN] = { 8, 2, "" }, [FORM_RATIO] = { 7, 2, " " },
	[FORM_PERCENT] = { 7, 2, "%" }, [FORM_RATE] = { 8, 3, "" },  [FORM_COUNT] = { 8, 0, "" },
};

static const char *const colours[] = {
	[COLOUR_NONE] = "",	       [COLOUR_GREEN] = "\033[32m",   [COLOUR_RED] = "\033[31m",
	[COLOUR_MAGENTA] = "\033[35m", [COLOUR_YELLOW] = "\033[33m",
};

#define UNKNOWN_ERROR " +- ?"

/*
 * A ratio's limits determine its colour, and a metric's threshold determines the metric's colour.
 */
static enum colour colour_of(const struct grid_column *c, const struct grid_cell *cell)
{
	static const enum colour above[] = { COLOUR_RED, COLOUR_MAGENTA, COLOUR_YELLOW };

	for (int i = 0; c->limits && i < 3; i++)
		if (cell->value > c->limits[i])
			return above[i];
	if (cell->threshold < 0)
		return COLOUR_NONE;
	return cell->threshold ? COLOUR_RED : COLOUR_GREEN;
}

struct figure figure__make(const struct grid_column *c, const struct grid_cell *cell)
{
	return (struct figure){
		.value = cell->value,
		.error = cell->more->error,
		.form = c->form,
		.colour = colour_of(c, cell),
		.empty = !cell->counted || (c->kind != GRID_METRIC && isnan(cell->value)),
		.assumed = cell->assumed,
		.graded = c->limits || cell->threshold >= 0,
		.unit = "",
		.group = "",
	};
}

static double unsigned_nan(double value)
{
	return isnan(value) ? NAN : value;
}

void figure__begin_colour(const struct writer *w, struct sb *sb, const struct figure *f)
{
	if (w->opts.colours)
		sb__puts(sb, colours[f->colour]);
}

void figure__end_colour(const struct writer *w, struct sb *sb, const struct figure *f)
{
	if (w->opts.colours && f->colour != COLOUR_NONE)
		sb__puts(sb, "\033[m");
}

void figure__begin_part(const struct writer *w, struct sb *sb, enum grid_part part)
{
	int colour = grid_part__colour(part, w->opts.colours);

	if (colour < 0)
		return;
	if (w->opts.colours >= 256)
		sb__printf(sb, "\033[38;5;%dm", colour);
	else
		sb__printf(sb, "\033[%dm", colour < 8 ? 30 + colour : 90 + colour - 8);
}

void figure__end_part(const struct writer *w, struct sb *sb, enum grid_part part)
{
	if (grid_part__colour(part, w->opts.colours) >= 0)
		sb__puts(sb, "\033[m");
}

int figure__text(const struct writer *w, struct sb *sb, const struct figure *f)
{
	const char *tail = shapes[f->form].tail;
	size_t start;
	int width;

	figure__begin_colour(w, sb, f);
	start = sb->len;
	if (f->assumed)
		sb__puts(sb, ASSUMED_MARK);
	fixed__print(sb, unsigned_nan(f->value), shapes[f->form].digits,
		     f->form == FORM_COUNT && w->opts.big_num);
	width = text__width(sb__str(sb) + start);
	if (width < shapes[f->form].width) {
		sb__indent(sb, start, shapes[f->form].width - width);
		width = shapes[f->form].width;
	}
	sb__puts(sb, tail);
	figure__end_colour(w, sb, f);
	return width + strlen(tail);
}

void figure__bare(struct sb *sb, const struct figure *f)
{
	if (isfinite(f->value))
		fixed__print(sb, f->value, shapes[f->form].digits, false);
}

void seconds__print(struct sb *sb, uint64_t ns)
{
	fixed__print_u64(sb, ns / NS_PER_S, 1);
	sb__putc(sb, '.');
	fixed__print_u64(sb, ns % NS_PER_S, 9);
}

double figure__shown_error(double error, int digits)
{
	double last = pow(10, -digits);

	return error < last ? last : error;
}

void figure__error(const struct writer *w, struct sb *sb, const struct figure *f)
{
	bool grouped = f->form == FORM_COUNT && w->opts.big_num;

	if (isnan(f->error))
		sb__puts(sb, UNKNOWN_ERROR);
	else if (f->error)
		sb__printf(sb, grouped ? " +- %'.*f" : " +- %.*f", shapes[f->form].digits,
			   figure__shown_error(f->error, shapes[f->form].digits));
}

void figure__error_bare(struct sb *sb, double error)
{
	if (isfinite(error))
		sb__printf(sb, "%.6g", error);
}
