// SPDX-License-Identifier: GPL-2.0-only
/* Metrics of pmu-events/overlay/common, made of events that the kernel has on every CPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "json/load.h"
#include "tables/internal.h"

#define WORD_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
#define NAME_MAX_LEN 64

extern const char tables_common_json[]; /* made by pmu-events/embed.py */

int tables__load_common(struct tables **t,
			int (*place)(void *arg, struct load_metric *metrics, int nr,
				     struct err *err),
			void *arg, struct err *err)
{
	const struct load_options opts = {
		.path = "common",
		.text = tables_common_json,
		.cpuid = "",
		.own = true,
		.yields = true,
		.place = place,
		.arg = arg,
	};

	int rc = tables__load(t, &opts, NULL, err);
	struct layer *top = rc ? NULL : &(*t)->layers[(*t)->nr_layers - 1];

	if (top) {
		free(top->origin);
		top->origin = xstrdup("for every CPU");
	}
	return rc;
}

static bool is_name(const char *word, int len)
{
	char key[NAME_MAX_LEN + sizeof("\"MetricName\": \"\"")];

	if (len > NAME_MAX_LEN)
		return false;
	snprintf(key, sizeof(key), "\"MetricName\": \"%.*s\"", len, word);
	return strcasestr(tables_common_json, key);
}

bool tables__names_common(const char *text)
{
	while (*(text += strcspn(text, WORD_CHARS))) {
		int len = strspn(text, WORD_CHARS);

		if (is_name(text, len))
			return true;
		text += len;
	}
	return false;
}
