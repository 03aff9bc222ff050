// SPDX-License-Identifier: GPL-2.0-only
/* What an event means. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "events/names.h"
#include "explain.h"
#include "machine/machine.h"
#include "plan/counters.h"
#include "retire_latency.h"

/* The name inside of "pmu/name/", or the whole. */
static void bare(const char *text, struct sb *out)
{
	const char *slash = strchr(text, '/');

	if (slash)
		sb__add(out, slash + 1, strcspn(slash + 1, "/"));
	else
		sb__puts(out, text);
}

/* "event=0xd1,umask=0x20,period=100003" without the period, which counting has no use for. */
static void put_terms(struct explain *x, const char *pmu, const char *terms)
{
	struct sb *text = output__scratch(&x->out);
	struct sb kept = SB_INIT;

	for (const char *at = terms; *at;) {
		int len = strcspn(at, ",");

		if (!text__has_prefix(at, "period=")) {
			sb__puts(&kept, kept.len ? "," : "");
			sb__add(&kept, at, len);
		}
		at += len + !!at[len];
	}
	if (kept.len) {
		sb__printf(text, "%s/", pmu);
		events__print_terms(sb__str(&kept), text);
		sb__putc(text, '/');
	}
	explain__text(x, "written out", "Encoding", sb__str(text));
	sb__free(&kept);
}

/* What modifiers set, where it is not what the kernel is asked for without any. */
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

	for (size_t i = 0; i < sizeof(bits) / sizeof(*bits); i++)
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

/* What the kernel is asked for, but of further instances, which differ in their type alone. */
static void print_attrs(const struct event_list *list, struct sb *sb)
{
	for (int i = 0; i < list->nr; i++) {
		const struct event *e = list->at[i];

		if (i && e->merge && e->first != e)
			continue;
		sb__puts(sb, sb->len ? ", " : "");
		if (list->nr > 1 && e->pmu && !e->merge)
			sb__printf(sb, "%s: ", e->pmu->name);
		print_attr(e, sb);
	}
}

/* What the kernel is asked for, or why this machine cannot count it. Return: whether it can. */
static bool put_config(struct explain *x, const char *text)
{
	struct event_list list = EVENT_LIST_INIT;
	struct err err = ERR_INIT;
	int rc = events__parse(&x->events, text, &list, &err);
	struct sb *sb = output__scratch(&x->out);

	if (!rc && list.nr && !list.at[0]->tool)
		print_attrs(&list, sb);
	if (rc)
		explain__lines(x, "Not on this machine", "Unavailable", err.msg);
	else
		explain__text(x, "for the kernel", "Config", sb__str(sb));
	event_list__free(&list);
	return !rc;
}

static void put_counters(struct explain *x, const struct event_info *info)
{
	struct sb *sb = output__scratch(&x->out);

	explain__counters(info, sb);
	explain__text(x, "counted by", "Counters", sb__str(sb));
}

static void put_latency(struct explain *x, const struct event_info *info)
{
	struct sb *sb = output__scratch(&x->out);

	retire_latency__print(info, sb);
	explain__text(x, "retire latency", "RetireLatency", sb__str(sb));
}

