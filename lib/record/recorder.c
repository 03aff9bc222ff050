// SPDX-License-Identifier: GPL-2.0-only
/* A recorder makes a recording. This file decides what is written, and when. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/place.h"
#include "base/xalloc.h"
#include "record/recorder.h"
#include "record/samples.h"

#define OLD_SUFFIX ".old"
#define FILE_MODE 0600 /* only the user may read the file, as counts can reveal what the user
		        * does */

static int recorder__failed(struct recorder *r, int code, struct err *err)
{
	r->broken = true;
	return err__set(err, code, "cannot write %s: %s", r->path, strerror(code));
}

uint64_t recorder__id(int event)
{
	return event + 1;
}

size_t put_record(struct sb *sb, uint32_t type)
{
	struct perf_event_header header = { .type = type };
	size_t start = sb->len;

	sb__add(sb, (const char *)&header, sizeof(header));
	return start;
}

bool record__end(struct sb *sb, size_t start)
{
	size_t size;

	put_zeros(sb, (RECORD_ALIGN - (sb->len - start) % RECORD_ALIGN) % RECORD_ALIGN);
	size = sb->len - start;
	if (size > RECORD_SIZE_MAX) {
		sb->len = start;
		return false;
	}
	((struct perf_event_header *)(sb->buf + start))->size = size;
	return true;
}

/*
 * Keep an old recording, as perf does. If its name is a link, the file that the link leads to is
 * renamed. A file that is reached through a link of procfs, such as /dev/stderr, is not an old
 * recording.
 */
static int keep_old(const struct recorder *r, struct err *err)
{
	struct sb old = SB_INIT;
	struct place p;
	int rc = place__find(&p, r->path, err);

	if (rc && !*r->path)
		err__set(err, -rc, "the name of the file to write to is empty");
	else if (rc)
		err__prefix(err, "cannot open %s for writing: ", r->path);
	if (!rc && p.exists && !p.magic && S_ISREG(p.st.st_mode) && p.st.st_size) {
		sb__printf(&old, "%s" OLD_SUFFIX, p.name);
		if (renameat(p.dir, p.name, p.dir, old.buf))
			rc = err__set(err, errno, "cannot rename %s to %s: %s", r->path, old.buf,
				      strerror(errno));
		sb__free(&old);
	}
	place__close(&p);
	return rc;
}

