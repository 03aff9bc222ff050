// SPDX-License-Identifier: GPL-2.0-only
/* Runs the kernels as commands, and judges their levels 1 and 2. */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "cmd.h"
#include "grid/grid.h"
#include "kernels/kernels.h"
#include "machine/machine.h"
#include "run/run.h"
#include "simulated.h"
#include "test/test.h"

#define SECONDS "0.2"
#define WHOLE_WITHIN 2 /* level 1 must add up to 100 % within this many percent */
#define LEAST 20       /* the expected node must have at least this many percent of slots */
#define PREFIX "tma_"

/**
 * struct trial - one kernel on one type of core
 * @log:    where lines are printed
 * @core:   name of the core PMU on a hybrid machine, else NULL
 * @metrics: the metric groups of levels 1 and 2
 * @status: exit status of the run
 * @taken:  the kernel ran and was counted
 * @wrong:  TopDown was wrong
 * @result: the values of the nodes, or why there are no values
 */
struct trial {
	const struct host *host;
	struct test_log *log;
	const struct kernel *kernel;
	const char *core, *metrics;
	bool taken, wrong;
	int status;
	struct sb result;
};

static const char *without_prefix(const char *name)
{
	return text__has_prefix(name, PREFIX) ? name + strlen(PREFIX) : name;
}

static bool is_node(const struct grid *g, int i, int level, int parent)
{
	const struct grid_column *c = &g->columns[i];

	return c->kind == GRID_METRIC && c->level == level && (level == 1 || c->parent == parent);
}

static double value(const struct grid *g, int i)
{
	return grid__cell(g, i, 0)->value;
}

static bool is_one_of(const char *name, const char *names)
{
	size_t len = strlen(name);

	for (const char *at = names; (at = strstr(at, name)); at += len)
		if ((at == names || at[-1] == ' ') && (!at[len] || at[len] == ' '))
			return true;
	return false;
}

/*
 * Find the column of a node by its name or other vendors' names. Return: -1 if there is no such
 * column.
 */
static int test_kernels__find(const struct grid *g, int level, int parent, const char *name,
			      const char *others)
{
	for (int i = 0; i < g->nr_columns; i++) {
		const char *is = without_prefix(g->columns[i].name);

		if (is_node(g, i, level, parent) && (!strcmp(is, name) || is_one_of(is, others)))
			return i;
	}
	return -1;
}

/*
 * Find the largest node of level 1, or the largest child of a node. If @losses, ignore "retiring",
 * which is not a loss.
 */
static int test_kernels__largest(const struct grid *g, int level, int parent, bool losses)
{
	int best = -1;

	for (int i = 0; i < g->nr_columns; i++) {
		if (!is_node(g, i, level, parent) ||
		    (losses && !strcmp(without_prefix(g->columns[i].name), "retiring")))
			continue;
		if (best < 0 || value(g, i) > value(g, best))
			best = i;
	}
	return best;
}

static void put_node_value(struct trial *t, const struct grid *g, int i)
{
	sb__printf(&t->result, "%s%s %.1f %%", t->result.len ? ", " : "",
		   without_prefix(g->columns[i].name), value(g, i));
}

/* Judge one level: the node that the kernel is made for must be the largest among its siblings. */
static int test_kernels__judge(struct trial *t, const struct grid *g, int level, int parent,
			       const char *name, const char *others)
{
	bool losses = level == 1 && strcmp(name, "retiring");
	int node = test_kernels__find(g, level, parent, name, others), first;

	if (node < 0)
		return -1;
	first = test_kernels__largest(g, level, parent, losses);
	put_node_value(t, g, node);
	if (first == node && value(g, node) >= LEAST)
		return node;
	t->wrong = true;
	if (first == node)
		sb__printf(&t->result, ", and at least %d %% are expected", LEAST);
	else
		sb__printf(&t->result, ", but %s %.1f %%", without_prefix(g->columns[first].name),
			   value(g, first));
	return -1;
}

static bool check_whole(struct trial *t, const struct grid *g)
{
	double sum = 0;

	for (int i = 0; i < g->nr_columns; i++) {
		if (!is_node(g, i, 1, -1))
			continue;
		if (!isfinite(value(g, i))) {
			sb__printf(&t->result, "%s has no value: its events were not scheduled",
				   without_prefix(g->columns[i].name));
			return false;
		}
		sum += value(g, i);
	}
	if (fabs(sum - 100) <= WHOLE_WITHIN)
		return true;
	sb__printf(&t->result, "level 1 adds up to %.1f %%", sum);
	return false;
}

