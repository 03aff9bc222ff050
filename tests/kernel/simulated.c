// SPDX-License-Identifier: GPL-2.0-only
/*
 * Judges groups of events by a simulated machine. Input and output are those of
 * tests/kernel/scheduler. The simulator is preloaded; this program uses nothing else of the
 * project.
 *
 *	simulated FILE LABEL [task]
 *
 * It opens the groups of the machine LABEL, in which blanks replace the tabs: on the first CPU of
 * each PMU, or for a task.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_EVENTS 64
#define DEVICES "/sys/bus/event_source/devices"

struct group {
	char label[128], pmu[32];
	struct perf_event_attr attrs[MAX_EVENTS];
	int fds[MAX_EVENTS];
	int nr;
};

static int read_number(const char *pmu, const char *name)
{
	char path[256];
	int n = -1;
	FILE *file;

	snprintf(path, sizeof(path), DEVICES "/%s/%s", pmu, name);
	file = fopen(path, "r");
	if (file && fscanf(file, "%d", &n) != 1)
		n = -1;
	if (file)
		fclose(file);
	return n;
}

static bool of_task;

static int open_event(struct perf_event_attr *attr, int cpu, int leader)
{
	attr->size = sizeof(*attr);
	attr->disabled = leader < 0;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return syscall(SYS_perf_event_open, attr, of_task ? 0 : -1, of_task ? -1 : cpu, leader, 0);
}

/* Return: whether the group ran, once its time has begun. */
static int runs(const struct group *g)
{
	uint64_t values[3] = { 0 };

	ioctl(g->fds[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	usleep(1000);
	return read(g->fds[0], values, sizeof(values)) == sizeof(values) && values[2];
}

static const char *judge(struct group *g)
{
	int cpu = read_number(g->pmu, "cpus"), opened = 0, fd;
	const char *verdict = NULL;

	if (cpu < 0)
		cpu = 0;
	for (; opened < g->nr && !verdict; opened++) {
		struct perf_event_attr *attr = &g->attrs[opened];

		g->fds[opened] = open_event(attr, cpu, opened ? g->fds[0] : -1);
		if (g->fds[opened] >= 0)
			continue;
		fd = opened ? open_event(attr, cpu, -1) : -1;
		verdict = fd < 0 ? "absent" : "refused";
		if (fd >= 0)
			close(fd);
		break;
	}
	if (!verdict)
		verdict = runs(g) ? "ok" : "starved";
	for (int i = 0; i < opened; i++)
		close(g->fds[i]);
	return verdict;
}

static void add_event(struct group *g, const char *line)
{
	struct perf_event_attr *attr = &g->attrs[g->nr];
	unsigned long long config, config1, config2;
	unsigned int type, exclude;

	if (g->nr == MAX_EVENTS || sscanf(line, "event %31s %u %llx %llx %llx %u", g->pmu, &type,
					  &config, &config1, &config2, &exclude) != 6) {
		fprintf(stderr, "simulated: not understood: %s", line);
		exit(1);
	}
	memset(attr, 0, sizeof(*attr));
	attr->type = type;
	attr->config = config;
	/* The number of an E-core's PMU depends on the machine. */
	if (!strcmp(g->pmu, "cpu_atom")) {
		int own = read_number(g->pmu, "type");

		if (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE)
			attr->config = (uint32_t)config | (uint64_t)own << PERF_PMU_TYPE_SHIFT;
		else
			attr->type = own;
	}
	attr->config1 = config1;
	attr->config2 = config2;
	attr->exclude_user = exclude & 1;
	attr->exclude_kernel = exclude >> 1 & 1;
	g->nr++;
}

int main(int argc, char **argv)
{
	static struct group g;
	char *line = NULL, machine[128] = "", plain[128] = "";
	size_t size = 0;
	ssize_t got;

	of_task = argc == 4;
	if (argc < 3 || !freopen(argv[1], "r", stdin))
		return 2;
	do {
		got = getline(&line, &size, stdin);
		if (got > 0 && !strncmp(line, "event ", 6)) {
			if (!strcmp(plain, argv[2]))
				add_event(&g, line);
			continue;
		}
		if (g.nr)
			printf("%s\t%s\t%s\t\n", machine, g.label, judge(&g));
		g.nr = 0;
		if (got > 0 && !strncmp(line, "machine ", 8)) {
			sscanf(line, "machine %*s %*d %*d %127[^\n]", machine);
			for (int i = 0; i < 128; i++)
				plain[i] = machine[i] == '\t' ? ' ' : machine[i];
		} else if (got > 0) {
			sscanf(line, "group %127[^\n]", g.label);
		}
	} while (got > 0);
	return 0;
}
