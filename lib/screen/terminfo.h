/* SPDX-License-Identifier: GPL-2.0-only */
/* Look up the sequences of bytes that a terminal understands, by its name. */
#ifndef TMA_SCREEN_TERMINFO_H
#define TMA_SCREEN_TERMINFO_H

#include <stdbool.h>

#include "screen/canvas.h"

struct err;
struct sb;

#define TERMINFO_KEYS 20

/**
 * struct terminfo - sequences of bytes, owned; "" for what the terminal cannot do
 * @enter, @leave: take over the screen, with keys in application mode; restore it
 * @clear, @clear_line: clear the screen; clear from the cursor to the end of a line
 * @normal:  reset the style; @styles: set a style after @normal
 * @keys:    sequences that the terminal sends, with their keys
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
 * @fd: descriptor of the terminal
 *
 * The caller calls terminfo__free(), also after a failure. Return: as screen__open().
 */
int terminfo__load(struct terminfo *t, int fd, bool colour, struct err *err);
void terminfo__free(struct terminfo *t);
/** terminfo__put_move() - append the sequence that moves the cursor. */
void terminfo__put_move(const struct terminfo *t, int row, int column, struct sb *sb);

#endif
