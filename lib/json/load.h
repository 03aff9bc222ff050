/* SPDX-License-Identifier: GPL-2.0-only */
/* Read the tables of a CPU's model from a path at run time. */
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
 * struct load_metric - a metric whose PMUs must be chosen
 * @pmu:   the PMU that the metric names, or NULL
 * @pmus:  set to the PMUs for the metric; none leaves the metric unchanged
 * @exprs: for each PMU, set to the metric's expression if it differs on this PMU; load__path()
 *         frees it
 */
struct load_metric {
	const char *name, *expr, *pmu;
	const char *pmus[LOAD_PMUS_MAX];
	char *exprs[LOAD_PMUS_MAX];
	int nr_pmus;
};

/* A metric that is given only by its name and expression. */
struct load_definition {
	const char *name, *expr;
};

/**
 * struct load_options - what to read
 * @path:    a directory of the kernel's pmu-events with mapfile.csv (arch/x86), or a directory
 *           above it, or a model's directory in it; Intel's perfmon repository, or a model's
 *           directory in it; or a JSON file of the kernel's or Intel's form
 * @text:    contents of a JSON file, to be read instead of @path, which then only names the file;
 *           or NULL
 * @own:     the metrics are the user's own: two with the same name in a file are an error
 * @yields:  a metric of the tables below hides a metric of these with its name and PMU
 * @definitions, @nr_definitions: metrics to be read instead; @path then only names them
 * @cpuid:   id of the CPU; "" if unknown. The directory of a model, and a file, are read for any
 *           CPU
 * @place:   called for the metrics of a single file, for metrics of Intel's form and for
 *           @definitions, to choose PMUs for metrics without one; may be NULL
 * @arg:     argument for @place
 * @known:   events that metrics of Intel's form may use in addition to the events that are read
 * @std:     tables with standard events that elements may name (ArchStdEvent), ended by NULL; or
 *           NULL
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
 * @warnings: number of harmless mistakes in the files
 * @users:   number of users in addition to the first
 * @notes:   these mistakes, "FILE:LINE: TEXT" and a newline each; at most LOAD_NOTES_MAX of them
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
 * -EINVAL for invalid JSON, with the file and line; -errno.
 */
int load__path(const struct load_options *opts, struct loaded **out, struct err *err);

/**
 * load__is_perfmon() - tell whether a directory with a mapfile has Intel's layout
 *
 * Mapfiles of both layouts begin with the same columns, but Intel's lists files.
 */
bool load__is_perfmon(const char *dir);
/**
 * load__foreign() - recognise a path in another layout than the kernel's
 *
 * The path may be a repository, the directory of a model in it, or a file with an object.
 *
 * Return: the name of the layout, "Intel's perfmon repository"; NULL for the kernel's layout.
 */
const char *load__foreign(const char *path);

/** loaded__get() - add a user of the tables, who must call loaded__free(), too. Return: @l. */
struct loaded *loaded__get(struct loaded *l);

/** loaded__free() - release tables when the last user is gone; NULL is allowed. */
void loaded__free(struct loaded *l);

#endif
