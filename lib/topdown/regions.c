// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keep the totals of regions in a block of memory: a file, which other processes can read, or
 * anonymous memory. A thread writes its own entries; all threads and processes can read them.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

/* Number of entries of a new block, which has 5 MiB. Only pages that are used need memory. */
#define CAPACITY 16384
#define BLOCK_SIZE                                                                                 \
	(sizeof(struct region_page_header) + CAPACITY * sizeof(struct region_page_entry))

/*
 * How often a reader repeats a read during a change. A change takes some hundred instructions, but
 * the thread that makes it may be off its CPU for a while, or may have ended.
 */
#define QUICK_LOOKS 1000
#define SLOW_LOOKS 1000
#define BETWEEN_LOOKS_NS 1000000

#define LOAD(field) __atomic_load_n(&(field), __ATOMIC_ACQUIRE)
#define STORE(field, value) __atomic_store_n(&(field), value, __ATOMIC_RELEASE)
/* Only one thread writes an entry, so it reads its own values. */
#define OWN(field) __atomic_load_n(&(field), __ATOMIC_RELAXED)
#define ADD(field, value) STORE(field, OWN(field) + (value))

/**
 * struct tma_regions - a mapped block
 * @header: start of the block
 * @size:   size of the block, in bytes
 * @layout: a checked copy of the header: other processes may change the block
 */
struct tma_regions {
	struct region_page_header *header;
	size_t size;
	struct region_page_header layout;
};

static struct region_page_entry *entry_at(const struct tma_regions *regions, uint32_t i)
{
	return (struct region_page_entry *)((char *)regions->header + regions->layout.header_size +
					    (size_t)i * regions->layout.entry_size);
}

/* Return: number of entries that were taken, at most the capacity of the block. */
static uint32_t nr_entries(const struct tma_regions *regions)
{
	uint32_t used = __atomic_load_n(&regions->header->used, __ATOMIC_ACQUIRE);

	return used < regions->layout.capacity ? used : regions->layout.capacity;
}

/* --- Making and finding one ------------------------------------------------------------------- */

/* Write the header. Programs that start simultaneously write the same values. */
static void make_header(struct region_page_header *header)
{
	__atomic_store_n(&header->version, REGION_PAGE_VERSION, __ATOMIC_RELAXED);
	__atomic_store_n(&header->header_size, sizeof(*header), __ATOMIC_RELAXED);
	__atomic_store_n(&header->entry_size, sizeof(struct region_page_entry), __ATOMIC_RELAXED);
	__atomic_store_n(&header->capacity, CAPACITY, __ATOMIC_RELAXED);
	__atomic_store_n(&header->magic, REGION_PAGE_MAGIC, __ATOMIC_RELEASE);
}

/*
 * Check a block that another program made: its version, and that its entries are within the file.
 * Return: why the block cannot be used, or NULL.
 */
static const char *regions__why_not(struct tma_regions *regions)
{
	const struct region_page_header *header = &regions->layout;

	if (__atomic_load_n(&regions->header->magic, __ATOMIC_ACQUIRE) != REGION_PAGE_MAGIC)
		return "it is not a block of regions";
	regions->layout = *regions->header;
	if (header->version != REGION_PAGE_VERSION)
		return "it is a block of another version";
	if (header->header_size < sizeof(*header) ||
	    header->entry_size < sizeof(struct region_page_entry) ||
	    header->header_size % 8 || header->entry_size % 8 ||
	    regions->size < header->header_size ||
	    (regions->size - header->header_size) / header->entry_size < header->capacity)
		return "its header's sizes do not fit the file";
	return NULL;
}

static int map_block(struct tma_regions *regions, int fd)
{
	/* Without a file the block is shared memory, so that children of fork() add to it. */
	int flags = fd < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED;
	void *at = mmap(NULL, regions->size, PROT_READ | PROT_WRITE, flags, fd, 0);

	if (at == MAP_FAILED)
		return -errno;
	regions->header = at;
	/* A new file or new memory contains zeros, and becomes a block. */
	if (regions->size >= BLOCK_SIZE &&
	    !__atomic_load_n(&regions->header->magic, __ATOMIC_ACQUIRE))
		make_header(regions->header);
	return 0;
}

