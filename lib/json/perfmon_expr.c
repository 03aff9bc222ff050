// SPDX-License-Identifier: GPL-2.0-only
/* Convert a formula of Intel's form to an expression of the kernel's. */
#include <ctype.h>
#include <errno.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/err.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/text.h"
#include "json/perfmon.h"
#include "json/tree.h"

bool perfmon__is_tma(struct json_object *json)
{
	return !strcmp(perfmon__text(json, "Category"), "TMA");
}

void perfmon__put_name(struct json_object *json, struct sb *sb)
{
	const char *name = perfmon__text(json, "MetricName");

	if (!perfmon__is_tma(json)) {
		sb__puts(sb, name);
		return;
	}
	sb__puts(sb, "tma_");
	for (; *name; name++)
		sb__putc(sb, *name == ' ' || *name == '.' ? '_' : tolower((unsigned char)*name));
}

/* Names of constants in Intel's tool (upper or lower case), and their names in perf. */
static const struct {
	const char *name, *text;
} words[] = {
	{ "PERF_METRICS.RETIRING", "topdown\\-retiring" },
	{ "PERF_METRICS.FRONTEND_BOUND", "topdown\\-fe\\-bound" },
	{ "PERF_METRICS.BACKEND_BOUND", "topdown\\-be\\-bound" },
	{ "PERF_METRICS.BAD_SPECULATION", "topdown\\-bad\\-spec" },
	{ "PERF_METRICS.HEAVY_OPERATIONS", "topdown\\-heavy\\-ops" },
	{ "PERF_METRICS.BRANCH_MISPREDICTS", "topdown\\-br\\-mispredict" },
	{ "PERF_METRICS.FETCH_LATENCY", "topdown\\-fetch\\-lat" },
	{ "PERF_METRICS.MEMORY_BOUND", "topdown\\-mem\\-bound" },
	{ "TOPDOWN.SLOTS:perf_metrics", "slots" },
	{ "TOPDOWN.SLOTS:percore", "slots" },
	{ "SYSTEM_TSC_FREQ", "#SYSTEM_TSC_FREQ" },
	{ "SOCKET_COUNT", "#num_packages" },
	{ "HYPERTHREADING_ON", "#SMT_on" },
	{ "SMT_ON", "#SMT_on" },
	{ "THREADS_PER_CORE", "(1 + #SMT_on)" },
	{ "CORES_PER_SOCKET", "(#num_cores / #num_packages)" },
	{ "NUM_CPUS", "#num_cpus_online" },
	{ "system.sockets[0].cpus.count * system.socket_count", "#num_cpus_online" },
	{ "DURATIONTIMEINMILLISECONDS", "(duration_time * 1000)" },
	{ "DURATIONTIMEINSECONDS", "duration_time" },
	{ "DURATION_TIME", "duration_time" },
	{ "FREERUN_PKG_ENERGY_STATUS", "power@energy\\-pkg@" },
	{ "FREERUN_DRAM_ENERGY_STATUS", "power@energy\\-ram@" },
	{ "UNC_PKG_ENERGY_STATUS", "power@energy\\-pkg@" },
	{ "UNC_DRAM_ENERGY_STATUS", "power@energy\\-ram@" },
	{ "MSR_EVENT:msr=0x611:type=FREERUN:scope=PACKAGE", "power@energy\\-pkg@" },
	{ "MSR_EVENT:msr=0x619:type=FREERUN:scope=PACKAGE", "power@energy\\-ram@" },
};

static bool put_known_word(struct making *m, const char *name)
{
	const char *unit = m->p->file->unit;

	for (int i = 0; i < array__nr(words); i++) {
		if (strcasecmp(words[i].name, name))
			continue;
		/*
		 * A hybrid CPU has several core PMUs, and each has its own events with these names.
		 */
		if (unit && (text__has_prefix(words[i].text, "topdown") ||
			     !strcmp(words[i].text, "slots")))
			sb__printf(&m->out, "%s@%s@", unit, words[i].text);
		else
			sb__puts(&m->out, words[i].text);
		return true;
	}
	return false;
}

/* Find the PMU of an event; prefer the PMU of the metric's core type. NULL if no PMU has it. */
static const char *perfmon_expr__pmu_of(const struct perfmon *p, const char *event)
{
	const struct tree_model *model = &p->tree->models.at[p->model];
	const struct known_events *known = p->known;
	int i = perfmon__find_event(p, event);

	if (i >= 0)
		return tree__text(p->tree, &model->events.at[i], TEXT_PMU);
	if (!known)
		return NULL;
	return known->pmu_of(known->arg, p->file->unit ?: "cpu_core", event) ?:
	       known->pmu_of(known->arg, NULL, event);
}

