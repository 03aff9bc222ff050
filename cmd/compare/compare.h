/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "tma compare": commands, which are run in turn, saved runs, or recordings come in; how each
 * differs from the first goes out: in time, in events and metrics, and in the nodes of the TopDown
 * tree.
 */
#ifndef TMA_CMD_COMPARE_H
#define TMA_CMD_COMPARE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/vec.h"
#include "progress.h"
#include "run/host.h"
#include "run/run.h"
#include "streams.h"
#include "verdict/comparison.h"
#include "verdict/rules.h"

struct page;
struct recording;
struct recording_info;
struct writer;

#define COMPARE_MOST_SIDES 26 /* each has a letter */
#define MOST_RUNS 100000     /* of a side */

/** struct compare_words - the words of a command, and NULL */
struct compare_words {
	char **at;
	int nr, cap;
};

/**
 * struct compare_about - where and when runs were made; texts are owned, NULL where not known
 * @host, @processor, @kernel: of the computer; @commit: of the project, with "-dirty" where its
 *                             files differ from it; @date: in UTC, "2026-11-28 11:17:06"
 */
struct compare_about {
	char *host, *processor, *kernel, *commit, *date;
};

/* The kinds of sides. */
enum compare_kind {
	SIDE_COMMAND,
	SIDE_SAVED,
	SIDE_RECORDING, /* or a text with counts */
};

/**
 * struct compare_side - one of the things that are compared
 * @name:    the command, the name of saved runs, or the file
 * @command: (SIDE_SAVED, SIDE_RECORDING) the command that was run; NULL where it is not known
 * @words:   of the command, as it is run
 * @failed:  how many of its runs had a status that was not 0
 * @simulated: name of the simulated machine that counted it, or NULL
 * @cpu:     the model of its CPU, or NULL where it is not known
 */
struct compare_side {
	enum compare_kind kind;
	char *name, *command;
	struct compare_words words;
	int failed;
	char *simulated, *cpu;
	struct compare_about about;
};

/**
 * struct compare_answer - the result of a comparison
 * @runs:      number of runs that each command should have
 * @recorded:  sides are files
 * @counter:   "valgrind-3.19.0", where it counted instructions; or NULL
 * @why_times: why only times were measured, or ""
 * @ended:     why there are fewer runs, or NULL
 * @colour:    print the answer with colours
 */
struct compare_answer {
	struct comparison comparison;
	struct compare_rules rules;
	struct compare_side sides[COMPARE_MOST_SIDES];
	int nr, runs;
	bool recorded, colour;
	char *counter;
	const char *why_times, *ended;
	struct comparison_margins margins;
};

/**
 * struct compare - a comparison under way
 * @host:    the host that commands are run on
 * @outcome: of the latest run
 * @events, @metrics: of -e and -M, joined by commas; @metric_names: those in the latter
 * @memory:  the peak of memory is asked for
 * @asked_level: --td-level, where it is a number; TD_LEVEL_MAX for max; @saved_level: the level
 *               that runs were saved with
 * @levels:  of the tree; 0 to measure only times
 * @rows:    rows of code that are wanted, AGGR_FUNCTION or AGGR_OBJECT; else AGGR_GLOBAL.
 *           @per_function, @per_object: they were asked for; @frequency: of -F, as given,
 *           @samples_hz: as a number; @sampled: the current run had samples; @noted_samples: some
 *           run had, and the notes on its samples were printed
 * @side:    the side whose run it is; @warming: the run warms up and is not counted; @taken: it was
 *           measured
 * @counts_instructions: valgrind counts them; @count_file: the file that it writes them to
 * @recording: the one that is being read
 * @page:    of --format html; @writer: of the current recording, in it; @failed: rows could not be
 *           written, for the reason in @page_err
 */
