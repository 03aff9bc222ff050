// SPDX-License-Identifier: GPL-2.0-only
/*
 * --format=html takes rows in, and a page has them: as data, a chunk of rows at a time, and as what
 * html_still.c makes of them.
 *
 * A chunk is an object: "n" rows, which end at "t" and are "l" long (ns). Numbers are base64 of
 * little-endian doubles, those of a series together: "v" of all series but "a", which have no cell
 * there, and "z", whose values are all 0 and exact. "e" are how far off they may be (floats, NaN:
 * nobody knows; without them all are exact, if the run has "errors"), and "p" bytes: the share of
 * the time in percent, with 128 added for what is over its threshold (without them 100). "s" are
 * changes of status: series, row, and the number of one of the run's codes, which "w" adds: a
 * status and why. It is 0, counted, before. "m" are rows before which others were left out: row,
 * how many.
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
#define OVER 128
#define SERIES_BYTES (sizeof(double) + sizeof(float) + 1)

double html__value(const struct grid_cell *cell)
{
	return cell->is_count ? (double)cell->count : cell->value;
}

/* --- Base64 ---------------------------------------------------------------------------------- */

static void put_base64(struct sb *sb, const struct sb *bytes)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *at = (const unsigned char *)sb__str(bytes);

	for (size_t i = 0; i < bytes->len; i += 3) {
		size_t left = bytes->len - i;
		unsigned int n = at[i] << 16 | (left > 1 ? at[i + 1] << 8 : 0) |
				 (left > 2 ? at[i + 2] : 0);
		const char text[] = {digits[n >> 18], digits[n >> 12 & 63],
				     left > 1 ? digits[n >> 6 & 63] : '=',
				     left > 2 ? digits[n & 63] : '='};

		sb__add(sb, text, sizeof(text));
	}
}

/* Pages are read on computers of either byte order. */
static void put_bytes(struct sb *sb, const void *number, size_t size)
{
	char bytes[sizeof(double)];

	memcpy(bytes, number, size);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	for (size_t i = 0; i < size / 2; i++) {
		char byte = bytes[i];

		bytes[i] = bytes[size - 1 - i];
		bytes[size - 1 - i] = byte;
	}
#endif
	sb__add(sb, bytes, size);
}

static void put_numbers(struct json *j, const char *key, struct sb *bytes)
{
	json__begin_text(j, key);
	put_base64(j->sb, bytes);
	json__end_text(j);
	sb__clear(bytes);
}

/* --- What stands before the rows ------------------------------------------------------------- */

static int find_column(const struct writer *w, int number)
{
	for (int i = 0; number >= 0 && i < w->own->nr_columns; i++)
		if (w->own->columns[i].number == number)
			return i;
	return -1;
}

static void put_column(struct writer *w, struct json *j, int column)
{
	static const char *const kinds[] = {[GRID_EVENT] = "event", [GRID_RATIO] = "ratio",
					    [GRID_RATE] = "rate", [GRID_METRIC] = "metric"};
	const struct own_column *names = &w->own->columns[column];
	const struct grid_column *c = own__column(w, column);

	json__open(j, NULL, '{');
	json__text(j, "n", names->name);
	json__text_if(j, "u", names->unit);
	json__text_if(j, "p", names->pmu);
	json__text_if(j, "o", names->of);
	json__text_if(j, "c", c->core_name ? c->core_name : "");
	json__text(j, "k", kinds[c->kind]);
	json__int(j, "g", c->cgroup_number);
	json__int(j, "l", c->level);
	json__int(j, "a", find_column(w, c->parent));
	json__close(j, '}');
}

static void put_run(struct writer *w, struct json *j)
{
	const struct grid *g = w->grid;

	json__open(j, NULL, '{');
	json__int(j, "schema", OWN_SCHEMA);
	json__int(j, "run", w->html->number);
	json__text(j, "what", w->html->head);
	json__text(j, "by", row_kinds[g->aggr].key);
	json__bool(j, "errors", w->opts.error);
	json__open(j, "rows", '[');
	for (int i = 0; i < g->nr_rows; i++) {
		sb__clear(&w->scratch);
		row__label(w, g->aggr, &g->rows[i], &w->scratch);
		json__text(j, NULL, sb__str(&w->scratch));
	}
	json__close(j, ']');
	json__open(j, "cgroups", '[');
	for (int i = 0; i < g->cgroups.nr; i++)
		json__text(j, NULL, w->own->cgroups[i].name);
	json__close(j, ']');
	json__open(j, "columns", '[');
	for (int i = 0; i < w->own->nr_columns; i++)
		put_column(w, j, i);
	json__close(j, ']');
	json__close(j, '}');
}

static int begin_data(struct writer *w, struct err *err)
{
	struct html *h = w->html;
	struct json j = JSON_INIT(&h->json, JSON_COMPACT);

	if (h->begun)
		return 0;
	h->begun = true;
	sb__clear(&h->json);
	put_run(w, &j);
	return page__add_data(h->page, "r", &h->json, err);
}

