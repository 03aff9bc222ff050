// SPDX-License-Identifier: GPL-2.0-only
/* What there is to list: events, metrics in their groups. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "count/kernel.h"
#include "list.h"
#include "machine/machine.h"
#include "metrics/metrics.h"

/* A metric's number in the tables, in one of its groups. */
struct member {
	const char *group, *name;
	int group_len, number;
};

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

const char *list__type(enum name_kind kind)
{
	return type_names[kind];
}

void list__encoding(const struct event_name *e, struct sb *out)
{
	if (!*e->terms)
		return;
	sb__printf(out, "%s/", e->kind == NAME_KIND_TRACEPOINT ? "tracepoint" : e->pmu);
	events__print_terms(e->terms, out);
	sb__puts(out, e->kind == NAME_KIND_RAW ? "/modifier" : "/");
}

/* Some PMUs want what the kernel does not count said: the kernel's part, then guests. */
static bool counts(const struct event_name *e)
{
	const struct count_kernel *kernel = &count_kernel__linux;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = e->type,
		.config = e->config,
		.disabled = 1,
	};
	int fd;

	for (int attempt = 0; attempt < 3; attempt++) {
		attr.exclude_kernel = attempt > 0;
		attr.exclude_guest = attempt > 1;
		fd = kernel->open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0) {
			kernel->close(fd);
			return true;
		}
		/* Neither may it be counted by this user, nor has it been looked for. */
		if (errno == EMFILE || errno == ENFILE || errno == EBUSY)
			return true;
	}
	return errno == EACCES || errno == EPERM;
}

static bool is_available(const struct list *l, const struct event_name *e)
{
	switch (e->kind) {
	case NAME_KIND_HARDWARE:
	case NAME_KIND_SOFTWARE:
	case NAME_KIND_CACHE:
		return counts(e);
	case NAME_KIND_PMU:
		return event_name__fits(&l->events, e);
	default:
		return true;
	}
}

static int list_event(void *arg, const struct event_name *e)
{
	struct list *l = arg;
	bool available;

	if (!list__matches_event(l, e))
		return 0;
	if (l->dry)
		return 0;
	available = is_available(l, e);
	/* What cannot be counted is for those who ask for it by name, or for another CPU's. */
	if (!available && (l->write->only_available ||
			   !(l->patterns.nr || (l->elsewhere && e->info && !e->on))))
		return 0;
	l->found++;
	l->write->event(l, e, available);
	return 0;
}

int list__events(struct list *l)
{
	const struct event_names walk = {
		.kinds = l->kinds,
		.instances = l->instances,
		.details = l->details || l->write->details,
		.absent = !l->write->only_available,
		.visit = list_event,
		.arg = l,
	};

	return l->kinds ? events__each(&l->events, &walk) : 0;
}

static int by_name(const void *va, const void *vb)
{
	const struct member *a = va, *b = vb;
	int cmp = strcmp(a->name, b->name);

	return cmp ? cmp : b->number - a->number; /* cpu_core before cpu_atom */
}

static int by_group(const void *va, const void *vb)
{
	const struct member *a = va, *b = vb;
	int len = a->group_len < b->group_len ? a->group_len : b->group_len;
	int cmp = memcmp(a->group, b->group, len);

	if (!cmp)
		cmp = a->group_len - b->group_len;
	return cmp ? cmp : by_name(a, b);
}

struct members {
	struct member *at;
	int nr, cap;
};

static int add_members(struct list *l, int number, struct members *out)
{
	struct metric_info info;
	int rc = 0;

	tables__metric(l->host.tables, number, &info);
	for (const char *at = info.groups + strspn(info.groups, "; "); *at && !rc;
	     at += strspn(at, "; ")) {
		int len = strcspn(at, ";");

		rc = vec__push(out, (struct member){ at, info.name, len, number });
		at += len;
	}
	/* One of no group can be asked for as if it were one. */
	if (!info.groups[strspn(info.groups, "; ")])
		rc = vec__push(out, (struct member){ info.name, info.name, strlen(info.name),
						     number });
	return rc;
}

