/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clock of the simulated machine: the real clock, or a stepped clock, which only waiting moves.
 * With a stepped clock, a program that waits for 500 ms continues immediately and finds that
 * exactly 500 ms have passed; its computations take no time. Two programs that wait and read in the
 * same way see the same counts.
 */
#ifndef TMA_SIM_CLOCK_H
#define TMA_SIM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/**
 * clock__init() - choose the clock
 * @now:     memory for the stepped time, which child processes may share
 * @step_ns: time that passes at the end of a child; 0: the real clock
 */
void clock__init(uint64_t *now, uint64_t step_ns);
/** clock__is_stepped() - find out whether only waiting moves the time. */
bool clock__is_stepped(void);
/** clock__now() - read the monotonic time, in ns. */
uint64_t clock__now(void);
/** clock__start() - get the time at which the library was loaded, on the clock of clock__now(). */
uint64_t clock__start(void);
/**
 * clock__read() - read the stepped value of one of the system's clocks, as the calling thread sees
 * it
 *
 * Return: false for a clock that stays real.
 */
bool clock__read(clockid_t id, struct timespec *ts);
/** clock__offset() - find how far a clock is ahead of the monotonic clock, in ns. */
int64_t clock__offset(clockid_t id);
/** clock__pass() - let @ns of stepped time pass. */
void clock__pass(uint64_t ns);
/** clock__run() - let @ns of stepped time pass only for the calling thread. */
void clock__run(uint64_t ns);
/** clock__step_ns() - get the time that passes at the end of a child, in ns. */
uint64_t clock__step_ns(void);

#endif
