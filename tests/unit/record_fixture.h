/* SPDX-License-Identifier: GPL-2.0-only */
/* Recordings made in memory, record by record, for the tests of lib/record. */
#ifndef TMA_TESTS_RECORD_FIXTURE_H
#define TMA_TESTS_RECORD_FIXTURE_H

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "machine/machine.h"
#include "record/cpu_map.h"
#include "record/recorder.h"
#include "unit.h"

#define XEON "GenuineIntel-6-8F-8"

/* The recording that is being made. */
static struct sb file;

static inline void start_pipe(void)
{
	sb__free(&file);
	put_u64(&file, FILE_MAGIC);
	put_u64(&file, sizeof(struct pipe_header));
}

static inline void put_attr(uint32_t type, uint64_t config, uint64_t id)
{
	struct perf_event_attr attr = { .type = type, .config = config, .size = sizeof(attr) };
	size_t start = put_record(&file, PERF_RECORD_HEADER_ATTR);

	sb__add(&file, (const char *)&attr, sizeof(attr));
	put_u64(&file, id);
	ck_assert(record__end(&file, start));
}

static inline void put_update(uint64_t what, uint64_t id, const char *text)
{
	size_t start = put_record(&file, PERF_RECORD_EVENT_UPDATE);

	put_u64(&file, what);
	put_u64(&file, id);
	sb__add(&file, text, strlen(text) + 1);
	record__end(&file, start);
}

static inline void put_list(size_t start, const char *list)
{
	struct cpulist cpus = CPULIST_INIT;

	if (list)
		ck_assert(!cpulist__parse("CPUs", list, &cpus, NULL));
	cpu_map__write(&file, list ? &cpus : NULL);
	record__end(&file, start);
	cpulist__free(&cpus);
}

static inline void put_cpus(const char *list)
{
	put_list(put_record(&file, PERF_RECORD_CPU_MAP), list);
}

static inline void put_own_cpus(uint64_t id, const char *list)
{
	size_t start = put_record(&file, PERF_RECORD_EVENT_UPDATE);

	put_u64(&file, PERF_EVENT_UPDATE__CPUS);
	put_u64(&file, id);
	put_list(start, list);
}

static inline void put_thread(int tid, const char *name)
{
	struct perf_record_thread_map_entry entry = { .pid = tid };
	size_t start = put_record(&file, PERF_RECORD_THREAD_MAP);

	snprintf(entry.comm, sizeof(entry.comm), "%s", name);
	put_u64(&file, 1);
	sb__add(&file, (const char *)&entry, sizeof(entry));
	record__end(&file, start);
}

static inline void put_config(uint64_t tag, uint64_t value)
{
	size_t start = put_record(&file, PERF_RECORD_STAT_CONFIG);

	put_u64(&file, 1);
	put_u64(&file, tag);
	put_u64(&file, value);
	record__end(&file, start);
}

static inline void put_stat(uint64_t id, uint32_t cpu, uint32_t thread, uint64_t value,
			    uint64_t enabled, uint64_t running)
{
	size_t start = put_record(&file, PERF_RECORD_STAT);

	put_u64(&file, id);
	put_u32(&file, cpu);
	put_u32(&file, thread);
	put_u64(&file, value);
	put_u64(&file, enabled);
	put_u64(&file, running);
	record__end(&file, start);
}

static inline void put_round(uint64_t type, uint64_t time)
{
	size_t start = put_record(&file, PERF_RECORD_STAT_ROUND);

	put_u64(&file, type);
	put_u64(&file, time);
	record__end(&file, start);
}

static struct err err;

static inline int open_bytes(const void *data, size_t len, struct recording **out)
{
	static const struct recording_options opts = { .cpuid = XEON };
	int fd = memfd_create("recording", 0), rc;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, data, len), len);
	err = (struct err)ERR_INIT;
	rc = recording__open(fd, "x.data", &opts, out, &err);
	if (rc)
		close(fd);
	return rc; /* open until the test ends: the process closes it */
}

static inline struct recording *open_file(void)
{
	struct recording *r;

	ck_assert_msg(!open_bytes(file.buf, file.len, &r), "%s", err.msg);
	return r;
}

/*
 * Change each byte of the recording, and cut it at each byte: reading gives rows or an error, and
 * never a crash.
 */
static inline void damage_every_byte(void)
{
	static const unsigned char changes[] = { 0, 0xff, 0x80, 1 };
	struct recorded_row row;
	struct recording *r;
	struct counts c;
	size_t len;

	len = file.len;
	for (size_t i = 0; i < len * (sizeof(changes) + 1); i++) {
		size_t place = i / (sizeof(changes) + 1), how = i % (sizeof(changes) + 1);
		char was = file.buf[place];
		int fd = memfd_create("recording", 0), rc;

		if (how < sizeof(changes))
			file.buf[place] = changes[how];
		rc = how < sizeof(changes) ? len : place;
		ck_assert_int_eq(write(fd, file.buf, rc), rc);
		file.buf[place] = was;
		err = (struct err)ERR_INIT;
		rc = recording__open(fd, "x", &(struct recording_options){ .cpuid = NULL }, &r,
				     &err);
		if (!rc) {
			recording__counts(r, &c);
			while ((rc = recording__next(r, &c, &row, &err)) > 0)
				;
			counts__free(&c);
			recording__free(r);
		}
		ck_assert_msg(rc == 0 || *err.msg, "byte %zu: %d without a message", place, rc);
		close(fd);
	}
}

#endif
