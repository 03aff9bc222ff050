/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of a page. A click on a heading, or a key on it, sorts the table by that column
 * (page/page.js). Without JavaScript its lines keep the order in which they were put.
 *
 *	page_table__begin(sb, "functions", columns, 3);
 *	page_table__begin_line(sb, "walk");
 *	page_table__put_number(sb, 91.2, 0.4);
 *	page_table__put_text(sb, "tma_dram_bound");
 *	page_table__end_line(sb);
 *	page_table__end(sb);
 */
#ifndef TMA_WRITERS_PAGE_TABLE_H
#define TMA_WRITERS_PAGE_TABLE_H

#include <stdbool.h>

struct sb;

/**
 * struct page_column - a column
 * @name:  heading of the column; NULL: this table does not have the column
 * @words: the fields are texts, sorted alphabetically; else numbers, the largest first
 * @title: meaning of the heading, shown as a tooltip; or NULL
 */
struct page_column {
	const char *name;
	bool words;
	const char *title;
};

/**
 * page_table__begin() - begin a table, in a box that scrolls if it is wider than the page
 * @class: the table's name for styles and scripts
 */
void page_table__begin(struct sb *sb, const char *class, const struct page_column *columns, int nr);
/** page_table__end() - end the table. */
void page_table__end(struct sb *sb);
/** page_table__begin_line() - begin a line; @name is the field of its first column. */
void page_table__begin_line(struct sb *sb, const char *name);
/** page_table__end_line() - end the line. */
void page_table__end_line(struct sb *sb);

/** page_table__put_text() - put the next field, in a column of texts. */
void page_table__put_text(struct sb *sb, const char *text);
/**
 * page_table__put_number() - put the next field, with as many digits as its error allows
 * @value: if the value is not finite, the field is empty, and its line comes last
 * @error: NAN if the error is unknown or the number exact; the value then has four digits
 */
void page_table__put_number(struct sb *sb, double value, double error);
/**
 * page_table__put_keyed() - put a number as text: "1.17 ms"
 * @key: number to sort by; if the key is not finite, the line comes last
 */
void page_table__put_keyed(struct sb *sb, const char *text, double key);
/**
 * page_table__put_marked() - put a number as page_table__put_number() does, marked as over its
 * threshold.
 */
void page_table__put_marked(struct sb *sb, double value, double error);

/** page__put_number() - append a number outside of a table, with the same digits as in a table. */
void page__put_number(struct sb *sb, double value, double error);

#endif
