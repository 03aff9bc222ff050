// SPDX-License-Identifier: GPL-2.0-only
/* Sampling counters are opened on a target, and their buffers read until it ends. */
#include "where/samples.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "count/clock.h"
#include "count/kernel.h"
#include "count/unit.h"
#include "count/workload.h"
#include "machine/machine.h"
#include "where/maps.h"

#define RING_PAGES 64
#define SMALL_RING_PAGES 8 /* where there are many */
#define MOST_COUNTERS 4096
#define MOST_RECORDS (4 << 20)
#define RECORD_MAX 65536
#define TICK_MS 100

/**
 * struct ring - the buffer of a CPU, or of a thread
 * @fd: of the counter that has it; @base: the first page, which tells where the records are
 */
struct ring {
	int fd;
	struct perf_event_mmap_page *base;
	uint64_t size;
};

/** struct source_of_samples - a counter. @id: in its records */
struct source_of_samples {
	int fd, event;
	uint64_t id;
};

/**
 * struct sampling - under way
 * @user_only: the kernel does not let this user see into it
 * @began_ns:  when the command was let go
 * @inherits:  children are sampled too, in a buffer for each CPU
 * @late:      more precision was asked for than there is for the event: none
 */
struct sampling {
	const struct where_options *o;
	struct where_records *records;
	struct where *out;
	struct workload workload;
	struct unit_list units;
	struct watch watch;
	VEC(struct ring) rings;
	VEC(struct source_of_samples) sources;
	size_t page;
	uint64_t began_ns;
	bool user_only, inherits, late[WHERE_EVENTS];
	char *copy;
};

/* --- Opening --------------------------------------------------------------------------------- */

/* Counters of the command begin with it; those of whole CPUs have no task that would do that. */
static bool enabled_by_exec(const struct sampling *s)
{
	const struct target *t = s->o->target;

	return s->workload.pid > 0 && !target__per_cpu(t) && !target__names_tasks(t);
}

static void samples__set_attr(const struct sampling *s, int event, struct perf_event_attr *attr)
{
	*attr = s->o->events[event].attr;
	if (s->out->clock_alone)
		*attr = (struct perf_event_attr){.type = PERF_TYPE_SOFTWARE,
						 .config = PERF_COUNT_SW_CPU_CLOCK};
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	attr->inherit = s->inherits && !target__per_cpu(s->o->target);
	attr->freq = 1;
	attr->sample_freq = s->o->frequency;
	attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			    PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;
	attr->read_format = 0;
	attr->sample_id_all = 1;
	attr->mmap = attr->mmap2 = attr->comm = attr->comm_exec = attr->task = !event;
	attr->enable_on_exec = enabled_by_exec(s);
	attr->exclude_kernel |= s->user_only;
	attr->exclude_hv |= s->user_only;
}

/* Ask for less precision, and for less to be seen, where the kernel refuses more. */
static int samples__open_one(struct sampling *s, int event, pid_t pid, int cpu)
{
	unsigned long flags = PERF_FLAG_FD_CLOEXEC;
	struct perf_event_attr attr;
	int fd;

	if (s->o->cgroup_fd >= 0 && pid < 0) {
		flags |= PERF_FLAG_PID_CGROUP;
		pid = s->o->cgroup_fd;
	}
	samples__set_attr(s, event, &attr);
	fd = count_kernel__linux.open(&attr, pid, cpu, -1, flags);
	while (fd < 0 && attr.precise_ip &&
	       (errno == EOPNOTSUPP || errno == EINVAL || errno == ENOENT)) {
		attr.precise_ip--;
		fd = count_kernel__linux.open(&attr, pid, cpu, -1, flags);
	}
	if (fd >= 0 && s->o->events[event].attr.precise_ip && !attr.precise_ip &&
	    !s->out->clock_alone)
		s->late[event] = true;
	if (fd < 0 && (errno == EACCES || errno == EPERM) && !attr.exclude_kernel) {
		s->user_only = true;
		return samples__open_one(s, event, pid, cpu);
	}
	return fd < 0 ? -errno : fd;
}

