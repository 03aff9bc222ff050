// SPDX-License-Identifier: GPL-2.0-only
#include "lint/names.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/strmap.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "events/events.h"
#include "machine/gauge.h"
#include "tables/tables.h"

/*
 * Events of the kernel, which are mostly in sysfs, with their encoding if it matters.
 * topdown__of_name() has the kernel's TopDown events. Names of events that any CPU has on fixed
 * counters match only in the kernel's own spelling: another spelling means a vendor's event.
 */
static const struct kernel_name {
	const char *name, *terms;
	bool for_any_cpu;
} kernel_names[] = {
	{"topdown-total-slots", "event=0x3c", false},
	{"topdown-slots-issued", "", false},
	{"topdown-slots-retired", "", false},
	{"topdown-fetch-bubbles", "", false},
	{"topdown-recovery-bubbles", "", false},
	{"mem-loads", "", false},
	{"mem-loads-aux", "", false},
	{"mem-stores", "", false},
	{"cycles-t", "", false},
	{"cycles-ct", "", false},
	{"tx-start", "", false},
	{"tx-commit", "", false},
	{"tx-abort", "", false},
	{"tx-capacity", "", false},
	{"tx-capacity-read", "", false},
	{"tx-capacity-write", "", false},
	{"tx-conflict", "", false},
	{"el-start", "", false},
	{"el-commit", "", false},
	{"el-abort", "", false},
	{"el-capacity", "", false},
	{"el-capacity-read", "", false},
	{"el-capacity-write", "", false},
	{"el-conflict", "", false},
	{"cycles", "event=0x3c", true},
	{"cpu-cycles", "event=0x3c", true},
	{"instructions", "event=0xc0", true},
};

/*
 * Metrics use the first four without their PMU, msr. The others are events of arm64's driver that
 * its tables do not have as standard events.
 */
static const char other_names[] = "tsc aperf mperf smi l2i_cache l2i_cache_refill l2i_cache_lmiss"
				  " l3d_cache_wb ll_cache ll_cache_miss";

/* Events that the kernel and this program count on any machine, even without a hardware PMU. */
static int parse_anywhere(const char *text)
{
	struct event_list list = EVENT_LIST_INIT;
	struct machine none = { .nr_pmus = 0 };
	struct events_scope scope = { .machine = &none };
	int rc = events__parse(&scope, text, &list, NULL);

	event_list__free(&list);
	gauges__free(none.gauges);
	return rc;
}

/* Tell whether the kernel has an event with this name on any machine. */
static bool is_kernels(const char *name)
{
	return !parse_anywhere(name);
}

/*
 * Check that modifiers are letters of the event grammar, by means of an event that accepts all of
 * them.
 */
static int check_modifiers(const char *modifiers)
{
	char *text;
	int rc;

	if (!*modifiers)
		return 0;
	text = xasprintf("r0:%s", modifiers);
	rc = parse_anywhere(text);
	free(text);
	return rc;
}

static int check_head(const char *head, struct err *err)
{
	const char *p = head;

	while (isalnum((unsigned char)*p) || (*p && strchr("_.-?*", *p)))
		p++;
	if (*p)
		return err__set(err, EINVAL, "'%c' is not allowed in the name of an event or PMU",
				*p);
	return *head ? 0 : err__set(err, EINVAL, "the name of an event or PMU is missing");
}

/* Check terms like "EV,cmask=1,edge". */
static int check_terms(const char *terms, struct err *err)
{
	for (;;) {
		size_t len = strcspn(terms, ","), key = strcspn(terms, ",=");

		if (!key)
			return err__set(err, EINVAL, "a term is missing between the signs '@'");
		if (key < len && key + 1 == len)
			return err__set(err, EINVAL, "term '%.*s' needs a value after '='",
					(int)key, terms);
		if (!terms[len])
			return 0;
		terms += len + 1;
	}
}

static int split_signs(struct event_id *id, char *at, struct err *err)
{
	char *end = strchr(at + 1, '@');
	int rc;

	if (!end)
		return err__set(err, EINVAL, "the second '@' is missing after the terms");
	*at = *end = '\0';
	id->terms = at + 1;
	id->modifiers = end + 1 + (end[1] == ':');
	rc = check_terms(id->terms, err);
	if (!rc && strchr(id->modifiers, '@'))
		rc = err__set(err, EINVAL, "there is a third '@'");
	return rc;
}

/*
 * A system of tracepoints has no point in its name, and is not named like an event of the kernel.
 */
