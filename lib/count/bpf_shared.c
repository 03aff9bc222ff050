// SPDX-License-Identifier: GPL-2.0-only
/*
 * Leaders count events all the time, once for all processes (bpf_leader.h). In each process a
 * follower adds up the counts that the process wants: those of its tasks, or of each CPU. Before
 * the sums are read, leader and follower are run once more on each CPU, because they have not yet
 * seen the counts since the CPU's last switch to another task.
 */
#include "count/bpf_shared.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "count/bpf_leader.h"
#include "count/bpf_library.h"
#include "count/session.h"

#if BPF_IS_BUILT

#define THREADS_MIN 16384	   /* the map has room for this many threads, plus twice the threads
				    * of the start */
#define FIRST_PID_NS 4026531836UL /* inode of the outermost namespace of process numbers */

/**
 * struct follower - the BPF program that counts one event
 * @object: the program's object with its maps; NULL for an event that BPF programs do not count
 * @program: of @object
 */
struct follower {
	struct bpf_object *object;
	struct bpf_link *link;
	int program;
	struct bpf_leader leader;
};

/**
 * struct bpf_shared - counters that processes share
 * @at:     a follower for each event
 * @tasks:  (if tasks are counted) the programs that follow forks; @links: a link for each program
 * @units:  (if tasks are counted) descriptor of the map from threads to units, or -1
 * @values: memory for the parts of one sum; @nr_cpus: number of parts, one for each possible CPU
 * @warned_of_missed: a warning reported that the map had no room for some threads
 */
struct bpf_shared {
	struct session *session;
	struct follower *at;
	struct bpf_object *tasks;
	struct bpf_link *links[2];
	int units, nr_cpus;
	struct bpf_perf_event_value *values;
	bool warned_of_missed;
};

/** for_each_follower() - walk the events that have a follower; @i is an int. */
#define for_each_follower(f, i, b)                                                                 \
	for ((i) = 0; (i) < (b)->session->counters.nr; (i)++)                                      \
		if (((f) = &(b)->at[i])->object)

/* --- Which threads are counted -------------------------------------------------------------- */

/* BPF programs identify threads by the numbers that the threads have outside all containers. */
static int check_namespace(struct err *err)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) || st.st_ino == FIRST_PID_NS)
		return 0;
	return err__set(err, ENOTSUP,
			"shared counters know tasks by their numbers outside of containers, and tma "
			"runs in one: run it outside, or count CPUs (-a)");
}

static int make_units(struct bpf_shared *b, struct err *err)
{
	const struct unit_list *units = &b->session->counters.units;
	unsigned int room = 2 * units->nr > THREADS_MIN ? 2 * units->nr : THREADS_MIN;
	int rc = 0;

	b->units = lib_bpf_map_create(BPF_MAP_TYPE_HASH, "units", sizeof(__u32), sizeof(__u32),
				      room, NULL);
	if (b->units < 0)
		return err__set(err, -b->units, "cannot make a BPF map for %u threads: %s", room,
				strerror(-b->units));
	for (__u32 i = 0; !rc && i < (__u32)units->nr; i++)
		rc = lib_bpf_map_update_elem(b->units, &units->at[i].id, &i, BPF_ANY);
	return rc ? err__set(err, -rc, "shared counters: %s", strerror(-rc)) : 0;
}

static int follow_forks(struct bpf_shared *b, struct err *err)
{
	int rc = check_namespace(err) ?: make_units(b, err);

	if (rc)
		return rc;
	b->tasks = bpf_object__begin(BPF_TASKS, err);
	if (!b->tasks)
		return -err->code;
	rc = bpf_object__give_map(b->tasks, "units", b->units, err)
		     ?: bpf_object__finish(b->tasks, err);
	if (rc)
		return rc;
	b->links[0] = bpf_object__attach(b->tasks, "task_is_gone", err);
	if (b->links[0] && !b->session->opts.no_inherit)
		b->links[1] = bpf_object__attach(b->tasks, "task_begins", err);
	return err->code ? -err->code : 0;
}

