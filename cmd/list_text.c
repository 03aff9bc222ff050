// SPDX-License-Identifier: GPL-2.0-only
/* A listing as text, in the form of perf list; and as bare names. */
#include <string.h>

#include <subcmd/pager.h>

#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "list.h"
#include "retire_latency.h"

#define INDENT 8	/* columns a description is set in */
#define TYPE_COLUMN 53	/* where what an event is stands behind its name */

/* Keep a text for comparison with the next. Return: whether it is another than the last. */
static bool changed(struct sb *last, const char *text, int len)
{
	if (last->len == (size_t)len && last->buf && !memcmp(last->buf, text, len))
		return false;
	sb__clear(last);
	sb__add(last, text, len);
	return true;
}

static void start_text(struct list *l)
{
	if (pager_in_use())
		fprintf(l->out.f, "\nEvents, metrics and metric groups (for -e and -M):\n\n");
}

/* "[text. Unit: cpu_core]" */
static void print_desc(struct list *l, const char *text, const char *pmu, const char *absence)
{
	struct sb sb = SB_INIT;

	if (!*text && !*pmu && !absence)
		return;
	sb__printf(&sb, "[%s", text);
	if (*text && *pmu)
		sb__puts(&sb, text__has_suffix(text, ".") ? " " : ". ");
	if (*pmu)
		sb__printf(&sb, "Unit: %s", pmu);
	if (absence)
		sb__printf(&sb, "%sNot on this machine", sb.len > 1 ? ". " : "");
	sb__putc(&sb, ']');
	fprintf(l->out.f, "%*s", INDENT - 1, "");
	output__wrap(&l->out, INDENT - 1, INDENT, sb__str(&sb));
	if (absence && *absence) {
		sb__clear(&sb);
		sb__printf(&sb, "[Reason: %s]", absence);
		fprintf(l->out.f, "%*s", INDENT - 1, "");
		output__wrap(&l->out, INDENT - 1, INDENT, sb__str(&sb));
	}
	sb__free(&sb);
}

static void print_encoding(struct list *l, const struct event_name *e)
{
	struct sb sb = SB_INIT;

	list__encoding(e, &sb);
	if (sb.len) {
		fprintf(l->out.f, "%*s", INDENT, "");
		output__wrap(&l->out, INDENT, INDENT, sb__str(&sb));
	}
	sb__free(&sb);
}

static void print_line(struct list *l, const char *text)
{
	fprintf(l->out.f, "%*s", INDENT - 1, "");
	output__wrap(&l->out, INDENT - 1, INDENT, text);
}

static void print_latency(struct list *l, const struct event_name *e)
{
	struct sb sb = SB_INIT, latency = SB_INIT;

	if (e->info)
		retire_latency__print(e->info, &latency);
	if (latency.len) {
		sb__printf(&sb, "[retire latency (:R): %s]", sb__str(&latency));
		print_line(l, sb__str(&sb));
	}
	sb__free(&latency);
	sb__free(&sb);
}

static void print_event(struct list *l, const struct event_name *e, bool available)
{
	const char *desc = l->long_desc && *e->long_desc ? e->long_desc : e->desc;
	int column;

	if (changed(&l->topic, e->topic, strlen(e->topic)) && *e->topic) {
		fputc('\n', l->out.f);
		output__puts(&l->out, e->topic);
		fputs(":\n", l->out.f);
	}
	column = output__puts(&l->out, "  ") + output__puts(&l->out, e->name);
	if (*e->alias)
		column += output__puts(&l->out, " OR ") + output__puts(&l->out, e->alias);
	if (!*e->topic)
		fprintf(l->out.f, "%*s[%s]",
			column < TYPE_COLUMN ? TYPE_COLUMN - column : 0, "", list__type(e->kind));
	fputc('\n', l->out.f);
	if ((*desc && !l->no_desc) || !available)
		print_desc(l, l->no_desc ? "" : desc, l->no_desc ? "" : e->pmu,
			   available ? NULL : "");
	if (l->details) {
		print_encoding(l, e);
		print_latency(l, e);
	}
}