static void judge_all(void *arg, const struct grid *g, const struct run_outcome *outcome)
{
	struct trial *t = arg;
	int node;

	if (!g->nr_rows || outcome->status)
		return;
	t->taken = true;
	if (!check_whole(t, g)) {
		t->wrong = true;
		return;
	}
	node = test_kernels__judge(t, g, 1, -1, t->kernel->level_1, "");
	if (node >= 0 && t->kernel->level_2)
		test_kernels__judge(t, g, 2, node, t->kernel->level_2, t->kernel->others);
}

static void measure_kernel(struct trial *t)
{
	char *const argv[] = {"/proc/self/exe", "test", "-w", (char *)t->kernel->name, SECONDS,
			      NULL};
	const struct run_taker taker = {.end = judge_all, .arg = t};
	struct request req = REQUEST_INIT;
	struct run_outcome outcome;

	req.metrics = t->metrics;
	req.cputype = t->core;
	req.target.argv = argv;
	req.wants = WANT_EVENTS | WANT_METRICS | WANT_TREE | WANT_STATUS | WANT_REASONS;
	/* The checks have already printed the notes on events and CPUs. */
	req.notes &= ~(NOTE(SESSION) | NOTE(REFUSED));
	t->status = measure(t->host, &req, &taker, &outcome);
}

/*
 * Run a kernel. Return: false if TopDown was wrong. A kernel that did not run does not count as
 * wrong.
 */
static bool test_kernels__run(struct trial *t)
{
	const char *is;

	if (simulated__stay(t->kernel->name)) {
		test_log__add(t->log,
			      "     kernel %s: the simulated machine '%s' has no phase for it\n",
			      t->kernel->name, simulated__machine());
		return true;
	}
	fflush(stdout);
	measure_kernel(t);
	is = !t->taken ? "" : t->wrong ? "no" : "ok";
	if (!t->taken)
		sb__printf(&t->result, "not judged: it could not be run and counted (status %d)",
			   t->status);
	test_log__add(t->log, "%-4s kernel %s%s%s: %s: %s\n", is, t->kernel->name,
		      t->core ? " on " : "", t->core ?: "", t->kernel->does, sb__str(&t->result));
	sb__free(&t->result);
	simulated__stay(NULL);
	return !t->wrong;
}

static bool run_all(const struct host *host, struct test_log *log, const char *metrics,
		    const char *core)
{
	bool right = true;

	for (const struct kernel *k = kernels; k < kernels + array__nr(kernels); k++) {
		struct trial t = {.host = host,
				  .log = log,
				  .kernel = k,
				  .core = core,
				  .metrics = metrics,
				  .result = SB_INIT};

		right &= test_kernels__run(&t);
	}
	return right;
}

/* Keep this program and its children on the CPUs of a PMU. */
static bool stay_on(const struct pmu *pmu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (int i = 0; i < pmu->cpus.nr; i++)
		if (pmu->cpus.at[i] < CPU_SETSIZE)
			CPU_SET(pmu->cpus.at[i], &set);
	return !sched_setaffinity(0, sizeof(set), &set);
}

bool test_kernels(const struct host *host, struct test_log *log)
{
	const char *group = "", *why;
	int nr = machine__nr_core_pmus(host->machine), levels = host__levels(host, &group, &why);
	auto_free(sb) metrics = SB_INIT;
	bool right = true;
	cpu_set_t before;

	if (!nr || !levels)
		return true;
	if (simulated__stay(kernels[0].name)) {
		test_log__add(log,
			      "     kernels: the simulated machine '%s' has no phases for them; "
			      "'kernels' has\n",
			      simulated__machine());
		return true;
	}
	sb__printf(&metrics, "%s1", group);
	if (levels > 1)
		sb__printf(&metrics, ",%s2", group);
	if (nr == 1)
		return run_all(host, log, sb__str(&metrics), NULL);
	if (sched_getaffinity(0, sizeof(before), &before))
		return true;
	for (int i = 0; i < nr; i++) {
		const struct pmu *pmu = machine__core_pmu(host->machine, i);

		if (!stay_on(pmu)) {
			test_log__add(log,
				      "     kernels on %s: this program may not run there: %s\n",
				      pmu->name, strerror(errno));
			continue;
		}
		right &= run_all(host, log, sb__str(&metrics), pmu->name);
		sched_setaffinity(0, sizeof(before), &before);
	}
	return right;
}
