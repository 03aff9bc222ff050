// SPDX-License-Identifier: GPL-2.0-only
/* Prints, for people, the places in the answer of "tma why". */
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/sb.h"
#include "base/text.h"
#include "output.h"
#include "why/print.h"

#define MOST_PLACES 5
#define SHORT_PLACES 2 /* without -v */
#define TOO_FEW_SAMPLES 10 /* with fewer samples, a place is not trusted */
#define FEW_SAMPLES 100 /* with fewer samples, their number is printed */
#define LEAST_PERCENT 1 /* percent of samples that a place needs to be printed */

double why__percent_of(const struct where *w, const struct where_place *p, int event)
{
	return w->weights[event] > 0 ? 100 * p->weights[event] / w->weights[event] : 0;
}

/* Return: a file's path; if the file is in the current folder or below, relative to this folder. */
static const char *from_here(const char *file)
{
	auto_text here = get_current_dir_name();
	size_t len = here ? strlen(here) : 0;

	return len > 1 && !strncmp(file, here, len) && file[len] == '/' ? file + len + 1 : file;
}

static void put_place(const struct where_place *p, struct sb *sb)
{
	if (p->line) {
		const char *file = from_here(p->file);

		text__clean(sb, file, strlen(file), "");
		sb__printf(sb, ":%d in ", p->line);
	}
	if (*p->function) {
		text__clean(sb, p->function, strlen(p->function), "");
		/*
		 * A name of generated code has several words, such as file and line, so it has no
		 * "()".
		 */
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

/*
 * Put the shares of a place in the samples of each event. (The share of another event than time is
 * not a share of time.)
 */
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

/* Put two shares of a place: in the samples of the cause, and in the time. */
static void put_shares(const struct why_samples *s, int place, struct sb *sb)
{
	const struct where *w = &s->where;
	int time = *s->sampled[1] ? 1 : 0;

	if (time && w->samples[0])
		sb__printf(sb, ": %.0f %% of %llu samples", why__percent_of(w, &w->at[place], 0),
			   (unsigned long long)w->samples[0]);
	if (!w->samples[time])
		return;
	sb__printf(sb, "%s%.0f %% of the time", time && w->samples[0] ? ", " : ": ",
		   why__percent_of(w, &w->at[place], time));
	if ((!time || !w->samples[0]) && w->samples[time] < FEW_SAMPLES)
		sb__printf(sb, " (%llu sample%s%s)", (unsigned long long)w->samples[time],
			   w->samples[time] == 1 ? "" : "s",
			   w->samples[time] < TOO_FEW_SAMPLES ? ": too few" : "");
}

static bool is_worth_a_line(const struct where *w, int place, double percent)
{
	return why__percent_of(w, &w->at[place], 0) >= percent ||
	       why__percent_of(w, &w->at[place], 1) >= percent;
}

void print_where__put_hottest(const struct why_samples *s, bool all, struct output *o)
{
	auto_free(sb) sb = SB_INIT;

	if (s->where.nr) {
		put_place(&s->where.at[0], &sb);
		(all ? put_samples : put_shares)(s, 0, &sb);
		why_print__put_line_in(o, STYLE_STRONG, "where", &sb);
	} else {
		sb__puts(&sb, "there are no samples: it ran for too short a time, or not at all");
		why_print__put_line(o, "where", &sb);
	}
}

static void put_other_places(const struct why_samples *s, bool all, struct output *o)
{
	int most = all ? MOST_PLACES : SHORT_PLACES;
	auto_free(sb) sb = SB_INIT;

	for (int i = 1; i < s->where.nr && i < most; i++) {
		if (!is_worth_a_line(&s->where, i, all ? LEAST_PERCENT : TELLING_PERCENT))
			continue;
		put_place(&s->where.at[i], &sb);
		(all ? put_samples : put_shares)(s, i, &sb);
		why_print__put_line(o, "", &sb);
	}
}

static void print_where__put_notes(const struct why_samples *s, bool all, int most,
				   struct output *o)
{
	auto_free(sb) sb = SB_INIT;
	int len, nr = 0;

	text__for_each_item(note, len, sb__str(&s->where.notes), "\n")
	{
		if (!all && nr++ == most)
			break;
		sb__printf(&sb, "%.*s", len, note);
		why_print__put_line(o, "", &sb);
	}
}

void print_where__choose(struct where *w)
{
	if (w->nr && !is_worth_a_line(w, 0, TELLING_PERCENT))
		where__merge_lines(w);
}

void print_where__put_rest(const struct why_samples *s, bool all, bool tight, int notes,
			   struct output *o)
{
	if (!tight)
		put_other_places(s, all, o);
	print_where__put_notes(s, all, notes, o);
}
