// SPDX-License-Identifier: GPL-2.0-only
/*
 * Terms become bits of perf_event_attr by the PMU's formats; terms replace the name of a named
 * event.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "events/internal.h"
#include "machine/machine.h"
#include "tables/tables.h"

#define PMU_TYPE_SHIFT 32 /* lowest bit of the PMU in config, for the kernel's own events */
#define TABLE_NAME_MAX 256
#define COMMON_TERMS "config,config1,config2,config3,name,period,metric-id"

int named__in_tables(const struct events_scope *scope, struct pmu *pmu, const char *name)
{
	char table[TABLE_NAME_MAX];
	int found, len;

	if (!scope->tables)
		return -1;
	pmu__table_name(pmu, table, sizeof(table));
	found = tables__find_event(scope->tables, table, name);
	if (found >= 0)
		return found;
	/*
	 * The tables name PMUs without instance number, but a single instance may have its own
	 * events: "uncore_imc_free_running_0". A recording may have only one core PMU of several.
	 */
	found = tables__find_event(scope->tables, pmu->name, name);
	if (found >= 0)
		return found;
	if (pmu->is_core)
		return tables__find_event(scope->tables, "default_core", name);
	/*
	 * Instance numbers may be in the middle of a name, or lack the '_': imx8_ddr0,
	 * hisi_sccl1_ddrc0.
	 */
	len = strlen(pmu->name);
	if (len < 2 || !isdigit((unsigned char)pmu->name[len - 1]) || pmu->name[len - 2] == '_')
		return -1;
	return tables__find_unit_event(scope->tables, pmu, name);
}

bool named__exists(const struct events_scope *scope, struct pmu *pmu, const char *name)
{
	return pmu__has_event(pmu, name) || named__in_tables(scope, pmu, name) >= 0;
}

/* The encoding is preferably the tables'; the scale is sysfs', which describes this machine. */
bool named__find(const struct events_scope *scope, struct pmu *pmu, const char *name,
		 struct named *out)
{
	const struct pmu_event *event = pmu__event(pmu, name);
	int found = named__in_tables(scope, pmu, name);
	struct event_info info;

	if (!event && found < 0)
		return false;
	*out = (struct named){ .unit = "", .scale = 1.0, .table_event = found };
	if (found >= 0) {
		tables__event(scope->tables, found, &info);
		out->terms = info.terms;
		out->unit = info.unit;
		out->scale = info.scale ? info.scale : 1.0;
		out->per_pkg = info.per_pkg;
		out->latency = info.latency;
	}
	if (event) {
		if (found < 0 || !*out->terms)
			out->terms = event->terms;
		if (*event->unit)
			out->unit = event->unit;
		if (event->scale != 1.0)
			out->scale = event->scale;
		out->per_pkg = event->per_pkg;
		out->snapshot = event->snapshot;
	}
	return true;
}

/*
 * Applies a term that every event may have. Return: 1 after a term of this kind; 0 for other terms;
 * or -errno.
 */
static int apply_common(struct event_parser *p, const struct term *term, struct event *e)
{
	static const char *const sampling[] = {
		"freq",		"branch_type", "time",		 "call-graph",	    "stack-size",
		"max-stack",	"nr",	       "inherit",	 "no-inherit",	    "overwrite",
		"no-overwrite", "aux-output",  "aux-sample-size", NULL,
	};
	const struct {
		const char *key;
		__u64 *word;
		char **text;
	} fields[] = {
		{ "config", .word = &e->attr.config },
		{ "config1", .word = &e->attr.config1 },
		{ "config2", .word = &e->attr.config2 },
		{ "config3", .word = &e->attr.config3 },
		{ "period", .word = NULL }, /* a term in tables that does not affect counting */
		{ "name", .text = &e->name },
		{ "metric-id", .text = &e->id },
	};

	for (int i = 0; i < array__nr(fields); i++) {
		if (*term->key != *fields[i].key || strcmp(term->key, fields[i].key))
			continue;
		if (fields[i].text && !term->str)
			return parse__error(p, term->column, "term '%s' needs a value", term->key);
		if (!fields[i].text && !term->is_num)
			return parse__error(p, term->value_column, "'%s' must be a number",
					    term->key);
		if (fields[i].text)
			event__set_text(fields[i].text, term->str);
		if (fields[i].word)
			*fields[i].word = term->num;
		return 1;
	}
	if (text__is_in(term->key, sampling))
		return parse__error(p, term->column,
				    "term '%s' is for sampling and has no effect on a count",
				    term->key);
	e->percore |= !strcmp(term->key, "percore");
	return !strcmp(term->key, "percore");
}

