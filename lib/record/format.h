/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf.data in the form of perf 6.12, as far as counts are concerned. The records are libperf's;
 * the structures around them are here. A file is:
 *
 * 	file_header, ids of the events, file_attr of each event, records, sections of the
 * 	features that file_header.features has a bit for, the features themselves
 *
 * and in a pipe it is pipe_header and records, among them those with the attributes and features.
 * All numbers are in the byte order of the machine that wrote it.
 */
#ifndef TMA_RECORD_FORMAT_H
#define TMA_RECORD_FORMAT_H

#include <stdint.h>

#include <perf/event.h>

#include "grid/grid.h"

#define FILE_MAGIC 0x32454c4946524550ULL	 /* "PERFILE2" if the lowest byte is first */
#define FILE_MAGIC_SWAPPED 0x50455246494c4532ULL /* the same of the other byte order */
#define FILE_MAGIC_BYTES 8

struct file_section {
	uint64_t offset, size;
};

struct pipe_header {
	uint64_t magic, size;
};

/* @size is the header's own size: old files end before @features. */
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

#define STRING_ALIGN 64 /* a string's length, including its NUL, is a multiple of this */
#define RECORD_ALIGN 8
#define RECORD_SIZE_MAX UINT16_MAX
#define CACHE_FEATURE_VERSION 1
#define ANY_CPU UINT16_MAX /* in a list of CPUs: counted wherever the task ran */

/* perf's name for a group without a name. */
#define ANONYMOUS_GROUP "{anon_group}"

#endif
