// SPDX-License-Identifier: GPL-2.0-only
/* Read a PMU's directory in sysfs. Mistakes in the directory do not affect runs without the PMU. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/file.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/internal.h"

#define DEVICES "%s/bus/event_source/devices/%s/"

struct pmu *pmu__new(struct machine *m, const char *name, bool is_core)
{
	struct pmu *pmu = xcalloc(1, sizeof(*pmu));

	pmu->machine = m;
	pmu->is_core = is_core;
	pmu->turn_ms = pmu->slots = -1;
	pmu->name = xstrdup(name);
	return pmu;
}

void pmu__forget_terms(struct pmu *pmu)
{
	for (int i = 0; i < pmu->nr_formats; i++)
		free(pmu->formats[i].name);
	for (int i = 0; i < pmu->nr_events; i++) {
		free(pmu->events[i].name);
		free(pmu->events[i].terms);
		free(pmu->events[i].unit);
	}
	free(pmu->formats);
	free(pmu->events);
	pmu->formats = NULL;
	pmu->events = NULL;
	pmu->nr_formats = pmu->nr_events = 0;
}

void pmu__free(struct pmu *pmu)
{
	if (!pmu)
		return;
	pmu__forget_terms(pmu);
	cpulist__free(&pmu->cpus);
	free(pmu->identifier);
	free(pmu->cpuid);
	free(pmu->alias);
	free(pmu->name);
	free(pmu);
}

/* Call machine__note_odd() for a file in the PMU's directory. */
static int pmu__note_odd(const struct pmu *pmu, const char *dir, const char *file, int rc)
{
	return machine__note_odd(pmu->machine, rc, DEVICES "%s%s", pmu->machine->sysfs,
				    pmu->name, dir, file);
}

/* Read a line of at most @size bytes in the PMU's directory. Return: its length, or -errno. */
static int pmu__read_attr(const struct pmu *pmu, const char *file, char *line, size_t size)
{
	return pmu__note_odd(pmu, "", file,
			   file__read_line(line, size, DEVICES "%s", pmu->machine->sysfs, pmu->name,
					   file));
}

/* Read a list of CPUs. Return: 1; 0 if the file does not exist; or -errno. */
static int pmu__read_cpus(const struct pmu *pmu, const char *file, struct cpulist *cpus)
{
	char line[PMU_LINE_MAX];
	int rc = pmu__read_attr(pmu, file, line, sizeof(line));

	if (rc == -ENOENT)
		return 0;
	if (rc < 0)
		return rc;
	rc = cpulist__parse(file, line, cpus, NULL);
	/* The list is empty when all the PMU's CPUs are offline. */
	if (rc || (!cpus->nr && machine__is_whole(pmu->machine)))
		pmu__note_odd(pmu, "", file, -EINVAL);
	return rc ? rc : 1;
}

static int load_cpus(struct pmu *pmu)
{
	int rc = pmu__read_cpus(pmu, "cpumask", &pmu->cpus);

	pmu->is_uncore = rc > 0 && !pmu->is_core;
	if (!rc)
		rc = pmu__read_cpus(pmu, "cpus", &pmu->cpus);
	pmu->has_cpus = rc > 0;
	if (!rc && pmu->is_core)
		cpulist__copy(&pmu->machine->online, &pmu->cpus);
	return rc < 0 ? rc : 0;
}

struct pmu *machine__core_pmu_on(const struct machine *m, int cpu)
{
	struct pmu *found = NULL;

	for (int i = 0; !found && i < machine__nr_core_pmus(m); i++) {
		struct cpulist cpus = CPULIST_INIT;

		if (pmu__read_cpus(machine__core_pmu(m, i), "cpus", &cpus) > 0 &&
		    cpulist__has(&cpus, cpu))
			found = machine__core_pmu(m, i);
		cpulist__free(&cpus);
	}
	return found;
}

