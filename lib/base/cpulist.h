/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sorted lists of CPU numbers as the kernel writes them: "0-3,8,10-11". The one parser of them.
 * Without memory (see xalloc.h) the functions that return an int return -ENOMEM.
 */
#ifndef TMA_BASE_CPULIST_H
#define TMA_BASE_CPULIST_H

#include <stdbool.h>

struct err;
struct sb;

#define CPULIST_MAX_CPU 65535 /* larger than any kernel's NR_CPUS; bounds a range typed wrong */

/**
 * struct cpulist - CPU numbers, ascending, each once
 * @at: the numbers
 * @nr: how many
 */
struct cpulist {
	int *at;
	int nr, cap;
};

#define CPULIST_INIT { .at = NULL }
#define cpulist__for_each(p, list)                                                                 \
	for ((p) = (list)->at; (p) && (p) < (list)->at + (list)->nr; (p)++)

/**
 * cpulist__parse() - read "0-3,8"; blanks and a trailing newline are allowed, empty is no CPU
 * @what: what it is, for the message ("-C", "cpus of cpu_core")
 * @text: the list
 * @list: an empty list; filled on success only, cpulist__free() it
 *
 * Return: 0, -EINVAL or -ERANGE (above CPULIST_MAX_CPU).
 */
int cpulist__parse(const char *what, const char *text, struct cpulist *list, struct err *err);

/** cpulist__add() - insert a CPU. */
int cpulist__add(struct cpulist *list, int cpu);
/** cpulist__index() - the place of @cpu in the list, or -1. */
int cpulist__index(const struct cpulist *list, int cpu);
/** cpulist__has() - whether @cpu is in the list. */
bool cpulist__has(const struct cpulist *list, int cpu);
/** cpulist__and() - the CPUs in both lists; @out is an empty list. */
int cpulist__and(const struct cpulist *a, const struct cpulist *b, struct cpulist *out);
/** cpulist__or() - the CPUs in either list; @out is an empty list. */
int cpulist__or(const struct cpulist *a, const struct cpulist *b, struct cpulist *out);
/** cpulist__copy() - a copy; @out is an empty list. */
int cpulist__copy(const struct cpulist *from, struct cpulist *out);
/** cpulist__equal() - whether both have the same CPUs. */
bool cpulist__equal(const struct cpulist *a, const struct cpulist *b);
/** cpulist__subset() - whether every CPU of @a is in @b. */
bool cpulist__subset(const struct cpulist *a, const struct cpulist *b);
/** cpulist__print() - append it in the kernel's form, "0-3,8". */
void cpulist__print(const struct cpulist *list, struct sb *sb);
/** cpulist__free() - release the numbers; the list is empty afterwards. */
void cpulist__free(struct cpulist *list);

#endif
