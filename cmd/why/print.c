// SPDX-License-Identifier: GPL-2.0-only
/* The answer of "tma why" for people. */
#include <langinfo.h>
#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "base/sb.h"
#include "base/text.h"
#include "metrics/words.h"
#include "output.h"
#include "simulated.h"
#include "why/why.h"

#define NS 1e-9 /* seconds */
#define TEXT_COLUMN 14
#define MOST_MISFITS 2 /* stand in the answer for people */
#define MOST_PHASES 6 /* stand in the answer for people */

#define MOST_PLACES 5
#define TELLING_PERCENT 10 /* of the samples, in a line */
#define LEAST_PERCENT 1 /* of the samples, for a place to be named */
#define MOST_NAMES 6	/* stand in a list: the others are counted */

/* Lines of the answer have a word in front, and their text in one column. */
static void put_line_in(struct output *o, enum output_style style, const char *head,
			struct sb *text)
{
	sb__printf(&o->text, "  %-*s", TEXT_COLUMN - 2, head);
	output__wrap_in(o, style, TEXT_COLUMN, TEXT_COLUMN, sb__str(text));
	sb__clear(text);
}

static void why_print__put_line(struct output *o, const char *head, struct sb *text)
{
	put_line_in(o, STYLE_PLAIN, head, text);
}

/* What is to be pasted stays on one line. */
static void put_command(struct output *o, const char *head, const char *command)
{
	if (!*command)
		return;
	sb__printf(&o->text, "  %-*s%s", TEXT_COLUMN - 2, head, command);
	output__end_line(o);
}

static void why_print__put_value(const struct way_node *n, struct sb *sb)
{
	bool of_slots = n->level == 1 && !strcmp(n->unit, "%");

	sb__printf(sb, "%.1f %s%s", n->value, n->unit, of_slots ? " of slots" : "");
	if (isnan(n->error))
		sb__puts(sb, " +- ?");
	else if (n->error > 0)
		sb__printf(sb, " +- %.1f", n->error < 0.1 ? 0.1 : n->error);
}

static void why_print__put_name(const char *name, struct sb *sb)
{
	const struct metric_words *words = metric_words__find(name);

	if (words)
		sb__printf(sb, "%s (%s)", words->plain, name);
	else
		sb__puts(sb, name);
}

static int why_print__columns_of(const char *text)
{
	int nr = 0;

	for (; *text; text++)
		nr += (*text & 0xc0) != 0x80;
	return nr;
}

static void put_path(const struct way *way, struct output *o)
{
	const char *corner = strcmp(nl_langinfo(CODESET), "UTF-8") ? "`- " : "└ ";
	auto_free(sb) text = SB_INIT;

	for (int i = 0; i < way->path.nr; i++) {
		const struct way_node *n = &way->path.at[i];
		const struct metric_words *words = metric_words__find(n->name);
		enum output_style style = n->useful ? STYLE_STRONG : STYLE_BAD;
		int column;

		sb__printf(&o->text, "  %*s%s", i ? 2 * (i - 1) : 0, "", i ? corner : "");
		sb__clear(&text);
		why_print__put_value(n, &text);
		column = why_print__columns_of(sb__str(&o->text)) +
			 why_print__columns_of(sb__str(&text)) + 2;
		output__begin_style(o, style);
		sb__puts(&o->text, sb__str(&text));
		output__end_style(o, style);
		sb__puts(&o->text, "  ");
		sb__clear(&text);
		why_print__put_name(n->name, &text);
		output__wrap_in(o, STYLE_STRONG, column, column, sb__str(&text));
		if (words)
			output__line(o, 2 * i + 4, 2 * i + 4, words->means);
	}
}

static void why_print__put_list(const struct way_nodes *list, const char *head, struct output *o)
{
	auto_free(sb) sb = SB_INIT;

	if (!list->nr)
		return;
	for (int i = 0; i < list->nr && i < MOST_NAMES; i++) {
		const struct metric_words *words = metric_words__find(list->at[i].name);

		sb__printf(&sb, "%s%s %.1f %s", i ? ", " : "",
			   words ? words->plain : list->at[i].name, list->at[i].value,
			   list->at[i].unit);
	}
	if (list->nr > MOST_NAMES)
		sb__printf(&sb, " and %d more", list->nr - MOST_NAMES);
	why_print__put_line(o, head, &sb);
}

