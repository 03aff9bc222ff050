// SPDX-License-Identifier: GPL-2.0-only
/*
 * Make rows of sites: functions, files or lines in which events happen. Every event samples itself
 * while the run counts. For each row of time, samples are attributed to sites, and a report of
 * sites is filled.
 */
#include "run/input.h"
#include "run/sites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/xalloc.h"
#include "grid/unit.h"
#include "machine/models.h"

#define LEAST_SHARE 0.01 /* a site has a row if it has this share of the time */
#define USUAL_ROWS 64	 /* most rows of such sites */
#define LEAST_PART 0.02 /* least samples of an event, as a share of the samples of cycles */
#define STEP 0.01 /* change of an event that shows how much metrics depend on it */
#define SHORT_NS 2000000 /* a counter that ran for a shorter time does not show a rate */
#define LEAST_PERIOD 1000 /* least period of events of the CPU */
/*
 * Greatest probability with which bursts of four samples may leave a site whose samples count as
 * its own: one of ten samples is then followed by a sample elsewhere.
 */
#define MOST_LEFT 0.27
#define LEAST_BURSTS 6 /* number of bursts that are needed to judge a site */

bool run_sites__are_wanted(const struct request *req)
{
	return row_kind__is_site(req->aggr);
}

/* --- Properties of the events ---------------------------------------------------------------- */

/* Find the event of cycles in the group that an event was opened in, or -1. */
static int cycles_of(const struct run *run, int event)
{
	const struct event_list *list = &run->plan->events;
	int leader = run_sites__leader(run, event);

	for (int i = 0; i < list->nr; i++)
		if (run_sites__leader(run, i) == leader && run_sites__counts_cycles(run, i) &&
		    run_sites__supported(run, i))
			return i;
	return -1;
}

/* Whether two events of cycles count on the same core type, in the same mode and cgroup. */
static bool same_cycles(const struct event *a, const struct event *b)
{
	return a->pmu == b->pmu && a->cgroup == b->cgroup &&
	       a->attr.exclude_user == b->attr.exclude_user &&
	       a->attr.exclude_kernel == b->attr.exclude_kernel;
}

/*
 * Return: the number of an event's kind of cycles. Events that count the same have the same number.
 */
static int pool_of(struct run_sites *s, int cycles)
{
	const struct event_list *list = &s->run->plan->events;

	for (int i = 0; i < cycles; i++)
		if (s->events[i].cycles == i && same_cycles(list->at[i], list->at[cycles]))
			return s->events[i].pool;
	return s->nr_pools++;
}

static void find_events(struct run_sites *s)
{
	const struct event_list *list = &s->run->plan->events;

	for (int i = 0; i < list->nr; i++) {
		bool sampled = run_sites__is_sampled(s->run, i);
		int cycles = sampled ? cycles_of(s->run, i) : -1;

		s->events[i] = (struct site_event){.cycles = cycles, .sampled = sampled};
		/*
		 * Lines are counted by precise events, whose samples have the address where the
		 * event happened.
		 */
		s->has_cycles |= cycles >= 0 && s->run->req->aggr != AGGR_LINE;
	}
	for (int i = 0; i < list->nr; i++)
		if (s->events[i].cycles == i)
			s->events[i].pool = pool_of(s, i);
	for (int i = 0; i < list->nr; i++)
		if (s->events[i].cycles >= 0)
			s->events[i].pool = s->events[s->events[i].cycles].pool;
}

/* --- Periods --------------------------------------------------------------------------------- */

/*
 * Return: the greatest rate of an event, per second, on any CPU or thread where it ran long enough;
 * or 0.
 */
static double sites__rate_of(const struct counts *now, int event)
{
	double most = 0;

	for (int unit = 0; unit < now->nr_units; unit++) {
		const struct sample *sample = &now->at[event * now->nr_units + unit];

		if (sample__has_numbers(sample) && sample->running >= SHORT_NS)
			most = fmax(most, sample->value * 1e9 / sample->running);
	}
	return most;
}

