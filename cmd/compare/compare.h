/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "tma compare" compares commands (which it runs in turn), saved runs, or recordings. Its answer
 * shows how each side differs from the first: in time, in events and metrics, and in the nodes of
 * the TopDown tree.
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

#define COMPARE_MOST_SIDES 26 /* each side has a letter */
#define MOST_RUNS 100000      /* most runs of a side */

/** struct compare_words - the words of a command, ended by NULL */
struct compare_words {
	char **at;
	int nr, cap;
};

/**
 * struct compare_about - where and when runs were made; texts are owned, NULL if unknown
 * @host, @processor, @kernel: names of the computer, its CPU and its kernel
 * @commit: commit of the project; "-dirty" is appended if files differ from the commit
 * @date: in UTC, "2026-11-28 11:17:06"
 */
struct compare_about {
	char *host, *processor, *kernel, *commit, *date;
};

/* The kinds of sides. */
enum compare_kind {
	SIDE_COMMAND,
	SIDE_SAVED,
	SIDE_RECORDING, /* a recording, or a text with counts */
};

/**
 * struct compare_side - a side of a comparison: a command, saved runs, or a file
 * @name:    the command, the name of the saved runs, or the file's name
 * @command: (SIDE_SAVED, SIDE_RECORDING) the command that was run; NULL if unknown
 * @words:   words of the command, as it is run
 * @failed:  number of runs whose exit status was not 0
 * @simulated: name of the simulated machine that the counts are from, or NULL
 * @cpu:     model of the CPU, or NULL if unknown
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
 * @recorded:  the sides are files
 * @counter:   "valgrind-3.19.0" if valgrind counted instructions; else NULL
 * @why_times: why only times were measured, or ""
 * @ended:     why there are fewer than @runs runs, or NULL
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
 * @outcome: outcome of the latest run
 * @events:  arguments of -e, joined by commas
 * @metrics: arguments of -M, joined by commas
 * @metric_names: names of the metrics in @metrics
 * @memory:  measure the peak of memory
 * @asked_level: number after --td-level; TD_LEVEL_MAX for "max"
 * @saved_level: number of levels that the runs were saved with
 * @levels:  number of levels of the tree; 0 to measure only times
 * @rows:    AGGR_FUNCTION or AGGR_OBJECT for rows of code; else AGGR_GLOBAL
 * @per_function, @per_object: the user gave the option of this name
 * @frequency: argument of -F
 * @samples_hz: samples per second
 * @sampled: the current run had samples
 * @noted_samples: notes on the samples of a run were printed
 * @side:    number of the side whose run is under way
 * @warming: this run warms up and is not counted
 * @taken:   this run was measured
 * @counts_instructions: valgrind counts instructions, and writes them to @count_file
 * @recording: the recording that is being read
 * @page:    page of --format html
 * @writer:  writes the current recording into the page
 * @failed:  rows could not be written; @page_err has the reason
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
 * compare_side__split() - split a command into words; if it needs a shell, the words are /bin/sh,
 * -c and the command
 */
void compare_side__split(const char *command, struct compare_words *words);
void compare_words__free(struct compare_words *words);
/** compare_sides__free() - release everything that the sides own. */
void compare_sides__free(struct compare_answer *a);
/**
 * compare_side__is_recording() - find out whether a path is that of a recording or of a text with
 * counts: such a file is read, not run
 */
bool compare_side__is_recording(const char *path);
/** compare_side__is_missing() - find out whether a word names a file that does not exist. */
bool compare_side__is_missing(const char *word);
/** compare_side__is_program() - find out whether a shell would find a command of this name. */
bool compare_side__is_program(const char *name);
/**
 * compare_side__parse_number() - parse a number of at least 0; NULL leaves the value as it is.
 * Return: 0 or -EINVAL.
 */
int compare_side__parse_number(const char *what, const char *text, double *out, struct err *err);
/** compare_side__keep_host() - note the computer that a side's first run was counted on */
void compare_side__keep_host(struct compare_side *side, const struct host *host);
/**
 * compare_sides__take() - find out what each word is: a command, saved runs, or a file
 * @lists: arguments of -L, "NAME=a,b": a command with {NAME} in it is run with each value
 * @saves: a single command is enough, since its runs are saved
 *
 * Return: 0 or -errno.
 */
int compare_sides__take(struct compare_answer *a, int nr, const char *const *words,
			const char *const *lists, int nr_lists, bool saves, struct err *err);

/** struct compare_texts - a list of texts, which it owns */
struct compare_texts {
	char **at;
	int nr, cap;
};
/**
 * compare_parameters__expand() - append a command once for each combination of values of the
 * parameters in it
 *
 * Return: 0, or -EINVAL for too many combinations.
 */
int compare_parameters__expand(const char *command, const char *const *lists, int nr_lists,
			       struct compare_texts *out, struct err *err);
/** compare_parameters__check() - check that a command uses each list. Return: 0 or -EINVAL. */
int compare_parameters__check(int nr, const char *const *words, const char *const *lists,
			      int nr_lists, struct err *err);

