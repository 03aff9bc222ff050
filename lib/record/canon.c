// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/vec.h"
#include "record/canon.h"
#include "tables/tables.h"

#define MODIFIERS "ukhGHIpPSDWeR"
#define COUNTING_MODIFIERS "ukhGHIR" /* the others say how, not what */
#define CONFIG_MASK 0xffffffff /* of hardware events: above stands the PMU */

/* Names. */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int by_letter(const void *a, const void *b)
{
	return *(const char *)a - *(const char *)b;
}

void canon__add_modifiers(struct canon *c, const char *letters)
{
	size_t len = strlen(c->modifiers);

	for (; letters && *letters; letters++)
		if (strchr(COUNTING_MODIFIERS, *letters) && !strchr(c->modifiers, *letters) &&
		    len + 1 < sizeof(c->modifiers))
			c->modifiers[len++] = *letters;
	c->modifiers[len] = '\0';
	qsort(c->modifiers, len, 1, by_letter);
}

/* "cmask=0x1" is "cmask", "event=0x3C" is "event=0x3c"; what says nothing of counts is nothing. */
static void print_term(char *term, struct sb *sb)
{
	char *value = strchr(term, '=');
	uint64_t number;
	int len;

	if (text__has_prefix(term, "name=") || text__has_prefix(term, "metric-id=") ||
	    text__has_prefix(term, "period="))
		return;
	len = value ? num__scan_u64(value + 1, 0, &number) : 0;
	if (sb->len)
		sb__putc(sb, ',');
	if (!len || value[1 + len])
		sb__puts(sb, term);
	else if (number == 1)
		sb__add(sb, term, value - term);
	else
		sb__printf(sb, "%.*s=%#llx", (int)(value - term), term, (unsigned long long)number);
}

static int set_terms(struct canon *c, const char *text, size_t len)
{
	VEC(char *) terms = { .at = NULL };
	char *copy = strndup(text, len), *rest = copy, *term;
	struct sb sb = SB_INIT;
	int rc = copy ? 0 : -ENOMEM;

	if (copy)
		text__lower(copy);
	while (!rc && (term = strsep(&rest, ",")))
		rc = vec__push(&terms, term);
	if (terms.nr)
		qsort(terms.at, terms.nr, sizeof(*terms.at), by_text);
	sb__puts(&sb, "");
	for (int i = 0; !rc && i < terms.nr; i++)
		print_term(terms.at[i], &sb);
	c->terms = sb__detach(&sb);
	vec__free(&terms);
	free(copy);
	return c->terms ? rc : -ENOMEM;
}

/* Where a name ends that may have its PMU behind it: "cpu-clock [software]". */
static size_t end_of_name(const char *name)
{
	const char *open = strrchr(name, '[');

	return open && open > name && open[-1] == ' ' && text__has_suffix(open, "]")
		       ? (size_t)(open - 1 - name)
		       : strlen(name);
}

int canon__init(struct canon *c, const char *name)
{
	size_t pmu = strcspn(name, "/@"), end = end_of_name(name), tail;

	*c = (struct canon){ .terms = NULL };
	if (pmu < end && pmu < sizeof(c->pmu)) {
		memcpy(c->pmu, name, pmu);
		while (end > pmu + 1 && name[end - 1] != '/' && name[end - 1] != '@')
			end--;
		canon__add_modifiers(c, name + end);
		end = end > pmu + 1 ? end - 1 : end;
		return set_terms(c, name + pmu + 1, end - pmu - 1);
	}
	/* "EVENT:u", but not "sched:sched_switch". */
	for (tail = end; tail && name[tail - 1] != ':' && strchr(MODIFIERS, name[tail - 1]); tail--)
		;
	if (tail > 1 && tail < end && name[tail - 1] == ':') {
		canon__add_modifiers(c, name + tail);
		end = tail - 1;
	}
	return set_terms(c, name, end);
}

void canon__free(struct canon *c)
{
	free(c->terms);
	c->terms = NULL;
}

/* Codes. */

enum vendor { VENDOR_INTEL = 1, VENDOR_AMD = 2, VENDOR_ARM = 4 };

static unsigned int vendor_of(const char *cpuid)
{
	if (text__has_prefix(cpuid, "GenuineIntel"))
		return VENDOR_INTEL;
	if (text__has_prefix(cpuid, "AuthenticAMD") || text__has_prefix(cpuid, "HygonGenuine"))
		return VENDOR_AMD;
	return text__has_prefix(cpuid, "0x") ? VENDOR_ARM : 0;
}

