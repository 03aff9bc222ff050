// SPDX-License-Identifier: GPL-2.0-only
/* The answer of "tma compare" for programs. */
#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "base/json.h"
#include "base/sb.h"
#include "base/text.h"
#include "compare/compare.h"

static const char *json_word(const struct compared *row, int side)
{
	static const char *const words[] = {
		[CHANGE_UNKNOWN] = "not-known",	  [CHANGE_MORE] = "more",
		[CHANGE_LESS] = "less",		  [CHANGE_NONE] = "none",
		[CHANGE_UNDECIDED] = "undecided",
		[CHANGE_PROBABLY_MORE] = "probably-more",
		[CHANGE_PROBABLY_LESS] = "probably-less",
	};
	enum site_presence presence = compared__find_presence(row, side);

	if (presence != SITE_ON_BOTH)
		return presence == SITE_APPEARED ? "appeared" : "gone";
	return words[row->with[side].change];
}

/* Put the members that a difference has, be it of the whole or of a site. */
static void put_json_difference(struct json *j, const struct compared *row, int side)
{
	const struct difference *d = &row->with[side];
	double half, ratio = difference__ratio(d, &half);

	json__double(j, "first", d->a);
	json__double(j, "value", d->b);
	json__double(j, "difference", d->by);
	json__double(j, "error", d->half);
	json__double(j, "times", ratio);
	json__double(j, "times_error", half);
	json__double(j, "probability", d->p);
	json__text(j, "change", json_word(row, side));
	json__int(j, "runs", d->runs);
	json__int(j, "runs_needed", d->needed);
}

static void put_json_row(struct json *j, const struct compared *row, int side)
{
	static const char *const kinds[] = {
		[COMPARED_TIME] = "time",
		[COMPARED_COUNT] = "count",
		[COMPARED_METRIC] = "metric",
		[COMPARED_NODE] = "node",
	};

	json__open(j, NULL, '{');
	json__text(j, "name", row->name);
	json__text(j, "kind", kinds[row->kind]);
	json__text(j, "unit", row->unit);
	json__text(j, "pmu", row->core_name ?: "");
	json__text(j, "cgroup", row->cgroup ?: "");
	json__int(j, "level", row->level);
	put_json_difference(j, row, side);
	json__close(j, '}');
}

/* --- Functions and files ------------------------------------------------------------------- */

static void put_json_nodes(struct json *j, const struct comparison *c, int site, int side)
{
	json__open(j, "nodes", '[');
	for (int i = site + 1; i < c->nr && c->at[i].kind != COMPARED_SITE; i++) {
		const struct compared *row = &c->at[i];

		if (row->kind != COMPARED_SITE_NODE)
			continue;
		json__open(j, NULL, '{');
		json__text(j, "name", row->name);
		json__text(j, "unit", row->unit);
		json__text(j, "pmu", row->core_name ?: "");
		json__int(j, "level", row->level);
		put_json_difference(j, row, side);
		json__close(j, '}');
	}
	json__close(j, ']');
}

static void put_json_runs(struct json *j, const char *key, const struct series *s)
{
	json__open(j, key, '[');
	for (int i = 0; i < s->nr; i++)
		json__double(j, NULL, s->at[i]);
	json__close(j, ']');
}

static void put_json_site(struct json *j, const struct compare_answer *a,
			  const struct compared *row, int side)
{
	const struct comparison *c = &a->comparison;
	int index = row - c->at;

	json__open(j, NULL, '{');
	json__text(j, "name", row->name);
	json__text(j, "object", row->object ?: "");
	json__text(j, "stands_for",
		   index == c->all_sites ? "all"
		   : index == c->others	 ? "others"
					 : c->sites.kind);
	json__text(j, "unit", row->unit);
	put_json_difference(j, row, side);
	json__double(j, "explained", comparison__find_explained(c, row, side));
	put_json_runs(j, "first_values", &row->series[0]);
	put_json_runs(j, "values", &row->series[side]);
	put_json_nodes(j, c, index, side);
	json__close(j, '}');
}

static void put_json_sites(struct json *j, const struct compare_answer *a, int side)
{
	const struct compared *row;

	if (!a->comparison.sites.kind)
		return;
	json__open(j, "sites", '[');
	for (int i = 0; (row = compare__site_row(a, side, i)); i++)
		if (row->kind == COMPARED_SITE)
			put_json_site(j, a, row, side);
	json__close(j, ']');
}

