/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands where in the memory of processes: records of the kernel come in, files go out. */
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
 * struct object - a file that is mapped, or memory without one
 * @path:  as the process names it
 * @root:  what stands before it where the process sees other files ("/proc/12/root"), or ""
 * @inode: 0 for what is no file
 * @pid:   of a process that has it mapped; memory without a file is an object of each process
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
 * struct process - sorted mappings that do not overlap
 * @uid:  whose it was, or (uid_t)-1; @root: as of struct object
 * @ended: nothing is mapped any more; @looked: procfs was asked
 */
struct process {
	pid_t pid;
	uid_t uid;
	char *root;
	bool ended, looked;
	VEC(struct mapping) mappings;
};

/**
 * struct maps_origin - what is known of mappings that a recording tells of
 * @ids:      build ids of files; @kernel: which one it was
 * @until_ns: when it ended, on the clock of files; 0 where that is not known
 */
struct maps_origin {
	struct build_ids ids;
	struct kernel_origin kernel;
	int64_t until_ns;
};

/**
 * struct maps - of all processes
 * @nr_copied: mappings that processes have from their parents
 * @slots:   1 + the number of a process, by a hash of its pid; a power of two of them
 * @nr_ended: how many processes have ended, and are kept for their owners
 * @numbers: of objects, by what tells them apart
 * @procfs:  where processes are; NULL: they are those of a recording, and not here
 * @origin:  what the recording says of them; NULL: they are of this computer, now
 * @found:   is told of what procfs says, as if it had been a record; or NULL
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

/** maps__add() - something was mapped, over what was there. */
void maps__add(struct maps *m, pid_t pid, uint64_t start, uint64_t len, uint64_t offset,
	       const char *path, uint64_t inode);
/** maps__owner_of() - Return: whose process it is, or (uid_t)-1 where it has ended. */
uid_t maps__owner_of(const char *procfs, pid_t pid);
/** maps__set_owner() - remember whose process it is; (uid_t)-1 changes nothing. */
void maps__set_owner(struct maps *m, pid_t pid, uid_t uid);
/** maps__owner() - Return: what was remembered, or (uid_t)-1. */
uid_t maps__owner(const struct maps *m, pid_t pid);
/** maps__fork() - a process has what its parent has. */
void maps__fork(struct maps *m, pid_t parent, pid_t pid);
/** maps__exec() - a process has become another program. */
void maps__exec(struct maps *m, pid_t pid);
/** maps__read() - take what procfs says of a process that runs already. */
void maps__read(struct maps *m, pid_t pid);
/** maps__read_all() - the same of all processes. */
void maps__read_all(struct maps *m);
/** maps__take() - take what a record tells of what is mapped; others change nothing. */
void maps__take(struct maps *m, const struct sample_record *r);
/** maps__end() - a process has ended. */
void maps__end(struct maps *m, pid_t pid);
/** maps__look() - take what procfs says of a process that no record told of, once. */
void maps__look(struct maps *m, pid_t pid);
/** maps__find() - look an address up. Return: its mapping, or NULL. */
const struct mapping *maps__find(const struct maps *m, pid_t pid, uint64_t address);
void maps__free(struct maps *m);

#endif
