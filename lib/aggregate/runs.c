// SPDX-License-Identifier: GPL-2.0-only
/* Compute the mean and the spread of several runs of one command. */
#include <errno.h>
#include <math.h>

#include "aggregate/internal.h"
#include "base/err.h"

static void spread__add(struct spread *s, double value)
{
	double delta = value - s->mean;

	s->mean += delta / ++s->nr;
	s->squares += delta * (value - s->mean);
}

double spread__error(const struct spread *s)
{
	return s->nr < 2 ? 0 : sqrt(s->squares / (s->nr - 1) / s->nr);
}

double spread__percent(const struct spread *s)
{
	return s->mean ? 100 * spread__error(s) / s->mean : 0;
}

/* Build the rows again: this run may have other threads than the run before. */
static int take_units(struct sums *s, const struct units *units, struct err *err)
{
	int nr = s->nr_rows;

	rows__free(s);
	rows__build(s, units);
	if (s->nr_rows != nr)
		return err__set(err, ESTALE, "the CPUs are no longer those of the first run");
	return 0;
}

static void add_sums(struct sums *s)
{
	for (int i = 0; i < s->nr_events * s->nr_rows; i++) {
		const struct sum *from = &s->at[i];
		struct sum *to = &s->runs.sums[i];

		if (!from->is_latency)
			spread__add(&s->runs.values[i], from->value);
		else if (!from->assumed && sum__is_counted(from))
			spread__add(&s->runs.values[i], from->latency);
		sum__merge(to, from);
		to->nr = from->nr;
		to->counters = from->counters;
		to->ran = from->ran;
		if (!from->is_latency && (from->failed || !sum__is_counted(from))) {
			to->failed = true;
			to->failure = from->present ? sum__status(from) : SAMPLE_NOT_COUNTED;
		}
	}
}

int sums__add_run(struct sums *s, const struct units *units, const struct counts *counts,
		  const struct row_time *time, struct err *err)
{
	int rc = s->runs.nr ? take_units(s, units, err) : 0;

	if (rc)
		return rc;
	for (int i = 0; i < (time->nr_passes ?: 1); i++) {
		uint64_t ns = time->nr_passes ? time->pass_ns[i] : time->elapsed_ns;

		spread__add(&s->runs.elapsed, ns);
		vec__push(&s->runs.lengths, ns);
	}
	sums__take(s, counts, false);
	add_sums(s);
	latencies__add_run(s);
	s->runs.nr++;
	return 0;
}

void sums__take_runs(struct sums *s)
{
	for (int i = 0; i < s->nr_events * s->nr_rows; i++) {
		struct sum *sum = &s->at[i];

		*sum = s->runs.sums[i];
		sum->value = s->runs.values[i].mean;
		sum->enabled /= s->runs.nr;
		sum->running /= s->runs.nr;
		lacking__recall(s, i / s->nr_rows, sum);
	}
	latencies__take_runs(s);
}

double sums__run_spread(const struct sums *s, int event, int row)
{
	return spread__percent(&s->runs.values[event * s->nr_rows + row]);
}