/* Open the file that TMA_REGIONS names. Return: a descriptor, which the caller closes; -errno. */
static int open_place(const char *place)
{
	const char *c = place;
	int fd;

	while (isdigit((unsigned char)*c))
		c++;
	fd = *c || c - place > 9 ? open(place, O_RDWR | O_CLOEXEC)
				 : fcntl(atoi(place), F_DUPFD_CLOEXEC, 3);
	return fd < 0 ? -errno : fd;
}

/* Check a file before it is enlarged: it may be the output of another program, which is refused. */
static int check_file(int fd, struct stat *stat)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fstat(fd, stat))
		return -errno;
	if (!S_ISREG(stat->st_mode))
		return -ENODEV;
	return (flags & O_ACCMODE) == O_RDWR ? 0 : -EACCES;
}

static int open_block(struct tma_regions *regions, const char *place)
{
	struct stat stat = { 0 };
	int fd = open_place(place), ret = fd < 0 ? fd : check_file(fd, &stat);

	/* If two programs enlarge the file simultaneously, both set the same size. */
	if (!ret && !stat.st_size && ftruncate(fd, (off_t)BLOCK_SIZE))
		ret = -errno;
	if (!ret) {
		regions->size = stat.st_size ? (size_t)stat.st_size : BLOCK_SIZE;
		ret = regions->size < sizeof(struct region_page_header) ? -EINVAL
									: map_block(regions, fd);
	}
	if (fd >= 0)
		close(fd);
	return ret;
}

struct tma_regions *regions__new_at(const char *place, struct tma_topdown_error *error)
{
	struct tma_regions *regions = calloc(1, sizeof(*regions));
	const char *why = NULL;
	int ret;

	if (!regions) {
		topdown__fail(error, TMA_TOPDOWN_NO_MEMORY, ENOMEM, "regions: out of memory");
		return NULL;
	}
	regions->size = BLOCK_SIZE;
	ret = place ? open_block(regions, place) : map_block(regions, -1);
	if (ret)
		why = strerror(-ret);
	else
		why = regions__why_not(regions);
	if (!why)
		return regions;
	if (place)
		topdown__fail(error, TMA_TOPDOWN_REGIONS, ret ? -ret : EINVAL,
			      "regions cannot be written to TMA_REGIONS=%.100s: %s (name an empty "
			      "file, or a block of regions, which can be read and written)",
			      place, why);
	else
		topdown__fail(error, TMA_TOPDOWN_NO_MEMORY, -ret, "no memory for regions: %s", why);
	tma_regions_free(regions);
	return NULL;
}

/* A program with more privileges than its user must not write a file that the user names. */
TMA_PUBLIC struct tma_regions *tma_regions_new(struct tma_topdown_error *error)
{
	const char *place = secure_getenv("TMA_REGIONS");

	return regions__new_at(place && *place ? place : NULL, error);
}

TMA_PUBLIC void tma_regions_free(struct tma_regions *regions)
{
	if (!regions)
		return;
	if (regions->header)
		munmap(regions->header, regions->size);
	free(regions);
}

/* --- Entries ---------------------------------------------------------------------------------- */

static bool is_entry_of(const struct region_page_entry *entry, int32_t pid, int32_t tid,
			const char *name)
{
	return __atomic_load_n(&entry->sequence, __ATOMIC_ACQUIRE) &&
	       __atomic_load_n(&entry->tid, __ATOMIC_RELAXED) == tid &&
	       __atomic_load_n(&entry->pid, __ATOMIC_RELAXED) == pid &&
	       !strncmp(entry->name, name, sizeof(entry->name));
}

struct region_page_entry *regions__entry(struct tma_regions *regions, int32_t pid, int32_t tid,
					 const char *name)
{
	struct region_page_entry *entry;
	uint32_t nr = nr_entries(regions), taken;

	/* An earlier handle of this thread may have the entry. */
	for (uint32_t i = 0; i < nr; i++)
		if (is_entry_of(entry_at(regions, i), pid, tid, name))
			return entry_at(regions, i);
	taken = __atomic_fetch_add(&regions->header->used, 1, __ATOMIC_ACQ_REL);
	if (taken >= regions->layout.capacity)
		return NULL;
	entry = entry_at(regions, taken);
	__atomic_store_n(&entry->pid, pid, __ATOMIC_RELAXED);
	__atomic_store_n(&entry->tid, tid, __ATOMIC_RELAXED);
	memcpy(entry->name, name, strnlen(name, sizeof(entry->name) - 1));
	__atomic_store_n(&entry->sequence, 2, __ATOMIC_RELEASE);
	return entry;
}

