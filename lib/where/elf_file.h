/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file of a program: whether it is the expected file, and the addresses that its bytes are
 * linked at.
 */
#ifndef TMA_WHERE_ELF_FILE_H
#define TMA_WHERE_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "where/build_id.h"

/**
 * elf_file__open() - open a file, unless it has been replaced since the program ran
 * @path:    path of the file; @inode: inode that the file must have
 * @running: another path, of a running program whose file may have been deleted; or NULL
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
 * elf_file__open_recorded() - open a file, unless it has been replaced since it was recorded
 * @id:    build id that the file must have; NULL or of size 0 if unknown
 * @inode: inode that the file must have if @id is unknown; @until_ns: if not 0, the file must not
 *         have been written after this time
 *
 * Return: a descriptor, or -1.
 */
int elf_file__open_recorded(const char *path, const struct build_id *id, uint64_t inode,
			    int64_t until_ns);
/** elf_file__address_of() - find the address of a byte of the file. Return: whether it has one. */
bool elf_file__address_of(int fd, uint64_t offset, uint64_t *address);
/**
 * elf_file__read() - read bytes from an address on. Return: number of bytes, which ends at the end
 * of the segment.
 */
size_t elf_file__read(int fd, uint64_t address, void *bytes, size_t nr);
/**
 * elf_file__build_id() - find the build id in the file's notes. Return: its size is 0 if there is
 * none.
 */
struct build_id elf_file__build_id(int fd);
/**
 * elf_file__machine() - find the kind of CPU that the file is for. Return: EM_X86_64 ..., or
 * EM_NONE.
 */
int elf_file__machine(int fd);

#endif
