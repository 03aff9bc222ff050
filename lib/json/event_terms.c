// SPDX-License-Identifier: GPL-2.0-only
/* Convert fields of a JSON element into terms of a PMU, with their names in sysfs. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/err.h"
#include "base/num.h"
#include "base/text.h"
#include "json/event_fields.h"

#define FIXED_BIT 32 /* bit of the first fixed counter in a mask of counters */

/* Units whose PMU has another name than "uncore_" and the unit in lower case. */
static const struct unit_pmu {
	const char *unit, *pmu;
} units[] = {
	{ "CBO", "uncore_cbox" },
	{ "QPI LL", "uncore_qpi" },
	{ "SBO", "uncore_sbox" },
	{ "iMPH-U", "uncore_arb" },
	{ "CPU-M-CF", "cpum_cf" },
	{ "CPU-M-SF", "cpum_sf" },
	{ "PAI-CRYPTO", "pai_crypto" },
	{ "PAI-EXT", "pai_ext" },
	{ "UPI LL", "uncore_upi" },
	{ "hisi_sicl,cpa", "hisi_sicl,cpa" },
	{ "hisi_sccl,ddrc", "hisi_sccl,ddrc" },
	{ "hisi_sccl,hha", "hisi_sccl,hha" },
	{ "hisi_sccl,l3c", "hisi_sccl,l3c" },
	{ "imx8_ddr", "imx8_ddr" },
	{ "imx9_ddr", "imx9_ddr" },
	{ "L3PMC", "amd_l3" },
	{ "DFPMC", "amd_df" },
	{ "UMCPMC", "amd_umc" },
	{ "cpu_core", "cpu_core" },
	{ "cpu_atom", "cpu_atom" },
	{ "cpu_lowpower", "cpu_lowpower" },
	{ "ali_drw", "ali_drw" },
	{ "arm_cmn", "arm_cmn" },
};

/* Terms for the registers in MSRIndex. */
static const struct {
	uint64_t msr;
	const char *term;
} msrs[] = {
	{ 0x3f6, "ldlat" },
	{ 0x1a6, "offcore_rsp" },
	{ 0x1a7, "offcore_rsp" },
	{ 0x3f7, "frontend" },
	{ 0x3e0, "offmodule_rsp" },
	{ 0x3e1, "offmodule_rsp" },
	{ 0x3e2, "offmodule_rsp" },
	{ 0x3e3, "offmodule_rsp" },
};

/* Events of fixed counters, with an encoding that general counters accept, too. */
static const struct fixed_event {
	const char *name, *terms;
} fixed_events[] = {
	{ "inst_retired.any", "event=0xc0,period=2000003" },
	{ "inst_retired.any_p", "event=0xc0,period=2000003" },
	{ "cpu_clk_unhalted.ref", "event=0x0,umask=0x03,period=2000003" },
	{ "cpu_clk_unhalted.thread", "event=0x3c,period=2000003" },
	{ "cpu_clk_unhalted.core", "event=0x3c,period=2000003" },
	{ "cpu_clk_unhalted.thread_any", "event=0x3c,any=1,period=2000003" },
};

void json_event__unit_to_pmu(const char *unit, struct sb *sb)
{
	const struct unit_pmu *known = unit ? array__find(units, unit, unit) : NULL;
	size_t start = sb->len;

	if (!unit || !*unit) {
		sb__puts(sb, "default_core");
	} else if (known) {
		sb__puts(sb, known->pmu);
	} else {
		sb__puts(sb, "uncore_");
		sb__puts(sb, unit);
		text__lower(sb->buf + start);
	}
}

/* Numbers in the JSON are "0x1f" or decimal; leading zeros do not mean octal. */
static int event_terms__read_number(const char *field, const char *text, uint64_t *out,
				    struct err *err)
{
	if (strncasecmp(text, "0x", 2)) {
		text += strspn(text, "0");
		if (!*text) {
			*out = 0;
			return 0;
		}
	}
	return num__parse_u64(field, text, 0, UINT64_MAX, out, err);
}

/* Parse the first number of a list like "0xB7, 0xBB"; 0 for an empty or missing list. */
static int read_first(const char *field, const char *text, uint64_t *out, struct err *err)
{
	char first[32];
	size_t len = text ? strcspn(text, ", ") : 0;

	*out = 0;
	if (!len)
		return 0;
	if (len >= sizeof(first))
		return err__set(err, EINVAL, "%s: '%s' is not a number", field, text);
	memcpy(first, text, len);
	first[len] = '\0';
	return event_terms__read_number(field, first, out, err);
}

