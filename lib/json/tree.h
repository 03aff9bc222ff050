/* SPDX-License-Identifier: GPL-2.0-only */
/* An architecture's folder of JSON files, read into memory. */
#ifndef TMA_JSON_TREE_H
#define TMA_JSON_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "json/event.h"
#include "json/pool.h"

/**
 * struct entry - an event or metric and where it was read
 * @file: index in the tree's files
 */
struct entry {
	struct event event;
	int file, line;
};

/* How many counters a PMU has, from counter.json. */
struct pmu_counters {
	uint32_t pmu;
	uint16_t general, fixed;
};

/**
 * struct model - one folder of JSON files
 * @name:   offset of its path below the architecture's folder ("skylakex", "arm/cortex-a53")
 * @events: sorted by (PMU, name) once the tree is read
 * @metrics: sorted by (PMU, name, expression, description)
 */
struct model {
	uint32_t name;
	VEC(struct entry) events;
	VEC(struct entry) metrics;
	VEC(struct pmu_counters) counters;
};

/* A row of mapfile.csv whose folder exists; offsets in the pool. */
struct map_row {
	uint32_t pattern, version;
	int model;
};

/* A metric group and its description; offsets in the pool. */
struct group {
	uint32_t name, desc;
};

/**
 * struct tree - all of it
 * @verbose: print warnings to stderr (fields nobody knows, rows of the mapfile without a folder)
 * @files:   paths of the files read
 * @groups:  of all metricgroups.json, the later description replacing an earlier one
 */
struct tree {
	struct pool pool;
	struct event_reader reader;
	bool verbose;
	VEC(char *) files;
	VEC(struct model) models;
	VEC(struct map_row) map;
	VEC(struct group) groups;
	struct strmap *group_index;
	const char *reading; /* file being read and its line, for warnings */
	int reading_line;
};

/**
 * tree__read() - read an architecture's folder
 * @tree:    unset; tree__free() it also after a failure
 * @dir:     the folder with mapfile.csv ("arch/x86")
 * @verbose: see struct tree
 *
 * Return: 0 or -errno, the message beginning with the file and line.
 */
int tree__read(struct tree *tree, const char *dir, bool verbose, struct err *err);

/** tree__free() - release it. */
void tree__free(struct tree *tree);

/** mapfile__read() - read @dir/mapfile.csv, if there is one; its models are known already. */
int mapfile__read(struct tree *tree, const char *dir, struct err *err);

/** tree__sort() - sort every model's lists. Return: 0, or -EEXIST when an event is there twice. */
int tree__sort(struct tree *tree, struct err *err);

#endif
