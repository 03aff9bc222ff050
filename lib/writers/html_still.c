// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a page shows without JavaScript: a picture of the first level over time for each tree, the
 * verdict, what was not measured, and a table of means. It takes the same room however many rows
 * there were, in memory and in the page.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "writers/html.h"

#define PICTURE_WIDTH 1000
#define PICTURE_HEIGHT 140
#define PERCENT 100
#define LINES_MOST 160 /* of the table of means, with a place in each */
#define CELLS_MOST 2000	/* of the one with a column for each */
#define CODES_SHOWN 60
#define DIGITS 3 /* after the first one of a value, or after its point */
#define DIGITS_MOST 11

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

/* A tree begins with the first of its metrics of level 1. */
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

/* Where there is no room for a row, each point takes in the next one. */
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

/* What a node means has the same colour in all pages: the class of a band. */
static int colour_of(const struct writer *w, const struct html_still *s, int band)
{
	enum grid_part part = own__column(w, s->bands[band])->part;

	return part > PART_NONE && part < PART_OTHER ? (int)part - PART_RETIRING : 4 + band % 4;
}

/* The sum of the bands up to one, at a point, as a height from the top. */
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

/* A band is drawn from where it ends down to the ground: those below come later, and cover it. */
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

/* The total of a run without intervals is a picture of one point. */
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
	/* Without intervals there is nothing to draw over time. */
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
		sb__printf(sb, "<p>%d more are drawn with JavaScript.</p>\n",
			   h->trees - h->nr_stills);
	sb__puts(sb, "</div>\n");
}

/* --- Tables ---------------------------------------------------------------------------------- */

static void html_still__put_number(double value, struct sb *sb)
{
	double size = fabs(value);

	if (!isfinite(value))
		return;
	if (size >= 1e5 || value == floor(value))
		sb__printf(sb, "%.0f", value);
	else
		sb__printf(sb, size < 10 ? "%.3g" : "%.1f", value);
}

static int magnitude(double value)
{
	return value ? (int)floor(log10(fabs(value))) : 0;
}

/* A value has as many digits as its error, which has two; but no more than anybody reads. */
static void html_still__put_with_error(double value, double error, struct sb *sb)
{
	int digits = 1 - magnitude(error), most = DIGITS - magnitude(value);

	most = most > DIGITS ? most : DIGITS;
	digits = digits > most ? most : digits < 0 ? 0 : digits;
	if (digits > DIGITS_MOST)
		sb__printf(sb, "%.6g &#177;&nbsp;%.2g", value, error);
	else
		sb__printf(sb, "%.*f &#177;&nbsp;%.*f", digits, value, digits,
			   figure__shown_error(error, digits));
}

static void html_still__put_cell(double value, struct sb *sb)
{
	sb__puts(sb, "<td>");
	html_still__put_number(value, sb);
	sb__puts(sb, "</td>");
}

static bool is_there(const struct writer *w, int series)
{
	const struct html *h = w->html;
	double whole = h->has_whole ? h->whole.values[series] : (double)NAN;

	if (w->grid->skip_idle)
		return h->tallies[series].most > 0 || whole > 0;
	return h->tallies[series].nr || h->tallies[series].told ||
	       (h->has_whole && (isfinite(h->whole.values[series]) ||
				 h->codes[h->whole.codes[series]].status < CELL_ABSENT));
}

static double mean_of_series(const struct writer *w, int series)
{
	const struct html_tally *t = &w->html->tallies[series];

	return t->nr ? t->weighted / t->seconds : w->html->whole.values[series];
}

static void put_total(const struct writer *w, int series, struct sb *sb)
{
	const struct html *h = w->html;
	double value = h->whole.values[series], error = h->whole.errors[series];

	sb__puts(sb, "<td>");
	if (isfinite(value) && error > 0 && isfinite(error)) {
		html_still__put_with_error(value, error, sb);
	} else if (isfinite(value)) {
		html_still__put_number(value, sb);
	} else if (h->codes[h->whole.codes[series]].status < CELL_ABSENT) {
		sb__puts(sb, cell_status__name(h->codes[h->whole.codes[series]].status));
	}
	sb__puts(sb, "</td>");
}

