/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of perf.data come in, samples and changes of what is mapped go out. */
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
 * struct sample_read - a counter's value at its latest sample, for perf's groups that are read then
 * @id, @tid: of the counter, and of the thread where each has its own value
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
 * struct samples - those of a recording
 * @sampling: as tma said; without it they are perf's
 * @are_perfs: an event of the file is sampled, and tma did not say so
 * @group_reads: a sample has what the events of its group had counted
 * @sink:    gets them, or NULL; @arg: its own
 * @held:    those that others may come before; @kept: memory for those that are given
 * @limit_ns: up to where none can come any more, after the next FINISHED_ROUND
 * @latest_ns: time of the latest record; @first_ns: of the first sample
 * @owner:   of the process whose mapping comes next
 * @mapped_id: build id of the file that was mapped last
 * @origin:  what is known of mapped files and the kernel
 * @reads:   @nr_slots of them, a power of two, by a hash; @nr_reads: are used
 * @chunks:  @nr_chunks of them, a power of two, by threads; @nr_bursts: made of them
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

/** samples__begin() - look which events are sampled, once all are known. */
void samples__begin(struct recording *r);
/** samples__is_teller() - whether an event of perf's has nothing to count: it tells of mappings. */
bool samples__is_teller(const struct recording *r, int event);
/** samples__has_record() - whether a record belongs to samples, rather than to counts. */
bool samples__has_record(uint32_t type);
/**
 * samples__take_record() - take one of these records
 * @body: after its header
 *
 * Return: 0; -EINVAL with @what being what is wrong.
 */
int samples__take_record(struct recording *r, const struct perf_event_header *h, struct span *body,
			 const char **what);
/** samples__take_update() - take an update of an event; 0, or -EINVAL. */
int samples__take_update(struct recording *r, uint64_t what, int event, struct span *s);
/** samples__take_build_id() - take what follows the header of a build id. 0, or -EINVAL. */
int samples__take_build_id(struct recording *r, const struct perf_event_header *h, struct span *s);
/** samples__give() - give the sink all records up to a time, in the order of time. */
void samples__give(struct recording *r, uint64_t until_ns);
/** samples__hold() - hold a record until its time has come. */
void samples__hold(struct recording *r, const struct sample_record *record);
/**
 * samples__count() - count what one of perf's samples stands for, and hold it for each event
 * @at:   the sample; @id: of its counter
 * @read: what follows its period
 *
 * Return: 0; -EINVAL with @what being what is wrong.
 */
int samples__count(struct recording *r, const struct sample_record *at, uint64_t id,
		   struct span *read, const char **what);
/** samples__add_burst() - append the samples of a thread in a row, once there are enough. */
void samples__add_burst(struct samples *s, const struct sample_record *record,
			struct sample_records *out);
void samples__free(struct samples *s);

#endif