/* How the kernel programs its generic events. */
static const struct {
	uint32_t generic;
	unsigned int vendors;
	uint64_t config;
} generics[] = {
	{ PERF_COUNT_HW_CPU_CYCLES, VENDOR_INTEL, 0x3c },
	{ PERF_COUNT_HW_INSTRUCTIONS, VENDOR_INTEL, 0xc0 },
	{ PERF_COUNT_HW_REF_CPU_CYCLES, VENDOR_INTEL, 0x300 },
	{ PERF_COUNT_HW_BUS_CYCLES, VENDOR_INTEL, 0x13c },
	{ PERF_COUNT_HW_CACHE_REFERENCES, VENDOR_INTEL, 0x4f2e },
	{ PERF_COUNT_HW_CACHE_MISSES, VENDOR_INTEL, 0x412e },
	{ PERF_COUNT_HW_BRANCH_INSTRUCTIONS, VENDOR_INTEL, 0xc4 },
	{ PERF_COUNT_HW_BRANCH_MISSES, VENDOR_INTEL, 0xc5 },
	{ PERF_COUNT_HW_CPU_CYCLES, VENDOR_AMD, 0x76 },
	{ PERF_COUNT_HW_INSTRUCTIONS, VENDOR_AMD, 0xc0 },
	{ PERF_COUNT_HW_BRANCH_INSTRUCTIONS, VENDOR_AMD, 0xc2 },
	{ PERF_COUNT_HW_BRANCH_MISSES, VENDOR_AMD, 0xc3 },
	{ PERF_COUNT_HW_CPU_CYCLES, VENDOR_ARM, 0x11 },
	{ PERF_COUNT_HW_INSTRUCTIONS, VENDOR_ARM, 0x08 },
};

/* Names that sysfs has, with the same code wherever it has them. */
static const struct {
	const char *name;
	unsigned int vendors;
	uint64_t config;
} named[] = {
	{ "slots", VENDOR_INTEL, 0x400 },
	{ "topdown-retiring", VENDOR_INTEL, 0x8000 },
	{ "topdown-bad-spec", VENDOR_INTEL, 0x8100 },
	{ "topdown-fe-bound", VENDOR_INTEL, 0x8200 },
	{ "topdown-be-bound", VENDOR_INTEL, 0x8300 },
	{ "topdown-heavy-ops", VENDOR_INTEL, 0x8400 },
	{ "topdown-br-mispredict", VENDOR_INTEL, 0x8500 },
	{ "topdown-fetch-lat", VENDOR_INTEL, 0x8600 },
	{ "topdown-mem-bound", VENDOR_INTEL, 0x8700 },
	{ "cycles", VENDOR_INTEL, 0x3c },
	{ "cpu-cycles", VENDOR_INTEL, 0x3c },
	{ "instructions", VENDOR_INTEL, 0xc0 },
	{ "ref-cycles", VENDOR_INTEL, 0x300 },
	{ "branches", VENDOR_INTEL, 0xc4 },
	{ "branch-instructions", VENDOR_INTEL, 0xc4 },
	{ "branch-misses", VENDOR_INTEL, 0xc5 },
	{ "cycles", VENDOR_AMD, 0x76 },
	{ "cpu-cycles", VENDOR_AMD, 0x76 },
	{ "instructions", VENDOR_AMD, 0xc0 },
};

/* Terms of core PMUs: @word 0 is config; a value's further bits stand at @high_at. */
static const struct {
	const char *key;
	unsigned int vendors;
	int word, at, bits, high_at;
} formats[] = {
	{ "event", VENDOR_INTEL, 0, 0, 8, 0 },
	{ "event", VENDOR_AMD, 0, 0, 8, 32 },
	{ "event", VENDOR_ARM, 0, 0, 16, 0 },
	{ "umask", VENDOR_INTEL | VENDOR_AMD, 0, 8, 8, 0 },
	{ "edge", VENDOR_INTEL | VENDOR_AMD, 0, 18, 1, 0 },
	{ "pc", VENDOR_INTEL, 0, 19, 1, 0 },
	{ "any", VENDOR_INTEL, 0, 21, 1, 0 },
	{ "inv", VENDOR_INTEL | VENDOR_AMD, 0, 23, 1, 0 },
	{ "cmask", VENDOR_INTEL | VENDOR_AMD, 0, 24, 8, 0 },
	{ "in_tx", VENDOR_INTEL, 0, 32, 1, 0 },
	{ "in_tx_cp", VENDOR_INTEL, 0, 33, 1, 0 },
	{ "ldlat", VENDOR_INTEL, 1, 0, 16, 0 },
	{ "offcore_rsp", VENDOR_INTEL, 1, 0, 64, 0 },
	{ "snoop_rsp", VENDOR_INTEL, 1, 0, 64, 0 },
	{ "frontend", VENDOR_INTEL, 1, 0, 24, 0 },
	{ "config", VENDOR_INTEL | VENDOR_AMD | VENDOR_ARM, 0, 0, 64, 0 },
	{ "config1", VENDOR_INTEL | VENDOR_AMD | VENDOR_ARM, 1, 0, 64, 0 },
	{ "config2", VENDOR_INTEL | VENDOR_AMD | VENDOR_ARM, 2, 0, 64, 0 },
};

