/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The time of the simulated machine is that of the real clock, or of one that only waiting moves.
 * With the latter, a program that waits 500 ms finds that exactly 500 ms have passed, at once;
 * everything it computes itself takes no time. Two programs which wait and read alike see the same.
 */
#ifndef TMA_SIM_CLOCK_H
#define TMA_SIM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/**
 * clock__init() - choose the clock
 * @now:     where the time is kept when it is stepped; may be shared with child processes
 * @step_ns: what the end of a child takes; 0 for the real clock
 */
void clock__init(uint64_t *now, uint64_t step_ns);
/** clock__is_stepped() - whether only waiting moves the time. */
bool clock__is_stepped(void);
/** clock__now() - monotonic time, in ns. */
uint64_t clock__now(void);
/** clock__start() - the time when the library was loaded, as clock__now() told it. */
uint64_t clock__start(void);
/**
 * clock__read() - read one of the system's clocks, stepped, as the calling thread sees it
 *
 * Return: false for one that stays real.
 */
bool clock__read(clockid_t id, struct timespec *ts);
/** clock__offset() - how far another clock is ahead of the monotonic one, in ns. */
int64_t clock__offset(clockid_t id);
/** clock__pass() - let some time pass, in ns. */
void clock__pass(uint64_t ns);
/** clock__run() - let some time pass for the calling thread alone, in ns. */
void clock__run(uint64_t ns);
/** clock__step_ns() - how long the end of a child takes. */
uint64_t clock__step_ns(void);

#endif
