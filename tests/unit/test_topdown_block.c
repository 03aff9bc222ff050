// SPDX-License-Identifier: GPL-2.0-only
/*
 * The block with the totals of regions: its layout, its file, and readers while a program writes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "unit.h"
#include "topdown_fixture.h"

#define THREADS 4
#define ROUNDS 20000
/*
 * Fewer entries under ThreadSanitizer: each new entry is compared with all earlier ones, which is
 * slow there, and a single thread cannot race.
 */
#ifdef __SANITIZE_THREAD__
#define MANY_REGIONS 1000
#else
#define MANY_REGIONS 10000
#endif

static char path[] = "/tmp/test_topdown_block.XXXXXX";

static int new_file(void)
{
	int fd;

	strcpy(path + sizeof(path) - 7, "XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	return fd;
}

/* The layout that existing programs were built with. */
START_TEST(layout_is_fixed)
{
	ck_assert_uint_eq(sizeof(struct region_page_header), 64);
	ck_assert_uint_eq(offsetof(struct region_page_header, version), 8);
	ck_assert_uint_eq(offsetof(struct region_page_header, header_size), 12);
	ck_assert_uint_eq(offsetof(struct region_page_header, entry_size), 16);
	ck_assert_uint_eq(offsetof(struct region_page_header, capacity), 20);
	ck_assert_uint_eq(offsetof(struct region_page_header, used), 24);
	ck_assert_uint_eq(sizeof(struct region_page_entry), 320);
	ck_assert_uint_eq(offsetof(struct region_page_entry, pid), 8);
	ck_assert_uint_eq(offsetof(struct region_page_entry, count), 16);
	ck_assert_uint_eq(offsetof(struct region_page_entry, missed_ns), 32);
	ck_assert_uint_eq(offsetof(struct region_page_entry, level), 48);
	ck_assert_uint_eq(offsetof(struct region_page_entry, total), 56);
	ck_assert_uint_eq(offsetof(struct region_page_entry, own), 136);
	ck_assert_uint_eq(offsetof(struct region_page_entry, name), 216);
	ck_assert_uint_eq(REGION_PAGE_VERSION, 1);
}
END_TEST

/*
 * Count one region as a program does, in the block at @place, which is a path or a descriptor's
 * number.
 */
static void count_there(const char *place)
{
	const struct measured measured = {
		.total = { .slots = 500, .metric_slots = { 125 } },
		.own = { .slots = 400 },
		.level = 1,
		.whole = true,
	};
	struct tma_topdown_error error = { .text = "" };
	struct tma_regions *regions;
	struct region_page_entry *entry;

	setenv("TMA_REGIONS", place, 1);
	regions = tma_regions_new(&error);
	unsetenv("TMA_REGIONS");
	ck_assert_msg(regions, "%s", error.text);
	entry = regions__entry(regions, 11, 22, "shared");
	ck_assert_ptr_nonnull(entry);
	entry__add(entry, &measured);
	tma_regions_free(regions);
}

/* Another process maps the file and uses only region_page.h. */
static void expect_counted(int fd, uint64_t times)
{
	const struct region_page_entry *entry;
	struct region_page_header *header;
	struct stat stat;

	ck_assert_int_eq(fstat(fd, &stat), 0);
	header = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(header, MAP_FAILED);
	ck_assert_uint_eq(header->magic, REGION_PAGE_MAGIC);
	ck_assert_uint_eq(header->version, 1);
	ck_assert_uint_eq(header->used, 1);
	ck_assert_uint_eq((size_t)stat.st_size,
			  header->header_size + header->capacity * header->entry_size);
	entry = (const void *)((const char *)header + header->header_size);
	ck_assert_str_eq(entry->name, "shared");
	ck_assert_int_eq(entry->pid, 11);
	ck_assert_int_eq(entry->tid, 22);
	ck_assert_uint_eq(entry->sequence % 2, 0);
	ck_assert_uint_eq(entry->count, times);
	ck_assert_uint_eq(entry->total.slots, 500 * times);
	ck_assert_int_eq(entry->total.metric_slots[0], 125 * (int64_t)times);
	ck_assert_uint_eq(entry->own.slots, 400 * times);
	ck_assert_uint_eq(entry->level, 1);
	munmap(header, (size_t)stat.st_size);
}

START_TEST(totals_are_in_the_file_that_is_named)
{
	char number[16];
	int fd = new_file();

	count_there(path);
	expect_counted(fd, 1);
	/* same file, by its descriptor: the thread already has an entry of this name */
	snprintf(number, sizeof(number), "%d", fd);
	count_there(number);
	expect_counted(fd, 2);
	close(fd);
	unlink(path);
}
END_TEST

static void expect_refused(const char *place, const char *why)
{
	struct tma_topdown_error error = { .text = "" };

	ck_assert_ptr_null(regions__new_at(place, &error));
	ck_assert_int_eq(error.reason, TMA_TOPDOWN_REGIONS);
	ck_assert_msg(strstr(error.text, why), "no '%s' in '%s'", why, error.text);
}

/* The output of a program, given by its descriptor's number, is left unchanged. */
static void expect_output_refused(void)
{
	struct stat stat;
	char number[16];
	int fd = open(path, O_WRONLY | O_TRUNC);

	snprintf(number, sizeof(number), "%d", fd);
	expect_refused(number, "Permission denied");
	ck_assert_int_eq(fstat(fd, &stat), 0);
	ck_assert_int_eq(stat.st_size, 0);
	close(fd);
}

START_TEST(files_that_are_no_block_are_refused)
{
	struct region_page_header header = {
		.magic = REGION_PAGE_MAGIC, .version = 2, .header_size = 64, .entry_size = 320,
	};
	int fd = new_file();

	expect_refused("/nowhere/at/all", "TMA_REGIONS=/nowhere/at/all: No such file or directory");
	expect_refused("987654", "Bad file descriptor (name an empty file, or");
	expect_refused("/dev/null", "No such device");
	expect_output_refused();
	ck_assert_int_eq(pwrite(fd, "a text", 6, 0), 6);
	expect_refused(path, "Invalid argument");
	ck_assert_int_eq(ftruncate(fd, 4096), 0);
	expect_refused(path, "not a block of regions");
	ck_assert_int_eq(pwrite(fd, &header, sizeof(header), 0), sizeof(header));
	expect_refused(path, "another version");
	header.version = 1;
	header.capacity = 13;
	ck_assert_int_eq(pwrite(fd, &header, sizeof(header), 0), sizeof(header));
	expect_refused(path, "sizes do not fit");
	header.capacity = 12;
	ck_assert_int_eq(pwrite(fd, &header, sizeof(header), 0), sizeof(header));
	tma_regions_free(regions__new_at(path, NULL));
	header.entry_size = 8;
	ck_assert_int_eq(pwrite(fd, &header, sizeof(header), 0), sizeof(header));
	expect_refused(path, "sizes do not fit");
	close(fd);
	unlink(path);
}
END_TEST

/* Other programs may write anything into the block: its readers stay within it. */
START_TEST(header_that_is_overwritten_is_not_followed)
{
	struct region_page_header *header;
	struct tma_region_totals totals;
	struct tma_regions *regions;
	unsigned int cursor = 0;
	int fd = new_file();

	regions = regions__new_at(path, NULL);
	ck_assert_ptr_nonnull(regions__entry(regions, 1, 2, "first"));
	header = mmap(NULL, sizeof(*header), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(header, MAP_FAILED);
	memset(header, 0xff, sizeof(*header));
	ck_assert_int_eq(tma_regions_next(regions, &cursor, &totals), 1);
	ck_assert_str_eq(totals.name, "first");
	while (tma_regions_next(regions, &cursor, &totals))
		;
	ck_assert_uint_lt(cursor, 100000);
	ck_assert_ptr_null(regions__entry(regions, 1, 3, "second"));
	munmap(header, sizeof(*header));
	tma_regions_free(regions);
	close(fd);
	unlink(path);
}
END_TEST

/* The children of a server count in the server's block, and the server prints their totals. */
START_TEST(children_count_in_the_block_of_their_parent)
{
	struct tma_regions *regions = regions__new_at(NULL, NULL);
	struct tma_region_totals totals;
	unsigned int cursor = 0;
	pid_t child = fork();
	int status;

	if (!child) {
		regions__entry(regions, 7, 8, "child");
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(tma_regions_next(regions, &cursor, &totals), 1);
	ck_assert_str_eq(totals.name, "child");
	ck_assert_int_eq(totals.tid, 8);
	tma_regions_free(regions);
}
END_TEST

/* Ten thousand regions, as in a large program, in the process's own memory. */
START_TEST(there_is_room_for_ten_thousand)
{
	struct tma_regions *regions = regions__new_at(NULL, NULL);

	for (int i = 0; i < MANY_REGIONS; i++) {
		char name[32];

		snprintf(name, sizeof(name), "region %d", i);
		ck_assert_ptr_nonnull(regions__entry(regions, 1, 2, name));
	}
	tma_regions_free(regions);
}
END_TEST

START_TEST(full_block_loses_entries_and_counts_them)
{
	struct region_page_header header = {
		.magic = REGION_PAGE_MAGIC, .version = 1, .header_size = 64, .entry_size = 384,
		.capacity = 2,
	};
	struct tma_region_totals totals;
	struct tma_regions *regions;
	unsigned int cursor = 0;
	int fd = new_file();

	ck_assert_int_eq(ftruncate(fd, 64 + 2 * 384), 0);
	ck_assert_int_eq(pwrite(fd, &header, sizeof(header), 0), sizeof(header));
	regions = regions__new_at(path, NULL);
	ck_assert_ptr_nonnull(regions__entry(regions, 1, 1, "a"));
	ck_assert_ptr_nonnull(regions__entry(regions, 1, 2, "a"));
	ck_assert_ptr_null(regions__entry(regions, 1, 3, "a"));
	ck_assert_ptr_nonnull(regions__entry(regions, 1, 2, "a"));
	ck_assert_int_eq(pread(fd, &header, sizeof(header), 0), sizeof(header));
	ck_assert_uint_eq(header.used, 3);
	while (tma_regions_next(regions, &cursor, &totals))
		ck_assert_int_eq(totals.tid, (int32_t)cursor);
	ck_assert_uint_eq(cursor, 2);
	tma_regions_free(regions);
	close(fd);
	unlink(path);
}
END_TEST

/*
 * Each number is a multiple of the count of the entry, unless the entry was half-written when it
 * was read.
 */
static void *count_many(void *block)
{
	struct region_page_entry *entry =
		regions__entry(block, getpid(), (int32_t)syscall(SYS_gettid), "busy");
	struct measured measured = { .level = 2, .whole = true, .error_slots = 3 };

	measured.total.slots = 10;
	measured.own.slots = 7;
	for (int i = 0; i < TMA_TOPDOWN_METRICS; i++)
		measured.total.metric_slots[i] = i + 1;
	for (int i = 0; i < ROUNDS; i++)
		entry__add(entry, &measured);
	return NULL;
}

static uint64_t check_all(struct tma_regions *regions)
{
	struct tma_region_totals totals;
	unsigned int cursor = 0;
	uint64_t count = 0;

	while (tma_regions_next(regions, &cursor, &totals)) {
		ck_assert_uint_eq(totals.measured, totals.count);
		ck_assert_uint_eq(totals.total.slots, 10 * totals.count);
		ck_assert_uint_eq(totals.own.slots, 7 * totals.count);
		for (int i = 0; i < TMA_TOPDOWN_METRICS; i++)
			ck_assert_int_eq(totals.total.metric_slots[i],
					 (i + 1) * (int64_t)totals.count);
		count += totals.count;
	}
	return count;
}

static void *take_many(void *block)
{
	int32_t tid = (int32_t)syscall(SYS_gettid);
	char name[32];

	for (int i = 0; i < 500; i++) {
		snprintf(name, sizeof(name), "region %d", i);
		if (!regions__entry(block, 1, tid, name))
			return block;
	}
	return NULL;
}

START_TEST(threads_take_entries_at_the_same_time)
{
	struct tma_regions *regions = regions__new_at(NULL, NULL);
	struct tma_region_totals totals;
	pthread_t threads[THREADS];
	unsigned int cursor = 0;
	int n = 0;

	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, take_many, regions), 0);
	for (int i = 0; i < THREADS; i++) {
		void *full;

		pthread_join(threads[i], &full);
		ck_assert_ptr_null(full);
	}
	while (tma_regions_next(regions, &cursor, &totals))
		n++;
	ck_assert_int_eq(n, THREADS * 500);
	tma_regions_free(regions);
}
END_TEST

START_TEST(readers_see_entries_of_one_time)
{
	struct tma_regions *regions = regions__new_at(NULL, NULL);
	pthread_t threads[THREADS];

	ck_assert_ptr_nonnull(regions);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, count_many, regions), 0);
	while (check_all(regions) < THREADS * ROUNDS)
		;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	ck_assert_uint_eq(check_all(regions), THREADS * ROUNDS);
	tma_regions_free(regions);
}
END_TEST

