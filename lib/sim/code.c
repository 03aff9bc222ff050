// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/vec.h"
#include "sim/code.h"
#include "sim/raw.h"

/* A place that was looked for, and where it was found. */
struct known {
	uint64_t layout;
	const char *name;
	bool found;
	struct sim_code code;
};

static VEC(struct known) known;

/* An ELF file in memory. */
struct elf_file {
	const char *data;
	size_t size;
};

static const void *part(const struct elf_file *file, uint64_t at, uint64_t size)
{
	return at <= file->size && size <= file->size - at ? file->data + at : NULL;
}

static const Elf64_Ehdr *header_of(const struct elf_file *file)
{
	const Elf64_Ehdr *header = part(file, 0, sizeof(*header));

	return header && !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
			       header->e_ident[EI_CLASS] == ELFCLASS64
		       ? header
		       : NULL;
}

/* Turn an address of the file into its place in the file. */
static bool offset_of(const struct elf_file *file, uint64_t address, uint64_t *offset)
{
	const Elf64_Ehdr *header = header_of(file);
	const Elf64_Phdr *p;

	p = header ? part(file, header->e_phoff, (uint64_t)header->e_phnum * sizeof(*p)) : NULL;
	for (int i = 0; p && i < header->e_phnum; i++)
		if (p[i].p_type == PT_LOAD && address - p[i].p_vaddr < p[i].p_filesz) {
			*offset = address - p[i].p_vaddr + p[i].p_offset;
			return true;
		}
	return false;
}

static bool find_in_table(const struct elf_file *file, const Elf64_Shdr *table,
			  const Elf64_Shdr *names, const char *name, struct sim_code *code)
{
	const Elf64_Sym *symbol = part(file, table->sh_offset, table->sh_size);
	const char *text = part(file, names->sh_offset, names->sh_size);

	for (uint64_t i = 0; symbol && text && i < table->sh_size / sizeof(*symbol); i++) {
		uint64_t left = names->sh_size - symbol[i].st_name;

		if (ELF64_ST_TYPE(symbol[i].st_info) != STT_FUNC || !symbol[i].st_size ||
		    symbol[i].st_name >= names->sh_size ||
		    strnlen(text + symbol[i].st_name, left) == left ||
		    strcmp(text + symbol[i].st_name, name))
			continue;
		*code = (struct sim_code){symbol[i].st_value,
					  symbol[i].st_value + symbol[i].st_size};
		return true;
	}
	return false;
}

static bool find_function(const struct elf_file *file, const char *name, struct sim_code *code)
{
	const Elf64_Ehdr *header = header_of(file);
	const Elf64_Shdr *s;

	s = header ? part(file, header->e_shoff, (uint64_t)header->e_shnum * sizeof(*s)) : NULL;
	for (int i = 0; s && i < header->e_shnum; i++)
		if ((s[i].sh_type == SHT_SYMTAB || s[i].sh_type == SHT_DYNSYM) &&
		    s[i].sh_link < header->e_shnum &&
		    find_in_table(file, &s[i], &s[s[i].sh_link], name, code))
			return true;
	return false;
}

static bool find_in_file(const struct elf_file *file, int fd, const char *name,
			 struct sim_code *code)
{
	uint64_t size = code->to - code->from;
	bool found = code__is_line(name) ? code_lines__find(fd, name, code)
					 : find_function(file, name, code);

	if (!found)
		return false;
	size = code->to - code->from;
	found = offset_of(file, code->from, &code->from);
	code->to = code->from + size;
	return found;
}

/* Find a place in a mapped file. */
static bool find_in_mapped(pid_t pid, const struct sim_mapped *m, const char *name,
			   struct sim_code *code)
{
	struct elf_file file = {NULL, 0};
	struct stat status;
	char path[64];
	bool found = false;
	long fd, at;

	/* The process may see other files under the same name. */
	snprintf(path, sizeof(path), "/proc/%d/map_files/%lx-%lx", pid, (long)m->from, (long)m->to);
	fd = RAW(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (raw_failed(fd))
		fd = RAW(SYS_openat, AT_FDCWD, m->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
	if (raw_failed(fd))
		return false;
	if (!RAW(SYS_fstat, fd, &status, 0, 0) && S_ISREG(status.st_mode)) {
		file.size = status.st_size;
		at = raw_syscall(SYS_mmap, 0, file.size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (!raw_failed(at)) {
			file.data = (const char *)at;
			found = find_in_file(&file, fd, name, code);
			RAW(SYS_munmap, at, file.size, 0, 0);
		}
	}
	RAW(SYS_close, fd, 0, 0, 0);
	/* The function may be in another mapping of the file. */
	if (!found || code->from < m->offset || code->from - m->offset >= m->to - m->from)
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

bool code__find(const struct sim_layout *layout, const char *name, struct sim_code *code)
{
	struct known *k = vec__find(o, &known, o->layout == layout->number && o->name == name);
	struct known fresh = {.layout = layout->number, .name = name};
	const struct sim_mapped *m;

	if (k) {
		*code = k->code;
		return k->found;
	}
	vec__for_each(m, &layout->mapped)
		if (take_mapped(layout->pid, m, name, &fresh.code)) {
			fresh.found = true;
			break;
		}
	*code = fresh.code;
	/* Without memory it is looked for again. */
	(void)!vec__push(&known, fresh);
	return fresh.found;
}