static int map(struct sampling *s, int fd)
{
	size_t pages = s->inherits ? RING_PAGES : SMALL_RING_PAGES;
	void *base = MAP_FAILED;

	for (; pages && base == MAP_FAILED; pages /= 2) {
		base = count_kernel__linux.mmap(fd, (pages + 1) * s->page);
		if (base != MAP_FAILED)
			vec__push(&s->rings, ((struct ring){fd, base, pages * s->page}));
	}
	return base == MAP_FAILED ? -errno : 0;
}

/* All events of a CPU, or of a thread, write into the buffer of the first. */
static int open_at(struct sampling *s, pid_t pid, int cpu)
{
	int first = -1, rc = -ENOENT;

	for (int i = 0; i < (s->out->clock_alone ? 1 : s->o->nr_events); i++) {
		struct source_of_samples source = {.event = i};

		source.fd = samples__open_one(s, i, pid, cpu);
		if (source.fd < 0) {
			rc = first < 0 ? source.fd : rc;
			continue;
		}
		rc = first < 0						  ? map(s, source.fd)
		     : ioctl(source.fd, PERF_EVENT_IOC_SET_OUTPUT, first) ? -errno
									  : 0;
		if (!rc && ioctl(source.fd, PERF_EVENT_IOC_ID, &source.id))
			rc = -errno;
		if (rc) {
			close(source.fd);
			continue;
		}
		first = first < 0 ? source.fd : first;
		s->out->counted[i] = true;
		vec__push(&s->sources, source);
	}
	return first < 0 ? rc : 0;
}

static int open_on_cpus(struct sampling *s, pid_t pid, const struct cpulist *cpus)
{
	int rc = -ENODEV, opened = 0;
	const int *cpu;

	cpulist__for_each (cpu, cpus) {
		rc = open_at(s, pid, *cpu);
		opened += !rc;
		/* Of a simulated machine, this computer has not all CPUs. */
		if (rc && rc != -ENODEV && !(rc == -EINVAL && opened))
			return rc;
	}
	return opened ? 0 : rc;
}

static int open_tasks(struct sampling *s, const struct cpulist *online)
{
	int rc = -ESRCH, opened = 0;

	s->inherits = (int64_t)s->units.nr * online->nr * s->o->nr_events <= MOST_COUNTERS;
	for (int i = 0; i < s->units.nr; i++) {
		rc = s->inherits ? open_on_cpus(s, s->units.at[i].id, online)
				 : open_at(s, s->units.at[i].id, -1);
		opened += !rc;
		if (rc && rc != -ESRCH)
			return rc;
	}
	if (!s->inherits)
		sb__puts(
			&s->out->notes,
			"threads that start later are not sampled: there are too many to follow\n");
	return opened ? 0 : rc;
}

static int open_events(struct sampling *s)
{
	const struct target *t = s->o->target;
	const struct cpulist *online = &s->o->machine->online;

	if (target__names_tasks(t))
		return open_tasks(s, online);
	return target__per_cpu(t) ? open_on_cpus(s, -1, t->cpus.nr ? &t->cpus : online)
				  : open_on_cpus(s, s->workload.pid, online);
}

/* Where no event of the CPU can be sampled, as in many virtual machines, the kernel has a clock. */
static int open_clock(struct sampling *s, int error)
{
	int rc;

	s->out->clock_alone = true;
	memset(s->late, 0, sizeof(s->late));
	rc = open_events(s);
	if (rc)
		return error;
	sb__printf(&s->out->notes, "%s cannot be sampled here (%s): the kernel's clock is\n",
		   s->o->events[0].name, strerror(-error));
	return 0;
}

