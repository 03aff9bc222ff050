// SPDX-License-Identifier: GPL-2.0-only
/* The records that the kernel writes are checked: a record of the wrong size must not end a run. */
#include "count/ring.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t ring__page(void)
{
	return sysconf(_SC_PAGESIZE);
}

int ring__map(struct ring *r, const struct count_kernel *kernel, int fd, size_t pages)
{
	size_t page = ring__page();
	void *base = MAP_FAILED;
	int rc = -EINVAL;

	*r = (struct ring){.fd = fd};
	for (; pages && base == MAP_FAILED; pages /= 2) {
		base = kernel->mmap(fd, (pages + 1) * page);
		rc = base == MAP_FAILED ? -errno : 0;
		if (!rc)
			*r = (struct ring){fd, base, pages * page};
		else if (rc != -EPERM && rc != -ENOMEM)
			break;
	}
	return rc;
}

/* Records may wrap around the end of the buffer. */
static void copy_out(const struct ring *r, uint64_t at, void *to, size_t n)
{
	const char *data = (const char *)r->base + ring__page();
	size_t begin = at % r->size, first = r->size - begin < n ? r->size - begin : n;

	memcpy(to, data + begin, first);
	memcpy((char *)to + first, data, n - first);
}

uint64_t ring__drain(struct ring *r, char *copy, const struct ring_taker *taker)
{
	uint64_t head, tail, before;
	struct perf_event_header h;

	if (!r->base)
		return 0;
	head = __atomic_load_n(&r->base->data_head, __ATOMIC_ACQUIRE);
	before = tail = r->base->data_tail;
	while (head - tail >= sizeof(h) && head - tail <= r->size) {
		copy_out(r, tail, &h, sizeof(h));
		if (h.size < sizeof(h) || h.size > head - tail)
			break;
		copy_out(r, tail, copy, h.size);
		taker->take(taker->arg, (const void *)copy);
		tail += h.size;
	}
	__atomic_store_n(&r->base->data_tail, head, __ATOMIC_RELEASE);
	return head - before;
}

void ring__unmap(struct ring *r)
{
	if (r->base)
		munmap(r->base, r->size + ring__page());
	*r = (struct ring){.fd = -1};
}
