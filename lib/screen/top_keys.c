// SPDX-License-Identifier: GPL-2.0-only
/* Make and free the model, and handle keys. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "screen/internal.h"
#include "screen/screen.h"

#define MS_PER_S 1000
#define DEPTH_MOST 16
#define FILTER_MOST 60

struct top *top__new(const struct top_options *opts)
{
	struct top *t = xcalloc(1, sizeof(*t));

	t->opts = *opts;
	t->nr_history = HISTORY_S * MS_PER_S / opts->interval_ms;
	t->nr_history = t->nr_history < 1 ? 1 : t->nr_history;
	t->nr_history = t->nr_history > HISTORY_MOST ? HISTORY_MOST : t->nr_history;
	t->cursor = t->branch = t->deepest = t->deeper = -1;
	t->busy = t->cycles = NAN;
	t->charts = opts->tables ? -1 : 0;
	t->base = opts->rows == TOP_FUNCTIONS ? TOP_PROCESSES : opts->rows;
	t->shows = t->base;
	if (opts->rows == TOP_FUNCTIONS)
		top__show_functions(t, 0, NULL);
	t->sort = top__sort_first(t);
	return t;
}

void top__free(struct top *t)
{
	if (!t)
		return;
	for (int i = 0; i < t->nodes.nr; i++) {
		free(t->nodes.at[i].name);
		free(t->nodes.at[i].core);
		free(t->nodes.at[i].unit);
		free(t->nodes.at[i].plain);
		free(t->nodes.at[i].history);
	}
	top__forget_rows(t);
	for (int i = 0; i < t->ipc.nr; i++)
		free(t->ipc.at[i].core);
	vec__free(&t->ipc);
	vec__free(&t->nodes);
	vec__free(&t->rows);
	vec__free(&t->lines);
	free(t->outline.lines);
	free(t->outline.order);
	sb__free(&t->filter);
	sb__free(&t->message);
	sb__free(&t->rows_message);
	sb__free(&t->time);
	sb__free(&t->of);
	sb__free(&t->row_name);
	free(t->overlay_title);
	free(t->overlay);
	free(t);
}

static void set_text(struct sb *sb, const char *text)
{
	sb__clear(sb);
	sb__puts(sb, text);
}

void top__set_message(struct top *t, const char *text, bool warning)
{
	set_text(&t->message, text);
	t->warning = warning;
}

void top__set_rows_message(struct top *t, const char *text)
{
	set_text(&t->rows_message, text);
}

void top__set_busy(struct top *t, double cpus)
{
	if (!t->held)
		t->busy = cpus;
}

void top__set_time(struct top *t, const char *text)
{
	set_text(&t->time, text);
}

static void close_overlay(struct top *t)
{
	free(t->overlay);
	free(t->overlay_title);
	t->overlay = t->overlay_title = NULL;
	t->helps = false;
	t->scroll_overlay = 0;
}

void top__show_text(struct top *t, const char *title, const char *text)
{
	close_overlay(t);
	t->overlay_title = xstrdup(title);
	t->overlay = xstrdup(text);
}

const char *top__selected(const struct top *t)
{
	return t->cursor < 0 ? NULL : t->nodes.at[t->cursor].name;
}

const char *top__branch(const struct top *t)
{
	return t->branch < 0 ? NULL : t->nodes.at[t->branch].name;
}

const char *top__each_above(const struct top *t, int n)
{
	int above[DEPTH_MOST] = {0}, nr = 0;

	for (int i = t->branch; i >= 0 && nr < DEPTH_MOST; i = t->nodes.at[i].above)
		above[nr++] = i;
	return n < nr ? t->nodes.at[above[nr - 1 - n]].name : NULL;
}

bool top__is_held(const struct top *t)
{
	return t->held;
}

/* --- Keys ------------------------------------------------------------------------------------ */

static void top_keys__move(struct top *t, int by)
{
	int at = 0;

	if (!t->lines.nr)
		return;
	for (int i = 0; i < t->lines.nr; i++)
		if (t->lines.at[i] == t->cursor)
			at = i;
	at += by;
	at = at < 0 ? 0 : at >= t->lines.nr ? t->lines.nr - 1 : at;
	t->cursor = t->lines.at[at];
}

static enum top_action go_down(struct top *t)
{
	const char *name = top__selected(t);

	if (!name || t->cursor == t->branch)
		return TOP_NOTHING;
	if (!t->nodes.at[t->cursor].level || !t->opts.nr_parts(t->opts.arg, name)) {
		top__set_message(t, "none of its children is counted", true);
		return TOP_NOTHING;
	}
	t->branch = t->cursor;
	return TOP_BRANCH;
}

static enum top_action go_up(struct top *t)
{
	t->cursor = t->branch;
	t->branch = t->nodes.at[t->branch].above;
	/* The first two levels are counted in every branch. */
	if (t->branch >= 0 && t->nodes.at[t->branch].level < 2)
		t->branch = -1;
	return TOP_BRANCH;
}

