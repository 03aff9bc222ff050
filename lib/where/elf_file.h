/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program's file: whether it is the expected one, and the addresses that its bytes are linked
 * for.
 */
#ifndef TMA_WHERE_ELF_FILE_H
#define TMA_WHERE_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "where/build_id.h"

/**
 * elf_file__open() - open a file if it is still the one that was run
 * @path:    of the file; @inode: which it must have
 * @running: another path, of a program that runs and may have been deleted, or NULL
 *
 * Return: a descriptor, or -1.
 */
int elf_file__open(const char *path, const char *running, uint64_t inode);
/** elf_file__written_ns() - return when a file was last written, on the clock of files */
static inline int64_t elf_file__written_ns(const struct stat *st)
{
	return st->st_mtim.tv_sec * INT64_C(1000000000) + st->st_mtim.tv_nsec;
}

/**
 * elf_file__open_recorded() - open a file if it is still the one that was recorded
 * @id:    the build id that it must have; NULL or of size 0 if unknown
 * @inode: which it must have otherwise; @until_ns: and not have been written since, unless 0
 *
 * Return: a descriptor, or -1.
 */
int elf_file__open_recorded(const char *path, const struct build_id *id, uint64_t inode,
			    int64_t until_ns);
/** elf_file__address_of() - find the address of a byte. Return: whether it is linked for one. */
bool elf_file__address_of(int fd, uint64_t offset, uint64_t *address);
/** elf_file__read() - read from an address on. Return: bytes, at most to the end of its segment. */
size_t elf_file__read(int fd, uint64_t address, void *bytes, size_t nr);
/** elf_file__build_id() - find the build id in its notes. Return: the id; of size 0 for none. */
struct build_id elf_file__build_id(int fd);
/** elf_file__machine() - find the kind of CPU it is for. Return: EM_X86_64 ..., or EM_NONE. */
int elf_file__machine(int fd);

#endif
