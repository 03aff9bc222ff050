/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program's own TopDown, read by RDPMC: how a piece of code used the pipeline slots.
 *
 * Intel's big cores from Ice Lake on count slots and keep, in one register, the eight-bit fractions
 * of the slots that were retiring, lost to bad speculation, or waiting for the frontend or the
 * backend; from Sapphire Rapids and Alder Lake on also one part of each of these. Once the kernel
 * has opened the events for a thread, the thread reads both registers without a system call.
 *
 * A handle belongs to the thread that opened it: only that thread may take snapshots, and begin and
 * end regions, with it. Different threads can use different handles at the same time without a
 * lock. The library has no global state, catches no signal and never ends the program. After fork()
 * the functions return -EXDEV for the child's copies of handles: the child must open its own.
 *
 * Functions return 0 or a negative errno unless their comments say otherwise. Every function
 * accepts NULL for a handle, a region or a block of totals, so that a program need not check
 * whether it could open a handle. With NULL it does nothing, leaves @error unchanged (with the
 * reason why there is no handle), sets counts to zero, and returns the value that its comment
 * gives. See tma-topdown(3).
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
	TMA_TOPDOWN_NO_EVENT,	/* sysfs does not know the event, or the text does not name one */
	TMA_TOPDOWN_REGIONS,	/* the file of regions cannot be used */
	TMA_TOPDOWN_NOT_X86,	/* the program is built for another architecture than x86 */
};

/**
 * struct tma_topdown_error - why a function failed
 * @reason: the reason, for a program
 * @code:   errno value, positive; 0 when the function succeeded
 * @text:   the reason, for a person: what failed, on what, and what to do; one line without the
 *          newline
 */
struct tma_topdown_error {
	enum tma_topdown_reason reason;
	int code;
	char text[360];
};

/**
 * tma_topdown_reason_name() - get a reason's name ("no-pmu"), for logs
 */
const char *tma_topdown_reason_name(enum tma_topdown_reason reason);

/* --- The handle ------------------------------------------------------------- */

enum tma_topdown_option_flags {
	TMA_TOPDOWN_KERNEL = 1 << 0,	   /* count in the kernel too, not only in user space */
	TMA_TOPDOWN_SYSCALL_OK = 1 << 1,   /* read by system call if RDPMC cannot be used */
	TMA_TOPDOWN_SYSCALL_ONLY = 1 << 2, /* always read by system call */
	TMA_TOPDOWN_EVENTS_ONLY = 1 << 3,  /* no TopDown: only for events added afterwards */
	TMA_TOPDOWN_ANY_CORE = 1 << 4,	   /* hybrid: RDPMC though the thread may be on an E-core */
	TMA_TOPDOWN_KEEP_COST = 1 << 5,	   /* regions: do not subtract the cost of measuring */
};

/**
 * struct tma_topdown_options - what to open
 * @size:	  sizeof(struct tma_topdown_options), which shows the version of it in use
 * @flags:	  of enum tma_topdown_option_flags
 * @level:	  highest level wanted, 1 or 2; 0 is 2. A CPU may have fewer: tma_topdown_level().
 * @sample_every: measure each region once in this many times; 0 is 1: always
 * @max_error:	  largest error of a region's shares, as in struct tma_topdown_delta; above it the
 *		  registers are reset (a system call) before the region begins; 0: never reset
 * @regions:	  block for the regions' totals, which handles can share; NULL: an own block
 * @sysfs:	  where sysfs is mounted; NULL is "/sys"
 *
 * Zero means the default for each member, so that all but @size may be left out.
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
 * @options: NULL for the defaults: level 2 if the CPU has it, only user space, by RDPMC
 * @error:   set when NULL is returned; may be NULL
 *
 * Counting starts at once. A handle needs a file descriptor, closed on exec, and a page of memory
 * for each event (level 1: 5 events, level 2: 9).
 *
 * Return: the handle, which the caller frees with tma_topdown_close(); NULL with @error set.
 */
struct tma_topdown *tma_topdown_open(const struct tma_topdown_options *options,
				     struct tma_topdown_error *error);

/**
 * tma_topdown_close() - free a handle and its regions; totals in a shared block remain
 * @topdown: NULL is allowed. Called by the thread that opened it, or after that thread has ended.
 */
void tma_topdown_close(struct tma_topdown *topdown);

/**
 * tma_topdown_level() - get the TopDown level that is measured
 * Return: 1 or 2; 0 with TMA_TOPDOWN_EVENTS_ONLY and for NULL.
 */
int tma_topdown_level(const struct tma_topdown *topdown);

