// SPDX-License-Identifier: GPL-2.0-only
/* Opens the counters that sample themselves, and reads their buffers. */
#include "count/locate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "count/periods.h"
#include "count/session.h"

#define RING_PAGES 64
#define MOST_HELD (1 << 20) /* most records between two reads: further records are lost */
#define TICK_NS 20000000ULL /* time between reads of the buffers; there is one burst in each tick */
/* A sample may be taken up to this many cycles after its cause: a reorder buffer, and some more. */
#define NEAR_CYCLES 1500

bool locator__samples(const struct session *s, const struct counter *c)
{
	const struct event *e = c->event;

	if (!s->opts.locate.frequency || e->tool || e->bpf || e->retire_latency || e->topdown ||
	    e->requires_cpu)
		return false;
	return event__is_of_core(e) || e->attr.type == PERF_TYPE_SOFTWARE;
}

/* --- Bursts ---------------------------------------------------------------------------------- */

/*
 * Choose, with equal chance, one of the samples since the last burst; the next burst is for its
 * thread.
 */
static void note_for_burst(struct locator *p, const struct sample_record *record)
{
	const struct counter *c = &p->session->counters.at[record->event];

	if (!event__counts_cycles(c->event) || (!record->pid && !record->tid) ||
	    (record->kernel && !p->session->opts.locate.stops))
		return;
	if (periods__random(p) % ++p->nr_since == 0)
		p->last = *record;
}

static void begin_burst(struct locator *p)
{
	const struct sample_record *r = &p->last;
	uint64_t cycles = NEAR_CYCLES / 2 + periods__random(p) % NEAR_CYCLES;

	if (!p->nr_since || p->bursts.refused || p->session->stopping)
		return;
	bursts__begin(&p->bursts, r, cycles);
	p->totals.no_bursts = p->bursts.refused;
	p->nr_since = 0;
}

/* --- Opening --------------------------------------------------------------------------------- */

static void locator__find_cpus(struct locator *p)
{
	struct counter_list *cs = &p->session->counters;
	const struct counter *c;
	const int *cpu;

	counters__for_each(c, cs)
		if (c->located)
			cpulist__for_each(cpu, cs->units.per_cpu ? &c->cpus : &c->places)
				cpulist__add(&p->cpus, *cpu);
}

static void locator__init(void *self)
{
	struct locator *p = self;
	struct counter_list *cs = &p->session->counters;

	locator__find_cpus(p);
	p->pages = RING_PAGES;
	p->rings = xcalloc(p->cpus.nr, sizeof(*p->rings));
	p->chosen = xcalloc(cs->nr, sizeof(*p->chosen));
	p->weights = xcalloc((size_t)cs->nr * cs->units.nr, sizeof(*p->weights));
	p->carries = xcalloc((size_t)cs->nr * cs->units.nr, sizeof(*p->carries));
	p->periods = xcalloc(cs->nr, sizeof(*p->periods));
	p->copy = xmalloc(RING_RECORD_MAX);
	for (int i = 0; i < cs->nr; i++)
		p->periods[i] = periods__first(p, cs->at[i].event);
	p->tick_ns = TICK_NS;
	p->choose_ns = CHOOSE_NS;
	p->random = clock__now_ns() | 1;
	bursts__init(&p->bursts, p->session);
	counts__init(&p->now, p->session);
}

/* Make samples as precise as possible. The kernel then takes no samples in guests. */
static void locator__set_precise(const struct counter *c, struct perf_event_attr *attr)
{
	int most = pmu__max_precise(c->event->pmu);

	if (most <= 0)
		return;
	attr->precise_ip = most > 3 ? 3 : most;
	attr->exclude_guest = !attr->exclude_host;
}

