// SPDX-License-Identifier: GPL-2.0-only
/* What the parent asks, and the child answers. */
#include "where/symbols.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/sb.h"
#include "base/xalloc.h"
#include "count/clock.h"
#include "count/workload.h"
#include "where/dwarf.h"

#define CHILD_SECONDS 20 /* of CPU time for the files that it reads */
#define NS_PER_S 1000000000ULL
#define CHILD_SILENT_NS (20 * NS_PER_S) /* it waits for what may never come */
#define ALL_NS (60 * NS_PER_S)		/* for all children */
#define CHILD_MEMORY (4ULL << 30)
#define TEXT_MAX 1024

/* --- The child ------------------------------------------------------------------------------- */

/* What the child says of a symbol: a length and its bytes for each text, and the line. */
static void symbols__put(FILE *out, const char *text)
{
	uint32_t len = text ? strnlen(text, TEXT_MAX) : 0;

	fwrite(&len, sizeof(len), 1, out);
	fwrite(text, 1, len, out);
}

/* Where a file's segments are described. */
struct segments {
	uint64_t at;
	int nr;
	bool is_32;
};

static bool find_segments(int fd, struct segments *out)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf32_Ehdr narrow;
		Elf64_Ehdr wide;
	} e = {.ident = {0}};

	if (pread(fd, &e, sizeof(e), 0) < (ssize_t)sizeof(e.narrow) ||
	    memcmp(e.ident, ELFMAG, SELFMAG))
		return false;
	if (e.ident[EI_CLASS] == ELFCLASS32) {
		*out = (struct segments){e.narrow.e_phoff, e.narrow.e_phnum, true};
		return e.narrow.e_phentsize == sizeof(Elf32_Phdr);
	}
	*out = (struct segments){e.wide.e_phoff, e.wide.e_phnum, false};
	return e.ident[EI_CLASS] == ELFCLASS64 && e.wide.e_phentsize == sizeof(Elf64_Phdr);
}

static bool read_segment(int fd, const struct segments *s, int i, Elf64_Phdr *out)
{
	Elf32_Phdr narrow;

	if (!s->is_32)
		return pread(fd, out, sizeof(*out), s->at + i * sizeof(*out)) == sizeof(*out);
	if (pread(fd, &narrow, sizeof(narrow), s->at + i * sizeof(narrow)) != sizeof(narrow))
		return false;
	*out = (Elf64_Phdr){.p_type = narrow.p_type,
			    .p_offset = narrow.p_offset,
			    .p_vaddr = narrow.p_vaddr,
			    .p_filesz = narrow.p_filesz};
	return true;
}

/* Find the address that a byte of a file is linked for. */
static bool address_of(int fd, uint64_t offset, uint64_t *address)
{
	struct segments segments;
	Elf64_Phdr p;

	if (!find_segments(fd, &segments))
		return false;
	for (int i = 0; i < segments.nr && read_segment(fd, &segments, i, &p); i++) {
		if (p.p_type != PT_LOAD || offset < p.p_offset || offset - p.p_offset >= p.p_filesz)
			continue;
		*address = p.p_vaddr + (offset - p.p_offset);
		return true;
	}
	return false;
}

static void symbols__answer(FILE *out, struct dwarf_file *file, int fd, const struct symbol *s)
{
	struct dwarf_place place = {.function = NULL};
	uint64_t address;

	if (file && address_of(fd, s->offset, &address))
		place = dwarf__find(file, address);
	symbols__put(out, place.function);
	symbols__put(out, place.into);
	symbols__put(out, place.file);
	fwrite(&place.line, sizeof(place.line), 1, out);
	fputc(fd < 0 ? 1 : 0, out);
	fflush(out);
}

static int open_if_same(const char *path, uint64_t inode)
{
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_ino != inode)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* A file that was deleted is there as long as its process. */
static int open_same(const struct symbol *s)
{
	int fd = open_if_same(s->path, s->inode);

	return fd < 0 ? open_if_same(s->running, s->inode) : fd;
}

/* Return: how many of the places from here on are in one file. */
static int count_same(const struct symbol *at, int nr)
{
	int same = 1;

	while (same < nr && at[same].inode == at->inode && !strcmp(at[same].path, at->path))
		same++;
	return same;
}

/* All places of one file. Return: how many there are. */
static int answer_file(FILE *out, const struct symbol *at, int nr)
{
	int fd = open_same(at), same = count_same(at, nr);
	struct dwarf_file *file = fd < 0 ? NULL : dwarf__open(at->path, fd);

	for (int i = 0; i < same; i++)
		symbols__answer(out, file, fd, &at[i]);
	dwarf__close(file);
	if (fd >= 0)
		close(fd);
	return same;
}

static _Noreturn void run_child(int fd, const struct symbol *at, int nr, bool download)
{
	const struct rlimit cpu = {CHILD_SECONDS, CHILD_SECONDS}, core = {0, 0};
	const struct rlimit memory = {CHILD_MEMORY, CHILD_MEMORY};
	FILE *out = fdopen(fd, "w");
	char works;

	prlimit(0, RLIMIT_CPU, &cpu, NULL);
	prlimit(0, RLIMIT_CORE, &core, NULL);
	prlimit(0, RLIMIT_AS, &memory, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!download)
		unsetenv("DEBUGINFOD_URLS");
	works = out && dwarf__load();
	if (out)
		fwrite(&works, 1, 1, out);
	while (works && nr > 0) {
		int done = answer_file(out, at, nr);

		at += done;
		nr -= done;
	}
	if (out)
		fflush(out);
	_exit(0);
}

/* --- The parent ------------------------------------------------------------------------------ */

