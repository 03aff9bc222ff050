/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A canvas is a screen full of characters in styles. In come texts and where they stand; whoever
 * shows it (screen.h, or a pipe) takes them out again. It knows no terminal.
 */
#ifndef TMA_SCREEN_CANVAS_H
#define TMA_SCREEN_CANVAS_H

#include <stdbool.h>

#include "grid/part.h"

struct sb;

/* Characters look like this; which attributes and colours that is, the terminal decides. */
enum canvas_style {
	STYLE_PLAIN,
	STYLE_BOLD,
	STYLE_DIM,
	STYLE_HEAD,	/* a heading's line */
	STYLE_SELECTED, /* the line that keys act on */
	STYLE_OVER,	/* a value over its threshold */
	STYLE_UNDER,	/* a value that has a threshold, and is not over it */
	STYLE_WARN,
	STYLE_PART, /* and enum grid_part more: a bar or a history of that part of the tree */
	STYLE_NR = STYLE_PART + PART_NR,
};

#define CANVAS_BYTES 14

/**
 * struct canvas_cell - a column of a line
 * @text: a character with the marks that stand on it, with a NUL; "" where the character before
 *        takes two columns
 */
struct canvas_cell {
	char text[CANVAS_BYTES];
	unsigned char style;
};

/** struct canvas - all of them, at[row * width + column] */
struct canvas {
	int width, height;
	struct canvas_cell *at;
};

/** canvas__resize() - make it so large, and empty. canvas__free() releases it. */
void canvas__resize(struct canvas *c, int width, int height);
void canvas__free(struct canvas *c);
/** canvas__clear() - make it blank. */
void canvas__clear(struct canvas *c);
/**
 * canvas__put() - write a text, without what a terminal would act on
 * @room: columns that it may take; what does not fit is cut off
 *
 * Return: the columns that it took. What stands outside of the canvas is not written.
 */
int canvas__put(struct canvas *c, int row, int column, int room, enum canvas_style style,
		const char *text);
/**
 * canvas__fit() - write a text likewise; where it does not fit, its last column is @cut, one column
 * wide
 */
int canvas__fit(struct canvas *c, int row, int column, int room, enum canvas_style style,
		const char *text, const char *cut);
/** canvas__right() - write a text that ends where @room does. */
void canvas__right(struct canvas *c, int row, int column, int room, enum canvas_style style,
		   const char *text);
/** canvas__paint() - give some columns of a line a style. */
void canvas__paint(struct canvas *c, int row, int column, int nr, enum canvas_style style);
/** canvas__line() - append the text of a line, without the blanks at its end. */
void canvas__line(const struct canvas *c, int row, struct sb *sb);

#endif
