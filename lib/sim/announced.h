/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands that announce where they are (base/announce.h): their trails, by their CPU time. With a
 * stepped clock there are none, as it has nothing to do with their CPU time.
 */
#ifndef TMA_SIM_ANNOUNCED_H
#define TMA_SIM_ANNOUNCED_H

#include <stdbool.h>

#include "sim/child.h"
#include "sim/course.h"

/* This process itself, in place of the number of a child; and no process. */
#define ANNOUNCED_SELF (-1)
#define ANNOUNCED_NOBODY (-2)

/** announced__prepare() - make the memory of a child that is about to have this number. */
void announced__prepare(int number);
/** announced__become() - the child calls this after fork(), with its number. */
void announced__become(int number);
/**
 * announced__variable() - tell a command that is about to be executed where to announce
 * @number: of the child
 *
 * Return: "TMA_PLACES=FILE", from malloc(), or NULL: the command announces nothing.
 */
char *announced__variable(int number);
/**
 * announced__trail() - take over what a child has announced
 * @cpu_ns: its CPU time up to now
 *
 * Return: its trail up to then, which stays while a context has it; NULL without one.
 */
const struct sim_trail *announced__trail(const struct sim_child *child, uint64_t cpu_ns);

#endif
