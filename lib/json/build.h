/* SPDX-License-Identifier: GPL-2.0-only */
/* Make tables from a tree that was read, and write tables as C or as text. */
#ifndef TMA_JSON_BUILD_H
#define TMA_JSON_BUILD_H

#include <stdio.h>

#include "base/vec.h"
#include "json/format.h"

struct err;
struct tree;

/* Arrays without duplicates, each with an index from a value's text to its number. */
enum indexed { WORDS, SCALES, COUNTERS, GROUPS, LATENCIES, EVENT_KEYS, METRIC_KEYS, NR_INDEXED };

/**
 * struct build - the arrays of a struct table_data while they grow
 *
 * Each array becomes the one of struct table_data with the same name.
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
 * @build: unset before the call; call build__free() after a failure, too
 * @tree:  a tree that was read; strings may be added to its pool
 *
 * Return: 0; -E2BIG if a number does not fit its field.
 */
int build__tables(struct build *build, struct tree *tree, struct err *err);

/** build__data() - get the tables, which are valid as long as @build and the tree are. */
void build__data(const struct build *build, const char *arch, struct table_data *out);

/** build__free() - release the arrays. */
void build__free(struct build *build);

/* --- The tables as text, for a compiler, or to read and compare --- */

/** write__c() - write the tables as C code that defines table_data; @out keeps write errors. */
void write__c(const struct table_data *data, FILE *out);

/**
 * write__dump() - write the tables as text
 *
 * Each line has columns separated by tabs; in these, newline, tab and backslash are written as
 * "\n", "\t" and "\\":
 *
 *	cpu	PATTERN
 *	event	PMU NAME TOPIC TERMS COMPAT DEPRECATED PERPKG SCALEUNIT DESC LONGDESC
 *	metric	PMU NAME GROUPS EXPR THRESHOLD SCALEUNIT COMPAT NOGROUP DEFAULT AGGREGATION
 *		CONSTRAINT DESC LONGDESC
 *	sys	FOLDER
 *	group	NAME DESC
 *	# model, counters: what the kernel's tables do not have
 *
 * Each row of the mapfile is a cpu line, followed by the events and metrics of that CPU in the
 * order of the tables. Each folder of system PMUs is a sys line, followed by its contents. All
 * groups come last.
 */
void write__dump(const struct table_data *data, FILE *out);

#endif
