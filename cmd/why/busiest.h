/* SPDX-License-Identifier: GPL-2.0-only */
/* The process with most CPU time while a whole machine is measured, from two looks at procfs. */
#ifndef TMA_CMD_WHY_BUSIEST_H
#define TMA_CMD_WHY_BUSIEST_H

#include <stdbool.h>
#include <stdint.h>

#include "count/process_pick.h"

struct sb;

/**
 * struct why_busiest - the busiest process; zeroed at first, and left so where it is not asked for
 * @begin_ns: when the first look was; @busy_ns: CPU time of all until then
 * @is_asked: there was a first look; @is_known: and a second one
 * @pid: 0 where no process had CPU time; @name: its name, or "" if it has ended
 * @cpus: CPU time by time; @percent: of the CPU time of all, NAN if that is not known
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
/** why_busiest__has_process() - find out whether a process had enough CPU time to be looked at. */
bool why_busiest__has_process(const struct why_busiest *b);
/** why_busiest__may_measure() - find out whether this user may count the process. */
bool why_busiest__may_measure(const struct why_busiest *b);
/** why_busiest__put() - append which process it is, for people; nothing where it was not asked. */
void why_busiest__put(const struct why_busiest *b, struct sb *sb);
void why_busiest__free(struct why_busiest *b);

#endif
