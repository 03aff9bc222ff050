/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Faults that a user asks for: TMA_SIM_FAULT="open#3=EMFILE;read#5=short;offline=3@1s-2s;lost=10".
 */
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

/** enum fault_read - how a read() fails */
enum fault_read {
	FAULT_READ_ERRNO,
	FAULT_READ_SHORT, /* it returns 8 bytes too few */
	FAULT_READ_END,	  /* it returns 0: end of file */
};

/** enum fault_count - how an open event counts wrongly */
enum fault_count {
	FAULT_COUNT_NONE,
	FAULT_COUNT_ZERO,  /* it always reads 0 */
	FAULT_COUNT_NEVER, /* its group is never scheduled */
};

/** enum fault_file - how a file is spoiled */
enum fault_file {
	FAULT_FILE_ERRNO, /* it cannot be opened */
	FAULT_FILE_MISSING,
	FAULT_FILE_UNREADABLE, /* reading it gives EIO */
	FAULT_FILE_QUOTED,
	FAULT_FILE_LONG, /* its content, repeated */
	FAULT_FILE_TEXT, /* another text */
};

/**
 * struct fault - one fault
 * @error:  the errno value of the failing call
 * @number: number, from 1 on, of the open, read, ioctl or mapping that fails, or of the wait that
 *          is late; 0 for all
 * @pages:  a mapping fails only if the number of locked pages would exceed this
 * @cpu:    only opens on this CPU fail; -1 for all
 * @event:  only opens of "pmu/terms/", of any event of "pmu", or of "software" fail; NULL for all
 * @request: only this ioctl request fails; 0 for all
 * @count:  how @event counts wrongly
 * @path:   path of the file that is spoiled
 * @file:   how @path is spoiled
 * @text:   the content that @path gets
 * @from_ns, @to_ns: start and end of the time when @cpu is offline, in ns since the start; for a
 *                   wait, @from_ns is the delay of its end
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
 * struct faults - all faults, and the number of calls of each kind and of records so far
 * @text:   the text that was parsed, cut into words; the faults point into it
 * @max_fds: greatest number of open events; -1 for no limit
 * @lost:   every record whose number is a multiple of this is lost; 0 for none
 * @throttle: samples in a tick after which an event is throttled; 0 for the machine's own limit
 */
struct faults {
	VEC(struct fault) list;
	char *text;
	int calls[FAULT_OFFLINE], records, max_fds, lost, throttle;
};

/**
 * faults__parse() - parse a list of faults separated by ';'
 * @faults: an empty list, which faults__free() releases
 *
 * Return: 0 or -errno.
 */
int faults__parse(const char *text, struct faults *faults, struct err *err);
/** faults__free() - free the list. */
void faults__free(struct faults *faults);
/**
 * faults__on_open() - find out whether the present open fails
 * @event: the event that is opened, with pmu, config and cpu set
 * @nr_open: number of open simulated events
 *
 * Return: 0 or -errno.
 */
int faults__on_open(struct faults *faults, const struct sim_event *event, int nr_open);
/** faults__on_count() - find how an event counts wrongly. */
enum fault_count faults__on_count(const struct faults *faults, const struct sim_event *event);
/** faults__on_read() - find the fault of the present read; NULL if it does not fail. */
const struct fault *faults__on_read(struct faults *faults);
/**
 * faults__on_mmap() - find out whether a mapping fails. @pages: number of locked pages with it.
 * Return: 0 or -errno.
 */
int faults__on_mmap(struct faults *faults, size_t pages);
/** faults__on_ioctl() - find out whether an ioctl request fails. Return: 0 or -errno. */
int faults__on_ioctl(struct faults *faults, unsigned long request);
/** faults__lateness() - find by how much the end of the present wait is late, in ns. */
uint64_t faults__lateness(struct faults *faults);
/** faults__drops_record() - find out whether the present record of a ring buffer is lost. */
bool faults__drops_record(struct faults *faults);
/** faults__is_online() - find out whether a CPU is online @ns after the start. */
bool faults__is_online(const struct faults *faults, int cpu, uint64_t ns);
/**
 * faults__went_offline() - find the last time before @ns at which a CPU went offline, or
 * UINT64_MAX.
 */
uint64_t faults__went_offline(const struct faults *faults, int cpu, uint64_t ns);
/** faults__has_offline() - find out whether any CPU ever goes offline. */
bool faults__has_offline(const struct faults *faults);

#endif
