/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of Intel's own form come in; events and metrics of the kernel's form come out, in a tree.
 */
#ifndef TMA_JSON_PERFMON_H
#define TMA_JSON_PERFMON_H

#include <stdbool.h>

#include "base/sb.h"
#include "base/vec.h"

struct err;
struct json_object;
struct strmap;
struct tree;

/*
 * github.com/intel/perfmon has a folder for each model (GNR) with events/ and metrics/ in it.
 * Files are objects with an array "Events" or "Metrics". Against the kernel's form: "0", "na" and
 * "null" say that a field has no value; the core type of a hybrid CPU stands in the mapfile alone;
 * a mask of over 8 bits is cut in two; free-running counters have no encoding; metrics are written
 * over one-letter names, listed with each, and over constants with names of their own.
 */

/* A file holds one of these; files are read in this order. */
enum perfmon_kind { PERFMON_CORE, PERFMON_UNCORE, PERFMON_LATENCY, PERFMON_METRICS };

/**
 * struct perfmon_file - a file to read
 * @path: owned
 * @unit: the core type it is of ("cpu_core", "cpu_atom"), or NULL on a CPU with one
 */
struct perfmon_file {
	char *path;
	const char *unit;
	enum perfmon_kind kind;
};

/**
 * struct perfmon_files - the files of one model
 * @model:   its name as the files have it ("graniterapids"); @folder: ("GNR"); owned
 * @version: of its events, or NULL; owned
 */
struct perfmon_files {
	VEC(struct perfmon_file) list;
	char *model, *folder, *version;
};

/** perfmon_files__free() - release the list; it can be filled again. */
void perfmon_files__free(struct perfmon_files *files);

/**
 * perfmon_files__add_row() - take up the file which a row of the mapfile names
 * @dir:  the repository
 * @cols: the row, as mapfile__next() gives it; files of a type that is not known are left out
 *
 * Return: 0, also when it is in the list already; -EINVAL for a core type that is not known.
 */
int perfmon_files__add_row(struct perfmon_files *files, const char *dir, char *const *cols,
			   struct err *err);

/**
 * perfmon_files__add_dir() - take up the files of a model's folder by their names alone
 *
 * Of several core files, that of a core which is named "...cove" is of the P-cores.
 *
 * Return: 0 or -errno.
 */
int perfmon_files__add_dir(struct perfmon_files *files, const char *dir, struct err *err);

/** perfmon_files__add_file() - take up a single file by its name. */
void perfmon_files__add_file(struct perfmon_files *files, const char *path);

/**
 * struct known_events - events which are known besides those that are read
 * @pmu_of: the PMU of an event, that of @pmu if it has it; with @pmu NULL, any; NULL for none
 * @arg:    for @pmu_of
 */
struct known_events {
	const char *(*pmu_of)(void *arg, const char *pmu, const char *event);
	void *arg;
};

/**
 * perfmon__read() - read a model's files into a tree
 * @tree:  begun; the model is added to it
 * @known: may be NULL
 *
 * A metric which uses what tma cannot have (an event that is neither in the files nor known, a
 * constant of Intel's own tool) is left out with a warning.
 *
 * Return: 0 or -errno.
 */
int perfmon__read(struct tree *tree, struct perfmon_files *files, const struct known_events *known,
		  struct err *err);

/**
 * struct perfmon - the reading of one model
 * @model: its number in the tree
 * @names: lower-case name of each event, and "name@pmu", to its number in the model
 * @known: what is known besides, or NULL
 * @key:   one of those names, being put together
 * @file:  being read
 * @metrics: those of the file, which name one another, in its order
 * @legacy: LegacyName to number in @metrics; of two with the same the first
 * @default_level: levels of the TMA tree that a run without options shows: those which the CPU
 *         measures at once
 */
struct perfmon {
	struct tree *tree;
	int model;
	const struct perfmon_files *files;
	const struct perfmon_file *file;
	struct strmap *names;
	const struct known_events *known;
	struct sb key;
	VEC(struct perfmon_metric {
		struct json_object *json;
		int line;
	}) metrics;
	struct strmap *legacy;
	int default_level;
};

