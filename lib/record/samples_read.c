// SPDX-License-Identifier: GPL-2.0-only
/*
 * A record is held until no earlier record can come. perf writes the buffers of CPUs one after
 * another, and writes FINISHED_ROUND after each round of all buffers.
 */
#include "record/samples_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/array.h"
#include "base/xalloc.h"
#include "record/recording.h"

#define MOST_HELD (1 << 18) /* the most records that are held: any more are passed on in the order
			     * of the file */
#define MOST_OF_TMAS (1 << 14) /* the most records that are held if tma wrote them, as its records
			        * are in order */
#define RECORD_FINISHED_ROUND 68
#define RECORD_COMPRESSED 81
#define RECORD_COMPRESSED2 83
#define MISC_MMAP_BUILD_ID (1 << 14) /* a bit in header.misc: the record has a build id in place of
				      * the inode */

/* --- Layout of records ------------------------------------------------------------------------ */

/* All events of a file have one sample_type, or their samples begin with ids. */
static const struct perf_event_attr *first_attr(const struct recording *r)
{
	return &r->list->at[0]->attr;
}

static bool is_sampled(const struct perf_event_attr *attr)
{
	return attr->sample_period && attr->sample_type & PERF_SAMPLE_IP &&
	       attr->sample_type & PERF_SAMPLE_TID && attr->sample_type & PERF_SAMPLE_TIME;
}

static bool is_dummy(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY;
}

bool samples__is_mapping_event(const struct recording *r, int event)
{
	return r->samples.are_perfs && event < r->traits.nr && is_dummy(&r->list->at[event]->attr);
}

void samples__begin(struct recording *r)
{
	struct samples *s = &r->samples;

	for (int i = 0; i < r->events.nr && !s->sampling.frequency; i++) {
		const struct perf_event_attr *attr = &r->events.at[i]->attr;

		if (!is_sampled(attr) || is_dummy(attr))
			continue;
		s->are_perfs = true;
		s->group_reads |= attr->sample_type & PERF_SAMPLE_READ &&
				  attr->read_format & PERF_FORMAT_GROUP;
	}
}

bool recording__is_sampled(const struct recording *r, int event)
{
	const struct samples *s = &r->samples;
	const struct perf_event_attr *attr;

	if (event >= r->traits.nr || !(s->sampling.frequency || s->are_perfs))
		return false;
	attr = &r->list->at[event]->attr;
	if (samples__is_mapping_event(r, event))
		return false;
	return is_sampled(attr) || (s->group_reads && attr->sample_type & PERF_SAMPLE_READ);
}

/**
 * struct sampled - a parsed sample
 * @event: number of the event whose counter overflowed
 * @id: id of the counter
 * @read: the rest of the sample, from PERF_SAMPLE_READ on
 */
struct sampled {
	uint64_t id, ip, time_ns, period;
	uint32_t pid, tid, cpu;
	int event;
	struct span read;
};

/* Read the fields that precede PERF_SAMPLE_READ; missing fields are 0. */
static void samples__read_fields(struct span *s, uint64_t type, struct sampled *out)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		out->id = span__u64(s);
	if (type & PERF_SAMPLE_IP)
		out->ip = span__u64(s);
	if (type & PERF_SAMPLE_TID) {
		out->pid = span__u32(s);
		out->tid = span__u32(s);
	}
	if (type & PERF_SAMPLE_TIME)
		out->time_ns = span__u64(s);
	if (type & PERF_SAMPLE_ADDR)
		span__u64(s);
	if (type & PERF_SAMPLE_ID)
		out->id = span__u64(s);
	if (type & PERF_SAMPLE_STREAM_ID)
		span__u64(s);
	if (type & PERF_SAMPLE_CPU) {
		out->cpu = span__u32(s);
		span__u32(s);
	}
	if (type & PERF_SAMPLE_PERIOD)
		out->period = span__u64(s);
	out->read = *s;
}

/* Find the event that a sample belongs to. Return: its number, or -1. */
static int samples__event_of(struct recording *r, const struct sampled *s, uint64_t type)
{
	if (type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID))
		return recording__event_of_id(r, s->id);
	return r->list->nr == 1 ? 0 : -1;
}

static int read_sample(struct recording *r, struct span *body, struct sampled *out)
{
	struct span again = *body;
	uint64_t type = first_attr(r)->sample_type;

	*out = (struct sampled){.id = 0};
	samples__read_fields(body, type, out);
	out->event = body->bad ? -1 : samples__event_of(r, out, type);
	if (out->event < 0)
		return -EINVAL;
	/* If the id comes first, it decides the format of the rest of the sample. */
	if (type & PERF_SAMPLE_IDENTIFIER &&
	    r->list->at[out->event]->attr.sample_type != type) {
		*out = (struct sampled){.event = out->event};
		samples__read_fields(&again, r->list->at[out->event]->attr.sample_type, out);
		return again.bad ? -EINVAL : 0;
	}
	return 0;
}

/* --- Samples --------------------------------------------------------------------------------- */

