/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading counters: the result of each read(2), and the order of the steps of session__read(). Open
 * counters come in; samples of all events on all units go out.
 */
#ifndef TMA_COUNT_READ_H
#define TMA_COUNT_READ_H

#include "base/vec.h"
#include "count/attach.h"
#include "count/counters.h"

/**
 * struct member - the event of one value that a read returns, mostly in the kernel's order
 * @at: index of the event's sample in struct counts
 */
struct member {
	uint64_t id;
	int event, at;
};

/** struct unread_sample - a sample that no read fills in, with its status */
struct unread_sample {
	int at;
	enum sample_status status;
};

/**
 * struct reading - one read(2), of a group or of a single event, on one unit
 * @first: index of the first member in readings.members; @nr: number of members
 * @group:   the result has the form of PERF_FORMAT_GROUP
 * @sampled: the event is a latency that is sampled: one read(2) is made in each of its places
 * @pinned:  the event is pinned: end of file means that no counter was available
 * @topdown: some members are TopDown metric events
 */
struct reading {
	int fd, unit, first, nr;
	bool group, pinned, sampled, topdown;
};

/*
 * The first words that read(2) returns. READ_FIRST is the value, or the number of members of a
 * group.
 */
enum { READ_FIRST, READ_ENABLED, READ_RUNNING, READ_WORDS };

/**
 * struct readings - all readings of a session__read(), in the order of units
 * @nr_topdown_groups: number of groups with TopDown metric events that multiplex on one PMU
 * @buf:      memory for the result of one read(2), large enough for the largest group
 * @others:   samples that no reading fills in, and those of sampled latencies
 * @failed:   number of reads in the last readings__read() that failed
 * @unread:   number of reads since the row began that failed without a known reason
 * @warned_unread: a warning reported a failed read
 * @lost:     number of samples that the kernel reported as lost, in the last readings__read()
 */
struct readings {
	struct session *session;
	const struct counter_list *counters;
	bool warned_unread;
	struct reading *at;
	int nr, cap;
	VEC(struct member) members;
	uint64_t *buf;
	size_t buf_size;
	VEC(struct unread_sample) others;
	int nr_topdown_groups, failed, unread;
	uint64_t lost;
};

/** readings__new() - make the list of readings, or make it again; all counters are open. */
void readings__new(struct readings *rs);
void readings__free(struct readings *rs);
/**
 * readings__read() - read all open counters, without their counts from before they were reopened.
 */
void readings__read(struct readings *rs, struct counts *total);

/** reading__counter() - return the counter of a reading: the leader of its group. */
static inline const struct counter *reading__counter(const struct readings *rs,
						     const struct reading *r)
{
	return &rs->counters->at[rs->members.at[r->first].event];
}

/** reading__sample() - return the sample, in counts, of one member of a reading. */
static inline struct sample *reading__sample(const struct readings *rs, struct counts *total,
					     const struct reading *r, int member)
{
	return &total->at[rs->members.at[r->first + member].at];
}

/** readings__read_one() - read one event on one unit, even if its group has fallen apart */
int readings__read_one(const struct readings *rs, const struct counter *c, int unit,
		       struct sample *sample);

/**
 * struct read_step - one of the steps of session__read(), in order
 * @name: what the step reads or changes
 * @of:   the attachment that makes the step, or EVERY_RUN
 * @run:  called with the attachment, or with the session for EVERY_RUN
 */
struct read_step {
	const char *name;
	enum attached of;
	void (*run)(void *self, struct counts *total);
};

/*
 * All steps. A run makes the steps of EVERY_RUN and of its attachments. The last entry has no name.
 */
extern const struct read_step read_steps[];

#endif
