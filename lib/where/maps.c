// SPDX-License-Identifier: GPL-2.0-only
#include "where/maps.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "count/sample_record.h"

#define FIRST_SLOTS 256
#define MOST_ENDED 8192 /* number of ended processes at which they are dropped */
#define MOST_OBJECTS (1 << 16)
#define MOST_COPIED (1 << 22) /* the most mappings that are copied from parents; further children do
			       * not get any */

static int hash_of(const struct maps *m, pid_t pid)
{
	return ((uint32_t)pid * 2654435769U >> 8) & (m->nr_slots - 1);
}

/* Find the slot of a process, or the free slot for it. */
static int *maps__find_slot(const struct maps *m, pid_t pid)
{
	int at = hash_of(m, pid);

	while (m->slots[at] && m->processes.at[m->slots[at] - 1].pid != pid)
		at = (at + 1) & (m->nr_slots - 1);
	return &m->slots[at];
}

static struct process *maps__find_process(const struct maps *m, pid_t pid)
{
	int number = m->nr_slots ? *maps__find_slot(m, pid) : 0;

	return number ? &m->processes.at[number - 1] : NULL;
}

static void process__free(struct process *p)
{
	vec__free(&p->mappings);
	free(p->root);
}

/* Drop the processes that have ended, if there are many. */
static void forget_ended(struct maps *m)
{
	int kept = 0;

	if (m->nr_ended < MOST_ENDED)
		return;
	for (int i = 0; i < m->processes.nr; i++)
		if (m->processes.at[i].ended)
			process__free(&m->processes.at[i]);
		else
			m->processes.at[kept++] = m->processes.at[i];
	m->processes.nr = kept;
	m->nr_ended = 0;
}

static void make_slots(struct maps *m)
{
	forget_ended(m);
	if (!m->nr_slots)
		m->nr_slots = FIRST_SLOTS;
	while (m->processes.nr * 4 > m->nr_slots)
		m->nr_slots *= 2;
	free(m->slots);
	m->slots = xcalloc(m->nr_slots, sizeof(*m->slots));
	for (int i = 0; i < m->processes.nr; i++)
		*maps__find_slot(m, m->processes.at[i].pid) = i + 1;
}

static struct process *find_or_add(struct maps *m, pid_t pid)
{
	struct process *p = maps__find_process(m, pid);

	if (p)
		return p;
	if (m->processes.nr * 2 >= m->nr_slots || m->nr_ended >= MOST_ENDED)
		make_slots(m);
	vec__push(&m->processes, ((struct process){.pid = pid, .uid = (uid_t)-1}));
	*maps__find_slot(m, pid) = m->processes.nr;
	return &m->processes.at[m->processes.nr - 1];
}

/*
 * Find the prefix of a process's paths. In a container, a path is that of the container's file,
 * which procfs leads to while the process lives.
 */
static char *find_root(const struct maps *m, pid_t pid)
{
	char path[PATH_MAX];
	struct stat own, theirs;

	if (!m->procfs)
		return xstrdup("");
	snprintf(path, sizeof(path), "%s/%d/ns/mnt", m->procfs, (int)pid);
	if (stat("/proc/self/ns/mnt", &own) || stat(path, &theirs) || own.st_ino == theirs.st_ino)
		return xstrdup("");
	snprintf(path, sizeof(path), "%s/%d/root", m->procfs, (int)pid);
	return xstrdup(path);
}

static const char *root_of(struct maps *m, pid_t pid)
{
	struct process *p = find_or_add(m, pid);

	if (!p->root)
		p->root = find_root(m, pid);
	return p->root;
}

static int object_of(struct maps *m, pid_t pid, const char *path, uint64_t inode)
{
	const char *root = root_of(m, pid);
	struct sb key = SB_INIT;
	int number;

	if (m->objects.nr >= MOST_OBJECTS)
		path = root = "", inode = 0;
	/* Memory without a file is a separate object in each process. */
	sb__printf(&key, "%" PRIu64 " %d\n%s\n%s", inode,
		   inode || m->objects.nr >= MOST_OBJECTS ? 0 : (int)pid, root, path);
	if (!m->numbers)
		m->numbers = strmap__new();
	number = strmap__get(m->numbers, sb__str(&key));
	if (number < 0) {
		number = m->objects.nr;
		strmap__put(m->numbers, sb__str(&key), number);
		vec__push(&m->objects, ((struct object){.path = xstrdup(path),
							.root = xstrdup(root),
							.inode = inode,
							.pid = pid}));
	}
	sb__free(&key);
	return number;
}

uid_t maps__owner_of(const char *procfs, pid_t pid)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%d", procfs ?: "", (int)pid);
	return !procfs || stat(path, &st) ? (uid_t)-1 : st.st_uid;
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

/*
 * Remove a range from the mappings. Return: the index at which a mapping of this range is inserted.
 */
