/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A text in shared memory that one process replaces and others read. They exchange no messages: a
 * reader costs the writer nothing, and the writer never waits.
 *
 * The memory has a descriptor. The text has a number, which is odd while the text is being
 * replaced. So a reader who has copied parts of two texts notices this, and copies again.
 */
#ifndef TMA_BASE_SHARED_TEXT_H
#define TMA_BASE_SHARED_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "base/sb.h"

struct err;

#define SHARED_TEXT_MAX (64u << 20) /* in bytes; less memory is used if texts are shorter */

/**
 * struct shared_text - the writer's or the reader's end
 * @fd:    writer: a read-only descriptor of the memory, to pass to the reader; reader: -1
 * @block: the memory
 */
struct shared_text {
	int fd;
	struct shared_text_block *block;
};

/**
 * shared_text__new() - make the writer's end of an empty text
 *
 * Return: 0, or -errno if the system cannot make memory with a descriptor. shared_text__free()
 * releases it.
 */
int shared_text__new(struct shared_text *t, struct err *err);
/**
 * shared_text__map() - make the reader's end of the memory that @fd describes. Return: 0 or -errno.
 */
int shared_text__map(struct shared_text *t, int fd);
/** shared_text__put() - replace the text. Return: 0; or -EFBIG, and the text is unchanged. */
int shared_text__put(struct shared_text *t, const char *text, size_t len);
/** shared_text__number() - get the number of the text, which each replacement increases. */
uint64_t shared_text__number(const struct shared_text *t);
/**
 * shared_text__get() - copy the text
 * @to: buffer whose contents the text replaces
 *
 * Return: the text's number. Before the first text, and if the writer died while it was writing: 0,
 * and @to is empty.
 */
uint64_t shared_text__get(const struct shared_text *t, struct sb *to);
/** shared_text__free() - release an end; one that was never made is allowed. */
void shared_text__free(struct shared_text *t);

#endif
