// SPDX-License-Identifier: GPL-2.0-only
/* How many CPUs there are, and on which of them the program may run: those of the machine. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "sim/interpose.h"
#include "sim/raw.h"
#include "sim/sim.h"
#include "sim/thread.h"

long __sysconf(int name);

static bool machine_sysconf(int name, long *value)
{
	if (!sim.on || (name != _SC_NPROCESSORS_ONLN && name != _SC_NPROCESSORS_CONF))
		return false;
	sim__lock();
	*value = name == _SC_NPROCESSORS_ONLN ? sim__nr_online() : sim.m.cpus.nr;
	sim__unlock();
	return true;
}

INTERPOSE long sysconf(int name)
{
	long value;

	return machine_sysconf(name, &value) ? value : NEXT(sysconf)(name);
}

INTERPOSE long __sysconf(int name)
{
	return sysconf(name);
}

INTERPOSE int get_nprocs(void)
{
	long value;

	return machine_sysconf(_SC_NPROCESSORS_ONLN, &value) ? value : NEXT(get_nprocs)();
}

INTERPOSE int get_nprocs_conf(void)
{
	long value;

	return machine_sysconf(_SC_NPROCESSORS_CONF, &value) ? value : NEXT(get_nprocs_conf)();
}

/* The thread of ours that is meant, or 0 for somebody else's. */
static pid_t own_thread(pid_t pid)
{
	char path[64];

	if (!sim.on)
		return 0;
	if (!pid)
		return RAW(SYS_gettid, 0, 0, 0, 0);
	snprintf(path, sizeof(path), "/proc/self/task/%d", pid);
	return RAW(SYS_faccessat, AT_FDCWD, path, F_OK, 0) ? 0 : pid;
}

/* The thread's id is in the number of its clock, and nowhere else that a program may look. */
static pid_t tid_of(pthread_t thread)
{
	clockid_t clock;

	if (pthread_equal(thread, pthread_self()))
		return RAW(SYS_gettid, 0, 0, 0, 0);
	return pthread_getcpuclockid(thread, &clock) ? -1 : (pid_t)~(clock >> 3);
}

static int set_affinity(pid_t tid, size_t size, const cpu_set_t *mask)
{
	const unsigned char *bits = (const unsigned char *)mask;
	struct cpulist cpus = CPULIST_INIT;
	int rc = 0;

	for (size_t cpu = 0; !rc && cpu < size * 8 && cpu <= CPULIST_MAX_CPU; cpu++)
		if (bits[cpu / 8] & 1 << cpu % 8)
			rc = cpulist__add(&cpus, cpu);
	sim__lock();
	rc = rc ? rc : sim__set_allowed(tid, &cpus);
	sim__unlock();
	cpulist__free(&cpus);
	/* Those of the CPUs that the host has; without any, the program runs where it runs. */
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
	sim__lock();
	cpus = thread__allowed(tid, RAW(SYS_getpid, 0, 0, 0, 0));
	if (!cpus)
		cpus = &sim.m.online;
	for (int i = 0; i < cpus->nr; i++)
		bits[cpus->at[i] / 8] |= 1 << cpus->at[i] % 8;
	sim__unlock();
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
	int cpu;

	if (!sim.on)
		return NEXT(sched_getcpu)();
	sim__lock();
	cpu = sim__caller_cpu();
	sim__unlock();
	return cpu;
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
