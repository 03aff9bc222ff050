/* SPDX-License-Identifier: GPL-2.0-only */
/* Gauges are read as they are: an event that is one comes in, and its samples go out. */
#ifndef TMA_COUNT_GAUGES_H
#define TMA_COUNT_GAUGES_H

struct counter;
struct sample;
struct session;

/**
 * gauges__read() - read a gauge for all units
 * @samples: of the units; those that are SAMPLE_ABSENT stay so. Of several threads of a process the
 *           first has what is told of the process
 */
void gauges__read(const struct session *s, const struct counter *c, struct sample *samples);

#endif
