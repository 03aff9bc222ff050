// SPDX-License-Identifier: GPL-2.0-only
/*
 * --format=markdown prints a table to paste into an issue or a page. Counts have a line each;
 * without counts, metrics have a column each.
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "writers/own.h"

/* Escape characters that would end a cell or act as mark-up; replace a control character by '?'. */
static void dress__markdown(const struct writer *w, const char *text, struct sb *sb)
{
	static const char special[] = "\\|<>*`[]&~$_";
	const char *start = text;

	(void)w;
	while (*text) {
		size_t len = strcspn(text, special);
		bool at_edge;

		text__clean_utf8(sb, text, len, "");
		text += len;
		if (!*text)
			return;
		at_edge = text == start || !isalnum((unsigned char)text[-1]) ||
			  !isalnum((unsigned char)text[1]);
		if (*text != '_' || at_edge)
			sb__putc(sb, '\\');
		sb__putc(sb, *text++);
	}
}

/* --- Cells ----------------------------------------------------------------------------------- */

static void markdown__put_number(struct writer *w, int column, const struct grid_cell *cell)
{
	const struct grid_column *c = own__column(w, column);
	struct figure f = figure__make(c, cell);

	if (!isfinite(cell->value) || cell->status == CELL_ABSENT)
		return;
	if (c->kind == GRID_EVENT)
		f.form = cell->is_count ? FORM_COUNT : FORM_PLAIN;
	if (cell->assumed)
		sb__puts(&w->text, ASSUMED_MARK);
	figure__bare(&w->text, &f);
	if (w->opts.error)
		figure__error(w, &w->text, &f);
	if (w->grid->runs && isfinite(cell->more->spread_percent))
		sb__printf(&w->text, " +- %.2f %%", cell->more->spread_percent);
}

/* Each line of a late row has a note about it, since lines may be sorted or taken out. */
static void put_gap(struct writer *w, const struct grid_cell *cell)
{
	if (!grid__has_gap(w->grid))
		return;
	sb__printf(&w->text, "%" PRIu64 " row%s left out before it%s", w->grid->missed,
		   w->grid->missed > 1 ? "s" : "",
		   cell->status == CELL_ABSENT || cell->status == CELL_COUNTED ? "" : "; ");
}

/* The note has the status of a value that was not counted all the time, with the reason. */
static void put_note(struct writer *w, const struct grid_cell *cell)
{
	struct sb *note = &w->scratch;

	put_gap(w, cell);
	if (cell->status == CELL_ABSENT || cell->status == CELL_COUNTED)
		return;
	sb__clear(note);
	cell__print_reason(note, cell);
	sb__puts(&w->text, cell_status__name(cell->status));
	if (note->len)
		sb__puts(&w->text, ": ");
	dress__markdown(w, sb__str(note), &w->text);
}

/* Return: the worst cell of a line of metrics, whose note is printed. */
static const struct grid_cell *worst_of(const struct writer *w, const struct own_place *at)
{
	const struct grid_cell *worst = NULL;

	own__for_each(i, w, at) {
		const struct grid_cell *cell = own__cell(w, i, at->row);

		if (cell->status != CELL_ABSENT && (!worst || cell->status > worst->status))
			worst = cell;
	}
	return worst;
}

/* --- When and where -------------------------------------------------------------------------- */

static bool markdown__is_shown(enum own_key key)
{
	return key != KEY_LENGTH && key != KEY_ROW && key != KEY_CPUS;
}

/* Append the time and place of a line; if @at is NULL, append the names of these columns. */
static void markdown__put_keys(struct writer *w, const struct own_place *at)
{
	sb__putc(&w->text, '|');
	for (int i = 0; i < w->own->nr_keys; i++) {
		enum own_key key = w->own->keys[i];

		if (!markdown__is_shown(key))
			continue;
		sb__putc(&w->text, ' ');
		if (!at)
			sb__puts(&w->text, own_keys[key].name);
		else if (key == KEY_TIME && w->grid->span != SPAN_INTERVAL)
			own_key__print(w, KEY_ROW, at, NULL, &w->text);
		else
			own_key__print(w, key, at, NULL, &w->text);
		sb__puts(&w->text, " |");
	}
}