/* The types of the kernel's generic events belong to no PMU. */
static int pmu__parse_type(const struct pmu *pmu, const char *line, uint64_t *type)
{
	int rc = num__parse_u64("type", line, 0, UINT32_MAX, type, NULL);

	if (!rc && (*type == PERF_TYPE_HARDWARE || *type == PERF_TYPE_HW_CACHE))
		rc = -EINVAL;
	return pmu__note_odd(pmu, "", "type", rc);
}

int pmu__load(struct pmu *pmu)
{
	char line[32];
	uint64_t type;
	int rc;

	if (pmu->loaded)
		return pmu->error;
	pmu->loaded = true;
	rc = pmu__read_attr(pmu, "type", line, sizeof(line));
	if (rc == -ENOENT)
		machine__note_left_out(pmu->machine, pmu, "sysfs does not have its type");
	if (rc >= 0)
		rc = pmu__parse_type(pmu, line, &type);
	if (!rc) {
		pmu->type = type;
		rc = load_cpus(pmu);
	}
	pmu->error = rc;
	return rc;
}

bool machine__has_unusable_pmu(const struct machine *m, const char *name)
{
	return m->sysfs && *name && !strchr(name, '/') && !machine__pmu(m, name) &&
	       file__exists(DEVICES, m->sysfs, name);
}

const char *pmu__alias(struct pmu *pmu)
{
	char line[NAME_MAX + 1];

	/* Only uncore PMUs that the kernel found in a discovery table have two names. */
	if (!pmu->alias_read && text__has_prefix(pmu->name, "uncore_") &&
	    pmu__read_attr(pmu, "alias", line, sizeof(line)) > 0)
		pmu->alias = xstrdup(line);
	pmu->alias_read = true;
	return pmu->alias;
}

const char *pmu__identifier(struct pmu *pmu)
{
	char line[PMU_LINE_MAX];

	if (!pmu->identifier_read && pmu__read_attr(pmu, "identifier", line, sizeof(line)) > 0)
		pmu->identifier = xstrdup(line);
	pmu->identifier_read = true;
	return pmu->identifier;
}

int pmu__turn_ms(struct pmu *pmu)
{
	if (pmu->turn_ms < 0 &&
	    (machine__read_int(pmu->machine, &pmu->turn_ms, DEVICES "perf_event_mux_interval_ms",
			       pmu->machine->sysfs, pmu->name) ||
	     pmu->turn_ms < 0))
		pmu->turn_ms = 0;
	return pmu->turn_ms;
}

bool pmu__is_software_name(const char *name)
{
	return text__is_any(name, "software", "tracepoint", "breakpoint", "kprobe", "uprobe",
			    "msr");
}

bool pmu__is_software(const struct pmu *pmu)
{
	return !pmu->is_core && !pmu->is_uncore && pmu__is_software_name(pmu->name);
}

int pmu__base_len(const char *name)
{
	int full = strlen(name), len = full;
	bool hex = false;

	while (len > 0 && isxdigit((unsigned char)name[len - 1])) {
		hex |= !isdigit((unsigned char)name[len - 1]);
		len--;
	}
	/* A suffix of up to two hexadecimal letters may be a word: "_cf" is not an instance. */
	if (len <= 1 || len == full || name[len - 1] != '_' || (hex && full - len <= 2))
		return full;
	return len - 1;
}

bool pmu__same_unit(const struct pmu *a, const struct pmu *b)
{
	int len = pmu__base_len(a->name);

	return a->name[len] && len == pmu__base_len(b->name) && b->name[len] &&
	       !strncmp(a->name, b->name, len);
}

int pmu__cmp_names(const char *a, const char *b)
{
	int la = pmu__base_len(a), lb = pmu__base_len(b);
	int cmp = strncmp(a, b, la < lb ? la : lb);
	uint64_t na = 0, nb = 0;

	if (cmp)
		return cmp;
	if (la != lb)
		return la - lb;
	if (a[la])
		num__scan_u64(a + la + 1, 16, &na);
	if (b[lb])
		num__scan_u64(b + lb + 1, 16, &nb);
	return na < nb ? -1 : na > nb;
}