/**
 * perfmon__find_event() - find the event which a name means in the file being read
 * @name: in any case
 *
 * Return: number in the model of the one of the file's core type, else of that of any PMU; -1 for
 * none.
 */
int perfmon__find_event(const struct perfmon *p, const char *name);

/** perfmon__get() - give a field that is a string, or NULL. */
const char *perfmon__get(struct json_object *json, const char *key);
/** perfmon__text() - give a field that is a string, or "". */
const char *perfmon__text(struct json_object *json, const char *key);
/** perfmon__object() - give a field that is an object, or NULL, as for an object that is NULL. */
struct json_object *perfmon__object(struct json_object *json, const char *key);
/** perfmon__array() - give a field that is an array, or NULL; @nr is set to its length. */
struct json_object *perfmon__array(struct json_object *json, const char *key, size_t *nr);
/** perfmon__is_number() - tell whether a value is an integer or another number. */
bool perfmon__is_number(struct json_object *value);
/** perfmon__set() - set a field. */
void perfmon__set(struct json_object *json, const char *key, const char *text);

/**
 * perfmon__convert_event() - make an element of "Events" one of the kernel's form
 * @json: changed in place
 *
 * Return: 0; 1 for one to be left out, because the kernel cannot count it; -EINVAL.
 */
int perfmon__convert_event(const struct perfmon *p, struct json_object *json, struct err *err);

/** perfmon__topic() - say what an event is about, by its name and unit (NULL: of the core). */
const char *perfmon__topic(const char *name, const char *unit);

/**
 * perfmon__convert_metric() - make a metric of the kernel's form of an element of "Metrics"
 * @json: the element
 * @out:  set to a new object
 *
 * Return: 0; -EINVAL with the reason when it cannot be had.
 */
int perfmon__convert_metric(const struct perfmon *p, struct json_object *json,
			    struct json_object **out, struct err *err);

/* --- Making a metric of the kernel's form: what its parts share --- */

#define WORD_MAX 256 /* limits the bytes of a name, with its NUL */
#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:="

/**
 * struct making - a metric being made
 * @json: of Intel's form
 * @out:  the expression as far as it is written
 */
struct making {
	const struct perfmon *p;
	struct json_object *json;
	struct sb out;
	struct err *err;
};

/**
 * making__expr() - write the expression
 *
 * From "Formula", in which letters stand for events and constants; TMA metrics have a "BaseFormula"
 * over other metrics, which is the shorter. What compares with ">=" or "<=" is rewritten.
 *
 * Return: 0, or -EINVAL when something is named that there is not.
 */
int making__expr(struct making *m);

/**
 * perfmon__or_equal() - measure a ">=" or "<=", with blanks in it, that stands at @at; 0 for none.
 */
size_t perfmon__or_equal(const char *at);

/**
 * perfmon__rewrite_or_equal() - write comparisons with ">=" and "<=" as the run time knows them
 * @expr: "a >= b + c" becomes "(1 - (a < b + c))"
 * @logic_is_weaker: & | and ^ bind weaker than comparisons, as in thresholds, which the run time
 *        reads as they are; in expressions of the JSON they bind tighter
 *
 * Return: 0; -EINVAL when a side is missing.
 */
int perfmon__rewrite_or_equal(struct sb *expr, bool logic_is_weaker, struct err *err);

/** perfmon__is_tma() - tell whether a metric is of the TMA tree. */
bool perfmon__is_tma(struct json_object *json);
/**
 * perfmon__is_percent() - tell whether its formula has a factor of 100, which perf has in the unit.
 */
bool perfmon__is_percent(struct json_object *json);
/** perfmon__put_name() - append its name: "Frontend_Bound" of the tree is tma_frontend_bound. */
void perfmon__put_name(struct json_object *json, struct sb *sb);

#endif
