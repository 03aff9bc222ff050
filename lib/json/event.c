// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/num.h"
#include "base/strmap.h"
#include "base/text.h"
#include "json/event.h"
#include "json/fields.h"
#include "json/pool.h"

int event_reader__init(struct event_reader *reader, struct pool *pool)
{
	*reader = (struct event_reader){
		.pool = pool, .std = strmap__new(), .fields = strmap__new(), .expr = JSON_EXPR_INIT
	};
	if (!reader->std || !reader->fields)
		goto out_of_memory;
	for (int i = 0; i < NR_FIELDS; i++)
		if (strmap__put(reader->fields, fields[i], i))
			goto out_of_memory;
	for (int i = 0; fields_unused[i]; i++)
		if (strmap__put(reader->fields, fields_unused[i], NR_FIELDS))
			goto out_of_memory;
	return 0;

out_of_memory:
	event_reader__free(reader);
	return -ENOMEM;
}

void event_reader__free(struct event_reader *reader)
{
	strmap__free(reader->std);
	strmap__free(reader->fields);
	vec__free(&reader->std_events);
	sb__free(&reader->scratch);
	sb__free(&reader->extra);
	json_expr__free(&reader->expr);
}

void json_event__unit_to_pmu(const char *unit, struct sb *sb)
{
	size_t start;

	if (!unit || !*unit) {
		sb__puts(sb, "default_core");
		return;
	}
	for (int i = 0; units[i].unit; i++) {
		if (!strcmp(units[i].unit, unit)) {
			sb__puts(sb, units[i].pmu);
			return;
		}
	}
	sb__puts(sb, "uncore_");
	start = sb->len;
	sb__puts(sb, unit);
	if (!sb->err)
		text__lower(sb->buf + start);
}

/* A number as the JSON writes it: "0x1f" or decimal, leading zeros being no octal. */
static int read_number(const char *field, const char *text, uint64_t *out, struct err *err)
{
	if (strncasecmp(text, "0x", 2)) {
		text += strspn(text, "0");
		if (!*text) {
			*out = 0;
			return 0;
		}
	}
	return num__parse_u64(field, text, 0, UINT64_MAX, out, err);
}

/* The first number of a list like "0xB7, 0xBB"; an empty or absent one is 0. */
static int read_first(const char *field, const char *text, uint64_t *out, struct err *err)
{
	char first[32];
	size_t len = text ? strcspn(text, ", ") : 0;

	*out = 0;
	if (!len)
		return 0;
	if (len >= sizeof(first))
		return err__set(err, EINVAL, "%s: '%s' is not a number", field, text);
	memcpy(first, text, len);
	first[len] = '\0';
	return read_number(field, first, out, err);
}

/* Below ten decimal, else hexadecimal. */
static void put_number(struct sb *sb, uint64_t value)
{
	sb__printf(sb, value < 10 ? "%" PRIu64 : "%#" PRIx64, value);
}

static int put_code(const char *const *json, struct sb *terms, struct err *err)
{
	uint64_t code, ext;
	int rc;

	if (json[F_CONFIG_CODE] || json[F_EVENTID_CODE]) {
		bool config = json[F_CONFIG_CODE];
		int f = config ? F_CONFIG_CODE : F_EVENTID_CODE;

		rc = read_number(fields[f], json[f], &code, err);
		sb__puts(terms, config ? "config=" : "eventid=");
	} else {
		rc = read_first("EventCode", json[F_EVENT_CODE], &code, err);
		if (!rc)
			rc = read_first("ExtSel", json[F_EXT_SEL], &ext, err);
		if (!rc)
			code |= ext << 8;
		sb__puts(terms, "event=");
	}
	if (!rc)
		put_number(terms, code);
	return rc;
}

/* "any=1,cmask=2,period=2000003,umask=0x20": terms whose field is there and not zero. */
static int put_terms(const char *const *json, struct sb *terms, struct err *err)
{
	for (int i = 0; i < nr_term_fields; i++) {
		int f = term_fields[i].field;
		uint64_t value;
		int rc;

		if (!json[f])
			continue;
		rc = read_number(fields[f], json[f], &value, err);
		if (rc)
			return rc;
		if (!value)
			continue;
		sb__printf(terms, ",%s=", term_fields[i].term);
		/* What the JSON has in decimal stays so. */
		if (strncasecmp(json[f], "0x", 2))
			sb__printf(terms, "%" PRIu64, value);
		else
			put_number(terms, value);
	}
	return 0;
}

