// SPDX-License-Identifier: GPL-2.0-only
/* A metric and its expressions, whose names are looked up once. */
#include <stdlib.h>
#include <strings.h>

#include "base/strmap.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "metrics/expr.h"
#include "metrics/idset.h"
#include "metrics/metrics.h"

int metric__nr_exprs(const struct metric *m)
{
	return m->nr_refs + 1 + !!m->threshold;
}

const struct expr *metric__expr(const struct metric *m, int i)
{
	return i < m->nr_refs ? m->refs[i].value : i == m->nr_refs ? m->value : m->threshold;
}

/*
 * Find the index of a name by @known, which has the indexes of the ids, and after them those of the
 * metrics that it refers to.
 */
static int find_name(const struct metric *m, const struct strmap *known, const char *name)
{
	int at = strmap__get(known, name);

	for (int i = 0; at < 0 && i < m->nr_refs; i++)
		if (!strcasecmp(m->refs[i].name, name))
			at = m->nr_ids + i;
	return at;
}

static int *find_names(const struct metric *m, const struct strmap *known, const struct expr *e)
{
	int *names = xmalloc(e->nr * sizeof(*names));

	for (int i = 0; i < e->nr; i++)
		names[i] = e->at[i].id ? find_name(m, known, e->at[i].id) : -1;
	return names;
}

static void find_all_names(struct metric *m)
{
	struct strmap *known = strmap__new();

	for (int i = 0; i < m->nr_ids; i++)
		strmap__put(known, m->ids[i], i);
	for (int i = 0; i < m->nr_refs; i++)
		strmap__put(known, m->refs[i].name, m->nr_ids + i);
	m->names = xmalloc(metric__nr_exprs(m) * sizeof(*m->names));
	for (int i = 0; i < metric__nr_exprs(m); i++)
		m->names[i] = find_names(m, known, metric__expr(m, i));
	strmap__free(known);
}

const int *metric__names(struct metric *m, int i)
{
	if (!m->names)
		find_all_names(m);
	return m->names[i];
}

void metric__free(struct metric *m)
{
	if (!m)
		return;
	for (int i = 0; m->names && i < metric__nr_exprs(m); i++)
		free(m->names[i]);
	free(m->names);
	for (int i = 0; i < m->nr_refs; i++)
		expr__free(m->refs[i].value);
	free(m->refs);
	expr__free(m->value);
	expr__free(m->threshold);
	idset__free(m->id_set);
	free(m->ids);
	free(m->without.corrections);
	free(m->without.any_thread);
	free(m->modifier);
	free(m->request);
	free(m);
}

void metric_list__free(struct metric_list *list)
{
	for (int i = 0; i < list->nr; i++)
		metric__free(list->at[i]);
	vec__free(list);
}
