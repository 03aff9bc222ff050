// SPDX-License-Identifier: GPL-2.0-only
/* Reads tma's own records on samples, and answers questions on the samples of a recording. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record/recording.h"
#include "record/samples_read.h"

/* --- Records of tma --------------------------------------------------------------------------- */

static int take_sampling(struct recording *r, struct span *s)
{
	struct located_totals *t = &r->samples.sampling.totals;
	struct sampling_update body = {.frequency = 0};

	span__copy(s, &body, sizeof(body));
	if (s->bad || !body.frequency)
		return -EINVAL;
	r->samples.sampling.frequency = body.frequency;
	r->samples.sampling.made_up = body.made_up;
	r->samples.sampling.masked = body.masked;
	*t = (struct located_totals){
		.samples = body.samples,
		.bytes = body.bytes,
		.lost = body.lost,
		.throttled = body.throttled,
		.rings = body.rings,
		.pages = body.pages,
		.user_only = body.user_only,
		.no_bursts = body.no_bursts,
	};
	return 0;
}

static int take_burst(struct recording *r, int event, struct span *s)
{
	struct sample_record record;
	struct burst_update body;

	span__copy(s, &body, sizeof(body));
	if (s->bad || !body.number)
		return -EINVAL;
	record = (struct sample_record){
		.kind = RECORD_SAMPLED,
		.time_ns = body.time_ns,
		.pid = body.pid,
		.tid = body.tid,
		.address = body.address,
		.event = event,
		.burst = body.number,
		.kernel = body.kernel,
	};
	samples__hold(r, &record);
	return 0;
}

static int take_boot(struct recording *r, struct span *s)
{
	char *boot = r->samples.origin.kernel.boot;
	size_t len = strnlen(s->data + s->at, span__left(s));

	if (s->bad || len >= sizeof(r->samples.origin.kernel.boot))
		return -EINVAL;
	memcpy(boot, s->data + s->at, len);
	boot[len] = '\0';
	return 0;
}

int samples__take_update(struct recording *r, uint64_t what, int event, struct span *s)
{
	switch (what) {
	case UPDATE_SAMPLING:
		return take_sampling(r, s);
	case UPDATE_BURST:
		return take_burst(r, event, s);
	case UPDATE_BOOT:
		return take_boot(r, s);
	case UPDATE_OWNER:
		span__copy(s, &r->samples.owner, sizeof(r->samples.owner));
		return s->bad ? -EINVAL : 0;
	default:
		return 0;
	}
}

int samples__take_build_id(struct recording *r, const struct perf_event_header *h, struct span *s)
{
	struct build_id_record body;
	bool is_kernel = (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	struct build_id id = {.size = BUILD_ID_MAX};
	char *path;

	span__copy(s, (char *)&body + sizeof(body.header), sizeof(body) - sizeof(body.header));
	if (s->bad)
		return -EINVAL;
	if (h->misc & MISC_BUILD_ID_SIZE && body.size <= BUILD_ID_MAX)
		id.size = body.size;
	memcpy(id.bytes, body.id, id.size);
	path = span__rest(s);
	if (is_kernel && !strcmp(path, KERNEL_FILE_NAME))
		r->samples.origin.kernel.id = id;
	else if (!is_kernel && *path)
		build_ids__add(&r->samples.origin.ids, path)->id = id;
	free(path);
	return 0;
}

/* --- For users of recordings ------------------------------------------------------------------ */

void recording__follow(struct recording *r,
		       void (*sink)(void *arg, struct sample_records *records), void *arg)
{
	r->samples.sink = sink;
	r->samples.arg = arg;
}

const struct recorded_sampling *recording__sampling(const struct recording *r)
{
	return &r->samples.sampling;
}

enum recorded_samples recording__samples(const struct recording *r)
{
	const struct samples *s = &r->samples;

	if (s->sampling.frequency)
		return SAMPLES_TMAS;
	if (!s->are_perfs)
		return SAMPLES_NONE;
	return s->group_reads ? SAMPLES_OF_GROUPS : SAMPLES_PERFS;
}

bool recording__counts_cycles(const struct recording *r, int event)
{
	const struct event *named = event < r->traits.nr ? r->traits.at[event].named : NULL;

	return event__counts_cycles(r->list->at[event]) || (named && event__counts_cycles(named));
}

const struct maps_origin *recording__origin(const struct recording *r)
{
	return &r->samples.origin;
}
