// SPDX-License-Identifier: GPL-2.0-only
#include <regex.h>
#include <string.h>

#include "tables/cpuid.h"

/* vendor-family-model-stepping has three dashes, and so has a pattern for it. */
static bool has_stepping(const char *id)
{
	int dashes = 0;

	for (; *id; id++)
		dashes += *id == '-';
	return dashes == 3;
}

/*
 * How much of a pattern stands for itself at its start. Compiling a regular expression costs more
 * than all else in a look-up, and most rows differ from the id in this part already.
 */
static size_t literal_start(const char *pattern)
{
	size_t len = strcspn(pattern, ".[]()*+?{}|\\^$");

	/* The last one may be optional or repeated; a choice may make all of it optional. */
	if (strchr(pattern, '|') && !strchr(pattern, '('))
		return 0;
	return len && pattern[len] && strchr("*+?{", pattern[len]) ? len - 1 : len;
}

static bool same_start(const char *pattern, const char *cpuid)
{
	return !strncmp(pattern, cpuid, literal_start(pattern));
}

bool cpuid__matches(const char *pattern, const char *cpuid, bool stepping)
{
	bool full_pattern = has_stepping(pattern), full_id = has_stepping(cpuid);
	size_t want = strlen(cpuid);
	regmatch_t match;
	regex_t re;
	int rc;

	if (stepping && full_pattern && !full_id)
		return false;
	if (stepping && !full_pattern && full_id)
		want = strrchr(cpuid, '-') - cpuid;
	if (!same_start(pattern, cpuid) || regcomp(&re, pattern, REG_EXTENDED))
		return false;
	rc = regexec(&re, cpuid, 1, &match, 0);
	regfree(&re);
	return !rc && match.rm_eo - match.rm_so == (regoff_t)want;
}
