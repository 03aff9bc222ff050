// SPDX-License-Identifier: GPL-2.0-only
/* Draw the rows on the model's canvas. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/text.h"
#include "screen/canvas.h"
#include "screen/internal.h"

#define KEY_ROOM 8
#define KEY_LEAST 4 /* width of the heading of keys */
#define CPUS_LEAST 6
#define END_GAP 2
#define END_LEAST 14
#define END_MOST 44
#define PLACE_LEAST 12
#define PLACE_GOOD 24 /* to give names of functions this width, other columns are left out */
#define PLACE_MOST 48 /* with a greater width, numbers would be far from names */
#define FILE_GAP 2
#define FILE_LEAST 10
#define FILE_MOST 24
#define FILE_WIDTH 60 /* width of the file if a line has room for it */
#define PART_ROOM 6
#define OTHERS_LEAST 0.005 /* other rows with less CPU time, in CPUs, are not mentioned */
#define OTHERS_LEAST_SHARE 0.05
#define PERCENT 100

/* The parts of a row, from left to right. */
enum top_column {
	COL_KEY,
	COL_PLACE,
	COL_CPUS,
	COL_LOST,
	COL_SWITCHES,
	COL_FAULTS,
	COL_SHARE,
	COL_SHARE_ERROR,
	COL_PARTS, /* the first part of the tree; the other parts follow */
	COL_END = COL_PARTS + PART_OTHER,
	COL_VALUE,
	COL_ERROR,
	COL_FILE,
	COL_NR,
};

/* Kinds of rows, for whether they have a column. */
enum {
	OF_PLACES = 1,	  /* with a tree */
	OF_KERNELS = 2,	  /* without */
	OF_FUNCTIONS = 4, /* with a tree */
	OF_TIMES = 8,	  /* functions without one */
};

#define PART(number, words, few, columns)                                                    \
	[COL_PARTS + (number) - 1] = {words, few, columns, OF_FUNCTIONS, "%.0f",             \
				      offsetof(struct top_row, parts[number]), number}
#define ERROR NULL /* stands for a format: the number is an error */

/**
 * struct top_number - a column of numbers
 * @heading: heading; NULL for the sign of errors; @narrow: heading if there is little room
 * @room:  width in columns; @of: kinds of rows that have the column, OF_...
 * @at:    offset of the number in struct top_row; @part: part of the tree that gives the colour
 */
static const struct top_number {
	const char *heading, *narrow;
	int room;
	unsigned int of;
	const char *format;
	size_t at;
	enum grid_part part;
} numbers[COL_NR] = {
	[COL_CPUS] = {"CPUs", NULL, 8, OF_PLACES | OF_KERNELS, "%.2f",
		      offsetof(struct top_row, cpus)},
	[COL_LOST] = {"LOST", NULL, 8, OF_PLACES, "%.2f", offsetof(struct top_row, lost)},
	[COL_SWITCHES] = {"SWITCHES/s", NULL, 12, OF_KERNELS, "%.0f",
			  offsetof(struct top_row, switches)},
	[COL_FAULTS] = {"FAULTS/s", NULL, 12, OF_KERNELS, "%.0f",
			offsetof(struct top_row, faults)},
	[COL_SHARE] = {"SHARE", NULL, 8, OF_FUNCTIONS | OF_TIMES, "%.1f %%",
		       offsetof(struct top_row, share)},
	[COL_SHARE_ERROR] = {NULL, NULL, 7, OF_FUNCTIONS | OF_TIMES, ERROR,
			     offsetof(struct top_row, share_error)},
	PART(PART_RETIRING, "RETIRING", "RET", 10),
	PART(PART_FRONTEND, "FRONT END", "FRONT", 11),
	PART(PART_BAD_SPECULATION, "BAD SPEC", "BAD", 10),
	PART(PART_BACKEND, "BACK END", "BACK", 10),
	PART(PART_OTHER, "OTHER", "OTHER", 7),
	[COL_VALUE] = {"%", NULL, 9, OF_PLACES | OF_FUNCTIONS, "%.1f %%",
		       offsetof(struct top_row, value)},
	[COL_ERROR] = {NULL, NULL, 7, OF_PLACES | OF_FUNCTIONS, ERROR,
		       offsetof(struct top_row, error)},
};

/** struct top_columns - widths of the parts of a row; 0 for a part that is left out */
struct top_columns {
	int room[COL_NR];
	bool is_short, is_narrow; /* metrics are without their prefix; parts have short headings */
};

