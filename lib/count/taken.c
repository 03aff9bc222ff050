// SPDX-License-Identifier: GPL-2.0-only
#include "count/taken.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "count/cpu_time.h"
#include "count/session.h"

#define NS_PER_S 1e9
#define LEAST_NS 30000000 /* less CPU time than this proves nothing: it may be from before the
			   * program's start, or an error of ticks */

static bool is_of_command(const struct session *s)
{
	return s->workload.pid && !s->counters.units.per_cpu && !target__has_tasks(s->target);
}

/*
 * Wait until the exec of the command is over. The command's end of the socket closes in the middle
 * of the exec, before counters are taken away. An open of this file waits for the end of the exec,
 * even if it then fails.
 */
static void wait_for_exec(const struct session *s)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/%d/auxv", s->machine->procfs, s->workload.pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
}

/* Find an open counter of the command. Return: NULL if there is none. */
static const struct counter *find_open(const struct counter_list *cs)
{
	const struct counter *c;

	counters__for_each(c, cs)
		if (c->opened && !c->event->sampled && counter__open_fd(cs, c, 0) >= 0)
			return c;
	return NULL;
}

static bool taken__is_whole(const struct session *s)
{
	/* Commands of --control disable counters, too. */
	return s->opts.real_time && !session__is_late(s) && !s->opts.sets && !s->opts.control_fd &&
	       is_of_command(s);
}

void taken__begin(struct session *s)
{
	const struct counter *c = find_open(&s->counters);
	struct task_stat stat;
	struct sample sample;

	if (!c || !taken__is_whole(s))
		return;
	wait_for_exec(s);
	if (readings__read_one(&s->readings, c, 0, &sample) ||
	    task_stat__read(s->machine->procfs, s->workload.pid, true, &stat) || stat.exiting)
		return;
	s->taken = (struct taken){ .looked = true,
				   .enabled_ns = sample.enabled,
				   .ticks = stat.user + stat.system };
}

/* Whether the command has run since the first look; it must run at least to end. */
static bool has_run(const struct session *s)
{
	struct task_stat stat;

	if (s->workload.reaped ||
	    task_stat__read(s->machine->procfs, s->workload.pid, true, &stat) || stat.exiting)
		return true;
	return stat.user + stat.system > s->taken.ticks + 1;
}

bool taken__is(struct session *s, const struct counts *total)
{
	const struct counter *c;
	struct sample now;

	if (s->taken.sure || !s->taken.looked)
		return s->taken.sure;
	c = find_open(&s->counters);
	if (!c)
		return false;
	s->taken.looked = total->at[(c - s->counters.at) * total->nr_units].enabled ==
			  s->taken.enabled_ns;
	if (!s->taken.looked || !has_run(s))
		return false;
	/* @total was read earlier, and the command may have run since then. */
	if (readings__read_one(&s->readings, c, 0, &now) || now.enabled != s->taken.enabled_ns)
		return false;
	s->taken.sure = true;
	s->nr_regrouped++;
	sb__printf(&s->warnings,
		   "%s is not counted: the kernel took its counters away, as it starts with "
		   "privileges of its own (setuid, capabilities) or may not be read\n"
		   "Start tma with these privileges, or count whole CPUs (-a)\n",
		   s->workload.argv[0]);
	return true;
}

/* Return: the longest time that any counter was enabled. */
static uint64_t enabled_ns(const struct session *s, const struct counts *total)
{
	const struct counter *c;
	uint64_t longest = 0;

	counters__for_each(c, &s->counters) {
		const struct sample *sample = &total->at[(c - s->counters.at) * total->nr_units];

		if (c->opened && sample__has_numbers(sample) && sample->enabled > longest)
			longest = sample->enabled;
	}
	return longest;
}

void taken__judge(struct session *s, const struct counts *total)
{
	uint64_t used = total->user_ns + total->system_ns, enabled;

	if (!taken__is_whole(s) || s->opts.no_inherit || s->taken.sure)
		return;
	enabled = enabled_ns(s, total);
	if (!enabled || used < enabled + enabled / 10 + LEAST_NS)
		return;
	sb__printf(&s->warnings,
		   "%.3f s of the command's CPU time were not counted: the kernel takes counters "
		   "away when a program starts that has privileges of its own (setuid, "
		   "capabilities) or may not be read\n"
		   "Start tma with these privileges, or count whole CPUs (-a)\n",
		   (used - enabled) / NS_PER_S);
}
