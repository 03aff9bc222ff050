// SPDX-License-Identifier: GPL-2.0-only
/*
 * --format=html takes rows, and puts them into a page: as data (html_data.c), a chunk of rows at a
 * time, and as pictures and tables (html_still.c).
 *
 * A chunk is an object with "n" rows, which end at the times "t" and have the lengths "l" (ns).
 * Numbers are base64 of little-endian doubles, and the numbers of a series follow each other. "v"
 * has the values of all series except those listed in "a" and "z": series in "a" have no cell in
 * the chunk, and values of series in "z" are all 0 and exact. "e" has the errors (floats; NaN:
 * unknown). Without "e" all values are exact, if the run has "errors". "p" has bytes: the share of
 * the time in %, with 128 added if the value is over its threshold; without "p" the share is 100.
 * "s" has changes of status: series, row, and the index of a code of the run. A code is a status
 * with its reason; "w" adds codes. Before its first change a series has code 0, counted. "m" has
 * rows before which rows are missing: row, and number of missing rows.
 */
#include "writers/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

#define CHUNK_BYTES 262144
#define CHUNK_ROWS 512
#define SHOW_NS 60000000000ULL
#define PERCENT 100
#define SHARE_UNKNOWN 127
#define SERIES_BYTES (sizeof(double) + sizeof(float) + 1)

double html__value(const struct grid_cell *cell)
{
	return cell->is_count ? (double)cell->count : cell->value;
}

/* --- Cells ----------------------------------------------------------------------------------- */

/* Add a code, which "w" of the chunk defines. */
static int add_code(struct writer *w, enum cell_status status, const char *words)
{
	struct html *h = w->html;
	struct html_code *code = &h->codes[h->nr_codes];
	struct json j = JSON_INIT(&h->new_codes, JSON_COMPACT);

	code->status = status;
	code->words = xstrdup(words);
	arena__keep(&w->memory, code->words);
	sb__puts(&h->new_codes, h->new_codes.len ? "," : "");
	json__open(&j, NULL, '[');
	json__int(&j, NULL, h->nr_codes);
	json__text(&j, NULL, cell_status__name(status));
	json__text(&j, NULL, words);
	/*
	 * Close the outer array without lib/base/json, which would end the line after an outermost
	 * value.
	 */
	sb__putc(&h->new_codes, ']');
	return h->nr_codes++;
}

/*
 * Return: index of the cell's code; the last code represents all codes for which there is no room.
 */
static int find_code(struct writer *w, const struct grid_cell *cell)
{
	struct html *h = w->html;
	const char *words;

	if (cell->status == CELL_COUNTED)
		return 0;
	sb__clear(&w->scratch);
	cell__print_reason(&w->scratch, cell);
	words = sb__str(&w->scratch);
	for (int i = 1; i < h->nr_codes; i++)
		if (h->codes[i].status == cell->status && !strcmp(h->codes[i].words, words))
			return i;
	if (h->nr_codes < CODES_MOST - 1)
		return add_code(w, cell->status, words);
	if (h->nr_codes < CODES_MOST)
		return add_code(w, cell->status, "one of further reasons");
	return CODES_MOST - 1;
}

static void count_code(struct html *h, int column, struct html_tally *t, int code)
{
	struct html_code *c = &h->codes[code];

	c->rows++;
	if (t->counted_code == code)
		return;
	t->counted_code = code;
	c->series++;
	for (int i = 0; i < c->nr_columns; i++)
		if (c->columns[i] == column)
			return;
	if (c->nr_columns < (int)(sizeof(c->columns) / sizeof(*c->columns)))
		c->columns[c->nr_columns++] = column;
}

static void note_status(struct writer *w, int column, int series, const struct grid_cell *cell)
{
	struct html *h = w->html;
	struct html_tally *t = &h->tallies[series];
	int code = find_code(w, cell);

	if (code != t->code) {
		sb__printf(&h->changes, "%s[%d,%d,%d]", h->changes.len ? "," : "", series, h->nr,
			   code);
		t->code = code;
	}
	if (code && cell->status < CELL_ABSENT)
		count_code(h, column, t, code);
}

static unsigned char share_of(const struct grid_cell *cell)
{
	double percent = cell->more->percent;
	int share = !isfinite(percent) ? SHARE_UNKNOWN
		    : percent > PERCENT ? PERCENT
		    : percent < 0	? 0
					: (int)lround(percent);

	/* Round down a share just below 100 %, so that it differs from all the time. */
	if (share == PERCENT && percent < PERCENT - 0.05)
		share--;
	return share | (cell->threshold > 0 ? HTML_OVER : 0);
}

static float html__error_of(const struct writer *w, const struct grid_cell *cell)
{
	return w->opts.error ? (float)cell__error(cell) : NAN;
}

