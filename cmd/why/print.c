// SPDX-License-Identifier: GPL-2.0-only
/*
 * The answer of "tma why" for people: how the target ran, the cause, the place, and what to do;
 * with -v all details. Lines of the source around the place fill the answer up to a dozen lines.
 */
#include <langinfo.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/sb.h"
#include "base/text.h"
#include "grid/unit.h"
#include "metrics/words.h"
#include "output.h"
#include "simulated.h"
#include "why/print.h"

#define NS 1e-9 /* seconds */
#define MOST_MISFITS 2 /* most contradictions of values in the answer */
#define MOST_PHASES 6 /* most phases in the answer */

#define MOST_FUNCTIONS 2 /* most functions in the answer */
#define MOST_NOTES 2
#define MOST_LINES 12 /* most lines of an answer without -v */
#define NAME_ROOM 24 /* a node's name has its own line if fewer columns are left */
#define MOST_NAMES 6	/* most names in a list; of the others only the number */

void why_print__put_line_in(struct output *o, enum output_style style, const char *head,
			struct sb *text)
{
	sb__printf(&o->text, "  %-*s", TEXT_COLUMN - 2, head);
	output__wrap_in(o, style, TEXT_COLUMN, TEXT_COLUMN, sb__str(text));
	sb__clear(text);
}

void why_print__put_line(struct output *o, const char *head, struct sb *text)
{
	why_print__put_line_in(o, STYLE_PLAIN, head, text);
}

static void put_command(struct output *o, const char *head, const char *command)
{
	if (!*command)
		return;
	sb__printf(&o->text, "  %-*s", TEXT_COLUMN - 2, head);
	output__command(o, TEXT_COLUMN, TEXT_COLUMN + 1, command);
}

/* Put a unit. "% clocks" means percent of clocks; nodes of a tree are in percent of slots. */
static void put_unit(const char *unit, struct sb *sb)
{
	if (!unit__is_share(unit))
		sb__printf(sb, "%s%s", *unit ? " " : "", unit);
	else if (strcmp(unit, SHARE_UNIT))
		sb__printf(sb, " %% of %s", unit + strcspn(unit, " ") + 1);
	else
		sb__puts(sb, " % of slots");
}

void why_print__put_value(const struct way_node *n, struct sb *sb)
{
	sb__printf(sb, "%.1f", n->value);
	put_unit(n->unit, sb);
	if (isnan(n->error))
		sb__puts(sb, " +- ?");
	else if (n->error > 0)
		sb__printf(sb, " +- %.1f", n->error < 0.1 ? 0.1 : n->error);
}

void why_print__put_name(const char *name, struct sb *sb)
{
	const struct metric_words *words = metric_words__find(name);

	if (words)
		sb__printf(sb, "%s (%s)", words->plain, name);
	else
		sb__puts(sb, name);
}

/* Put a line for each node. Its meaning follows on another line, with -v or for the last node. */
static void put_path(const struct way *way, bool all, bool tight, struct output *o)
{
	const char *corner = strcmp(nl_langinfo(CODESET), "UTF-8") ? "`- " : "└ ";
	auto_free(sb) text = SB_INIT;

	for (int i = 0; i < way->path.nr; i++) {
		const struct way_node *n = &way->path.at[i];
		const struct metric_words *words = metric_words__find(n->name);
		enum output_style style = n->useful ? STYLE_STRONG : STYLE_BAD;
		int column;

		sb__printf(&o->text, "  %*s%s", i ? 2 * (i - 1) : 0, "", i ? corner : "");
		column = 2 + 2 * i;
		sb__clear(&text);
		why_print__put_value(n, &text);
		column += text__width(sb__str(&text)) + 2;
		output__begin_style(o, style);
		sb__puts(&o->text, sb__str(&text));
		output__end_style(o, style);
		if (o->width - column < NAME_ROOM) {
			column = 2 * i + 4;
			output__end_line(o);
			sb__printf(&o->text, "%*s", column, "");
		} else {
			sb__puts(&o->text, "  ");
		}
		sb__clear(&text);
		why_print__put_name(n->name, &text);
		output__wrap_in(o, STYLE_STRONG, column, column, sb__str(&text));
		if (words && (all || (i == way->path.nr - 1 && !tight)))
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

		sb__printf(&sb, "%s%s %.1f", i ? ", " : "",
			   words ? words->plain : list->at[i].name, list->at[i].value);
		put_unit(list->at[i].unit, &sb);
	}
	if (list->nr > MOST_NAMES)
		sb__printf(&sb, " and %d more", list->nr - MOST_NAMES);
	why_print__put_line(o, head, &sb);
}

