// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/array.h"
#include "sim/clock.h"
#include "sim/record.h"
#include "sim/spot.h"
#include "sim/task.h"

/* An address that looks like an address of a program's data. */
#define USER_DATA 0x7f0000000000ULL

/* The value for an unknown memory access (PERF_MEM_NA). */
#define NO_DATA_SOURCE                                                                             \
	((union perf_mem_data_src){ .mem_op = PERF_MEM_OP_NA,                                      \
				    .mem_lvl = PERF_MEM_LVL_NA,                                    \
				    .mem_snoop = PERF_MEM_SNOOP_NA,                                \
				    .mem_lock = PERF_MEM_LOCK_NA,                                  \
				    .mem_dtlb = PERF_MEM_TLB_NA,                                   \
				    .mem_lvl_num = PERF_MEM_LVLNUM_NA,                             \
				    .mem_blk = PERF_MEM_BLK_NA }                                   \
		 .val)

static void record__begin(struct sim_record *record, uint32_t type, uint16_t misc)
{
	record->header = (struct perf_event_header *)record->word;
	*record->header = (struct perf_event_header){ .type = type, .misc = misc };
	record->nr = sizeof(*record->header) / sizeof(*record->word);
}

static void end(struct sim_record *record)
{
	record->header->size = record__size(record);
}

static void record__put(struct sim_record *record, uint64_t word)
{
	record->word[record->nr++] = word;
}

static uint64_t pair(uint32_t first, uint32_t second)
{
	uint32_t pair[] = { first, second };
	uint64_t word;

	memcpy(&word, pair, sizeof(word));
	return word;
}

/*
 * struct words - the values of most fields of a record, and the event
 * @thread: number of the thread that the sample belongs to
 * @raw: size of the raw data (none), and padding
 * @nothing: 0, the value of fields without data: no registers, an empty stack, no physical address
 */
struct words {
	struct sim_event *event;
	uint16_t misc;
	uint64_t id, ip, tid, time, addr, cpu, period, raw, weight, data_src, nothing;
	int thread;
};

static struct words sample_of(struct sim_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	const struct sim_context *ctx = event->ctx;
	int64_t offset = attr->use_clockid ? clock__offset(attr->clockid) : 0;

	return (struct words){
		.event = event,
		.id = event->id,
		.tid = ctx->task ? pair(ctx->task->tgid, ctx->task->tid) : 0,
		.time = context__clock(ctx) + offset,
		.cpu = pair(ctx->where, 0),
		.raw = pair(sizeof(uint32_t), 0),
		.data_src = NO_DATA_SOURCE,
	};
}

/* Find a thread's share of an event's counts; NULL if the counts of all threads are used. */
static const struct sim_share *record__share(const struct sim_event *event, int thread)
{
	static const struct sim_share nothing;
	const struct sim_share *share;

	/* A single thread has the counts of the event, including the rounding of its registers. */
	if (!thread || sideband__threads(&event->ctx->course) < 2)
		return NULL;
	share = vec__find(s, &event->shares, s->thread == thread);
	return share ? share : &nothing;
}

static uint64_t *read_times(const struct sim_event *event, const struct sim_share *share,
			    uint64_t *at)
{
	uint64_t format = event->attr.read_format;

	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		*at++ = share ? share->enabled_ns : event->enabled_ns;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		*at++ = share ? share->running_ns : event->running_ns;
	return at;
}

static uint64_t value_of(struct sim_event *event, const struct sim_share *share)
{
	return share && event->spoilt != FAULT_COUNT_ZERO ? rate__whole(share->count)
							  : event__count(event);
}

static uint64_t *read_id(const struct sim_event *event, uint64_t format, uint64_t *at)
{
	if (format & PERF_FORMAT_ID)
		*at++ = event->id;
	if (format & PERF_FORMAT_LOST)
		*at++ = event->lost;
	return at;
}

/*
 * Write the result of a read of an event, for one thread or for all threads (0). Return: number of
 * words that were written.
 */
static size_t read_values(struct sim_event *event, int thread, uint64_t *at)
{
	uint64_t format = event->attr.read_format, *start = at;
	struct sim_event *leader = event->leader, *member;

	if (!(format & PERF_FORMAT_GROUP)) {
		const struct sim_share *share = record__share(event, thread);

		*at++ = value_of(event, share);
		return read_id(event, format, read_times(event, share, at)) - start;
	}
	/* cppcheck-suppress nullPointerRedundantCheck ; an event has a leader, perhaps itself */
	*at++ = 1 + leader->siblings.nr;
	at = read_times(leader, record__share(leader, thread), at);
	group__for_each(member, leader) {
		*at++ = value_of(member, record__share(member, thread));
		at = read_id(member, format, at);
	}
	return at - start;
}

