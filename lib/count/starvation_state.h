/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations that the files starvation*.c share. starvation.c finds groups that starve by the
 * times that were read, starvation_mend.c splits these groups.
 */
#ifndef TMA_COUNT_STARVATION_STATE_H
#define TMA_COUNT_STARVATION_STATE_H

#include "base/sb.h"
#include "base/vec.h"
#include "count/session.h"
#include "count/starvation.h"

/**
 * struct times - the times of a reading
 * @unknown: the last read failed; both times are 0 then
 */
struct times {
	uint64_t enabled, running;
	bool unknown;
};

/**
 * struct starvation - the state of the search
 * @over:    all groups have run: the search has ended
 * @found:   there are groups to split
 * @due_ns:  when times are read, since the start, unless they have already been read for another
 *          reason
 * @again_ns: time since the start before which reads are ignored
 * @gap_ns:  time from one check to the next
 * @times:   for each reading, the times as last read
 * @round_ns: for each event, how long a round of turns takes; 0 if not computed yet
 * @base:    for each (event, unit), the time enabled when its group was split; NULL before the
 *          first split
 * @waits:   for each (event, unit), whether the event starved on the unit and has not run since;
 *          NULL before the first split
 * @faults:  for each unit, task_stat.children_faults before anything was opened; NULL if children
 *           are not counted
 */
struct starvation {
	struct session *session;
	struct counter_list *counters;
	struct readings *readings;
	bool over, found;
	uint64_t due_ns, again_ns, gap_ns;
	VEC(struct times) times;
	uint64_t *round_ns, *base, *faults;
	bool *waits;
};

/** starvation__place() - return the index of (event, unit) in arrays. */
static inline size_t starvation__place(const struct starvation *v, const struct counter *c,
				       int unit)
{
	return (size_t)(c - v->counters->at) * v->counters->units.nr + unit;
}

/**
 * starvation__wait_anew() - restart the wait: some time must pass from now on before a group can
 * count as starved.
 */
void starvation__wait_anew(struct starvation *v, uint64_t now_ns);
/** starvation__set_why() - set the reason why a counter has no counts; NULL if it may have some. */
void starvation__set_why(struct counter *c, const char *words);
/** starvation__can_mend() - whether a starved group can be split, now or before the next wait. */
bool starvation__can_mend(const struct starvation *v, const struct counter *leader);
/**
 * starvation__name_groups() - append the names of groups of a kind, up to a limit. Return: number
 * of groups.
 */
int starvation__name_groups(const struct starvation *v, struct sb *sb,
			    bool (*is_meant)(const struct starvation *v, const struct counter *c));

/* starvation_mend.c */

/** starvation__why_apart - the reason why an event of a split group is counted by itself */
extern const char starvation__why_apart[];

/**
 * starvation__note_faults() - record the page faults of children before anything is opened
 *
 * Children that exist before the counters do not matter. A command does not have any children yet.
 */
void starvation__note_faults(struct starvation *v);
/** starvation__mend() - split the groups that were found to starve, while they are counted. */
void starvation__mend(struct starvation *v);

#endif
