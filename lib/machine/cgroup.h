/* SPDX-License-Identifier: GPL-2.0-only */
/* Open control groups by names or patterns, to count their tasks. */
#ifndef TMA_MACHINE_CGROUP_H
#define TMA_MACHINE_CGROUP_H

#include <stdbool.h>

struct err;
struct machine;

/* A cgroup may be removed while it is counted, and another one of its name be created. */
enum cgroup_state {
	CGROUP_THERE,
	CGROUP_GONE,
	CGROUP_ANOTHER, /* another cgroup of the same name */
};

/**
 * struct cgroup - a control group
 * @name: its path below the mount, "/" for the root
 * @path: its directory; @inode: the directory's, to recognise another one of the same name
 * @fd:   its directory, for perf_event_open(); -1 if it is not open
 * @state: as of the last cgroup__update(); @reported: the state that was last reported to the user
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
 * @text: names, separated by commas; an empty one appends NULL
 * @match: if @text has any of []{}()|*+?^$, its items are POSIX basic regular expressions, and
 *         cgroups are opened whose paths match any of them. An empty item is the root, and a name
 *         that is given twice is opened once
 * @out:  the cgroups are appended to it, in the order of the names or of the matching paths; call
 *        cgroup_list__free() also after a failure
 *
 * Return: 0; -ENOENT if a cgroup does not exist, no cgroup matches, or no cgroups are mounted;
 * -EACCES; -EINVAL for a bad expression.
 */
int cgroups__open(const struct machine *m, const char *what, const char *text, bool match,
		  struct cgroup_list *out, struct err *err);
/**
 * cgroups__list() - find the cgroups that match patterns, without opening them (fd is -1)
 * @text: as for cgroups__open(); a list without patterns finds nothing
 *
 * Return: as cgroups__open().
 */
int cgroups__list(const struct machine *m, const char *what, const char *text,
		  struct cgroup_list *out, struct err *err);
/**
 * cgroups__open_named() - open cgroups by their names, which are not taken for patterns
 * @names: the names, @nr of them
 *
 * Return: as cgroups__open().
 */
int cgroups__open_named(const struct machine *m, const char *what, const char *const *names, int nr,
			struct cgroup_list *out, struct err *err);
/** cgroup__update() - update the state of a cgroup: whether its directory still exists. */
void cgroup__update(struct cgroup *c);
/**
 * cgroup__replace() - replace a removed cgroup by the one that has its name now; owns its directory
 * @fd.
 */
void cgroup__replace(struct cgroup *c, int fd);
/** cgroup_list__free() - close and release control groups. */
void cgroup_list__free(struct cgroup_list *list);

#endif