static int open_target(struct sampling *s, struct err *err)
{
	const struct target *t = s->o->target;
	int rc;

	s->inherits = true;
	if (t->argv) {
		rc = workload__fork(&s->workload, err);
		if (rc)
			return rc;
	}
	if (target__names_tasks(t)) {
		rc = target__find_threads(t, s->o->machine->procfs, &s->units, &s->watch, err);
		if (rc)
			return rc;
		s->out->nr_tasks = s->units.nr;
		s->out->nr_processes = s->watch.nr;
	}
	rc = open_events(s);
	if (rc && rc != -ESRCH && s->o->events[0].attr.type != PERF_TYPE_SOFTWARE)
		rc = open_clock(s, rc);
	if (rc && err && !*err->msg)
		err__set(err, -rc, "%s cannot be sampled: %s%s", s->o->events[0].name, strerror(-rc),
			 target__per_cpu(t) && (rc == -EACCES || rc == -EPERM) ?
				 "; the whole machine needs root, CAP_PERFMON or "
				 "kernel.perf_event_paranoid=0, a command of your own does not: "
				 "tma why COMMAND" :
				 "");
	return rc;
}

/* --- Records --------------------------------------------------------------------------------- */

struct sample_of_where {
	struct perf_event_header header;
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time_ns, period;
};

struct mapped {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t address, len, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t protection, flags;
	char path[];
};

struct forked {
	struct perf_event_header header;
	uint32_t pid, parent, tid, parent_tid;
	uint64_t time_ns;
};

struct comm_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	char name[];
};

/* What stands at the end of every record that is no sample. */
struct trailer {
	uint32_t pid, tid;
	uint64_t time_ns, id;
};

#define PROT_EXECUTED 4

static void samples__keep(struct sampling *s, struct where_record record)
{
	record.order = s->records->nr;
	if (record.order >= MOST_RECORDS) {
		s->out->lost++;
		free(record.path);
		return;
	}
	vec__push(s->records, record);
}

static uint64_t time_of(const struct perf_event_header *h)
{
	struct trailer trailer;

	memcpy(&trailer, (const char *)h + h->size - sizeof(trailer), sizeof(trailer));
	return trailer.time_ns;
}

