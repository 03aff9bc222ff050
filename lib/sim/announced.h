/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read the trails of commands that announce which code they execute (base/announce.h). Times in a
 * trail are CPU times of the command. With a stepped clock there are no trails, because stepped
 * time is unrelated to CPU time.
 */
#ifndef TMA_SIM_ANNOUNCED_H
#define TMA_SIM_ANNOUNCED_H

#include <stdbool.h>

#include "sim/child.h"
#include "sim/course.h"

/* Numbers in place of a child's number: this process itself; no process. */
#define ANNOUNCED_SELF (-1)
#define ANNOUNCED_NOBODY (-2)

/** announced__prepare() - make the memory for the child that will have this number. */
void announced__prepare(int number);
/** announced__become() - keep the file of this child, and close the files of other children */
void announced__become(int number);
/**
 * announced__variable() - make the environment variable that tells a command where to announce
 * @number: the child that is about to execute the command, or ANNOUNCED_SELF
 *
 * Return: "TMA_PLACES=FILE", which the caller frees; NULL if the command announces nothing.
 */
char *announced__variable(int number);
/**
 * announced__trail() - read what a child has announced
 * @cpu_ns: the child's CPU time up to now
 *
 * Return: the child's trail up to @cpu_ns, valid as long as a context uses it; NULL without a
 * trail.
 */
const struct sim_trail *announced__trail(const struct sim_child *child, uint64_t cpu_ns);

#endif
