// SPDX-License-Identifier: GPL-2.0-only
/* Ids of TopDown metric events, and of those that only correct the shares these tell. */
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "events/events.h"

/* What of an id is the name: "cpu_core@EVENT@" has its PMU before it. */
static const char *name_in(const char *id)
{
	const char *at = strchr(id, '@');

	return at ? at + 1 : id;
}

bool events__is_topdown_share(const char *id)
{
	return !strncasecmp(name_in(id), "topdown-", strlen("topdown-"));
}

const char *events__topdown_correction(const char *id)
{
	static const char *const names[] = {"INT_MISC.UOP_DROPPING", "INT_MISC.CLEARS_COUNT"};
	const char *name = name_in(id);
	size_t len = strcspn(name, "@");

	for (int i = 0; i < array__nr(names); i++)
		if (strlen(names[i]) == len && !strncasecmp(names[i], name, len))
			return names[i];
	return NULL;
}