/* Which metrics have all their events here; many have the same, and are in several groups. */
struct measuring {
	struct list *l;
	struct strmap *ids; /* 1: the machine has that event */
};

/* Return: 0 or -ENOMEM. @has: whether the machine has the event of that id. */
static int look_at_id(const struct measuring *measuring, const char *id, bool *has)
{
	int known = strmap__get(measuring->ids, id);

	if (known < 0) {
		known = events__exists(&measuring->l->events, id);
		if (strmap__put(measuring->ids, id, known))
			return -ENOMEM;
	}
	*has = known;
	return 0;
}

static int look_at_metric(void *arg, int number, const struct metric *metric)
{
	const struct measuring *measuring = arg;
	struct list *l = measuring->l;
	struct sb absence = SB_INIT;
	bool has = metric != NULL;

	for (int i = 0; has && i < metric->nr_ids; i++) {
		if (look_at_id(measuring, metric->ids[i], &has))
			return -ENOMEM;
		if (!has)
			events__absence(&l->events, metric->ids[i], &absence);
	}
	if (!has)
		l->absences[number] = sb__detach(&absence);
	return has || l->absences[number] ? 0 : -ENOMEM;
}

static int look_at_metrics(struct list *l)
{
	struct metrics_scope scope = host__metrics_scope(&l->host, &l->events);
	struct measuring measuring = { l, strmap__new() };
	int rc = -ENOMEM;

	l->absences = calloc(tables__nr_metrics(l->host.tables) + 1, sizeof(*l->absences));
	if (l->absences && measuring.ids)
		rc = metrics__each(&scope, l->wanted, look_at_metric, &measuring);
	strmap__free(measuring.ids);
	return rc;
}

static void describe_member(const struct list *l, const struct member *member,
			    struct list_metric *m)
{
	*m = (struct list_metric){ .group = member->group, .group_len = member->group_len };
	tables__metric(l->host.tables, member->number, &m->info);
	m->pmu = host__pmu_name(&l->host, m->info.pmu);
}

static int find_wanted(struct list *l, const struct members *members)
{
	struct list_metric m;

	free(l->wanted); /* of a dry run */
	l->wanted = calloc(tables__nr_metrics(l->host.tables) + 1, sizeof(*l->wanted));
	if (!l->wanted)
		return -ENOMEM;
	for (int i = 0; i < members->nr; i++) {
		describe_member(l, &members->at[i], &m);
		if (list__matches_metric(l, &m))
			l->wanted[members->at[i].number] = true;
	}
	return 0;
}

static void list_metric(struct list *l, const struct member *member)
{
	struct list_metric m;

	describe_member(l, member, &m);
	if (!list__matches_metric(l, &m))
		return;
	l->found++;
	if (l->absences)
		m.absence = l->absences[member->number];
	l->write->metric(l, &m);
}

int list__metrics(struct list *l)
{
	int nr = l->host.tables ? tables__nr_metrics(l->host.tables) : 0, rc = 0;
	bool grouped = l->groups || l->write->all;
	struct members members = { .at = NULL };

	if ((!l->metrics && !l->groups) || !nr)
		return 0;
	for (int i = 0; i < nr && !rc; i++)
		rc = add_members(l, i, &members);
	if (!rc && members.nr)
		qsort(members.at, members.nr, sizeof(*members.at), grouped ? by_group : by_name);
	if (!rc)
		rc = find_wanted(l, &members);
	if (!rc && !l->dry && l->metrics && !l->write->only_available)
		rc = look_at_metrics(l);
	for (int i = 0; i < members.nr && !rc && !l->dry; i++)
		list_metric(l, &members.at[i]);
	vec__free(&members);
	return rc;
}
