/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program's own TopDown, read by RDPMC: where the pipeline slots of a piece of code went.
 *
 * Intel's big cores from Ice Lake on count slots and keep, in one register, the eight-bit
 * fractions of them that were retiring, lost to bad speculation, or waiting for the frontend or the
 * backend; from Sapphire Rapids and Alder Lake on also four parts of these. Once the kernel has
 * opened the events for a thread, the thread reads both registers without a system call.
 *
 * A handle belongs to the thread that opened it: only that thread may take snapshots, and begin and
 * end regions, with it. Different threads use different handles at the same time without any lock.
 * The library has no global state, catches no signal and never ends the program. After fork() the
 * child's copies of handles answer -EXDEV: it opens its own.
 *
 * Functions return 0 or a negative errno unless they say otherwise. Every one takes NULL for a
 * handle, a region or a block of totals, as a program has where it could not open a handle: it does
 * nothing, leaves @error as it is (it has the reason why there is none), gives zeros where it gives
 * counts, and returns what its comment says. See tma-topdown(3).
 */
#ifndef TMA_TOPDOWN_H
#define TMA_TOPDOWN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tma_topdown;
struct tma_region;
struct tma_regions;

/* --- Errors ------------------------------------------------------------- */

/** enum tma_topdown_reason - why something cannot be measured, for a program to decide by */
enum tma_topdown_reason {
	TMA_TOPDOWN_OK,
	TMA_TOPDOWN_ARGUMENT,	/* the caller's mistake */
	TMA_TOPDOWN_NO_MEMORY,
	TMA_TOPDOWN_NO_PMU,	/* no core PMU: most virtual machines */
	TMA_TOPDOWN_NO_SLOTS,	/* no TopDown metrics register: CPU too old, or E-cores only */
	TMA_TOPDOWN_PERMISSION, /* perf_event_paranoid, or a security module */
	TMA_TOPDOWN_NO_SYSCALL, /* no perf_event_open(): filtered, as in many containers */
	TMA_TOPDOWN_REFUSED,	/* the kernel refused the event for another reason; see the errno */
	TMA_TOPDOWN_RDPMC_OFF,	/* the administrator wrote 0 to the PMU's sysfs file rdpmc */
	TMA_TOPDOWN_NO_RDPMC,	/* the kernel does not let user space use RDPMC here */
	TMA_TOPDOWN_HYBRID,	/* the thread may run on E-cores, which lack the registers */
	TMA_TOPDOWN_NO_EVENT,	/* sysfs does not know the event, or the text is none */
	TMA_TOPDOWN_REGIONS,	/* the file of regions cannot be used */
	TMA_TOPDOWN_NOT_X86,	/* the program is built for another architecture than x86 */
};

/**
 * struct tma_topdown_error - why it failed
 * @reason: for a program
 * @code:   errno value, positive; 0 when nothing failed
 * @text:   for a person: what, on what, and what to do; one line without the newline
 */
struct tma_topdown_error {
	enum tma_topdown_reason reason;
	int code;
	char text[360];
};

/**
 * tma_topdown_reason_name() - a reason's name as a word ("no-pmu"), for logs
 */
const char *tma_topdown_reason_name(enum tma_topdown_reason reason);

/* --- The handle ------------------------------------------------------------- */

enum tma_topdown_option_flags {
	TMA_TOPDOWN_KERNEL = 1 << 0,	   /* count in the kernel too, not in user space alone */
	TMA_TOPDOWN_SYSCALL_OK = 1 << 1,   /* where RDPMC cannot be used, read by system call */
	TMA_TOPDOWN_SYSCALL_ONLY = 1 << 2, /* always read by system call */
	TMA_TOPDOWN_EVENTS_ONLY = 1 << 3,  /* no TopDown: only for events added afterwards */
	TMA_TOPDOWN_ANY_CORE = 1 << 4,	   /* hybrid: RDPMC though the thread may meet an E-core */
	TMA_TOPDOWN_KEEP_COST = 1 << 5,	   /* regions: do not take off what measuring costs */
};

