// SPDX-License-Identifier: GPL-2.0-only
#include "where/jit.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/file.h"
#include "base/num.h"
#include "base/xalloc.h"
#include "where/child.h"
#include "where/demangle.h"
#include "where/elf_file.h"

#define MOST_BYTES (256 << 20) /* the most bytes of a map */

/* --- The child ------------------------------------------------------------------------------- */

/* Return: the index of the first place whose address is not below @address. */
static int first_from(const struct jit_place *at, int nr, uint64_t address)
{
	int low = 0, high = nr;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (at[mid].address < address)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Read a number and the blanks after it. Return: the text that follows, or NULL. */
static const char *scan_hex(const char *text, uint64_t *out)
{
	int len;

	if (!strncmp(text, "0x", 2))
		text += 2;
	len = isxdigit((unsigned char)*text) ? num__scan_u64(text, 16, out) : 0;
	if (len <= 0 || (text[len] != ' ' && text[len] != '\t'))
		return NULL;
	return text + len + strspn(text + len, " \t");
}

static void parse_line(const char *line, struct jit_place *at, int nr)
{
	uint64_t start, size, last;
	const char *name = scan_hex(line, &start);
	int len;

	name = name ? scan_hex(name, &size) : NULL;
	len = name ? strcspn(name, "\r") : 0;
	if (!len)
		return;
	/* A compiler that does not know the size of code writes only where the code begins. */
	last = size ? start + (size - 1) : start;
	if (last < start)
		last = UINT64_MAX;
	for (int i = first_from(at, nr, start); i < nr && at[i].address <= last; i++) {
		free(at[i].name);
		at[i].name = xstrndup(name, len);
	}
}

void jit__parse(char *text, size_t len, struct jit_place *at, int nr)
{
	char *end = text + len, *next;

	for (char *line = text; line < end; line = next) {
		char *newline = memchr(line, '\n', end - line);

		/* A line that does not end, or that has a NUL byte, was not written completely. */
		if (!newline)
			break;
		next = newline + 1;
		*newline = '\0';
		if (strlen(line) == (size_t)(newline - line))
			parse_line(line, at, nr);
	}
}

/* Return: the number that the process has for itself, which differs in a container. */
static pid_t own_pid(const char *procfs, pid_t pid)
{
	char path[PATH_MAX], line[256], *last;
	pid_t own = pid;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%d/status", procfs, (int)pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "NSpid:", strlen("NSpid:")))
			continue;
		last = strrchr(line, '\t');
		own = last && atoi(last + 1) > 0 ? atoi(last + 1) : pid;
	}
	if (file)
		fclose(file);
	return own;
}

/*
 * Open a map. All users may write to /tmp, and a container has a /tmp of its own. So links are not
 * followed, the opening does not wait for a pipe, and files of other users are not read.
 */
static int open_map(const struct jit_process *p, const char *procfs)
{
	int tmp_flags = O_PATH | O_DIRECTORY | O_CLOEXEC | (*p->root ? O_NOFOLLOW : 0);
	int root = open(*p->root ? p->root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int tmp = root < 0 ? -1 : openat(root, "tmp", tmp_flags), fd = -1;
	char name[64];
	struct stat st;

	snprintf(name, sizeof(name), "perf-%d.map", (int)own_pid(procfs, p->pid));
	if (tmp >= 0)
		fd = file__open_regular(tmp, name, O_NOFOLLOW);
	if (root >= 0)
		close(root);
	if (tmp >= 0)
		close(tmp);
	if (fd >= 0 && !fstat(fd, &st) && st.st_nlink == 1 &&
	    st.st_size <= MOST_BYTES &&
	    (!p->until_ns || elf_file__written_ns(&st) <= p->until_ns) &&
	    (st.st_uid == p->uid || st.st_uid == geteuid() || !st.st_uid))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static void read_map(struct jit_place *at, int nr, const char *procfs)
{
	int fd = open_map(&at->process, procfs);
	char *text;
	size_t len;

	if (fd < 0)
		return;
	if (!file__read_fd(fd, MOST_BYTES, &text, &len)) {
		jit__parse(text, len, at, nr);
		free(text);
	}
	close(fd);
}

/* struct jit_question - the places whose names are asked for */
struct jit_question {
	struct jit_place *at;
	int nr;
	const char *procfs;
};

/* Return: how many places, from the first on, are in one process. */
static int count_process(const struct jit_place *at, int nr)
{
	int same = 1;

	while (same < nr && at[same].process.pid == at->process.pid)
		same++;
	return same;
}

static void answer_maps(FILE *out, void *arg)
{
	const struct jit_question *q = arg;
	int same;

	for (int from = 0; from < q->nr; from += same) {
		same = count_process(q->at + from, q->nr - from);
		read_map(q->at + from, same, q->procfs);
		for (int i = from; i < from + same; i++) {
			const char *name = q->at[i].name;
			auto_text demangled = name ? demangle__name(name) : NULL;

			child__put(out, demangled ?: name);
		}
		fflush(out);
	}
}

/* --- The parent ------------------------------------------------------------------------------ */

/* Return: the number of places that a child has answered. */
static int take_names(struct jit_place *at, int nr, const struct sb *output)
{
	FILE *in = output->len ? xchecked(fmemopen(output->buf, output->len, "r")) : NULL;
	int done = 0;

	while (in && done < nr && child__get(in, &at[done].name))
		done++;
	/* A name that is incomplete is dropped. */
	if (done < nr) {
		free(at[done].name);
		at[done].name = NULL;
	}
	if (in)
		fclose(in);
	return done;
}

static int jit__compare(const void *va, const void *vb)
{
	const struct jit_place *a = va, *b = vb;

	if (a->process.pid != b->process.pid)
		return a->process.pid < b->process.pid ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

void jit__find(struct jit_place *at, int nr, const char *procfs, struct child_reading *r)
{
	int from = 0;

	if (nr)
		qsort(at, nr, sizeof(*at), jit__compare);
	while (from < nr && !r->obstacle && !child_reading__ended(r)) {
		struct jit_question question = {at + from, nr - from, procfs};
		auto_free(sb) output = SB_INIT;

		child__ask(r, answer_maps, &question, &output);
		from += take_names(at + from, nr - from, &output);
		/* The child crashed on this map: ask only for the places in other maps. */
		if (from < nr)
			from += count_process(at + from, nr - from);
	}
	for (int i = 0; i < nr; i++) {
		if (at[i].name && *at[i].name)
			continue;
		free(at[i].name);
		at[i].name = NULL;
	}
}
