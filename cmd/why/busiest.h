/* SPDX-License-Identifier: GPL-2.0-only */
/* The process with most CPU time while a whole machine is measured, from two reads of procfs. */
#ifndef TMA_CMD_WHY_BUSIEST_H
#define TMA_CMD_WHY_BUSIEST_H

#include <stdbool.h>
#include <stdint.h>

#include "count/process_pick.h"

struct sb;

/**
 * struct why_busiest - the busiest process; zeroed before the first look
 * @pick:   the processes, and their CPU time at the last look
 * @begin_ns: time of the first look
 * @busy_ns: CPU time that all CPUs had used before the first look
 * @is_asked: the first look was taken
 * @is_known: the second look was taken
 * @pid:    id of the busiest process; 0 if no process had CPU time
 * @name:   name of the busiest process; "" if the process has ended
 * @cpus:   mean number of CPUs that the process used
 * @percent: share of the process in the CPU time of all processes; NAN if unknown
 */
struct why_busiest {
	struct process_pick pick;
	uint64_t begin_ns, busy_ns;
	bool is_asked, is_known;
	int pid;
	char name[64];
	double cpus, percent;
};

/** why_busiest__begin() - take the first look. @procfs: where it is mounted; it must outlive @b. */
void why_busiest__begin(struct why_busiest *b, const char *procfs);
/**
 * why_busiest__find() - take the second look
 * @now: do not wait until half a second is over
 */
void why_busiest__find(struct why_busiest *b, bool now);
/** why_busiest__has_process() - find out whether a process had enough CPU time to be named. */
bool why_busiest__has_process(const struct why_busiest *b);
/** why_busiest__put() - append the busiest process as text; nothing without two looks. */
void why_busiest__put(const struct why_busiest *b, struct sb *sb);
void why_busiest__free(struct why_busiest *b);

#endif
