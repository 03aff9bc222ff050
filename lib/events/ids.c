// SPDX-License-Identifier: GPL-2.0-only
/* Events in the form of metric expressions: '@' instead of slashes, '\' before operators. */
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "events/internal.h"
#include "machine/machine.h"
#include "tables/tables.h"

/* Turns "cpu@EV\,cmask\=1@u" into "cpu/EV,cmask=1/u". */
void events__id_text(const char *id, const char *modifier, struct sb *out)
{
	bool colon = false, slash = false;

	for (; *id; id++) {
		if (*id == '\\' && id[1])
			id++;
		colon |= *id == ':';
		slash |= *id == '@';
		sb__putc(out, *id == '@' ? '/' : *id);
	}
	if (modifier && *modifier)
		sb__printf(out, "%s%s", colon || slash ? "" : ":", modifier);
}

int events__parse_id(const struct events_scope *scope, const char *id, const char *modifier,
		     struct event_list *list, struct err *err)
{
	struct event_parser p = {.scope = scope, .list = list, .id = id, .err = err};
	struct sb text = SB_INIT;
	int rc;

	events__id_text(id, modifier, &text);
	p.text = p.shown = sb__str(&text);
	rc = parse__event(&p);
	if (!rc && p.text[p.pos])
		rc = parse__error(&p, p.pos, "only one event is allowed here");
	sb__free(&text);
	return rc;
}

/* Adds the program's own events, which are in no group. */
static int add_tools(const struct events_scope *scope, const char *const *ids, int nr,
		     struct event_list *list, struct err *err)
{
	int rc = 0;

	for (enum event_tool tool = EVENT_DURATION_TIME; tool < EVENT_TOOL_NR && !rc; tool++)
		for (int i = 0; i < nr && !rc; i++)
			if (events__tool(ids[i]) == tool)
				rc = events__parse_id(scope, ids[i], NULL, list, err);
	return rc;
}

/*
 * Moves gauges to the end. In contrast to other tools, gauges are recognised only when their names
 * are parsed.
 */
static void put_gauges_last(struct event_list *list)
{
	struct event **at = list->at;
	int kept = 0;

	for (int i = 0; i < list->nr; i++) {
		struct event *e = at[i];

		if (e->tool == EVENT_GAUGE)
			continue;
		memmove(&at[kept + 1], &at[kept], (i - kept) * sizeof(*at));
		at[kept++] = e;
	}
	for (int i = 0; i < list->nr; i++)
		at[i]->index = i;
}

void events__group_ids(const struct events_scope *scope, bool group, struct event_list *list)
{
	int counted = 0;

	put_gauges_last(list);
	while (counted < list->nr && !list->at[counted]->tool)
		counted++;
	if (group) {
		regroup__make(list, 0, counted);
		for (int i = 0; i < counted; i++)
			list->at[i]->weak = true;
	}
	regroup(list, false);
	topdown__add_slots(scope, list, false);
	for (int i = 0; i < list->nr; i++)
		list->at[i]->from_metric = true;
}

int events__parse_ids(const struct events_scope *scope, const char *const *ids, int nr,
		      const char *modifier, bool group, struct event_list *list, struct err *err)
{
	struct event_list found = EVENT_LIST_INIT;
	int rc = 0;

	for (int i = 0; i < nr && !rc; i++)
		if (!events__tool(ids[i]))
			rc = events__parse_id(scope, ids[i], modifier, &found, err);
	if (!rc)
		rc = add_tools(scope, ids, nr, &found, err);
	if (!rc) {
		events__group_ids(scope, group, &found);
		event_list__splice(list, &found);
	}
	event_list__free(&found);
	return rc;
}

bool events__exists(const struct events_scope *scope, const char *id)
{
	struct event_list found = EVENT_LIST_INIT;
	int rc = events__parse_id(scope, id, NULL, &found, NULL);

	event_list__free(&found);
	return !rc;
}

static bool has_pmu(const struct machine *m, const char *name)
{
	for (int i = 0; i < m->nr_pmus; i++)
		if (pmu__matches(m->pmus[i], name))
			return true;
	return false;
}

/*
 * Finds out whether the PMU is missing: the one in the id, or the event's PMU in the tables. Also
 * true if the event is unknown.
 */
static bool lacks_pmu(const struct events_scope *scope, char *name, struct sb *out)
{
	const struct machine *m = scope->machine;
	char *slash = strchr(name, '/');
	struct event_info info;
	int found;

	if (slash) {
		*slash = '\0';
		if (!has_pmu(m, name))
			sb__printf(out, "no PMU %s", name);
		*slash = '/';
		return out->len;
	}
	name[strcspn(name, ":")] = '\0';
	found = scope->tables ? tables__find_event(scope->tables, NULL, name) : -1;
	/* TopDown events are in sysfs of a core PMU, not in the tables. */
	if (found < 0 && topdown__of_name(name) && !machine__nr_core_pmus(scope->machine))
		sb__puts(out, "no PMU of the CPU");
	if (found < 0)
		return true; /* for an unknown event the name is all there is to report */
	tables__event(scope->tables, found, &info);
	if (!names__table_pmu(m, info.pmu))
		sb__printf(out, "no PMU %s",
			   strcmp(info.pmu, "default_core") ? info.pmu : "of the CPU");
	return out->len;
}

void events__describe_absence(const struct events_scope *scope, const char *id, struct sb *out)
{
	struct event_list found = EVENT_LIST_INIT;
	struct err err = ERR_INIT;
	struct sb name = SB_INIT, why = SB_INIT;
	const char *reason;

	events__id_text(id, NULL, &name);
	if (!lacks_pmu(scope, name.buf, &why) &&
	    events__parse_id(scope, id, NULL, &found, &err)) {
		reason = err__reason(&err);
		/* Do not list the PMU's terms, which only authors of the event need. */
		sb__printf(&why, "%.*s", (int)strcspn(reason, ";\n"), reason);
	}
	sb__puts(out, sb__str(&why));
	event_list__free(&found);
	sb__free(&name);
	sb__free(&why);
}