/*
 * Return: by how much a metric would change, as a share of its whole, if the event were twice as
 * frequent.
 */
static double sites__part_of(const struct summed_metric *m, double before, double after)
{
	const char *unit = m->metric->metric->info.unit;
	double change = fabs(after - before) / STEP;

	if (!isfinite(change))
		return 0;
	if (unit && unit__is_share(unit))
		return change * fabs(m->scale) / 100;
	return before ? change / fabs(before) : 0;
}

/*
 * Return: the largest share that an event has in any metric. With periods by this share, all parts
 * of a sum get the same period in the unit of the sum.
 */
static double largest_part(struct run_sites *s, int event, double *out)
{
	struct sums *sums = s->sums;
	double *in = &sums->in[event], kept = *in, most = 0;

	if (!(kept > 0))
		return 0;
	*in *= 1 + STEP;
	program__eval(sums->plan->program, 1, sums->in, sums->sources, out);
	*in = kept;
	for (int i = 0; i < sums->nr_metrics; i++) {
		const struct summed_metric *m = &sums->metrics[i];
		int value = m->metric->value;

		most = fmax(most, sites__part_of(m, sums->out[value], out[value]));
	}
	return most;
}

static uint64_t period_of(struct run_sites *s, int event, double rate, double part)
{
	const struct event *e = s->run->plan->events.at[event];
	double wanted = s->run->req->frequency * fmin(fmax(part, LEAST_PART), 1);
	double period = rate / wanted;

	/* An event that no metric uses is sampled as often as cycles are. */
	if (!s->sums->nr_metrics || event__counts_cycles(e))
		period = rate / s->run->req->frequency;
	if (event__is_of_core(e))
		return period > LEAST_PERIOD ? period : LEAST_PERIOD;
	return period > 1 ? period : 1;
}

static void choose_periods(void *self, const struct counts *now, uint64_t *periods)
{
	struct run_sites *s = self;
	const struct row_time time = {.since_start_ns = now->time_ns, .elapsed_ns = now->time_ns};
	double *out = xcalloc(sums__nr_outputs(s->sums) + 1, sizeof(*out));

	sums__take(s->sums, now, false);
	sums__evaluate(s->sums, &time);
	for (int i = 0; i < now->nr_events; i++) {
		const struct event *e = s->run->plan->events.at[i];
		double rate = sites__rate_of(now, i), part = 1;

		if (!s->events[i].sampled || event__is_clock(e) || !rate)
			continue;
		if (s->sums->nr_metrics)
			part = largest_part(s, i, out);
		periods[i] = period_of(s, i, rate, part);
	}
	free(out);
}

/* --- The run --------------------------------------------------------------------------------- */

/* Only a command started by tma maps its files after the start. */
bool run_sites__reads_running(const struct run *run)
{
	const struct target *t = &run->target;

	return !t->argv || target__per_cpu(t) || target__names_tasks(t);
}

static void begin(void *self)
{
	struct run_sites *s = self;

	/* A recorder reads the running processes itself. */
	if (s->sites && run_sites__reads_running(s->run))
		sites__read_running(s->sites);
}

static enum site_kind kind_of(enum grid_aggr aggr)
{
	return aggr == AGGR_OBJECT ? SITE_OBJECT : aggr == AGGR_LINE ? SITE_LINE : SITE_FUNCTION;
}

/*
 * Whether the kernel stops counters in the handler of their interrupts. On AMD it does so with
 * PerfMonV2 only.
 */
static bool stops_counters(const struct machine *m)
{
	return cpu_vendor__of(m->cpuid) != VENDOR_AMD || machine__has_flag(m, "perfmon_v2");
}

