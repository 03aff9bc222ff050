// SPDX-License-Identifier: GPL-2.0-only
/* Standard events from built-in tables, for files outside of the architecture's folder. */
#include <strings.h>

#include "json/format.h"
#include "json/tree.h"

static uint32_t std__copy(struct tree *tree, const struct table_data *data, uint32_t text)
{
	return pool__add(&tree->pool, data->strings + text);
}

/* Copy a longer description completely. */
static uint32_t std__desc(struct tree *tree, const struct table_data *data, uint32_t desc,
			  uint32_t long_desc, bool goes_on)
{
	struct sb whole = SB_INIT;
	uint32_t text;

	if (!goes_on)
		return std__copy(tree, data, long_desc);
	sb__printf(&whole, "%s%s", data->strings + desc, data->strings + long_desc);
	text = pool__add(&tree->pool, sb__str(&whole));
	sb__free(&whole);
	return text;
}

/* Make an element from the event of the tables that was made from this element. */
static void add_std_event(struct tree *tree, const struct table_data *d,
			  const struct table_event *e)
{
	struct json_event std = {
		.text = { [TEXT_NAME] = std__copy(tree, d, e->name),
			  [TEXT_PMU] = std__copy(tree, d, d->words[e->pmu]),
			  [TEXT_TOPIC] = std__copy(tree, d, d->words[e->topic]),
			  [TEXT_TERMS] = std__copy(tree, d, e->terms),
			  [TEXT_DESC] = std__copy(tree, d, e->desc),
			  [TEXT_LONG_DESC] = std__desc(tree, d, e->desc, e->long_desc,
						    e->flags & TABLE_EVENT_GOES_ON),
			  [TEXT_SCALE_UNIT] = std__copy(tree, d, d->scales[e->scale].text) },
		.flag = { [FLAG_PER_PKG] = !!(e->flags & TABLE_EVENT_PER_PKG),
			  [FLAG_DEPRECATED] = !!(e->flags & TABLE_EVENT_DEPRECATED) },
	};

	tree__add_std(tree, &std);
}

static void add_std_metric(struct tree *tree, const struct table_data *d,
			   const struct table_metric *m)
{
	struct json_event std = {
		.text = { [TEXT_METRIC] = std__copy(tree, d, m->name),
			  [TEXT_PMU] = std__copy(tree, d, d->words[m->pmu]),
			  [TEXT_EXPR] = std__copy(tree, d, m->expr),
			  [TEXT_THRESHOLD] = std__copy(tree, d, m->threshold),
			  [TEXT_GROUPS] = std__copy(tree, d, m->groups),
			  [TEXT_DESC] = std__copy(tree, d, m->desc),
			  [TEXT_LONG_DESC] = std__desc(tree, d, m->desc, m->long_desc,
						    m->flags & TABLE_METRIC_GOES_ON),
			  [TEXT_SCALE_UNIT] = std__copy(tree, d, d->scales[m->scale].text) },
		.flag = { [FLAG_CONSTRAINT] = m->flags & TABLE_METRIC_CONSTRAINT },
	};

	tree__add_std(tree, &std);
}

void tree__find_std(struct tree *tree, const char *name)
{
	for (const struct table_data *const *p = tree->opts->std; p && *p; p++) {
		const struct table_data *d = *p;

		for (uint32_t i = 0; i < d->std_events.nr; i++) {
			uint32_t number = d->event_list[d->std_events.first + i];

			if (!strcasecmp(d->strings + d->events[number].name, name))
				add_std_event(tree, d, &d->events[number]);
		}
		for (uint32_t i = 0; i < d->std_metrics.nr; i++) {
			uint32_t number = d->metric_list[d->std_metrics.first + i];

			if (!strcasecmp(d->strings + d->metrics[number].name, name))
				add_std_metric(tree, d, &d->metrics[number]);
		}
	}
}
