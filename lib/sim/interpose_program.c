// SPDX-License-Identifier: GPL-2.0-only
/* What a program can ask the simulated machine for; it finds these with dlsym(). */
#include <time.h>

#include "sim/clock.h"
#include "sim/interpose.h"
#include "sim/raw.h"
#include "sim/sim.h"

/**
 * tma_sim_phase() - keep the calling thread in one phase of the counting model
 * @phase: counted from 1; 0 for what time leads to, as before
 *
 * Return: 0, or -1 and errno: EINVAL for a phase that the machine has not, ENODEV without one.
 */
int tma_sim_phase(int phase);
/**
 * tma_sim_run() - let the calling thread run for so many nanoseconds
 *
 * It computes for so long; with a stepped clock, the time passes for this thread at once.
 *
 * Return: 0, or -1 and errno: ENODEV without a machine.
 */
int tma_sim_run(uint64_t ns);

INTERPOSE int tma_sim_phase(int phase)
{
	int rc = -ENODEV;

	if (!sim.on)
		return interpose__result(rc);
	sim__lock();
	rc = sim__set_phase(phase);
	sim__unlock();
	return interpose__result(rc);
}

INTERPOSE int tma_sim_run(uint64_t ns)
{
	uint64_t until;
	int rc = 0;

	if (!sim.on)
		return interpose__result(-ENODEV);
	if (clock__is_stepped()) {
		sim__lock();
		rc = sim__run(ns);
		sim__unlock();
		return interpose__result(rc);
	}
	until = raw_clock(CLOCK_THREAD_CPUTIME_ID) + ns;
	while (raw_clock(CLOCK_THREAD_CPUTIME_ID) < until)
		;
	return 0;
}
