// SPDX-License-Identifier: GPL-2.0-only
/*
 * Evaluates every metric as the program does. evaluate.py compares the values with its own;
 * tests/bench/compile measures the time.
 *
 *	eval values ROUNDS [DIR ...]  value and threshold of every metric, for made-up counts
 *	eval compile                  time to read and compile all metrics
 *
 * The metrics are the built-in ones, or those of the models in the given folders. "values" prints a
 * line for each metric, with fields separated by tabs: model, PMU, name, and for each round the
 * value and the threshold ("-" if there is none). If a metric is refused, its line has "error" and
 * the reason instead. SYSFS_PATH, PROCFS_PATH and PERF_CPUID describe the machine. The first line
 * is the TSC's frequency, which these do not have.
 *
 * Counts depend only on the event's id and the round, so that both programs know them. h(text, n)
 * is the 64-bit FNV-1a of the text's bytes, plus n times the 64-bit golden ratio, put through the
 * finaliser of splitmix64. An event exists, for has_event(), if h(id, 1000) is even, and is a sum
 * over 1 + h(id, 1001) % 4 counters. Its count in round n is pick(n % 8, h(id, n)).
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "json/load.h"
#include "machine/machine.h"
#include "metrics/program.h"

#define ROUND_EXISTS 1000
#define ROUND_SOURCES 1001

static uint64_t hash(const char *text, uint64_t round)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	h += round * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
	return h ^ h >> 31;
}

/* A number of 1 to 12 digits. */
static double ordinary(uint64_t h)
{
	uint64_t limit = 10;

	for (uint64_t digits = (h >> 32) % 12; digits; digits--)
		limit *= 10;
	return h % limit;
}

static double pick(int kind, uint64_t h)
{
	uint64_t die = h >> 56;

	switch (kind) {
	case 0:
		return ordinary(h);
	case 1:
		return 0;
	case 2: /* some zeros */
		return die % 4 ? ordinary(h) : 0;
	case 3: /* some not counted */
		return die % 8 ? ordinary(h) : NAN;
	case 4: /* as large as a counter can be */
		return h;
	case 5: /* values of different kinds */
		return die % 8 == 0 ? 0 : die % 8 == 1 ? NAN : die % 8 == 2 ? h : ordinary(h);
	case 6: /* values near each other */
		return 1000 + h % 16;
	default: /* beyond the range of arithmetic */
		return ordinary(h) * 1e290;
	}
}

