/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trails of the commands that announce which code they execute (base/announce.h), by their CPU
 * time. With a stepped clock no command has a trail, because stepped time is unrelated to CPU time.
 */
#ifndef TMA_SIM_ANNOUNCED_H
#define TMA_SIM_ANNOUNCED_H

#include <stdbool.h>

#include "sim/child.h"
#include "sim/course.h"

/* These stand in place of a child's number: this process itself, and no process. */
#define ANNOUNCED_SELF (-1)
#define ANNOUNCED_NOBODY (-2)

/** announced__prepare() - make the memory of a child that is about to have this number. */
void announced__prepare(int number);
/** announced__become() - keep the child's own file and close the others */
void announced__become(int number);
/**
 * announced__variable() - make the environment variable that tells a command where to announce
 * @number: the child that is about to execute the command, or ANNOUNCED_SELF
 *
 * Return: "TMA_PLACES=FILE", which the caller frees; NULL when the command announces nothing.
 */
char *announced__variable(int number);
/**
 * announced__trail() - read what a child has announced
 * @cpu_ns: the child's CPU time up to now
 *
 * Return: its trail up to then, valid as long as a context uses it; NULL without a trail.
 */
const struct sim_trail *announced__trail(const struct sim_child *child, uint64_t cpu_ns);

#endif