/* Numbers below ten are written in decimal, others in hexadecimal. */
static void event_terms__put_number(struct sb *sb, uint64_t value)
{
	sb__printf(sb, value < 10 ? "%" PRIu64 : "%#" PRIx64, value);
}

static int put_code(const char *const *json, struct sb *terms, struct err *err)
{
	uint64_t code, ext;
	int rc;

	if (json[F_CONFIG_CODE] || json[F_EVENTID_CODE]) {
		bool config = json[F_CONFIG_CODE];
		int f = config ? F_CONFIG_CODE : F_EVENTID_CODE;

		rc = event_terms__read_number(json_fields[f].name, json[f], &code, err);
		sb__puts(terms, config ? "config=" : "eventid=");
	} else {
		rc = read_first("EventCode", json[F_EVENT_CODE], &code, err) ?:
		     read_first("ExtSel", json[F_EXT_SEL], &ext, err);
		if (!rc)
			code |= ext << 8;
		sb__puts(terms, "event=");
	}
	if (!rc)
		event_terms__put_number(terms, code);
	return rc;
}

/* Put a term for each field that is present and not zero: "any=1,cmask=2,period=2000003". */
static int put_terms(const char *const *json, struct sb *terms, struct err *err)
{
	for (int f = 0; f < NR_TERM_FIELDS; f++) {
		uint64_t value;
		int rc;

		if (!json[f])
			continue;
		rc = event_terms__read_number(json_fields[f].name, json[f], &value, err);
		if (rc)
			return rc;
		if (!value)
			continue;
		sb__printf(terms, ",%s=", json_fields[f].term);
		/* A number that is decimal in the JSON stays decimal. */
		if (strncasecmp(json[f], "0x", 2))
			sb__printf(terms, "%" PRIu64, value);
		else
			event_terms__put_number(terms, value);
	}
	return 0;
}

/* Put a term for the value of a model-specific register that qualifies the event. */
static int put_msr(const char *const *json, struct sb *terms, struct err *err)
{
	uint64_t msr;
	int rc = read_first("MSRIndex", json[F_MSR_INDEX], &msr, err);

	if (rc || !msr)
		return rc;
	for (int i = 0; i < array__nr(msrs); i++) {
		if (msrs[i].msr != msr)
			continue;
		/* Without a value the event counts as if it did not use the register. */
		if (json[F_MSR_VALUE] && *json[F_MSR_VALUE])
			sb__printf(terms, ",%s=%s", msrs[i].term, json[F_MSR_VALUE]);
		return 0;
	}
	return err__set(err, EINVAL, "MSRIndex: no PMU term is known for register %#" PRIx64, msr);
}

int json_event__encode(const char *const *json, const char *name, struct sb *terms, struct err *err)
{
	/*
	 * In the JSON, codes of fixed counters are the counters' own codes, which differ from those
	 * for perf_event_open().
	 */
	const struct fixed_event *fixed = array__find(fixed_events, name, name);
	int rc;

	sb__clear(terms);
	if (fixed) {
		sb__puts(terms, fixed->terms);
		return 0;
	}
	rc = put_code(json, terms, err) ?: put_terms(json, terms, err);
	if (rc)
		return rc;
	if (json[F_FILTER] && *json[F_FILTER])
		sb__printf(terms, ",%s", json[F_FILTER]);
	return put_msr(json, terms, err);
}

uint64_t counter__mask(const char *text)
{
	static const char fixed[] = "fixed counter ";
	uint64_t mask = 0, n;
	int len;

	if (!strcasecmp(text, "fixed"))
		return 1ull << FIXED_BIT;
	if (!strncasecmp(text, fixed, strlen(fixed))) {
		text += strlen(fixed);
		len = num__scan_u64(text, 0, &n);
		return len && !text[len] && n < 32 ? 1ull << (FIXED_BIT + n) : 0;
	}
	for (; *text; text += *text == ',') {
		text += strspn(text, " ");
		len = num__scan_u64(text, 0, &n);
		/* In some tables, numbers from 32 on are fixed counters. */
		if (!len || n >= 64 || (text[len] && text[len] != ','))
			return 0;
		mask |= 1ull << n;
		text += len;
	}
	return mask;
}
