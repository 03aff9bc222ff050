// SPDX-License-Identifier: GPL-2.0-only
/* The answer of "tma why" for people, and for programs. */
#include <langinfo.h>
#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "base/json.h"
#include "base/sb.h"
#include "base/text.h"
#include "why.h"

#define MOST_PLACES 5
#define TELLING_PERCENT 10 /* of the samples, in a line */
#define LEAST_PERCENT 1 /* of the samples, for a place to be named */
#define MOST_NAMES 6	/* stand in a list: the others are counted */

/* --- For people ------------------------------------------------------------------------------ */

static void put_number(const struct way_node *n, struct sb *sb)
{
	sb__printf(sb, "%5.1f %s", n->value, n->unit);
	if (isnan(n->error))
		sb__puts(sb, " +- ?");
	else if (n->error > 0)
		sb__printf(sb, " +- %.1f", n->error < 0.1 ? 0.1 : n->error);
}

static void put_list(const struct way_nodes *list, const char *head, struct sb *sb)
{
	if (!list->nr)
		return;
	sb__printf(sb, "  %-12s", head);
	for (int i = 0; i < list->nr && i < MOST_NAMES; i++)
		sb__printf(sb, "%s%s %.1f %s", i ? ", " : "", list->at[i].name, list->at[i].value,
			   list->at[i].unit);
	if (list->nr > MOST_NAMES)
		sb__printf(sb, " and %d more", list->nr - MOST_NAMES);
	sb__putc(sb, '\n');
}

static void put_path(const struct way *way, struct sb *sb)
{
	const char *corner = strcmp(nl_langinfo(CODESET), "UTF-8") ? "`- " : "└ ";

	for (int i = 0; i < way->path.nr; i++) {
		const struct way_node *n = &way->path.at[i];

		sb__printf(sb, "  %*s%s", i ? 3 * (i - 1) : 0, "", i ? corner : "");
		put_number(n, sb);
		sb__printf(sb, "  %s\n", n->name);
	}
}

static void put_state(const struct way *way, struct sb *sb)
{
	static const char *const words[] = {
		[WAY_NOTHING] = "nothing was measured",
		[WAY_GOES_ON] = "its children were not measured",
		[WAY_UNDECIDED] = "not certain",
		[WAY_LEAF] = "",
		[WAY_UNDER] = "none of its children is over its threshold",
		[WAY_NO_LOSS] = "no loss is over its threshold",
		[WAY_NONE] = "no answer",
	};

	if (!*words[way->state])
		return;
	sb__printf(sb, "  %s", words[way->state]);
	if (*way->reason && (way->state == WAY_NONE || way->state == WAY_UNDECIDED))
		sb__printf(sb, ": %s", way->reason);
	if (*way->remedy && way->state == WAY_UNDECIDED)
		sb__printf(sb, "; to decide it: %s", way->remedy);
	sb__putc(sb, '\n');
}

static void put_whose(const struct why_answer *a, const struct way *way, struct sb *sb)
{
	if (!way->core_name && !way->cgroup)
		return;
	text__clean(sb, way->cgroup ?: "", way->cgroup ? strlen(way->cgroup) : 0, "");
	if (way->core_name)
		sb__printf(sb, "%s%s", way->cgroup ? ", " : "", way->core_name);
	if (!isnan(way->share))
		sb__printf(sb, ", %.1f %% of the time", way->share);
	sb__puts(sb, ":\n");
	(void)a;
}

static void put_cost(const struct why_answer *a, struct sb *sb)
{
	double seconds = 0;
	int runs = 0;

	for (int i = 0; i < a->steps.nr; i++) {
		seconds += a->steps.at[i].seconds;
		runs += a->steps.at[i].runs;
	}
	if (!a->steps.nr)
		return;
	sb__printf(sb, "  %-12s", "measured");
	if (runs)
		sb__printf(sb, "%d run%s, ", runs, runs > 1 ? "s" : "");
	else
		sb__printf(sb, "%d window%s, ", a->steps.nr, a->steps.nr > 1 ? "s" : "");
	sb__printf(sb, "%.1f s%s%s\n", seconds, a->ended ? "; " : "", a->ended ?: "");
}