/* Edit the filter: Escape clears it, Enter keeps it. */
static void edit_filter(struct top *t, int key)
{
	if (key == KEY_ESCAPE)
		sb__clear(&t->filter);
	if (key == KEY_ESCAPE || key == KEY_ENTER) {
		t->typing = false;
	} else if (key == KEY_BACKSPACE) {
		/* Delete all bytes of a character. */
		while (t->filter.len && (t->filter.buf[t->filter.len - 1] & 0xc0) == 0x80)
			t->filter.len--;
		t->filter.len -= t->filter.len > 0;
	} else if (key >= ' ' && key < KEY_UP && t->filter.len < FILTER_MOST) {
		sb__putc(&t->filter, key);
	}
	if (t->filter.buf)
		t->filter.buf[t->filter.len] = '\0';
}

static void read_on(struct top *t, int key)
{
	int by = key == KEY_DOWN	? 1
		 : key == KEY_UP	? -1
		 : key == KEY_PAGE_DOWN ? t->page_lines
		 : key == KEY_PAGE_UP	? -t->page_lines
					: 0;

	if (!by) {
		close_overlay(t);
		return;
	}
	t->scroll_overlay += by;
	t->scroll_overlay = t->scroll_overlay < 0 ? 0 : t->scroll_overlay;
}

static void scroll(struct top *t, int by)
{
	t->scroll_rows += by;
	t->scroll_rows = t->scroll_rows < 0 ? 0 : t->scroll_rows;
}

/* Move in the tree, or after Tab in the rows (arrows, Home and End). */
static void top_keys__go(struct top *t, int by)
{
	if (t->in_rows)
		top__move_row(t, by);
	else
		top_keys__move(t, by);
}

static void change(struct top *t, int key)
{
	switch (key) {
	case '-':
		t->folds = !t->folds;
		break;
	case KEY_TAB:
		t->in_rows = !t->in_rows;
		break;
	case ' ':
		t->held = !t->held;
		break;
	case '/':
		t->typing = true;
		break;
	case 's':
		top__next_sort(t);
		break;
	case 'g':
		t->charts = t->charting ? -1 : 1;
		break;
	case '?':
	case 'h':
		t->helps = true;
		break;
	case KEY_UP:
	case 'k':
		top_keys__go(t, -1);
		break;
	case KEY_DOWN:
	case 'j':
		top_keys__go(t, 1);
		break;
	case KEY_HOME:
		top_keys__go(t, t->in_rows ? -t->rows.nr : -t->lines.nr);
		break;
	case KEY_END:
		top_keys__go(t, t->in_rows ? t->rows.nr : t->lines.nr);
		break;
	case KEY_PAGE_UP:
		scroll(t, -t->page_lines);
		break;
	case KEY_PAGE_DOWN:
		scroll(t, t->page_lines);
		break;
	}
}

/* Show functions of the selected process or of all processes, or go back to the rows before. */
static enum top_action toggle_functions(struct top *t)
{
	const struct top_row *row = NULL;
	int selected = top__selected_row(t);

	if (t->shows == TOP_FUNCTIONS) {
		top__show_base(t);
		return TOP_ROWS;
	}
	if (t->in_rows && t->shows == TOP_PROCESSES && selected >= 0)
		row = &t->rows.at[selected];
	top__show_functions(t, row ? row->key : 0, row ? row->name : NULL);
	return TOP_ROWS;
}

static enum top_action enter_row(struct top *t)
{
	if (t->shows == TOP_PROCESSES && top__selected_row(t) >= 0)
		return toggle_functions(t);
	return TOP_NOTHING;
}

/* Escape goes back by one step. */
static enum top_action go_back(struct top *t)
{
	if (t->shows == TOP_FUNCTIONS)
		return toggle_functions(t);
	t->in_rows = false;
	return TOP_NOTHING;
}

enum top_action top__key(struct top *t, int key)
{
	if (key == KEY_REDRAW || key == KEY_OTHER || key == KEY_NONE)
		return TOP_NOTHING;
	if (t->typing) {
		edit_filter(t, key);
		return TOP_NOTHING;
	}
	if (t->overlay || t->helps) {
		read_on(t, key);
		return TOP_NOTHING;
	}
	top__set_message(t, "", false);
	switch (key) {
	case 'q':
		return TOP_QUIT;
	case 'w':
		return TOP_PAGE;
	case 'e':
		return top__selected(t) ? TOP_EXPLAIN : TOP_NOTHING;
	case 'f':
		return toggle_functions(t);
	case KEY_ESCAPE:
		return go_back(t);
	case KEY_ENTER:
	case KEY_RIGHT:
		return t->in_rows ? enter_row(t) : go_down(t);
	case KEY_BACKSPACE:
	case KEY_LEFT:
		return t->in_rows || t->branch < 0 ? go_back(t) : go_up(t);
	}
	change(t, key);
	return TOP_NOTHING;
}
