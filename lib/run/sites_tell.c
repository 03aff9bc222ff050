// SPDX-License-Identifier: GPL-2.0-only
/* Make notes on rows of code: what their samples lack, and what the sampling costs. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "run/sites.h"

#define MUCH_LOST 0.01 /* of the samples */
#define MUCH_MISSING 0.05 /* a note is made if this share of the time is missing in the samples */
#define FEW_MISSING 2 /* a run may lack a sample at its beginning and one at its end */
#define NORMAL 1.645 /* half width of a 90 % interval, in standard deviations */
/*
 * CPU time of a sample. perf_event_max_sample_rate and perf_cpu_time_max_percent allow 2.5 us
 * (100,000 samples a second in 25 % of the time). In a virtual machine (Zen 4, Linux 6.18), 11 to
 * 13 us were measured, by the CPU time of a loop at -F 5000 to 100000: the host sets its timer.
 */
#define LEAST_COST_US 2.5
#define MOST_COST_US 12.5
#define MOST_CHEAP 4000 /* samples a second that take at most 5 % of a CPU */

int run_sites__refuse(struct run *run, struct err *err)
{
	auto_free(sb) why = SB_INIT;

	if (!run->source->session)
		return 0;
	for (int i = 0; i < run->plan->events.nr; i++)
		if (run_sites__supported(run, i))
			return 0;
	tell__put_nothing(run, run->source->session, &why);
	return err__set(err, ENOTSUP, "%s", sb__str(&why));
}

void run_sites__tell_frequency(struct run *run)
{
	uint64_t frequency = run->req->frequency;
	double most = frequency * MOST_COST_US / 1e4;

	if (run->req->input || frequency <= MOST_CHEAP)
		return;
	run->sites->noted_frequency = true;
	tell(run, SITES, NULL,
	     "-F %" PRIu64 ": so many samples slow the program: they take %.1f to %.1f %% of its "
	     "CPU's time, most in virtual machines; -F %d and less stays within 5 %%",
	     frequency, frequency * LEAST_COST_US / 1e4, most < 100 ? most : 100, MOST_CHEAP);
}

/* Find the event of time whose samples represent the smallest part of its count; or NULL. */
static const struct site_sum *least_sampled(const struct run_sites *s)
{
	const struct site_sum *least = NULL;

	for (int e = 0; e < s->counts.layout.nr_events; e++) {
		const struct site_sum *sum = &s->sampled[e];

		if (s->events[e].cycles != e && !event__is_clock(s->run->plan->events.at[e]))
			continue;
		if (isfinite(site_sum__part(sum)) &&
		    (!least || site_sum__part(sum) < site_sum__part(least)))
			least = sum;
	}
	return least;
}

/* Return: how many samples would represent the whole count; 0 if unknown. */
static double expected_samples(const struct run_sites *s, const struct site_sum *sum)
{
	double weight = sum->weight - sum->idle;

	return sum->samples > 0 && weight > 0 ?
		       sum->samples * sum->count / weight :
		       sum->time_ns / 1e9 * s->sampling.frequency;
}

/* Whether more samples are missing than chance explains. */
static bool lacks_samples(const struct run_sites *s, const struct site_sum *sum)
{
	double expected = expected_samples(s, sum);
	double missing = expected * (1 - site_sum__part(sum));

	return site_sum__part(sum) < 1 - MUCH_MISSING &&
	       (!expected || missing > fmax(FEW_MISSING, NORMAL * sqrt(expected)));
}

static void tell_losses(struct run *run, const struct located_totals *t)
{
	struct run_sites *s = run->sites;
	uint64_t frequency = s->sampling.frequency;
	auto_free(sb) how = SB_INIT, now = SB_INIT;

	/* Recordings of perf do not have these settings. */
	if (frequency)
		sb__printf(&how, "sysctl kernel.perf_event_mlock_kb, now %zu pages each", t->pages);
	else
		sb__puts(&how, "perf record -m");
	if (t->lost > MUCH_LOST * (t->samples + t->lost) && !s->noted_lost) {
		s->noted_lost = true;
		tell(run, SITES, NULL,
		     "%" PRIu64 " of %" PRIu64 " samples were lost: take fewer with -F, or let "
		     "buffers be larger (%s)",
		     t->lost, t->samples + t->lost, sb__str(&how));
	}
	if (frequency)
		sb__printf(&now, " (now %" PRIu64 ")", frequency);
	if (t->throttled && !s->noted_throttled) {
		s->noted_throttled = true;
		tell(run, SITES, NULL,
		     "the kernel throttled the sampling: take fewer samples with -F%s, or raise "
		     "kernel.perf_event_max_sample_rate",
		     sb__str(&now));
	}
}

/* Note which events are attributed to lines only approximately. */
static void tell_imprecise(struct run *run)
{
	const struct run_sites *s = run->sites;

	for (int i = 0; run->req->aggr == AGGR_LINE && i < run->plan->events.nr; i++) {
		const struct event *e = run->plan->events.at[i];

		if (s->events[i].sampled && event__is_of_core(e) && !run_sites__is_precise(run, i))
			tell(run, SITES, e->name,
			     "not precise: samples are some lines after the place of the event; "
			     "add the modifier P, if this CPU has precise events");
	}
}

/* Whether an event counts nothing. perf adds such an event to record mappings. */
static bool is_dummy(const struct event *e)
{
	return !e->tool && e->attr.type == PERF_TYPE_SOFTWARE &&
	       e->attr.config == PERF_COUNT_SW_DUMMY;
}

/* Return: why an event is not counted, or NULL. */
static const char *sites_tell__refusal(const struct run *run, int event)
{
	const struct source *s = run->source;

	return s->session ? session__refusal(s->session, event) :
			    recording__refusal(s->recording, event);
}

