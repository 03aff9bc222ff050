// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/err.h"
#include "base/num.h"
#include "base/strmap.h"
#include "base/text.h"
#include "json/event.h"
#include "json/perfmon.h"
#include "json/tree.h"

/* The tables need these fields of an element; each has a name here and one in the JSON. */
#define FIELDS(X)								\
	/* They become terms of the PMU, in this order. */			\
	X(ANY_THREAD, "AnyThread", .term = "any")				\
	X(PORT_MASK, "PortMask", .term = "ch_mask")				\
	X(COUNTER_MASK, "CounterMask", .term = "cmask")				\
	X(EDGE, "EdgeDetect", .term = "edge")					\
	X(FC_MASK, "FCMask", .term = "fc_mask")					\
	X(INVERT, "Invert", .term = "inv")					\
	X(SAMPLE_AFTER, "SampleAfterValue", .term = "period")			\
	X(UMASK, "UMask", .term = "umask")					\
	X(NODE_TYPE, "NodeType", .term = "type")				\
	X(RD_WR_MASK, "RdWrMask", .term = "rdwrmask")				\
	X(EN_ALL_CORES, "EnAllCores", .term = "enallcores")			\
	X(EN_ALL_SLICES, "EnAllSlices", .term = "enallslices")			\
	X(SLICE_ID, "SliceId", .term = "sliceid")				\
	X(THREAD_MASK, "ThreadMask", .term = "threadmask")			\
	/* They become texts as they are, which are stored in this order. */	\
	X(METRIC, "MetricName", .text = TEXT_METRIC)				\
	X(COMPAT, "Compat", .text = TEXT_COMPAT)				\
	X(SCALE_UNIT, "ScaleUnit", .text = TEXT_SCALE_UNIT)			\
	X(COUNTER, "Counter", .text = TEXT_COUNTER)				\
	X(THRESHOLD, "MetricThreshold", .text = TEXT_THRESHOLD)			\
	X(GROUPS, "MetricGroup", .text = TEXT_GROUPS)				\
	X(NO_GROUP, "MetricgroupNoGroup", .text = TEXT_NO_GROUP)		\
	X(DEFAULT_GROUP, "DefaultMetricgroupName", .text = TEXT_DEFAULT_GROUP)	\
	/* They are looked at one by one. */					\
	X(AGGREGATION, "AggregationMode")					\
	X(ARCH_STD, "ArchStdEvent")						\
	X(BRIEF, "BriefDescription")						\
	X(CONFIG_CODE, "ConfigCode")						\
	X(DATA_LA, "Data_LA")							\
	X(DEPRECATED, "Deprecated")						\
	X(ERRATA, "Errata")							\
	X(EVENT_CODE, "EventCode")						\
	X(EVENT_NAME, "EventName")						\
	X(EVENTID_CODE, "EventidCode")						\
	X(EXT_SEL, "ExtSel")							\
	X(FILTER, "Filter")							\
	X(CONSTRAINT, "MetricConstraint")					\
	X(EXPR, "MetricExpr")							\
	X(MSR_INDEX, "MSRIndex")						\
	X(MSR_VALUE, "MSRValue")						\
	X(PEBS, "PEBS")								\
	X(PER_PKG, "PerPkg")							\
	X(PUBLIC, "PublicDescription")						\
	/* They stand in the order of enum event_latency. */			\
	X(RETIRE_MIN, "RetirementLatencyMin")					\
	X(RETIRE_MEAN, "RetirementLatencyMean")					\
	X(RETIRE_MAX, "RetirementLatencyMax")					\
	X(TAKEN_ALONE, "TakenAlone")						\
	X(UNIT, "Unit")

enum field {
#define FIELD_NUMBER(id, ...) F_##id,
	FIELDS(FIELD_NUMBER)
#undef FIELD_NUMBER
	NR_FIELDS,
	NR_TERM_FIELDS = F_METRIC,
	END_OF_TEXT_FIELDS = F_AGGREGATION,
};

/**
 * fields - every field
 * @name: in the JSON
 * @term: of the PMU, for those below NR_TERM_FIELDS
 * @text: which it is, for those from there to END_OF_TEXT_FIELDS
 */
static const struct {
	const char *name, *term;
	enum event_text text;
} fields[NR_FIELDS] = {
#define FIELD(id, json, ...) [F_##id] = { .name = json, __VA_ARGS__ },
	FIELDS(FIELD)
#undef FIELD
};

/* --- The terms of the PMU ------------------------------------------------------------------- */

#define FIXED_BIT 32 /* the first bit of a fixed counter in a mask of counters */

