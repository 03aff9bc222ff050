/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations shared by the files of libtma-topdown; programs must not use them. */
#ifndef TMA_TOPDOWN_INTERNAL_H
#define TMA_TOPDOWN_INTERNAL_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "include/tma/topdown.h"
#include "region_page.h"

/* Marks public functions, which the version script lists, too: symbols are hidden by default. */
#define TMA_PUBLIC __attribute__((visibility("default")))

/* Largest number of events in the group: slots and the metrics. */
#define TOPDOWN_GROUP (1 + TMA_TOPDOWN_METRICS)
/* Largest depth of nested regions. */
#define TOPDOWN_DEPTH 64
/* Value of a field of the metrics register when all slots belong to it. */
#define TOPDOWN_WHOLE 0xff
/* Shares with an error above this are noted as imprecise. */
#define TOPDOWN_IMPRECISE_FROM 0.05

/**
 * struct mapped_event - an open event and its page
 * @fd:	  descriptor of the event, or -1
 * @page: the kernel's page of the event; NULL if it could not be mapped
 */
struct mapped_event {
	int fd;
	struct perf_event_mmap_page *page;
};

/**
 * struct snapshot_units - units and limits of the members of snapshots
 * @wrap:	value at which the slots register wraps to 0: 2^48
 * @time_mult, @time_shift: nanoseconds are ticks * @time_mult >> @time_shift
 * @level:	TopDown level of the metrics, 1 or 2
 * @folded:	the snapshots were read by system call: the kernel converted the fractions to counts
 *          at each read
 */
struct snapshot_units {
	uint64_t wrap;
	uint32_t time_mult;
	uint16_t time_shift;
	int level;
	bool folded;
};

/** struct amounts - sums of slots and time, as in struct region_page_totals */
struct amounts {
	int64_t time_ns;
	int64_t slots;
	int64_t metric_slots[TMA_TOPDOWN_METRICS];
};

/**
 * struct frame - a region that has begun and not yet ended
 * @outer:  the next measured region around this region, or NULL
 * @begin:  snapshot at the begin of the region
 * @inner:  sum of the measured regions directly inside
 * @nested: number of measured regions that began and ended inside, at any depth
 * @notes:  bits of enum tma_topdown_notes
 */
struct frame {
	struct tma_region *region;
	struct frame *outer;
	bool measured;
	unsigned int notes;
	uint64_t nested;
	struct amounts inner;
	struct tma_topdown_snapshot begin;
};

/**
 * struct tma_topdown - the handle of a thread
 *
 * @owner:	  thread pointer of the thread that opened the handle, in a page that the kernel
 * 		  clears in a child of fork()
 * @page:	  the page of slots; NULL if snapshots are read by system call
 * @lock:	  sequence number of @page at the time when the base in @now was read
 * @slots_counter, @metrics_counter: arguments of RDPMC; 0 while the group is not scheduled
 * @tsc:	  time is read from the time stamp counter; else by clock_gettime()
 * @fast:	  @tsc is true and the counters are scheduled
 * @now:	  a snapshot with the base, to which the registers are added
 * @carry_slots, @carry_metric: counts that resets have removed from the kernel's counts
 * @why_not:	  the reason why RDPMC is not used
 * @cost:	  slots and time between the two snapshots of an empty region
 * @pair_cost:	  slots and time that an empty region costs the code around it
 */
struct tma_topdown {
	uintptr_t *owner;
	struct perf_event_mmap_page *page;
	uint32_t lock;
	uint32_t slots_counter;
	uint32_t metrics_counter;
	bool tsc;
	bool fast;
	struct tma_topdown_snapshot now;
	struct snapshot_units units;
	uint64_t carry_slots;
	uint64_t carry_metric[TMA_TOPDOWN_METRICS];

	struct mapped_event group[TOPDOWN_GROUP];
	int nr_group;
	struct mapped_event *events;
	int nr_events;
	unsigned int flags;
	bool rdpmc;
	struct tma_topdown_error why_not;
	char *sysfs;
	char pmu[32];
	int32_t pid;
	int32_t tid;

	struct tma_region *list;
	struct tma_regions *regions;
	struct tma_regions *own_regions;
	unsigned int sample_every;
	double max_error;
	struct amounts cost;
	struct amounts pair_cost;
	bool cost_known;
	struct frame *innermost_measured;
	unsigned int depth;
	struct frame frames[TOPDOWN_DEPTH];
};