static int cut(struct process *p, uint64_t start, uint64_t end)
{
	int i = 0;

	while (i < p->mappings.nr && p->mappings.at[i].start < end) {
		struct mapping *old = &p->mappings.at[i], rest = *old;

		if (old->end <= start) {
			i++;
			continue;
		}
		rest.offset += end - old->start;
		rest.start = end;
		if (old->start < start) {
			old->end = start;
			i++;
			if (rest.end <= end)
				continue;
			insert(p, i, rest);
			return i;
		}
		if (old->end > end) {
			*old = rest;
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
	/*
	 * In this memory .NET writes code through one mapping, and runs the code through another
	 * mapping.
	 */
	bool generated = text__has_prefix(path, "/memfd:doublemapper");
	int object = object_of(m, pid, path, generated ? 0 : inode);
	struct process *p = find_or_add(m, pid);

	if (!len || start + len < start)
		return;
	insert(p, cut(p, start, start + len), (struct mapping){start, start + len, offset, object});
}

static void forget_copies(struct maps *m, int nr)
{
	m->nr_copied = m->nr_copied > nr ? m->nr_copied - nr : 0;
}

void maps__exec(struct maps *m, pid_t pid)
{
	struct process *p = maps__find_process(m, pid);

	if (!p)
		return;
	forget_copies(m, p->mappings.nr);
	p->mappings.nr = 0;
	m->nr_ended -= p->ended;
	p->ended = false;
}

void maps__end(struct maps *m, pid_t pid)
{
	struct process *p = maps__find_process(m, pid);

	if (!p || p->ended)
		return;
	forget_copies(m, p->mappings.nr);
	vec__free(&p->mappings);
	p->ended = true;
	m->nr_ended++;
}

void maps__read_once(struct maps *m, pid_t pid)
{
	struct process *p = pid > 0 && m->procfs ? find_or_add(m, pid) : NULL;

	if (!p || p->looked || p->mappings.nr)
		return;
	p->looked = true;
	maps__read(m, pid);
}

void maps__fork(struct maps *m, pid_t parent, pid_t pid)
{
	const struct process *from;
	struct process *to;

	if (parent == pid)
		return;
	to = find_or_add(m, pid);
	maps__exec(m, pid);
	from = maps__find_process(m, parent);
	if (!from || m->nr_copied > MOST_COPIED)
		return;
	for (int i = 0; i < from->mappings.nr; i++)
		vec__push(&to->mappings, from->mappings.at[i]);
	m->nr_copied += from->mappings.nr;
}

/* Pass the name of a thread to the @found callback. */
static void tell_name(const struct maps *m, pid_t pid, pid_t tid)
{
	struct sample_record r = {.kind = RECORD_NAMED, .pid = pid, .tid = tid};
	char name[64];

	if (file__read_line(name, sizeof(name), "%s/%d/task/%d/comm", m->procfs, (int)pid,
			    (int)tid) < 0)
		return;
	r.path = name;
	m->found(m->arg, &r);
}

static void tell_names(const struct maps *m, pid_t pid)
{
	char **names;
	int nr;

	if (file__list_dir(&names, &nr, "%s/%d/task", m->procfs, (int)pid))
		return;
	for (int i = 0; i < nr; i++)
		if (atoi(names[i]) > 0)
			tell_name(m, pid, atoi(names[i]));
	file__free_names(names, nr);
}

static void read_mapping(struct maps *m, pid_t pid, const char *line)
{
	struct sample_record r = {.kind = RECORD_MAPPED, .pid = pid, .tid = pid};
	uint64_t end;
	char rights[8];
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %" SCNu64 " %n", &r.address,
		   &end, rights, &r.offset, &r.inode, &at) < 5 ||
	    !strchr(rights, 'x'))
		return;
	r.len = end - r.address;
	r.path = at ? (char *)line + at : "";
	r.uid = maps__owner(m, pid);
	maps__add(m, pid, r.address, r.len, r.offset, r.path, r.inode);
	if (m->found)
		m->found(m->arg, &r);
}

void maps__read(struct maps *m, pid_t pid)
{
	char path[PATH_MAX], line[PATH_MAX + 128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%d/maps", m->procfs, (int)pid);
	maps__set_owner(m, pid, maps__owner_of(m->procfs, pid));
	if (m->found)
		tell_names(m, pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		read_mapping(m, pid, line);
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
		process__free(&m->processes.at[i]);
	for (int i = 0; i < m->objects.nr; i++) {
		free(m->objects.at[i].path);
		free(m->objects.at[i].root);
	}
	vec__free(&m->processes);
	vec__free(&m->objects);
	strmap__free(m->numbers);
	free(m->slots);
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
	case RECORD_ENDED:
		/* Other threads of the process may have ended before. */
		if (r->pid == r->tid)
			maps__end(m, r->pid);
		break;
	default:
		break;
	}
}