static double top_table__number_of(const struct top_row *r, const struct top_number *n)
{
	return *(const double *)((const char *)r + n->at);
}

static bool is_number(enum top_column i)
{
	return numbers[i].of;
}

static unsigned int kind_of_rows(const struct top *t)
{
	if (t->shows == TOP_FUNCTIONS)
		return t->opts.software ? OF_TIMES : OF_FUNCTIONS;
	return t->opts.software ? OF_KERNELS : OF_PLACES;
}

static const char *end_of(const struct top_row *r, bool is_short)
{
	const char *name = r->bottleneck ?: "";

	return is_short && text__has_prefix(name, "tma_") ? name + strlen("tma_") : name;
}

static const char *file_of(const struct top_row *r)
{
	const char *slash = r->object ? strrchr(r->object, '/') : NULL;

	return slash ? slash + 1 : r->object ?: "";
}

/* --- How wide columns are -------------------------------------------------------------------- */

static int longest_end(const struct top *t, bool is_short)
{
	int most = END_LEAST;

	for (int i = 0; i < t->rows.nr; i++) {
		int width = text__width(end_of(&t->rows.at[i], is_short)) + END_GAP;

		most = width > most ? width : most;
	}
	return most > END_MOST ? END_MOST : most;
}

static int longest_place(const struct top *t)
{
	int most = PLACE_LEAST;

	for (int i = 0; i < t->rows.nr; i++) {
		int width = text__width(t->rows.at[i].name) + 1;

		most = width > most ? width : most;
	}
	return most > PLACE_MOST ? PLACE_MOST : most;
}

static int longest_key(const struct top *t)
{
	int most = KEY_LEAST;

	for (int i = 0; i < t->rows.nr; i++) {
		int width = snprintf(NULL, 0, "%d", t->rows.at[i].key) + 1;

		most = width > most ? width : most;
	}
	return most;
}

static int longest_file(const struct top *t)
{
	int most = FILE_LEAST;

	for (int i = 0; i < t->rows.nr; i++) {
		int width = text__width(file_of(&t->rows.at[i])) + FILE_GAP;

		most = width > most ? width : most;
	}
	return most > FILE_MOST ? FILE_MOST : most;
}

/*
 * Whether to leave out a column, since no row has a value for it. The first level of functions is
 * kept, so that nothing moves. Before there are rows, headings show which columns will come.
 */
static bool is_empty(const struct top *t, enum top_column i)
{
	bool functions = t->shows == TOP_FUNCTIONS;
	bool level_1 = i >= COL_PARTS && i < COL_END - 1 && t->branch < 0;
	bool none = !level_1 && (t->rows.nr || i == COL_END - 1 || (i != COL_CPUS && !functions));

	for (int row = 0; none && row < t->rows.nr; row++) {
		double number = top_table__number_of(&t->rows.at[row], &numbers[i]);

		none = numbers[i].format == ERROR ? !(number > 0) : !isfinite(number);
	}
	return none;
}

static int too_many(const struct top_columns *l, int width)
{
	int sum = 0;

	for (int i = 0; i < COL_NR; i++)
		sum += l->room[i];
	return sum - width;
}

static void shrink(struct top_columns *l, enum top_column i, int width, int least)
{
	int by = too_many(l, width), room = l->room[i];

	if (by > 0 && room)
		l->room[i] = room - by > least ? room - by : room > least ? least : room;
}

static void top_table__leave_out(struct top_columns *l, enum top_column i, int width)
{
	if (too_many(l, width) > 0)
		l->room[i] = 0;
}

static void shorten_ends(const struct top *t, struct top_columns *l, int width)
{
	if (too_many(l, width) <= 0 || !l->room[COL_END])
		return;
	l->is_short = true;
	l->room[COL_END] = longest_end(t, true);
}

static void narrow_parts(struct top_columns *l, int width)
{
	if (too_many(l, width) <= 0)
		return;
	l->is_narrow = true;
	for (int i = COL_PARTS; i < COL_END; i++)
		l->room[i] = l->room[i] ? PART_ROOM : 0;
}

/* After other columns were dropped, widen the bottleneck by the room that is left. */
static void give_back(const struct top *t, struct top_columns *l, int width)
{
	int most = longest_end(t, l->is_short), left = -too_many(l, width);

	if (!l->room[COL_END] || left <= 0)
		return;
	l->room[COL_END] += left;
	l->room[COL_END] = l->room[COL_END] < most ? l->room[COL_END] : most;
}

