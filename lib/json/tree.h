/* SPDX-License-Identifier: GPL-2.0-only */
/* Folders of JSON files come in, laid out as the kernel's pmu-events; sorted lists come out. */
#ifndef TMA_JSON_TREE_H
#define TMA_JSON_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "json/event.h"
#include "json/pool.h"

struct json_file;
struct table_data;

/* A problem in the files is so bad: */
enum tree_problem {
	TREE_NOTE,    /* it is of no matter: an unknown field, a row of the mapfile for no folder */
	TREE_WARNING, /* it is read as harmless: an unknown word of MetricConstraint */
	TREE_ERROR,   /* an element or the rest of a file is left out */
	TREE_DOUBLE,  /* an event is left out, as it is there already */
};

/**
 * struct tree_options - what to read and how
 * @dirs, @nr_dirs: folders of one architecture ("arch/x86"), or of single models. What a later one
 *              says of an event, of a metric (both told by PMU and name), of a group or of a PMU's
 *              counters replaces what earlier ones say; its rows of mapfile.csv are tried first
 * @model_dirs: @dirs are models' own folders; mapfile.csv and the standard events are looked for in
 *              the folders above
 * @only:       read the model of this folder alone (and system PMUs); NULL for all
 * @tolerant:   an error is reported, and reading goes on with the next element or file; otherwise
 *              it ends the reading. What is unknown is a warning then, otherwise an error
 * @report:     called for each problem, but for the error which ends the reading; may be NULL.
 *              @line is 0 for a whole file; @msg is without place and newline, but a syntax error's
 *              has several lines
 * @arg:        for @report
 * @std:        tables whose standard events are known besides those of the folders, ending with
 *              NULL; or NULL
 * @text, @len: of the only file that is read, when it was read before, and released with it; NULL:
 *             files are opened
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
 * @dir: index of the folder of struct tree_options it is from
 */
struct tree_file {
	char *path;
	int dir;
};

/**
 * struct tree_entry - an event or metric and where it was read
 * @file: index in the tree's files
 */
struct tree_entry {
	struct json_event event;
	int file, line;
};

/**
 * struct pmu_counters - how many counters a PMU has, from counter.json
 * @guessed: from the counters which its events name, for want of that file
 */
struct pmu_counters {
	uint32_t pmu;
	uint16_t general, fixed;
	bool guessed;
};

/**
 * struct tree_model - one folder of JSON files
 * @name:   offset of its path below the architecture's folder ("skylakex", "arm/cortex-a53")
 * @hash:   of its files, see tree__hash()
 * @sys:    a folder "sys": events of system PMUs, which depend on no CPU
 * @events: sorted by (PMU, name) once the tree is read
 * @metrics: sorted by (PMU, name, expression, description)
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
 * A row of mapfile.csv has a folder that exists, or "-", and then @model is -1; the texts are
 * offsets in the pool.
 */
struct tree_row {
	uint32_t pattern, version;
	int model;
};

/* A metric group has a name and a description, which are offsets in the pool. */
struct tree_group {
	uint32_t name, desc;
	int dir;
};

/**
 * struct tree - all of it
 * @groups: of all metricgroups.json: of one folder the last description of a group; other folders
 *          only add groups, since a group is one thing for all models
 * @map:    of the last folder first
 * @nr_errors: how many were reported
 * @dir, @only, @reading, @reading_line: where the reading is
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
 * @tree: unset; tree__free() it also after a failure
 * @opts: needed until the last report
 *
 * Return: 0 or -errno, the message beginning with file and line. -ENOENT when there is no model.
 */
int tree__read(struct tree *tree, const struct tree_options *opts, struct err *err);

/** tree__free() - release the tree. */
void tree__free(struct tree *tree);

/**
 * tree__find_top() - find the architecture's folder of a model's folder
 * @dir:    a model's folder
 * @top:    set to the nearest folder above that has a mapfile.csv, or to NULL
 * @folder: set to the model's path below it; without one, to the last part of @dir
 *
 * Return: 0 with both to be freed, or -errno of a @dir that is not there.
 */
int tree__find_top(const char *dir, char **top, char **folder);

