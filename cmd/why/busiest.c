// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find the process with most CPU time while a whole machine is measured. procfs shows the CPU time
 * of all processes to each user, unless it is mounted with hidepid or in another PID namespace.
 */
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/file.h"
#include "base/sb.h"
#include "base/text.h"
#include "count/clock.h"
#include "count/cpu_time.h"
#include "why/busiest.h"

#define NS_PER_S 1000000000ULL
#define LEAST_NS (NS_PER_S / 2) /* least time between two looks: CPU time comes in ticks of 10 ms */
#define LEAST_CPUS 0.05		/* a process with fewer CPUs is not named */

static void look(struct why_busiest *b)
{
	auto_free(sb) unused = SB_INIT;

	process_pick__choose(&b->pick, 1, &unused);
}

void why_busiest__begin(struct why_busiest *b, const char *procfs)
{
	b->pick.procfs = procfs;
	look(b);
	b->begin_ns = clock__now_ns();
	b->busy_ns = cpus__read_busy(procfs);
	b->is_asked = true;
}

static void wait_until(uint64_t end_ns)
{
	uint64_t now = clock__now_ns();
	struct timespec left = {.tv_nsec = end_ns > now ? end_ns - now : 0};

	nanosleep(&left, NULL);
}

/* Find the process with most CPU time since the look before, other than tma itself. */
static const struct process_use *most_used(const struct process_pick *pick)
{
	const struct process_use *p, *most = NULL;

	vec__for_each (p, &pick->tasks)
		if (p->pid != getpid() && p->more && (!most || p->more > most->more))
			most = p;
	return most;
}

void why_busiest__find(struct why_busiest *b, bool now)
{
	const struct process_use *most;
	uint64_t busy;
	double seconds;

	if (!b->is_asked)
		return;
	if (!now)
		wait_until(b->begin_ns + LEAST_NS);
	look(b);
	busy = cpus__read_busy(b->pick.procfs);
	seconds = (double)(clock__now_ns() - b->begin_ns) / NS_PER_S;
	most = most_used(&b->pick);
	b->is_known = !b->pick.error && b->pick.tasks.nr > 1 && seconds > 0;
	if (!b->is_known || !most)
		return;
	b->cpus = most->more / (double)sysconf(_SC_CLK_TCK) / seconds;
	b->percent = b->busy_ns && busy > b->busy_ns
			     ? fmin(100, 100 * b->cpus * seconds * NS_PER_S / (busy - b->busy_ns))
			     : (double)NAN;
	b->pid = most->pid;
	if (file__read_line(b->name, sizeof(b->name), "%s/%d/comm", b->pick.procfs, b->pid) < 0)
		*b->name = '\0';
}

bool why_busiest__has_process(const struct why_busiest *b)
{
	return b->is_known && b->cpus >= LEAST_CPUS;
}

void why_busiest__put(const struct why_busiest *b, struct sb *sb)
{
	if (!b->is_known)
		return;
	if (!why_busiest__has_process(b)) {
		sb__puts(sb, "no process here had 5 % of a CPU: the machine waited, or its processes "
			     "were short or hidden (hidepid, PID namespaces)");
		return;
	}
	text__clean(sb, b->name, strlen(b->name), "");
	sb__printf(sb, "%s(pid %d): ", *b->name ? " " : "", b->pid);
	if (!isnan(b->percent))
		sb__printf(sb, "%.0f %% of CPU time, ", b->percent);
	sb__printf(sb, "%.2f CPUs; all: tma top", b->cpus);
}

void why_busiest__free(struct why_busiest *b)
{
	process_pick__free(&b->pick);
}