/* A model-specific register that qualifies the event: its value goes into a term of its own. */
static int put_msr(const char *const *json, struct sb *terms, struct err *err)
{
	uint64_t msr;
	int rc = read_first("MSRIndex", json[F_MSR_INDEX], &msr, err);

	if (rc || !msr)
		return rc;
	for (int i = 0; msrs[i].msr; i++) {
		if (msrs[i].msr != msr)
			continue;
		/* Without a value the event counts as if the register were not asked for. */
		if (json[F_MSR_VALUE] && *json[F_MSR_VALUE])
			sb__printf(terms, ",%s=%s", msrs[i].term, json[F_MSR_VALUE]);
		return 0;
	}
	return err__set(err, EINVAL, "MSRIndex: no PMU term is known for register %#" PRIx64, msr);
}

static int encode(const char *const *json, const char *name, struct sb *terms, struct err *err)
{
	int rc;

	sb__clear(terms);
	/* Fixed counters: their JSON codes are those of the counter, not of perf_event_open(). */
	for (int i = 0; name && fixed_events[i].name; i++) {
		if (!strcmp(fixed_events[i].name, name)) {
			sb__puts(terms, fixed_events[i].terms);
			return 0;
		}
	}
	rc = put_code(json, terms, err);
	if (!rc)
		rc = put_terms(json, terms, err);
	if (rc)
		return rc;
	if (json[F_FILTER] && *json[F_FILTER])
		sb__printf(terms, ",%s", json[F_FILTER]);
	return put_msr(json, terms, err);
}

/* A description without the full stop and blanks at its end, but with what other fields add. */
static uint32_t describe(struct event_reader *reader, const char *text, const char *extra)
{
	static const char *const endings[] = { ".  ", ". ", "." };
	struct sb *sb = &reader->scratch;

	if (!text)
		return 0;
	sb__clear(sb);
	sb__puts(sb, text);
	for (int i = 0; i < 3; i++)
		if (!sb->err && text__has_suffix(sb__str(sb), endings[i])) {
			sb->len -= strlen(endings[i]);
			sb->buf[sb->len] = '\0';
		}
	if (sb->len)
		sb__puts(sb, extra);
	return pool__add(reader->pool, sb__str(sb));
}

static void describe_both(struct event_reader *reader, const char *const *json,
			  struct json_event *event)
{
	const char *brief = json[F_BRIEF], *precise = json[F_PEBS];
	struct sb *extra = &reader->extra;

	sb__clear(extra);
	if (json[F_DATA_LA])
		sb__printf(extra, "  Supports address when precise%s", json[F_ERRATA] ? "." : "");
	if (json[F_ERRATA])
		sb__printf(extra, "  Spec update: %s", json[F_ERRATA]);
	if (precise && *precise && brief && *brief && !strstr(brief, "(Precise Event)"))
		sb__puts(extra, strcmp(precise, "2") ? " (Precise event)" : " (Must be precise)");
	event->text[TEXT_DESC] = describe(reader, brief, sb__str(extra));
	event->text[TEXT_LONG_DESC] = describe(reader, json[F_PUBLIC], sb__str(extra));
}

static void warn(const struct event_reader *reader, bool word, const char *field,
		 const char *value)
{
	struct sb sb = SB_INIT;

	if (!reader->warn)
		return;
	if (word)
		sb__printf(&sb, "%s: '%s' is not known", field, value);
	else
		sb__printf(&sb, "unknown field '%s'", field);
	reader->warn(reader->arg, word, sb__str(&sb));
	sb__free(&sb);
}

