// SPDX-License-Identifier: GPL-2.0-only
/* Who is counted: the threads of -p and -t, the CPUs of -a and -C, and which event goes where. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/xalloc.h"
#include "count/session.h"

#define MAX_JOINED 256 /* the kernel refuses groups whose read is longer than 16 KiB */

bool target__per_cpu(const struct target *t)
{
	return (t->system_wide && !t->all_threads) || t->cpus.nr;
}

bool target__has_tasks(const struct target *t)
{
	return t->pids || t->tids || t->all_threads;
}

static int add_thread(struct session *s, pid_t tid, struct err *err)
{
	struct unit unit = { .id = tid };

	(void)err;
	if (file__read_line(unit.comm, sizeof(unit.comm), "%s/%d/comm", s->machine->procfs,
			    tid) < 0)
		unit.comm[0] = '\0';
	vec__push(&s->units, unit);
	return 0;
}

/* Numbers among the names in a directory of procfs. Return: 0, that of @add, or -errno. */
static int each_in_dir(struct session *s, const char *path,
		       int (*add)(struct session *, pid_t, struct err *), struct err *err)
{
	char **names;
	uint64_t id;
	int nr, rc = file__list_dir(path, &names, &nr);

	if (rc)
		return rc;
	for (int i = 0; !rc && i < nr; i++)
		if (!num__parse_u64("thread", names[i], 1, INT_MAX, &id, NULL))
			rc = add(s, id, err);
	file__free_names(names, nr);
	return rc;
}

static int add_threads_of(struct session *s, pid_t pid, struct err *err)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%d/task", s->machine->procfs, pid);
	return each_in_dir(s, path, add_thread, err);
}

static int add_process(struct session *s, pid_t pid, struct err *err)
{
	int rc = add_threads_of(s, pid, err);

	if (rc)
		return err__set(err, rc == -ENOENT ? ESRCH : -rc, "process %d (-p): %s", pid,
				rc == -ENOENT ? "there is no such process" : strerror(-rc));
	vec__push(&s->watched, (struct watched){ .pid = pid });
	return 0;
}

/* One of all there are: it may be gone by now, and nobody waits for its end. */
static int add_running(struct session *s, pid_t pid, struct err *err)
{
	add_threads_of(s, pid, err);
	return 0;
}

static int add_all_threads(struct session *s, struct err *err)
{
	int rc = each_in_dir(s, s->machine->procfs, add_running, err);

	return rc ? err__set(err, -rc, "cannot list the threads in %s: %s", s->machine->procfs,
			     strerror(-rc)) :
		    0;
}

static int add_tid(struct session *s, pid_t tid, struct err *err)
{
	if (!file__exists("%s/%d", s->machine->procfs, tid))
		return err__set(err, ESRCH, "thread %d (-t): there is no such thread", tid);
	vec__push(&s->watched, (struct watched){ .pid = tid });
	return add_thread(s, tid, err);
}

static int each_number(struct session *s, const char *what, const char *list,
		       int (*add)(struct session *, pid_t, struct err *), struct err *err)
{
	char *text = xstrdup(list), *rest = text, *item;
	uint64_t n;
	int rc = 0;

	while (!rc && (item = strsep(&rest, ","))) {
		rc = num__parse_u64(what, item, 1, INT_MAX, &n, err);
		if (!rc)
			rc = add(s, n, err);
	}
	free(text);
	return rc;
}

