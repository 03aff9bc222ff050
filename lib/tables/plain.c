// SPDX-License-Identifier: GPL-2.0-only
/*
 * Formulas of Intel's big cores use slots and the TopDown metric events, which most virtual
 * machines lack. For each of these events there is a plain event, which counts the same slots on a
 * general counter. Formulas use the plain events if sysfs does not have slots for a core PMU.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "machine/models.h"
#include "tables/internal.h"

#define SLOTS "TOPDOWN.SLOTS_P"
#define RETIRING "UOPS_RETIRED.SLOTS"
#define BACKEND "TOPDOWN.BACKEND_BOUND_SLOTS"
#define SYSFS_EVENT "slots"
#define SYSFS_METRIC "topdown-retiring"
#define CMASK "cmask="
#define NAME_MAX_LEN 128
#define NAMES_MAX 3
#define ID_CHARS "._:"

/**
 * struct plain_event - a name in formulas, and its replacement on general counters
 * @name:  the name, in any case
 * @plain: names of events, of which the first one in the tables replaces @name. Without names,
 *         @name is the rest of the slots
 * @width: the event counts cycles in which all slots were lost. Names of events, of which the first
 *         one in the tables has the number of slots per cycle as its threshold (cmask). Without
 *         names, the event counts slots
 */
struct plain_event {
	const char *name, *plain[NAMES_MAX], *width[NAMES_MAX];
};

/*
 * The events for level 2 are those of intel/PerfSpect for virtual machines (its alt_tma metrics).
 * TOPDOWN.BAD_SPEC_SLOTS can only use counter 0, and so can the event of mispredicted branches. So
 * bad speculation is the rest of the slots, after the other three parts, which are counted
 * together.
 */
static const struct plain_event events[] = {
	{.name = "slots", .plain = {SLOTS}},
	{.name = "topdown.slots", .plain = {SLOTS}},
	{.name = "topdown-retiring", .plain = {RETIRING}},
	{.name = "topdown-be-bound", .plain = {BACKEND}},
	{.name = "topdown-fe-bound", .plain = {"IDQ_BUBBLES.CORE", "IDQ_UOPS_NOT_DELIVERED.CORE"}},
	{.name = "topdown-bad-spec"},
	{.name = "topdown-heavy-ops", .plain = {"UOPS_RETIRED.HEAVY"}},
	{.name = "topdown-br-mispredict", .plain = {"TOPDOWN.BR_MISPREDICT_SLOTS"}},
	{.name = "topdown-fetch-lat",
	 .plain = {"IDQ_BUBBLES.FETCH_LATENCY", "IDQ_BUBBLES.CYCLES_0_UOPS_DELIV.CORE",
		   "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE"},
	 .width = {"IDQ_BUBBLES.STARVATION_CYCLES", "IDQ_BUBBLES.CYCLES_0_UOPS_DELIV.CORE",
		   "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE"}},
	{.name = "topdown-mem-bound", .plain = {"TOPDOWN.MEMORY_BOUND_SLOTS"}},
};

/**
 * struct plain_formula - a metric whose formula was changed
 * @metric: number of the metric in the tables
 * @pmu:    PMU of the metric, a string of the tables
 */
struct plain_formula {
	int metric;
	const char *pmu;
	char *expr;
};

struct plain_formulas {
	VEC(struct plain_formula) list;
};

/*
 * Find the first name that is an event of the tables, and set @number to the event's number.
 * Return: NULL if the tables have no event with these names.
 */
static const char *find_first(const struct tables *t, const char *pmu,
			      const char *const names[NAMES_MAX], int *number)
{
	for (int i = 0; i < NAMES_MAX && names[i]; i++) {
		*number = tables__find_event(t, pmu, names[i]);
		if (*number >= 0)
			return names[i];
	}
	return NULL;
}

/* Return: number of slots that a count of 1 means; 0 if unknown. */
static uint64_t slots_of_count(const struct tables *t, const char *pmu, const struct plain_event *e)
{
	struct event_info info;
	const char *at = NULL;
	uint64_t width;
	int number;

	if (!e->width[0])
		return 1;
	if (find_first(t, pmu, e->width, &number)) {
		tables__event(t, number, &info);
		at = strstr(info.terms, CMASK);
	}
	return at && num__scan_u64(at + strlen(CMASK), 0, &width) ? width : 0;
}

/**
 * struct id_parts - the parts of "cpu_core@topdown\-retiring@u" or "topdown\-retiring:u"
 * @prefix: "cpu_core@", or ""
 * @name:   "topdown-retiring"
 * @suffix: "@u", ":u", or ""
 */
struct id_parts {
	char *prefix, *name, *suffix;
};

