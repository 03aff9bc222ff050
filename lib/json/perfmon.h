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
 * Files are objects with an array "Events" or "Metrics". They differ from the kernel's form: fields
 * without a value have "0", "na" or "null"; only the mapfile has the core types of a hybrid CPU;
 * masks of more than 8 bits are in two fields; free-running counters have no encoding; formulas use
 * one-letter names, which each metric lists, and names of constants.
 */

/* Kinds of files, in the order in which they are read. */
enum perfmon_kind { PERFMON_CORE, PERFMON_UNCORE, PERFMON_LATENCY, PERFMON_METRICS };

/**
 * struct perfmon_file - a file to read
 * @path: path of the file; owned
 * @unit: core type ("cpu_core", "cpu_atom"), or NULL on a CPU with a single type
 */
struct perfmon_file {
	char *path;
	const char *unit;
	enum perfmon_kind kind;
};

/**
 * struct perfmon_files - the files of one model
 * @model:   the model's name in the files' names ("graniterapids"), owned
 * @folder:  the model's folder ("GNR"), owned
 * @version: version of the model's events, or NULL; owned
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
 * @cols: the row, from mapfile__next(); a file of an unknown type is not added
 *
 * Return: 0, also if the list has the file already; -EINVAL for an unknown core type.
 */
int perfmon_files__add_row(struct perfmon_files *files, const char *dir, char *const *cols,
			   struct err *err);

/**
 * perfmon_files__add_dir() - add the files of a model's folder, using only their names
 *
 * If there are several core files, the file of a core named "...cove" is for the P-cores.
 *
 * Return: 0 or -errno.
 */
int perfmon_files__add_dir(struct perfmon_files *files, const char *dir, struct err *err);

/** perfmon_files__add_file() - add a single file by its name. */
void perfmon_files__add_file(struct perfmon_files *files, const char *path);

/**
 * struct known_events - events that are known in addition to the events that are read
 * @pmu_of: get the PMU of an event, or NULL: @pmu if it has the event; if @pmu is NULL, any PMU
 *          that has the event
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
 * struct perfmon - a model that is being read
 * @model: index of the model in the tree
 * @names: map from each event's name in lower case, and from "name@pmu", to the event's index in
 *         the model
 * @known: other known events, or NULL
 * @key:   buffer for a key of @names
 * @file:  the file that is being read
 * @metrics: the file's metrics, which refer to each other, in the file's order
 * @legacy: map from LegacyName to an index in @metrics; of metrics with the same name, to the first
 * @default_level: number of levels of the TMA tree that a run without options shows: those that the
 *                 CPU measures simultaneously
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
 * @name: name in any case
 *
 * Return: index in the model of the event on the file's core type, or else on any PMU; -1 if the
 * model does not have the event.
 */
int perfmon__find_event(const struct perfmon *p, const char *name);

/** perfmon__get() - get a field that is a string; NULL without one. */
const char *perfmon__get(struct json_object *json, const char *key);
/** perfmon__text() - get a field that is a string; "" without one. */
const char *perfmon__text(struct json_object *json, const char *key);
/** perfmon__object() - get a field that is an object; NULL without one, or if @json is NULL. */
struct json_object *perfmon__object(struct json_object *json, const char *key);
/** perfmon__array() - get a field that is an array; NULL without one. @nr is set to its length. */
struct json_object *perfmon__array(struct json_object *json, const char *key, size_t *nr);
/** perfmon__is_number() - tell whether a value is an integer or a double. */
bool perfmon__is_number(struct json_object *value);
/** perfmon__set() - set a field. */
void perfmon__set(struct json_object *json, const char *key, const char *text);

/**
 * perfmon__convert_event() - convert an element of "Events" to the kernel's form
 * @json: changed in place
 *
 * Return: 0; 1 to leave the event out, since the kernel cannot count it; -EINVAL.
 */
int perfmon__convert_event(const struct perfmon *p, struct json_object *json, struct err *err);

/**
 * perfmon__topic() - choose the topic of an event by its name and unit; the unit is NULL for the
 * core.
 */
const char *perfmon__topic(const char *name, const char *unit);

/**
 * perfmon__convert_metric() - convert an element of "Metrics" to the kernel's form
 * @json: the element
 * @out:  set to a new object
 *
 * Return: 0; -EINVAL with the reason if the element cannot be converted.
 */
int perfmon__convert_metric(const struct perfmon *p, struct json_object *json,
			    struct json_object **out, struct err *err);

/* --- Shared by the parts that convert a metric --- */

#define WORD_MAX 256 /* limit of bytes in a name, including the NUL */
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
 * The expression is made from "Formula", in which letters are aliases of events and constants. TMA
 * metrics have a "BaseFormula", which uses other metrics and is shorter; it is used instead.
 * Comparisons with ">=" and "<=" are rewritten.
 *
 * Return: 0, or -EINVAL if the formula uses an unknown name.
 */
int making__expr(struct making *m);

/** perfmon__or_equal() - measure a ">=" or "<=" at @at, with blanks in it; 0 for other texts. */
size_t perfmon__or_equal(const char *at);

/**
 * perfmon__rewrite_or_equal() - replace comparisons with ">=" and "<=", which the run time lacks
 * @expr: "a >= b + c" becomes "(1 - (a < b + c))"
 * @logic_is_weaker: & | and ^ bind weaker than comparisons, as in thresholds, which the run time
 *                   parses unchanged. In expressions of the JSON they bind tighter
 *
 * Return: 0; -EINVAL if a side of a comparison is missing.
 */
int perfmon__rewrite_or_equal(struct sb *expr, bool logic_is_weaker, struct err *err);

/** perfmon__is_tma() - tell whether a metric belongs to the TMA tree. */
bool perfmon__is_tma(struct json_object *json);
/**
 * perfmon__is_percent() - tell whether a metric's formula has a factor of 100, which perf puts into
 * the unit.
 */
bool perfmon__is_percent(struct json_object *json);
/**
 * perfmon__put_name() - append a metric's name; a name of the tree, "Frontend_Bound", becomes
 * tma_frontend_bound.
 */
void perfmon__put_name(struct json_object *json, struct sb *sb);

#endif