/* --- Rows ------------------------------------------------------------------------------------ */

/* Append [12,3],[20,1]: series @skipped of all, the first of each stretch and how many. */
static void put_skipped(struct json *j, const char *key, const struct html *h, bool zero)
{
	json__open(j, key, '[');
	for (int i = 0, nr; i < h->nr_series; i += nr ? nr : 1) {
		for (nr = 0; i + nr < h->nr_series; nr++) {
			bool there = h->there[i + nr];

			if (zero ? !there || h->nonzero[i + nr] : there)
				break;
		}
		if (!nr)
			continue;
		json__open(j, NULL, '[');
		json__int(j, NULL, i);
		json__int(j, NULL, nr);
		json__close(j, ']');
	}
	json__close(j, ']');
}

static bool is_written(const struct html *h, int series)
{
	return h->there[series] && h->nonzero[series];
}

static void put_series(struct html *h, struct json *j)
{
	for (int i = 0; i < h->nr_series; i++)
		for (int n = 0; is_written(h, i) && n < h->nr; n++)
			put_bytes(&h->bytes, &h->values[(size_t)i * h->room + n], sizeof(double));
	put_numbers(j, "v", &h->bytes);
	for (int i = 0; h->has_error && i < h->nr_series; i++)
		for (int n = 0; is_written(h, i) && n < h->nr; n++)
			put_bytes(&h->bytes, &h->errors[(size_t)i * h->room + n], sizeof(float));
	if (h->has_error)
		put_numbers(j, "e", &h->bytes);
	for (int i = 0; h->has_share && i < h->nr_series; i++)
		if (is_written(h, i))
			sb__add(&h->bytes, (char *)h->shares + (size_t)i * h->room, h->nr);
	if (h->has_share)
		put_numbers(j, "p", &h->bytes);
}

static void put_times(struct html *h, struct json *j)
{
	for (int n = 0; n < h->nr; n++)
		put_bytes(&h->bytes, &h->times[n], sizeof(double));
	put_numbers(j, "t", &h->bytes);
	for (int n = 0; n < h->nr; n++)
		put_bytes(&h->bytes, &h->lengths[n], sizeof(double));
	put_numbers(j, "l", &h->bytes);
}

static void put_list(struct json *j, const char *key, struct sb *list)
{
	if (!list->len)
		return;
	json__key(j, key);
	sb__printf(j->sb, "[%s]", sb__str(list));
	sb__clear(list);
}

static void put_chunk(struct html *h, struct json *j)
{
	json__open(j, NULL, '{');
	json__int(j, "r", h->number);
	json__int(j, "n", h->nr);
	put_times(h, j);
	put_skipped(j, "a", h, false);
	put_skipped(j, "z", h, true);
	put_series(h, j);
	put_list(j, "w", &h->new_codes);
	put_list(j, "s", &h->changes);
	put_list(j, "m", &h->gaps);
	json__close(j, '}');
}

static void clear_chunk(struct html *h)
{
	h->nr = 0;
	h->has_error = h->has_share = false;
	memset(h->there, 0, h->nr_series * sizeof(*h->there));
	memset(h->nonzero, 0, h->nr_series * sizeof(*h->nonzero));
}

static int flush(struct writer *w, struct err *err)
{
	struct html *h = w->html;
	struct json j = JSON_INIT(&h->json, JSON_COMPACT);
	int rc = begin_data(w, err);

	if (rc || !h->nr)
		return rc;
	sb__clear(&h->json);
	put_chunk(h, &j);
	rc = page__add_data(h->page, "d", &h->json, err);
	clear_chunk(h);
	return rc;
}

/* --- Cells ----------------------------------------------------------------------------------- */

/* Of a code that is new, the chunk says what it means. */
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
	/* The outermost value would end the line. */
	sb__putc(&h->new_codes, ']');
	return h->nr_codes++;
}

/* Return: the number of the cell's status and reason; the last stands for all without room. */
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
	if (t->told == code)
		return;
	t->told = code;
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
	if (code)
		count_code(h, column, t, code);
}

static unsigned char share_of(const struct grid_cell *cell)
{
	double percent = cell->more->percent;
	int share = !isfinite(percent) ? SHARE_UNKNOWN
		    : percent > PERCENT ? PERCENT
		    : percent < 0	? 0
					: (int)lround(percent);

	/* What had no counter for a moment is not shown as if it had it all the time. */
	if (share == PERCENT && percent < PERCENT - 0.05)
		share--;
	return share | (cell->threshold > 0 ? OVER : 0);
}

static float error_of(const struct writer *w, const struct grid_cell *cell)
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
	h->errors[at] = error_of(w, cell);
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

static void take_whole(struct writer *w)
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
			h->whole.errors[series] = error_of(w, cell);
			h->whole.shares[series] = share_of(cell);
			h->whole.codes[series] = find_code(w, cell);
		}
}