static void hold(struct recording *r, struct sample_record record)
{
	struct samples *s = &r->samples;

	if (record.time_ns > s->latest_ns)
		s->latest_ns = record.time_ns;
	if (record.kind == RECORD_SAMPLED && (!s->first_ns || record.time_ns < s->first_ns))
		s->first_ns = record.time_ns;
	if (r->started && !s->sink) {
		free(record.path);
		return;
	}
	record.order = s->held.nr;
	vec__push(&s->held, record);
	if (s->held.nr >= (s->are_perfs ? MOST_HELD : MOST_OF_TMAS))
		samples__give(r, UINT64_MAX);
}

static struct sample_record record_of(const struct perf_event_header *h, const struct sampled *s)
{
	int mode = h->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	bool guest = mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER;

	return (struct sample_record){
		.kind = RECORD_SAMPLED,
		.time_ns = s->time_ns,
		.pid = guest ? -1 : (pid_t)s->pid, /* a guest's mappings are unknown */
		.tid = s->tid,
		.address = s->ip,
		.event = s->event,
		.period = s->period,
		.kernel = mode == PERF_RECORD_MISC_KERNEL || mode == PERF_RECORD_MISC_HYPERVISOR,
	};
}

static int take_sample(struct recording *r, const struct perf_event_header *h, struct span *body,
		       const char **what)
{
	struct sample_record record;
	struct sampled s;

	if (read_sample(r, body, &s)) {
		*what = body->bad ? "a sample is cut off" : "a sample of an unknown event";
		return -EINVAL;
	}
	record = record_of(h, &s);
	if (!r->samples.are_perfs) {
		hold(r, record);
		return 0;
	}
	record.unit = r->info.per_cpu ? recording__unit(r, s.cpu, 0) : 0;
	record.unit = record.unit < 0 ? 0 : record.unit;
	return samples__count(r, &record, s.id, &s.read, what);
}

void samples__hold(struct recording *r, const struct sample_record *record)
{
	hold(r, *record);
}

/* --- Mappings -------------------------------------------------------------------------------- */

/* Get the time from the end of a record, and cut this end off. */
static uint64_t take_trailer(const struct recording *r, struct span *body)
{
	const struct perf_event_attr *attr = first_attr(r);
	uint64_t type = attr->sample_type, time_ns = 0;
	const uint64_t fields[] = {PERF_SAMPLE_TID,	  PERF_SAMPLE_TIME, PERF_SAMPLE_ID,
				   PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,  PERF_SAMPLE_IDENTIFIER};
	size_t size = 0, at = 0;

	if (!attr->sample_id_all)
		return 0;
	for (int i = 0; i < array__nr(fields); i++) {
		if (fields[i] == PERF_SAMPLE_TIME)
			at = size;
		size += type & fields[i] ? sizeof(uint64_t) : 0;
	}
	if (size > body->len - body->at)
		return 0;
	body->len -= size;
	if (type & PERF_SAMPLE_TIME)
		memcpy(&time_ns, body->data + body->len + at, sizeof(time_ns));
	return time_ns;
}

/* Get the range of the kernel's own code from a mapping in perf's form. */
static void take_kernel(struct recording *r, const struct sample_record *s)
{
	bool is_stext = !strcmp(s->path, KERNEL_STEXT_NAME);

	if (is_stext || !strcmp(s->path, KERNEL_MAP_NAME))
		r->samples.origin.kernel.text =
			(struct kernel_text){s->address, s->address + s->len, is_stext};
}

static void take_mapping_id(struct recording *r, struct span *body, struct sample_record *s)
{
	struct build_id id = {.size = span__u32(body) & 0xff};

	span__copy(body, id.bytes, sizeof(id.bytes));
	/* Without an inode, the mapping would count as memory without a file. */
	s->inode = 1;
	if (id.size > BUILD_ID_MAX)
		id.size = 0;
	r->samples.mapped_id = id;
}

static int samples__take_mapped(struct recording *r, const struct perf_event_header *h,
				struct span *body, bool is_second)
{
	struct sample_record s = {.kind = RECORD_MAPPED, .uid = (uid_t)-1};
	uint32_t rights = PROT_EXEC;

