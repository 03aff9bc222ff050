// SPDX-License-Identifier: GPL-2.0-only
/* Print the table of regions. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "internal.h"

#define NAME_COLUMNS 24

static const struct {
	unsigned int note;
	const char *text;
} notes[] = {
	{ TMA_TOPDOWN_NOT_COUNTED, "not counted for part of the time" },
	{ TMA_TOPDOWN_RESET, "registers reset by others" },
	{ TMA_TOPDOWN_IMPRECISE, "too short to be precise" },
	{ TMA_TOPDOWN_EMPTY, "no slots" },
	{ TMA_TOPDOWN_OWN_ROUGH, "own includes inner regions that were not measured" },
	{ TMA_TOPDOWN_SYSTEM_CALLS, "read by system calls" },
	{ TMA_TOPDOWN_TORN, "ended while it was being written" },
};

/* Columns of the table, in order. */
static const struct {
	int share;
	int level;
} columns[] = {
	{ TMA_TOPDOWN_RETIRING, 1 },	 { TMA_TOPDOWN_BAD_SPEC, 1 },
	{ TMA_TOPDOWN_FE_BOUND, 1 },	 { TMA_TOPDOWN_BE_BOUND, 1 },
	{ TMA_TOPDOWN_LIGHT_OPS, 2 },	 { TMA_TOPDOWN_HEAVY_OPS, 2 },
	{ TMA_TOPDOWN_BR_MISPREDICT, 2 }, { TMA_TOPDOWN_MACHINE_CLEARS, 2 },
	{ TMA_TOPDOWN_FETCH_LAT, 2 },	 { TMA_TOPDOWN_FETCH_BW, 2 },
	{ TMA_TOPDOWN_MEM_BOUND, 2 },	 { TMA_TOPDOWN_CORE_BOUND, 2 },
};

#define NR_COLUMNS (sizeof(columns) / sizeof(*columns))

static int highest_level(const struct tma_regions *regions)
{
	struct tma_region_totals totals;
	unsigned int cursor = 0;
	int level = 1;

	while (tma_regions_next(regions, &cursor, &totals))
		if (totals.total.level > level)
			level = totals.total.level;
	return level;
}

static void print_header(FILE *stream, int level)
{
	fprintf(stream, "%-*s %8s %10s %10s %12s %14s %6s", NAME_COLUMNS, "region", "thread",
		"count", "measured", "ms", "slots", "own%");
	for (size_t i = 0; i < NR_COLUMNS; i++)
		if (columns[i].level <= level)
			fprintf(stream, " %s", tma_topdown_share_name(columns[i].share));
	fputc('\n', stream);
}

/* Print a share. An unknown share is "-", so that columns stay aligned. */
static void print_share(FILE *stream, int width, double share)
{
	if (isnan(share))
		fprintf(stream, " %*s", width, "-");
	else
		fprintf(stream, " %*.1f", width, 100 * share);
}

/*
 * Print a region's name. Control characters (one byte, or U+0080 to U+009F in UTF-8) become
 * question marks, so that a name stays on one line and cannot move the cursor. @width is in
 * characters.
 */
static void print_name(FILE *stream, const char *name)
{
	const unsigned char *c = (const unsigned char *)name;
	int width = 0;

	for (; *c; c++) {
		bool wide_control = c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0;

		fputc(*c < ' ' || *c == 0x7f || wide_control ? '?' : *c, stream);
		c += wide_control;
		width += (*c & 0xc0) != 0x80 || wide_control;
	}
	fprintf(stream, "%*s", width < NAME_COLUMNS ? NAME_COLUMNS - width : 0, "");
}

static void print_totals(FILE *stream, const struct tma_region_totals *totals, int level)
{
	const struct tma_topdown_delta *total = &totals->total;
	double shares[TMA_TOPDOWN_SHARES];
	const char *separator = "  # ";

	print_name(stream, totals->name);
	fprintf(stream, " %8" PRId32 " %10" PRIu64 " %10" PRIu64 " %12.3f %14" PRIu64, totals->tid,
		totals->count, totals->measured, (double)total->time_ns / 1e6, total->slots);
	print_share(stream, 6,
		    total->slots ? (double)totals->own.slots / (double)total->slots : NAN);
	tma_topdown_shares(total, shares);
	for (size_t i = 0; i < NR_COLUMNS; i++)
		if (columns[i].level <= level)
			print_share(stream, (int)strlen(tma_topdown_share_name(columns[i].share)),
				    shares[columns[i].share]);
	for (size_t i = 0; i < sizeof(notes) / sizeof(*notes); i++)
		if (total->notes & notes[i].note) {
			fprintf(stream, "%s%s", separator, notes[i].text);
			separator = ", ";
		}
	fputc('\n', stream);
}

TMA_PUBLIC int tma_regions_print(const struct tma_regions *regions, FILE *stream)
{
	struct tma_region_totals totals;
	unsigned int cursor = 0;
	int level;

	if (!regions)
		return 0;
	level = highest_level(regions);
	print_header(stream, level);
	while (tma_regions_next(regions, &cursor, &totals))
		print_totals(stream, &totals, level);
	return fflush(stream) || ferror(stream) ? -EIO : 0;
}
