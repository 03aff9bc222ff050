/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files starvation*.c share what is declared here: starvation.c finds groups that starve by the
 * times that were read, starvation_mend.c splits them.
 */
#ifndef TMA_COUNT_STARVATION_STATE_H
#define TMA_COUNT_STARVATION_STATE_H

#include "base/sb.h"
#include "base/vec.h"
#include "count/session.h"
#include "count/starvation.h"

/**
 * struct times - the times of a reading
 * @unknown: its last read failed; both times are 0 then
 */
struct times {
	uint64_t enabled, running;
	bool unknown;
};

/**
 * struct starvation - the state of the search
 * @over:    all groups have run: the search has ended
 * @found:   there are groups to split
 * @due_ns:  when times are read unless they are read before for another reason, since the start
 * @again_ns: reads before this time are ignored, since the start
 * @gap_ns:  time from one check to the next
 * @times:   of each reading, as read last
 * @round_ns: of each event, how long a round of turns takes; 0 while not computed
 * @base:    of (event, unit): the time enabled when its group was split; NULL before any was
 * @waits:   of (event, unit): it starved there, and has not run since; NULL before any group was
 *          split
 * @faults:  of each unit: task_stat.children_faults before anything was opened; NULL where children
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

/** starvation__place() - return the place of (event, unit) in arrays. */
static inline size_t starvation__place(const struct starvation *v, const struct counter *c,
				       int unit)
{
	return (size_t)(c - v->counters->at) * v->counters->units.nr + unit;
}

/**
 * starvation__wait_anew() - restart the wait: a group needs some time from now on before it can
 * count as starved.
 */
void starvation__wait_anew(struct starvation *v, uint64_t now_ns);
/** starvation__set_why() - set the reason why a counter has no counts; NULL if it may have some. */
void starvation__set_why(struct counter *c, const char *words);
/** starvation__can_mend() - whether a group is to be split, now or before a wait. */
bool starvation__can_mend(const struct starvation *v, const struct counter *leader);
/**
 * starvation__name_groups() - append the names of groups of a kind, up to a limit. Return: how many
 * there are.
 */
int starvation__name_groups(const struct starvation *v, struct sb *sb,
			    bool (*is_meant)(const struct starvation *v, const struct counter *c));

/* starvation_mend.c */

/** starvation__why_apart - the reason why an event of a split group counts by itself */
extern const char starvation__why_apart[];

/**
 * starvation__note_faults() - record the page faults of children before anything is opened
 *
 * Those children do not matter. A command does not have any by then.
 */
void starvation__note_faults(struct starvation *v);
/** starvation__mend() - split the groups that were found, while they run. */
void starvation__mend(struct starvation *v);

#endif