static bool has_event(void *arg, const char *id)
{
	(void)arg;
	return hash(id, ROUND_EXISTS) % 2 == 0;
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/**
 * struct column_map - the input columns of a model's program
 * @at: for each number of an id in @ids, the id's column
 */
struct column_map {
	struct strmap *at;
	VEC(const char *) ids;
};

static int column_of(struct column_map *map, const char *id)
{
	int column = strmap__get(map->at, id);

	if (column >= 0)
		return column;
	if (vec__push(&map->ids, id) || strmap__put(map->at, id, map->ids.nr - 1))
		return -1;
	return map->ids.nr - 1;
}

/* The places of a metric's results; -1 if it has no such result. */
struct output {
	int value, threshold;
};

static int compile(struct program *p, struct column_map *map, struct metric *m, struct output *out,
		   struct err *err)
{
	int *columns = calloc(m->nr_ids + 1, sizeof(*columns)), rc;

	if (!columns)
		return -ENOMEM;
	for (int i = 0; i < m->nr_ids; i++)
		columns[i] = column_of(map, m->ids[i]);
	rc = program__add(p, m, columns, NULL, 0, &out->value, &out->threshold, err);
	free(columns);
	return rc;
}

/* Find the metric with this name and PMU. (The text may also be the name of a group.) */
static struct metric *only(const struct metric_list *list, const struct metric_info *info)
{
	for (int i = 0; i < list->nr; i++)
		if (list->at[i]->info.name == info->name && list->at[i]->info.pmu == info->pmu &&
		    list->at[i]->info.expr == info->expr)
			return list->at[i];
	return NULL;
}

static void print_number(double value)
{
	if (isnan(value))
		printf("\tnan");
	else
		printf("\t%.17g", value);
}

static void print_values(const struct output *out, const double *values, int rounds)
{
	for (int r = 0; r < rounds; r++) {
		print_number(values[(size_t)out->value * rounds + r]);
		if (out->threshold < 0)
			printf("\t-");
		else
			print_number(values[(size_t)out->threshold * rounds + r]);
	}
}

static double *evaluate(struct program *p, const struct column_map *map, int rounds)
{
	size_t cells = (size_t)map->ids.nr * rounds + 1;
	double *in = calloc(cells, sizeof(*in));
	double *sources = calloc(cells, sizeof(*sources));
	double *out = calloc((size_t)program__outputs(p) * rounds + 1, sizeof(*out));

	if (in && sources && out) {
		program__reserve(p, rounds);
		for (size_t i = 0; i < cells - 1; i++) {
			const char *id = map->ids.at[i / rounds];

			in[i] = pick(i % rounds % 8, hash(id, i % rounds));
			sources[i] = 1 + hash(id, ROUND_SOURCES) % 4;
		}
		program__eval(p, rounds, in, sources, out);
	}
	free(in);
	free(sources);
	return out;
}

/**
 * struct run - one model
 * @lists: for each metric of the table, the metrics that were selected for it
 * @why: for each metric, why it was refused
 */
struct run {
	const char *model;
	struct metrics_scope *scope;
	struct program *program;
	struct column_map map;
	struct metric_list *lists;
	struct output *outputs;
	char **why;
};

static void compile_number(struct run *run, int number)
{
	struct metric_info info;
	struct err err = ERR_INIT;
	struct metric *m = NULL;
	int rc;

	tables__metric(run->scope->tables, number, &info);
	rc = metrics__select(run->scope, info.name, false, &run->lists[number], &err);
	if (!rc)
		m = only(&run->lists[number], &info);
	if (m)
		rc = compile(run->program, &run->map, m, &run->outputs[number], &err);
	else if (!rc)
		rc = err__set(&err, ENOENT, "not found by its name");
	if (rc)
		run->why[number] = strdup(err.msg);
}

static void print_model(struct run *run, int rounds)
{
	int nr = tables__nr_metrics(run->scope->tables);
	double *values = evaluate(run->program, &run->map, rounds);
	struct metric_info info;

	for (int i = 0; i < nr; i++) {
		tables__metric(run->scope->tables, i, &info);
		if (!*info.expr)
			continue;
		printf("%s\t%s\t%s", run->model, info.pmu, info.name);
		if (run->why[i])
			printf("\terror\t%.*s", (int)strcspn(run->why[i], "\n"), run->why[i]);
		else
			print_values(&run->outputs[i], values, rounds);
		putchar('\n');
	}
	free(values);
}

static int run_model(const char *model, struct metrics_scope *scope, int rounds)
{
	int nr = tables__nr_metrics(scope->tables);
	struct run run = { .model = model, .scope = scope };
	struct metric_info info;

	run.program = program__new(scope);
	run.map.at = strmap__new();
	run.lists = calloc(nr + 1, sizeof(*run.lists));
	run.outputs = calloc(nr + 1, sizeof(*run.outputs));
	run.why = calloc(nr + 1, sizeof(*run.why));
	if (!run.program || !run.map.at || !run.lists || !run.outputs || !run.why)
		return -ENOMEM;
	for (int i = 0; i < nr; i++) {
		tables__metric(scope->tables, i, &info);
		if (*info.expr)
			compile_number(&run, i);
	}
	print_model(&run, rounds);
	for (int i = 0; i < nr; i++) {
		metric_list__free(&run.lists[i]);
		free(run.why[i]);
	}
	program__free(run.program);
	strmap__free(run.map.at);
	vec__free(&run.map.ids);
	free(run.lists);
	free(run.outputs);
	free(run.why);
	return 0;
}

static int built_in_values(struct metrics_scope *scope, int rounds)
{
	int rc = 0;

	for (int i = 0; !rc && i < tables__nr_models(); i++) {
		struct tables *tables = tables__find_model(tables__model_name(i));

		scope->tables = tables;
		rc = run_model(tables__model_name(i), scope, rounds);
		tables__free(tables);
	}
	return rc;
}

static int loaded_values(struct metrics_scope *scope, int rounds, char *const *dirs)
{
	struct err err = ERR_INIT;
	int rc = 0;

	for (; !rc && *dirs; dirs++) {
		struct load_options opts = { .path = *dirs, .cpuid = "" };
		struct tables *tables = NULL;

		rc = tables__load(&tables, &opts, NULL, &err);
		scope->tables = tables;
		if (!rc)
			rc = run_model(*dirs, scope, rounds);
		else
			fprintf(stderr, "eval: %s\n", err.msg);
		tables__free(tables);
	}
	return rc;
}

static int values(struct machine *machine, int rounds, char *const *dirs)
{
	struct metrics_scope scope = { .machine = machine,
				       .system_wide = true,
				       .has_event = has_event };

	printf("tsc_hz\t%.17g\n", machine__tsc_hz(machine));
	return *dirs ? loaded_values(&scope, rounds, dirs) : built_in_values(&scope, rounds);
}

/* Return: the number of a model's metrics that were compiled, or -errno. */
static int compile_model(struct metrics_scope *scope, int *thresholds)
{
	struct program *p = program__new(scope);
	struct column_map map = { .at = strmap__new() };
	struct metric_list list = METRIC_LIST_INIT;
	int rc = 0, nr;

	if (!p || !map.at)
		return -ENOMEM;
	/* Metrics with cycles are refused; only the tables for tests have such metrics. */
	if (tables__nr_metrics(scope->tables))
		rc = metrics__select(scope, "all", false, &list, NULL);
	for (int i = 0; !rc && i < list.nr; i++) {
		struct output out;

		rc = compile(p, &map, list.at[i], &out, NULL);
		*thresholds += out.threshold >= 0;
	}
	nr = rc == -ELOOP ? 0 : rc ? rc : list.nr;
	metric_list__free(&list);
	program__free(p);
	strmap__free(map.at);
	vec__free(&map.ids);
	return nr;
}

static int compile_all(struct machine *machine)
{
	struct metrics_scope scope = { .machine = machine, .system_wide = true };
	int metrics = 0, thresholds = 0, models = tables__nr_models(), nr;
	double start = seconds();

	for (int i = 0; i < models; i++) {
		struct tables *tables = tables__find_model(tables__model_name(i));

		scope.tables = tables;
		nr = compile_model(&scope, &thresholds);
		tables__free(tables);
		if (nr < 0)
			return nr;
		metrics += nr;
	}
	printf("%d models, %d metrics, %d thresholds read and compiled in %.1f ms\n", models,
	       metrics, thresholds, (seconds() - start) * 1e3);
	return 0;
}

int main(int argc, char **argv)
{
	struct machine *machine = machine__new();
	int rc = -EINVAL;

	if (argc >= 3 && !strcmp(argv[1], "values"))
		rc = values(machine, atoi(argv[2]), argv + 3);
	else if (argc == 2 && !strcmp(argv[1], "compile"))
		rc = compile_all(machine);
	machine__free(machine);
	if (rc)
		fprintf(stderr, "eval: %s\n", strerror(-rc));
	return rc != 0;
}
