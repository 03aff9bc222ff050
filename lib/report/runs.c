// SPDX-License-Identifier: GPL-2.0-only
/* Several runs of one command: their mean, and how far they spread. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "report/internal.h"

#define NS_PER_S 1e9
#define TABLE_PERCENT_PER_MARK 5 /* of the length, by which a run differs from the mean */

static void spread__add(struct spread *s, double value)
{
	double delta = value - s->mean;

	s->mean += delta / ++s->nr;
	s->squares += delta * (value - s->mean);
}

/* Standard error of the mean. */
static double spread__error(const struct spread *s)
{
	return s->nr < 2 ? 0 : sqrt(s->squares / (s->nr - 1) / s->nr);
}

static double spread__percent(const struct spread *s)
{
	return s->mean ? 100 * spread__error(s) / s->mean : 0;
}

int runs__allocate(struct report *r)
{
	size_t cells = (size_t)r->nr_events * r->nr_buckets + 1;

	r->runs.values = calloc(cells, sizeof(*r->runs.values));
	r->runs.sums = calloc(cells, sizeof(*r->runs.sums));
	return r->runs.values && r->runs.sums ? 0 : -ENOMEM;
}

void runs__free(struct report *r)
{
	free(r->runs.values);
	free(r->runs.sums);
	vec__free(&r->runs.lengths);
}

/* A thread of this run need not be one of the last. */
static int take_units(struct report *r, const struct session *session, struct err *err)
{
	struct report_units units;
	int nr = r->nr_buckets, ret = report__units(session, &units);

	if (ret)
		return ret;
	buckets__free(r);
	r->nr_buckets = 0;
	ret = buckets__build(r, &units, err);
	report_units__free(&units);
	if (!ret && r->nr_buckets != nr)
		return err__set(err, ESTALE, "the CPUs are not those of the first run any more");
	return ret;
}

static void add_sums(struct report *r)
{
	for (int i = 0; i < r->nr_events * r->nr_buckets; i++) {
		const struct sum *from = &r->sums[i];
		struct sum *to = &r->runs.sums[i];

		if (!from->is_latency)
			spread__add(&r->runs.values[i], from->value);
		else if (!from->assumed && sum__counted(from))
			spread__add(&r->runs.values[i], from->latency);
		to->enabled += from->enabled;
		to->running += from->running;
		to->nr = from->nr;
		to->present |= from->present;
		to->supported |= from->supported;
		to->was_enabled |= from->was_enabled;
		if (!from->is_latency && (from->failed || !sum__counted(from))) {
			to->failed = true;
			to->failure = from->present ? sum__status(from) : SAMPLE_NOT_COUNTED;
		}
	}
}

static int add_lengths(struct runs *runs, const struct report_time *time)
{
	int ret = 0;

	if (!time->nr_passes) {
		spread__add(&runs->elapsed, time->elapsed_ns);
		return vec__push(&runs->lengths, time->elapsed_ns);
	}
	for (int i = 0; i < time->nr_passes && !ret; i++) {
		spread__add(&runs->elapsed, time->pass_ns[i]);
		ret = vec__push(&runs->lengths, time->pass_ns[i]);
	}
	return ret;
}

int report__add_run(struct report *r, const struct session *session, const struct counts *counts,
		    const struct report_time *time, struct err *err)
{
	struct runs *runs = &r->runs;
	int ret = 0;

	if (runs->lengths.nr)
		ret = take_units(r, session, err);
	if (!ret)
		ret = add_lengths(runs, time);
	if (ret)
		return ret == -ENOMEM ? err__set(err, ENOMEM, "report: out of memory") : ret;
	aggregate__counts(r, counts);
	add_sums(r);
	report_latencies__add_run(r);
	runs->nr++;
	return 0;
}

double runs__percent(const struct report *r, int event, int bucket)
{
	return spread__percent(&r->runs.values[event * r->nr_buckets + bucket]);
}

int report__print_runs(struct report *r, struct err *err)
{
	const struct report_time time = {
		.since_start_ns = r->runs.elapsed.mean,
		.elapsed_ns = r->runs.elapsed.mean,
	};
	int nr = r->runs.nr;

	for (int i = 0; i < r->nr_events * r->nr_buckets; i++) {
		struct sum *sum = &r->sums[i];

		*sum = r->runs.sums[i];
		sum->value = r->runs.values[i].mean;
		sum->enabled /= nr;
		sum->running /= nr;
	}
	report_latencies__take_runs(r);
	return report__put(r, &time, err);
}

/* Two digits more than the error has zeros behind the point; as in perf 6.12, two without one. */
static int digits_of(double error)
{
	return error > 0 && error <= 1 ? (int)ceil(-log10(error)) + 2 : 2;
}

static void put_table(struct report *r, const uint64_t *lengths, int nr, double mean, int digits)
{
	char text[64];
	int indent;

	snprintf(text, sizeof(text), " %17.*f", digits, mean);
	indent = strspn(text, " ");
	sb__printf(&r->text, "%*s# Table of individual measurements:\n", indent, "");
	for (int i = 0; i < nr; i++) {
		double run = lengths[i] / NS_PER_S;
		int marks = 1 + abs((int)(100 * (run - mean) / run) / TABLE_PERCENT_PER_MARK);

		sb__printf(&r->text, " %17.*f (%+.*f) ", digits, run, digits, run - mean);
		while (marks--)
			sb__putc(&r->text, '#');
		sb__putc(&r->text, '\n');
	}
	sb__printf(&r->text, "\n%*s# Final result:\n", indent, "");
}

void runs__pass_table(struct report *r)
{
	if (r->opts.run_table && r->time->nr_passes)
		put_table(r, r->time->pass_ns, r->time->nr_passes,
			  r->time->elapsed_ns / NS_PER_S, 9);
}

void runs__footer(struct report *r)
{
	const struct spread *elapsed = &r->runs.elapsed;
	double mean = elapsed->mean / NS_PER_S, error = spread__error(elapsed) / NS_PER_S;
	int digits = digits_of(error);

	if (r->opts.run_table)
		put_table(r, r->runs.lengths.at, r->runs.lengths.nr, mean, digits);
	sb__printf(&r->text, " %17.*f +- %.*f seconds time elapsed", digits, mean, digits, error);
	if (error)
		sb__printf(&r->text, "  ( +-%6.2f%% )", spread__percent(elapsed));
	sb__puts(&r->text, "\n\n");
}
