// SPDX-License-Identifier: GPL-2.0-only
#include "where/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define NOTES_MAX 65536 /* the most bytes of a segment of notes that are searched */

union elf_header {
	unsigned char ident[EI_NIDENT];
	Elf32_Ehdr narrow;
	Elf64_Ehdr wide;
};

/* struct segments - the table of a file's segments */
struct segments {
	uint64_t at;
	int nr;
	bool is_32;
};

static bool read_header(int fd, union elf_header *e)
{
	memset(e, 0, sizeof(*e));
	return pread(fd, e, sizeof(*e), 0) >= (ssize_t)sizeof(e->narrow) &&
	       !memcmp(e->ident, ELFMAG, SELFMAG);
}

static bool find_segments(int fd, struct segments *out)
{
	union elf_header e;

	if (!read_header(fd, &e))
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
			    .p_filesz = narrow.p_filesz,
			    .p_align = narrow.p_align};
	return true;
}

bool elf_file__address_of(int fd, uint64_t offset, uint64_t *address)
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

size_t elf_file__read(int fd, uint64_t address, void *bytes, size_t nr)
{
	struct segments segments;
	Elf64_Phdr p;

	if (!find_segments(fd, &segments))
		return 0;
	for (int i = 0; i < segments.nr && read_segment(fd, &segments, i, &p); i++) {
		uint64_t within = address - p.p_vaddr;
		ssize_t n;

		if (p.p_type != PT_LOAD || address < p.p_vaddr || within >= p.p_filesz)
			continue;
		nr = nr < p.p_filesz - within ? nr : p.p_filesz - within;
		n = pread(fd, bytes, nr, p.p_offset + within);
		return n > 0 ? n : 0;
	}
	return 0;
}

struct build_id elf_file__build_id(int fd)
{
	struct build_id id = {.size = 0};
	struct segments segments;
	char notes[NOTES_MAX];
	Elf64_Phdr p;

	if (!find_segments(fd, &segments))
		return id;
	for (int i = 0; i < segments.nr && !id.size && read_segment(fd, &segments, i, &p); i++) {
		size_t nr = p.p_filesz < sizeof(notes) ? p.p_filesz : sizeof(notes);
		ssize_t n = p.p_type == PT_NOTE ? pread(fd, notes, nr, p.p_offset) : 0;

		if (n > 0)
			id = build_id__parse(notes, n, p.p_align == 8 ? 8 : 4);
	}
	return id;
}

int elf_file__machine(int fd)
{
	union elf_header e;

	return read_header(fd, &e) ? e.narrow.e_machine : EM_NONE;
}

static int open_if_same(const char *path, uint64_t inode)
{
	int fd = path ? file__open_regular(AT_FDCWD, path, 0) : -1;
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) || st.st_ino != inode)) {
		close(fd);
		return -1;
	}
	return fd;
}

int elf_file__open(const char *path, const char *running, uint64_t inode)
{
	int fd = open_if_same(path, inode);

	/* A deleted file can be opened through its process, as long as the process exists. */
	return fd < 0 ? open_if_same(running, inode) : fd;
}

static bool is_recorded(int fd, const struct build_id *id, uint64_t inode, int64_t until_ns)
{
	struct build_id own;
	struct stat st;

	if (id && id->size) {
		own = elf_file__build_id(fd);
		return build_id__is_same(&own, id);
	}
	return !fstat(fd, &st) && st.st_ino == inode &&
	       (!until_ns || elf_file__written_ns(&st) <= until_ns);
}

int elf_file__open_recorded(const char *path, const struct build_id *id, uint64_t inode,
			    int64_t until_ns)
{
	int fd = file__open_regular(AT_FDCWD, path, 0);

	if (fd >= 0 && !is_recorded(fd, id, inode, until_ns)) {
		close(fd);
		return -1;
	}
	return fd;
}
