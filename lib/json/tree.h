/* SPDX-License-Identifier: GPL-2.0-only */
/* Read folders of JSON files in the layout of the kernel's pmu-events into sorted lists. */
#ifndef TMA_JSON_TREE_H
#define TMA_JSON_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "json/event.h"
#include "json/pool.h"

struct json_file;
struct table_data;

/* Severities of mistakes in the files. */
enum tree_problem {
	TREE_NOTE,    /* harmless: an unknown field, a row of a mapfile without a folder */
	TREE_WARNING, /* a default is used, as for an unknown word of MetricConstraint */
	TREE_ERROR,   /* an element or the rest of a file is left out */
	TREE_DOUBLE,  /* an event is left out, since the model has it already */
};

/**
 * struct tree_options - what to read and how
 * @dirs, @nr_dirs: folders of one architecture ("arch/x86"), or of single models. A later folder
 *                  replaces entries of earlier folders: events and metrics with the same PMU and
 *                  name, groups, and counters of a PMU. Rows of its mapfile.csv are tried first
 * @model_dirs: @dirs are folders of models; mapfile.csv and the standard events are searched in the
 *              folders above
 * @only:       read only the model of this folder (and system PMUs); NULL for all
 * @tolerant:   after an error, report it and go on with the next element or file; unknown words are
 *              warnings. Otherwise an error ends the reading, and unknown words are errors
 * @report:     called for each mistake in the files, except for the error that ends the reading;
 *              may be NULL. @line is 0 for a whole file; @msg has no place and no newline, but the
 *              message of a syntax error has several lines
 * @arg:        argument for @report
 * @std:        tables with standard events that are known in addition to those of the folders,
 *              ended by NULL; or NULL
 * @text, @len: contents of the only file, if it was read already; the tree releases them. NULL:
 *              open the files
 */
struct tree_options {
	const char *const *dirs;
	int nr_dirs;
	bool model_dirs, tolerant;
	const char *only;
	void (*report)(void *arg, enum tree_problem problem, const char *file, int line,
		       const char *msg);
	void *arg;
	const struct table_data *const *std;
	char *text;
	size_t len;
};

/**
 * struct tree_file - a file that was read
 * @dir: index of its folder in struct tree_options
 */
struct tree_file {
	char *path;
	int dir;
};

/**
 * struct tree_entry - an event or metric, and its place in a file
 * @file: index in the tree's files
 */
struct tree_entry {
	struct json_event event;
	int file, line;
};

/**
 * struct pmu_counters - how many counters a PMU has, from counter.json
 * @guessed: the numbers are from counters that events name, as counter.json is missing
 */
struct pmu_counters {
	uint32_t pmu;
	uint16_t general, fixed;
	bool guessed;
};

/**
 * struct tree_model - one folder of JSON files
 * @name:   offset in the pool of the folder's path below the architecture's folder ("skylakex",
 *          "arm/cortex-a53")
 * @hash:   hash of the folder's files, see tree__hash()
 * @sys:    the folder is "sys": events of system PMUs, which do not depend on the CPU
 * @events: sorted by PMU and name once the tree is read
 * @metrics: sorted by PMU, name, expression and description
 */
struct tree_model {
	uint32_t name;
	uint64_t hash;
	bool sys;
	VEC(struct tree_entry) events;
	VEC(struct tree_entry) metrics;
	VEC(struct pmu_counters) counters;
};

/*
 * A row of mapfile.csv. Its folder exists, or is "-", and then @model is -1; texts are offsets in
 * the pool.
 */
struct tree_row {
	uint32_t pattern, version;
	int model;
};

/* A metric group: its name and description are offsets in the pool. */
struct tree_group {
	uint32_t name, desc;
	int dir;
};

/**
 * struct tree - everything that was read
 * @groups: groups of all metricgroups.json. Within one folder the last description of a group is
 *          used; further folders only add groups, since a group is the same for all models
 * @map:    rows of mapfiles, those of the last folder first
 * @nr_errors: number of reported errors
 * @dir, @only, @reading, @reading_line: the place that is being read
 */
struct tree {
	struct pool pool;
	struct event_reader reader;
	VEC(struct tree_file) files;
	VEC(struct tree_model) models;
	VEC(struct tree_row) map;
	VEC(struct tree_group) groups;
	struct strmap *group_index;
	int nr_errors;

	const struct tree_options *opts;
	int dir;
	const char *only;
	const char *reading;
	int reading_line;
};

/**
 * tree__read() - read folders
 * @tree: unset before the call; call tree__free() after a failure, too
 * @opts: must be valid until the last report
 *
 * Return: 0, or -errno with a message that begins with file and line. -ENOENT if there are no
 * models.
 */
int tree__read(struct tree *tree, const struct tree_options *opts, struct err *err);