/* Put each run of a side, so that programs can compute other statistics. */
static void put_json_values(struct json *j, const struct compared *row, int side)
{
	const struct series *s = &row->series[side];
	double min, max;

	series__range(s, &min, &max);
	json__open(j, NULL, '{');
	json__text(j, "name", row->name);
	json__text(j, "unit", row->unit);
	json__text(j, "pmu", row->core_name ?: "");
	json__text(j, "cgroup", row->cgroup ?: "");
	json__double(j, "mean", series__mean(s));
	json__double(j, "deviation", s->nr > 1 ? series__spread(s) : (double)NAN);
	json__double(j, "min", min);
	json__double(j, "max", max);
	json__int(j, "outliers", series__outliers(s));
	json__open(j, "values", '[');
	for (int i = 0; i < s->nr; i++)
		json__double(j, NULL, s->at[i]);
	json__close(j, ']');
	json__close(j, '}');
}

static void put_json_about(struct json *j, const struct compare_side *side)
{
	json__text_if(j, "host", side->about.host ?: "");
	json__text_if(j, "processor", side->about.processor ?: "");
	json__text_if(j, "kernel", side->about.kernel ?: "");
	json__text_if(j, "commit", side->about.commit ?: "");
	json__text_if(j, "date", side->about.date ?: "");
}

static void put_json_side(struct json *j, const struct compare_answer *a, int side)
{
	static const char *const names[] = {
		[SIDE_COMMAND] = "command", [SIDE_SAVED] = "saved", [SIDE_RECORDING] = "recording"};
	auto_free(sb) notes = SB_INIT, line = SB_INIT;
	const struct compare_side *s = &a->sides[side];
	int len;

	json__open(j, NULL, '{');
	json__text(j, "name", compare__letter(side));
	json__text(j, names[s->kind], s->name);
	if (s->kind == SIDE_SAVED)
		json__text(j, "command", s->command);
	if (s->simulated)
		json__text(j, "simulated", s->simulated);
	put_json_about(j, s);
	json__int(j, "runs", compare__nr_runs(a, side));
	json__int(j, "failed", s->failed);
	json__open(j, "notes", '[');
	compare__put_doubts(a, side, &notes);
	text__for_each_item(note, len, sb__str(&notes), "\n")
	{
		sb__clear(&line);
		sb__add(&line, note, len);
		json__text(j, NULL, sb__str(&line));
	}
	json__close(j, ']');
	json__open(j, "measured", '[');
	for (int i = 0; compare__row(a, i); i++)
		if (compare__row(a, i)->series[side].nr)
			put_json_values(j, compare__row(a, i), side);
	json__close(j, ']');
	if (side) {
		sb__clear(&line);
		compare__tell(a, side, &line);
		json__text(j, "summary", sb__str(&line));
		json__open(j, "differences", '[');
		for (int i = 0; compare__row(a, i); i++)
			put_json_row(j, compare__row(a, i), side);
		json__close(j, ']');
		put_json_sites(j, a, side);
	}
	json__close(j, '}');
}

void compare__print_json(const struct compare_answer *a, FILE *out)
{
	auto_free(sb) sb = SB_INIT;
	struct json j = JSON_INIT(&sb, JSON_COMPACT);
	const struct compare_rule *rule;

	json__open(&j, NULL, '{');
	json__int(&j, "schema", 1);
	json__text(&j, "type", "compare");
	json__text(&j, "ended", a->ended ?: "");
	json__text(&j, "times_alone", a->why_times);
	json__text(&j, "counted_by", a->counter ?: "");
	json__double(&j, "margin", a->margins.points);
	json__double(&j, "time_margin_percent", a->margins.time);
	json__double(&j, "count_margin_percent", a->margins.counts);
	json__open(&j, "sides", '[');
	for (int side = 0; side < a->nr; side++)
		put_json_side(&j, a, side);
	json__close(&j, ']');
	json__open(&j, "fail_if", '[');
	vec__for_each (rule, &a->rules) {
		json__open(&j, NULL, '{');
		json__text(&j, "condition", rule->text);
		json__text(&j, "outcome", compare__outcome(rule));
		json__close(&j, '}');
	}
	json__close(&j, ']');
	json__close(&j, '}');
	fputs(sb__str(&sb), out);
}