static void print_group_name(struct list *l, const struct list_metric *m)
{
	struct sb name = SB_INIT;
	const char *desc;

	sb__add(&name, m->group, m->group_len);
	desc = l->no_desc ? "" : tables__group_desc(l->host.tables, sb__str(&name));
	if (l->metrics)
		fprintf(l->out.f, "\n");
	sb__puts(&name, l->metrics ? ":" : "");
	if (*desc)
		sb__printf(&name, " [%s]", desc);
	output__puts(&l->out, sb__str(&name));
	fputc('\n', l->out.f);
	sb__free(&name);
}

/* Return: whether this metric, of this PMU, was not the last one printed here. */
static bool is_new(struct list *l, const struct list_metric *m, bool new_group)
{
	struct sb key = SB_INIT;
	bool new;

	sb__printf(&key, "%s@%s", m->info.name, l->no_desc ? "" : m->pmu);
	new = changed(&l->last, sb__str(&key), key.len);
	sb__free(&key);
	return new || new_group;
}

static void print_metric(struct list *l, const struct list_metric *m)
{
	const char *desc = l->long_desc && *m->info.long_desc ? m->info.long_desc : m->info.desc;
	struct sb text = SB_INIT;
	bool new_group = false;

	if (!l->group.len)
		fprintf(l->out.f, l->groups ? "\nMetric Groups:\n%s" : "\nMetrics:\n%s",
			l->groups && l->metrics ? "" : "\n");
	if (changed(&l->group, l->groups ? m->group : "-", l->groups ? m->group_len : 1)) {
		new_group = true;
		if (l->groups)
			print_group_name(l, m);
	}
	if (!l->metrics || !is_new(l, m, new_group))
		return;
	fputs("  ", l->out.f);
	output__puts(&l->out, m->info.name);
	fputc('\n', l->out.f);
	if (!l->no_desc)
		print_desc(l, desc, strcmp(m->info.pmu, "default_core") ? m->pmu : "",
			   m->absence);
	else if (m->absence)
		print_desc(l, "", "", m->absence);
	if (l->details) {
		sb__printf(&text, "[%s]", m->info.expr);
		print_line(l, sb__str(&text));
		sb__clear(&text);
		sb__printf(&text, "[%s]", m->info.threshold);
		if (*m->info.threshold)
			print_line(l, sb__str(&text));
	}
	sb__free(&text);
}

/* Return: whether a name stands in the listing for the first time. */
static bool is_first(struct list *l, const char *name)
{
	if (!l->seen)
		l->seen = strmap__new();
	return l->seen && strmap__get(l->seen, name) < 0 && !strmap__put(l->seen, name, 1);
}

static void put_name(struct list *l, const char *name)
{
	/* Blanks stand between names there; some of the vendor's hold one by mistake. */
	if ((l->write == &list_raw && strchr(name, ' ')) || !is_first(l, name))
		return;
	output__puts(&l->out, name);
	fputc(l->write == &list_raw ? ' ' : '\n', l->out.f);
}

static void raw_event(struct list *l, const struct event_name *e, bool available)
{
	(void)available;
	put_name(l, *e->alias ? e->alias : e->name);
}

static void bare_event(struct list *l, const struct event_name *e, bool available)
{
	(void)available;
	/* The forms of other events are none that could be counted. */
	if (e->kind != NAME_KIND_RAW && e->kind != NAME_KIND_BREAKPOINT)
		put_name(l, e->name);
}

static void bare_metric(struct list *l, const struct list_metric *m)
{
	bool all = l->write == &list_raw;
	char group[256];

	snprintf(group, sizeof(group), "%.*s", m->group_len, m->group);
	/* perf's form has a metric with its group whichever matches. */
	if (l->groups && (all || list__names(l, group)))
		put_name(l, group);
	if (l->metrics && (all || list__names(l, m->info.name)))
		put_name(l, m->info.name);
}

const struct list_writer list_text = {
	.start = start_text,
	.event = print_event,
	.metric = print_metric,
};

const struct list_writer list_raw = {
	.event = raw_event,
	.metric = bare_metric,
	.only_available = true,
};

const struct list_writer list_names = {
	.event = bare_event,
	.metric = bare_metric,
	.only_available = true,
};
