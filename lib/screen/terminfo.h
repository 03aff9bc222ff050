/* SPDX-License-Identifier: GPL-2.0-only */
/* What a terminal understands: the name of its kind comes in, sequences of bytes go out. */
#ifndef TMA_SCREEN_TERMINFO_H
#define TMA_SCREEN_TERMINFO_H

#include <stdbool.h>

#include "screen/canvas.h"

struct err;
struct sb;

#define TERMINFO_KEYS 20

/**
 * struct terminfo - sequences, which are owned; "" for what it cannot do
 * @enter, @leave: take over the screen, with keys in application mode; and back
 * @clear, @clear_line: the screen; from the cursor to the end of a line
 * @normal:  no style; @styles: one of them, behind it
 * @keys:    of what the terminal sends, and what that is
 */
struct terminfo {
	char *enter, *leave, *clear, *clear_line, *normal, *styles[STYLE_NR], *move;
	struct {
		char *sends;
		int key;
	} keys[TERMINFO_KEYS];
	int nr_keys;
};

/**
 * terminfo__load() - look up the terminal that TERM names
 * @fd: of it
 *
 * terminfo__free() it also after a failure. Return: as screen__open().
 */
int terminfo__load(struct terminfo *t, int fd, bool colour, struct err *err);
void terminfo__free(struct terminfo *t);
/** terminfo__put_move() - append what moves the cursor. */
void terminfo__put_move(const struct terminfo *t, int row, int column, struct sb *sb);

#endif
