// SPDX-License-Identifier: GPL-2.0-only
/* One event of Intel's form becomes one of the kernel's. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/text.h"
#include "json/perfmon.h"

#define NAME_MAX_LEN 256
#define FIXED_CODE "0xff" /* what uncore PMUs take for their fixed and free-running counters */

static bool is_nothing(const char *text)
{
	static const char *const words[] = { "", "0", "0x0", "0x00", "na", "null", "tbd" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcasecmp(text, words[i]))
			return true;
	return false;
}

/* Fields of which a zero would be taken for something. */
static bool needs_value(const char *key)
{
	static const char *const keys[] = { "Data_LA",	   "Errata",	       "Filter",
					    "MSRIndex",	   "MSRValue",	       "PEBS",
					    "Unit",	   "BriefDescription", "Description",
					    "PublicDescription" };

	/* Asked for each field of each event, of which most begin with other letters. */
	if (!strchr("BDEFMPU", *key))
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcmp(key, keys[i]))
			return true;
	return false;
}

/* Fields that say nothing. Of most numbers, a zero may stay: the kernel's form has them too. */
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

/* Blanks at the end, which a PMU's term would not take. */
static int trim(struct json_object *json, const char *key)
{
	const char *value = perfmon__get(json, key);
	char *copy;
	int rc = 0;

	if (!value || !text__has_suffix(value, " "))
		return 0;
	copy = strdup(value);
	rc = copy ? perfmon__set(json, key, text__trim(copy)) : -ENOMEM;
	free(copy);
	return rc;
}

/* "OFFCORE_RESPONSE:request=A:response=B" and "OFFCORE_RESPONSE_0.A.B" are one event. */
static int fix_name(struct json_object *json, char *name, size_t size, struct err *err)
{
	static const char response[] = "OFFCORE_RESPONSE", request[] = ":request=";
	const char *from = perfmon__get(json, "EventName"), *rest, *second;

	if (!from || !*from)
		return err__set(err, EINVAL, "an event has no EventName");
	if (trim(json, "EventName") || trim(json, "MSRValue"))
		return -ENOMEM;
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
	return perfmon__set(json, "EventName", name);
}

static uint64_t number(struct json_object *json, const char *key)
{
	const char *text = perfmon__get(json, key);
	uint64_t value = 0;

	if (text && num__parse_u64(key, text, 0, UINT64_MAX, &value, NULL))
		return 0;
	return value;
}

/* The mask has 8 bits (several masks are for several counters; the first counts) and more of them
 * in a second field, which says the same as a port or channel mask where there is one. */
static int join_umask(struct json_object *json, struct err *err)
{
	const char *text = perfmon__get(json, "UMask");
	uint64_t umask, more = number(json, "UMaskExt");
	char first[32], joined[32];
	size_t len = text ? strcspn(text, ", ") : 0;

	if (!text || len >= sizeof(first) || (!more && !text[len]))
		return 0;
	memcpy(first, text, len);
	first[len] = '\0';
	if (num__parse_u64("UMask", first, 0, UINT64_MAX, &umask, err))
		return -EINVAL;
	if (number(json, "PortMask") || number(json, "FCMask"))
		more = 0;
	snprintf(joined, sizeof(joined), "%#" PRIx64, more << 8 | umask);
	return perfmon__set(json, "UMask", joined);
}

/* Units whose PMU depends on more than their name. */
static int fix_unit(const struct perfmon *p, struct json_object *json, const char *name)
{
	static const char *const boxes[] = { "BDW", "HSW", "SKL", NULL };
	static const char *const old_pcu[] = { "SNB", "IVB",	"HSW", "BDW", "BDW-DE",
					       "BDX", "HSX",	"IVT", "JKT", NULL };
	const char *unit = perfmon__get(json, "Unit"), *folder = p->files->folder;
	char filter[32];
	int i = 0;

	/* The ninth bit of an event's code, which of all PMUs only this one shows. */
	if (!unit || strcmp(unit, "QPI LL"))
		json_object_object_del(json, "ExtSel");
	if (!unit)
		return p->file->unit ? perfmon__set(json, "Unit", p->file->unit) : 0;
	if (!strcmp(unit, "NCU") && !strcmp(name, "UNC_CLOCK.SOCKET")) {
		for (i = 0; boxes[i] && strcmp(boxes[i], folder); i++)
			;
		if (boxes[i])
			return perfmon__set(json, "Unit", "cbox_0");
		return perfmon__set(json, "Unit",
			   !strcmp(folder, "MTL") || !strcmp(folder, "ARL") ? "CNCU" : "CLOCK");
	}
	if (!text__has_prefix(name, "UNC_P_POWER_STATE_OCCUPANCY"))
		return 0;
	/* PCUs that have no mask choose the C-state by a term of its own. */
	for (i = 0; old_pcu[i] && strcmp(old_pcu[i], folder); i++)
		;
	if (!old_pcu[i])
		return 0;
	json_object_object_del(json, "UMask");
	snprintf(filter, sizeof(filter), "occ_sel=%d",
		 text__has_suffix(name, "C0") ? 1 : text__has_suffix(name, "C3") ? 2 : 3);
	return perfmon__set(json, "Filter", filter);
}

