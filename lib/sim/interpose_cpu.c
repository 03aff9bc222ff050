// SPDX-License-Identifier: GPL-2.0-only
/* How many CPUs there are, and on which of them the program may run: those of the machine. */
#include <sched.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "sim/interpose.h"
#include "sim/raw.h"
#include "sim/sim.h"

long __sysconf(int name);

/* What the program asked for last; a thread's mask is not told from another's. */
static unsigned char chosen[(CPULIST_MAX_CPU + 1) / 8];
static size_t chosen_size;

static int nr_online(void)
{
	int nr = 0;

	for (int i = 0; i < sim.m.online.nr; i++)
		nr += sim__is_online(sim.m.online.at[i]);
	return nr;
}

static bool machine_sysconf(int name, long *value)
{
	if (!sim.on || (name != _SC_NPROCESSORS_ONLN && name != _SC_NPROCESSORS_CONF))
		return false;
	sim__lock();
	*value = name == _SC_NPROCESSORS_ONLN ? nr_online() : sim.m.cpus.nr;
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

static bool is_self(pid_t pid)
{
	return !pid || pid == RAW(SYS_getpid, 0, 0, 0, 0) || pid == RAW(SYS_gettid, 0, 0, 0, 0);
}

INTERPOSE int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *mask)
{
	if (!sim.on || !is_self(pid))
		return NEXT(sched_setaffinity)(pid, size, mask);
	sim__lock();
	chosen_size = size < sizeof(chosen) ? size : sizeof(chosen);
	memcpy(chosen, mask, chosen_size);
	sim__unlock();
	/* Those of the CPUs that the host has; without any, the program runs where it runs. */
	RAW(SYS_sched_setaffinity, pid, size, mask, 0);
	return 0;
}

INTERPOSE int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask)
{
	unsigned char *bits = (unsigned char *)mask;

	if (!sim.on || !is_self(pid))
		return NEXT(sched_getaffinity)(pid, size, mask);
	if ((int)size * 8 <= sim.m.cpus.at[sim.m.cpus.nr - 1])
		return interpose__result(-EINVAL);
	sim__lock();
	memset(bits, 0, size);
	memcpy(bits, chosen, chosen_size < size ? chosen_size : size);
	for (int i = 0; !chosen_size && i < sim.m.online.nr; i++)
		bits[sim.m.online.at[i] / 8] |= 1 << sim.m.online.at[i] % 8;
	sim__unlock();
	return 0;
}
