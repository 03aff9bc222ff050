// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory in which a program keeps the totals of its regions. The low bits of the first byte
 * choose the format, see enum option. The other bytes are written over a block of CAPACITY entries.
 * If a block is accepted, its rows are plausible, rows of one name are adjacent, and each format
 * can print them; JSON is valid.
 */
#include <math.h>

#include <json-c/json.h>

#include "fuzz.h"
#include "base/auto.h"
#include "json/ascii.h"
#include "report/regions.h"
#include "topdown/region_page.h"
#include "writers/writer.h"

enum option {
	JSON = 1,
	CSV = 2,
	HEADER = 4, /* the input begins with the block's header; else after the sizes in it */
};

#define CAPACITY 4

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

static void check_share(double share)
{
	fuzz_check(isnan(share) || (share >= -100 && share <= 100), "%g", share);
}

static void check_row(const struct region_row *row)
{
	fuzz_check(memchr(row->name, '\0', sizeof(row->name)));
	for (const char *at = row->name; *at; at++)
		fuzz_check((unsigned char)*at >= ' ' && *at != 0x7f, "%d", *at);
	fuzz_check(row->level >= 0 && row->level <= 2, "%d", row->level);
	fuzz_check(isfinite(row->error) && row->error >= 0, "%g", row->error);
	for (int i = 0; i < REGIONS_SHARES; i++) {
		check_share(row->share[i]);
		check_share(row->own[i]);
	}
}

static void check_together(const struct regions *r)
{
	for (int i = 1; i < r->rows.nr; i++)
		for (int k = 0; k < i - 1; k++)
			fuzz_check(strcmp(r->rows.at[k].name, r->rows.at[i].name) ||
					   !strcmp(r->rows.at[i - 1].name, r->rows.at[i].name),
				   "rows %d and %d are not together", k, i);
}

static void check_json(const char *printed)
{
	struct json_tokener *tokener = json_tokener_new();
	auto_text ascii = json_ascii(printed, strlen(printed));
	size_t len;

	if (ascii)
		printed = ascii;
	fuzz_check(tokener);
	json_tokener_set_flags(tokener, JSON_TOKENER_VALIDATE_UTF8 | JSON_TOKENER_STRICT);
	for (; *printed; printed += len) {
		struct json_object *row;

		len = strcspn(printed, "\n");
		len += printed[len] == '\n';
		row = json_tokener_parse_ex(tokener, printed, len);
		fuzz_check(json_object_is_type(row, json_type_object), "%s: %s", printed,
			   json_tokener_error_desc(json_tokener_get_error(tokener)));
		json_object_put(row);
		json_tokener_reset(tokener);
	}
	json_tokener_free(tokener);
}

static void print(const struct regions *r, int options)
{
	const char *name = options & JSON ? "json-perf" : options & CSV ? "csv" : "text";
	const struct writer_options opts = {.format = format__find(name)};
	struct grid grid = {.nr_rows = 0};
	struct err err = ERR_INIT;
	char *printed = NULL;
	size_t size;
	FILE *out = open_memstream(&printed, &size);

	fuzz_check(out && opts.format);
	regions__fill(r, &grid);
	fuzz_check(!writer__regions(&opts, &grid, out, &err), "%s", err.msg);
	regions__free_grid(&grid);
	fclose(out);
	fuzz_check(strlen(printed) == size);
	if (options & JSON)
		check_json(printed);
	free(printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t whole = regions__size(CAPACITY), from;
	uint8_t *block = calloc(1, whole);
	struct regions regions = {.lost = 0};
	struct err err = ERR_INIT;
	int options = size ? data[0] : 0, rc;

	fuzz_check(block);
	regions__make(block, CAPACITY);
	from = options & HEADER ? 0 : offsetof(struct region_page_header, used);
	size -= !!size;
	memcpy(block + from, data + 1, size < whole - from ? size : whole - from);
	rc = regions__read(block, whole, &regions, &err);
	if (rc) {
		fuzz__check_error(rc, &err);
		fuzz_check(!regions.rows.nr);
	} else {
		fuzz_check(regions.rows.nr <= CAPACITY);
		for (int i = 0; i < regions.rows.nr; i++)
			check_row(&regions.rows.at[i]);
		check_together(&regions);
		print(&regions, options);
	}
	vec__free(&regions.rows);
	free(block);
	return 0;
}