static void put_whole_codes(struct writer *w, struct json *j)
{
	const struct html *h = w->html;

	json__open(j, "w", '[');
	for (int i = 1; i < h->nr_codes; i++) {
		json__open(j, NULL, '[');
		json__int(j, NULL, i);
		json__text(j, NULL, cell_status__name(h->codes[i].status));
		json__text(j, NULL, h->codes[i].words);
		json__close(j, ']');
	}
	json__close(j, ']');
}

/* What changes with each row, as data: the total, and phases. */
static void put_total(struct writer *w, struct json *j)
{
	struct html *h = w->html;

	json__open(j, NULL, '{');
	json__int(j, "r", h->number);
	put_list(j, "y", &h->phases);
	put_whole_codes(w, j);
	if (h->has_whole) {
		json__number(j, "l", h->whole_ns);
		for (int i = 0; i < h->nr_series; i++)
			put_bytes(&h->bytes, &h->whole.values[i], sizeof(double));
		put_numbers(j, "v", &h->bytes);
		for (int i = 0; i < h->nr_series; i++)
			put_bytes(&h->bytes, &h->whole.errors[i], sizeof(float));
		put_numbers(j, "e", &h->bytes);
		sb__add(&h->bytes, (char *)h->whole.shares, h->nr_series);
		put_numbers(j, "p", &h->bytes);
		sb__add(&h->bytes, (char *)h->whole.codes, h->nr_series);
		put_numbers(j, "s", &h->bytes);
	}
	json__close(j, '}');
}

static int flush_run(void *writer, struct err *err)
{
	return flush(writer, err);
}

static void put_part(void *writer, struct sb *sb)
{
	struct writer *w = writer;
	struct html *h = w->html;
	struct json j = JSON_INIT(&h->json, JSON_COMPACT);

	sb__printf(sb, "<section class=\"run\" data-run=\"%d\">\n", h->number);
	html_still__put(w, sb);
	sb__clear(&h->json);
	put_total(w, &j);
	page__put_data(sb, "w", &h->json);
	sb__puts(sb, "</section>\n");
}

/* --- The format ------------------------------------------------------------------------------ */

/* A name stands in JSON and in HTML: each escapes it. */
static void keep(const struct writer *w, const char *text, struct sb *sb)
{
	(void)w;
	sb__puts(sb, text);
}

static void begin(struct writer *w)
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
	h->nr_codes = 1;
	h->codes[0].words = "";
	h->head = w->opts.head ? w->opts.head : "";
	len = strlen(h->head);
	if (len > 1 && *h->head == '\'' && h->head[len - 1] == '\'')
		h->head = arena__keep(m, xstrndup(h->head + 1, len - 2));
	h->number = page__begin_run(h->page, put_part, flush_run, w);
}

static int take(struct writer *w, struct err *err)
{
	struct html *h = w->html;
	const struct grid *g = w->grid;
	double seconds = g->elapsed_ns ? g->elapsed_ns / (double)NS_PER_S : 1;
	bool due;
	int rc;

	if (!h->has_stills)
		html_still__begin(w);
	h->has_stills = true;
	if (g->span != SPAN_INTERVAL) {
		take_whole(w);
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
	rc = flush(w, err);
	if (rc || !due)
		return rc;
	h->shown_ns = g->since_start_ns;
	return page__show(h->page, err);
}

static int finish(struct writer *w, struct err *err)
{
	int rc = flush(w, err);

	page__end_run(w->html->page);
	return rc;
}

/* --- Verdicts -------------------------------------------------------------------------------- */

static void put_phases(struct json *j, const struct grid_verdict *v)
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

static void verdicts(struct writer *w)
{
	struct html *h = w->html;
	const struct grid *g = w->grid;

	text__verdicts(w);
	sb__clear(&h->verdict);
	sb__puts(&h->verdict, sb__str(&w->text));
	sb__clear(&h->phases);
	for (int i = 0; i < g->nr_verdicts; i++) {
		struct json j = JSON_INIT(&h->phases, JSON_COMPACT);

		if (!g->verdicts[i].nr_phases)
			continue;
		sb__puts(&h->phases, h->phases.len ? "," : "");
		put_phases(&j, &g->verdicts[i]);
		sb__putc(&h->phases, '}');
	}
}

static void release(struct writer *w)
{
	struct html *h = w->html;
	struct sb *texts[] = {&h->changes, &h->new_codes, &h->gaps,  &h->json,
			      &h->bytes,   &h->verdict,	  &h->phases};

	page__end_run(h->page);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		sb__free(texts[i]);
}

const struct format format_html = {
	.name = "html",
	.traits = FORMAT_PAGE | FORMAT_VERDICT | FORMAT_LEVELS,
	.wants = WANT_EVENTS | WANT_RATIOS | WANT_METRICS | WANT_STATUS | WANT_TREE,
	.metric_only_wants = WANT_RATIOS | WANT_METRICS | WANT_STATUS | WANT_TREE,
	.dress = keep,
	.begin = begin,
	.take = take,
	.finish = finish,
	.verdicts = verdicts,
	.release = release,
};