static void put_by_hand(const struct why_answer *a, const struct way *way, struct sb *sb)
{
	if (way->path.nr)
		sb__printf(sb, "  %-12stma stat --verdict -M %s%s%s\n", "by hand",
			   way->path.at[way->path.nr - 1].name, *a->target ? " " : "", a->target);
	if (*way->record)
		sb__printf(sb, "  %-12sperf record%s\n", "where", way->record);
}

static double percent_of(const struct where *w, const struct where_place *p, int event)
{
	return w->weights[event] > 0 ? 100 * p->weights[event] / w->weights[event] : 0;
}

static void put_place(const struct where_place *p, struct sb *sb)
{
	if (p->line) {
		text__clean(sb, p->file, strlen(p->file), "");
		sb__printf(sb, ":%d in ", p->line);
	}
	if (*p->function) {
		text__clean(sb, p->function, strlen(p->function), "");
		sb__puts(sb, "()");
	} else if (p->offset) {
		sb__printf(sb, "0x%llx", (unsigned long long)p->offset);
	}
	if (*p->into) {
		sb__puts(sb, ", inlined into ");
		text__clean(sb, p->into, strlen(p->into), "");
		sb__puts(sb, "()");
	}
	if (p->line)
		return;
	sb__puts(sb, *p->function || p->offset ? " of " : "");
	text__clean(sb, p->object, strlen(p->object), "");
}

/* A sampled event is no share of time: that stands beside it. */
static void put_where(const struct why_answer *a, struct sb *sb)
{
	const struct where *w = &a->where;
	int len;

	for (int i = 0; i < w->nr && i < MOST_PLACES; i++) {
		const char *before = "";

		if (i && percent_of(w, &w->at[i], 0) < LEAST_PERCENT &&
		    percent_of(w, &w->at[i], 1) < LEAST_PERCENT)
			continue;
		sb__printf(sb, "  %-12s", i ? "" : "where");
		put_place(&w->at[i], sb);
		sb__puts(sb, "   ");
		for (int e = 0; e < WHERE_EVENTS; e++) {
			if (!w->samples[e])
				continue;
			sb__printf(sb, "%s%.0f %%", before, percent_of(w, &w->at[i], e));
			if (!i)
				sb__printf(sb, " of %llu samples of %s",
					   (unsigned long long)w->samples[e], a->sampled[e]);
			before = ", ";
		}
		sb__putc(sb, '\n');
	}
	if (!w->nr)
		sb__printf(sb, "  %-12sno samples came\n", "where");
	text__for_each_item(note, len, sb__str(&w->notes), "\n")
		sb__printf(sb, "  %-12s%.*s\n", "", len, note);
}

/* Where no line has many samples, functions say more. */
static void choose_places(struct where *w)
{
	if (w->nr && percent_of(w, &w->at[0], 0) < TELLING_PERCENT &&
	    percent_of(w, &w->at[0], 1) < TELLING_PERCENT)
		where__merge_lines(w);
}

void why__print(struct why_answer *a, FILE *out)
{
	const struct way *way;
	auto_free(sb) sb = SB_INIT;

	vec__for_each (way, &a->ways) {
		if (way->state == WAY_NOTHING && a->ways.nr > 1)
			continue;
		put_whose(a, way, &sb);
		put_path(way, &sb);
		put_state(way, &sb);
		put_list(&way->between, "between", &sb);
		put_list(&way->others, "also over", &sb);
		put_list(&way->out, "ruled out", &sb);
		put_by_hand(a, way, &sb);
	}
	if (*a->no_counters)
		sb__printf(&sb, "  %s: only where time is spent is known\n", a->no_counters);
	if (a->has_where) {
		choose_places(&a->where);
		put_where(a, &sb);
	}
	put_cost(a, &sb);
	fputs(sb__str(&sb), out);
}

/* --- For programs ---------------------------------------------------------------------------- */