/* Reports an unknown term, with the terms that the PMU has. */
static int unknown_term(struct event_parser *p, const struct term *term, struct pmu *pmu)
{
	struct sb sb = SB_INIT;
	int rc;

	if (pmu__has_event(pmu, term->key) && !pmu__event(pmu, term->key))
		return parse__error(p, term->column,
				    "sysfs has no usable description of event '%s' of PMU %s",
				    term->key, pmu->name);
	for (int i = 0; i < pmu->nr_formats; i++)
		sb__printf(&sb, "%s,", pmu->formats[i].name);
	rc = parse__error(p, term->column, "PMU %s has no term or event '%s'; valid terms: %s%s",
			  pmu->name, term->key, sb__str(&sb), COMMON_TERMS);
	sb__free(&sb);
	return rc;
}

/* Puts the lowest bits of a value into the places of the bits set in @bits, in their order. */
static uint64_t spread(uint64_t value, uint64_t bits)
{
	uint64_t word = 0;

	for (; bits; bits &= bits - 1, value >>= 1)
		if (value & 1)
			word |= bits & -bits;
	return word;
}

/*
 * Drivers of uncore units name the counter mask cmask or thresh, as their manuals do. So a metric
 * written for one driver may use a term that another driver does not have.
 */
static const struct pmu_format *find_format(struct pmu *pmu, const char *key)
{
	const struct pmu_format *format = pmu__format(pmu, key);

	if (format || !text__is_any(key, "cmask", "threshold", "thresh"))
		return format;
	return pmu__format(pmu, "cmask") ?: pmu__format(pmu, "threshold") ?:
	       pmu__format(pmu, "thresh");
}

int encode__width(const struct pmu_format *format)
{
	int width = 0;

	for (int i = 0; format && i < 4 && !width; i++)
		width = __builtin_popcountll(format->bits[i]);
	return width;
}

bool encode__fits(const struct term *term, int width)
{
	return term->is_num && (width == 64 || !(term->num >> width));
}

static int apply_format(struct event_parser *p, const struct term *term, struct event *e)
{
	__u64 *words[] = { &e->attr.config, &e->attr.config1, &e->attr.config2, &e->attr.config3 };
	const struct pmu_format *format = find_format(e->pmu, term->key);
	int width = encode__width(format), i = 0;
	uint64_t max = width == 64 ? UINT64_MAX : (1ULL << width) - 1;

	/* A recording lacks the PMU's formats, which determine the bits of terms. */
	if (p->scope->by_name && !encode__fits(term, width)) {
		e->unknown_code = true;
		return 0;
	}
	if (!format)
		return unknown_term(p, term, e->pmu);
	if (!width)
		return parse__error(p, term->column,
				    "sysfs has no usable description of term '%s' of PMU %s",
				    term->key, e->pmu->name);
	if (!term->is_num)
		return parse__error(p, term->value_column, "'%s' must be a number", term->key);
	if (!term->str && width > 1)
		return parse__error(p, term->column, "term '%s' needs a value, 0 to %llu",
				    term->key, (unsigned long long)max);
	if (term->num > max)
		return parse__error(p, term->value_column,
				    "%s is too big for '%s' of PMU %s: 0 to %llu (%#llx)",
				    term->str, term->key, e->pmu->name, (unsigned long long)max,
				    (unsigned long long)max);
	while (!format->bits[i])
		i++;
	*words[i] |= spread(term->num, format->bits[i]);
	return 0;
}

/* Return: a bare word or the value of event=, if it may name an event of the PMU; else NULL. */
static const char *event_name_of(const struct term *term, struct pmu *pmu)
{
	if (!term->str)
		return pmu__format(pmu, term->key) ? NULL : term->key;
	return !term->is_num && !strcasecmp(term->key, "event") ? term->str : NULL;
}

/* Replaces the name of a named event by the event's terms. Return: 1 when done, 0, or -errno. */
static int expand_named(struct event_parser *p, const struct term *term, struct event *e,
			struct terms *out, bool *had_one)
{
	const char *name = event_name_of(term, e->pmu);
	int before = out->nr, rc;
	struct named named;

	if (!name || !named__find(p->scope, e->pmu, name, &named))
		return 0;
	if (*had_one)
		return parse__error(p, term->column, "an event's terms name a second event");
	*had_one = true;
	rc = terms__from_text(named.terms, out);
	if (rc)
		return parse__error(
			p, term->column,
			"sysfs or the tables define '%s' as '%s', which is not a list of terms",
			name, named.terms);
	for (int i = before; i < out->nr; i++)
		out->at[i].column = out->at[i].value_column = term->column;
	event__set_text(&e->unit, named.unit);
	e->table_event = named.table_event;
	e->scale = named.scale;
	e->per_pkg = named.per_pkg;
	e->snapshot = named.snapshot;
	e->vendor_latency = named.latency;
	return 1;
}