/* The part of an IIO stack in a name, "..._IN.PART3_FREERUN". */
static int part_of(const char *name)
{
	const char *part = strstr(name, "PART");

	return part && isdigit((unsigned char)part[4]) ? part[4] - '0' : -1;
}

/* The kernel's drivers number free-running counters by type and index; -1 for those they lack. */
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

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		int index = 0;

		if (strcasecmp(unit, types[i].unit) || !strstr(name, types[i].word))
			continue;
		if (text__has_prefix(types[i].word, "BANDWIDTH"))
			index = part_of(name);
		return index < 0 ? -1 : types[i].type << 4 | index;
	}
	return -1;
}

static int fix_free_running(struct json_object *json, const char *name)
{
	const char *unit = perfmon__get(json, "Unit"), *mc = strstr(name, "_MC");
	char pmu[64], code[16];
	int umask;

	umask = unit ? free_running_code(unit, name) : -1;
	if (umask < 0)
		return 1;
	snprintf(pmu, sizeof(pmu), "%.32s_free_running", unit);
	if (mc && mc[3] >= '0' && mc[3] <= '9' && mc[4] == '_')
		snprintf(pmu, sizeof(pmu), "%.32s_free_running_%c", unit, mc[3]);
	text__lower(pmu);
	snprintf(code, sizeof(code), "%#x", umask);
	if (perfmon__set(json, "Unit", pmu) || perfmon__set(json, "EventCode", FIXED_CODE) ||
	    perfmon__set(json, "UMask", code))
		return -ENOMEM;
	return 0;
}

/* Filters which the kernel has terms for; the others name registers it does not show. */
static int fix_filter(struct json_object *json)
{
	static const char *const ignored[] = { "cbofilter", "chafilter", "pcufilter", "qpimask",
					       "uboxfilter", "fc, chnl", "chnl",      "ctrctrl",
					       NULL };
	static const char *const needed[] = { "ha_addrmatch", "ha_opcodematch", "irpfilter", NULL };
	const char *filter = perfmon__get(json, "Filter");
	char config[64];

	if (!filter)
		return 0;
	for (int i = 0; needed[i]; i++)
		if (!strncasecmp(filter, needed[i], strlen(needed[i])))
			return 1;
	for (int i = 0; ignored[i]; i++) {
		if (!strncasecmp(filter, ignored[i], strlen(ignored[i]))) {
			json_object_object_del(json, "Filter");
			return 0;
		}
	}
	if (strcmp(filter, "Filter1"))
		return 0;
	snprintf(config, sizeof(config), "config1=%.32s",
		 perfmon__get(json, "FILTER_VALUE") ?: "0");
	return perfmon__set(json, "Filter", config);
}

/* Some files have but a Description; and a long text that only repeats the short one is none. */
static int fix_descriptions(struct json_object *json)
{
	const char *text = perfmon__get(json, "Description"), *brief, *full;

	if (text && !perfmon__get(json, "BriefDescription") &&
	    perfmon__set(json, "BriefDescription", text))
		return -ENOMEM;
	brief = perfmon__get(json, "BriefDescription");
	full = perfmon__get(json, "PublicDescription");
	if (brief && full && strstr(brief, full))
		json_object_object_del(json, "PublicDescription");
	return 0;
}

int perfmon__convert_event(const struct perfmon *p, struct json_object *json, struct err *err)
{
	char name[NAME_MAX_LEN];
	const char *type, *counter;
	int rc;

	if (!json_object_is_type(json, json_type_object))
		return err__set(err, EINVAL, "expected an object");
	drop_nothings(json);
	rc = fix_name(json, name, sizeof(name), err);
	/* Only from Sapphire Rapids on can the kernel read these. */
	if (!rc && text__has_prefix(name, "UNC_IIO_BANDWIDTH_OUT.") &&
	    strcmp(p->files->folder, "SPR"))
		return 1;
	if (!rc)
		rc = join_umask(json, err);
	if (!rc)
		rc = fix_unit(p, json, name);
	type = perfmon__get(json, "CounterType");
	if (!rc && type && !strcmp(type, "FREERUN"))
		rc = fix_free_running(json, name);
	counter = perfmon__get(json, "Counter");
	if (!rc && counter && !strcasecmp(counter, "fixed")) {
		rc = perfmon__set(json, "EventCode", FIXED_CODE);
		json_object_object_del(json, "UMask");
	}
	if (!rc)
		rc = fix_filter(json);
	if (!rc)
		rc = fix_descriptions(json);
	if (!rc && p->file->kind == PERFMON_UNCORE)
		rc = perfmon__set(json, "PerPkg", "1");
	return rc;
}

/* Headings for lists: what is in the names of core events, or ("^") they begin with. */
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
		for (size_t i = 0; i < sizeof(unit_topics) / sizeof(*unit_topics); i++)
			if (!strncasecmp(unit, unit_topics[i].prefix,
					 strlen(unit_topics[i].prefix)))
				return unit_topics[i].topic;
		return "uncore interconnect";
	}
	for (size_t i = 0; i < sizeof(topics) / sizeof(*topics); i++) {
		const char *part = topics[i].part;

		if (*part == '^' ? text__has_prefix(name, part + 1) : !!strstr(name, part))
			return topics[i].topic;
	}
	return "pipeline";
}
