// SPDX-License-Identifier: GPL-2.0-only
/* "tma list": the events, metrics and metric groups of this machine. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <subcmd/parse-options.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/vec.h"
#include "cmd.h"
#include "events/events.h"
#include "events/names.h"
#include "machine/machine.h"
#include "metrics/metrics.h"
#include "tables/tables.h"

#define TEXT_WIDTH 80 /* columns that descriptions are wrapped to */
#define INDENT 7      /* columns a description is set in */

/**
 * struct list - a listing under way
 * @patterns: what the user asked for; nothing lists all
 * @topic:    the last one whose heading was printed
 * @found:    how many lines matched
 * @names:    print the bare names, for scripts and completion
 */
struct list {
	struct host host;
	struct events_scope events;
	const char **patterns;
	int nr_patterns;
	char topic[64];
	int found;
	bool names, no_desc;
};

/* A pattern without wildcards is looked for anywhere in the name, as users of perf list expect. */
static bool matches_one(const char *pattern, const char *text)
{
	struct sb glob = SB_INIT;
	bool hit;

	if (text__is_glob(pattern))
		return text__match(pattern, text, true);
	sb__printf(&glob, "*%s*", pattern);
	hit = text__match(sb__str(&glob), text, true);
	sb__free(&glob);
	return hit;
}

static bool matches(const struct list *l, const char *name, const char *other)
{
	for (int i = 0; i < l->nr_patterns; i++)
		if (matches_one(l->patterns[i], name) ||
		    (*other && matches_one(l->patterns[i], other)))
			return true;
	return !l->nr_patterns;
}

static void print_wrapped(const char *text)
{
	int column = 0;

	while (*text) {
		int len = strcspn(text, " \n");

		if (column && column + 1 + len > TEXT_WIDTH) {
			putchar('\n');
			column = 0;
		}
		column += printf("%*s%.*s", column ? 1 : INDENT, "", len, text);
		text += len;
		text += strspn(text, " \n");
	}
	if (column)
		putchar('\n');
}

static void print_heading(struct list *l, const char *topic)
{
	if (l->names || !strcmp(l->topic, topic))
		return;
	printf("%s%s:\n", *l->topic ? "\n" : "", topic);
	snprintf(l->topic, sizeof(l->topic), "%s", topic);
}

static int print_event(void *arg, const struct event_name *e)
{
	struct list *l = arg;

	if (!matches(l, e->name, e->alias) || (e->deprecated && !l->nr_patterns))
		return 0;
	l->found++;
	print_heading(l, e->topic);
	if (l->names) {
		puts(e->name);
		return 0;
	}
	printf("  %s%s%s", e->name, *e->alias ? " OR " : "", e->alias);
	printf(*e->pmu ? "  [%s]\n" : "\n", e->pmu);
	if (!l->no_desc)
		print_wrapped(e->desc);
	return 0;
}

static int list_events(struct list *l)
{
	return events__each(&l->events, print_event, l);
}

static int list_metrics(struct list *l)
{
	struct metric_info m;
	int nr = l->host.tables ? tables__nr_metrics(l->host.tables) : 0;

	for (int i = 0; i < nr; i++) {
		tables__metric(l->host.tables, i, &m);
		if (!matches(l, m.name, ""))
			continue;
		l->found++;
		print_heading(l, "metrics");
		if (l->names) {
			puts(m.name);
			continue;
		}
		printf("  %s", m.name);
		printf(strcmp(m.pmu, "default_core") ? "  [%s]\n" : "\n", m.pmu);
		if (!l->no_desc)
			print_wrapped(m.desc);
	}
	return 0;
}

/* A metric of a group. */
struct member {
	char *group;
	const char *metric;
};

struct members {
	struct member *at;
	int nr, cap;
};

static int by_group(const void *a, const void *b)
{
	const struct member *ma = a, *mb = b;
	int order = strcasecmp(ma->group, mb->group);

	return order ? order : strcmp(ma->metric, mb->metric);
}

static int add_members(struct members *members, const struct metric_info *m)
{
	const char *p = m->groups;

	while (*p) {
		size_t len = strcspn(p, ";");
		struct member member = { strndup(p, len), m->name };

		if (!member.group || vec__push(members, member)) {
			free(member.group);
			return -ENOMEM;
		}
		p += len + (p[len] == ';');
	}
	return 0;
}

