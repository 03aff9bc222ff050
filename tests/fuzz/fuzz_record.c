// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recordings: perf.data, the form for pipes, CSV and JSON. If a recording can be opened, its
 * events, units and rows fit together, metrics are computed from its events, and a page shows them.
 * Otherwise there is a message. Samples belong to existing events, and all events that the samples
 * represent belong to a site.
 */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/sb.h"
#include "count/sample_record.h"
#include "fuzz.h"
#include "grid/grid.h"
#include "machine/machine.h"
#include "metrics/metrics.h"
#include "plan/plan.h"
#include "record/record.h"
#include "report/report.h"
#include "tables/tables.h"
#include "where/maps.h"
#include "where/sites.h"
#include "writers/page.h"
#include "writers/writer.h"

#define ROWS_MAX 100

static struct tables *tables;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	tables = tables__find("GenuineIntel-6-8F-8");
	fuzz_check(tables);
	return 0;
}

static void check_sample(const struct sample *s)
{
	switch (s->status) {
	case SAMPLE_COUNTED:
	case SAMPLE_SCALED:
		return;
	case SAMPLE_NOT_COUNTED:
		fuzz_check(!s->running || !s->enabled || !s->scaled);
		return;
	default:
		fuzz_check(!s->value && !s->enabled && !s->running, "status %d", s->status);
	}
}

static void check_info(struct recording *r)
{
	const struct recording_info *i = recording__info(r);
	const struct event_list *events = recording__events(r);

	fuzz_check(i->command && i->cpuid);
	fuzz_check(i->aggr < AGGR_NR && i->cache_level >= 0 && i->cache_level <= 4);
	fuzz_check(i->per_cpu || !i->units.nr || i->units.comms);
	for (int u = 0; u < i->units.nr; u++) {
		fuzz_check(!i->per_cpu || i->units.ids[u] >= 0, "CPU %d", i->units.ids[u]);
		fuzz_check(!i->units.weights || i->units.weights[u] >= 1);
	}
	for (int e = 0; e < events->nr; e++) {
		fuzz_check(events->at[e]->index == e && events->at[e]->name && events->at[e]->unit);
		fuzz_check(events->at[e]->scale > 0 && isfinite(events->at[e]->scale));
		fuzz_check(events->at[e]->leader->leader && events->at[e]->first->first);
	}
}

/*
 * struct followed - the samples of a recording
 * @given: number of events that the samples represent, including idle ones
 */
struct followed {
	const struct recording *recording;
	struct sites *sites;
	int nr_events;
	double given;
};

static void take_samples(void *self, struct sample_records *records)
{
	struct followed *f = self;
	uint64_t last_ns = 0;

	for (int i = 0; i < records->nr; i++) {
		struct sample_record *r = &records->at[i];

		/* A burst is reported after its samples. */
		fuzz_check(r->burst || r->time_ns >= last_ns);
		last_ns = r->burst ? last_ns : r->time_ns;
		if (r->kind == RECORD_MAPPED || r->kind == RECORD_NAMED)
			fuzz_check(r->path);
		if (r->kind != RECORD_SAMPLED)
			continue;
		fuzz_check(r->event >= 0 && r->event < f->nr_events, "event %d", r->event);
		/* The sum of all samples is not larger than what a double can count exactly. */
		r->period &= (1ULL << 30) - 1;
		f->given += r->burst ? 0 : r->period;
	}
	sites__take(f->sites, records);
}

static void follow(struct recording *r, struct followed *f)
{
	*f = (struct followed){.recording = r, .nr_events = recording__events(r)->nr};
	f->sites = sites__new(SITE_FUNCTION, NULL, f->nr_events, false);
	sites__set_origin(f->sites, recording__origin(r));
	recording__follow(r, take_samples, f);
}

static void check_samples(struct followed *f)
{
	const struct site_samples *samples = sites__samples(f->sites, SITE_ROW);
	double sum = 0;

	for (int i = 0; i < samples->nr; i++) {
		fuzz_check(samples->at[i].event < f->nr_events && samples->at[i].nr);
		sum += samples->at[i].weight;
	}
	for (int e = 0; e < f->nr_events; e++)
		sum += sites__idle(f->sites, SITE_ROW, e);
	fuzz_check(sum == f->given, "%f, not %f", sum, f->given);
	fuzz_check(recording__samples(f->recording) != SAMPLES_NONE || !samples->nr);
	sites__free(f->sites);
}

/* The output of the rows is a page, in a file in memory. */
struct shown {
	struct report *report;
	struct writer *writer;
	struct page *page;
	int fd;
};

static void begin_page(struct shown *s, struct recording *r, const struct plan *plan)
{
	const struct format *format = format__find("html");
	const struct recording_info *info = recording__info(r);
	struct report_options opts = {
		.aggr = info->aggr,
		.cache_level = info->cache_level,
		.verdict = true,
		.recorded = true,
	};
	struct writer_options print = {.format = format, .recorded = true};
	struct err err = ERR_INIT;

	s->fd = memfd_create("page", MFD_CLOEXEC);
	fuzz_check(s->fd >= 0);
	s->page = page__new(NULL, s->fd, &err);
	fuzz_check(s->page);
	page__add_fact(s->page, "Command", info->command);
	opts.wants = writer__wants(&print);
	s->report = report__new(recording__machine(r), plan, NULL, &info->units, &opts);
	print.page = s->page;
	print.head = info->command;
	s->writer = writer__new(&print, report__grid(s->report), stderr);
}

