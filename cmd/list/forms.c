// SPDX-License-Identifier: GPL-2.0-only
/* The forms of a listing: text and JSON as in perf list, and bare names. */
#include <stdarg.h>
#include <string.h>

#include "base/auto.h"
#include "base/decimal.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "list/list.h"
#include "metrics/print.h"

/* perf list's names for the kinds of events. */
static const char *const type_names[NAME_KIND_NR] = {
	[NAME_KIND_HARDWARE] = "Hardware event",
	[NAME_KIND_SOFTWARE] = "Software event",
	[NAME_KIND_TOOL] = "Tool event",
	[NAME_KIND_CACHE] = "Hardware cache event",
	[NAME_KIND_PMU] = "Kernel PMU event",
	[NAME_KIND_RAW] = "Raw event descriptor",
	[NAME_KIND_BREAKPOINT] = "Hardware breakpoint",
	[NAME_KIND_TRACEPOINT] = "Tracepoint event",
};

static const char *type_name(const struct event_name *e)
{
	if (e->kind == NAME_KIND_GAUGE)
		return !strcmp(e->topic, "drm") ? "DRM event" : "Hwmon event";
	return type_names[e->kind];
}

/* Print the PMU and the terms, "cpu/event=0xc4/"; nothing if they are unknown. */
static void print_encoding(const struct event_name *e, struct sb *out)
{
	if (!*e->terms)
		return;
	sb__printf(out, "%s/", e->kind == NAME_KIND_TRACEPOINT ? "tracepoint" : e->pmu);
	events__print_terms(e->terms, out);
	sb__puts(out, e->kind == NAME_KIND_RAW ? "/modifier" : "/");
}

/* --- Text --------------------------------------------------------------------------------- */

#define INDENT 8	/* columns before descriptions */
#define TYPE_COLUMN 53	/* columns before the kind of an event */

/* Keep a text, and compare it with the text that was kept before. Return: whether they differ. */
static bool changed(struct sb *last, const char *text)
{
	if (!strcmp(sb__str(last), text))
		return false;
	sb__clear(last);
	sb__puts(last, text);
	return true;
}

/* Print "[...]" like a description. */
static void __attribute__((format(printf, 2, 3)))
print_remark(struct list *l, const char *fmt, ...)
{
	struct sb *sb = output__scratch(&l->out);
	va_list ap;

	va_start(ap, fmt);
	sb__putc(sb, '[');
	sb__vprintf(sb, fmt, ap);
	sb__putc(sb, ']');
	va_end(ap);
	output__line(&l->out, INDENT - 1, INDENT, sb__str(sb));
}

/* Print "[text. Unit: cpu_core. Not on this machine]". */
static void print_desc(struct list *l, const char *text, const char *pmu, const char *absence)
{
	const char *stop = text__has_suffix(text, ".") ? " " : ". ";
	bool some = *text || *pmu;

	if (!some && !absence)
		return;
	print_remark(l, "%s%s%s%s%s%s", text, *text && *pmu ? stop : "", *pmu ? "Unit: " : "", pmu,
		     absence && some ? ". " : "", absence ? "Not on this machine" : "");
	if (absence && *absence)
		print_remark(l, "Reason: %s", absence);
}

static void print_details(struct list *l, const struct event_name *e)
{
	auto_free(sb) text = SB_INIT;

	print_encoding(e, &text);
	if (text.len)
		output__line(&l->out, INDENT, INDENT, sb__str(&text));
	sb__clear(&text);
	if (e->info)
		output__latency(e->info, &text);
	if (text.len)
		print_remark(l, "retire latency (:R): %s", sb__str(&text));
}

/* Make the long description, or the short one if there is no other; valid until the next call. */
static const char *whole_desc(struct list *l, const char *desc, const char *long_desc,
			      bool goes_on)
{
	sb__clear(&l->desc);
	tables__put_desc(&l->desc, desc, long_desc, goes_on);
	return sb__str(&l->desc);
}

