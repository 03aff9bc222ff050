// SPDX-License-Identifier: GPL-2.0-only
/* After the first rows, filling and printing a row allocates nothing. */
#include "report_fixture.h"
#include "writers/page.h"

#ifndef __SANITIZE_ADDRESS__
static int allocations;

extern void *__libc_malloc(size_t size), *__libc_calloc(size_t nr, size_t size);
extern void *__libc_realloc(void *at, size_t size);
extern void __libc_free(void *at);

void *malloc(size_t size)
{
	allocations++;
	return __libc_malloc(size);
}

void *calloc(size_t nr, size_t size)
{
	allocations++;
	return __libc_calloc(nr, size);
}

void *realloc(void *at, size_t size)
{
	allocations++;
	return __libc_realloc(at, size);
}

void free(void *at)
{
	__libc_free(at);
}

/* Events that are counted, scaled and not counted; a ratio, metrics, and a vendor's latency. */
static void some_events(struct fixture *f)
{
	struct event *e[4];

	fixture__init(f, 2);
	fclose(f->out);
	f->out = fopen("/dev/null", "w");
	ck_assert_ptr_nonnull(f->out);
	e[0] = fixture__cycles(f);
	e[1] = fixture__instructions(f);
	e[2] = fixture__event(f, "branches", PERF_TYPE_RAW, 0xc4);
	e[3] = fixture__event(f, "EV:R", PERF_TYPE_RAW, 0x4d1);
	e[3]->retire_latency = true;
	e[3]->vendor_latency = (struct vendor_latency){ 30, 10, 90 };
	for (int i = 0; i < 2; i++) {
		fixture__count(f, e[0], i, 1000);
		fixture__multiplexed(f, e[1], i, 3000, 1000, 400);
		fixture__multiplexed(f, e[2], i, 0, 1000, 0);
		fixture__status(f, e[3], i, SAMPLE_NOT_SUPPORTED);
	}
	fixture__metric(f, "tma_retiring", "b / a", "b > 3", e[0])->metric->info.groups = "TopdownL1";
	fixture__metric(f, "tma_latency", "d * b / a", NULL, e[1]);
	f->interval = true;
	f->opts.verdict = true;
}

/* Return: how often further rows allocate. (Check's assertions allocate too.) */
static int in_a_row(struct fixture *f)
{
	struct counts counts = fixture__counts(f);
	struct err err = ERR_INIT;
	int before, rc;

	/* The first rows have a heading, whose text needs more room than any later row. */
	fixture__print(f);
	before = allocations;
	report__fill(f->report, &counts, &f->time, SPAN_INTERVAL, false);
	rc = writer__rows(f->writer, &err);
	before = allocations - before;
	ck_assert_int_eq(rc, 0);
	return before;
}

enum { ERROR = 1, METRIC_ONLY = 2, REASONS = 4, MODES = 8 };

static void check(const char *format, enum grid_aggr aggr, int mode)
{
	struct fixture f;
	struct page *page;

	some_events(&f);
	f.format = format;
	f.opts.aggr = aggr;
	f.opts.error = f.print.error = mode & ERROR;
	f.opts.metric_only = mode & METRIC_ONLY;
	f.print.reasons = mode & REASONS;
	f.print.page = page__new(NULL, fileno(f.out), NULL);
	ck_assert_msg(!in_a_row(&f), "%s, rows %d, mode %d", format, aggr, mode);
	page = f.print.page;
	fixture__free(&f);
	page__free(page);
}

START_TEST(a_row_allocates_nothing)
{
	int before = allocations;

	for (int i = 0; format__at(i); i++)
		for (int mode = 0; mode < MODES; mode++) {
			check(format__name(format__at(i)), AGGR_GLOBAL, mode);
			check(format__name(format__at(i)), AGGR_NONE, mode);
		}
	/* Under valgrind, valgrind's functions are called instead. */
	if (allocations == before)
		puts("SKIP a_row_allocates_nothing: memory is not allocated by the C library");
}
END_TEST
#else
START_TEST(a_row_allocates_nothing)
{
	puts("SKIP a_row_allocates_nothing: memory is not allocated by the C library");
}
END_TEST
#endif

TMA_TEST_MAIN(report_memory, a_row_allocates_nothing)
