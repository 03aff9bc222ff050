// SPDX-License-Identifier: GPL-2.0-only
/* What the parent asks, and the child answers. */
#include "where/symbols.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
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
#include "where/dwarf.h"

#define CHILD_SECONDS 20 /* of CPU time for all files of a run */
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

/* Find the address that a byte of a file is linked for. */
static bool address_of(int fd, uint64_t offset, uint64_t *address)
{
	Elf64_Ehdr e;
	Elf64_Phdr p;

	if (pread(fd, &e, sizeof(e), 0) != sizeof(e) || memcmp(e.e_ident, ELFMAG, SELFMAG) ||
	    e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_phentsize != sizeof(p))
		return false;
	for (int i = 0; i < e.e_phnum; i++) {
		if (pread(fd, &p, sizeof(p), e.e_phoff + i * sizeof(p)) != sizeof(p))
			return false;
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
	fflush(out);
}

static int open_same(const struct symbol *s)
{
	int fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_ino != s->inode)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* All places of one file. Return: how many there are. */
static int answer_file(FILE *out, const struct symbol *at, int nr)
{
	int fd = open_same(at), same = 1;
	struct dwarf_file *file = fd < 0 ? NULL : dwarf__open(at->path, fd);

	while (same < nr && at[same].inode == at->inode && !strcmp(at[same].path, at->path))
		same++;
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

	setrlimit(RLIMIT_CPU, &cpu);
	setrlimit(RLIMIT_CORE, &core);
	setrlimit(RLIMIT_AS, &memory);
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
	return get_text(in, &s->function) && get_text(in, &s->into) && get_text(in, &s->file) &&
	       fread(&s->line, sizeof(s->line), 1, in) == 1;
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

void symbols__find(struct symbol *at, int nr, bool download, struct sb *notes)
{
	int from = 0, unreadable = 0;

	while (from < nr) {
		int done = ask(at + from, nr - from, download);

		if (done < 0) {
			sb__puts(notes, "no names of functions and lines: " DWARF_LIBRARY
					" is not installed (package libdw1 or elfutils-libs)\n");
			return;
		}
		from += done;
		/* The child died of this one, or of its file. */
		unreadable += from < nr;
		from += from < nr;
	}
	if (unreadable)
		sb__printf(notes, "%d places are in files that could not be read\n", unreadable);
}