struct compare {
	struct host host;
	struct run_outcome outcome;
	struct compare_answer answer;
	struct streams streams;
	const char *repeat, *warmup, *prepare, *td_level, *points, *percent, *count_percent, *cpus,
		*frequency;
	const struct recording *recording;
	const char *format, *output_name, *count, *cpu_name, *save, *colour;
	char *events, *metrics, saved_level[12];
	struct sb metric_names;
	bool system_wide, json, markdown, keep_output, ignore_failure, list, memory, per_function,
		per_object, sampled, noted_samples;
	int verbose;
	uint64_t runs, warmups, asked_level, samples_hz;
	enum grid_aggr rows;
	int side, levels, output_fd;
	bool warming, taken, failed, counts_instructions;
	char *count_file;
	struct progress progress;
	struct page *page;
	FILE *page_out;
	struct writer *writer;
	struct err page_err;
	VEC(const char *) wanted;
	VEC(const char *) lists;
};

/* --- Sides: sides.c, parameters.c ------------------------------------------------------------ */

/**
 * compare_side__split() - split a command into words; one that needs a shell becomes its argument
 */
void compare_side__split(const char *command, struct compare_words *words);
void compare_words__free(struct compare_words *words);
/** compare_sides__free() - release all that the sides own. */
void compare_sides__free(struct compare_answer *a);
/**
 * compare_side__is_recording() - find out whether a path is that of a recording, or of another file
 * that is not run: a text with counts
 */
bool compare_side__is_recording(const char *path);
/** compare_side__is_missing() - find out whether a word names a file that does not exist. */
bool compare_side__is_missing(const char *word);
/** compare_side__is_program() - find out whether a shell would find a command of this name. */
bool compare_side__is_program(const char *name);
/** compare_side__parse_number() - parse a number of at least 0, if one is given. 0 or -EINVAL. */
int compare_side__parse_number(const char *what, const char *text, double *out, struct err *err);
/**
 * compare_side__keep_host() - note on which computer a side was counted, as its first run has it
 */
void compare_side__keep_host(struct compare_side *side, const struct host *host);
/**
 * compare_sides__take() - find out what each word is: a command, saved runs, or a file
 * @lists: of -L, "NAME=a,b": commands with {NAME} in them are run with each value
 * @saves: a single command is enough, since its runs are saved
 *
 * Return: 0 or -errno.
 */
int compare_sides__take(struct compare_answer *a, int nr, const char *const *words,
			const char *const *lists, int nr_lists, bool saves, struct err *err);

/** struct compare_texts - texts, which are owned */
struct compare_texts {
	char **at;
	int nr, cap;
};
/**
 * compare_parameters__expand() - append a command once for each combination of the values of the
 * parameters in it
 *
 * Return: 0, or -EINVAL where there are too many.
 */
int compare_parameters__expand(const char *command, const char *const *lists, int nr_lists,
			       struct compare_texts *out, struct err *err);
/** compare_parameters__check() - check that each list is used by a command. 0 or -EINVAL. */
int compare_parameters__check(int nr, const char *const *words, const char *const *lists,
			      int nr_lists, struct err *err);

/* --- Saved runs: saved.c, about.c ------------------------------------------------------------ */

/**
 * struct compare_asked - the options with which runs were saved; NULL or 0 where not given
 * @rows:   "function", "object": rows of code
 * @levels: of the tree; -1 where not given
 */
struct compare_asked {
	char *events, *metrics, *rows;
	bool memory, counts_instructions;
	int levels;
};

/** compare_about__here() - fill in the facts about this computer, where they are not known. */
void compare_about__here(struct compare_about *about, const struct host *host);
/**
 * compare_about__recorded() - fill in what a recording has about its computer, where that is not
 * known, and when its file was made
 */
void compare_about__recorded(struct compare_about *about, const struct recording_info *info,
			     const char *path);
/** compare_about__find_commit() - find the commit that the project is at, if it has one. */
void compare_about__find_commit(struct compare_about *about);
void compare_about__free(struct compare_about *about);
/** compare_about__put_differences() - append lines on how the computers of two sides differ. */
void compare_about__put_differences(const struct compare_answer *a, int side, struct sb *sb);