uint64_t encode__extended(const struct pmu *pmu)
{
	return machine__is_hybrid(pmu->machine) ? (uint64_t)pmu->type << PMU_TYPE_SHIFT : 0;
}

/*
 * Reads a word without a value as one of the kernel's own names, or as a raw code, unless it names
 * an event of the PMU. Return: 1 when done, 0 if it is neither, or -errno.
 */
static int apply_legacy(struct event_parser *p, const struct term *term, struct event *e)
{
	uint64_t config;
	uint32_t type;
	int rc;

	if (term->str || term->from_named)
		return 0;
	rc = legacy__decode(term->key, true, &type, &config);
	/* The kernel's own PMU of software events has no terms, and no names in sysfs. */
	if (rc != -ENOENT &&
	    (type == PERF_TYPE_RAW || (type == PERF_TYPE_SOFTWARE && e->pmu->type == type))) {
		e->attr.config = config;
		return 1;
	}
	if (!e->pmu->is_core || rc == -ENOENT || type == PERF_TYPE_SOFTWARE)
		return 0;
	if (rc)
		return parse__error(p, term->column, "this cache has no such operation");
	e->attr.type = type;
	e->attr.config = config | encode__extended(e->pmu);
	return 1;
}

/* Finds the CPUs that a cpu= term names: one CPU, the CPUs of a PMU, or a range of CPUs. */
static int named_cpus(struct event_parser *p, const struct term *term, struct cpulist *out)
{
	const struct machine *m = p->scope->machine;
	const struct pmu *pmu;

	if (term->is_num && term->str)
		return term->num > CPULIST_MAX_CPU ? -ERANGE : cpulist__add(out, term->num);
	if (!term->str)
		return -EINVAL;
	pmu = machine__pmu(m, term->str);
	if (!pmu)
		return cpulist__parse("cpu", term->str, out, NULL) ?: out->nr ? 0 : -EINVAL;
	/* A PMU without CPUs in sysfs counts on all CPUs. */
	return cpulist__copy(pmu->cpus.nr ? &pmu->cpus : &m->online, out);
}

/* Limits an event to CPUs: cpu=3, cpu=0-3, cpu=cpu_core. Repeated terms add CPUs. */
static int apply_cpu(struct event_parser *p, const struct term *term, struct event *e, bool *first)
{
	struct cpulist cpus = CPULIST_INIT, all = CPULIST_INIT;
	int rc;

	if (strcmp(term->key, "cpu") || (e->pmu && pmu__format(e->pmu, "cpu")))
		return 0;
	rc = named_cpus(p, term, &cpus);
	if (rc) {
		cpulist__free(&cpus);
		return parse__error(p, term->value_column, "'cpu' must be the number of a CPU, a "
							   "range (0-3) or a PMU");
	}
	if (*first)
		cpulist__free(&e->cpus);
	*first = false;
	cpulist__or(&e->cpus, &cpus, &all);
	cpulist__free(&cpus);
	cpulist__free(&e->cpus);
	e->cpus = all;
	e->any_cpu = false;
	return 1;
}