static void split_colon(struct event_id *id, char *colon)
{
	*colon = '\0';
	if (check_modifiers(colon + 1) && !strchr(id->text, '.') && colon[1] &&
	    !is_kernels(id->text)) {
		*colon = ':';
		id->tracepoint = true;
		return;
	}
	id->modifiers = colon + 1;
}

int event_id__split(const char *text, struct event_id *out, struct err *err)
{
	char *at, *colon;
	int rc = 0;

	*out = (struct event_id){ .text = xstrdup(text), .modifiers = "" };
	out->head = out->text;
	at = strchr(out->text, '@');
	colon = strchr(out->text, ':');
	if (at)
		rc = split_signs(out, at, err);
	else if (colon)
		split_colon(out, colon);
	if (!rc && !out->tracepoint)
		rc = check_head(out->head, err);
	if (!rc && check_modifiers(out->modifiers))
		rc = err__set(err, EINVAL, "'%s' are not modifiers of an event", out->modifiers);
	if (rc)
		event_id__free(out);
	return rc;
}

void event_id__free(struct event_id *id)
{
	free(id->text);
	id->text = NULL;
}

static const char *str(const struct names *n, uint32_t offset)
{
	return pool__str(&n->tree->pool, offset);
}

static void find_pmus(struct names *n)
{
	const struct tree_entry *at = n->model->events.at;

	for (int i = 0; i < n->model->events.nr; i++) {
		const char *pmu = str(n, at[i].event.text[TEXT_PMU]);

		if (n->pmus.nr && !strcmp(n->pmus.at[n->pmus.nr - 1].pmu, pmu))
			n->pmus.at[n->pmus.nr - 1].nr++;
		else
			vec__push(&n->pmus, (struct pmu_events){ pmu, i, 1 });
	}
}

/* Make a key of the metric's PMU and its name, ignoring case. */
static const char *metric_key(struct names *n, const char *pmu, const char *name)
{
	sb__clear(&n->id);
	sb__printf(&n->id, "%s\t%s", pmu, name);
	return text__lower(n->id.buf);
}

void names__init(struct names *n, const struct tree *tree, const struct tree_model *model,
		 const struct tables *base)
{
	*n = (struct names){ .tree = tree, .model = model, .base = base, .metrics = strmap__new(),
			     .models = strmap__new() };
	find_pmus(n);
	for (int i = 0; i < model->metrics.nr; i++) {
		const uint32_t *text = model->metrics.at[i].event.text;

		/* A reference means the first of several metrics with the same name. */
		strmap__add(n->metrics,
			    metric_key(n, str(n, text[TEXT_PMU]), str(n, text[TEXT_METRIC])), i);
	}
}

void names__free(struct names *n)
{
	vec__free(&n->pmus);
	strmap__free(n->metrics);
	strmap__free(n->models);
	sb__free(&n->id);
}

int names__metric(struct names *n, const char *pmu, const char *name)
{
	return strmap__get(n->metrics, metric_key(n, pmu, name));
}

bool names__is_core(const char *pmu)
{
	return text__is_any(pmu, "default_core", "cpu_core", "cpu_atom", "cpu_lowpower");
}

