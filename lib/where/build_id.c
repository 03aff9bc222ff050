// SPDX-License-Identifier: GPL-2.0-only
#include "where/build_id.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/strmap.h"
#include "base/xalloc.h"
#include "where/child.h"
#include "where/elf_file.h"

#define OWNER "GNU"
#define NOTES_MAX 4096 /* the most bytes of the kernel's notes that are read */

bool build_id__is_same(const struct build_id *a, const struct build_id *b)
{
	return a->size && a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

struct build_id build_id__parse(const void *notes, size_t len, size_t align)
{
	struct build_id id = {.size = 0};
	const char *data = notes;
	Elf64_Nhdr n;

	/* The heads of notes are the same in files of 32 and of 64 bits. */
	for (size_t at = 0; at <= len && len - at >= sizeof(n);) {
		size_t name = at + sizeof(n), text, end;

		memcpy(&n, data + at, sizeof(n));
		text = name + ((size_t)n.n_namesz + align - 1) / align * align;
		end = text + ((size_t)n.n_descsz + align - 1) / align * align;
		if (text < name || end < text || text + n.n_descsz > len)
			break;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == sizeof(OWNER) &&
		    !memcmp(data + name, OWNER, sizeof(OWNER)) && n.n_descsz <= BUILD_ID_MAX) {
			memcpy(id.bytes, data + text, n.n_descsz);
			id.size = n.n_descsz;
			return id;
		}
		at = end;
	}
	return id;
}

struct build_id build_id__of_kernel(const char *sysfs)
{
	char *path = xasprintf("%s/kernel/notes", sysfs), notes[NOTES_MAX];
	FILE *file = fopen(path, "re");
	size_t len = file ? fread(notes, 1, sizeof(notes), file) : 0;

	free(path);
	if (file)
		fclose(file);
	return build_id__parse(notes, len, 4);
}

/* struct id_question - asks for the build ids of files, from file number @first on */
struct id_question {
	const struct build_ids *ids;
	int first;
};

static void answer_ids(FILE *out, void *arg)
{
	const struct id_question *q = arg;

	for (int i = q->first; i < q->ids->nr; i++) {
		const struct build_file *f = &q->ids->at[i];
		int fd = elf_file__open(f->open_path, f->running, f->inode);
		struct build_id id = {.size = 0};

		if (fd >= 0) {
			id = elf_file__build_id(fd);
			close(fd);
		}
		fwrite(&id, sizeof(id), 1, out);
		fflush(out);
	}
}

void build_ids__read(struct build_ids *ids, int first, struct child_reading *r)
{
	struct id_question question = {ids, first};

	/* If a file makes the child crash, it is treated as a file without a build id. */
	while (question.first < ids->nr && !child_reading__ended(r) && !r->obstacle) {
		auto_free(sb) output = SB_INIT;
		size_t nr;

		child__ask(r, answer_ids, &question, &output);
		nr = output.len / sizeof(struct build_id);
		for (size_t i = 0; i < nr && question.first < ids->nr; i++)
			ids->at[question.first++].id = ((const struct build_id *)output.buf)[i];
		question.first++;
	}
}

/* A path is never empty, so "" means the kernel. */
static const char *build_id__key_of(const char *path)
{
	return path ?: "";
}

const struct build_id *build_ids__find(const struct build_ids *ids, const char *path)
{
	int number = ids->numbers ? strmap__get(ids->numbers, build_id__key_of(path)) : -1;

	return number < 0 ? NULL : &ids->at[number].id;
}

struct build_file *build_ids__add(struct build_ids *ids, const char *path)
{
	int number;

	if (!ids->numbers)
		ids->numbers = strmap__new();
	number = strmap__get(ids->numbers, build_id__key_of(path));
	if (number < 0) {
		number = ids->nr;
		strmap__put(ids->numbers, build_id__key_of(path), number);
		vec__push(ids, ((struct build_file){
				       .path = xstrdup(build_id__key_of(path)),
				       .is_kernel = !path,
			       }));
	}
	return &ids->at[number];
}

void build_ids__free(struct build_ids *ids)
{
	struct build_file *f;

	vec__for_each (f, ids) {
		free(f->path);
		free(f->open_path);
		free(f->running);
	}
	vec__free(ids);
	strmap__free(ids->numbers);
	ids->numbers = NULL;
}
