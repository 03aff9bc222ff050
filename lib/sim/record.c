// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "sim/clock.h"
#include "sim/record.h"
#include "sim/task.h"

/* Addresses that look like a program's and the kernel's. */
#define USER_CODE 0x401000ULL
#define KERNEL_CODE 0xffffffff81000000ULL
#define USER_DATA 0x7f0000000000ULL

/* PERF_MEM_NA: nothing is known of a memory access. */
#define NO_DATA_SOURCE                                                                             \
	((union perf_mem_data_src){ .mem_op = PERF_MEM_OP_NA,                                      \
				    .mem_lvl = PERF_MEM_LVL_NA,                                    \
				    .mem_snoop = PERF_MEM_SNOOP_NA,                                \
				    .mem_lock = PERF_MEM_LOCK_NA,                                  \
				    .mem_dtlb = PERF_MEM_TLB_NA,                                   \
				    .mem_lvl_num = PERF_MEM_LVLNUM_NA,                             \
				    .mem_blk = PERF_MEM_BLK_NA }                                   \
		 .val)

static void begin(struct sim_record *record, uint32_t type, uint16_t misc)
{
	record->header = (struct perf_event_header *)record->word;
	*record->header = (struct perf_event_header){ .type = type, .misc = misc };
	record->nr = sizeof(*record->header) / sizeof(*record->word);
}

static void end(struct sim_record *record)
{
	record->header->size = record__size(record);
}

static void put(struct sim_record *record, uint64_t word)
{
	record->word[record->nr++] = word;
}

static void put_pair(struct sim_record *record, uint32_t first, uint32_t second)
{
	uint32_t pair[] = { first, second };
	uint64_t word;

	memcpy(&word, pair, sizeof(word));
	put(record, word);
}

/* struct sample - what the fields of a sample are made from */
struct sample {
	struct sim_event *event;
	uint64_t period, ip, addr, number;
	uint16_t misc, latency;
};

static void put_id(struct sim_record *record, const struct sample *sample)
{
	put(record, sample->event->id);
}

static void put_ip(struct sim_record *record, const struct sample *sample)
{
	put(record, sample->ip);
}

static void put_tid(struct sim_record *record, const struct sample *sample)
{
	const struct sim_task *task = sample->event->ctx->task;

	put_pair(record, task ? task->tgid : 0, task ? task->tid : 0);
}

static void put_time(struct sim_record *record, const struct sample *sample)
{
	const struct perf_event_attr *attr = &sample->event->attr;
	uint64_t now = context__clock(sample->event->ctx);

	put(record, attr->use_clockid ? now + clock__offset(attr->clockid) : now);
}

static void put_addr(struct sim_record *record, const struct sample *sample)
{
	put(record, sample->addr);
}

static void put_cpu(struct sim_record *record, const struct sample *sample)
{
	put_pair(record, sample->event->ctx->where, 0);
}

static void put_period(struct sim_record *record, const struct sample *sample)
{
	put(record, sample->period);
}

static void put_read(struct sim_record *record, const struct sample *sample)
{
	record->nr += record__read(sample->event, record->word + record->nr);
}

static void put_callchain(struct sim_record *record, const struct sample *sample)
{
	bool kernel = sample->misc & PERF_RECORD_MISC_KERNEL;

	put(record, 2);
	put(record, kernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER);
	put(record, sample->ip);
}

/* Without raw data there is still its size, and padding. */
static void put_raw(struct sim_record *record, const struct sample *sample)
{
	(void)sample;
	put_pair(record, sizeof(uint32_t), 0);
}