static int recorder__open_file(struct recorder *r, struct err *err)
{
	struct stat st;
	int rc;

	if (!strcmp(r->opts.path, "-")) {
		r->path = xstrdup("standard output");
		r->fd = dup(STDOUT_FILENO);
		r->pipe = true;
	} else {
		r->path = xstrdup(r->opts.path);
		rc = keep_old(r, err);
		if (rc)
			return rc;
		r->fd = place__open(r->path, O_RDWR, FILE_MODE, err);
		if (r->fd < 0)
			return r->fd;
	}
	if (r->fd < 0)
		return err__set(err, errno, "cannot open %s for writing: %s", r->path,
				strerror(errno));
	fcntl(r->fd, F_SETFD, FD_CLOEXEC);
	if (!fstat(r->fd, &st) && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		r->pipe = true;
	return 0;
}

/* The header is written last: a reader reads only as much as the header's size shows. */
int recorder__write_out(struct recorder *r, struct err *err)
{
	int rc;

	rc = r->pipe ? file__write_stream(r->fd, r->out.buf, r->out.len) :
		       file__write(r->fd, r->out.buf, r->out.len);
	sb__clear(&r->out);
	if (rc)
		return recorder__failed(r, -rc, err);
	if (r->pipe)
		return 0;
	if (pwrite(r->fd, &r->header, sizeof(r->header), 0) != sizeof(r->header))
		return recorder__failed(r, errno ? errno : EIO, err);
	return 0;
}

struct perf_event_attr recorder__attr(const struct recorder *r, int event)
{
	const struct event *e = r->events->at[event];
	struct perf_event_attr attr = *session__attr(r->session, event);

	attr.size = sizeof(attr);
	if (r->opts.sampling) {
		recorder__set_sampled(r, event, &attr);
	} else {
		/* A sampled latency is read here like a count. */
		attr.sample_period = 0;
		attr.freq = 0;
		/* If an event in a pipe has a sample_type, readers assume that it has samples. */
		attr.sample_type = r->pipe ? 0 : PERF_SAMPLE_IDENTIFIER;
	}
	if (e->tool) {
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_DUMMY;
	}
	return attr;
}

static void put_attrs(struct recorder *r)
{
	int nr = r->events->nr;
	struct file_header *h = &r->header;
	struct sb *sb = &r->out;

	*h = (struct file_header){
		.magic = FILE_MAGIC,
		.size = sizeof(*h),
		.attr_size = sizeof(struct file_attr),
		.attrs = { sizeof(*h) + nr * sizeof(uint64_t), nr * sizeof(struct file_attr) },
	};
	h->data.offset = h->attrs.offset + h->attrs.size;
	sb__add(sb, (const char *)h, sizeof(*h));
	for (int i = 0; i < nr; i++)
		put_u64(sb, recorder__id(i));
	for (int i = 0; i < nr; i++) {
		struct file_attr attr = {
			.attr = recorder__attr(r, i),
			.ids = { sizeof(*h) + i * sizeof(uint64_t), sizeof(uint64_t) },
		};

		sb__add(sb, (const char *)&attr, sizeof(attr));
	}
}

static int start_file(struct recorder *r, struct err *err)
{
	const struct pipe_header pipe = { FILE_MAGIC, sizeof(pipe) };
	size_t start;

	if (r->pipe)
		sb__add(&r->out, (const char *)&pipe, sizeof(pipe));
	else
		put_attrs(r);
	start = r->out.len;
	recorder__put_meta(r);
	if (r->opts.sampling)
		recorder__begin_samples(r);
	r->header.data.size = r->out.len - start;
	return recorder__write_out(r, err);
}

int recorder__new(struct machine *machine, const struct session *session,
		  const struct event_list *events, const struct recorder_options *opts,
		  struct recorder **out, struct err *err)
{
	struct recorder *r = xcalloc(1, sizeof(*r));
	int rc;

	r->machine = machine;
	r->session = session;
	r->events = events;
	r->opts = *opts;
	if (opts->sampling) {
		r->samples.sampling = *opts->sampling;
		r->opts.sampling = &r->samples.sampling;
	}
	r->units = session__units(session);
	r->per_cpu = !r->units->comms;
	r->fd = -1;
	rc = recorder__open_file(r, err);
	if (!rc) {
		recorder__make_latencies(r);
		recorder__make_features(r);
		rc = start_file(r, err);
	}
	if (rc) {
		recorder__free(r);
		return rc;
	}
	*out = r;
	return 0;
}

void recorder__put_stat(struct recorder *r, int event, int unit, uint64_t value, uint64_t enabled,
			uint64_t running)
{
	const struct perf_record_stat record = {
		.header = { .type = PERF_RECORD_STAT, .size = sizeof(record) },
		.id = recorder__id(event),
		.cpu = r->per_cpu ? r->units->ids[unit] : -1,
		.thread = r->per_cpu ? 0 : unit,
		.val = value,
		.ena = enabled,
		.run = running,
	};

	sb__add(&r->out, (const char *)&record, sizeof(record));
}

static void put_counts(struct recorder *r, const struct counts *total, int event)
{
	const struct sample *s = &total->at[event * total->nr_units];

	for (int unit = 0; unit < total->nr_units; unit++, s++)
		if (sample__has_numbers(s))
			recorder__put_stat(r, event, unit, s->value, s->enabled, s->running);
}

int recorder__round(struct recorder *r, const struct counts *total, bool final, struct err *err)
{
	const struct perf_record_stat_round round = {
		.header = { .type = PERF_RECORD_STAT_ROUND, .size = sizeof(round) },
		.type = final ? ROUND_FINAL : ROUND_INTERVAL,
		.time = total->time_ns,
	};

	if (r->failure.code) {
		if (err)
			*err = r->failure;
		return -r->failure.code;
	}
	if (r->opts.sampling)
		recorder__end_samples(r);
	if (session__regrouped(r->session) != r->regrouped)
		recorder__regroup(r);
	for (int e = 0; e < total->nr_events; e++) {
		if (r->events->at[e]->retire_latency && total->latencies)
			recorder__put_latencies(r, total, e);
		else
			put_counts(r, total, e);
	}
	sb__add(&r->out, (const char *)&round, sizeof(round));
	r->header.data.size += r->out.len;
	return recorder__write_out(r, err);
}

/* The position of each feature follows the records; then the features follow. */
static void put_features(struct recorder *r)
{
	uint64_t at = r->header.data.offset + r->header.data.size +
		      r->features.nr * sizeof(struct file_section);
	const struct feature *f;

	vec__for_each(f, &r->features) {
		put_u64(&r->out, at + f->at);
		put_u64(&r->out, f->size);
		r->header.features[f->id / 64] |= UINT64_C(1) << f->id % 64;
	}
	sb__add(&r->out, sb__str(&r->text), r->text.len);
}

int recorder__finish(struct recorder *r, struct err *err)
{
	int rc = 0, fd = r->fd;

	if (r->opts.sampling && !r->broken)
		recorder__finish_samples(r);
	if (!r->pipe && !r->broken)
		put_features(r);
	if (!r->broken && r->out.len)
		rc = recorder__write_out(r, err);
	r->fd = -1;
	if (close(fd) && !rc)
		rc = recorder__failed(r, errno, err);
	return rc;
}

void recorder__free(struct recorder *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
	sb__free(&r->out);
	sb__free(&r->text);
	vec__free(&r->features);
	recorder__free_samples(r);
	free(r->all.cells);
	free(r->path);
	free(r);
}
