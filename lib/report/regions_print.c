// SPDX-License-Identifier: GPL-2.0-only
/* Rows of regions as a table, CSV and JSON. Numbers are in the C locale in all of them. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "report/regions.h"

enum kind { KIND_NAME, KIND_INT, KIND_TIME, KIND_PERCENT };

/* A column: its name in CSV and JSON, its heading in text (NULL: not there), and its place. */
struct column {
	const char *name, *heading;
	enum kind kind;
	int level;
	size_t offset;
};

#define AT(field) offsetof(struct region_row, field)
#define SHARE(i) (AT(share) + (i) * sizeof(double))
#define OWN(i) (AT(own) + (i) * sizeof(double))

static const struct column columns[] = {
	{ "region", "region", KIND_NAME, 0, AT(name) },
	{ "thread", "thread", KIND_INT, 0, AT(tid) },
	{ "pid", NULL, KIND_INT, 0, AT(pid) },
	{ "count", "count", KIND_INT, 0, AT(count) },
	{ "measured", "measured", KIND_INT, 0, AT(measured) },
	{ "time_ns", "time ms", KIND_TIME, 0, AT(time_ns) },
	{ "missed_ns", NULL, KIND_TIME, 0, AT(missed_ns) },
	{ "slots", "slots", KIND_INT, 0, AT(slots) },
	{ "retiring", "retiring", KIND_PERCENT, 1, SHARE(0) },
	{ "bad_spec", "bad spec", KIND_PERCENT, 1, SHARE(1) },
	{ "fe_bound", "fe bound", KIND_PERCENT, 1, SHARE(2) },
	{ "be_bound", "be bound", KIND_PERCENT, 1, SHARE(3) },
	{ "light_ops", "light ops", KIND_PERCENT, 2, SHARE(8) },
	{ "heavy_ops", "heavy ops", KIND_PERCENT, 2, SHARE(4) },
	{ "br_mispredict", "br mispred", KIND_PERCENT, 2, SHARE(5) },
	{ "machine_clears", "mach clears", KIND_PERCENT, 2, SHARE(9) },
	{ "fetch_lat", "fetch lat", KIND_PERCENT, 2, SHARE(6) },
	{ "fetch_bw", "fetch bw", KIND_PERCENT, 2, SHARE(10) },
	{ "mem_bound", "mem bound", KIND_PERCENT, 2, SHARE(7) },
	{ "core_bound", "core bound", KIND_PERCENT, 2, SHARE(11) },
	{ "error", NULL, KIND_PERCENT, 1, AT(error) },
	{ "own_slots", "own slots", KIND_INT, 0, AT(own_slots) },
	{ "own_retiring", NULL, KIND_PERCENT, 1, OWN(0) },
	{ "own_bad_spec", NULL, KIND_PERCENT, 1, OWN(1) },
	{ "own_fe_bound", NULL, KIND_PERCENT, 1, OWN(2) },
	{ "own_be_bound", NULL, KIND_PERCENT, 1, OWN(3) },
};

#define NR_COLUMNS ((int)(sizeof(columns) / sizeof(*columns)))

/* Of signed and unsigned numbers of 32 and 64 bits. */
static uint64_t integer(const struct region_row *row, const struct column *c)
{
	const char *at = (const char *)row + c->offset;

	if (c->offset == AT(tid) || c->offset == AT(pid))
		return *(const int32_t *)at;
	return *(const uint64_t *)at;
}

/* printf() would write the user's decimal point. */
static void put_decimals(struct sb *sb, double value, int digits)
{
	double scale = pow(10, digits);
	long long n = llround(fabs(value) * scale);

	sb__printf(sb, "%s%lld.%0*lld", value < 0 && n ? "-" : "", n / (long long)scale, digits,
		   n % (long long)scale);
}

static double percent(const struct region_row *row, const struct column *c)
{
	return *(const double *)((const char *)row + c->offset);
}

static void put_notes(struct sb *sb, const struct region_row *row, const char *between)
{
	const char *separator = "";

	for (int bit = 0; region_note(bit); bit++)
		if (row->notes & 1U << bit) {
			sb__printf(sb, "%s%s", separator, region_note(bit));
			separator = between;
		}
}

/* --- Text ------------------------------------------------------------------------------- */

#define NAME_WIDTH 20
#define LEAST_WIDTH 9

/* In characters, as a terminal shows a name in UTF-8. */
static int columns_of(const char *name)
{
	int n = 0;

	for (; *name; name++)
		n += (*name & 0xc0) != 0x80;
	return n;
}

static int width_of(const struct column *c, const struct regions *r)
{
	int width = c->kind == KIND_NAME ? NAME_WIDTH : LEAST_WIDTH;
	const struct region_row *row;
	char digits[24];
	int len = strlen(c->heading);

	if (len > width)
		width = len;
	vec__for_each(row, &r->rows) {
		if (c->kind == KIND_INT)
			len = snprintf(digits, sizeof(digits), "%" PRIu64, integer(row, c));
		else if (c->kind == KIND_NAME)
			len = columns_of(row->name);
		if (len > width)
			width = len;
	}
	return width;
}

