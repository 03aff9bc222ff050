// SPDX-License-Identifier: GPL-2.0-only
#include "where/maps.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/xalloc.h"
#include "count/sample_record.h"

static struct process *maps__find_process(const struct maps *m, pid_t pid)
{
	return vec__find(p, &m->processes, p->pid == pid);
}

static struct process *find_or_add(struct maps *m, pid_t pid)
{
	struct process *p = maps__find_process(m, pid);

	if (p)
		return p;
	vec__push(&m->processes, ((struct process){.pid = pid, .uid = (uid_t)-1}));
	return &m->processes.at[m->processes.nr - 1];
}

/* In a container, a path is one of the container's files, which procfs leads to while it lives. */
static char *root_of(const struct maps *m, pid_t pid)
{
	char path[PATH_MAX], *root;
	struct stat own, theirs;

	snprintf(path, sizeof(path), "%s/%d/ns/mnt", m->procfs, (int)pid);
	if (stat("/proc/self/ns/mnt", &own) || stat(path, &theirs) || own.st_ino == theirs.st_ino)
		return xstrdup("");
	snprintf(path, sizeof(path), "%s/%d/root", m->procfs, (int)pid);
	root = xstrdup(path);
	return root;
}

static int object_of(struct maps *m, pid_t pid, const char *path, uint64_t inode)
{
	char *root = root_of(m, pid);

	for (int i = 0; i < m->objects.nr; i++) {
		const struct object *o = &m->objects.at[i];

		if (o->inode == inode && (inode || o->pid == pid) && !strcmp(o->path, path) &&
		    !strcmp(o->root, root)) {
			free(root);
			return i;
		}
	}
	vec__push(
		&m->objects,
		((struct object){.path = xstrdup(path), .root = root, .inode = inode, .pid = pid}));
	return m->objects.nr - 1;
}

uid_t maps__owner_of(const char *procfs, pid_t pid)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%d", procfs, (int)pid);
	return stat(path, &st) ? (uid_t)-1 : st.st_uid;
}

void maps__set_owner(struct maps *m, pid_t pid, uid_t uid)
{
	if (uid != (uid_t)-1)
		find_or_add(m, pid)->uid = uid;
}

uid_t maps__owner(const struct maps *m, pid_t pid)
{
	const struct process *p = maps__find_process(m, pid);

	return p ? p->uid : (uid_t)-1;
}

static void insert(struct process *p, int at, struct mapping new)
{
	vec__push(&p->mappings, new);
	memmove(&p->mappings.at[at + 1], &p->mappings.at[at],
		(p->mappings.nr - 1 - at) * sizeof(new));
	p->mappings.at[at] = new;
}

/* Cut a range out of what is there. Return: the place where a mapping of it would stand. */
static int cut(struct process *p, uint64_t start, uint64_t end)
{
	int i = 0;

	while (i < p->mappings.nr && p->mappings.at[i].start < end) {
		struct mapping *old = &p->mappings.at[i], behind = *old;

		if (old->end <= start) {
			i++;
			continue;
		}
		behind.offset += end - old->start;
		behind.start = end;
		if (old->start < start) {
			old->end = start;
			i++;
			if (behind.end <= end)
				continue;
			insert(p, i, behind);
			return i;
		}
		if (old->end > end) {
			*old = behind;
			return i;
		}
		p->mappings.nr--;
		memmove(old, old + 1, (p->mappings.nr - i) * sizeof(*old));
	}
	return i;
}

void maps__add(struct maps *m, pid_t pid, uint64_t start, uint64_t len, uint64_t offset,
	       const char *path, uint64_t inode)
{
	/* .NET writes its code through one mapping of such memory, and runs it in another. */
	bool generated = text__has_prefix(path, "/memfd:doublemapper");
	int object = object_of(m, pid, path, generated ? 0 : inode);
	struct process *p = find_or_add(m, pid);

	if (!len || start + len < start)
		return;
	insert(p, cut(p, start, start + len), (struct mapping){start, start + len, offset, object});
}

void maps__exec(struct maps *m, pid_t pid)
{
	struct process *p = maps__find_process(m, pid);

	if (p)
		p->mappings.nr = 0;
}

void maps__fork(struct maps *m, pid_t parent, pid_t pid)
{
	const struct process *from;
	struct process *to;

	if (parent == pid)
		return;
	maps__exec(m, pid);
	to = find_or_add(m, pid);
	from = maps__find_process(m, parent);
	for (int i = 0; from && i < from->mappings.nr; i++)
		vec__push(&to->mappings, from->mappings.at[i]);
}

void maps__read(struct maps *m, pid_t pid)
{
	char path[PATH_MAX], line[PATH_MAX + 128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%d/maps", m->procfs, (int)pid);
	maps__set_owner(m, pid, maps__owner_of(m->procfs, pid));
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		uint64_t start, end, offset, inode;
		char rights[8];
		int at = 0;

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %" SCNu64 " %n",
			   &start, &end, rights, &offset, &inode, &at) < 5 ||
		    !strchr(rights, 'x'))
			continue;
		maps__add(m, pid, start, end - start, offset, at ? line + at : "", inode);
	}
	if (file)
		fclose(file);
}

const struct mapping *maps__find(const struct maps *m, pid_t pid, uint64_t address)
{
	const struct process *p = maps__find_process(m, pid);
	int low = 0, high = p ? p->mappings.nr : 0;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (p->mappings.at[mid].end <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return p && low < p->mappings.nr && p->mappings.at[low].start <= address
		       ? &p->mappings.at[low]
		       : NULL;
}

void maps__free(struct maps *m)
{
	for (int i = 0; i < m->processes.nr; i++)
		vec__free(&m->processes.at[i].mappings);
	for (int i = 0; i < m->objects.nr; i++) {
		free(m->objects.at[i].path);
		free(m->objects.at[i].root);
	}
	vec__free(&m->processes);
	vec__free(&m->objects);
}

void maps__read_all(struct maps *m)
{
	DIR *dir = opendir(m->procfs);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (atoi(entry->d_name) > 0)
			maps__read(m, atoi(entry->d_name));
	if (dir)
		closedir(dir);
}

void maps__take(struct maps *m, const struct sample_record *r)
{
	switch (r->kind) {
	case RECORD_MAPPED:
		maps__add(m, r->pid, r->address, r->len, r->offset, r->path, r->inode);
		maps__set_owner(m, r->pid, r->inode ? (uid_t)-1 : r->uid);
		break;
	case RECORD_FORKED:
		maps__fork(m, r->parent, r->pid);
		break;
	case RECORD_EXECUTED:
		maps__exec(m, r->pid);
		break;
	default:
		break;
	}
}