/* A word of MetricConstraint or AggregationMode which nobody knows. */
static int unknown_word(const struct event_reader *reader, enum field f, const char *value,
			struct json_event *event, struct err *err)
{
	if (!reader->tolerant)
		return err__set(err, EINVAL, "%s: '%s' is not known", fields[f], value);
	/* Without a group, events fit however few counters there are. */
	if (f == F_CONSTRAINT)
		event->flag[FLAG_CONSTRAINT] = 1;
	warn(reader, true, fields[f], value);
	return 0;
}

static int read_flags(const struct event_reader *reader, const char *const *json,
		      struct json_event *event, struct err *err)
{
	static const struct {
		enum field field;
		enum event_flag flag;
	} bools[] = {
		{ F_PER_PKG, FLAG_PER_PKG },
		{ F_DEPRECATED, FLAG_DEPRECATED },
		{ F_TAKEN_ALONE, FLAG_TAKEN_ALONE },
	};

	for (size_t i = 0; i < sizeof(bools) / sizeof(*bools); i++) {
		const char *value = json[bools[i].field];

		event->flag[bools[i].flag] = value && *value && strcmp(value, "0");
	}
	for (int i = 0; flag_words[i].word; i++) {
		const char *value = json[flag_words[i].field];

		if (value && !strcmp(value, flag_words[i].word))
			event->flag[flag_words[i].flag] = flag_words[i].value;
	}
	for (int i = 0; i < 2; i++) {
		enum field f = i ? F_AGGREGATION : F_CONSTRAINT;
		int rc = 0;

		if (json[f] && *json[f] && !event->flag[i ? FLAG_AGGREGATION : FLAG_CONSTRAINT])
			rc = unknown_word(reader, f, json[f], event, err);
		if (rc)
			return rc;
	}
	return 0;
}

static int read_latencies(const char *const *json, struct json_event *event, struct err *err)
{
	static const enum field from[NR_LATENCIES] = {
		[LATENCY_MIN] = F_RETIRE_MIN,
		[LATENCY_MEAN] = F_RETIRE_MEAN,
		[LATENCY_MAX] = F_RETIRE_MAX,
	};

	for (int i = 0; i < NR_LATENCIES; i++) {
		int f = from[i], rc;

		if (!json[f] || !*json[f])
			continue;
		rc = num__parse_double(fields[f], json[f], &event->latency[i], err);
		if (rc)
			return rc;
	}
	return 0;
}

static int read_expr(struct event_reader *reader, const char *text, struct json_event *event,
		     struct err *err)
{
	struct sb *printed = &reader->scratch;
	int root = json_expr__parse(&reader->expr, "MetricExpr", text, err);

	if (root >= 0)
		root = json_expr__simplify(&reader->expr, root);
	if (root < 0)
		return root;
	sb__clear(printed);
	json_expr__print(&reader->expr, root, printed);
	event->text[TEXT_EXPR] = pool__add(reader->pool, sb__str(printed));
	return 0;
}

/* "6.103515625e-5MiB" */
static int check_scale(const char *text, struct err *err)
{
	double scale;

	if (!text || !*text)
		return 0;
	if (!num__scan_double(text, &scale))
		return err__set(err, EINVAL, "ScaleUnit: '%s' does not begin with a number", text);
	if (isinf(scale))
		return err__set(err, EINVAL, "ScaleUnit: '%s' is too large", text);
	return 0;
}

static void read_texts(struct event_reader *reader, const char *const *json,
		       struct json_event *event)
{
	struct sb *sb = &reader->scratch;

	for (int i = 0; i < nr_text_fields; i++)
		event->text[text_fields[i].text] = pool__add(reader->pool,
							     json[text_fields[i].field]);
	if (json[F_EVENT_NAME]) {
		sb__clear(sb);
		sb__puts(sb, json[F_EVENT_NAME]);
		if (!sb->err)
			text__lower(sb->buf);
		event->text[TEXT_NAME] = pool__add(reader->pool, sb__str(sb));
	}
	sb__clear(sb);
	json_event__unit_to_pmu(json[F_UNIT], sb);
	event->text[TEXT_PMU] = pool__add(reader->pool, sb__str(sb));
}

/* Fields that the element does not have come from the standard event which it names. */
static int take_std(struct event_reader *reader, const char *std, struct json_event *event,
		    struct err *err)
{
	const struct json_event *from;
	char *key = strdup(std);
	int i;

