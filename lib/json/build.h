/* SPDX-License-Identifier: GPL-2.0-only */
/* A tree of what was read comes in; tables as they lie in memory, C or text come out. */
#ifndef TMA_JSON_BUILD_H
#define TMA_JSON_BUILD_H

#include <stdio.h>

#include "base/vec.h"
#include "json/format.h"

struct err;
struct tree;

/* A value stands once in these arrays: each has an index from its text to its number. */
enum indexed { WORDS, SCALES, COUNTERS, GROUPS, LATENCIES, EVENT_KEYS, METRIC_KEYS, NR_INDEXED };

/**
 * struct build - the arrays of a struct table_data, growing
 *
 * Each array is the one of struct table_data with that name.
 */
struct build {
#define BUILD_ARRAY(type, name) VEC(type) name;
	TABLE_ARRAYS(BUILD_ARRAY)
#undef BUILD_ARRAY
	struct table_span std_events, std_metrics;
	struct tree *tree;
	struct strmap *index[NR_INDEXED];
};

/**
 * build__tables() - make the tables
 * @build: unset; build__free() it also after a failure
 * @tree:  read already; strings may still be added to its pool
 *
 * Return: 0; -E2BIG when a number does not fit its field.
 */
int build__tables(struct build *build, struct tree *tree, struct err *err);

/** build__data() - give the tables, which are valid as long as @build and the tree are. */
void build__data(const struct build *build, const char *arch, struct table_data *out);

/** build__free() - release the arrays. */
void build__free(struct build *build);

/* --- The tables as text, for a compiler and for a person or a comparison --- */

/** write__c() - write the tables as C that defines table_data. Write errors stay with @out. */
void write__c(const struct table_data *data, FILE *out);

/**
 * write__dump() - write the tables as text
 *
 * One line each, columns separated by tabs, in them "\n", "\t" and "\\" for those bytes:
 *
 *	cpu	PATTERN
 *	event	PMU NAME TOPIC TERMS COMPAT DEPRECATED PERPKG SCALEUNIT DESC LONGDESC
 *	metric	PMU NAME GROUPS EXPR THRESHOLD SCALEUNIT COMPAT NOGROUP DEFAULT AGGREGATION
 *		CONSTRAINT DESC LONGDESC
 *	sys	FOLDER
 *	group	NAME DESC
 *	# model, counters: what the kernel's tables do not have
 *
 * A cpu line for each row of the mapfile and below it the events and metrics of that CPU in the
 * order of the tables; a sys line for each folder of system PMUs with what is in it; then the
 * groups of all.
 */
void write__dump(const struct table_data *data, FILE *out);

#endif