void locator__set_attr(const struct locator *p, const struct counter *c,
		       struct perf_event_attr *attr)
{
	sample_record__set_attr(attr, false);
	/*
	 * With PERF_SAMPLE_PERIOD, the kernel would take a sample of each single software event,
	 * and clocks would keep their first period.
	 */
	if (attr->type == PERF_TYPE_SOFTWARE)
		attr->sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
	attr->freq = 0;
	attr->sample_period = p->periods[c - p->session->counters.at];
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	/* No process waits for a buffer to fill: buffers are read before they are full. */
	attr->watermark = 1;
	if (c->event->precise_max && !c->no_precise)
		locator__set_precise(c, attr);
	attr->sample_period = periods__round(attr, attr->sample_period);
}

/*
 * Map another buffer, for a counter of another kind, such as a counter of the real computer beside
 * a simulated machine's.
 */
static int map_another(struct locator *p, int fd)
{
	struct ring ring;
	int rc = ring__map(&ring, p->session->counters.kernel, fd, p->pages);

	if (rc)
		return rc;
	vec__push(&p->others, ring);
	p->totals.rings++;
	return 0;
}

static int join_ring(struct locator *p, int fd, int cpu)
{
	struct ring *ring = &p->rings[cpulist__index(&p->cpus, cpu)];
	const struct count_kernel *kernel = p->session->counters.kernel;
	int rc;

	if (ring->base) {
		if (!kernel->ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, (void *)(long)ring->fd))
			return 0;
		return errno == EINVAL ? map_another(p, fd) : -errno;
	}
	rc = ring__map(ring, kernel, fd, p->pages);
	p->totals.rings += !rc;
	if (!rc && ring->size / sysconf(_SC_PAGESIZE) < p->pages)
		p->pages = ring->size / sysconf(_SC_PAGESIZE);
	return rc;
}

/* Open a counter that counts nothing and records mappings. */
static int open_map_recorder(struct locator *p, int unit, int cpu)
{
	const struct counter_list *cs = &p->session->counters;
	int task = cs->units.per_cpu ? -1 : cs->units.at[unit].id, fd, rc;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(attr),
		.inherit = !cs->units.per_cpu && !p->session->opts.no_inherit,
		.exclude_kernel = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
	};

	sample_record__set_attr(&attr, true);
	fd = cs->kernel->open(&attr, task, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errno == ESRCH ? 0 : -errno;
	vec__push(&p->fds, fd);
	rc = join_ring(p, fd, cpu);
	return rc;
}

static int open_map_recorders(struct locator *p, int unit)
{
	const struct unit_list *units = &p->session->counters.units;
	int rc = 0;
	const int *cpu;

	if (units->per_cpu)
		return cpulist__has(&p->cpus, units->at[unit].id) && !units->at[unit].away
			       ? open_map_recorder(p, unit, units->at[unit].id)
			       : 0;
	cpulist__for_each(cpu, &p->cpus)
		rc = rc ?: open_map_recorder(p, unit, *cpu);
	return rc;
}

static int join_counter(struct locator *p, int event, int unit)
{
	const struct counter_list *cs = &p->session->counters;
	const struct counter *c = &cs->at[event];
	const struct perf_event_attr *attr = counter__attr(c);
	struct located l = {.event = event, .unit = unit, .period = attr->sample_period};
	int rc = 0, place, *fd;

	counter__for_each_fd(fd, place, cs, c, unit) {
		rc = join_ring(p, *fd, counter__cpu(cs, c, unit, place));
		if (!rc && cs->kernel->ioctl(*fd, PERF_EVENT_IOC_ID, &l.id))
			rc = -errno;
		if (rc)
			break;
		l.fd = *fd;
		vec__push(&p->sources, l);
	}
	p->totals.user_only |= attr->exclude_kernel && !c->event->attr.exclude_kernel;
	p->totals.user_only |= c->denied;
	return rc;
}

static int located__compare(const void *va, const void *vb)
{
	const struct located *a = va, *b = vb;

	return (a->id > b->id) - (a->id < b->id);
}

