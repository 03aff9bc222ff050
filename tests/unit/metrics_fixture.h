/* SPDX-License-Identifier: GPL-2.0-only */
/* Metrics without tables: an expression, and values for the names in it. */
#ifndef TMA_TESTS_METRICS_FIXTURE_H
#define TMA_TESTS_METRICS_FIXTURE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "base/err.h"
#include "base/sb.h"
#include "metrics/expr.h"
#include "metrics/program.h"

/* Make a metric that uses the ids "a b c"; they are not looked up in a table. */
static inline struct metric *metric_of(const char *ids, const char *value)
{
	struct metric *m = calloc(1, sizeof(*m));
	char *copy = strdup(ids), *rest = copy, *id;
	struct err err = ERR_INIT;
	int ret = expr__parse("test", value, &m->value, &err);

	ck_assert_msg(!ret, "%s: %s", value, err.msg);
	m->info.name = "test";
	m->ids = calloc(strlen(ids) + 1, sizeof(*m->ids));
	while ((id = strsep(&rest, " ")))
		if (*id)
			m->ids[m->nr_ids++] = strdup(id);
	free(copy);
	return m;
}

static inline void add_ref(struct metric *m, const char *name, const char *value)
{
	struct err err = ERR_INIT;

	m->refs = realloc(m->refs, (m->nr_refs + 1) * sizeof(*m->refs));
	m->refs[m->nr_refs].name = name;
	ck_assert_int_eq(expr__parse(name, value, &m->refs[m->nr_refs].value, &err), 0);
	m->nr_refs++;
}

static inline void free_metric(struct metric *m)
{
	for (int i = 0; i < m->nr_ids; i++)
		free((char *)m->ids[i]);
	metric__free(m);
}

/* Evaluate an expression with these values; the value of id i is in column i. */
static inline double value_over(const char *text, const double *in)
{
	static const struct metrics_scope nothing;
	struct metric *m = metric_of("a b c d", text);
	struct program *p = program__new(&nothing);
	int columns[4] = { 0, 1, 2, 3 }, value, threshold;
	double out = 0;

	ck_assert_int_eq(program__add(p, m, columns, NULL, 0, &value, &threshold, NULL), 0);
	ck_assert_int_eq(threshold, -1);
	program__reserve(p, 1);
	program__eval(p, 1, in, NULL, &out);
	program__free(p);
	free_metric(m);
	return out;
}

/* The values of a, b, c, d are 6, 4, NaN and infinity. */
static inline double value_of(const char *text)
{
	static const double in[] = { 6, 4, NAN, INFINITY };

	return value_over(text, in);
}

#endif