/** tree__text() - give a text of an event or a metric, "" when it has none. */
static inline const char *tree__text(const struct tree *tree, const struct tree_entry *entry,
				     enum event_text text)
{
	return pool__str(&tree->pool, entry->event.text[text]);
}

/* --- Between the files of this stage --- */

/** tree__begin() - make an empty tree, which tree__free() releases. */
void tree__begin(struct tree *tree, const struct tree_options *opts);

/** tree__end() - sort the tree if reading returned 0 (@rc). Return: 0 or -errno. */
int tree__end(struct tree *tree, int rc, struct err *err);

/** tree__model() - find the model of a folder, or make it. */
struct tree_model *tree__model(struct tree *tree, const char *folder);

/* A hash, by which two sets of files are told apart, begins with this. */
#define TREE_HASH_INIT 0xcbf29ce484222325u

/**
 * tree__hash() - go on with the hash of what tables were made from: its name, a NUL, its bytes
 * @name: without its folder
 *
 * As FNV-1a, eight bytes at a time, and the high bits are mixed into the low ones. The same on all
 * machines. Return: the new hash.
 *
 * The hash of a model's tables is that of its files in the order of their names, those of a second
 * folder behind those of the first.
 */
uint64_t tree__hash(uint64_t hash, const char *name, const void *bytes, size_t len);

/** tree_model__counters() - find the counters of a PMU; new ones are none, and guessed. */
struct pmu_counters *tree_model__counters(struct tree_model *model, uint32_t pmu);

/** tree__list_dir() - list the names in a directory as file__list_dir() does, with a message. */
int tree__list_dir(const char *dir, char ***names, int *nr, struct err *err);

/** tree__add_path() - keep the path of a file that is read from now on. */
const char *tree__add_path(struct tree *tree, const char *path);

/**
 * tree__add_element() - take up one element, in the kernel's form, of the file read
 * @model: whose it is, NULL for standard events
 * @topic: what the file is about
 */
int tree__add_element(struct tree *tree, struct tree_model *model, struct json_object *json,
		      const char *topic, struct err *err);

/** mapfile__read() - read @dir/mapfile.csv, if there is one; its models are known already. */
int mapfile__read(struct tree *tree, const char *dir, struct err *err);

/** tree__report() - tell the reader of a problem; it is counted, too, where it is an error. */
void tree__report(struct tree *tree, enum tree_problem problem, const char *file, int line,
		  const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/**
 * tree__fail() - report an error, if there is one and that is enough
 * @rc:  what was returned
 * @line: 0 when the message names the file itself
 * @err: its message, given file and line when reading ends
 *
 * Return: 0 when reading goes on, else @rc.
 */
int tree__fail(struct tree *tree, int rc, const char *file, int line, struct err *err);

/**
 * tree__open_file() - open a file that is to be read
 * @model: whose it is, NULL for standard events
 * @name:  of the file, without its folder
 * @file:  set on success; tree__close_file() it
 *
 * Return: 1; 0 when it cannot be read and that was reported; -errno.
 */
int tree__open_file(struct tree *tree, struct tree_model *model, const char *path,
		    const char *name, struct json_file *file, struct err *err);
/** tree__close_file() - close a file that has been read. */
void tree__close_file(struct tree *tree, struct json_file *file);
/** tree__read_json() - read a file of the kernel's form. */
int tree__read_json(struct tree *tree, struct tree_model *model, const char *path,
		    const char *name, struct err *err);

/**
 * tree__each_element() - have the elements of an array read
 * @key:  of the array, which is a member of the file's object; NULL: it is all of the file
 * @take: called with each, which is released then
 */
int tree__each_element(struct tree *tree, struct json_file *file, const char *key,
		       int (*take)(void *arg, struct json_object *json, struct err *err),
		       void *arg, struct err *err);

/**
 * tree__each_member() - have the members of an object read
 * @key:      of the object, which is a member of the file's; NULL: it is all of the file
 * @expected: what is expected of the file, for a message
 * @take:     called with each
 */
int tree__each_member(struct tree *tree, struct json_file *file, const char *key,
		      const char *expected,
		      int (*take)(void *arg, const char *name, struct json_object *value,
				  struct err *err),
		      void *arg, struct err *err);

#endif
