// SPDX-License-Identifier: GPL-2.0-only
/* Ids of TopDown metric events, and of events that only correct the shares of metric events. */
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "events/events.h"

/* Returns the event's name in an id: "cpu_core@EVENT@" begins with the PMU. */
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
