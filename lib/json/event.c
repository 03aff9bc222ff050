// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/num.h"
#include "base/strmap.h"
#include "base/text.h"
#include "json/arm_tree.h"
#include "json/event_fields.h"
#include "json/perfmon.h"
#include "json/tree.h"

const struct json_field json_fields[NR_FIELDS] = {
#define FIELD(id, json, ...) [F_##id] = { .name = json, __VA_ARGS__ },
	FIELDS(FIELD)
#undef FIELD
};

/* Fields that vendors write, but that the tables do not need. */
static const char *const unused[] = {
	"BitFieldName",
	"CollectPEBSRecord",
	"CounterType",
	"CountersNumFixed",
	"CountersNumGeneric",
	"ELLC",
	"Experimental",
	"Function",
	"L1_Hit_Indication",
	"MSRMask",
	"Offcore",
	"PDIR_COUNTER",
	"PDISTCounter",
	"Speculative",
};

void event_reader__init(struct event_reader *reader)
{
	*reader = (struct event_reader){
		.std = strmap__new(), .fields = strmap__new(), .expr = JSON_EXPR_INIT
	};
	for (int i = 0; i < NR_FIELDS; i++)
		strmap__put(reader->fields, json_fields[i].name, i);
	for (int i = 0; i < array__nr(unused); i++)
		strmap__put(reader->fields, unused[i], NR_FIELDS);
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

static const char *lowered(struct sb *sb, const char *text)
{
	sb__clear(sb);
	sb__puts(sb, text);
	return text__lower(sb->buf);
}

/* Store a description without the full stop and blanks at its end, followed by @extra. */
static uint32_t json_event__describe(struct tree *tree, const char *text, const char *extra)
{
	static const char *const endings[] = { ".  ", ". ", "." };
	struct sb *sb = &tree->reader.scratch;

	if (!text)
		return 0;
	sb__clear(sb);
	sb__puts(sb, text);
	for (int i = 0; i < 3; i++)
		if (text__has_suffix(sb->buf, endings[i])) {
			sb->len -= strlen(endings[i]);
			sb->buf[sb->len] = '\0';
		}
	if (sb->len)
		sb__puts(sb, extra);
	return pool__add(&tree->pool, sb__str(sb));
}

static void describe_both(struct tree *tree, const char *const *json, struct json_event *event)
{
	const char *brief = json[F_BRIEF], *precise = json[F_PEBS];
	struct sb *extra = &tree->reader.extra;

	sb__clear(extra);
	if (json[F_DATA_LA])
		sb__printf(extra, "  Supports address when precise%s", json[F_ERRATA] ? "." : "");
	if (json[F_ERRATA])
		sb__printf(extra, "  Spec update: %s", json[F_ERRATA]);
	if (precise && *precise && brief && *brief && !strstr(brief, "(Precise Event)"))
		sb__puts(extra, strcmp(precise, "2") ? " (Precise event)" : " (Must be precise)");
	event->text[TEXT_DESC] = json_event__describe(tree, brief, sb__str(extra));
	event->text[TEXT_LONG_DESC] = json_event__describe(tree, json[F_PUBLIC], sb__str(extra));
}

/* Words of MetricConstraint and AggregationMode. */
static const struct flag_word {
	enum field field;
	const char *word;
	uint8_t value;
} words[] = {
	{ F_CONSTRAINT, "NO_GROUP_EVENTS", 1 },
	{ F_CONSTRAINT, "NO_GROUP_EVENTS_NMI", 2 },
	{ F_CONSTRAINT, "NO_NMI_WATCHDOG", 2 },
	{ F_CONSTRAINT, "NO_GROUP_EVENTS_SMT", 3 },
	{ F_CONSTRAINT, "NO_THRESHOLD_AND_NMI", 4 },
	{ F_AGGREGATION, "PerChip", 1 },
	{ F_AGGREGATION, "PerCore", 2 },
};

static int read_word(struct tree *tree, enum field f, const char *value,
		     uint8_t *flag, struct err *err)
{
	const struct flag_word *known;

	if (!value || !*value)
		return 0;
	known = array__find(words, word, value);
	if (known && known->field == f) {
		*flag = known->value;
		return 0;
	}
	if (!tree->opts->tolerant)
		return err__set(err, EINVAL, "%s: '%s' is not known", json_fields[f].name, value);
	/* Events that are not in a group fit into any number of counters. */
	*flag = f == F_CONSTRAINT;
	tree__report(tree, TREE_WARNING, tree->reading, tree->reading_line,
		     "%s: '%s' is not known", json_fields[f].name, value);
	return 0;
}

static bool is_set(const char *value)
{
	return value && *value && strcmp(value, "0");
}

static int read_flags(struct tree *tree, const char *const *json,
		      struct json_event *event, struct err *err)
{
	uint8_t *flag = event->flag;
	int rc = read_word(tree, F_CONSTRAINT, json[F_CONSTRAINT], &flag[FLAG_CONSTRAINT], err);

	flag[FLAG_PER_PKG] = is_set(json[F_PER_PKG]);
	flag[FLAG_DEPRECATED] = is_set(json[F_DEPRECATED]);
	flag[FLAG_TAKEN_ALONE] = is_set(json[F_TAKEN_ALONE]);
	return rc ? rc : read_word(tree, F_AGGREGATION, json[F_AGGREGATION],
				   &flag[FLAG_AGGREGATION], err);
}

static int read_latencies(const char *const *json, struct json_event *event, struct err *err)
{
	int rc = 0;

	for (int f = F_RETIRE_MIN; !rc && f <= F_RETIRE_MAX; f++)
		if (json[f] && *json[f])
			rc = num__parse_double(json_fields[f].name, json[f],
					       &event->latency[f - F_RETIRE_MIN], err);
	return rc;
}

static int read_expr(struct tree *tree, const char *text, struct json_event *event, struct err *err)
{
	struct sb *printed = &tree->reader.scratch;
	int root = json_expr__parse(&tree->reader.expr, "MetricExpr", text, err);

	if (root < 0)
		return root;
	root = json_expr__simplify(&tree->reader.expr, root);
	sb__clear(printed);
	json_expr__print(&tree->reader.expr, root, printed);
	event->text[TEXT_EXPR] = pool__add(&tree->pool, sb__str(printed));
	return 0;
}

/* Check that a ScaleUnit begins with a number, as "6.103515625e-5MiB" does. */
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

static void read_texts(struct tree *tree, const char *const *json, struct json_event *event)
{
	struct sb *sb = &tree->reader.scratch;

	for (int f = NR_TERM_FIELDS; f < END_OF_TEXT_FIELDS; f++)
		event->text[json_fields[f].text] = pool__add(&tree->pool, json[f]);
	if (json[F_METRIC])
		event->text[TEXT_GROUPS] = pool__add(
			&tree->pool, arm_tree__groups(json[F_METRIC], json[F_GROUPS], sb));
	if (json[F_EVENT_NAME])
		event->text[TEXT_NAME] = pool__add(&tree->pool, lowered(sb, json[F_EVENT_NAME]));
	sb__clear(sb);
	json_event__unit_to_pmu(json[F_UNIT], sb);
	event->text[TEXT_PMU] = pool__add(&tree->pool, sb__str(sb));
}

/* Fill the fields that an element lacks from the standard event that it names. */
static int take_std(struct tree *tree, const char *std, struct json_event *event, struct err *err)
{
	const struct json_event *from;
	int i = strmap__get(tree->reader.std, lowered(&tree->reader.scratch, std));

	if (i < 0) {
		tree__find_std(tree, std);
		i = strmap__get(tree->reader.std, lowered(&tree->reader.scratch, std));
	}
	if (i < 0)
		return err__set(err, EINVAL,
				"ArchStdEvent: '%s' is in no file of the architecture's folder",
				std);
	from = &tree->reader.std_events.at[i];
	/* The encoding is always that of the standard event. */
	event->text[TEXT_TERMS] = from->text[TEXT_TERMS];
	for (int t = 0; t < NR_TEXTS; t++)
		if (!event->text[t])
			event->text[t] = from->text[t];
	for (int f = 0; f < NR_FLAGS; f++)
		if (!event->flag[f])
			event->flag[f] = from->flag[f];
	return 0;
}

/* Newer files have latencies as numbers; all other values are strings. */
static bool may_be_number(enum field f)
{
	return f >= F_RETIRE_MIN && f <= F_RETIRE_MAX;
}

static int json_event__collect(struct tree *tree, struct json_object *json, const char **values,
			       struct err *err)
{
	if (!json_object_is_type(json, json_type_object))
		return err__set(err, EINVAL, "expected an object");
	json_object_object_foreach(json, key, value) {
		bool is_string = json_object_is_type(value, json_type_string);
		int f = strmap__get(tree->reader.fields, key);

		if (f < 0)
			tree__report(tree, TREE_NOTE, tree->reading, tree->reading_line,
				     "unknown field '%s'", key);
		if (f < 0 || f == NR_FIELDS)
			continue;
		if (!is_string && !(may_be_number(f) && perfmon__is_number(value)))
			return err__set(err, EINVAL, "%s: expected a string", key);
		values[f] = json_object_get_string(value);
		if (is_string && memchr(values[f], 0, json_object_get_string_len(value)))
			return err__set(err, EINVAL, "%s: NUL byte", key);
	}
	return 0;
}

static int read_fields(struct tree *tree, const char *const *values,
		       struct json_event *event, struct err *err)
{
	int rc = check_scale(values[F_SCALE_UNIT], err);

	if (rc)
		return rc;
	read_texts(tree, values, event);
	rc = read_flags(tree, values, event, err) ?: read_latencies(values, event, err);
	if (!rc && values[F_EXPR])
		rc = read_expr(tree, values[F_EXPR], event, err);
	if (rc)
		return rc;
	describe_both(tree, values, event);
	if (event->text[TEXT_NAME] || values[F_ARCH_STD] || event->text[TEXT_METRIC]) {
		rc = json_event__encode(values, pool__str(&tree->pool, event->text[TEXT_NAME]),
					&tree->reader.scratch, err);
		event->text[TEXT_TERMS] = pool__add(&tree->pool, sb__str(&tree->reader.scratch));
	}
	if (!rc && values[F_ARCH_STD])
		rc = take_std(tree, values[F_ARCH_STD], event, err);
	return rc;
}

int json_event__read(struct tree *tree, struct json_object *json, const char *topic,
		     struct json_event *event, struct err *err)
{
	const char *values[NR_FIELDS] = { NULL };
	int rc = json_event__collect(tree, json, values, err);

	if (rc)
		return rc;
	*event = (struct json_event){ .text[TEXT_TOPIC] = pool__add(&tree->pool, topic) };
	return read_fields(tree, values, event, err);
}

void tree__add_std(struct tree *tree, const struct json_event *event)
{
	const uint32_t names[] = { event->text[TEXT_NAME], event->text[TEXT_METRIC] };
	struct event_reader *reader = &tree->reader;

	vec__push(&reader->std_events, *event);
	for (int i = 0; i < 2; i++)
		if (names[i])
			strmap__put(reader->std,
				    lowered(&reader->scratch, pool__str(&tree->pool, names[i])),
				    reader->std_events.nr - 1);
}
