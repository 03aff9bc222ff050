// SPDX-License-Identifier: GPL-2.0-only
/* Convert one event of Intel's form to the kernel's. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/err.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "json/perfmon.h"

#define NAME_MAX_LEN 256
#define FIXED_CODE "0xff" /* event code for fixed and free-running counters on uncore PMUs */

static bool is_nothing(const char *text)
{
	return !*text || text__has_item("0;0x0;0x00;na;null;tbd", ";", text);
}

/* Tell whether a zero in a field would seem to be a value. */
static bool needs_value(const char *key)
{
	static const char *const keys[] = { "Data_LA",	   "Errata",	       "Filter",
					    "MSRIndex",	   "MSRValue",	       "PEBS",
					    "Unit",	   "BriefDescription", "Description",
					    "PublicDescription", NULL };

	/* Compare first letters, since this is called for each field of each event. */
	return strchr("BDEFMPU", *key) && text__is_in(key, keys);
}

/* Remove fields without a value. Numbers may mostly stay 0, as in the kernel's form. */
static void drop_nothings(struct json_object *json)
{
	json_object_object_foreach(json, key, field) {
		const char *value;
		bool word;

		if (!json_object_is_type(field, json_type_string))
			continue;
		value = json_object_get_string(field);
		word = strchr("ntNT", *value) && *value;
		if ((word || ((!*value || *value == '0') && needs_value(key))) && is_nothing(value))
			json_object_object_del(json, key);
	}
}

/* Remove blanks at the end of a field: terms of a PMU cannot have them. */
static void trim(struct json_object *json, const char *key)
{
	const char *value = perfmon__get(json, key);
	char *copy;

	if (!value || !text__has_suffix(value, " "))
		return;
	copy = xstrdup(value);
	perfmon__set(json, key, text__trim(copy));
	free(copy);
}

/* "OFFCORE_RESPONSE:request=A:response=B" and "OFFCORE_RESPONSE_0.A.B" are the same event. */
static int fix_name(struct json_object *json, char *name, size_t size, struct err *err)
{
	static const char response[] = "OFFCORE_RESPONSE", request[] = ":request=";
	const char *from = perfmon__get(json, "EventName"), *rest, *second;

	if (!from || !*from)
		return err__set(err, EINVAL, "an event has no EventName");
	trim(json, "EventName");
	trim(json, "MSRValue");
	from = perfmon__get(json, "EventName");
	if (strlen(from) >= size)
		return err__set(err, EINVAL, "EventName '%.32s...' is too long", from);
	strcpy(name, from);
	if (!text__has_prefix(from, response))
		return 0;
	rest = from + strlen(response);
	second = strstr(rest, ":response=");
	if (text__has_prefix(rest, "_0"))
		snprintf(name, size, "%s%s", response, rest + 2);
	else if (text__has_prefix(rest, request) && second)
		snprintf(name, size, "%s.%.*s.%s", response,
			 (int)(second - rest - strlen(request)), rest + strlen(request),
			 second + strlen(":response="));
	perfmon__set(json, "EventName", name);
	return 0;
}

static uint64_t perfmon_event__number(struct json_object *json, const char *key)
{
	const char *text = perfmon__get(json, key);
	uint64_t value = 0;

	if (text && num__parse_u64(key, text, 0, UINT64_MAX, &value, NULL))
		return 0;
	return value;
}

/*
 * Combine the mask with its bits from 8 on, which are in a second field. Ignore a second field that
 * only repeats a port or channel mask. A list of masks is for several counters; the first one is
 * used.
 */
static int join_umask(struct json_object *json, struct err *err)
{
	const char *text = perfmon__get(json, "UMask");
	uint64_t umask, more = perfmon_event__number(json, "UMaskExt");
	char first[32], joined[32];
	size_t len = text ? strcspn(text, ", ") : 0;

	if (!text || len >= sizeof(first) || (!more && !text[len]))
		return 0;
	memcpy(first, text, len);
	first[len] = '\0';
	if (num__parse_u64("UMask", first, 0, UINT64_MAX, &umask, err))
		return -EINVAL;
	if (perfmon_event__number(json, "PortMask") || perfmon_event__number(json, "FCMask"))
		more = 0;
	snprintf(joined, sizeof(joined), "%#" PRIx64, more << 8 | umask);
	perfmon__set(json, "UMask", joined);
	return 0;
}