/* Says why the way ends here. */
static void put_state(const struct way *way, struct output *o)
{
	static const char *const words[] = {
		[WAY_NOTHING] = "nothing was measured",
		[WAY_GOES_ON] = "its children were not measured",
		[WAY_UNDECIDED] = "it is not certain what comes next",
		[WAY_LEAF] = "",
		[WAY_UNDER] = "none of its children is over its threshold",
		[WAY_IMPOSSIBLE] = "what was measured of its children cannot be",
		[WAY_NO_LOSS] = "no loss is over its threshold",
		[WAY_NONE] = "there is no answer",
	};
	auto_free(sb) sb = SB_INIT;

	if (!*words[way->state])
		return;
	if (way->stale)
		sb__puts(&sb, "the first level changed and was not measured again");
	else if (way->state == WAY_UNDECIDED && !way->path.nr)
		sb__puts(&sb, "it is not certain what limits it");
	else
		sb__puts(&sb, words[way->state]);
	if (*way->reason && (way->state == WAY_NONE || way->state == WAY_UNDECIDED))
		sb__printf(&sb, ": %s", way->reason);
	why_print__put_line(o, "end", &sb);
	if (!*way->remedy || way->state != WAY_UNDECIDED)
		return;
	sb__puts(&sb, way->remedy);
	why_print__put_line(o, "to decide", &sb);
}

/* Nobody should change a program for counts that have nothing to do with it. */
bool why__has_advice(void)
{
	return !simulated__machine() || simulated__follows();
}

static void put_synthetic(struct output *o)
{
	static const char *const words[] = {
		[SIM_FOLLOWS_NOTHING] = "they do not follow your program, so nothing is advised",
		[SIM_FOLLOWS_SCRIPT] = "they follow the script in the machine's file",
		[SIM_FOLLOWS_COMMAND] = "the machine's rates were written to fit this program",
	};
	auto_free(sb) sb = SB_INIT;

	if (!simulated__machine())
		return;
	sb__printf(&sb, "synthetic: %s", words[simulated__follows()]);
	why_print__put_line(o, "counts", &sb);
}

/* Says what to try, and what is to be had at most. */
static void put_remedy(const struct way *way, struct output *o)
{
	const struct way_node *end = way->path.nr ? &way->path.at[way->path.nr - 1] : NULL;
	const struct metric_words *words = end ? metric_words__find(end->name) : NULL;
	auto_free(sb) sb = SB_INIT;

	if (end && !end->has_threshold) {
		sb__puts(&sb, "the largest part that is lost: the tables have no thresholds");
		why_print__put_line(o, "chosen", &sb);
	}
	if (words && why__has_advice()) {
		sb__puts(&sb, words->remedy);
		why_print__put_line(o, "try", &sb);
	}
	if (way->bound > 1 && why__has_advice()) {
		sb__printf(&sb, "without it at most %.2f times as fast (an upper bound)",
			   way->bound);
		why_print__put_line(o, "worth", &sb);
	}
}

static void put_phase(const struct way *way, const struct way_phase *phase, struct sb *sb)
{
	sb__printf(sb, "%.1f s to %.1f s:", phase->start_ns * NS, phase->end_ns * NS);
	for (int i = 0; i < way->top.nr; i++) {
		const struct metric_words *words = metric_words__find(way->top.at[i].name);

		sb__printf(sb, "%s %s %.1f %s", i ? "," : "",
			   words ? words->plain : way->top.at[i].name, phase->values[i],
			   way->top.at[i].unit);
	}
}

/* What changed meanwhile is told with times, and of what time the answer is. */
static void why_print__put_phases(const struct why_answer *a, const struct way *way,
				  struct output *o)
{
	auto_free(sb) sb = SB_INIT;

