// SPDX-License-Identifier: GPL-2.0-only
/*
 * The units that are counted: the threads of -p and -t, the CPUs of -a and -C, and where each event
 * is counted.
 */
#include "count/unit.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/xalloc.h"
#include "count/count.h"
#include "count/counters.h"

#define MAX_JOINED 256 /* most events in a group: the kernel refuses groups whose read is longer
		        * than 16 KiB */

bool target__per_cpu(const struct target *t)
{
	return (t->system_wide && !t->all_threads) || t->cpus.nr;
}

bool target__has_tasks(const struct target *t)
{
	return target__names_tasks(t) || t->all_threads;
}

int unit_list__find(const struct unit_list *units, int id, int hint)
{
	if (hint < units->nr && units->at[hint].id == id)
		return hint;
	for (int i = 0; i < units->nr; i++)
		if (units->at[i].id == id)
			return i;
	return -1;
}

/* --- Threads --------------------------------------------------------------------------------- */

/**
 * struct thread_search - the state of a search for threads and for processes whose end is watched
 * @process: process whose threads are being searched, or 0
 */
struct thread_search {
	const char *procfs;
	struct unit_list *units;
	struct watch *watch;
	pid_t process;
};

typedef int add_fn(struct thread_search *t, pid_t id, struct err *err);

static int add_thread(struct thread_search *t, pid_t tid, struct err *err)
{
	struct unit unit = {.id = tid, .process = t->process};

	(void)err;
	if (file__read_line(unit.comm, sizeof(unit.comm), "%s/%d/comm", t->procfs, tid) < 0)
		unit.comm[0] = '\0';
	vec__push(t->units, unit);
	return 0;
}

/*
 * Call @add for each name in a directory that is a number. Return: 0, what @add returns, or -errno.
 */
static int each_in_dir(struct thread_search *t, const char *path, add_fn *add, struct err *err)
{
	char **names;
	uint64_t id;
	int nr, rc = file__list_dir(&names, &nr, "%s", path);

	if (rc)
		return rc;
	for (int i = 0; !rc && i < nr; i++)
		if (!num__parse_u64("thread", names[i], 1, INT_MAX, &id, NULL))
			rc = add(t, id, err);
	file__free_names(names, nr);
	return rc;
}

static int add_threads_of(struct thread_search *t, pid_t pid, struct err *err)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%d/task", t->procfs, pid);
	t->process = pid;
	return each_in_dir(t, path, add_thread, err);
}

/* A task that is missing in procfs may still exist. */
static int not_found(const struct thread_search *t, const char *what, const char *option, pid_t id,
		     struct err *err)
{
	if (kill(id, 0) && errno == ESRCH)
		return err__set(err, ESRCH, "%s %d (%s): no such %s", what, id, option, what);
	return err__set(err, ESRCH,
			"%s %d (%s): it runs, but is not in %s: that is not mounted, hides it "
			"(hidepid), or is of another PID namespace",
			what, id, option, t->procfs);
}

static int add_process(struct thread_search *t, pid_t pid, struct err *err)
{
	int rc = add_threads_of(t, pid, err);

	if (rc == -ENOENT)
		return not_found(t, "process", "-p", pid, err);
	if (rc)
		return err__set(err, -rc, "process %d (-p): %s", pid, strerror(-rc));
	vec__push(t->watch, (struct watched){ .pid = pid });
	return 0;
}

/* Add the threads of a running process. It may have ended by now, and its end is not watched. */
static int add_running(struct thread_search *t, pid_t pid, struct err *err)
{
	add_threads_of(t, pid, err);
	return 0;
}

static int add_all_threads(struct thread_search *t, struct err *err)
{
	int rc = each_in_dir(t, t->procfs, add_running, err);

	if (rc)
		return err__set(err, -rc, "cannot list the threads in %s: %s", t->procfs,
				strerror(-rc));
	if (!t->units->nr)
		return err__set(err, ESRCH, "%s shows no threads: is procfs mounted there?",
				t->procfs);
	return 0;
}

