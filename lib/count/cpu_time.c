// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_time and system_time: of the command and its children, of each thread of -p and -t, or of
 * each CPU. procfs counts in ticks while they run; the command's last word is wait4()'s, in us.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "count/session.h"

#define NS_PER_S 1000000000ULL
#define CPU_LINE_BYTES 256 /* "cpu1234" and ten numbers, as long as they can get */

/* Numbers of a CPU's line in /proc/stat. */
enum { CPU_USER, CPU_NICE, CPU_SYSTEM, CPU_NR };

/* Numbers behind "pid (comm) state", from 0. */
enum { UTIME = 10, STIME, CUTIME, CSTIME, THREADS = 16, NR_NUMBERS };

/* Numbers with blanks between. Return: how many there were, up to @max. */
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
	/* The name may hold blanks, newlines and parentheses. */
	p = strrchr(text, ')');
	if (!p || p[1] != ' ' || !p[2] || scan(p + 3, n, NR_NUMBERS) != NR_NUMBERS)
		return -EBADMSG;
	*out = (struct task_stat){
		.state = p[2],
		.user = n[UTIME],
		.system = n[STIME],
		.children_user = n[CUTIME],
		.children_system = n[CSTIME],
		.threads = n[THREADS],
	};
	return 0;
}

bool task_stat__has_ended(const char *procfs, pid_t id)
{
	struct task_stat stat;
	int rc = task_stat__read(procfs, id, true, &stat);

	/* It may end between the open and the read. What else goes wrong says nothing of it. */
	if (rc)
		return rc == -ENOENT || rc == -ESRCH;
	return (stat.state == 'Z' || stat.state == 'X') && stat.threads <= 1;
}

bool cpu_time__is(const struct event *e)
{
	return e->tool == EVENT_USER_TIME || e->tool == EVENT_SYSTEM_TIME;
}

void cpu_time__init(struct session *s)
{
	for (int i = 0; i < s->nr_counters; i++)
		s->cpu_time_wanted |= cpu_time__is(s->counters[i].event);
	if (!s->cpu_time_wanted)
		return;
	/* One line for each CPU and one for their sum; what follows in the file is not read. */
	s->stat_size = (size_t)(s->machine->online.nr + 1) * CPU_LINE_BYTES;
	s->stat_buf = xmalloc(s->stat_size);
}

static uint64_t ticks_to_ns(uint64_t ticks)
{
	return ticks * (NS_PER_S / sysconf(_SC_CLK_TCK));
}

/* One that has ended keeps the time it had when it was last looked at. */
static void read_task(struct session *s, pid_t id, bool with_children, struct cpu_time *time)
{
	struct task_stat stat;

	if (task_stat__read(s->machine->procfs, id, with_children, &stat))
		return;
	if (!with_children)
		stat.children_user = stat.children_system = 0;
	time->user_ns = ticks_to_ns(stat.user + stat.children_user);
	time->system_ns = ticks_to_ns(stat.system + stat.children_system);
}

static void read_tasks(struct session *s)
{
	struct unit *u;

	vec__for_each(u, &s->units) {
		bool command = u->id == s->workload.pid;

		if (command && s->workload.reaped)
			u->time = s->workload.time;
		else
			read_task(s, u->id, command, &u->time);
	}
}

static void read_cpus(struct session *s)
{
	uint64_t n[CPU_NR], cpu;
	int unit = -1, len;
	char *line;

	if (file__read_start(s->stat_buf, s->stat_size, "%s/stat", s->machine->procfs) < 0)
		return;
	for (line = strchr(s->stat_buf, '\n'); line; line = strchr(line, '\n')) {
		line++;
		if (!text__has_prefix(line, "cpu"))
			break;
		len = num__scan_u64(line + 3, 0, &cpu);
		if (!len)
			continue;
		unit = session__find_unit(s, cpu, unit + 1);
		if (unit < 0 || scan(line + 3 + len, n, CPU_NR) != CPU_NR)
			continue;
		s->units.at[unit].time = (struct cpu_time){ ticks_to_ns(n[CPU_USER]),
							    ticks_to_ns(n[CPU_SYSTEM]) };
	}
}

static void read_all(struct session *s)
{
	if (s->per_cpu)
		read_cpus(s);
	else
		read_tasks(s);
}

void cpu_time__start(struct session *s)
{
	struct unit *u;

	if (!s->cpu_time_wanted)
		return;
	read_all(s);
	/* The command's own time counts from its fork, as wait4() tells it in the end. */
	vec__for_each(u, &s->units)
		if (s->per_cpu || u->id != s->workload.pid)
			u->time_start = u->time;
}

static uint64_t since(uint64_t now, uint64_t start)
{
	return now > start ? now - start : 0;
}

static void fill_event(struct session *s, struct counts *total, int event)
{
	bool user = s->counters[event].event->tool == EVENT_USER_TIME;

	for (int i = 0; i < total->nr_units; i++) {
		struct sample *sample = &total->at[event * total->nr_units + i];
		const struct cpu_time *now = &s->units.at[i].time;
		const struct cpu_time *start = &s->units.at[i].time_start;

		if (sample->status == SAMPLE_ABSENT)
			continue;
		sample->value = user ? since(now->user_ns, start->user_ns)
				     : since(now->system_ns, start->system_ns);
		sample->enabled = sample->running = sample->value;
		sample__finish(sample, true, total->scale);
	}
}

void cpu_time__read(struct session *s, struct counts *total)
{
	const struct unit *u;

	total->user_ns = total->system_ns = 0;
	if (s->cpu_time_wanted)
		read_all(s);
	vec__for_each(u, &s->units) {
		total->user_ns += since(u->time.user_ns, u->time_start.user_ns);
		total->system_ns += since(u->time.system_ns, u->time_start.system_ns);
	}
	for (int e = 0; s->cpu_time_wanted && e < total->nr_events; e++)
		if (cpu_time__is(s->counters[e].event))
			fill_event(s, total, e);
	if (s->workload.reaped) {
		total->user_ns = s->workload.time.user_ns;
		total->system_ns = s->workload.time.system_ns;
	}
}