static int compare_units(const void *a, const void *b)
{
	const struct unit *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Ascending, and each once: -p may name a process twice. */
static void sort_units(struct session *s)
{
	int kept = 1;

	if (!s->units.nr)
		return;
	qsort(s->units.at, s->units.nr, sizeof(*s->units.at), compare_units);
	for (int i = 1; i < s->units.nr; i++)
		if (s->units.at[i].id != s->units.at[kept - 1].id)
			s->units.at[kept++] = s->units.at[i];
	s->units.nr = kept;
}

int session__find_threads(struct session *s, struct err *err)
{
	const struct target *t = s->target;
	int rc = 0;

	if ((t->pids || t->tids) && target__per_cpu(t))
		return err__set(err, EINVAL,
				"%s counts some tasks, %s counts CPUs: give one of the two",
				t->pids ? "-p" : "-t", t->cpus.nr ? "-C" : "-a");
	if (t->pids && t->tids)
		return err__set(
			err, EINVAL,
			"-p and -t both choose tasks: give all of them with one of the two");
	if (t->pids)
		rc = each_number(s, "-p (process ids)", t->pids, add_process, err);
	if (t->tids)
		rc = each_number(s, "-t (thread ids)", t->tids, add_tid, err);
	if (t->all_threads)
		rc = add_all_threads(s, err);
	sort_units(s);
	return rc;
}

/* "WORDS 0-3", when there are any. */
static void put_cpus(const char *words, const struct cpulist *cpus, struct sb *sb)
{
	if (!cpus->nr)
		return;
	sb__puts(sb, words);
	cpulist__print(cpus, sb);
}

static int check_cpus(const struct session *s, const struct cpulist *wanted, struct err *err)
{
	struct cpulist missing = CPULIST_INIT, offline = CPULIST_INIT;
	const struct machine *m = s->machine;
	struct sb text = SB_INIT;
	const int *cpu;
	int rc = 0;

	cpulist__for_each(cpu, wanted)
		if (!cpulist__has(&m->online, *cpu))
			cpulist__add(cpulist__has(&m->present, *cpu) ? &offline : &missing, *cpu);
	put_cpus("this machine has no CPU ", &missing, &text);
	put_cpus(missing.nr ? ", and offline is CPU " : "offline is CPU ", &offline, &text);
	if (text.len) {
		put_cpus("; online: ", &m->online, &text);
		rc = err__set(err, ENODEV, "-C: %s", sb__str(&text));
	}
	cpulist__free(&missing);
	cpulist__free(&offline);
	sb__free(&text);
	return rc;
}

static enum cpu_shared shared(const struct session *s, int a, int b)
{
	struct cpu at = machine__cpu(s->machine, a), other = machine__cpu(s->machine, b);

	return cpu__shared(&at, &other);
}

/* Keep the first CPU of each die: it counts for all of it. */
static void one_per_package(struct session *s, struct cpulist *cpus)
{
	int kept = 0;

	machine__load_topology(s->machine);
	for (int i = 0; i < cpus->nr; i++) {
		int j = 0;

		while (j < kept && shared(s, cpus->at[i], cpus->at[j]) < SHARED_DIE)
			j++;
		if (j == kept)
			cpus->at[kept++] = cpus->at[i];
	}
	cpus->nr = kept;
}

/* The CPU of a PMU's list which the kernel moves an event to: of the core, the die, the package. */
static int stands_for(const struct session *s, const struct cpulist *pmu_cpus, int cpu)
{
	enum cpu_shared most = SHARED_NOTHING;
	const int *other;
	int best = -1;

	if (cpulist__has(pmu_cpus, cpu))
		return cpu;
	cpulist__for_each(other, pmu_cpus) {
		if (shared(s, cpu, *other) <= most)
			continue;
		most = shared(s, cpu, *other);
		best = *other;
	}
	return best;
}

/*
 * -C with CPUs that are not those a PMU's events are opened on: the kernel lets any other of the
 * core or package stand for it, but each would count all of it, so it is one for each.
 */
static void place_on_others(struct session *s, struct counter *c, const struct cpulist *base)
{
	struct cpulist taken = CPULIST_INIT;
	const int *cpu;

	machine__load_topology(s->machine);
	cpulist__copy(&c->cpus, &taken);
	cpulist__for_each(cpu, base) {
		int other = stands_for(s, &c->event->cpus, *cpu);

		if (other < 0 || cpulist__has(&taken, other))
			continue;
		cpulist__add(&taken, other);
		cpulist__add(&c->cpus, *cpu);
	}
	cpulist__free(&taken);
}

static void place_on_pmu_cpus(struct session *s, struct counter *c, const struct cpulist *base)
{
	const struct event *e = c->event;
	const int *cpu;

	/* A PMU that counts on all CPUs counts on those that come, too. */
	if (!e->requires_cpu && cpulist__equal(&e->cpus, &s->machine->online)) {
		cpulist__copy(base, &c->cpus);
		return;
	}
	cpulist__and(base, &e->cpus, &c->cpus);
	/* A CPU that is offline may turn out to be of any type of core. */
	cpulist__for_each(cpu, base)
		if (event__is_of_core(e) && !cpulist__has(&s->machine->online, *cpu))
			cpulist__add(&c->cpus, *cpu);
	if (e->requires_cpu && s->target->cpus.nr)
		place_on_others(s, c, base);
}

/* On a CPU that is there from the start on. */
static void place_once(const struct session *s, struct counter *c, const struct cpulist *base)
{
	const int *cpu;

	cpulist__for_each(cpu, base)
		if (!c->cpus.nr && (s->target->cpus.nr || cpulist__has(&s->machine->online, *cpu)))
			cpulist__add(&c->cpus, *cpu);
}

static void place_counter(struct session *s, struct counter *c, const struct cpulist *base)
{
	const struct event *e = c->event;

	if (e->tool == EVENT_DURATION_TIME) {
		place_once(s, c, base);
	} else if (e->tool || e->any_cpu) {
		cpulist__copy(base, &c->cpus);
	} else {
		place_on_pmu_cpus(s, c, base);
		if (e->per_pkg)
			one_per_package(s, &c->cpus);
	}
}

static void add_units(struct session *s)
{
	struct cpulist all = CPULIST_INIT, sum;
	const int *cpu;

	for (int i = 0; i < s->nr_counters; i++) {
		sum = (struct cpulist)CPULIST_INIT;
		cpulist__or(&all, &s->counters[i].cpus, &sum);
		cpulist__free(&all);
		all = sum;
	}
	cpulist__for_each(cpu, &all) {
		struct unit unit = { .id = *cpu };

		/* Whoever names a CPU that is offline was told so. */
		unit.unseen = unit.away = !s->target->cpus.nr &&
					  !cpulist__has(&s->machine->online, *cpu);
		unit.late = unit.unseen && machine__is_hybrid(s->machine);
		unit.moves = unit.away;
		vec__push(&s->units, unit);
	}
	cpulist__free(&all);
}

/* A member that is to count on other CPUs than its leader cannot be scheduled with it. */
static void ungroup_strays(struct session *s)
{
	for (int i = 0; i < s->nr_counters; i++) {
		struct counter *c = &s->counters[i], *leader = &s->counters[c->leader];

		if (c == leader || cpulist__equal(&c->cpus, &leader->cpus))
			continue;
		/* Nobody asked for the groups of metrics. */
		if (!counter__may_come_apart(leader))
			sb__printf(&s->warnings,
				   "%s counts on other CPUs than %s: not in one group\n",
				   c->event->name, leader->event->name);
		counter__leave_group(s, c);
	}
}

static bool is_software(const struct counter *c)
{
	const struct perf_event_attr *attr = &c->event->attr;

	return !c->event->tool && !c->event->retire_latency && attr->type == PERF_TYPE_SOFTWARE &&
	       attr->config != PERF_COUNT_SW_BPF_OUTPUT && !attr->pinned && !attr->exclusive;
}

static bool go_together(const struct counter *a, const struct counter *b)
{
	return a->event->cgroup == b->event->cgroup && cpulist__equal(&a->cpus, &b->cpus);
}

/*
 * Software events of a CPU that nobody put into a group are opened as one: to read a counter of
 * another CPU the kernel interrupts that CPU, and does so once for a group. They are always
 * counting, so that no event keeps another of them from it, as with counters of hardware.
 */
static void join_software(struct session *s)
{
	struct counter *leader = NULL;

	/* Sets, and commands that come in, start and stop events one by one. */
	if (!s->per_cpu || s->opts.sets || s->opts.control_fd)
		return;
	for (int i = 0; i < s->nr_counters; i++) {
		struct counter *c = &s->counters[i];

		if (c->leader != i || c->nr_members != 1 || !is_software(c))
			continue;
		if (!leader || leader->nr_members == MAX_JOINED || !go_together(leader, c)) {
			leader = c;
			continue;
		}
		c->leader = leader - s->counters;
		c->joined = leader->joined = true;
		leader->nr_members++;
	}
}

/* Latencies are sampled on each CPU that a task may run on: there is no buffer for all of them. */
static void place_on_tasks(struct session *s)
{
	const struct cpulist *online = &s->machine->online;

	for (int i = 0; i < s->nr_counters; i++) {
		struct counter *c = &s->counters[i];

		if (c->event->sampled)
			cpulist__and(online, c->event->any_cpu ? online : &c->event->cpus,
				     &c->places);
	}
}

/* What of a CPU that comes later has no beginning: its buffers, and the time it had before. */
static bool takes_newcomers(const struct session *s)
{
	for (int i = 0; i < s->nr_counters; i++) {
		const struct event *e = s->counters[i].event;

		if (e->sampled || cpu_time__is(e))
			return false;
	}
	return s->opts.newcomers && !s->opts.sets;
}

int session__place(struct session *s, struct err *err)
{
	const struct cpulist *base = &s->machine->online;
	int rc = 0;

	if (!s->per_cpu) {
		place_on_tasks(s);
		return 0;
	}
	if (!s->target->cpus.nr && takes_newcomers(s) && s->machine->present.nr)
		base = &s->machine->present;
	if (s->target->cpus.nr) {
		base = &s->target->cpus;
		rc = check_cpus(s, base, err);
	}
	if (rc)
		return rc;
	for (int i = 0; i < s->nr_counters; i++)
		place_counter(s, &s->counters[i], base);
	ungroup_strays(s);
	add_units(s);
	join_software(s);
	if (!s->units.nr)
		return err__set(err, EINVAL, "%s counts on none of the CPUs asked for (%s)",
				s->events->at[0]->name, s->target->cpus.nr ? "-C" : "-a");
	return 0;
}