/**
 * struct tma_topdown_options - what to open
 * @size:	  sizeof(struct tma_topdown_options): which version of it the caller was built with
 * @flags:	  of enum tma_topdown_option_flags
 * @level:	  highest level wanted, 1 or 2; 0 is 2. A CPU may have fewer: tma_topdown_level().
 * @sample_every: measure each region only once in so many times; 0 is 1, always
 * @max_error:	  0, or the error of a region's shares, as in struct tma_topdown_delta, above which
 *		  the registers are reset (a system call) before the region begins
 * @regions:	  where the regions' totals go, shared by several handles; NULL: the handle's own
 * @sysfs:	  where sysfs is mounted; NULL is "/sys"
 *
 * Zero means the default everywhere, so that all but @size may be left out.
 */
struct tma_topdown_options {
	size_t size;
	unsigned int flags;
	int level;
	unsigned int sample_every;
	double max_error;
	struct tma_regions *regions;
	const char *sysfs;
};

/**
 * tma_topdown_open() - open slots and the TopDown metrics for the calling thread
 * @options: NULL for the defaults: level 2 if the CPU has it, in user space alone, by RDPMC
 * @error:   set when NULL is returned; may be NULL
 *
 * Counting starts at once. Costs a file descriptor and a page of memory for each event (level 1:
 * 5, level 2: 9), closed on exec.
 *
 * Return: the handle, to be given to tma_topdown_close(); NULL with @error set.
 */
struct tma_topdown *tma_topdown_open(const struct tma_topdown_options *options,
				     struct tma_topdown_error *error);

/**
 * tma_topdown_close() - free a handle and its regions; the totals stay in a shared block
 * @topdown: NULL is allowed. By the thread that opened it, or after that thread has ended.
 */
void tma_topdown_close(struct tma_topdown *topdown);

/**
 * tma_topdown_level() - what is measured
 * Return: 1 or 2; 0 with TMA_TOPDOWN_EVENTS_ONLY, and of NULL.
 */
int tma_topdown_level(const struct tma_topdown *topdown);

/**
 * tma_topdown_uses_rdpmc() - how snapshots are read
 * @why: when 0 is returned, set to the reason; may be NULL
 * Return: 1 by RDPMC; 0 by system call, and of NULL.
 */
int tma_topdown_uses_rdpmc(const struct tma_topdown *topdown, struct tma_topdown_error *why);

/**
 * tma_topdown_core_type() - of a hybrid CPU, what the handle counts on
 * Return: the PMU's name ("cpu_core"); "cpu" where all cores are of one type. Valid until close.
 * "" of NULL, and where there is no core PMU.
 */
const char *tma_topdown_core_type(const struct tma_topdown *topdown);

/* --- Snapshots ------------------------------------------------------------- */

/** The fields of the metrics register, from the lowest; they count as metric_slots[]. */
enum tma_topdown_metric {
	TMA_TOPDOWN_RETIRING,
	TMA_TOPDOWN_BAD_SPEC,
	TMA_TOPDOWN_FE_BOUND,
	TMA_TOPDOWN_BE_BOUND,
	TMA_TOPDOWN_HEAVY_OPS,	   /* level 2: part of retiring */
	TMA_TOPDOWN_BR_MISPREDICT, /* part of bad speculation */
	TMA_TOPDOWN_FETCH_LAT,	   /* part of frontend bound */
	TMA_TOPDOWN_MEM_BOUND,	   /* part of backend bound */
	TMA_TOPDOWN_METRICS,
};

/** Shares: those fields, and the other part of each of level 1, which is what is left of it. */
enum tma_topdown_share {
	TMA_TOPDOWN_LIGHT_OPS = TMA_TOPDOWN_METRICS,
	TMA_TOPDOWN_MACHINE_CLEARS,
	TMA_TOPDOWN_FETCH_BW,
	TMA_TOPDOWN_CORE_BOUND,
	TMA_TOPDOWN_SHARES,
};

/** What a snapshot, a delta or a total may have to say of itself */
enum tma_topdown_notes {
	/* Part of the time not counted: on an E-core, or other events had their turn. */
	TMA_TOPDOWN_NOT_COUNTED = 1 << 0,
	/* Somebody else reset the registers: this is what came after. */
	TMA_TOPDOWN_RESET = 1 << 1,
	/* The error is above 0.05: too short for what the registers have counted. */
	TMA_TOPDOWN_IMPRECISE = 1 << 2,
	/* No slots at all: there are no shares. */
	TMA_TOPDOWN_EMPTY = 1 << 3,
	/* Regions: an inner one was not measured, or not ended; its slots are in the own. */
	TMA_TOPDOWN_OWN_ROUGH = 1 << 4,
	/* Read by system calls, whose cost is in it. */
	TMA_TOPDOWN_SYSTEM_CALLS = 1 << 5,
	/* Regions: its thread ended, or was stopped, within a change: the sums may not fit. */
	TMA_TOPDOWN_TORN = 1 << 6,
};

