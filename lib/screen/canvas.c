// SPDX-License-Identifier: GPL-2.0-only
#include "screen/canvas.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"

void canvas__resize(struct canvas *c, int width, int height)
{
	free(c->at);
	c->width = width;
	c->height = height;
	c->at = xcalloc((size_t)width * height + 1, sizeof(*c->at));
	canvas__clear(c);
}

void canvas__free(struct canvas *c)
{
	free(c->at);
	*c = (struct canvas){.at = NULL};
}

void canvas__clear(struct canvas *c)
{
	for (int i = 0; i < c->width * c->height; i++)
		c->at[i] = (struct canvas_cell){.text = " "};
}

/* Blank the remaining half of a character that was two columns wide. */
static void split_wide(struct canvas *c, int row, int column)
{
	struct canvas_cell *cell = &c->at[row * c->width + column];

	if (column && column < c->width && !*cell->text) {
		strcpy(cell[-1].text, " ");
		strcpy(cell->text, " ");
	}
}

static void put_character(struct canvas *c, int row, int column, const char *text, size_t len,
			  int width, enum canvas_style style)
{
	struct canvas_cell *cell = &c->at[row * c->width + column];

	split_wide(c, row, column);
	split_wide(c, row, column + width);
	*cell = (struct canvas_cell){.style = style};
	memcpy(cell->text, text, len < CANVAS_BYTES ? len : 0);
	for (int i = 1; i < width; i++)
		cell[i] = (struct canvas_cell){.style = style};
}

/*
 * Find the first character with its marks. Return: number of its bytes; @width: set to its columns.
 */
static size_t first_character(const char *text, int *width)
{
	size_t len = text__fitting(text, 1);

	*width = 1;
	if (!len) {
		len = text__fitting(text, 2);
		*width = 2;
	}
	return len;
}

int canvas__put(struct canvas *c, int row, int column, int room, enum canvas_style style,
		const char *text)
{
	auto_free(sb) clean = SB_INIT;
	int at = column, end = column + room, width;

	text__clean_utf8(&clean, text, strlen(text), "");
	if (row < 0 || row >= c->height || column < 0)
		return 0;
	end = end < c->width ? end : c->width;
	for (const char *rest = sb__str(&clean); *rest;) {
		size_t len = first_character(rest, &width);

		if (!len || at + width > end)
			break;
		put_character(c, row, at, rest, len, width, style);
		at += width;
		rest += len;
	}
	return at - column;
}

int canvas__fit(struct canvas *c, int row, int column, int room, enum canvas_style style,
		const char *text, const char *cut)
{
	int used = canvas__put(c, row, column, room, style, text);

	if (used && used < text__width(text))
		canvas__put(c, row, column + used - 1, 1, STYLE_DIM, cut);
	return used;
}

void canvas__right(struct canvas *c, int row, int column, int room, enum canvas_style style,
		   const char *text)
{
	int width = text__width(text), left = width < room ? room - width : 0;

	canvas__put(c, row, column + left, room - left, style, text);
}

void canvas__paint(struct canvas *c, int row, int column, int nr, enum canvas_style style)
{
	if (row < 0 || row >= c->height)
		return;
	for (int i = column < 0 ? 0 : column; i < column + nr && i < c->width; i++)
		c->at[row * c->width + i].style = style;
}

void canvas__line(const struct canvas *c, int row, struct sb *sb)
{
	size_t start = sb->len;

	for (int i = 0; i < c->width; i++)
		sb__puts(sb, c->at[row * c->width + i].text);
	while (sb->len > start && sb->buf[sb->len - 1] == ' ')
		sb->len--;
	if (sb->buf)
		sb->buf[sb->len] = '\0';
}