static void fit_places(const struct top *t, struct top_columns *l, int width)
{
	top_table__leave_out(l, COL_ERROR, width);
	top_table__leave_out(l, COL_LOST, width);
	shorten_ends(t, l, width);
	shrink(l, COL_PLACE, width, PLACE_LEAST);
	top_table__leave_out(l, COL_FAULTS, width);
	shrink(l, COL_KEY, width, longest_key(t));
	shrink(l, COL_CPUS, width, CPUS_LEAST);
	shrink(l, COL_END, width, END_LEAST);
	top_table__leave_out(l, COL_VALUE, width);
	give_back(t, l, width);
}

static void fit_functions(const struct top *t, struct top_columns *l, int width)
{
	top_table__leave_out(l, COL_SHARE_ERROR, width);
	top_table__leave_out(l, COL_ERROR, width);
	narrow_parts(l, width);
	shorten_ends(t, l, width);
	shrink(l, COL_PLACE, width, PLACE_GOOD);
	shrink(l, COL_FILE, width, FILE_LEAST);
	top_table__leave_out(l, COL_VALUE, width);
	if (width < FILE_WIDTH)
		l->room[COL_FILE] = 0;
	shrink(l, COL_PLACE, width, PLACE_LEAST);
	top_table__leave_out(l, COL_FILE, width);
	for (int i = COL_PARTS; i < COL_END && too_many(l, width) > 0; i++)
		for (int j = COL_PARTS; j < COL_END; j++)
			l->room[j] = 0;
	shrink(l, COL_END, width, END_LEAST);
}

static struct top_columns top_table__lay_out(const struct top *t, int width)
{
	unsigned int of = kind_of_rows(t);
	bool numbered = t->shows == TOP_PROCESSES || t->shows == TOP_CPUS;
	struct top_columns l = {.room = {
					[COL_KEY] = numbered ? KEY_ROOM : 0,
					[COL_PLACE] = longest_place(t),
					[COL_END] = t->opts.software ? 0 : longest_end(t, false),
					[COL_FILE] = t->shows == TOP_FUNCTIONS ? longest_file(t)
									       : 0,
				}};

	for (int i = 0; i < COL_NR; i++)
		if (numbers[i].of & of)
			l.room[i] = is_empty(t, i) ? 0 : numbers[i].room;
	/* Before there are rows, keep the column of values. */
	if (of & OF_PLACES && !t->rows.nr)
		l.room[COL_VALUE] = numbers[COL_VALUE].room;
	if (t->shows == TOP_FUNCTIONS)
		fit_functions(t, &l, width);
	else
		fit_places(t, &l, width);
	return l;
}

/* --- The heading ----------------------------------------------------------------------------- */

static const char *heading_of(const struct top *t, const struct top_columns *l, enum top_column i)
{
	if (i == COL_LOST && t->branch >= 0)
		return "HERE";
	if (l->is_narrow && numbers[i].narrow)
		return numbers[i].narrow;
	return numbers[i].heading ?: top__signs(t)->plus_minus;
}

static void put_sort(const struct top *t, struct canvas *c, int row, int at)
{
	auto_free(sb) text = SB_INIT;

	sb__printf(&text, "sorted by %s",
		   t->sort == SORT_LOST && t->branch >= 0 ? "HERE" : top__sort_name(t->sort));
	if (c->width - at > text__width(sb__str(&text)) + END_GAP)
		canvas__right(c, row, at, c->width - at, STYLE_HEAD, sb__str(&text));
}

static void put_place_heading(const struct top *t, struct canvas *c, int row,
			      const struct top_columns *l)
{
	static const char *const places[] = {
		[TOP_PROCESSES] = "PROCESS", [TOP_CGROUPS] = "CGROUP", [TOP_CPUS] = "",
		[TOP_CORE_TYPES] = "CORES",  [TOP_FUNCTIONS] = "FUNCTION",
	};
	auto_free(sb) text = SB_INIT;

	if (l->room[COL_KEY])
		canvas__right(c, row, 0, l->room[COL_KEY] - 1, STYLE_HEAD,
			      t->shows == TOP_CPUS ? "CPU" : "PID");
	sb__puts(&text, places[t->shows]);
	if (t->filter.len)
		sb__printf(&text, " (with '%s')", sb__str(&t->filter));
	canvas__fit(c, row, l->room[COL_KEY], l->room[COL_PLACE] - 1, STYLE_HEAD, sb__str(&text),
		    top__signs(t)->cut);
}

