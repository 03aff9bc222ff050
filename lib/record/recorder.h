/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations that the files that write recordings share. */
#ifndef TMA_RECORD_RECORDER_H
#define TMA_RECORD_RECORDER_H

#include <sys/utsname.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/vec.h"
#include "record/format.h"
#include "record/latencies.h"
#include "record/record.h"
#include "record/samples.h"

/** struct feature - a feature, whose content begins at @at in recorder.features */
struct feature {
	enum file_feature id;
	size_t at, size;
};

/**
 * struct recorder - the state of writing a recording
 * @fd:       descriptor of the file; @pipe: the file is a pipe, which cannot be rewritten
 * @units:    units of the session; @per_cpu: the units are CPUs
 * @out:      bytes that have not been written yet
 * @broken:   a write failed: nothing more is written, and the header still has the end of the valid
 *            part
 * @text, @features: the features, which are made before counting starts, and again after groups
 *         were split
 * @regrouped: value of session__regrouped() for the groups in the file
 * @header:   the header that is now in the file
 * @all:      sum of the latencies of an event on all CPUs or threads
 * @uts:      names of this computer and of its kernel
 * @samples:  (with recorder_options.sampling) state of writing samples; @failure: errno of a
 *            failure to write samples
 */
struct recorder {
	struct machine *machine;
	const struct session *session;
	const struct units *units;
	const struct event_list *events;
	struct recorder_options opts;
	char *path;
	int fd;
	bool pipe, per_cpu, broken;
	struct sb out;
	struct sb text;
	VEC(struct feature) features;
	unsigned int regrouped;
	struct file_header header;
	struct latency all;
	struct utsname uts;
	struct recorder_samples samples;
	struct err failure;
};

/** put_u32(), put_u64() - append a number. */
static inline void put_u32(struct sb *sb, uint32_t value)
{
	sb__add(sb, (const char *)&value, sizeof(value));
}

static inline void put_u64(struct sb *sb, uint64_t value)
{
	sb__add(sb, (const char *)&value, sizeof(value));
}

/** put_zeros() - append @nr bytes of 0. */
static inline void put_zeros(struct sb *sb, size_t nr)
{
	while (nr--)
		sb__putc(sb, '\0');
}

/**
 * put_record() - append the header of a record
 *
 * Return: the position of the record, for record__end(), which fills in the size.
 */
size_t put_record(struct sb *sb, uint32_t type);
/**
 * record__end() - pad a record and fill in its size. Return: whether the content fits into a
 * record.
 */
bool record__end(struct sb *sb, size_t start);

/** recorder__start_update() - begin an update record for an event, as put_record() does. */
size_t recorder__start_update(struct recorder *r, int event, uint64_t what);
/** recorder__put_update() - append an update record with @size bytes. */
void recorder__put_update(struct recorder *r, int event, uint64_t what, const void *data,
			  size_t size);
/** recorder__put_stat() - append a count of a unit, since the start. */
void recorder__put_stat(struct recorder *r, int event, int unit, uint64_t value, uint64_t enabled,
			uint64_t running);

/** recorder__write_out() - write the pending bytes, then the header. Return: 0 or -errno. */
int recorder__write_out(struct recorder *r, struct err *err);
/** recorder__attr() - make the attributes of an event in the form of the file. */
struct perf_event_attr recorder__attr(const struct recorder *r, int event);
/** recorder__id() - return the id of an event in the file. */
uint64_t recorder__id(int event);
/** recorder__put_meta() - append the records that come before counts. */
void recorder__put_meta(struct recorder *r);
/**
 * recorder__regroup() - append the reasons that were found during counting, and keep the new groups
 * for the features.
 */
void recorder__regroup(struct recorder *r);
/** recorder__make_features() - fill in @r->features. */
void recorder__make_features(struct recorder *r);
/** put_string() - append a string in the form of features: its length, and the padded text. */
void put_string(struct sb *sb, const char *text);
/** feature_caches() - append the caches of the machine. */
void feature_caches(struct recorder *r, struct sb *sb);

#endif
