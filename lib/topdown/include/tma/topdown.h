/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Measure in a program, with RDPMC, how pieces of its code use the pipeline slots (TopDown).
 *
 * Intel's big cores since Ice Lake count slots in one register, and keep eight-bit fractions of
 * them in another: the fractions that retired, were lost to bad speculation, or waited for the
 * frontend or the backend. Since Sapphire Rapids and Alder Lake, the register also has a part of
 * each fraction. When the kernel has opened the events for a thread, the thread reads both
 * registers without a system call.
 *
 * A handle belongs to the thread that opened it: only this thread may use it to take snapshots, and
 * to begin and end regions. Threads can use different handles simultaneously without a lock. The
 * library has no global state, catches no signal and never ends the program. In a child of fork(),
 * functions return -EXDEV for copies of the parent's handles: the child must open its own.
 *
 * Functions return 0 or a negative errno unless their comments say otherwise. Every function
 * accepts NULL for a handle, a region or a block of totals, so that a program need not check
 * whether it could open a handle. With NULL it does nothing, sets counts to zero, returns the value
 * that its comment gives, and leaves @error unchanged, so that @error may keep the reason why there
 * is no handle. See tma-topdown(3).
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

/** enum tma_topdown_reason - the reason why something cannot be measured, for programs */
enum tma_topdown_reason {
	TMA_TOPDOWN_OK,
	TMA_TOPDOWN_ARGUMENT,	/* the caller's mistake */
	TMA_TOPDOWN_NO_MEMORY,
	TMA_TOPDOWN_NO_PMU,	/* there is no core PMU, as in most virtual machines */
	TMA_TOPDOWN_NO_SLOTS,	/* the CPU lacks the TopDown metrics register */
	TMA_TOPDOWN_PERMISSION, /* perf_event_paranoid or a security module denies permission */
	TMA_TOPDOWN_NO_SYSCALL, /* perf_event_open() is filtered, as in many containers */
	TMA_TOPDOWN_REFUSED,	/* the kernel refused the event for another reason; see the errno */
	TMA_TOPDOWN_RDPMC_OFF,	/* the administrator wrote 0 to the PMU's sysfs file rdpmc */
	TMA_TOPDOWN_NO_RDPMC,	/* the kernel does not let user space use RDPMC here */
	TMA_TOPDOWN_HYBRID,	/* the thread may run on E-cores, which lack the registers */
	TMA_TOPDOWN_NO_EVENT,	/* sysfs does not have the event, or the text is not an event */
	TMA_TOPDOWN_REGIONS,	/* the file of regions cannot be used */
	TMA_TOPDOWN_NOT_X86,	/* the program is built for another architecture than x86 */
};

/**
 * struct tma_topdown_error - why a function failed
 * @reason: the reason, for programs
 * @code:   positive errno; 0 if the function succeeded
 * @text:   one line for people, without newline: what failed, and what to do
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
	TMA_TOPDOWN_KERNEL = 1 << 0,	   /* also count in the kernel, not only in user space */
	TMA_TOPDOWN_SYSCALL_OK = 1 << 1,   /* read by system call if RDPMC cannot be used */
	TMA_TOPDOWN_SYSCALL_ONLY = 1 << 2, /* always read by system call */
	TMA_TOPDOWN_EVENTS_ONLY = 1 << 3,  /* without TopDown, only for other events */
	TMA_TOPDOWN_ANY_CORE = 1 << 4,	   /* use RDPMC even if the thread may run on E-cores */
	TMA_TOPDOWN_KEEP_COST = 1 << 5,	   /* do not subtract the cost of measuring from regions */
};

