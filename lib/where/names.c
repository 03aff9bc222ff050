// SPDX-License-Identifier: GPL-2.0-only
#include "where/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "where/child.h"
#include "where/jit.h"
#include "where/maps.h"
#include "where/where.h"

int code_address__compare(const void *va, const void *vb)
{
	const struct code_address *a = va, *b = vb;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

struct code_address names__locate(const struct maps *m, int pid, uint64_t address, bool kernel)
{
	const struct mapping *at = kernel ? NULL : maps__find(m, pid, address);
	struct code_address a = {.object = kernel ? OBJECT_KERNEL : OBJECT_NONE, .offset = address};

	if (!at)
		return a;
	a.object = at->object;
	/* In memory that is not a file, the offset is the address itself. */
	if (m->objects.at[at->object].inode)
		a.offset = address - at->start + at->offset;
	return a;
}

/*
 * Set the paths by which a file can be opened: its own path, and that of the program of a process.
 */
static void set_paths(const struct maps *m, const struct object *object, struct symbol *symbol)
{
	struct sb path = SB_INIT, running = SB_INIT;

	sb__printf(&path, "%s%s", object->root, object->path);
	symbol->path = sb__detach(&path);
	symbol->inode = object->inode;
	if (m->origin) {
		symbol->recorded = true;
		symbol->id = build_ids__find(&m->origin->ids, object->path);
		symbol->until_ns = m->origin->until_ns;
		return;
	}
	sb__printf(&running, "%s/%d/exe", m->procfs, (int)object->pid);
	symbol->running = sb__detach(&running);
}

/* Find the symbols of addresses. Either all of them are in the kernel, or none is. */
static void names__find_kind(const struct maps *m, struct child_reading *r,
			     struct code_address *first, int nr, bool kernel, struct sb *notes)
{
	struct symbol *symbols = xcalloc(nr, sizeof(*symbols));

	for (int i = 0; i < nr; i++) {
		symbols[i].offset = first[i].offset;
		symbols[i].outer = first[i].symbol.outer;
		if (!kernel)
			set_paths(m, &m->objects.at[first[i].object], &symbols[i]);
	}
	if (kernel)
		kernel_symbols__find(symbols, nr, m->procfs ?: "/proc",
				     m->origin ? &m->origin->kernel : NULL, notes);
	else
		symbols__find(symbols, nr, r, notes);
	for (int i = 0; i < nr; i++) {
		first[i].symbol = symbols[i];
		first[i].known = kernel || symbols[i].inode;
		free((char *)symbols[i].path);
		free((char *)symbols[i].running);
		first[i].symbol.path = first[i].symbol.running = NULL;
		first[i].symbol.id = NULL;
	}
	free(symbols);
}

/*
 * Whether an object is memory without a file. The kernel's own mappings are not: they have special
 * names, and no map of a process contains them.
 */
static bool is_memory(const struct maps *m, int object)
{
	return object >= 0 && !m->objects.at[object].inode &&
	       strncmp(m->objects.at[object].path, "[v", 2);
}

/* Find the names of code that was generated at run time; the addresses are sorted by place. */
static void name_generated(const struct maps *m, struct child_reading *r,
			   struct code_address *first, int nr)
{
	struct jit_place *places;
	int found = 0;

	/* Processes of another boot or computer have not left maps on this computer. */
	if (m->origin && !kernel_origin__is_here(&m->origin->kernel, "/proc"))
		return;
	places = xcalloc(nr, sizeof(*places));
	for (int i = 0; i < nr; i++) {
		const struct object *object = &m->objects.at[first[i].object];

		if (is_memory(m, first[i].object))
			places[found++] = (struct jit_place){
				.process = {object->root, object->pid, maps__owner(m, object->pid),
					    m->origin ? m->origin->until_ns : 0},
				.address = first[i].offset,
				.id = i};
	}
	jit__find(places, found, m->procfs ?: "", r);
	for (int i = 0; i < found; i++) {
		struct symbol *symbol = &first[places[i].id].symbol;

		if (!places[i].name)
			continue;
		free(symbol->function);
		symbol->function = places[i].name;
	}
	free(places);
}

void names__find(const struct maps *m, struct child_reading *r, struct code_address *at, int nr,
		 struct sb *notes)
{
	int kernel = 0, files;

	/*
	 * Addresses of a file are adjacent. All files are read in one call, as each call costs a
	 * child.
	 */
	if (nr)
		qsort(at, nr, sizeof(*at), code_address__compare);
	while (kernel < nr && at[kernel].object == OBJECT_NONE)
		kernel++;
	files = kernel;
	while (files < nr && at[files].object == OBJECT_KERNEL)
		files++;
	/* Read the kernel's list last: it is long, and the time for the files is limited. */
	if (files < nr) {
		names__find_kind(m, r, &at[files], nr - files, false, notes);
		name_generated(m, r, &at[files], nr - files);
	}
	if (kernel < files)
		names__find_kind(m, r, &at[kernel], files - kernel, true, notes);
}

const char *names__object(const struct maps *m, const struct code_address *a)
{
	int object = a->object;
	const char *path;

	if (object == OBJECT_KERNEL)
		return WHERE_KERNEL;
	if (object == OBJECT_NONE)
		return "[unknown memory]";
	if (is_memory(m, object) && a->symbol.function && *a->symbol.function)
		return WHERE_JIT;
	path = m->objects.at[object].path;
	if (!*path || text__has_prefix(path, "//anon") || text__has_prefix(path, "[anon"))
		return WHERE_ANONYMOUS;
	return path;
}
