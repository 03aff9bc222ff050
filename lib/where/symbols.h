/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Places in files to functions and lines, by libdw. Files and what they say may be anybody's: a
 * child reads them, and what it cannot read, or dies of, stays an address.
 */
#ifndef TMA_WHERE_SYMBOLS_H
#define TMA_WHERE_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "where/build_id.h"

struct child_reading;
struct sb;

/**
 * struct symbol - a place in a file
 * @path:   of the file to open; @inode: which it must have
 * @running: another path, of a program that runs and may have been deleted, or NULL
 * @recorded: it is of a recording: elf_file__open_recorded() has @id and @until_ns
 * @offset: in the file
 * @outer:  the function that the code was inlined into is enough, and no line is wanted
 * @gone:   set: no file with that inode was found
 * @function, @into, @file, @line: as of struct where_place, set
 */
struct symbol {
	const char *path, *running;
	const struct build_id *id;
	uint64_t inode, offset;
	int64_t until_ns;
	char *function, *into, *file;
	int line;
	bool gone, outer, recorded;
};

/**
 * symbols__find() - fill in what files say of places in them
 * @at:       those of a file stand behind one another
 * @download: debug information may come over the network
 * @until_ns: on the monotonic clock: when reading ends, as it does with a signal; 0 for a minute
 * @notes:    what is missing, a line each, is appended
 */
void symbols__find(struct symbol *at, int nr, struct child_reading *r, struct sb *notes);
#define BOOT_ID "sys/kernel/random/boot_id" /* in procfs: names the boot of the kernel */

/** struct kernel_text - where the kernel's own code begins and ends; 0 where that is not told */
struct kernel_text {
	uint64_t start, end;
};

/**
 * struct kernel_origin - the kernel that addresses are of, where it may be another than this one
 * @boot: of the kernel, or ""; @id: of its file
 * @text: its code
 */
struct kernel_origin {
	char boot[64];
	struct build_id id;
	struct kernel_text text;
};

/** kernel_origin__is_here() - whether it is the kernel that runs, since the same boot. */
bool kernel_origin__is_here(const struct kernel_origin *o, const char *procfs);
/** kernel_symbols__text() - find the code of the kernel that runs. */
struct kernel_text kernel_symbols__text(const char *procfs);
/**
 * kernel_symbols__find() - the same of addresses in the kernel (@offset)
 * @origin: whose addresses they are; NULL for the kernel that runs
 *
 * Those of an earlier boot have names if the kernel is the same, and its modules have none.
 */
void kernel_symbols__find(struct symbol *at, int nr, const char *procfs,
			  const struct kernel_origin *origin, struct sb *notes);

#endif