/* Search by name; names in the tables are in lower case. */
static const struct tree_entry *find_entry(const struct names *n, const struct pmu_events *pmu,
					   const char *name)
{
	int low = pmu->first, high = pmu->first + pmu->nr;

	while (low < high) {
		int mid = low + (high - low) / 2;
		const struct tree_entry *entry = &n->model->events.at[mid];
		int cmp = strcasecmp(name, str(n, entry->event.text[TEXT_NAME]));

		if (!cmp)
			return entry;
		if (cmp < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}

/*
 * Tell whether @pmu names the PMU @table: "cha", "cha_0" and "uncore_cha_0" name "uncore_cha";
 * "cpu" names the core PMU of a CPU with a single core type.
 */
static bool is_meant(const char *table, const char *pmu)
{
	size_t len, want;

	if (!strcmp(pmu, "cpu"))
		return !strcmp(table, "default_core");
	if (text__has_prefix(pmu, "uncore_"))
		pmu += strlen("uncore_");
	if (text__has_prefix(table, "uncore_"))
		table += strlen("uncore_");
	want = strlen(table);
	len = strlen(pmu);
	if (strncasecmp(table, pmu, want < len ? want : len) || len < want)
		return false;
	pmu += want;
	pmu += *pmu == '_';
	return strspn(pmu, "0123456789") == strlen(pmu);
}

/* Tell whether a PMU is a core type of a hybrid CPU, and a different type than @of. */
static bool is_other_core(const char *pmu, const char *of)
{
	return names__is_core(of) && strcmp(of, "default_core") && names__is_core(pmu) &&
	       strcmp(pmu, of);
}

static bool found_entry(const struct names *n, const struct tree_entry *entry,
			struct lint_name *out)
{
	if (!entry)
		return false;
	out->is = NAME_EVENT;
	out->entry = entry;
	out->pmu = str(n, entry->event.text[TEXT_PMU]);
	return true;
}

static bool found_in_base(const struct names *n, const char *pmu, const char *name,
			  struct lint_name *out)
{
	int i = n->base ? tables__find_event(n->base, pmu, name) : -1;
	struct event_info info;

	if (i < 0)
		return false;
	tables__event(n->base, i, &info);
	out->is = NAME_EVENT;
	out->number = i;
	out->pmu = info.pmu;
	return true;
}

static bool find_kernel_name(const char *name, struct kernel_name *out)
{
	enum topdown t = topdown__of_name(name);

	if (t) {
		*out = (struct kernel_name){topdown__name(t), topdown__terms(t), false};
		return true;
	}
	for (int i = 0; i < array__nr(kernel_names); i++) {
		*out = kernel_names[i];
		if (!(out->for_any_cpu ? strcmp : strcasecmp)(out->name, name))
			return true;
	}
	return false;
}

static bool found_in_kernel(const struct names *n, const char *pmu, const char *name,
			    struct lint_name *out)
{
	struct kernel_name kernel;
	bool known = find_kernel_name(name, &kernel);
	char *lower;

	out->name = known ? kernel.name : NULL;
	out->pmu = known ? pmu : NULL;
	out->is = NAME_KERNELS;
	if (known || is_kernels(name))
		return true;
	/* An architecture's standard events are the events that its driver has names for. */
	lower = text__lower(xstrdup(name));
	known = strmap__get(n->tree->reader.std, lower) >= 0 ||
		text__has_item(other_names, " ", name);
	free(lower);
	return known;
}

/* Tell whether any built-in model has an event or a metric of this name. */
static bool is_of_any_model(struct names *n, const char *name)
{
	char *lower = text__lower(xstrdup(name));
	int found = strmap__get(n->models, lower);

	for (int i = 0; found < 0 && i < tables__nr_models(); i++) {
		struct tables *t = tables__find_model(tables__model_name(i));

		if (tables__find_event(t, NULL, name) >= 0 ||
		    tables__find_metric(t, NULL, name) >= 0)
			found = true;
		tables__free(t);
	}
	strmap__put(n->models, lower, found > 0);
	free(lower);
	return found > 0;
}

/* A name without a PMU may be on any PMU except that of the other core type. */
static void look_anywhere(struct names *n, const char *pmu, const char *name, struct lint_name *out)
{
	struct lint_name other = *out;

	for (int i = 0; i < n->pmus.nr; i++)
		if (!strcmp(n->pmus.at[i].pmu, pmu) &&
		    found_entry(n, find_entry(n, &n->pmus.at[i], name), out))
			return;
	for (int i = 0; i < n->pmus.nr; i++) {
		const struct tree_entry *entry = find_entry(n, &n->pmus.at[i], name);
		bool foreign = is_other_core(n->pmus.at[i].pmu, pmu);

		if (found_entry(n, entry, foreign ? &other : out) && !foreign)
			return;
	}
	if (found_in_base(n, pmu, name, out))
		return;
	if (found_in_base(n, NULL, name, out) && !is_other_core(out->pmu, pmu))
		return;
	if (found_in_kernel(n, pmu, name, out))
		return;
	if (n->model->events.nr || n->base)
		out->is = NAME_UNKNOWN;
	else
		out->is = is_of_any_model(n, name) ? NAME_UNDESCRIBED : NAME_OF_NO_MODEL;
	if (other.is == NAME_EVENT) {
		out->is = NAME_OTHER_CORE;
		out->pmu = other.pmu;
	}
}

static void look_on(struct names *n, const struct pmu_events *on, const char *name,
		    struct lint_name *out)
{
	const char *pmu = on->pmu;

	if (found_entry(n, find_entry(n, on, name), out) || found_in_base(n, pmu, name, out) ||
	    found_in_kernel(n, pmu, name, out))
		return;
	/* An uncore driver may have events with names that are unknown here. */
	out->is = names__is_core(pmu) ? NAME_UNKNOWN : NAME_UNDESCRIBED;
	out->pmu = pmu;
}

static const struct pmu_events *names__find_pmu(const struct names *n, const char *pmu)
{
	for (int i = 0; i < n->pmus.nr; i++)
		if (is_meant(n->pmus.at[i].pmu, pmu))
			return &n->pmus.at[i];
	return NULL;
}

/* The first term may be the name of the event; a name is not "key=value". */
static void split_terms(const struct event_id *id, struct sb *event, const char **more)
{
	size_t len = strcspn(id->terms, ",");

	*more = id->terms;
	if (memchr(id->terms, '=', len))
		return;
	sb__add(event, id->terms, len);
	*more = id->terms[len] ? id->terms + len + 1 : NULL;
}

static void look_up_terms(struct names *n, const char *pmu, const struct event_id *id,
			  struct lint_name *out)
{
	const struct pmu_events *on = names__find_pmu(n, id->head);
	struct sb event = SB_INIT;

	if (!on) {
		/* "EVENT@filter_opc=0x182@" adds terms to a named event. */
		look_anywhere(n, pmu, id->head, out);
		if (out->is == NAME_EVENT)
			out->more = id->terms;
		else
			out->is = NAME_UNDESCRIBED;
		return;
	}
	out->pmu = on->pmu;
	split_terms(id, &event, &out->more);
	if (names__is_core(on->pmu) && names__is_core(pmu) && strcmp(on->pmu, pmu))
		out->is = NAME_OTHER_CORE;
	else if (event.len)
		look_on(n, on, sb__str(&event), out);
	sb__free(&event);
}

void names__event(struct names *n, const char *pmu, const struct event_id *id,
		  struct lint_name *out)
{
	*out = (struct lint_name){.is = NAME_UNDESCRIBED, .number = -1};
	if (id->tracepoint)
		return;
	if (id->terms)
		look_up_terms(n, pmu, id, out);
	else
		look_anywhere(n, pmu, id->head, out);
}

static void entry_info(const struct names *n, const struct tree_entry *entry,
		       struct event_info *out)
{
	const uint32_t *text = entry->event.text;

	*out = (struct event_info){
		.name = str(n, text[TEXT_NAME]),
		.pmu = str(n, text[TEXT_PMU]),
		.terms = str(n, text[TEXT_TERMS]),
		.desc = str(n, text[TEXT_DESC]),
		.counter_mask = counter__mask(str(n, text[TEXT_COUNTER])),
		.deprecated = entry->event.flag[FLAG_DEPRECATED],
		.taken_alone = entry->event.flag[FLAG_TAKEN_ALONE],
	};
}

void names__info(const struct names *n, const struct lint_name *name, struct event_info *out)
{
	struct kernel_name kernel = {.terms = ""};

	if (name->is == NAME_EVENT && name->entry) {
		entry_info(n, name->entry, out);
		return;
	}
	if (name->is == NAME_EVENT) {
		tables__event(n->base, name->number, out);
		return;
	}
	if (name->name)
		find_kernel_name(name->name, &kernel);
	*out = (struct event_info){
		.name = name->name ? name->name : "",
		.pmu = name->pmu ? name->pmu : "",
		.terms = kernel.terms,
		.desc = "",
	};
}

void names__suggest(const struct names *n, const char *pmu, struct suggest *s)
{
	const struct tree_entry *entry;

	for (int i = 0; i < n->pmus.nr; i++) {
		const struct pmu_events *on = &n->pmus.at[i];

		if (is_other_core(on->pmu, pmu))
			continue;
		for (int j = on->first; j < on->first + on->nr; j++)
			suggest__offer(s, str(n, n->model->events.at[j].event.text[TEXT_NAME]));
	}
	vec__for_each (entry, &n->model->metrics)
		if (!strcmp(str(n, entry->event.text[TEXT_PMU]), pmu))
			suggest__offer(s, str(n, entry->event.text[TEXT_METRIC]));
	for (enum topdown t = TOPDOWN_SLOTS; t < TOPDOWN_NR; t++)
		suggest__offer(s, topdown__name(t));
	for (int i = 0; i < array__nr(kernel_names); i++)
		if (!kernel_names[i].for_any_cpu)
			suggest__offer(s, kernel_names[i].name);
	if (n->base) {
		tables__suggest(n->base, false, s);
		tables__suggest(n->base, true, s);
	}
}
