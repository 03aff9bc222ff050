/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory block that regions' totals are kept in, for whoever reads it from another process.
 * Its layout is fixed for a version: the byte order is the machine's, offsets as they stand here.
 *
 * A block is a header and then @capacity entries of @entry_size bytes. A file named by TMA_REGIONS
 * may be empty: the first program to map it makes it a block. Whoever wants another size makes
 * it so before: ftruncate(), then a header with the magic written last.
 *
 * An entry is of one thread and one name and is never taken back. To take one, a thread adds 1 to
 * @used; beyond @capacity the entry is lost, and @used - @capacity is how many were. Its thread
 * alone writes it: it adds 1 to @sequence, which is odd then, changes the totals, and adds 1 again.
 * A reader takes @sequence, which must be even and not 0 (an entry not yet named), then the fields,
 * then @sequence again: when it has changed, what was read is not of one time.
 */
#ifndef TMA_REGION_PAGE_H
#define TMA_REGION_PAGE_H

#include <stdint.h>

#define REGION_PAGE_MAGIC 0x736e6f69676572aaULL /* reads "\xaaregions" in a little-endian file */
#define REGION_PAGE_VERSION 1

/**
 * struct region_page_header - at offset 0
 * @magic:	REGION_PAGE_MAGIC; written last, and 0 until the rest is there
 * @version:	REGION_PAGE_VERSION; a reader refuses another
 * @header_size, @entry_size: in bytes; entry N is at header_size + N * entry_size
 * @capacity:	entries that there is room for
 * @used:	entries taken, atomically; can be above @capacity
 */
struct region_page_header {
	uint64_t magic;
	uint32_t version;
	uint32_t header_size;
	uint32_t entry_size;
	uint32_t capacity;
	uint32_t used;
	uint32_t reserved[9];
};

/**
 * struct region_page_totals - one kind of totals: with the regions inside, or without
 * @metric_slots: retiring, bad speculation, frontend bound, backend bound; then heavy operations,
 *		  branch mispredicts, fetch latency, memory bound (level 2). By rounding they can be
 *		  below 0.
 */
struct region_page_totals {
	uint64_t time_ns;
	uint64_t slots;
	int64_t metric_slots[8];
};

/**
 * struct region_page_entry - one thread's totals of one region
 * @sequence:	 see above
 * @notes:	 of enum tma_topdown_notes, all that any measurement had
 * @pid, @tid:	 whose
 * @count:	 how often the region was begun and ended
 * @measured:	 how often of these it was measured; the sums are of these
 * @missed_ns:	 time in it that was not counted
 * @error_slots: slots by which each of total.metric_slots may be wrong
 * @level:	 1 or 2: which metrics there are; 0 before the first measurement
 * @total:	 with the regions inside
 * @own:	 without them
 * @name:	 ends in 0; does not change once @sequence is not 0
 */
struct region_page_entry {
	uint32_t sequence;
	uint32_t notes;
	int32_t pid;
	int32_t tid;
	uint64_t count;
	uint64_t measured;
	uint64_t missed_ns;
	uint64_t error_slots;
	uint64_t level;
	struct region_page_totals total;
	struct region_page_totals own;
	char name[64];
	uint64_t reserved[5];
};

#endif
