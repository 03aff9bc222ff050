/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A gauge has a value at a time instead of a count: an event of this kind comes in, and its samples
 * go out.
 */
#ifndef TMA_COUNT_GAUGES_H
#define TMA_COUNT_GAUGES_H

struct counter;
struct sample;
struct session;

/**
 * gauges__read() - read a gauge for all units
 * @samples: the samples of the units, which are filled in unless their status is SAMPLE_ABSENT. A
 *           value of a process goes to the first of its threads
 */
void gauges__read(const struct session *s, const struct counter *c, struct sample *samples);

#endif