	if (!key)
		return -ENOMEM;
	i = strmap__get(reader->std, text__lower(key));
	free(key);
	if (i < 0)
		return err__set(err, EINVAL,
				"ArchStdEvent: '%s' is in no file of the architecture's folder",
				std);
	from = &reader->std_events.at[i];
	/* The encoding is always the standard one. */
	event->text[TEXT_TERMS] = from->text[TEXT_TERMS];
	for (int t = 0; t < NR_TEXTS; t++)
		if (!event->text[t])
			event->text[t] = from->text[t];
	for (int f = 0; f < NR_FLAGS; f++)
		if (!event->flag[f])
			event->flag[f] = from->flag[f];
	return 0;
}

static bool is_number(struct json_object *value)
{
	return json_object_is_type(value, json_type_int) ||
	       json_object_is_type(value, json_type_double);
}

/* Newer files have these as numbers. */
static bool is_latency(enum field f)
{
	return f == F_RETIRE_MIN || f == F_RETIRE_MEAN || f == F_RETIRE_MAX;
}

static int collect(struct event_reader *reader, struct json_object *json, const char **values,
		   struct err *err)
{
	if (!json_object_is_type(json, json_type_object))
		return err__set(err, EINVAL, "expected an object");
	json_object_object_foreach(json, key, value) {
		bool is_string = json_object_is_type(value, json_type_string);
		int f = strmap__get(reader->fields, key);

		if (f < 0)
			warn(reader, false, key, NULL);
		if (f < 0 || f == NR_FIELDS)
			continue;
		if (!is_string && !(is_latency(f) && is_number(value)))
			return err__set(err, EINVAL, "%s: expected a string", key);
		values[f] = json_object_get_string(value);
		if (is_string && memchr(values[f], 0, json_object_get_string_len(value)))
			return err__set(err, EINVAL, "%s: NUL byte", key);
	}
	return 0;
}

static int read_fields(struct event_reader *reader, const char *const *values,
		       struct json_event *event, struct err *err)
{
	int rc = check_scale(values[F_SCALE_UNIT], err);

	if (rc)
		return rc;
	read_texts(reader, values, event);
	rc = read_flags(reader, values, event, err);
	if (!rc)
		rc = read_latencies(values, event, err);
	if (!rc && values[F_EXPR])
		rc = read_expr(reader, values[F_EXPR], event, err);
	if (rc)
		return rc;
	describe_both(reader, values, event);
	if (event->text[TEXT_NAME] || values[F_ARCH_STD] || event->text[TEXT_METRIC]) {
		rc = encode(values, pool__str(reader->pool, event->text[TEXT_NAME]),
			    &reader->scratch, err);
		event->text[TEXT_TERMS] = pool__add(reader->pool, sb__str(&reader->scratch));
	}
	if (!rc && values[F_ARCH_STD])
		rc = take_std(reader, values[F_ARCH_STD], event, err);
	return rc;
}

int json_event__read(struct event_reader *reader, struct json_object *json, const char *topic,
		     struct json_event *event, struct err *err)
{
	const char *values[NR_FIELDS] = { NULL };
	int rc = collect(reader, json, values, err);

	if (rc)
		return rc;
	*event = (struct json_event){ .text[TEXT_TOPIC] = pool__add(reader->pool, topic) };
	rc = read_fields(reader, values, event, err);
	if (!rc && (reader->scratch.err || reader->extra.err || reader->pool->err))
		rc = -ENOMEM;
	return rc;
}

int event_reader__add_std(struct event_reader *reader, const struct json_event *event)
{
	static const enum event_text names[] = { TEXT_NAME, TEXT_METRIC };

	if (vec__push(&reader->std_events, *event))
		return -ENOMEM;
	for (int i = 0; i < 2; i++) {
		char *key;
		int rc;

		if (!event->text[names[i]])
			continue;
		key = strdup(pool__str(reader->pool, event->text[names[i]]));
		if (!key)
			return -ENOMEM;
		rc = strmap__put(reader->std, text__lower(key), reader->std_events.nr - 1);
		free(key);
		if (rc)
			return rc;
	}
	return 0;
}
