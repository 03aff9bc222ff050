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

/* Return: the name of the last symbol whose address is not above an address, or NULL. */
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

static uint64_t address_of(const struct kernel_symbols *list, const char *name)
{
	const struct kernel_symbol *s;

	vec__for_each (s, list)
		if (!strcmp(s->name, name))
			return s->address;
	return 0;
}

static struct kernel_text text_of(const struct kernel_symbols *list, bool from_stext)
{
	struct kernel_text text = {.end = address_of(list, "_etext")};

	if (!from_stext)
		text.start = address_of(list, "_text");
	text.is_stext = !text.start;
	if (text.is_stext)
		text.start = address_of(list, "_stext");
	return text.end > text.start ? text : (struct kernel_text){0};
}

static void free_all(struct kernel_symbols *list)
{
	for (int i = 0; i < list->nr; i++)
		free(list->at[i].name);
	vec__free(list);
}

struct kernel_text kernel_symbols__text(const char *procfs)
{
	struct kernel_symbols list = {0};
	struct kernel_text text;

	read_all(&list, procfs);
	text = text_of(&list, false);
	free_all(&list);
	return text;
}

/**
 * struct kernel_move - how far a kernel's code has moved since a recording
 * @text: where the code was during the recording; only addresses in this range can be converted
 * @by: number to add to such an address
 */
struct kernel_move {
	struct kernel_text text;
	uint64_t by;
};

bool kernel_origin__is_here(const struct kernel_origin *o, const char *procfs)
{
	char boot[64];

	return *o->boot && file__read_line(boot, sizeof(boot), "%s/" BOOT_ID, procfs) > 0 &&
	       !strcmp(boot, o->boot);
}

/*
 * Find how far the code has moved, as the kernel is loaded at another address at each boot. Return:
 * whether the running kernel has this code.
 */
static bool find_move(const struct kernel_symbols *list, const struct kernel_origin *o,
		      const char *procfs, struct kernel_move *out)
{
	struct kernel_text here = text_of(list, o && o->text.is_stext);
	struct build_id id;

	*out = (struct kernel_move){.text = {0, UINT64_MAX}};
	if (!o || kernel_origin__is_here(o, procfs))
		return true;
	id = build_id__of_kernel("/sys");
	if (!build_id__is_same(&id, &o->id) || !here.start || !o->text.start ||
	    here.is_stext != o->text.is_stext)
		return false;
	*out = (struct kernel_move){o->text, here.start - o->text.start};
	return true;
}

static char *name_moved(const struct kernel_symbols *list, const struct kernel_move *move,
			uint64_t address)
{
	const char *name = NULL;

	if (address >= move->text.start && address < move->text.end)
		name = name_of(list, address + move->by);
	return name ? xstrdup(name) : NULL;
}

void kernel_symbols__find(struct symbol *at, int nr, const char *procfs,
			  const struct kernel_origin *origin, struct sb *notes)
{
	struct kernel_symbols list = {0};
	struct kernel_move move;

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
	else if (!find_move(&list, origin, procfs, &move))
		sb__puts(notes, "the kernel's functions have no names here: another kernel than "
				"this one was recorded\n");
	else
		for (int i = 0; i < nr; i++)
			at[i].function = name_moved(&list, &move, at[i].offset);
	free_all(&list);
}
