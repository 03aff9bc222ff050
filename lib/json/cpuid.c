// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/pattern.h"
#include "json/cpuid.h"

#define MIDR_VARIANT 20 /* its lowest bit */
#define OPERATORS ".[]()*+?{}|\\^$"

/* vendor-family-model-stepping has three dashes, and so has a pattern for it. */
static bool has_stepping(const char *id)
{
	int dashes = 0;

	for (; *id; id++)
		dashes += *id == '-';
	return dashes == 3;
}

/*
 * Compiling a regular expression costs more than all else in a look-up, and most rows of the
 * mapfile differ from an id in the plain text that they begin with. The functions below look at
 * this text, and give up ("the expression may match") at anything but the usual.
 */

/* A pattern has one branch when no choice stands outside of round brackets. */
static bool has_one_branch(const char *pattern)
{
	int depth = 0;

	for (const char *p = pattern; *p; p++) {
		if (*p == '\\')
			return false;
		if (*p == '[') {
			bool class = p[1] == '[';
			const char *set = p + 1 + class;

			for (p = set; isalnum((unsigned char)*p) || *p == ':' || *p == '-'; p++)
				;
			if (p == set || *p != ']' || (class && *++p != ']'))
				return false;
		}
		depth += (*p == '(') - (*p == ')');
		if (*p == '|' && depth <= 0)
			return false;
	}
	return true;
}

/* Measure the plain text in front, without a last letter that may be optional or repeated. */
static size_t plain_length(const char *pattern)
{
	size_t len = strcspn(pattern, OPERATORS);

	return len && pattern[len] && strchr("*+?{", pattern[len]) ? len - 1 : len;
}

/* Tell whether "(97|9A|B7)" has an alternative that may begin with @c. */
static bool choice_may_begin(const char *choice, char c)
{
	if (*choice != '(')
		return true;
	do {
		choice++;
		if (*choice == c || !isalnum((unsigned char)*choice) || strchr("*?{", choice[1]))
			return true;
		choice += strcspn(choice, OPERATORS);
	} while (*choice == '|');
	/* strchr() finds the end of a string, too. */
	return *choice != ')' || (choice[1] && strchr("*?{", choice[1]));
}

enum cpuid_kind cpuid__kind(const char *arch)
{
	if (!strcmp(arch, "x86"))
		return CPUID_STEPPING;
	return !strcmp(arch, "arm64") ? CPUID_MIDR : CPUID_TEXT;
}

static bool read_midr(const char *text, uint64_t *out)
{
	int len;

	if (strncasecmp(text, "0x", 2))
		return false;
	len = num__scan_u64(text + 2, 16, out);
	return len && !text[2 + len];
}

/* Arm's r1p2 is variant 1, revision 2. */
static unsigned int midr_version(uint64_t midr)
{
	return (midr >> MIDR_VARIANT & 0xf) << 4 | (midr & 0xf);
}

static bool midr_matches(uint64_t want, uint64_t midr)
{
	const uint64_t version = 0xf << MIDR_VARIANT | 0xf;

	return (want & ~version) == (midr & ~version) && midr_version(midr) >= midr_version(want);
}

bool cpuid__matches(const char *pattern, const char *cpuid, enum cpuid_kind kind)
{
	bool stepping = kind == CPUID_STEPPING || kind == CPUID_LOOKS;
	bool full_pattern = has_stepping(pattern), full_id = has_stepping(cpuid);
	size_t want = strlen(cpuid), plain;
	regmatch_t match;
	uint64_t number, midr;
	regex_t re;
	bool matches;

	if (kind >= CPUID_MIDR && read_midr(pattern, &number) && read_midr(cpuid, &midr))
		return midr_matches(number, midr);
	if (kind == CPUID_MIDR)
		return false;
	if (stepping && full_pattern && !full_id)
		return false;
	if (stepping && !full_pattern && full_id)
		want = strrchr(cpuid, '-') - cpuid;

	if (has_one_branch(pattern)) {
		plain = plain_length(pattern);
		if (strncmp(pattern, cpuid, plain))
			return false;
		if (!pattern[plain])
			return plain == want;
		if (!choice_may_begin(pattern + plain, cpuid[plain]))
			return false;
	}
	if (pattern__compile(&re, pattern, 0, NULL))
		return false;
	matches = pattern__matches(&re, cpuid, &match);
	regfree(&re);
	return matches && match.rm_eo - match.rm_so == (regoff_t)want;
}