/* These units have a PMU that is not called "uncore_" and the unit in lower case. */
static const struct unit_pmu {
	const char *unit, *pmu;
} units[] = {
	{ "CBO", "uncore_cbox" },
	{ "QPI LL", "uncore_qpi" },
	{ "SBO", "uncore_sbox" },
	{ "iMPH-U", "uncore_arb" },
	{ "CPU-M-CF", "cpum_cf" },
	{ "CPU-M-SF", "cpum_sf" },
	{ "PAI-CRYPTO", "pai_crypto" },
	{ "PAI-EXT", "pai_ext" },
	{ "UPI LL", "uncore_upi" },
	{ "hisi_sicl,cpa", "hisi_sicl,cpa" },
	{ "hisi_sccl,ddrc", "hisi_sccl,ddrc" },
	{ "hisi_sccl,hha", "hisi_sccl,hha" },
	{ "hisi_sccl,l3c", "hisi_sccl,l3c" },
	{ "imx8_ddr", "imx8_ddr" },
	{ "imx9_ddr", "imx9_ddr" },
	{ "L3PMC", "amd_l3" },
	{ "DFPMC", "amd_df" },
	{ "UMCPMC", "amd_umc" },
	{ "cpu_core", "cpu_core" },
	{ "cpu_atom", "cpu_atom" },
	{ "cpu_lowpower", "cpu_lowpower" },
	{ "ali_drw", "ali_drw" },
	{ "arm_cmn", "arm_cmn" },
};

/* The registers that MSRIndex names have these terms. */
static const struct {
	uint64_t msr;
	const char *term;
} msrs[] = {
	{ 0x3f6, "ldlat" },
	{ 0x1a6, "offcore_rsp" },
	{ 0x1a7, "offcore_rsp" },
	{ 0x3f7, "frontend" },
	{ 0x3e0, "offmodule_rsp" },
	{ 0x3e1, "offmodule_rsp" },
	{ 0x3e2, "offmodule_rsp" },
	{ 0x3e3, "offmodule_rsp" },
};

/* These events of fixed counters have an encoding that a general counter takes as well. */
static const struct fixed_event {
	const char *name, *terms;
} fixed_events[] = {
	{ "inst_retired.any", "event=0xc0,period=2000003" },
	{ "inst_retired.any_p", "event=0xc0,period=2000003" },
	{ "cpu_clk_unhalted.ref", "event=0x0,umask=0x03,period=2000003" },
	{ "cpu_clk_unhalted.thread", "event=0x3c,period=2000003" },
	{ "cpu_clk_unhalted.core", "event=0x3c,period=2000003" },
	{ "cpu_clk_unhalted.thread_any", "event=0x3c,any=1,period=2000003" },
};

void json_event__unit_to_pmu(const char *unit, struct sb *sb)
{
	const struct unit_pmu *known = unit ? array__find(units, unit, unit) : NULL;
	size_t start = sb->len;

	if (!unit || !*unit) {
		sb__puts(sb, "default_core");
	} else if (known) {
		sb__puts(sb, known->pmu);
	} else {
		sb__puts(sb, "uncore_");
		sb__puts(sb, unit);
		text__lower(sb->buf + start);
	}
}

/* The JSON writes numbers as "0x1f" or in decimal, where leading zeros mean no octal. */
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

/* Read the first number of a list like "0xB7, 0xBB"; an empty or absent list gives 0. */
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

/* Numbers below ten are written in decimal, others in hexadecimal. */
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

		rc = read_number(fields[f].name, json[f], &code, err);
		sb__puts(terms, config ? "config=" : "eventid=");
	} else {
		rc = read_first("EventCode", json[F_EVENT_CODE], &code, err) ?:
		     read_first("ExtSel", json[F_EXT_SEL], &ext, err);
		if (!rc)
			code |= ext << 8;
		sb__puts(terms, "event=");
	}
	if (!rc)
		put_number(terms, code);
	return rc;
}

/* Put a term for each field that is there and not zero: "any=1,cmask=2,period=2000003". */
static int put_terms(const char *const *json, struct sb *terms, struct err *err)
{
	for (int f = 0; f < NR_TERM_FIELDS; f++) {
		uint64_t value;
		int rc;

		if (!json[f])
			continue;
		rc = read_number(fields[f].name, json[f], &value, err);
		if (rc)
			return rc;
		if (!value)
			continue;
		sb__printf(terms, ",%s=", fields[f].term);
		/* A number that is decimal in the JSON stays so. */
		if (strncasecmp(json[f], "0x", 2))
			sb__printf(terms, "%" PRIu64, value);
		else
			put_number(terms, value);
	}
	return 0;
}

