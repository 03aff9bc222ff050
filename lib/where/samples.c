// SPDX-License-Identifier: GPL-2.0-only
/* Opens sampling counters on a target, and reads their buffers until the sampling ends. */
#include "where/samples.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "count/clock.h"
#include "count/kernel.h"
#include "count/ring.h"
#include "count/unit.h"
#include "count/workload.h"
#include "machine/machine.h"
#include "where/maps.h"

#define RING_PAGES 64
#define SMALL_RING_PAGES 8 /* pages of a buffer if there are many buffers */
#define MOST_COUNTERS 4096
#define MOST_RECORDS (4 << 20)
#define TICK_MS 100

/**
 * struct source_of_samples - a counter that samples
 * @id: id of the counter in its records
 */
struct source_of_samples {
	int fd, event;
	uint64_t id;
};

/**
 * struct sampling - the state of sampling
 * @user_only: this user may not sample the kernel
 * @began_ns:  when the command was let go
 * @inherits:  children are sampled, too; there is a buffer for each CPU
 * @late:      for each event, whether it was opened with less precision than requested
 */
struct sampling {
	const struct where_options *o;
	struct sample_records *records;
	struct where *out;
	struct workload workload;
	struct unit_list units;
	struct watch watch;
	VEC(struct ring) rings;
	VEC(struct source_of_samples) sources;
	uint64_t began_ns;
	bool user_only, inherits, late[WHERE_EVENTS];
	char *copy;
};

/* --- Opening --------------------------------------------------------------------------------- */

/*
 * Whether exec enables the counters, as with those of the command. Counters of whole CPUs do not
 * have a task whose exec could enable them.
 */
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
	attr->read_format = 0;
	sample_record__set_attr(attr, !event);
	attr->enable_on_exec = enabled_by_exec(s);
	attr->exclude_kernel |= s->user_only;
	attr->exclude_hv |= s->user_only;
}

/* Open a counter. If the kernel refuses it, try less precision, or leave out the kernel. */
static int samples__open_one(struct sampling *s, int event, pid_t pid, int cpu)
{
	bool cgroup = s->o->cgroup_fd >= 0 && pid < 0;
	unsigned long flags = PERF_FLAG_FD_CLOEXEC | (cgroup ? PERF_FLAG_PID_CGROUP : 0);
	pid_t of = cgroup ? s->o->cgroup_fd : pid;
	struct perf_event_attr attr;
	int fd;

	samples__set_attr(s, event, &attr);
	fd = count_kernel__linux.open(&attr, of, cpu, -1, flags);
	while (fd < 0 && attr.precise_ip &&
	       (errno == EOPNOTSUPP || errno == EINVAL || errno == ENOENT)) {
		attr.precise_ip--;
		fd = count_kernel__linux.open(&attr, of, cpu, -1, flags);
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
	struct ring ring;
	int rc = ring__map(&ring, &count_kernel__linux, fd,
			   s->inherits ? RING_PAGES : SMALL_RING_PAGES);

	if (!rc)
		vec__push(&s->rings, ring);
	return rc;
}

/* All events of a CPU or thread write into the buffer of its first event. */
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
		/* A simulated machine may have CPUs that this computer does not have. */
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

static void close_sources(struct sampling *s)
{
	for (int i = 0; i < s->rings.nr; i++)
		ring__unmap(&s->rings.at[i]);
	for (int i = 0; i < s->sources.nr; i++)
		close(s->sources.at[i].fd);
	s->rings.nr = s->sources.nr = 0;
}

/*
 * If no event of the CPU can be sampled, as in many virtual machines, sample by the kernel's clock.
 */
static int open_clock(struct sampling *s, int error)
{
	int rc;

	/* Close the counters that were opened before one failed: only the clock is sampled. */
	close_sources(s);
	memset(s->out->counted, 0, sizeof(s->out->counted));
	s->out->clock_alone = true;
	memset(s->late, 0, sizeof(s->late));
	rc = open_events(s);
	if (rc)
		return error;
	sb__printf(&s->out->notes, "%s cannot be sampled here (%s): the kernel's clock is used\n",
		   s->o->events[0].name, strerror(-error));
	return 0;
}

/* Return: the rights that sampling a target needs, to be appended to a message; or "". */
static const char *what_it_takes(const struct target *t)
{
	if (target__per_cpu(t))
		return "; the whole machine needs root, CAP_PERFMON or "
		       "kernel.perf_event_paranoid=0, a command of your own does not: "
		       "tma why COMMAND";
	if (target__names_tasks(t))
		return "; a process of another user needs root or CAP_PERFMON, your own need "
		       "kernel.perf_event_paranoid=2 or less";
	return "";
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
			 rc == -EACCES || rc == -EPERM ? what_it_takes(t) : "");
	return rc;
}

/* --- Records --------------------------------------------------------------------------------- */

static void samples__keep(struct sampling *s, struct sample_record record)
{
	record.order = s->records->nr;
	if (record.order >= MOST_RECORDS) {
		s->out->lost++;
		free(record.path);
		return;
	}
	/*
	 * The user of the process may have written names of its code, and can be found only while
	 * the process lives.
	 */
	if (record.kind == RECORD_MAPPED && !record.inode)
		record.uid = maps__owner_of(s->o->machine->procfs, record.pid);
	vec__push(s->records, record);
}

static void samples__take_record(void *arg, const struct perf_event_header *h)
{
	struct sampling *s = arg;
	struct sample_loss loss = {0};
	struct sample_record records[2];
	uint64_t id;
	int nr = sample_record__parse(h, records, &id, &loss);

	s->out->lost += loss.lost;
	if (id) {
		const struct source_of_samples *source =
			vec__find(a, &s->sources, a->id == id);

		if (!source)
			return;
		records[0].event = source->event;
	}
	for (int i = 0; i < nr; i++)
		samples__keep(s, records[i]);
}

static void drain_all(struct sampling *s)
{
	const struct ring_taker taker = {samples__take_record, s};

	for (int i = 0; i < s->rings.nr; i++)
		ring__drain(&s->rings.at[i], s->copy, &taker);
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
	/* If there is another target, the command only sets the end of the sampling. */
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
	close_sources(s);
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
		  struct sample_records *records, struct where *out, struct err *err)
{
	struct sampling s = {.o = o,
			     .records = records,
			     .out = out,
			     .workload = {.argv = o->target->argv, .fd = -1},
			     .copy = xmalloc(RING_RECORD_MAX)};
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
	sample_records__sort(records);
	samples__free_all(&s);
	return rc;
}
