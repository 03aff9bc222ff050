/* SPDX-License-Identifier: GPL-2.0-only */
/* --regions: a program measures its own regions, and tma prints what they were. */
#ifndef TMA_CMD_REGIONS_H
#define TMA_CMD_REGIONS_H

#include <stddef.h>

struct err;
struct stat_options;
struct stat_run;

/**
 * struct stat_regions - the memory that the program keeps its totals in
 * @fd: its descriptor, which the program inherits; -1 without --regions
 */
struct stat_regions {
	void *block;
	size_t size;
	int fd;
};

/**
 * stat_regions__start() - with --regions, make the memory and name it in TMA_REGIONS
 *
 * Before the command is forked. Return: 0 or -errno.
 */
int stat_regions__start(const struct stat_options *o, struct stat_regions *r, struct err *err);
/**
 * stat_regions__print() - after the run, the rows, and on stderr what is amiss
 *
 * Return: 0 or -errno.
 */
int stat_regions__print(const struct stat_run *run, const struct stat_regions *r, struct err *err);
/** stat_regions__end() - give the memory back. */
void stat_regions__end(struct stat_regions *r);

#endif
