/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters that the kernel takes away: where a task starts a program with rights of its own, or one
 * that its user may not read, its counters end, and read like those of a task that does nothing.
 */
#ifndef TMA_COUNT_TAKEN_H
#define TMA_COUNT_TAKEN_H

#include "count/count.h"

/**
 * struct taken - what is known of that
 * @looked: the command lived at the look, and no counter was enabled for longer since
 * @enabled_ns, @ticks: time enabled and CPU time at the look
 * @sure: they were taken away: nothing is a count
 */
struct taken {
	bool looked, sure;
	uint64_t enabled_ns, ticks;
};

/** taken__look() - the command was let go: remember how long its counters have been enabled. */
void taken__look(struct session *s);
/**
 * taken__is() - whether the counters were taken away when the command started
 * @total: just read
 *
 * They were, when the command has run since the look and no counter was enabled meanwhile: whoever
 * runs has to run to end. When it is found, session__refusal() has the reason and a warning tells
 * it. A command that ended before the look, or is counted late (-D) or in turns, is not judged.
 */
bool taken__is(struct session *s, const struct counts *total);
/**
 * taken__judge() - the command has been reaped: find out whether a part of it was not counted
 * @total: counts of the whole run, with its CPU time
 *
 * Counters of a task are enabled for as long as it has a CPU, so that CPU time for which none was
 * enabled is that of children, or of a later program, whose counters were taken away. A warning
 * tells it. What is shorter than 30 ms and a tenth, and children that nobody waited for, do not
 * show.
 */
void taken__judge(struct session *s, const struct counts *total);

#endif
