// SPDX-License-Identifier: GPL-2.0-only
#include "base/shared_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"

#define TRIES 1000 /* limit of attempts to copy a text that is being replaced */
#define PAUSE_NS 100000

struct shared_text_block {
	_Atomic uint64_t number;
	_Atomic uint64_t len;
	char text[];
};

#define BLOCK_SIZE (sizeof(struct shared_text_block) + SHARED_TEXT_MAX)

static int map(struct shared_text *t, int fd, int protection)
{
	void *block = mmap(NULL, BLOCK_SIZE, protection, MAP_SHARED | MAP_NORESERVE, fd, 0);

	if (block == MAP_FAILED)
		return -errno;
	t->block = block;
	return 0;
}

/* Open the reader's descriptor separately, so that it cannot write. */
static int open_for_reading(int fd)
{
	char path[64];
	int reader;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	reader = open(path, O_RDONLY | O_CLOEXEC);
	return reader < 0 ? -errno : reader;
}

int shared_text__new(struct shared_text *t, struct err *err)
{
	int fd = memfd_create("tma", MFD_CLOEXEC), rc = fd < 0 ? -errno : 0;

	*t = (struct shared_text){.fd = -1};
	if (!rc && ftruncate(fd, BLOCK_SIZE))
		rc = -errno;
	rc = rc ?: map(t, fd, PROT_READ | PROT_WRITE);
	if (!rc) {
		t->fd = open_for_reading(fd);
		rc = t->fd < 0 ? t->fd : 0;
	}
	if (fd >= 0)
		close(fd);
	if (!rc)
		return 0;
	shared_text__free(t);
	return err__set(err, -rc, "cannot share memory with the server: %s", strerror(-rc));
}

int shared_text__map(struct shared_text *t, int fd)
{
	*t = (struct shared_text){.fd = -1};
	return map(t, fd, PROT_READ);
}

int shared_text__put(struct shared_text *t, const char *text, size_t len)
{
	struct shared_text_block *b = t->block;
	uint64_t number = atomic_load(&b->number);

	if (len > SHARED_TEXT_MAX)
		return -EFBIG;
	atomic_store(&b->number, number + 1);
	atomic_thread_fence(memory_order_seq_cst);
	memcpy(b->text, text, len);
	atomic_store(&b->len, len);
	atomic_thread_fence(memory_order_seq_cst);
	atomic_store(&b->number, number + 2);
	return 0;
}

uint64_t shared_text__number(const struct shared_text *t)
{
	return atomic_load(&t->block->number);
}

/* Copy the text. Return: false if it was replaced meanwhile, and the copy may mix two texts. */
static bool copy(const struct shared_text_block *b, uint64_t number, struct sb *to)
{
	uint64_t len = atomic_load(&b->len);

	sb__clear(to);
	if (number % 2 || len > SHARED_TEXT_MAX)
		return false;
	sb__add(to, b->text, len);
	atomic_thread_fence(memory_order_seq_cst);
	return atomic_load(&b->number) == number;
}

uint64_t shared_text__get(const struct shared_text *t, struct sb *to)
{
	static const struct timespec pause = {.tv_nsec = PAUSE_NS};

	for (int i = 0; i < TRIES; i++) {
		uint64_t number = shared_text__number(t);

		if (copy(t->block, number, to))
			return number;
		nanosleep(&pause, NULL);
	}
	sb__clear(to);
	return 0;
}

void shared_text__free(struct shared_text *t)
{
	if (t->block)
		munmap(t->block, BLOCK_SIZE);
	if (t->block && t->fd >= 0)
		close(t->fd);
	*t = (struct shared_text){.fd = -1};
}
