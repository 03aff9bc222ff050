// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of samples: those that the kernel writes to a buffer, or arbitrary bytes. Records are not
 * read beyond their ends, and all events that samples represent belong to a site.
 */
#include <math.h>

#include "base/sb.h"
#include "base/vec.h"
#include "count/sample_record.h"
#include "fuzz.h"
#include "where/child.h"
#include "where/sites.h"

#define EVENTS 3

static struct sample_records records;
static double given[EVENTS], idle[EVENTS];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

/* Add the facts about a sample that the reader of the buffers knows. */
static void complete(struct sample_record *r, uint64_t id)
{
	r->event = id % EVENTS;
	r->burst = id / EVENTS % 4 ? 0 : id >> 32;
	/* The sum of all samples is not larger than what a double can count exactly. */
	r->period &= (1ULL << 40) - 1;
	if (r->burst)
		return;
	if (!r->pid && !r->tid && r->kernel)
		idle[r->event] += r->period;
	else
		given[r->event] += r->period;
}

static void take_record(const uint8_t *data, size_t size)
{
	struct perf_event_header *h = malloc(size);
	struct sample_loss loss = {0};
	struct sample_record out[2];
	uint64_t id;
	int nr;

	fuzz_check(h);
	memcpy(h, data, size);
	h->size = size;
	nr = sample_record__parse(h, out, &id, &loss);
	fuzz_check(nr >= 0 && nr <= 2);
	for (int i = 0; i < nr; i++) {
		if (out[i].kind == RECORD_SAMPLED)
			complete(&out[i], id);
		out[i].order = records.nr;
		vec__push(&records, out[i]);
	}
	free(h);
}

static void take_records(const uint8_t *data, size_t size)
{
	while (size >= sizeof(struct perf_event_header)) {
		struct perf_event_header h;
		size_t len;

		memcpy(&h, data, sizeof(h));
		len = h.size < sizeof(h) ? sizeof(h) : h.size;
		len = len < size ? len : size;
		take_record(data, len);
		data += len;
		size -= len;
	}
}

static void check_window(const struct sites *s, enum site_window window)
{
	const struct site_samples *list = sites__samples(s, window);
	double sums[EVENTS] = {0};

	for (int i = 0; i < list->nr; i++) {
		int site = sites__find(s, list->at[i].address);

		fuzz_check(site >= 0 && site < sites__nr(s), "site %d", site);
		fuzz_check(list->at[i].event < EVENTS && list->at[i].nr);
		sums[list->at[i].event] += list->at[i].weight;
	}
	for (int e = 0; e < EVENTS; e++) {
		fuzz_check(fabs(sums[e] - given[e]) <= given[e] * 1e-9, "%f, not %f", sums[e],
			   given[e]);
		fuzz_check(sites__idle(s, window, e) == idle[e]);
	}
}

static void check_sites(const struct sites *s)
{
	int nr = sites__nr(s);
	struct site_stays *stays = calloc(nr + 1, sizeof(*stays));
	int *each = calloc(nr + 1, sizeof(*each));

	fuzz_check(stays && each);
	for (int i = 0; i < nr; i++)
		each[i] = i;
	sites__stays(s, each, nr, stays);
	for (int i = 0; i < sites__nr(s); i++) {
		fuzz_check(sites__at(s, i)->name && sites__at(s, i)->object);
		fuzz_check(stays[i].left >= 0 && stays[i].left <= stays[i].bursts);
	}
	free(each);
	free(stays);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sites *s = sites__new(size % 2 ? SITE_OBJECT : SITE_FUNCTION, "/nowhere", EVENTS, true);
	struct child_reading r = {0};
	struct sb notes = SB_INIT;

	memset(given, 0, sizeof(given));
	memset(idle, 0, sizeof(idle));
	records.nr = 0;
	/* Names of functions are not looked up, which would need a child process. */
	sites__forget_names(s);
	take_records(data, size);
	sample_records__sort(&records);
	for (int i = 1; i < records.nr; i++)
		fuzz_check(records.at[i - 1].time_ns <= records.at[i].time_ns);
	sites__take(s, &records);
	sites__name(s, SITE_WHOLE, &r, &notes);
	check_window(s, SITE_ROW);
	check_window(s, SITE_WHOLE);
	check_sites(s);
	sites__end_row(s);
	fuzz_check(!sites__samples(s, SITE_ROW)->nr);
	sites__free(s);
	sb__free(&notes);
	return 0;
}