/*
 * Put why the way ends here. If the reason is that the last node's children are small, only -v
 * prints it.
 */
static void put_state(const struct way *way, bool all, struct output *o)
{
	static const char *const words[] = {
		[WAY_NOTHING] = "nothing was measured",
		[WAY_GOES_ON] = "its children were not measured",
		[WAY_UNDECIDED] = "it is not certain what comes next",
		[WAY_LEAF] = "",
		[WAY_UNDER] = "none of its children is over its threshold",
		[WAY_IMPOSSIBLE] = "the values of its children are impossible",
		[WAY_NO_LOSS] = "no loss is over its threshold",
		[WAY_NONE] = "there is no answer",
	};
	auto_free(sb) sb = SB_INIT;

	if (!*words[way->state] || (way->state == WAY_UNDER && !all))
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

/* If counts do not depend on the program, they are not a reason to change it. */
bool why__has_advice(void)
{
	return !simulated__machine() || simulated__follows();
}

static void put_synthetic(struct output *o)
{
	static const char *const words[] = {
		[SIM_FOLLOWS_NOTHING] = "they do not follow your program: nothing is advised",
		[SIM_FOLLOWS_SCRIPT] = "they follow the script in the machine's file",
		[SIM_FOLLOWS_COMMAND] = "the machine's rates were written to fit this program",
	};
	auto_free(sb) sb = SB_INIT;

	if (!simulated__machine())
		return;
	sb__printf(&sb, "synthetic: %s", words[simulated__follows()]);
	why_print__put_line(o, "counts", &sb);
}

/* Put what to try, and how much this can gain at most. */
static void put_remedy(const struct way *way, bool tight, struct output *o)
{
	const struct way_node *end = way->path.nr ? &way->path.at[way->path.nr - 1] : NULL;
	const struct metric_words *words = end ? metric_words__find(end->name) : NULL;
	auto_free(sb) sb = SB_INIT;

	if (end && !end->has_threshold) {
		sb__puts(&sb, "the largest part that is lost: the tables have no thresholds");
		why_print__put_line(o, "chosen", &sb);
	}
	if (!why__has_advice())
		return;
	if (words)
		sb__puts(&sb, words->remedy);
	if (way->bound > 1 && !tight)
		sb__printf(&sb, "%sithout it at most %.2f times as fast.", words ? " W" : "W",
			   way->bound);
	if (sb.len)
		why_print__put_line(o, "try", &sb);
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

/* Put the time that the answer covers. */
static void put_validity(const struct why_answer *a, const struct way *way, struct sb *sb)
{
	if (!a->ways.goes_on)
		sb__puts(sb, "the answer covers whole runs");
	else
		sb__printf(sb, "the answer covers %.1f s to %.1f s%s", way->since_ns * NS,
			   way->until_ns * NS,
			   way__is_mixed(way) ? ", which has more than one phase" : "");
}

/* List the phases with their times. */
static void put_all_phases(const struct way *way, struct output *o)
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
}

static void why_print__put_phases(const struct why_answer *a, const struct way *way, bool all,
				  struct output *o)
{
	bool listed = all && way->phases.nr;
	auto_free(sb) sb = SB_INIT;

	if (!way->phases.nr && !way->changes)
		return;
	if (listed)
		put_all_phases(way, o);
	else if (way->phases.nr)
		sb__printf(&sb, "%d (-v lists them); ", way->phases.nr);
	else
		sb__puts(&sb, "the first level changed back and forth; ");
	put_validity(a, way, &sb);
	why_print__put_line(o, listed ? "" : "phases", &sb);
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

/* Put why the search ended early; with -v also how many runs it took. */
static void put_cost(const struct why_answer *a, bool all, struct output *o)
{
	auto_free(sb) sb = SB_INIT;
	double seconds = 0;
	int runs = 0;

	if (!all) {
		sb__puts(&sb, a->ended ?: "");
		if (sb.len)
			why_print__put_line(o, "ended", &sb);
		return;
	}
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

static void put_next(const struct why_answer *a, const struct way *way, bool all,
		     struct output *o)
{
	auto_free(sb) sb = SB_INIT;

	why__put_measure(a, way, &sb);
	put_command(o, "next:", sb__str(&sb));
	if (!all)
		return;
	sb__clear(&sb);
	why__put_record(a, way, &sb);
	put_command(o, "sample:", sb__str(&sb));
}

/* Put names of nodes whose shares are impossible. */
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
		why_print__put_line(o, "impossible", &sb);
}

/* --- The whole ------------------------------------------------------------------------------- */

/**
 * struct why_page - an answer that is being printed
 * @all: print everything
 * @tight: omit what only -v must show
 * @functions, @notes: most functions and notes without @all
 * @head: the lines before those of the source
 * @tail: the lines after those of the source
 */
struct why_page {
	const struct why_answer *a;
	struct output *o;
	bool all, tight;
	int functions, notes;
	struct output head, tail;
};

static void begin_page(struct why_page *p)
{
	output__begin_part(&p->head, p->o);
	output__begin_part(&p->tail, p->o);
}

/* Print the parts. The lines that are left over are for the source. */
static void end_page(struct why_page *p, const struct why_samples *s)
{
	int left = MOST_LINES - output__lines(&p->head) - output__lines(&p->tail);

	output__end_part(&p->head, p->o);
	if (s && s->where.nr)
		why_source__put(&s->where.at[0], p->all ? INT_MAX : left, p->o);
	output__end_part(&p->tail, p->o);
}

static void put_ran(struct why_page *p, const char *cgroup)
{
	const struct why_answer *a = p->a;
	struct output *o = &p->head;
	auto_free(sb) sb = SB_INIT;

	why_ran__put(&a->ran, cgroup, &sb);
	if (sb.len)
		why_print__put_line(o, "ran", &sb);
	if (!cgroup && a->samples.nr == 1 && !a->ran.has_cgroups)
		why_ran__put_threads(&a->samples.at[0].where.threads, &sb);
	if (sb.len)
		why_print__put_line(o, o->text.len ? "" : "ran", &sb);
}

static void put_busiest(struct why_page *p)
{
	const struct why_busiest *b = &p->a->busiest;
	auto_free(sb) sb = SB_INIT;

	why_busiest__put(b, &sb);
	if (!sb.len)
		return;
	why_print__put_line(&p->head, "busiest", &sb);
	if (!why_busiest__has_process(b) || process_pick__is_refused(b->pid))
		return;
	sb__printf(&sb, "tma why -p %d", b->pid);
	put_command(&p->head, "of it:", sb__str(&sb));
}

/* Find the samples for a way: those of its cgroup, if it is the cgroup's main way. */
static const struct why_samples *samples_of(const struct why_answer *a, const struct way *way)
{
	const struct why_samples *s;

	vec__for_each (s, &a->samples)
		if (why__main_way(a, s->cgroup) == way)
			return s;
	return NULL;
}

static void put_where(struct why_page *p, const struct why_samples *s)
{
	if (!s)
		return;
	print_where__put_hottest(s, p->all, &p->head);
	print_where__put_rest(s, p->all, p->tight, p->notes, &p->tail);
}

static void put_parts(struct why_page *p, const struct way *way, const struct why_samples *s)
{
	put_whose(way, &p->head);
	if (way->cgroup)
		put_ran(p, way->cgroup);
	put_path(way, p->all, p->tight, &p->head);
	put_state(way, p->all, &p->head);
	why_print__put_misfits(way, &p->head);
	why_print__put_list(&way->between, way->between.nr > 1 ? "between" : "perhaps", &p->head);
	put_where(p, s);
	print_functions__put(way, p->all, p->functions, &p->tail);
	if (!p->tight || p->a->ways.goes_on)
		why_print__put_phases(p->a, way, p->all, &p->tail);
	if (p->all) {
		why_print__put_list(&way->others, "also over", &p->tail);
		why_print__put_list(&way->out, "ruled out", &p->tail);
	}
	put_remedy(way, p->tight, &p->tail);
	put_synthetic(&p->tail);
	put_next(p->a, way, p->all, &p->tail);
}

/* Put an answer. If it has too many lines, put it again without the least useful ones. */
static void put_answer(struct why_page *p, const struct way *way)
{
	static const struct {
		bool tight;
		int functions, notes;
	} forms[] = {{false, MOST_FUNCTIONS, MOST_NOTES},
		     {true, MOST_FUNCTIONS, 1},
		     {true, 1, 1},
		     {true, 1, 0},
		     {true, 0, 1}};
	const struct why_samples *s = samples_of(p->a, way);
	size_t before = p->head.text.len;

	for (int i = 0; i < array__nr(forms); i++) {
		sb__truncate(&p->head.text, before);
		sb__clear(&p->tail.text);
		p->tight = forms[i].tight;
		p->functions = forms[i].functions;
		p->notes = forms[i].notes;
		put_parts(p, way, s);
		if (p->all ||
		    output__lines(&p->head) + output__lines(&p->tail) < MOST_LINES)
			break;
	}
	p->tight = false;
	p->notes = MOST_NOTES;
	end_page(p, s);
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

/* Put why there are only samples of time: there are no counters. */
static void put_time_alone(struct why_page *p)
{
	auto_free(sb) sb = SB_INIT;

	if (!*p->a->no_counters)
		return;
	sb__printf(&sb, "%s: the answer shows only where time is spent", p->a->no_counters);
	why_print__put_line(&p->head, "end", &sb);
}

static void put_next_alone(struct why_page *p)
{
	auto_free(sb) sb = SB_INIT;

	if (!*p->a->no_counters)
		return;
	why__put_record(p->a, NULL, &sb);
	put_command(&p->tail, "next:", sb__str(&sb));
}

static void put_samples_alone(struct why_page *p, const struct why_samples *s)
{
	if (s->cgroup) {
		text__clean(&p->head.text, s->cgroup, strlen(s->cgroup), "");
		sb__putc(&p->head.text, ':');
		output__end_line(&p->head);
	}
	put_where(p, s);
}

static void put_ways(struct why_page *p)
{
	const struct way *way;

	vec__for_each (way, &p->a->ways) {
		if (way->state == WAY_NOTHING && p->a->ways.nr > 1)
			continue;
		put_answer(p, way);
		begin_page(p);
	}
}

/* Put samples without a way: the computer has no counters, or the cgroup was idle. */
static void put_other_samples(struct why_page *p)
{
	const struct why_samples *s;

	vec__for_each (s, &p->a->samples) {
		if (why__main_way(p->a, s->cgroup))
			continue;
		put_samples_alone(p, s);
		if (s == &p->a->samples.at[p->a->samples.nr - 1])
			put_next_alone(p);
		end_page(p, s);
		begin_page(p);
	}
}

static void put_findings(struct why_page *p)
{
	auto_free(sb) sb = SB_INIT;

	put_ways(p);
	put_time_alone(p);
	put_other_samples(p);
	if (!p->a->no_samples)
		return;
	sb__puts(&sb, p->a->no_samples);
	why_print__put_line(&p->head, "where", &sb);
}

void why__print(struct why_answer *a, bool all, struct output *o)
{
	struct why_page page = {.a = a, .o = o, .all = all, .notes = MOST_NOTES};
	struct why_samples *samples;

	vec__for_each (samples, &a->samples)
		print_where__choose(&samples->where);
	begin_page(&page);
	put_ran(&page, NULL);
	put_busiest(&page);
	/* If a target only waited, counters have found nothing. */
	if (!why_ran__waited(&a->ran))
		put_findings(&page);
	end_page(&page, NULL);
	put_cost(a, all, o);
}