static void sites__make(struct run *run, struct run_sites *s)
{
	bool has_whole = run->about.interval && (run->req->summary || run->report.verdict);
	const struct run_input *input = run->req->input;

	s->sites = sites__new(kind_of(run->req->aggr), run->host->machine->procfs,
			      run->plan->events.nr, has_whole);
	if (!input)
		return;
	sites__set_origin(s->sites, recording__origin(input->recording));
	recording__follow(input->recording, run_sites__take, s);
}

void run_sites__begin(struct run *run)
{
	struct run_sites *s = xcalloc(1, sizeof(*s));

	s->run = run;
	s->most = run->req->all_sites ? MOST_ROWS : USUAL_ROWS;
	s->least_share = run->req->all_sites ? 0 : LEAST_SHARE;
	s->events = xcalloc(run->plan->events.nr + 1, sizeof(*s->events));
	if (!run->req->no_rows)
		sites__make(run, s);
	s->sink = (struct locate_sink){begin, run_sites__take, choose_periods, s};
	/*
	 * Do not watch for starving groups: in some of the many places where groups are opened they
	 * have no turn.
	 */
	run->count.watch_groups = false;
	run->count.locate = (struct locate_options){.frequency = run->req->frequency,
						    .stops = stops_counters(run->host->machine),
						    .sink = &s->sink};
	run->sites = s;
}

static const struct units *units_of(const struct run *run)
{
	const struct source *source = run->source;

	return source->session ? session__units(source->session) :
				 &recording__info(source->recording)->units;
}

void run_sites__open(struct run *run)
{
	struct run_sites *s = run->sites;
	struct report_options by = run->report;
	const struct session *session = run->source->session;
	const struct units units = {.nr = s->most + 1, .ids = s->ids, .comms = s->comms};

	find_events(s);
	sites_past__begin(&s->past, session, run->req->kept_rows);
	if (run->req->kept_rows > 1)
		sites__keep_rows(s->sites, run->req->kept_rows);
	s->sums = sums__new(run->host->machine, run->plan, units_of(run), &run->report);
	s->counts.layout = (struct site_layout){
		.events = s->events,
		.nr_events = run->plan->events.nr,
		.nr_rows = s->most + 1,
		.nr_pools = s->nr_pools ?: 1,
	};
	site_counts__init(&s->counts, &s->counts.layout);
	s->sampled = xcalloc(run->plan->events.nr + 1, sizeof(*s->sampled));
	by.aggr = run->req->aggr;
	by.sites = &s->counts;
	by.turns = true;
	by.error = run->req->error;
	by.verdict = false;
	by.no_ratios |= by.metric_only;
	by.estimate = ESTIMATE_TIME;
	by.skip_idle = false;
	by.recorded = false;
	s->report = report__new(run->host->machine, run->plan, session, &units, &by);
	run_sites__tell_frequency(run);
}

void run_sites__record(struct run *run)
{
	struct run_sites *s = run->sites;

	s->sampling = run_sites__sampling(run);
	recorder__tell_sampling(run->recorder, &s->sampling);
	run_sites__tell(run);
}

const struct grid *run_sites__grid(const struct run *run)
{
	return run->sites->report ? report__grid(run->sites->report) : NULL;
}

bool run__has_user_part_alone(const struct run *run)
{
	return run->sites && run->sites->sampling.totals.user_only;
}

/* --- Rows ------------------------------------------------------------------------------------ */

/** struct site_rank - a site, with the share of time by its samples */
struct site_rank {
	int site;
	double share;
};

static int by_share(const void *va, const void *vb)
{
	const struct site_rank *a = va, *b = vb;

	return (a->share < b->share) - (a->share > b->share);
}

/*
 * Whether the samples of an event measure time: those of cycles, or with @any those of all events.
 */
static bool tells_time(const struct run_sites *s, int event, bool any)
{
	return any || s->events[event].cycles == event;
}

/* Find the share of time of each site. @out: has an element for each site */
static void rank(const struct run_sites *s, const struct site_samples *samples,
		 struct site_rank *out)
{
	double all = 0;
	bool any = true;

