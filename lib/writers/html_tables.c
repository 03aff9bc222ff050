// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tables of a page: phases, values, places beside each other, functions, and values that were
 * not measured. The number of rows of time does not change their size.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "writers/html.h"
#include "writers/page_table.h"

#define LINES_MOST 160	/* limit of lines in the table of values, which has a line for each place */
#define CELLS_MOST 2000 /* limit of cells in the table of places */
#define PLACES_BESIDE 4 /* with more places, lines are places instead of values */
#define LEVELS_MOST 9
#define CODES_SHOWN 60

/* --- Values ---------------------------------------------------------------------------------- */

static bool is_there(const struct writer *w, int series)
{
	const struct html *h = w->html;
	double whole = h->has_whole ? h->whole.values[series] : (double)NAN;

	if (w->grid->skip_idle)
		return h->tallies[series].most > 0 || whole > 0;
	return h->tallies[series].nr || h->tallies[series].counted_code ||
	       (h->has_whole && (isfinite(h->whole.values[series]) ||
				 h->codes[h->whole.codes[series]].status < CELL_ABSENT));
}

static double mean_of_series(const struct writer *w, int series)
{
	const struct html_tally *t = &w->html->tallies[series];

	return t->nr ? t->weighted / t->seconds : (double)NAN;
}

/* Put a value of the whole run, or the word for its status. */
static void put_total(const struct writer *w, int series, struct sb *sb)
{
	const struct html *h = w->html;
	enum cell_status status = h->codes[h->whole.codes[series]].status;
	double value = h->whole.values[series];

	if (!isfinite(value) && status < CELL_ABSENT)
		page_table__put_keyed(sb, cell_status__name(status), NAN);
	else if (h->whole.shares[series] & HTML_OVER)
		page_table__put_marked(sb, value, h->whole.errors[series]);
	else
		page_table__put_number(sb, value, h->whole.errors[series]);
}

static bool has_places(const struct writer *w)
{
	return w->grid->nr_rows > 1 || w->grid->has_cgroups || w->grid->cores.nr;
}

static void put_more(int nr, struct sb *sb)
{
	if (nr > 0)
		sb__printf(sb, "<p>%d more lines are in the table of all values.</p>\n", nr);
}

/* --- A line for each value ------------------------------------------------------------------- */

static void put_means(const struct writer *w, int series, struct sb *sb)
{
	const struct html_tally *t = &w->html->tallies[series];

	page_table__put_number(sb, mean_of_series(w, series), NAN);
	page_table__put_number(sb, t->nr ? t->least : (double)NAN, NAN);
	page_table__put_number(sb, t->nr ? t->most : (double)NAN, NAN);
	page_table__put_number(sb, (double)t->nr, NAN);
}

static void put_line(struct writer *w, int column, int row, bool places, struct sb *sb)
{
	const struct own_column *c = &w->own->columns[column];
	int series = html_series(w, column, row);

	page_table__begin_line(sb, c->name);
	if (places) {
		sb__puts(sb, "<td class=\"text\">");
		html__put_place(w, column, row, sb);
		sb__puts(sb, "</td>");
	}
	if (w->html->has_whole)
		put_total(w, series, sb);
	if (w->html->rows)
		put_means(w, series, sb);
	sb__clear(&w->scratch);
	sb__printf(&w->scratch, c->share_of ? "%s %s" : "%s", c->unit, c->share_of);
	page_table__put_text(sb, sb__str(&w->scratch));
	page_table__put_text(sb, own__column(w, column)->plain ?: "");
	page_table__end_line(sb);
}

static void begin_lines(const struct html *h, bool places, struct sb *sb)
{
	const struct page_column columns[] = {
		{"Name", true, NULL},
		{places ? "Where" : NULL, true, NULL},
		{h->has_whole ? "Whole run" : NULL, false, "with half the width of its interval"},
		{h->rows ? "Mean of intervals" : NULL, false, NULL},
		{h->rows ? "Least" : NULL, false, NULL},
		{h->rows ? "Most" : NULL, false, NULL},
		{h->rows ? "Intervals" : NULL, false, "in which it was counted"},
		{"Unit", true, "and what a share is of"},
		{"Meaning", true, NULL},
	};

	page_table__begin(sb, "means", columns, sizeof(columns) / sizeof(*columns));
}

