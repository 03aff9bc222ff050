// SPDX-License-Identifier: GPL-2.0-only
/* Copy a perf_event_attr, find its PMU, and refuse what the kernel's drivers refuse. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/raw.h"
#include "sim/sim.h"

#define CLOCK_RATE (1ULL << SIM_RATE_SHIFT) /* rate of one event per ns */

int attr__copy(struct perf_event_attr *from, struct perf_event_attr *attr)
{
	uint32_t size = from->size ? from->size : PERF_ATTR_SIZE_VER0;
	const unsigned char *tail = (const unsigned char *)from;
	bool fits = size >= PERF_ATTR_SIZE_VER0 && size <= 4096;

	memset(attr, 0, sizeof(*attr));
	for (uint32_t i = sizeof(*attr); fits && i < size; i++)
		fits = !tail[i];
	if (!fits) {
		from->size = sizeof(*attr);
		return -E2BIG;
	}
	memcpy(attr, from, size < sizeof(*attr) ? size : sizeof(*attr));
	attr->size = size;
	if (attr->__reserved_1 || attr->__reserved_2 || attr->__reserved_3 ||
	    attr->sample_type & ~(PERF_SAMPLE_MAX - 1ULL) ||
	    attr->read_format & ~(PERF_FORMAT_MAX - 1ULL))
		return -EINVAL;
	if (attr->sample_type & PERF_SAMPLE_WEIGHT && attr->sample_type & PERF_SAMPLE_WEIGHT_STRUCT)
		return -EINVAL;
	if ((attr->remove_on_exec && attr->enable_on_exec) ||
	    (!attr->inherit && attr->inherit_thread))
		return -EINVAL;
	return 0;
}

bool attr__is_sampling(const struct perf_event_attr *attr)
{
	return attr->sample_period;
}

static bool is_clock(clockid_t id)
{
	return id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_RAW || id == CLOCK_REALTIME ||
	       id == CLOCK_BOOTTIME || id == CLOCK_TAI;
}

int attr__check_sampling(const struct sim_machine *m, const struct perf_event_attr *attr)
{
	uint64_t max_rate = sim_machine__sysctl(m, "perf_event_max_sample_rate", 100000);

	if (attr->freq ? attr->sample_freq > max_rate : attr->sample_period >> 63)
		return -EINVAL;
	/*
	 * Samples with counts of inherited events need the thread id: it shows whose counts they
	 * are.
	 */
	if (attr->inherit && attr->sample_type & PERF_SAMPLE_READ &&
	    !(attr->sample_type & PERF_SAMPLE_TID))
		return -EINVAL;
	if (attr->use_clockid && !is_clock(attr->clockid))
		return -EINVAL;
	return 0;
}

static bool has_excludes(const struct perf_event_attr *attr)
{
	return attr->exclude_idle || attr->exclude_user || attr->exclude_kernel ||
	       attr->exclude_hv || attr->exclude_host || attr->exclude_guest;
}

/* The upper half of config may name a PMU. */
static int generic_event(struct sim_machine *m, struct sim_event *event)
{
	uint32_t type = event->attr.config >> 32, config = event->attr.config;
	const struct sim_generic *generic;

	event->pmu = type ? sim_machine__pmu_by_type(m, type)
			  : sim_machine__core_pmu(m, event->cpu);
	if (!event->pmu || event->pmu->kind != SIM_PMU_CORE)
		return -ENOENT;
	generic = vec__find(g, &event->pmu->generics,
			    g->type == event->attr.type && g->config == config);
	if (!generic)
		return -ENOENT;
	event->config = generic->target;
	return 0;
}

