/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples in perf.data, and changes of what is mapped: the kernel's records, as perf has them.
 * Words on them that only tma knows stand in updates of events, of kinds that perf passes over.
 */
#ifndef TMA_RECORD_SAMPLES_H
#define TMA_RECORD_SAMPLES_H

#include <stdint.h>

#include "record/record.h"
#include "where/build_id.h"
#include "where/maps.h"

struct recorder;

#define KERNEL_MAP_NAME "[kernel.kallsyms]_text" /* perf's, of the kernel's code */
#define KERNEL_FILE_NAME "[kernel.kallsyms]"

/* The header's feature of build ids, and a record of one, begin with this. */
struct build_id_record {
	struct perf_event_header header;
	int32_t pid;
	unsigned char id[BUILD_ID_MAX], size, reserved[3];
};

#define MISC_BUILD_ID_SIZE (1 << 15) /* in header.misc: the size is set */

/* All numbers of an update that tells of the sampling. Its last ones may be missing. */
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

/* Whose process it is that has mapped memory without a file. */
struct owner_update {
	int32_t pid;
	uint32_t uid;
};

/**
 * struct recorder_samples - of a recorder
 * @sampling: as it began
 * @maps:   what is mapped
 * @is_hit: of each object: it was sampled; @nr_hit: of so many this is known
 * @ids:    of files that were sampled; @nr_told: how many of them stand in the file
 * @kernel: the kernel was sampled, and is among @ids
 * @time_ns: of the record at hand; @lost: samples that the file says were lost
 * @executed: a process that has just executed a program, and has no name yet; 0 for none
 */
struct recorder_samples {
	struct recorded_sampling sampling;
	struct maps maps;
	VEC(bool) is_hit;
	struct build_ids ids;
	bool kernel_hit, kernel_told;
	uint64_t time_ns, lost;
	int nr_told;
	int executed;
};

/** recorder__set_sampled() - make the attributes of an event those of one that is sampled. */
void recorder__set_sampled(const struct recorder *r, int event, struct perf_event_attr *attr);
/** recorder__begin_samples() - append what is there before the first sample. */
void recorder__begin_samples(struct recorder *r);
/** recorder__end_samples() - append what a row's samples need beside them. */
void recorder__end_samples(struct recorder *r);
/** recorder__finish_samples() - append what is left, and add the header's feature of build ids. */
void recorder__finish_samples(struct recorder *r);
/** recorder__free_samples() - release them. */
void recorder__free_samples(struct recorder *r);

#endif
