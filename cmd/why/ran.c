// SPDX-License-Identifier: GPL-2.0-only
/*
 * How the target ran: the answer begins with this. The rates are metrics with formulas of tma's
 * own. They are counted together with the tree if the counters have room for both.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/array.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "grid/grid.h"
#include "run/metric_names.h"
#include "why/why.h"

#define NS 1e-9 /* seconds */
#define WAITED_CPUS 0.1
#define WAITED_NS 50000000 /* less CPU time does not matter */
#define LEAST_NS 100000000
#define HALF 0.5
#define MORE_THAN_ONE 1.05

/*
 * These rates take about 1 % of a CPU's time: a switch takes some microseconds, a fault half a
 * microsecond.
 */
#define MANY_SWITCHES 5000
#define MANY_FAULTS 20000
#define DOMINANT_PERCENT 80
#define FEW_AT_ONCE 1.2

/*
 * The rates, as metrics of the request. Values outside @least to @most are impossible on a real
 * CPU.
 */
static const struct {
	const char *name, *formula;
	double least, most;
} rates[] = {
	[RATE_IPC] = {"why_ipc", "instructions/cycles", 0.001, 20},
	[RATE_GHZ] = {"why_ghz", "cycles/task\\-clock", 0.01, 7},
	[RATE_CPUS] = {"why_cpus", "task\\-clock/1000000000/duration_time", 0, 1e6},
	[RATE_SWITCHES] = {"why_switches", "context\\-switches/duration_time", 0, 1e9},
	[RATE_FAULTS] = {"why_faults", "page\\-faults/duration_time", 0, 1e9},
};

void why_ran__define(struct host_options *host)
{
	auto_free(sb) names = SB_INIT, text = SB_INIT;

	for (int i = 0; i < RATE_NR; i++)
		sb__printf(&text, "%s%s=%s", i ? "," : "", rates[i].name, rates[i].formula);
	metric_names__add(&names, host, sb__str(&text), NULL);
}

void why_ran__ask(unsigned int kinds, struct sb *metrics)
{
	for (int i = 0; i < RATE_NR; i++)
		if (kinds & 1u << i)
			sb__printf(metrics, "%s%s", metrics->len ? "," : "", rates[i].name);
}

static bool same(const char *a, const char *b)
{
	return !a || !b ? a == b : !strcmp(a, b);
}

static struct why_rates *rates_of(struct why_ran *r, const char *core, const char *cgroup)
{
	struct why_rates *of =
		vec__find(x, &r->rates, same(x->core, core) && same(x->cgroup, cgroup));
	struct why_rates new = {.core = core ? xstrdup(core) : NULL,
				.cgroup = cgroup ? xstrdup(cgroup) : NULL};

	if (of) {
		free(new.core);
		free(new.cgroup);
		return of;
	}
	for (int i = 0; i < RATE_NR; i++)
		new.at[i] = NAN;
	vec__push(&r->rates, new);
	return &r->rates.at[r->rates.nr - 1];
}

static void keep_first(struct why_ran *r, const struct grid_column *c, int kind, double value)
{
	struct why_rates *of = rates_of(r, kind <= RATE_GHZ ? c->core_name : NULL, c->cgroup);

	if (isnan(of->at[kind]))
		of->at[kind] = value;
}

void why_ran__take(struct why_ran *r, const struct grid *g)
{
	for (int c = 0; c < g->nr_columns && g->nr_rows; c++) {
		const struct grid_column *column = &g->columns[c];
		double value = grid__cell(g, c, 0)->value;

		for (int i = 0; i < array__nr(rates); i++) {
			if (column->kind == GRID_METRIC && !strcmp(column->name, rates[i].name) &&
			    value >= rates[i].least && value <= rates[i].most)
				keep_first(r, column, i, value);
		}
	}
}

void why_ran__take_sampled(struct why_ran *r, const struct where_ran *sampled, double cpu_ns)
{
	struct why_rates *rates = rates_of(r, NULL, NULL);
	double seconds = sampled->elapsed_ns * NS;

	r->elapsed_ns = sampled->elapsed_ns;
	r->user_ns = sampled->user_ns;
	r->system_ns = sampled->system_ns;
	rates->at[RATE_CPUS] = cpu_ns * NS / seconds;
	rates->at[RATE_SWITCHES] = sampled->switches / seconds;
	rates->at[RATE_FAULTS] = sampled->faults / seconds;
}

bool why_ran__knows_ipc(const struct why_ran *r, const struct ways *ways)
{
	const struct way *way;

	vec__for_each (way, ways)
		if (!vec__find(x, &r->rates,
			       same(x->core, way->core_name) && same(x->cgroup, way->cgroup) &&
				       !isnan(x->at[RATE_IPC])))
			return false;
	return ways->nr;
}

double why_ran__rate(const struct why_ran *r, const char *cgroup, enum why_rate_kind kind)
{
	const struct why_rates *x =
		vec__find(y, &r->rates, !isnan(y->at[kind]) && same(y->cgroup, cgroup));

	return x ? x->at[kind] : (double)NAN;
}

