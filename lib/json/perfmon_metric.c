// SPDX-License-Identifier: GPL-2.0-only
/* Convert one metric of Intel's form to the kernel's. */
#include <ctype.h>
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "json/perfmon.h"

/* Find the metric that a threshold names. The name has the form in which Intel's tool prints it. */
static struct json_object *find_metric_called(const struct perfmon *p, const char *legacy)
{
	int i = strmap__get(p->legacy, legacy);

	return i < 0 ? NULL : p->metrics.at[i].json;
}

/*
 * If no metric has a name like "metric_TMA_..Fetch_Latency(%)", make a metric's name from its
 * parts.
 */
static void put_bare_name(const char *name, size_t len, struct sb *sb)
{
	for (size_t i = text__has_prefix(name, "metric_") ? 7 : 0; i < len && name[i] != '('; i++)
		if (name[i] != '.' ||
		    (i && i + 1 < len && name[i + 1] != '.' && name[i - 1] != '.'))
			sb__putc(sb, name[i] == ' ' ? '_' : tolower((unsigned char)name[i]));
}

/* Measure a name in a threshold, including a "(%)" at its end; 0 for other texts. */
static size_t threshold_name(const char *at)
{
	size_t len = isalpha((unsigned char)*at) ? strspn(at, NAME_CHARS) : 0;

	return len && !strncmp(at + len, "(%)", 3) ? len + 3 : len;
}

static void put_threshold_name(struct making *m, const char *at, size_t len, struct sb *sb,
			       bool *percent)
{
	size_t nr;
	struct json_object *list = perfmon__array(perfmon__object(m->json, "Threshold"),
						  "ThresholdMetrics", &nr);
	struct json_object *metric;
	char name[WORD_MAX];

	snprintf(name, sizeof(name), "%.*s", (int)len, at);
	/* A letter is an alias; the metric lists the name that it replaces. */
	for (size_t i = 0; i < nr; i++) {
		struct json_object *entry = json_object_array_get_idx(list, i);

		if (!strcmp(perfmon__text(entry, "Alias"), name)) {
			snprintf(name, sizeof(name), "%s", perfmon__text(entry, "Value"));
			break;
		}
	}
	metric = find_metric_called(m->p, name);
	*percent = metric ? perfmon__is_percent(metric) : text__has_suffix(name, "(%)");
	if (metric)
		perfmon__put_name(metric, sb);
	else
		put_bare_name(name, strlen(name), sb);
}

/* Make the text of MetricThreshold; "" for a metric without a threshold. */
static void make_threshold(struct making *m, struct sb *sb)
{
	struct json_object *threshold = perfmon__object(m->json, "Threshold");
	bool percent = false, listed;
	const char *at;
	double number;

	if (!threshold)
		return;
	/* Without a list of metrics, the threshold's numbers are fractions, as in perf. */
	listed = json_object_object_get_ex(threshold, "ThresholdMetrics", NULL);
	at = perfmon__text(threshold, "Formula");
	while (*(at += strspn(at, " "))) {
		size_t len = threshold_name(at);
		int digits = len ? 0 : num__scan_double(at, &number);

		if (sb->len && *at != ')' && sb->buf[sb->len - 1] != '(')
			sb__putc(sb, ' ');
		if (len) {
			put_threshold_name(m, at, len, sb, &percent);
		} else if (digits > 0) {
			len = digits;
			sb__printf(sb, "%.10g", percent && listed ? number / 100 : number);
		} else if (perfmon__or_equal(at)) {
			len = perfmon__or_equal(at);
			sb__printf(sb, "%c=", *at);
		} else {
			len = 1;
			sb__putc(sb, *at);
			if (*at == '&' || *at == '|') {
				percent = false;
				len += at[1] == *at;
			}
		}
		at += len;
	}
	/* A comparison that lacks a side is reported later, when thresholds are checked. */
	perfmon__rewrite_or_equal(sb, true, NULL);
}

static void perfmon_metric__add_group(struct sb *groups, const char *fmt, const char *name,
				      size_t len)
{
	if (!len)
		return;
	sb__puts(groups, groups->len ? ";" : "");
	sb__printf(groups, fmt, (int)len, name);
}

/* Add the items of a list that begin with @mark, without the mark. */
static void perfmon_metric__add_groups(struct sb *groups, const char *fmt, const char *list,
				       const char *mark)
{
	int len, skipped;

	text__for_each_item(item, len, list, ";,") {
		skipped = strspn(item, " ");
		if (!text__has_prefix(item + skipped, mark))
			continue;
		skipped += strlen(mark);
		perfmon_metric__add_group(groups, fmt, item + skipped, len - skipped);
	}
}