static void put_branches(struct sim_record *record, const struct sample *sample)
{
	put(record, 0);
	if (sample->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		put(record, UINT64_MAX);
}

/* A field of which there is nothing: no registers, an empty stack, no physical address ... */
static void put_nothing(struct sim_record *record, const struct sample *sample)
{
	(void)sample;
	put(record, 0);
}

/*
 * The latencies of the access to the cache and of the whole instruction are told apart from the
 * one at retirement by being two and three times as long.
 */
static void put_weight(struct sim_record *record, const struct sample *sample)
{
	uint32_t instruction = sample->latency * 3;
	union perf_sample_weight weight = {
		.var1_dw = sample->latency * 2,
		.var2_w = instruction < UINT16_MAX ? instruction : UINT16_MAX,
		.var3_w = sample->latency,
	};

	if (sample->event->attr.sample_type & PERF_SAMPLE_WEIGHT)
		weight.full = sample->latency * 2;
	put(record, weight.full);
}

static void put_data_src(struct sim_record *record, const struct sample *sample)
{
	(void)sample;
	put(record, NO_DATA_SOURCE);
}

struct field {
	uint64_t bit;
	void (*put)(struct sim_record *record, const struct sample *sample);
};

/* In the order in which a sample has them. */
static const struct field sample_fields[] = {
	{ PERF_SAMPLE_IDENTIFIER, put_id },
	{ PERF_SAMPLE_IP, put_ip },
	{ PERF_SAMPLE_TID, put_tid },
	{ PERF_SAMPLE_TIME, put_time },
	{ PERF_SAMPLE_ADDR, put_addr },
	{ PERF_SAMPLE_ID, put_id },
	{ PERF_SAMPLE_STREAM_ID, put_id },
	{ PERF_SAMPLE_CPU, put_cpu },
	{ PERF_SAMPLE_PERIOD, put_period },
	{ PERF_SAMPLE_READ, put_read },
	{ PERF_SAMPLE_CALLCHAIN, put_callchain },
	{ PERF_SAMPLE_RAW, put_raw },
	{ PERF_SAMPLE_BRANCH_STACK, put_branches },
	{ PERF_SAMPLE_REGS_USER, put_nothing },
	{ PERF_SAMPLE_STACK_USER, put_nothing },
	{ PERF_SAMPLE_WEIGHT_TYPE, put_weight },
	{ PERF_SAMPLE_DATA_SRC, put_data_src },
	{ PERF_SAMPLE_TRANSACTION, put_nothing },
	{ PERF_SAMPLE_REGS_INTR, put_nothing },
	{ PERF_SAMPLE_PHYS_ADDR, put_nothing },
	{ PERF_SAMPLE_CGROUP, put_nothing },
	{ PERF_SAMPLE_DATA_PAGE_SIZE, put_nothing },
	{ PERF_SAMPLE_CODE_PAGE_SIZE, put_nothing },
	{ PERF_SAMPLE_AUX, put_nothing },
};

/* What stands behind other records, with sample_id_all. */
static const struct field id_fields[] = {
	{ PERF_SAMPLE_TID, put_tid },	   { PERF_SAMPLE_TIME, put_time },
	{ PERF_SAMPLE_ID, put_id },	   { PERF_SAMPLE_STREAM_ID, put_id },
	{ PERF_SAMPLE_CPU, put_cpu },	   { PERF_SAMPLE_IDENTIFIER, put_id },
};

static void put_fields(struct sim_record *record, const struct field *fields, size_t nr,
		       const struct sample *sample)
{
	for (size_t i = 0; i < nr; i++)
		if (sample->event->attr.sample_type & fields[i].bit)
			fields[i].put(record, sample);
}

static void put_id_sample(struct sim_record *record, const struct sim_event *event)
{
	struct sample sample = { .event = (struct sim_event *)event };

	if (event->attr.sample_id_all)
		put_fields(record, id_fields, sizeof(id_fields) / sizeof(*id_fields), &sample);
}

/* Whether the present sample is in user space: as often as the PMU's counts are. */
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
	const struct sim_context *ctx = event->ctx;
	struct sample sample = {
		.event = event,
		.period = period,
		.misc = is_user(event) ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL,
	};

	sample.ip = (sample.misc == PERF_RECORD_MISC_USER ? USER_CODE : KERNEL_CODE) +
		    event->sampling.nr * 0x9e5 % 0x10000;
	if (attr->precise_ip > 1)
		sample.misc |= PERF_RECORD_MISC_EXACT_IP;
	if (attr->precise_ip && event->sampling.latency) {
		sample.addr = USER_DATA + event->sampling.nr * 0x1240 % 0x1000000;
		sample.latency = sampling__latency(&event->sampling, context__phase(ctx));
	}
	begin(record, PERF_RECORD_SAMPLE, sample.misc);
	put_fields(record, sample_fields, sizeof(sample_fields) / sizeof(*sample_fields), &sample);
	end(record);
}

void record__throttle(struct sim_record *record, const struct sim_event *event, bool on)
{
	begin(record, on ? PERF_RECORD_UNTHROTTLE : PERF_RECORD_THROTTLE, 0);
	put_time(record, &(struct sample){ .event = (struct sim_event *)event });
	put(record, event->id);
	put(record, event->id);
	put_id_sample(record, event);
	end(record);
}

void record__lost(struct sim_record *record, const struct sim_event *event, uint64_t lost)
{
	begin(record, PERF_RECORD_LOST, 0);
	put(record, event->id);
	put(record, lost);
	put_id_sample(record, event);
	end(record);
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
	*at++ = 1 + leader->siblings.nr;
	at = read_times(leader, format, at);
	group__for_each(member, leader) {
		*at++ = event__count(member);
		at = read_id(member, format, at);
	}
	return at - start;
}