	for (int e = 0; e < s->counts.layout.nr_events; e++)
		any &= s->events[e].cycles != e;
	for (int i = 0; i < sites__nr(s->sites); i++)
		out[i] = (struct site_rank){.site = i};
	for (int i = 0; i < samples->nr; i++) {
		const struct site_sample *sample = &samples->at[i];
		int site = sites__find(s->sites, sample->address);

		if (site < 0 || !tells_time(s, sample->event, any))
			continue;
		out[site].share += sample->weight;
		all += sample->weight;
	}
	for (int i = 0; i < sites__nr(s->sites) && all > 0; i++)
		out[i].share /= all;
}

/* Name a row, which then owns @name. */
static void set_name(struct run_sites *s, int row, char *name, const char *object)
{
	report__name_row(s->report, row, name, object);
	free(s->names[row]);
	s->names[row] = name;
}

/* Name the row of a site. Functions with the same name are distinguished by their files. */
static void name_row(struct run_sites *s, int row, int site)
{
	const struct site *at = sites__at(s->sites, site);
	const char *file = strrchr(at->object, '/');
	bool apart = false;

	for (int i = 0; i < sites__nr(s->sites); i++)
		apart |= i != site && !strcmp(sites__at(s->sites, i)->name, at->name);
	set_name(s, row,
		 apart ? xasprintf("%s (%s)", at->name, file ? file + 1 : at->object) :
			 xstrdup(at->name),
		 at->object);
}

/* Take the row of a site without samples in this time. Return: the row, or -1. */
static int free_row(struct run_sites *s, const struct site_rank *ranked, int nr)
{
	for (int i = nr - 1; i >= 0 && !ranked[i].share; i--) {
		int row = s->slots.at[ranked[i].site];

		s->slots.at[ranked[i].site] = -1;
		if (row >= 0)
			return row;
	}
	return -1;
}

/* Give rows to sites with a large enough share, the largest first. */
static void give_rows(struct run_sites *s, const struct site_samples *samples)
{
	int nr = sites__nr(s->sites);
	struct site_rank *ranked = xcalloc(nr + 1, sizeof(*ranked));

	rank(s, samples, ranked);
	while (s->slots.nr < nr)
		vec__push(&s->slots, -1);
	qsort(ranked, nr, sizeof(*ranked), by_share);
	for (int i = 0; i < nr && ranked[i].share > 0 && ranked[i].share >= s->least_share; i++) {
		int row;

		if (s->slots.at[ranked[i].site] >= 0)
			continue;
		row = s->nr_slots < s->most ? s->nr_slots++ : free_row(s, ranked, nr);
		if (row < 0)
			break;
		s->slots.at[ranked[i].site] = row;
		name_row(s, row, ranked[i].site);
	}
	free(ranked);
}

/*
 * Put each sample into the row of its site, or into the row of all other sites, and name this row.
 */
static void place_samples(struct run_sites *s, const struct site_samples *samples)
{
	int nr = sites__nr(s->sites), others = 0;
	bool *seen = xcalloc(nr + 1, sizeof(*seen));

	s->row_of.nr = 0;
	for (int i = 0; i < samples->nr; i++) {
		int site = sites__find(s->sites, samples->at[i].address), row = -1;

		if (site >= 0)
			row = s->slots.at[site] >= 0 ? s->slots.at[site] : s->most;
		else if (s->past.nr) /* the sample has no name yet */
			row = s->most;
		if (row == s->most && site >= 0 && !seen[site]) {
			seen[site] = true;
			others++;
		}
		vec__push(&s->row_of, row);
	}
	free(seen);
	set_name(s, s->most, xasprintf("%d other%s", others, others == 1 ? "" : "s"), "");
}

/*
 * Mark sites that the program leaves sooner than an event's sample is taken. If the kernel makes no
 * bursts, this is unknown, and all sites are marked.
 */
