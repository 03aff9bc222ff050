/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Build ids distinguish files that have one name. A recording has the build ids of the sampled
 * files, so that a later search for function names can check whether a file has changed.
 */
#ifndef TMA_WHERE_BUILD_ID_H
#define TMA_WHERE_BUILD_ID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct child_reading;
struct strmap;

#define BUILD_ID_MAX 20 /* the most bytes of an id */

/**
 * struct build_id - the build id of a file
 * @size: number of bytes in @bytes; 0 if a file does not have a build id
 */
struct build_id {
	unsigned char bytes[BUILD_ID_MAX], size;
};

/**
 * struct build_file - a file and its build id
 * @path:    path of the file, as processes name it
 * @open_path, @running, @inode: where to read the file; like path, running and inode of struct
 *         symbol
 * @is_kernel: the file is the kernel
 */
struct build_file {
	char *path, *open_path, *running;
	uint64_t inode;
	struct build_id id;
	bool is_kernel;
};

/**
 * struct build_ids - build ids of many files
 * @numbers: map from a path to the number of its file
 */
struct build_ids {
	struct build_file *at;
	int nr, cap;
	struct strmap *numbers;
};

/** build_id__is_same() - whether two ids are equal, and neither is missing. */
bool build_id__is_same(const struct build_id *a, const struct build_id *b);
/**
 * build_id__parse() - find a build id among the notes of an ELF file
 * @notes: the @len bytes of the notes; @align: alignment of their parts, 4 or 8
 *
 * Return: the build id; its size is 0 if there is none.
 */
struct build_id build_id__parse(const void *notes, size_t len, size_t align);
/**
 * build_id__of_kernel() - return the build id of the running kernel
 * @sysfs: where sysfs is mounted
 */
struct build_id build_id__of_kernel(const char *sysfs);
/** build_ids__read() - read the build ids of files, from file number @first on, in a child. */
void build_ids__read(struct build_ids *ids, int first, struct child_reading *r);
/**
 * build_ids__find() - find the build id of a file by its path, or of the kernel by NULL. Return:
 * NULL if there is none.
 */
const struct build_id *build_ids__find(const struct build_ids *ids, const char *path);
/**
 * build_ids__add() - add a file, unless it is already in the list
 * @path: path of the file, which is copied; NULL for the kernel
 *
 * Return: the entry of the file, which is valid until the next file is added.
 */
struct build_file *build_ids__add(struct build_ids *ids, const char *path);
void build_ids__free(struct build_ids *ids);

#endif