/* --- Saved runs: saved.c, about.c ------------------------------------------------------------ */

/**
 * struct compare_asked - the options that runs were saved with; NULL or false if not given
 * @rows:   "function" or "object" for rows of code
 * @levels: number of levels of the tree; -1 if not given
 */
struct compare_asked {
	char *events, *metrics, *rows;
	bool memory, counts_instructions;
	int levels;
};

/** compare_about__here() - fill in the facts about this computer that are still unknown. */
void compare_about__here(struct compare_about *about, const struct host *host);
/**
 * compare_about__recorded() - fill in the facts that a recording has and that are still unknown,
 * and the date of its file
 */
void compare_about__recorded(struct compare_about *about, const struct recording_info *info,
			     const char *path);
/** compare_about__find_commit() - find the commit that the project is at, if it has one. */
void compare_about__find_commit(struct compare_about *about);
void compare_about__free(struct compare_about *about);
/** compare_about__put_differences() - append lines on how the computers of two sides differ. */
void compare_about__put_differences(const struct compare_answer *a, int side, struct sb *sb);

/** compare_saved__is() - find out whether there are saved runs of a name. */
bool compare_saved__is(const char *name);
/** compare_saved__check() - check that runs can be saved under a name. Return: 0 or -EINVAL. */
int compare_saved__check(const char *name, struct err *err);
/**
 * compare_saved__can_write() - check before the runs that they can be saved
 *
 * Return: 0 or -errno.
 */
int compare_saved__can_write(const char *name, struct err *err);
/**
 * compare_saved__load() - read the command of saved runs, and where and when it ran. 0 or -errno.
 */
int compare_saved__load(struct compare_side *side, struct compare_asked *asked, struct err *err);
/** compare_saved__load_runs() - read the values of saved runs. Return: 0 or -errno. */
int compare_saved__load_runs(struct compare_answer *a, int side, struct err *err);
/** compare_saved__write() - save the runs of the only command. 0 or -errno. */
int compare_saved__write(const struct compare *c, const char *name, struct err *err);
/** compare_saved__list() - print the names of saved runs. 0 or -errno. */
int compare_saved__list(FILE *out, bool json, struct err *err);
void compare_asked__free(struct compare_asked *asked);

/* --- Runs: runs.c, valgrind.c ---------------------------------------------------------------- */

/**
 * compare_runs__all() - run or read all sides. Return: the exit status of the first failure, or 0.
 */
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
/**
 * compare__site_row() - get the row at a place among a side's functions or files; NULL after the
 * last
 */
const struct compared *compare__site_row(const struct compare_answer *a, int side, int place);
/** compare__nr_runs() - count the runs of a side, or the intervals of a recording. */
int compare__nr_runs(const struct compare_answer *a, int side);
/** compare__put_doubts() - append why the runs of a side are doubtful, as lines. */
void compare__put_doubts(const struct compare_answer *a, int side, struct sb *sb);
/** compare__put_notes() - append lines on why runs are doubtful, and on what is missing. */
void compare__put_notes(const struct compare_answer *a, struct sb *sb);

/**
 * struct compare_table - a table of an answer
 * @side: number of the side that is compared with the first side
 * @sites: rows are functions or files
 * @head: heading of the first column
 */
struct compare_table {
	int side;
	bool sites;
	char head[24];
};

/** compare_table__find() - find a table by its place, from 0. Return: whether there is one. */
bool compare_table__find(const struct compare_answer *a, int place, struct compare_table *out);
/** compare_table__row() - get the row at a place of a table; NULL after the last row. */
const struct compared *compare_table__row(const struct compare_answer *a,
					  const struct compare_table *t, int place);

#define COMPARE_COLUMNS 5

/** struct compare_line - a line of a table, as text */
struct compare_line {
	char field[COMPARE_COLUMNS][128];
};

/**
 * compare_line__make() - make the line of a row, for a side that is compared with the first side.
 */
void compare_line__make(const struct compare_answer *a, const struct compared *row, int side,
			struct compare_line *line);
/** compare__put_range() - append " 1.23 s +- 0.02 (1.20 ... 1.31)" of a side's times, if any. */
void compare__put_range(const struct compare_answer *a, int side, struct sb *sb);
/** compare__put_nr_runs() - append the number of a side's runs or values: "10 runs", "1 value". */
void compare__put_nr_runs(const struct compare_answer *a, int side, struct sb *sb);
/** compare__tell() - append a line that tells what changed on a side. */
void compare__tell(const struct compare_answer *a, int side, struct sb *sb);
/** compare__outcome() - get the word for the outcome of a condition of --fail-if. */
const char *compare__outcome(const struct compare_rule *rule);

void compare__print(const struct compare_answer *a, FILE *out);
void compare__print_markdown(const struct compare_answer *a, FILE *out);
/** compare__put_page() - append the answer as HTML, for the top of a page. */
void compare__put_page(const struct compare_answer *a, struct sb *sb);
/** compare__print_json() - print the answer for programs, as one object on a line. */
void compare__print_json(const struct compare_answer *a, FILE *out);

#endif
