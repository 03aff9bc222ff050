// SPDX-License-Identifier: GPL-2.0-only
/* Keep the values in files of all sources, find values by name, and read them. */
#include "machine/gauge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/file.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/gauge_source.h"
#include "machine/machine.h"

static const struct gauge_source *const sources[] = { &gauge_source__hwmon, &gauge_source__drm };

const struct gauges *machine__gauges(struct machine *m)
{
	if (m->gauges)
		return m->gauges;
	m->gauges = xcalloc(1, sizeof(*m->gauges));
	for (int i = 0; i < array__nr(sources) && !m->recorded; i++)
		sources[i]->find(m, m->gauges);
	return m->gauges;
}

void gauges__free(struct gauges *gs)
{
	struct gauge *g;

	if (!gs)
		return;
	vec__for_each(g, &gs->list) {
		free(g->name);
		free(g->alias);
		free(g->pmu);
		free(g->pmu_alias);
		free(g->path);
		free(g->label);
	}
	vec__free(&gs->list);
	free(gs);
}

bool gauges__has_pmu_name(const char *name)
{
	for (int i = 0; i < array__nr(sources); i++)
		if (text__has_prefix(name, sources[i]->pmu_prefix))
			return true;
	return false;
}

bool gauges__may_have(const char *name)
{
	for (int i = 0; i < array__nr(sources); i++)
		if (sources[i]->may_have(name))
			return true;
	return false;
}

bool gauges__has_recorded(const char *name, const char *unit)
{
	const char *inner = strchr(name, '/');
	char bare[128];

	if (inner && !gauges__has_pmu_name(name))
		return false;
	inner = inner ? inner + 1 : name;
	if (strlen(inner) >= sizeof(bare))
		return false;
	strcpy(bare, inner);
	bare[strcspn(bare, "/:")] = '\0';
	for (int i = 0; i < array__nr(sources); i++) {
		const char *its = sources[i]->may_have(bare) ? sources[i]->unit_of(bare) : NULL;

		if (its && !strcmp(its, unit))
			return true;
	}
	return false;
}

bool gauge__is(const struct gauge *g, const char *pmu, const char *name)
{
	if (pmu && !text__match(pmu, g->pmu, false) &&
	    !(g->pmu_alias && text__match(pmu, g->pmu_alias, false)))
		return false;
	return !strcasecmp(name, g->name) || (g->alias && !strcasecmp(name, g->alias));
}

bool gauge__is_of_tasks(const struct gauge *g)
{
	return g->source->of_tasks;
}

const char *gauge__topic(const struct gauge *g)
{
	return g->source->topic;
}

void gauge__describe(const struct machine *m, const struct gauge *g, struct sb *out)
{
	g->source->describe(m, g, out);
}

int gauge__read(const struct machine *m, const struct gauge *g, int pid, uint64_t *value)
{
	return g->source->read(m, g, pid, value);
}

int machine__process_of(const struct machine *m, int tid)
{
	char text[1024], *line;
	uint64_t pid;

	if (file__read_start(text, sizeof(text), "%s/%d/status", m->procfs, tid) < 0)
		return tid;
	line = strstr(text, "\nTgid:");
	if (!line)
		return tid;
	line += strlen("\nTgid:");
	return num__scan_u64(line + strspn(line, " \t"), 10, &pid) ? (int)pid : tid;
}
