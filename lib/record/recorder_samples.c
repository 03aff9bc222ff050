// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes samples in perf's form. The period of a sample is the number of events that it represents.
 * Mappings are followed at the same time: a mapping that no record has reported is read from
 * procfs, and written as a record. Before the counts of each row, the build ids of newly sampled
 * files are written.
 */
#include <limits.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/file.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "count/clock.h"
#include "count/sample_record.h"
#include "machine/machine.h"
#include "record/recorder.h"
#include "record/samples.h"
#include "where/child.h"
#include "where/names.h"
#include "where/symbols.h"

#define HELD_BYTES (1 << 18) /* written at once */
#define READING_NS 2000000000ULL /* longest time for the build ids of new files in each row */
#define SAMPLE_TYPE                                                                           \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |       \
	 PERF_SAMPLE_PERIOD)

/*
 * All events have the sample format of the sampled events, as perf parses records by the format of
 * any event.
 */
void recorder__set_sampled(const struct recorder *r, int event, struct perf_event_attr *attr)
{
	bool sampled = attr->sample_type & PERF_SAMPLE_IP && session__supported(r->session, event);

	attr->sample_type = SAMPLE_TYPE | (r->per_cpu ? PERF_SAMPLE_CPU : 0);
	attr->sample_id_all = 1;
	if (!sampled)
		attr->sample_period = 0;
	attr->freq = 0;
}

/* --- Records --------------------------------------------------------------------------------- */

/* The end of every record that is not a sample. */
static void put_trailer(struct recorder *r, const struct sample_record *s)
{
	put_u32(&r->out, s->pid);
	put_u32(&r->out, s->tid);
	put_u64(&r->out, s->time_ns);
	if (r->per_cpu)
		put_u64(&r->out, 0);
	put_u64(&r->out, recorder__id(0));
}

static void set_misc(struct recorder *r, size_t start, uint16_t misc)
{
	((struct perf_event_header *)(r->out.buf + start))->misc = misc;
}

/* Append a text with a NUL, padded to a multiple of eight bytes. */
static void recorder_samples__put_text(struct recorder *r, const char *text, size_t most)
{
	size_t len = strnlen(text, most);

	sb__add(&r->out, text, len);
	put_zeros(&r->out, RECORD_ALIGN - len % RECORD_ALIGN);
}

static void put_sample(struct recorder *r, const struct sample_record *s)
{
	size_t start = put_record(&r->out, PERF_RECORD_SAMPLE);

	set_misc(r, start, s->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);
	put_u64(&r->out, recorder__id(s->event));
	put_u64(&r->out, s->address);
	put_u32(&r->out, s->pid);
	put_u32(&r->out, s->tid);
	put_u64(&r->out, s->time_ns);
	if (r->per_cpu)
		put_u64(&r->out, (uint32_t)r->units->ids[s->unit]);
	put_u64(&r->out, s->period);
	record__end(&r->out, start);
}

static void put_burst(struct recorder *r, const struct sample_record *s)
{
	const struct burst_update body = {
		.time_ns = s->time_ns,
		.address = s->address,
		.pid = s->pid,
		.tid = s->tid,
		.number = s->burst,
		.kernel = s->kernel,
	};

	recorder__put_update(r, s->event, UPDATE_BURST, &body, sizeof(body));
}

static void put_mapped(struct recorder *r, const struct sample_record *s)
{
	const struct owner_update owner = {s->pid, s->uid};
	size_t start;

	if (!s->inode && s->uid != (uid_t)-1)
		recorder__put_update(r, 0, UPDATE_OWNER, &owner, sizeof(owner));
	start = put_record(&r->out, PERF_RECORD_MMAP2);
	set_misc(r, start, PERF_RECORD_MISC_USER);
	put_u32(&r->out, s->pid);
	put_u32(&r->out, s->tid ?: s->pid);
	put_u64(&r->out, s->address);
	put_u64(&r->out, s->len);
	put_u64(&r->out, s->offset);
	put_u64(&r->out, 0); /* the device's numbers */
	put_u64(&r->out, s->inode);
	put_u64(&r->out, 0); /* the inode's generation */
	put_u32(&r->out, PROT_READ | PROT_EXEC);
	put_u32(&r->out, MAP_PRIVATE);
	/* perf's name for memory that is not mapped from a file */
	recorder_samples__put_text(r, *s->path ? s->path : "//anon", PATH_MAX);
	put_trailer(r, s);
	record__end(&r->out, start);
}