static void put_lines(struct writer *w, struct sb *sb)
{
	bool places = has_places(w);
	int nr = 0;

	begin_lines(w->html, places, sb);
	/* Nodes of the first level are in the order of all views, and events come last. */
	for (int n = 0; n < w->own->nr_columns * PART_NR; n++) {
		int i = n % w->own->nr_columns;
		enum grid_part part = (n / w->own->nr_columns + PART_RETIRING) % PART_NR;

		for (int row = 0; own__column(w, i)->part == part && row < w->grid->nr_rows; row++)
			if (is_there(w, html_series(w, i, row)) && nr++ < LINES_MOST)
				put_line(w, i, row, places, sb);
	}
	page_table__end(sb);
	put_more(nr - LINES_MOST, sb);
}

/* --- A line for each place ------------------------------------------------------------------- */

/**
 * struct place_table - values of places; each place has a line
 * @heads:   the first of own.columns under each heading; @head_of: heading of each column, or -1
 * @level:   deepest level of the tree that the table has
 * @is_sites: places are functions, files or lines; @has_cores: a place has a line for each core
 *            type
 * @has_tree: there are nodes, so functions have bottlenecks
 * @has_objects: files of functions are known
 */
struct place_table {
	struct writer *w;
	int *heads, *head_of, nr_heads, level;
	bool is_sites, has_cores, has_tree, has_objects;
};

/** struct place_line - a line of the table: the values of a row in a cgroup, on a core type */
struct place_line {
	int row, cgroup;
	const char *core;
};

/* Lines of all core types show the values that do not depend on the core type. */
static bool is_in_line(const struct place_table *t, const struct place_line *at, int column)
{
	const struct grid_column *c = own__column(t->w, column);

	return c->cgroup_number == at->cgroup && (!c->core_name || c->core_name == at->core);
}

static bool has_line(const struct place_table *t, const struct place_line *at)
{
	bool own = false;

	for (int i = 0; i < t->w->own->nr_columns && !own; i++)
		own = is_in_line(t, at, i) && own__column(t->w, i)->core_name == at->core &&
		      is_there(t->w, html_series(t->w, i, at->row));
	return own;
}

/* Go to the next line; lines are sorted by row, then by cgroup, then by core type. */
static bool next_line(const struct place_table *t, struct place_line *at)
{
	const struct grid *g = t->w->grid;
	int nr_cores = t->has_cores ? g->cores.nr : 1, n = 0;
	int nr = g->nr_rows * g->cgroups.nr * nr_cores;

	for (int i = 0; i < nr_cores && at->core; i++)
		n = at->core == g->cores.at[i] ? i : n;
	n += at->row < 0 ? 0 : (at->row * g->cgroups.nr + at->cgroup) * nr_cores + 1;
	for (; n < nr; n++) {
		*at = (struct place_line){n / nr_cores / g->cgroups.nr,
					  n / nr_cores % g->cgroups.nr,
					  t->has_cores ? g->cores.at[n % nr_cores] : NULL};
		if (has_line(t, at))
			return true;
	}
	return false;
}

static int count_lines(const struct place_table *t)
{
	struct place_line at = {.row = -1};
	int nr = 0;

	while (next_line(t, &at))
		nr++;
	return nr;
}

/* Shares and samples come first, then the tree, as in all other views. */
static int place_rank(const struct place_table *t, int column)
{
	enum grid_part part = own__column(t->w, column)->part;

	return part == PART_NONE && !t->is_sites ? PART_NR : (int)part;
}

static void add_heads(struct place_table *t, int rank)
{
	const struct own *own = t->w->own;

	for (int i = 0; i < own->nr_columns; i++) {
		int head = 0;

		if (place_rank(t, i) != rank || own__column(t->w, i)->level > t->level)
			continue;
		while (head < t->nr_heads &&
		       (strcmp(own->columns[i].name, own->columns[t->heads[head]].name) ||
			strcmp(own->columns[i].of, own->columns[t->heads[head]].of)))
			head++;
		if (head == t->nr_heads)
			t->heads[t->nr_heads++] = i;
		t->head_of[i] = head;
	}
}

