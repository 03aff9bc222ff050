// SPDX-License-Identifier: GPL-2.0-only
/* The answer of "tma why" for programs. */
#include <math.h>

#include "base/auto.h"
#include "base/json.h"
#include "base/sb.h"
#include "base/text.h"
#include "metrics/words.h"
#include "output.h"
#include "simulated.h"
#include "why/why.h"

#define NS 1e-9 /* seconds */

/*
 * Put nodes. If @searched, they were found step by step, and have meanings; else they belong to a
 * function.
 */
static void put_nodes(struct json *j, const char *key, const struct way_nodes *list, bool searched)
{
	json__open(j, key, '[');
	for (int i = 0; i < list->nr; i++) {
		const struct way_node *n = &list->at[i];
		const struct metric_words *words = metric_words__find(n->name);

		json__open(j, NULL, '{');
		json__text(j, "name", n->name);
		json__double(j, "value", n->value);
		json__double(j, "error", n->error);
		json__text(j, "unit", n->unit);
		json__int(j, "level", n->level);
		if (searched)
			json__int(j, "step", n->step);
		json__text(j, "plain", words ? words->plain : "");
		if (searched)
			json__text(j, "meaning", words ? words->means : "");
		json__close(j, '}');
	}
	json__close(j, ']');
}

/* Times are in seconds since the search began; with a command, since the first run began. */
static void put_phase_members(struct json *j, const struct way *way)
{
	json__double(j, "start", way->since_ns * NS);
	json__double(j, "end", way->until_ns * NS);
	json__bool(j, "mixed", way__is_mixed(way));
	json__int(j, "changes", way->changes);
	json__open(j, "phases", '[');
	for (int i = 0; i < way->phases.nr; i++) {
		const struct way_phase *phase = &way->phases.at[i];

		json__open(j, NULL, '{');
		json__double(j, "start", phase->start_ns * NS);
		json__double(j, "end", phase->end_ns * NS);
		json__open(j, "shares", '[');
		for (int n = 0; n < way->top.nr; n++) {
			json__open(j, NULL, '{');
			json__text(j, "name", way->top.at[n].name);
			json__double(j, "value", phase->values[n]);
			json__text(j, "unit", way->top.at[n].unit);
			json__close(j, '}');
		}
		json__close(j, ']');
		json__close(j, '}');
	}
	json__close(j, ']');
}

static void put_commands(struct json *j, const struct why_answer *a, const struct way *way)
{
	auto_free(sb) measure = SB_INIT, record = SB_INIT;

	why__put_measure(a, way, &measure);
	why__put_record(a, way, &record);
	json__text(j, "measure", sb__str(&measure));
	json__text(j, "record", sb__str(&record));
}

static void put_misfit_texts(struct json *j, const struct way *way)
{
	auto_free(sb) text = SB_INIT;
	int len;

	json__open(j, "cannot_be", '[');
	text__for_each_item(misfit, len, way->misfits, "\n")
	{
		sb__clear(&text);
		sb__add(&text, misfit, len);
		json__text(j, NULL, sb__str(&text));
	}
	json__close(j, ']');
}

static void put_functions(struct json *j, const struct way *way)
{
	static const char *const sides[] = {
		[FUNCTION_UNKNOWN] = "not-certain",
		[FUNCTION_ON_WAY] = "on-path",
		[FUNCTION_ASIDE] = "elsewhere",
	};
	const struct way_function *f;

	json__open(j, "functions", '[');
	vec__for_each (f, &way->functions) {
		json__open(j, NULL, '{');
		json__text(j, "function", f->name);
		json__text(j, "object", f->object);
		json__double(j, "share", f->share);
		json__double(j, "error", f->error);
		json__double(j, "samples", f->samples);
		json__bool(j, "near", f->near);
		json__text(j, "bottleneck", f->limit < 0 ? "" : f->nodes.at[f->limit].name);
		json__text(j, "side", sides[f->side]);
		put_nodes(j, "nodes", &f->nodes, false);
		json__close(j, '}');
	}
	json__close(j, ']');
}

