// SPDX-License-Identifier: GPL-2.0-only
/* Write the data of a run into its page: the description, the chunks (html.c), the total. */
#include "writers/html.h"

#include <string.h>

#include "base/json.h"

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

/* Write numbers as little-endian, since computers of either byte order may read a page. */
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

static int html_data__find_column(const struct writer *w, int number)
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
	json__text_if(j, "q", c->plain ? c->plain : "");
	json__text(j, "k", kinds[c->kind]);
	json__int(j, "g", c->cgroup_number);
	json__int(j, "l", c->level);
	json__int(j, "a", html_data__find_column(w, c->parent));
	json__close(j, '}');
}

static void html_data__put_rows(struct writer *w, struct json *j)
{
	const struct grid *g = w->grid;

	json__open(j, "rows", '[');
	for (int i = 0; i < g->nr_rows; i++) {
		sb__clear(&w->scratch);
		row__label(w, g->aggr, &g->rows[i], &w->scratch);
		sb__puts(&w->scratch, w->html->renamed[i] ? " (and others before)" : "");
		json__text(j, NULL, sb__str(&w->scratch));
	}
	json__close(j, ']');
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
	html_data__put_rows(w, j);
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

/*
 * Append ranges of skipped series: [12,3],[20,1]; each has the first series and the number of
 * series.
 */
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

static void html_data__put_list(struct json *j, const char *key, struct sb *list)
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
	html_data__put_list(j, "w", &h->new_codes);
	html_data__put_list(j, "s", &h->changes);
	html_data__put_list(j, "m", &h->gaps);
	json__close(j, '}');
}

static void clear_chunk(struct html *h)
{
	h->nr = 0;
	h->has_error = h->has_share = false;
	memset(h->there, 0, h->nr_series * sizeof(*h->there));
	memset(h->nonzero, 0, h->nr_series * sizeof(*h->nonzero));
}

int html_data__flush(struct writer *w, struct err *err)
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

/* --- The total ------------------------------------------------------------------------------- */

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

void html_data__put_total(struct writer *w, struct json *j)
{
	struct html *h = w->html;

	json__open(j, NULL, '{');
	json__int(j, "r", h->number);
	/* A function gets a row when it is found, perhaps after the first chunk. */
	if (w->grid->named)
		html_data__put_rows(w, j);
	html_data__put_list(j, "y", &h->phases);
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
