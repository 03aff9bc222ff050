// SPDX-License-Identifier: GPL-2.0-only
/* Put the tables of pages together, and choose the digits of numbers in them. */
#include "writers/page_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/xalloc.h"
#include "writers/internal.h"
#include "writers/page.h"

#define DIGITS 3 /* limit of digits after the first digit of a value, and after its point */
#define DIGITS_MOST 11
#define PLUS_MINUS " \302\261\302\240" /* " ± " in UTF-8, with a non-breaking blank */

/* --- Numbers --------------------------------------------------------------------------------- */

static void put_exact(struct sb *sb, double value)
{
	double size = fabs(value);

	if (size >= 1e5 || value == floor(value))
		sb__printf(sb, "%.0f", value);
	else
		sb__printf(sb, size < 10 ? "%.3g" : "%.1f", value);
}

static int magnitude(double value)
{
	return value ? (int)floor(log10(fabs(value))) : 0;
}

/*
 * A value has as many digits as its error, which has two digits; but at most as many as are useful.
 */
static void put_with_error(struct sb *sb, double value, double error)
{
	int digits = 1 - magnitude(error), most = DIGITS - magnitude(value);

	most = most > DIGITS ? most : DIGITS;
	digits = digits > most ? most : digits < 0 ? 0 : digits;
	if (digits > DIGITS_MOST)
		sb__printf(sb, "%.6g" PLUS_MINUS "%.2g", value, error);
	else
		sb__printf(sb, "%.*f" PLUS_MINUS "%.*f", digits, value, digits,
			   figure__shown_error(error, digits));
}

void page__put_number(struct sb *sb, double value, double error)
{
	if (isfinite(value) && error > 0 && isfinite(error))
		put_with_error(sb, value, error);
	else if (isfinite(value))
		put_exact(sb, value);
}

/* --- Lines ----------------------------------------------------------------------------------- */

/* Allow a line break after an underscore and a slash: "tma_bad_" "speculation". */
static void put_breakable(struct sb *sb, const char *name)
{
	while (*name) {
		size_t len = strcspn(name, "_/");
		char *part;

		len += name[len] != '\0';
		part = xstrndup(name, len);
		page__put_text(sb, part);
		sb__puts(sb, name[len] && strchr("_/", part[len - 1]) ? "<wbr>" : "");
		free(part);
		name += len;
	}
}

static void page_table__put_heading(struct sb *sb, const struct page_column *c)
{
	sb__printf(sb, "<th scope=\"col\"%s", c->words ? " class=\"text\"" : "");
	if (c->title) {
		sb__puts(sb, " title=\"");
		page__put_text(sb, c->title);
		sb__putc(sb, '"');
	}
	sb__putc(sb, '>');
	put_breakable(sb, c->name);
	sb__puts(sb, "</th>");
}

void page_table__begin(struct sb *sb, const char *class, const struct page_column *columns, int nr)
{
	sb__printf(sb, "<div class=\"wide\"><table class=\"sort %s\">\n<thead><tr>", class);
	for (int i = 0; i < nr; i++)
		if (columns[i].name)
			page_table__put_heading(sb, &columns[i]);
	sb__puts(sb, "</tr></thead>\n<tbody>\n");
}

void page_table__end(struct sb *sb)
{
	sb__puts(sb, "</tbody></table></div>\n");
}

void page_table__begin_line(struct sb *sb, const char *name)
{
	sb__puts(sb, "<tr><th scope=\"row\">");
	page__put_text(sb, name);
	sb__puts(sb, "</th>");
}

void page_table__end_line(struct sb *sb)
{
	sb__puts(sb, "</tr>\n");
}

void page_table__put_text(struct sb *sb, const char *text)
{
	sb__puts(sb, "<td class=\"text\">");
	put_breakable(sb, text);
	sb__puts(sb, "</td>");
}

void page_table__put_number(struct sb *sb, double value, double error)
{
	sb__puts(sb, "<td>");
	page__put_number(sb, value, error);
	sb__puts(sb, "</td>");
}

void page_table__put_marked(struct sb *sb, double value, double error)
{
	sb__puts(sb, "<td class=\"hot\">");
	page__put_number(sb, value, error);
	sb__puts(sb, "</td>");
}

void page_table__put_keyed(struct sb *sb, const char *text, double key)
{
	sb__puts(sb, "<td");
	if (isfinite(key))
		sb__printf(sb, " data-v=\"%.9g\"", key);
	sb__putc(sb, '>');
	page__put_text(sb, text);
	sb__puts(sb, "</td>");
}