static void print_event(struct list *l, const struct event_name *e, bool available)
{
	const char *desc = e->desc;
	int column;

	if (l->long_desc)
		desc = whole_desc(l, e->desc, e->long_desc, e->goes_on);
	if (changed(&l->topic, e->topic) && *e->topic) {
		output__end_line(&l->out);
		output__puts(&l->out, e->topic);
		sb__puts(&l->out.text, ":\n");
	}
	column = output__puts(&l->out, "  ") + output__puts(&l->out, e->name);
	if (*e->alias)
		column += output__puts(&l->out, " OR ") + output__puts(&l->out, e->alias);
	if (!*e->topic)
		sb__printf(&l->out.text, "%*s[%s]", column < TYPE_COLUMN ? TYPE_COLUMN - column : 0,
			   "", type_name(e));
	output__end_line(&l->out);
	if ((*desc && !l->no_desc) || !available)
		print_desc(l, l->no_desc ? "" : desc, l->no_desc ? "" : e->pmu,
			   available ? NULL : "");
	if (l->details)
		print_details(l, e);
}

static void print_group_name(struct list *l, const struct list_metric *m)
{
	const char *desc = l->no_desc ? "" : tables__group_desc(l->host.tables, m->group);

	sb__puts(&l->out.text, l->metrics ? "\n" : "");
	output__puts(&l->out, m->group);
	sb__puts(&l->out.text, l->metrics ? ":" : "");
	if (*desc) {
		sb__puts(&l->out.text, " [");
		output__puts(&l->out, desc);
		sb__putc(&l->out.text, ']');
	}
	output__end_line(&l->out);
}

/* Return: whether the last printed metric has another name, PMU or group. */
static bool is_new(struct list *l, const struct list_metric *m, bool new_group)
{
	struct sb *key = output__scratch(&l->out);

	sb__printf(key, "%s@%s", m->info.name, l->no_desc ? "" : m->pmu);
	return changed(&l->last, sb__str(key)) || new_group;
}

static void print_metric(struct list *l, const struct list_metric *m)
{
	const struct metric_info *info = &m->info;
	const char *desc = info->desc;
	const char *pmu = strcmp(m->info.pmu, "default_core") ? m->pmu : "";
	bool new_group;

	if (l->long_desc)
		desc = whole_desc(l, info->desc, info->long_desc, info->goes_on);
	if (!l->group.len)
		sb__printf(&l->out.text, l->groups ? "\nMetric Groups:\n%s" : "\nMetrics:\n%s",
			   l->groups && l->metrics ? "" : "\n");
	new_group = changed(&l->group, l->groups ? m->group : "-");
	if (new_group && l->groups)
		print_group_name(l, m);
	if (!l->metrics || !is_new(l, m, new_group))
		return;
	sb__puts(&l->out.text, "  ");
	output__puts(&l->out, m->info.name);
	output__end_line(&l->out);
	print_desc(l, l->no_desc ? "" : desc, l->no_desc ? "" : pmu, m->absence);
	if (l->details)
		print_remark(l, "%s", m->info.expr);
	if (l->details && *m->info.threshold)
		print_remark(l, "%s", m->info.threshold);
}

/* --- Bare names ---------------------------------------------------------------------------- */

/* Return: whether a name is printed for the first time. */
static bool is_first(struct list *l, const char *name)
{
	if (!l->seen)
		l->seen = strmap__new();
	return strmap__get(l->seen, name) < 0 && !strmap__put(l->seen, name, 1);
}

static void list_forms__put_name(struct list *l, const char *name)
{
	/*
	 * Blanks separate names in the raw form, so names that contain a blank, as the vendor's
	 * tables have by mistake, are left out.
	 */
	if ((l->write == &list_raw && strchr(name, ' ')) || !is_first(l, name))
		return;
	output__puts(&l->out, name);
	sb__putc(&l->out.text, l->write == &list_raw ? ' ' : '\n');
}

static void bare_event(struct list *l, const struct event_name *e, bool available)
{
	(void)available;
	if (l->write == &list_raw)
		list_forms__put_name(l, *e->alias ? e->alias : e->name);
	/* Names of other kinds are patterns ("rNNN"), not events that can be counted. */
	else if (e->kind != NAME_KIND_RAW && e->kind != NAME_KIND_BREAKPOINT)
		list_forms__put_name(l, e->name);
}

