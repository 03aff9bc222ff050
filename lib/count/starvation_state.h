/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files starvation*.c share what is declared here: starvation.c finds groups that starve by the
 * times that were read, starvation_mend.c takes them apart.
 */
#ifndef TMA_COUNT_STARVATION_STATE_H
#define TMA_COUNT_STARVATION_STATE_H

#include "base/sb.h"
#include "base/vec.h"
#include "count/session.h"
#include "count/starvation.h"

/**
 * struct times - what was read of the times of a reading
 * @unknown: the last read of it failed; both times are 0 then
 */
struct times {
	uint64_t enabled, running;
	bool unknown;
};

/**
 * struct starvation - the state of the search
 * @over:    all groups have run: nothing is looked for any more
 * @found:   there are groups to take apart
 * @due_ns:  when times are read, if nothing else is until then, since the start
 * @again_ns: before it no read is looked at, since the start
 * @gap_ns:  how long after a look the next one is due
 * @times:   of each reading, as read last
 * @round_ns: of each event, how long a round of turns takes; 0 where nobody has asked
 * @base:    of (event, unit): the time enabled when its group was taken apart; NULL before any was
 * @waits:   of (event, unit): there it was starved, and has not run since; NULL before any was
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

/** starvation__place() - the place of (event, unit) in arrays. */
static inline size_t starvation__place(const struct starvation *v, const struct counter *c,
				       int unit)
{
	return (size_t)(c - v->counters->at) * v->counters->units.nr + unit;
}

/** starvation__wait_anew() - no group can have starved before it has had some time from now on. */
void starvation__wait_anew(struct starvation *v, uint64_t now_ns);
/** starvation__set_why() - say why a counter has no counts, or NULL where it may have some. */
void starvation__set_why(struct counter *c, const char *words);
/** starvation__can_mend() - whether smaller groups are to be made of one, now or before a wait. */
bool starvation__can_mend(const struct starvation *v, const struct counter *leader);
/** starvation__name_groups() - name groups of a kind, up to some. Return: how many there are. */
int starvation__name_groups(const struct starvation *v, struct sb *sb,
			    bool (*is_meant)(const struct starvation *v, const struct counter *c));

/* starvation_mend.c */

/** starvation__why_apart - why an event of a group that was taken apart counts by itself */
extern const char starvation__why_apart[];

/**
 * starvation__note_faults() - remember which children there were before anything is opened
 *
 * These do not matter. A command has none by then.
 */
void starvation__note_faults(struct starvation *v);
/** starvation__mend() - take apart the groups that were found, while they run. */
void starvation__mend(struct starvation *v);

#endif
