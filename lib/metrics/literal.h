/* SPDX-License-Identifier: GPL-2.0-only */
/* #smt_on and the like, which are called literals, have values on this machine. */
#ifndef TMA_METRICS_LITERAL_H
#define TMA_METRICS_LITERAL_H

#include "events/events.h"
#include "metrics/program.h"

struct err;
struct metrics_scope;

#define LITERAL_NR 11

/**
 * struct literals - values found so far: some cost reading sysfs
 * @value: NaN when not known on this machine
 * @known: bit set when @value has been looked up
 */
struct literals {
	double value[LITERAL_NR];
	unsigned int known;
};

/**
 * literals__set() - what the user knows: "#slots=8"
 *
 * Return: 0; -EINVAL for another form, or a name that no literal has, with those there are; -ERANGE
 * for what it can be nowhere.
 */
int literals__set(struct literals *told, const char *text, struct err *err);
/** literals__is_set() - whether the user knows it; @name is without '#'. */
bool literals__is_set(const struct literals *told, const char *name);
/**
 * literal__find() - find the literal of a name (without '#'), in any case. Return: number, or -1.
 */
int literal__find(const char *name, int len);
/** literal__bounds() - tell the values that a literal can have on machines which know it. */
void literal__bounds(int literal, double *lo, double *hi);
/** literal__unknown() - say that this machine does not tell it, and why. */
const char *literal__unknown(int literal);
/** literal__name() - give the name of a literal, without '#', in small letters. */
const char *literal__name(int literal);
/** literal__written() - the same with its '#'. */
const char *literal__written(int literal);
/**
 * literal__row_count() - tell what of a row a literal is, where it is not the same for all of them
 *
 * Return: enum row_count, or -1; also where the machine has none, or it is not known.
 */
int literal__row_count(struct literals *cache, const struct metrics_scope *scope, int literal);
/** literals__fact() - give the value of a fact (event_tool__is_fact()), or NaN. */
double literals__fact(struct literals *cache, const struct metrics_scope *scope,
		      enum event_tool fact);
/** literal__value() - give the value of a literal on this machine, or NaN. */
double literal__value(struct literals *cache, const struct metrics_scope *scope, int literal);
/** literal__of_pmu() - the same for a metric of a core PMU: kinds of cores have their own #slots.
 */
double literal__of_pmu(struct literals *cache, const struct metrics_scope *scope, int literal,
		       const char *pmu);

#endif
