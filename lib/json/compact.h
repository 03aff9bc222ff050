/* SPDX-License-Identifier: GPL-2.0-only */
/* Make tables with fewer strings from tables of build.c, to be written. */
#ifndef TMA_JSON_COMPACT_H
#define TMA_JSON_COMPACT_H

#include "json/build.h"
#include "json/pool.h"

/**
 * struct compact - tables with a new selection of strings
 * @data: the tables; arrays without strings belong to the original tables
 */
struct compact {
	struct table_data data;
	struct build copy;
	struct pool pool;
};

/**
 * compact__tables() - leave out what is not stored
 * @c:    unset; release it with compact__free()
 * @from: tables without a TABLE_EVENT_GOES_ON or TABLE_METRIC_GOES_ON; must outlive @c
 *
 * A longer description that begins with the shorter one is stored without this beginning. Strings
 * that no record uses are left out.
 */
void compact__tables(struct compact *c, const struct table_data *from);

/** compact__free() - release the strings and arrays. */
void compact__free(struct compact *c);

#endif