static void tally(struct html_tally *t, double value, double seconds)
{
	if (!isfinite(value))
		return;
	t->least = t->nr && t->least < value ? t->least : value;
	t->most = t->nr && t->most > value ? t->most : value;
	t->weighted += value * seconds;
	t->seconds += seconds;
	t->last = value;
	t->nr++;
}

static void take_cell(struct writer *w, int column, int row, double seconds)
{
	struct html *h = w->html;
	const struct grid_cell *cell = own__cell(w, column, row);
	int series = html_series(w, column, row);
	size_t at = (size_t)series * h->room + h->nr;

	h->values[at] = html__value(cell);
	h->errors[at] = html__error_of(w, cell);
	h->shares[at] = share_of(cell);
	note_status(w, column, series, cell);
	if (cell->status == CELL_ABSENT) {
		h->values[at] = NAN;
		return;
	}
	h->there[series] = true;
	h->nonzero[series] |= h->values[at] != 0 || h->shares[at] != PERCENT ||
			      (w->opts.error && h->errors[at] != 0);
	h->has_error |= w->opts.error && h->errors[at] != 0;
	h->has_share |= h->shares[at] != PERCENT;
	tally(&h->tallies[series], h->values[at], seconds);
}

/* --- The total ------------------------------------------------------------------------------- */

static void html__take_whole(struct writer *w)
{
	struct html *h = w->html;

	h->has_whole = true;
	h->whole_ns = w->grid->elapsed_ns;
	if (w->grid->since_start_ns > h->last_ns)
		h->last_ns = w->grid->since_start_ns;
	for (int i = 0; i < w->own->nr_columns; i++)
		for (int row = 0; row < w->grid->nr_rows; row++) {
			const struct grid_cell *cell = own__cell(w, i, row);
			int series = html_series(w, i, row);
			bool absent = cell->status == CELL_ABSENT;

			h->whole.values[series] = absent ? NAN : html__value(cell);
			h->whole.errors[series] = html__error_of(w, cell);
			h->whole.shares[series] = share_of(cell);
			h->whole.codes[series] = find_code(w, cell);
		}
}

static int flush_run(void *writer, struct err *err)
{
	return html_data__flush(writer, err);
}

static void html__put_part(void *writer, struct sb *sb)
{
	struct writer *w = writer;
	struct html *h = w->html;
	struct json j = JSON_INIT(&h->json, JSON_COMPACT);

	sb__printf(sb, "<section class=\"run\" data-run=\"%d\">\n", h->number);
	html_still__put(w, sb);
	sb__clear(&h->json);
	html_data__put_total(w, &j);
	page__put_data(sb, "w", &h->json);
	sb__puts(sb, "</section>\n");
}

/* --- The format ------------------------------------------------------------------------------ */

/* Names are not escaped here: JSON and HTML each escape the names that they use. */
static void html__keep(const struct writer *w, const char *text, struct sb *sb)
{
	(void)w;
	sb__puts(sb, text);
}

static void html__begin(struct writer *w)
{
	struct html *h = w->html = arena__calloc(&w->memory, 1, sizeof(*h));
	struct arena *m = &w->memory;
	size_t nr, cells, len;

	own__begin(w);
	h->page = w->opts.page;
	h->nr_series = w->own->nr_columns * w->grid->nr_rows;
	nr = h->nr_series ? h->nr_series : 1;
	h->room = CHUNK_BYTES / (nr * SERIES_BYTES);
	h->room = h->room < 1 ? 1 : h->room > CHUNK_ROWS ? CHUNK_ROWS : h->room;
	cells = nr * h->room;
	h->values = arena__calloc(m, cells, sizeof(*h->values));
	h->errors = arena__calloc(m, cells, sizeof(*h->errors));
	h->shares = arena__calloc(m, cells, 1);
	h->times = arena__calloc(m, h->room, sizeof(*h->times));
	h->lengths = arena__calloc(m, h->room, sizeof(*h->lengths));
	h->there = arena__calloc(m, nr, sizeof(*h->there));
	h->nonzero = arena__calloc(m, nr, sizeof(*h->nonzero));
	h->tallies = arena__calloc(m, nr, sizeof(*h->tallies));
	h->whole.values = arena__calloc(m, nr, sizeof(double));
	h->whole.errors = arena__calloc(m, nr, sizeof(float));
	h->whole.shares = arena__calloc(m, nr, 1);
	h->whole.codes = arena__calloc(m, nr, 1);
	h->names = arena__calloc(m, w->grid->nr_rows + 1, sizeof(*h->names));
	h->renamed = arena__calloc(m, w->grid->nr_rows + 1, sizeof(*h->renamed));
	h->nr_codes = 1;
	h->codes[0].words = "";
	h->head = w->opts.head ? w->opts.head : "";
	len = strlen(h->head);
	if (len > 1 && *h->head == '\'' && h->head[len - 1] == '\'')
		h->head = arena__keep(m, xstrndup(h->head + 1, len - 2));
	h->number = page__begin_run(h->page, html__put_part, flush_run, w);
}

