/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keep sentences for the user as notes: a run does not print, its caller does. The caller sets
 * beforehand which kinds of notes it wants, and notes of other kinds are not made.
 */
#ifndef TMA_RUN_NOTE_H
#define TMA_RUN_NOTE_H

#include <stdbool.h>

#include "base/vec.h"

/* Kinds of notes, in about the order of a run. */
enum note_kind {
	NOTE_HOST,	/* entries of the user's own metrics were left out */
	NOTE_RECORDING, /* facts that a recording lacks, and what is used instead */
	NOTE_COUNTERS,	/* how many of a PMU's counters are available */
	NOTE_PLAN,	/* warnings about events and metrics that were asked for */
	NOTE_SYSFS,	/* TopDown is computed from the kernel's own events */
	NOTE_PLAIN_EVENTS, /* what replaces events that a virtual machine lacks */
	NOTE_NO_PMU,	/* there are no hardware counters, and what is possible without */
	NOTE_GROUPS,	/* the CPU, its tables and every group: for -v */
	NOTE_LEVELS,	/* TopDown is not as deep as asked for */
	NOTE_LEVELS_ALL, /* how deep TopDown is */
	NOTE_SITES,	/* rows of code: limits of the samples, and what would help */
	NOTE_SITES_NAMES, /* which names of code could not be read */
	NOTE_SITES_END,	/* after the last row: names that could not be read, and in which rows */
	NOTE_SITES_ALL,	/* cost of sampling, and sums of samples compared with counts: for -v */
	NOTE_CORES,	/* slots are counted for whole cores */
	NOTE_TURNS,	/* groups of TopDown take turns */
	NOTE_PORTS,	/* the PCIe root ports */
	NOTE_REPEATS,	/* how often a command will be run */
	NOTE_SETS,	/* which sets take turns */
	NOTE_RUN,	/* another run of several begins */
	NOTE_REFUSED,	/* why an event that metrics need has no counts */
	NOTE_REFUSED_ALL, /* why an event that metrics do not need has no counts */
	NOTE_LACKING,	/* events were counted without a part of the machine */
	NOTE_SESSION,	/* warnings of the session: CPUs that left, unread counters */
	NOTE_ENABLED,	/* counters were started or stopped */
	NOTE_CONTROL,	/* commands of --control, and answers to them */
	NOTE_GAP,	/* rows were left out before a row */
	NOTE_UNWHOLE,	/* a run is incomplete, or differs from what was asked for */
	NOTE_FAILED,	/* a command was killed; nothing could be counted */
	NOTE_LATENCIES, /* latencies of the vendor were used */
	NOTE_UNCOUNTED, /* why single events have no counts */
	NOTE_STARVED,	/* events never had a turn on the counters */
	NOTE_TOOK_TURNS, /* groups of TopDown took turns, which was not known before the run */
	NOTE_SHARES,	/* on which core types tasks ran */
	NOTE_UNTAKEN,	/* metrics of a text are computed again, ignoring values in the text */
	NOTE_NEXT,	/* the command that computes metrics from a text */
	NOTE_REGIONS,	/* why a program has measured no region */
	NOTE_NR,
};

#define NOTE(kind) (1ULL << NOTE_##kind)

/* Kinds of notes that every command that measures prints. */
#define NOTES_OF_EVERY_RUN                                                                    \
	(NOTE(HOST) | NOTE(RECORDING) | NOTE(REFUSED) | NOTE(LACKING) | NOTE(SESSION) |        \
	 NOTE(PLAIN_EVENTS) | NOTE(SITES) | NOTE(SITES_NAMES) |                                \
	 NOTE(SITES_END) |                                                                     \
	 NOTE(ENABLED) | NOTE(CONTROL) | NOTE(UNWHOLE) | NOTE(FAILED))

/**
 * struct note - a sentence or lines for the user
 * @place: the event or PMU that the note is about; or NULL
 * @text:  a sentence, without end of line
 * @lines: @text is lines that are printed unchanged
 */
struct note {
	enum note_kind kind;
	char *place, *text;
	bool lines;
};

/**
 * struct notes - the notes that have not been printed yet
 * @wanted: NOTE() of each kind that is kept
 */
struct notes {
	unsigned long long wanted;
	VEC(struct note) list;
};

/** notes__want() - whether notes of a kind are kept. */
static inline bool notes__want(const struct notes *n, enum note_kind kind)
{
	return n->wanted >> kind & 1;
}

/** notes__add() - keep a sentence about an item, which may be NULL, if its kind is wanted. */
void notes__add(struct notes *n, enum note_kind kind, const char *place, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/** notes__add_lines() - keep lines unchanged; NULL and "" add nothing. */
void notes__add_lines(struct notes *n, enum note_kind kind, const char *lines);
/** notes__add_each() - keep each line as a sentence; NULL and "" add nothing. */
void notes__add_each(struct notes *n, enum note_kind kind, const char *lines);
/** notes__clear() - remove all notes, after they were printed. */
void notes__clear(struct notes *n);
/** notes__free() - release the notes. */
void notes__free(struct notes *n);

#endif