static void find_heads(struct place_table *t)
{
	int lines = count_lines(t);

	for (t->level = LEVELS_MOST; t->level > 0; t->level--) {
		t->nr_heads = 0;
		for (int i = 0; i < t->w->own->nr_columns; i++)
			t->head_of[i] = -1;
		for (int rank = 0; rank <= PART_NR; rank++)
			add_heads(t, rank);
		if (t->nr_heads * lines <= CELLS_MOST)
			return;
	}
}

static void place_table__init(struct place_table *t, struct writer *w)
{
	const struct grid *g = w->grid;
	int nr = w->own->nr_columns;

	*t = (struct place_table){
		.w = w,
		.heads = xcalloc(nr, sizeof(*t->heads)),
		.head_of = xcalloc(nr, sizeof(*t->head_of)),
		.is_sites = row_kind__is_site(g->aggr),
	};
	for (int i = 0; i < nr; i++) {
		t->has_cores |= own__column(w, i)->core_name != NULL;
		t->has_tree |= t->is_sites && own__column(w, i)->level > 0;
	}
	for (int row = 0; row < g->nr_rows; row++)
		t->has_objects |= g->aggr != AGGR_OBJECT && g->rows[row].object;
	find_heads(t);
}

static void begin_places(const struct place_table *t, struct sb *sb)
{
	const struct own *own = t->w->own;
	const struct grid *g = t->w->grid;
	struct page_column *columns = xcalloc(t->nr_heads + 5, sizeof(*columns)), *c = columns;
	char **names = xcalloc(t->nr_heads, sizeof(*names));
	const char *where[AGGR_NR] = {
		[AGGR_FUNCTION] = "Function", [AGGR_OBJECT] = "File", [AGGR_LINE] = "Line"};

	*c++ = (struct page_column){where[g->aggr] ?: "Where", true, NULL};
	*c++ = (struct page_column){t->has_cores ? "Type of core" : NULL, true, NULL};
	*c++ = (struct page_column){g->has_cgroups ? "Cgroup" : NULL, true, NULL};
	*c++ = (struct page_column){t->has_tree ? "Bottleneck" : NULL, true,
				    "the deepest node that is certain"};
	for (int i = 0; i < t->nr_heads; i++) {
		const struct own_column *column = &own->columns[t->heads[i]];

		names[i] = xasprintf(*column->unit ? "%s (%s)" : "%s", column->name, column->unit);
		*c++ = (struct page_column){names[i], false, own__column(t->w, t->heads[i])->plain};
	}
	*c++ = (struct page_column){t->has_objects ? "In" : NULL, true, "the file of the function"};
	page_table__begin(sb, t->is_sites ? "places functions" : "places", columns, c - columns);
	for (int i = 0; i < t->nr_heads; i++)
		free(names[i]);
	free(names);
	free(columns);
}

/* Whether a line is the first line of its row: earlier core types have no line. */
static bool is_first_line(const struct place_table *t, const struct place_line *at)
{
	struct place_line first = {.row = at->row - 1, .cgroup = t->w->grid->cgroups.nr - 1};

	if (first.row >= 0 && t->has_cores)
		first.core = t->w->grid->cores.at[t->w->grid->cores.nr - 1];
	return next_line(t, &first) && first.cgroup == at->cgroup && first.core == at->core;
}

/* Return: why a row has no bottleneck: samples may belong to a neighbour, or it is uncertain. */
static const char *why_no_bottleneck(const struct grid_row *row)
{
	return row->near ? "near: samples may belong to a neighbour" : "none is certain";
}

