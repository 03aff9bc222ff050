/* SPDX-License-Identifier: GPL-2.0-only */
/* Conditions that are true for all tables that can be loaded. */
#ifndef TMA_TESTS_FUZZ_TABLES_H
#define TMA_TESTS_FUZZ_TABLES_H

#include <errno.h>
#include <math.h>
#include <strings.h>

#include "base/sb.h"
#include "fuzz.h"
#include "json/load.h"
#include "metrics/expand.h"
#include "metrics/expr.h"
#include "metrics/metrics.h"
#include "metrics/print.h"
#include "metrics/program.h"
#include "tables/tables.h"

static inline void tables__check_event(const struct tables *t, int i)
{
	struct event_info info, found;
	int at;

	tables__event(t, i, &info);
	fuzz_check(*info.name && *info.pmu);
	fuzz_check(info.topic && info.terms && info.desc && info.long_desc && info.unit &&
		   info.counter && info.compat);
	fuzz_check(isfinite(info.scale), "%s", info.name);
	for (const char *c = info.name; *c; c++)
		fuzz_check(*c < 'A' || *c > 'Z', "%s", info.name);
	at = tables__find_event(t, info.pmu, info.name);
	fuzz_check(at >= 0, "%s of %s", info.name, info.pmu);
	tables__event(t, at, &found);
	fuzz_check(!strcasecmp(found.name, info.name) && !strcmp(found.pmu, info.pmu));
	fuzz_check(tables__find_event(t, NULL, info.name) >= 0, "%s", info.name);
}

/* Print a metric with all metrics that it refers to expanded, unless this is too long. */
static inline void tables__check_expanded(const struct tables *t, const struct metric_info *info,
					  const struct expr *e)
{
	struct metrics_scope scope = { .tables = t };
	struct err err = ERR_INIT;
	struct sb text = SB_INIT;
	struct expr *expanded;
	int rc = expr__expand(&scope, info->pmu, e, &expanded, &err), width;

	if (rc) {
		fuzz__check_error(rc, &err);
		return;
	}
	width = expr__width(expanded);
	fuzz_check(width > 0 && width <= EXPR_WIDTH_MAX, "%d", width);
	if (width < 10000) {
		expr__print(expanded, &text);
		fuzz_check(!text.err && text.len == (size_t)width, "%d, not %zu: %s", width,
			   text.len, sb__str(&text));
	}
	expr__free(expanded);
	sb__free(&text);
}

/*
 * An expression that was loaded was read once, so the run time must also be able to read it, except
 * for some literals.
 */
static inline void tables__check_expr(const struct tables *t, const struct metric_info *info)
{
	struct err err = ERR_INIT;
	struct expr *e;
	int rc = expr__parse(info->name, info->expr, &e, &err);

	if (rc) {
		fuzz__check_error(rc, &err);
		fuzz_check(strchr(info->expr, '#'), "%s", err.msg);
		return;
	}
	tables__check_expanded(t, info, e);
	expr__free(e);
}

static inline void tables__check_threshold(const struct tables *t, const struct metric_info *info)
{
	struct err err = ERR_INIT;
	struct sb words = SB_INIT;
	struct expr *e;
	int rc = *info->threshold ? expr__parse(info->name, info->threshold, &e, &err) : -EINVAL;

	if (rc)
		return;
	rc = metrics__phrase(t, info, e, &words);
	fuzz_check(!words.err && (rc ? rc == -ENOTSUP && !words.len : words.len), "%d, '%s'", rc,
		   sb__str(&words));
	expr__free(e);
	sb__free(&words);
}

static inline void tables__check_metric(const struct tables *t, int i)
{
	struct metric_info info;

	tables__metric(t, i, &info);
	fuzz_check(*info.name && *info.pmu && *info.expr, "%s", info.name);
	fuzz_check(info.threshold && info.groups && info.desc && info.long_desc && info.unit &&
		   info.no_group && info.default_group && info.compat);
	fuzz_check(isfinite(info.scale), "%s", info.name);
	fuzz_check(tables__find_metric(t, info.pmu, info.name) >= 0, "%s of %s", info.name,
		   info.pmu);
	fuzz_check(tables__find_metric(t, NULL, info.name) >= 0, "%s", info.name);
	tables__check_expr(t, &info);
	tables__check_threshold(t, &info);
}