static void put_cell(struct sb *sb, const struct region_row *row, const struct column *c, int width)
{
	struct sb cell = SB_INIT;

	if (c->kind == KIND_NAME)
		sb__printf(sb, "%s%*s", row->name, width - columns_of(row->name), "");
	else if (c->kind == KIND_INT)
		sb__printf(sb, " %*" PRIu64, width, integer(row, c));
	else {
		if (c->kind == KIND_TIME)
			put_decimals(&cell, integer(row, c) / 1e6, 3);
		else if (isnan(percent(row, c)))
			sb__putc(&cell, '-');
		else
			put_decimals(&cell, percent(row, c), 1);
		sb__printf(sb, " %*s", width, sb__str(&cell));
	}
	sb__free(&cell);
}

static void put_text(struct sb *sb, const struct regions *r, const char *separator)
{
	int width[NR_COLUMNS] = { 0 }, level = 1;
	const struct region_row *row;

	(void)separator;
	vec__for_each(row, &r->rows)
		if (row->level > level)
			level = row->level;
	for (int i = 0; i < NR_COLUMNS; i++) {
		const struct column *c = &columns[i];

		if (!c->heading || c->level > level)
			continue;
		width[i] = width_of(c, r);
		sb__printf(sb, c->kind == KIND_NAME ? "%-*s" : " %*s", width[i], c->heading);
	}
	sb__putc(sb, '\n');
	vec__for_each(row, &r->rows) {
		for (int i = 0; i < NR_COLUMNS; i++)
			if (width[i])
				put_cell(sb, row, &columns[i], width[i]);
		if (row->notes)
			sb__puts(sb, "  # ");
		put_notes(sb, row, ", ");
		sb__putc(sb, '\n');
	}
}

/* --- CSV -------------------------------------------------------------------------------- */

static void put_field(struct sb *sb, const char *text, const char *separator)
{
	if (!strpbrk(text, "\"\r\n") && !strstr(text, separator)) {
		sb__puts(sb, text);
		return;
	}
	sb__putc(sb, '"');
	for (; *text; text++)
		sb__printf(sb, *text == '"' ? "\"\"" : "%c", *text);
	sb__putc(sb, '"');
}

static void put_csv_row(struct sb *sb, const struct region_row *row, const char *separator)
{
	struct sb text = SB_INIT;

	for (int i = 0; i < NR_COLUMNS; i++) {
		const struct column *c = &columns[i];

		if (c->kind == KIND_NAME)
			put_field(sb, row->name, separator);
		else if (c->kind != KIND_PERCENT)
			sb__printf(sb, "%" PRIu64, integer(row, c));
		else if (!isnan(percent(row, c)))
			put_decimals(sb, percent(row, c), 4);
		sb__puts(sb, separator);
	}
	put_notes(&text, row, "; ");
	put_field(sb, sb__str(&text), separator);
	sb__putc(sb, '\n');
	sb__free(&text);
}

static void put_csv(struct sb *sb, const struct regions *r, const char *separator)
{
	const struct region_row *row;

	for (int i = 0; i < NR_COLUMNS; i++)
		sb__printf(sb, "%s%s", columns[i].name, separator);
	sb__puts(sb, "notes\n");
	vec__for_each(row, &r->rows)
		put_csv_row(sb, row, separator);
}

/* --- JSON ------------------------------------------------------------------------------- */

static void put_json_row(struct sb *sb, const struct region_row *row)
{
	const char *comma = "{";

	for (int i = 0; i < NR_COLUMNS; i++) {
		const struct column *c = &columns[i];

		if (c->kind == KIND_PERCENT && isnan(percent(row, c)))
			continue;
		sb__printf(sb, "%s\"%s\" : ", comma, c->name);
		comma = ", ";
		if (c->kind == KIND_PERCENT) {
			put_decimals(sb, percent(row, c), 4);
		} else if (c->kind != KIND_NAME) {
			sb__printf(sb, "%" PRIu64, integer(row, c));
		} else {
			sb__putc(sb, '"');
			text__json(sb, row->name);
			sb__putc(sb, '"');
		}
	}
	sb__puts(sb, ", \"notes\" : [");
	if (row->notes)
		sb__putc(sb, '"');
	put_notes(sb, row, "\", \"");
	sb__puts(sb, row->notes ? "\"]}\n" : "]}\n");
}

static void put_json(struct sb *sb, const struct regions *r, const char *separator)
{
	const struct region_row *row;

	(void)separator;
	vec__for_each(row, &r->rows)
		put_json_row(sb, row);
}

typedef void (*put_fn)(struct sb *sb, const struct regions *r, const char *separator);

static const put_fn writers[REPORT_NR_FORMATS] = {
	[REPORT_TEXT] = put_text,
	[REPORT_CSV] = put_csv,
	[REPORT_JSON] = put_json,
};

bool regions__can_print(enum report_format format)
{
	return writers[format];
}

int regions__print(const struct regions *r, enum report_format format, const char *separator,
		   FILE *out, struct err *err)
{
	struct sb sb = SB_INIT;
	int rc = 0;

	writers[format](&sb, r, separator ? separator : ",");
	if (sb.err)
		rc = err__set(err, ENOMEM, "out of memory");
	else if (fwrite(sb__str(&sb), 1, sb.len, out) != sb.len || fflush(out))
		rc = err__set(err, errno, "the regions could not be written: %s", strerror(errno));
	sb__free(&sb);
	return rc;
}
