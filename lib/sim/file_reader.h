/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations for the parts of the parser of machine files: its position, and functions that take
 * words from a line. The parser turns lines into values of struct sim_machine, or describes the
 * first mistake.
 */
#ifndef TMA_SIM_FILE_READER_H
#define TMA_SIM_FILE_READER_H

#include <errno.h>

#include "base/err.h"
#include "sim/machine.h"

/**
 * struct file_reader - the state of the parser
 * @m:    the machine that is filled
 * @pmu:  the PMU whose section is read; NULL outside such a section
 * @line: number of the line that is being read
 * @at:   number of the open section "at", or -1
 * @args: rest of the current line, after the keyword
 * @rc:   0, or -errno of the first mistake; later mistakes are ignored
 * @err:  the description of a mistake; after @placed it names file and line
 *
 * After a mistake, words are empty and numbers are 0, and no other mistake is described, so that
 * readers need not check each word. Everything that readers allocate belongs to the machine, which
 * frees it.
 */
struct file_reader {
	struct sim_machine *m;
	struct sim_pmu *pmu;
	int line, at;
	char *args;
	int rc;
	bool placed;
	struct err *err;
};

/** struct file_keyword - a word that begins a line */
struct file_keyword {
	const char *name;
	void (*read)(struct file_reader *r);
};

extern const struct file_keyword file_machine_keywords[]; /* a NULL name ends each table */
extern const struct file_keyword file_pmu_keywords[];
extern const struct file_keyword file_at_keywords[];

/**
 * file_reader__check() - evaluate an expression that may be -errno, unless there was a mistake
 * before.
 */
#define file_reader__check(r, ...) ((r)->rc = (r)->rc ? (r)->rc : (__VA_ARGS__))
/** file_reader__fail() - record a mistake: an errno value and a format. */
#define file_reader__fail(r, ...) file_reader__check(r, err__set((r)->err, __VA_ARGS__))
/** file_reader__push() - add to a list. */
#define file_reader__push(r, list, ...)                                                            \
	((void)(vec__push(list, __VA_ARGS__) && file_reader__fail(r, ENOMEM, "out of memory")))

/**
 * file_reader__word() - take the next word of the line; a missing word is a mistake, which names
 * @what.
 */
char *file_reader__word(struct file_reader *r, const char *what);
/**
 * file_reader__rest() - take the rest of the line; a missing rest is a mistake, which names @what.
 */
char *file_reader__rest(struct file_reader *r, const char *what);
/** file_reader__optional() - take the next word; NULL at the end of the line. */
char *file_reader__optional(struct file_reader *r);
/** file_reader__int() - take the next word as a number between @min and @max. */
int file_reader__int(struct file_reader *r, const char *what, uint64_t min, uint64_t max);
/** file_reader__time() - take the next word ("500ms", "2s", "100us") as a time, in ns. */
uint64_t file_reader__time(struct file_reader *r, const char *what);
/** file_reader__cpus() - take the next word as a CPU list. */
void file_reader__cpus(struct file_reader *r, const char *what, struct cpulist *list);
/** file_reader__part() - parse a text as a part of a whole, 0 to 1. */
double file_reader__part(struct file_reader *r, const char *what, const char *text);
/** file_reader__choice() - take the next word, one of three names. Return: its index. */
int file_reader__choice(struct file_reader *r, const char *const names[3]);
/** file_reader__match() - take the next word as a pattern over the PMU's events. */
struct sim_match file_reader__match(struct file_reader *r);
/** file_reader__values() - parse a text as one value for each column. */
void file_reader__values(struct file_reader *r, const char *text, double value[SIM_MAX_COLUMNS]);
/** file_reader__rate() - parse a text as a rate. */
void file_reader__rate(struct file_reader *r, const char *text, struct sim_rate *rate);
/** file_reader__let() - read "NAME VALUES" into a list of quantities. */
void file_reader__let(struct file_reader *r);
/**
 * file_reader__copy() - copy a text; the machine owns the copy. Without memory it is "", and a
 * mistake is recorded.
 */
const char *file_reader__copy(struct file_reader *r, const char *text);
/**
 * file_reader__file() - add a file to a list, with its path in a directory and its text; the list
 * then owns both.
 */
void file_reader__file(struct file_reader *r, char *path, char *text, struct sim_files *files);

/** file_at__open() - read "at PLACE ...": begin a section, whose lines apply to these places. */
void file_at__open(struct file_reader *r);
/** file_at__values() - fill in the values that sections give to a quantity. */
void file_at__values(struct file_reader *r, const char *name, double value[SIM_MAX_COLUMNS]);
/**
 * file_at__rates() - when the section of a PMU ends, use the rates that sections "at" give to its
 * events.
 */
void file_at__rates(struct file_reader *r);
/** file_at__check() - record a mistake if a line of a section was not used. */
void file_at__check(struct file_reader *r);
/**
 * file_at__follow_phases() - move the columns of sections up by @more: this many phases were added
 * after the sections.
 */
void file_at__follow_phases(struct file_reader *r, int more);
/** file_at__read_stays() - read "stays PLACE TIME ...". */
void file_at__read_stays(struct file_reader *r);

/**
 * file_guest__read() - read "guest general=8 fixed=3": make the machine described so far a virtual
 * one.
 */
void file_guest__read(struct file_reader *r);

#endif