/**
 * struct tma_topdown_options - what to open
 * @size:	  sizeof(struct tma_topdown_options), which shows the version of the struct
 * @flags:	  bits of enum tma_topdown_option_flags
 * @level:	  highest level to measure, 1 or 2; 0: 2. A CPU may only have level 1, see
 * 		  tma_topdown_level().
 * @sample_every: measure each region once in this many times; 0: always
 * @max_error:	  largest error of a region's shares, as in struct tma_topdown_delta. If the error
 * 		  would be larger, the registers are reset (a system call) before the region begins.
 * 		  0: never reset
 * @regions:	  block for the totals of regions, which several handles can use; NULL: the handle
 * 		  makes a block
 * @sysfs:	  where sysfs is mounted; NULL: "/sys"
 *
 * For each member but @size, 0 means the default.
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
 * @error:   set if NULL is returned; may be NULL
 *
 * Counting starts immediately. For each event (5 at level 1, 9 at level 2) a handle needs a file
 * descriptor, which exec closes, and a page of memory.
 *
 * Return: the handle, which the caller frees with tma_topdown_close(); NULL with @error set after a
 * failure.
 */
struct tma_topdown *tma_topdown_open(const struct tma_topdown_options *options,
				     struct tma_topdown_error *error);

/**
 * tma_topdown_close() - free a handle and its regions; totals in a shared block remain
 * @topdown: NULL is allowed. The thread that opened the handle closes it, or any thread after the
 *           end of that thread.
 */
void tma_topdown_close(struct tma_topdown *topdown);

/**
 * tma_topdown_level() - get the TopDown level that is measured
 * Return: 1 or 2; 0 with TMA_TOPDOWN_EVENTS_ONLY, and for NULL.
 */
int tma_topdown_level(const struct tma_topdown *topdown);

/**
 * tma_topdown_uses_rdpmc() - find out whether snapshots are read by RDPMC
 * @why: set to the reason if 0 is returned; may be NULL
 * Return: 1 for RDPMC; 0 for system calls, and for NULL.
 */
int tma_topdown_uses_rdpmc(const struct tma_topdown *topdown, struct tma_topdown_error *why);

/**
 * tma_topdown_core_type() - get the PMU that the handle counts on
 * Return: name of the PMU ("cpu_core" on a hybrid CPU, "cpu" if all cores are of one type), valid
 * until close; "" for NULL, and without a core PMU.
 */
const char *tma_topdown_core_type(const struct tma_topdown *topdown);

/* --- Snapshots ------------------------------------------------------------- */

/** Fields of the metrics register, from the lowest on; also the indices of metric_slots[]. */
enum tma_topdown_metric {
	TMA_TOPDOWN_RETIRING,
	TMA_TOPDOWN_BAD_SPEC,
	TMA_TOPDOWN_FE_BOUND,
	TMA_TOPDOWN_BE_BOUND,
	TMA_TOPDOWN_HEAVY_OPS,	   /* part of retiring; this field and those below are level 2 */
	TMA_TOPDOWN_BR_MISPREDICT, /* part of bad speculation */
	TMA_TOPDOWN_FETCH_LAT,	   /* part of frontend bound */
	TMA_TOPDOWN_MEM_BOUND,	   /* part of backend bound */
	TMA_TOPDOWN_METRICS,
};

/**
 * Shares: the fields above, then for each field of level 1 the rest of it without its part above.
 */
enum tma_topdown_share {
	TMA_TOPDOWN_LIGHT_OPS = TMA_TOPDOWN_METRICS,
	TMA_TOPDOWN_MACHINE_CLEARS,
	TMA_TOPDOWN_FETCH_BW,
	TMA_TOPDOWN_CORE_BOUND,
	TMA_TOPDOWN_SHARES,
};