/* Set the unit of events whose PMU depends on more than the unit's name. */
static void fix_unit(const struct perfmon *p, struct json_object *json, const char *name)
{
	const char *unit = perfmon__get(json, "Unit"), *folder = p->files->folder;
	char filter[32];

	/* ExtSel is the ninth bit of an event's code, which only this PMU has in sysfs. */
	if (!unit || strcmp(unit, "QPI LL"))
		json_object_object_del(json, "ExtSel");
	if (!unit) {
		if (p->file->unit)
			perfmon__set(json, "Unit", p->file->unit);
		return;
	}
	if (!strcmp(unit, "NCU") && !strcmp(name, "UNC_CLOCK.SOCKET")) {
		perfmon__set(json, "Unit", text__is_any(folder, "BDW", "HSW", "SKL") ? "cbox_0" :
					   text__is_any(folder, "MTL", "ARL")	     ? "CNCU" :
										       "CLOCK");
		return;
	}
	/* An event of a PCU without a mask selects the C-state by a separate term. */
	if (!text__has_prefix(name, "UNC_P_POWER_STATE_OCCUPANCY") ||
	    !text__is_any(folder, "SNB", "IVB", "HSW", "BDW", "BDW-DE", "BDX", "HSX", "IVT", "JKT"))
		return;
	json_object_object_del(json, "UMask");
	snprintf(filter, sizeof(filter), "occ_sel=%d",
		 text__has_suffix(name, "C0") ? 1 : text__has_suffix(name, "C3") ? 2 : 3);
	perfmon__set(json, "Filter", filter);
}

/* Find the part of an IIO stack in a name, "..._IN.PART3_FREERUN"; -1 if the name has none. */
static int part_of(const char *name)
{
	const char *part = strstr(name, "PART");

	return part && isdigit((unsigned char)part[4]) ? part[4] - '0' : -1;
}

/*
 * Number a free-running counter by type and index, as the kernel's drivers do; -1 if they lack it.
 */
static int free_running_code(const char *unit, const char *name)
{
	static const struct {
		const char *unit, *word;
		int type;
	} types[] = {
		{ "iMC", "TOTAL", 1 },	      { "iMC", "RDCAS", 2 },
		{ "iMC", "WRCAS", 3 },	      { "iMC", "CLOCKTICKS", 1 },
		{ "IIO", "CLOCKTICKS", 1 },   { "IIO", "BANDWIDTH_IN", 2 },
		{ "IIO", "BANDWIDTH_OUT", 3 },
	};

	for (int i = 0; i < array__nr(types); i++) {
		int index = 0;

		if (strcasecmp(unit, types[i].unit) || !strstr(name, types[i].word))
			continue;
		if (text__has_prefix(types[i].word, "BANDWIDTH"))
			index = part_of(name);
		return index < 0 ? -1 : types[i].type << 4 | index;
	}
	return -1;
}

/*
 * Encode a free-running counter as an event of a separate PMU. Return: whether the kernel has it.
 */
static bool fix_free_running(struct json_object *json, const char *name)
{
	const char *unit = perfmon__get(json, "Unit"), *mc = strstr(name, "_MC");
	char pmu[64], code[16];
	int umask;

	umask = unit ? free_running_code(unit, name) : -1;
	if (umask < 0)
		return false;
	snprintf(pmu, sizeof(pmu), "%.32s_free_running", unit);
	if (mc && mc[3] >= '0' && mc[3] <= '9' && mc[4] == '_')
		snprintf(pmu, sizeof(pmu), "%.32s_free_running_%c", unit, mc[3]);
	text__lower(pmu);
	snprintf(code, sizeof(code), "%#x", umask);
	perfmon__set(json, "Unit", pmu);
	perfmon__set(json, "EventCode", FIXED_CODE);
	perfmon__set(json, "UMask", code);
	return true;
}

/* Tell whether a text begins with one of the words, in any case; NULL ends the words. */
static bool begins_with(const char *text, const char *const *words)
{
	while (*words && strncasecmp(text, *words, strlen(*words)))
		words++;
	return *words;
}

/*
 * Keep filters for which the kernel has terms; other filters name registers that the kernel does
 * not provide. Return: whether the kernel can count the event.
 */
static bool fix_filter(struct json_object *json)
{
	static const char *const ignored[] = { "cbofilter", "chafilter", "pcufilter", "qpimask",
					       "uboxfilter", "fc, chnl", "chnl",      "ctrctrl",
					       NULL };
	static const char *const needed[] = { "ha_addrmatch", "ha_opcodematch", "irpfilter", NULL };
	const char *filter = perfmon__get(json, "Filter");
	char config[64];

	if (!filter)
		return true;
	if (begins_with(filter, needed))
		return false;
	if (begins_with(filter, ignored)) {
		json_object_object_del(json, "Filter");
	} else if (!strcmp(filter, "Filter1")) {
		snprintf(config, sizeof(config), "config1=%.32s",
			 perfmon__get(json, "FILTER_VALUE") ?: "0");
		perfmon__set(json, "Filter", config);
	}
	return true;
}

