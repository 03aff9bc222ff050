// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is sampled: the rate, and the buffers. libperf reads them; they are mapped here, since
 * perf_evlist__mmap() takes all CPUs at once, and one that comes back is mapped alone.
 */
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
#include "count/sampler.h"

/*
 * What a sample is taken to cost, interrupt included. The kernel's own limits, 100000 samples a
 * second in 25 % of the time (perf_event_max_sample_rate, perf_cpu_time_max_percent), allow 2.5 us
 * of a CPU for each; a record of PEBS has to be written and read beside that.
 */
#define SAMPLE_COST_NS 4000
#define BUDGET_NS 10000000 /* of a CPU, in a second: 1 % */
#define MOST_FREQUENT 1000 /* more of one event make its mean no better */
#define KERNEL_MAX_RATE 100000

#define RECORD_BYTES 40
#define LONGEST_TICK_NS 1000000000ULL
#define FIRST_TICK_NS 10000000ULL

/* Room for a record that wraps around; any of ours is shorter. */
#define COPY_BYTES 256

static bool is_sampled(const struct counter *c)
{
	return c->event->sampled && c->evsel;
}

static uint64_t read_limit(const struct session *s, const char *name, uint64_t otherwise)
{
	char text[32];
	uint64_t limit;

	if (file__read_line(text, sizeof(text), "%s/sys/kernel/%s", s->machine->procfs, name) < 0 ||
	    num__parse_u64(name, text, 0, UINT64_MAX, &limit, NULL))
		return otherwise;
	return limit;
}

/* The CPUs on which anything is sampled, and how much on the one with the most. */
static void find_cpus(const struct session *s, struct sampler *p)
{
	VEC(int) nr = { .at = NULL };
	const int *cpu;

	for (int i = 0; i < s->nr_counters; i++) {
		const struct counter *c = &s->counters[i];

		if (!is_sampled(c))
			continue;
		cpulist__for_each(cpu, s->per_cpu ? &c->cpus : &c->places) {
			while (nr.nr <= *cpu)
				vec__push(&nr, 0);
			cpulist__add(&p->cpus, *cpu);
			if (++nr.at[*cpu] > p->nr_per_cpu)
				p->nr_per_cpu = nr.at[*cpu];
		}
	}
	vec__free(&nr);
}

