// SPDX-License-Identifier: GPL-2.0-only
/* Questions of the parent, and answers of a child, about the symbols of places in files. */
#include "where/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/sb.h"
#include "base/xalloc.h"
#include "where/child.h"
#include "where/demangle.h"
#include "where/dwarf.h"
#include "where/elf_file.h"

/* --- The child ------------------------------------------------------------------------------- */

/* A name that no compiler made is written unchanged. */
static void put_function(FILE *out, const char *name, const char *linked)
{
	auto_text demangled = linked ? demangle__name(linked) : NULL;

	child__put(out, demangled ?: name);
}

static void symbols__answer(FILE *out, struct dwarf_file *file, int fd, const struct symbol *s,
			    bool plain)
{
	struct dwarf_place place = {.function = NULL};
	uint64_t address;

	if (file && elf_file__address_of(fd, s->offset, &address))
		place = dwarf__find(file, address, s->outer);
	put_function(out, place.function, plain ? NULL : place.linked_function);
	put_function(out, place.into, plain ? NULL : place.linked_into);
	child__put(out, place.file);
	fwrite(&place.line, sizeof(place.line), 1, out);
	fputc(fd < 0 && s->inode ? 1 : 0, out);
	fflush(out);
}

/* Return: how many places, from the first on, are in one file. */
static int count_same(const struct symbol *at, int nr)
{
	int same = 1;

	while (same < nr && at[same].inode == at->inode && !strcmp(at[same].path, at->path))
		same++;
	return same;
}

/* Answer all places of one file. Return: number of places. */
static int answer_file(FILE *out, const struct symbol *at, int nr, bool plain)
{
	int fd = at->recorded ?
			 elf_file__open_recorded(at->path, at->id, at->inode, at->until_ns) :
			 elf_file__open(at->path, at->running, at->inode);
	int same = count_same(at, nr);
	struct dwarf_file *file = fd < 0 ? NULL : dwarf__open(at->path, fd);

	for (int i = 0; i < same; i++)
		symbols__answer(out, file, fd, &at[i], plain);
	dwarf__close(file);
	if (fd >= 0)
		close(fd);
	return same;
}

/*
 * struct question - places of several files, which are answered in order
 * @plain: do not convert names
 */
struct question {
	const struct symbol *at;
	int nr;
	bool plain;
};

static void answer_files(FILE *out, void *arg)
{
	const struct question *q = arg;
	const char works = dwarf__load();

	fwrite(&works, 1, 1, out);
	/* Write this before the first place, on which the child may crash. */
	fflush(out);
	for (int from = 0; works && from < q->nr;)
		from += answer_file(out, q->at + from, q->nr - from, q->plain);
}

/* --- The parent ------------------------------------------------------------------------------ */

static bool get(FILE *in, struct symbol *s)
{
	int gone = EOF;

	if (child__get(in, &s->function) && child__get(in, &s->into) && child__get(in, &s->file) &&
	    fread(&s->line, sizeof(s->line), 1, in) == 1)
		gone = fgetc(in);
	s->gone = gone > 0;
	return gone != EOF;
}

/* Drop an answer that is incomplete. */
static void symbols__forget(struct symbol *s)
{
	free(s->function);
	free(s->into);
	free(s->file);
	s->function = s->into = s->file = NULL;
	s->line = 0;
}

/* Return: the number of places that a child has answered. */
static int take_answers(struct child_reading *r, struct symbol *at, int nr, struct sb *output)
{
	FILE *in = output->len ? xchecked(fmemopen(output->buf, output->len, "r")) : NULL;
	int works = in ? fgetc(in) : EOF, done = 0;

	if (works < 0 && !child_reading__ended(r))
		r->obstacle = DWARF_LIBRARY " could not be loaded";
	else if (!works)
		r->obstacle = DWARF_LIBRARY " is not installed (package libdw1 or elfutils-libs)";
	while (works > 0 && done < nr && get(in, &at[done]))
		done++;
	if (in)
		fclose(in);
	return done;
}

/* Let a child answer until it ends. Return: the number of places that it has answered. */
static int symbols__ask(struct child_reading *r, struct symbol *at, int nr, bool plain)
{
	struct question question = {at, nr, plain};
	auto_free(sb) output = SB_INIT;

	child__ask(r, answer_files, &question, &output);
	return r->obstacle ? 0 : take_answers(r, at, nr, &output);
}

static void symbols__tell(const struct symbol *at, int nr, int unreadable, struct sb *notes)
{
	int gone = 0, late = 0;

	for (int i = 0; i < nr; i++) {
		gone += at[i].gone;
		late += at[i].late;
	}
	if (unreadable)
		sb__printf(notes,
			   "places in files that could not be read: %d; they have no names\n",
			   unreadable);
	if (late)
		sb__printf(notes,
			   "places in files that could not be read in time: %d; they have no names "
			   "yet\n",
			   late);
	if (gone)
		sb__printf(notes,
			   "places in files that have changed since they were run: %d (deleted, "
			   "replaced, or of a container that has ended)\n",
			   gone);
}

/*
 * If demangling a name used up the memory, ask again for the name as linked. Return: the number of
 * answered places.
 */
static int ask_plainly(struct child_reading *r, struct symbol *at)
{
	symbols__forget(at);
	return child_reading__ended(r) ? 0 : symbols__ask(r, at, 1, true);
}

/* Mark the places that a reading did not reach before it ended. */
static void mark_late(struct symbol *at, int nr, struct child_reading *r)
{
	symbols__forget(&at[0]);
	for (int i = 0; i < nr; i++)
		at[i].late = true;
	r->late += nr;
}

void symbols__find(struct symbol *at, int nr, struct child_reading *r, struct sb *notes)
{
	int from = 0, unreadable = 0;

	while (from < nr) {
		int same, done = child_reading__ended(r)
					 ? 0
					 : symbols__ask(r, at + from, nr - from, false);

		from += done;
		if (from < nr && !r->obstacle && child_reading__ended(r)) {
			mark_late(&at[from], nr - from, r);
			break;
		}
		if (from < nr && !r->obstacle && ask_plainly(r, &at[from])) {
			from++;
			continue;
		}
		if (r->obstacle) {
			sb__printf(notes, "no names of functions and lines: %s\n", r->obstacle);
			return;
		}
		if (from == nr)
			break;
		/* The child crashed on this place: skip the remaining places of its file. */
		same = count_same(&at[from], nr - from);
		symbols__forget(&at[from]);
		unreadable += same;
		from += same;
	}
	symbols__tell(at, nr, unreadable, notes);
}
