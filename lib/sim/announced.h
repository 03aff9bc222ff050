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

/** announced__is_on() - whether commands are asked to announce: there are places, and real time. */
bool announced__is_on(void);
/** announced__forget() - a child is about to be made with this number: what was there goes. */
void announced__forget(int number);
/**
 * announced__variable() - make the memory for a command that is about to be executed
 * @number: of the child in this process's list
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
