/* SPDX-License-Identifier: GPL-2.0-only */
/* Names or patterns come in; open control groups, whose tasks can be counted, come out. */
#ifndef TMA_MACHINE_CGROUP_H
#define TMA_MACHINE_CGROUP_H

#include <stdbool.h>

struct err;
struct machine;

/* A cgroup may be removed while it is counted, and another be made under its name. */
enum cgroup_state {
	CGROUP_THERE,
	CGROUP_GONE,
	CGROUP_ANOTHER, /* of the same name */
};

/**
 * struct cgroup - a control group
 * @name: its path below where cgroups are mounted, "/" for the root
 * @path: its directory; @inode: of it, by which one that was made anew is told
 * @fd:   its directory, for perf_event_open(); -1 when it is not open
 * @state: as far as somebody has looked; @told: as the user was told
 */
struct cgroup {
	char *name, *path;
	unsigned long long inode;
	int fd;
	enum cgroup_state state, told;
};

struct cgroup_list {
	struct cgroup **at;
	int nr, cap;
};

/**
 * cgroups__open() - open the cgroups that a list of names or patterns means
 * @m:    its mounts are looked through: cgroup v1 with perf_event, else cgroup v2
 * @what: the option, for messages
 * @text: names, separated by commas; an empty one is skipped by leaving a NULL
 * @match: with one of []{}()|*+?^$ in @text they are POSIX basic regular expressions, of which a
 *        cgroup's path matches at least one. An empty item is the root, and a name that
 *        stands twice is opened once
 * @out:  appended to, in the order of the names given, or of the paths that match;
 *        cgroup_list__free() it also after a failure
 *
 * Return: 0; -ENOENT for a cgroup that is not there, when nothing matches, or when none is mounted;
 * -EACCES; -EINVAL for a bad expression.
 */
int cgroups__open(const struct machine *m, const char *what, const char *text, bool match,
		  struct cgroup_list *out, struct err *err);
/**
 * cgroups__list() - find the cgroups that match patterns, and open none of them (fd is -1)
 * @text: as that of cgroups__open(); names alone match nothing new, and find nothing
 *
 * Return: as cgroups__open().
 */
int cgroups__list(const struct machine *m, const char *what, const char *text,
		  struct cgroup_list *out, struct err *err);
/**
 * cgroups__open_named() - open cgroups by their names, which may have any letter
 * @names: @nr of them
 *
 * Return: as cgroups__open().
 */
int cgroups__open_named(const struct machine *m, const char *what, const char *const *names, int nr,
			struct cgroup_list *out, struct err *err);
/** cgroup__look() - look whether it is there still. */
void cgroup__look(struct cgroup *c);
/** cgroup__become() - be the one that has its name now; @fd is its directory, which it owns. */
void cgroup__become(struct cgroup *c, int fd);
/** cgroup_list__free() - close and release control groups. */
void cgroup_list__free(struct cgroup_list *list);

#endif
