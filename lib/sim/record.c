// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/array.h"
#include "sim/clock.h"
#include "sim/record.h"
#include "sim/task.h"

/* These addresses look like a program's and the kernel's. */
#define USER_CODE 0x401000ULL
#define KERNEL_CODE 0xffffffff81000000ULL
#define USER_DATA 0x7f0000000000ULL

/* This says that nothing is known of a memory access (PERF_MEM_NA). */
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
 * struct words - the words that most fields of a record are made of, and the event
 * @raw: without raw data there is still its size, and padding
 * @nothing: a field of which there is nothing: no registers, an empty stack, no physical address
 */
struct words {
	struct sim_event *event;
	uint16_t misc;
	uint64_t id, ip, tid, time, addr, cpu, period, raw, weight, data_src, nothing;
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

static void put_read(struct sim_record *record, const struct words *sample)
{
	record->nr += record__read(sample->event, record->word + record->nr);
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
 * The latencies of the access to the cache and of the whole instruction are told apart from the
 * one at retirement by being two and three times as long.
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

/* struct record_field - a field of a record: a word of struct words, or what a function puts */
struct record_field {
	uint64_t bit;
	size_t word;
	void (*put)(struct sim_record *record, const struct words *sample);
};

#define WORD(name) offsetof(struct words, name), NULL
#define MORE(function) 0, function

/* A sample has its fields in this order. */
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

/* These stand behind other records, with sample_id_all. */
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

/* End a record that is no sample. */
static void end_with_ids(struct sim_record *record, const struct words *sample)
{
	if (sample->event->attr.sample_id_all)
		put_fields(record, id_fields, array__nr(id_fields), sample);
	end(record);
}

/* Tell whether the present sample is in user space: as often as the PMU's counts are. */
static bool is_user(const struct sim_event *event)
{
	double share = event->pmu ? event->pmu->user_share : 1;

	if (event->attr.exclude_kernel || event->attr.exclude_user)
		return event->attr.exclude_kernel;
	return event->sampling.nr * 61 % 100 < share * 100;
}

void record__sample(struct sim_record *record, struct sim_event *event, uint64_t period)
{
	const struct perf_event_attr *attr = &event->attr;
	struct words sample = sample_of(event);
	bool user = is_user(event);
	uint16_t latency = 0;

	sample.period = period;
	sample.misc = user ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL;
	sample.ip = (user ? USER_CODE : KERNEL_CODE) + event->sampling.nr * 0x9e5 % 0x10000;
	if (attr->precise_ip > 1)
		sample.misc |= PERF_RECORD_MISC_EXACT_IP;
	if (attr->precise_ip && event->sampling.latency) {
		sample.addr = USER_DATA + event->sampling.nr * 0x1240 % 0x1000000;
		latency = sampling__latency(&event->sampling, context__phase(event->ctx));
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

size_t record__read_words(const struct perf_event_attr *attr, int nr_members)
{
	uint64_t format = attr->read_format, group = format & PERF_FORMAT_GROUP;
	uint64_t times = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	size_t head = __builtin_popcountll(format & times) + !!group;
	size_t entry = 1 + __builtin_popcountll(format & (PERF_FORMAT_ID | PERF_FORMAT_LOST));

	return head + entry * (group ? nr_members : 1);
}

static uint64_t *read_times(const struct sim_event *event, uint64_t format, uint64_t *at)
{
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		*at++ = event->enabled_ns;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		*at++ = event->running_ns;
	return at;
}

static uint64_t *read_id(const struct sim_event *event, uint64_t format, uint64_t *at)
{
	if (format & PERF_FORMAT_ID)
		*at++ = event->id;
	if (format & PERF_FORMAT_LOST)
		*at++ = event->lost;
	return at;
}

size_t record__read(struct sim_event *event, uint64_t *at)
{
	uint64_t format = event->attr.read_format, *start = at;
	struct sim_event *leader = event->leader, *member;

	if (!(format & PERF_FORMAT_GROUP)) {
		*at++ = event__count(event);
		return read_id(event, format, read_times(event, format, at)) - start;
	}
	/* cppcheck-suppress nullPointerRedundantCheck ; an event has a leader, if only itself */
	*at++ = 1 + leader->siblings.nr;
	at = read_times(leader, format, at);
	group__for_each(member, leader) {
		*at++ = event__count(member);
		at = read_id(member, format, at);
	}
	return at - start;
}
