// SPDX-License-Identifier: GPL-2.0-only
/* Notes below the tables of an answer: on doubtful runs, and on what is missing. */
#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "base/sb.h"
#include "compare/compare.h"

#define MOST_NAMES 4 /* most names of rows in a note */
#define MOST_SPREAD 5 /* percent of the time: runs that deviate more than this are not steady */

const char *compare__letter(int side)
{
	static const char letters[COMPARE_MOST_SIDES][2] = {
		"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M",
		"N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z"};

	return letters[side];
}

const struct compared *compare__row(const struct compare_answer *a, int place)
{
	int row = a->comparison.order[place];

	return row < 0 ? NULL : &a->comparison.at[row];
}

const struct compared *compare__site_row(const struct compare_answer *a, int side, int place)
{
	int row = a->comparison.site_orders ? a->comparison.site_orders[side][place] : -1;

	return row < 0 ? NULL : &a->comparison.at[row];
}

/* Each side has a table of the whole, and then a table of sites if there are any. */
bool compare_table__find(const struct compare_answer *a, int place, struct compare_table *out)
{
	const struct compared_sites *sites = &a->comparison.sites;
	int each = 1 + (sites->kind != NULL);
	bool cycles = sites->kind && strcmp(sites->unit, "s") != 0;

	*out = (struct compare_table){.side = 1 + place / each, .sites = place % each};
	if (out->sites)
		snprintf(out->head, sizeof(out->head), "%s%s%s", sites->kind, cycles ? ", in " : "",
			 cycles ? sites->unit : "");
	return out->side < a->nr;
}

const struct compared *compare_table__row(const struct compare_answer *a,
					  const struct compare_table *t, int place)
{
	return t->sites ? compare__site_row(a, t->side, place) : compare__row(a, place);
}

int compare__nr_runs(const struct compare_answer *a, int side)
{
	int most = 0;

	for (int i = 0; i < a->comparison.nr; i++)
		if (a->comparison.at[i].series[side].nr > most)
			most = a->comparison.at[i].series[side].nr;
	return most;
}

void compare__put_doubts(const struct compare_answer *a, int side, struct sb *sb)
{
	const struct compared *time = comparison__find(&a->comparison, "time", -1);
	const struct series *s = time ? &time->series[side] : NULL;
	double mean = s ? series__mean(s) : NAN, drift;
	int far;

	if (a->sides[side].failed)
		sb__printf(sb, "%s: %d runs failed\n", compare__letter(side), a->sides[side].failed);
	if (!s || s->nr < 2)
		return;
	far = series__outliers(s);
	drift = series__drift(s);
	if (far)
		sb__printf(sb,
			   "%s: the times of %d of %d runs are outliers: was the machine idle?\n",
			   compare__letter(side), far, s->nr);
	if (drift && fabs(drift) > mean * a->margins.time / 100)
		sb__printf(sb,
			   "%s: the time drifts by %+.1f %% from the first to the last run: try "
			   "--warmup\n",
			   compare__letter(side), 100 * drift / mean);
	if (100 * series__spread(s) > MOST_SPREAD * mean)
		sb__printf(sb,
			   "%s: the runs vary: their times have a standard deviation of %.1f %%\n",
			   compare__letter(side), 100 * series__spread(s) / mean);
}

static bool is_missing(const struct compare_answer *a, const struct compared *row, int side)
{
	return !row->series[side].nr && compare__nr_runs(a, side);
}

/* Whether a saved side (or, without @saved, a measured side) has values of a row. */
static bool notes__is_known(const struct compare_answer *a, const struct compared *row, bool saved)
{
	for (int side = 0; side < a->nr; side++)
		if ((a->sides[side].kind == SIDE_SAVED) == saved && row->series[side].nr)
			return true;
	return false;
}

/* Whether a row is missing because runs were saved with other options than the current ones. */
static bool notes__is_left_out(const struct compare_answer *a, const struct compared *row, int side)
{
	bool now = notes__is_known(a, row, false), saved = notes__is_known(a, row, true);

	if (!is_missing(a, row, side) || !strcmp(row->name, PEAK_MEMORY))
		return false;
	return a->sides[side].kind == SIDE_SAVED ? now || saved : saved && !now;
}

/* Name the rows that a side lacks because its options were different. */
static void note_left_out(const struct compare_answer *a, int side, struct sb *sb)
{
	auto_free(sb) names = SB_INIT;
	bool saved = a->sides[side].kind == SIDE_SAVED;
	const struct compared *row;
	int nr = 0;

	for (int i = 0; (row = compare__row(a, i)); i++)
		if (notes__is_left_out(a, row, side) && ++nr <= MOST_NAMES)
			sb__printf(&names, "%s%s", nr > 1 ? ", " : "", row->name);
	if (nr > MOST_NAMES)
		sb__printf(&names, " and %d more", nr - MOST_NAMES);
	if (nr && saved)
		sb__printf(sb, "%s: '%s' was saved without %s\n", compare__letter(side),
			   a->sides[side].name, sb__str(&names));
	else if (nr)
		sb__printf(sb, "%s: measured without %s, as the saved runs had other options\n",
			   compare__letter(side), sb__str(&names));
}