	r->samples.mapped_id = (struct build_id){.size = 0};
	s.time_ns = take_trailer(r, body);
	s.pid = (pid_t)span__u32(body);
	s.tid = (pid_t)span__u32(body);
	s.address = span__u64(body);
	s.len = span__u64(body);
	s.offset = span__u64(body);
	if (is_second && h->misc & MISC_MMAP_BUILD_ID) {
		take_mapping_id(r, body, &s);
	} else if (is_second) {
		span__u64(body); /* the device's numbers */
		s.inode = span__u64(body);
		span__u64(body);
	} else {
		s.inode = 1;
	}
	if (is_second) {
		rights = span__u32(body);
		span__u32(body);
	}
	if (body->bad)
		return -EINVAL;
	if (!(rights & PROT_EXEC) || h->misc & PERF_RECORD_MISC_MMAP_DATA)
		return 0;
	s.path = span__rest(body);
	if (r->samples.mapped_id.size)
		build_ids__add(&r->samples.origin.ids, s.path)->id = r->samples.mapped_id;
	if ((h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER) {
		if (s.pid == r->samples.owner.pid)
			s.uid = r->samples.owner.uid;
		hold(r, s);
		return 0;
	}
	take_kernel(r, &s);
	free(s.path);
	return 0;
}

static int take_named(struct recording *r, const struct perf_event_header *h, struct span *body)
{
	struct sample_record s = {.kind = RECORD_NAMED};

	s.time_ns = take_trailer(r, body);
	s.pid = (pid_t)span__u32(body);
	s.tid = (pid_t)span__u32(body);
	if (body->bad)
		return -EINVAL;
	if (h->misc & PERF_RECORD_MISC_COMM_EXEC) {
		s.kind = RECORD_EXECUTED;
		hold(r, s);
		s.kind = RECORD_NAMED;
	}
	s.path = span__rest(body);
	hold(r, s);
	return 0;
}

static int take_task(struct recording *r, const struct perf_event_header *h, struct span *body)
{
	struct sample_record s = {.kind = h->type == PERF_RECORD_FORK ? RECORD_FORKED :
									RECORD_ENDED};

	s.pid = (pid_t)span__u32(body);
	s.parent = (pid_t)span__u32(body);
	s.tid = (pid_t)span__u32(body);
	s.parent_tid = (pid_t)span__u32(body);
	s.time_ns = span__u64(body);
	if (body->bad)
		return -EINVAL;
	hold(r, s);
	return 0;
}

static int take_lost(struct recording *r, const struct perf_event_header *h, struct span *body)
{
	struct samples *s = &r->samples;
	uint64_t lost;

	if (h->type == PERF_RECORD_LOST)
		span__u64(body); /* the counter's id */
	lost = span__u64(body);
	if (body->bad)
		return -EINVAL;
	/* tma's own records on the sampling have the total. */
	if (s->are_perfs)
		s->sampling.totals.lost += lost;
	return 0;
}

bool samples__has_record(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_SAMPLE:
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_HEADER_BUILD_ID:
	case RECORD_FINISHED_ROUND:
	case RECORD_COMPRESSED:
	case RECORD_COMPRESSED2:
		return true;
	default:
		return false;
	}
}

static void finish_round(struct recording *r)
{
	struct samples *s = &r->samples;

	samples__give(r, s->limit_ns);
	s->limit_ns = s->latest_ns;
}

static int take_any(struct recording *r, const struct perf_event_header *h, struct span *body,
		    const char **what)
{
	*what = "a record of what is mapped is cut off";
	switch (h->type) {
	case PERF_RECORD_SAMPLE:
		return take_sample(r, h, body, what);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return samples__take_mapped(r, h, body, h->type == PERF_RECORD_MMAP2);
	case PERF_RECORD_COMM:
		return take_named(r, h, body);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return take_task(r, h, body);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return take_lost(r, h, body);
	case PERF_RECORD_THROTTLE:
		r->samples.sampling.totals.throttled += r->samples.are_perfs;
		return 0;
	case PERF_RECORD_HEADER_BUILD_ID:
		*what = "a build id is cut off";
		return samples__take_build_id(r, h, body);
	case RECORD_FINISHED_ROUND:
		finish_round(r);
		return 0;
	default:
		*what = "the records from here on are compressed (perf record -z), which cannot be "
			"read: record without -z";
		return -EINVAL;
	}
}

int samples__take_record(struct recording *r, const struct perf_event_header *h, struct span *body,
			 const char **what)
{
	return r->list->nr ? take_any(r, h, body, what) : 0;
}

/* --- Giving ---------------------------------------------------------------------------------- */

/* Remove the first records, which now belong to the sink. */
static void drop_first(struct sample_records *records, int nr)
{
	for (int i = 0; i < nr; i++)
		free(records->at[i].path);
	records->nr -= nr;
	if (records->nr)
		memmove(records->at, records->at + nr, records->nr * sizeof(*records->at));
	for (int i = 0; i < records->nr; i++)
		records->at[i].order = i;
}

void samples__give(struct recording *r, uint64_t until_ns)
{
	struct samples *s = &r->samples;
	int nr = 0;

	/* The next record is read with the rows. */
	if (!r->started)
		return;
	sample_records__sort(&s->held);
	while (nr < s->held.nr && s->held.at[nr].time_ns <= until_ns)
		nr++;
	if (nr && s->sink) {
		s->kept.nr = 0;
		for (int i = 0; i < nr; i++) {
			vec__push(&s->kept, s->held.at[i]);
			s->held.at[i].path = NULL;
			if (s->are_perfs)
				samples__add_burst(s, &s->held.at[i], &s->kept);
		}
		s->sink(s->arg, &s->kept);
		s->kept.nr = 0;
	}
	drop_first(&s->held, nr);
}

void samples__free(struct samples *s)
{
	sample_records__free(&s->held);
	sample_records__free(&s->kept);
	build_ids__free(&s->origin.ids);
	free(s->reads);
	free(s->chunks);
}
