/* SPDX-License-Identifier: GPL-2.0-only */
/* The mappings of files in the memory of processes. Records of the kernel come in; files go out. */
#ifndef TMA_WHERE_MAPS_H
#define TMA_WHERE_MAPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"
#include "where/build_id.h"
#include "where/symbols.h"

struct sample_record;
struct strmap;

/**
 * struct object - a file that is mapped, or memory without a file
 * @path:  path of the file, as the process names it
 * @root:  prefix of the path if the process sees other files ("/proc/12/root"), or ""
 * @inode: inode of the file; 0 for memory without a file
 * @pid:   a process that has mapped the object; memory without a file is a separate object in each
 *          process
 */
struct object {
	char *path, *root;
	uint64_t inode;
	pid_t pid;
};

/** struct mapping - the bytes from @start to @end are those of an object, from @offset on */
struct mapping {
	uint64_t start, end, offset;
	int object;
};

/**
 * struct process - the mappings of a process, sorted and without overlap
 * @uid:  user of the process, or (uid_t)-1; @root: as in struct object
 * @ended: the process has no mappings any more; @looked: procfs has been read
 */
struct process {
	pid_t pid;
	uid_t uid;
	char *root;
	bool ended, looked;
	VEC(struct mapping) mappings;
};

/**
 * struct maps_origin - facts on the mappings of a recording
 * @ids:      build ids of files; @kernel: the kernel that was recorded
 * @until_ns: when the recording ended, on the clock of files; 0 if unknown
 */
struct maps_origin {
	struct build_ids ids;
	struct kernel_origin kernel;
	int64_t until_ns;
};

/**
 * struct maps - the mappings of all processes
 * @nr_copied: number of mappings that processes have copied from their parents
 * @slots:   hash table from a pid to 1 + the number of the process; its size is a power of two
 * @nr_ended: number of ended processes, which are kept to know their users
 * @numbers: map from the identity of an object to its number
 * @procfs:  where procfs is mounted; NULL: the processes are those of a recording
 * @origin:  facts from the recording; NULL: the mappings are those of this computer now
 * @found:   called with a record for each mapping that is found in procfs; or NULL
 */
struct maps {
	VEC(struct process) processes;
	int *slots, nr_slots, nr_ended, nr_copied;
	VEC(struct object) objects;
	struct strmap *numbers;
	const char *procfs;
	const struct maps_origin *origin;
	void (*found)(void *arg, const struct sample_record *r);
	void *arg;
};

/** maps__add() - add a mapping, which replaces older mappings at its addresses. */
void maps__add(struct maps *m, pid_t pid, uint64_t start, uint64_t len, uint64_t offset,
	       const char *path, uint64_t inode);
/** maps__owner_of() - find the user of a process. Return: (uid_t)-1 if the process has ended. */
uid_t maps__owner_of(const char *procfs, pid_t pid);
/** maps__set_owner() - remember the user of a process; (uid_t)-1 changes nothing. */
void maps__set_owner(struct maps *m, pid_t pid, uid_t uid);
/** maps__owner() - return the remembered user, or (uid_t)-1. */
uid_t maps__owner(const struct maps *m, pid_t pid);
/** maps__fork() - copy the mappings of a parent to a new process. */
void maps__fork(struct maps *m, pid_t parent, pid_t pid);
/** maps__exec() - drop the mappings of a process that executes another program. */
void maps__exec(struct maps *m, pid_t pid);
/** maps__read() - read from procfs the mappings of a process that already runs. */
void maps__read(struct maps *m, pid_t pid);
/** maps__read_all() - read the mappings of all processes. */
void maps__read_all(struct maps *m);
/** maps__take() - use a record of a mapping, fork, exec or exit; other records change nothing. */
void maps__take(struct maps *m, const struct sample_record *r);
/** maps__end() - record that a process has ended. */
void maps__end(struct maps *m, pid_t pid);
/** maps__read_once() - read procfs, once, for a process that no record has mentioned. */
void maps__read_once(struct maps *m, pid_t pid);
/** maps__find() - find the mapping of an address. Return: NULL if there is none. */
const struct mapping *maps__find(const struct maps *m, pid_t pid, uint64_t address);
void maps__free(struct maps *m);

#endif