/**
 * struct tma_topdown_snapshot - the counters at one time; for tma_topdown_delta() only
 * @slots:	 the register, which counts from 0 since the handle was opened or reset
 * @metrics:	 the register of fractions of @slots
 * @ticks:	 the clock, in units of the handle's
 * @base_slots:	 slots counted before the register's 0
 * @base_metric: the same of each metric
 * @missed_ns:	 time in which the thread ran or waited and was not counted
 * @notes:	 of enum tma_topdown_notes
 * @reserved:	 0
 */
struct tma_topdown_snapshot {
	uint64_t slots;
	uint64_t metrics;
	uint64_t ticks;
	uint64_t base_slots;
	uint64_t base_metric[TMA_TOPDOWN_METRICS];
	uint64_t missed_ns;
	uint32_t notes;
	uint32_t reserved;
};

/**
 * tma_topdown_snapshot() - read the counters now
 *
 * With RDPMC this takes less than 60 instructions and no system call, unless the thread was moved
 * or interrupted for another since the last one.
 *
 * Return: 0; -EXDEV when another thread (or, after fork(), process) opened the handle; -EINVAL of a
 * handle without TopDown, and of NULL; -errno of the system call.
 */
int tma_topdown_snapshot(struct tma_topdown *topdown, struct tma_topdown_snapshot *snapshot);

/**
 * struct tma_topdown_delta - what happened between two snapshots
 * @slots:	  pipeline slots
 * @metric_slots: of these, by enum tma_topdown_metric; can be below 0 by rounding
 * @time_ns:	  time passed
 * @missed_ns:	  of it, not counted
 * @error:	  by how much a share of @slots may be wrong (0.01 is one per cent): the fractions
 *		  have eight bits, of all slots since the registers were 0; the second four of
 *		  level 2, which are differences, by twice that
 * @level:	  1 or 2: which metrics there are
 * @notes:	  of enum tma_topdown_notes
 */
struct tma_topdown_delta {
	uint64_t slots;
	int64_t metric_slots[TMA_TOPDOWN_METRICS];
	uint64_t time_ns;
	uint64_t missed_ns;
	double error;
	int level;
	unsigned int notes;
};

/**
 * tma_topdown_delta() - what happened from one snapshot to a later one of the same handle
 *
 * Right over resets, context switches and a wrap of the 48-bit counter in between. Without a handle
 * nothing happened: @delta has the note TMA_TOPDOWN_EMPTY.
 */
void tma_topdown_delta(const struct tma_topdown *topdown, const struct tma_topdown_snapshot *from,
		       const struct tma_topdown_snapshot *to, struct tma_topdown_delta *delta);

/**
 * tma_topdown_shares() - each metric's share of the slots
 * @shares: 0 to 1, by enum tma_topdown_metric and enum tma_topdown_share; NaN where level 2 was not
 *	    measured or there were no slots
 *
 * The two parts of a metric of level 1 add up to it.
 */
void tma_topdown_shares(const struct tma_topdown_delta *delta, double shares[TMA_TOPDOWN_SHARES]);

/**
 * tma_topdown_share_name() - "retiring", "bad-spec", "fe-bound", "light-ops", ...
 * Return: NULL for a number that is no share.
 */
const char *tma_topdown_share_name(int share);

/**
 * tma_topdown_reset() - start the registers from 0, for precision (a system call)
 *
 * Snapshots taken before stay good: what was counted goes on in the base. Return: as
 * tma_topdown_snapshot().
 */
int tma_topdown_reset(struct tma_topdown *topdown);

/* --- Other events ------------------------------------------------------------- */

/**
 * struct tma_topdown_count - the count of one event
 * @value:	since it was added
 * @enabled_ns: time since then
 * @running_ns: of it, with a counter; of both, up to when the thread last came to its CPU
 * @notes:	TMA_TOPDOWN_NOT_COUNTED when it has no counter at present
 */
struct tma_topdown_count {
	uint64_t value;
	uint64_t enabled_ns;
	uint64_t running_ns;
	unsigned int notes;
};

