/* SPDX-License-Identifier: GPL-2.0-only */
/* Open control groups by names or patterns, to count their tasks. */
#ifndef TMA_MACHINE_CGROUP_H
#define TMA_MACHINE_CGROUP_H

#include <stdbool.h>

struct err;
struct machine;

/*
 * States of a cgroup: while it is counted, it may be removed, and another cgroup may get its name.
 */
enum cgroup_state {
	CGROUP_THERE,
	CGROUP_GONE,
	CGROUP_ANOTHER, /* another cgroup has the name */
};

/**
 * struct cgroup - a control group
 * @name: its path below the mount, "/" for the root
 * @path: path of its directory; @inode: inode of the directory, which a later cgroup of the same
 *        name does not have
 * @fd:   its directory, for perf_event_open(); -1 if it is not open
 * @state: state that the last cgroup__update() found; @reported: last state that
 *         the user was notified of
 */
struct cgroup {
	char *name, *path;
	unsigned long long inode;
	int fd;
	enum cgroup_state state, reported;
};

struct cgroup_list {
	struct cgroup **at;
	int nr, cap;
};

/**
 * cgroups__open() - open the cgroups of a list of names or patterns
 * @m:    the machine whose mounts are searched: cgroup v1 with perf_event, else cgroup v2
 * @what: the option, for messages
 * @text: names, separated by commas; an empty name appends NULL
 * @match: if @text has any of []{}()|*+?^$, its items are POSIX basic regular expressions, and
 *         cgroups whose paths match any of them are opened. An empty item is the root, and a name
 *         that occurs twice is opened once
 * @out:  list to which the cgroups are appended, in the order of the names or of the matching
 *        paths; call cgroup_list__free() after a failure, too
 *
 * Return: 0; -ENOENT if a cgroup does not exist, no cgroup matches, or no cgroups are mounted;
 * -EACCES; -EINVAL for a bad expression.
 */
int cgroups__open(const struct machine *m, const char *what, const char *text, bool match,
		  struct cgroup_list *out, struct err *err);
/**
 * cgroups__list() - find the cgroups that match patterns, without opening them (fd is -1)
 * @text: as in cgroups__open(); a list without patterns finds nothing
 *
 * Return: as cgroups__open().
 */
int cgroups__list(const struct machine *m, const char *what, const char *text,
		  struct cgroup_list *out, struct err *err);
/**
 * cgroups__open_named() - open cgroups by names that are never patterns
 * @names: the names; @nr: number of names
 *
 * Return: as cgroups__open().
 */
int cgroups__open_named(const struct machine *m, const char *what, const char *const *names, int nr,
			struct cgroup_list *out, struct err *err);
/** cgroup__update() - update the state of a cgroup: whether its directory still exists. */
void cgroup__update(struct cgroup *c);
/**
 * cgroup__replace() - replace a removed cgroup by the cgroup that has its name now, whose directory
 * @fd it takes over.
 */
void cgroup__replace(struct cgroup *c, int fd);
/** cgroup_list__free() - close and release control groups. */
void cgroup_list__free(struct cgroup_list *list);

#endif
