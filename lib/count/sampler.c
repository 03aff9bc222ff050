// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rate of samples, and the buffers for them. libperf reads the buffers, but they are mapped
 * here: perf_evlist__mmap() maps all CPUs together, and the buffer of a CPU that comes back is
 * mapped by itself.
 */
#include "count/sampler.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <internal/lib.h>

#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/xalloc.h"
#include "count/session.h"

/*
 * The assumed cost of a sample with its interrupt. The kernel's own limits, 100000 samples a second
 * in 25 % of the time (perf_event_max_sample_rate, perf_cpu_time_max_percent), allow 2.5 us of a
 * CPU for each sample. In addition, a record of PEBS must be written and read.
 */
#define SAMPLE_COST_NS 4000
#define BUDGET_NS 10000000 /* time for all samples in a second of a CPU: 1 % */
#define MOST_FREQUENT 1000 /* more samples of an event than this do not improve its mean */
#define KERNEL_MAX_RATE 100000

#define RECORD_BYTES 40
#define LONGEST_TICK_NS 1000000000ULL
#define FIRST_TICK_NS 10000000ULL

/* Memory for a record that wraps around; all records used here are shorter. */
#define COPY_BYTES 256

static bool is_sampled(const struct counter *c)
{
	return c->event->sampled && c->evsel;
}

static uint64_t read_limit(const struct sampler *p, const char *name, uint64_t otherwise)
{
	const char *procfs = p->session->machine->procfs;
	char text[32];
	uint64_t limit;

	if (file__read_line(text, sizeof(text), "%s/sys/kernel/%s", procfs, name) < 0 ||
	    num__parse_u64(name, text, 0, UINT64_MAX, &limit, NULL))
		return otherwise;
	return limit;
}

/* Find the CPUs on which events are sampled, and the largest number of events on a CPU. */
static void find_cpus(struct sampler *p)
{
	VEC(int) nr = { .at = NULL };
	const struct counter *c;
	const int *cpu;

	counters__for_each(c, p->counters) {
		if (!is_sampled(c))
			continue;
		cpulist__for_each(cpu, p->counters->units.per_cpu ? &c->cpus : &c->places) {
			while (nr.nr <= *cpu)
				vec__push(&nr, 0);
			cpulist__add(&p->cpus, *cpu);
			if (++nr.at[*cpu] > p->nr_per_cpu)
				p->nr_per_cpu = nr.at[*cpu];
		}
	}
	vec__free(&nr);
}

static int choose_rate(void *self, struct err *err)
{
	struct sampler *p = self;
	const struct latency_options *o = &p->session->opts.latency;
	uint64_t frequency;

	p->max_rate = read_limit(p, "perf_event_max_sample_rate", KERNEL_MAX_RATE);
	p->period = o->period;
	if (o->period)
		return 0;
	p->frequency = o->frequency;
	if (o->frequency > p->max_rate)
		return err__set(err, ERANGE,
				"%" PRIu64 " samples a second (--tpebs-frequency): "
					   "kernel.perf_event_max_sample_rate allows %" PRIu64
				" here\n"
				"Request fewer, or raise it with sysctl, as root",
				o->frequency, p->max_rate);
	if (o->frequency)
		return 0;
	frequency = BUDGET_NS / SAMPLE_COST_NS / p->nr_per_cpu;
	if (frequency > MOST_FREQUENT)
		frequency = MOST_FREQUENT;
	if (frequency > p->max_rate)
		frequency = p->max_rate;
	p->frequency = frequency ? frequency : 1;
	return 0;
}

/*
 * Choose the time between reads: the time in which half of a buffer fills, at the highest possible
 * rate on a CPU.
 */
static void choose_ticks(struct sampler *p)
{
	uint64_t rate = (p->period ? p->max_rate : p->frequency) * p->nr_per_cpu;
	uint64_t records = (uint64_t)p->pages * page_size / RECORD_BYTES;
	uint64_t ns = records * 500000000ULL / (rate ? rate : 1);

	if (ns > LONGEST_TICK_NS)
		ns = LONGEST_TICK_NS;
	if (ns < SAMPLER_SHORTEST_TICK_NS)
		ns = SAMPLER_SHORTEST_TICK_NS;
	p->longest_tick_ns = ns;
	p->tick_ns = ns < FIRST_TICK_NS ? ns : FIRST_TICK_NS;
}