/** compare_saved__is() - find out whether runs were saved under a name. */
bool compare_saved__is(const char *name);
/** compare_saved__check() - check that a name can be given to runs. 0 or -EINVAL. */
int compare_saved__check(const char *name, struct err *err);
/** compare_saved__load() - read the command, and where and when it ran. 0 or -errno. */
int compare_saved__load(struct compare_side *side, struct compare_asked *asked, struct err *err);
/** compare_saved__load_runs() - read the values of its runs. 0 or -errno. */
int compare_saved__load_runs(struct compare_answer *a, int side, struct err *err);
/** compare_saved__write() - save the runs of the only command. 0 or -errno. */
int compare_saved__write(const struct compare *c, const char *name, struct err *err);
/** compare_saved__list() - print the names of saved runs. 0 or -errno. */
int compare_saved__list(FILE *out, bool json, struct err *err);
void compare_asked__free(struct compare_asked *asked);

/* --- Runs: runs.c, valgrind.c ---------------------------------------------------------------- */

/** compare_runs__all() - run or read all sides. Return: the status that ends it, or 0. */
int compare_runs__all(struct compare *c, struct err *err);

/** compare_valgrind__find() - find valgrind, and put its version into the answer. 0 or -errno. */
int compare_valgrind__find(struct compare *c, struct err *err);
/** compare_valgrind__words() - make the command line that counts a side's command with valgrind. */
void compare_valgrind__words(struct compare *c, struct compare_words *words);
/** compare_valgrind__take() - add the count of the run that has ended. 0 or -errno. */
int compare_valgrind__take(struct compare *c, struct err *err);
/** compare_valgrind__end() - remove the files of valgrind. */
void compare_valgrind__end(struct compare *c);

/* --- The answer: notes.c, print.c, print_page.c, print_json.c -------------------------------- */

/** compare__letter() - get the letter that names a side. */
const char *compare__letter(int side);
/** compare__row() - get the row at a place of the answer; NULL after the last. */
const struct compared *compare__row(const struct compare_answer *a, int place);
/** compare__site_row() - get the row at a place among the functions or files of a side likewise. */
const struct compared *compare__site_row(const struct compare_answer *a, int side, int place);
/** compare__nr_runs() - count the runs of a side, or the intervals of a recording. */
int compare__nr_runs(const struct compare_answer *a, int side);
/** compare__put_doubts() - append why the runs of a side are doubtful, as lines. */
void compare__put_doubts(const struct compare_answer *a, int side, struct sb *sb);
/** compare__put_notes() - append lines on why runs are doubtful, and on what is missing. */
void compare__put_notes(const struct compare_answer *a, struct sb *sb);

/**
 * struct compare_table - a table of an answer
 * @side: the side that it compares with the first; @sites: its rows are functions or files; @head:
 *        of its first column
 */
struct compare_table {
	int side;
	bool sites;
	char head[24];
};

/** compare_table__find() - find a table by its place, from 0. Return: whether there is one. */
bool compare_table__find(const struct compare_answer *a, int place, struct compare_table *out);
/** compare_table__row() - get the row at a place of it; NULL after the last. */
const struct compared *compare_table__row(const struct compare_answer *a,
					  const struct compare_table *t, int place);

#define COMPARE_COLUMNS 5

/** struct compare_line - the fields of a line of a table */
struct compare_line {
	char field[COMPARE_COLUMNS][128];
};

/** compare_line__make() - make the line of a row, for a side that is compared with the first. */
void compare_line__make(const struct compare_answer *a, const struct compared *row, int side,
			struct compare_line *line);
/** compare__put_range() - append " 1.23 s +- 0.02 (1.20 ... 1.31)" of a side's times, if any. */
void compare__put_range(const struct compare_answer *a, int side, struct sb *sb);
/** compare__put_nr_runs() - append "10 runs", "1 value". */
void compare__put_nr_runs(const struct compare_answer *a, int side, struct sb *sb);
/** compare__tell() - append a line on what changed on a side. */
void compare__tell(const struct compare_answer *a, int side, struct sb *sb);
/** compare__outcome() - get the word for the outcome of a condition. */
const char *compare__outcome(const struct compare_rule *rule);

void compare__print(const struct compare_answer *a, FILE *out);
void compare__print_markdown(const struct compare_answer *a, FILE *out);
/** compare__put_page() - append the answer as HTML, for the top of a page. */
void compare__put_page(const struct compare_answer *a, struct sb *sb);
/** compare__print_json() - print the answer for programs, as one object on a line. */
void compare__print_json(const struct compare_answer *a, FILE *out);

#endif
