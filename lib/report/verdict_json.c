// SPDX-License-Identifier: GPL-2.0-only
/* Verdicts for programs: an object each, the same members in both kinds of JSON. */
#include <math.h>

#include "base/text.h"
#include "report/own.h"
#include "report/verdicts.h"

static void put_number(struct sb *sb, const char *key, double number)
{
	size_t before;

	sb__printf(sb, ",\"%s\":", key);
	before = sb->len;
	number__print(sb, number);
	if (sb->len == before)
		sb__puts(sb, "null");
}

static void put_text(struct sb *sb, const char *key, const char *text)
{
	sb__printf(sb, ",\"%s\":\"", key);
	text__json(sb, text);
	sb__putc(sb, '"');
}

static void put_node(const struct verdict_subject *s, int node, struct sb *sb)
{
	const struct verdict_metric *m = &s->metrics[node];
	const struct verdict_node *n = &s->tree.nodes[node];

	sb__puts(sb, "{\"name\":\"");
	text__json(sb, m->shown->metric->name);
	sb__putc(sb, '"');
	put_number(sb, "value", n->value * m->shown->scale);
	put_number(sb, "error", n->error * fabs(m->shown->scale));
	put_text(sb, "unit", m->shown->metric->metric->info.unit);
	put_number(sb, "running_percent", 100 * m->share);
	sb__printf(sb, ",\"level\":%d}", n->level);
}

static void put_nodes(const struct verdict_subject *s, const char *key, const int *nodes, int nr,
		      struct sb *sb)
{
	sb__printf(sb, ",\"%s\":[", key);
	for (int i = 0; i < nr; i++) {
		sb__puts(sb, i ? "," : "");
		put_node(s, nodes[i], sb);
	}
	sb__putc(sb, ']');
}

static const char *why_uncertain(const struct verdict_subject *s)
{
	enum verdict_doubt worst = DOUBT_NONE;

	for (int i = 0; i < s->tree.nr; i++)
		if (s->tree.nodes[i].state == VERDICT_UNCERTAIN && verdict__doubt(s, i) > worst)
			worst = verdict__doubt(s, i);
	return verdict__why(worst);
}

static void put_next(const struct verdict_subject *s, int end, struct sb *sb)
{
	struct sb next = SB_INIT;

	if (end >= 0 && !verdict__has_parts(&s->tree, end))
		verdict__put_next(s, end, false, &next);
	put_text(sb, "next", sb__str(&next));
	sb__free(&next);
}

static void put_sampling(const struct report *r, const struct verdict_subject *s, int end,
			 struct sb *sb)
{
	const struct tables *tables = r->plan->scope ? r->plan->scope->tables : NULL;
	struct sb list = SB_INIT;

	if (end >= 0 && tables)
		metrics__sampling(tables, &s->metrics[end].shown->metric->metric->info, &list,
				  NULL);
	put_text(sb, "sample", sb__str(&list));
	sb__free(&list);
}

void verdict_json__put(struct report *r, const struct verdict_subject *s, int bucket,
		       struct sb *sb)
{
	int path = verdict__path(r, s), *list = r->verdicts->list;
	int end = path ? r->verdicts->path[path - 1] : -1;

	put_text(sb, "pmu", s->core ? s->core->name : "");
	put_text(sb, "bottleneck", end < 0 ? "" : s->metrics[end].shown->metric->name);
	put_nodes(s, "path", r->verdicts->path, path, sb);
	put_nodes(s, "also_over", list, verdict__others(r, s, path), sb);
	put_nodes(s, "not_certain", list, verdict__uncertain(r, s, false), sb);
	put_text(sb, "reason", why_uncertain(s));
	put_next(s, end, sb);
	put_sampling(r, s, end, sb);
	sb__printf(sb, ",\"intervals\":%d,\"same_intervals\":%d", s->intervals[bucket],
		   end < 0 ? 0 : s->metrics[end].same[bucket]);
}

static void each(struct report *r, void (*put)(struct report *r, const struct verdict_subject *s,
					       int bucket))
{
	struct verdicts *v = r->verdicts;

	for (int i = 0; i < v->nr; i++)
		for (int b = 0; b < r->nr_buckets; b++)
			if (verdicts__judge(r, &v->at[i], b))
				put(r, &v->at[i], b);
}

static void put_perf(struct report *r, const struct verdict_subject *s, int bucket)
{
	struct sb *sb = &r->text;

	sb__puts(sb, "{\"verdict\" : {");
	sb__printf(sb, "\"place\":\"%s\"", r->buckets[bucket].label);
	sb__printf(sb, ",\"cgroup\":\"%s\"", s->cgroup ? r->events[s->event].cgroup : "");
	verdict_json__put(r, s, bucket, sb);
	sb__puts(sb, "}}\n");
}

void verdicts__perf_json(struct report *r)
{
	each(r, put_perf);
}

static int cgroup_of(const struct report *r, const struct verdict_subject *s)
{
	for (int i = 0; i < r->own->nr_series; i++)
		if (r->own->series[i].event == s->event)
			return r->own->series[i].cgroup;
	return 0;
}

static void put_own(struct report *r, const struct verdict_subject *s, int bucket)
{
	const struct spot spot = { .bucket = bucket, .cgroup = cgroup_of(r, s) };

	sb__printf(&r->text, "{\"schema\":%d,\"type\":\"verdict\"", OWN_SCHEMA);
	values__keys(r, &spot, NULL);
	verdict_json__put(r, s, bucket, &r->text);
	sb__puts(&r->text, "}\n");
}

void verdicts__json(struct report *r)
{
	each(r, put_own);
}