/* --- The table ------------------------------------------------------------------------------- */

/* Numbers are right-aligned. */
static void put_rule(struct writer *w)
{
	sb__puts(&w->text, "\n|");
	for (int i = 0; i < w->own->nr_keys; i++)
		if (markdown__is_shown(w->own->keys[i]))
			sb__puts(&w->text, own_keys[w->own->keys[i]].is_text ? "---|" : "---:|");
	for (int i = 0; w->opts.metric_only && i < w->own->cgroups[0].nr; i++)
		sb__puts(&w->text, "---:|");
	sb__puts(&w->text, w->opts.metric_only ? "---|\n" : "---|---:|---:|---|\n");
}

/* If only metrics are printed, all cgroups have the same columns. */
static void heads(struct writer *w)
{
	if (w->grid->simulated) {
		sb__puts(&w->text, "Simulated machine ");
		dress__markdown(w, w->grid->simulated, &w->text);
		sb__puts(&w->text, ": its counts are synthetic.\n\n");
	}
	markdown__put_keys(w, NULL);
	for (int i = 0; w->opts.metric_only && i < w->own->cgroups[0].nr; i++) {
		sb__putc(&w->text, ' ');
		dress__markdown(w, w->own->columns[i].heading, &w->text);
		sb__puts(&w->text, " |");
	}
	sb__puts(&w->text, w->opts.metric_only ? " note |" :
						  " event or metric | value | of the time | note |");
	put_rule(w);
}

static void put_metrics(struct writer *w, const struct own_place *at)
{
	const struct grid_cell *worst = worst_of(w, at);

	markdown__put_keys(w, at);
	own__for_each(i, w, at) {
		sb__putc(&w->text, ' ');
		markdown__put_number(w, i, own__cell(w, i, at->row));
		sb__puts(&w->text, " |");
	}
	sb__putc(&w->text, ' ');
	if (worst)
		put_note(w, worst);
	sb__puts(&w->text, " |\n");
}

static void markdown__put_value(struct writer *w, int column, const struct own_place *at)
{
	const struct grid_cell *cell = own__cell(w, column, at->row);

	markdown__put_keys(w, at);
	sb__putc(&w->text, ' ');
	dress__markdown(w, w->own->columns[column].heading, &w->text);
	sb__puts(&w->text, " | ");
	markdown__put_number(w, column, cell);
	sb__puts(&w->text, " | ");
	if (isfinite(cell->more->percent))
		sb__printf(&w->text, "%.1f %%", cell->more->percent);
	sb__puts(&w->text, " | ");
	put_note(w, cell);
	sb__puts(&w->text, " |\n");
}

static void markdown__rows(struct writer *w)
{
	struct own_place at = { .row = -1 };

	while (own__next(w, &at)) {
		if (w->opts.metric_only) {
			put_metrics(w, &at);
			continue;
		}
		own__for_each(i, w, &at)
			if (own__cell(w, i, at.row)->status != CELL_ABSENT)
				markdown__put_value(w, i, &at);
	}
}

/* Verdicts follow the table, in the same words as on a terminal. */
static void markdown__verdicts(struct writer *w)
{
	sb__puts(&w->text, "\n```\n");
	text__verdicts(w);
	sb__puts(&w->text, "```\n");
}

const struct format format_markdown = {
	.name = "markdown",
	.traits = FORMAT_HEADER | FORMAT_VERDICT,
	.wants = WANT_EVENTS | WANT_RATIOS | WANT_METRICS | WANT_STATUS,
	.metric_only_wants = WANT_RATIOS | WANT_METRICS | WANT_STATUS,
	.dress = dress__markdown,
	.begin = own__begin,
	.heads = heads,
	.rows = markdown__rows,
	.verdicts = markdown__verdicts,
};
