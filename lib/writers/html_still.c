// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parts of a page that need no JavaScript: a picture of the first level over time for each
 * tree, the verdict, and tables (html_tables.c). Their size in memory and in the page does not
 * depend on the number of rows.
 */
#include <math.h>
#include <string.h>

#include "writers/html.h"

#define PICTURE_WIDTH 1000
#define PICTURE_HEIGHT 140
#define PERCENT 100

/* --- Rows to points -------------------------------------------------------------------------- */

static bool html_still__is_in(const struct writer *w, const struct html_still *s, int column)
{
	const struct grid_column *c = own__column(w, column);

	return c->level == 1 && c->cgroup_number == s->cgroup && c->core_name == s->core;
}

static void add_still(struct writer *w, int column, int row)
{
	struct html *h = w->html;
	const struct grid_column *c = own__column(w, column);
	struct html_still *s = &h->stills[h->nr_stills];

	if (own__cell(w, column, row)->status == CELL_ABSENT)
		return;
	h->trees++;
	if (h->nr_stills == STILLS_MOST)
		return;
	*s = (struct html_still){.row = row, .core = c->core_name, .cgroup = c->cgroup_number};
	for (enum grid_part part = PART_NONE; part < PART_NR; part++)
		for (int i = 0; i < w->own->nr_columns && s->nr_bands < BANDS_MOST; i++)
			if (html_still__is_in(w, s, i) && own__column(w, i)->part == part)
				s->bands[s->nr_bands++] = i;
	h->nr_stills++;
}

/* Whether a column is the first metric of level 1 in its tree. */
static bool begins_tree(const struct writer *w, int column)
{
	const struct grid_column *c = own__column(w, column);

	if (c->level != 1)
		return false;
	for (int i = 0; i < column; i++) {
		const struct grid_column *other = own__column(w, i);

		if (other->level == 1 && other->cgroup_number == c->cgroup_number &&
		    other->core_name == c->core_name)
			return false;
	}
	return true;
}

void html_still__begin(struct writer *w)
{
	struct html *h = w->html;

	for (int i = 0; i < w->own->nr_columns; i++)
		for (int row = 0; begins_tree(w, i) && row < w->grid->nr_rows; row++)
			add_still(w, i, row);
	for (int i = 0; i < h->nr_stills; i++) {
		struct html_still *s = &h->stills[i];

		s->most = STILL_POINTS / h->nr_stills;
		s->most &= ~1;
		s->rows_of_point = 1;
		s->points = arena__calloc(&w->memory, (size_t)s->most * BANDS_MOST,
					  sizeof(*s->points));
		s->lengths = arena__calloc(&w->memory, s->most, sizeof(*s->lengths));
	}
}

/* When there is no room for a row, merge the points in pairs. */
static void halve(struct html_still *s)
{
	for (int i = 0; i < s->most; i++) {
		double *to = &s->points[(size_t)(i / 2) * BANDS_MOST];
		const double *from = &s->points[(size_t)i * BANDS_MOST];

		for (int b = 0; b < BANDS_MOST; b++)
			to[b] = from[b] + (i % 2 ? to[b] : 0);
		s->lengths[i / 2] = s->lengths[i] + (i % 2 ? s->lengths[i / 2] : 0);
	}
	s->nr = s->most / 2;
	s->rows_of_point *= 2;
	memset(&s->points[(size_t)s->nr * BANDS_MOST], 0,
	       (size_t)(s->most - s->nr) * BANDS_MOST * sizeof(*s->points));
	memset(&s->lengths[s->nr], 0, (s->most - s->nr) * sizeof(*s->lengths));
}

static void html_still__add_row(struct writer *w, struct html_still *s, double seconds)
{
	double values[BANDS_MOST] = {0};

	if (s->nr == s->most)
		halve(s);
	for (int b = 0; b < s->nr_bands; b++)
		values[b] = html__value(own__cell(w, s->bands[b], s->row));
	s->rows++;
	for (int b = 0; b < s->nr_bands; b++)
		if (!isfinite(values[b]))
			seconds = 0;
	for (int b = 0; seconds > 0 && b < s->nr_bands; b++)
		s->points[(size_t)s->nr * BANDS_MOST + b] += values[b] * seconds;
	s->lengths[s->nr] += seconds;
	if (s->rows < s->rows_of_point)
		return;
	s->rows = 0;
	s->nr++;
}

void html_still__take(struct writer *w, double seconds)
{
	for (int i = 0; i < w->html->nr_stills; i++)
		html_still__add_row(w, &w->html->stills[i], seconds);
}

/* --- Pictures -------------------------------------------------------------------------------- */

void html__put_place(struct writer *w, int column, int row, struct sb *sb)
{
	const struct grid *g = w->grid;
	const struct grid_column *c = own__column(w, column);

	sb__clear(&w->scratch);
	row__label(w, g->aggr, &g->rows[row], &w->scratch);
	page__put_text(sb, sb__str(&w->scratch));
	if (g->has_cgroups && c->cgroup) {
		sb__puts(sb, w->scratch.len ? " " : "");
		page__put_text(sb, c->cgroup);
	}
	if (c->core_name) {
		sb__puts(sb, w->scratch.len || (g->has_cgroups && c->cgroup) ? " " : "");
		page__put_text(sb, c->core_name);
	}
}

/* Return: the class of a band; it gives a node the same colour in all pages. */
static int colour_of(const struct writer *w, const struct html_still *s, int band)
{
	enum grid_part part = own__column(w, s->bands[band])->part;

	return part > PART_NONE && part < PART_OTHER ? (int)part - PART_RETIRING : 4 + band % 4;
}

