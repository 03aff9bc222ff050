/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls fail on request: TMA_SIM_FAULT="open#3=EMFILE;read#5=short;offline=3@1s-2s;lost=10". */
#ifndef TMA_SIM_FAULT_H
#define TMA_SIM_FAULT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"

struct err;
struct sim_machine;
struct sim_event;

enum fault_kind {
	FAULT_OPEN,
	FAULT_READ,
	FAULT_MMAP,
	FAULT_IOCTL,
	FAULT_LATE,
	FAULT_OFFLINE,
	FAULT_COUNT,
	FAULT_FILE,
};

/** enum fault_read - a read() does this instead of reading */
enum fault_read {
	FAULT_READ_ERRNO,
	FAULT_READ_SHORT, /* it gives 8 bytes less than there are */
	FAULT_READ_END,	  /* it gives nothing */
};

/** enum fault_count - what becomes of a counter that is open */
enum fault_count {
	FAULT_COUNT_NONE,
	FAULT_COUNT_ZERO,  /* it says 0 whatever happened */
	FAULT_COUNT_NEVER, /* it is never on the PMU, as are the others of its group */
};

/** enum fault_file - what becomes of a file */
enum fault_file {
	FAULT_FILE_ERRNO, /* it cannot be opened */
	FAULT_FILE_MISSING,
	FAULT_FILE_UNREADABLE, /* reading it gives EIO */
	FAULT_FILE_QUOTED,
	FAULT_FILE_LONG, /* what it has, again and again */
	FAULT_FILE_TEXT, /* something else */
};

/**
 * struct fault - one fault
 * @error:  errno value it gives
 * @number: of the open, read, ioctl or mapping that fails, or of the wait that is late; 0 for
 *          every one
 * @pages:  only a mapping with which there are more locked pages than these
 * @cpu:    only opens on this CPU; -1 for all
 * @event:  only opens of "pmu/terms/", of any event of "pmu", or of "software"; NULL for all
 * @request: only such an ioctl; 0 for all
 * @count:  what becomes of such an event
 * @path:   of the file that is spoiled
 * @file:   how that is
 * @text:   what it has then
 * @from_ns, @to_ns: since the start, when a CPU is offline; @from_ns: how late a wait is over
 */
struct fault {
	enum fault_kind kind;
	enum fault_read how;
	int error, number, pages, cpu;
	const char *event, *path, *text;
	enum fault_count count;
	enum fault_file file;
	unsigned long request;
	uint64_t from_ns, to_ns;
};

/**
 * struct faults - all of them, and how many calls of each kind and records there were
 * @text:   of the list, cut up
 * @max_fds: how many events can be open at once; -1 for any number
 * @lost:   of so many records the last is lost; 0 for none
 * @throttle: samples in a tick after which an event is throttled; 0 for what the machine says
 */
struct faults {
	VEC(struct fault) list;
	char *text;
	int calls[FAULT_OFFLINE], records, max_fds, lost, throttle;
};

/**
 * faults__parse() - read a list of faults separated by ';'
 * @faults: an empty list; faults__free() it
 *
 * Return: 0 or -errno.
 */
int faults__parse(const char *text, struct faults *faults, struct err *err);
/** faults__free() - release the list. */
void faults__free(struct faults *faults);
/**
 * faults__on_open() - whether this open fails
 * @event: being opened, with pmu, config and cpu
 * @nr_open: simulated events open now
 *
 * Return: 0 or -errno.
 */
int faults__on_open(struct faults *faults, const struct sim_event *event, int nr_open);
/** faults__on_count() - find what becomes of what this event counts. */
enum fault_count faults__on_count(const struct faults *faults, const struct sim_event *event);
/** faults__on_read() - find what this read does in place of reading, or NULL. */
const struct fault *faults__on_read(struct faults *faults);
/** faults__on_mmap() - whether a mapping fails with which there are @pages. Return: 0 or -errno. */
int faults__on_mmap(struct faults *faults, size_t pages);
/** faults__on_ioctl() - whether this request fails. Return: 0 or -errno. */
int faults__on_ioctl(struct faults *faults, unsigned long request);
/** faults__lateness() - find by how much the wait that is over now is late, in ns. */
uint64_t faults__lateness(struct faults *faults);
/** faults__drops_record() - whether there is no room for this record of a ring buffer. */
bool faults__drops_record(struct faults *faults);
/** faults__is_online() - whether a CPU is online @ns after the start. */
bool faults__is_online(const struct faults *faults, int cpu, uint64_t ns);
/** faults__went_offline() - find when a CPU last went offline before @ns, or UINT64_MAX. */
uint64_t faults__went_offline(const struct faults *faults, int cpu, uint64_t ns);
/** faults__has_offline() - whether any CPU ever goes offline. */
bool faults__has_offline(const struct faults *faults);

#endif