/** tree__free() - release the tree. */
void tree__free(struct tree *tree);

/**
 * tree__find_top() - find the architecture's folder above a model's folder
 * @dir:    a model's folder
 * @top:    set to the nearest folder above @dir with a mapfile.csv, or to NULL
 * @folder: set to the model's path below @top; without @top, to the last part of @dir
 *
 * Return: 0, and the caller frees both texts; or -errno if @dir does not exist.
 */
int tree__find_top(const char *dir, char **top, char **folder);

/** tree__text() - get a text of an event or a metric; "" if it lacks the text. */
static inline const char *tree__text(const struct tree *tree, const struct tree_entry *entry,
				     enum event_text text)
{
	return pool__str(&tree->pool, entry->event.text[text]);
}

/* --- Shared by the files of this stage --- */

/** tree__begin() - make an empty tree, which tree__free() releases. */
void tree__begin(struct tree *tree, const struct tree_options *opts);

/** tree__end() - sort the tree if reading returned 0 (@rc). Return: 0 or -errno. */
int tree__end(struct tree *tree, int rc, struct err *err);

/** tree__model() - find the model of a folder, or add it. */
struct tree_model *tree__model(struct tree *tree, const char *folder);

/* The initial hash. Different sets of files have different hashes. */
#define TREE_HASH_INIT 0xcbf29ce484222325u

/**
 * tree__hash() - extend a hash by a file of the tables: by its name, a NUL and its bytes
 * @name: name without the folder
 *
 * The hash is like FNV-1a on eight bytes at a time, with the high bits mixed into the low ones, and
 * is the same on all machines. Return: the new hash.
 *
 * The hash of a model's tables covers the model's files in the order of their names; files of a
 * second folder follow those of the first.
 */
uint64_t tree__hash(uint64_t hash, const char *name, const void *bytes, size_t len);

/**
 * tree_model__counters() - find the counters of a PMU; a new entry has none, and counts as a guess.
 */
struct pmu_counters *tree_model__counters(struct tree_model *model, uint32_t pmu);

/**
 * tree__list_dir() - list the names in a directory with file__list_dir(); a failure has a message.
 */
int tree__list_dir(const char *dir, char ***names, int *nr, struct err *err);

/** tree__add_path() - store the path of the file whose elements are read next. */
const char *tree__add_path(struct tree *tree, const char *path);

/**
 * tree__add_element() - add an element, in the kernel's form, of the current file
 * @model: model of the element, NULL for standard events
 * @topic: topic of the file
 */
int tree__add_element(struct tree *tree, struct tree_model *model, struct json_object *json,
		      const char *topic, struct err *err);

/** mapfile__read() - read @dir/mapfile.csv, if it exists; the models must be known already. */
int mapfile__read(struct tree *tree, const char *dir, struct err *err);

/** tree__report() - report a mistake to the caller; an error is also counted. */
void tree__report(struct tree *tree, enum tree_problem problem, const char *file, int line,
		  const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/**
 * tree__fail() - handle an error: report it and go on if the tree is tolerant
 * @rc:  the error, or 0
 * @line: line of the error; 0 if the message contains the path
 * @err: message of the error; if reading ends, file and line are put before it
 *
 * Return: 0 if reading goes on, else @rc.
 */
int tree__fail(struct tree *tree, int rc, const char *file, int line, struct err *err);

/**
 * tree__open_file() - open a file for reading
 * @model: model of the file, NULL for standard events
 * @name:  name of the file, without its folder
 * @file:  set on success; close it with tree__close_file()
 *
 * Return: 1; 0 if the file cannot be read and this was reported; -errno.
 */
int tree__open_file(struct tree *tree, struct tree_model *model, const char *path,
		    const char *name, struct json_file *file, struct err *err);
/** tree__close_file() - close a file. */
void tree__close_file(struct tree *tree, struct json_file *file);
/** tree__read_json() - read a file of the kernel's form into a model. */
int tree__read_json(struct tree *tree, struct tree_model *model, const char *path,
		    const char *name, struct err *err);

/**
 * tree__each_element() - call a function for each element of an array
 * @key:  the array's name in the file's object; NULL if the array is the whole file
 * @take: called with each element, which is released afterwards
 */
int tree__each_element(struct tree *tree, struct json_file *file, const char *key,
		       int (*take)(void *arg, struct json_object *json, struct err *err),
		       void *arg, struct err *err);

/**
 * tree__each_member() - call a function for each member of an object
 * @key:      the object's name in the file's object; NULL if the object is the whole file
 * @expected: the expected contents of the file, for a message
 * @take:     called with each member
 */
int tree__each_member(struct tree *tree, struct json_file *file, const char *key,
		      const char *expected,
		      int (*take)(void *arg, const char *name, struct json_object *value,
				  struct err *err),
		      void *arg, struct err *err);

#endif
