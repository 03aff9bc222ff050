// SPDX-License-Identifier: GPL-2.0-only
/* Functions that make, copy and name events, and lists of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "events/internal.h"
#include "machine/machine.h"

struct event *event__new(void)
{
	struct event *e = xcalloc(1, sizeof(*e));

	e->first = e->leader = e;
	e->nr_members = 1;
	e->scale = 1.0;
	e->any_cpu = true;
	/* Events of all kinds exclude guests by default, as in perf. */
	e->attr.exclude_guest = 1;
	e->unit = xstrdup("");
	e->terms = xstrdup("");
	e->table_event = -1;
	return e;
}

void event__free(struct event *e)
{
	if (!e)
		return;
	cpulist__free(&e->cpus);
	free(e->name);
	free(e->bare);
	free(e->terms);
	free(e->id);
	free(e->unit);
	free(e->tracepoint);
	free(e->filter);
	free(e);
}

struct event *event__copy(const struct event *e)
{
	struct event *copy = xmalloc(sizeof(*copy));

	*copy = *e;
	copy->cpus = (struct cpulist)CPULIST_INIT;
	copy->name = xstrdup(e->name);
	copy->bare = xstrdup(e->bare);
	copy->terms = xstrdup(e->terms);
	copy->id = xstrdup(e->id);
	copy->unit = xstrdup(e->unit);
	copy->tracepoint = xstrdup(e->tracepoint);
	copy->filter = xstrdup(e->filter);
	cpulist__copy(&e->cpus, &copy->cpus);
	return copy;
}

