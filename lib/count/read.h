/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading counters: what each read(2) returns, and the order of the steps of session__read(). Open
 * counters come in; samples of all events on all units go out.
 */
#ifndef TMA_COUNT_READ_H
#define TMA_COUNT_READ_H

#include "base/vec.h"
#include "count/attach.h"
#include "count/counters.h"

/**
 * struct member - the event of one value of a read; the kernel's order is mostly the same
 * @at: index of its sample in struct counts
 */
struct member {
	uint64_t id;
	int event, at;
};

/** struct unread_sample - a sample that no read fills in, and its status */
struct unread_sample {
	int at;
	enum sample_status status;
};

/**
 * struct reading - one read(2): of a group, or of an event alone, on one unit
 * @first, @nr: its members in readings.members
 * @group:   the result has the form of PERF_FORMAT_GROUP
 * @sampled: it is a latency that is sampled: there is one read(2) in each of its places
 * @pinned:  end of file means that no counter was available
 * @topdown: there are TopDown metric events among the members
 */
struct reading {
	int fd, unit, first, nr;
	bool group, pinned, sampled, topdown;
};

/*
 * The first words that read(2) returns. READ_FIRST is the value, or how many members a group has.
 */
enum { READ_FIRST, READ_ENABLED, READ_RUNNING, READ_WORDS };

/**
 * struct readings - all that is read at one time, in the order of units
 * @nr_topdown_groups: how many groups with TopDown metric events multiplex on one PMU
 * @buf:      for the result of one read(2), large enough for the largest group
 * @others:   all samples that no reading has a member for, except sampled ones
 * @failed:   how many of the last readings__read() failed
 * @unread:   how many reads since the row's began failed without a known reason
 * @warned_unread: a warning reported it
 * @lost:     samples which the kernel reports as lost, in the last readings__read()
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

/** readings__new() - make the list, or make it again; everything is open. */
void readings__new(struct readings *rs);
void readings__free(struct readings *rs);
/**
 * readings__read() - read all open counters, without what they had counted before they were
 * reopened.
 */
void readings__read(struct readings *rs, struct counts *total);

/** reading__counter() - return the counter of a reading: the leader of its group. */
static inline const struct counter *reading__counter(const struct readings *rs,
						     const struct reading *r)
{
	return &rs->counters->at[rs->members.at[r->first].event];
}

/** reading__sample() - return the sample of one of its members in counts. */
static inline struct sample *reading__sample(const struct readings *rs, struct counts *total,
					     const struct reading *r, int member)
{
	return &total->at[rs->members.at[r->first + member].at];
}

/**
 * readings__read_one() - read one event on one unit, also if its group has fallen apart
 *
 * Return: 0 with the raw numbers in @sample, or -1.
 */
int readings__read_one(const struct readings *rs, const struct counter *c, int unit,
		       struct sample *sample);

/**
 * struct read_step - one of the steps of session__read(), in order
 * @name: what is read, or what is done with it
 * @of:   the attachment that does it, or EVERY_RUN
 * @run:  called with the attachment, or with the session for EVERY_RUN
 */
struct read_step {
	const char *name;
	enum attached of;
	void (*run)(void *self, struct counts *total);
};

/* All steps; a run makes those of EVERY_RUN and of its attachments. The last entry has no name. */
extern const struct read_step read_steps[];

#endif