/* Note rows without values: if runs are too short, some groups of events are never counted. */
static void note_unmeasured(const struct compare_answer *a, struct sb *sb)
{
	int nr = 0, all = 0;

	for (; compare__row(a, all); all++) {
		bool missing = false;

		if (!strcmp(compare__row(a, all)->name, PEAK_MEMORY))
			continue;

		for (int side = 0; side < a->nr; side++)
			missing |= is_missing(a, compare__row(a, all), side) &&
				   !notes__is_left_out(a, compare__row(a, all), side);
		nr += missing;
	}
	if (nr)
		sb__printf(sb,
			   "%d of %d rows were not measured: tma stat --verdict with the same "
			   "command or recording says why\n",
			   nr, all);
}

/*
 * Note that CPUs differ: formulas of two models use different events, and pipelines have different
 * widths. Return: whether CPUs differ, which explains missing rows.
 */
static bool note_cpus(const struct compare_answer *a, struct sb *sb)
{
	size_t before = sb->len;

	for (int side = 1; side < a->nr; side++) {
		const char *one = a->sides[0].cpu, *other = a->sides[side].cpu;

		if (one && other && strcmp(one, other))
			sb__printf(sb,
				   "%s and %s ran on different CPUs, %s and %s: each has its own "
				   "formulas, and some rows exist on only one of them\n",
				   compare__letter(0), compare__letter(side), one, other);
	}
	return sb->len > before;
}

/* Note that computers differ: saved runs and recordings may be from other computers. */
static void note_computers(const struct compare_answer *a, struct sb *sb)
{
	for (int side = 1; side < a->nr; side++)
		if (compare__nr_runs(a, side) && (a->sides[0].kind != SIDE_COMMAND ||
						  a->sides[side].kind != SIDE_COMMAND))
			compare_about__put_differences(a, side, sb);
}

static void note_memory(const struct compare_answer *a, struct sb *sb)
{
	const struct compared *row = comparison__find(&a->comparison, PEAK_MEMORY, -1);

	for (int side = 0; row && side < a->nr; side++)
		if (row->series[side].nr < compare__nr_runs(a, side))
			sb__printf(sb,
				   "%s: the peak of memory is unknown if it is below tma's own, "
				   "%.1f MB: the kernel counts it from before the command starts\n",
				   compare__letter(side), a->comparison.least_memory / 1e6);
}

static bool knows_errors(const struct compare_answer *a, int side)
{
	const struct compared *row;

	for (int i = 0; (row = compare__row(a, i)); i++)
		if (row->series[side].nr_errors)
			return true;
	return false;
}

static void note_times_alone(const struct compare_answer *a, struct sb *sb)
{
	bool more = a->comparison.counts || a->comparison.metrics;

	if (*a->why_times)
		sb__printf(sb, "%s: %s\n", a->why_times,
			   more ? "there is no tree" : "only times are compared");
	if (a->counter)
		sb__printf(sb,
			   "instructions are counted by %s: the counts repeat, but tell nothing "
			   "about caches, branches and time\n",
			   a->counter);
}

static bool has_site(const struct compare_answer *a, int side, enum site_presence presence)
{
	const struct compared *row;

	for (int i = 0; (row = compare__site_row(a, side, i)); i++)
		if (compared__find_presence(row, side) == presence)
			return true;
	return false;
}

/*
 * Note that functions may have moved: samples do not show whether a function was renamed or
 * inlined.
 */
static void note_moved(const struct compare_answer *a, struct sb *sb)
{
	for (int side = 1; side < a->nr; side++)
		if (has_site(a, side, SITE_GONE) && has_site(a, side, SITE_APPEARED))
			sb__printf(sb,
				   "%s: a renamed %s is gone under its old name and appears under "
				   "the new one; the time of an inlined one is now its caller's\n",
				   compare__letter(side), a->comparison.sites.kind);
}

/*
 * Note sides without rows of code: runs that were saved without such rows, and counts in another
 * unit.
 */
static void note_without_sites(const struct compare_answer *a, struct sb *sb)
{
	const struct compared_sites *s = &a->comparison.sites;

	for (int side = 0; s->kind && side < a->nr; side++)
		if (compare__nr_runs(a, side) && !s->nr_runs[side])
			sb__printf(sb, "%s: nothing is known by %s%s\n", compare__letter(side),
				   s->kind,
				   s->mixed ? ": it was counted in another unit"
				   : a->sides[side].kind == SIDE_SAVED
					   ? ": the runs were saved without"
					   : ", as there are no samples");
}

void compare__put_notes(const struct compare_answer *a, struct sb *sb)
{
	bool differ = note_cpus(a, sb);

	note_computers(a, sb);
	for (int side = 0; side < a->nr; side++)
		compare__put_doubts(a, side, sb);
	if (!differ)
		note_unmeasured(a, sb);
	for (int side = 0; !differ && side < a->nr; side++)
		note_left_out(a, side, sb);
	note_memory(a, sb);
	note_without_sites(a, sb);
	note_moved(a, sb);
	note_times_alone(a, sb);
	for (int side = 0; a->recorded && side < a->nr; side++)
		if (compare__nr_runs(a, side) < 2 && !knows_errors(a, side))
			sb__printf(sb,
				   "%s: a single value has no error: record %d intervals or more "
				   "(-I), repeat runs (-r), or compare commands\n",
				   compare__letter(side), SERIES_INTERVALS);
	if (a->ended)
		sb__printf(sb, "%s: ended with the runs so far\n", a->ended);
}