/* Of EVENT:R, where its value comes from; @info of the tables or NULL. */
static void put_need(struct explain *x, const struct event *e, const struct event_info *info)
{
	struct sb *sb = output__scratch(&x->out);

	retire_latency__print_need(info, e->pmu && pmu__samples_latencies(e->pmu), sb);
	explain__text(x, "value", "Value", sb__str(sb));
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

/* Whether a formula has a name in it, whole; '\' in it stands before '-', ',' and '='. */
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
	struct names names = { .at = NULL };
	struct metric_info info;

	for (int i = 0; i < nr; i++) {
		tables__metric(x->host.tables, i, &info);
		/* The other core type has events of the same names. */
		if (on && on->is_core && strcmp(info.pmu, "default_core") &&
		    strcmp(info.pmu, on->name))
			continue;
		if (names_event(x, info.expr, name))
			vec__push(&names, info.name);
	}
	explain__names(x, "used by", "Metrics", &names);
	vec__free(&names);
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

static void put_unit(struct explain *x, double scale, const char *unit)
{
	explain__unit(x, scale != 1 || *unit, scale, unit, "the count");
}

static void explain_event(struct explain *x, const struct event_name *e)
{
	bool of_pmu = e->kind == NAME_KIND_PMU, counts;
	const struct pmu_event *read = NULL;
	struct sb name = SB_INIT, text = SB_INIT;

	bare(of_pmu ? e->name : "", &name);
	if (of_pmu && e->on && !e->info)
		read = pmu__event(e->on, sb__str(&name));
	explain__begin(x, "event", e->name, e->pmu);
	explain__desc(x, *e->long_desc ? e->long_desc : e->desc);
	if (e->info)
		put_origin(x, e->info);
	explain__text(x, "also named", "EventAlias", e->alias);
	explain__text(x, "topic", "Topic", e->topic);
	explain__text(x, "deprecated", "Deprecated",
		      e->deprecated ? "the vendor wants another event used" : "");
	put_unit(x, read ? read->scale : e->scale, read ? read->unit : e->unit);
	put_terms(x, e->pmu, read ? read->terms : e->terms);
	if (of_pmu && e->on)
		sb__printf(&text, "%s/%s/", e->on->name, sb__str(&name));
	else
		sb__puts(&text, *e->alias && e->kind == NAME_KIND_CACHE ? e->alias : e->name);
	counts = put_config(x, sb__str(&text));
	if (e->info) {
		put_counters(x, e->info);
		put_latency(x, e->info);
	}
	put_users(x, e->on, of_pmu ? sb__str(&name) : e->name);
	if (counts)
		put_measure(x, e->on && e->on->is_uncore, e->name);
	explain__end(x);
	sb__free(&name);
	sb__free(&text);
}

static bool is_named(const struct event_name *e, const char *name)
{
	const char *slash = strchr(e->name, '/');
	size_t len = slash ? strcspn(slash + 1, "/") : 0;

	if (!strcasecmp(e->name, name) || (*e->alias && !strcasecmp(e->alias, name)))
		return true;
	return slash && strlen(name) == len && !strncasecmp(slash + 1, name, len);
}

static int visit(void *arg, const struct event_name *e)
{
	struct explain *x = arg;

	if (is_named(e, x->name) && (!x->cputype || (e->on && !strcmp(e->on->name, x->cputype))))
		explain_event(x, e);
	return 0;
}

/* A text which is no event's name, but means one: "cpu/EV,cmask=1/", "cycles:u", "r1a8". */
static void explain_text(struct explain *x)
{
	struct event_list list = EVENT_LIST_INIT;
	struct event_info found, *info = NULL;
	const struct event *e;

	if (events__parse(&x->events, x->name, &list, NULL) || !list.nr) {
		event_list__free(&list);
		return;
	}
	e = list.at[0];
	/* One for each core type is of none in particular. */
	explain__begin(x, "event", x->name,
		       (list.nr == 1 || e->merge) && e->pmu ? e->pmu->name : "");
	if (counters__event_info(x->host.tables, e, &found)) {
		info = &found;
		explain__desc(x, *info->long_desc ? info->long_desc : info->desc);
		put_origin(x, info);
		explain__text(x, "event", "EventName", info->name);
	}
	put_config(x, x->name);
	if (e->retire_latency)
		put_need(x, e, info);
	if (info && e->retire_latency)
		put_latency(x, info);
	else if (info)
		put_counters(x, info);
	if (info)
		put_users(x, e->pmu, info->name);
	put_measure(x, e->requires_cpu, x->name);
	explain__end(x);
	event_list__free(&list);
}

void explain__events(struct explain *x)
{
	struct event_names walk = {
		.kinds = 1u << NAME_KIND_HARDWARE | 1u << NAME_KIND_SOFTWARE |
			 1u << NAME_KIND_TOOL | 1u << NAME_KIND_CACHE | 1u << NAME_KIND_PMU,
		.absent = true,
		.visit = visit,
		.arg = x,
	};
	int before = x->found;

	/* Tracepoints are many, and have a ':' in their names as no other event does. */
	if (strchr(x->name, ':'))
		walk.kinds |= 1u << NAME_KIND_TRACEPOINT;
	events__each(&x->events, &walk);
	if (x->found == before)
		explain_text(x);
}