static void html_still__put_line(struct writer *w, int column, int row, bool places, struct sb *sb)
{
	const struct html *h = w->html;
	int series = html_series(w, column, row);
	const struct html_tally *t = &h->tallies[series];

	sb__puts(sb, "<tr><th scope=\"row\">");
	page__put_text(sb, w->own->columns[column].name);
	sb__puts(sb, "</th>");
	if (places) {
		sb__puts(sb, "<td class=\"text\">");
		html__put_place(w, column, row, sb);
		sb__puts(sb, "</td>");
	}
	if (h->has_whole)
		put_total(w, series, sb);
	if (h->rows) {
		html_still__put_cell(t->nr ? t->weighted / t->seconds : (double)NAN, sb);
		html_still__put_cell(t->nr ? t->least : (double)NAN, sb);
		html_still__put_cell(t->nr ? t->most : (double)NAN, sb);
		sb__printf(sb, "<td>%" PRIu64 "</td>", t->nr);
	}
	sb__puts(sb, "<td class=\"text\">");
	page__put_text(sb, w->own->columns[column].unit);
	if (w->own->columns[column].share_of) {
		sb__putc(sb, ' ');
		page__put_text(sb, w->own->columns[column].share_of);
	}
	sb__puts(sb, "</td><td class=\"text\">");
	page__put_text(sb, own__column(w, column)->plain ?: "");
	sb__puts(sb, "</td></tr>\n");
}

static void put_heads(const struct html *h, bool places, struct sb *sb)
{
	sb__printf(sb,
		   "<tr><th scope=\"col\" class=\"text\">Name</th>%s%s%s<th scope=\"col\" "
		   "class=\"text\">Unit</th><th scope=\"col\" class=\"text\">Meaning</th></tr>\n",
		   places ? "<th scope=\"col\" class=\"text\">Where</th>" : "",
		   h->has_whole ? "<th scope=\"col\">Whole run</th>" : "",
		   h->rows ? "<th scope=\"col\">Mean of intervals</th><th scope=\"col\">Least</th>"
			     "<th scope=\"col\">Most</th><th scope=\"col\">Intervals</th>"
			   : "");
}

static void put_more(int nr, struct sb *sb)
{
	if (nr)
		sb__printf(sb, "<p>%d more are in the table of all values.</p>\n", nr);
}

static void put_lines(struct writer *w, struct sb *sb)
{
	const struct html *h = w->html;
	bool places = w->grid->nr_rows > 1 || w->grid->has_cgroups || w->grid->cores.nr;
	int nr = 0;

	sb__puts(sb, "<table class=\"sort\">\n");
	put_heads(h, places, sb);
	/* Parts of the first level are in the order of all views, and events come last. */
	for (int n = 0; n < w->own->nr_columns * PART_NR; n++) {
		int i = n % w->own->nr_columns;
		enum grid_part part = (n / w->own->nr_columns + PART_RETIRING) % PART_NR;

		for (int row = 0; own__column(w, i)->part == part && row < w->grid->nr_rows; row++)
			if (is_there(w, html_series(w, i, row)) && nr++ < LINES_MOST)
				html_still__put_line(w, i, row, places, sb);
	}
	sb__puts(sb, "</table>\n");
	put_more(nr > LINES_MOST ? nr - LINES_MOST : 0, sb);
}

/* With many places, each has a line, and each metric or event a column. */
static void put_matrix(struct writer *w, struct sb *sb)
{
	int nr = 0, width = w->own->nr_columns ? w->own->nr_columns : 1, most = CELLS_MOST / width;

	sb__puts(sb, "<table>\n<tr><th scope=\"col\" class=\"text\">Where</th>");
	for (int i = 0; i < w->own->nr_columns; i++) {
		sb__puts(sb, "<th scope=\"col\">");
		page__put_text(sb, w->own->columns[i].heading);
		sb__puts(sb, "</th>");
	}
	sb__puts(sb, "</tr>\n");
	for (int row = 0; row < w->grid->nr_rows; row++) {
		bool there = false;

		for (int i = 0; i < w->own->nr_columns; i++)
			there |= is_there(w, html_series(w, i, row));
		if (!there || nr++ >= most)
			continue;
		sb__clear(&w->scratch);
		row__label(w, w->grid->aggr, &w->grid->rows[row], &w->scratch);
		sb__puts(sb, "<tr><th scope=\"row\">");
		page__put_text(sb, sb__str(&w->scratch));
		sb__puts(sb, "</th>");
		for (int i = 0; i < w->own->nr_columns; i++)
			html_still__put_cell(mean_of_series(w, html_series(w, i, row)), sb);
		sb__puts(sb, "</tr>\n");
	}
	sb__puts(sb, "</table>\n");
	put_more(nr > most ? nr - most : 0, sb);
}