/**
 * struct tma_region - a region of a handle
 * @entry:	 totals of the region in the block
 * @every:	 the region is measured once in this many times
 * @countdown:	 number of times until it is measured next
 * @active:	 number of times that it has begun and not ended yet
 * @measuring:	 the outermost of these times is measured
 * @reset_above: reset the slots register before the region begins if its content is larger; 0:
 *               never
 */
struct tma_region {
	struct tma_topdown *topdown;
	struct tma_region *next;
	struct region_page_entry *entry;
	unsigned int every;
	unsigned int countdown;
	unsigned int active;
	bool measuring;
	uint64_t reset_above;
};

/* error.c */

/**
 * topdown__fail() - record why something failed
 * @error: NULL is allowed
 * @code:  positive errno
 * Return: -@code.
 */
int topdown__fail(struct tma_topdown_error *error, enum tma_topdown_reason reason, int code,
		  const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/**
 * topdown__fail_open() - record why perf_event_open() was refused
 * @what: name of the event
 * @code: errno of perf_event_open()
 */
int topdown__fail_open(const struct tma_topdown *topdown, const char *what, int code,
		       struct tma_topdown_error *error);

/* sysfs.c */

/**
 * sysfs__read() - read the first line of a file below a PMU's folder
 * @root: where sysfs is mounted
 * @file: path in the folder, such as "events/slots"
 * Return: 0; -errno.
 */
int sysfs__read(const char *root, const char *pmu, const char *file, char *line, size_t size);

/**
 * sysfs__encode() - encode an event's terms for perf_event_open()
 * @pmu:   name of the PMU's folder
 * @terms: "event=0x3c,umask=1"; a term without a value names an event, or a format that is set to 1
 * @attr:  receives the type and config fields
 * Return: 0; -errno with @error set.
 */
int sysfs__encode(const char *root, const char *pmu, const char *terms,
		  struct perf_event_attr *attr, struct tma_topdown_error *error);

/* counter.c */

/**
 * counter__open() - count an event for the calling thread
 * @group_fd: descriptor of the group's leader, or -1
 * Return: 0; -errno. The page is NULL if it cannot be mapped.
 */
int counter__open(struct mapped_event *counter, struct perf_event_attr *attr, int group_fd);

/**
 * counter__close() - close an event and unmap its page
 * @mapped: false in a child of fork(), where the page is not mapped
 */
void counter__close(struct mapped_event *counter, bool mapped);

/* snapshot.c */

/** topdown__rebase() - read the base and the numbers of the counters from the pages */
void topdown__rebase(struct tma_topdown *topdown);

/* delta.c */

/**
 * topdown__delta() - compute a delta as tma_topdown_delta() does, with units instead of a handle
 */
void topdown__delta(const struct snapshot_units *units, const struct tma_topdown_snapshot *from,
		    const struct tma_topdown_snapshot *to, struct tma_topdown_delta *delta);

/** topdown__note_limits() - set the notes of a delta on being imprecise or empty */
void topdown__note_limits(struct tma_topdown_delta *delta);

/**
 * topdown__field_slots() - compute the slots of one field of the metrics register, rounded
 */
uint64_t topdown__field_slots(uint64_t slots, uint64_t metrics, int metric);

/* regions.c */

/**
 * regions__entry() - find a thread's entry for a name, or take a new entry
 * Return: the entry; NULL if the block is full.
 */
struct region_page_entry *regions__entry(struct tma_regions *regions, int32_t pid, int32_t tid,
					 const char *name);

/**
 * regions__new_at() - make a block in a given file
 * @place: a path or the number of a descriptor; NULL for anonymous memory
 */
struct tma_regions *regions__new_at(const char *place, struct tma_topdown_error *error);

/**
 * struct measured - what one run of a region adds to its entry
 * @notes: bits of enum tma_topdown_notes
 * @whole: the region is not inside itself, so this run counts in the total
 */
struct measured {
	struct amounts total;
	struct amounts own;
	uint64_t missed_ns;
	uint64_t error_slots;
	unsigned int notes;
	int level;
	bool whole;
};

/**
 * entry__add() - count one run of a region
 * @measured: NULL if this run was not measured
 */
void entry__add(struct region_page_entry *entry, const struct measured *measured);

#endif
