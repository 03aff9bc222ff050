/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A text that one process replaces and others read, without a word between them: a reader costs the
 * writer nothing, and the writer never waits.
 *
 * The text stands in memory that has a descriptor. Its number is odd while it is being replaced, so
 * that a reader who has copied a part of each of two texts knows it, and copies again.
 */
#ifndef TMA_BASE_SHARED_TEXT_H
#define TMA_BASE_SHARED_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "base/sb.h"

struct err;

#define SHARED_TEXT_MAX (64u << 20) /* bytes; memory is taken for those that were ever written */

/**
 * struct shared_text - one side of it
 * @fd:    of the memory, for the reader alone: nothing can be written by it; -1 on its side
 * @block: the memory
 */
struct shared_text {
	int fd;
	struct shared_text_block *block;
};

/**
 * shared_text__new() - make one, which is empty
 *
 * Return: 0, or -errno where the system has no memory with a descriptor. shared_text__free()
 * releases it.
 */
int shared_text__new(struct shared_text *t, struct err *err);
/** shared_text__map() - take the reader's side of the memory of a descriptor. 0 or -errno. */
int shared_text__map(struct shared_text *t, int fd);
/** shared_text__put() - replace the text. Return: 0, or -EFBIG with the text as it was. */
int shared_text__put(struct shared_text *t, const char *text, size_t len);
/** shared_text__number() - tell the number of the text; it is another one when the text is. */
uint64_t shared_text__number(const struct shared_text *t);
/**
 * shared_text__get() - copy the text
 * @to: it is put there, in place of what was there
 *
 * Return: its number; 0, with nothing in @to, before the first text, and where the writer died
 * while it was writing.
 */
uint64_t shared_text__get(const struct shared_text *t, struct sb *to);
/** shared_text__free() - give it back; nothing where it was never made. */
void shared_text__free(struct shared_text *t);

#endif
