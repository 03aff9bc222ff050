// SPDX-License-Identifier: GPL-2.0-only
#include "count/process_pick.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sb.h"
#include "base/xalloc.h"
#include "count/cpu_time.h"
#include "count/kernel.h"

static int by_pid(const void *a, const void *b)
{
	const struct process_use *one = a, *other = b;

	return (one->pid > other->pid) - (one->pid < other->pid);
}

static int by_more(const void *a, const void *b)
{
	const struct process_use *one = a, *other = b;

	return (one->more < other->more) - (one->more > other->more)
		       ?: (one->ticks < other->ticks) - (one->ticks > other->ticks)
		       ?: by_pid(a, b);
}

bool process_pick__is_refused(int pid)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .size = sizeof(attr),
				       .config = PERF_COUNT_SW_DUMMY,
				       .disabled = 1,
				       .exclude_kernel = 1,
				       .exclude_hv = 1};
	int fd = count_kernel__linux.open(&attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno == EACCES || errno == EPERM;
	count_kernel__linux.close(fd);
	return false;
}

static bool may_list(const struct process_pick *p, int dir, const char *name)
{
	struct stat st;

	if (p->own && (fstatat(dir, name, &st, 0) || st.st_uid != geteuid()))
		return false;
	return !p->countable || !process_pick__is_refused(atoi(name));
}

/* Find a task by its number in a list that is sorted by number. */
static const struct process_use *process_pick__find(const struct process_use *tasks, int nr,
						    int pid)
{
	const struct process_use key = {.pid = pid};

	return nr ? bsearch(&key, tasks, nr, sizeof(key), by_pid) : NULL;
}

static void process_pick__look(struct process_pick *p, const struct process_use *before,
			       int nr_before, int pid)
{
	struct process_use task = {.pid = pid};
	const struct process_use *was;
	struct task_stat stat;

	if (task_stat__read(p->procfs, pid, true, &stat) || stat.state == 'Z')
		return;
	task.ticks = task.more = stat.user + stat.system;
	was = process_pick__find(before, nr_before, pid);
	if (was && was->ticks <= task.ticks)
		task.more -= was->ticks;
	vec__push(&p->tasks, task);
}

static void look_at_all(struct process_pick *p)
{
	struct process_use *before = p->tasks.at;
	int nr_before = p->tasks.nr;
	DIR *dir = opendir(p->procfs);
	struct dirent *entry;

	p->error = dir ? 0 : errno;
	if (p->error == ENOMEM)
		xchecked(dir);
	/* The list of the previous call then remains. */
	if (!dir)
		return;
	p->tasks.at = NULL;
	p->tasks.nr = p->tasks.cap = 0;
	while ((entry = readdir(dir)))
		if (isdigit((unsigned char)*entry->d_name) &&
		    may_list(p, dirfd(dir), entry->d_name))
			process_pick__look(p, before, nr_before, atoi(entry->d_name));
	closedir(dir);
	free(before);
	if (p->tasks.nr)
		qsort(p->tasks.at, p->tasks.nr, sizeof(*p->tasks.at), by_pid);
}

void process_pick__choose(struct process_pick *p, int most, struct sb *pids)
{
	struct process_use *order;
	int nr;

	sb__clear(pids);
	look_at_all(p);
	nr = p->tasks.nr;
	if (!nr)
		return;
	order = xcalloc(nr, sizeof(*order));
	memcpy(order, p->tasks.at, nr * sizeof(*order));
	qsort(order, nr, sizeof(*order), by_more);
	if (nr > most)
		nr = most;
	qsort(order, nr, sizeof(*order), by_pid);
	for (int i = 0; i < nr; i++)
		sb__printf(pids, "%s%d", i ? "," : "", order[i].pid);
	free(order);
}

void process_pick__free(struct process_pick *p)
{
	vec__free(&p->tasks);
}
