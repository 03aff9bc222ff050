// SPDX-License-Identifier: GPL-2.0-only
/* Finds out what an event means, for "tma explain". */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "events/names.h"
#include "explain/explain.h"
#include "machine/machine.h"
#include "plan/counters.h"

/* Find the name inside "pmu/name/"; a text without slashes is a name. */
static const char *bare(const char *text, int *len)
{
	const char *slash = strchr(text, '/');
	const char *name = slash ? slash + 1 : text;

	*len = strcspn(name, "/");
	return name;
}

/* Put "event=0xd1,umask=0x20,period=100003" without the period, which only sampling uses. */
static void put_terms(struct explain *x, const char *pmu, const char *terms)
{
	auto_free(sb) kept = SB_INIT;
	int len;

	text__for_each_item(term, len, terms, ",")
		if (!text__has_prefix(term, "period="))
			sb__printf(&kept, "%s%.*s", kept.len ? "," : "", len, term);
	if (kept.len) {
		sb__printf(&x->words, "%s/", pmu);
		events__print_terms(sb__str(&kept), &x->words);
		sb__putc(&x->words, '/');
	}
	explain__words(x, "written out", "Encoding");
}

/* Print the bits that modifiers set: the differences from the event without modifiers. */
static void print_modifiers(const struct perf_event_attr *attr, struct sb *out)
{
	const struct {
		const char *name;
		unsigned int is, plain;
	} bits[] = {
		{ "exclude_user", attr->exclude_user, 0 },
		{ "exclude_kernel", attr->exclude_kernel, 0 },
		{ "exclude_hv", attr->exclude_hv, 0 },
		{ "exclude_idle", attr->exclude_idle, 0 },
		{ "exclude_host", attr->exclude_host, 0 },
		{ "exclude_guest", attr->exclude_guest, 1 },
		{ "precise_ip", attr->precise_ip, 0 },
		{ "pinned", attr->pinned, 0 },
		{ "exclusive", attr->exclusive, 0 },
	};

	for (int i = 0; i < array__nr(bits); i++)
		if (bits[i].is != bits[i].plain)
			sb__printf(out, " %s=%u", bits[i].name, bits[i].is);
}

static void print_attr(const struct event *e, struct sb *out)
{
	const __u64 words[] = { e->attr.config, e->attr.config1, e->attr.config2, e->attr.config3 };

	sb__printf(out, "type=%u", e->attr.type);
	for (int i = 0; i < 4; i++)
		if (!i || words[i])
			sb__printf(out, i ? " config%d=%#llx" : " config%.0d=%#llx", i,
				   (unsigned long long)words[i]);
	print_modifiers(&e->attr, out);
}

/*
 * Put the attributes that are passed to the kernel. Only the first instance is printed: the others
 * differ only in type.
 */
static void print_attrs(const struct event_list *list, struct sb *sb)
{
	for (int i = 0; i < list->nr; i++) {
		const struct event *e = list->at[i];

		if (i && event__is_further_instance(e))
			continue;
		sb__puts(sb, sb->len ? ", " : "");
		if (list->nr > 1 && e->pmu && !e->merge)
			sb__printf(sb, "%s: ", e->pmu->name);
		print_attr(e, sb);
	}
}

/*
 * Put the attributes that are passed to the kernel, or why this machine cannot count the event.
 * Return: whether it can.
 */
static bool put_config(struct explain *x, const char *text)
{
	auto_free(event_list) list = EVENT_LIST_INIT;
	struct err err = ERR_INIT;
	int rc = events__parse(&x->events, text, &list, &err);

	if (!rc && list.nr && !list.at[0]->tool)
		print_attrs(&list, &x->words);
	explain__words(x, "for the kernel", "Config");
	if (rc)
		explain__lines(x, "Not on this machine", "Unavailable", err.msg);
	return !rc;
}

static void put_counters(struct explain *x, const struct event_info *info)
{
	explain__counters(info, &x->words);
	explain__words(x, "counted by", "Counters");
}

