// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "json/counter.h"

#define FIXED_BIT 32

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
		if (!len || n >= FIXED_BIT || (text[len] && text[len] != ','))
			return 0;
		mask |= 1ull << n;
		text += len;
	}
	return mask;
}