static void samples__take_sample(struct sampling *s, const void *record)
{
	const struct sample_of_where *sample = record;
	const struct source_of_samples *source = vec__find(a, &s->sources, a->id == sample->id);

	if (!source)
		return;
	samples__keep(s, (struct where_record){
			.kind = RECORD_SAMPLED,
			.time_ns = sample->time_ns,
			.pid = sample->pid,
			.tid = sample->tid,
			.address = sample->ip,
			.period = sample->period,
			.event = source->event,
			.kernel = (sample->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
				  PERF_RECORD_MISC_KERNEL,
		});
}

static void take_mapped(struct sampling *s, const struct perf_event_header *h)
{
	const struct mapped *m = (const void *)h;
	size_t room = h->size - sizeof(*m) - sizeof(struct trailer);
	uid_t uid = -1;

	if (!(m->protection & PROT_EXECUTED) || h->misc & PERF_RECORD_MISC_MMAP_DATA)
		return;
	/* Its owner may name its code, and is known while it lives. */
	if (!m->inode)
		uid = maps__owner_of(s->o->machine->procfs, m->pid);
	samples__keep(s, (struct where_record){.kind = RECORD_MAPPED,
				      .time_ns = time_of(h),
				      .pid = m->pid,
				      .address = m->address,
				      .len = m->len,
				      .offset = m->offset,
				      .inode = m->inode,
				      .uid = uid,
				      .path = xstrndup(m->path, strnlen(m->path, room))});
}

static void samples__take_name(struct sampling *s, const struct perf_event_header *h)
{
	const struct comm_record *c = (const void *)h;
	size_t room = h->size - sizeof(*c) - sizeof(struct trailer);

	samples__keep(s, (struct where_record){.kind = RECORD_NAMED,
					       .time_ns = time_of(h),
					       .pid = c->pid,
					       .tid = c->tid,
					       .path = xstrndup(c->name, strnlen(c->name, room))});
}

static void samples__take_record(struct sampling *s, const struct perf_event_header *h)
{
	static const size_t least[] = {
		[PERF_RECORD_SAMPLE] = sizeof(struct sample_of_where),
		[PERF_RECORD_MMAP2] = sizeof(struct mapped) + sizeof(struct trailer),
		[PERF_RECORD_FORK] = sizeof(struct forked) + sizeof(struct trailer),
		[PERF_RECORD_COMM] = sizeof(struct comm_record) + sizeof(struct trailer),
		[PERF_RECORD_LOST] = sizeof(*h) + 2 * sizeof(uint64_t),
	};
	const struct forked *fork = (const void *)h;
	uint64_t lost;

	if (h->type >= sizeof(least) / sizeof(*least) || !least[h->type] ||
	    h->size < least[h->type])
		return;
	switch (h->type) {
	case PERF_RECORD_SAMPLE:
		samples__take_sample(s, h);
		break;
	case PERF_RECORD_MMAP2:
		take_mapped(s, h);
		break;
	case PERF_RECORD_FORK:
		samples__keep(s, (struct where_record){.kind = RECORD_FORKED,
					      .time_ns = fork->time_ns,
					      .pid = fork->pid,
					      .tid = fork->tid,
					      .parent = fork->parent,
					      .parent_tid = fork->parent_tid});
		break;
	case PERF_RECORD_COMM:
		if (h->misc & PERF_RECORD_MISC_COMM_EXEC)
			samples__keep(s, (struct where_record){.kind = RECORD_EXECUTED,
						      .time_ns = time_of(h),
						      .pid = fork->pid});
		samples__take_name(s, h);
		break;
	default:
		memcpy(&lost, (const char *)(h + 1) + sizeof(uint64_t), sizeof(lost));
		s->out->lost += lost;
	}
}

/* Records may wrap around the end of the buffer. */
static void copy_out(const struct sampling *s, const struct ring *r, uint64_t at, void *to,
		     size_t n)
{
	const char *data = (const char *)r->base + s->page;
	size_t begin = at % r->size, first = r->size - begin < n ? r->size - begin : n;

	memcpy(to, data + begin, first);
	memcpy((char *)to + first, data, n - first);
}

static void drain(struct sampling *s, const struct ring *r)
{
	uint64_t head = __atomic_load_n(&r->base->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = r->base->data_tail;
	struct perf_event_header h;

	while (head - tail >= sizeof(h) && head - tail <= r->size) {
		copy_out(s, r, tail, &h, sizeof(h));
		if (h.size < sizeof(h) || h.size > head - tail)
			break;
		copy_out(s, r, tail, s->copy, h.size);
		samples__take_record(s, (const void *)s->copy);
		tail += h.size;
	}
	__atomic_store_n(&r->base->data_tail, head, __ATOMIC_RELEASE);
}

static void drain_all(struct sampling *s)
{
	for (int i = 0; i < s->rings.nr; i++)
		drain(s, &s->rings.at[i]);
}

/* --- The run --------------------------------------------------------------------------------- */

static bool samples__has_ended(struct sampling *s)
{
	if (s->workload.pid)
		return workload__poll(&s->workload);
	for (int i = 0; i < s->watch.nr; i++)
		if (!kill(s->watch.at[i].pid, 0) || errno != ESRCH)
			return false;
	return s->watch.nr;
}

static void samples__wait_for_end(struct sampling *s)
{
	uint64_t end_ns = s->o->limit_ns ? clock__now_ns() + s->o->limit_ns : UINT64_MAX;
	const struct timespec tick = {.tv_nsec = TICK_MS * 1000000L};

	while (!samples__has_ended(s) && !session__signal() && clock__now_ns() < end_ns) {
		ppoll(NULL, 0, &tick, signals__wait_mask());
		drain_all(s);
	}
	for (int i = 0; i < s->sources.nr; i++)
		ioctl(s->sources.at[i].fd, PERF_EVENT_IOC_DISABLE, 0);
	drain_all(s);
	s->out->signal = session__signal();
}

static void end_command(struct sampling *s)
{
	struct workload *w = &s->workload;
	int sent = s->out->signal ?: SIGTERM;

	if (!w->pid)
		return;
	if (!w->started) {
		workload__discard(w);
		return;
	}
	if (!workload__poll(w))
		workload__finish(w, sent);
	if (WIFEXITED(w->status))
		s->out->status = WEXITSTATUS(w->status);
	else if (WTERMSIG(w->status) != sent)
		s->out->status = 128 + WTERMSIG(w->status);
	/* Beside other targets, it says but when to end. */
	if (!enabled_by_exec(s))
		return;
	s->out->ran = (struct where_ran){
		.elapsed_ns = w->ended_ns > s->began_ns ? w->ended_ns - s->began_ns : 0,
		.user_ns = w->time.user_ns,
		.system_ns = w->time.system_ns,
		.switches = w->switches,
		.faults = w->faults};
}

static void samples__free_all(struct sampling *s)
{
	for (int i = 0; i < s->rings.nr; i++)
		munmap(s->rings.at[i].base, s->rings.at[i].size + s->page);
	for (int i = 0; i < s->sources.nr; i++)
		close(s->sources.at[i].fd);
	vec__free(&s->rings);
	vec__free(&s->sources);
	vec__free(&s->units);
	free(s->watch.at);
	for (int i = 0; s->watch.fds && i < s->watch.nr; i++)
		if (s->watch.fds[i].fd >= 0)
			close(s->watch.fds[i].fd);
	free(s->watch.fds);
	free(s->copy);
}

static int samples__compare(const void *va, const void *vb)
{
	const struct where_record *a = va, *b = vb;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->order - b->order;
}

static void tell_late(struct sampling *s)
{
	for (int i = 0; i < s->o->nr_events; i++)
		if (s->late[i])
			sb__printf(&s->out->notes,
				   "%s is imprecise here: the cause may be just before this "
				   "place\n",
				   s->o->events[i].name);
}

int samples__take(const struct where_options *o, const struct where_beginning *beginning,
		  struct where_records *records, struct where *out, struct err *err)
{
	struct sampling s = {.o = o,
			     .records = records,
			     .out = out,
			     .page = sysconf(_SC_PAGESIZE),
			     .workload = {.argv = o->target->argv, .fd = -1},
			     .copy = xmalloc(RECORD_MAX)};
	int rc;

	signals__install();
	rc = open_target(&s, err);
	for (int i = 0; !rc && !enabled_by_exec(&s) && i < s.sources.nr; i++)
		ioctl(s.sources.at[i].fd, PERF_EVENT_IOC_ENABLE, 0);
	if (!rc)
		beginning->read(o, beginning->arg);
	s.began_ns = clock__now_ns();
	if (!rc && s.workload.pid)
		rc = workload__release(&s.workload, err);
	if (!rc)
		samples__wait_for_end(&s);
	out->elapsed_ns = clock__now_ns() - s.began_ns;
	end_command(&s);
	out->elapsed_ns = out->ran.elapsed_ns ?: out->elapsed_ns;
	signals__restore();
	if (!rc && s.user_only)
		sb__puts(&out->notes, "the kernel is not sampled: run as root or with CAP_PERFMON, "
				      "or set kernel.perf_event_paranoid to 1 or less\n");
	if (!rc)
		tell_late(&s);
	if (records->nr)
		qsort(records->at, records->nr, sizeof(*records->at), samples__compare);
	samples__free_all(&s);
	return rc;
}

void where_records__free(struct where_records *records)
{
	for (int i = 0; i < records->nr; i++)
		free(records->at[i].path);
	vec__free(records);
}
