// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_time and system_time: of the command and its children, of each thread of -p and -t, or of
 * each CPU. procfs has the times in ticks. The final value of the command comes from wait4(), in
 * us.
 */
#include "count/cpu_time.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "count/session.h"

#define NS_PER_S 1000000000ULL
#define FLAG_EXITING 4	   /* PF_EXITING of the kernel */
#define CPU_LINE_BYTES 256 /* length of "cpu1234" with ten numbers of the greatest length */

/* A line of a CPU in /proc/stat begins with these numbers. */
enum { CPU_USER, CPU_NICE, CPU_SYSTEM, CPU_NR };

/* Indexes, from 0, of some of the numbers after "pid (comm) state" in procfs. */
enum {
	FLAGS = 5,
	CMINFLT = 7,
	CMAJFLT = 9,
	UTIME,
	STIME,
	CUTIME,
	CSTIME,
	THREADS = 16,
	NR_NUMBERS
};

/* Read up to @max numbers, which blanks separate. Return: how many there were. */
static int scan(const char *text, uint64_t *out, int max)
{
	int nr = 0, len;

	while (nr < max) {
		text += strspn(text, " -");
		len = num__scan_u64(text, 0, &out[nr]);
		if (!len)
			break;
		text += len;
		nr++;
	}
	return nr;
}

int task_stat__read(const char *procfs, pid_t id, bool whole, struct task_stat *out)
{
	uint64_t n[NR_NUMBERS];
	char text[1024];
	const char *p;
	int rc;

	if (whole)
		rc = file__read_start(text, sizeof(text), "%s/%d/stat", procfs, id);
	else
		rc = file__read_start(text, sizeof(text), "%s/%d/task/%d/stat", procfs, id, id);
	if (rc < 0)
		return rc;
	/* The name of the task may contain blanks, newlines and parentheses. */
	p = strrchr(text, ')');
	if (!p || p[1] != ' ' || !p[2] || scan(p + 3, n, NR_NUMBERS) != NR_NUMBERS)
		return -EBADMSG;
	*out = (struct task_stat){
		.state = p[2],
		.exiting = n[FLAGS] & FLAG_EXITING,
		.user = n[UTIME],
		.system = n[STIME],
		.children_user = n[CUTIME],
		.children_system = n[CSTIME],
		.threads = n[THREADS],
		.children_faults = n[CMINFLT] + n[CMAJFLT],
	};
	return 0;
}

bool task_stat__has_ended(const char *procfs, pid_t id)
{
	struct task_stat stat;
	int rc = task_stat__read(procfs, id, true, &stat);

	/*
	 * The task may end between the open and the read. Any other error does not show that the
	 * task has ended.
	 */
	if (rc)
		return rc == -ENOENT || rc == -ESRCH;
	return (stat.state == 'Z' || stat.state == 'X') && stat.threads <= 1;
}

bool cpu_times__is(const struct event *e)
{
	return e->tool == EVENT_USER_TIME || e->tool == EVENT_SYSTEM_TIME;
}

/**
 * struct cpu_times - CPU time of all units
 * @now: time of each unit when last read
 * @start: time of each unit when counting began, or was last enabled
 * @kept: time that each unit used in earlier periods in which counting was enabled
 * @off: counting is disabled
 * @started: counting has begun before; if it begins again after a delay, time since the fork does
 *       not count
 * @stat_buf: memory for the CPU lines of /proc/stat
 */
struct cpu_times {
	struct session *session;
	const struct counter_list *counters;
	const struct workload *workload;
	struct cpu_time *now, *start, *kept;
	bool off, started;
	char *stat_buf;
	size_t stat_size;
};

static void cpu_time__init(void *self)
{
	struct cpu_times *t = self;
	struct session *s = t->session;

	t->counters = &s->counters;
	t->workload = &s->workload;
	t->now = xcalloc(s->counters.units.nr, sizeof(*t->now));
	t->start = xcalloc(s->counters.units.nr, sizeof(*t->start));
	t->kept = xcalloc(s->counters.units.nr, sizeof(*t->kept));
	/*
	 * /proc/stat begins with a line for the sum of all CPUs and a line for each CPU; the rest
	 * is not read.
	 */
	t->stat_size = (size_t)(s->machine->online.nr + 1) * CPU_LINE_BYTES;
	t->stat_buf = xmalloc(t->stat_size);
}

static void cpu_time__free_all(void *self)
{
	struct cpu_times *t = self;

	free(t->now);
	free(t->start);
	free(t->kept);
	free(t->stat_buf);
}

static uint64_t ticks_to_ns(uint64_t ticks)
{
	return ticks * (NS_PER_S / sysconf(_SC_CLK_TCK));
}

uint64_t cpus__read_busy(const char *procfs)
{
	enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, NR };
	char text[CPU_LINE_BYTES];
	uint64_t at[NR];

	if (file__read_start(text, sizeof(text), "%s/stat", procfs) < 0 ||
	    !text__has_prefix(text, "cpu ") || scan(text + strlen("cpu"), at, NR) < NR)
		return 0;
	return ticks_to_ns(at[USER] + at[NICE] + at[SYSTEM] + at[IRQ] + at[SOFTIRQ]);
}

