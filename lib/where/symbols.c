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

#include "base/sb.h"
#include "base/xalloc.h"
#include "count/clock.h"
#include "where/dwarf.h"

#define CHILD_SECONDS 20 /* of CPU time for the files that it reads */
#define CHILD_WAITS 60	 /* seconds, with what it waits for */
#define ALL_SECONDS 90	 /* of all children: no file is opened behind that */
#define CHILD_MEMORY (4ULL << 30)
#define TEXT_MAX 1024

/* --- The child ------------------------------------------------------------------------------- */

/* What the child says of a symbol: a length and its bytes for each text, and the line. */
static void put(FILE *out, const char *text)
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

static void answer(FILE *out, struct dwarf_file *file, int fd, const struct symbol *s)
{
	struct dwarf_place place = {.function = NULL};
	uint64_t address;

	if (file && address_of(fd, s->offset, &address))
		place = dwarf__find(file, address);
	put(out, place.function);
	put(out, place.into);
	put(out, place.file);
	fwrite(&place.line, sizeof(place.line), 1, out);
	fputc(fd < 0, out);
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
		answer(out, file, fd, &at[i]);
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
	/* A pipe in the place of debug information may never be written to. */
	signal(SIGALRM, SIG_DFL);
	alarm(CHILD_WAITS);
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
static void forget(struct symbol *s)
{
	free(s->function);
	free(s->into);
	free(s->file);
	s->function = s->into = s->file = NULL;
	s->line = 0;
}

/* Let a child answer as far as it comes. Return: how many it has answered, or -1 without libdw. */
static int ask(struct symbol *at, int nr, bool download)
{
	int ends[2], done = 0, status;
	char works = 0;
	pid_t pid;
	FILE *in;

	if (pipe2(ends, O_CLOEXEC))
		return 0;
	pid = fork();
	if (!pid) {
		close(ends[0]);
		run_child(ends[1], at, nr, download);
	}
	close(ends[1]);
	in = xchecked(fdopen(ends[0], "r"));
	if (pid > 0 && fread(&works, 1, 1, in) == 1 && works)
		while (done < nr && get(in, &at[done]))
			done++;
	fclose(in);
	if (pid > 0)
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	return works ? done : -1;
}

static void tell(const struct symbol *at, int nr, int unreadable, struct sb *notes)
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
			   "places in files that are no longer what was run: %d (deleted, "
			   "replaced, or "
			   "of a container that has ended)\n",
			   gone);
}

void symbols__find(struct symbol *at, int nr, bool download, struct sb *notes)
{
	uint64_t end_ns = clock__now_ns() + ALL_SECONDS * 1000000000ULL;
	int from = 0, unreadable = 0;

	while (from < nr) {
		int same, done = clock__now_ns() < end_ns ? ask(at + from, nr - from, download) : 0;

		if (done < 0) {
			sb__puts(notes, "no names of functions and lines: " DWARF_LIBRARY
					" is not installed (package libdw1 or elfutils-libs)\n");
			return;
		}
		from += done;
		if (from == nr)
			break;
		/* The child died of this one: what else is in its file is not asked for. */
		same = count_same(&at[from], nr - from);
		forget(&at[from]);
		unreadable += same;
		from += same;
	}
	tell(at, nr, unreadable, notes);
}