static void sampler__init(void *self)
{
	struct sampler *p = self;
	struct session *s = p->session;

	p->counters = &s->counters;
	p->pages = SAMPLER_PAGES;
	find_cpus(p);
	p->buffers = xcalloc(p->cpus.nr, sizeof(*p->buffers));
	p->events = xcalloc(s->counters.nr, sizeof(*p->events));
	p->sums = latencies__new(s->events, s->counters.units.nr, p->session->opts.latency.mode);
}

static void unmap_all(struct sampler *p)
{
	for (int i = 0; i < p->cpus.nr; i++)
		perf_mmap__munmap(&p->buffers[i]);
	p->sources.nr = 0;
}

static void sampler__free_all(void *self)
{
	struct sampler *p = self;

	unmap_all(p);
	free(p->buffers);
	free(p->events);
	latencies__free(p->sums, p->counters->nr * p->counters->units.nr);
	vec__free(&p->sources);
	cpulist__free(&p->cpus);
}

void sampler__set_attr(const struct sampler *p, const struct counter *c,
		       struct perf_event_attr *attr)
{
	attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
			    PERF_SAMPLE_WEIGHT_STRUCT;
	attr->freq = !p->period;
	if (p->period)
		attr->sample_period = p->period;
	else
		attr->sample_freq = p->frequency;
	/* Only records of PEBS have latencies, and PEBS does not cover guests. */
	if (!attr->precise_ip)
		attr->precise_ip = 1;
	attr->exclude_guest = !c->no_guest;
	/* No process waits for a buffer to fill: buffers are read before they are full. */
	attr->watermark = 1;
	if (!c->no_lost)
		attr->read_format |= PERF_FORMAT_LOST;
}

static int map_buffer(const struct sampler *p, struct perf_mmap *map, int fd)
{
	size_t size = ((size_t)p->pages + 1) * page_size;
	void *base = p->counters->kernel->mmap(fd, size);

	if (base == MAP_FAILED)
		return -errno;
	perf_mmap__init(map, NULL, false, NULL);
	map->base = base;
	map->mask = p->pages * page_size - 1;
	map->fd = fd;
	map->prev = 0;
	/*
	 * libperf unmaps a buffer with its last reference. This extra reference keeps the buffer
	 * mapped until it is unmapped here.
	 */
	refcount_set(&map->refcnt, 2);
	map->event_copy = xmalloc(COPY_BYTES);
	map->event_copy_sz = COPY_BYTES;
	return 0;
}

/*
 * Share a buffer: the first counter of a CPU has the buffer, and the other counters write into it.
 */
static int join_buffer(const struct sampler *p, int fd, int cpu)
{
	struct perf_mmap *map = &p->buffers[cpulist__index(&p->cpus, cpu)];

	if (!map->base)
		return map_buffer(p, map, fd);
	if (p->counters->kernel->ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, (void *)(long)map->fd))
		return -errno;
	return 0;
}

static int map_counter(struct sampler *p, int event, int unit)
{
	const struct counter *c = &p->counters->at[event];
	struct sample_source source = { .event = event, .unit = unit };
	int rc = 0, place, *fd;

	if (!is_sampled(c))
		return 0;
	counter__for_each_fd(fd, place, p->counters, c, unit) {
		rc = join_buffer(p, *fd, counter__cpu(p->counters, c, unit, place));
		if (!rc && p->counters->kernel->ioctl(*fd, PERF_EVENT_IOC_ID, &source.id))
			rc = -errno;
		if (rc)
			break;
		vec__push(&p->sources, source);
	}
	return rc;
}

int sample_source__compare(const void *va, const void *vb)
{
	const struct sample_source *a = va, *b = vb;

	return (a->id > b->id) - (a->id < b->id);
}