static void put_means(struct writer *w, struct sb *sb)
{
	const struct html *h = w->html;

	if (!h->rows && !h->has_whole)
		return;
	sb__printf(sb, "<h3>%s</h3>\n<div class=\"wide\">\n",
		   h->has_whole && !h->rows ? "Values" : "Means");
	if (w->grid->nr_rows > 4 && !w->grid->has_cgroups)
		put_matrix(w, sb);
	else
		put_lines(w, sb);
	sb__puts(sb, "</div>\n");
}

/* --- What was not measured ------------------------------------------------------------------- */

static void count_whole(struct writer *w)
{
	struct html *h = w->html;

	/* Where there are intervals, they have said it. */
	if (h->rows)
		return;
	for (int i = 0; i < h->nr_codes; i++) {
		h->codes[i].rows = 0;
		h->codes[i].series = h->codes[i].nr_columns = 0;
	}
	for (int i = 0; i < h->nr_series; i++) {
		struct html_code *c = &h->codes[h->whole.codes[i]];
		int column = i / w->grid->nr_rows, last = c->nr_columns - 1;

		c->series++;
		c->rows++;
		if (last < 3 && (last < 0 || c->columns[last] != column))
			c->columns[c->nr_columns++] = column;
	}
}

static void put_code(struct writer *w, const struct html_code *c, struct sb *sb)
{
	sb__printf(sb, "<tr><th scope=\"row\">%s</th><td class=\"text\">",
		   cell_status__name(c->status));
	page__put_text(sb, c->words);
	sb__puts(sb, "</td><td class=\"text\">");
	for (int i = 0; i < c->nr_columns; i++) {
		sb__puts(sb, i ? ", " : "");
		page__put_text(sb, w->own->columns[c->columns[i]].name);
	}
	if (c->series > c->nr_columns)
		sb__printf(sb, "%s (%d in all)", c->nr_columns ? "" : "-", c->series);
	sb__printf(sb, "</td><td>%" PRIu64 "</td></tr>\n", c->rows);
}

static void html_still__put_reasons(struct writer *w, struct sb *sb)
{
	struct html *h = w->html;
	int nr = 0;

	count_whole(w);
	for (enum cell_status status = CELL_ABSENT - 1; status > CELL_COUNTED; status--)
		for (int i = 1; i < h->nr_codes; i++) {
			if (h->codes[i].status != status || !h->codes[i].series ||
			    nr++ >= CODES_SHOWN)
				continue;
			if (nr == 1)
				sb__puts(sb, "<h3>Not measured, or not all the time</h3>\n"
					     "<div class=\"wide\"><table>\n<tr><th scope=\"col\" "
					     "class=\"text\">Status</th><th scope=\"col\" "
					     "class=\"text\">"
					     "Why</th><th scope=\"col\" class=\"text\">What</th>"
					     "<th scope=\"col\">Values</th></tr>\n");
			put_code(w, &h->codes[i], sb);
		}
	if (nr)
		sb__puts(sb, "</table></div>\n");
	else
		sb__puts(sb, "<p>All that was asked for was counted, all the time.</p>\n");
	put_more(nr > CODES_SHOWN ? nr - CODES_SHOWN : 0, sb);
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
	put_pictures(w, sb);
	sb__puts(sb, "<div class=\"live\"></div>\n");
	if (h->phase_rows.len)
		sb__printf(sb,
			   "<h3>Phases</h3>\n<div class=\"wide\"><table class=\"sort phases\">\n"
			   "<tr><th scope=\"col\">Phase</th><th scope=\"col\" class=\"text\">Where"
			   "</th><th scope=\"col\">From / s</th><th scope=\"col\">To / s</th>"
			   "<th scope=\"col\">Length / s</th><th scope=\"col\" class=\"text\">"
			   "Bottleneck</th><th scope=\"col\">%%</th></tr>\n%s</table></div>\n",
			   sb__str(&h->phase_rows));
	html_still__put_reasons(w, sb);
	put_means(w, sb);
	sb__puts(sb, "<div class=\"values\"></div>\n");
}
