// SPDX-License-Identifier: GPL-2.0-only
/* Which counters events may use, and whether they can be counted together. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/sb.h"
#include "explain.h"
#include "machine/machine.h"
#include "plan/fit.h"

#define NAME_MAX_BYTES 256

/*
 * The event's own name in "EV", "EV:u", "pmu/EV,cmask=1/u", "pmu@EV,cmask=1@". Return: its
 * length.
 */
static int bare_name(const char *text, const char **start)
{
	const char *slash = strpbrk(text, "/@");

	*start = slash ? slash + 1 : text;
	return strcspn(*start, slash ? "/@,=" : ":");
}

bool explain__find_info(const struct explain *x, const char *pmu, const char *text,
			struct event_info *info)
{
	char name[NAME_MAX_BYTES];
	const char *start;
	int len = bare_name(text, &start), number;

	if (!x->host.tables || len >= (int)sizeof(name) || start[len] == '=')
		return false;
	memcpy(name, start, len);
	name[len] = '\0';
	number = tables__find_event(x->host.tables, pmu, name);
	if (number >= 0)
		tables__event(x->host.tables, number, info);
	return number >= 0;
}

bool explain__event_info(const struct explain *x, const struct event *e, struct event_info *info)
{
	char pmu[NAME_MAX_BYTES];

	if (!e->pmu)
		return false;
	pmu__table_name(e->pmu, pmu, sizeof(pmu));
	return explain__find_info(x, pmu, e->name, info) ||
	       (e->pmu->is_core && explain__find_info(x, "default_core", e->name, info));
}

void explain__counters(const struct event_info *info, struct sb *out)
{
	struct fit_event need = fit__event(info);
	struct sb sb = SB_INIT;

	fit__print_counters(info->counter_mask, " or ", &sb);
	if (!sb.len && need.topdown)
		sb__puts(&sb, EXPLAIN_TOPDOWN);
	if (!sb.len)
		sb__puts(&sb, info->counter);
	if (info->taken_alone)
		sb__printf(&sb, "%sone such event in a group", sb.len ? ", " : "");
	sb__puts(out, sb__str(&sb));
	sb__free(&sb);
}

/* What an event of a plan needs; one that the tables do not have, any counter. */
static struct fit_event need_of(const struct explain *x, const struct event *e)
{
	struct fit_event need = { .name = e->name };
	struct event_info info;

	if (explain__event_info(x, e, &info))
		need = fit__event(&info);
	need.name = e->name;
	if (e->topdown) {
		/* Slots have the code umask 4; the metrics events those above. */
		need.slots = e->attr.config == 0x400;
		need.topdown = !need.slots;
	}
	return need;
}

void explain__fit(const struct explain *x, const struct event_list *list,
		  const struct event *leader, struct sb *out)
{
	struct fit_event needs[FIT_MAX_EVENTS];
	char pmu[NAME_MAX_BYTES];
	struct fit_conflict why;
	int general, fixed, nr = 0;
	struct fit_pmu counters;

	if (!leader->pmu || !leader->pmu->is_core || !x->host.tables)
		return;
	pmu__table_name(leader->pmu, pmu, sizeof(pmu));
	if (!tables__counters(x->host.tables, pmu, &general, &fixed))
		return;
	for (int i = 0; i < list->nr && nr < FIT_MAX_EVENTS; i++)
		if (list->at[i]->leader == leader && list->at[i]->pmu == leader->pmu)
			needs[nr++] = need_of(x, list->at[i]);
	counters = fit__pmu(general, fixed);
	if (!fit__possible(&counters, needs, nr, &why))
		fit__explain(&counters, needs, nr, &why, out);
}