static int locator__map_unit(struct locator *p, int unit)
{
	const struct counter_list *cs = &p->session->counters;
	int rc = open_map_recorders(p, unit);

	for (int i = 0; !rc && i < cs->nr; i++)
		if (cs->at[i].located)
			rc = join_counter(p, i, unit);
	if (p->sources.nr)
		qsort(p->sources.at, p->sources.nr, sizeof(*p->sources.at), located__compare);
	return rc;
}

static int locator__refuse(const struct locator *p, int code, struct err *err)
{
	err__set(err, code, "cannot make a buffer for the samples of each of %d CPUs: %s",
		 p->cpus.nr, strerror(code));
	if (code == EPERM || code == ENOMEM)
		err__append(err, "\nLet more memory be locked: sysctl "
				 "kernel.perf_event_mlock_kb=%d as root, or ulimit -l unlimited; or "
				 "count on fewer CPUs (-C)",
			    1024);
	return -code;
}

static int locator__open(void *self, struct err *err)
{
	struct locator *p = self;
	const struct locate_sink *sink = p->session->opts.locate.sink;
	int rc = 0;

	for (int unit = 0; !rc && unit < p->session->counters.units.nr; unit++)
		rc = locator__map_unit(p, unit);
	if (rc)
		return locator__refuse(p, -rc, err);
	p->totals.pages = p->pages;
	p->drained_ns = clock__now_ns();
	sink->begin(sink->arg);
	return 0;
}

static int locator__come_back(void *self, int unit, struct err *err)
{
	int rc = locator__map_unit(self, unit);

	return rc ? locator__refuse(self, -rc, err) : 0;
}

/* --- Reading --------------------------------------------------------------------------------- */

static void keep(struct locator *p, struct sample_record record)
{
	record.order = p->held.nr;
	if (p->held.nr >= MOST_HELD) {
		p->totals.lost++;
		free(record.path);
		return;
	}
	vec__push(&p->held, record);
}

/* Add to a sample what the kernel does not know. Return: whether the sample's counter is known. */
static bool locate__complete(struct locator *p, struct sample_record *record, uint64_t id)
{
	const struct burst *burst = bursts__find(&p->bursts, id);
	const struct located key = {.id = id};
	struct located *l = bsearch(&key, p->sources.at, p->sources.nr, sizeof(key),
				    located__compare);
	int at;

	if (burst) {
		record->event = burst->event;
		record->burst = burst->number;
		return true;
	}
	if (!l)
		return false;
	at = l->event * p->session->counters.units.nr + l->unit;
	record->event = l->event;
	record->unit = l->unit;
	record->period = (record->period ?: l->period) + l->carry + p->carries[at];
	l->carry = p->carries[at] = 0;
	p->weights[at] += record->period;
	l->nr++;
	l->recent++;
	p->tasks |= p->task && p->task != record->tid;
	p->task = record->tid;
	p->totals.samples++;
	note_for_burst(p, record);
	return true;
}

static void locator__take_record(void *self, const struct perf_event_header *h)
{
	struct locator *p = self;
	struct sample_loss loss = {0};
	struct sample_record records[2];
	uint64_t id;
	int nr = sample_record__parse(h, records, &id, &loss);

	p->totals.lost += loss.lost;
	/* A throttled burst does not mean that other counters are throttled. */
	p->totals.throttled += loss.throttled && !bursts__find(&p->bursts, loss.counter);
	p->totals.bytes += h->size;
	if (id && !locate__complete(p, &records[0], id))
		return;
	for (int i = 0; i < nr; i++)
		keep(p, records[i]);
}

/*
 * Pass the records up to a time to the sink. Later records stay, as earlier ones may still come
 * from another buffer.
 */
static void locate__give(struct locator *p, uint64_t until_ns)
{
	const struct locate_sink *sink = p->session->opts.locate.sink;
	struct sample_records first = p->held;
	int nr = 0, left;

	sample_records__sort(&p->held);
	while (nr < p->held.nr && p->held.at[nr].time_ns <= until_ns)
		nr++;
	left = p->held.nr - nr;
	first.nr = nr;
	if (nr)
		sink->take(sink->arg, &first);
	if (left)
		memmove(p->held.at, p->held.at + nr, left * sizeof(*p->held.at));
	p->held.nr = left;
	for (int i = 0; i < left; i++)
		p->held.at[i].order = i;
}

