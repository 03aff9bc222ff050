/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of perf.data that counts need, in the form of perf 6.12. libperf declares the records;
 * the structures around them are declared here. A file consists of:
 *
 * 	file_header, ids of the events, file_attr of each event, records, a section for each feature
 *  that has a bit in file_header.features, the features themselves
 *
 * In a pipe, it consists of pipe_header and records, which include the attributes and features. All
 * numbers are in the byte order of the machine that wrote the file.
 */
#ifndef TMA_RECORD_FORMAT_H
#define TMA_RECORD_FORMAT_H

#include <stdint.h>

#include <perf/event.h>

#include "grid/grid.h"

#define FILE_MAGIC 0x32454c4946524550ULL	 /* "PERFILE2" if the lowest byte is first */
#define FILE_MAGIC_SWAPPED 0x50455246494c4532ULL /* "PERFILE2" in the other byte order */
#define FILE_MAGIC_BYTES 8

struct file_section {
	uint64_t offset, size;
};

struct pipe_header {
	uint64_t magic, size;
};

/* @size is the size of the header itself: old files end before @features. */
struct file_header {
	uint64_t magic, size, attr_size;
	struct file_section attrs, data, event_types;
	uint64_t features[4];
};

struct file_attr {
	struct perf_event_attr attr;
	struct file_section ids;
};

enum file_feature {
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE,
	FEATURE_VERSION,
	FEATURE_ARCH,
	FEATURE_NRCPUS,
	FEATURE_CPUDESC,
	FEATURE_CPUID,
	FEATURE_TOTAL_MEM,
	FEATURE_CMDLINE,
	FEATURE_EVENT_DESC,
	FEATURE_CPU_TOPOLOGY,
	FEATURE_NUMA_TOPOLOGY,
	FEATURE_PMU_MAPPINGS = 16,
	FEATURE_GROUP_DESC,
	FEATURE_STAT = 19,
	FEATURE_CACHE,
	FEATURE_HYBRID_TOPOLOGY = 30,
	FEATURE_LAST = 32,
};

#define FEATURE_BITS 256

/* Values of perf_record_stat_round.type. */
enum { ROUND_INTERVAL, ROUND_FINAL };

#define STRING_ALIGN 64 /* the length of a string, including its NUL, is a multiple of this */
#define RECORD_ALIGN 8
#define RECORD_SIZE_MAX UINT16_MAX
#define CACHE_FEATURE_VERSION 1
#define ANY_CPU UINT16_MAX /* in a list of CPUs: the event was counted on any CPU that the task ran
			    * on */

/* perf's name for a group without a name. */
#define ANONYMOUS_GROUP "{anon_group}"

#endif