/* Return: the FNV-1a hash of a row's name; 0 for a row without a name. */
static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (const char *c = text; c && *c; c++)
		hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
	return text && *text ? hash | 1 : 0;
}

/* Note rows that now belong to another function: their values over time cover both functions. */
static void watch_names(struct writer *w)
{
	const struct grid *g = w->grid;
	struct html *h = w->html;

	if (h->named == g->named || !row_kind__is_site(g->aggr))
		return;
	h->named = g->named;
	/* The last row sums up all other functions, and its name contains their number. */
	for (int row = 0; row < g->nr_rows - 1; row++) {
		uint64_t name = hash_of(g->rows[row].comm);

		h->renamed[row] |= h->names[row] && name != h->names[row];
		h->names[row] = name;
	}
}

static int html__take(struct writer *w, struct err *err)
{
	struct html *h = w->html;
	const struct grid *g = w->grid;
	double seconds = g->elapsed_ns ? g->elapsed_ns / (double)NS_PER_S : 1;
	bool due;
	int rc;

	if (!h->has_stills)
		html_still__begin(w);
	h->has_stills = true;
	watch_names(w);
	if (g->span != SPAN_INTERVAL) {
		html__take_whole(w);
		return 0;
	}
	h->times[h->nr] = g->since_start_ns;
	h->lengths[h->nr] = g->elapsed_ns;
	if (g->missed)
		sb__printf(&h->gaps, "%s[%d,%llu]", h->gaps.len ? "," : "", h->nr,
			   (unsigned long long)g->missed);
	for (int i = 0; i < w->own->nr_columns; i++)
		for (int row = 0; row < g->nr_rows; row++)
			take_cell(w, i, row, seconds);
	html_still__take(w, seconds);
	if (!h->rows++)
		h->first_ns = g->since_start_ns - g->elapsed_ns;
	h->last_ns = g->since_start_ns;
	h->nr++;
	due = page__is_named(h->page) && !w->opts.recorded &&
	      (!h->shown_ns || g->since_start_ns - h->shown_ns >= SHOW_NS);
	if (h->nr < h->room && !due)
		return 0;
	rc = html_data__flush(w, err);
	if (rc || !due)
		return rc;
	h->shown_ns = g->since_start_ns;
	return page__show(h->page, err);
}

static int html__finish(struct writer *w, struct err *err)
{
	int rc = html_data__flush(w, err);

	page__end_run(w->html->page);
	return rc;
}

/* --- Verdicts -------------------------------------------------------------------------------- */

static void html__put_phases(struct json *j, const struct grid_verdict *v)
{
	json__open(j, NULL, '{');
	json__int(j, "row", v->row);
	json__int(j, "cgroup", v->cgroup_number);
	json__text(j, "core", v->core_name ? v->core_name : "");
	json__open(j, "phases", '[');
	for (int i = 0; i < v->nr_phases; i++) {
		const struct grid_phase *p = &v->phases[i];

		json__open(j, NULL, '[');
		json__number(j, NULL, p->start_ns);
		json__number(j, NULL, p->end_ns);
		json__text(j, NULL, p->path.nr ? v->nodes[p->path.at[p->path.nr - 1]].name : "");
		json__close(j, ']');
	}
	json__close(j, ']');
}

static void html__verdicts(struct writer *w)
{
	struct html *h = w->html;
	const struct grid *g = w->grid;

	text__verdicts(w);
	sb__clear(&h->verdict);
	sb__puts(&h->verdict, sb__str(&w->text));
	sb__clear(&h->phases);
	sb__clear(&h->phase_rows);
	for (int i = 0; i < g->nr_verdicts; i++) {
		struct json j = JSON_INIT(&h->phases, JSON_COMPACT);

		if (!g->verdicts[i].nr_phases)
			continue;
		sb__puts(&h->phases, h->phases.len ? "," : "");
		html__put_phases(&j, &g->verdicts[i]);
		sb__putc(&h->phases, '}');
		html_tables__take_phases(w, &g->verdicts[i]);
	}
}

static void release(struct writer *w)
{
	struct html *h = w->html;
	struct sb *texts[] = {&h->changes, &h->new_codes, &h->gaps,  &h->json,
			      &h->bytes,   &h->verdict,	  &h->phases, &h->phase_rows};

	page__end_run(h->page);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		sb__free(texts[i]);
}

const struct format format_html = {
	.name = "html",
	.traits = FORMAT_PAGE | FORMAT_VERDICT | FORMAT_LEVELS,
	.wants = WANT_EVENTS | WANT_RATIOS | WANT_METRICS | WANT_STATUS | WANT_TREE,
	.metric_only_wants = WANT_RATIOS | WANT_METRICS | WANT_STATUS | WANT_TREE,
	.dress = html__keep,
	.begin = html__begin,
	.take = html__take,
	.finish = html__finish,
	.verdicts = html__verdicts,
	.release = release,
};
