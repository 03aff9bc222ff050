// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes and reads retire latencies in perf.data. A record of a count has only one number, which
 * cannot hold the latencies of all CPUs. So latencies are in updates of their events, of kinds that
 * other readers do not know and skip. perf prints counts since the start: for perf, the count of
 * the first CPU or thread is the rounded latency of all CPUs or threads. Without a sample it is
 * "not counted".
 */
#include <errno.h>
#include <math.h>

#include "base/xalloc.h"
#include "record/recorder.h"
#include "record/recording.h"

/*
 * Weight of a value with up to six digits after its point. The product of this weight and 65535
 * fits in 64 bits.
 */
#define WEIGHT 1000000
#define SAMPLES_MAX 100000000

/* The description of an event, which precedes the counts. */
struct latency_event {
	struct vendor_latency vendor;
	uint64_t mode, sampled;
};

/*
 * The latency of a CPU or thread since the start. @nr_cells pairs of a cell and its weight follow.
 */
struct latency_record {
	int32_t cpu;
	uint32_t thread;
	uint64_t enabled, running;
	uint64_t nr, weight, cycles, last_ns, last, nr_cells;
};

/* Writing. */

void recorder__make_latencies(struct recorder *r)
{
	bool latencies = false;

	for (int e = 0; e < r->events->nr; e++)
		latencies |= r->events->at[e]->retire_latency;
	if (latencies && latency_mode__needs_cells(r->opts.latency_mode))
		r->all.cells = xcalloc(LATENCY_CELLS, sizeof(*r->all.cells));
}

void recorder__put_latency_event(struct recorder *r, int event)
{
	const struct event *e = r->events->at[event];
	const struct latency_event body = {
		.vendor = e->vendor_latency,
		.mode = r->opts.latency_mode,
		.sampled = e->sampled,
	};

	if (e->retire_latency)
		recorder__put_update(r, event, UPDATE_LATENCY_EVENT, &body, sizeof(body));
}

static void record_latencies__put_latency(struct recorder *r, int event, int unit,
					  const struct sample *s, const struct latency *l)
{
	struct latency_record body = {
		.cpu = r->per_cpu ? r->units->ids[unit] : -1,
		.thread = r->per_cpu ? 0 : unit,
		.enabled = s->enabled,
		.running = s->running,
		.nr = l->nr,
		.weight = l->weight,
		.cycles = l->cycles,
		.last_ns = l->last_ns,
		.last = l->last,
	};
	size_t start = recorder__start_update(r, event, UPDATE_LATENCY);

	for (int i = 0; l->cells && i < LATENCY_CELLS; i++)
		body.nr_cells += l->cells[i] != 0;
	sb__add(&r->out, (const char *)&body, sizeof(body));
	for (int i = 0; l->cells && i < LATENCY_CELLS; i++) {
		if (!l->cells[i])
			continue;
		put_u64(&r->out, i);
		put_u64(&r->out, l->cells[i]);
	}
	record__end(&r->out, start);
}

void recorder__put_latencies(struct recorder *r, const struct counts *total, int event)
{
	const struct sample *at = &total->at[event * total->nr_units];
	const struct latency *latencies = &total->latencies[event * total->nr_units];
	uint64_t time_ns = 0;
	double cycles;
	int first = -1;

	latency__clear(&r->all);
	for (int unit = 0; unit < total->nr_units; unit++) {
		if (!sample__has_numbers(&at[unit]))
			continue;
		first = first < 0 ? unit : first;
		latency__merge(&r->all, &latencies[unit]);
	}
	if (first < 0)
		return;
	/*
	 * The count comes first: the part of the file that is read row by row begins with a count.
	 */
	cycles = latency__value(&r->all, r->opts.latency_mode);
	if (!isnan(cycles))
		time_ns = total->time_ns;
	recorder__put_stat(r, event, first, time_ns ? llrint(cycles) : 0, time_ns, time_ns);
	for (int unit = first; unit < total->nr_units; unit++)
		if (sample__has_numbers(&at[unit]))
			record_latencies__put_latency(r, event, unit, &at[unit], &latencies[unit]);
}

/* Reading. */

int recording__read_latency_event(struct recording *r, struct span *s, int event)
{
	struct event *e = r->events.at[event];
	struct latency_event body;

	span__copy(s, &body, sizeof(body));
	if (s->bad || body.mode >= LATENCY_NR_MODES || !(body.vendor.mean >= 0) ||
	    !(body.vendor.min >= 0) || !(body.vendor.max >= 0))
		return -EINVAL;
	e->retire_latency = true;
	e->sampled = body.sampled;
	e->vendor_latency = body.vendor;
	r->info.latency_mode = body.mode;
	r->traits.at[event].latencies = true;
	r->marks_latencies = true;
	return 0;
}

static int read_cells(struct span *s, uint64_t nr, struct latency *l)
{
	while (nr--) {
		uint64_t cell = span__u64(s), weight = span__u64(s);

		if (s->bad || cell >= LATENCY_CELLS)
			return -EINVAL;
		if (l->cells)
			l->cells[cell] = weight;
	}
	return 0;
}

int recording__read_latency(struct recording *r, struct span *s, int event)
{
	struct latency_record body;
	const struct latency *before;
	struct latency *l;
	int unit, at;

	span__copy(s, &body, sizeof(body));
	unit = recording__unit(r, body.cpu, body.thread);
	if (s->bad || unit < 0 || !r->traits.at[event].latencies || !r->now.latencies)
		return -EINVAL;
	at = event * r->now.nr_units + unit;
	l = &r->now.latencies[at];
	before = &r->before.latencies[at];
	if (body.nr < before->nr || body.weight < before->weight || body.cycles < before->cycles)
		return -EINVAL;
	latency__clear(l);
	l->nr = body.nr;
	l->weight = body.weight;
	l->cycles = body.cycles;
	l->last_ns = body.last_ns;
	l->last = body.last;
	r->got[at] = true;
	r->traits.at[event].seen = true;
	r->now.at[at] = sample__read(body.nr, body.enabled, body.running);
	return read_cells(s, body.nr_cells, l);
}

void recording__keep_latency(struct recording *r, int at)
{
	if (!r->now.latencies)
		return;
	latency__clear(&r->now.latencies[at]);
	latency__merge(&r->now.latencies[at], &r->before.latencies[at]);
}

void latency__assign(struct latency *l, double cycles, uint64_t nr)
{
	uint64_t samples = nr < SAMPLES_MAX ? nr : SAMPLES_MAX;

	latency__clear(l);
	if (!(cycles >= 0 && cycles <= UINT16_MAX) || !nr)
		return;
	*l = (struct latency){
		.nr = nr,
		.weight = samples * WEIGHT,
		.cycles = llrint(cycles * WEIGHT) * samples,
		.last = lrint(cycles),
		.cells = l->cells,
	};
}
