// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find code in files, which are not trusted, and may be truncated meanwhile: pieces are copied with
 * pread(), and all values in them are checked.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "sim/code.h"
#include "sim/raw.h"
#include "sim/sim.h"

#define MOST_BYTES (256UL << 20) /* largest table that is read */

/*
 * Copy a piece of a file. Return: the copy, which the caller frees; NULL if the file is too short.
 */
static void *copy_piece(int fd, uint64_t at, uint64_t size)
{
	char *piece = size && size <= MOST_BYTES ? malloc(size) : NULL;
	uint64_t done = 0;

	while (piece && done < size) {
		long n = raw_syscall(SYS_pread64, fd, (long)(piece + done), size - done, at + done,
				     0, 0);

		if (n <= 0) {
			free(piece);
			return NULL;
		}
		done += n;
	}
	return piece;
}

static bool read_header(int fd, Elf64_Ehdr *header)
{
	Elf64_Ehdr *piece = copy_piece(fd, 0, sizeof(*piece));
	bool is = piece && !memcmp(piece->e_ident, ELFMAG, SELFMAG) &&
		  piece->e_ident[EI_CLASS] == ELFCLASS64 &&
		  piece->e_phentsize == sizeof(Elf64_Phdr) &&
		  piece->e_shentsize == sizeof(Elf64_Shdr);

	if (is)
		*header = *piece;
	free(piece);
	return is;
}

/* Convert the addresses of code to offsets in the file. Both ends must be in one segment. */
static bool to_offsets(int fd, const Elf64_Ehdr *header, struct sim_code *code)
{
	Elf64_Phdr *p = copy_piece(fd, header->e_phoff, (uint64_t)header->e_phnum * sizeof(*p));
	bool found = false;

	for (int i = 0; p && i < header->e_phnum && !found; i++) {
		uint64_t from = code->from - p[i].p_vaddr;

		if (p[i].p_type != PT_LOAD || code->from < p[i].p_vaddr ||
		    from >= p[i].p_filesz || code->to - code->from > p[i].p_filesz - from)
			continue;
		code->to += p[i].p_offset - p[i].p_vaddr;
		code->from += p[i].p_offset - p[i].p_vaddr;
		found = true;
	}
	free(p);
	return found;
}

static bool find_in_table(int fd, const Elf64_Shdr *table, const Elf64_Shdr *names,
			  const char *name, struct sim_code *code)
{
	Elf64_Sym *symbols = copy_piece(fd, table->sh_offset, table->sh_size);
	char *text = symbols ? copy_piece(fd, names->sh_offset, names->sh_size) : NULL;
	bool found = false;

	for (uint64_t i = 0; text && i < table->sh_size / sizeof(*symbols) && !found; i++) {
		const Elf64_Sym *symbol = &symbols[i];
		uint64_t left = symbol->st_name < names->sh_size
					? names->sh_size - symbol->st_name
					: 0;

		found = ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_size &&
			left > strlen(name) && !strcmp(text + symbol->st_name, name) &&
			!__builtin_add_overflow(symbol->st_value, symbol->st_size, &code->to);
		code->from = symbol->st_value;
	}
	free(text);
	free(symbols);
	return found;
}

static bool find_function(int fd, const Elf64_Ehdr *header, const char *name,
			  struct sim_code *code)
{
	Elf64_Shdr *s = copy_piece(fd, header->e_shoff, (uint64_t)header->e_shnum * sizeof(*s));
	bool found = false;

	for (int i = 0; s && i < header->e_shnum && !found; i++)
		if ((s[i].sh_type == SHT_SYMTAB || s[i].sh_type == SHT_DYNSYM) &&
		    s[i].sh_link < header->e_shnum)
			found = find_in_table(fd, &s[i], &s[s[i].sh_link], name, code);
	free(s);
	return found;
}

static bool find_lines(int fd, const char *name, struct sim_code *code)
{
	bool found;

	/*
	 * libdw calls mmap() and read(), which this library intercepts: let them pass while the
	 * lock is held.
	 */
	sim__lend(true);
	found = code_lines__find(fd, name, code);
	sim__lend(false);
	return found;
}

static long open_mapped(pid_t pid, const struct sim_mapped *m)
{
	char path[64];
	long fd;

	/*
	 * map_files has the file that the process really mapped. In our mount namespace the path
	 * may name another file.
	 */
	snprintf(path, sizeof(path), "/proc/%d/map_files/%lx-%lx", pid, (long)m->from, (long)m->to);
	fd = RAW(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	return raw_failed(fd) ? RAW(SYS_openat, AT_FDCWD, m->path,
				    O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0)
			      : fd;
}

/* Find the addresses of a place in a mapped file. */
static bool find_in_mapped(pid_t pid, const struct sim_mapped *m, const char *name,
			   struct sim_code *code)
{
	long fd = open_mapped(pid, m);
	struct stat status;
	Elf64_Ehdr header;
	bool found;

	if (raw_failed(fd))
		return false;
	found = !RAW(SYS_fstat, fd, &status, 0, 0) && S_ISREG(status.st_mode) &&
		read_header(fd, &header) &&
		(code__is_line(name) ? find_lines(fd, name, code)
				     : find_function(fd, &header, name, code)) &&
		to_offsets(fd, &header, code);
	RAW(SYS_close, fd, 0, 0, 0);
	/* The place may be in another mapping of the file. */
	if (!found || code->from < m->offset || code->to - m->offset > m->to - m->from)
		return false;
	code->from += m->from - m->offset;
	code->to += m->from - m->offset;
	return true;
}

static bool is_object(const char *name)
{
	return !code__is_line(name) && (strchr(name, '/') || strstr(name, ".so"));
}

static bool take_mapped(pid_t pid, const struct sim_mapped *m, const char *name,
			struct sim_code *code)
{
	if (!is_object(name))
		return find_in_mapped(pid, m, name, code);
	*code = (struct sim_code){m->from, m->to};
	return text__has_suffix(m->path, name);
}

bool code__is_line(const char *name)
{
	const char *colon = strrchr(name, ':');

	return colon && colon[1] >= '0' && colon[1] <= '9';
}

bool code__find(struct sim_layout *layout, const char *name, struct sim_code *code)
{
	struct sim_found *known = vec__find(f, &layout->found, f->name == name);
	struct sim_found fresh = {.name = name};
	const struct sim_mapped *m;

	if (known) {
		*code = known->code;
		return known->is;
	}
	vec__for_each(m, &layout->mapped)
		if (take_mapped(layout->pid, m, name, &fresh.code)) {
			fresh.is = true;
			break;
		}
	*code = fresh.code;
	/* If memory runs out, the search is repeated next time. */
	(void)!vec__push(&layout->found, fresh);
	return fresh.is;
}
