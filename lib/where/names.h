/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Addresses in mapped files, in the kernel and in memory without a file come in; functions and
 * lines go out.
 */
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
 * struct code_address - a place in a file, in the kernel, or in the memory of a process
 * @object: number of an object in the maps, OBJECT_KERNEL, or OBJECT_NONE
 * @offset: place in the file; the address itself if the object is not a file
 * @id:     a number for the caller
 * @known:  set if the symbol was looked for
 * @symbol: set to the symbol, whose texts the caller owns; the caller sets its @outer first
 */
struct code_address {
	int object, id;
	bool known;
	uint64_t offset;
	struct symbol symbol;
};

/** code_address__compare() - compare addresses by object, then by offset, for qsort(). */
int code_address__compare(const void *va, const void *vb);
/**
 * names__find() - look up the symbols of addresses
 * @at:    the addresses, which are sorted by place
 * @notes: lines on missing information are appended
 */
void names__find(const struct maps *m, struct child_reading *r, struct code_address *at, int nr,
		 struct sb *notes);
/**
 * names__object() - return the name of the object that an address is in
 *
 * Return: a path, "[kernel]", WHERE_JIT, "[anonymous memory]" or "[unknown memory]"; valid as long
 * as the maps.
 */
const char *names__object(const struct maps *m, const struct code_address *a);
/** names__locate() - find the object that is mapped at an address. */
struct code_address names__locate(const struct maps *m, int pid, uint64_t address, bool kernel);

#endif