static void put_bottleneck(const struct place_table *t, const struct place_line *at, struct sb *sb)
{
	struct writer *w = t->w;
	const struct grid_row *row = &w->grid->rows[at->row];
	const char *plain = NULL;

	for (int i = 0; i < w->own->nr_columns && row->bottleneck; i++)
		if (!strcmp(own__column(w, i)->name, row->bottleneck))
			plain = own__column(w, i)->plain;
	sb__clear(&w->scratch);
	if (is_first_line(t, at) && plain)
		sb__printf(&w->scratch, "%s (%s)", plain, row->bottleneck);
	else if (is_first_line(t, at))
		sb__puts(&w->scratch, row->bottleneck ?: why_no_bottleneck(row));
	page_table__put_text(sb, sb__str(&w->scratch));
}

static void html_tables__put_value(const struct place_table *t, int column, int row, struct sb *sb)
{
	int series = column < 0 ? -1 : html_series(t->w, column, row);

	if (series < 0 || !is_there(t->w, series))
		page_table__put_number(sb, NAN, NAN);
	else if (t->w->html->has_whole)
		put_total(t->w, series, sb);
	else
		page_table__put_number(sb, mean_of_series(t->w, series), NAN);
}

static void put_cells(const struct place_table *t, const struct place_line *at, struct sb *sb)
{
	for (int head = 0; head < t->nr_heads; head++) {
		int column = -1;

		for (int i = 0; i < t->w->own->nr_columns; i++)
			if (t->head_of[i] == head && is_in_line(t, at, i))
				column = i;
		html_tables__put_value(t, column, at->row, sb);
	}
}

static void html_tables__put_place(const struct place_table *t, const struct place_line *at,
				   struct sb *sb)
{
	struct writer *w = t->w;
	const struct grid *g = w->grid;
	const struct grid_row *row = &g->rows[at->row];

	sb__clear(&w->scratch);
	if (t->is_sites)
		sb__puts(&w->scratch, row->comm ?: "");
	else
		row__label(w, g->aggr, row, &w->scratch);
	page_table__begin_line(sb, sb__str(&w->scratch));
	if (t->has_cores)
		page_table__put_text(sb, at->core ?: "");
	if (g->has_cgroups)
		page_table__put_text(sb, w->own->cgroups[at->cgroup].name);
	if (t->has_tree)
		put_bottleneck(t, at, sb);
	put_cells(t, at, sb);
	if (t->has_objects)
		page_table__put_text(sb, row->object ?: "");
	page_table__end_line(sb);
}

static void put_places(struct writer *w, struct sb *sb)
{
	struct place_line at = {.row = -1};
	struct place_table t;
	int nr = 0, most;

	place_table__init(&t, w);
	most = CELLS_MOST / (t.nr_heads + 1);
	begin_places(&t, sb);
	while (next_line(&t, &at))
		if (nr++ < most)
			html_tables__put_place(&t, &at, sb);
	page_table__end(sb);
	put_more(nr - most, sb);
	if (t.level < LEVELS_MOST)
		sb__printf(sb, "<p>Nodes below level %d are in the table of all values.</p>\n",
			   t.level);
	free(t.heads);
	free(t.head_of);
}

void html_tables__put_functions(struct writer *w, struct sb *sb)
{
	static const char *const headings[AGGR_NR] = {
		[AGGR_FUNCTION] = "Functions", [AGGR_OBJECT] = "Files", [AGGR_LINE] = "Lines"};
	bool any_over = false;

	if (!row_kind__is_site(w->grid->aggr) || (!w->html->rows && !w->html->has_whole))
		return;
	for (int i = 0; i < w->html->nr_series; i++)
		any_over |= w->html->whole.shares[i] & HTML_OVER;
	sb__printf(sb,
		   "<h3>%s</h3>\n<p class=\"hint\">Most lost slots first.%s</p>\n",
		   headings[w->grid->aggr], any_over ? " Red and bold: over its threshold." : "");
	put_places(w, sb);
}

void html_tables__put_values(struct writer *w, struct sb *sb)
{
	const struct html *h = w->html;

	if ((!h->rows && !h->has_whole) || row_kind__is_site(w->grid->aggr))
		return;
	sb__printf(sb, "<h3>%s</h3>\n", h->has_whole ? "Values of the whole run" : "Means");
	if (w->grid->nr_rows > PLACES_BESIDE && !w->grid->has_cgroups)
		put_places(w, sb);
	else
		put_lines(w, sb);
}

