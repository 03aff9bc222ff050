/* SPDX-License-Identifier: GPL-2.0-only */
/* Addresses in mapped files, in the kernel and in memory come in; functions and lines go out. */
#ifndef TMA_WHERE_NAMES_H
#define TMA_WHERE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "where/symbols.h"

struct child_reading;
struct maps;
struct sb;

enum { OBJECT_KERNEL = -1, OBJECT_NONE = -2 };

/**
 * struct code_address - a place in a file, of the kernel, or of a process's memory
 * @object: which of the maps' objects, OBJECT_KERNEL, or OBJECT_NONE
 * @offset: in the file; the address itself if the object is not a file
 * @id:     the caller's
 * @known:  set if its symbol was looked for
 * @symbol: set; the caller owns its texts, and sets its @outer before
 */
struct code_address {
	int object, id;
	bool known;
	uint64_t offset;
	struct symbol symbol;
};

/** code_address__compare() - compare by object, then by offset, for qsort(). */
int code_address__compare(const void *va, const void *vb);
/**
 * names__find() - look up the symbols of addresses
 * @at:    is sorted by place
 * @notes: lines on missing information are appended
 */
void names__find(const struct maps *m, struct child_reading *r, struct code_address *at, int nr,
		 struct sb *notes);
/**
 * names__object() - return the name of an address's object
 *
 * Return: a path, "[kernel]", WHERE_JIT, "[anonymous memory]" or "[unknown memory]"; it lives as
 * long as the maps.
 */
const char *names__object(const struct maps *m, const struct code_address *a);
/** names__locate() - find the object that an address is mapped from. */
struct code_address names__locate(const struct maps *m, int pid, uint64_t address, bool kernel);

#endif
