// SPDX-License-Identifier: GPL-2.0-only
/* What "tma list" is asked for: patterns, --unit, --cputype. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/text.h"
#include "list.h"
#include "machine/machine.h"

int list__add_pattern(struct list *l, const char *text)
{
	struct list_pattern p = { .text = text };

	if (text__is_glob(text)) {
		p.glob = strdup(text);
		if (!p.glob)
			return -ENOMEM;
	}
	if (vec__push(&l->patterns, p)) {
		free(p.glob);
		return -ENOMEM;
	}
	return 0;
}

static bool hit(const struct list_pattern *p, const char *text)
{
	return p->glob ? text__match(p->glob, text, true) : strcasestr(text, p->text) != NULL;
}

static bool hits_event(const struct list_pattern *p, const struct event_name *e)
{
	if (hit(p, e->name) || (*e->alias && hit(p, e->alias)) || (*e->topic && hit(p, e->topic)))
		return true;
	return e->on && !p->glob && pmu__matches(e->on, p->text);
}

bool list__names(const struct list *l, const char *name)
{
	const struct list_pattern *p;

	vec__for_each(p, &l->patterns)
		if (hit(p, name))
			return true;
	return !l->patterns.nr;
}

bool list__wants_unit(const struct list *l, struct pmu *on)
{
	if (l->cputype && !(on && is_core_type(on, l->cputype)))
		return false;
	return !l->unit || (on && pmu__matches(on, l->unit));
}

/* The same for what stands for all instances of a unit, of which @on is the first. */
static bool wants_any_of_unit(const struct list *l, struct pmu *on)
{
	const struct pmu *one = l->unit ? machine__pmu(l->host.machine, l->unit) : NULL;

	return list__wants_unit(l, on) || (!l->cputype && on && one && pmu__same_unit(one, on));
}

bool list__matches_event(struct list *l, const struct event_name *e)
{
	bool is_instance = l->instances && !e->info, found = !l->patterns.nr;
	struct list_pattern *p;

	if (e->deprecated && !l->deprecated && !l->write->all)
		return false;
	if (!(is_instance ? list__wants_unit(l, e->on) : wants_any_of_unit(l, e->on)))
		return false;
	vec__for_each(p, &l->patterns) {
		if (!hits_event(p, e))
			continue;
		p->found = found = true;
	}
	return found;
}

bool list__matches_metric(struct list *l, const struct list_metric *m)
{
	bool found = !l->patterns.nr;
	struct list_pattern *p;
	char group[256];

	if ((l->unit || l->cputype) &&
	    !list__wants_unit(l, machine__pmu(l->host.machine, m->pmu)))
		return false;
	snprintf(group, sizeof(group), "%.*s", m->group_len, m->group);
	vec__for_each(p, &l->patterns) {
		if (!(l->metrics && hit(p, m->info.name)) && !(l->groups && hit(p, group)))
			continue;
		p->found = found = true;
	}
	return found;
}
