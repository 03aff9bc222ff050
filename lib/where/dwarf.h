/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the function and line of an address in a file, by libdw, which is loaded when it is first
 * needed. If its header was missing when tma was built, the library is never used.
 */
#ifndef TMA_WHERE_DWARF_H
#define TMA_WHERE_DWARF_H

#include <stdbool.h>
#include <stdint.h>

/* Without the header of libdw, tma finds functions only in symbol tables, and finds no lines. */
#if __has_include(<elfutils/libdwfl.h>)
#define DWARF_IS_BUILT 1
#else
#define DWARF_IS_BUILT 0
#endif

#define DWARF_LIBRARY "libdw.so.1"

/**
 * struct dwarf_place - like struct where_place, but with NULL and 0 for unknown values
 * @linked_function, @linked_into: the linker's names of @function and @into
 */
struct dwarf_place {
	const char *function, *into, *file;
	const char *linked_function, *linked_into;
	int line;
};

struct dwarf_file;

/**
 * dwarf__load() - load libdw. Return: whether it is available, with all functions that are needed.
 */
bool dwarf__load(void);
/**
 * dwarf__open() - open a file and its debug information
 * @fd: descriptor of the file, which the caller still owns
 *
 * Return: the opened file; NULL if it does not have readable debug information.
 */
struct dwarf_file *dwarf__open(const char *path, int fd);
/**
 * dwarf__find() - find the function and line of an address of the file
 * @outer: only find the function that the code was inlined into, without a line, which is fast
 *
 * Return: the place; its texts are valid as long as the file is open.
 */
struct dwarf_place dwarf__find(struct dwarf_file *file, uint64_t address, bool outer);
/** dwarf__begin() - find where the function at an address begins. Return: 0 if unknown. */
uint64_t dwarf__begin(struct dwarf_file *file, uint64_t address);
void dwarf__close(struct dwarf_file *file);

#endif