const char *pmu__table_name(const struct pmu *pmu, char *buf, int size)
{
	if (pmu->is_core && !machine__is_hybrid(pmu->machine) && strcmp(pmu->name, "cpum_cf") &&
	    !text__has_prefix(pmu->name, "cpu_"))
		snprintf(buf, size, "default_core");
	else if (pmu->is_core)
		snprintf(buf, size, "%s", pmu->name);
	else
		snprintf(buf, size, "%.*s", pmu__base_len(pmu->name), pmu->name);
	return buf;
}

/* Match a PMU without its instance number: "imc" matches "imc", "imc_0", "imc0" and "imc_13a". */
static bool matches_but_instance(const char *name, const char *want)
{
	size_t len = strlen(want), digits = 0;
	bool hex = false;

	if (strncmp(name, want, len))
		return false;
	name += len;
	if (!*name)
		return true;
	if (*name == '_')
		name++;
	for (; isxdigit((unsigned char)name[digits]); digits++)
		hex |= !isdigit((unsigned char)name[digits]);
	return !name[digits] && digits > (hex ? 2 : 0);
}

static const char *without_uncore(const char *name)
{
	return text__has_prefix(name, "uncore_") ? name + strlen("uncore_") : name;
}

bool pmu__matches(struct pmu *pmu, const char *want)
{
	const char *name = without_uncore(pmu->name), *alias;
	bool glob = text__is_glob(want);

	want = without_uncore(want);
	if (matches_but_instance(name, want) || (glob && text__match(want, name, false)))
		return true;
	alias = pmu__alias(pmu);
	if (!alias)
		return false;
	alias = without_uncore(alias);
	return matches_but_instance(alias, want) || (glob && text__match(want, alias, false));
}

/*
 * Match a name that has the parts of @unit in their order, then a number: "hisi_sccl1_ddrc0"
 * matches "hisi_sccl,ddrc".
 */
static bool matches_parts(const char *name, const char *unit)
{
	size_t len = strcspn(unit, ",");
	const char *at = memmem(name, strlen(name), unit, len);

	if (!at)
		return false;
	return unit[len] ? matches_parts(at + len, unit + len + 1) : matches_but_instance(at, unit);
}

bool pmu__is_table_unit(struct pmu *pmu, const char *unit)
{
	bool matches;

	if (!strcmp(pmu->name, unit))
		return true;
	if (pmu->is_core)
		return !strcmp(unit, "default_core");
	matches = strchr(unit, ',') ? matches_parts(pmu->name, unit)
				    : matches_but_instance(pmu->name, unit);
	return matches && !pmu__load(pmu) && pmu->is_uncore;
}

void pmu_format__parse(const char *text, uint64_t bits[4])
{
	struct cpulist list = CPULIST_INIT; /* lists of bits have the same form as lists of CPUs */
	uint64_t word = 0;
	const int *bit;
	int len;

	if (!text__has_prefix(text, "config"))
		return;
	text += strlen("config");
	if (*text != ':') {
		len = num__scan_u64(text, 0, &word);
		if (!len || word > 3)
			return;
		text += len;
	}
	if (*text == ':' && !cpulist__parse("", text + 1, &list, NULL) && list.nr &&
	    list.at[list.nr - 1] < 64)
		cpulist__for_each(bit, &list)
			bits[word] |= 1ULL << *bit;
	cpulist__free(&list);
}

static void load_format(struct pmu *pmu, struct pmu_format *f)
{
	char line[PMU_LINE_MAX];

	if (f->loaded)
		return;
	f->loaded = true;
	if (pmu__note_odd(pmu, "format/", f->name,
			file__read_line(line, sizeof(line), DEVICES "format/%s",
					pmu->machine->sysfs, pmu->name, f->name)) < 0)
		return;
	pmu_format__parse(line, f->bits);
	if (!f->bits[0] && !f->bits[1] && !f->bits[2] && !f->bits[3])
		pmu__note_odd(pmu, "format/", f->name, -EINVAL);
}