/** Notes on a snapshot, a delta or a total */
enum tma_topdown_notes {
	/* A part of the time was not counted, because of an E-core or of multiplexing. */
	TMA_TOPDOWN_NOT_COUNTED = 1 << 0,
	/* Other software has reset the registers: only the time after the reset is counted. */
	TMA_TOPDOWN_RESET = 1 << 1,
	/* The error is above 0.05: the slots are few compared with those in the registers. */
	TMA_TOPDOWN_IMPRECISE = 1 << 2,
	/* There were no slots, so there are no shares. */
	TMA_TOPDOWN_EMPTY = 1 << 3,
	/* Regions: an inner region was not measured or did not end, so @own includes its slots. */
	TMA_TOPDOWN_OWN_ROUGH = 1 << 4,
	/* Counts were read by system calls, and include the cost of these calls. */
	TMA_TOPDOWN_SYSTEM_CALLS = 1 << 5,
	/* Regions: totals may be inconsistent, since the thread ended while it changed them. */
	TMA_TOPDOWN_TORN = 1 << 6,
};

/**
 * struct tma_topdown_snapshot - the counters at one moment, only for tma_topdown_delta()
 * @slots:	 the slots register, which counts from 0 when the handle is opened or reset
 * @metrics:	 the register of fractions of @slots
 * @ticks:	 time, in units of the handle's clock
 * @base_slots:	 slots that were counted before the register last started from 0
 * @base_metric: slots of each metric that were counted before
 * @missed_ns:	 time in which the thread, running or waiting, was not counted
 * @notes:	 bits of enum tma_topdown_notes
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
 * With RDPMC this takes less than 60 instructions and no system call, unless the thread has left
 * its CPU since the last snapshot.
 *
 * Return: 0; -EXDEV if another thread (or, after fork(), another process) opened the handle;
 * -EINVAL for NULL and for a handle without TopDown; -errno of a system call.
 */
int tma_topdown_snapshot(struct tma_topdown *topdown, struct tma_topdown_snapshot *snapshot);

/**
 * struct tma_topdown_delta - what happened between two snapshots
 * @slots:	  pipeline slots
 * @metric_slots: slots of each metric, by enum tma_topdown_metric; rounding can make them negative
 * @time_ns:	  time between the snapshots
 * @missed_ns:	  part of @time_ns that was not counted
 * @error:	  largest error of a share of @slots (0.01 is 1 %), since fractions have eight bits,
 * 		  and cover all slots since the registers were 0. The four shares of level 2 that
 * 		  are computed as differences may have twice this error
 * @level:	  level of the metrics, 1 or 2
 * @notes:	  bits of enum tma_topdown_notes
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
 * tma_topdown_delta() - compute what happened between a snapshot and a later one of the same handle
 *
 * The result is correct across resets, context switches and a wrap of the 48-bit counter. For a
 * NULL handle, @delta is zero with the note TMA_TOPDOWN_EMPTY.
 */
void tma_topdown_delta(const struct tma_topdown *topdown, const struct tma_topdown_snapshot *from,
		       const struct tma_topdown_snapshot *to, struct tma_topdown_delta *delta);

/**
 * tma_topdown_shares() - compute each metric's share of the slots
 * @shares: 0 to 1, at the indices enum tma_topdown_metric and enum tma_topdown_share; NaN without
 * 	    slots, and for level 2 if it was not measured
 *
 * The two shares of level 2 below a share of level 1 add up to it.
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
 * Earlier snapshots remain valid, since counts up to now are kept in the base. Return: as
 * tma_topdown_snapshot().
 */
int tma_topdown_reset(struct tma_topdown *topdown);

/* --- Other events ------------------------------------------------------------- */

/**
 * struct tma_topdown_count - the count of one event
 * @value:	the count since the event was added
 * @enabled_ns: time since the event was added
 * @running_ns: time in which the event had a counter. Both times end when the thread last came onto
 *              a CPU
 * @notes:	TMA_TOPDOWN_NOT_COUNTED if the event has no counter now
 */
struct tma_topdown_count {
	uint64_t value;
	uint64_t enabled_ns;
	uint64_t running_ns;
	unsigned int notes;
};

