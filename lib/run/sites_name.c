// SPDX-License-Identifier: GPL-2.0-only
/* Read the names of functions for samples, with limits on how long a row waits for them. */
#include <string.h>

#include "base/auto.h"
#include "base/xalloc.h"
#include "count/clock.h"
#include "run/sites.h"
#include "where/child.h"

#define READING_NS 20000000000ULL /* longest time in which files are read for names */
#define READING_OF_ROW_NS 1000000000ULL /* first limit of the time for reading within a row */
#define MOST_DOUBLED 2 /* how often READING_OF_ROW_NS is doubled if it was too short */
#define LEAST_NAMELESS 0.02 /* names are read again if this share of recent samples has no name */
#define MUCH_NAMELESS 0.25 /* names are read again soon if this share has no name */

/*
 * Whether to read names now. Reading costs more than counting: a few new addresses wait until there
 * are more, so that reading takes a small part of the time.
 */
static bool is_worth_naming(const struct run_sites *s, enum site_window window)
{
	double nameless = sites__nameless(s->sites, window);
	uint64_t pause = s->reading_ns * (nameless < MUCH_NAMELESS ? 10 : 2);

	return nameless >= LEAST_NAMELESS && clock__now_ns() >= s->read_ns + pause;
}

/*
 * After a reading that ran out of time, as on a busy machine, read again after a pause, with more
 * time. At the end of the run, names are read without a pause.
 */
static void retry(struct run_sites *s, enum site_window window)
{
	if (!s->retry_ns || (window != SITE_WHOLE && clock__now_ns() < s->retry_ns))
		return;
	sites__retry_late(s->sites);
	s->nr_doubled += s->nr_doubled < MOST_DOUBLED;
	s->retry_ns = 0;
}

/* Note each kind of missing names once: later lines may have other numbers. */
static void note_names(struct run_sites *s, const char *notes)
{
	while (*notes) {
		auto_text line = xstrndup(notes, strcspn(notes, "\n") + 1);
		auto_text kind = xstrndup(line, strcspn(line, ":") + 1);

		notes += strlen(line);
		if (strstr(sb__str(&s->noted_names), kind))
			continue;
		sb__puts(&s->noted_names, line);
		notes__add_each(&s->run->notes, NOTE_SITES_NAMES, line);
	}
}

void run_sites__name(struct run_sites *s, enum site_window window)
{
	/*
	 * While names are read, rows become late and buffers fill. But a late row is better than a
	 * row without names.
	 */
	bool has_intervals = s->run->req->interval_ms && !s->run->req->input;
	uint64_t begun_ns = clock__now_ns();
	struct child_reading r = {.until_ns = begun_ns + READING_NS};
	auto_free(sb) notes = SB_INIT;

	retry(s, window);
	if (has_intervals)
		r.until_ns = begun_ns + (READING_OF_ROW_NS << s->nr_doubled);
	if (s->past.nr && !is_worth_naming(s, window))
		return;
	if (run_sites__sampling(s->run).made_up)
		sites__forget_names(s->sites);
	sites__name(s->sites, window, &r, &notes);
	s->read_ns = clock__now_ns();
	s->reading_ns = s->read_ns - begun_ns;
	if (r.late)
		s->retry_ns = s->read_ns + s->reading_ns * (s->nr_doubled < MOST_DOUBLED ? 1 : 10);
	note_names(s, sb__str(&notes));
}
