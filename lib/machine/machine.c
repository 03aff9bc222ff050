// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <linux/perf_event.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/gauge.h"
#include "machine/internal.h"

#define CPUS "%s/devices/system/cpu/"

/* Tell where a file system is mounted, by the environment first, without a slash at the end. */
static char *mount_point(const char *variable, const char *usual)
{
	const char *given = getenv(variable), *path = given && *given ? given : usual;
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return xstrndup(path, len);
}

char *machine__read_file(size_t max, const char *fmt, ...)
{
	char path[PATH_MAX], *text;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	return file__read_regular(path, max, &text, NULL, NULL) ? NULL : text;
}

bool machine__take_cpulist(struct cpulist *list, char *text)
{
	bool read = text && !cpulist__parse("", text, list, NULL);

	free(text);
	return read;
}

static void machine__read_cpus(struct machine *m)
{
	if (!machine__read_cpulist(&m->online, CPUS "online", m->sysfs) || !m->online.nr) {
		/* Some containers have no sysfs: the C library has other sources. */
		long nr = sysconf(_SC_NPROCESSORS_ONLN);

		for (int cpu = 0; cpu < nr; cpu++)
			cpulist__add(&m->online, cpu);
	}
	if (!machine__read_cpulist(&m->present, CPUS "present", m->sysfs))
		cpulist__copy(&m->online, &m->present);
	if (!machine__read_cpulist(&m->possible, CPUS "possible", m->sysfs))
		cpulist__copy(&m->present, &m->possible);
}

bool machine__has_changed(const struct machine *m)
{
	auto_free(cpulist) now = CPULIST_INIT;
	bool same = m->recorded || !machine__read_cpulist(&now, CPUS "online", m->sysfs) ||
		    now.nr == m->online.nr;

	for (int i = 0; same && i < now.nr; i++)
		same = now.at[i] == m->online.at[i];
	return !same;
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

static int machine__by_place(const void *a, const void *b)
{
	const struct pmu *l = *(struct pmu *const *)a, *r = *(struct pmu *const *)b;

	if (l->is_core != r->is_core)
		return l->is_core ? -1 : 1;
	if (l->is_core && (l->type == PERF_TYPE_RAW) != (r->type == PERF_TYPE_RAW))
		return l->type == PERF_TYPE_RAW ? -1 : 1;
	return pmu__cmp_names(l->name, r->name);
}

int machine__note_unread(const struct machine *m, int rc, const char *fmt, ...)
{
	struct unread_file *unread = m->unread;
	va_list ap;

	if (rc >= 0 || !unread || unread->code || (rc != -EIO && rc != -EMFILE && rc != -ENFILE))
		return rc;
	unread->code = -rc;
	va_start(ap, fmt);
	vsnprintf(unread->path, sizeof(unread->path), fmt, ap);
	va_end(ap);
	return rc;
}

#define DEVICES "%s/bus/event_source/devices"

static void list_pmus(struct machine *m)
{
	struct pmu *pmu;
	char **names;
	int nr;

	if (machine__note_unread(m, file__list_dir(&names, &nr, DEVICES, m->sysfs), DEVICES,
				 m->sysfs))
		return;
	m->pmus = xcalloc(nr, sizeof(*m->pmus));
	for (int i = 0; i < nr; i++) {
		pmu = pmu__new(m, names[i], is_core(m, names[i]));
		if (pmu->is_core && pmu__load(pmu))
			pmu__free(pmu);
		else
			m->pmus[m->nr_pmus++] = pmu;
	}
	file__free_names(names, nr);
	qsort(m->pmus, m->nr_pmus, sizeof(*m->pmus), machine__by_place);
	for (int i = 0; i < m->nr_pmus; i++)
		m->pmus[i]->order = i;
}

struct machine *machine__new(void)
{
	struct machine *m = xcalloc(1, sizeof(*m));

	m->unread = xcalloc(1, sizeof(*m->unread));
	m->nr_packages = m->nr_dies = -1;
	m->sysfs = mount_point("SYSFS_PATH", "/sys");
	m->procfs = mount_point("PROCFS_PATH", "/proc");
	m->fake_sysfs = strcmp(m->sysfs, "/sys") != 0;
	machine__read_cpus(m);
	list_pmus(m);
	machine__read_cpuid(m);
	read_limits(m);
	return m;
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
	gauges__free(m->gauges);
	free(m->caches);
	free(m->core_lists);
	free(m->pmus);
	free(m->cpus);
	cpulist__free(&m->online);
	cpulist__free(&m->possible);
	cpulist__free(&m->present);
	free(m->cpuid);
	free(m->unread);
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
