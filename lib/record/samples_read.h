/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of perf.data come in; samples and changes of mappings go out. */
#ifndef TMA_RECORD_SAMPLES_READ_H
#define TMA_RECORD_SAMPLES_READ_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "count/bursts.h"
#include "count/sample_record.h"
#include "record/record.h"
#include "record/samples.h"
#include "record/span.h"

struct input;
struct recording;

/**
 * struct sample_read - a counter's value at its latest sample, for perf's groups that are read at
 * samples
 * @id, @tid: of the counter, and of the thread if each has its own value
 */
struct sample_read {
	uint64_t id, value, enabled, running;
	uint32_t tid;
	bool used;
};

/** struct sample_chunk - the latest samples of a thread. @nr: how many there are */
struct sample_chunk {
	int tid, nr;
	struct sample_record at[BURST_SAMPLES];
};

/**
 * struct samples - the state of reading samples
 * @sampling: as recorded by tma; without it the samples are perf's
 * @are_perfs: an event of the file is sampled, without a record of tma's on sampling
 * @group_reads: a sample has the counts of its group's events up to then
 * @sink:    called with the samples, or NULL; @arg: its argument
 * @held:    records that earlier ones may still precede; @kept: memory for those passed to the sink
 * @limit_ns: time up to which all records are complete after the next FINISHED_ROUND
 * @latest_ns: time of the latest record; @first_ns: of the first sample
 * @owner:   user of the process whose mapping is next
 * @mapped_id: build id of the file that was mapped last
 * @origin:  facts on mapped files and the kernel
 * @reads:   @nr_slots of them, a power of two, by a hash; @nr_reads of them are used
 * @chunks:  CHUNKS of them, a power of two, by threads; @nr_bursts: how many were made from
 *          them
 */
struct samples {
	struct recorded_sampling sampling;
	bool are_perfs, group_reads;
	void (*sink)(void *arg, struct sample_records *records);
	void *arg;
	struct sample_records held, kept;
	uint64_t limit_ns, latest_ns, first_ns;
	struct owner_update owner;
	struct build_id mapped_id;
	struct maps_origin origin;
	struct sample_read *reads;
	int nr_slots, nr_reads;
	struct sample_chunk *chunks;
	uint32_t nr_bursts;
};

/** samples__begin() - find which events are sampled, once all are known. */
void samples__begin(struct recording *r);
/**
 * samples__is_mapping_event() - whether an event of perf's only records mappings, without counting.
 */
bool samples__is_mapping_event(const struct recording *r, int event);
/** samples__has_record() - whether a record concerns samples, rather than counts. */
bool samples__has_record(uint32_t type);
/**
 * samples__take_record() - apply one of these records
 * @body: after its header
 *
 * Return: 0; -EINVAL with the problem in @what.
 */
int samples__take_record(struct recording *r, const struct perf_event_header *h, struct span *body,
			 const char **what);
/** samples__take_update() - apply an update of an event; 0, or -EINVAL. */
int samples__take_update(struct recording *r, uint64_t what, int event, struct span *s);
/** samples__take_build_id() - read the rest of a build id after its header. 0, or -EINVAL. */
int samples__take_build_id(struct recording *r, const struct perf_event_header *h, struct span *s);
/** samples__give() - pass all records up to a time to the sink, in the order of time. */
void samples__give(struct recording *r, uint64_t until_ns);
/** samples__hold() - keep a record until its turn in the order of time. */
void samples__hold(struct recording *r, const struct sample_record *record);
/**
 * samples__count() - count the events that one of perf's samples represents, and hold it for each
 * event
 * @at:   the sample; @id: of its counter
 * @read: the rest of the sample, after its period
 *
 * Return: 0; -EINVAL with the problem in @what.
 */
int samples__count(struct recording *r, const struct sample_record *at, uint64_t id,
		   struct span *read, const char **what);
/**
 * samples__add_burst() - append consecutive samples of a thread as a burst, once there are enough.
 */
void samples__add_burst(struct samples *s, const struct sample_record *record,
			struct sample_records *out);
void samples__free(struct samples *s);

#endif
