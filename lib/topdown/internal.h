/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of libtma-topdown share what is declared here, and nothing of it is for programs. */
#ifndef TMA_TOPDOWN_INTERNAL_H
#define TMA_TOPDOWN_INTERNAL_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "include/tma/topdown.h"
#include "region_page.h"

/* The library is built with hidden symbols; these are the ones of its version script. */
#define TMA_PUBLIC __attribute__((visibility("default")))

/* are slots and the metrics */
#define TOPDOWN_GROUP (1 + TMA_TOPDOWN_METRICS)
/* Regions nest so deep. */
#define TOPDOWN_DEPTH 64
/* A field of the metrics register has this value when it is all of the slots. */
#define TOPDOWN_WHOLE 0xff
/* Shares are called imprecise when their error is above this. */
#define TOPDOWN_IMPRECISE_FROM 0.05

/**
 * struct mapped_event - one event that is open
 * @fd:	  -1 when there is none
 * @page: the kernel's page on it; NULL when it was not mapped
 */
struct mapped_event {
	int fd;
	struct perf_event_mmap_page *page;
};

/**
 * struct snapshot_units - what it takes to make sense of snapshots
 * @wrap:	what the slots register wraps to 0 at: 2^48
 * @time_mult, @time_shift: nanoseconds are ticks * mult >> shift
 * @level:	which metrics there are
 * @folded:	the kernel folded the fractions into counts at each reading (system calls)
 */
struct snapshot_units {
	uint64_t wrap;
	uint32_t time_mult;
	uint16_t time_shift;
	int level;
	bool folded;
};

/** struct amounts - slots and time that add up, as in struct region_page_totals */
struct amounts {
	int64_t time_ns;
	int64_t slots;
	int64_t metric_slots[TMA_TOPDOWN_METRICS];
};

/**
 * struct frame - a region that was begun and not yet ended
 * @outer:  the next measured one outside of it; NULL when there is none
 * @begin:  where it began
 * @inner:  what the measured regions directly inside took
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
 * @owner:	  the thread it is for: its thread pointer; in a page of its own, which the kernel
 *		  clears in the child of a fork()
 * @page:	  the page of slots; NULL when read by system call
 * @lock:	  @page's sequence when @now's base was read
 * @slots_counter, @metrics_counter: what RDPMC is asked for; 0 while not scheduled
 * @tsc:	  the clock is the time stamp counter; otherwise clock_gettime()
 * @fast:	  @tsc, and the counters are scheduled
 * @now:	  the base to go with the registers
 * @carry_slots, @carry_metric: what resets took out of the kernel's counts
 * @why_not:	  why not RDPMC
 * @cost:	  what an empty region takes between its two snapshots
 * @pair_cost:	  what it takes seen from outside
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
 * struct tma_region - a name of a handle
 * @entry:	 where its totals are
 * @every:	 it is measured once in so many times
 * @countdown:	 times until it is
 * @active:	 how often it was begun and not yet ended
 * @measuring:	 whether the outermost of these is measured
 * @reset_above: what the slots register may hold when it begins; 0 is any
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
 * topdown__fail_open() - the same of a perf_event_open() that was refused
 * @what: the event
 * @code: the errno it left
 */
int topdown__fail_open(const struct tma_topdown *topdown, const char *what, int code,
		       struct tma_topdown_error *error);

/* sysfs.c */

/**
 * sysfs__read() - the first line of a file below a PMU's folder
 * @root: where sysfs is mounted
 * @file: "events/slots"
 * Return: 0; -errno.
 */
int sysfs__read(const char *root, const char *pmu, const char *file, char *line, size_t size);

/**
 * sysfs__encode() - an event's terms as the kernel wants them
 * @pmu:   its folder's name
 * @terms: "event=0x3c,umask=1"; a term alone is an event of that name, or a format which becomes 1
 * @attr:  its type and config fields are set
 * Return: 0; -errno with @error set.
 */
int sysfs__encode(const char *root, const char *pmu, const char *terms,
		  struct perf_event_attr *attr, struct tma_topdown_error *error);

/* counter.c */

/**
 * counter__open() - count an event for the calling thread
 * @group_fd: the leader's; -1 for none
 * Return: 0; -errno. The page is left out when it cannot be mapped.
 */
int counter__open(struct mapped_event *counter, struct perf_event_attr *attr, int group_fd);

/**
 * counter__close() - the opposite
 * @mapped: false in the child of a fork(), which is not given the page
 */
void counter__close(struct mapped_event *counter, bool mapped);

/* snapshot.c */

/**
 * topdown__rebase() - take the base and the counters' numbers from the pages
 */
void topdown__rebase(struct tma_topdown *topdown);

/* delta.c */

/**
 * topdown__delta() - tma_topdown_delta(), given the units
 */
void topdown__delta(const struct snapshot_units *units, const struct tma_topdown_snapshot *from,
		    const struct tma_topdown_snapshot *to, struct tma_topdown_delta *delta);

/**
 * topdown__judge() - note what a delta's own numbers say: too imprecise, empty
 */
void topdown__judge(struct tma_topdown_delta *delta);

/**
 * topdown__field_slots() - slots of one field of the metrics register, rounded
 */
uint64_t topdown__field_slots(uint64_t slots, uint64_t metrics, int metric);

/* regions.c */

/**
 * regions__entry() - a thread's entry of a name, a new one if there is none
 * Return: NULL when the block is full.
 */
struct region_page_entry *regions__entry(struct tma_regions *regions, int32_t pid, int32_t tid,
					 const char *name);

/**
 * regions__new_at() - a block in a given file
 * @place: a path or the number of a descriptor; NULL for anonymous memory
 */
struct tma_regions *regions__new_at(const char *place, struct tma_topdown_error *error);

/**
 * struct measured - what one run of a region adds to its entry
 * @notes: of enum tma_topdown_notes
 * @whole: it is not inside of itself: it counts in the total
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
 * @measured: NULL when it was not measured this time
 */
void entry__add(struct region_page_entry *entry, const struct measured *measured);

#endif
