// SPDX-License-Identifier: GPL-2.0-only
/*
 * A walk over the names of all events: events of the kernel, of sysfs and of the tables, and
 * tracepoints.
 */
#include "events/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "events/internal.h"
#include "machine/machine.h"
#include "tables/tables.h"

/** struct listed - an event of the tables, and the first PMU that counts it */
struct listed {
	struct event_info info;
	struct pmu *pmu;
};

static bool wants(const struct event_names *walk, enum name_kind kind)
{
	return walk->kinds & 1u << kind;
}

static void give(const struct event_names *walk, const struct event_name *name)
{
	if (wants(walk, name->kind))
		walk->visit(walk->arg, name);
}

void events__print_terms(const char *terms, struct sb *out)
{
	const char *value;
	uint64_t number;
	int len, key, read;

	text__for_each_item(term, len, terms, ",") {
		key = strcspn(term, ",=");
		value = term + key + 1;
		read = key < len ? terms__scan_number(value, &number) : 0;
		sb__puts(out, term == terms ? "" : ",");
		if (read && key + 1 + read == len)
			sb__printf(out, "%.*s=%#" PRIx64, key, term, number);
		else
			sb__add(out, term, len);
	}
}

/* --- sysfs ---------------------------------------------------------------------------------- */

static void give_sysfs(const struct event_names *walk, struct pmu *pmu, const char *event)
{
	int len = walk->instances ? (int)strlen(pmu->name) : pmu__base_len(pmu->name);
	struct event_name name = { EVENT_NAME_INIT, .kind = NAME_KIND_PMU, .on = pmu };
	struct sb text = SB_INIT, unit = SB_INIT;
	const struct pmu_event *read;

	sb__printf(&text, "%.*s/%s/", len, pmu->name, event);
	sb__printf(&unit, "%.*s", len, pmu->name);
	name.name = pmu->is_core ? event : sb__str(&text);
	name.alias = pmu->is_core ? sb__str(&text) : "";
	name.pmu = sb__str(&unit);
	read = walk->details ? pmu__event(pmu, event) : NULL;
	if (read) {
		name.terms = read->terms;
		name.unit = read->unit;
		name.scale = read->scale;
	}
	give(walk, &name);
	sb__free(&text);
	sb__free(&unit);
}

static void each_of_sysfs(const struct events_scope *scope, const struct event_names *walk)
{
	const struct machine *m = scope->machine;

	for (int i = 0; i < m->nr_pmus; i++) {
		struct pmu *pmu = m->pmus[i];

		/* Visit only the first instance of a unit. */
		if (i && !walk->instances && pmu__same_unit(m->pmus[i - 1], pmu))
			continue;
		if (pmu__event_names(pmu))
			continue;
		for (int j = 0; j < pmu->nr_events; j++)
			/*
			 * Events that are also in the tables are visited as events of the tables,
			 * with better descriptions.
			 */
			if (named__in_tables(scope, pmu, pmu->events[j].name) < 0)
				give_sysfs(walk, pmu, pmu->events[j].name);
	}
}

/* --- Tables --------------------------------------------------------------------------------- */

struct pmu *names__table_pmu(const struct machine *m, const char *table)
{
	for (int i = 0; i < m->nr_pmus; i++)
		if (pmu__is_table_unit(m->pmus[i], table))
			return m->pmus[i];
	return NULL;
}

static int by_topic(const void *va, const void *vb)
{
	const struct listed *a = va, *b = vb;
	int cmp = strcmp(a->info.topic, b->info.topic);

	/* Events that no PMU of this machine counts come last. */
	if (!cmp && (!a->pmu || !b->pmu))
		cmp = !a->pmu - !b->pmu;
	else if (!cmp)
		cmp = a->pmu->order - b->pmu->order;
	return cmp ?: strcmp(a->info.name, b->info.name);
}