int attr__pmu(struct sim_machine *m, struct sim_event *event)
{
	const struct perf_event_attr *attr = &event->attr;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
		return generic_event(m, event);
	case PERF_TYPE_SOFTWARE:
		event->config.word[0] = attr->config;
		return attr->config < PERF_COUNT_SW_MAX ? 0 : -ENOENT;
	case PERF_TYPE_TRACEPOINT:
	case PERF_TYPE_BREAKPOINT:
		return SIM_PASS;
	}
	event->pmu = sim_machine__pmu_by_type(m, attr->type);
	/* On arm64 no PMU has the type of raw events: the core PMU counts them. */
	if (!event->pmu && attr->type == PERF_TYPE_RAW)
		event->pmu = sim_machine__core_pmu(m, event->cpu);
	if (!event->pmu)
		return SIM_PASS;
	event->config = (struct sim_config){ { attr->config, attr->config1, attr->config2,
					       attr->config3 } };
	return 0;
}

/* Clear bits of config that no format term describes, as the driver does. */
static void mask_config(const struct sim_pmu *pmu, struct sim_config *config)
{
	struct sim_config known = { { 0 } };
	const struct sim_field *field;

	vec__for_each(field, &pmu->fields)
		for (int i = 0; i < SIM_CONFIG_WORDS; i++)
			known.word[i] |= field->all.word[i];
	for (int i = 0; i < SIM_CONFIG_WORDS; i++)
		config->word[i] &= known.word[i];
}

/* Cached properties of an event, which is usually opened on many CPUs in turn. */
struct sim_asked {
	bool known;
	int rc;
	struct sim_config config;
	struct sim_need need;
	struct sim_rate rate;
};

#define NR_ASKED_BITS 10
#define NR_ASKED (1 << NR_ASKED_BITS)

static struct sim_asked *asked_slot(struct sim_pmu *pmu, const struct sim_config *config)
{
	uint64_t hash = 0;