int task_stat__time(const char *procfs, pid_t id, bool with_children, struct cpu_time *time)
{
	struct task_stat stat;
	int rc = task_stat__read(procfs, id, with_children, &stat);

	if (rc)
		return rc;
	if (!with_children)
		stat.children_user = stat.children_system = 0;
	time->user_ns = ticks_to_ns(stat.user + stat.children_user);
	time->system_ns = ticks_to_ns(stat.system + stat.children_system);
	return 0;
}

static void read_tasks(struct cpu_times *t)
{
	const struct unit_list *units = &t->counters->units;
	const char *procfs = t->session->machine->procfs;

	for (int i = 0; i < units->nr; i++) {
		bool command = units->at[i].id == t->workload->pid;

		if (command && t->workload->reaped)
			t->now[i] = t->workload->time;
		else
			task_stat__time(procfs, units->at[i].id, command, &t->now[i]);
	}
}

static void cpu_time__read_cpus(struct cpu_times *t)
{
	uint64_t n[CPU_NR], cpu;
	int unit = -1, len;
	char *line;

	if (file__read_start(t->stat_buf, t->stat_size, "%s/stat", t->session->machine->procfs) < 0)
		return;
	for (line = strchr(t->stat_buf, '\n'); line; line = strchr(line, '\n')) {
		line++;
		if (!text__has_prefix(line, "cpu"))
			break;
		len = num__scan_u64(line + 3, 0, &cpu);
		if (!len)
			continue;
		unit = unit_list__find(&t->counters->units, cpu, unit + 1);
		if (unit < 0 || scan(line + 3 + len, n, CPU_NR) != CPU_NR)
			continue;
		t->now[unit] = (struct cpu_time){ ticks_to_ns(n[CPU_USER]),
						  ticks_to_ns(n[CPU_SYSTEM]) };
	}
}

static void read_all(struct cpu_times *t)
{
	if (t->counters->units.per_cpu)
		cpu_time__read_cpus(t);
	else
		read_tasks(t);
}

static void cpu_time__start(void *self)
{
	struct cpu_times *t = self;
	const struct unit_list *units = &t->counters->units;

	read_all(t);
	/*
	 * The CPU time of the command counts from its fork, like the final value from wait4();
	 * after a delay, it counts from the end of the delay.
	 */
	for (int i = 0; i < units->nr; i++)
		if (t->started || units->per_cpu || units->at[i].id != t->workload->pid)
			t->start[i] = t->now[i];
	t->off = t->session->opts.start_disabled;
	t->started = true;
}

static uint64_t since(uint64_t now, uint64_t start)
{
	return now > start ? now - start : 0;
}

static uint64_t used(const struct cpu_times *t, uint64_t kept, uint64_t now, uint64_t start)
{
	return kept + (t->off ? 0 : since(now, start));
}

static void cpu_time__enable(void *self, int event, bool on)
{
	struct cpu_times *t = self;

	if (t->off == !on || t->session->stopping ||
	    (event >= 0 && !cpu_times__is(t->counters->at[event].event)))
		return;
	read_all(t);
	for (int i = 0; i < t->counters->units.nr; i++) {
		const struct cpu_time *now = &t->now[i], *start = &t->start[i];

		t->kept[i].user_ns = used(t, t->kept[i].user_ns, now->user_ns, start->user_ns);
		t->kept[i].system_ns =
			used(t, t->kept[i].system_ns, now->system_ns, start->system_ns);
		t->start[i] = *now;
	}
	t->off = !on;
}

void cpu_times__read(void *self, struct counts *total)
{
	struct cpu_times *t = self;
	const struct counter *c;

	total->user_ns = total->system_ns = 0;
	read_all(t);
	for (int i = 0; i < total->nr_units; i++) {
		uint64_t user_ns = used(t, t->kept[i].user_ns, t->now[i].user_ns,
					t->start[i].user_ns);
		uint64_t system_ns = used(t, t->kept[i].system_ns, t->now[i].system_ns,
					  t->start[i].system_ns);

		total->user_ns += user_ns;
		total->system_ns += system_ns;
		counters__for_each(c, t->counters) {
			struct sample *sample;

			sample = &total->at[(c - t->counters->at) * total->nr_units + i];
			if (!cpu_times__is(c->event) || sample->status == SAMPLE_ABSENT)
				continue;
			sample->value = c->event->tool == EVENT_USER_TIME ? user_ns : system_ns;
			/*
			 * A time of 0 is a valid count, as for duration_time: a task may use no CPU
			 * time.
			 */
			sample->enabled = sample->running = session__on_ns(t->session, c, total);
			sample__finish(sample, true, total->scale);
		}
	}
}

const struct attachment cpu_times__attachment = {
	.size = sizeof(struct cpu_times),
	.init = cpu_time__init,
	.start = cpu_time__start,
	.enable = cpu_time__enable,
	.free = cpu_time__free_all,
};