static void give_listed(const struct event_names *walk, const struct listed *listed)
{
	const struct event_info *info = &listed->info;
	const char *core = listed->pmu ? listed->pmu->name : "cpu";
	struct event_name name = {
		.kind = NAME_KIND_PMU,
		.topic = info->topic,
		.name = info->name,
		.alias = "",
		.pmu = strcmp(info->pmu, "default_core") ? info->pmu : core,
		.desc = info->desc,
		.long_desc = info->long_desc,
		.goes_on = info->goes_on,
		.terms = info->terms,
		.unit = info->unit,
		.scale = info->scale,
		.deprecated = info->deprecated,
		.on = listed->pmu,
		.info = info,
	};

	give(walk, &name);
}

static void each_of_tables(const struct events_scope *scope, const struct event_names *walk)
{
	int nr = tables__nr_events(scope->tables), kept = 0;
	struct listed *all = xcalloc(nr, sizeof(*all));
	struct pmu *pmu = NULL;
	const char *last = "";

	for (int i = 0; i < nr; i++) {
		tables__event(scope->tables, i, &all[kept].info);
		if (strcmp(last, all[kept].info.pmu)) {
			last = all[kept].info.pmu; /* events of a PMU follow each other */
			pmu = names__table_pmu(scope->machine, last);
		}
		all[kept].pmu = pmu;
		kept += pmu || walk->absent;
	}
	qsort(all, kept, sizeof(*all), by_topic);
	for (int i = 0; i < kept; i++)
		give_listed(walk, &all[i]);
	free(all);
}

static bool fits_format(struct pmu *pmu, const struct term *term)
{
	static const char always[] = "period;config;config1;config2;config3;name";
	int width;

	if (text__has_item(always, ";", term->key))
		return true;
	width = encode__width(pmu__format(pmu, term->key));
	return width && term->str && encode__fits(term, width);
}

/* Finds out whether terms fit the PMU's formats; false if that is not certain. */
static bool plainly_fits(struct pmu *pmu, const char *text)
{
	struct terms terms = { .at = NULL };
	bool fits = !terms__from_text(text, &terms);

	for (int i = 0; i < terms.nr && fits; i++)
		fits = fits_format(pmu, &terms.at[i]);
	terms__free(&terms);
	return fits;
}

bool event_name__fits(const struct events_scope *scope, const struct event_name *name)
{
	struct event_list found = EVENT_LIST_INIT;
	struct sb text = SB_INIT;
	int rc;

	if (name->info && !name->on)
		return false;
	if (!name->info || plainly_fits(name->on, name->info->terms))
		return true;
	sb__printf(&text, "%s/%s/", name->on->name, name->name);
	rc = events__parse(scope, sb__str(&text), &found, NULL);
	event_list__free(&found);
	sb__free(&text);
	return !rc;
}

/* --- Values in files ------------------------------------------------------------------------ */

static void each_gauge(const struct events_scope *scope, const struct event_names *walk)
{
	struct event_name name = {EVENT_NAME_INIT, .kind = NAME_KIND_GAUGE};
	const struct gauge *g;

	vec__for_each (g, &machine__gauges(scope->machine)->list) {
		struct sb desc = SB_INIT;

		if (g->further)
			continue;
		gauge__describe(scope->machine, g, &desc);
		name.topic = gauge__topic(g);
		name.name = g->name;
		name.alias = g->alias ?: "";
		name.pmu = g->pmu;
		name.desc = sb__str(&desc);
		name.unit = walk->details ? g->unit : "";
		name.scale = walk->details ? g->scale : 1;
		give(walk, &name);
		sb__free(&desc);
	}
}

/* --- The forms of other events -------------------------------------------------------------- */

/* Appends a term and its range, "umask=0..255", or only the term if it is a flag. */
static void print_range(struct pmu *pmu, const char *term, struct sb *out)
{
	int width = encode__width(pmu__format(pmu, term));

	sb__puts(out, term);
	if (width > 1)
		sb__printf(out, width > 8 ? "=0..%#" PRIx64 : "=0..%" PRIu64,
			   width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX);
}