/**
 * tma_topdown_uses_rdpmc() - find out whether snapshots are read by RDPMC
 * @why: set to the reason when 0 is returned; may be NULL
 * Return: 1 for RDPMC; 0 for system calls, and for NULL.
 */
int tma_topdown_uses_rdpmc(const struct tma_topdown *topdown, struct tma_topdown_error *why);

/**
 * tma_topdown_core_type() - get the PMU that the handle counts on
 * Return: its name ("cpu_core" on a hybrid CPU; "cpu" where all cores are of one type), valid until
 * close; "" for NULL, and where there is no core PMU.
 */
const char *tma_topdown_core_type(const struct tma_topdown *topdown);

/* --- Snapshots ------------------------------------------------------------- */

/** The fields of the metrics register, from the lowest; also the index of metric_slots[]. */
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

/** Shares: these fields and, for each field of level 1, its other part, which is the rest of it. */
enum tma_topdown_share {
	TMA_TOPDOWN_LIGHT_OPS = TMA_TOPDOWN_METRICS,
	TMA_TOPDOWN_MACHINE_CLEARS,
	TMA_TOPDOWN_FETCH_BW,
	TMA_TOPDOWN_CORE_BOUND,
	TMA_TOPDOWN_SHARES,
};

/** Notes on a snapshot, a delta or a total */
enum tma_topdown_notes {
	/* A part of the time was not counted: on an E-core, or because of multiplexing. */
	TMA_TOPDOWN_NOT_COUNTED = 1 << 0,
	/* Something else has reset the registers: only the time since then is counted. */
	TMA_TOPDOWN_RESET = 1 << 1,
	/* The error is above 0.05: there are few slots compared with the registers' content. */
	TMA_TOPDOWN_IMPRECISE = 1 << 2,
	/* There were no slots, so there are no shares. */
	TMA_TOPDOWN_EMPTY = 1 << 3,
	/* Regions: an inner region was not measured or not ended; its slots are in @own. */
	TMA_TOPDOWN_OWN_ROUGH = 1 << 4,
	/* Read by system calls; the counts include their cost. */
	TMA_TOPDOWN_SYSTEM_CALLS = 1 << 5,
	/* Regions: the thread ended or stopped during a change: totals may be inconsistent. */
	TMA_TOPDOWN_TORN = 1 << 6,
};

/**
 * struct tma_topdown_snapshot - the counters at one time, for tma_topdown_delta() only
 * @slots:	 the slots register, which counts from 0 since the handle was opened or reset
 * @metrics:	 the register of fractions of @slots
 * @ticks:	 time, in units of the handle's clock
 * @base_slots:	 slots counted before the register last started from 0
 * @base_metric: the same of each metric
 * @missed_ns:	 time, running or waiting, in which the thread was not counted
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
 * Return: 0; -EXDEV when another thread (or, after fork(), another process) opened the handle;
 * -EINVAL for a handle without TopDown and for NULL; -errno of the system call.
 */
int tma_topdown_snapshot(struct tma_topdown *topdown, struct tma_topdown_snapshot *snapshot);

/**
 * struct tma_topdown_delta - what happened between two snapshots
 * @slots:	  pipeline slots
 * @metric_slots: slots of each metric, by enum tma_topdown_metric; rounding can make them negative
 * @time_ns:	  time passed
 * @missed_ns:	  the part of the time that was not counted
 * @error:	  by how much a share of @slots may be wrong (0.01 is 1 %): the fractions have eight
 *		  bits, and are of all slots since the registers were 0. The four computed parts of
 *		  level 2, which are differences, may be wrong by twice that
 * @level:	  1 or 2: the level of the metrics
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
 * tma_topdown_delta() - compute what happened from one snapshot to a later one of the same handle
 *
 * Correct across resets, context switches and a wrap of the 48-bit counter. With a NULL handle
 * @delta is zero, with the note TMA_TOPDOWN_EMPTY.
 */
void tma_topdown_delta(const struct tma_topdown *topdown, const struct tma_topdown_snapshot *from,
		       const struct tma_topdown_snapshot *to, struct tma_topdown_delta *delta);

/**
 * tma_topdown_shares() - compute each metric's share of the slots
 * @shares: 0 to 1, by enum tma_topdown_metric and enum tma_topdown_share; NaN where level 2 was not
 *	    measured or there were no slots
 *
 * The two parts of a metric of level 1 add up to it.
 */
void tma_topdown_shares(const struct tma_topdown_delta *delta, double shares[TMA_TOPDOWN_SHARES]);