static void draw_head(const struct top *t, struct canvas *c, int row, const struct top_columns *l)
{
	int at = l->room[COL_KEY] + l->room[COL_PLACE];

	canvas__paint(c, row, 0, c->width, STYLE_HEAD);
	put_place_heading(t, c, row, l);
	for (int i = COL_PLACE + 1; i < COL_NR; at += l->room[i++]) {
		if (!l->room[i])
			continue;
		if (i == COL_END || i == COL_FILE)
			canvas__put(c, row, at + END_GAP, l->room[i] - END_GAP, STYLE_HEAD,
				    i == COL_END ? "BOTTLENECK" : "FILE");
		else
			canvas__right(c, row, at, l->room[i] - (i == COL_VALUE ? 2 : 0),
				      STYLE_HEAD, heading_of(t, l, i));
	}
	put_sort(t, c, row, at);
}

/* --- A row ----------------------------------------------------------------------------------- */

static void put_number(const struct top *t, struct canvas *c, int row, int at, int room,
		       const struct top_number *n, const struct top_row *r)
{
	double number = top_table__number_of(r, n);
	char text[32];

	if (!isfinite(number) || (n->format == ERROR && !(number > 0)))
		return;
	if (n->format == ERROR)
		snprintf(text, sizeof(text), t->opts.utf8 ? "±%.1f" : "+-%.1f", number);
	else
		snprintf(text, sizeof(text), n->format, number);
	canvas__right(c, row, at, room, n->part ? STYLE_PART + n->part : STYLE_PLAIN, text);
}

/* Write the reason for unknown slots, with the longest text that fits. */
static void put_why(const struct top *t, struct canvas *c, int row, int at, int room,
		    const struct top_row *r)
{
	static const char *const near[] = {"near: samples may be another function's",
					   "near: no values", "near"};
	const char *words = r->why ?: "";

	for (int i = 0; r->near && i < array__nr(near); i++) {
		words = near[i];
		if (text__width(words) <= room)
			break;
	}
	canvas__fit(c, row, at, room, STYLE_DIM, words, top__signs(t)->cut);
}

static void put_end(const struct top *t, struct canvas *c, int row, int at,
		    const struct top_columns *l, const struct top_row *r)
{
	int room = l->room[COL_END] - END_GAP;

	if (r->unsure)
		canvas__fit(c, row, at + END_GAP, room, STYLE_DIM, "not certain",
			    top__signs(t)->cut);
	else if (r->bottleneck && isfinite(r->value))
		canvas__fit(c, row, at + END_GAP, room, r->useful ? STYLE_UNDER : STYLE_PLAIN,
			    end_of(r, l->is_short), top__signs(t)->cut);
}

/* If the slots are unknown, write a text in place of the columns that are computed from slots. */
static int put_words(const struct top *t, struct canvas *c, int row, int at,
		     const struct top_columns *l, const struct top_row *r)
{
	int room = 0;

	for (int i = COL_PARTS; i < COL_FILE; i++)
		room += l->room[i];
	/* After the name of a place, the rest of the line is free. */
	if (t->shows != TOP_FUNCTIONS)
		room = c->width - at;
	put_why(t, c, row, at + END_GAP, room - END_GAP, r);
	return COL_FILE;
}

static void draw_row(const struct top *t, struct canvas *c, int row, const struct top_columns *l,
		     const struct top_row *r)
{
	int at = l->room[COL_KEY], first = COL_PLACE + 1;

	if (at && r->numbered) {
		char key[16];

		snprintf(key, sizeof(key), "%d", r->key);
		canvas__right(c, row, 0, at - 1, STYLE_PLAIN, key);
	}
	canvas__fit(c, row, at, l->room[COL_PLACE] - 1, STYLE_PLAIN, r->name, top__signs(t)->cut);
	at += l->room[COL_PLACE];
	for (int i = first; i < COL_NR; at += l->room[i++]) {
		if (i == COL_PARTS && l->room[COL_END] && (r->why || r->near)) {
			int next = put_words(t, c, row, at, l, r);

			for (; i < next; i++)
				at += l->room[i];
		}
		if (!l->room[i])
			continue;
		if (is_number(i))
			put_number(t, c, row, at, l->room[i], &numbers[i], r);
		else if (i == COL_END)
			put_end(t, c, row, at, l, r);
		else
			canvas__fit(c, row, at + FILE_GAP, l->room[i] - FILE_GAP, STYLE_DIM,
				    file_of(r), top__signs(t)->cut);
	}
}

