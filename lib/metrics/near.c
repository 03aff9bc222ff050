// SPDX-License-Identifier: GPL-2.0-only
/* Suggest metrics for an unknown name, also by their plain words. */
#include "base/suggest.h"
#include "metrics/metrics.h"
#include "metrics/words.h"
#include "tables/tables.h"

void metrics__suggest(const struct tables *tables, struct suggest *s)
{
	struct metric_info info;

	for (int i = 0; i < tables__nr_metrics(tables); i++) {
		const struct metric_words *words;

		tables__metric(tables, i, &info);
		words = metric_words__find(info.name);
		if (words)
			suggest__offer_node(s, info.name, words->plain);
		else
			suggest__offer(s, info.name);
	}
	for (int i = 0; i < tables__nr_groups(tables); i++)
		suggest__offer(s, tables__group(tables, i));
}