static void put_way(struct json *j, const struct why_answer *a, const struct way *way)
{
	const char *end = way->path.nr ? way->path.at[way->path.nr - 1].name : "";
	const struct metric_words *words = metric_words__find(end);

	static const char *const states[] = {
		[WAY_NOTHING] = "nothing-measured",
		[WAY_GOES_ON] = "unfinished",
		[WAY_UNDECIDED] = "not-certain",
		[WAY_LEAF] = "leaf",
		[WAY_UNDER] = "no-child-over",
		[WAY_IMPOSSIBLE] = "impossible",
		[WAY_NO_LOSS] = "no-loss-over",
		[WAY_NONE] = "none",
	};

	json__open(j, NULL, '{');
	json__text(j, "pmu", way->core_name ?: "");
	json__text(j, "cgroup", way->cgroup ?: "");
	json__text(j, "outcome", states[way->state]);
	json__text(j, "bottleneck", end);
	json__text(j, "plain", words ? words->plain : "");
	json__text(j, "meaning", words ? words->means : "");
	json__text(j, "try", words && why__has_advice() ? words->remedy : "");
	json__double(j, "speedup_bound", why__has_advice() ? way->bound : NAN);
	put_nodes(j, "path", &way->path, true);
	put_nodes(j, "between", &way->between, true);
	put_nodes(j, "also_over", &way->others, true);
	put_nodes(j, "ruled_out", &way->out, true);
	put_misfit_texts(j, way);
	json__text(j, "reason", way->reason);
	json__text(j, "remedy", way->remedy);
	json__text(j, "sample", way->sample);
	put_commands(j, a, way);
	put_phase_members(j, way);
	put_functions(j, way);
	json__close(j, '}');
}

static void put_sampled(struct json *j, const struct why_samples *s)
{
	for (int e = 0; e < WHERE_EVENTS && *s->sampled[e]; e++) {
		json__open(j, NULL, '{');
		json__text(j, "cgroup", s->cgroup ?: "");
		json__text(j, "event", s->sampled[e]);
		json__u64(j, "samples", s->where.samples[e]);
		json__close(j, '}');
	}
}

static void put_places(struct json *j, const struct why_samples *s)
{
	const struct where *w = &s->where;

	for (int i = 0; i < w->nr; i++) {
		const struct where_place *p = &w->at[i];

		json__open(j, NULL, '{');
		json__text(j, "cgroup", s->cgroup ?: "");
		json__text(j, "file", p->file);
		json__int(j, "line", p->line);
		json__text(j, "function", p->function);
		json__text(j, "inlined_into", p->into);
		json__text(j, "object", p->object);
		json__u64(j, "offset", p->offset);
		json__open(j, "percent", '[');
		for (int e = 0; e < WHERE_EVENTS && *s->sampled[e]; e++)
			json__double(j, NULL, why__percent_of(w, p, e));
		json__close(j, ']');
		json__close(j, '}');
	}
}

/* If the source of the first place cannot be read, put its instructions. */
static void print_json__put_code(struct json *j, const struct why_samples *s)
{
	const struct where *w = &s->where;

	for (int i = 0; w->nr && i < w->at[0].code.nr; i++) {
		const struct where_instruction *instruction = &w->at[0].code.at[i];

		json__open(j, NULL, '{');
		json__text(j, "cgroup", s->cgroup ?: "");
		json__u64(j, "address", instruction->address);
		json__text(j, "text", instruction->text);
		json__bool(j, "hottest", instruction->hottest);
		json__close(j, '}');
	}
}

/* Add each note only once, since samples of several cgroups have most notes in common. */
static void add_notes(const struct where *w, struct sb *sb)
{
	auto_free(sb) line = SB_INIT;
	int len;

	text__for_each_item(note, len, sb__str(&w->notes), "\n")
	{
		sb__clear(&line);
		sb__add(&line, note, len);
		if (!text__has_item(sb__str(sb), "\n", sb__str(&line)))
			sb__printf(sb, "%s\n", sb__str(&line));
	}
}