static int list_formats(struct pmu *pmu)
{
	char **names;
	int nr, rc;

	if (pmu->formats_listed)
		return 0;
	rc = file__list_dir(&names, &nr, DEVICES "format", pmu->machine->sysfs, pmu->name);
	pmu->formats_listed = !rc || rc == -ENOENT; /* the software PMU has no formats */
	if (rc)
		return pmu->formats_listed ? 0 : pmu__note_odd(pmu, "format", "", rc);
	pmu->formats = xcalloc(nr, sizeof(*pmu->formats));
	for (int i = 0; i < nr; i++)
		pmu->formats[i].name = names[i];
	pmu->nr_formats = nr;
	free(names);
	return 0;
}

const struct pmu_format *pmu__format(struct pmu *pmu, const char *name)
{
	if (list_formats(pmu))
		return NULL;
	for (int i = 0; i < pmu->nr_formats; i++) {
		if (!strcmp(pmu->formats[i].name, name)) {
			load_format(pmu, &pmu->formats[i]);
			return &pmu->formats[i];
		}
	}
	return NULL;
}

/* --- Named events: files in the directory events, with files for scale and unit -------------- */

#define EVENTS DEVICES "events/%s"

enum { EVENT_SCALE = 1, EVENT_UNIT = 2, EVENT_PER_PKG = 4, EVENT_SNAPSHOT = 8 };

static const struct {
	const char *suffix;
	unsigned int flag;
} companions[] = {
	{ ".scale", EVENT_SCALE },
	{ ".unit", EVENT_UNIT },
	{ ".per-pkg", EVENT_PER_PKG },
	{ ".snapshot", EVENT_SNAPSHOT },
};

/* Return: flag of a companion file, else 0. @len is set to the length of the event's name. */
static unsigned int find_companion(const char *file, int *len)
{
	for (int i = 0; i < array__nr(companions); i++) {
		if (text__has_suffix(file, companions[i].suffix)) {
			*len = strlen(file) - strlen(companions[i].suffix);
			return companions[i].flag;
		}
	}
	return 0;
}

static int lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

/* Compare as strcasecmp(), which is not called if the first letters differ. */
static int pmu__by_name(const void *a, const void *b)
{
	const char *left = ((const struct pmu_event *)a)->name;
	const char *right = ((const struct pmu_event *)b)->name;
	int cmp = lower(*left) - lower(*right);

	return cmp ? cmp : strcasecmp(left, right);
}

static struct pmu_event *pmu__find(const struct pmu *pmu, const char *name)
{
	struct pmu_event key = { .name = (char *)name };

	if (!pmu->nr_events)
		return NULL;
	return bsearch(&key, pmu->events, pmu->nr_events, sizeof(key), pmu__by_name);
}

/* Note which companion files exist, so that the missing ones are not opened. */
static void note_companions(struct pmu *pmu, char **names, int nr)
{
	struct pmu_event *event;
	unsigned int flag;
	char name[NAME_MAX + 1];
	int len;

	for (int i = 0; i < nr; i++) {
		flag = find_companion(names[i], &len);
		if (!flag)
			continue;
		snprintf(name, sizeof(name), "%.*s", len, names[i]);
		event = pmu__find(pmu, name);
		if (event)
			event->companions |= flag;
	}
}

static void copy_names(struct pmu *pmu, char **names, int nr)
{
	int len;

	pmu->events = xcalloc(nr, sizeof(*pmu->events));
	for (int i = 0; i < nr; i++)
		if (!find_companion(names[i], &len))
			pmu->events[pmu->nr_events++] = (struct pmu_event){
				.scale = 1.0, .name = xstrdup(names[i])
			};
	qsort(pmu->events, pmu->nr_events, sizeof(*pmu->events), pmu__by_name);
}

int pmu__event_names(struct pmu *pmu)
{
	char **names;
	int nr, rc;

	if (pmu->events_listed)
		return 0;
	rc = file__list_dir(&names, &nr, EVENTS, pmu->machine->sysfs, pmu->name, "");
	pmu->events_listed = !rc || rc == -ENOENT;
	if (rc)
		return pmu->events_listed ? 0 : pmu__note_odd(pmu, "events", "", rc);
	copy_names(pmu, names, nr);
	note_companions(pmu, names, nr);
	file__free_names(names, nr);
	return 0;
}

