/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds functions and lines of places in files, by libdw. Files and their content are untrusted, so
 * a child reads them. If the child cannot read a file, or crashes, the places in the file stay
 * addresses.
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
 * @path:   path of the file to open; @inode: inode that the file must have
 * @running: another path, of a running program whose file may have been deleted; or NULL
 * @recorded: the place is from a recording: the file is opened by elf_file__open_recorded(), with
 *            @id and @until_ns
 * @offset: place in the file
 * @outer:  only find the function that the code was inlined into, and not the line
 * @gone:   set if no file with @inode was found; @late: set if the reading ended before this place
 * @function, @into, @file, @line: set, as in struct where_place
 */
struct symbol {
	const char *path, *running;
	const struct build_id *id;
	uint64_t inode, offset;
	int64_t until_ns;
	char *function, *into, *file;
	int line;
	bool gone, late, outer, recorded;
};

/**
 * symbols__find() - fill in the symbols of places
 * @at:       places in the same file must be adjacent
 * @r: limits of the reading: the end, and whether debug information may be downloaded
 * @notes:    lines on missing information are appended
 */
void symbols__find(struct symbol *at, int nr, struct child_reading *r, struct sb *notes);
#define BOOT_ID "sys/kernel/random/boot_id" /* a file of procfs that identifies the boot of the
					     * kernel */

/**
 * struct kernel_text - where the kernel's own code begins and ends; 0 if unknown
 * @is_stext: the code begins at the symbol _stext, which on some architectures comes after _text
 */
struct kernel_text {
	uint64_t start, end;
	bool is_stext;
};

/**
 * struct kernel_origin - the kernel that addresses belong to, which may not be the running kernel
 * @boot: boot id of the kernel, or ""; @id: build id of the kernel
 * @text: range of the kernel's code
 */
struct kernel_origin {
	char boot[64];
	struct build_id id;
	struct kernel_text text;
};

/** kernel_origin__is_here() - whether the kernel runs here, without a reboot since then. */
bool kernel_origin__is_here(const struct kernel_origin *o, const char *procfs);
/** kernel_symbols__text() - find the range of the running kernel's code. */
struct kernel_text kernel_symbols__text(const char *procfs);
/**
 * kernel_symbols__find() - fill in the symbols of addresses in the kernel (@offset)
 * @origin: the kernel that the addresses belong to; NULL for the running kernel
 *
 * Addresses of an earlier boot get names if the running kernel has the same build id, except
 * addresses in modules.
 */
void kernel_symbols__find(struct symbol *at, int nr, const char *procfs,
			  const struct kernel_origin *origin, struct sb *notes);

#endif
