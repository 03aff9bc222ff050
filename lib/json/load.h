/* SPDX-License-Identifier: GPL-2.0-only */
/* Read the tables of a CPU's model at run time, from a path. */
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
 * struct load_metric - a metric whose PMUs are to be decided
 * @pmu:   the PMU that it names itself, or NULL
 * @pmus:  set to the PMUs for it; none leaves the metric unchanged
 * @exprs: for each PMU, set to its expression if that changes; load__path() frees it
 */
struct load_metric {
	const char *name, *expr, *pmu;
	const char *pmus[LOAD_PMUS_MAX];
	char *exprs[LOAD_PMUS_MAX];
	int nr_pmus;
};

/* A metric given only by its name and expression. */
struct load_definition {
	const char *name, *expr;
};

/**
 * struct load_options - what to read
 * @path:    one of these: a directory of the kernel's pmu-events with mapfile.csv (arch/x86), or
 *           one above it; the directory of a model in it; Intel's perfmon repository, or the
 *           directory of a model in it; a JSON file of either form
 * @text:    contents of a JSON file that is read instead of @path, which then only names it; or
 *           NULL
 * @own:     these are the user's own metrics: two of the same name in a file are an error
 * @yields:  a metric of the tables below wins over one of these with its name and PMU
 * @definitions, @nr_definitions: metrics that are read instead; @path then only names them
 * @cpuid:   id of the CPU; "" if unknown. The directory of a model, and a file, are read for any
 *           CPU
 * @place:   called for the metrics of a single file, of Intel's form and of @definitions, to choose
 *           PMUs for those that have none; may be NULL
 * @arg:     argument for @place
 * @known:   events that metrics of Intel's form may use in addition to those that are read; or none
 * @std:     tables whose standard events elements may name (ArchStdEvent), ended by NULL; or NULL
 */
struct load_options {
	const char *path, *cpuid, *text;
	const struct load_definition *definitions;
	int nr_definitions;
	bool own, yields;
	int (*place)(void *arg, struct load_metric *metrics, int nr, struct err *err);
	void *arg;
	struct known_events known;
	const struct table_data *const *std;
};

/**
 * struct loaded - tables that were read
 * @data:    the tables
 * @model:   the CPU's model in @data
 * @version: version of the model, or ""
 * @warnings: number of harmless problems
 * @users:   number of users in addition to the first
 * @notes:   these problems, "FILE:LINE: TEXT" and a newline each; LOAD_NOTES_MAX at most
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
 * @out: set on success; release it with loaded__free()
 *
 * Return: 0; -ENOENT if there are no tables for the CPU, with a message that lists the models;
 * -EINVAL for JSON that is not valid, with the file and line; -errno.
 */
int load__path(const struct load_options *opts, struct loaded **out, struct err *err);

/**
 * load__is_perfmon() - tell whether a directory with a mapfile has Intel's layout
 *
 * Mapfiles of both layouts begin in the same way, but Intel's lists files.
 */
bool load__is_perfmon(const char *dir);
/**
 * load__foreign() - recognise a path in another layout than the kernel's
 *
 * It may be a repository, the directory of one of its models, or a file with an object.
 *
 * Return: the owner of the layout, "Intel's perfmon repository"; NULL for the kernel's layout.
 */
const char *load__foreign(const char *path);

/** loaded__get() - add a user, who must call loaded__free(), too. Return: @l. */
struct loaded *loaded__get(struct loaded *l);

/** loaded__free() - release tables when the last user is gone; NULL is allowed. */
void loaded__free(struct loaded *l);

#endif
