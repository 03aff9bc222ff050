/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sites: functions, files or lines of source in which events happen. Records of samples come in as
 * they are read, in the order of time; the samples of a row, each with the number of its site, go
 * out. Memory is bounded: if there are too many samples, those within short times are added up.
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
	SITE_ROW,   /* since sites__end_row(), or of the last few rows: sites__keep_rows() */
	SITE_WHOLE, /* since the start */
	SITE_WINDOWS,
};

/**
 * struct site - a function, file or line
 * @name: in the printed form: "walk", "libc.so.6", "list.c:12"
 * @object: path of its file, "[kernel]" and the like
 * @is_kernel: it is in the kernel
 */
struct site {
	char *name;
	const char *object;
	bool is_kernel;
};

/**
 * struct site_sample - samples of an event at a site
 * @time_ns: of the last of them; @weight: events that they represent; @nr: how many
 * @address: the number of their address; sites__find() returns its site
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
 * @nr_events: the numbers of events are below that
 * @has_whole: SITE_WHOLE is wanted beside SITE_ROW
 *
 * Return: an object for sites__free().
 */
struct sites *sites__new(enum site_kind kind, const char *procfs, int nr_events, bool has_whole);
/**
 * sites__keep_rows() - let SITE_ROW cover this many rows, the last one being the current one; 1 by
 * default.
 */
void sites__keep_rows(struct sites *s, int nr);
/** sites__free() - release it; NULL is allowed. */
void sites__free(struct sites *s);
/**
 * sites__set_origin() - declare that samples are a recording's, with its facts on files; @origin
 * outlives @s
 */
void sites__set_origin(struct sites *s, const struct maps_origin *origin);
/** sites__read_running() - read the mappings of processes that already run. */
void sites__read_running(struct sites *s);
/** sites__take() - add the next records, in the order of time; their texts are released. */
void sites__take(struct sites *s, struct sample_records *records);
/** sites__end_row() - begin a new row. */
void sites__end_row(struct sites *s);
/** sites__skip_row() - begin a new row, and drop the samples of the one before. */
void sites__skip_row(struct sites *s);

/** sites__samples() - return the samples of a window. They change with the next call. */
const struct site_samples *sites__samples(const struct sites *s, enum site_window window);
/** sites__idle() - return how much of an event was counted in a window while CPUs were idle. */
double sites__idle(const struct sites *s, enum site_window window, int event);
/** sites__nameless() - return the share of a window's samples without names yet, 0 to 1. */
double sites__nameless(const struct sites *s, enum site_window window);
/**
 * sites__name() - find the names of the addresses of a window that matter most, if not tried before
 * @r: limits of the reading
 * @notes: lines on missing information are appended
 */
void sites__name(struct sites *s, enum site_window window, struct child_reading *r,
		 struct sb *notes);
/** sites__forget_names() - find no names from here on, since addresses are made up. */
void sites__forget_names(struct sites *s);
/** sites__nr() - return the number of sites; sites__at() - return one. */
int sites__nr(const struct sites *s);
const struct site *sites__at(const struct sites *s, int site);
/**
 * struct site_stays - how long a program stays at a site
 * @bursts: bursts whose first sample is there; @left: how many of these have a later sample
 *          elsewhere
 */
struct site_stays {
	int bursts, left;
};
/**
 * sites__stays() - compute how long a program stays at sites, or at groups of them
 * @group_of: the group of each site; @out: set for each group
 */
void sites__stays(const struct sites *s, const int *group_of, int nr_groups,
		  struct site_stays *out);
/** sites__find() - return the number of an address's site; call sites__name() before. */
int sites__find(const struct sites *s, uint32_t address);

#endif