/* --- Phases ---------------------------------------------------------------------------------- */

static void html_tables__put_phase(struct writer *w, const struct grid_verdict *v, int number,
				   struct sb *sb)
{
	const struct grid_phase *p = &v->phases[number];
	int end = p->path.nr - 1;
	double times[] = {p->start_ns * 1e-9, p->end_ns * 1e-9, (p->end_ns - p->start_ns) * 1e-9};

	sb__clear(&w->scratch);
	sb__printf(&w->scratch, "%d", number + 1);
	page_table__begin_line(sb, sb__str(&w->scratch));
	if (has_places(w)) {
		sb__clear(&w->scratch);
		row__label(w, w->grid->aggr, &w->grid->rows[v->row], &w->scratch);
		if (v->cgroup)
			sb__printf(&w->scratch, w->scratch.len ? " %s" : "%s", v->cgroup);
		if (v->core_name)
			sb__printf(&w->scratch, w->scratch.len ? " %s" : "%s", v->core_name);
		page_table__put_text(sb, sb__str(&w->scratch));
	}
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		sb__printf(sb, "<td>%.3f</td>", times[i]);
	page_table__put_text(sb, end < 0 ? "nothing over its threshold"
					 : v->nodes[p->path.at[end]].name);
	if (end < 0)
		page_table__put_number(sb, NAN, NAN);
	else
		sb__printf(sb, "<td>%.1f</td>", p->values[end]);
	page_table__end_line(sb);
}

void html_tables__take_phases(struct writer *w, const struct grid_verdict *v)
{
	for (int i = 0; i < v->nr_phases; i++)
		html_tables__put_phase(w, v, i, &w->html->phase_rows);
}

void html_tables__put_phases(struct writer *w, struct sb *sb)
{
	const struct page_column columns[] = {
		{"Phase", false, NULL},
		{has_places(w) ? "Where" : NULL, true, NULL},
		{"From / s", false, NULL},
		{"To / s", false, NULL},
		{"Length / s", false, NULL},
		{"Bottleneck", true, NULL},
		{"Its value / %", false, "the mean of the phase"},
	};

	if (!w->html->phase_rows.len)
		return;
	sb__puts(sb, "<h3>Phases</h3>\n");
	page_table__begin(sb, "phases", columns, sizeof(columns) / sizeof(*columns));
	sb__puts(sb, sb__str(&w->html->phase_rows));
	page_table__end(sb);
}

/* --- What was not measured ------------------------------------------------------------------- */

static void count_whole(struct writer *w)
{
	struct html *h = w->html;

	/* Intervals have already noted the codes. */
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
	struct sb *what = &w->scratch;

	page_table__begin_line(sb, cell_status__name(c->status));
	page_table__put_text(sb, c->words);
	sb__clear(what);
	for (int i = 0; i < c->nr_columns; i++)
		sb__printf(what, "%s%s", i ? ", " : "", w->own->columns[c->columns[i]].name);
	if (c->series > c->nr_columns)
		sb__printf(what, "%s (%d in all)", c->nr_columns ? "" : "-", c->series);
	page_table__put_text(sb, sb__str(what));
	page_table__put_number(sb, (double)c->rows, NAN);
	page_table__end_line(sb);
}

static void begin_reasons(struct sb *sb)
{
	static const struct page_column columns[] = {
		{"Status", true, NULL},
		{"Why", true, NULL},
		{"Events and metrics", true, NULL},
		{"Values", false, "number of values with this status"},
	};

	sb__puts(sb, "<h3>Not measured, or not all the time</h3>\n");
	page_table__begin(sb, "reasons", columns, sizeof(columns) / sizeof(*columns));
}

void html_tables__put_reasons(struct writer *w, struct sb *sb)
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
				begin_reasons(sb);
			put_code(w, &h->codes[i], sb);
		}
	if (nr)
		page_table__end(sb);
	else
		sb__puts(sb, "<p>Everything was counted all the time.</p>\n");
	put_more(nr > CODES_SHOWN ? nr - CODES_SHOWN : 0, sb);
}