/* Options after an event's colons (letters and a number), and the PMU's terms for them. */
static const struct {
	const char *letters, *core, *uncore;
} options[] = {
	{ "c", "cmask", "thresh" },	  { "u", "umask", "umask" },
	{ "i", "inv", "inv" },		  { "e", "edge", "edge" },
	{ "eq", "", "" },		  { "filter1", NULL, "config1" },
	{ "opc", NULL, "filter_opc" },	  { "tid", NULL, "filter_tid" },
	{ "nc", NULL, "filter_nc" },	  { "state", NULL, "filter_state" },
	{ "ocr_msr_val", "offcore_rsp", NULL },
};

/* Put the term of an option like "c1" or "filter1=0x40433". Return: whether the option is known. */
static bool put_term(const char *option, bool core, struct sb *terms)
{
	size_t len = strspn(option, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
	const char *value = strchr(option, '=');

	if (value)
		len = value++ - option;
	else
		value = option + len;
	for (int i = 0; i < array__nr(options); i++) {
		const char *term = core ? options[i].core : options[i].uncore;

		if (strlen(options[i].letters) != len ||
		    strncasecmp(option, options[i].letters, len))
			continue;
		if (!term || !isdigit((unsigned char)*value))
			return false;
		if (*term)
			sb__printf(terms, "\\,%s\\=%s", term, value);
		return true;
	}
	return false;
}

struct event_parts {
	const char *name, *pmu;
	struct sb terms;
	char modifiers[8];
	bool one_unit;
};

static int perfmon_expr__add_option(struct making *m, const char *option, struct event_parts *e)
{
	static const struct {
		const char *option;
		char modifier;
	} modifiers[] = { { "SUP", 'k' }, { "USER", 'u' }, { "retire_latency", 'R' } };
	bool core = strncmp(e->pmu, "uncore_", 7);
	size_t len = strlen(e->modifiers);

	for (int i = 0; i < array__nr(modifiers); i++) {
		if (strcasecmp(option, modifiers[i].option) || len + 1 >= sizeof(e->modifiers))
			continue;
		e->modifiers[len] = modifiers[i].modifier;
		return 0;
	}
	if (!strcasecmp(option, "one_unit")) {
		e->one_unit = true;
		return 0;
	}
	if (put_term(option, core, &e->terms))
		return 0;
	return err__set(m->err, EINVAL, "event %s: option '%s' is not known", e->name, option);
}

/* In the kernel's form, an event with terms or modifiers has its PMU before its name. */
static void perfmon_expr__put_event(struct making *m, const struct event_parts *e)
{
	bool core = strncmp(e->pmu, "uncore_", 7), single = !strcmp(e->pmu, "default_core");
	const char *pmu = single ? "cpu" : e->pmu;
	/* A metric without a core type gets its PMU later. */
	bool any = single || !core || !m->p->file->unit;

	if (any && !e->terms.len && !e->one_unit) {
		sb__printf(&m->out, "%s%s%s", e->name, *e->modifiers ? ":" : "", e->modifiers);
		return;
	}
	sb__printf(&m->out, "%s%s@%s%s@%s", pmu, e->one_unit ? "_0" : "", e->name,
		   sb__str(&e->terms), e->modifiers);
}

/* Convert an event like "UOPS_RETIRED.MS:c1:e1", in any case. @text is modified. */
static int translate_event(struct making *m, char *text)
{
	struct event_parts e = { .terms = SB_INIT };
	char *option;
	int rc = 0;

	e.name = strsep(&text, ":");
	e.pmu = perfmon_expr__pmu_of(m->p, e.name);
	if (!e.pmu)
		return err__set(m->err, EINVAL, "there is no event or constant '%s'", e.name);
	while (!rc && (option = strsep(&text, ":")))
		rc = perfmon_expr__add_option(m, option, &e);
	for (char *c = (char *)e.name; !rc && *c; c++)
		*c = toupper((unsigned char)*c);
	if (!rc)
		perfmon_expr__put_event(m, &e);
	sb__free(&e.terms);
	return rc;
}

/* The number of CHAs is the number of instances on which an event of the CHAs is counted. */
static int put_unit_count(struct making *m)
{
	size_t nr;
	struct json_object *events = perfmon__array(m->json, "Events", &nr);

	for (size_t i = 0; i < nr; i++) {
		const char *name = perfmon__text(json_object_array_get_idx(events, i), "Name");

		if (strncasecmp(name, "UNC_CHA", 7) || strchr(name, ':'))
			continue;
		sb__printf(&m->out, "source_count(%s)", name);
		return 0;
	}
	return err__set(m->err, EINVAL, "CHAS_PER_SOCKET without an event of the CHAs");
}

/* Convert a name of Intel's tool. @name is modified. */
static int translate(struct making *m, char *name)
{
	double number;

	if (put_known_word(m, name))
		return 0;
	if (!strncasecmp(name, "tma_", 4)) {
		sb__puts(&m->out, text__lower(name));
		return 0;
	}
	if (num__scan_double(name, &number) == (int)strlen(name)) {
		sb__puts(&m->out, name);
		return 0;
	}
	if (!strcasecmp(name, "TSC")) {
		sb__puts(&m->out, "msr@tsc");
		if (m->p->file->unit)
			sb__printf(&m->out, "\\,cpu=%s", m->p->file->unit);
		sb__putc(&m->out, '@');
		return 0;
	}
	if (!strcasecmp(name, "CHAS_PER_SOCKET"))
		return put_unit_count(m);
	return translate_event(m, name);
}

/* Find the name for which a letter in the formula is an alias, or NULL. */
static const char *find_alias(struct json_object *json, const char *list, const char *letter)
{
	size_t nr;
	struct json_object *array = perfmon__array(json, list, &nr), *entry;

	for (size_t i = 0; i < nr; i++) {
		entry = json_object_array_get_idx(array, i);
		if (json_object_is_type(entry, json_type_object) &&
		    !strcasecmp(perfmon__text(entry, "Alias"), letter))
			return perfmon__text(entry, "Name");
	}
	return NULL;
}

/* Put a word of a formula; @option: options that the formula adds to the event, or "". */
static int put_word(struct making *m, const char *at, size_t len, const char *option)
{
	char word[WORD_MAX];
	const char *name;

	if (len >= sizeof(word))
		return err__set(m->err, EINVAL, "a name of %zu characters", len);
	memcpy(word, at, len);
	word[len] = '\0';
	if (text__has_item("if;else;min;max", ";", word)) {
		sb__puts(&m->out, text__lower(word));
		return 0;
	}
	name = find_alias(m->json, "Events", word) ?: find_alias(m->json, "Constants", word);
	if (name && snprintf(word, sizeof(word), "%s%s", name, option) >= (int)sizeof(word))
		return err__set(m->err, EINVAL, "the name '%.32s...' is too long", name);
	return translate(m, word);
}

/* Put the names, numbers and operators of a formula as perf writes them. */
static int put_formula(struct making *m, const char *at)
{
	double number;
	size_t len;
	int rc = 0;

	while (!rc && *(at += strspn(at, " \t\n"))) {
		sb__puts(&m->out, m->out.len ? " " : "");
		if (perfmon__or_equal(at)) {
			sb__printf(&m->out, "%c=", *at);
			at += perfmon__or_equal(at);
			continue;
		}
		len = strspn(at, NAME_CHARS);
		if (len && !isdigit((unsigned char)*at) && *at != '.') {
			/* "a[0]" is counted on one unit only. */
			bool one = !strncmp(at + len, "[0]", 3);

			rc = put_word(m, at, len, one ? ":one_unit" : "");
			len += one ? 3 : 0;
		} else if (len) {
			len = num__scan_double(at, &number);
			if (!len)
				return err__set(m->err, EINVAL, "'%.16s' is not a number", at);
			sb__add(&m->out, at, len);
		} else {
			sb__putc(&m->out, *at);
			len = 1;
		}
		at += len;
	}
	return rc;
}

bool perfmon__is_percent(struct json_object *json)
{
	return !strcmp(perfmon__text(json, "UnitOfMeasure"), "percent") &&
	       text__has_prefix(perfmon__text(json, "Formula"), "100 *");
}

int making__expr(struct making *m)
{
	const char *formula = perfmon__text(m->json, "BaseFormula");
	int rc;

	if (!perfmon__is_tma(m->json) || !*formula) {
		formula = perfmon__text(m->json, "Formula");
		if (perfmon__is_percent(m->json))
			formula += strlen("100 *");
	}
	rc = put_formula(m, formula) ?: perfmon__rewrite_or_equal(&m->out, false, m->err);
	if (!rc && !m->out.len)
		return err__set(m->err, EINVAL, "it has no Formula");
	/* Metric events count only in a group that slots leads. */
	if (!rc && strstr(sb__str(&m->out), "topdown\\-") && !strstr(m->out.buf, "slots")) {
		struct sb expr = m->out;

		m->out = (struct sb)SB_INIT;
		sb__printf(&m->out, "(%s) + 0 * ", sb__str(&expr));
		put_known_word(m, "TOPDOWN.SLOTS:percore");
		sb__free(&expr);
	}
	return rc;
}

/* --- ">=" and "<=" ---------------------------------------------------------------------------- */

#define REWRITTEN_MAX 64 /* limit of comparisons in a formula; each search begins at the start */

size_t perfmon__or_equal(const char *at)
{
	size_t blanks = *at == '<' || *at == '>' ? strspn(at + 1, " ") : 0;

	return (*at == '<' || *at == '>') && at[1 + blanks] == '=' ? 2 + blanks : 0;
}

/* A word consists of letters, digits, some signs, and operators after a backslash. */
static bool is_word(const char *text, const char *at)
{
	return isalnum((unsigned char)*at) || strchr("_.:@\\#?", *at) ||
	       (at > text && at[-1] == '\\');
}

/*
 * Measure "if" or "else", which ends an operand like a bracket; 0 if it is part of a longer word.
 */
static size_t keyword(const char *text, const char *at)
{
	size_t len = text__has_prefix(at, "if") ? 2 : text__has_prefix(at, "else") ? 4 : 0;
	bool goes_on = at[len] && is_word(text, at + len);

	return goes_on || (at > text && is_word(text, at - 1)) ? 0 : len;
}

static bool is_one_of(const char *text, const char *at, const char *chars)
{
	return *at && strchr(chars, *at) && (at == text || at[-1] != '\\');
}

/*
 * Find where the left operand begins. Comparisons are read from left to right, so earlier
 * comparisons belong to it.
 */
static const char *find_left(const char *text, const char *op, const char *weaker)
{
	const char *left = op;
	int depth = 0;

	for (; left > text; left--) {
		const char *at = left - 1;

		if (*at == ')')
			depth++;
		if (depth && *at == '(')
			depth--;
		else if (!depth && (*at == '(' || is_one_of(text, at, weaker)))
			break;
		for (int len = 2; !depth && len <= 4 && len <= left - text; len += 2)
			if (keyword(text, left - len) == (size_t)len)
				return left;
	}
	return left;
}

static const char *find_right(const char *text, const char *from, const char *weaker)
{
	const char *at = from;
	int depth = 0;

	for (; *at; at++) {
		if (*at == '(')
			depth++;
		if (depth && *at == ')')
			depth--;
		else if (!depth && (*at == ')' || *at == '<' || *at == '>' ||
				    is_one_of(text, at, weaker) || keyword(text, at)))
			break;
	}
	return at;
}

static void trim(const char **from, const char **to)
{
	while (*from < *to && **from == ' ')
		++*from;
	while (*to > *from && (*to)[-1] == ' ')
		--*to;
}

/* Replace a >= b by (1 - (a < b)). */
static int replace(struct sb *expr, const char *op, const char *weaker, struct err *err)
{
	const char *text = expr->buf, *right = op + perfmon__or_equal(op);
	const char *left = find_left(text, op, weaker), *left_end = op;
	const char *right_end = find_right(text, right, weaker);
	struct sb made = SB_INIT;
	const char *rest;

	trim(&left, &left_end);
	trim(&right, &right_end);
	rest = right_end;
	if (left == left_end || right == right_end)
		return err__set(err, EINVAL, "nothing %s '%c='",
				left == left_end ? "before" : "behind", *op);
	sb__add(&made, text, left - text);
	sb__printf(&made, "(1 - (%.*s %c %.*s))", (int)(left_end - left), left,
		   *op == '>' ? '<' : '>', (int)(right_end - right), right);
	sb__puts(&made, rest);
	sb__free(expr);
	*expr = made;
	return 0;
}

int perfmon__rewrite_or_equal(struct sb *expr, bool logic_is_weaker, struct err *err)
{
	const char *weaker = logic_is_weaker ? ",&|^" : ",";
	int rc = 0, nr = 0;

	/*
	 * Begin again from the left: the rewritten comparison is in brackets and contains no ">="
	 * or "<=".
	 */
	for (size_t i = 0; !rc && i < expr->len; i++) {
		if (!perfmon__or_equal(expr->buf + i))
			continue;
		if (++nr > REWRITTEN_MAX)
			return err__set(err, EINVAL, "more than %d comparisons with '>=' and '<='",
					REWRITTEN_MAX);
		rc = replace(expr, expr->buf + i, weaker, err);
		i = 0;
	}
	return rc;
}