static void show_row(struct shown *s, const struct counts *counts, const struct row_time *time,
		     bool is_total)
{
	struct err err = ERR_INIT;

	report__fill(s->report, counts, time, is_total ? SPAN_RUN : SPAN_INTERVAL, is_total);
	if (is_total)
		report__conclude(s->report, counts, time);
	fuzz_check(!writer__rows(s->writer, &err), "%s", err.msg);
}

static int count_words(const char *text, const char *word)
{
	int nr = 0;

	for (const char *at = text; (at = strstr(at, word)); at++)
		nr++;
	return nr;
}

/* A name does not begin or end an HTML element: the page has only its own scripts. */
static void check_page(int fd, int nr_rows)
{
	off_t len = lseek(fd, 0, SEEK_END);
	char *text = malloc(len + 1);

	fuzz_check(text && pread(fd, text, len, 0) == len);
	text[len] = '\0';
	fuzz_check((off_t)strlen(text) == len && !strncmp(text, "<!DOCTYPE html>", 15));
	fuzz_check(len > 8 && !strcmp(text + len - 8, "</html>\n"));
	fuzz_check(count_words(text, "<script") == count_words(text, "</script>"));
	fuzz_check(count_words(text, "<script") <= 3 + nr_rows);
	fuzz_check(count_words(text, "<main>") == 1 && count_words(text, "<body>") == 1);
	free(text);
}

static void end_page(struct shown *s, int nr_rows)
{
	auto_free(sb) lines = SB_INIT;
	struct err err = ERR_INIT;

	fuzz_check(!writer__verdicts(s->writer, &lines, &err));
	fuzz_check(!writer__finish(s->writer, &err));
	fuzz_check(!page__show(s->page, &err));
	writer__free(s->writer);
	report__free(s->report);
	page__free(s->page);
	check_page(s->fd, nr_rows);
	close(s->fd);
}

static void read_rows(struct recording *r, struct shown *shown)
{
	struct row_time time = {.since_start_ns = 0};
	struct followed followed;
	struct counts row, sum;
	struct recorded_row at;
	struct err err = ERR_INIT;
	int rc = 1, nr = 0;

	recording__counts(r, &row);
	recording__counts(r, &sum);
	if (!shown)
		follow(r, &followed);
	for (; nr < ROWS_MAX && rc > 0; nr++) {
		rc = recording__next(r, &row, &at, &err);
		if (rc < 0)
			fuzz__check_error(rc, &err);
		if (rc <= 0)
			break;
		for (int s = 0; s < row.nr_events * row.nr_units; s++)
			check_sample(&row.at[s]);
		recording__sum(r, &row, &sum);
		time = (struct row_time){.since_start_ns = at.since_start_ns,
					 .elapsed_ns = at.elapsed_ns};
		if (shown)
			show_row(shown, &row, &time, false);
	}
	time.elapsed_ns = time.since_start_ns;
	if (!shown)
		check_samples(&followed);
	if (shown) {
		show_row(shown, &sum, &time, true);
		end_page(shown, nr);
	}
	counts__free(&row);
	counts__free(&sum);
}

static void bind(struct recording *r)
{
	struct metrics_scope scope = {
		.machine = recording__machine(r),
		.tables = tables,
		.system_wide = true,
		.has_event = recording__has_event,
		.arg = r,
	};
	struct plan *plan = plan__new(&scope);
	struct err err = ERR_INIT;
	struct shown shown;
	int rc;

	fuzz_check(plan);
	rc = recording__bind(r, plan, &scope, "TopdownL1,tma_info_thread_ipc,io_bandwidth_read",
			     true, &err);
	if (rc)
		fuzz__check_error(rc, &err);
	for (int i = 0; !rc && i < plan->nr_metrics; i++)
		fuzz_check(plan->metrics[i].shown_at && plan->metrics[i].value >= 0);
	if (!rc) {
		begin_page(&shown, r, plan);
		read_rows(r, &shown);
	}
	plan__free(plan);
}

static void open_it(int fd, bool with_metrics)
{
	static const struct recording_options opts[] = {
		{ .cpuid = NULL },
		{ .cpuid = "GenuineIntel-6-8F-8", .separator = ";" },
	};
	struct recording *r = NULL;
	struct err err = ERR_INIT;
	int rc = recording__open(fd, "input", &opts[with_metrics], &r, &err);

	if (rc) {
		fuzz__check_error(rc, &err);
		return;
	}
	check_info(r);
	if (with_metrics)
		bind(r);
	else
		read_rows(r, NULL);
	recording__free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	fuzz_check(fd >= 0);
	fuzz_check(write(fd, data, size) == (ssize_t)size);
	open_it(fd, false);
	open_it(fd, true);
	close(fd);
	return 0;
}
