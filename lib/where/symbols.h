/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Places in files to functions and lines, by libdw. Files and what they say may be anybody's: a
 * child reads them, and what it cannot read, or dies of, stays an address.
 */
#ifndef TMA_WHERE_SYMBOLS_H
#define TMA_WHERE_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

struct child_reading;
struct sb;

/**
 * struct symbol - a place in a file
 * @path:   of the file to open; @inode: which it must have
 * @running: another path, of a program that runs and may have been deleted, or NULL
 * @offset: in the file
 * @outer:  the function that the code was inlined into is enough, and no line is wanted
 * @gone:   set: no file with that inode was found
 * @function, @into, @file, @line: as of struct where_place, set
 */
struct symbol {
	const char *path, *running;
	uint64_t inode, offset;
	char *function, *into, *file;
	int line;
	bool gone, outer;
};

/**
 * symbols__find() - fill in what files say of places in them
 * @at:       those of a file stand behind one another
 * @download: debug information may come over the network
 * @until_ns: on the monotonic clock: when reading ends, as it does with a signal; 0 for a minute
 * @notes:    what is missing, a line each, is appended
 */
void symbols__find(struct symbol *at, int nr, struct child_reading *r, struct sb *notes);
/** kernel_symbols__find() - the same of addresses in the kernel (@offset). */
void kernel_symbols__find(struct symbol *at, int nr, const char *procfs, struct sb *notes);

#endif
