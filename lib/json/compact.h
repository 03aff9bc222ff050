/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables as build.c made them come in; the same with fewer strings come out, to be written. */
#ifndef TMA_JSON_COMPACT_H
#define TMA_JSON_COMPACT_H

#include "json/build.h"
#include "json/pool.h"

/**
 * struct compact - tables whose strings were chosen anew
 * @data: the tables; arrays without strings are those of the tables that they were made from
 */
struct compact {
	struct table_data data;
	struct build copy;
	struct pool pool;
};

/**
 * compact__tables() - leave out what need not be stored
 * @c:    unset; compact__free() it
 * @from: tables without a TABLE_EVENT_GOES_ON or TABLE_METRIC_GOES_ON; they have to live as long
 *        as @c
 *
 * A longer description that begins with the shorter one is stored without this beginning, and
 * strings that no record names are left out.
 */
void compact__tables(struct compact *c, const struct table_data *from);

/** compact__free() - release the strings and arrays. */
void compact__free(struct compact *c);

#endif