static struct id_parts split_id(const char *id, size_t len)
{
	char *copy = xstrndup(id, len), *to = copy, *at, *name, *end;
	struct id_parts parts;

	for (const char *from = copy; *from; from++) {
		from += *from == '\\' && from[1];
		*to++ = *from;
	}
	*to = '\0';
	at = strchr(copy, '@');
	name = at ? at + 1 : copy;
	end = name + strcspn(name, at ? "@" : ":");
	parts = (struct id_parts){xstrndup(copy, name - copy), xstrndup(name, end - name),
				  xstrdup(end)};
	free(copy);
	return parts;
}

static void free_parts(struct id_parts *parts)
{
	free(parts->prefix);
	free(parts->name);
	free(parts->suffix);
}

static bool put_event(const struct tables *t, const char *pmu, const struct id_parts *id,
		      const struct plain_event *e, struct sb *out)
{
	int number;
	const char *plain = find_first(t, pmu, e->plain, &number);
	uint64_t slots = slots_of_count(t, pmu, e);

	if (!plain || !slots)
		return false;
	if (slots > 1)
		sb__printf(out, "(%" PRIu64 " * ", slots);
	sb__printf(out, "%s%s%s", id->prefix, plain, id->suffix);
	sb__puts(out, slots > 1 ? ")" : "");
	return true;
}

static const struct plain_event *plain__find(const char *name)
{
	for (int i = 0; i < array__nr(events); i++)
		if (!strcasecmp(events[i].name, name))
			return &events[i];
	return NULL;
}

/*
 * Put the slots that neither retired nor were lost at the front or back end; at least 0, since
 * events are not counted at exactly the same time.
 */
static bool put_rest(const struct tables *t, const char *pmu, const struct id_parts *id,
		     struct sb *out)
{
	static const char *const others[] = {"topdown-retiring", "topdown-fe-bound",
					     "topdown-be-bound"};
	bool known;

	sb__puts(out, t->plain_whole ? "(" : "max(0, ");
	known = put_event(t, pmu, id, plain__find(SYSFS_EVENT), out);
	for (int i = 0; i < array__nr(others); i++) {
		sb__puts(out, " - ");
		known &= put_event(t, pmu, id, plain__find(others[i]), out);
	}
	sb__putc(out, ')');
	return known;
}

/* Put the replacement of an event. Return: false if the tables have no replacement. */
static bool put_replacement(const struct tables *t, const char *pmu, const struct id_parts *id,
			struct sb *out)
{
	const struct plain_event *e = plain__find(id->name);
	size_t before = out->len;

	if (e && (e->plain[0] ? put_event(t, pmu, id, e, out) : put_rest(t, pmu, id, out)))
		return true;
	out->len = before;
	return false;
}

/* Measure a name in a formula: letters, digits, signs that join them, and escaped characters. */
static size_t id_len(const char *text)
{
	const char *at = text;
	bool quoted = false;

	for (; *at; at++) {
		if (*at == '\\' && at[1])
			at++;
		else if (*at == '@')
			quoted = !quoted;
		else if (!quoted && !isalnum((unsigned char)*at) && !strchr(ID_CHARS, *at))
			break;
	}
	return at - text;
}

static bool put_id(const struct tables *t, const char *pmu, const char *id, size_t len,
		   struct sb *out)
{
	struct id_parts parts = split_id(id, len);
	bool changed = put_replacement(t, pmu, &parts, out);

	if (!changed)
		sb__add(out, id, len);
	free_parts(&parts);
	return changed;
}

/* Return: the bit of a part of level 1; 0 for names that are not parts. */
static unsigned int plain__part_of(const char *name)
{
	static const char *const parts[] = {"topdown-retiring", "topdown-fe-bound",
					    "topdown-be-bound", "topdown-bad-spec"};

	for (int i = 0; i < array__nr(parts); i++)
		if (!strcasecmp(name, parts[i]))
			return 1U << i;
	return 0;
}

#define ALL_PARTS 0xfU

/*
 * Replace the sum of all parts of level 1, in any order, by slots, which equals the sum. Return:
 * its length including brackets, or 0 for other texts.
 */
static size_t put_whole(const struct tables *t, const char *pmu, const char *expr, struct sb *out)
{
	unsigned int found = 0, part;
	const char *at = expr;
	struct sb slots = SB_INIT;

	do {
		struct id_parts id;
		size_t len;

		if (*at != (found ? '+' : '('))
			break;
		at += 1 + strspn(at + 1, " ");
		len = id_len(at);
		id = split_id(at, len);
		part = plain__part_of(id.name) & ~found;
		found |= part;
		sb__clear(&slots);
		put_event(t, pmu, &id, plain__find(SYSFS_EVENT), &slots);
		free_parts(&id);
		at += len;
		at += strspn(at, " ");
	} while (part && found != ALL_PARTS);
	found = *at == ')' ? found : 0;
	if (found == ALL_PARTS)
		sb__puts(out, sb__str(&slots));
	sb__free(&slots);
	return found == ALL_PARTS ? at + 1 - expr : 0;
}

