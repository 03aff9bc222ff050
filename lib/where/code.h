/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instructions around an address of a program, for a program whose source is missing. A child
 * reads them, by libcapstone if it is available, otherwise by objdump.
 */
#ifndef TMA_WHERE_CODE_H
#define TMA_WHERE_CODE_H

#include <stdint.h>

/* Without the header of libcapstone, the build uses only objdump. */
#if __has_include(<capstone/capstone.h>)
#define CODE_IS_BUILT 1
#else
#define CODE_IS_BUILT 0
#endif

#include "where/where.h"

struct child_reading;
/**
 * struct code_place - an address in a file
 * @path, @running, @inode: as for elf_file__open()
 * @offset: place of the address in the file
 */
struct code_place {
	const char *path, *running;
	uint64_t inode, offset;
};

/**
 * code__find() - find the instructions around an address
 * @r:   limits of the reading
 * @out:      instructions are appended, for where_code__free(); unchanged if no disassembler knows
 *            the code
 */
void code__find(const struct code_place *place, struct child_reading *r, struct where_code *out);

#endif
