/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations shared by the files of libtma-topdown; programs must not use them. */
#ifndef TMA_TOPDOWN_INTERNAL_H
#define TMA_TOPDOWN_INTERNAL_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "include/tma/topdown.h"
#include "region_page.h"

/* Symbols are hidden by default; these are the public ones, which the version script lists. */
#define TMA_PUBLIC __attribute__((visibility("default")))

/* Largest number of events in the group: slots and the metrics. */
#define TOPDOWN_GROUP (1 + TMA_TOPDOWN_METRICS)
/* Largest depth of nested regions. */
#define TOPDOWN_DEPTH 64
/* Value of a field of the metrics register when all slots belong to it. */
#define TOPDOWN_WHOLE 0xff
/* Shares are noted as imprecise when their error is above this. */
#define TOPDOWN_IMPRECISE_FROM 0.05

/**
 * struct mapped_event - an open event and its page
 * @fd:	  its descriptor, or -1
 * @page: the kernel's page of the event; NULL when it could not be mapped
 */
struct mapped_event {
	int fd;
	struct perf_event_mmap_page *page;
};

/**
 * struct snapshot_units - units of the members of snapshots
 * @wrap:	value at which the slots register wraps to 0: 2^48
 * @time_mult, @time_shift: nanoseconds are ticks * @time_mult >> @time_shift
 * @level:	TopDown level of the metrics, 1 or 2
 * @folded:	the kernel has folded the fractions into counts at each read (by system call)
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
 * @outer:  the next measured region outside of it, or NULL
 * @begin:  snapshot of its begin
 * @inner:  sum of the measured regions directly inside
 * @nested: how many measured regions began and ended inside, at any depth
 * @notes:  enum tma_topdown_notes
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
 * @owner:	  thread pointer of the thread that opened it, in a separate page, which the kernel
 *		  clears in a child of fork()
 * @page:	  the page of slots; NULL when snapshots are read by system call
 * @lock:	  sequence number of @page when the base in @now was read
 * @slots_counter, @metrics_counter: arguments of RDPMC; 0 while not scheduled
 * @tsc:	  time is the time stamp counter; otherwise clock_gettime()
 * @fast:	  @tsc is true and the counters are scheduled
 * @now:	  a snapshot with the base, to which the registers are added
 * @carry_slots, @carry_metric: counts that resets have removed from the kernel's
 * @why_not:	  the reason why RDPMC is not used
 * @cost:	  slots and time of an empty region, between its two snapshots
 * @pair_cost:	  slots and time of an empty region, as measured from outside
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
 * @entry:	 its totals in the block
 * @every:	 it is measured once in this many times
 * @countdown:	 times until it is measured next
 * @active:	 how often it has begun and not yet ended
 * @measuring:	 whether the outermost of these times is measured
 * @reset_above: reset the slots register before a begin if it is above this; 0: never
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
 * @code:  errno value, positive
 * Return: -@code.
 */
int topdown__fail(struct tma_topdown_error *error, enum tma_topdown_reason reason, int code,
		  const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/**
 * topdown__fail_open() - record why perf_event_open() was refused
 * @what: name of the event
 * @code: its errno
 */
int topdown__fail_open(const struct tma_topdown *topdown, const char *what, int code,
		       struct tma_topdown_error *error);

/* sysfs.c */

/**
 * sysfs__read() - read the first line of a file below a PMU's folder
 * @root: where sysfs is mounted
 * @file: path below the folder, as "events/slots"
 * Return: 0; -errno.
 */
int sysfs__read(const char *root, const char *pmu, const char *file, char *line, size_t size);

/**
 * sysfs__encode() - encode an event's terms for perf_event_open()
 * @pmu:   name of the PMU's folder
 * @terms: "event=0x3c,umask=1"; a term without a value is the name of an event, or of a format
 *         which is set to 1
 * @attr:  type and config fields are set
 * Return: 0; -errno with @error set.
 */
int sysfs__encode(const char *root, const char *pmu, const char *terms,
		  struct perf_event_attr *attr, struct tma_topdown_error *error);

/* counter.c */

/**
 * counter__open() - count an event for the calling thread
 * @group_fd: descriptor of the group's leader, or -1
 * Return: 0; -errno. The page is NULL when it cannot be mapped.
 */
int counter__open(struct mapped_event *counter, struct perf_event_attr *attr, int group_fd);

/**
 * counter__close() - close an event and unmap its page
 * @mapped: false in a child of fork(), which does not have the page
 */
void counter__close(struct mapped_event *counter, bool mapped);

/* snapshot.c */

/**
 * topdown__rebase() - read the base and the counters' numbers from the pages
 */
void topdown__rebase(struct tma_topdown *topdown);

/* delta.c */

/**
 * topdown__delta() - compute tma_topdown_delta() from units instead of a handle
 */
void topdown__delta(const struct snapshot_units *units, const struct tma_topdown_snapshot *from,
		    const struct tma_topdown_snapshot *to, struct tma_topdown_delta *delta);

/**
 * topdown__note_limits() - note on a delta if it is imprecise or empty
 */
void topdown__note_limits(struct tma_topdown_delta *delta);

/**
 * topdown__field_slots() - compute the slots of one field of the metrics register, rounded
 */
uint64_t topdown__field_slots(uint64_t slots, uint64_t metrics, int metric);

/* regions.c */

/**
 * regions__entry() - find a thread's entry of a name, or take a new one
 * Return: the entry; NULL when the block is full.
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
 * @notes: of enum tma_topdown_notes
 * @whole: the region is not inside of itself, so this run counts in the total
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
 * @measured: NULL when this run was not measured
 */
void entry__add(struct region_page_entry *entry, const struct measured *measured);

#endif
