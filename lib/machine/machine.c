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

/*
 * Find the mount point of a file system, in the environment or the usual place, without a slash at
 * its end.
 */
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

bool machine__is_whole(const struct machine *m)
{
	return m->online.nr == m->present.nr;
}

bool machine__read_cpulist(const struct machine *m, struct cpulist *list, const char *fmt, ...)
{
	char path[PATH_MAX], *text = NULL;
	va_list ap;
	int rc;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	rc = file__read_regular(path, CPULIST_TEXT_MAX, &text, NULL, NULL);
	if (!rc) {
		rc = cpulist__parse("", text, list, NULL);
		free(text);
	}
	return !machine__note_odd(m, rc, "%s", path);
}

int machine__read_int(const struct machine *m, int *value, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	return machine__note_odd(m, file__read_int(value, "%s", path), "%s", path);
}

/* Read one of the lists of all CPUs, which are never empty. Return: whether a CPU was found. */
static bool read_whole_list(struct machine *m, struct cpulist *list, const char *name)
{
	if (!machine__read_cpulist(m, list, CPUS "%s", m->sysfs, name))
		return false;
	if (!list->nr)
		machine__note_odd(m, -EINVAL, CPUS "%s", m->sysfs, name);
	return list->nr;
}

static void machine__read_cpus(struct machine *m)
{
	if (!read_whole_list(m, &m->online, "online")) {
		/*
		 * Some containers have no sysfs; the C library knows the CPUs from other sources.
		 */
		long nr = sysconf(_SC_NPROCESSORS_ONLN);

		for (int cpu = 0; cpu < nr; cpu++)
			cpulist__add(&m->online, cpu);
	}
	if (!read_whole_list(m, &m->present, "present"))
		cpulist__copy(&m->online, &m->present);
	if (!read_whole_list(m, &m->possible, "possible"))
		cpulist__copy(&m->present, &m->possible);
}

bool machine__has_changed(const struct machine *m)
{
	auto_free(cpulist) now = CPULIST_INIT;
	bool same = m->recorded || !machine__read_cpulist(m, &now, CPUS "online", m->sysfs) ||
		    !now.nr || now.nr == m->online.nr;

	for (int i = 0; same && i < now.nr; i++)
		same = now.at[i] == m->online.at[i];
	return !same;
}

static void read_limits(struct machine *m)
{
	int value;

	if (machine__read_int(m, &m->paranoid, "%s/sys/kernel/perf_event_paranoid", m->procfs))
		m->paranoid = INT_MIN;
	if (!machine__read_int(m, &value, "%s/sys/kernel/nmi_watchdog", m->procfs))
		m->nmi_watchdog = value != 0;
}

/* Core PMUs are "cpu", "cpum_cf" and all PMUs that have a file "cpus". */
static bool is_core(const struct machine *m, const char *name)
{
	if (!strcmp(name, "cpu") || !strcmp(name, "cpum_cf"))
		return true;
	/* A server has hundreds of uncore PMUs, and to search each for a file would take long. */
	if (text__has_prefix(name, "uncore_"))
		return false;
	if (pmu__is_software_name(name))
		return false;
	if (file__exists("%s/bus/event_source/devices/%s/cpus", m->sysfs, name))
		return true;
	machine__note_odd(m, -errno, "%s/bus/event_source/devices/%s/cpus", m->sysfs, name);
	return false;
}

static int machine__by_name(const void *a, const void *b)
{
	const struct pmu *l = *(struct pmu *const *)a, *r = *(struct pmu *const *)b;

	if (l->is_core != r->is_core)
		return l->is_core ? -1 : 1;
	return pmu__cmp_names(l->name, r->name);
}

static int machine__by_place(const void *a, const void *b)
{
	const struct pmu *l = *(struct pmu *const *)a, *r = *(struct pmu *const *)b;

	if (l->is_core && r->is_core && (l->type == PERF_TYPE_RAW) != (r->type == PERF_TYPE_RAW))
		return l->type == PERF_TYPE_RAW ? -1 : 1;
	return machine__by_name(a, b);
}

static void machine__sort(struct machine *m, int (*cmp)(const void *a, const void *b))
{
	if (m->nr_pmus)
		qsort(m->pmus, m->nr_pmus, sizeof(*m->pmus), cmp);
	for (int i = 0; i < m->nr_pmus; i++)
		m->pmus[i]->order = i;
}

void machine__order_by_name(struct machine *m)
{
	machine__sort(m, machine__by_name);
	m->by_name = true;
}

static void machine__note(const struct machine *m, bool failed, const char *what)
{
	struct odd_facts *odd = m->odd;

	if (!odd)
		return;
	odd->failed |= failed;
	odd->others |= *odd->what && strcmp(odd->what, what) != 0;
	if (!*odd->what)
		snprintf(odd->what, sizeof(odd->what), "%s", what);
}

int machine__note_odd(const struct machine *m, int rc, const char *fmt, ...)
{
	char path[512], what[sizeof(m->odd->what)];
	const char *why = rc == -EFBIG ? "is too long" : "has unexpected contents";
	va_list ap;

	if (rc >= 0 || rc == -ENOENT)
		return rc;
	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	if (rc == -EFBIG || rc == -EINVAL || rc == -ERANGE)
		snprintf(what, sizeof(what), "%s %s", path, why);
	else
		snprintf(what, sizeof(what), "%s could not be read: %s", path, strerror(-rc));
	machine__note(m, rc == -EIO || rc == -EMFILE || rc == -ENFILE, what);
	return rc;
}

void machine__note_left_out(const struct machine *m, const struct pmu *pmu, const char *why)
{
	char what[sizeof(m->odd->what)];

	snprintf(what, sizeof(what), "%s is not counted with the rest of its unit: %s", pmu->name,
		 why);
	machine__note(m, false, what);
}

#define DEVICES "%s/bus/event_source/devices"

static void list_pmus(struct machine *m)
{
	struct pmu *pmu;
	char **names;
	int nr;

	if (machine__note_odd(m, file__list_dir(&names, &nr, DEVICES, m->sysfs), DEVICES,
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
	machine__sort(m, machine__by_place);
}

struct machine *machine__new(void)
{
	struct machine *m = xcalloc(1, sizeof(*m));

	m->odd = xcalloc(1, sizeof(*m->odd));
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
	free(m->simulated);
	free(m->caches);
	free(m->core_lists);
	free(m->pmus);
	free(m->cpus);
	cpulist__free(&m->online);
	cpulist__free(&m->possible);
	cpulist__free(&m->present);
	free(m->cpuid);
	free(m->odd);
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

	/* Types of the kernel itself are found without a search through all PMUs. */
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
