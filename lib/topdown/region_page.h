/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Layout of the memory block with the totals of regions, which other processes can read. It is
 * fixed for a version: the byte order is the machine's, and the offsets are those of these structs.
 *
 * A block is a header and then @capacity entries of @entry_size bytes. A file named by TMA_REGIONS
 * may be empty: the first program that maps it makes it a block. For another size, prepare the file
 * before: ftruncate(), then a header with the magic written last.
 *
 * An entry belongs to one thread and one name and is never released. To take one, a thread adds 1
 * to @used; beyond @capacity the entry is lost, and @used - @capacity is the number of lost
 * entries. Only its thread writes an entry: it adds 1 to @sequence, which is then odd, changes the
 * totals, and adds 1 again. A reader reads @sequence, which must be even and not 0 (0: not yet
 * named), then the fields, then @sequence again: if it has changed, the fields are inconsistent and
 * must be read again.
 */
#ifndef TMA_REGION_PAGE_H
#define TMA_REGION_PAGE_H

#include <stdint.h>

#define REGION_PAGE_MAGIC 0x736e6f69676572aaULL /* reads "\xaaregions" in a little-endian file */
#define REGION_PAGE_VERSION 1

/**
 * struct region_page_header - the header, at offset 0
 * @magic:	REGION_PAGE_MAGIC; written last, and 0 until the rest is written
 * @version:	REGION_PAGE_VERSION; a reader refuses other versions
 * @header_size, @entry_size: in bytes; entry N is at header_size + N * entry_size
 * @capacity:	number of entries in the block
 * @used:	number of entries taken, changed atomically; can be above @capacity
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
 * struct region_page_totals - totals, with or without the regions inside
 * @metric_slots: retiring, bad speculation, frontend bound, backend bound; then heavy operations,
 *		  branch mispredicts, fetch latency, memory bound (level 2). Rounding can make them
 *		  negative.
 */
struct region_page_totals {
	uint64_t time_ns;
	uint64_t slots;
	int64_t metric_slots[8];
};

/**
 * struct region_page_entry - the totals of one thread in one region
 * @sequence:	 odd while the entry is being changed, see above
 * @notes:	 all notes of its measurements, of enum tma_topdown_notes
 * @pid, @tid:	 process and thread
 * @count:	 how often the region was begun and ended
 * @measured:	 how often it was measured; the totals are of these times only
 * @missed_ns:	 time in the region that was not counted
 * @error_slots: slots by which each of total.metric_slots may be wrong
 * @level:	 1 or 2: level of the metrics; 0 before the first measurement
 * @total:	 including the regions inside
 * @own:	 without the regions inside
 * @name:	 ends with 0; constant once @sequence is not 0
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
