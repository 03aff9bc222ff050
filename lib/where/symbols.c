// SPDX-License-Identifier: GPL-2.0-only
/* The parent's side, and what the child does with the libraries. */
#include "where/symbols.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdwfl.h>
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

#define LIBRARY "libdw.so.1"
#define CHILD_SECONDS 20 /* of CPU time for all files of a run */
#define CHILD_MEMORY (4ULL << 30)
#define TEXTS 3
#define TEXT_MAX 1024

/* --- The libraries, loaded by the child alone ------------------------------------------------ */

#define CALLS(use)                                                                             \
	use(dwfl_begin) use(dwfl_end) use(dwfl_report_elf) use(dwfl_report_end)                \
		use(dwfl_module_addrinfo) use(dwfl_module_getsrc) use(dwfl_lineinfo)           \
			use(dwfl_module_addrdie) use(dwarf_getscopes) use(dwarf_getscopes_die) \
				use(dwarf_tag) use(dwarf_diename)                              \
					use(dwfl_standard_find_debuginfo)                      \
						use(dwfl_offline_section_address)              \
							use(dwfl_build_id_find_elf)            \
								use(dwfl_module_getelf)

#define DECLARE(name) static __typeof__(name) *lib_##name;
CALLS(DECLARE)

static bool load(void)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

#define FIND(name) lib_##name = library ? (__typeof__(lib_##name))dlsym(library, #name) : NULL;
	CALLS(FIND)
#define HAS(name) &&lib_##name
	return library CALLS(HAS);
}

static char *no_path;
static Dwfl_Callbacks callbacks = {.debuginfo_path = &no_path};

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

static bool is_function(Dwarf_Die *die)
{
	int tag = lib_dwarf_tag(die);

	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* The function of the source, and the one that it was inlined into. */
static void find_functions(Dwfl_Module *module, uint64_t address, const char **function,
			   const char **into)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = lib_dwfl_module_addrdie(module, address, &bias), *scopes = NULL;
	int nr = unit ? lib_dwarf_getscopes(unit, address - bias, &scopes) : 0;
	const char *inner = NULL;

	for (int i = 0; i < nr; i++) {
		const char *name = is_function(&scopes[i]) ? lib_dwarf_diename(&scopes[i]) : NULL;

		if (!name)
			continue;
		if (!inner)
			inner = name;
		else
			*into = name;
		if (lib_dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
			break;
	}
	*function = inner ?: *function;
	/* The names are those of @unit's, and stay. */
	free(scopes);
}

static void answer(FILE *out, Dwfl_Module *module, int fd, const struct symbol *s)
{
	const char *function = NULL, *into = NULL, *file = NULL;
	Dwfl_Line *line = NULL;
	GElf_Off offset;
	GElf_Sym symbol;
	uint64_t address;
	int number = 0;

	if (module && address_of(fd, s->offset, &address)) {
		Dwarf_Addr bias = 0;

		lib_dwfl_module_getelf(module, &bias);
		address += bias;
		function = lib_dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL,
						    NULL);
		find_functions(module, address, &function, &into);
		line = lib_dwfl_module_getsrc(module, address);
	}
	if (line)
		file = lib_dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL);
	put(out, function);
	put(out, into);
	put(out, file);
	fwrite(&number, sizeof(number), 1, out);
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
	Dwfl *dwfl = fd < 0 ? NULL : lib_dwfl_begin(&callbacks);
	Dwfl_Module *module = NULL;

	if (dwfl) {
		/* libdw closes the descriptor that it is given. */
		module = lib_dwfl_report_elf(dwfl, at->path, at->path, dup(fd), 0, false);
		lib_dwfl_report_end(dwfl, NULL, NULL);
	}
	while (same < nr && at[same].inode == at->inode && !strcmp(at[same].path, at->path))
		same++;
	for (int i = 0; i < same; i++)
		answer(out, module, fd, &at[i]);
	if (dwfl)
		lib_dwfl_end(dwfl);
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
	works = out && load();
	callbacks.find_elf = lib_dwfl_build_id_find_elf;
	callbacks.find_debuginfo = lib_dwfl_standard_find_debuginfo;
	callbacks.section_address = lib_dwfl_offline_section_address;
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
			sb__puts(notes, "no names of functions and lines: " LIBRARY
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