static int map_units(struct sampler *p, int first, int end)
{
	int rc = 0;

	for (int unit = first; !rc && unit < end; unit++)
		for (int i = 0; !rc && i < p->counters->nr; i++)
			rc = map_counter(p, i, unit);
	if (p->sources.nr)
		qsort(p->sources.at, p->sources.nr, sizeof(*p->sources.at),
		      sample_source__compare);
	return rc;
}

static int refused(const struct sampler *p, int code, struct err *err)
{
	uint64_t kb = ((uint64_t)p->pages + 1) * page_size / 1024;
	uint64_t limit = read_limit(p, "perf_event_mlock_kb", 0);
	struct rlimit locked;

	err__set(err, code, "cannot map a buffer of %" PRIu64 " KB for the samples of each of %d "
		 "CPUs: %s", kb, p->cpus.nr, strerror(code));
	if (code != EPERM && code != ENOMEM)
		return -code;
	err__append(err, "\nkernel.perf_event_mlock_kb is %" PRIu64 " here, for each CPU and all "
		    "profilers of a user", limit);
	if (!getrlimit(RLIMIT_MEMLOCK, &locked) && locked.rlim_cur != RLIM_INFINITY)
		err__append(err, "; ulimit -l, for memory beyond it, is %" PRIu64 " KB",
			    (uint64_t)locked.rlim_cur / 1024);
	err__append(err, ". What helps:");
	err__append(err, "\n1. end other profilers, or count on fewer CPUs (-C)");
	err__append(err, "\n2. let buffers be larger: sysctl kernel.perf_event_mlock_kb=%" PRIu64
		    ", as root", 2 * limit + kb);
	return err__append(err, "\n3. let more memory be locked: ulimit -l unlimited, or be root");
}

/*
 * Make a buffer for each CPU, once all counters are open. The buffers are smaller if the kernel
 * refuses to lock so much memory.
 */
static int map_all(void *self, struct err *err)
{
	struct sampler *p = self;
	int rc;

	for (;;) {
		rc = map_units(p, 0, p->counters->units.nr);
		if (!rc)
			break;
		unmap_all(p);
		if ((rc != -EPERM && rc != -ENOMEM) || p->pages == 1)
			return refused(p, -rc, err);
		p->pages /= 2;
	}
	choose_ticks(p);
	p->drained_ns = clock__now_ns();
	return 0;
}

/* Map the buffer of a CPU that came back; its counters are open again. */
static int map_unit(void *self, int unit, struct err *err)
{
	struct sampler *p = self;
	int rc = map_units(p, unit, unit + 1);

	return rc ? refused(p, -rc, err) : 0;
}

/* Read the rest of the buffer of a CPU that went offline, and unmap it. */
static void unmap_unit(void *self, int unit)
{
	struct sampler *p = self;
	int at = cpulist__index(&p->cpus, p->counters->units.at[unit].id), kept = 0;

	sampler__drain(p);
	if (at >= 0)
		perf_mmap__munmap(&p->buffers[at]);
	for (int i = 0; i < p->sources.nr; i++)
		if (p->sources.at[i].unit != unit)
			p->sources.at[kept++] = p->sources.at[i];
	p->sources.nr = kept;
}

/* The buffers are read again after a tick. */
static uint64_t sampler__before_sleep(void *self, uint64_t now_ns, uint64_t deadline_ns)
{
	const struct sampler *p = self;
	uint64_t start_ns = p->session->clock.start_ns, due_ns = p->drained_ns + p->tick_ns;

	(void)deadline_ns;
	return due_ns > start_ns + now_ns ? due_ns - start_ns : now_ns;
}

const struct attachment sampler__attachment = {
	.size = sizeof(struct sampler),
	.init = sampler__init,
	.check = choose_rate,
	.open = map_all,
	.before_sleep = sampler__before_sleep,
	.after_sleep = sampler__tick,
	.leave = unmap_unit,
	.come_back = map_unit,
	.free = sampler__free_all,
};