static void put_nodes(struct json *j, const char *key, const struct way_nodes *list)
{
	json__open(j, key, '[');
	for (int i = 0; i < list->nr; i++) {
		const struct way_node *n = &list->at[i];

		json__open(j, NULL, '{');
		json__text(j, "name", n->name);
		json__double(j, "value", n->value);
		json__double(j, "error", n->error);
		json__text(j, "unit", n->unit);
		json__int(j, "level", n->level);
		json__int(j, "step", n->step);
		json__close(j, '}');
	}
	json__close(j, ']');
}

static void put_way(struct json *j, const struct way *way)
{
	static const char *const states[] = {
		[WAY_NOTHING] = "nothing-measured",
		[WAY_GOES_ON] = "unfinished",
		[WAY_UNDECIDED] = "not-certain",
		[WAY_LEAF] = "leaf",
		[WAY_UNDER] = "no-child-over",
		[WAY_NO_LOSS] = "no-loss-over",
		[WAY_NONE] = "none",
	};

	json__open(j, NULL, '{');
	json__text(j, "pmu", way->core_name ?: "");
	json__text(j, "cgroup", way->cgroup ?: "");
	json__text(j, "outcome", states[way->state]);
	json__text(j, "bottleneck", way->path.nr ? way->path.at[way->path.nr - 1].name : "");
	put_nodes(j, "path", &way->path);
	put_nodes(j, "between", &way->between);
	put_nodes(j, "also_over", &way->others);
	put_nodes(j, "ruled_out", &way->out);
	json__text(j, "reason", way->reason);
	json__text(j, "remedy", way->remedy);
	json__text(j, "sample", way->sample);
	json__close(j, '}');
}

static void put_places(struct json *j, const struct why_answer *a)
{
	const struct where *w = &a->where;

	json__open(j, "sampled", '[');
	for (int e = 0; a->has_where && e < WHERE_EVENTS && *a->sampled[e]; e++) {
		json__open(j, NULL, '{');
		json__text(j, "event", a->sampled[e]);
		json__u64(j, "samples", w->samples[e]);
		json__close(j, '}');
	}
	json__close(j, ']');
	json__open(j, "where", '[');
	for (int i = 0; a->has_where && i < w->nr; i++) {
		const struct where_place *p = &w->at[i];

		json__open(j, NULL, '{');
		json__text(j, "file", p->file);
		json__int(j, "line", p->line);
		json__text(j, "function", p->function);
		json__text(j, "inlined_into", p->into);
		json__text(j, "object", p->object);
		json__u64(j, "offset", p->offset);
		json__open(j, "percent", '[');
		for (int e = 0; e < WHERE_EVENTS && *a->sampled[e]; e++)
			json__double(j, NULL, percent_of(w, p, e));
		json__close(j, ']');
		json__close(j, '}');
	}
	json__close(j, ']');
	json__text(j, "notes", a->has_where ? sb__str(&w->notes) : "");
}

void why__print_json(struct why_answer *a, FILE *out)
{
	auto_free(sb) sb = SB_INIT;
	struct json j = JSON_INIT(&sb, JSON_COMPACT);
	const struct way *way;

	json__open(&j, NULL, '{');
	json__int(&j, "schema", 1);
	json__text(&j, "type", "why");
	json__text(&j, "target", a->target);
	json__text(&j, "ended", a->ended ?: "");
	json__open(&j, "answers", '[');
	vec__for_each (way, &a->ways)
		put_way(&j, way);
	json__close(&j, ']');
	json__open(&j, "steps", '[');
	for (int i = 0; i < a->steps.nr; i++) {
		const struct why_step *s = &a->steps.at[i];

		json__open(&j, NULL, '{');
		json__text(&j, "groups", s->groups);
		json__double(&j, "seconds", s->seconds);
		json__int(&j, "runs", s->runs);
		json__bool(&j, "again", s->again);
		json__close(&j, '}');
	}
	json__close(&j, ']');
	put_places(&j, a);
	json__close(&j, '}');
	fputs(sb__str(&sb), out);
}
