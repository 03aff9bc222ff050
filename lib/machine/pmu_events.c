// SPDX-License-Identifier: GPL-2.0-only
/* Named events of a PMU: files in its events directory, with scale and unit beside them. */
#include <errno.h>
#include <limits.h>
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

#define EVENTS "%s/bus/event_source/devices/%s/events/%s"

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

/* The flag of a file that only says more of an event, and the length of the event's name. */
static unsigned int companion(const char *file, int *len)
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

/* As strcasecmp(), but that the first letter tells most of them apart without a call. */
static int by_name(const void *a, const void *b)
{
	const char *left = ((const struct pmu_event *)a)->name;
	const char *right = ((const struct pmu_event *)b)->name;
	int cmp = lower(*left) - lower(*right);

	return cmp ? cmp : strcasecmp(left, right);
}

static struct pmu_event *find(const struct pmu *pmu, const char *name)
{
	struct pmu_event key = { .name = (char *)name };

	if (!pmu->nr_events)
		return NULL;
	return bsearch(&key, pmu->events, pmu->nr_events, sizeof(key), by_name);
}

/* What stands beside the events, so that no file is tried that is not there. */
static void note_companions(struct pmu *pmu, char **names, int nr)
{
	struct pmu_event *event;
	unsigned int flag;
	char name[NAME_MAX + 1];
	int len;

	for (int i = 0; i < nr; i++) {
		flag = companion(names[i], &len);
		if (!flag)
			continue;
		snprintf(name, sizeof(name), "%.*s", len, names[i]);
		event = find(pmu, name);
		if (event)
			event->companions |= flag;
	}
}

static void copy_names(struct pmu *pmu, char **names, int nr)
{
	int len;

	pmu->events = xcalloc(nr, sizeof(*pmu->events));
	for (int i = 0; i < nr; i++)
		if (!companion(names[i], &len))
			pmu->events[pmu->nr_events++] = (struct pmu_event){
				.scale = 1.0, .name = xstrdup(names[i])
			};
	qsort(pmu->events, pmu->nr_events, sizeof(*pmu->events), by_name);
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
		return pmu->events_listed ? 0 : rc;
	copy_names(pmu, names, nr);
	note_companions(pmu, names, nr);
	file__free_names(names, nr);
	return 0;
}

static int read_event(const struct pmu *pmu, struct pmu_event *e)
{
	const char *sysfs = pmu->machine->sysfs;
	char line[PMU_LINE_MAX];
	double scale;
	int rc;

	if (e->terms)
		return 0;
	rc = file__read_line(line, sizeof(line), EVENTS, sysfs, pmu->name, e->name);
	if (rc < 0)
		return rc;
	e->terms = xstrdup(line);
	e->per_pkg = e->companions & EVENT_PER_PKG;
	e->snapshot = e->companions & EVENT_SNAPSHOT;
	if (e->companions & EVENT_SCALE &&
	    file__read_line(line, sizeof(line), EVENTS ".scale", sysfs, pmu->name, e->name) > 0 &&
	    !num__parse_double("scale", line, &scale, NULL) && isfinite(scale) && scale != 0)
		e->scale = scale;
	if (!(e->companions & EVENT_UNIT) ||
	    file__read_line(line, sizeof(line), EVENTS ".unit", sysfs, pmu->name, e->name) < 0)
		line[0] = '\0';
	e->unit = xstrdup(line);
	return 0;
}

const struct pmu_event *pmu__event(struct pmu *pmu, const char *name)
{
	struct pmu_event *e = pmu__event_names(pmu) ? NULL : find(pmu, name);

	return e && !read_event(pmu, e) ? e : NULL;
}

bool pmu__has_event(struct pmu *pmu, const char *name)
{
	if (pmu->events_listed && !pmu->nr_events)
		return false;
	return !pmu__event_names(pmu) && find(pmu, name);
}
