/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Layout of the memory block with the totals of regions, which other processes can read. Each
 * version has a fixed layout: the structs below, in the byte order of the machine.
 *
 * A block is a header and then @capacity entries of @entry_size bytes. The file that TMA_REGIONS
 * names may be empty: the first program that maps the file makes it a block. To choose another
 * size, prepare the file before: call ftruncate(), then write a header with the magic last.
 *
 * An entry belongs to one thread and one name, and is never released. To take an entry, a thread
 * adds 1 to @used. After @capacity entries there is no room: @used - @capacity entries are lost.
 * Only its thread writes an entry: the thread adds 1 to @sequence, which is then odd, changes the
 * totals, and adds 1 again. A reader reads @sequence, which must be even and not 0 (0: not named
 * yet), then the fields, then @sequence again. If @sequence has changed, the fields are
 * inconsistent and must be read again.
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
 * @header_size, @entry_size: sizes in bytes; entry N is at header_size + N * entry_size
 * @capacity:	number of entries in the block
 * @used:	number of entries that were taken, changed atomically; may exceed @capacity
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
 * struct region_page_totals - totals of a region
 * @metric_slots: retiring, bad speculation, frontend bound, backend bound; then heavy operations,
 * 		  branch mispredicts, fetch latency, memory bound (level 2). Rounding can make them
 * 		  negative.
 */
struct region_page_totals {
	uint64_t time_ns;
	uint64_t slots;
	int64_t metric_slots[8];
};

/**
 * struct region_page_entry - the totals of one thread in one region
 * @sequence:	 odd while the entry is being changed
 * @notes:	 notes of all measurements, bits of enum tma_topdown_notes
 * @pid, @tid:	 process and thread
 * @count:	 how often the region began and ended
 * @measured:	 how often the region was measured; all members below cover only these times
 * @missed_ns:	 time in the region that was not counted
 * @error_slots: slots by which each of total.metric_slots may be wrong
 * @level:	 level of the metrics, 1 or 2; 0 before the first measurement
 * @total:	 totals including the regions inside
 * @own:	 totals without the regions inside
 * @name:	 name that ends with 0; constant when @sequence is not 0
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
