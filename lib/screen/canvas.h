/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A canvas is a rectangle of characters in styles. It needs no terminal: texts are written at
 * positions, then a screen (screen.h) or a pipe takes all lines.
 */
#ifndef TMA_SCREEN_CANVAS_H
#define TMA_SCREEN_CANVAS_H

#include <stdbool.h>

#include "grid/part.h"

struct sb;

/* Styles of characters, which the terminal maps to attributes and colours. */
enum canvas_style {
	STYLE_PLAIN,
	STYLE_BOLD,
	STYLE_DIM,
	STYLE_HEAD,	/* a heading's line */
	STYLE_SELECTED, /* the line that keys act on */
	STYLE_OVER,	/* a value over its threshold */
	STYLE_UNDER,	/* a value that is not over its threshold */
	STYLE_WARN,
	STYLE_PART, /* first of the styles of bars and histories, one for each enum grid_part */
	STYLE_NR = STYLE_PART + PART_NR,
};

#define CANVAS_BYTES 14

/**
 * struct canvas_cell - a column of a line
 * @text: a character with its combining marks, and a NUL; "" after a character of two columns
 */
struct canvas_cell {
	char text[CANVAS_BYTES];
	unsigned char style;
};

/** struct canvas - all cells, at[row * width + column] */
struct canvas {
	int width, height;
	struct canvas_cell *at;
};

/** canvas__resize() - set the size of a canvas, and clear it; canvas__free() frees it. */
void canvas__resize(struct canvas *c, int width, int height);
void canvas__free(struct canvas *c);
/** canvas__clear() - make a canvas blank. */
void canvas__clear(struct canvas *c);
/**
 * canvas__put() - write a text, without characters that a terminal acts on
 * @room: columns for the text; the rest of the text is cut off
 *
 * Return: the columns of the text. Parts outside the canvas are not written.
 */
int canvas__put(struct canvas *c, int row, int column, int room, enum canvas_style style,
		const char *text);
/**
 * canvas__fit() - write a text as canvas__put() does; a text that does not fit ends with @cut, a
 * sign of one column
 */
int canvas__fit(struct canvas *c, int row, int column, int room, enum canvas_style style,
		const char *text, const char *cut);
/** canvas__right() - write a text right-aligned in @room. */
void canvas__right(struct canvas *c, int row, int column, int room, enum canvas_style style,
		   const char *text);
/** canvas__paint() - set the style of some columns of a line. */
void canvas__paint(struct canvas *c, int row, int column, int nr, enum canvas_style style);
/** canvas__line() - append the text of a line, without the blanks at its end. */
void canvas__line(const struct canvas *c, int row, struct sb *sb);

#endif
