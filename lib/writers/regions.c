// SPDX-License-Identifier: GPL-2.0-only
/*
 * Print the regions of a program as a table, CSV and JSON. Numbers are always printed in the C
 * locale.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/xalloc.h"
#include "writers/internal.h"

#define NAME_WIDTH 20
#define LEAST_WIDTH 9

#define WITHOUT_FRACTION 1e14 /* least number whose fraction a double cannot hold */

/* Unlike printf(), always print a decimal point. */
static void put_decimals(struct sb *sb, double value, int digits)
{
	double scale = pow(10, digits);
	long long n;

	if (fabs(value) >= WITHOUT_FRACTION) {
		sb__printf(sb, "%.0f.%0*d", value, digits, 0);
		return;
	}
	n = llround(fabs(value) * scale);
	sb__printf(sb, "%s%lld.%0*lld", value < 0 && n ? "-" : "", n / (long long)scale, digits,
		   n % (long long)scale);
}

static void put_notes(struct sb *sb, const struct grid_row *row, const char *between)
{
	for (int i = 0; i < row->notes.nr; i++)
		sb__printf(sb, "%s%s", i ? between : "", row->notes.at[i]);
}

/* --- Text ------------------------------------------------------------------------------- */

/* Return: the width of a name: its number of characters, as a terminal shows UTF-8. */
static int writers_regions__columns_of(const char *name)
{
	int n = 0;

	for (; *name; name++)
		n += (*name & 0xc0) != 0x80;
	return n;
}

static void print_cell(struct sb *sb, const struct grid_column *c, const struct grid_cell *cell)
{
	if (*c->unit)
		put_decimals(sb, cell->count / 1e6, 3);
	else if (cell->is_count)
		sb__printf(sb, "%" PRIu64, cell->count);
	else if (isnan(cell->value))
		sb__putc(sb, '-');
	else
		put_decimals(sb, cell->value, 1);
}

static int width_of(const struct grid *g, int column)
{
	const struct grid_column *c = &g->columns[column];
	int width = strlen(c->label) > LEAST_WIDTH ? strlen(c->label) : LEAST_WIDTH;
	struct sb sb = SB_INIT;

	for (int row = 0; c->kind == GRID_EVENT && !*c->unit && row < g->nr_rows; row++) {
		sb__clear(&sb);
		print_cell(&sb, c, grid__cell(g, column, row));
		if ((int)sb.len > width)
			width = sb.len;
	}
	sb__free(&sb);
	return width;
}

static int name_width(const struct grid *g)
{
	int width = NAME_WIDTH;

	for (int row = 0; row < g->nr_rows; row++)
		if (writers_regions__columns_of(g->rows[row].comm) > width)
			width = writers_regions__columns_of(g->rows[row].comm);
	return width;
}

/* Return: the deepest level for which a row has shares. */
static int deepest_level(const struct grid *g)
{
	for (int i = 0; i < g->nr_columns; i++)
		for (int row = 0; g->columns[i].rank > 1 && row < g->nr_rows; row++)
			if (!isnan(grid__cell(g, i, row)->value))
				return g->columns[i].rank;
	return 1;
}

static void put_text(struct sb *sb, const struct grid *g, const struct writer_options *opts)
{
	int *widths = xcalloc(g->nr_columns, sizeof(*widths)), level = deepest_level(g);
	int names = name_width(g);

	(void)opts;
	sb__printf(sb, "%-*s", names, "region");
	for (int i = 0; i < g->nr_columns; i++) {
		if (!g->columns[i].label || g->columns[i].rank > level)
			continue;
		widths[i] = width_of(g, i);
		sb__printf(sb, " %*s", widths[i], g->columns[i].label);
	}
	sb__putc(sb, '\n');
	for (int row = 0; row < g->nr_rows; row++) {
		const char *name = g->rows[row].comm;

		sb__puts(sb, name);
		sb__pad(sb, names - writers_regions__columns_of(name));
		for (int i = 0; i < g->nr_columns; i++) {
			size_t start;

			if (!widths[i])
				continue;
			sb__putc(sb, ' ');
			start = sb->len;
			print_cell(sb, &g->columns[i], grid__cell(g, i, row));
			sb__indent(sb, start, widths[i] - (int)(sb->len - start));
		}
		if (g->rows[row].notes.nr)
			sb__puts(sb, "  # ");
		put_notes(sb, &g->rows[row], ", ");
		sb__putc(sb, '\n');
	}
	free(widths);
}

/* --- CSV -------------------------------------------------------------------------------- */

static void writers_regions__put_csv(struct sb *sb, const struct grid *g,
				     const struct writer_options *opts)
{
	const struct writer w = { .opts = *opts };
	const char *separator = opts->separator;
	struct sb notes = SB_INIT;

	sb__printf(sb, "region%s", separator);
	for (int i = 0; i < g->nr_columns; i++)
		sb__printf(sb, "%s%s", g->columns[i].name, separator);
	sb__puts(sb, "notes\n");
	for (int row = 0; row < g->nr_rows; row++) {
		dress__csv(&w, g->rows[row].comm, sb);
		sb__puts(sb, separator);
		for (int i = 0; i < g->nr_columns; i++) {
			const struct grid_cell *cell = grid__cell(g, i, row);

			if (cell->is_count)
				sb__printf(sb, "%" PRIu64, cell->count);
			else if (!isnan(cell->value))
				put_decimals(sb, cell->value, 4);
			sb__puts(sb, separator);
		}
		sb__clear(&notes);
		put_notes(&notes, &g->rows[row], "; ");
		dress__csv(&w, sb__str(&notes), sb);
		sb__putc(sb, '\n');
	}
	sb__free(&notes);
}

/* --- JSON ------------------------------------------------------------------------------- */

static void put_json(struct sb *sb, const struct grid *g, const struct writer_options *opts)
{
	(void)opts;
	for (int row = 0; row < g->nr_rows; row++) {
		struct json j = JSON_INIT(sb, JSON_SPACED);

		json__open(&j, NULL, '{');
		json__text(&j, "region", g->rows[row].comm);
		for (int i = 0; i < g->nr_columns; i++) {
			const struct grid_cell *cell = grid__cell(g, i, row);

			if (!cell->is_count && isnan(cell->value))
				continue;
			json__key(&j, g->columns[i].name);
			if (cell->is_count)
				sb__printf(sb, "%" PRIu64, cell->count);
			else
				put_decimals(sb, cell->value, 4);
		}
		json__open(&j, "notes", '[');
		for (int i = 0; i < g->rows[row].notes.nr; i++)
			json__text(&j, NULL, g->rows[row].notes.at[i]);
		json__close(&j, ']');
		json__close(&j, '}');
	}
}

int writer__regions(const struct writer_options *opts, const struct grid *g, FILE *out,
		    struct err *err)
{
	struct writer_options how = *opts;
	struct sb sb = SB_INIT;
	int rc;

	if (!how.separator)
		how.separator = ",";
	if (format__is(how.format, FORMAT_TEXT))
		put_text(&sb, g, &how);
	else
		(format__is(how.format, FORMAT_CSV) ? writers_regions__put_csv : put_json)(&sb, g,
											   &how);
	rc = writer__put(out, sb__str(&sb), sb.len, file__is_regular(fileno(out)), err);
	sb__free(&sb);
	return rc;
}
