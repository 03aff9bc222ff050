/* SPDX-License-Identifier: GPL-2.0-only */
/* A path and the id of a CPU come in; tables of that CPU's model, read at run time, come out. */
#ifndef TMA_JSON_LOAD_H
#define TMA_JSON_LOAD_H

#include <stdbool.h>

#include "base/sb.h"
#include "json/build.h"
#include "json/perfmon.h"
#include "json/tree.h"

#define LOAD_PMUS_MAX 8
#define LOAD_NOTES_MAX 20

/**
 * struct load_metric - a metric that is to have its PMUs
 * @pmu:   the one it names itself, or NULL
 * @pmus:  of which PMUs it is to be; none leaves it as it is
 * @exprs: the expression for each, when it is to be another one; freed by who asks
 */
struct load_metric {
	const char *name, *expr, *pmu;
	const char *pmus[LOAD_PMUS_MAX];
	char *exprs[LOAD_PMUS_MAX];
	int nr_pmus;
};

/* A metric given by its name and expression alone. */
struct load_definition {
	const char *name, *expr;
};

/**
 * struct load_options - what to read
 * @path:    of one of these: a directory of the kernel's pmu-events with mapfile.csv (arch/x86), or
 *           one above it; a model's own directory of it; Intel's perfmon repository, or a model's
 *           directory of it; a JSON file of either form
 * @text:    of a JSON file, which is read in place of @path, that is a name for it; or NULL
 * @own:     metrics of the user's own: two of one name in a file are an error
 * @definitions, @nr_definitions: with these, metrics read instead; @path is a name for them
 * @cpuid:   of the CPU; "" when it is not known. A model's own directory and a file are read for
 *           any CPU
 * @place:   called for the metrics of a single file, of Intel's form and of @definitions, to give
 *           PMUs to those that have none; may be NULL
 * @arg:     for @place
 * @known:   events which metrics of Intel's form may use besides those read; or none
 * @std:     tables whose standard events elements may name (ArchStdEvent), with NULL at their end;
 *           or NULL
 */
struct load_options {
	const char *path, *cpuid, *text;
	const struct load_definition *definitions;
	int nr_definitions;
	bool own;
	int (*place)(void *arg, struct load_metric *metrics, int nr, struct err *err);
	void *arg;
	struct known_events known;
	const struct table_data *const *std;
};

/**
 * struct loaded - tables that were read
 * @data:    the tables
 * @model:   the CPU's model in it
 * @version: of the model, or ""
 * @warnings: how many things were found that do no harm
 * @users:   besides the first
 * @notes:   what they are, "FILE:LINE: TEXT" and a newline each; LOAD_NOTES_MAX of them at most
 */
struct loaded {
	struct table_data data;
	const struct table_model *model;
	const char *version;
	int warnings, users;
	struct sb notes;

	struct tree tree;
	struct build build;
	char *own_version;
};

/**
 * load__path() - read tables
 * @out: set on success; loaded__free() it
 *
 * Return: 0; -ENOENT when there is nothing for the CPU, the message says what there is; -EINVAL for
 * JSON that cannot be read, with the file and line; -errno.
 */
int load__path(const struct load_options *opts, struct loaded **out, struct err *err);

/**
 * load__is_perfmon() - tell whether a directory with a mapfile has Intel's layout
 *
 * The mapfiles of both layouts begin alike, but Intel's names files.
 */
bool load__is_perfmon(const char *dir);
/**
 * load__foreign() - tell whether a path has another layout than the kernel's
 *
 * A repository, the directory of one model of it, or a file that holds an object.
 *
 * Return: what has that layout, "Intel's perfmon repository"; NULL for the kernel's.
 */
const char *load__foreign(const char *path);

/** loaded__get() - count one more user, who calls loaded__free(), too. Return: @l. */
struct loaded *loaded__get(struct loaded *l);

/** loaded__free() - release them when no other user is left; NULL is allowed. */
void loaded__free(struct loaded *l);

#endif
