/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters that the kernel takes away. If a task starts a program with set-user-ID rights, or one
 * that its user may not read, its counters end. They then read like those of an idle task.
 */
#ifndef TMA_COUNT_TAKEN_H
#define TMA_COUNT_TAKEN_H

#include "count/count.h"

/**
 * struct taken - the state of this check
 * @looked: the command lived at the first look, and no counter has been enabled since then
 * @enabled_ns, @ticks: time enabled, and CPU time, at the first look
 * @sure: the counters were taken away: their values are not counts
 */
struct taken {
	bool looked, sure;
	uint64_t enabled_ns, ticks;
};

/** taken__begin() - record how long the counters of the command, which now runs, were enabled. */
void taken__begin(struct session *s);
/**
 * taken__is() - whether the counters were taken away when the command started
 * @total: counts that were just read
 *
 * The counters were taken away if the command has run since the first look and no counter was
 * enabled during that time; a process must run at least to end. session__refusal() then has the
 * reason, and a warning reports it. There is no check if the command ended before the first look,
 * or is counted late (-D) or in turns.
 */
bool taken__is(struct session *s, const struct counts *total);
/**
 * taken__judge() - find out whether a part of the command, which has been reaped, was not counted
 * @total: counts of the whole run, with its CPU time
 *
 * Counters of a task are enabled for as long as it has a CPU. CPU time without an enabled counter
 * therefore belongs to children or to a later program whose counters were taken away; a warning
 * reports the time. The check misses times that are under 30 ms or under a tenth of the CPU time,
 * and children that their parent did not wait for.
 */
void taken__judge(struct session *s, const struct counts *total);

#endif
