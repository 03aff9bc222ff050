/* SPDX-License-Identifier: GPL-2.0-only */
/* Convert files in Intel's own form into events and metrics of the kernel's form, in a tree. */
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
 * github.com/intel/perfmon has a folder for each model (GNR) with the folders events/ and metrics/.
 * Files are objects with an array "Events" or "Metrics". They differ from the kernel's form: "0",
 * "na" and "null" mean that a field has no value; only the mapfile has the core types of a hybrid
 * CPU; masks of more than 8 bits are in two fields; free-running counters have no encoding;
 * formulas use one-letter names, which each metric lists, and names of constants.
 */

/* Kinds of files, in the order in which they are read. */
enum perfmon_kind { PERFMON_CORE, PERFMON_UNCORE, PERFMON_LATENCY, PERFMON_METRICS };

/**
 * struct perfmon_file - a file to read
 * @path: owned
 * @unit: its core type ("cpu_core", "cpu_atom"), or NULL on a CPU with a single one
 */
struct perfmon_file {
	char *path;
	const char *unit;
	enum perfmon_kind kind;
};

/**
 * struct perfmon_files - the files of one model
 * @model:   its name in the files' names ("graniterapids"), owned; @folder: ("GNR"), owned
 * @version: version of its events, or NULL; owned
 */
struct perfmon_files {
	VEC(struct perfmon_file) list;
	char *model, *folder, *version;
};

/** perfmon_files__free() - release the list; it can be filled again. */
void perfmon_files__free(struct perfmon_files *files);

/**
 * perfmon_files__add_row() - add the file that a row of the mapfile names
 * @dir:  the repository
 * @cols: the row, from mapfile__next(); files of unknown types are left out
 *
 * Return: 0, also if the list has it already; -EINVAL for an unknown core type.
 */
int perfmon_files__add_row(struct perfmon_files *files, const char *dir, char *const *cols,
			   struct err *err);

/**
 * perfmon_files__add_dir() - add the files of a model's folder, using only their names
 *
 * If there are several core files, the one of a core named "...cove" is for the P-cores.
 *
 * Return: 0 or -errno.
 */
int perfmon_files__add_dir(struct perfmon_files *files, const char *dir, struct err *err);

/** perfmon_files__add_file() - add a single file by its name. */
void perfmon_files__add_file(struct perfmon_files *files, const char *path);

/**
 * struct known_events - events that are known in addition to those that are read
 * @pmu_of: get the PMU of an event: @pmu if it has the event; if @pmu is NULL, any that has it;
 *          NULL for none
 * @arg:    argument for @pmu_of
 */
struct known_events {
	const char *(*pmu_of)(void *arg, const char *pmu, const char *event);
	void *arg;
};

/**
 * perfmon__read() - read a model's files into a tree
 * @tree:  from tree__begin(); the model is added to it
 * @known: may be NULL
 *
 * A metric is left out with a warning if it uses an event that is neither in the files nor known,
 * or a constant that only Intel's own tool has.
 *
 * Return: 0 or -errno.
 */
int perfmon__read(struct tree *tree, struct perfmon_files *files, const struct known_events *known,
		  struct err *err);

/**
 * struct perfmon - one model that is being read
 * @model: its index in the tree
 * @names: map of each event's name in lower case, and of "name@pmu", to its index in the model
 * @known: other known events, or NULL
 * @key:   buffer for such a name
 * @file:  the file that is being read
 * @metrics: the file's metrics, which refer to each other, in its order
 * @legacy: map of LegacyName to index in @metrics; of several with the same name, the first
 * @default_level: levels of the TMA tree that a run without options shows: those that the CPU
 *                 measures at once
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
 * perfmon__find_event() - find an event by name, for the file that is being read
 * @name: in any case
 *
 * Return: index in the model of the event on the file's core type, else on any PMU; -1 if there is
 * none.
 */
int perfmon__find_event(const struct perfmon *p, const char *name);

/** perfmon__get() - get a field that is a string, or NULL. */
const char *perfmon__get(struct json_object *json, const char *key);
/** perfmon__text() - get a field that is a string, or "". */
const char *perfmon__text(struct json_object *json, const char *key);
/** perfmon__object() - get a field that is an object, or NULL; also if @json is NULL. */
struct json_object *perfmon__object(struct json_object *json, const char *key);
/** perfmon__array() - get a field that is an array, or NULL; @nr is set to its length. */
struct json_object *perfmon__array(struct json_object *json, const char *key, size_t *nr);
/** perfmon__is_number() - tell whether a value is an integer or a double. */
bool perfmon__is_number(struct json_object *value);
/** perfmon__set() - set a field. */
void perfmon__set(struct json_object *json, const char *key, const char *text);

/**
 * perfmon__convert_event() - convert an element of "Events" to the kernel's form
 * @json: changed in place
 *
 * Return: 0; 1 to leave it out, since the kernel cannot count it; -EINVAL.
 */
int perfmon__convert_event(const struct perfmon *p, struct json_object *json, struct err *err);

/** perfmon__topic() - choose the topic of an event, by its name and unit (NULL for the core's). */
const char *perfmon__topic(const char *name, const char *unit);

/**
 * perfmon__convert_metric() - convert an element of "Metrics" to the kernel's form
 * @json: the element
 * @out:  set to a new object
 *
 * Return: 0; -EINVAL with the reason if that is not possible.
 */
int perfmon__convert_metric(const struct perfmon *p, struct json_object *json,
			    struct json_object **out, struct err *err);

/* --- Shared by the parts that convert a metric --- */

#define WORD_MAX 256 /* bytes of a name, with its NUL */
#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:="

/**
 * struct making - a metric that is being converted
 * @json: the metric in Intel's form
 * @out:  the expression written so far
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
 * It is made from "Formula", in which letters are aliases of events and constants. TMA metrics have
 * a "BaseFormula" over other metrics, which is shorter. Comparisons with ">=" and "<=" are
 * rewritten.
 *
 * Return: 0, or -EINVAL if it uses an unknown name.
 */
int making__expr(struct making *m);

/** perfmon__or_equal() - measure a ">=" or "<=" at @at, with blanks in it; 0 if there is none. */
size_t perfmon__or_equal(const char *at);

/**
 * perfmon__rewrite_or_equal() - replace comparisons with ">=" and "<=", which the run time does not
 * have
 * @expr: "a >= b + c" becomes "(1 - (a < b + c))"
 * @logic_is_weaker: & | and ^ bind weaker than comparisons, as in thresholds, which the run time
 *                   parses unchanged; in expressions of the JSON they bind tighter
 *
 * Return: 0; -EINVAL if a side is missing.
 */
int perfmon__rewrite_or_equal(struct sb *expr, bool logic_is_weaker, struct err *err);

/** perfmon__is_tma() - tell whether a metric belongs to the TMA tree. */
bool perfmon__is_tma(struct json_object *json);
/**
 * perfmon__is_percent() - tell whether its formula has a factor of 100, which perf puts in the
 * unit.
 */
bool perfmon__is_percent(struct json_object *json);
/**
 * perfmon__put_name() - append the metric's name: the tree's "Frontend_Bound" is
 * tma_frontend_bound.
 */
void perfmon__put_name(struct json_object *json, struct sb *sb);

#endif