static int add_tid(struct thread_search *t, pid_t tid, struct err *err)
{
	if (!file__exists("%s/%d", t->procfs, tid))
		return not_found(t, "thread", "-t", tid, err);
	t->process = 0;
	vec__push(t->watch, (struct watched){ .pid = tid });
	return add_thread(t, tid, err);
}

/* Call @add, unless it is NULL, for each number of a list. Return: 0, -EINVAL, -ERANGE or what @add
 * returns. */
static int each_number(struct thread_search *t, const char *what, const char *list, add_fn *add,
		       struct err *err)
{
	char *text = xstrdup(list), *rest = text, *item;
	uint64_t n;
	int rc = 0;

	while (!rc && (item = strsep(&rest, ","))) {
		rc = num__parse_u64(what, item, 1, INT_MAX, &n, err);
		if (!rc && add)
			rc = add(t, n, err);
	}
	free(text);
	return rc;
}

static int compare_units(const void *a, const void *b)
{
	const struct unit *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Sort units and remove duplicates: -p may name a process twice. */
static void sort_units(struct unit_list *units)
{
	int kept = 1;

	if (!units->nr)
		return;
	qsort(units->at, units->nr, sizeof(*units->at), compare_units);
	for (int i = 1; i < units->nr; i++)
		if (units->at[i].id != units->at[kept - 1].id)
			units->at[kept++] = units->at[i];
	units->nr = kept;
}

#define WHAT_PIDS "-p (process ids)"
#define WHAT_TIDS "-t (thread ids)"

int target__check_tasks(const struct target *t, struct err *err)
{
	int rc = 0;

	if (target__names_tasks(t) && target__per_cpu(t))
		return err__set(err, EINVAL,
				"%s counts some tasks, %s counts CPUs: use one of them",
				t->pids ? "-p" : "-t", t->cpus.nr ? "-C" : "-a");
	if (t->pids && t->tids)
		return err__set(
			err, EINVAL,
			"-p and -t cannot be combined: name processes or threads");
	if (t->pids)
		rc = each_number(NULL, WHAT_PIDS, t->pids, NULL, err);
	if (t->tids)
		rc = each_number(NULL, WHAT_TIDS, t->tids, NULL, err);
	return rc;
}

int target__find_threads(const struct target *t, const char *procfs, struct unit_list *units,
			 struct watch *watch, struct err *err)
{
	struct thread_search search = {.procfs = procfs, .units = units, .watch = watch};
	int rc = target__check_tasks(t, err);

	if (rc)
		return rc;
	if (t->pids)
		rc = each_number(&search, WHAT_PIDS, t->pids, add_process, err);
	if (t->tids)
		rc = each_number(&search, WHAT_TIDS, t->tids, add_tid, err);
	if (t->all_threads)
		rc = add_all_threads(&search, err);
	sort_units(units);
	return rc;
}

/* --- CPUs ------------------------------------------------------------------------------------ */

/* Append "WORDS 0-3", when there are any CPUs. */
static void put_cpus(const char *words, const struct cpulist *cpus, struct sb *sb)
{
	if (!cpus->nr)
		return;
	sb__puts(sb, words);
	cpulist__print(cpus, sb);
}

int target__check_cpus(const struct machine *m, const struct cpulist *wanted, struct err *err)
{
	struct cpulist missing = CPULIST_INIT, offline = CPULIST_INIT;
	struct sb text = SB_INIT;
	const int *cpu;
	int rc = 0;

	cpulist__for_each(cpu, wanted)
		if (!cpulist__has(&m->online, *cpu))
			cpulist__add(cpulist__has(&m->present, *cpu) ? &offline : &missing, *cpu);
	put_cpus("this machine has no CPU ", &missing, &text);
	put_cpus(missing.nr ? "; offline: CPU " : "offline: CPU ", &offline, &text);
	if (text.len) {
		put_cpus("; online: ", &m->online, &text);
		rc = err__set(err, ENODEV, "-C: %s", sb__str(&text));
	}
	cpulist__free(&missing);
	cpulist__free(&offline);
	sb__free(&text);
	return rc;
}

static enum cpu_shared shared(const struct machine *m, int a, int b)
{
	struct cpu at = machine__cpu(m, a), other = machine__cpu(m, b);

	return cpu__shared(&at, &other);
}

/* Keep the first CPU of each die: it counts for the whole die. */
static void one_per_package(struct machine *m, struct cpulist *cpus)
{
	int kept = 0;

	machine__load_topology(m);
	for (int i = 0; i < cpus->nr; i++) {
		int j = 0;

		while (j < kept && shared(m, cpus->at[i], cpus->at[j]) < SHARED_DIE)
			j++;
		if (j == kept)
			cpus->at[kept++] = cpus->at[i];
	}
	cpus->nr = kept;
}

/* Return: the CPU that the kernel moves an event on @cpu to: the nearest CPU of the PMU's list. */
static int find_nearest(const struct machine *m, const struct cpulist *pmu_cpus, int cpu)
{
	enum cpu_shared most = SHARED_NOTHING;
	const int *other;
	int best = -1;

	if (cpulist__has(pmu_cpus, cpu))
		return cpu;
	cpulist__for_each(other, pmu_cpus) {
		if (shared(m, cpu, *other) <= most)
			continue;
		most = shared(m, cpu, *other);
		best = *other;
	}
	return best;
}

/*
 * Place a counter on CPUs of -C that are not in the list of its PMU. The kernel accepts any CPU of
 * a core or package in place of the CPU in the list. Each of them counts the whole core or package,
 * so only one is used.
 */
static void place_on_others(struct machine *m, struct counter *c, const struct cpulist *base)
{
	struct cpulist taken = CPULIST_INIT;
	const int *cpu;

	machine__load_topology(m);
	cpulist__copy(&c->cpus, &taken);
	cpulist__for_each(cpu, base) {
		int other = find_nearest(m, &c->event->cpus, *cpu);

		if (other < 0 || cpulist__has(&taken, other))
			continue;
		cpulist__add(&taken, other);
		cpulist__add(&c->cpus, *cpu);
	}
	cpulist__free(&taken);
}

/* @base: the CPUs to count on; @named: -C named these CPUs. */
static void place_on_pmu_cpus(struct machine *m, struct counter *c, const struct cpulist *base,
			      bool named)
{
	const struct event *e = c->event;
	const int *cpu;

	/* A PMU that counts on all CPUs also counts on CPUs that come online later. */
	if (!e->requires_cpu && cpulist__equal(&e->cpus, &m->online)) {
		cpulist__copy(base, &c->cpus);
		return;
	}
	cpulist__and(base, &e->cpus, &c->cpus);
	/* A CPU that is offline may turn out to have any type of core. */
	cpulist__for_each(cpu, base)
		if (event__is_of_core(e) && !cpulist__has(&m->online, *cpu))
			cpulist__add(&c->cpus, *cpu);
	if (e->requires_cpu && named)
		place_on_others(m, c, base);
}

static void place_counter(struct machine *m, struct counter *c, const struct cpulist *base,
			  bool named)
{
	const struct event *e = c->event;
	const int *cpu;

	if (event_tool__is_once(e->tool)) {
		/* The event is counted on only one CPU, which must be online from the start. */
		cpulist__for_each(cpu, base)
			if (!c->cpus.nr && (named || cpulist__has(&m->online, *cpu)))
				cpulist__add(&c->cpus, *cpu);
	} else if (e->tool || e->any_cpu) {
		cpulist__copy(base, &c->cpus);
	} else {
		place_on_pmu_cpus(m, c, base, named);
		if (e->per_pkg)
			one_per_package(m, &c->cpus);
	}
}

/* @base: the CPUs to count on; in a run without events (-n) they are the units. */
static void add_units(struct counter_list *cs, const struct machine *m, const struct cpulist *base,
		      bool named)
{
	struct cpulist all = CPULIST_INIT, sum;
	const struct counter *c;
	const int *cpu;

	if (!cs->nr)
		cpulist__copy(base, &all);
	counters__for_each(c, cs) {
		sum = (struct cpulist)CPULIST_INIT;
		cpulist__or(&all, &c->cpus, &sum);
		cpulist__free(&all);
		all = sum;
	}
	cpulist__for_each(cpu, &all) {
		struct unit unit = { .id = *cpu };

		/* A CPU named with -C that is offline has been reported before. */
		unit.unseen = unit.away = !named && !cpulist__has(&m->online, *cpu);
		unit.late = unit.unseen && machine__is_hybrid(m);
		vec__push(&cs->units, unit);
	}
	cpulist__free(&all);
}

/*
 * Remove from groups the members that count on other CPUs than their leader: the kernel cannot
 * schedule these with the leader.
 */
static void ungroup_strays(struct counter_list *cs, struct sb *warnings)
{
	struct counter *c;

	counters__for_each(c, cs) {
		const struct counter *leader = c->leader;

		if (c == leader || cpulist__equal(&c->cpus, &leader->cpus))
			continue;
		/*
		 * Metrics' groups are split without a warning, as the user did not ask for these
		 * groups.
		 */
		if (!counter__may_come_apart(leader))
			sb__printf(warnings, "%s counts on other CPUs than %s: they are not a group\n",
				   c->event->name, leader->event->name);
		counter__leave_group(c);
	}
}

static bool is_software(const struct counter *c)
{
	const struct perf_event_attr *attr = &c->event->attr;

	return !c->event->tool && !c->event->retire_latency && !c->event->bpf &&
	       attr->type == PERF_TYPE_SOFTWARE &&
	       attr->config != PERF_COUNT_SW_BPF_OUTPUT && !attr->pinned && !attr->exclusive;
}

static bool go_together(const struct counter *a, const struct counter *b)
{
	return a->event->cgroup == b->event->cgroup && cpulist__equal(&a->cpus, &b->cpus);
}

/*
 * Join software events of a CPU into one group, except those that the user grouped. To read a
 * counter of another CPU, the kernel interrupts that CPU once for each group. Unlike hardware
 * events, software events in a group always count.
 */
static void join_software(struct counter_list *cs)
{
	struct counter *leader = NULL, *c;

	counters__for_each(c, cs) {
		if (c->leader != c || c->nr_members != 1 || !is_software(c))
			continue;
		if (!leader || leader->nr_members == MAX_JOINED || !go_together(leader, c)) {
			leader = c;
			continue;
		}
		c->leader = leader;
		c->joined = leader->joined = true;
		leader->nr_members++;
	}
}

/* Tasks are sampled on each CPU that they may run on, as a buffer cannot be for all CPUs. */
static void place_on_tasks(struct counter_list *cs, const struct cpulist *online)
{
	struct counter *c;

	counters__for_each(c, cs)
		if (c->event->sampled || c->located)
			cpulist__and(online, c->event->any_cpu ? online : &c->event->cpus,
				     &c->places);
}

int target__place(const struct target *t, struct machine *machine, struct counter_list *counters,
		  bool newcomers, bool apart, struct sb *warnings, struct err *err)
{
	const struct cpulist *base = &machine->online;
	bool named = t->cpus.nr;
	struct counter *c;
	int rc;

	if (!counters->units.per_cpu) {
		place_on_tasks(counters, &machine->online);
		return 0;
	}
	if (named) {
		base = &t->cpus;
		rc = target__check_cpus(machine, base, err);
		if (rc)
			return rc;
	} else if (newcomers && machine->present.nr) {
		base = &machine->present;
	}
	counters__for_each(c, counters)
		place_counter(machine, c, base, named);
	ungroup_strays(counters, warnings);
	add_units(counters, machine, base, named);
	if (!apart)
		join_software(counters);
	if (counters->units.nr)
		return 0;
	return err__set(err, EINVAL, "%s counts on none of the requested CPUs (%s)",
			counters->at[0].event->name, named ? "-C" : "-a");
}
