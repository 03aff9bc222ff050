/* SPDX-License-Identifier: GPL-2.0-only */
/* Mistakes in tables of events and metrics, found without the machine they are for. */
#ifndef TMA_LINT_LINT_H
#define TMA_LINT_LINT_H

#include "base/vec.h"
#include "json/tree.h"

struct tables;

enum lint_severity { LINT_NOTE, LINT_WARNING, LINT_ERROR, LINT_SEVERITIES };

/* What can be wrong; lint_kinds[] describes each. */
enum lint_kind {
	LINT_ELEMENT,
	LINT_SYNTAX,
	LINT_UNKNOWN_NAME,
	LINT_CORE_TYPE,
	LINT_EVENT_NAME,
	LINT_NAME,
	LINT_CYCLE,
	LINT_DEPTH,
	LINT_DIVISION,
	LINT_DUPLICATE,
	LINT_NEVER,
	LINT_ALWAYS,
	LINT_PERCENT,
	LINT_GROUP,
	LINT_DEPRECATED,
	LINT_WORD,
	LINT_BLANK,
	LINT_UNIT,
	LINT_GROUP_THRESHOLD,
	LINT_IGNORED,
	LINT_DESCRIPTION,
	LINT_GROUP_DESCRIPTION,
	LINT_KINDS,
};

/**
 * struct lint_kind_info - a row of the table of kinds
 * @name:  in brackets behind a finding
 * @about: a sentence for the manual
 */
struct lint_kind_info {
	const char *name;
	enum lint_severity severity;
	const char *about;
};

extern const struct lint_kind_info lint_kinds[LINT_KINDS];
/* "note", "warning", "error" */
extern const char *const lint_severities[LINT_SEVERITIES];

/**
 * struct lint_finding - something wrong
 * @file, @line: where the element begins, or its field once lint__finish() was called; @line is 0
 *           for a whole file
 * @field:   which field of the element it is about, or NULL
 * @message: one line
 * @text:    the expression it is about, or NULL; a long one is cut around the place
 * @column:  the place in @text, in bytes from 0
 */
struct lint_finding {
	enum lint_kind kind;
	char *file;
	int line;
	const char *field;
	char *message, *text;
	int column;
};

/** struct lint - what was found */
struct lint {
	VEC(struct lint_finding) findings;
};

#define LINT_INIT { .findings = { .at = NULL } }

/**
 * lint__report() - take up a problem met in reading: for struct tree_options
 * @lint: a struct lint
 */
void lint__report(void *lint, enum tree_problem problem, const char *file, int line,
		  const char *msg);

/**
 * lint__tree() - check the models of a tree
 * @tree: read with the option tolerant
 * @only: name of the only one to check, or NULL
 * @base: tables whose events and metrics are known besides, or NULL
 */
void lint__tree(struct lint *lint, const struct tree *tree, const char *only,
		const struct tables *base);

/**
 * lint__finish() - sort the findings by file and line, once all are there
 *
 * Files are read again for the lines of fields.
 */
void lint__finish(struct lint *lint);

/** lint__keep_file() - forget the findings in other files than @path; see lint__finish(). */
void lint__keep_file(struct lint *lint, const char *path);

/** lint__free() - release them. */
void lint__free(struct lint *lint);

#endif
