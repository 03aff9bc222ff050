// SPDX-License-Identifier: GPL-2.0-only
/* A line of JSON is one object, in which numbers may stand in quotes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "record/text.h"

#define DEPTH 8 /* is enough, since objects that say what a count is are flat */

/*
 * The key says what a row stands for; the prefix is what CSV has before the number, where JSON has
 * that alone.
 */
static const struct {
	const char *key, *prefix;
} labels[] = {
	{ "cpu", "CPU" }, { "socket", "" }, { "die", "" },    { "cluster", "" },
	{ "cache", "" },  { "core", "" },   { "thread", "" }, { "node", "" },
};

static const char *text_of(struct json_object *object, const char *key)
{
	struct json_object *value = json_object_object_get(object, key);

	return value ? json_object_get_string(value) : NULL;
}

static bool number_of(struct json_object *object, const char *key, double *out)
{
	struct json_object *value = json_object_object_get(object, key);

	if (!value)
		return false;
	*out = json_object_get_double(value);
	return isfinite(*out) && *out >= 0 && *out < 1.8e19;
}

static void take_label(struct json_object *object, struct text_line *out)
{
	double weight;

	for (size_t i = 0; i < sizeof(labels) / sizeof(*labels); i++) {
		const char *text = text_of(object, labels[i].key);

		if (!text)
			continue;
		if (!*labels[i].prefix || !strncmp(text, labels[i].prefix, 3)) {
			out->label = text;
		} else {
			snprintf(out->label_buf, sizeof(out->label_buf), "%s%s", labels[i].prefix,
				 text);
			out->label = out->label_buf;
		}
	}
	if (out->label &&
	    (number_of(object, "aggregate-number", &weight) ||
	     number_of(object, "counters", &weight)) &&
	    weight <= CPULIST_MAX_CPU)
		out->weight = weight;
}

static bool take(struct json_object *object, struct text_line *out)
{
	const char *value = text_of(object, "counter-value"), *unit = text_of(object, "unit");
	double number;

	out->event = text_of(object, "event");
	out->unit = unit ? unit : "";
	if (!value || !out->event || !*out->event || !text_value(value, out))
		return false;
	/* Counts have no fraction, though perf prints one. */
	if (!*out->unit && out->count.value == floor(out->count.value))
		out->digits = 0;
	if (number_of(object, "interval", &number) && number < 9e9) {
		out->has_time = true;
		out->count.time_ns = llround(number * 1e9);
	}
	if (number_of(object, "event-runtime", &number))
		out->count.running = number;
	if (number_of(object, "pcnt-running", &number))
		out->count.percent = number;
	text_latency(text_of(object, "metric-value"), text_of(object, "metric-unit"),
		     text_of(object, "status"), out);
	out->cgroup = text_of(object, "cgroup");
	out->reason = text_of(object, "reason");
	take_label(object, out);
	return true;
}

bool text_json__line(const char *line, void **object, struct text_line *out)
{
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH);
	struct json_object *root = json_tokener_parse_ex(tokener, line, strlen(line) + 1);

	*out = (struct text_line){ .weight = 1 };
	json_tokener_free(tokener);
	*object = root;
	return root && json_object_is_type(root, json_type_object) && take(root, out);
}

void text_json__free(void *object)
{
	json_object_put(object);
}