/* --- Followers -------------------------------------------------------------------------------- */

static int load_follower(struct bpf_shared *b, struct follower *f, struct err *err)
{
	int rc = bpf_object__give_map(f->object, "prev_readings", f->leader.readings, err);

	if (!rc && b->units >= 0)
		rc = bpf_object__give_map(f->object, "units", b->units, err);
	if (rc)
		return rc;
	if (b->units >= 0)
		bpf_object__size_map(f->object, "sums", b->session->counters.units.nr);
	rc = bpf_object__finish(f->object, err);
	if (rc)
		return rc;
	f->program = lib_bpf_program__fd(lib_bpf_object__find_program_by_name(f->object, "follow"));
	f->link = bpf_object__attach(f->object, "follow", err);
	return f->link ? 0 : -err->code;
}

static int begin_to_follow(struct bpf_shared *b, struct counter *c, struct err *err)
{
	struct session *s = b->session;
	struct follower *f = &b->at[c - s->counters.at];
	int rc = bpf_leader__find(s, c, s->opts.bpf_attr_map, &f->leader, err);

	if (rc > 0 && refusal__unsupported(rc)) {
		c->refused = rc;
		return 0;
	}
	if (rc)
		return rc > 0 ? refusal__explain(s, c, 0, rc, err) : rc;
	f->object = bpf_object__begin(BPF_FOLLOWER, err);
	if (!f->object)
		return -err->code;
	rc = load_follower(b, f, err);
	if (rc)
		return err__prefix(err, "%s: ", c->event->name);
	c->opened = true;
	return 0;
}

static int open_all(void *self, struct err *err)
{
	struct bpf_shared *b = self;
	struct session *s = b->session;
	struct counter *c;
	int rc = bpf_library__load(err);

	if (rc)
		return rc;
	b->nr_cpus = lib_libbpf_num_possible_cpus();
	b->values = xcalloc(b->nr_cpus, sizeof(*b->values));
	b->at = xcalloc(s->counters.nr, sizeof(*b->at));
	for (int i = 0; i < s->counters.nr; i++)
		b->at[i].leader = (struct bpf_leader)BPF_LEADER_INIT;
	if (!s->counters.units.per_cpu)
		rc = follow_forks(b, err);
	counters__for_each(c, &s->counters)
		if (!rc && c->event->bpf && c->turn == TURN_NOW)
			rc = begin_to_follow(b, c, err);
	return rc;
}

/* Bring a follower's sums up to date, whether or not it counts. */
static void catch_up(const struct bpf_shared *b, const struct follower *f)
{
	const int *cpu;

	cpulist__for_each(cpu, &b->session->machine->online) {
		bpf_program__run_on(f->leader.program, *cpu);
		bpf_program__run_on(f->program, *cpu);
	}
}

static void bpf_shared__enable(void *self, int event, bool on)
{
	struct bpf_shared *b = self;
	struct bpf_settings set = { .enabled = on, .of_tasks = b->units >= 0 };
	struct follower *f;
	__u32 first = 0;
	int i;

	/* A session that ends before it is opened does not have followers. */
	if (!b->at)
		return;
	for_each_follower(f, i, b) {
		if (event >= 0 && event != i)
			continue;
		catch_up(b, f);
		lib_bpf_map_update_elem(bpf_object__map_fd(f->object, "settings"), &first, &set,
					BPF_ANY);
	}
}