/*
 * Add to totals. Each field is written atomically, after the sequence number that marks the change.
 * So a reader that reads a new value finds a different sequence number afterwards.
 */

static void add_amounts(struct region_page_totals *to, const struct amounts *amounts)
{
	ADD(to->time_ns, (uint64_t)amounts->time_ns);
	ADD(to->slots, (uint64_t)amounts->slots);
	for (int i = 0; i < TMA_TOPDOWN_METRICS; i++)
		ADD(to->metric_slots[i], amounts->metric_slots[i]);
}

void entry__add(struct region_page_entry *entry, const struct measured *measured)
{
	ADD(entry->sequence, 1);
	ADD(entry->count, 1);
	if (measured) {
		ADD(entry->measured, 1);
		STORE(entry->notes, OWN(entry->notes) | measured->notes);
		STORE(entry->level, (uint64_t)measured->level);
		add_amounts(&entry->own, &measured->own);
	}
	if (measured && measured->whole) {
		ADD(entry->missed_ns, measured->missed_ns);
		ADD(entry->error_slots, measured->error_slots);
		add_amounts(&entry->total, &measured->total);
	}
	ADD(entry->sequence, 1);
}

static void read_totals(struct tma_topdown_delta *delta, const struct region_page_totals *totals)
{
	delta->time_ns = LOAD(totals->time_ns);
	delta->slots = LOAD(totals->slots);
	for (int i = 0; i < TMA_TOPDOWN_METRICS; i++)
		delta->metric_slots[i] = LOAD(totals->metric_slots[i]);
}

static void set_notes(struct tma_topdown_delta *delta, const struct tma_region_totals *totals,
		      uint64_t error_slots)
{
	delta->level = totals->total.level;
	delta->missed_ns = totals->total.missed_ns;
	delta->notes = totals->total.notes;
	delta->error = delta->slots ? (double)error_slots / (double)delta->slots : 0;
	topdown__note_limits(delta);
}

/* Read an entry once. Return: whether the entry stayed unchanged meanwhile. */
static bool read_once(const struct region_page_entry *entry, struct tma_region_totals *totals,
		      uint64_t *error_slots)
{
	uint32_t sequence = LOAD(entry->sequence);

	totals->pid = LOAD(entry->pid);
	totals->tid = LOAD(entry->tid);
	totals->count = LOAD(entry->count);
	totals->measured = LOAD(entry->measured);
	totals->total.notes = LOAD(entry->notes);
	totals->total.level = (int)LOAD(entry->level);
	totals->total.missed_ns = LOAD(entry->missed_ns);
	*error_slots = LOAD(entry->error_slots);
	read_totals(&totals->total, &entry->total);
	read_totals(&totals->own, &entry->own);
	return !(sequence & 1) &&
	       __atomic_load_n(&entry->sequence, __ATOMIC_RELAXED) == sequence;
}

/*
 * Read an entry consistently, although its thread may be writing. If a change lasts for a second,
 * the thread is assumed to have ended, and TMA_TOPDOWN_TORN is noted. Return: false if the entry is
 * empty.
 */
static bool read_entry(const struct region_page_entry *entry, struct tma_region_totals *totals)
{
	const struct timespec pause = { .tv_nsec = BETWEEN_LOOKS_NS };
	uint64_t error_slots;
	bool whole = false;

	memset(totals, 0, sizeof(*totals));
	if (!LOAD(entry->sequence))
		return false;
	for (int i = 0; !whole && i < QUICK_LOOKS + SLOW_LOOKS; i++) {
		if (i >= QUICK_LOOKS)
			nanosleep(&pause, NULL);
		whole = read_once(entry, totals, &error_slots);
	}
	if (!whole)
		totals->total.notes |= TMA_TOPDOWN_TORN;
	memcpy(totals->name, entry->name, sizeof(totals->name) - 1);
	set_notes(&totals->own, totals, error_slots);
	set_notes(&totals->total, totals, error_slots);
	return true;
}

TMA_PUBLIC int tma_regions_next(const struct tma_regions *regions, unsigned int *cursor,
				struct tma_region_totals *totals)
{
	while (regions && *cursor < nr_entries(regions))
		if (read_entry(entry_at(regions, (*cursor)++), totals))
			return 1;
	return 0;
}
