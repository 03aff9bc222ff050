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
 * struct sample_read - the value of a counter at its latest sample, for groups of perf that are
 * read at samples
 * @id: id of the counter; @tid: the thread, if each thread has a value of its own
 */
struct sample_read {
	uint64_t id, value, enabled, running;
	uint32_t tid;
	bool used;
};

/**
 * struct sample_chunk - the latest samples of a thread
 * @nr: number of samples
 */
struct sample_chunk {
	int tid, nr;
	struct sample_record at[BURST_SAMPLES];
};

/**
 * struct samples - the state of reading samples
 * @sampling: record of tma on the sampling; perf's samples do not have this record
 * @are_perfs: the samples are perf's: an event is sampled, and there is no record of tma on the
 *          sampling
 * @group_reads: each sample has the counts so far of the events in its group
 * @sink:    called with the samples, or NULL; @arg: its argument
 * @held:    records that wait, as earlier records may still come
 * @kept:    memory for records that are passed to the sink
 * @limit_ns: time up to which all records have come after the next FINISHED_ROUND
 * @latest_ns: time of the latest record; @first_ns: time of the first sample
 * @owner:   user of the process that has the next mapping
 * @mapped_id: build id of the file that was mapped last
 * @origin:  facts on mapped files and the kernel
 * @reads:   hash table of counters' values
 * @nr_slots: size of @reads, a power of two; @nr_reads: number of used entries
 * @chunks:  the latest samples of CHUNKS threads, at indexes that follow from the thread ids
 * @nr_bursts: number of bursts that were made from @chunks
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

/** samples__begin() - find out which events are sampled, once all events are known. */
void samples__begin(struct recording *r);
/**
 * samples__is_mapping_event() - whether an event of perf only records mappings, and does not count.
 */
bool samples__is_mapping_event(const struct recording *r, int event);
/** samples__has_record() - whether a record is about samples, and not about counts. */
bool samples__has_record(uint32_t type);
/**
 * samples__take_record() - use a record about samples
 * @body: the record after its header
 *
 * Return: 0; -EINVAL with the problem in @what.
 */
int samples__take_record(struct recording *r, const struct perf_event_header *h, struct span *body,
			 const char **what);
/** samples__take_update() - use an update of an event. Return: 0, or -EINVAL. */
int samples__take_update(struct recording *r, uint64_t what, int event, struct span *s);
/**
 * samples__take_build_id() - read the part of a build id after its header. Return: 0, or -EINVAL.
 */
int samples__take_build_id(struct recording *r, const struct perf_event_header *h, struct span *s);
/** samples__give() - pass all records up to a time to the sink, in the order of time. */
void samples__give(struct recording *r, uint64_t until_ns);
/** samples__hold() - keep a record until all earlier records have come. */
void samples__hold(struct recording *r, const struct sample_record *record);
/**
 * samples__count() - count the events that a sample of perf represents, and hold a sample for each
 * event
 * @at:   the sample; @id: id of its counter
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
