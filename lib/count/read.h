/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading counters: what is read with one read(2), and the order in which the steps of
 * session__read() are made. Open counters come in; samples of all events on all units go out.
 */
#ifndef TMA_COUNT_READ_H
#define TMA_COUNT_READ_H

#include "base/vec.h"
#include "count/attach.h"
#include "count/counters.h"

/**
 * struct member - which event a value of a read is for; the kernel's order is mostly ours
 * @at: the place of its sample in struct counts
 */
struct member {
	uint64_t id;
	int event, at;
};

/** struct unread_sample - one that no read fills in, and what it is then */
struct unread_sample {
	int at;
	enum sample_status status;
};

/**
 * struct reading - one read(2): of a group, or of an event alone, on one unit
 * @first, @nr: its members in readings.members
 * @group:   the answer has the form of PERF_FORMAT_GROUP
 * @sampled: it is a latency that is sampled: there is one read(2) in each of its places
 * @pinned:  end of file means that the counter was not to be had
 * @topdown: there are TopDown metric events among the members
 */
struct reading {
	int fd, unit, first, nr;
	bool group, pinned, sampled, topdown;
};

/* The words that read(2) gives first. READ_FIRST is the value, or how many members a group has. */
enum { READ_FIRST, READ_ENABLED, READ_RUNNING, READ_WORDS };

/**
 * struct readings - all that is read at one time, in the order of units
 * @nr_topdown_groups: how many groups with TopDown metric events take turns on one PMU
 * @buf:      for one read(2), large enough for the largest group
 * @others:   all samples that no member of a reading is, but for those that are sampled
 * @failed:   how many of the last readings__read() failed
 * @unread:   how many reads since the row's began failed for no good reason
 * @told_unread: a warning says so
 * @lost:     samples which the kernel says it lost, in the last readings__read()
 */
struct readings {
	struct session *session;
	const struct counter_list *counters;
	bool told_unread;
	struct reading *at;
	int nr, cap;
	VEC(struct member) members;
	uint64_t *buf;
	size_t buf_size;
	VEC(struct unread_sample) others;
	int nr_topdown_groups, failed, unread;
	uint64_t lost;
};

/** readings__new() - make the list, anew as well; everything is open. */
void readings__new(struct readings *rs);
void readings__free(struct readings *rs);
/** readings__read() - read all that is open, without what had been counted before. */
void readings__read(struct readings *rs, struct counts *total);

/** reading__counter() - the counter that a reading is of: the leader of its group. */
static inline const struct counter *reading__counter(const struct readings *rs,
						     const struct reading *r)
{
	return &rs->counters->at[rs->members.at[r->first].event];
}

/** reading__sample() - where the sample of one of its members is in counts. */
static inline struct sample *reading__sample(const struct readings *rs, struct counts *total,
					     const struct reading *r, int member)
{
	return &total->at[rs->members.at[r->first + member].at];
}

/**
 * readings__read_one() - read one event on one unit, be it of a group that has fallen apart
 *
 * Return: 0 with the raw numbers in @sample, or -1.
 */
int readings__read_one(const struct readings *rs, const struct counter *c, int unit,
		       struct sample *sample);

/**
 * struct read_step - one of the things that session__read() does, in order
 * @name: what is read, or what becomes of it
 * @of:   the attachment that does it, or EVERY_RUN
 * @run:  called with the attachment, or with the session for EVERY_RUN
 */
struct read_step {
	const char *name;
	enum attached of;
	void (*run)(void *self, struct counts *total);
};

/* All steps; a run makes those of EVERY_RUN and of its attachments. The last one has no name. */
extern const struct read_step read_steps[];

#endif