	if (!pmu->asked)
		pmu->asked = calloc(NR_ASKED, sizeof(*pmu->asked));
	for (int i = 0; i < SIM_CONFIG_WORDS; i++)
		hash = (hash + config->word[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return pmu->asked ? &pmu->asked[hash >> (64 - NR_ASKED_BITS)] : NULL;
}

/* Find out what the event needs and how fast it counts. Return: as counters__need(). */
static int attr__look_up(struct sim_machine *m, struct sim_event *event)
{
	struct sim_pmu *pmu = event->pmu;
	struct sim_asked *slot = asked_slot(pmu, &event->config), fresh = { .known = false };

	if (!slot)
		slot = &fresh;
	if (slot == &fresh || !slot->known ||
	    memcmp(&slot->config, &event->config, sizeof(event->config))) {
		slot->known = true;
		slot->config = event->config;
		slot->rc = counters__need(pmu, &event->config, &slot->need);
		rate__of_event(m, pmu, &event->config, &slot->rate);
	}
	event->need = slot->need;
	event->rate = slot->rate;
	return slot->rc;
}

static int check_topdown(const struct sim_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	bool metric = sim_need__is_metric(&event->need);

	if (!metric && !event->need.slots)
		return 0;
	if (attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE)
		return 0;
	if (attr->config1 || attr->config2 || event->config.word[0] & ~0xffffULL)
		return -EINVAL;
	if (!metric)
		return 0;
	if (attr__is_sampling(attr) || event->leader == event || !event->leader->need.slots ||
	    attr__is_sampling(&event->leader->attr))
		return -EINVAL;
	return 0;
}

/*
 * An event that counts for all threads of a core reveals the work of other users, so the kernel
 * requires permission for it.
 */
static int check_any_thread(const struct sim_machine *m, const struct sim_event *event)
{
	const struct sim_pmu *pmu = event->pmu;
	uint32_t type = event->attr.type;
	int any = sim_pmu__field(pmu, "any", strlen("any"));

	if (any < 0 || type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE ||
	    !sim_field__get(&pmu->fields.at[any], &event->config))
		return 0;
	return m->paranoid > 0 && RAW(SYS_geteuid, 0, 0, 0, 0) ? -EACCES : 0;
}

static int check_core(struct sim_machine *m, struct sim_event *event)
{
	struct sim_pmu *pmu = event->pmu;
	int rc;

	if (event->cpu >= 0 && !cpulist__has(&pmu->cpus, event->cpu))
		return pmu->has_cpus ? -ENOENT : -ENODEV;
	if (event->attr.precise_ip > pmu->max_precise)
		return -EOPNOTSUPP;
	/* Linux refuses this since 7.0, even for events of tasks. */
	if (pmu->mediated_vpmu && !event->attr.exclude_guest)
		return -EOPNOTSUPP;
	if (event->attr.precise_ip && !attr__is_sampling(&event->attr))
		return -EINVAL;
	mask_config(pmu, &event->config);
	/* The kernel finds no counter on which such an event is precise. */
	if (event->attr.precise_ip && !sim_pmu__can_be_precise(pmu, &event->config))
		return -EINVAL;
	rc = attr__look_up(m, event);
	rc = rc ? rc : check_topdown(event);
	rc = rc ? rc : check_any_thread(m, event);
	if (rc)
		return rc;
	event__scale(event, m, &event->rate);
	return 0;
}

static int shared_levels(const struct sim_core *a, const struct sim_core *b)
{
	if (a == b)
		return 3;
	return a->package == b->package ? 1 + (a->die == b->die) : 0;
}

/*
 * Return: the CPU in the PMU's cpumask that counts for a CPU: itself, or the first CPU of its core,
 * die or package.
 */
static int mask_cpu(const struct sim_machine *m, const struct sim_pmu *pmu, int cpu)
{
	const struct sim_core *core = sim_machine__core_of(m, cpu);
	int best = -1, most = 0, shared;

	if (cpulist__has(&pmu->cpus, cpu))
		return cpu;
	for (int i = 0; core && i < pmu->cpus.nr; i++) {
		shared = shared_levels(core, sim_machine__core_of(m, pmu->cpus.at[i]));
		if (shared > most) {
			most = shared;
			best = pmu->cpus.at[i];
		}
	}
	return best;
}

static int check_uncore(struct sim_machine *m, struct sim_event *event)
{
	if (attr__is_sampling(&event->attr) || has_excludes(&event->attr) || event->cpu < 0)
		return -EINVAL;
	event->cpu = mask_cpu(m, event->pmu, event->cpu);
	return event->cpu < 0 || attr__look_up(m, event) ? -EINVAL : 0;
}

static int check_free(struct sim_machine *m, struct sim_event *event)
{
	const struct sim_pmu *pmu = event->pmu;

	if (attr__is_sampling(&event->attr) || has_excludes(&event->attr))
		return -EINVAL;
	if (!vec__find(rule, &pmu->rules,
		       sim_pmu__matches(pmu, &rule->match, true, &event->config)))
		return -EINVAL;
	rate__of_event(m, pmu, &event->config, &event->rate);
	return 0;
}

static void software_rate(const struct sim_machine *m, struct sim_event *event)
{
	const struct sim_soft *soft;
	uint64_t config = event->attr.config;

	if (event->attr.type != PERF_TYPE_SOFTWARE)
		return;
	if (config == PERF_COUNT_SW_CPU_CLOCK || config == PERF_COUNT_SW_TASK_CLOCK)
		for (int i = 0; i < SIM_MAX_COLUMNS; i++)
			event->rate.per_ns[i] = CLOCK_RATE;
	vec__for_each(soft, &m->softs)
		if (soft->config == config)
			event->rate = soft->rate;
}

int attr__check(struct sim_machine *m, struct sim_event *event, bool task)
{
	if (!event->pmu) {
		software_rate(m, event);
		return 0;
	}
	switch (event->pmu->kind) {
	case SIM_PMU_CORE:
		return check_core(m, event);
	case SIM_PMU_UNCORE:
		/* The kernel refuses a task before it calls the driver. */
		return task ? -EINVAL : check_uncore(m, event);
	case SIM_PMU_FREE:
		return check_free(m, event);
	}
	return -ENOENT;
}