/**
 * tma_topdown_add_event() - count another event of this machine for the thread
 * @text: "instructions", "cycles", the name of an event in the core PMU's folder of sysfs, or terms
 * 	  of a PMU: "cpu/event=0xc4,umask=0x20/". Terms have the names of the PMU's formats in sysfs
 *
 * Return: the event's number for tma_topdown_read_event(), from 0 on; -errno with @error set;
 * -EINVAL for NULL.
 */
int tma_topdown_add_event(struct tma_topdown *topdown, const char *text,
			  struct tma_topdown_error *error);

/**
 * tma_topdown_read_event() - read an event's count, by RDPMC if possible
 *
 * Return: 0; -EINVAL for an unknown number and for NULL; -EXDEV as tma_topdown_snapshot(); -errno
 * of a system call.
 */
int tma_topdown_read_event(struct tma_topdown *topdown, int event,
			   struct tma_topdown_count *count);

/* --- Regions ------------------------------------------------------------- */

/** Size of a region's name, including the terminating 0. */
#define TMA_REGION_NAME 64

/**
 * struct tma_region_totals - the totals of one thread in one region
 * @name: name given to tma_topdown_region()
 * @pid, @tid: process and thread
 * @count:    how often the region began and ended
 * @measured: how often the region was measured; @total and @own cover only these times
 * @total:    totals including the regions inside
 * @own:      totals without the regions inside; .error and .missed_ns are as in @total
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
 * tma_topdown_region() - find the region with a name, or make it
 * @name: 1 to TMA_REGION_NAME - 1 bytes, different for each region of the handle
 *
 * This function compares names: call it once, outside the code that is measured.
 *
 * Return: the region, which is freed with the handle; NULL with @error set after a failure; NULL
 * for a NULL handle.
 */
struct tma_region *tma_topdown_region(struct tma_topdown *topdown, const char *name,
				      struct tma_topdown_error *error);

/** tma_region_sample() - measure a region once in @every times */
void tma_region_sample(struct tma_region *region, unsigned int every);

/**
 * tma_region_begin() - begin a region, which may be inside other regions and inside itself
 *
 * After a failure other than -EXDEV the region has begun, but is not measured this time: end it as
 * usual.
 *
 * Return: 0, also for NULL; -EXDEV in another thread; -ENOBUFS inside 64 other regions; -errno of a
 * snapshot.
 */
int tma_region_begin(struct tma_region *region);

/**
 * tma_region_end() - end a region
 *
 * Inner regions that have not ended (because of an error path or longjmp()) end with it. They are
 * not counted, and their slots and time go into its own part, with the note TMA_TOPDOWN_OWN_ROUGH.
 *
 * Return: as tma_region_begin(); -EINVAL, without a change, if the region has not begun.
 */
int tma_region_end(struct tma_region *region);

/**
 * tma_regions_new() - make a block for the totals of regions of several threads
 *
 * The block is a file that the environment variable TMA_REGIONS names (a path or the number of a
 * file descriptor); other programs can read it meanwhile. Without the variable the block is memory
 * that this process shares with children that it forks afterwards.
 *
 * Return: the block, which the caller frees with tma_regions_free() after the last handle that uses
 * it was closed; NULL with @error set after a failure.
 */
struct tma_regions *tma_regions_new(struct tma_topdown_error *error);
void tma_regions_free(struct tma_regions *regions);

/**
 * tma_topdown_regions() - get the block with a handle's regions
 * Return: the block; NULL before the first region, which makes the block.
 */
struct tma_regions *tma_topdown_regions(const struct tma_topdown *topdown);

/**
 * tma_regions_next() - read the next region's totals, from any thread, even while other threads
 * measure
 * @cursor: 0 for the first region; moved to the next region
 * Return: 1 with @totals set; 0 after the last region.
 */
int tma_regions_next(const struct tma_regions *regions, unsigned int *cursor,
		     struct tma_region_totals *totals);

/**
 * tma_regions_print() - print a table of the totals, a line for each region and thread
 * Return: 0; -EIO if writing failed. For NULL nothing is printed.
 */
int tma_regions_print(const struct tma_regions *regions, FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
