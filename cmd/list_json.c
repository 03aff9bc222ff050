// SPDX-License-Identifier: GPL-2.0-only
/* A listing as JSON, with the keys of perf list. */

#include "base/decimal.h"
#include "base/sb.h"
#include "list.h"
#include "metrics/print.h"

static void start_json(struct list *l)
{
	json__open(&l->out.json, NULL, '[');
}

static void end_json(struct list *l)
{
	json__close(&l->out.json, ']');
}

static void put_scale(struct list *l, double scale, const char *unit, bool is_set)
{
	const struct decimal number = { .d = scale };
	struct sb *sb = output__scratch(&l->out);

	if (!is_set)
		return;
	decimal__print(&number, sb);
	sb__puts(sb, unit);
	json__text(&l->out.json, "ScaleUnit", sb__str(sb));
}

static void put_encoding(struct list *l, const struct event_name *e)
{
	struct sb *sb = output__scratch(&l->out);

	list__encoding(e, sb);
	json__text_if(&l->out.json, "Encoding", sb__str(sb));
}

static void put_latency(struct list *l, const char *key, double cycles)
{
	struct sb *sb = output__scratch(&l->out);

	expr__print_number(cycles, sb);
	json__text(&l->out.json, key, sb__str(sb));
}

static void put_latencies(struct list *l, const struct event_info *info)
{
	if (!info || (!info->retire_latency_mean && !info->retire_latency_max))
		return;
	put_latency(l, "RetireLatencyMean", info->retire_latency_mean);
	put_latency(l, "RetireLatencyMin", info->retire_latency_min);
	put_latency(l, "RetireLatencyMax", info->retire_latency_max);
}

static void json_event(struct list *l, const struct event_name *e, bool available)
{
	struct json *json = &l->out.json;

	json__open(json, NULL, '{');
	json__text_if(json, "Unit", e->pmu);
	json__text_if(json, "Topic", e->topic);
	json__text(json, "EventName", e->name);
	json__text_if(json, "EventAlias", e->alias);
	put_scale(l, e->scale, e->unit, *e->unit || e->scale != 1.0);
	json__text(json, "EventType", list__type(e->kind));
	json__text_if(json, "Deprecated", e->deprecated ? "1" : "");
	json__text_if(json, "Unavailable", available ? "" : "1");
	json__text_if(json, "BriefDescription", e->desc);
	json__text_if(json, "PublicDescription", *e->long_desc ? e->long_desc : e->desc);
	put_encoding(l, e);
	put_latencies(l, e->info);
	json__close(json, '}');
	output__flush(&l->out);
}

static void json_metric(struct list *l, const struct list_metric *m)
{
	struct json *json = &l->out.json;

	json__open(json, NULL, '{');
	json__text(json, "Unit", m->pmu);
	json__text(json, "MetricGroup", m->group);
	json__text(json, "MetricName", m->info.name);
	json__text_if(json, "Unavailable", m->absence ? "1" : "");
	json__text_if(json, "UnavailableReason", m->absence ? m->absence : "");
	json__text_if(json, "MetricExpr", m->info.expr);
	json__text_if(json, "MetricThreshold", m->info.threshold);
	put_scale(l, m->info.scale, m->info.unit, m->info.scale_unit);
	json__text_if(json, "BriefDescription", m->info.desc);
	json__text_if(json, "PublicDescription", m->info.long_desc);
	json__close(json, '}');
	output__flush(&l->out);
}

const struct list_writer list_json = {
	.start = start_json,
	.event = json_event,
	.metric = json_metric,
	.end = end_json,
	.all = true,
	.details = true,
};
