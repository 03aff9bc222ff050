/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Addresses in a file to functions and lines, by libdw, which is loaded when it is first asked for.
 * Where its header was not there when tma was built, it is as if the library were not there.
 */
#ifndef TMA_WHERE_DWARF_H
#define TMA_WHERE_DWARF_H

#include <stdbool.h>
#include <stdint.h>

/* Without its header, the build has no names of functions and lines but those of symbol tables. */
#if __has_include(<elfutils/libdwfl.h>)
#define DWARF_IS_BUILT 1
#else
#define DWARF_IS_BUILT 0
#endif

#define DWARF_LIBRARY "libdw.so.1"

/**
 * struct dwarf_place - as of struct where_place; NULL and 0 for what is not known
 * @linked_function, @linked_into: the same functions as the linker knows them
 */
struct dwarf_place {
	const char *function, *into, *file;
	const char *linked_function, *linked_into;
	int line;
};

struct dwarf_file;

/** dwarf__load() - load the library. Return: whether it is there, with all that is needed. */
bool dwarf__load(void);
/**
 * dwarf__open() - open a file and its debug information
 * @fd: of the file; it stays the caller's
 *
 * Return: the file, or NULL where it has none that can be read.
 */
struct dwarf_file *dwarf__open(const char *path, int fd);
/**
 * dwarf__find() - find what is at an address of the file
 * @outer: the function that the code was inlined into is enough, without a line: that is fast
 *
 * Return: its texts last as long as the file.
 */
struct dwarf_place dwarf__find(struct dwarf_file *file, uint64_t address, bool outer);
/** dwarf__begin() - Return: where the function begins that has an address; 0 if not known. */
uint64_t dwarf__begin(struct dwarf_file *file, uint64_t address);
void dwarf__close(struct dwarf_file *file);

#endif
