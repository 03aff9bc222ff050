/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sites are functions, files or lines of source in which events happen. Records of samples come in
 * as they are read, in the order of time. The samples of a row go out, each with the number of its
 * site. To limit memory, samples within short times are added up if there are too many.
 */
#ifndef TMA_WHERE_SITES_H
#define TMA_WHERE_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct child_reading;
struct maps_origin;
struct sample_records;
struct sb;

/* The kinds of sites. */
enum site_kind {
	SITE_FUNCTION,
	SITE_OBJECT, /* a mapped file, or the kernel */
	SITE_LINE,   /* of the source */
};

/* The windows of time whose samples are kept. */
enum site_window {
	SITE_ROW,   /* samples since sites__end_row(), or of the last few rows:
		     * sites__keep_rows() */
	SITE_WHOLE, /* since the start */
	SITE_WINDOWS,
};

/**
 * struct site - a function, file or line
 * @name: name as it is printed, such as "walk", "libc.so.6" or "list.c:12"
 * @object: path of the site's file, or "[kernel]" and the like
 * @is_kernel: the site is in the kernel
 */
struct site {
	char *name;
	const char *object;
	bool is_kernel;
};

/**
 * struct site_sample - one or more samples of an event at a site
 * @time_ns: time of the last of these samples
 * @weight: number of events that the samples represent; @nr: number of samples
 * @address: number of the samples' address; sites__find() returns its site
 */
struct site_sample {
	uint64_t time_ns;
	double weight;
	uint32_t address;
	uint16_t event, nr;
};

/** struct site_samples - samples in the order of time */
struct site_samples {
	struct site_sample *at;
	int nr, cap;
};

struct sites;

/**
 * sites__new() - begin without samples
 * @procfs:   where procfs is mounted; must outlive the result
 * @nr_events: upper limit of the numbers of events
 * @has_whole: keep the window SITE_WHOLE in addition to SITE_ROW
 *
 * Return: an object for sites__free().
 */
struct sites *sites__new(enum site_kind kind, const char *procfs, int nr_events, bool has_whole);
/**
 * sites__keep_rows() - let SITE_ROW cover this many rows up to the current row; the default is 1.
 */
void sites__keep_rows(struct sites *s, int nr);
/** sites__free() - release sites; NULL is allowed. */
void sites__free(struct sites *s);
/**
 * sites__set_origin() - declare that samples come from a recording, which has these facts on files;
 * @origin must outlive @s
 */
void sites__set_origin(struct sites *s, const struct maps_origin *origin);
/** sites__read_running() - read the mappings of processes that already run. */
void sites__read_running(struct sites *s);
/** sites__take() - add the next records, in the order of time, and release their texts. */
void sites__take(struct sites *s, struct sample_records *records);
/** sites__end_row() - begin a new row. */
void sites__end_row(struct sites *s);
/** sites__skip_row() - begin a new row, and drop the samples of the previous row. */
void sites__skip_row(struct sites *s);

/** sites__samples() - return the samples of a window, which change with the next call. */
const struct site_samples *sites__samples(const struct sites *s, enum site_window window);
/** sites__idle() - return how much of an event was counted in a window while CPUs were idle. */
double sites__idle(const struct sites *s, enum site_window window, int event);
/**
 * sites__nameless() - return the share, from 0 to 1, of a window's samples that do not have names
 * yet.
 */
double sites__nameless(const struct sites *s, enum site_window window);
/**
 * sites__name() - find names for the addresses of a window with the most samples, unless this was
 * tried before
 * @r: limits of the reading
 * @notes: lines on missing information are appended
 */
void sites__name(struct sites *s, enum site_window window, struct child_reading *r,
		 struct sb *notes);
/** sites__retry_late() - let sites__name() try again to find names that were not read in time. */
void sites__retry_late(struct sites *s);
/** sites__forget_names() - find no more names, since addresses are invented. */
void sites__forget_names(struct sites *s);
/** sites__nr() - return the number of sites; sites__at() - return a site by its number. */
int sites__nr(const struct sites *s);
const struct site *sites__at(const struct sites *s, int site);
/**
 * struct site_stays - how long a program stays at a site
 * @bursts: number of bursts whose first sample is at the site; @left: number of these bursts that
 *          have a later sample elsewhere
 */
struct site_stays {
	int bursts, left;
};
/**
 * sites__stays() - compute how long a program stays at sites, or in groups of sites
 * @group_of: group of each site; @out: set for each group
 */
void sites__stays(const struct sites *s, const int *group_of, int nr_groups,
		  struct site_stays *out);
/** sites__find() - return the number of the site of an address. Call sites__name() first. */
int sites__find(const struct sites *s, uint32_t address);

#endif
