/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Build ids distinguish files with the same name: a recording has the ids of the sampled files, so
 * that a later search for function names can check whether a file is still the same.
 */
#ifndef TMA_WHERE_BUILD_ID_H
#define TMA_WHERE_BUILD_ID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct child_reading;
struct strmap;

#define BUILD_ID_MAX 20 /* most bytes of an id */

/**
 * struct build_id - the build id of a file
 * @size: bytes of @bytes; 0 where a file has none
 */
struct build_id {
	unsigned char bytes[BUILD_ID_MAX], size;
};

/**
 * struct build_file - a file, and its build id
 * @path:    as processes name it
 * @open_path, @running, @inode: where to read it, as in struct symbol
 * @is_kernel: it is the kernel
 */
struct build_file {
	char *path, *open_path, *running;
	uint64_t inode;
	struct build_id id;
	bool is_kernel;
};

/** struct build_ids - build ids of many files. @numbers: of them, by path */
struct build_ids {
	struct build_file *at;
	int nr, cap;
	struct strmap *numbers;
};

/** build_id__is_same() - whether two ids are equal, and neither is missing. */
bool build_id__is_same(const struct build_id *a, const struct build_id *b);
/**
 * build_id__parse() - find a build id among the notes of an ELF file
 * @notes: @len bytes; @align: alignment of their parts, 4 or 8
 *
 * Return: the id; without one its size is 0.
 */
struct build_id build_id__parse(const void *notes, size_t len, size_t align);
/**
 * build_id__of_kernel() - return the build id of the running kernel. @sysfs: where sysfs is mounted
 */
struct build_id build_id__of_kernel(const char *sysfs);
/** build_ids__read() - read the ids of files from @first on, in a child. */
void build_ids__read(struct build_ids *ids, int first, struct child_reading *r);
/** build_ids__find() - find a file's id by its path, the kernel's by NULL. Return: it, or NULL. */
const struct build_id *build_ids__find(const struct build_ids *ids, const char *path);
/**
 * build_ids__add() - add a file, unless it is there
 * @path: is copied; NULL for the kernel
 *
 * Return: its entry, valid until the next file is added.
 */
struct build_file *build_ids__add(struct build_ids *ids, const char *path);
void build_ids__free(struct build_ids *ids);

#endif