/* Make groups for the level in the TMA tree, and for the children of the metric's parent. */
static void make_groups(struct making *m, struct sb *groups)
{
	struct json_object *threshold = perfmon__object(m->json, "Threshold"), *level;
	const char *name = perfmon__text(m->json, "MetricName");
	const char *parent = perfmon__text(m->json, "ParentCategory");
	bool info = text__has_prefix(name, "Info_");
	char text[64];
	int depth = 0;

	perfmon_metric__add_groups(groups, "%.*s", perfmon__text(m->json, "MetricGroup"), "");
	if (json_object_object_get_ex(m->json, "Level", &level))
		depth = json_object_get_int(level);
	if (perfmon__is_tma(m->json) && depth &&
	    (!info || text__has_item(sb__str(groups), ";", "TmaL1")) &&
	    !text__has_prefix(name, "Bottleneck_")) {
		/* An Info metric has a level, but is not in the tree. */
		snprintf(text, sizeof(text), "TopdownL%d", depth);
		perfmon_metric__add_group(groups, "%.*s", text, info ? 0 : strlen(text));
		snprintf(text, sizeof(text), "tma_L%d_group", depth);
		perfmon_metric__add_group(groups, "%.*s", text, strlen(text));
		snprintf(text, sizeof(text), "%.*s", 48, parent);
		for (char *c = text__lower(text); *c; c++)
			*c = *c == ' ' ? '_' : *c;
		perfmon_metric__add_group(groups, "tma_%.*s_group", text, strlen(text));
		if (depth <= m->p->default_level && !info)
			sb__puts(groups, ";Default");
	}
	/* "$issueBW" is a group; "~overlap", a mark of metrics whose shares overlap, is not. */
	if (threshold)
		perfmon_metric__add_groups(groups, "tma_%.*s",
					   perfmon__text(threshold, "ThresholdIssues"), "$");
}

/* Choose the ScaleUnit of a metric, or NULL. */
static const char *scale_unit(struct json_object *json)
{
	static const struct measure {
		const char *measure, *unit;
	} units[] = {
		{ "per instruction", "1per_instr" },
		{ "per second", "1per_sec" },
		{ "percent", "1%" },
		{ "ns", "1ns" },
		{ "GHz", "1GHz" },
		{ "MB/sec", "1MB/s" },
		{ "GT/sec", "1GT/s" },
		{ "Watts", "1Watts" },
	};

	const struct measure *known = array__find(units, measure,
						  perfmon__text(json, "UnitOfMeasure"));

	if (perfmon__is_percent(json))
		return "100%";
	return known ? known->unit : NULL;
}

/* Measure the first sentence; the full stops of "i.e." do not end a sentence. */
static size_t first_sentence(const char *text)
{
	const char *end = text;

	while ((end = strstr(end, ". "))) {
		if (end - text < 3 || strncmp(end - 3, "i.e", 3))
			return end - text;
		end++;
	}
	return text__has_suffix(text, ".") ? strlen(text) - 1 : strlen(text);
}

/* Set a field, unless its text is empty. */
static void set_text(struct json_object *json, const char *key, const char *text)
{
	if (text && *text)
		perfmon__set(json, key, text);
}

static void set_sb(struct json_object *json, const char *key, struct sb *sb)
{
	set_text(json, key, sb__str(sb));
	sb__free(sb);
}

/* Describe a metric in one sentence, and in a longer text with the event to sample. */
static void set_descriptions(struct json_object *json, struct json_object *out)
{
	const char *text = perfmon__text(json, "BriefDescription");
	const char *locate = perfmon__text(json, "LocateWith");
	struct sb brief = SB_INIT, full = SB_INIT;
	size_t len = first_sentence(text);

	sb__add(&brief, text, len);
	if (*locate && strcmp(locate, "#NA")) {
		sb__printf(&full, "%s%s Sample with: ", text,
			   text__has_suffix(text, ".") ? "" : ".");
		for (; *locate; locate++)
			sb__puts(&full, *locate == ';' ? ", " : (char[]){ *locate, '\0' });
	} else if (len + 1 < strlen(text)) {
		sb__puts(&full, text);
	}
	set_sb(out, "BriefDescription", &brief);
	set_sb(out, "PublicDescription", &full);
}

/*
 * A level's events do not fit into one group. Default metrics are shown under their level's name.
 */
static void set_no_group(struct json_object *out, const char *groups)
{
	static const char *const levels[] = { "TopdownL1", "TopdownL2" };
	bool def = text__has_item(groups, ";", "Default");
	char text[32];

	for (int i = 0; i < 2; i++) {
		if (!text__has_item(groups, ";", levels[i]))
			continue;
		snprintf(text, sizeof(text), "%s%s", levels[i], def ? ";Default" : "");
		if (def)
			perfmon__set(out, "DefaultMetricgroupName", levels[i]);
		perfmon__set(out, "MetricgroupNoGroup", text);
		break;
	}
}

static int perfmon_metric__fill(struct making *m, struct json_object *out)
{
	struct sb name = SB_INIT, threshold = SB_INIT, groups = SB_INIT;
	int rc = making__expr(m);

	if (rc)
		return rc;
	if (!*perfmon__text(m->json, "MetricName"))
		return err__set(m->err, EINVAL, "it has no MetricName");
	perfmon__put_name(m->json, &name);
	make_threshold(m, &threshold);
	make_groups(m, &groups);
	set_no_group(out, sb__str(&groups));
	perfmon__set(out, "MetricExpr", sb__str(&m->out));
	set_text(out, "ScaleUnit", scale_unit(m->json));
	set_text(out, "Unit", m->p->file->unit);
	set_descriptions(m->json, out);
	set_sb(out, "MetricName", &name);
	set_sb(out, "MetricThreshold", &threshold);
	set_sb(out, "MetricGroup", &groups);
	return 0;
}

int perfmon__convert_metric(const struct perfmon *p, struct json_object *json,
			    struct json_object **out, struct err *err)
{
	struct making m = { .p = p, .json = json, .out = SB_INIT, .err = err };
	int rc;

	*out = json_object_new_object();
	rc = perfmon_metric__fill(&m, *out);
	sb__free(&m.out);
	if (rc) {
		json_object_put(*out);
		*out = NULL;
	}
	return rc;
}
