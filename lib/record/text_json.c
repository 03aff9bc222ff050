// SPDX-License-Identifier: GPL-2.0-only
/* A line of JSON is one object. Numbers in it may be quoted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "base/text.h"
#include "record/text.h"

#define DEPTH 8 /* the deepest nesting; it is enough, as objects with counts are flat */

static const char *text_json__text_of(struct json_object *object, const char *key)
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

	/*
	 * The key shows the kind of row. The place of a CPU may be only a number, or have the form
	 * of CSV.
	 */
	for (enum grid_aggr aggr = AGGR_NONE; aggr < AGGR_NR; aggr++) {
		const char *text = text_json__text_of(object, row_kinds[aggr].key);

		if (!text)
			continue;
		out->label = text;
		if (aggr != AGGR_NONE || text__has_prefix(text, "CPU"))
			continue;
		snprintf(out->label_buf, sizeof(out->label_buf), "CPU%s", text);
		out->label = out->label_buf;
	}
	if (out->label &&
	    (number_of(object, "aggregate-number", &weight) ||
	     number_of(object, "counters", &weight)) &&
	    weight <= CPULIST_MAX_CPU)
		out->weight = weight;
}

/* Make "S0-D0-C3" from the places, which are separate members of tma's own objects. */
static const char *own_label(struct json_object *object, char *buf, size_t size)
{
	const char *comm = text_json__text_of(object, "comm");
	size_t len = 0;
	double number;

	if (number_of(object, "cpu", &number)) {
		snprintf(buf, size, "CPU%.0f", number);
		return buf;
	}
	if (comm && number_of(object, "thread", &number)) {
		snprintf(buf, size, "%.*s-%.0f", (int)size / 2, comm, number);
		return buf;
	}
	/* The object of a core has its cluster, which labels of cores do not have. */
	for (int place = 0; place < PLACE_CPU; place++)
		if (number_of(object, place_kinds[place].key, &number) && len < size &&
		    (place != PLACE_CLUSTER || !text_json__text_of(object, "core")))
			len += snprintf(buf + len, size - len, "%s%s%.0f", len ? "-" : "",
					place_kinds[place].prefix, number);
	return len ? buf : NULL;
}

/* Get the status, which tma's own objects have if there is no value. */
static bool take_own_value(struct json_object *object, struct text_line *out)
{
	const char *value = text_json__text_of(object, "value"),
		   *status = text_json__text_of(object, "status");

	if (value)
		return text_value(value, out);
	return status &&
	       text_value(!strcmp(status, "not supported") ? "<not supported>" : "<not counted>",
			  out);
}

/* Parse an object of --format=json: an event, or the run with its CPU. */
static bool take_own(struct json_object *object, const char *type, struct text_line *out)
{
	const char *row = text_json__text_of(object, "row"),
		   *unit = text_json__text_of(object, "unit");
	double number, running = 0, enabled;

	out->cpuid = text_json__text_of(object, "cpuid");
	out->event = text_json__text_of(object, "name");
	out->unit = unit ? unit : "";
	if (!strcmp(type, "metric") && number_of(object, "value", &number))
		out->metric = out->event;
	out->known = strcmp(type, "event");
	out->sorted = true;
	if (out->known || !out->event || !*out->event || !take_own_value(object, out))
		return false;
	if (row && !strcmp(row, "interval") && number_of(object, "time", &number) && number < 9e9) {
		out->has_time = true;
		out->count.time_ns = llround(number * 1e9);
	}
	if (number_of(object, "running_ns", &running))
		out->count.running = running;
	number_of(object, "spread_percent", &out->count.spread);
	out->count.percent = 100;
	if (number_of(object, "enabled_ns", &enabled) && enabled > running)
		out->count.percent = 100 * running / enabled;
	text_latency(text_json__text_of(object, "samples"), "samples",
		     text_json__text_of(object, "status"), out);
	out->is_cut = json_object_get_boolean(json_object_object_get(object, "cut"));
	out->label = own_label(object, out->label_buf, sizeof(out->label_buf));
	if (out->label && number_of(object, "cpus", &number) && number <= CPULIST_MAX_CPU)
		out->weight = number;
	out->cgroup = text_json__text_of(object, "cgroup");
	out->reason = text_json__text_of(object, "reason");
	return true;
}

static bool text_json__take(struct json_object *object, struct text_line *out)
{
	const char *value = text_json__text_of(object, "counter-value"),
		   *unit = text_json__text_of(object, "unit");
	double number;

	if (number_of(object, "metric-value", &number))
		out->metric = text_json__text_of(object, "metric-unit");
	out->event = text_json__text_of(object, "event");
	out->unit = unit ? unit : "";
	out->known = !value && !out->event;
	if (!value || !out->event || !*out->event || !text_value(value, out))
		return false;
	/* Counts have no fraction, although perf prints one. */
	if (!*out->unit && out->count.value == floor(out->count.value))
		out->digits = 0;
	if (number_of(object, "interval", &number) && number < 9e9) {
		out->has_time = true;
		out->count.time_ns = llround(number * 1e9);
	}
	if (number_of(object, "event-runtime", &number))
		out->count.running = number;
	if (number_of(object, "variance", &number))
		out->count.spread = number;
	if (number_of(object, "pcnt-running", &number))
		out->count.percent = number;
	text_latency(text_json__text_of(object, "metric-value"),
		     text_json__text_of(object, "metric-unit"),
		     text_json__text_of(object, "status"), out);
	out->cgroup = text_json__text_of(object, "cgroup");
	out->is_cut = json_object_get_boolean(json_object_object_get(object, "cut"));
	out->reason = text_json__text_of(object, "reason");
	take_label(object, out);
	return true;
}

bool text_json__line(const char *line, void **object, struct text_line *out)
{
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH);
	struct json_object *root = json_tokener_parse_ex(tokener, line, strlen(line) + 1);

	const char *type;

	*out = (struct text_line){ .weight = 1 };
	json_tokener_free(tokener);
	*object = root;
	if (!root || !json_object_is_type(root, json_type_object))
		return false;
	type = text_json__text_of(root, "schema") ? text_json__text_of(root, "type") : NULL;
	return type ? take_own(root, type, out) : text_json__take(root, out);
}

void text_json__free(void *object)
{
	json_object_put(object);
}