	for (int i = 0; i < way->phases.nr && i < MOST_PHASES; i++) {
		put_phase(way, &way->phases.at[i], &sb);
		why_print__put_line(o, i ? "" : "phases", &sb);
	}
	if (way->phases.nr > MOST_PHASES) {
		sb__printf(&sb, "and %d more", way->phases.nr - MOST_PHASES);
		why_print__put_line(o, "", &sb);
	}
	if (!way->phases.nr && !way->changes)
		return;
	if (!way->phases.nr)
		sb__puts(&sb, "the first level changed back and forth");
	if (sb.len)
		why_print__put_line(o, "phases", &sb);
	if (a->ways.goes_on)
		sb__printf(&sb, "the answer is of %.1f s to %.1f s%s", way->since_ns * NS,
			   way->until_ns * NS,
			   way__is_mixed(way) ? ", of all its phases together" : "");
	else
		sb__puts(&sb, "the answer is of whole runs; the phases are those of the first");
	why_print__put_line(o, "", &sb);
}

static void put_whose(const struct way *way, struct output *o)
{
	struct sb *sb = &o->text;

	if (!way->core_name && !way->cgroup)
		return;
	text__clean(sb, way->cgroup ?: "", way->cgroup ? strlen(way->cgroup) : 0, "");
	if (way->core_name)
		sb__printf(sb, "%s%s", way->cgroup ? ", " : "", way->core_name);
	if (!isnan(way->share))
		sb__printf(sb, ", %.1f %% of the time", way->share);
	sb__putc(sb, ':');
	output__end_line(o);
}

static void put_cost(const struct why_answer *a, struct output *o)
{
	auto_free(sb) sb = SB_INIT;
	double seconds = 0;
	int runs = 0;

	for (int i = 0; i < a->steps.nr; i++) {
		seconds += a->steps.at[i].seconds;
		runs += a->steps.at[i].runs;
	}
	if (!a->steps.nr)
		return;
	if (runs)
		sb__printf(&sb, "%d run%s, ", runs, runs > 1 ? "s" : "");
	else
		sb__printf(&sb, "%d window%s, ", a->steps.nr, a->steps.nr > 1 ? "s" : "");
	sb__printf(&sb, "%.1f s%s%s", seconds, a->ended ? "; " : "", a->ended ?: "");
	why_print__put_line(o, "measured", &sb);
}

static void put_by_hand(const struct why_answer *a, const struct way *way, struct output *o)
{
	auto_free(sb) sb = SB_INIT;

	why__put_measure(a, way, &sb);
	put_command(o, "by hand", sb__str(&sb));
	sb__clear(&sb);
	why__put_record(a, way, &sb);
	put_command(o, "sample", sb__str(&sb));
}

double why__percent_of(const struct where *w, const struct where_place *p, int event)
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
		/* Names of generated code have more than a word: a file, a line. */
		sb__puts(sb, strcmp(p->object, WHERE_JIT) ? "()" : "");
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
static void put_samples(const struct why_samples *s, int place, struct sb *sb)
{
	const struct where *w = &s->where;
	const char *before = ": ";

	for (int e = 0; e < WHERE_EVENTS; e++) {
		if (!w->samples[e])
			continue;
		sb__printf(sb, "%s%.0f %%", before, why__percent_of(w, &w->at[place], e));
		if (!place)
			sb__printf(sb, " of %llu samples of %s", (unsigned long long)w->samples[e],
				   s->sampled[e]);
		before = ", ";
	}
}

static void put_where(const struct why_samples *s, struct output *o)
{
	const struct where *w = &s->where;
	auto_free(sb) sb = SB_INIT;
	int len;

	if (s->cgroup) {
		text__clean(&o->text, s->cgroup, strlen(s->cgroup), "");
		sb__putc(&o->text, ':');
		output__end_line(o);
	}
	for (int i = 0; i < w->nr && i < MOST_PLACES; i++) {
		if (i && why__percent_of(w, &w->at[i], 0) < LEAST_PERCENT &&
		    why__percent_of(w, &w->at[i], 1) < LEAST_PERCENT)
			continue;
		put_place(&w->at[i], &sb);
		put_samples(s, i, &sb);
		put_line_in(o, i ? STYLE_PLAIN : STYLE_STRONG, i ? "" : "where", &sb);
		if (!i)
			why_source__put(&w->at[i], o);
	}
	if (!w->nr) {
		sb__puts(&sb, "no samples came");
		why_print__put_line(o, "where", &sb);
	}
	text__for_each_item(note, len, sb__str(&w->notes), "\n")
	{
		sb__printf(&sb, "%.*s", len, note);
		why_print__put_line(o, "", &sb);
	}
}