static void put_named(struct recorder *r, const struct sample_record *s)
{
	size_t start = put_record(&r->out, PERF_RECORD_COMM);

	if (r->samples.executed == s->pid)
		set_misc(r, start, PERF_RECORD_MISC_COMM_EXEC);
	r->samples.executed = 0;
	put_u32(&r->out, s->pid);
	put_u32(&r->out, s->tid);
	recorder_samples__put_text(r, s->path, PATH_MAX);
	put_trailer(r, s);
	record__end(&r->out, start);
}

static void put_task(struct recorder *r, const struct sample_record *s, uint32_t type)
{
	size_t start = put_record(&r->out, type);

	put_u32(&r->out, s->pid);
	put_u32(&r->out, s->parent);
	put_u32(&r->out, s->tid);
	put_u32(&r->out, s->parent_tid);
	put_u64(&r->out, s->time_ns);
	put_trailer(r, s);
	record__end(&r->out, start);
}

static void recorder_samples__put(struct recorder *r, const struct sample_record *s)
{
	switch (s->kind) {
	case RECORD_SAMPLED:
		if (s->burst)
			put_burst(r, s);
		else
			put_sample(r, s);
		break;
	case RECORD_MAPPED:
		put_mapped(r, s);
		break;
	case RECORD_FORKED:
		put_task(r, s, PERF_RECORD_FORK);
		break;
	case RECORD_EXECUTED:
		r->samples.executed = s->pid;
		break;
	case RECORD_NAMED:
		put_named(r, s);
		break;
	case RECORD_ENDED:
		put_task(r, s, PERF_RECORD_EXIT);
		break;
	}
}

/* --- Mappings -------------------------------------------------------------------------------- */

static void put_found(void *arg, const struct sample_record *found)
{
	struct recorder *r = arg;
	struct sample_record s = *found;

	s.time_ns = r->samples.time_ns;
	recorder_samples__put(r, &s);
}

/*
 * Remember the file that was sampled. If no record has reported the mappings of the process, read
 * them.
 */
static void follow_sample(struct recorder *r, const struct sample_record *s)
{
	struct recorder_samples *m = &r->samples;
	struct code_address at = names__locate(&m->maps, s->pid, s->address, s->kernel);

	m->kernel_hit |= s->kernel;
	/* The kernel's idle task maps nothing. */
	if (at.object == OBJECT_NONE && s->pid) {
		maps__read_once(&m->maps, s->pid);
		at = names__locate(&m->maps, s->pid, s->address, false);
	}
	if (at.object < 0)
		return;
	while (m->is_hit.nr <= at.object)
		vec__push(&m->is_hit, false);
	m->is_hit.at[at.object] = true;
}

void recorder__take_samples(struct recorder *r, struct sample_records *records)
{
	if (r->broken)
		return;
	for (int i = 0; i < records->nr; i++) {
		struct sample_record *s = &records->at[i];

		r->samples.time_ns = s->time_ns;
		if (s->kind == RECORD_MAPPED && !s->inode)
			s->uid = maps__owner_of(r->samples.maps.procfs, s->pid);
		if (s->kind == RECORD_SAMPLED)
			follow_sample(r, s);
		else
			maps__take(&r->samples.maps, s);
		recorder_samples__put(r, s);
		if (r->out.len < HELD_BYTES)
			continue;
		r->header.data.size += r->out.len;
		if (recorder__write_out(r, &r->failure))
			return;
	}
}

/* --- The kernel ------------------------------------------------------------------------------ */

/* Write the addresses of the kernel's code, if this user may know them. */
static void put_kernel(struct recorder *r)
{
	struct kernel_text text = kernel_symbols__text(r->machine->procfs);
	const char *name = text.is_stext ? KERNEL_STEXT_NAME : KERNEL_MAP_NAME;
	size_t start;

	if (!text.start)
		return;
	start = put_record(&r->out, PERF_RECORD_MMAP);
	set_misc(r, start, PERF_RECORD_MISC_KERNEL);
	put_u32(&r->out, -1);
	put_u32(&r->out, 0);
	put_u64(&r->out, text.start);
	put_u64(&r->out, text.end - text.start);
	put_u64(&r->out, text.start);
	recorder_samples__put_text(r, name, strlen(name));
	put_trailer(r, &(struct sample_record){.pid = -1});
	record__end(&r->out, start);
}

static void put_boot(struct recorder *r)
{
	char boot[64];

	if (file__read_line(boot, sizeof(boot), "%s/" BOOT_ID, r->machine->procfs) > 0)
		recorder__put_update(r, 0, UPDATE_BOOT, boot, strlen(boot) + 1);
}

void recorder__begin_samples(struct recorder *r)
{
	struct maps *maps = &r->samples.maps;

	recorder__tell_sampling(r, r->opts.sampling);
	put_boot(r);
	put_kernel(r);
	maps->procfs = r->machine->procfs;
	maps->found = put_found;
	maps->arg = r;
	if (r->opts.read_running)
		maps__read_all(maps);
}

