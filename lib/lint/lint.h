/* SPDX-License-Identifier: GPL-2.0-only */
/* Find mistakes in a tree of events and metrics, without the machine that it is for. */
#ifndef TMA_LINT_LINT_H
#define TMA_LINT_LINT_H

#include "base/vec.h"
#include "json/tree.h"

struct tables;

enum lint_severity { LINT_NOTE, LINT_WARNING, LINT_ERROR, LINT_SEVERITIES };

/* Kinds of mistakes. Each has a number, a name, a severity, and a sentence for the manual. */
#define LINT_KIND_LIST(X)                                                                          \
	X(ELEMENT, "element", ERROR,                                                               \
	  "a file or an element of it cannot be read: not JSON, an invalid number, "               \
	  "a missing standard event")                                                              \
	X(SYNTAX, "syntax", ERROR, "an expression or a threshold cannot be read")                  \
	X(UNKNOWN_NAME, "unknown-name", ERROR, "a name is neither an event's nor a metric's")      \
	X(CORE_TYPE, "core-type", ERROR, \
	  "a metric of one core type uses an event that only the other type has")                  \
	X(EVENT_NAME, "event-name", ERROR,                                                         \
	  "a name is not valid for an event: wrong terms or modifiers")                            \
	X(NAME, "name", ERROR,                                                                     \
	  "no option can name the event or metric: its name has commas, control "                  \
	  "characters or the like")                                                                \
	X(CYCLE, "cycle", ERROR, "a metric refers to itself, directly or through others")          \
	X(DEPTH, "depth", ERROR, "metrics refer to each other through too many levels")            \
	X(DIVISION, "division", ERROR, "an expression divides by a value that is always 0")       \
	X(DUPLICATE, "duplicate", ERROR, "an event or a metric is defined twice for the same PMU") \
	X(NEVER, "never-holds", ERROR,                                                             \
	  "a threshold, or an alternative in it, cannot be reached by any counts")                 \
	X(ALWAYS, "always-holds", WARNING, "a condition in a threshold holds for any counts")      \
	X(PERCENT, "percent", WARNING,                                                             \
	  "a threshold compares a fraction, which is shown in percent, with a number "             \
	  "that only a percentage reaches")                                                        \
	X(GROUP, "group", WARNING,                                                                 \
	  "the events of a metric, which are to be counted as one group, do not fit the "          \
	  "counters together")                                                                     \
	X(DEPRECATED, "deprecated", WARNING,                                                       \
	  "a metric uses an event that the vendor has deprecated")                                 \
	X(WORD, "unknown-word", WARNING,                                                           \
	  "a field has a word that is not known, such as a MetricConstraint")                      \
	X(BLANK, "blank", WARNING,                                                                 \
	  "a metric's name contains a blank, so no expression can name it")                        \
	X(UNIT, "unit", WARNING, "a Unit is unknown")                                              \
	X(GROUP_THRESHOLD, "threshold-group", NOTE,                                                \
	  "the events of a metric fit the counters, but not together with those of its threshold") \
	X(IGNORED, "ignored", NOTE,                                                                \
	  "something has no effect: a field that is not known, a row of the mapfile "              \
	  "without a folder")                                                                      \
	X(DESCRIPTION, "no-description", NOTE, "an event or a metric has no description")          \
	X(GROUP_DESCRIPTION, "group-description", NOTE,                                            \
	  "a metric group is not described in metricgroups.json")

enum lint_kind {
#define LINT_KIND_NUMBER(id, ...) LINT_##id,
	LINT_KIND_LIST(LINT_KIND_NUMBER)
	LINT_KINDS,
};

/**
 * struct lint_kind_info - a row of the table of kinds
 * @name:  name of the kind, printed in brackets after a finding
 * @about: a sentence for the manual
 */
struct lint_kind_info {
	const char *name;
	enum lint_severity severity;
	const char *about;
};

extern const struct lint_kind_info lint_kinds[LINT_KINDS];
/* Names of severities: "note", "warning" and "error". */
extern const char *const lint_severities[LINT_SEVERITIES];

/**
 * struct lint_finding - a mistake
 * @file:    file of the mistake
 * @line:    line where the element begins, or after lint__finish() its field; 0 for a whole file
 * @field:   field of the element with the mistake, or NULL
 * @message: one line
 * @text:    the expression with the mistake, or NULL; a long text is cut around the mistake
 * @column:  place of the mistake in @text, in bytes from 0
 */
struct lint_finding {
	enum lint_kind kind;
	char *file;
	int line;
	const char *field;
	char *message, *text;
	int column;
};

/** struct lint - a list of findings */
struct lint {
	VEC(struct lint_finding) findings;
};

#define LINT_INIT { .findings = { .at = NULL } }

/**
 * lint__report() - add a mistake found while reading; used as report() of struct tree_options
 * @lint: a struct lint
 */
void lint__report(void *lint, enum tree_problem problem, const char *file, int line,
		  const char *msg);

/**
 * lint__tree() - check the models of a tree
 * @tree: a tree that was read with the option tolerant
 * @only: name of the only model to check, or NULL for all
 * @base: tables with further events and metrics, or NULL
 */
void lint__tree(struct lint *lint, const struct tree *tree, const char *only,
		const struct tables *base);

/**
 * lint__finish() - sort all findings by file and line
 *
 * Files are read again to find the lines of fields.
 */
void lint__finish(struct lint *lint);

/** lint__keep_file() - remove the findings in other files than @path; see lint__finish(). */
void lint__keep_file(struct lint *lint, const char *path);

/** lint__free() - release the findings. */
void lint__free(struct lint *lint);

#endif