static int compare_pointers(const void *a, const void *b)
{
	return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

int event__compare(const struct event *a, const struct event *b)
{
	int order;

	if (a->pmu != b->pmu)
		return compare_pointers(a->pmu, b->pmu);
	/* Compare first the members in which most events of a PMU differ. */
	order = memcmp(&a->attr, &b->attr, sizeof(a->attr));
	if (order)
		return order;
	order = compare_pointers(a->cgroup, b->cgroup) ?: compare_pointers(a->gauge, b->gauge);
	order = order ?: (int)a->tool - (int)b->tool ?: compare_numbers(a->scale, b->scale);
	order = order ?: (int)a->percore - (int)b->percore;
	order = order ?: (int)a->retire_latency - (int)b->retire_latency;
	return order ?: cpulist__compare(&a->cpus, &b->cpus);
}

void event__set_text(char **text, const char *value)
{
	char *copy = xstrdup(value);

	free(*text);
	*text = copy;
}

void event__set_pmu(struct event *e, struct pmu *pmu, const struct machine *m)
{
	e->pmu = pmu;
	if (!pmu)
		return;
	e->requires_cpu = pmu->is_uncore;
	e->any_cpu = !pmu->is_core && !pmu->has_cpus;
	if (e->any_cpu)
		return;
	if (m->online.nr)
		cpulist__and(&pmu->cpus, &m->online, &e->cpus);
	else
		cpulist__copy(&pmu->cpus, &e->cpus);
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

/* Forms in which the PMU is added to a name that lacks it. */
enum pmu_form {
	PMU_IN_BRACKETS,  /* "x:u [pmu]" */
	PMU_BEFORE_ALL,	  /* "pmu/x:u/", as in perf 6.12; -e cannot read this form */
	PMU_BEFORE_SLASH, /* "pmu/x/u" */
};

/* Whether the text before the slash is an event, as in "cycles/cpu=0/", and not a PMU. */
static bool begins_with_event(const struct event *e, int len)
{
	char *before;
	bool is_pmu;

	if (!e->pmu || !e->pmu->is_core)
		return false;
	before = xstrndup(e->name, len);
	is_pmu = pmu__matches(e->pmu, before) || !strcmp(before, "default_core");
	free(before);
	return !is_pmu;
}

/*
 * Prints "uncore_imc_0/x/" for the name "imc/x/" of PMU uncore_imc_0; adds the PMU to other names
 * in the given form.
 */
static int name_with_pmu(const struct event *e, const char *pmu, enum pmu_form form, char *buf,
			 int size)
{
	const char *name = e->name, *slash = strchr(name, '/');
	const char *modes = name + strcspn(name, ":");

	if (!strncmp(name, pmu, strlen(pmu)))
		return snprintf(buf, size, "%s", name);
	if (slash && form == PMU_BEFORE_SLASH && begins_with_event(e, slash - name))
		return snprintf(buf, size, "%s/%.*s%s%s", pmu, (int)(slash - name), name,
				slash[1] == '/' ? "" : ",", slash + 1);
	if (slash)
		return snprintf(buf, size, "%s%s", pmu, slash);
	if (form == PMU_IN_BRACKETS)
		return snprintf(buf, size, "%s [%s]", name, pmu);
	if (form == PMU_BEFORE_ALL)
		modes = name + strlen(name);
	return snprintf(buf, size, "%s/%.*s/%s", pmu, (int)(modes - name), name,
			modes + (*modes == ':'));
}

/* The PMU to print with an event. For raw and cache events without a PMU in sysfs it is "cpu". */
static const char *told_pmu(const struct event *e)
{
	if (!e->pmu && !e->tool &&
	    (e->attr.type == PERF_TYPE_RAW || e->attr.type == PERF_TYPE_HW_CACHE))
		return "cpu";
	return e->pmu ? e->pmu->name : NULL;
}

int event__unique_name(const struct event *e, char *buf, int size)
{
	const char *pmu = told_pmu(e);
	uint32_t type = e->attr.type;

	if (!pmu || e->tool || e->config_name || type == PERF_TYPE_TRACEPOINT ||
	    type == PERF_TYPE_BREAKPOINT || (type == PERF_TYPE_HARDWARE && !is_hybrid_core(e)))
		return snprintf(buf, size, "%s", e->name);
	return name_with_pmu(e, pmu, PMU_IN_BRACKETS, buf, size);
}

int event__name_of_perf7(const struct event *e, char *buf, int size)
{
	const char *pmu = e->tool && e->tool != EVENT_GAUGE ? TOOL_PMU : told_pmu(e);
	uint32_t type = e->attr.type;

	if (!pmu || e->config_name || (!e->tool && type < PERF_TYPE_MAX && type != PERF_TYPE_RAW))
		return snprintf(buf, size, "%s", e->name);
	return name_with_pmu(e, pmu, PMU_BEFORE_SLASH, buf, size);
}

void event__finish_name(struct event *e, const char *text, int len, const char *shown,
			bool modes_inside)
{
	enum pmu_form form = modes_inside ? PMU_BEFORE_ALL : PMU_BEFORE_SLASH;
	char *name;
	int size;

	if (!e->name)
		e->name = shown ? xstrdup(shown) : xstrndup(text, len);
	if (!is_hybrid_core(e) || e->config_name)
		return;
	size = name_with_pmu(e, e->pmu->name, form, NULL, 0) + 1;
	name = xmalloc(size);
	name_with_pmu(e, e->pmu->name, form, name, size);
	if (!e->bare && strcmp(name, e->name))
		e->bare = e->name;
	else
		free(e->name);
	e->name = name;
}

bool event__is_any_thread(const struct event *e)
{
	const struct pmu_format *any;

	if (!event__is_of_core(e) || e->attr.type != (uint32_t)e->pmu->type)
		return false;
	any = pmu__format(e->pmu, "any");
	return any && e->attr.config & any->bits[0];
}

/* Modifiers follow a name. */
static bool event__is_one_of(const char *name, const char *const *names, int nr)
{
	size_t len = strcspn(name, ":");

	for (int i = 0; i < nr; i++)
		if (strlen(names[i]) == len && !strncasecmp(name, names[i], len))
			return true;
	return false;
}

/*
 * Names of unhalted core clocks, slots, and the level 1 of TopDown, which divides slots. A core
 * that executes anything retires some slots, and waits for some at the front and back end. Other
 * events count actions that a program may not perform.
 */
static bool is_of_all_code(const char *name)
{
	static const char *const names[] = {
		"CPU_CLK_UNHALTED.THREAD",
		"CPU_CLK_UNHALTED.THREAD_P",
		"CPU_CLK_UNHALTED.THREAD_ANY",
		"CPU_CLK_UNHALTED.THREAD_P_ANY",
		"CPU_CLK_UNHALTED.CORE",
		"CPU_CLK_UNHALTED.CORE_P",
		"CPU_CLK_UNHALTED.REF_TSC",
		"CPU_CLK_UNHALTED.REF_TSC_P",
		"CPU_CLK_UNHALTED.DISTRIBUTED",
		"CPU_CYCLES",
		"LS_NOT_HALTED_CYC",
		"INST_RETIRED.ANY",
		"INST_RETIRED.ANY_P",
		"INST_RETIRED",
		"EX_RET_INSTR",
		"EX_RET_OPS",
		"OP_RETIRED",
		"OP_SPEC",
		"UOPS_RETIRED.SLOTS",
		"UOPS_RETIRED.RETIRE_SLOTS",
		"UOPS_ISSUED.ANY",
		"TOPDOWN.SLOTS_P",
		"TOPDOWN.BACKEND_BOUND_SLOTS",
		"IDQ_BUBBLES.CORE",
		"IDQ_UOPS_NOT_DELIVERED.CORE",
		"TOPDOWN_RETIRING.ALL",
		"TOPDOWN_FE_BOUND.ALL",
		"TOPDOWN_BE_BOUND.ALL",
	};

	return event__is_one_of(name, names, array__nr(names));
}

/*
 * A loop in user space may leave these at 0. If the kernel is counted too, its clock ticks raise
 * them.
 */
static bool is_of_kernels_code(const char *name)
{
	static const char *const names[] = {
		"TOPDOWN.MEMORY_BOUND_SLOTS",
		"TOPDOWN.BR_MISPREDICT_SLOTS",
		"TOPDOWN.BAD_SPEC_SLOTS",
		"UOPS_RETIRED.HEAVY",
		"IDQ_BUBBLES.FETCH_LATENCY",
	};

	return event__is_one_of(name, names, array__nr(names));
}

bool event__runs_always(const struct event *e)
{
	if (!event__is_of_core(e) || strstr(e->terms ?: "", "cmask") ||
	    strstr(e->terms ?: "", "edge"))
		return false;
	if (!e->attr.exclude_kernel && is_of_kernels_code(e->bare ?: e->name))
		return true;
	return is_of_all_code(e->bare ?: e->name) || e->kind == EVENT_KIND_CYCLES ||
	       e->kind == EVENT_KIND_INSTRUCTIONS || e->topdown == TOPDOWN_SLOTS;
}

bool event__counts_cycles(const struct event *e)
{
	static const char *const names[] = {"CPU_CLK_UNHALTED.THREAD", "CPU_CLK_UNHALTED.THREAD_P",
					    "CPU_CLK_UNHALTED.CORE", "CPU_CLK_UNHALTED.CORE_P",
					    "ls_not_halted_cyc", "CPU_CYCLES"};

	if (!event__is_of_core(e) || strstr(e->terms ?: "", "cmask") ||
	    strstr(e->terms ?: "", "edge"))
		return false;
	return event__is_one_of(e->bare ?: e->name, names, array__nr(names)) ||
	       e->kind == EVENT_KIND_CYCLES;
}

bool event__counts_slots(const struct event *e)
{
	static const char plain[] = "TOPDOWN.SLOTS_P"; /* slots on a general counter */
	const char *name = e->bare ?: e->name;

	return e->topdown || (event__is_of_core(e) && !strncasecmp(name, plain, strlen(plain)));
}

bool event__needs_register(const struct event *e)
{
	static const char *const terms[] = {"frontend=", "offcore_rsp=", "ldlat="};

	for (int i = 0; event__is_of_core(e) && i < array__nr(terms); i++)
		if (strstr(e->terms ?: "", terms[i]))
			return true;
	return false;
}

bool event__is_clock(const struct event *e)
{
	return !e->tool && e->attr.type == PERF_TYPE_SOFTWARE &&
	       (e->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
		e->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

void event_list__push(struct event_list *list, struct event *e)
{
	e->index = list->nr;
	vec__push(list, e);
}

void event_list__splice(struct event_list *list, struct event_list *from)
{
	sb__puts(&list->warnings, sb__str(&from->warnings));
	for (int i = 0; i < from->nr; i++)
		event_list__push(list, from->at[i]);
	from->nr = 0;
	event_list__free(from);
}

void event_list__copy(struct event_list *list, const struct event_list *from, int first, int end)
{
	int before = list->nr;

	for (int i = first; i < end; i++)
		event_list__push(list, event__copy(from->at[i]));
	for (int i = before; i < list->nr; i++) {
		struct event *copy = list->at[i];

		copy->leader = list->at[before + copy->leader->index - first];
		copy->first = list->at[before + copy->first->index - first];
	}
}

void event_list__free(struct event_list *list)
{
	for (int i = 0; i < list->nr; i++)
		event__free(list->at[i]);
	vec__free(list);
	sb__free(&list->warnings);
}