/* Some files have only a Description. Remove a long text that only repeats the short one. */
static void fix_descriptions(struct json_object *json)
{
	const char *text = perfmon__get(json, "Description"), *brief, *full;

	if (text && !perfmon__get(json, "BriefDescription"))
		perfmon__set(json, "BriefDescription", text);
	brief = perfmon__get(json, "BriefDescription");
	full = perfmon__get(json, "PublicDescription");
	if (brief && full && strstr(brief, full))
		json_object_object_del(json, "PublicDescription");
}

int perfmon__convert_event(const struct perfmon *p, struct json_object *json, struct err *err)
{
	char name[NAME_MAX_LEN];
	int rc;

	if (!json_object_is_type(json, json_type_object))
		return err__set(err, EINVAL, "expected an object");
	drop_nothings(json);
	rc = fix_name(json, name, sizeof(name), err);
	if (rc)
		return rc;
	/* The kernel supports these events only since Sapphire Rapids. */
	if (text__has_prefix(name, "UNC_IIO_BANDWIDTH_OUT.") && strcmp(p->files->folder, "SPR"))
		return 1;
	rc = join_umask(json, err);
	if (rc)
		return rc;
	fix_unit(p, json, name);
	if (!strcmp(perfmon__text(json, "CounterType"), "FREERUN") && !fix_free_running(json, name))
		return 1;
	if (!strcasecmp(perfmon__text(json, "Counter"), "fixed")) {
		perfmon__set(json, "EventCode", FIXED_CODE);
		json_object_object_del(json, "UMask");
	}
	if (!fix_filter(json))
		return 1;
	fix_descriptions(json);
	if (p->file->kind == PERFMON_UNCORE)
		perfmon__set(json, "PerPkg", "1");
	return 0;
}

/* The topic of a core event is chosen by a part of its name, or by its beginning ("^"). */
static const struct {
	const char *part, *topic;
} topics[] = {
	{ "TLB", "virtual memory" },	     { "PAGE_WALK", "virtual memory" },
	{ "^EPT", "virtual memory" },	     { "^FP_", "floating point" },
	{ "SIMD", "floating point" },	     { "AVX", "floating point" },
	{ "FPDIV", "floating point" },	     { "FP_ASSIST", "floating point" },
	{ "^X87", "floating point" },	     { "L3_MISS", "memory" },
	{ "LLC_MISS", "memory" },	     { "DRAM", "memory" },
	{ "MEMORY_ORDERING", "memory" },     { "^MEM_TRANS", "memory" },
	{ "^RTM_", "memory" },		     { "^HLE_", "memory" },
	{ "^TX_", "memory" },		     { "^LD_HEAD", "memory" },
	{ "^ICACHE", "frontend" },	     { "^IDQ", "frontend" },
	{ "^FRONTEND", "frontend" },	     { "^DSB", "frontend" },
	{ "^DECODE", "frontend" },	     { "^BACLEARS", "frontend" },
	{ "CACHE", "cache" },		     { "^MEM_", "cache" },
	{ "^L1", "cache" },		     { "^L2", "cache" },
	{ "^LLC", "cache" },		     { "^OFFCORE", "cache" },
	{ "^OCR.", "cache" },		     { "^SW_PREFETCH", "cache" },
	{ "^LONGEST_LAT", "cache" },	     { "^SQ_MISC", "cache" },
};

static const struct {
	const char *prefix, *topic;
} unit_topics[] = {
	{ "cha", "uncore cache" },	{ "cb", "uncore cache" },
	{ "ha", "uncore cache" },	{ "b2cxl", "uncore cxl" },
	{ "cxl", "uncore cxl" },	{ "iio", "uncore io" },
	{ "m2pcie", "uncore io" },	{ "r2pcie", "uncore io" },
	{ "imc", "uncore memory" },	{ "edc", "uncore memory" },
	{ "m2hbm", "uncore memory" },	{ "mchbm", "uncore memory" },
	{ "pcu", "uncore power" },	{ "clock", "uncore other" },
	{ "cncu", "uncore other" },
};

const char *perfmon__topic(const char *name, const char *unit)
{
	if (unit && strncmp(unit, "cpu_", 4)) {
		for (int i = 0; i < array__nr(unit_topics); i++)
			if (!strncasecmp(unit, unit_topics[i].prefix,
					 strlen(unit_topics[i].prefix)))
				return unit_topics[i].topic;
		return "uncore interconnect";
	}
	for (int i = 0; i < array__nr(topics); i++) {
		const char *part = topics[i].part;

		if (*part == '^' ? text__has_prefix(name, part + 1) : !!strstr(name, part))
			return topics[i].topic;
	}
	return "pipeline";
}