static void give_raw_of(const struct event_names *walk, struct pmu *pmu)
{
	struct event_name name = { EVENT_NAME_INIT, .kind = NAME_KIND_RAW, .on = pmu };
	struct sb text = SB_INIT, all = SB_INIT, unit = SB_INIT;

	pmu__format(pmu, ""); /* lists them */
	sb__printf(&unit, "%.*s", pmu__base_len(pmu->name), pmu->name);
	sb__printf(&text, "%s/", sb__str(&unit));
	for (int i = 0; i < pmu->nr_formats; i++) {
		if (i < 3) {
			sb__puts(&text, i ? "," : "");
			print_range(pmu, pmu->formats[i].name, &text);
		}
		if (walk->details) {
			sb__puts(&all, i ? "," : "");
			print_range(pmu, pmu->formats[i].name, &all);
		}
	}
	sb__puts(&text, pmu->nr_formats > 3 ? ",.../modifier" : "/modifier");
	name.name = sb__str(&text);
	name.pmu = sb__str(&unit);
	name.terms = walk->details ? sb__str(&all) : "";
	give(walk, &name);
	sb__free(&text);
	sb__free(&all);
	sb__free(&unit);
}

static void each_form(const struct events_scope *scope, const struct event_names *walk)
{
	struct event_name name = { EVENT_NAME_INIT, .kind = NAME_KIND_RAW };
	const struct machine *m = scope->machine;

	name.name = "rNNN";
	give(walk, &name);
	for (int i = 0; i < m->nr_pmus && wants(walk, NAME_KIND_RAW); i++)
		if (!i || !pmu__same_unit(m->pmus[i - 1], m->pmus[i]))
			give_raw_of(walk, m->pmus[i]);
	name.kind = NAME_KIND_BREAKPOINT;
	name.name = "mem:<addr>[/len][:access]";
	give(walk, &name);
}

/* --- Tracepoints ---------------------------------------------------------------------------- */

static void each_tracepoint(const struct machine *m, const struct event_names *walk)
{
	struct event_name name = { EVENT_NAME_INIT, .kind = NAME_KIND_TRACEPOINT };
	struct sb sb = SB_INIT, terms = SB_INIT;
	struct tracepoint *at;
	int nr;

	/* Ids are read only if they are shown, because each is in a file of its own. */
	if (machine__tracepoints(m, "*", "*", walk->details ? TRACEPOINT_IDS : TRACEPOINT_NAMES,
				 &at, &nr, NULL))
		return; /* some users may not read tracepoints */
	for (int i = 0; i < nr; i++) {
		sb__clear(&sb);
		sb__clear(&terms);
		sb__printf(&sb, "%s:%s", at[i].system, at[i].name);
		sb__printf(&terms, "config=%#" PRIx64, at[i].id);
		name.name = sb__str(&sb);
		name.terms = walk->details ? sb__str(&terms) : "";
		give(walk, &name);
	}
	sb__free(&sb);
	sb__free(&terms);
	tracepoint__free_all(at, nr);
}

void events__each(const struct events_scope *scope, const struct event_names *walk)
{
	legacy__each(scope, walk);
	if (wants(walk, NAME_KIND_PMU))
		each_of_sysfs(scope, walk);
	if (wants(walk, NAME_KIND_PMU) && scope->tables)
		each_of_tables(scope, walk);
	if (wants(walk, NAME_KIND_GAUGE))
		each_gauge(scope, walk);
	each_form(scope, walk);
	if (wants(walk, NAME_KIND_TRACEPOINT))
		each_tracepoint(scope->machine, walk);
}

void events__suggest(const struct events_scope *scope, struct suggest *s)
{
	const struct machine *m = scope->machine;

	legacy__suggest(s);
	for (int i = 0; i < m->nr_pmus; i++) {
		struct pmu *pmu = m->pmus[i];

		suggest__offer(s, pmu->name);
		if (pmu__event_names(pmu))
			continue;
		for (int j = 0; j < pmu->nr_events; j++)
			suggest__offer(s, pmu->events[j].name);
	}
	if (scope->tables)
		tables__suggest(scope->tables, false, s);
}