/* Read a file of an event: the event's own or a companion. Return: its length, or -errno. */
static int read_event_file(const struct pmu *pmu, const struct pmu_event *e, const char *suffix,
			   char *line, size_t size)
{
	int rc = file__read_line(line, size, EVENTS "%s", pmu->machine->sysfs, pmu->name, e->name,
				 suffix);
	char file[NAME_MAX + 1];

	snprintf(file, sizeof(file), "%s%s", e->name, suffix);
	return pmu__note_odd(pmu, "events/", file, rc);
}

/* Note that a companion file of an event makes no sense. */
static void note_odd_beside(const struct pmu *pmu, const struct pmu_event *e, const char *suffix)
{
	char file[NAME_MAX + 1];

	snprintf(file, sizeof(file), "%s%s", e->name, suffix);
	pmu__note_odd(pmu, "events/", file, -EINVAL);
}

/*
 * Read the scale as perf does, with C's strtod(): "+6.1e-5", followed by any text, and also in
 * quotes, which some kernels wrote. Return: false if there is a scale that is not valid.
 */
static bool read_scale(const struct pmu *pmu, struct pmu_event *e)
{
	char line[PMU_LINE_MAX];
	const char *at = line;
	double scale = 0;
	int len;

	if (!(e->companions & EVENT_SCALE))
		return true;
	if (read_event_file(pmu, e, ".scale", line, sizeof(line)) < 0)
		return false;
	at += strspn(at, " \t\"");
	at += *at == '+';
	len = num__scan_double(at, &scale);
	/* "6,1e-5" is a number in another locale's form, and strtod() would read it as 6. */
	if (len <= 0 || !isfinite(scale) || scale == 0 || at[len] == ',') {
		note_odd_beside(pmu, e, ".scale");
		return false;
	}
	e->scale = scale;
	return true;
}

/* Read the unit of the scaled count, without quotes; a count without a scale has no unit. */
static char *read_unit(const struct pmu *pmu, const struct pmu_event *e)
{
	char line[PMU_LINE_MAX], *at = line;

	if (!(e->companions & EVENT_UNIT) ||
	    read_event_file(pmu, e, ".unit", line, sizeof(line)) < 0)
		return xstrdup("");
	at += strspn(at, " \t\"");
	at[strcspn(at, "\"")] = '\0';
	if (!*at)
		note_odd_beside(pmu, e, ".unit");
	return xstrdup(at);
}

static int pmu__read_event(const struct pmu *pmu, struct pmu_event *e)
{
	char line[PMU_LINE_MAX];
	int rc;

	if (e->terms)
		return 0;
	rc = read_event_file(pmu, e, "", line, sizeof(line));
	if (rc >= 0 && !*line)
		rc = pmu__note_odd(pmu, "events/", e->name, -EINVAL);
	if (rc < 0)
		return rc;
	e->terms = xstrdup(line);
	e->per_pkg = e->companions & EVENT_PER_PKG;
	e->snapshot = e->companions & EVENT_SNAPSHOT;
	e->unit = read_scale(pmu, e) ? read_unit(pmu, e) : xstrdup("");
	return 0;
}

const struct pmu_event *pmu__event(struct pmu *pmu, const char *name)
{
	struct pmu_event *e = pmu__event_names(pmu) ? NULL : pmu__find(pmu, name);

	return e && !pmu__read_event(pmu, e) ? e : NULL;
}

void pmu__drop_event(struct pmu *pmu, const char *name)
{
	struct pmu_event *e = pmu__event_names(pmu) ? NULL : pmu__find(pmu, name);
	int left;

	if (!e)
		return;
	left = pmu->events + --pmu->nr_events - e;
	free(e->name);
	free(e->terms);
	free(e->unit);
	memmove(e, e + 1, left * sizeof(*e));
}

bool pmu__has_event(struct pmu *pmu, const char *name)
{
	if (pmu->events_listed && !pmu->nr_events)
		return false;
	return !pmu__event_names(pmu) && pmu__find(pmu, name);
}
