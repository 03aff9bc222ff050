// SPDX-License-Identifier: GPL-2.0-only
/* Columns, rows and cells, and the words for the state of a value. */
#include <stdio.h>
#include <string.h>

#include "base/sb.h"
#include "grid/grid.h"
#include "unit.h"

#define MANY 100 /* enough columns that their array grows several times */

START_TEST(columns_keep_their_content_when_more_are_added)
{
	struct grid g = { .nr_rows = 0 };
	char name[32];

	for (int i = 0; i < MANY; i++) {
		struct grid_column *c = grid__add(&g, i % GRID_NR_KINDS);
		struct sb sb = SB_INIT;

		/* The old content of the memory is cleared. */
		ck_assert(!c->name && !c->unit && !c->limits && !c->scale && !c->supported);
		sb__printf(&sb, "column %d", i);
		c->name = grid__keep(&g, &sb);
		c->unit = "msec";
		c->event = i;
		c->scale = i / 4.0;
		c->supported = true;
	}
	ck_assert_int_eq(g.nr_columns, MANY);
	for (int i = 0; i < MANY; i++) {
		const struct grid_column *c = &g.columns[i];

		snprintf(name, sizeof(name), "column %d", i);
		ck_assert_str_eq(c->name, name);
		ck_assert_str_eq(c->unit, "msec");
		ck_assert_int_eq(c->kind, i % GRID_NR_KINDS);
		ck_assert_int_eq(c->event, i);
		ck_assert_double_eq(c->scale, i / 4.0);
		ck_assert(c->supported);
	}
	grid__free(&g);
}
END_TEST

START_TEST(a_text_that_is_kept_leaves_its_buffer_empty)
{
	struct grid g = { .nr_rows = 0 };
	struct sb sb = SB_INIT;
	const char *first, *second;

	sb__puts(&sb, "first");
	first = grid__keep(&g, &sb);
	ck_assert_uint_eq(sb.len, 0);
	sb__puts(&sb, "second");
	second = grid__keep(&g, &sb);
	ck_assert_str_eq(first, "first");
	ck_assert_str_eq(second, "second");
	grid__free(&g);
}
END_TEST

START_TEST(each_column_has_a_cell_in_each_row)
{
	enum { COLUMNS = 3, ROWS = 4 };
	struct grid g = { .nr_rows = ROWS, .nr_blocks = 2 };

	for (int i = 0; i < COLUMNS; i++)
		grid__add(&g, GRID_EVENT);
	grid__allocate(&g);
	for (int i = 0; i < g.nr_blocks * ROWS; i++)
		ck_assert(!g.present[i]);
	for (int i = 0; i < COLUMNS * ROWS; i++)
		ck_assert_uint_eq(g.cells[i].count, 0);
	for (int column = 0; column < COLUMNS; column++)
		for (int row = 0; row < ROWS; row++)
			grid__cell(&g, column, row)->count = 10 * column + row;
	for (int column = 0; column < COLUMNS; column++)
		for (int row = 0; row < ROWS; row++)
			ck_assert_uint_eq(grid__cell(&g, column, row)->count, 10 * column + row);
	ck_assert_ptr_eq(grid__cell(&g, COLUMNS - 1, ROWS - 1), &g.cells[COLUMNS * ROWS - 1]);
	grid__free(&g);
}
END_TEST

START_TEST(shares_are_of_core_types_alone)
{
	struct grid_share shares[] = { { .percent = 1 }, { .percent = 2 },
				       { .percent = 3 }, { .percent = 4 } };
	struct grid g = { .nr_rows = 2 };

	ck_assert_ptr_null(grid__share(&g, 0, 0));
	vec__push(&g.cores, "cpu_core");
	vec__push(&g.cores, "cpu_atom");
	ck_assert_ptr_null(grid__share(&g, 0, 0));
	g.shares = shares;
	ck_assert_double_eq(grid__share(&g, 0, 1)->percent, 2);
	ck_assert_double_eq(grid__share(&g, 1, 0)->percent, 3);
	ck_assert_ptr_null(grid__share(&g, 2, 0));
	g.shares = NULL;
	grid__free(&g);
}
END_TEST