static int choose_rate(const struct session *s, struct sampler *p, struct err *err)
{
	const struct latency_options *o = &s->opts.latency;
	uint64_t frequency;

	p->max_rate = read_limit(s, "perf_event_max_sample_rate", KERNEL_MAX_RATE);
	p->period = o->period;
	if (o->period)
		return 0;
	p->frequency = o->frequency;
	if (o->frequency > p->max_rate)
		return err__set(err, ERANGE,
				"%" PRIu64 " samples a second (--tpebs-frequency): "
				"kernel.perf_event_max_sample_rate allows %" PRIu64 " here\n"
				"Ask for less, or raise it with sysctl, as root",
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

/* Half of a buffer, at the highest rate there can be on a CPU. */
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

int sampler__new(struct session *s, struct err *err)
{
	struct sampler found = { .pages = SAMPLER_PAGES }, *p;

	find_cpus(s, &found);
	if (!found.cpus.nr)
		return 0;
	p = s->sampler = xmalloc(sizeof(*p));
	*p = found;
	p->buffers = xcalloc(p->cpus.nr, sizeof(*p->buffers));
	p->events = xcalloc(s->nr_counters, sizeof(*p->events));
	p->sums = latencies__new(s->events, s->units.nr, s->opts.latency.mode);
	return choose_rate(s, p, err);
}

static void unmap_all(struct sampler *p)
{
	for (int i = 0; i < p->cpus.nr; i++)
		perf_mmap__munmap(&p->buffers[i]);
	p->sources.nr = 0;
}

void sampler__free(struct session *s)
{
	struct sampler *p = s->sampler;

	unmap_all(p);
	free(p->buffers);
	free(p->events);
	latencies__free(p->sums, s->nr_counters * s->units.nr);
	vec__free(&p->sources);
	cpulist__free(&p->cpus);
	free(p);
}

void sampler__set_attr(const struct session *s, const struct counter *c,
		       struct perf_event_attr *attr)
{
	const struct sampler *p = s->sampler;

	attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
			    PERF_SAMPLE_WEIGHT_STRUCT;
	attr->freq = !p->period;
	if (p->period)
		attr->sample_period = p->period;
	else
		attr->sample_freq = p->frequency;
	/* Latencies are in records of PEBS alone, which tell nothing of guests. */
	if (!attr->precise_ip)
		attr->precise_ip = 1;
	attr->exclude_guest = !c->no_guest;
	/* Nobody waits for a buffer to fill: they are read before that. */
	attr->watermark = 1;
	if (!c->no_lost)
		attr->read_format |= PERF_FORMAT_LOST;
}

static int map_buffer(const struct session *s, struct sampler *p, struct perf_mmap *map, int fd)
{
	size_t size = ((size_t)p->pages + 1) * page_size;
	void *base = s->kernel->mmap(fd, size);

	if (base == MAP_FAILED)
		return -errno;
	perf_mmap__init(map, NULL, false, NULL);
	map->base = base;
	map->mask = p->pages * page_size - 1;
	map->fd = fd;
	map->prev = 0;
	/* One more than is given back when its end has been read: it stays until it is unmapped. */
	refcount_set(&map->refcnt, 2);
	map->event_copy = xmalloc(COPY_BYTES);
	map->event_copy_sz = COPY_BYTES;
	return 0;
}

/* The first counter of a CPU has the buffer; the others write into it. */
static int join_buffer(const struct session *s, struct sampler *p, int fd, int cpu)
{
	struct perf_mmap *map = &p->buffers[cpulist__index(&p->cpus, cpu)];

	if (!map->base)
		return map_buffer(s, p, map, fd);
	if (s->kernel->ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, (void *)(long)map->fd))
		return -errno;
	return 0;
}

static int map_counter(struct session *s, struct sampler *p, int event, int unit)
{
	const struct counter *c = &s->counters[event];
	struct sample_source source = { .event = event, .unit = unit };
	int rc = 0, place, *fd;

	if (!is_sampled(c))
		return 0;
	counter__for_each_fd(fd, place, s, c, unit) {
		rc = join_buffer(s, p, *fd, counter__cpu(s, c, unit, place));
		if (!rc && s->kernel->ioctl(*fd, PERF_EVENT_IOC_ID, &source.id))
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

static int map_units(struct session *s, struct sampler *p, int first, int end)
{
	int rc = 0;

	for (int unit = first; !rc && unit < end; unit++)
		for (int i = 0; !rc && i < s->nr_counters; i++)
			rc = map_counter(s, p, i, unit);
	if (p->sources.nr)
		qsort(p->sources.at, p->sources.nr, sizeof(*p->sources.at),
		      sample_source__compare);
	return rc;
}

static int refused(const struct session *s, const struct sampler *p, int code, struct err *err)
{
	uint64_t kb = ((uint64_t)p->pages + 1) * page_size / 1024;
	uint64_t limit = read_limit(s, "perf_event_mlock_kb", 0);
	struct rlimit locked;

	err__set(err, code, "cannot map a buffer of %" PRIu64 " KB for the samples of each of %d "
		 "CPUs: %s", kb, p->cpus.nr, strerror(code));
	if (code != EPERM && code != ENOMEM)
		return -code;
	err__append(err, "\nkernel.perf_event_mlock_kb is %" PRIu64 " here, for each CPU and all "
		    "profilers of a user", limit);
	if (!getrlimit(RLIMIT_MEMLOCK, &locked) && locked.rlim_cur != RLIM_INFINITY)
		err__append(err, "; ulimit -l, for what is beyond it, is %" PRIu64 " KB",
			    (uint64_t)locked.rlim_cur / 1024);
	err__append(err, ". What helps:");
	err__append(err, "\n1. end other profilers, or count on fewer CPUs (-C)");
	err__append(err, "\n2. let buffers be larger: sysctl kernel.perf_event_mlock_kb=%" PRIu64
		    ", as root", 2 * limit + kb);
	return err__append(err, "\n3. let more memory be locked: ulimit -l unlimited, or be root");
}

int sampler__map(struct session *s, struct err *err)
{
	struct sampler *p = s->sampler;
	int rc;

	for (;;) {
		rc = map_units(s, p, 0, s->units.nr);
		if (!rc)
			break;
		unmap_all(p);
		if ((rc != -EPERM && rc != -ENOMEM) || p->pages == 1)
			return refused(s, p, -rc, err);
		p->pages /= 2;
	}
	choose_ticks(p);
	p->drained_ns = clock__now_ns();
	return 0;
}

int sampler__map_unit(struct session *s, int unit, struct err *err)
{
	int rc = map_units(s, s->sampler, unit, unit + 1);

	return rc ? refused(s, s->sampler, -rc, err) : 0;
}

void sampler__unmap_unit(struct session *s, int unit)
{
	struct sampler *p = s->sampler;
	int at = cpulist__index(&p->cpus, s->units.at[unit].id), kept = 0;

	sampler__drain(s);
	if (at >= 0)
		perf_mmap__munmap(&p->buffers[at]);
	for (int i = 0; i < p->sources.nr; i++)
		if (p->sources.at[i].unit != unit)
			p->sources.at[kept++] = p->sources.at[i];
	p->sources.nr = kept;
}