/* Return: whether the formula was changed. */
static bool plain__change(const struct tables *t, const char *pmu, const char *expr, struct sb *out)
{
	bool changed = false;

	while (*expr) {
		bool literal = *expr == '#';
		size_t len = put_whole(t, pmu, expr, out);

		if (len) {
			expr += len;
			changed = true;
			continue;
		}
		len = id_len(expr + literal);
		if (!len || literal || isdigit((unsigned char)*expr)) {
			sb__add(out, expr, len + literal ?: 1);
			expr += len + literal ?: 1;
			continue;
		}
		changed |= put_id(t, pmu, expr, len, out);
		expr += len;
	}
	return changed;
}

static bool has_plain(const struct tables *t, const char *pmu)
{
	return tables__find_event(t, pmu, SLOTS) >= 0 &&
	       tables__find_event(t, pmu, RETIRING) >= 0 &&
	       tables__find_event(t, pmu, BACKEND) >= 0;
}

/* Get the name of a core PMU in the tables; NULL if formulas of this PMU are not changed. */
static const char *pmu_to_change(const struct tables *t, struct pmu *pmu, char *name, size_t size)
{
	const char *core = pmu__table_name(pmu, name, size);

	/* Check the tables last, since each page of them that is read takes memory. */
	if (pmu__has_event(pmu, SYSFS_EVENT) && pmu__has_event(pmu, SYSFS_METRIC))
		return NULL;
	/* Tables for a single kind of core are used for the first of several kinds. */
	if (!has_plain(t, core) && pmu == machine__core_pmu(pmu->machine, 0))
		core = "default_core";
	return has_plain(t, core) ? core : NULL;
}

static void change_all(struct tables *t, const char *pmu)
{
	struct metric_info info;
	struct sb expr = SB_INIT;

	for (int i = 0; i < tables__nr_metrics(t); i++) {
		tables__metric(t, i, &info);
		if (strcmp(info.pmu, pmu) ||
		    (!strcasestr(info.expr, "topdown") && !strcasestr(info.expr, "slots")))
			continue;
		sb__clear(&expr);
		if (plain__change(t, pmu, info.expr, &expr))
			vec__push(&t->plain->list,
				  ((struct plain_formula){i, info.pmu, xstrdup(sb__str(&expr))}));
	}
	sb__free(&expr);
}

void tables__use_plain_events(struct tables *t, struct machine *m, bool whole)
{
	if (!t)
		return;
	t->plain_of = m;
	t->plain_whole = whole;
}

/*
 * Change the formulas when they are first used. Callers see the same tables as if the formulas had
 * been changed before.
 */
static const struct plain_formulas *plain__make(const struct tables *tables)
{
	struct tables *t = (struct tables *)tables;
	struct machine *m = t->plain_of;
	char name[NAME_MAX_LEN];

	t->plain_of = NULL;
	if (!m || (*m->cpuid && cpu_vendor__of(m->cpuid) != VENDOR_INTEL))
		return t->plain;
	for (int i = 0; i < machine__nr_core_pmus(m); i++) {
		const char *pmu = pmu_to_change(t, machine__core_pmu(m, i), name, sizeof(name));

		if (!pmu)
			continue;
		if (!t->plain)
			t->plain = xcalloc(1, sizeof(*t->plain));
		change_all(t, pmu);
	}
	return t->plain;
}

bool tables__has_plain_events(const struct tables *t, const char *pmu)
{
	const struct plain_formulas *p = plain__make(t);
	const struct plain_formula *f;

	if (!p)
		return false;
	vec__for_each (f, &p->list)
		if (!pmu || !strcmp(f->pmu, pmu))
			return true;
	return false;
}

const char *plain__formula(const struct tables *t, int metric)
{
	const struct plain_formulas *p = plain__make(t);
	const struct plain_formula *f;

	if (!p)
		return NULL;
	vec__for_each (f, &p->list)
		if (f->metric == metric)
			return f->expr;
	return NULL;
}

void plain__free(struct plain_formulas *p)
{
	struct plain_formula *f;

	if (!p)
		return;
	vec__for_each (f, &p->list)
		free(f->expr);
	vec__free(&p->list);
	free(p);
}
