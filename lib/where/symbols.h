/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds functions and lines of places in files, by libdw. Files and their content are untrusted: a
 * child reads them, and if it cannot read one, or crashes, its places stay addresses.
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
 * @recorded: it is of a recording: elf_file__open_recorded() is used with @id and @until_ns
 * @offset: in the file
 * @outer:  only find the function that the code was inlined into, and no line
 * @gone:   set: no file with that inode was found
 * @function, @into, @file, @line: as in struct where_place, set
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
 * symbols__find() - fill in the symbols of places
 * @at:       places in the same file must be adjacent
 * @r: limits of the reading: its end, and whether debug information may be downloaded
 * @notes:    lines on missing information are appended
 */
void symbols__find(struct symbol *at, int nr, struct child_reading *r, struct sb *notes);
#define BOOT_ID "sys/kernel/random/boot_id" /* in procfs: identifies the boot of the kernel */

/**
 * struct kernel_text - where the kernel's own code begins and ends; 0 where unknown
 * @is_stext: it begins at the symbol _stext, which on some architectures comes after _text
 */
struct kernel_text {
	uint64_t start, end;
	bool is_stext;
};

/**
 * struct kernel_origin - the kernel that addresses belong to, which may differ from the running one
 * @boot: boot id of the kernel, or ""; @id: of its file
 * @text: range of its code
 */
struct kernel_origin {
	char boot[64];
	struct build_id id;
	struct kernel_text text;
};

/** kernel_origin__is_here() - whether it is the running kernel, since the same boot. */
bool kernel_origin__is_here(const struct kernel_origin *o, const char *procfs);
/** kernel_symbols__text() - find the range of the running kernel's code. */
struct kernel_text kernel_symbols__text(const char *procfs);
/**
 * kernel_symbols__find() - fill in the symbols of addresses in the kernel (@offset)
 * @origin: the kernel of the addresses; NULL for the running one
 *
 * Addresses of an earlier boot get names if the kernel is the same, except those in its modules.
 */
void kernel_symbols__find(struct symbol *at, int nr, const char *procfs,
			  const struct kernel_origin *origin, struct sb *notes);

#endif
