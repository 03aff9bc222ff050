/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the function and line of an address in a file, by libdw, which is loaded at its first use.
 * If its header was missing when tma was built, the library counts as missing.
 */
#ifndef TMA_WHERE_DWARF_H
#define TMA_WHERE_DWARF_H

#include <stdbool.h>
#include <stdint.h>

/* Without its header, the build knows functions only from symbol tables, and no lines. */
#if __has_include(<elfutils/libdwfl.h>)
#define DWARF_IS_BUILT 1
#else
#define DWARF_IS_BUILT 0
#endif

#define DWARF_LIBRARY "libdw.so.1"

/**
 * struct dwarf_place - as struct where_place; NULL and 0 for unknown values
 * @linked_function, @linked_into: the linker's names of the same functions
 */
struct dwarf_place {
	const char *function, *into, *file;
	const char *linked_function, *linked_into;
	int line;
};

struct dwarf_file;

/** dwarf__load() - load the library. Return: whether it is available, with all needed functions. */
bool dwarf__load(void);
/**
 * dwarf__open() - open a file and its debug information
 * @fd: of the file; it stays the caller's
 *
 * Return: the file, or NULL if it has no debug information that can be read.
 */
struct dwarf_file *dwarf__open(const char *path, int fd);
/**
 * dwarf__find() - find the function and line of an address of the file
 * @outer: only find the function that the code was inlined into, without a line: that is fast
 *
 * Return: the place; its texts live as long as the file.
 */
struct dwarf_place dwarf__find(struct dwarf_file *file, uint64_t address, bool outer);
/** dwarf__begin() - find the begin of the function at an address. Return: it; 0 if unknown. */
uint64_t dwarf__begin(struct dwarf_file *file, uint64_t address);
void dwarf__close(struct dwarf_file *file);

#endif
