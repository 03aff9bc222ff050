// SPDX-License-Identifier: GPL-2.0-only
/* Match the sites of several sides, and fold small matches together. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "verdict/compared_sites.h"

#define LEAST_SHARE 0.01 /* a match has a row if it has this share of the time of a side */
#define MOST_MATCHES 32	 /* greatest number of matches with a row */
#define NEARLY_ALL 0.9
#define THE_PROGRAM "the program" /* name of the program if sides run files of different names */

static double total_of(const struct site_values *runs)
{
	double sum = 0;

	for (int i = 0; i < runs->nr; i++)
		sum += runs->at[i];
	return sum;
}

/* --- Matching ------------------------------------------------------------------------------ */

/*
 * Whether two sites have the same name. The programs that the sides run count as one name, even if
 * their names differ.
 */
static bool same_name(const struct compared_sites *s, int a, int b)
{
	return (s->at[a].is_program && s->at[b].is_program) ||
	       !strcmp(s->at[a].name, s->at[b].name);
}

static bool match_sites__is_of(const struct compared_sites *s, int site, int side)
{
	return total_of(&s->at[site].runs[side]) > 0;
}

static int nr_sides_of(const struct compared_sites *s, int site)
{
	int nr = 0;

	for (int side = 0; side < s->nr_sides; side++)
		nr += match_sites__is_of(s, site, side);
	return nr;
}

/* Whether the unmatched sites of a name are the same: no side has two of them. */
static bool are_one(const struct compared_sites *s, int site)
{
	for (int side = 0; side < s->nr_sides; side++) {
		int nr = 0;

		for (int i = 0; i < s->nr; i++)
			nr += s->at[i].match < 0 && same_name(s, i, site) &&
			      match_sites__is_of(s, i, side);
		if (nr > 1)
			return false;
	}
	return true;
}

static bool is_only_of_name(const struct compared_sites *s, int site)
{
	int nr = 0;

	for (int i = 0; i < s->nr; i++)
		nr += same_name(s, i, site) && nr_sides_of(s, i);
	return nr == 1;
}

static void add_match(struct compared_sites *s, int site, bool by_file)
{
	const struct compared_site *first = &s->at[site];
	const char *object = *first->object ? first->object : THE_PROGRAM, *name = first->name;

	for (int i = 0; i < s->nr; i++)
		if (same_name(s, i, site) && strcmp(s->at[i].name, name) != 0)
			name = THE_PROGRAM;
	by_file = by_file && !is_only_of_name(s, site);
	vec__push(&s->matches,
		  (struct site_match){.name = by_file ? xasprintf("%s (%s)", name, object)
						      : xstrdup(name),
				      .object = object});
}

/* Add all unmatched sites with the name of @site to the last match. */
static void match_name(struct compared_sites *s, int site)
{
	for (int i = site; i < s->nr; i++)
		if (s->at[i].match < 0 && same_name(s, i, site))
			s->at[i].match = s->matches.nr - 1;
}

/*
 * Match sites of a name if several sides have them in files of the same name. Then match the rest.
 */
static void match_apart(struct compared_sites *s, int site)
{
	bool one;

	for (int i = site; i < s->nr; i++)
		if (s->at[i].match < 0 && same_name(s, i, site) && nr_sides_of(s, i) > 1) {
			add_match(s, i, true);
			s->at[i].match = s->matches.nr - 1;
		}
	one = are_one(s, site);
	for (int i = site; i < s->nr; i++) {
		if (s->at[i].match >= 0 || !same_name(s, i, site))
			continue;
		add_match(s, i, true);
		s->at[i].match = s->matches.nr - 1;
		if (one)
			match_name(s, i);
	}
}

/* --- Folding ------------------------------------------------------------------------------- */

static void find_shares(struct compared_sites *s)
{
	for (int side = 0; side < s->nr_sides; side++) {
		double all = 0;

		for (int i = 0; i < s->nr; i++)
			all += total_of(&s->at[i].runs[side]);
		for (int i = 0; i < s->nr && all > 0; i++)
			s->matches.at[s->at[i].match].share += total_of(&s->at[i].runs[side]) / all;
	}
}

static void fold(struct compared_sites *s)
{
	for (int i = 0; i < s->matches.nr; i++) {
		struct site_match *m = &s->matches.at[i];
		int larger = 0;

		for (int other = 0; other < s->matches.nr; other++)
			larger += s->matches.at[other].share > m->share ||
				  (s->matches.at[other].share == m->share && other < i);
		m->folded = !*m->name || m->share < LEAST_SHARE || larger >= MOST_MATCHES;
	}
}

void compared_sites__match(struct compared_sites *s)
{
	for (int i = 0; i < s->nr; i++) {
		if (s->at[i].match >= 0)
			continue;
		if (!are_one(s, i)) {
			match_apart(s, i);
			continue;
		}
		add_match(s, i, false);
		match_name(s, i);
	}
	find_shares(s);
	fold(s);
}

/* --- What was matched ---------------------------------------------------------------------- */

static bool belongs(const struct compared_sites *s, int site, int match)
{
	int own = s->at[site].match;

	if (match == SITES_ALL)
		return true;
	return match == SITES_FOLDED ? s->matches.at[own].folded : own == match;
}

/* Return: the error of the time of a side with one run. In the sum of all sites errors cancel. */
static double error_of(const struct compared_sites *s, int match, int side)
{
	double sum = 0;

	for (int i = 0; i < s->nr && match != SITES_ALL; i++)
		if (belongs(s, i, match))
			sum += s->at[i].errors[side];
	return sum;
}

void compared_sites__series(const struct compared_sites *s, int match, int side, struct series *out)
{
	for (int run = 0; run < s->nr_runs[side]; run++) {
		double sum = 0;

		for (int i = 0; i < s->nr; i++)
			if (belongs(s, i, match) && run < s->at[i].runs[side].nr)
				sum += s->at[i].runs[side].at[run];
		series__add(out, sum, error_of(s, match, side));
	}
	if (match != SITES_ALL && s->nr_grains[side])
		out->grain = s->grains[side] / s->nr_grains[side];
}

int compared_sites__main(const struct compared_sites *s, int match, int side)
{
	double all = 0, most = 0;
	int main = -1;

	for (int i = 0; i < s->nr; i++) {
		double own = s->at[i].match == match ? total_of(&s->at[i].runs[side]) : 0;

		all += own;
		if (own > most) {
			most = own;
			main = i;
		}
	}
	return most >= NEARLY_ALL * all ? main : -1;
}

int compared_sites__nr_folded(const struct compared_sites *s)
{
	int nr = 0;

	for (int i = 0; i < s->matches.nr; i++) {
		const struct site_match *m = &s->matches.at[i];

		if (!*m->name && m->share > 0)
			return -1;
		nr += m->folded && m->share > 0;
	}
	return nr;
}