static void put_read(struct sim_record *record, const struct words *sample)
{
	const struct sim_event *event = sample->event;

	record->nr += read_values(sample->event, event__shares(event) ? sample->thread : 0,
				  record->word + record->nr);
}

static void put_callchain(struct sim_record *record, const struct words *sample)
{
	bool kernel = sample->misc & PERF_RECORD_MISC_KERNEL;

	record__put(record, 2);
	record__put(record, kernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER);
	record__put(record, sample->ip);
}

static void put_branches(struct sim_record *record, const struct words *sample)
{
	record__put(record, 0);
	if (sample->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		record__put(record, UINT64_MAX);
}

/*
 * The latencies of the cache access and of the whole instruction are two and three times the retire
 * latency, so that a reader that confuses them is noticed.
 */
static uint64_t weight_of(const struct perf_event_attr *attr, uint16_t latency)
{
	uint32_t instruction = latency * 3;
	union perf_sample_weight weight = {
		.var1_dw = latency * 2,
		.var2_w = instruction < UINT16_MAX ? instruction : UINT16_MAX,
		.var3_w = latency,
	};

	return attr->sample_type & PERF_SAMPLE_WEIGHT ? latency * 2U : weight.full;
}

/*
 * struct record_field - a field of a record, which is a member of struct words, or is written by
 * @put
 */
struct record_field {
	uint64_t bit;
	size_t word;
	void (*put)(struct sim_record *record, const struct words *sample);
};

#define WORD(name) offsetof(struct words, name), NULL
#define MORE(function) 0, function

/* The fields of a sample, in order. */
static const struct record_field sample_fields[] = {
	{PERF_SAMPLE_IDENTIFIER, WORD(id)},
	{PERF_SAMPLE_IP, WORD(ip)},
	{PERF_SAMPLE_TID, WORD(tid)},
	{PERF_SAMPLE_TIME, WORD(time)},
	{PERF_SAMPLE_ADDR, WORD(addr)},
	{PERF_SAMPLE_ID, WORD(id)},
	{PERF_SAMPLE_STREAM_ID, WORD(id)},
	{PERF_SAMPLE_CPU, WORD(cpu)},
	{PERF_SAMPLE_PERIOD, WORD(period)},
	{PERF_SAMPLE_READ, MORE(put_read)},
	{PERF_SAMPLE_CALLCHAIN, MORE(put_callchain)},
	{PERF_SAMPLE_RAW, WORD(raw)},
	{PERF_SAMPLE_BRANCH_STACK, MORE(put_branches)},
	{PERF_SAMPLE_REGS_USER, WORD(nothing)},
	{PERF_SAMPLE_STACK_USER, WORD(nothing)},
	{PERF_SAMPLE_WEIGHT_TYPE, WORD(weight)},
	{PERF_SAMPLE_DATA_SRC, WORD(data_src)},
	{PERF_SAMPLE_TRANSACTION, WORD(nothing)},
	{PERF_SAMPLE_REGS_INTR, WORD(nothing)},
	{PERF_SAMPLE_PHYS_ADDR, WORD(nothing)},
	{PERF_SAMPLE_CGROUP, WORD(nothing)},
	{PERF_SAMPLE_DATA_PAGE_SIZE, WORD(nothing)},
	{PERF_SAMPLE_CODE_PAGE_SIZE, WORD(nothing)},
	{PERF_SAMPLE_AUX, WORD(nothing)},
};

/* The fields at the end of other records, with sample_id_all. */
static const struct record_field id_fields[] = {
	{PERF_SAMPLE_TID, WORD(tid)}, {PERF_SAMPLE_TIME, WORD(time)},
	{PERF_SAMPLE_ID, WORD(id)},   {PERF_SAMPLE_STREAM_ID, WORD(id)},
	{PERF_SAMPLE_CPU, WORD(cpu)}, {PERF_SAMPLE_IDENTIFIER, WORD(id)},
};

static void put_fields(struct sim_record *record, const struct record_field *fields, size_t nr,
		       const struct words *sample)
{
	for (const struct record_field *field = fields; field < fields + nr; field++) {
		if (!(sample->event->attr.sample_type & field->bit))
			continue;
		if (field->put)
			field->put(record, sample);
		else
			record__put(record,
				    *(const uint64_t *)((const char *)sample + field->word));
	}
}

/* End a record other than a sample. */
static void end_with_ids(struct sim_record *record, const struct words *sample)
{
	if (sample->event->attr.sample_id_all)
		put_fields(record, id_fields, array__nr(id_fields), sample);
	end(record);
}

void record__sample(struct sim_record *record, struct sim_event *event, uint64_t period)
{
	const struct perf_event_attr *attr = &event->attr;
	struct words sample = sample_of(event);
	struct sim_spot spot = spot__find(event);
	uint16_t latency = 0;

	sample.period = period;
	sample.misc = spot.user ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL;
	sample.ip = spot.ip;
	sample.tid = pair(spot.tgid, spot.tid);
	sample.thread = spot.thread;
	if (attr->precise_ip > 1)
		sample.misc |= PERF_RECORD_MISC_EXACT_IP;
	if (attr->precise_ip && event->sampling.latency) {
		sample.addr = USER_DATA + event->sampling.nr * 0x1240 % 0x1000000;
		latency = sampling__latency(&event->sampling, context__column(event->ctx));
	}
	sample.weight = weight_of(attr, latency);
	record__begin(record, PERF_RECORD_SAMPLE, sample.misc);
	put_fields(record, sample_fields, array__nr(sample_fields), &sample);
	end(record);
}

void record__throttle(struct sim_record *record, struct sim_event *event, bool on)
{
	struct words sample = sample_of(event);

	record__begin(record, on ? PERF_RECORD_UNTHROTTLE : PERF_RECORD_THROTTLE, 0);
	record__put(record, sample.time);
	record__put(record, sample.id);
	record__put(record, sample.id);
	end_with_ids(record, &sample);
}

void record__lost(struct sim_record *record, struct sim_event *event, uint64_t lost)
{
	struct words sample = sample_of(event);

	record__begin(record, PERF_RECORD_LOST, 0);
	record__put(record, sample.id);
	record__put(record, lost);
	end_with_ids(record, &sample);
}

/*
 * Put a text with a terminating 0 and padding up to the next word. A text that is too long is cut
 * off.
 */
static void record__put_text(struct sim_record *record, const char *text)
{
	size_t len = strlen(text), words;

	len = len < PATH_MAX ? len : PATH_MAX - 1;
	words = len / sizeof(uint64_t) + 1;
	record->word[record->nr + words - 1] = 0;
	memcpy(&record->word[record->nr], text, len);
	record->nr += words;
}

void record__comm(struct sim_record *record, struct sim_event *event, pid_t pid, const char *path)
{
	struct words sample = sample_of(event);
	const char *slash = strrchr(path, '/');
	char name[16];

	record__begin(record, PERF_RECORD_COMM,
		      event->attr.comm_exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
	sample.tid = pair(pid, pid);
	record__put(record, sample.tid);
	snprintf(name, sizeof(name), "%s", slash ? slash + 1 : path);
	record__put_text(record, name);
	end_with_ids(record, &sample);
}

void record__fork(struct sim_record *record, struct sim_event *event, const struct sim_fork *fork)
{
	struct words sample = sample_of(event);

	record__begin(record, PERF_RECORD_FORK, 0);
	sample.tid = pair(fork->parent, fork->parent);
	record__put(record, pair(fork->pid, fork->parent));
	record__put(record, pair(fork->tid, fork->parent));
	record__put(record, sample.time);
	end_with_ids(record, &sample);
}

void record__mapped(struct sim_record *record, struct sim_event *event, pid_t pid,
		    const struct sim_mapped *mapped)
{
	struct words sample = sample_of(event);

	record__begin(record, event->attr.mmap2 ? PERF_RECORD_MMAP2 : PERF_RECORD_MMAP,
		      PERF_RECORD_MISC_USER);
	sample.tid = pair(pid, pid);
	record__put(record, sample.tid);
	record__put(record, mapped->from);
	record__put(record, mapped->to - mapped->from);
	record__put(record, mapped->offset);
	if (event->attr.mmap2) {
		record__put(record, pair(mapped->major, mapped->minor));
		record__put(record, mapped->inode);
		record__put(record, 0);
		record__put(record, pair(PROT_READ | PROT_EXEC, MAP_PRIVATE));
	}
	record__put_text(record, mapped->path);
	end_with_ids(record, &sample);
}

size_t record__read_words(const struct perf_event_attr *attr, int nr_members)
{
	uint64_t format = attr->read_format, group = format & PERF_FORMAT_GROUP;
	uint64_t times = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	size_t head = __builtin_popcountll(format & times) + !!group;
	size_t entry = 1 + __builtin_popcountll(format & (PERF_FORMAT_ID | PERF_FORMAT_LOST));

	return head + entry * (group ? nr_members : 1);
}

size_t record__read(struct sim_event *event, uint64_t *at)
{
	return read_values(event, 0, at);
}