/**
 * tma_topdown_add_event() - count another event of this machine for the thread
 * @text: "instructions" or "cycles"; the name of an event in the core PMU's sysfs folder; or terms
 *	  of a PMU, "cpu/event=0xc4,umask=0x20/", as its sysfs formats name them
 *
 * Return: the event's number for tma_topdown_read_event(), from 0; -errno with @error set; -EINVAL
 * of NULL.
 */
int tma_topdown_add_event(struct tma_topdown *topdown, const char *text,
			  struct tma_topdown_error *error);

/**
 * tma_topdown_read_event() - its count now, by RDPMC where that can be
 *
 * Return: 0; -EINVAL for a number that is no event's, and of NULL; -EXDEV; -errno of the call.
 */
int tma_topdown_read_event(struct tma_topdown *topdown, int event,
			   struct tma_topdown_count *count);

/* --- Regions ------------------------------------------------------------- */

/** Longest name of a region, with the 0 at its end. */
#define TMA_REGION_NAME 64

/**
 * struct tma_region_totals - what one thread did in one region
 * @name: as given to tma_topdown_region()
 * @pid, @tid: whose
 * @count:    how often it was begun and ended
 * @measured: how often of these it was measured; the totals are of these
 * @total:    with the regions inside
 * @own:      without them; .error and .missed_ns are those of @total
 */
struct tma_region_totals {
	char name[TMA_REGION_NAME];
	int32_t pid;
	int32_t tid;
	uint64_t count;
	uint64_t measured;
	struct tma_topdown_delta total;
	struct tma_topdown_delta own;
};

/**
 * tma_topdown_region() - the region of a name, made on first use
 * @name: a text of 1 to TMA_REGION_NAME - 1 bytes; the region's own for this handle
 *
 * Compares names: do it once, outside of what is measured.
 *
 * Return: the region, freed with the handle; NULL with @error set, and of a NULL handle.
 */
struct tma_region *tma_topdown_region(struct tma_topdown *topdown, const char *name,
				      struct tma_topdown_error *error);

/**
 * tma_region_sample() - measure this region only once in @every times
 */
void tma_region_sample(struct tma_region *region, unsigned int every);

/**
 * tma_region_begin() - the region begins here; regions may nest, also in themselves
 *
 * Where it fails for another reason than -EXDEV the region has begun all the same, is not measured
 * this time, and is to be ended.
 *
 * Return: 0; -EXDEV in another thread; -ENOBUFS inside of 64 others; -errno of a snapshot. NULL is
 * allowed and does nothing, so that a program need not ask whether it could open a handle.
 */
int tma_region_begin(struct tma_region *region);

/**
 * tma_region_end() - the region ends here
 *
 * Regions inside that were not ended (an error's way out, longjmp()) end with it, uncounted; what
 * they took is then in its own part, with TMA_TOPDOWN_OWN_ROUGH.
 *
 * Return: as tma_region_begin(); -EINVAL if it was not begun, which changes nothing.
 */
int tma_region_end(struct tma_region *region);

/**
 * tma_regions_new() - a block for the totals of several threads' regions
 *
 * Its memory is the file which the environment variable TMA_REGIONS names (a path, or the number of
 * a file descriptor), where another program can read along; without it, memory which this process
 * shares with the children that it forks afterwards.
 *
 * Return: the block, to be given to tma_regions_free() after the last handle that uses it was
 * closed; NULL with @error set.
 */
struct tma_regions *tma_regions_new(struct tma_topdown_error *error);
void tma_regions_free(struct tma_regions *regions);

/**
 * tma_topdown_regions() - the block which a handle's regions are in
 * Return: NULL while there is none: it is made with the first region.
 */
struct tma_regions *tma_topdown_regions(const struct tma_topdown *topdown);

/**
 * tma_regions_next() - the next region's totals, from any thread, while others measure
 * @cursor: 0 for the first; moved on
 * Return: 1 with @totals set; 0 at the end.
 */
int tma_regions_next(const struct tma_regions *regions, unsigned int *cursor,
		     struct tma_region_totals *totals);

/**
 * tma_regions_print() - a table of the totals, a line each
 * Return: 0; -EIO if the stream did not take it. Of NULL nothing is printed.
 */
int tma_regions_print(const struct tma_regions *regions, FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
