/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "tma compare": in come commands, which are run in turn, or recordings; out goes how each differs
 * from the first, in time and in the nodes of the TopDown tree.
 */
#ifndef TMA_CMD_COMPARE_H
#define TMA_CMD_COMPARE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/vec.h"
#include "verdict/comparison.h"
#include "verdict/rules.h"

struct err;
struct host;
struct sb;

#define COMPARE_MOST_SIDES 26 /* each has a letter */

/**
 * struct compare_answer - what was found
 * @names, @nr: commands, or files (@recorded)
 * @runs:      that each was to have; @failed: of how many the command's status was not 0
 * @simulated: name of the simulated machine that counted each, or NULL
 * @cpu:       the model of its CPU, or NULL where it is not known
 * @why_times: why there are times alone, or ""
 * @ended:     why there are fewer runs, or NULL
 */
struct compare_answer {
	struct comparison comparison;
	struct compare_rules rules;
	const char **names;
	int nr, runs, failed[COMPARE_MOST_SIDES];
	char *simulated[COMPARE_MOST_SIDES], *cpu[COMPARE_MOST_SIDES];
	bool recorded;
	const char *why_times, *ended;
	double points, percent;
};

/** struct compare_words - the words of a command, and NULL */
struct compare_words {
	char **at;
	int nr, cap;
};

/** compare_side__split() - take a command apart; one that needs a shell becomes its argument. */
void compare_side__split(const char *command, struct compare_words *words);
void compare_side__free(struct compare_words *words);
/** compare_side__is_recording() - tell whether a path is that of a recording. */
bool compare_side__is_recording(const char *path);
/** compare_side__is_missing() - whether a word names a file that is not there. */
bool compare_side__is_missing(const char *word);
/** compare_side__parse_number() - read a number of at least 0, if one is given. 0 or -EINVAL. */
int compare_side__parse_number(const char *what, const char *text, double *out, struct err *err);

/** compare_side__keep_host() - keep on which computer a side was counted: its first run decides. */
void compare_side__keep_host(struct compare_answer *a, int side, const struct host *host);

/** compare__letter() - how a side is called. */
const char *compare__letter(int side);
/** compare__row() - the row at a place of the answer; NULL after the last. */
const struct compared *compare__row(const struct compare_answer *a, int place);
/** compare__nr_runs() - how many runs, or intervals of a recording, there are of a side. */
int compare__nr_runs(const struct compare_answer *a, int side);
/** compare__put_doubts() - append what makes the runs of a side doubtful, as lines. */
void compare__put_doubts(const struct compare_answer *a, int side, struct sb *sb);
/** compare__put_notes() - append lines on what makes runs doubtful, and on what is missing. */
void compare__put_notes(const struct compare_answer *a, struct sb *sb);

void compare__print(const struct compare_answer *a, FILE *out);
void compare__print_markdown(const struct compare_answer *a, FILE *out);
/** compare__put_page() - append it as HTML, for what stands above the runs of a page. */
void compare__put_page(const struct compare_answer *a, struct sb *sb);
/** compare__print_json() - print it for programs, as one object on a line. */
void compare__print_json(const struct compare_answer *a, FILE *out);

#endif
