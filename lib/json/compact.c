// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/text.h"
#include "json/compact.h"

/* Store a string in the new block. Return: its new offset. */
static uint32_t compact__add(struct compact *c, uint32_t offset)
{
	return pool__add(&c->pool, c->data.strings + offset);
}

/*
 * Store a longer description; if it begins with the shorter one, store only the rest. Return:
 * whether it begins with the shorter one.
 */
static bool add_desc(struct compact *c, uint32_t desc, uint32_t *long_desc)
{
	const char *begin = c->data.strings + desc, *text = c->data.strings + *long_desc;
	bool goes_on = *begin && text__has_prefix(text, begin) && text[strlen(begin)];

	*long_desc = pool__add(&c->pool, goes_on ? text + strlen(begin) : text);
	return goes_on;
}

static void compact__event(struct compact *c, struct table_event *e)
{
	e->name = compact__add(c, e->name);
	e->terms = compact__add(c, e->terms);
	if (add_desc(c, e->desc, &e->long_desc))
		e->flags |= TABLE_EVENT_GOES_ON;
	e->desc = compact__add(c, e->desc);
}

static void compact__metric(struct compact *c, struct table_metric *m)
{
	m->name = compact__add(c, m->name);
	m->expr = compact__add(c, m->expr);
	m->threshold = compact__add(c, m->threshold);
	m->groups = compact__add(c, m->groups);
	if (add_desc(c, m->desc, &m->long_desc))
		m->flags |= TABLE_METRIC_GOES_ON;
	m->desc = compact__add(c, m->desc);
}

/* Copy an array of struct table_data, and make the new tables use the copy. */
#define COPY(array)                                                                        \
	do {                                                                               \
		for (uint32_t i = 0; i < c->data.nr_##array; i++)                          \
			vec__push(&c->copy.array, c->data.array[i]);                       \
		c->data.array = c->copy.array.at;                                          \
	} while (0)

#define FOR_EACH(p, array)                                                                 \
	for (p = c->copy.array.at; p < c->copy.array.at + c->copy.array.nr; p++)

static void compact__rest(struct compact *c)
{
	struct table_scale *scale;
	struct table_counter *counter;
	struct table_group *group;
	struct table_model *model;
	struct table_map *row;
	uint32_t *word;

	FOR_EACH(word, words)
		*word = compact__add(c, *word);
	FOR_EACH(scale, scales) {
		uint32_t text = compact__add(c, scale->text);

		/* The unit is a part of the text. */
		scale->unit = scale->unit ? text + (scale->unit - scale->text) : 0;
		scale->text = text;
	}
	FOR_EACH(counter, counters)
		counter->text = compact__add(c, counter->text);
	FOR_EACH(group, groups) {
		group->name = compact__add(c, group->name);
		group->desc = compact__add(c, group->desc);
	}
	FOR_EACH(model, models)
		model->name = compact__add(c, model->name);
	FOR_EACH(row, map) {
		row->pattern = compact__add(c, row->pattern);
		row->version = compact__add(c, row->version);
	}
}

void compact__tables(struct compact *c, const struct table_data *from)
{
	struct table_event *event;
	struct table_metric *metric;

	*c = (struct compact){ .data = *from };
	pool__init(&c->pool);
	COPY(events);
	COPY(metrics);
	COPY(words);
	COPY(scales);
	COPY(counters);
	COPY(groups);
	COPY(models);
	COPY(map);
	FOR_EACH(event, events)
		compact__event(c, event);
	FOR_EACH(metric, metrics)
		compact__metric(c, metric);
	compact__rest(c);
	c->data.strings = c->pool.text.buf;
	c->data.nr_strings = c->pool.text.len;
}

void compact__free(struct compact *c)
{
	vec__free(&c->copy.events);
	vec__free(&c->copy.metrics);
	vec__free(&c->copy.words);
	vec__free(&c->copy.scales);
	vec__free(&c->copy.counters);
	vec__free(&c->copy.groups);
	vec__free(&c->copy.models);
	vec__free(&c->copy.map);
	pool__free(&c->pool);
}
