// SPDX-License-Identifier: GPL-2.0-only
/* Parses the names of a recording's events in the way in which names of -e are parsed. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "events/names.h"
#include "record/recording.h"

int name__len(const char *name)
{
	const char *open = strrchr(name, '[');

	return open && open > name && open[-1] == ' ' && text__has_suffix(open, "]")
		       ? (int)(open - 1 - name)
		       : (int)strlen(name);
}

void name__parse(const struct events_scope *scope, const char *name, struct event_list *out)
{
	int len = name__len(name), inside = strcspn(name, "/"), colon = len;
	struct sb sb = SB_INIT;

	/* If "cycles:u" is of one core type, its printed name is "cpu_core/cycles:u/". */
	if (inside < len && name[len - 1] == '/')
		while (colon > inside && name[colon] != ':')
			colon--;
	if (colon > inside && colon < len)
		sb__printf(&sb, "%.*s/%.*s", colon, name, len - colon - 2, name + colon + 1);
	else
		sb__add(&sb, name, len);
	events__parse_id(scope, sb__str(&sb), NULL, out, NULL);
	sb__free(&sb);
}

/* Find the event of a PMU, as a name can refer to an event on each of several PMUs. */
static const struct event *of_pmu(const struct event_list *list, const struct pmu *pmu)
{
	for (int i = 0; i < list->nr; i++)
		if (!pmu || !list->at[i]->pmu || list->at[i]->pmu == pmu)
			return list->at[i];
	return NULL;
}

bool name__is_of_kernel(const struct event *e)
{
	char *name = xstrndup(e->name, name__len(e->name));
	bool is;

	name[strcspn(name, ":")] = '\0';
	is = e->attr.type == PERF_TYPE_RAW && events__is_kernel_name(name);
	free(name);
	return is;
}

struct events_scope recording__scope(const struct recording *r, const struct tables *tables)
{
	return (struct events_scope){ .machine = r->machine, .tables = tables, .by_name = true };
}

/*
 * The kernel's names in sysfs for the events of level 1 on cores with four slots, from Sandy Bridge
 * to Cascade Lake (arch/x86/events/intel/core.c). With SMT on, the kernel's events count whole
 * cores at half the factor, which gives the same result.
 */
static const struct sysfs_name {
	const char *name, *terms;
	double scale;
} sysfs_names[] = {
	{ "topdown-total-slots", "event=0x3c,umask=0x0", 4 },
	{ "topdown-slots-issued", "event=0xe,umask=0x1", 1 },
	{ "topdown-slots-retired", "event=0xc2,umask=0x2", 1 },
	{ "topdown-fetch-bubbles", "event=0x9c,umask=0x1", 1 },
	{ "topdown-recovery-bubbles", "event=0xd,umask=0x3,cmask=0x1", 4 },
};

/*
 * Parse a name in this list, which a text has without its encoding. Return: whether the name is in
 * the list.
 */
static bool parse_sysfs_name(const struct events_scope *scope, const char *text,
			     struct event_list *out)
{
	auto_text bare = xstrndup(text, strcspn(text, ": ["));
	const struct sysfs_name *known = array__find(sysfs_names, name, bare);
	struct sb sb = SB_INIT;

	/* Only these cores have this event in their tables. */
	if (!known || !scope->tables ||
	    tables__find_event(scope->tables, NULL, "uops_retired.retire_slots") < 0)
		return false;
	text += strlen(bare);
	sb__printf(&sb, "cpu/%s/%.*s", known->terms, (int)strcspn(text + (*text == ':'), " ["),
		   text + (*text == ':'));
	events__parse_id(scope, sb__str(&sb), NULL, out, NULL);
	sb__free(&sb);
	for (int i = 0; i < out->nr; i++)
		out->at[i]->scale = known->scale;
	return true;
}

void recording__parse_names(struct recording *r, const struct tables *tables)
{
	const struct events_scope scope = recording__scope(r, tables);

	r->tables = tables;
	for (int i = 0; i < r->traits.nr; i++) {
		struct recorded_event *trait = &r->traits.at[i];

		event_list__free(&trait->parsed);
		if (!r->info.text ||
		    !parse_sysfs_name(&scope, r->list->at[i]->name, &trait->parsed))
			name__parse(&scope, r->list->at[i]->name, &trait->parsed);
		trait->named = of_pmu(&trait->parsed, r->list->at[i]->pmu);
	}
}

bool recording__has_event(void *recording, const char *id)
{
	const struct recording *r = recording;
	const struct events_scope scope = recording__scope(r, r->tables);
	const struct recorded_event *trait;
	struct event_list want = EVENT_LIST_INIT;
	bool found = r->tables && tables__find_event(r->tables, NULL, id) >= 0;

	if (!found)
		name__parse(&scope, id, &want);
	for (int i = 0; i < want.nr && !found; i++)
		vec__for_each(trait, &r->traits)
			found |= trait->named && event__same_terms(trait->named, want.at[i]);
	event_list__free(&want);
	return found;
}

/* Give an event the kernel's name, if the file lacks the feature with the names. */
static void set_kernel_name(void *arg, const struct event_name *name)
{
	struct event *e = arg;

	if (!*e->name && name->type == e->attr.type && name->config == (uint32_t)e->attr.config)
		event__set_text(&e->name, name->name);
}

void recording__name_event(const struct recording *r, struct event *e)
{
	const struct event_names walk = {
		.kinds = 1 << NAME_KIND_HARDWARE | 1 << NAME_KIND_SOFTWARE | 1 << NAME_KIND_CACHE,
		.visit = set_kernel_name,
		.arg = e,
	};
	const struct events_scope scope = { .machine = r->machine };
	char text[48];

	if (*e->name)
		return;
	events__each(&scope, &walk);
	if (*e->name)
		return;
	snprintf(text, sizeof(text), "%u:%#" PRIx64, e->attr.type, (uint64_t)e->attr.config);
	event__set_text(&e->name, text);
}
