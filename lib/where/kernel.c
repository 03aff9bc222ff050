// SPDX-License-Identifier: GPL-2.0-only
/* Functions of the kernel, from /proc/kallsyms. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sb.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "where/symbols.h"

#define NAME_LENGTH 256

struct kernel_symbol {
	uint64_t address;
	char *name;
};

struct kernel_symbols {
	struct kernel_symbol *at;
	int nr, cap;
};

static int kernel_symbols__compare(const void *va, const void *vb)
{
	const struct kernel_symbol *a = va, *b = vb;

	return (a->address > b->address) - (a->address < b->address);
}

static void read_all(struct kernel_symbols *list, const char *procfs)
{
	char path[PATH_MAX], line[NAME_LENGTH + 64], name[NAME_LENGTH], kind;
	uint64_t address;
	FILE *file;

	snprintf(path, sizeof(path), "%s/kallsyms", procfs);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%" SCNx64 " %c %255s", &address, &kind, name) == 3 && address &&
		    strchr("tTwW", kind))
			vec__push(list, ((struct kernel_symbol){address, xstrdup(name)}));
	if (file)
		fclose(file);
	if (list->nr)
		qsort(list->at, list->nr, sizeof(*list->at), kernel_symbols__compare);
}

/* Return: the last one that is not above an address, or NULL. */
static const char *name_of(const struct kernel_symbols *list, uint64_t address)
{
	int low = 0, high = list->nr;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (list->at[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? list->at[low - 1].name : NULL;
}

void kernel_symbols__find(struct symbol *at, int nr, const char *procfs, struct sb *notes)
{
	struct kernel_symbols list = {0};

	if (!nr)
		return;
	read_all(&list, procfs);
	if (!list.nr && !file__exists("%s/kallsyms", procfs))
		sb__printf(notes,
			   "the kernel's functions have no names here: %s/kallsyms is not there, "
			   "is %s mounted?\n",
			   procfs, procfs);
	else if (!list.nr)
		sb__puts(notes, "the kernel's functions have no names here: run as root, or set "
				"kernel.kptr_restrict to 0 with sysctl\n");
	for (int i = 0; i < nr; i++) {
		const char *name = name_of(&list, at[i].offset);

		at[i].function = name ? xstrdup(name) : NULL;
	}
	for (int i = 0; i < list.nr; i++)
		free(list.at[i].name);
	vec__free(&list);
}
