// SPDX-License-Identifier: GPL-2.0-only
/* A listing as text, in the form of perf list; and as bare names. */
#include <stdarg.h>
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
static bool changed(struct sb *last, const char *text)
{
	if (!strcmp(sb__str(last), text))
		return false;
	sb__clear(last);
	sb__puts(last, text);
	return true;
}

static void start_text(struct list *l)
{
	if (pager_in_use())
		fprintf(l->out.f, "\nEvents, metrics and metric groups (for -e and -M):\n\n");
}

/* "[...]", set in */
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

/* "[text. Unit: cpu_core. Not on this machine]" */
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

static void print_encoding(struct list *l, const struct event_name *e)
{
	struct sb *sb = output__scratch(&l->out);

	list__encoding(e, sb);
	if (sb->len)
		output__line(&l->out, INDENT, INDENT, sb__str(sb));
}

static void print_latency(struct list *l, const struct event_name *e)
{
	struct sb latency = SB_INIT;

	if (e->info)
		retire_latency__print(e->info, &latency);
	if (latency.len)
		print_remark(l, "retire latency (:R): %s", sb__str(&latency));
	sb__free(&latency);
}

static void print_event(struct list *l, const struct event_name *e, bool available)
{
	const char *desc = l->long_desc && *e->long_desc ? e->long_desc : e->desc;
	int column;

	if (changed(&l->topic, e->topic) && *e->topic) {
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
	const char *desc = l->no_desc ? "" : tables__group_desc(l->host.tables, m->group);

	fputs(l->metrics ? "\n" : "", l->out.f);
	output__puts(&l->out, m->group);
	fputs(l->metrics ? ":" : "", l->out.f);
	if (*desc) {
		fputs(" [", l->out.f);
		output__puts(&l->out, desc);
		fputc(']', l->out.f);
	}
	fputc('\n', l->out.f);
}

/* Return: whether this metric, of this PMU, was not the last one printed here. */
static bool is_new(struct list *l, const struct list_metric *m, bool new_group)
{
	struct sb *key = output__scratch(&l->out);

	sb__printf(key, "%s@%s", m->info.name, l->no_desc ? "" : m->pmu);
	return changed(&l->last, sb__str(key)) || new_group;
}

static void print_metric(struct list *l, const struct list_metric *m)
{
	const char *desc = l->long_desc && *m->info.long_desc ? m->info.long_desc : m->info.desc;
	const char *pmu = strcmp(m->info.pmu, "default_core") ? m->pmu : "";
	bool new_group;

	if (!l->group.len)
		fprintf(l->out.f, l->groups ? "\nMetric Groups:\n%s" : "\nMetrics:\n%s",
			l->groups && l->metrics ? "" : "\n");
	new_group = changed(&l->group, l->groups ? m->group : "-");
	if (new_group && l->groups)
		print_group_name(l, m);
	if (!l->metrics || !is_new(l, m, new_group))
		return;
	fputs("  ", l->out.f);
	output__puts(&l->out, m->info.name);
	fputc('\n', l->out.f);
	print_desc(l, l->no_desc ? "" : desc, l->no_desc ? "" : pmu, m->absence);
	if (l->details)
		print_remark(l, "%s", m->info.expr);
	if (l->details && *m->info.threshold)
		print_remark(l, "%s", m->info.threshold);
}

/* Return: whether a name stands in the listing for the first time. */
static bool is_first(struct list *l, const char *name)
{
	if (!l->seen)
		l->seen = strmap__new();
	return strmap__get(l->seen, name) < 0 && !strmap__put(l->seen, name, 1);
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

	/* perf's form has a metric with its group whichever matches. */
	if (l->groups && (all || list__names(l, m->group)))
		put_name(l, m->group);
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