/* Note the events of the user that are not counted, and so are in no row. */
static void tell_unsupported(struct run *run)
{
	for (int i = 0; i < run->plan->events.nr; i++) {
		const struct event *e = run->plan->events.at[i];
		const char *why = sites_tell__refusal(run, i);

		if (why && !e->from_metric && !is_dummy(e))
			tell(run, SITES, e->name, "not supported, so it is in no row: %s", why);
	}
}

/* Note which events have no known place. */
static void tell_unsampled(struct run *run)
{
	const struct run_sites *s = run->sites;

	for (int i = 0; i < run->plan->events.nr; i++) {
		const struct event *e = run->plan->events.at[i];

		if (!s->events[i].sampled && !e->from_metric && !is_dummy(e) &&
		    run_sites__supported(run, i))
			tell(run, SITES, e->name,
			     "not sampled, so its place in the code is unknown: only events of "
			     "the CPU's cores and software events of the kernel can be sampled");
	}
}

void run_sites__tell(struct run *run)
{
	struct run_sites *s = run->sites;
	const struct located_totals t = s->sampling.totals;

	tell_losses(run, &t);
	if (!s->noted_precision) {
		tell_imprecise(run);
		tell_unsupported(run);
		tell_unsampled(run);
		if (s->sampling.made_up)
			tell(run, SITES, NULL,
			     "the simulated machine does not know where this program is, so all "
			     "samples are [made up]: tma-machine(5) says which programs it follows");
	}
	s->noted_precision = true;
	if (t.user_only && !s->noted_user) {
		s->noted_user = true;
		tell(run, SITES, NULL,
		     "the kernel is not sampled: run as root or with CAP_PERFMON, or set "
		     "kernel.perf_event_paranoid to 1 or less");
	}
}

/* Note how many rows have no values, since their samples may belong to other sites. */
static void tell_near(struct run *run)
{
	const struct run_sites *s = run->sites;
	int nr = 0;

	for (int row = 0; row < s->nr_slots; row++)
		nr += s->counts.near[row] && s->counts.samples[row] > 0;
	/* With all_sites most rows are small, and readers skip them. */
	if (run->req->all_sites && !s->sampling.totals.no_bursts)
		return;
	if (nr && s->sampling.totals.no_bursts)
		tell(run, SITES_END, NULL,
		     "it is unknown how long the program stays at a site each time, since the "
		     "kernel refused samples in quick succession: %s. So all rows are headed "
		     "\"near\" and have no value",
		     strerror(s->sampling.totals.no_bursts));
	else if (nr)
		tell(run, SITES_END, NULL,
		     "%d row%s headed \"near\": the program stays there for less than some 1,000 "
		     "instructions each time, or has too few samples there. Samples of events may "
		     "belong to another site, so no value is known",
		     nr, nr > 1 ? "s are" : " is");
}

static void tell_costs(struct run *run, const struct located_totals *t)
{
	double seconds = run->row.time.since_start_ns / 1e9;

	if (t->samples && seconds > 0)
		tell(run, SITES_ALL, NULL,
		     "%" PRIu64 " samples, %.0f a second, of %.0f bytes each, in %d buffers of %zu "
		     "pages",
		     t->samples, t->samples / seconds, (double)t->bytes / t->samples, t->rings,
		     t->pages);
}

static void tell_sums(struct run *run)
{
	const struct run_sites *s = run->sites;

	for (int e = 0; e < s->counts.layout.nr_events; e++)
		if (isfinite(site_sum__part(&s->sampled[e])))
			tell(run, SITES_ALL, run->plan->events.at[e]->name,
			     "samples represent %.1f %% of the count",
			     100 * site_sum__part(&s->sampled[e]));
}

static void tell_masked(struct run *run)
{
	const struct run_sites *s = run->sites;
	bool kernel = false;

	for (int i = 0; i < s->slots.nr; i++)
		kernel |= s->slots.at[i] >= 0 && sites__at(s->sites, i)->is_kernel;
	if (!kernel || !s->sampling.masked)
		return;
	tell(run, SITES_END, NULL,
	     "samples of kernel functions that run with interrupts off are where interrupts are "
	     "turned on again: this kernel has no pseudo-NMIs (irqchip.gicv3_pseudo_nmi=1)");
}

/* Note that samples cover only a part of the time, or that the run was too short for a sample. */
static void tell_part(struct run *run)
{
	const struct run_sites *s = run->sites;
	const struct site_sum *sum = least_sampled(s);

	if (!sum || s->noted_lost || s->noted_throttled)
		return;
	if (!sum->weight && !lacks_samples(s, sum))
		tell(run, SITES_END, NULL,
		     "no sample was taken, since the program ran for only %.1f ms: take more with "
		     "-F (now %" PRIu64 " a second)",
		     sum->time_ns / 1e6, s->sampling.frequency);
	else if (lacks_samples(s, sum))
		tell(run, SITES_END, NULL,
		     "samples represent %.0f %% of the time: %s", 100 * site_sum__part(sum),
		     s->noted_frequency
			     ? "the kernel was too busy with samples: take fewer with -F"
		     : run_sites__is_of_cpus(run)
			     ? "measure for longer, or take more samples with a higher -F"
			     : "threads that end before their first sample leave none. -a samples "
			       "the CPUs instead, whatever runs on them");
}

void run_sites__tell_end(struct run *run)
{
	const struct run_sites *s = run->sites;

	tell_part(run);
	tell_near(run);
	tell_masked(run);
	tell_costs(run, &s->sampling.totals);
	tell_sums(run);
}