static void print_group(struct list *l, const struct member *member, int nr)
{
	const char *desc = tables__group_desc(l->host.tables, member->group);

	if (!matches(l, member->group, ""))
		return;
	l->found++;
	print_heading(l, "metric groups");
	if (l->names) {
		puts(member->group);
		return;
	}
	printf("  %s\n", member->group);
	if (l->no_desc)
		return;
	print_wrapped(desc);
	for (int i = 0; i < nr; i++)
		if (!i || strcmp(member[i].metric, member[i - 1].metric))
			printf("%*s- %s\n", INDENT, "", member[i].metric);
}

static int list_groups(struct list *l)
{
	struct members members = { .at = NULL };
	struct metric_info m;
	int nr = l->host.tables ? tables__nr_metrics(l->host.tables) : 0, rc = 0;

	for (int i = 0; !rc && i < nr; i++) {
		tables__metric(l->host.tables, i, &m);
		rc = add_members(&members, &m);
	}
	if (!rc && members.nr)
		qsort(members.at, members.nr, sizeof(*members.at), by_group);
	for (int i = 0, same; !rc && i < members.nr; i += same) {
		for (same = 1; i + same < members.nr &&
			       !strcasecmp(members.at[i].group, members.at[i + same].group); same++)
			;
		print_group(l, &members.at[i], same);
	}
	for (int i = 0; i < members.nr; i++)
		free(members.at[i].group);
	vec__free(&members);
	return rc;
}

/* What can be listed; the first word may be one of these names, shortened or in the plural. */
static const struct {
	const char *name;
	int (*list)(struct list *l);
} kinds[] = {
	{ "events", list_events },
	{ "metrics", list_metrics },
	{ "metricgroups", list_groups },
};

#define NR_KINDS (sizeof(kinds) / sizeof(*kinds))

static int find_kind(const char *word)
{
	for (size_t i = 0; i < NR_KINDS; i++)
		if (!strcmp(word, kinds[i].name) ||
		    (strlen(word) + 1 == strlen(kinds[i].name) &&
		     text__has_prefix(kinds[i].name, word)))
			return i;
	return -1;
}

static int nothing_found(struct list *l)
{
	struct sb near = SB_INIT;
	struct suggest s;

	suggest__init(&s, l->patterns[0]);
	events__suggest(&l->events, &s);
	if (l->host.tables)
		tables__suggest(l->host.tables, true, &s);
	suggest__print(&s, &near);
	say("nothing here is named like '%s'%s", l->patterns[0], sb__str(&near));
	sb__free(&near);
	return STATUS_FAILED;
}

static int run(struct list *l, int kind, struct err *err)
{
	int rc = host__load(&l->host, err);

	if (rc)
		return say_err(err);
	l->events = host__events_scope(&l->host, NULL);
	for (size_t i = 0; !rc && i < NR_KINDS; i++)
		if (kind < 0 || kind == (int)i)
			rc = kinds[i].list(l);
	if (rc) {
		err__set(err, -rc, "cannot list: %s", strerror(-rc));
		return say_err(err);
	}
	if (!l->found && l->nr_patterns)
		return nothing_found(l);
	if (!l->host.tables && !l->names)
		say("the tables have nothing for this CPU (%s): no vendor events and no metrics",
		    *l->host.machine->cpuid ? l->host.machine->cpuid : "unknown");
	return 0;
}

int cmd_list(int argc, const char **argv)
{
	static const char *const usage[] = {
		"tma list [<options>] [event|metric|metricgroup] [<pattern>...]", NULL
	};
	struct list l = { .found = 0 };
	const struct option options[] = {
		OPT_BOOLEAN(0, "names", &l.names, "bare names, one a line"),
		OPT_BOOLEAN(0, "no-desc", &l.no_desc, "leave the descriptions out"),
		OPT_END()
	};
	struct err err = ERR_INIT;
	int kind = -1, status;

	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		kind = find_kind(argv[0]);
	l.patterns = argv + (kind >= 0);
	l.nr_patterns = argc - (kind >= 0);
	status = run(&l, kind, &err);
	host__free(&l.host);
	return status;
}