static bool get_text(FILE *in, char **text)
{
	uint32_t len;

	if (fread(&len, sizeof(len), 1, in) != 1 || len > TEXT_MAX)
		return false;
	free(*text);
	*text = xcalloc(len + 1, 1);
	return fread(*text, 1, len, in) == len;
}

static bool get(FILE *in, struct symbol *s)
{
	int gone = EOF;

	if (get_text(in, &s->function) && get_text(in, &s->into) && get_text(in, &s->file) &&
	    fread(&s->line, sizeof(s->line), 1, in) == 1)
		gone = fgetc(in);
	s->gone = gone > 0;
	return gone != EOF;
}

/* Of half an answer, nothing is kept. */
static void symbols__forget(struct symbol *s)
{
	free(s->function);
	free(s->into);
	free(s->file);
	s->function = s->into = s->file = NULL;
	s->line = 0;
}

/**
 * struct reading_symbols - of all files, by one child after the other
 * @until_ns: when it ends; @interrupted: a signal has ended it
 * @obstacle: why there are no names at all, or NULL
 */
struct reading_symbols {
	uint64_t until_ns;
	bool interrupted, download;
	const char *obstacle;
};

/* Return: whether a signal came that was not there before. */
static bool took_signal(struct reading_symbols *r)
{
	r->interrupted |= signals__take() != 0;
	return r->interrupted;
}

/* Return: whether there is more to read; not if the child is silent for too long. */
static bool wait_for_more(struct reading_symbols *r, int fd, uint64_t silent_since_ns)
{
	uint64_t end_ns = silent_since_ns + CHILD_SILENT_NS;
	struct pollfd from = {.fd = fd, .events = POLLIN};

	end_ns = r->until_ns < end_ns ? r->until_ns : end_ns;
	for (;;) {
		uint64_t now_ns = clock__now_ns(), left_ns = end_ns > now_ns ? end_ns - now_ns : 0;
		struct timespec left = {left_ns / NS_PER_S, left_ns % NS_PER_S};
		int n = left_ns ? signals__poll(&from, 1, &left) : 0;

		if (n > 0 || !n)
			return n;
		if (took_signal(r))
			return false;
	}
}

/* All that a child says, until it ends or has to. */
static void read_answers(struct reading_symbols *r, int fd, struct sb *said)
{
	uint64_t since_ns = clock__now_ns();
	char bytes[4096];
	ssize_t n = 1;

	while (n && wait_for_more(r, fd, since_ns)) {
		n = read(fd, bytes, sizeof(bytes));
		if (n < 0 && errno != EINTR)
			break;
		if (n > 0)
			sb__add(said, bytes, n);
		since_ns = clock__now_ns();
	}
}

/* Return: how many places a child has answered. */
static int take_answers(struct reading_symbols *r, struct symbol *at, int nr, struct sb *said)
{
	FILE *in = said->len ? xchecked(fmemopen(said->buf, said->len, "r")) : NULL;
	int works = in ? fgetc(in) : EOF, done = 0;

	if (works < 0 && !r->interrupted)
		r->obstacle = DWARF_LIBRARY " could not be loaded";
	else if (!works)
		r->obstacle = DWARF_LIBRARY " is not installed (package libdw1 or elfutils-libs)";
	while (works > 0 && done < nr && get(in, &at[done]))
		done++;
	if (in)
		fclose(in);
	return done;
}

/* Let a child answer as far as it comes. Return: how many it has answered. */
static int symbols__ask(struct reading_symbols *r, struct symbol *at, int nr)
{
	auto_free(sb) said = SB_INIT;
	int ends[2], status;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC)) {
		r->obstacle = strerror(errno);
		return 0;
	}
	pid = fork();
	if (!pid) {
		close(ends[0]);
		run_child(ends[1], at, nr, r->download);
	}
	if (pid < 0)
		r->obstacle = strerror(errno);
	close(ends[1]);
	if (pid > 0)
		read_answers(r, ends[0], &said);
	close(ends[0]);
	if (pid > 0)
		kill(pid, SIGKILL);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return take_answers(r, at, nr, &said);
}

static void symbols__tell(const struct symbol *at, int nr, int unreadable, struct sb *notes)
{
	int gone = 0;

	for (int i = 0; i < nr; i++)
		gone += at[i].gone;
	if (unreadable)
		sb__printf(notes,
			   "places in files that could not be read: %d; addresses stand for them\n",
			   unreadable);
	if (gone)
		sb__printf(notes,
			   "places in files that have changed since they were run: %d (deleted, "
			   "replaced, or of a container that has ended)\n",
			   gone);
}

void symbols__find(struct symbol *at, int nr, bool download, uint64_t until_ns, struct sb *notes)
{
	struct reading_symbols r = {.until_ns = until_ns ?: clock__now_ns() + ALL_NS,
				    .download = download};
	int from = 0, unreadable = 0;

	/* What ended the sampling does not end the reading of what was sampled. */
	if (session__signal())
		signals__take();
	while (from < nr) {
		bool ended = r.interrupted || clock__now_ns() >= r.until_ns;
		int same, done = ended ? 0 : symbols__ask(&r, at + from, nr - from);

		if (r.obstacle) {
			sb__printf(notes, "no names of functions and lines: %s\n", r.obstacle);
			return;
		}
		from += done;
		if (from == nr)
			break;
		/* The child died of this one: what else is in its file is not asked for. */
		same = count_same(&at[from], nr - from);
		symbols__forget(&at[from]);
		unreadable += same;
		from += same;
	}
	symbols__tell(at, nr, unreadable, notes);
}