double why_ran__cpus(const struct why_ran *r, const char *cgroup)
{
	double counted = why_ran__rate(r, cgroup, RATE_CPUS);
	double waited_for = r->elapsed_ns && !cgroup
				    ? (double)(r->user_ns + r->system_ns) / r->elapsed_ns
				    : (double)NAN;

	/*
	 * The time of children that were not waited for is only in the counted time: use the larger
	 * value.
	 */
	return fmax(counted, waited_for);
}

bool why_ran__waited(const struct why_ran *r)
{
	double cpus = why_ran__cpus(r, NULL);

	if (r->has_cgroups || !(cpus < WAITED_CPUS))
		return false;
	/* If a program ends soon, it may have waited only for a CPU. */
	return r->elapsed_ns ? r->elapsed_ns > LEAST_NS && cpus * r->elapsed_ns < WAITED_NS
			     : cpus * r->window_ns < WAITED_NS;
}

void why_ran__free(struct why_ran *r)
{
	struct why_rates *x;

	vec__for_each (x, &r->rates) {
		free(x->core);
		free(x->cgroup);
	}
	vec__free(&r->rates);
}

/* --- For people ------------------------------------------------------------------------------ */

static void put_core_rates(const struct why_rates *x, struct sb *sb)
{
	if (isnan(x->at[RATE_IPC]) && isnan(x->at[RATE_GHZ]))
		return;
	sb__puts(sb, sb->len ? ", " : "");
	if (!isnan(x->at[RATE_IPC]))
		sb__printf(sb, "%.2f IPC", x->at[RATE_IPC]);
	if (!isnan(x->at[RATE_GHZ]))
		sb__printf(sb, "%s%.1f GHz", isnan(x->at[RATE_IPC]) ? "" : ", ", x->at[RATE_GHZ]);
	if (x->core)
		sb__printf(sb, " on %s", x->core);
}

static void put_on_cpu(const struct why_ran *r, const char *cgroup, struct sb *sb)
{
	double cpus = why_ran__cpus(r, cgroup);
	bool command = r->elapsed_ns && !cgroup;

	if (command)
		sb__printf(sb, "%.2f s, ", r->elapsed_ns * NS);
	if (cpus > MORE_THAN_ONE)
		sb__printf(sb, "on %.1f CPUs", cpus);
	else if (!isnan(cpus))
		sb__printf(sb, "%.0f %% on CPU", cpus < 1 ? 100 * cpus : 100);
	if (command)
		sb__printf(sb, " (user %.2f, system %.2f)", r->user_ns * NS, r->system_ns * NS);
}

/* Put switches or faults if they take a significant part of the target's CPU time. */
static void put_often(double a_second, double many, double cpus, const char *what, struct sb *sb)
{
	if (a_second >= many * (cpus > 1 ? cpus : 1))
		sb__printf(sb, "%s%.0f %s a second", sb->len ? ", " : "", a_second, what);
}

static void put_waiting(const struct why_ran *r, const char *cgroup, struct sb *sb)
{
	double cpus = why_ran__cpus(r, cgroup);

	if (!cgroup && why_ran__waited(r))
		sb__puts(sb, ": it waited, and counters do not see for what");
	else if (cpus < HALF)
		sb__puts(sb, ": it waited for the rest, maybe for a CPU");
}

void why_ran__put(const struct why_ran *r, const char *cgroup, struct sb *sb)
{
	double cpus = why_ran__cpus(r, cgroup);
	const struct why_rates *x;

	put_on_cpu(r, cgroup, sb);
	vec__for_each (x, &r->rates)
		if (same(x->cgroup, cgroup) && !(!cgroup && why_ran__waited(r)))
			put_core_rates(x, sb);
	/* If a program ends soon, it was starting most of the time. */
	if (r->elapsed_ns && r->elapsed_ns < LEAST_NS)
		return;
	put_often(why_ran__rate(r, cgroup, RATE_SWITCHES), MANY_SWITCHES, cpus,
		  "context switches", sb);
	put_often(why_ran__rate(r, cgroup, RATE_FAULTS), MANY_FAULTS, cpus, "page faults", sb);
	put_waiting(r, cgroup, sb);
}

static void put_nr_threads(const struct where_threads *t, struct sb *sb)
{
	if (t->processes <= 1)
		sb__printf(sb, "%d threads", t->nr);
	else if (t->processes == t->nr)
		sb__printf(sb, "%d processes", t->nr);
	else
		sb__printf(sb, "%d threads of %d processes", t->nr, t->processes);
}

void why_ran__put_threads(const struct where_threads *t, struct sb *sb)
{
	if (t->nr < 2 || isnan(t->at_once))
		return;
	put_nr_threads(t, sb);
	sb__printf(sb, ", %.1f at once; one alone for %.0f %% of the time", t->at_once, t->alone);
	if (t->busiest <= DOMINANT_PERCENT || t->at_once >= FEW_AT_ONCE || t->nr == t->processes)
		return;
	sb__puts(sb, ": ");
	if (*t->name)
		text__clean(sb, t->name, strlen(t->name), "");
	else
		sb__printf(sb, "thread %d", (int)t->tid);
	sb__printf(sb, " has %.0f %% of the CPU time, and the others wait", t->busiest);
}