/*
 * Draw the sum of the other rows: visible rows and this sum add up to the total on the first line.
 */
static void draw_others(const struct top *t, struct canvas *c, int row,
			const struct top_columns *l, int more, const struct top_row *shown)
{
	bool functions = t->shows == TOP_FUNCTIONS;
	char name[32] = "others";
	struct top_row others = {.name = name, .cpus = t->busy - shown->cpus, .lost = NAN,
				 .value = NAN, .switches = NAN, .faults = NAN,
				 .share = PERCENT - shown->share, .share_error = NAN};

	for (int i = 0; i < PART_NR; i++)
		others.parts[i] = NAN;
	if (functions ? others.share < OTHERS_LEAST_SHARE : !(others.cpus > OTHERS_LEAST))
		return;
	/* Other functions include functions without a row, whose number is unknown. */
	if (more && !functions)
		snprintf(name, sizeof(name), "others (+%d)", more);
	draw_row(t, c, row, l, &others);
	canvas__paint(c, row, 0, c->width, STYLE_DIM);
}

/* Whether a line is kept for the sum of the other rows. */
static bool has_others(const struct top *t, int nr)
{
	if (nr <= 2 || t->filter.len || !t->rows.nr)
		return false;
	if (t->shows == TOP_FUNCTIONS)
		return true;
	return isfinite(t->busy) && (t->shows == TOP_PROCESSES || t->shows == TOP_CGROUPS);
}

/* Keep the selected row visible. */
static void scroll_to_row(struct top *t, int room)
{
	int selected = t->in_rows ? top__selected_row(t) : -1, at = 0;

	for (int i = 0; i < selected; i++)
		at += top__has_match(t, &t->rows.at[i]);
	if (selected < 0)
		return;
	if (at < t->scroll_rows)
		t->scroll_rows = at;
	if (at >= t->scroll_rows + room)
		t->scroll_rows = at - room + 1;
}

/* If rows are functions, draw a line that names their process. Return: number of lines. */
static int draw_title(const struct top *t, struct canvas *c, int row)
{
	auto_free(sb) text = SB_INIT;

	if (t->shows != TOP_FUNCTIONS)
		return 0;
	top__title_functions(t, c->width, &text);
	canvas__fit(c, row, 0, c->width, STYLE_BOLD, sb__str(&text), top__signs(t)->cut);
	return 1;
}

static void draw_rows(struct top *t, struct canvas *c, int first, int nr)
{
	struct top_columns l = top_table__lay_out(t, c->width);
	int shown = 0, passed = 0, room = nr - has_others(t, nr);
	int selected = t->in_rows ? top__selected_row(t) : -1;
	struct top_row sum = {.cpus = 0};

	draw_head(t, c, first, &l);
	for (int i = 0; i < t->rows.nr; i++)
		passed += top__has_match(t, &t->rows.at[i]);
	scroll_to_row(t, room);
	if (t->scroll_rows > passed - room)
		t->scroll_rows = passed > room ? passed - room : 0;
	for (int i = 0, at = 0; i < t->rows.nr && shown < room; i++) {
		const struct top_row *r = &t->rows.at[i];

		if (!top__has_match(t, r) || at++ < t->scroll_rows)
			continue;
		draw_row(t, c, first + 1 + shown, &l, r);
		if (i == selected)
			canvas__paint(c, first + 1 + shown, 0, c->width, STYLE_SELECTED);
		shown++;
		sum.cpus += isfinite(r->cpus) ? r->cpus : 0;
		sum.share += isfinite(r->share) ? r->share : 0;
	}
	t->page_lines = room;
	if (shown && room < nr)
		draw_others(t, c, first + 1 + shown, &l, passed - shown, &sum);
	if (!shown)
		canvas__fit(c, first + 1, 0, c->width, STYLE_DIM,
			    t->rows.nr ? "no row matches the filter: / changes it"
				       : sb__str(&t->rows_message),
			    top__signs(t)->cut);
}

void top__draw_rows(struct top *t, struct canvas *c, int first, int nr)
{
	int title = draw_title(t, c, first);

	draw_rows(t, c, first + title, nr - title);
}