#define NR(array) (sizeof(array) / sizeof(*(array)))

static bool set_term(struct code *code, unsigned int vendor, const char *key, size_t len,
		     uint64_t value)
{
	uint64_t *const words[] = { &code->config, &code->config1, &code->config2 };

	for (size_t i = 0; i < NR(formats); i++) {
		uint64_t low = value;

		if (formats[i].bits < 64)
			low &= (UINT64_C(1) << formats[i].bits) - 1;

		if (!(formats[i].vendors & vendor) || strlen(formats[i].key) != len ||
		    memcmp(formats[i].key, key, len))
			continue;
		*words[formats[i].word] |= low << formats[i].at;
		if (formats[i].high_at)
			*words[formats[i].word] |= value >> formats[i].bits << formats[i].high_at;
		return true;
	}
	return false;
}

/* "event=0xc4,umask=0x20,period=100003" as the tables have it. */
static bool set_terms_of(struct code *code, unsigned int vendor, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, ","), key = strcspn(text, "=,");
		uint64_t value = 1;

		if (text[key] == '=' && !num__scan_u64(text + key + 1, 0, &value))
			return false;
		if (!(key == 6 && !memcmp(text, "period", key)) &&
		    !set_term(code, vendor, text, key, value))
			return false;
		text += len + !!text[len];
	}
	return true;
}

static bool set_named(struct code *code, unsigned int vendor, const char *name,
		      const struct tables *tables, const char *pmu)
{
	struct event_info info;
	int number;

	for (size_t i = 0; i < NR(named); i++)
		if ((named[i].vendors & vendor) && !strcmp(named[i].name, name)) {
			code->config |= named[i].config;
			return true;
		}
	number = tables ? tables__find_event(tables, pmu, name) : -1;
	if (number < 0)
		return false;
	tables__event(tables, number, &info);
	return set_terms_of(code, vendor, info.terms);
}

/* "r1a8": nothing but hexadecimal digits behind the letter. */
static bool set_raw(struct code *code, const char *name)
{
	int len = *name == 'r' ? num__scan_u64(name + 1, 16, &code->config) : 0;

	return len && !name[1 + len];
}

static bool set_one(struct code *code, unsigned int vendor, const char *term,
		    const struct tables *tables, const char *pmu)
{
	if (strchr(term, '='))
		return set_terms_of(code, vendor, term);
	return set_named(code, vendor, term, tables, pmu) || set_terms_of(code, vendor, term) ||
	       set_raw(code, term);
}

struct code canon__code(const struct canon *c, const char *cpuid, const struct tables *tables,
			const char *pmu)
{
	unsigned int vendor = vendor_of(cpuid);
	struct code code = { .config = 0 };
	char *copy, *rest, *term;

	if (!vendor || !*c->terms)
		return code;
	copy = rest = strdup(c->terms);
	code.known = copy;
	while (code.known && (term = strsep(&rest, ",")))
		code.known = set_one(&code, vendor, term, tables, pmu);
	free(copy);
	return code;
}

struct code code__of_attr(const struct perf_event_attr *attr, const char *cpuid)
{
	struct code code = { .config = attr->config,
			     .config1 = attr->config1,
			     .config2 = attr->config2,
			     .known = true };
	unsigned int vendor = vendor_of(cpuid);

	if (attr->type != PERF_TYPE_HARDWARE) {
		code.known = attr->type != PERF_TYPE_HW_CACHE;
		return code;
	}
	for (size_t i = 0; i < NR(generics); i++)
		if ((generics[i].vendors & vendor) &&
		    generics[i].generic == (attr->config & CONFIG_MASK)) {
			code.config = generics[i].config;
			return code;
		}
	code.known = false;
	return code;
}

bool code__equal(const struct code *a, const struct code *b)
{
	return a->known && b->known && a->config == b->config && a->config1 == b->config1 &&
	       a->config2 == b->config2;
}