/* Where no line has many samples, functions say more. */
static void choose_places(struct where *w)
{
	if (w->nr && why__percent_of(w, &w->at[0], 0) < TELLING_PERCENT &&
	    why__percent_of(w, &w->at[0], 1) < TELLING_PERCENT)
		where__merge_lines(w);
}

/* Whoever reads the answer learns which counts are wrong. */
static void why_print__put_misfits(const struct way *way, struct output *o)
{
	auto_free(sb) sb = SB_INIT;
	int len, nr = 0;

	text__for_each_item(misfit, len, way->misfits, "\n")
	{
		if (nr++ < MOST_MISFITS)
			sb__printf(&sb, "%s%.*s", nr > 1 ? "; " : "", len, misfit);
	}
	if (nr > MOST_MISFITS)
		sb__printf(&sb, " and %d more", nr - MOST_MISFITS);
	if (nr)
		why_print__put_line(o, "cannot be", &sb);
}

static void put_answer(const struct why_answer *a, const struct way *way, struct output *o)
{
	put_whose(way, o);
	put_path(way, o);
	put_state(way, o);
	why_print__put_misfits(way, o);
	why_print__put_list(&way->between, "between", o);
	why_print__put_phases(a, way, o);
	why_print__put_list(&way->others, "also over", o);
	why_print__put_list(&way->out, "ruled out", o);
	put_remedy(way, o);
	put_synthetic(o);
	put_by_hand(a, way, o);
}

bool why__has_answer(const struct why_answer *a)
{
	const struct why_samples *samples;
	const struct way *way;

	if (why_ran__waited(&a->ran))
		return true;
	vec__for_each (way, &a->ways)
		if (way->state != WAY_NOTHING)
			return true;
	vec__for_each (samples, &a->samples)
		if (samples->where.nr)
			return true;
	return false;
}

/* A program that waits is not made faster by anything that counters see. */
static void put_ran(const struct why_ran *r, struct output *o)
{
	double cpus = r->elapsed_ns ? why_ran__cpus(r) : 1;
	auto_free(sb) sb = SB_INIT;

	if (!r->elapsed_ns)
		return;
	sb__printf(&sb, "%.2f s, ", r->elapsed_ns * NS);
	if (cpus > 1.05)
		sb__printf(&sb, "on %.1f CPUs at once", cpus);
	else
		sb__printf(&sb, "%.0f %% of it on a CPU", cpus < 1 ? 100 * cpus : 100);
	sb__printf(&sb, " (user %.2f s, system %.2f s)", r->user_ns * NS, r->system_ns * NS);
	if (why_ran__waited(r))
		sb__puts(&sb, ": it waited, and what for is not seen by counters");
	else if (cpus < 0.5)
		sb__puts(&sb, ": it waited for the rest, which is not in what follows");
	why_print__put_line(o, "ran", &sb);
}

void why__print(struct why_answer *a, struct output *o)
{
	const struct way *way;
	struct why_samples *samples;
	auto_free(sb) sb = SB_INIT;

	put_ran(&a->ran, o);
	vec__for_each (way, &a->ways)
		if ((way->state != WAY_NOTHING || a->ways.nr == 1) && !why_ran__waited(&a->ran))
			put_answer(a, way, o);
	if (*a->no_counters) {
		sb__printf(&sb, "%s: the answer is only where time is spent", a->no_counters);
		why_print__put_line(o, "end", &sb);
		why__put_record(a, NULL, &sb);
		put_command(o, "sample", sb__str(&sb));
	}
	vec__for_each (samples, &a->samples) {
		choose_places(&samples->where);
		put_where(samples, o);
	}
	if (a->no_samples) {
		sb__puts(&sb, a->no_samples);
		why_print__put_line(o, "where", &sb);
	}
	put_cost(a, o);
}