/**
 * tma_topdown_share_name() - get the name of a share: "retiring", "bad-spec", "fe-bound",
 * "light-ops", ...
 * Return: the name; NULL for a number that is not a share.
 */
const char *tma_topdown_share_name(int share);

/**
 * tma_topdown_reset() - start the registers from 0, for precision (a system call)
 *
 * Snapshots taken before remain valid: counts up to now are kept in the base. Return: as
 * tma_topdown_snapshot().
 */
int tma_topdown_reset(struct tma_topdown *topdown);

/* --- Other events ------------------------------------------------------------- */

/**
 * struct tma_topdown_count - the count of one event
 * @value:	the count since the event was added
 * @enabled_ns: time since the event was added
 * @running_ns: time in which it had a counter. Both times end when the thread was last scheduled on
 *              a CPU
 * @notes:	TMA_TOPDOWN_NOT_COUNTED when it does not have a counter at present
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
 * for NULL.
 */
int tma_topdown_add_event(struct tma_topdown *topdown, const char *text,
			  struct tma_topdown_error *error);

/**
 * tma_topdown_read_event() - read an event's count, by RDPMC where possible
 *
 * Return: 0; -EINVAL for a number that is not an event's and for NULL; -EXDEV as
 * tma_topdown_snapshot(); -errno of the system call.
 */
int tma_topdown_read_event(struct tma_topdown *topdown, int event,
			   struct tma_topdown_count *count);

/* --- Regions ------------------------------------------------------------- */

/** Size of a region's name, including its terminating 0. */
#define TMA_REGION_NAME 64

/**
 * struct tma_region_totals - the totals of one thread in one region
 * @name: as given to tma_topdown_region()
 * @pid, @tid: process and thread
 * @count:    how often it was begun and ended
 * @measured: how often it was measured; the totals are of these times only
 * @total:    including the regions inside
 * @own:      without the regions inside; .error and .missed_ns are those of @total
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
 * tma_topdown_region() - find the region of a name, made on first use
 * @name: a text of 1 to TMA_REGION_NAME - 1 bytes, unique in this handle
 *
 * Compares names, so call it once, outside of the code that is measured.
 *
 * Return: the region, freed with the handle; NULL with @error set, and for a NULL handle.
 */
struct tma_region *tma_topdown_region(struct tma_topdown *topdown, const char *name,
				      struct tma_topdown_error *error);

/**
 * tma_region_sample() - measure this region once in @every times
 */
void tma_region_sample(struct tma_region *region, unsigned int every);

/**
 * tma_region_begin() - begin a region; regions may nest, also in themselves
 *
 * If it fails with another error than -EXDEV, the region has begun nevertheless: it is not measured
 * this time, and must be ended.
 *
 * Return: 0, also for NULL; -EXDEV in another thread; -ENOBUFS inside of 64 other regions; -errno
 * of a snapshot.
 */
int tma_region_begin(struct tma_region *region);

/**
 * tma_region_end() - end a region
 *
 * Regions inside that were not ended (because of an error path or longjmp()) end with it and are
 * not counted; their slots and time are then in its own part, with the note TMA_TOPDOWN_OWN_ROUGH.
 *
 * Return: as tma_region_begin(); -EINVAL if it was not begun, which changes nothing.
 */
int tma_region_end(struct tma_region *region);

/**
 * tma_regions_new() - make a block for the totals of several threads' regions
 *
 * Its memory is the file which the environment variable TMA_REGIONS names (a path, or the number of
 * a file descriptor), which another program can read meanwhile; without the variable it is memory
 * which this process shares with the children that it forks afterwards.
 *
 * Return: the block, which the caller frees with tma_regions_free() after closing the last handle
 * that uses it; NULL with @error set.
 */
struct tma_regions *tma_regions_new(struct tma_topdown_error *error);
void tma_regions_free(struct tma_regions *regions);

/**
 * tma_topdown_regions() - get the block of a handle's regions
 * Return: the block; NULL before the first region, with which it is made.
 */
struct tma_regions *tma_topdown_regions(const struct tma_topdown *topdown);

/**
 * tma_regions_next() - read the next region's totals; from any thread, also while others measure
 * @cursor: 0 for the first region; set to the next one
 * Return: 1 with @totals set; 0 at the end.
 */
int tma_regions_next(const struct tma_regions *regions, unsigned int *cursor,
		     struct tma_region_totals *totals);

/**
 * tma_regions_print() - print a table of the totals, a line for each region and thread
 * Return: 0; -EIO if the stream cannot be written. Nothing is printed for NULL.
 */
int tma_regions_print(const struct tma_regions *regions, FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
