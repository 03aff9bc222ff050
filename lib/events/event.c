// SPDX-License-Identifier: GPL-2.0-only
/* An event, and lists of them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "events/internal.h"
#include "machine/machine.h"

struct event *event__new(void)
{
	struct event *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->first = e->leader = e;
	e->nr_members = 1;
	e->scale = 1.0;
	e->any_cpu = true;
	/* Guests are not counted unless asked for, whatever the kind of event, as perf does. */
	e->attr.exclude_guest = 1;
	e->unit = strdup("");
	if (!e->unit) {
		free(e);
		return NULL;
	}
	return e;
}

void event__free(struct event *e)
{
	if (!e)
		return;
	cpulist__free(&e->cpus);
	free(e->name);
	free(e->id);
	free(e->unit);
	free(e->filter);
	free(e);
}

struct event *event__copy(const struct event *e)
{
	struct event *copy = malloc(sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *e;
	copy->cpus = (struct cpulist)CPULIST_INIT;
	copy->name = strdup(e->name);
	copy->id = e->id ? strdup(e->id) : NULL;
	copy->unit = strdup(e->unit);
	copy->filter = e->filter ? strdup(e->filter) : NULL;
	if (copy->name && copy->unit && !copy->id == !e->id && !copy->filter == !e->filter &&
	    !cpulist__copy(&e->cpus, &copy->cpus))
		return copy;
	event__free(copy);
	return NULL;
}

int event__set_pmu(struct event *e, struct pmu *pmu, const struct machine *m)
{
	e->pmu = pmu;
	if (!pmu)
		return 0;
	e->requires_cpu = pmu->is_uncore;
	e->any_cpu = !pmu->is_core && !pmu->has_cpus;
	if (e->any_cpu)
		return 0;
	if (m->online.nr)
		return cpulist__and(&pmu->cpus, &m->online, &e->cpus);
	return cpulist__copy(&pmu->cpus, &e->cpus);
}

bool event__is_software(const struct event *e)
{
	return e->tool || e->attr.type == PERF_TYPE_SOFTWARE ||
	       e->attr.type == PERF_TYPE_TRACEPOINT || e->attr.type == PERF_TYPE_BREAKPOINT ||
	       (e->pmu && pmu__is_software(e->pmu));
}

static bool is_hybrid_core(const struct event *e)
{
	return e->pmu && e->pmu->is_core && machine__is_hybrid(e->pmu->machine);
}

/* "imc/x/" of PMU uncore_imc_0 is "uncore_imc_0/x/"; a name without slashes gets @format. */
static int name_with_pmu(const char *name, const char *pmu, bool hybrid, char *buf, int size)
{
	const char *slash = strchr(name, '/');

	if (!strncmp(name, pmu, strlen(pmu)))
		return snprintf(buf, size, "%s", name);
	if (slash)
		return snprintf(buf, size, "%s%s", pmu, slash);
	return snprintf(buf, size, hybrid ? "%s/%s/" : "%s [%s]", hybrid ? pmu : name,
			hybrid ? name : pmu);
}

int event__unique_name(const struct event *e, char *buf, int size)
{
	const char *pmu = e->pmu ? e->pmu->name : NULL;
	uint32_t type = e->attr.type;

	/* Without a PMU in sysfs these are taken to be of "cpu". */
	if (!pmu && !e->tool && (type == PERF_TYPE_RAW || type == PERF_TYPE_HW_CACHE))
		pmu = "cpu";
	if (!pmu || e->tool || e->config_name || type == PERF_TYPE_TRACEPOINT ||
	    type == PERF_TYPE_BREAKPOINT || (type == PERF_TYPE_HARDWARE && !is_hybrid_core(e)))
		return snprintf(buf, size, "%s", e->name);
	return name_with_pmu(e->name, pmu, is_hybrid_core(e), buf, size);
}

int event__finish_name(struct event *e, const char *text, int len, const char *shown)
{
	char *name;
	int size;

	if (!e->name)
		e->name = shown ? strdup(shown) : strndup(text, len);
	if (!e->name)
		return -ENOMEM;
	if (!is_hybrid_core(e) || e->config_name)
		return 0;
	size = event__unique_name(e, NULL, 0) + 1;
	name = malloc(size);
	if (!name)
		return -ENOMEM;
	event__unique_name(e, name, size);
	free(e->name);
	e->name = name;
	return 0;
}

bool event__is_clock(const struct event *e)
{
	return !e->tool && e->attr.type == PERF_TYPE_SOFTWARE &&
	       (e->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
		e->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

int event_list__push(struct event_list *list, struct event *e)
{
	int rc = vec__push(list, e);

	if (!rc)
		e->index = list->nr - 1;
	return rc;
}

int event_list__splice(struct event_list *list, struct event_list *from)
{
	if (vec__reserve_raw(&list->at, &list->cap, list->nr + from->nr, sizeof(*list->at)))
		return -ENOMEM;
	sb__puts(&list->warnings, sb__str(&from->warnings));
	if (list->warnings.err)
		return -ENOMEM;
	for (int i = 0; i < from->nr; i++) {
		from->at[i]->index = list->nr;
		list->at[list->nr++] = from->at[i];
	}
	from->nr = 0;
	event_list__free(from);
	return 0;
}

void event_list__free(struct event_list *list)
{
	for (int i = 0; i < list->nr; i++)
		event__free(list->at[i]);
	vec__free(list);
	sb__free(&list->warnings);
}