static void explain_event__put_latency(struct explain *x, const struct event_info *info)
{
	output__latency(info, &x->words);
	explain__words(x, "retire latency", "RetireLatency");
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

/*
 * Return: whether a formula contains a name as a whole word. Formulas have a '\' before '-', ','
 * and '='.
 */
static bool names_event(struct explain *x, const char *expr, const char *name)
{
	struct sb *plain = output__scratch(&x->out);
	size_t len = strlen(name);

	for (; *expr; expr++)
		if (*expr != '\\')
			sb__putc(plain, *expr);
	for (const char *at = sb__str(plain); (at = strcasestr(at, name)); at++)
		if ((at == plain->buf || !is_name_char(at[-1])) && !is_name_char(at[len]))
			return true;
	return false;
}

static void put_users(struct explain *x, const struct pmu *on, const char *name)
{
	int nr = x->host.tables ? tables__nr_metrics(x->host.tables) : 0;
	struct metric_info info;

	for (int i = 0; i < nr; i++) {
		tables__metric(x->host.tables, i, &info);
		/* The other core type has different events of the same names. */
		if (on && on->is_core && strcmp(info.pmu, "default_core") &&
		    strcmp(info.pmu, on->name))
			continue;
		if (names_event(x, info.expr, name))
			vec__push(&x->names, info.name);
	}
	explain__names(x, "used by", "Metrics");
}

static void put_measure(struct explain *x, bool system_wide, const char *name)
{
	explain__measure(x, system_wide, "-e", strpbrk(name, " {}*?[<>&|;()$'\"") ? "'" : "", name);
}

static void put_origin(struct explain *x, const struct event_info *info)
{
	int number = tables__find_event(x->host.tables, info->pmu, info->name);
	struct event_info found;

	if (number < 0)
		return;
	tables__event(x->host.tables, number, &found);
	explain__origin(x, found.layer);
}

/* Make the text that means the event in -e and in formulas. */
static char *parsed_name(const struct event_name *e, const char *name)
{
	struct sb text = SB_INIT;

	if (e->kind == NAME_KIND_PMU && e->on)
		sb__printf(&text, "%s/%s/", e->on->name, name);
	else
		sb__puts(&text, *e->alias && e->kind == NAME_KIND_CACHE ? e->alias : e->name);
	return sb__detach(&text);
}

static void explain_event(struct explain *x, const struct event_name *e)
{
	bool of_pmu = e->kind == NAME_KIND_PMU, counts;
	const struct pmu_event *read = NULL;
	struct event_name shown = *e;
	int len;
	const char *inner = bare(e->name, &len);
	auto_text name = xstrndup(of_pmu ? inner : e->name, of_pmu ? len : (int)strlen(e->name));
	auto_text text = parsed_name(e, name);

	if (of_pmu && e->on && !e->info)
		read = pmu__event(e->on, name);
	if (read) {
		shown.scale = read->scale;
		shown.unit = read->unit;
		shown.terms = read->terms;
	}
	explain__begin(x, "event", e->name, e->pmu);
	explain__desc(x, e->desc, e->long_desc, e->goes_on);
	if (e->info)
		put_origin(x, e->info);
	explain__text(x, "also named", "EventAlias", e->alias);
	explain__text(x, "topic", "Topic", e->topic);
	explain__text(x, "deprecated", "Deprecated",
		      e->deprecated ? "deprecated by the vendor" : "");
	explain__unit(x, shown.scale != 1 || *shown.unit, shown.scale, shown.unit, "the count");
	put_terms(x, e->pmu, shown.terms);
	counts = put_config(x, text);
	if (e->info) {
		put_counters(x, e->info);
		explain_event__put_latency(x, e->info);
	}
	put_users(x, e->on, name);
	if (counts)
		put_measure(x, e->on && e->on->is_uncore, e->name);
	explain__end(x);
}

static bool explain_event__is_named(const struct event_name *e, const char *name)
{
	int len;
	const char *inner = bare(e->name, &len);

	return !strcasecmp(e->name, name) || (*e->alias && !strcasecmp(e->alias, name)) ||
	       ((int)strlen(name) == len && !strncasecmp(inner, name, len));
}

static void visit(void *arg, const struct event_name *e)
{
	struct explain *x = arg;

	if (explain_event__is_named(e, x->name) &&
	    (!x->cputype || (e->on && !strcmp(e->on->name, x->cputype))))
		explain_event(x, e);
}

/*
 * Explain a text that is not an event's name, but describes one: "cpu/EV,cmask=1/", "cycles:u",
 * "r1a8".
 */
static void explain_text(struct explain *x)
{
	auto_free(event_list) list = EVENT_LIST_INIT;
	struct event_info found, *info = NULL;
	const struct event *e;

	if (events__parse(&x->events, x->name, &list, NULL) || !list.nr)
		return;
	e = list.at[0];
	/* A text that means an event of each core type has no PMU of its own. */
	explain__begin(x, "event", x->name,
		       (list.nr == 1 || e->merge) && e->pmu ? e->pmu->name : "");
	if (counters__event_info(x->host.tables, e, &found)) {
		info = &found;
		explain__desc(x, info->desc, info->long_desc, info->goes_on);
		put_origin(x, info);
		explain__text(x, "event", "EventName", info->name);
	}
	put_config(x, x->name);
	/* For EVENT:R, explain where the latency comes from. */
	if (e->retire_latency)
		output__latency_need(info, e->pmu && pmu__samples_latencies(e->pmu), &x->words);
	explain__words(x, "value", "Value");
	if (info && e->retire_latency)
		explain_event__put_latency(x, info);
	else if (info)
		put_counters(x, info);
	if (info)
		put_users(x, e->pmu, info->name);
	put_measure(x, e->requires_cpu, x->name);
	explain__end(x);
}

void explain__events(struct explain *x)
{
	struct event_names walk = {
		.kinds = 1u << NAME_KIND_HARDWARE | 1u << NAME_KIND_SOFTWARE |
			 1u << NAME_KIND_TOOL | 1u << NAME_KIND_CACHE | 1u << NAME_KIND_PMU |
			 1u << NAME_KIND_GAUGE,
		.absent = true,
		.visit = visit,
		.arg = x,
	};
	int before = x->found;

	/*
	 * Search the many tracepoints only for a name with a ':', as other names cannot be
	 * tracepoints.
	 */
	if (strchr(x->name, ':'))
		walk.kinds |= 1u << NAME_KIND_TRACEPOINT;
	events__each(&x->events, &walk);
	if (x->found == before)
		explain_text(x);
}