/* --- Build ids ------------------------------------------------------------------------------- */

static void add_file(struct recorder *r, const struct object *o)
{
	struct build_file *f;
	int nr = r->samples.ids.nr;

	if (!o->inode || *o->path != '/')
		return;
	f = build_ids__add(&r->samples.ids, o->path);
	if (r->samples.ids.nr == nr)
		return;
	f->open_path = xasprintf("%s%s", o->root, o->path);
	f->running = xasprintf("%s/%d/exe", r->machine->procfs, (int)o->pid);
	f->inode = o->inode;
}

/* Find the files, and the kernel, that were sampled for the first time. */
static void find_files(struct recorder *r)
{
	struct recorder_samples *m = &r->samples;
	struct child_reading reading = {.until_ns = clock__now_ns() + READING_NS};
	int first = m->ids.nr;

	for (int i = 0; i < m->is_hit.nr; i++)
		if (m->is_hit.at[i])
			add_file(r, &m->maps.objects.at[i]);
	if (m->ids.nr > first)
		build_ids__read(&m->ids, first, &reading);
	if (!m->kernel_hit || m->has_kernel_id)
		return;
	m->has_kernel_id = true;
	build_ids__add(&m->ids, NULL)->id = build_id__of_kernel(r->machine->sysfs);
}

static void put_build_id(struct sb *out, const struct build_file *f, uint32_t type)
{
	size_t start = out->len, len;
	struct build_id_record body = {
		.header = {.type = type,
			   .misc = MISC_BUILD_ID_SIZE | (f->is_kernel ? PERF_RECORD_MISC_KERNEL :
								       PERF_RECORD_MISC_USER)},
		.pid = -1,
		.size = f->id.size,
	};
	const char *path = f->is_kernel ? KERNEL_FILE_NAME : f->path;

	if (!f->id.size)
		return;
	memcpy(body.id, f->id.bytes, f->id.size);
	len = strlen(path) + 1;
	len = (len + STRING_ALIGN - 1) / STRING_ALIGN * STRING_ALIGN;
	body.header.size = sizeof(body) + len;
	sb__add(out, (const char *)&body, sizeof(body));
	sb__puts(out, path);
	put_zeros(out, start + body.header.size - out->len);
}

/* --- Rows ------------------------------------------------------------------------------------ */

static void put_lost(struct recorder *r, uint64_t lost)
{
	size_t start;

	if (lost <= r->samples.lost)
		return;
	start = put_record(&r->out, PERF_RECORD_LOST);
	put_u64(&r->out, recorder__id(0));
	put_u64(&r->out, lost - r->samples.lost);
	put_trailer(r, &(struct sample_record){.time_ns = r->samples.time_ns});
	record__end(&r->out, start);
	r->samples.lost = lost;
}

void recorder__tell_sampling(struct recorder *r, const struct recorded_sampling *s)
{
	const struct located_totals *t = &s->totals;
	const struct sampling_update body = {
		.frequency = s->frequency,
		.samples = t->samples,
		.bytes = t->bytes,
		.lost = t->lost,
		.throttled = t->throttled,
		.rings = t->rings,
		.pages = t->pages,
		.user_only = t->user_only,
		.no_bursts = t->no_bursts,
		.made_up = s->made_up,
		.masked = s->masked,
	};

	put_lost(r, t->lost);
	recorder__put_update(r, 0, UPDATE_SAMPLING, &body, sizeof(body));
}

void recorder__end_samples(struct recorder *r)
{
	struct recorder_samples *m = &r->samples;

	find_files(r);
	for (; m->nr_written < m->ids.nr; m->nr_written++)
		put_build_id(&r->out, &m->ids.at[m->nr_written], PERF_RECORD_HEADER_BUILD_ID);
}

void recorder__finish_samples(struct recorder *r)
{
	struct feature f = {.id = FEATURE_BUILD_ID, .at = r->text.len};
	const struct build_file *file;

	recorder__end_samples(r);
	r->header.data.size += r->out.len;
	vec__for_each(file, &r->samples.ids)
		put_build_id(&r->text, file, 0);
	f.size = r->text.len - f.at;
	if (!f.size)
		return;
	/* Features are in the order of their numbers. */
	vec__push(&r->features, f);
	memmove(r->features.at + 1, r->features.at, (r->features.nr - 1) * sizeof(f));
	r->features.at[0] = f;
}

void recorder__free_samples(struct recorder *r)
{
	maps__free(&r->samples.maps);
	vec__free(&r->samples.is_hit);
	build_ids__free(&r->samples.ids);
}
