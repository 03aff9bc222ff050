/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sorted lists of CPU numbers, and the only parser of the kernel's texts for them ("0-3,8,10-11").
 * Functions that return an int return -ENOMEM without memory (see xalloc.h).
 */
#ifndef TMA_BASE_CPULIST_H
#define TMA_BASE_CPULIST_H

#include <stdbool.h>

struct err;
struct sb;

#define CPULIST_MAX_CPU 65535 /* larger than NR_CPUS of any kernel; limits a mistyped range */

/**
 * struct cpulist - CPU numbers, ascending, each once
 * @at: the numbers
 * @nr: number of CPUs
 */
struct cpulist {
	int *at;
	int nr, cap;
};

#define CPULIST_INIT { .at = NULL }
#define cpulist__for_each(p, list)                                                                 \
	for ((p) = (list)->at; (p) && (p) < (list)->at + (list)->nr; (p)++)

/**
 * cpulist__parse() - parse "0-3,8"; blanks around the text are allowed, and an empty text gives an
 * empty list
 * @what: the origin of the text, for the message ("-C", "cpus of cpu_core")
 * @text: the list
 * @list: an empty list, which is filled on success only; cpulist__free() releases it
 *
 * Return: 0, -EINVAL or -ERANGE (above CPULIST_MAX_CPU).
 */
int cpulist__parse(const char *what, const char *text, struct cpulist *list, struct err *err);

/** cpulist__add() - insert a CPU in its order, unless the list has it. */
int cpulist__add(struct cpulist *list, int cpu);
/** cpulist__index() - find the index of @cpu in the list; -1 if the list does not have it. */
int cpulist__index(const struct cpulist *list, int cpu);
/** cpulist__has() - tell whether @cpu is in the list. */
bool cpulist__has(const struct cpulist *list, int cpu);
/** cpulist__and() - list the CPUs that are in both lists; @out must be empty. */
int cpulist__and(const struct cpulist *a, const struct cpulist *b, struct cpulist *out);
/** cpulist__or() - list the CPUs that are in either list; @out must be empty. */
int cpulist__or(const struct cpulist *a, const struct cpulist *b, struct cpulist *out);
/** cpulist__copy() - copy a list; @out must be empty. */
int cpulist__copy(const struct cpulist *from, struct cpulist *out);
/** cpulist__equal() - tell whether two lists have the same CPUs. */
bool cpulist__equal(const struct cpulist *a, const struct cpulist *b);
/** cpulist__compare() - compare two lists for sorting; 0 if they have the same CPUs. */
int cpulist__compare(const struct cpulist *a, const struct cpulist *b);
/** cpulist__subset() - tell whether every CPU of @a is in @b. */
bool cpulist__subset(const struct cpulist *a, const struct cpulist *b);
/** cpulist__print() - append the list in the kernel's form, "0-3,8". */
void cpulist__print(const struct cpulist *list, struct sb *sb);
/** cpulist__free() - release the numbers; the list is empty afterwards. */
void cpulist__free(struct cpulist *list);

#endif
