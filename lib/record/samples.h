/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples in perf.data, and changes of mappings: the kernel's records, in the form of perf. Facts
 * that only tma knows are in updates of events, of kinds that perf skips.
 */
#ifndef TMA_RECORD_SAMPLES_H
#define TMA_RECORD_SAMPLES_H

#include <stdint.h>

#include "record/record.h"
#include "where/build_id.h"
#include "where/maps.h"

struct recorder;

/* Names that perf gives to the mapping of the kernel's code, by the symbol at its beginning. */
#define KERNEL_MAP_NAME "[kernel.kallsyms]_text"
#define KERNEL_STEXT_NAME "[kernel.kallsyms]_stext"
#define KERNEL_FILE_NAME "[kernel.kallsyms]"

/* The beginning of a build id in the header's feature, and of a record with one build id. */
struct build_id_record {
	struct perf_event_header header;
	int32_t pid;
	unsigned char id[BUILD_ID_MAX], size, reserved[3];
};

#define MISC_BUILD_ID_SIZE (1 << 15) /* a bit in header.misc: the size is set */

/* All numbers of an update on the sampling. Older files may lack the last ones. */
struct sampling_update {
	uint64_t frequency, samples, bytes, lost, throttled, rings, pages;
	uint64_t user_only, no_bursts, made_up, masked;
};

/* A sample of a burst. */
struct burst_update {
	uint64_t time_ns, address;
	int32_t pid, tid;
	uint32_t number, kernel;
};

/* The user of a process that has mapped memory without a file. */
struct owner_update {
	int32_t pid;
	uint32_t uid;
};

/**
 * struct recorder_samples - the state of writing samples
 * @sampling: settings of the sampling, and the totals at the start
 * @maps:   the mappings of processes
 * @is_hit: for each object, whether it was sampled; objects beyond the end of the list were not
 * @ids:    build ids of the files that were sampled; @nr_written: number of these ids in the file
 * @kernel_hit: the kernel was sampled; @has_kernel_id: the kernel's build id is in @ids
 * @time_ns: time of the current record; @lost: number of samples that the file reports as lost
 * @executed: a process that has just executed a program, and has no name yet; 0 for none
 */
struct recorder_samples {
	struct recorded_sampling sampling;
	struct maps maps;
	VEC(bool) is_hit;
	struct build_ids ids;
	bool kernel_hit, has_kernel_id;
	uint64_t time_ns, lost;
	int nr_written;
	int executed;
};

/** recorder__set_sampled() - change the attributes of an event to those of a sampled event. */
void recorder__set_sampled(const struct recorder *r, int event, struct perf_event_attr *attr);
/** recorder__begin_samples() - append the mappings before the first sample. */
void recorder__begin_samples(struct recorder *r);
/** recorder__end_samples() - append the records that a row's samples need in addition. */
void recorder__end_samples(struct recorder *r);
/**
 * recorder__finish_samples() - append the remaining records, and add the header's feature of build
 * ids.
 */
void recorder__finish_samples(struct recorder *r);
/** recorder__free_samples() - release the state of writing samples. */
void recorder__free_samples(struct recorder *r);

#endif