void bpf_shared__let_run(struct session *s)
{
	if (s->attached[BPF_SHARED])
		bpf_shared__enable(s->attached[BPF_SHARED], -1, true);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static struct bpf_perf_event_value sum_of_unit(const struct bpf_shared *b, int id)
{
	struct bpf_perf_event_value sum = { .counter = 0 };

	if (b->units < 0)
		return id < b->nr_cpus ? b->values[id] : sum;
	for (int cpu = 0; cpu < b->nr_cpus; cpu++) {
		sum.counter += b->values[cpu].counter;
		sum.enabled += b->values[cpu].enabled;
		sum.running += b->values[cpu].running;
	}
	return sum;
}

static void lose(struct bpf_shared *b, struct sample *sample)
{
	struct readings *rs = &b->session->readings;

	*sample = (struct sample){ .status = SAMPLE_LOST };
	rs->unread++;
	rs->failed++;
}

static void read_one(struct bpf_shared *b, const struct follower *f, struct sample *samples,
		     bool scale)
{
	const struct unit_list *units = &b->session->counters.units;
	int sums = bpf_object__map_fd(f->object, "sums");

	for (int i = 0; i < units->nr; i++) {
		__u32 key = b->units < 0 ? 0 : i;
		struct bpf_perf_event_value v;

		if (samples[i].status == SAMPLE_ABSENT)
			continue;
		if (lib_bpf_map_lookup_elem(sums, &key, b->values)) {
			lose(b, &samples[i]);
			continue;
		}
		v = sum_of_unit(b, units->at[i].id);
		samples[i] = (struct sample){ .value = v.counter, .enabled = v.enabled,
					      .running = v.running };
		sample__finish(&samples[i], false, scale);
	}
}

static void warn_of_missed(struct bpf_shared *b)
{
	__u64 missed = 0;
	__u32 first = 0;

	if (b->warned_of_missed || !b->tasks ||
	    lib_bpf_map_lookup_elem(bpf_object__map_fd(b->tasks, "missed"), &first, &missed) ||
	    !missed)
		return;
	b->warned_of_missed = true;
	sb__printf(&b->session->warnings,
		   "more threads run than shared counters have room for: some are not counted\n");
}

void bpf_shared__read(void *self, struct counts *total)
{
	struct bpf_shared *b = self;
	struct follower *f;
	int i;

	for_each_follower(f, i, b) {
		catch_up(b, f);
		read_one(b, f, &total->at[i * total->nr_units], total->scale);
	}
	warn_of_missed(b);
}

static int bpf_shared__come_back(void *self, int unit, struct err *err)
{
	(void)self;
	(void)unit;
	return err__set(err, ENOTSUP, "its shared counters ended when it went offline");
}

static void bpf_shared__free_all(void *self)
{
	struct bpf_shared *b = self;

	for (int i = 0; b->at && i < b->session->counters.nr; i++) {
		struct follower *f = &b->at[i];

		if (f->link)
			lib_bpf_link__destroy(f->link);
		if (f->object)
			lib_bpf_object__close(f->object);
		bpf_leader__leave(&f->leader);
	}
	for (int i = 0; i < 2; i++)
		if (b->links[i])
			lib_bpf_link__destroy(b->links[i]);
	if (b->tasks)
		lib_bpf_object__close(b->tasks);
	if (b->units >= 0)
		close(b->units);
	free(b->values);
	free(b->at);
}

static void bpf_shared__init(void *self)
{
	struct bpf_shared *b = self;

	b->units = -1;
}

const struct attachment bpf_shared__attachment = {
	.size = sizeof(struct bpf_shared),
	.init = bpf_shared__init,
	.open = open_all,
	.enable = bpf_shared__enable,
	.come_back = bpf_shared__come_back,
	.free = bpf_shared__free_all,
};

#else

void bpf_shared__read(void *self, struct counts *total)
{
	(void)self;
	(void)total;
}

void bpf_shared__let_run(struct session *s)
{
	(void)s;
}

static int open_all(void *self, struct err *err)
{
	(void)self;
	return bpf_library__load(err);
}

const struct attachment bpf_shared__attachment = {
	.size = sizeof(struct session *),
	.open = open_all,
};

#endif
