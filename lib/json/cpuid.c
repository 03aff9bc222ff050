// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/pattern.h"
#include "base/text.h"
#include "json/cpuid.h"

#define MIDR_VARIANT 20 /* lowest bit of the variant */
#define OPERATORS ".[]()*+?{}|\\^$"
#define XDIGITS "[[:xdigit:]]"
#define LONGEST_ID 62

/* "vendor-family-model-stepping" has three dashes, and so does a pattern with a stepping. */
static bool has_stepping(const char *id)
{
	int dashes = 0;

	for (; *id; id++)
		dashes += *id == '-';
	return dashes == 3;
}

static bool is_repeated(const char *after)
{
	return *after && strchr("*+?{", *after);
}

/*
 * Measure the plain text at the start; its last character does not count if it is optional or
 * repeated.
 */
static size_t plain_length(const char *pattern)
{
	size_t len = strcspn(pattern, OPERATORS);

	return len && is_repeated(pattern + len) ? len - 1 : len;
}

/*
 * Compiling a regular expression takes longer than the rest of a look-up, and most patterns consist
 * of plain text, sets and choices: "A-6-(4E|5[CF])", "A-25-[[:xdigit:]]+". The functions below
 * match such patterns, in all possible ways simultaneously: bit n of a number is set if the pattern
 * so far can match the first n characters of the id. For other patterns they return NULL or false.
 */
static bool is_range(const char *set)
{
	return set[1] == '-' && set[0] <= set[2] &&
	       ((isdigit((unsigned char)set[0]) && isdigit((unsigned char)set[2])) ||
		(isupper((unsigned char)set[0]) && isupper((unsigned char)set[2])));
}

/* Measure a character or a set at the start of a pattern; 0 for other parts. */
static int atom_length(const char *atom)
{
	const char *p = atom + 1;

	if (*atom != '[')
		return *atom && !strchr(OPERATORS, *atom);
	if (text__has_prefix(atom, XDIGITS))
		return strlen(XDIGITS);
	while (isalnum((unsigned char)*p))
		p += is_range(p) ? 3 : 1;
	return *p == ']' && p > atom + 1 ? p + 1 - atom : 0;
}

static bool atom_has(const char *atom, char c)
{
	if (*atom != '[')
		return *atom == c;
	if (atom[1] == '[')
		return isxdigit((unsigned char)c);
	for (atom++; *atom != ']'; atom += is_range(atom) ? 3 : 1)
		if (is_range(atom) ? c >= atom[0] && c <= atom[2] : c == *atom)
			return true;
	return false;
}

static uint64_t atom_step(const char *atom, const char *id, uint64_t from)
{
	uint64_t to = 0;

	for (; from; from &= from - 1) {
		int at = __builtin_ctzll(from);

		if (id[at] && atom_has(atom, id[at]))
			to |= 2ULL << at;
	}
	return to;
}

/* Match a character or a set, which a "+" may repeat. Return: the rest of the pattern, or NULL. */
static const char *take_atom(const char *pattern, const char *id, uint64_t *at)
{
	int len = atom_length(pattern);
	uint64_t next = len ? atom_step(pattern, id, *at) : 0;
	const char *after = pattern + len + (pattern[len] == '+');

	*at = next;
	while (next && pattern[len] == '+')
		*at |= next = atom_step(pattern, id, next);
	return len && !is_repeated(after) ? after : NULL;
}

/* Match a choice like "(97|9[AC]|B7)". Return: the rest of the pattern, or NULL. */
static const char *take_choice(const char *pattern, const char *id, uint64_t *at)
{
	uint64_t before = *at;

	*at = 0;
	do {
		const char *branch = ++pattern;
		uint64_t of_branch = before;

		while (pattern && *pattern != '|' && *pattern != ')')
			pattern = take_atom(pattern, id, &of_branch);
		if (!pattern || pattern == branch)
			return NULL;
		*at |= of_branch;
	} while (*pattern == '|');
	pattern++;
	return is_repeated(pattern) ? NULL : pattern;
}

/* Set @len to the longest match; -1 for none. Return: whether the pattern is simple enough. */
static bool match_simply(const char *pattern, const char *id, int *len)
{
	size_t plain = plain_length(pattern);
	uint64_t at = 0;

	if (!plain || strlen(id) > LONGEST_ID)
		return false;
	if (!strncmp(pattern, id, plain))
		at = 1ULL << plain;
	*len = -1;
	for (pattern += plain; *pattern;) {
		/* From here on only another branch can match. */
		if (!at && !strchr(pattern, '|'))
			return true;
		pattern = *pattern == '(' ? take_choice(pattern, id, &at)
					  : take_atom(pattern, id, &at);
		if (!pattern)
			return false;
	}
	if (at)
		*len = 63 - __builtin_clzll(at);
	return true;
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

/* Find the length of the first match in the id; -1 without a match. */
static int match_length(const char *pattern, const char *id)
{
	regmatch_t match;
	regex_t re;
	bool matches;
	int len;

	if (match_simply(pattern, id, &len))
		return len;
	if (pattern__compile(&re, pattern, 0, NULL))
		return -1;
	matches = pattern__matches(&re, id, &match);
	regfree(&re);
	return matches ? match.rm_eo - match.rm_so : -1;
}

bool cpuid__matches(const char *pattern, const char *cpuid, enum cpuid_kind kind)
{
	bool stepping = kind == CPUID_STEPPING || kind == CPUID_LOOKS;
	uint64_t number, midr;
	int len;

	if (kind >= CPUID_MIDR && read_midr(pattern, &number) && read_midr(cpuid, &midr))
		return midr_matches(number, midr);
	if (kind == CPUID_MIDR)
		return false;
	len = match_length(pattern, cpuid);
	if (len < 0)
		return false;
	if (!stepping || has_stepping(pattern) == has_stepping(cpuid))
		return (size_t)len == strlen(cpuid);
	return has_stepping(cpuid) && len == strrchr(cpuid, '-') - cpuid;
}
