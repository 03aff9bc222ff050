// SPDX-License-Identifier: GPL-2.0-only
/*
 * Answer a program that asks how many CPUs there are, and that chooses the CPUs and the phase of a
 * thread.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/auto.h"
#include "sim/clock.h"
#include "sim/interpose.h"
#include "sim/observe.h"
#include "sim/raw.h"
#include "sim/sim.h"

long __sysconf(int name);

static int machine_cpus(bool online)
{
	SIM_HOLD();
	return online ? sim__nr_online() : sim.m.cpus.nr;
}

INTERPOSE long sysconf(int name)
{
	if (!sim.on || (name != _SC_NPROCESSORS_ONLN && name != _SC_NPROCESSORS_CONF))
		return NEXT(sysconf)(name);
	return machine_cpus(name == _SC_NPROCESSORS_ONLN);
}

INTERPOSE long __sysconf(int name)
{
	return sysconf(name);
}

INTERPOSE int get_nprocs(void)
{
	return sim.on ? machine_cpus(true) : NEXT(get_nprocs)();
}

INTERPOSE int get_nprocs_conf(void)
{
	return sim.on ? machine_cpus(false) : NEXT(get_nprocs_conf)();
}

/* Return: the thread that a pid means; 0 if it is not in this process. */
static pid_t own_thread(pid_t pid)
{
	char path[64];

	if (!sim.on)
		return 0;
	if (!pid)
		return raw_gettid();
	snprintf(path, sizeof(path), "/proc/self/task/%d", pid);
	return RAW(SYS_faccessat, AT_FDCWD, path, F_OK, 0) ? 0 : pid;
}

/*
 * Find the kernel's id of a thread in the number of the thread's CPU clock: pthreads has no
 * function for it.
 */
static pid_t tid_of(pthread_t thread)
{
	clockid_t clock;

	if (pthread_equal(thread, pthread_self()))
		return raw_gettid();
	return pthread_getcpuclockid(thread, &clock) ? -1 : (pid_t)~(clock >> 3);
}

static int set_affinity(pid_t tid, size_t size, const cpu_set_t *mask)
{
	const unsigned char *bits = (const unsigned char *)mask;
	auto_free(cpulist) cpus = CPULIST_INIT;
	int rc = 0;

	SIM_HOLD();
	for (size_t cpu = 0; !rc && cpu < size * 8 && cpu <= CPULIST_MAX_CPU; cpu++)
		if (bits[cpu / 8] & 1 << cpu % 8)
			rc = cpulist__add(&cpus, cpu);
	rc = rc ? rc : sim__set_allowed(tid, &cpus);
	/*
	 * The kernel uses those of the CPUs that the host has. If the host has none of them, the
	 * call fails, and the thread's affinity stays.
	 */
	RAW(SYS_sched_setaffinity, tid, size, mask, 0);
	return rc;
}

static int get_affinity(pid_t tid, size_t size, cpu_set_t *mask)
{
	unsigned char *bits = (unsigned char *)mask;
	const struct cpulist *cpus;

	if ((int)size * 8 <= sim.m.cpus.at[sim.m.cpus.nr - 1])
		return -EINVAL;
	memset(bits, 0, size);
	SIM_HOLD();
	cpus = thread__allowed(tid, RAW(SYS_getpid, 0, 0, 0, 0));
	if (!cpus)
		cpus = &sim.m.online;
	for (int i = 0; i < cpus->nr; i++)
		bits[cpus->at[i] / 8] |= 1 << cpus->at[i] % 8;
	return 0;
}

INTERPOSE int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *mask)
{
	pid_t tid = own_thread(pid);

	if (!tid)
		return NEXT(sched_setaffinity)(pid, size, mask);
	return interpose__result(set_affinity(tid, size, mask));
}

INTERPOSE int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask)
{
	pid_t tid = own_thread(pid);

	if (!tid)
		return NEXT(sched_getaffinity)(pid, size, mask);
	return interpose__result(get_affinity(tid, size, mask));
}

INTERPOSE int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *mask)
{
	pid_t tid = sim.on ? tid_of(thread) : -1;

	return tid < 0 ? NEXT(pthread_setaffinity_np)(thread, size, mask)
		       : -set_affinity(tid, size, mask);
}

INTERPOSE int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *mask)
{
	pid_t tid = sim.on ? tid_of(thread) : -1;

	return tid < 0 ? NEXT(pthread_getaffinity_np)(thread, size, mask)
		       : -get_affinity(tid, size, mask);
}

INTERPOSE int sched_getcpu(void)
{
	if (!sim.on)
		return NEXT(sched_getcpu)();
	SIM_HOLD();
	return sim__caller_cpu();
}

INTERPOSE int getcpu(unsigned int *cpu, unsigned int *node)
{
	const struct sim_node *in;

	if (!sim.on)
		return NEXT(getcpu)(cpu, node);
	if (cpu)
		*cpu = sched_getcpu();
	if (!node)
		return 0;
	*node = 0;
	vec__for_each(in, &sim.m.nodes)
		if (cpulist__has(&in->cpus, cpu ? (int)*cpu : sched_getcpu()))
			*node = in->node;
	return 0;
}

/* --- Functions that a program finds by dlsym() ------------------------- */

/**
 * tma_sim_phase() - keep the calling thread in one phase of the counting model
 * @phase: number of the phase, from 1 on; 0: go through all phases again
 *
 * Return: 0, or -1 and errno: EINVAL for an unknown phase, ENODEV without a machine.
 */
int tma_sim_phase(int phase);
/**
 * tma_sim_find_phase() - find a phase by its name
 *
 * Return: the number of the phase, from 1 on; or -1 and errno: ENOENT for an unknown name, ENODEV
 * without a machine.
 */
int tma_sim_find_phase(const char *name);
/**
 * tma_sim_run() - let the calling thread run for @ns nanoseconds
 *
 * The thread computes for @ns. With a stepped clock, @ns pass immediately, and only for this
 * thread.
 *
 * Return: 0, or -1 and errno: ENODEV without a machine.
 */
int tma_sim_run(uint64_t ns);

INTERPOSE int tma_sim_follows(void)
{
	SIM_HOLD();
	return sim.on ? sim.follows : SIM_FOLLOWS_NOTHING;
}

INTERPOSE int tma_sim_phase(int phase)
{
	if (!sim.on)
		return interpose__result(-ENODEV);
	SIM_HOLD();
	return interpose__result(sim__set_phase(phase));
}

INTERPOSE int tma_sim_find_phase(const char *name)
{
	if (!sim.on)
		return interpose__result(-ENODEV);
	SIM_HOLD();
	return interpose__result(sim__find_phase(name));
}

INTERPOSE int tma_sim_run(uint64_t ns)
{
	uint64_t until;

	if (!sim.on)
		return interpose__result(-ENODEV);
	if (clock__is_stepped()) {
		SIM_HOLD();
		return interpose__result(sim__run(ns));
	}
	until = raw_clock(CLOCK_THREAD_CPUTIME_ID) + ns;
	while (raw_clock(CLOCK_THREAD_CPUTIME_ID) < until)
		;
	return 0;
}