/* The value of a model-specific register that qualifies the event has a term of its own. */
static int put_msr(const char *const *json, struct sb *terms, struct err *err)
{
	uint64_t msr;
	int rc = read_first("MSRIndex", json[F_MSR_INDEX], &msr, err);

	if (rc || !msr)
		return rc;
	for (int i = 0; i < array__nr(msrs); i++) {
		if (msrs[i].msr != msr)
			continue;
		/* Without a value the event counts as if the register were not asked for. */
		if (json[F_MSR_VALUE] && *json[F_MSR_VALUE])
			sb__printf(terms, ",%s=%s", msrs[i].term, json[F_MSR_VALUE]);
		return 0;
	}
	return err__set(err, EINVAL, "MSRIndex: no PMU term is known for register %#" PRIx64, msr);
}

/* Put the PMU terms of an event, by its fields in the JSON and its name in lower case. */
static int encode(const char *const *json, const char *name, struct sb *terms, struct err *err)
{
	/*
	 * The JSON's codes of fixed counters are the counters' own, not those of perf_event_open().
	 */
	const struct fixed_event *fixed = array__find(fixed_events, name, name);
	int rc;

	sb__clear(terms);
	if (fixed) {
		sb__puts(terms, fixed->terms);
		return 0;
	}
	rc = put_code(json, terms, err) ?: put_terms(json, terms, err);
	if (rc)
		return rc;
	if (json[F_FILTER] && *json[F_FILTER])
		sb__printf(terms, ",%s", json[F_FILTER]);
	return put_msr(json, terms, err);
}

uint64_t counter__mask(const char *text)
{
	static const char fixed[] = "fixed counter ";
	uint64_t mask = 0, n;
	int len;

	if (!strcasecmp(text, "fixed"))
		return 1ull << FIXED_BIT;
	if (!strncasecmp(text, fixed, strlen(fixed))) {
		text += strlen(fixed);
		len = num__scan_u64(text, 0, &n);
		return len && !text[len] && n < 32 ? 1ull << (FIXED_BIT + n) : 0;
	}
	for (; *text; text += *text == ',') {
		text += strspn(text, " ");
		len = num__scan_u64(text, 0, &n);
		/* Some tables number the fixed counters on: 32 is the first one. */
		if (!len || n >= 64 || (text[len] && text[len] != ','))
			return 0;
		mask |= 1ull << n;
		text += len;
	}
	return mask;
}

/* --- Elements -------------------------------------------------------------------------------- */

/* Vendors write these fields, too, and the tables do not need them. */
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
		strmap__put(reader->fields, fields[i].name, i);
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

/*
 * Store a description without the full stop and blanks at its end, and with what other fields add.
 */
static uint32_t describe(struct tree *tree, const char *text, const char *extra)
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
	event->text[TEXT_DESC] = describe(tree, brief, sb__str(extra));
	event->text[TEXT_LONG_DESC] = describe(tree, json[F_PUBLIC], sb__str(extra));
}

/* MetricConstraint and AggregationMode have these words. */
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
		return err__set(err, EINVAL, "%s: '%s' is not known", fields[f].name, value);
	/* Without a group, events fit however few counters there are. */
	*flag = f == F_CONSTRAINT;
	tree__report(tree, TREE_WARNING, tree->reading, tree->reading_line,
		     "%s: '%s' is not known", fields[f].name, value);
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
			rc = num__parse_double(fields[f].name, json[f],
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

/* A ScaleUnit begins with a number, as "6.103515625e-5MiB" does. */
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
		event->text[fields[f].text] = pool__add(&tree->pool, json[f]);
	if (json[F_EVENT_NAME])
		event->text[TEXT_NAME] = pool__add(&tree->pool, lowered(sb, json[F_EVENT_NAME]));
	sb__clear(sb);
	json_event__unit_to_pmu(json[F_UNIT], sb);
	event->text[TEXT_PMU] = pool__add(&tree->pool, sb__str(sb));
}

/* Fields that the element does not have come from the standard event which it names. */
static int take_std(struct tree *tree, const char *std, struct json_event *event, struct err *err)
{
	const struct json_event *from;
	int i = strmap__get(tree->reader.std, lowered(&tree->reader.scratch, std));

	if (i < 0)
		return err__set(err, EINVAL,
				"ArchStdEvent: '%s' is in no file of the architecture's folder",
				std);
	from = &tree->reader.std_events.at[i];
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

/* Latencies are numbers in newer files; all else is text. */
static bool may_be_number(enum field f)
{
	return f >= F_RETIRE_MIN && f <= F_RETIRE_MAX;
}

static int collect(struct tree *tree, struct json_object *json, const char **values,
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
		rc = encode(values, pool__str(&tree->pool, event->text[TEXT_NAME]),
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
	int rc = collect(tree, json, values, err);

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
