// SPDX-License-Identifier: GPL-2.0-only
/* Records come from the kernel, but their size is checked nevertheless. */
#include "count/sample_record.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define PROT_EXECUTED 4

struct record_sampled {
	struct perf_event_header header;
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time_ns, period; /* the last word may be missing */
};

#define SAMPLED_LEAST offsetof(struct record_sampled, period)

struct record_mapped {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t address, len, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t protection, flags;
	char path[];
};

struct record_forked {
	struct perf_event_header header;
	uint32_t pid, parent, tid, parent_tid;
	uint64_t time_ns;
};

struct record_named {
	struct perf_event_header header;
	uint32_t pid, tid;
	char name[];
};

struct record_throttled {
	struct perf_event_header header;
	uint64_t time_ns, id, stream_id;
};

struct record_lost {
	struct perf_event_header header;
	uint64_t id, lost;
};

/* The end of every record that is not a sample. */
struct record_trailer {
	uint32_t pid, tid;
	uint64_t time_ns, id;
};

void sample_record__set_attr(struct perf_event_attr *attr, bool maps)
{
	attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			    PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;
	attr->sample_id_all = 1;
	attr->mmap = attr->mmap2 = attr->comm = attr->comm_exec = attr->task = maps;
}

static uint64_t time_of(const struct perf_event_header *h)
{
	struct record_trailer trailer;

	memcpy(&trailer, (const char *)h + h->size - sizeof(trailer), sizeof(trailer));
	return trailer.time_ns;
}

static int take_sampled(const struct perf_event_header *h, struct sample_record *out, uint64_t *id)
{
	const struct record_sampled *s = (const void *)h;

	*id = s->id;
	*out = (struct sample_record){
		.kind = RECORD_SAMPLED,
		.time_ns = s->time_ns,
		.pid = s->pid,
		.tid = s->tid,
		.address = s->ip,
		.period = h->size > SAMPLED_LEAST ? s->period : 0,
		.kernel = (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL,
	};
	return 1;
}

static int take_mapped(const struct perf_event_header *h, struct sample_record *out)
{
	const struct record_mapped *m = (const void *)h;
	size_t room = h->size - sizeof(*m) - sizeof(struct record_trailer);

	if (!(m->protection & PROT_EXECUTED) || h->misc & PERF_RECORD_MISC_MMAP_DATA)
		return 0;
	*out = (struct sample_record){.kind = RECORD_MAPPED,
				      .time_ns = time_of(h),
				      .pid = m->pid,
				      .address = m->address,
				      .len = m->len,
				      .offset = m->offset,
				      .inode = m->inode,
				      .uid = -1,
				      .path = xstrndup(m->path, strnlen(m->path, room))};
	return 1;
}

static int take_forked(const struct perf_event_header *h, struct sample_record *out)
{
	const struct record_forked *f = (const void *)h;

	*out = (struct sample_record){.kind = RECORD_FORKED,
				      .time_ns = f->time_ns,
				      .pid = f->pid,
				      .tid = f->tid,
				      .parent = f->parent,
				      .parent_tid = f->parent_tid};
	return 1;
}

static int take_named(const struct perf_event_header *h, struct sample_record *out)
{
	const struct record_named *n = (const void *)h;
	size_t room = h->size - sizeof(*n) - sizeof(struct record_trailer);
	int nr = 0;

	if (h->misc & PERF_RECORD_MISC_COMM_EXEC)
		out[nr++] = (struct sample_record){
			.kind = RECORD_EXECUTED, .time_ns = time_of(h), .pid = n->pid};
	out[nr++] = (struct sample_record){.kind = RECORD_NAMED,
					   .time_ns = time_of(h),
					   .pid = n->pid,
					   .tid = n->tid,
					   .path = xstrndup(n->name, strnlen(n->name, room))};
	return nr;
}

int sample_record__parse(const struct perf_event_header *h, struct sample_record out[2],
			 uint64_t *id, struct sample_loss *loss)
{
	static const size_t least[] = {
		[PERF_RECORD_SAMPLE] = SAMPLED_LEAST,
		[PERF_RECORD_MMAP2] =
			sizeof(struct record_mapped) + sizeof(struct record_trailer),
		[PERF_RECORD_EXIT] = sizeof(struct record_forked) + sizeof(struct record_trailer),
		[PERF_RECORD_FORK] = sizeof(struct record_forked) + sizeof(struct record_trailer),
		[PERF_RECORD_COMM] = sizeof(struct record_named) + sizeof(struct record_trailer),
		[PERF_RECORD_LOST] = sizeof(struct record_lost),
		[PERF_RECORD_THROTTLE] = sizeof(struct record_throttled),
	};

	*id = 0;
	if (h->type >= sizeof(least) / sizeof(*least) || !least[h->type] ||
	    h->size < least[h->type])
		return 0;
	switch (h->type) {
	case PERF_RECORD_SAMPLE:
		return take_sampled(h, out, id);
	case PERF_RECORD_MMAP2:
		return take_mapped(h, out);
	case PERF_RECORD_FORK:
		return take_forked(h, out);
	case PERF_RECORD_EXIT:
		take_forked(h, out);
		out->kind = RECORD_ENDED;
		return 1;
	case PERF_RECORD_COMM:
		return take_named(h, out);
	case PERF_RECORD_LOST:
		loss->lost += ((const struct record_lost *)h)->lost;
		return 0;
	default:
		loss->throttled++;
		loss->counter = ((const struct record_throttled *)h)->id;
		return 0;
	}
}

static int sample_record__compare(const void *va, const void *vb)
{
	const struct sample_record *a = va, *b = vb;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->order - b->order;
}

void sample_records__sort(struct sample_records *records)
{
	if (records->nr)
		qsort(records->at, records->nr, sizeof(*records->at), sample_record__compare);
}

void sample_records__free(struct sample_records *records)
{
	for (int i = 0; i < records->nr; i++)
		free(records->at[i].path);
	vec__free(records);
}