static void bare_metric(struct list *l, const struct list_metric *m)
{
	bool all = l->write == &list_raw;

	/* perf prints a metric and its group if either of them matches. */
	if (l->groups && (all || list__names(l, m->group)))
		list_forms__put_name(l, m->group);
	if (l->metrics && (all || list__names(l, m->info.name)))
		list_forms__put_name(l, m->info.name);
}

/* --- JSON, with the keys of perf list ------------------------------------------------------ */

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

	print_encoding(e, sb);
	json__text_if(&l->out.json, "Encoding", sb__str(sb));
}

static void list_forms__put_latency(struct json *json, const char *key, double cycles)
{
	json__begin_text(json, key);
	expr__print_number(cycles, json->sb);
	json__end_text(json);
}

static void put_latencies(struct json *json, const struct event_info *info)
{
	if (!info || (!info->latency.mean && !info->latency.max))
		return;
	list_forms__put_latency(json, "RetireLatencyMean", info->latency.mean);
	list_forms__put_latency(json, "RetireLatencyMin", info->latency.min);
	list_forms__put_latency(json, "RetireLatencyMax", info->latency.max);
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
	json__text(json, "EventType", type_name(e));
	json__text_if(json, "Deprecated", e->deprecated ? "1" : "");
	json__text_if(json, "Unavailable", available ? "" : "1");
	json__text_if(json, "BriefDescription", e->desc);
	json__text_if(json, "PublicDescription",
		      whole_desc(l, e->desc, e->long_desc, e->goes_on));
	put_encoding(l, e);
	put_latencies(json, e->info);
	json__close(json, '}');
	output__flush(&l->out);
}

/*
 * Get the PMU that perf 7 prints for a metric. perf 7 has no PMU for metrics of every CPU, nor for
 * metrics that its scripts make (lpm_*). tma has these metrics once for each core PMU.
 */
static const char *unit_of_perf7(const struct list *l, const struct list_metric *m)
{
	struct tables_layer layer;

	tables__layer(l->host.tables, m->info.layer, &layer);
	return layer.yields || text__has_prefix(m->info.name, "lpm_") ? "default_core" :
									m->info.pmu;
}

/* Return: whether the same metric was printed before for another core PMU. */
static bool is_of_another_core(struct list *l, const struct list_metric *m, const char *unit)
{
	struct sb *key = output__scratch(&l->out);
	const char *last = sb__str(&l->last);

	sb__printf(key, "%s@%s@%s@", m->info.name, m->group, unit);
	if (text__has_prefix(last, sb__str(key)) && strcmp(last + key->len, m->pmu))
		return true;
	sb__puts(key, m->pmu);
	changed(&l->last, sb__str(key));
	return false;
}

static void json_metric(struct list *l, const struct list_metric *m)
{
	struct json *json = &l->out.json;
	const char *unit = l->compat7 ? unit_of_perf7(l, m) : m->pmu;

	if (is_of_another_core(l, m, unit))
		return;
	json__open(json, NULL, '{');
	json__text(json, "Unit", unit);
	json__text(json, "MetricGroup", m->group);
	json__text(json, "MetricName", m->info.name);
	json__text_if(json, "Unavailable", m->absence ? "1" : "");
	json__text_if(json, "UnavailableReason", m->absence ? m->absence : "");
	json__text_if(json, "MetricExpr", m->info.expr);
	json__text_if(json, "MetricThreshold", m->info.threshold);
	put_scale(l, m->info.scale, m->info.unit, m->info.scale_unit);
	json__text_if(json, "BriefDescription", m->info.desc);
	if (*m->info.long_desc)
		json__text(json, "PublicDescription",
			   whole_desc(l, m->info.desc, m->info.long_desc, m->info.goes_on));
	json__close(json, '}');
	output__flush(&l->out);
}

const struct list_writer list_text = {
	.event = print_event,
	.metric = print_metric,
};

const struct list_writer list_raw = {
	.event = bare_event,
	.metric = bare_metric,
	.only_available = true,
};

const struct list_writer list_names = {
	.event = bare_event,
	.metric = bare_metric,
	.only_available = true,
};

const struct list_writer list_json = {
	.event = json_event,
	.metric = json_metric,
	.all = true,
	.details = true,
};