static const struct {
	struct grid_share share;
	const char *text;
} printed_shares[] = {
	{ { .percent = 65.04, .known = true }, "65.0" },
	{ { .percent = 100, .known = true }, "100.0" },
	{ { .percent = 0, .known = true }, "0.0" },
	{ { .percent = 0, .known = true, .at_least = true }, ">=0.0" },
	/* A share above 0 is never printed as 0. */
	{ { .percent = 0.05, .known = true }, "0.050" },
	{ { .percent = 0.1, .known = true }, "0.1" },
	{ { .percent = 35, .known = true, .at_least = true }, ">=35.0" },
	{ { .percent = 35, .known = false, .at_least = true }, "" },
};

START_TEST(a_share_is_printed_in_percent)
{
	for (size_t i = 0; i < sizeof(printed_shares) / sizeof(*printed_shares); i++) {
		struct sb sb = SB_INIT;

		grid_share__print(printed_shares[i].share, ">=", &sb);
		ck_assert_str_eq(sb__str(&sb), printed_shares[i].text);
		sb__free(&sb);
	}
}
END_TEST

START_TEST(each_reason_has_words_of_its_own)
{
	const char *words[REASON_NR];

	for (int i = 0; i < REASON_NR; i++) {
		struct cell_more more = { .reason_text = "as the kernel tells" };
		const struct grid_cell cell = { .reason = i, .more = &more };

		words[i] = cell__words(&cell);
	}
	ck_assert_ptr_null(words[REASON_NONE]);
	ck_assert_str_eq(words[REASON_TEXT], "as the kernel tells");
	ck_assert_str_eq(words[REASON_TURNS], "an estimate, since events were multiplexed");
	ck_assert_str_eq(words[REASON_VENDOR_UNMEASURED + 2],
			 "the vendor's greatest latency, not measured here");
	for (int i = REASON_NONE + 1; i < REASON_NR; i++) {
		ck_assert_msg(words[i], "reason %d has no words", i);
		for (int other = REASON_NONE + 1; other < i; other++)
			ck_assert_str_ne(words[i], words[other]);
	}
}
END_TEST

START_TEST(each_status_has_a_name_of_its_own)
{
	ck_assert_str_eq(cell_status__name(CELL_COUNTED), "counted");
	ck_assert_str_eq(cell_status__name(CELL_NO_VALUE), "no value");
	for (int i = 0; i < CELL_NR_STATUS; i++)
		for (int other = 0; other < i; other++)
			ck_assert_str_ne(cell_status__name(i), cell_status__name(other));
}
END_TEST

START_TEST(a_cluster_that_the_kernel_does_not_know_has_no_number)
{
	const struct grid_row row = { .at = { [PLACE_SOCKET] = 65535, [PLACE_DIE] = -1,
					      [PLACE_CLUSTER] = 65535, [PLACE_CORE] = 3 } };

	ck_assert_int_eq(grid_row__place(&row, PLACE_CLUSTER), -1);
	ck_assert_int_eq(grid_row__place(&row, PLACE_SOCKET), 65535);
	ck_assert_int_eq(grid_row__place(&row, PLACE_DIE), -1);
	ck_assert_int_eq(grid_row__place(&row, PLACE_CORE), 3);
}
END_TEST

TMA_TEST_MAIN(grid_cells, columns_keep_their_content_when_more_are_added,
	      a_text_that_is_kept_leaves_its_buffer_empty, each_column_has_a_cell_in_each_row,
	      shares_are_of_core_types_alone, a_share_is_printed_in_percent,
	      each_reason_has_words_of_its_own, each_status_has_a_name_of_its_own,
	      a_cluster_that_the_kernel_does_not_know_has_no_number)