/* Evaluate each metric alone, with a different number for each event. */
static inline void tables__check_program(const struct metrics_scope *scope, struct metric *m)
{
	struct program *p = program__new(scope);
	int *columns = calloc(m->nr_ids + 1, sizeof(*columns)), value, threshold;
	double *in = calloc(m->nr_ids + 1, sizeof(*in)), out[2];
	struct err err = ERR_INIT;
	int rc;

	fuzz_check(p && columns && in);
	for (int i = 0; i < m->nr_ids; i++) {
		columns[i] = i;
		in[i] = i * 1000003 % 8191;
	}
	/* A cycle of metrics that needs no count, as in "x / 0", is only found here. */
	rc = program__add(p, m, columns, NULL, 0, &value, &threshold, &err);
	if (rc) {
		fuzz__check_error(rc, &err);
		fuzz_check(rc == -ELOOP, "%s", err.msg);
	} else {
		fuzz_check(program__outputs(p) == 1 + (threshold >= 0));
		program__reserve(p, 1);
		program__eval(p, 1, in, NULL, out);
	}
	program__free(p);
	free(columns);
	free(in);
}

static inline void tables__check_select(const struct tables *t, const char *name)
{
	struct metrics_scope scope = { .tables = t };
	struct metric_list list = METRIC_LIST_INIT;
	struct err err = ERR_INIT;
	int rc;

	/* These characters have a meaning in -M. */
	if (name[strcspn(name, ",:*?[] \t\n\v\f\r={}'\"\\")])
		return;
	rc = metrics__select(&scope, name, false, &list, &err);
	if (rc)
		fuzz__check_error(rc, &err);
	fuzz_check(rc || list.nr, "%s", name);
	fuzz_check(!rc || !list.nr, "%s", name);
	for (int i = 0; i < list.nr; i++)
		tables__check_program(&scope, list.at[i]);
	metric_list__free(&list);
}

static inline void tables__check_order(const struct tables *t)
{
	struct event_info a, b;
	struct metric_info m, n;

	for (int i = 1; i < tables__nr_events(t); i++) {
		tables__event(t, i - 1, &a);
		tables__event(t, i, &b);
		fuzz_check(strcmp(a.pmu, b.pmu) || strcmp(a.name, b.name) < 0, "%s, then %s",
			   a.name, b.name);
	}
	for (int i = 1; i < tables__nr_metrics(t); i++) {
		tables__metric(t, i - 1, &m);
		tables__metric(t, i, &n);
		fuzz_check(strcmp(m.pmu, n.pmu) || strcmp(m.name, n.name) <= 0, "%s, then %s",
			   m.name, n.name);
	}
}

static inline void tables__check(const struct tables *t)
{
	struct metric_info info;

	for (int i = 0; i < tables__nr_events(t); i++)
		tables__check_event(t, i);
	for (int i = 0; i < tables__nr_metrics(t); i++) {
		tables__check_metric(t, i);
		tables__metric(t, i, &info);
		tables__check_select(t, info.name);
	}
	tables__check_order(t);
	for (int i = 0; i < tables__nr_groups(t); i++) {
		fuzz_check(*tables__group(t, i));
		fuzz_check(tables__group_desc(t, tables__group(t, i)));
	}
}

/**
 * tables__check_load() - load the tables of @opts twice: both are equal, and the second layer hides
 * all of the first
 *
 * Return: whether the tables could be loaded.
 */
static inline bool tables__check_load(const struct load_options *opts)
{
	struct tables_layer layers[2];
	struct tables *t = NULL;
	struct err err = ERR_INIT;
	int events, metrics, rc = tables__load(&t, opts, NULL, &err);

	if (rc) {
		fuzz__check_error(rc, &err);
		fuzz_check(!t);
		fuzz_check(strstr(err.msg, opts->path), "%s is not named: %s", opts->path, err.msg);
		return false;
	}
	tables__check(t);
	events = tables__nr_events(t);
	metrics = tables__nr_metrics(t);
	rc = tables__load(&t, opts, NULL, &err);
	fuzz_check(!rc && t, "%s", err.msg);
	fuzz_check(tables__nr_layers(t) == 2);
	for (int i = 0; i < 2; i++)
		tables__layer(t, i, &layers[i]);
	fuzz_check(layers[0].hash == layers[1].hash);
	fuzz_check(!strcmp(layers[0].model, layers[1].model));
	fuzz_check(layers[0].nr_events == events && layers[1].nr_events == events);
	fuzz_check(tables__nr_events(t) == events, "%d, not %d", tables__nr_events(t), events);
	fuzz_check(tables__nr_metrics(t) == metrics, "%d, not %d", tables__nr_metrics(t), metrics);
	tables__check(t);
	tables__free(t);
	return true;
}

#endif