/*
 * A process was killed while it changed an entry in the shared file: the sequence number stays odd.
 */
START_TEST(entry_of_a_dead_writer_is_read_and_told)
{
	struct tma_regions *regions = regions__new_at(NULL, NULL);
	struct region_page_entry *entry = regions__entry(regions, 1, 2, "torn");
	const struct measured measured = { .total = { .slots = 10 }, .level = 1, .whole = true };
	struct tma_region_totals totals;
	unsigned int cursor = 0;

	entry__add(entry, &measured);
	entry->sequence++;
	ck_assert_int_eq(tma_regions_next(regions, &cursor, &totals), 1);
	ck_assert_uint_eq(totals.total.slots, 10);
	ck_assert_uint_eq(totals.total.notes, TMA_TOPDOWN_TORN);
	entry->sequence++;
	cursor = 0;
	ck_assert_int_eq(tma_regions_next(regions, &cursor, &totals), 1);
	ck_assert_uint_eq(totals.total.notes, 0);
	tma_regions_free(regions);
}
END_TEST

TMA_TEST_MAIN(topdown_block, layout_is_fixed, totals_are_in_the_file_that_is_named,
	      files_that_are_no_block_are_refused, full_block_loses_entries_and_counts_them,
	      children_count_in_the_block_of_their_parent,
	      header_that_is_overwritten_is_not_followed, there_is_room_for_ten_thousand,
	      threads_take_entries_at_the_same_time, readers_see_entries_of_one_time,
	      entry_of_a_dead_writer_is_read_and_told)
