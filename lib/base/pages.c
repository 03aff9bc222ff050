// SPDX-License-Identifier: GPL-2.0-only
#include "base/pages.h"

#include <link.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * Skip writable parts: a program may have changed them, and the changed pages are not in the file.
 */
static bool is_as_in_file(const ElfW(Phdr) * part)
{
	return part->p_type == PT_LOAD && !(part->p_flags & PF_W);
}

static int give_back(struct dl_phdr_info *object, size_t size, void *page_size)
{
	uintptr_t page = *(const uintptr_t *)page_size;

	(void)size;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		uintptr_t start = object->dlpi_addr + part->p_vaddr;
		/*
		 * Skip the first and last page, which may also hold parts of neighbouring mappings.
		 */
		uintptr_t first = (start + page - 1) & -page;
		uintptr_t end = (start + part->p_filesz) & -page;

		if (is_as_in_file(part) && first < end)
			madvise((void *)first, end - first, MADV_DONTNEED);
	}
	return 0;
}

void pages__give_back(void)
{
	uintptr_t page = sysconf(_SC_PAGESIZE);

	malloc_trim(0);
	dl_iterate_phdr(give_back, &page);
}
