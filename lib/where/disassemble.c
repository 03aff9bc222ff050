// SPDX-License-Identifier: GPL-2.0-only
#include "where/disassemble.h"

#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/num.h"
#include "base/xalloc.h"
#include "where/elf_file.h"

#if __has_include(<capstone/capstone.h>)
#include <capstone/capstone.h>
#include <dlfcn.h>
#endif

#define HEADING_LINES 1000 /* the most lines of objdump between two instructions, such as names of
			    * functions */

bool code_lines__add(struct code_lines *l, uint64_t address, const char *text)
{
	/* The address is inside the previous instruction: use the address of that instruction. */
	if (!l->found && address > l->at) {
		if (!l->nr)
			return false;
		l->at = l->line[l->nr - 1].address;
		l->found = true;
	}
	/* Output whose addresses repeat or go back is not from objdump. */
	if (l->nr && address <= l->line[l->nr - 1].address)
		return false;
	if (address == l->at) {
		l->found = true;
	} else if (!l->found && l->nr == CODE_AROUND) {
		free(l->line[0].text);
		memmove(&l->line[0], &l->line[1], --l->nr * sizeof(l->line[0]));
	}
	l->nr_after += address > l->at;
	l->line[l->nr++] = (struct code_line){address, xstrdup(text)};
	return l->nr_after < CODE_AROUND;
}

void code_lines__free(struct code_lines *l)
{
	for (int i = 0; i < l->nr; i++)
		free(l->line[i].text);
	*l = (struct code_lines){.at = l->at};
}

/*
 * Return: the number of bytes that all instructions take, up to the last instruction after the
 * address.
 */
static size_t size_of(const struct code_range *r)
{
	return r->at - r->begin + (CODE_AROUND + 1) * CODE_LONGEST;
}

/* --- libcapstone ----------------------------------------------------------------------------- */

#if __has_include(<capstone/capstone.h>)

#define NAME_OF_VERSION(n) "libcapstone.so." #n
#define LIBRARY_OF(n) NAME_OF_VERSION(n)
#define CAPSTONE_LIBRARY LIBRARY_OF(CS_API_MAJOR)

#define CAPSTONE_CALLS(use) \
	use(cs_open) use(cs_close) use(cs_malloc) use(cs_free) use(cs_disasm_iter)

#if CS_API_MAJOR >= 6
#define ARM64 CS_ARCH_AARCH64
#else
#define ARM64 CS_ARCH_ARM64
#endif

#define DECLARE_CAPSTONE(name) static __typeof__(name) *lib_##name;
CAPSTONE_CALLS(DECLARE_CAPSTONE)

static bool load_capstone(void)
{
	void *library = dlopen(CAPSTONE_LIBRARY, RTLD_NOW | RTLD_LOCAL);

#define FIND_CAPSTONE(name) \
	lib_##name = library ? (__typeof__(lib_##name))dlsym(library, #name) : NULL;
	CAPSTONE_CALLS(FIND_CAPSTONE)
#define HAS_CAPSTONE(name) &&lib_##name
	return library CAPSTONE_CALLS(HAS_CAPSTONE);
}

static bool open_capstone(int machine, csh *handle)
{
	cs_arch arch = machine == EM_AARCH64 ? ARM64 : CS_ARCH_X86;
	cs_mode mode = machine == EM_X86_64 ? CS_MODE_64
		       : machine == EM_386  ? CS_MODE_32
					    : CS_MODE_LITTLE_ENDIAN;

	return lib_cs_open(arch, mode, handle) == CS_ERR_OK;
}

static void capstone__take_apart(csh handle, const struct code_range *r, const uint8_t *bytes,
				 size_t nr, struct code_lines *out)
{
	cs_insn *insn = lib_cs_malloc(handle);
	uint64_t address = r->begin;
	bool more = insn;

	while (more && lib_cs_disasm_iter(handle, &bytes, &nr, &address, insn)) {
		char *text = *insn->op_str ? xasprintf("%-6s %s", insn->mnemonic, insn->op_str)
					   : xstrdup(insn->mnemonic);

		more = code_lines__add(out, insn->address, text);
		free(text);
	}
	if (insn)
		lib_cs_free(insn, 1);
}

static void disassemble__by_library(const struct code_range *r, struct code_lines *out)
{
	uint8_t *bytes;
	csh handle;

	if (!load_capstone() || !open_capstone(r->machine, &handle))
		return;
	bytes = xmalloc(size_of(r));
	capstone__take_apart(handle, r, bytes, elf_file__read(r->fd, r->begin, bytes, size_of(r)),
			     out);
	free(bytes);
	lib_cs_close(&handle);
}

#else

static void disassemble__by_library(const struct code_range *r, struct code_lines *out)
{
	(void)r;
	(void)out;
}

#endif

/* --- objdump --------------------------------------------------------------------------------- */

/* Run objdump on the open file, as its path may now lead to another file. */
static _Noreturn void run_objdump(const struct code_range *r, int to)
{
	char begin[64], end[64], path[64];
	const char *argv[] = {"objdump",
			      "-d",
			      "--no-show-raw-insn",
			      begin,
			      end,
			      path,
			      r->machine == EM_AARCH64 ? NULL : "--disassembler-options=intel",
			      NULL};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0)
		_exit(127);
	snprintf(begin, sizeof(begin), "--start-address=%#llx", (unsigned long long)r->begin);
	snprintf(end, sizeof(end), "--stop-address=%#llx",
		 (unsigned long long)(r->begin + size_of(r)));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", dup(r->fd));
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setenv("LC_ALL", "C", 1);
	/*
	 * If no other descriptors are open, the ends of the pipe may have the numbers of standard
	 * input or output: these are moved first.
	 */
	to = fcntl(to, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	null = fcntl(null, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	dup2(null, STDIN_FILENO);
	dup2(to, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	execvp(argv[0], (char **)argv);
	_exit(127);
}

/*
 * Parse a line of objdump. An instruction is "  401106:<tab>mov    eax,0x1"; lines of other forms are
 * not.
 */
static bool take_objdump_line(char *line, struct code_lines *out)
{
	uint64_t address;
	int len;

	line[strcspn(line, "\n")] = '\0';
	line += strspn(line, " ");
	len = num__scan_u64(line, 16, &address);
	if (len <= 0 || line[len] != ':' || line[len + 1] != '\t')
		return true;
	return code_lines__add(out, address, line + len + 2);
}

/* @most: the most lines that are read */
static void read_objdump(int fd, size_t most, struct code_lines *out)
{
	FILE *in = fdopen(fd, "r");
	char line[512];
	bool more = true;

	if (!in) {
		close(fd);
		return;
	}
	while (more && most-- && fgets(line, sizeof(line), in))
		more = take_objdump_line(line, out);
	fclose(in);
}

static void disassemble__by_program(const struct code_range *r, struct code_lines *out)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return;
	pid = fork();
	if (!pid)
		run_objdump(r, ends[1]);
	close(ends[1]);
	read_objdump(ends[0], size_of(r) + HEADING_LINES, out);
	if (pid > 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
}

/* --------------------------------------------------------------------------------------------- */

bool disassemble(const struct code_range *range, struct code_lines *out)
{
	*out = (struct code_lines){.at = range->at};
	if (range->machine != EM_X86_64 && range->machine != EM_386 &&
	    range->machine != EM_AARCH64)
		return false;
	disassemble__by_library(range, out);
	if (out->found)
		return true;
	/* libcapstone stops at an instruction that it does not know yet; objdump may know it. */
	code_lines__free(out);
	disassemble__by_program(range, out);
	if (!out->found)
		code_lines__free(out);
	return out->found;
}