static void put_all_samples(struct json *j, const struct why_answer *a)
{
	const struct why_samples *samples;
	auto_free(sb) notes = SB_INIT;

	json__open(j, "sampled", '[');
	vec__for_each (samples, &a->samples)
		put_sampled(j, samples);
	json__close(j, ']');
	json__open(j, "where", '[');
	vec__for_each (samples, &a->samples)
		put_places(j, samples);
	json__close(j, ']');
	json__open(j, "code", '[');
	vec__for_each (samples, &a->samples)
		print_json__put_code(j, samples);
	json__close(j, ']');
	vec__for_each (samples, &a->samples)
		add_notes(&samples->where, &notes);
	if (a->no_samples)
		sb__printf(&notes, "%s\n", a->no_samples);
	json__text(j, "notes", sb__str(&notes));
}

static void put_rates(struct json *j, const struct why_rates *r)
{
	json__open(j, NULL, '{');
	json__text(j, "pmu", r->core ?: "");
	json__text(j, "cgroup", r->cgroup ?: "");
	json__double(j, "ipc", r->at[RATE_IPC]);
	json__double(j, "ghz", r->at[RATE_GHZ]);
	json__double(j, "cpus", r->at[RATE_CPUS]);
	json__double(j, "switches_per_second", r->at[RATE_SWITCHES]);
	json__double(j, "faults_per_second", r->at[RATE_FAULTS]);
	json__close(j, '}');
}

static void put_threads(struct json *j, const struct why_samples *s)
{
	const struct where_threads *t = &s->where.threads;

	if (!t->nr)
		return;
	json__open(j, NULL, '{');
	json__text(j, "cgroup", s->cgroup ?: "");
	json__int(j, "threads", t->nr);
	json__int(j, "processes", t->processes);
	json__double(j, "at_once", t->at_once);
	json__double(j, "one_alone", t->alone);
	json__double(j, "busiest", t->busiest);
	json__text(j, "busiest_name", t->name);
	json__int(j, "busiest_tid", t->tid);
	json__close(j, '}');
}

static void put_ran_members(struct json *j, const struct why_answer *a)
{
	const struct why_samples *samples;
	const struct why_rates *rates;

	if (a->ran.elapsed_ns) {
		json__open(j, "ran", '{');
		json__double(j, "seconds", a->ran.elapsed_ns * NS);
		json__double(j, "user", a->ran.user_ns * NS);
		json__double(j, "system", a->ran.system_ns * NS);
		json__bool(j, "waited", why_ran__waited(&a->ran));
		json__close(j, '}');
	}
	if (a->busiest.is_known && a->busiest.pid) {
		json__open(j, "busiest", '{');
		json__int(j, "pid", a->busiest.pid);
		json__text(j, "name", a->busiest.name);
		json__double(j, "cpus", a->busiest.cpus);
		json__double(j, "percent", a->busiest.percent);
		json__close(j, '}');
	}
	json__open(j, "rates", '[');
	vec__for_each (rates, &a->ran.rates)
		put_rates(j, rates);
	json__close(j, ']');
	json__open(j, "threads", '[');
	vec__for_each (samples, &a->samples)
		put_threads(j, samples);
	json__close(j, ']');
}

void why__print_json(struct why_answer *a, struct output *o)
{
	struct json j = JSON_INIT(&o->text, JSON_COMPACT);
	auto_free(sb) target = SB_INIT;
	const struct way *way;

	json__open(&j, NULL, '{');
	json__int(&j, "schema", 1);
	json__text(&j, "type", "why");
	why_target__put(&a->target, &target);
	json__text(&j, "target", sb__str(&target));
	if (simulated__machine())
		json__text(&j, "simulated", simulated__machine());
	if (simulated__machine())
		json__bool(&j, "follows_program", simulated__follows());
	put_ran_members(&j, a);
	json__text(&j, "ended", a->ended ?: "");
	json__open(&j, "answers", '[');
	vec__for_each (way, &a->ways)
		put_way(&j, a, way);
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
	put_all_samples(&j, a);
	json__close(&j, '}');
	output__flush(o);
}