static void find_near(struct run_sites *s)
{
	struct site_stays stays[MOST_ROWS + 1];
	int *row_of = xcalloc(sites__nr(s->sites) + 1, sizeof(*row_of));

	for (int i = 0; i < sites__nr(s->sites); i++)
		row_of[i] = i < s->slots.nr && s->slots.at[i] >= 0 ? s->slots.at[i] : s->most;
	sites__stays(s->sites, row_of, s->most + 1, stays);
	for (int row = 0; row <= s->most; row++) {
		const struct site_stays *at = &stays[row];

		s->counts.near[row] = s->has_cycles &&
				      (at->bursts < LEAST_BURSTS ||
				       at->left + 0.5 > MOST_LEFT * (at->bursts + 1));
		report__set_near(s->report, row, s->counts.near[row]);
	}
	free(row_of);
}

static void sites__share_out(struct run_sites *s, enum site_window window,
			     const struct counts *whole)
{
	const struct site_samples *samples = sites__samples(s->sites, window);
	double idle[whole->nr_events + 1];

	run_sites__name(s, window);
	give_rows(s, samples);
	place_samples(s, samples);
	find_near(s);
	for (int e = 0; e < whole->nr_events; e++)
		idle[e] = sites__idle(s->sites, window, e);
	site_counts__make(&s->counts, samples, s->row_of.at, whole, idle);
}

/* Sort the rows in use by the pipeline slots that are lost in them, the most first. */
static void order_rows(struct run_sites *s)
{
	struct site_rank ranked[MOST_ROWS];
	int row_of[MOST_ROWS], nr = s->nr_slots;

	for (int row = 0; row < nr; row++)
		ranked[row] = (struct site_rank){row, report__find_lost(s->report, row)};
	qsort(ranked, nr, sizeof(*ranked), by_share);
	for (int row = 0; row < nr; row++)
		row_of[ranked[row].site] = row;
	for (int i = 0; i < s->slots.nr; i++)
		if (s->slots.at[i] >= 0) {
			s->slots.at[i] = row_of[s->slots.at[i]];
			name_row(s, s->slots.at[i], i);
		}
}

void run_sites__fill(struct run *run, const struct source_row *row, enum grid_span span)
{
	struct run_sites *s = run->sites;
	bool first = !s->nr_slots;
	struct source_row wide;

	sites_past__take(&s->past, &run->plan->events, row, &wide);
	sites__share_out(s, SITE_ROW, wide.counts);
	report__fill(s->report, &s->counts.counts, &wide.time, span, false);
	/* Later rows of time keep this order, so that each site keeps its place. */
	if (first) {
		order_rows(s);
		sites__share_out(s, SITE_ROW, wide.counts);
		report__fill(s->report, &s->counts.counts, &wide.time, span, false);
	}
	for (int e = 0; e < run->plan->events.nr; e++)
		site_sum__add(&s->sampled[e], &s->counts.sampled[e]);
	sites__end_row(s->sites);
	s->sampling = run_sites__sampling(run);
	run_sites__tell(run);
}

void run_sites__skip(struct run *run)
{
	sites__skip_row(run->sites->sites);
}

void run_sites__fill_total(struct run *run, const struct source_row *row)
{
	struct run_sites *s = run->sites;

	sites__share_out(s, SITE_WHOLE, row->counts);
	report__fill(s->report, &s->counts.counts, &row->time, SPAN_RUN, true);
}

void run_sites__free(struct run *run)
{
	struct run_sites *s = run->sites;

	if (!s)
		return;
	report__free(s->report);
	sums__free(s->sums);
	site_counts__free(&s->counts);
	sites__free(s->sites);
	sites_past__free(&s->past);
	for (int i = 0; i <= MOST_ROWS; i++)
		free(s->names[i]);
	vec__free(&s->slots);
	vec__free(&s->row_of);
	sb__free(&s->noted_names);
	free(s->sampled);
	free(s->events);
	free(s);
	run->sites = NULL;
}
