// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/text.h"
#include "machine/internal.h"
#include "machine/machine.h"

#define CPULIST_TEXT_MAX 65536 /* 4096 CPUs, every second one offline, need some 20 KiB */

/* Where a file system is mounted: what the environment says, without a slash at the end. */
static char *mount_point(const char *variable, const char *usual)
{
	const char *path = getenv(variable);
	char *copy = strdup(path && *path ? path : usual);
	size_t len;

	for (len = copy ? strlen(copy) : 0; len > 1 && copy[len - 1] == '/'; len--)
		copy[len - 1] = '\0';
	return copy;
}

static int read_cpulist(const struct machine *m, const char *name, struct cpulist *list)
{
	char path[PATH_MAX], *text;
	int rc;

	snprintf(path, sizeof(path), "%s/devices/system/cpu/%s", m->sysfs, name);
	rc = file__read(path, CPULIST_TEXT_MAX, &text, NULL, NULL);
	if (rc)
		return rc;
	rc = cpulist__parse(name, text, list, NULL);
	free(text);
	return rc;
}

static int read_cpus(struct machine *m)
{
	long nr;
	int rc;

	rc = read_cpulist(m, "online", &m->online);
	if (rc == -ENOMEM)
		return rc;
	if (!m->online.nr) {
		/* No sysfs, as in some containers: the C library has other sources. */
		cpulist__free(&m->online);
		nr = sysconf(_SC_NPROCESSORS_ONLN);
		for (int cpu = 0; cpu < nr; cpu++)
			if (cpulist__add(&m->online, cpu))
				return -ENOMEM;
	}
	if (read_cpulist(m, "present", &m->present) && cpulist__copy(&m->online, &m->present))
		return -ENOMEM;
	if (read_cpulist(m, "possible", &m->possible) && cpulist__copy(&m->present, &m->possible))
		return -ENOMEM;
	return 0;
}

static void read_limits(struct machine *m)
{
	int value;

	if (file__read_int(&m->paranoid, "%s/sys/kernel/perf_event_paranoid", m->procfs))
		m->paranoid = INT_MIN;
	if (!file__read_int(&value, "%s/sys/kernel/nmi_watchdog", m->procfs))
		m->nmi_watchdog = value != 0;
}

/* Core PMUs are "cpu" (and "cpum_cf") and whatever has a file "cpus". */
static bool is_core(const struct machine *m, const char *name)
{
	if (!strcmp(name, "cpu") || !strcmp(name, "cpum_cf"))
		return true;
	/* A server has hundreds of these, and a look at each would cost more than all the rest. */
	if (text__has_prefix(name, "uncore_"))
		return false;
	return !pmu__is_software_name(name) &&
	       file__exists("%s/bus/event_source/devices/%s/cpus", m->sysfs, name);
}

static int by_place(const void *a, const void *b)
{
	const struct pmu *l = *(struct pmu *const *)a, *r = *(struct pmu *const *)b;

	if (l->is_core != r->is_core)
		return l->is_core ? -1 : 1;
	if (l->is_core && (l->type == PERF_TYPE_RAW) != (r->type == PERF_TYPE_RAW))
		return l->type == PERF_TYPE_RAW ? -1 : 1;
	return pmu__cmp_names(l->name, r->name);
}

static int list_pmus(struct machine *m)
{
	char path[PATH_MAX], **names;
	struct pmu *pmu;
	int nr, rc = 0;

	snprintf(path, sizeof(path), "%s/bus/event_source/devices", m->sysfs);
	rc = file__list_dir(path, &names, &nr);
	if (rc)
		return rc == -ENOMEM ? rc : 0;
	m->pmus = calloc(nr ? nr : 1, sizeof(*m->pmus));
	if (!m->pmus)
		rc = -ENOMEM;
	for (int i = 0; i < nr && !rc; i++) {
		pmu = pmu__new(m, names[i], is_core(m, names[i]));
		if (!pmu)
			rc = -ENOMEM;
		else if (pmu->is_core && pmu__load(pmu))
			pmu__free(pmu);
		else
			m->pmus[m->nr_pmus++] = pmu;
	}
	file__free_names(names, nr);
	if (!rc && m->nr_pmus)
		qsort(m->pmus, m->nr_pmus, sizeof(*m->pmus), by_place);
	for (int i = 0; i < m->nr_pmus; i++)
		m->pmus[i]->order = i;
	return rc;
}

int machine__new(struct machine **out, struct err *err)
{
	struct machine *m = calloc(1, sizeof(*m));

	if (!m)
		return err__set(err, ENOMEM, "out of memory");
	m->nr_packages = m->nr_dies = -1;
	m->sysfs = mount_point("SYSFS_PATH", "/sys");
	m->procfs = mount_point("PROCFS_PATH", "/proc");
	if (!m->sysfs || !m->procfs || read_cpus(m) || list_pmus(m) || machine__read_cpuid(m)) {
		machine__free(m);
		return err__set(err, ENOMEM, "out of memory");
	}
	m->fake_sysfs = strcmp(m->sysfs, "/sys") != 0;
	read_limits(m);
	*out = m;
	return 0;
}

void machine__free(struct machine *m)
{
	if (!m)
		return;
	for (int i = 0; i < m->nr_pmus; i++)
		pmu__free(m->pmus[i]);
	for (int i = 0; i < m->nr_core_lists; i++)
		cpulist__free(&m->core_lists[i]);
	for (int i = 0; i < m->nr_caches; i++)
		cpulist__free(&m->caches[i].cpus);
	free(m->caches);
	free(m->core_lists);
	free(m->pmus);
	free(m->cpus);
	cpulist__free(&m->online);
	cpulist__free(&m->possible);
	cpulist__free(&m->present);
	free(m->cpuid);
	free(m->sysfs);
	free(m->procfs);
	free(m);
}

struct pmu *machine__pmu(const struct machine *m, const char *name)
{
	const char *alias;

	for (int i = 0; i < m->nr_pmus; i++)
		if (!strcmp(m->pmus[i]->name, name))
			return pmu__load(m->pmus[i]) ? NULL : m->pmus[i];
	for (int i = 0; i < m->nr_pmus; i++) {
		alias = pmu__alias(m->pmus[i]);
		if (alias && !strcmp(alias, name))
			return pmu__load(m->pmus[i]) ? NULL : m->pmus[i];
	}
	return NULL;
}

struct pmu *machine__pmu_by_type(const struct machine *m, uint32_t type)
{
	static const char *const fixed[] = {
		[PERF_TYPE_SOFTWARE] = "software",
		[PERF_TYPE_TRACEPOINT] = "tracepoint",
		[PERF_TYPE_BREAKPOINT] = "breakpoint",
	};

	/* The kernel's own types need no search through all PMUs. */
	if (type < sizeof(fixed) / sizeof(*fixed) && fixed[type])
		return machine__pmu(m, fixed[type]);
	if (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE)
		return NULL;
	for (int i = 0; i < m->nr_pmus; i++)
		if (!pmu__load(m->pmus[i]) && m->pmus[i]->type == type)
			return m->pmus[i];
	return NULL;
}

int machine__nr_core_pmus(const struct machine *m)
{
	int nr = 0;

	while (nr < m->nr_pmus && m->pmus[nr]->is_core)
		nr++;
	return nr;
}

struct pmu *machine__core_pmu(const struct machine *m, int i)
{
	return i >= 0 && i < m->nr_pmus && m->pmus[i]->is_core ? m->pmus[i] : NULL;
}

bool machine__is_hybrid(const struct machine *m)
{
	return m->nr_pmus > 1 && m->pmus[1]->is_core;
}
