// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_time and system_time: of the command and its children, of each thread of -p and -t, or of
 * each CPU. procfs counts in ticks while they run; the command's last word is wait4()'s, in us.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/num.h"
#include "base/text.h"
#include "count/session.h"
#include "count/task_stat.h"

#define NS_PER_S 1000000000ULL
#define CPU_LINE_BYTES 256 /* "cpu1234" and ten numbers, as long as they can get */

/* Numbers of a CPU's line in /proc/stat. */
enum { CPU_USER, CPU_NICE, CPU_SYSTEM, CPU_NR };

int cpu_time__init(struct session *s)
{
	int nr = s->units.nr ? s->units.nr : 1;

	for (int i = 0; i < s->nr_counters; i++)
		s->cpu_time_wanted |= s->counters[i].event->tool == EVENT_USER_TIME ||
				      s->counters[i].event->tool == EVENT_SYSTEM_TIME;
	if (!s->cpu_time_wanted)
		return 0;
	s->time_start = calloc(nr, sizeof(*s->time_start));
	s->time_now = calloc(nr, sizeof(*s->time_now));
	/* One line for each CPU and one for their sum; what follows in the file is not read. */
	s->stat_size = (size_t)(s->machine->online.nr + 1) * CPU_LINE_BYTES;
	s->stat_buf = malloc(s->stat_size);
	return s->time_start && s->time_now && s->stat_buf ? 0 : -ENOMEM;
}

void cpu_time__free(struct session *s)
{
	free(s->time_start);
	free(s->time_now);
	free(s->stat_buf);
	s->time_start = s->time_now = NULL;
	s->stat_buf = NULL;
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
	for (int i = 0; i < s->units.nr; i++) {
		pid_t id = s->units.at[i].id;
		bool command = id == s->workload.pid;

		if (command && s->workload.reaped)
			s->time_now[i] = s->workload.time;
		else
			read_task(s, id, command, &s->time_now[i]);
	}
}

static int find_unit(const struct session *s, uint64_t cpu, int hint)
{
	if (hint < s->units.nr && (uint64_t)s->units.at[hint].id == cpu)
		return hint;
	for (int i = 0; i < s->units.nr; i++)
		if ((uint64_t)s->units.at[i].id == cpu)
			return i;
	return -1;
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
		unit = find_unit(s, cpu, unit + 1);
		if (unit < 0 || task_stat__scan(line + 3 + len, n, CPU_NR) != CPU_NR)
			continue;
		s->time_now[unit].user_ns = ticks_to_ns(n[CPU_USER]);
		s->time_now[unit].system_ns = ticks_to_ns(n[CPU_SYSTEM]);
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
	if (!s->cpu_time_wanted)
		return;
	read_all(s);
	/* The command's own time counts from its fork, as wait4() tells it in the end. */
	for (int i = 0; i < s->units.nr; i++)
		if (s->per_cpu || s->units.at[i].id != s->workload.pid)
			s->time_start[i] = s->time_now[i];
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
		const struct cpu_time *now = &s->time_now[i], *start = &s->time_start[i];

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
	total->user_ns = total->system_ns = 0;
	if (s->cpu_time_wanted) {
		read_all(s);
		for (int i = 0; i < s->units.nr; i++) {
			total->user_ns += since(s->time_now[i].user_ns, s->time_start[i].user_ns);
			total->system_ns += since(s->time_now[i].system_ns,
						  s->time_start[i].system_ns);
		}
		for (int e = 0; e < total->nr_events; e++)
			if (s->counters[e].event->tool == EVENT_USER_TIME ||
			    s->counters[e].event->tool == EVENT_SYSTEM_TIME)
				fill_event(s, total, e);
	}
	if (s->workload.reaped) {
		total->user_ns = s->workload.time.user_ns;
		total->system_ns = s->workload.time.system_ns;
	}
}
