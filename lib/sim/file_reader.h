/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The halves of the parser of machine files share this: where it is in the file, and how it takes
 * words off a line. In come lines; out go values for struct sim_machine, or the first mistake.
 */
#ifndef TMA_SIM_FILE_READER_H
#define TMA_SIM_FILE_READER_H

#include <errno.h>

#include "base/err.h"
#include "sim/machine.h"

/**
 * struct file_reader - the place where the parser is
 * @m:    the machine being filled
 * @pmu:  the PMU whose section this is; NULL outside of one
 * @line: of the file that is being read
 * @at:   the number of the section at that is open, or -1
 * @args: rest of the current line, behind its keyword
 * @rc:   0, or -errno of the first mistake, behind which nothing counts
 * @err:  where a mistake is described, without the place until @placed
 *
 * Behind a mistake the line is at its end: words are empty and numbers 0, and no other mistake is
 * described. So a line is read to its end, and what came of it is the machine's, to be released.
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

extern const struct file_keyword file_machine_keywords[]; /* a NULL name ends them */
extern const struct file_keyword file_pmu_keywords[];
extern const struct file_keyword file_at_keywords[];

/** file_reader__check() - do what can fail and return -errno, unless there is a mistake. */
#define file_reader__check(r, ...) ((r)->rc = (r)->rc ? (r)->rc : (__VA_ARGS__))
/** file_reader__fail() - a mistake: a code and a format. */
#define file_reader__fail(r, ...) file_reader__check(r, err__set((r)->err, __VA_ARGS__))
/** file_reader__push() - add to a list. */
#define file_reader__push(r, list, ...)                                                            \
	((void)(vec__push(list, __VA_ARGS__) && file_reader__fail(r, ENOMEM, "out of memory")))

/** file_reader__word() - cut the next word off the line; it is a mistake when @what is missing. */
char *file_reader__word(struct file_reader *r, const char *what);
/** file_reader__rest() - the rest of the line; it is a mistake when @what is missing. */
char *file_reader__rest(struct file_reader *r, const char *what);
/** file_reader__optional() - the next word, or NULL at the end of the line. */
char *file_reader__optional(struct file_reader *r);
/** file_reader__int() - the next word as a number between @min and @max. */
int file_reader__int(struct file_reader *r, const char *what, uint64_t min, uint64_t max);
/** file_reader__time() - the next word as a time, in ns: "500ms", "2s", "100us". */
uint64_t file_reader__time(struct file_reader *r, const char *what);
/** file_reader__cpus() - the next word as a CPU list. */
void file_reader__cpus(struct file_reader *r, const char *what, struct cpulist *list);
/** file_reader__part() - a text as a part of a whole, 0 to 1. */
double file_reader__part(struct file_reader *r, const char *what, const char *text);
/** file_reader__choice() - the next word's number among three. */
int file_reader__choice(struct file_reader *r, const char *const names[3]);
/** file_reader__match() - the next word as a pattern over the PMU's events. */
struct sim_match file_reader__match(struct file_reader *r);
/** file_reader__values() - a text as one value for each column. */
void file_reader__values(struct file_reader *r, const char *text, double value[SIM_MAX_COLUMNS]);
/** file_reader__rate() - a text as a rate. */
void file_reader__rate(struct file_reader *r, const char *text, struct sim_rate *rate);
/** file_reader__let() - "NAME VALUES", into a list of quantities. */
void file_reader__let(struct file_reader *r);
/** file_reader__copy() - a copy of a text, the machine's; "" without memory, which is a mistake. */
const char *file_reader__copy(struct file_reader *r, const char *text);
/** file_reader__file() - a file's path below a directory and text, taken over, into a list. */
void file_reader__file(struct file_reader *r, char *path, char *text, struct sim_files *files);

/** file_at__open() - "at PLACE ...": a section begins, in which each line is of these places. */
void file_at__open(struct file_reader *r);
/** file_at__values() - put in what sections say of a quantity, where they do. */
void file_at__values(struct file_reader *r, const char *name, double value[SIM_MAX_COLUMNS]);
/** file_at__rates() - take over what sections say of the events of the PMU whose section ends. */
void file_at__rates(struct file_reader *r);
/** file_at__check() - all that sections say has been of use. */
void file_at__check(struct file_reader *r);
/** file_at__follow_phases() - there are so many phases more than when sections were read. */
void file_at__follow_phases(struct file_reader *r, int more);
/** file_at__read_stays() - "stays PLACE TIME ...". */
void file_at__read_stays(struct file_reader *r);

/** file_guest__read() - "guest general=8 fixed=3": the machine above is a virtual one's. */
void file_guest__read(struct file_reader *r);

#endif
