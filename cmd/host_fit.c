// SPDX-License-Identifier: GPL-2.0-only
/* What the tables say of the counters that events of this machine need. */
#include <string.h>

#include "host_fit.h"
#include "machine/machine.h"

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

bool host__find_info(const struct host *host, const char *pmu, const char *text,
		     struct event_info *info)
{
	char name[NAME_MAX_BYTES];
	const char *start;
	int len = bare_name(text, &start), number;

	if (!host->tables || len >= (int)sizeof(name) || start[len] == '=')
		return false;
	memcpy(name, start, len);
	name[len] = '\0';
	number = tables__find_event(host->tables, pmu, name);
	if (number >= 0)
		tables__event(host->tables, number, info);
	return number >= 0;
}

bool host__event_info(const struct host *host, const struct event *e, struct event_info *info)
{
	char pmu[NAME_MAX_BYTES];

	if (!e->pmu)
		return false;
	pmu__table_name(e->pmu, pmu, sizeof(pmu));
	return host__find_info(host, pmu, e->name, info) ||
	       (e->pmu->is_core && host__find_info(host, "default_core", e->name, info));
}

struct fit_event host__fit_need(const struct host *host, const struct event *e)
{
	struct fit_event need = { .name = e->name };
	struct event_info info;

	if (host__event_info(host, e, &info))
		need = fit__event(&info);
	need.name = e->name;
	if (e->topdown) {
		/* Slots have the code umask 4; the metrics events those above. */
		need.slots = e->attr.config == 0x400;
		need.topdown = !need.slots;
	}
	return need;
}

static int highest(uint64_t mask)
{
	return mask ? 64 - __builtin_clzll(mask) : 0;
}

/* As many as some event of a PMU uses, where the vendor does not say. Return: whether there are. */
static bool counters_used(const struct tables *tables, const char *pmu, int *general, int *fixed)
{
	uint64_t used = 0;
	struct event_info info;

	for (int i = 0; i < tables__nr_events(tables); i++) {
		tables__event(tables, i, &info);
		if (!strcmp(info.pmu, pmu))
			used |= info.counter_mask;
	}
	*general = highest(used & UINT32_MAX);
	*fixed = highest(used >> FIT_FIXED);
	return used;
}

bool host__fit_pmu(const struct host *host, const struct pmu *pmu, struct fit_pmu *out)
{
	char name[NAME_MAX_BYTES];
	int general, fixed;

	if (!pmu->is_core || !host->tables)
		return false;
	pmu__table_name(pmu, name, sizeof(name));
	if (!tables__counters(host->tables, name, &general, &fixed) &&
	    !counters_used(host->tables, name, &general, &fixed))
		return false;
	*out = fit__pmu(general, fixed);
	return true;
}