static void locator__drain(struct locator *p)
{
	const struct ring_taker taker = {locator__take_record, p};
	uint64_t now_ns = clock__now_ns();

	for (int i = 0; i < p->cpus.nr; i++)
		ring__drain(&p->rings[i], p->copy, &taker);
	for (int i = 0; i < p->others.nr; i++)
		ring__drain(&p->others.at[i], p->copy, &taker);
	for (int i = 0; i < BURSTS_AT_ONCE; i++)
		ring__drain(&p->bursts.at[i].ring, p->copy, &taker);
	locate__give(p, p->session->clock.end_ns ? UINT64_MAX : now_ns);
	p->drained_ns = now_ns;
}

void locator__read(void *self, struct counts *total)
{
	(void)total;
	locator__drain(self);
}

static void locator__leave(void *self, int unit)
{
	struct locator *p = self;
	int at = cpulist__index(&p->cpus, p->session->counters.units.at[unit].id), kept = 0;

	locator__drain(p);
	if (at >= 0)
		ring__unmap(&p->rings[at]);
	for (int i = 0; i < p->sources.nr; i++)
		if (p->sources.at[i].unit != unit)
			p->sources.at[kept++] = p->sources.at[i];
	p->sources.nr = kept;
}

static uint64_t locator__before_sleep(void *self, uint64_t now_ns, uint64_t deadline_ns)
{
	const struct locator *p = self;
	uint64_t start_ns = p->session->clock.start_ns, due_ns = p->drained_ns + p->tick_ns;

	(void)deadline_ns;
	if (p->choose_ns && p->session->clock.counting && start_ns + p->choose_ns < due_ns)
		due_ns = start_ns + p->choose_ns;
	return due_ns > start_ns + now_ns ? due_ns - start_ns : now_ns;
}

static void locator__tick(void *self)
{
	struct locator *p = self;
	uint64_t now_ns = clock__now_ns();

	if (now_ns >= p->drained_ns + p->tick_ns) {
		locator__drain(p);
		begin_burst(p);
		p->tick_ns = periods__vary_time(p, TICK_NS);
	}
	if (now_ns >= p->vary_ns) {
		p->vary_ns = now_ns + periods__vary_time(p, VARY_NS);
		periods__vary(p);
	}
	if (p->choose_ns && p->session->clock.counting &&
	    now_ns >= p->session->clock.start_ns + p->choose_ns)
		periods__choose(p);
}

static void locator__free(void *self)
{
	struct locator *p = self;
	int *fd;

	for (int i = 0; i < p->cpus.nr; i++)
		ring__unmap(&p->rings[i]);
	for (int i = 0; i < p->others.nr; i++)
		ring__unmap(&p->others.at[i]);
	vec__free(&p->others);
	bursts__free(&p->bursts);
	vec__for_each (fd, &p->fds)
		p->session->counters.kernel->close(*fd);
	vec__free(&p->fds);
	vec__free(&p->sources);
	sample_records__free(&p->held);
	counts__free(&p->now);
	cpulist__free(&p->cpus);
	free(p->rings);
	free(p->chosen);
	free(p->weights);
	free(p->carries);
	free(p->periods);
	free(p->copy);
}

struct located_totals session__located(const struct session *s)
{
	const struct locator *p = s->attached[LOCATOR];

	return p ? p->totals : (struct located_totals){0};
}

const struct attachment locator__attachment = {
	.size = sizeof(struct locator),
	.init = locator__init,
	.open = locator__open,
	.before_sleep = locator__before_sleep,
	.after_sleep = locator__tick,
	.leave = locator__leave,
	.come_back = locator__come_back,
	.free = locator__free,
};