/* Return: the sum of the bands up to a given band, at a point, as a distance from the top. */
static int height_at(const struct html_still *s, int point, int band)
{
	const double *at = &s->points[(size_t)point * BANDS_MOST];
	double sum = 0;

	for (int b = 0; b <= band; b++)
		sum += at[b] > 0 ? at[b] / s->lengths[point] : 0;
	sum = sum > PERCENT ? PERCENT : sum;
	return lround(PICTURE_HEIGHT - sum * PICTURE_HEIGHT / PERCENT);
}

static bool is_known(const struct html_still *s, int point)
{
	return s->lengths[point] > 0;
}

/* Draw a band from its upper edge down to the ground; bands below are drawn later and cover it. */
static void put_band(const struct html_still *s, int nr, int band, int colour, struct sb *sb)
{
	bool open = false;

	sb__printf(sb, "<path class=\"b%d\" d=\"", colour);
	for (int i = 0; i < nr; i++) {
		int left = i * PICTURE_WIDTH / nr, right = (i + 1) * PICTURE_WIDTH / nr;

		if (!is_known(s, i)) {
			sb__printf(sb, open ? "V%dz" : "", PICTURE_HEIGHT);
			open = false;
			continue;
		}
		if (!open)
			sb__printf(sb, "M%d %d", left, PICTURE_HEIGHT);
		sb__printf(sb, "V%dH%d", height_at(s, i, band), right);
		open = true;
	}
	sb__printf(sb, open ? "V%dz\"/>\n" : "\"/>\n", PICTURE_HEIGHT);
}

/* In a run without intervals the picture is a single point, the total. */
static void fill_whole(struct writer *w, struct html_still *s)
{
	const struct html *h = w->html;

	s->lengths[0] = 1;
	for (int b = 0; b < s->nr_bands; b++) {
		double value = h->whole.values[html_series(w, s->bands[b], s->row)];

		s->points[b] = value;
		if (!isfinite(value))
			s->lengths[0] = 0;
	}
}

static double mean_of(const struct html_still *s, int nr, int band)
{
	double sum = 0, seconds = 0;

	for (int i = 0; i < nr; i++) {
		sum += is_known(s, i) ? s->points[(size_t)i * BANDS_MOST + band] : 0;
		seconds += s->lengths[i];
	}
	return sum / seconds;
}

static void put_legend(struct writer *w, const struct html_still *s, int nr, struct sb *sb)
{
	sb__puts(sb, "<figcaption>");
	html__put_place(w, s->bands[0], s->row, sb);
	for (int b = 0; b < s->nr_bands; b++) {
		sb__printf(sb, " <span class=\"key\"><i class=\"b%d\"></i>", colour_of(w, s, b));
		page__put_text(sb, w->own->columns[s->bands[b]].name);
		sb__printf(sb, " %.1f&nbsp;%%</span>", mean_of(s, nr, b));
	}
	sb__puts(sb, "</figcaption>");
}

static void put_picture(struct writer *w, struct html_still *s, struct sb *sb)
{
	const struct html *h = w->html;
	int nr = s->nr + (s->rows > 0), known = 0;

	if (!h->rows && h->has_whole) {
		fill_whole(w, s);
		nr = 1;
	}
	for (int i = 0; i < nr; i++)
		known += is_known(s, i);
	if (!known)
		return;
	sb__puts(sb, "<figure>");
	/* Without intervals there is only a legend. */
	if (nr == 1) {
		put_legend(w, s, nr, sb);
		sb__puts(sb, "</figure>\n");
		return;
	}
	sb__printf(sb,
		   "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" "
		   "aria-label=\"Shares of the first level over time, from %.3f s to %.3f s\">\n",
		   PICTURE_WIDTH, PICTURE_HEIGHT, h->first_ns * 1e-9, h->last_ns * 1e-9);
	for (int b = s->nr_bands - 1; b >= 0; b--)
		put_band(s, nr, b, colour_of(w, s, b), sb);
	sb__puts(sb, "</svg>");
	put_legend(w, s, nr, sb);
	sb__puts(sb, "</figure>\n");
}

static void put_pictures(struct writer *w, struct sb *sb)
{
	struct html *h = w->html;

	if (!h->nr_stills)
		return;
	sb__puts(sb, "<div class=\"still\">\n");
	for (int i = 0; i < h->nr_stills; i++)
		put_picture(w, &h->stills[i], sb);
	if (h->trees > h->nr_stills)
		sb__printf(sb, "<p>%d more pictures are drawn with JavaScript.</p>\n",
			   h->trees - h->nr_stills);
	sb__puts(sb, "</div>\n");
}

/* --- All of it ------------------------------------------------------------------------------- */

void html_still__put(struct writer *w, struct sb *sb)
{
	struct html *h = w->html;

	sb__puts(sb, "<h2>");
	page__put_text(sb, h->head);
	sb__puts(sb, "</h2>\n");
	if (h->verdict.len) {
		sb__puts(sb, "<pre class=\"verdict\" aria-label=\"Verdict\" tabindex=\"0\">");
		page__put_text(sb, sb__str(&h->verdict));
		sb__puts(sb, "</pre>\n");
	}
	html_tables__put_functions(w, sb);
	put_pictures(w, sb);
	sb__puts(sb, "<div class=\"live\"></div>\n");
	html_tables__put_phases(w, sb);
	html_tables__put_reasons(w, sb);
	html_tables__put_values(w, sb);
	sb__puts(sb, "<div class=\"values\"></div>\n");
}
