/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sites: functions, files or lines of source in which events happen. Records of samples come in as
 * they are read, in the order of time; the samples of a row, each with the number of its site, go
 * out. Memory is bounded: where there are too many samples, those of short times are added up.
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

/* A site is one of these. */
enum site_kind {
	SITE_FUNCTION,
	SITE_OBJECT, /* a mapped file, or the kernel */
	SITE_LINE,   /* of the source */
};

/* The samples of one of these times. */
enum site_window {
	SITE_ROW,   /* since sites__end_row(), or of the last few rows: sites__keep_rows() */
	SITE_WHOLE, /* since the start */
	SITE_WINDOWS,
};

/**
 * struct site - a function, file or line
 * @name: as it is printed: "walk", "libc.so.6", "list.c:12"
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
 * @time_ns: of the last of them; @weight: events that they stand for; @nr: how many
 * @address: the number of their address; sites__of() has its site
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
 * sites__new() - begin
 * @procfs:   where processes are; must outlive it, as must @download
 * @nr_events: their numbers are below that
 * @has_whole: SITE_WHOLE is wanted beside SITE_ROW
 *
 * Return: what sites__free() releases.
 */
struct sites *sites__new(enum site_kind kind, const char *procfs, int nr_events, bool has_whole);
/** sites__keep_rows() - let SITE_ROW be so many rows, the last one that under way; 1 without it. */
void sites__keep_rows(struct sites *s, int nr);
/** sites__free() - release it; NULL is allowed. */
void sites__free(struct sites *s);
/** sites__set_origin() - samples are a recording's, which says @origin of files; it outlives @s */
void sites__set_origin(struct sites *s, const struct maps_origin *origin);
/** sites__read_running() - take what processes have mapped that run already. */
void sites__read_running(struct sites *s);
/** sites__take() - take the next records, in the order of time; their texts are released. */
void sites__take(struct sites *s, struct sample_records *records);
/** sites__end_row() - a new row begins. */
void sites__end_row(struct sites *s);
/** sites__skip_row() - a new row begins, and the samples of the one before count nowhere. */
void sites__skip_row(struct sites *s);

/** sites__samples() - give those of a window. They change with the next call. */
const struct site_samples *sites__samples(const struct sites *s, enum site_window window);
/** sites__idle() - give the events of a window that CPUs counted while they were idle. */
double sites__idle(const struct sites *s, enum site_window window, int event);
/** sites__nameless() - give the share of a window's samples that has no names yet, 0 to 1. */
double sites__nameless(const struct sites *s, enum site_window window);
/**
 * sites__name() - name the addresses of a window that matter most, and were not named before
 * @r: how they are read
 * @notes: what is missing, a line each, is appended
 */
void sites__name(struct sites *s, enum site_window window, struct child_reading *r,
		 struct sb *notes);
/** sites__forget_names() - give no names from here on, since addresses are made up. */
void sites__forget_names(struct sites *s);
/** sites__nr() - how many sites there are; sites__at() - give one. */
int sites__nr(const struct sites *s);
const struct site *sites__at(const struct sites *s, int site);
/**
 * struct site_stays - how long a program stays at a site
 * @bursts: whose first sample is there; @left: in how many it was at another before the last one
 */
struct site_stays {
	int bursts, left;
};
/**
 * sites__stays() - find how long a program stays at sites, or at groups of them
 * @group_of: the group of each site; @out: is set, of each group
 */
void sites__stays(const struct sites *s, const int *group_of, int nr_groups,
		  struct site_stays *out);
/** sites__of() - the number of the site of an address; call sites__name() before. */
int sites__of(const struct sites *s, uint32_t address);

#endif
