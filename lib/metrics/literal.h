/* SPDX-License-Identifier: GPL-2.0-only */
/* Values of literals on this machine. A literal is a name such as #smt_on. */
#ifndef TMA_METRICS_LITERAL_H
#define TMA_METRICS_LITERAL_H

#include "events/events.h"
#include "metrics/program.h"

struct err;
struct metrics_scope;

#define LITERAL_NR 11

/**
 * struct literals - values that have been found, as some must be read from sysfs
 * @value: value of each literal; NaN if it is not known on this machine
 * @known: a bit for each literal, set once @value has been looked up
 */
struct literals {
	double value[LITERAL_NR];
	unsigned int known;
};

/**
 * literals__set() - set the value of a literal that the user gives: "#slots=8"
 *
 * Return: 0; -EINVAL for another form, or for an unknown name (the message lists all names);
 * -ERANGE for a value that the literal does not have on any machine.
 */
int literals__set(struct literals *given, const char *text, struct err *err);
/** literals__is_set() - find out whether the user gave a literal's value; @name is without '#'. */
bool literals__is_set(const struct literals *given, const char *name);
/**
 * literal__find() - find a literal by its name (without '#'), in any case. Return: its number, or
 * -1.
 */
int literal__find(const char *name, int len);
/** literal__bounds() - get the range of values that a literal can have on any machine. */
void literal__bounds(int literal, double *lo, double *hi);
/**
 * literal__unknown() - get the message that a literal's value is not known on this machine, and
 * why.
 */
const char *literal__unknown(int literal);
/** literal__name() - get the name of a literal, without '#', in small letters. */
const char *literal__name(int literal);
/** literal__written() - get the name of a literal with its '#'. */
const char *literal__written(int literal);
/**
 * literal__row_count() - find out which count of a row a literal is, as its value then differs from
 * row to row
 *
 * Return: enum row_count, or -1; also -1 if the machine does not have the literal, or its value is
 * not known.
 */
int literal__row_count(struct literals *cache, const struct metrics_scope *scope, int literal);
/** literals__fact() - get the value of a fact (event_tool__is_fact()), or NaN. */
double literals__fact(struct literals *cache, const struct metrics_scope *scope,
		      enum event_tool fact);
/** literal__value() - get the value of a literal on this machine, or NaN. */
double literal__value(struct literals *cache, const struct metrics_scope *scope, int literal);
/**
 * literal__of_pmu() - get a literal's value for a metric of a core PMU: types of cores have their
 * own #slots.
 */
double literal__of_pmu(struct literals *cache, const struct metrics_scope *scope, int literal,
		       const char *pmu);

#endif