int encode__common(struct event_parser *p, struct event *e)
{
	struct term *term;
	bool first_cpu = true;
	int rc;

	vec__for_each(term, &p->terms) {
		rc = apply_common(p, term, e) ?: apply_cpu(p, term, e, &first_cpu);
		if (!rc)
			return parse__error(p, term->column,
					    "unknown term '%s' of an event without a PMU; valid "
					    "terms: " COMMON_TERMS ",cpu",
					    term->key);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/*
 * Finds out whether a term of the user replaces a term of a named event: the umask in
 * RS.EMPTY,umask=1 replaces the event's umask.
 */
static bool is_replaced(const struct terms *terms, const struct term *term)
{
	const struct term *other;

	if (!term->from_named)
		return false;
	vec__for_each(other, terms)
		if (!other->from_named && !strcmp(other->key, term->key))
			return true;
	return false;
}

/*
 * Applies first the terms that set whole words, then the terms that add bits, whatever their order
 * in the text.
 */
static int apply_all(struct event_parser *p, const struct terms *terms, struct event *e)
{
	bool *done = xcalloc(terms->nr, sizeof(*done)), first_cpu = true;
	int rc = 0;

	for (int i = 0; i < terms->nr && rc >= 0; i++) {
		const struct term *term = &terms->at[i];

		rc = apply_common(p, term, e);
		if (!rc)
			rc = apply_cpu(p, term, e, &first_cpu);
		if (!rc && !pmu__format(e->pmu, term->key))
			rc = apply_legacy(p, term, e);
		done[i] = rc > 0;
	}
	if (rc > 0)
		rc = 0;
	for (int i = 0; i < terms->nr && !rc; i++)
		if (!done[i] && !is_replaced(terms, &terms->at[i]))
			rc = apply_format(p, &terms->at[i], e);
	free(done);
	return rc;
}

/*
 * Finds out whether a term decides which event is counted. Other terms give the event a name, or
 * change how it is counted.
 */
static bool is_of_code(const struct terms *terms, const struct term *term)
{
	const char *key = term->key;

	return strcmp(key, "name") && strcmp(key, "metric-id") && strcmp(key, "period") &&
	       strcmp(key, "percore") && !is_replaced(terms, term);
}

static int by_key(const void *va, const void *vb)
{
	const struct term *a = *(const struct term *const *)va;
	const struct term *b = *(const struct term *const *)vb;

	return strcasecmp(a->key, b->key) ?: (a->num > b->num) - (a->num < b->num);
}

/*
 * Appends a number like "%#llx" in printf(), which would take as long as all other work for a term.
 */
static void put_hex(uint64_t number, struct sb *sb)
{
	char digits[2 * sizeof(number)];
	int at = sizeof(digits);

	if (number)
		sb__add(sb, "0x", 2);
	do {
		digits[--at] = "0123456789abcdef"[number & 0xf];
		number >>= 4;
	} while (number);
	sb__add(sb, digits + at, sizeof(digits) - at);
}

/* Appends terms in a normal form, so that texts can be compared: a term without a value gets 1. */
static void print_terms(const struct terms *terms, struct sb *sb)
{
	const struct term **sorted = xcalloc(terms->nr, sizeof(*sorted));
	int nr = 0;

	for (int i = 0; i < terms->nr; i++)
		if (is_of_code(terms, &terms->at[i]))
			sorted[nr++] = &terms->at[i];
	qsort(sorted, nr, sizeof(*sorted), by_key);
	for (int i = 0; i < nr; i++) {
		if (i)
			sb__putc(sb, ',');
		sb__puts(sb, sorted[i]->key);
		sb__putc(sb, '=');
		if (sorted[i]->is_num)
			put_hex(sorted[i]->num, sb);
		else
			sb__puts(sb, sorted[i]->str);
	}
	free(sorted);
}

/* Gives a text of terms to an event, which then owns it; nothing if the text is empty. */
static void set_terms(struct event *e, struct sb *sb)
{
	if (!sb->len)
		return;
	free(e->terms);
	e->terms = text__lower(sb__detach(sb));
}

void encode__by_name(struct event_parser *p, struct event *e, const char *name)
{
	const struct tables *tables = p->scope->tables;
	struct sb sb = SB_INIT;

	e->unknown_code = true;
	if (!p->slashes) {
		sb__printf(&sb, "%s=0x1", name);
	} else {
		sb__printf(&sb, "%s/", name);
		print_terms(&p->terms, &sb);
		name = p->terms.nr && !p->terms.at[0].str ? p->terms.at[0].key : "";
	}
	if (tables)
		e->table_event = tables__find_event(tables, NULL, name);
	set_terms(e, &sb);
}

/* Copies a term, as both lists of terms are freed. */
static void copy_term(const struct term *term, struct terms *out)
{
	vec__push(out, *term);
	out->at[out->nr - 1].key = xstrdup(term->key);
	out->at[out->nr - 1].str = xstrdup(term->str);
}

int encode__pmu(struct event_parser *p, struct event *e)
{
	const struct terms *terms = &p->terms;
	struct terms all = { .at = NULL };
	struct sb sb = SB_INIT;
	bool had_named = false;
	struct term *term;
	int rc = 0;

	e->attr.type = e->pmu->type;
	vec__for_each(term, terms) {
		rc = expand_named(p, term, e, &all, &had_named);
		if (rc < 0)
			break;
		if (!rc)
			copy_term(term, &all);
	}
	if (rc >= 0)
		rc = apply_all(p, &all, e);
	if (!rc) {
		print_terms(&all, &sb);
		set_terms(e, &sb);
	}
	terms__free(&all);
	e->config_name = e->name != NULL;
	/* The name may also be one of the kernel's own names. */
	if (terms->nr == 1 && !terms->at[0].str && e->pmu->is_core)
		e->kind = legacy__kind(terms->at[0].key);
	return rc;
}
