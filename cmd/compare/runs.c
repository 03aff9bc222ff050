// SPDX-License-Identifier: GPL-2.0-only
/* Runs commands in turn, or reads recordings, and collects their values in a comparison. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "cmd.h"
#include "compare/compare.h"
#include "machine/machine.h"
#include "run/input.h"
#include "writers/page.h"
#include "writers/writer.h"

static struct compare_side *side_of(struct compare *c)
{
	return &c->answer.sides[c->side];
}

/* --- Rows ---------------------------------------------------------------------------------- */

/* Write rows of recordings into a page, one recording after the other. */
static void write_row(struct compare *c, const struct grid *grid)
{
	const struct writer_options opts = {.format = format__find("html"),
					    .page = c->page,
					    .head = side_of(c)->name,
					    .metric_only = true,
					    .recorded = true};

	if (!c->page || !c->answer.recorded || c->failed)
		return;
	if (!c->writer)
		c->writer = writer__new(&opts, grid, stderr);
	c->failed = writer__rows(c->writer, &c->page_err);
}

static void end_rows(struct compare *c, const struct grid *grid)
{
	auto_free(sb) lines = SB_INIT;

	if (grid->span != SPAN_INTERVAL)
		write_row(c, grid);
	if (!c->writer)
		return;
	c->failed = c->failed || writer__verdicts(c->writer, &lines, &c->page_err) ||
		    writer__finish(c->writer, &c->page_err);
	writer__free(c->writer);
	c->writer = NULL;
}

static void begin_turn(void *arg)
{
	const struct compare *c = arg;

	streams__begin_again(&c->streams);
}

static void compare__take_row(void *arg, const struct grid *grid)
{
	struct compare *c = arg;

	if (!c->warming && !c->counts_instructions)
		comparison__take_row(&c->answer.comparison, c->side, grid);
	write_row(c, grid);
}

/*
 * Get the name of a side's program. Its functions are compared with those of the other side's
 * program.
 */
static const char *program_of(const struct compare_side *side, char *path)
{
	const char *word = side->kind == SIDE_COMMAND ? side->words.at[0] : NULL;
	const char *found = word && strchr(word, '/') ? realpath(word, path) : NULL;
	const char *slash = strrchr(found ?: word ?: "", '/');

	return slash ? slash + 1 : word;
}

static void take_sites(void *arg, const struct grid *grid)
{
	struct compare *c = arg;
	char path[PATH_MAX];
	const struct sites_taken taken = {
		.program = program_of(side_of(c), path),
		.cpu_time = !c->answer.recorded && !c->system_wide && !c->cpus,
	};

	c->sampled = c->noted_samples = true;
	if (!c->warming)
		compared_sites__take(&c->answer.comparison.sites, c->side, grid, &taken);
}

/* Read the errors of means, which the text output of -r has. */
static void take_spreads(struct compare *c, const struct grid *grid)
{
	struct comparison *comparison = &c->answer.comparison;

	if (!c->recording)
		return;
	comparison__set_spread(comparison, c->side, NULL, recording__spread(c->recording, -1));
	for (int i = 0; i < grid->nr_columns; i++)
		if (grid->columns[i].kind == GRID_EVENT)
			comparison__set_spread(
				comparison, c->side, &grid->columns[i],
				recording__spread(c->recording, grid->columns[i].event));
}

static void compare__take(void *arg, const struct grid *grid, const struct run_outcome *outcome)
{
	struct compare *c = arg;

	(void)outcome;
	c->taken = true;
	/* Skip interrupted runs. */
	if (!c->warming && !session__signal() && !c->counts_instructions) {
		comparison__take(&c->answer.comparison, c->side, grid);
		compared_sites__end_run(&c->answer.comparison.sites, c->side, c->answer.recorded);
	}
	take_spreads(c, grid);
	end_rows(c, grid);
}

/* --- The request of a run -------------------------------------------------------------------- */

static void ask_for_metrics(const struct compare *c, struct request *req)
{
	req->wants = WANT_RATIOS | WANT_METRICS | WANT_EVENTS;
	if (c->metrics) {
		req->metrics = sb__str((struct sb *)&c->metric_names);
		req->error = true;
		req->wants |= WANT_ERRORS;
	}
	if (!c->levels) {
		req->null = !c->events && !c->metrics;
		req->wants |= WANT_RATES;
		return;
	}
	req->verdict = req->topdown = req->metric_only = true;
	req->td_level = c->asked_level ?: (uint64_t)c->levels;
}

/* Ask also for rows of code, even the smallest, since runs differ in which rows are small. */
static void ask_for_sites(const struct compare *c, struct request *req,
			  struct request_event *events)
{
	if (!c->rows)
		return;
	req->aggr = c->rows;
	req->rows_given = true;
	req->all_sites = true;
	req->frequency = c->samples_hz;
	req->error = true;
	req->levels_above = true;
	req->null = false;
	req->wants |= WANT_ERRORS | WANT_TREE | WANT_STATUS;
	if (c->levels || c->answer.recorded)
		return;
	/* The first event that is sampled measures the time of a function. */
	events[1] = events[0];
	events[0].text = machine__nr_core_pmus(c->host.machine) ? "cycles" : "cpu-clock";
	req->nr_events++;
}

static int ask_for_command(struct compare *c, struct request *req,
			   const struct compare_words *words, struct err *err)
{
	struct target *t = &req->target;
	int rc = c->cpus ? cpulist__parse("-C", c->cpus, &t->cpus, err) : 0;

	if (!rc && c->cpus && !t->cpus.nr)
		rc = err__set(err, EINVAL, "-C needs a list of CPUs, such as 0-3,8");
	req->cpu_text = c->cpus;
	req->pre = c->prepare;
	req->pre_option = "--prepare";
	t->system_wide = c->system_wide;
	t->argv = (char *const *)words->at;
	return rc;
}

/*
 * Make the request for a recording. Without --td-level, the tree has the nodes for which the file
 * has events.
 */
static void ask_for_recording(const struct compare *c, struct request *req,
			      struct run_input *input)
{
	bool no_tree = c->td_level && !c->asked_level;

	req->input = input;
	req->null = false;
	req->judged = !no_tree;
	req->topdown = req->verdict = c->td_level && !no_tree;
	req->rows_given = true;
	req->aggr = AGGR_GLOBAL;
	if (!c->page)
		return;
	req->wants |= WANT_STATUS | WANT_TREE;
	req->summary = true;
}

/* --- A run --------------------------------------------------------------------------------- */

/* Run one side. Return: the exit status. */
static int run_side(struct compare *c, const struct host *host, const struct request *req)
{
	const struct run_taker taker = {.begins = begin_turn,
					.row = compare__take_row,
					.sites = take_sites,
					.end = compare__take,
					.arg = c};
	int status;

	compare_side__keep_host(side_of(c), host);
	status = measure(host, req, &taker, &c->outcome);
	/* The grid that the writer has written no longer exists. */
	writer__free(c->writer);
	c->writer = NULL;
	return status;
}

/*
 * Note the peak of tma's own memory: a child process starts with this memory, so its peak is not
 * lower.
 */
static void note_own_memory(struct comparison *comparison)
{
	struct rusage own;

	if (!getrusage(RUSAGE_SELF, &own))
		comparison->least_memory = (uint64_t)own.ru_maxrss * 1024;
}

static int run_command(struct compare *c)
{
	struct request_event events[2] = {{.text = c->events}};
	const struct compare_words *words = &side_of(c)->words;
	auto_free(compare_words) counted = {.at = NULL};
	struct request req = REQUEST_INIT;
	struct err err = ERR_INIT;
	int status;

	ask_for_metrics(c, &req);
	req.events = events;
	req.nr_events = c->events != NULL;
	ask_for_sites(c, &req, events);
	if (c->counts_instructions) {
		compare_valgrind__words(c, &counted);
		words = &counted;
	}
	compare_about__here(&side_of(c)->about, &c->host);
	note_own_memory(&c->answer.comparison);
	/* The notes on samples of each run would be nearly the same. */
	if (c->noted_samples)
		req.notes &= ~NOTE(SITES);
	if (ask_for_command(c, &req, words, &err))
		status = say_usage(&err);
	else
		status = refresh_host(&c->host, &err) ? say_err(&err)
						      : run_side(c, &c->host, &req);
	if (c->counts_instructions && c->taken && !c->outcome.signal &&
	    compare_valgrind__take(c, &err)) {
		/* If valgrind could not run the command, valgrind has already printed why. */
		status = status ?: say_err(&err);
		c->taken = false;
	}
	cpulist__free(&req.target.cpus);
	return status;
}

static void keep_recorded(struct compare_side *side, const struct recording_info *info)
{
	compare_about__recorded(&side->about, info, side->name);
	if (info->nr_words && !side->command)
		side->command = xstrdup(info->command);
}

static int say_err_of_samples(const struct compare *c)
{
	say("%s has no samples, which %s needs: record it with 'tma stat record %s'",
	    c->answer.sides[c->side].name, row_kinds[c->rows].option, row_kinds[c->rows].option);
	return STATUS_FAILED;
}

static int read_recording(struct compare *c)
{
	const struct recording_options opts = {.smt = FACT_UNKNOWN, .core_wide = FACT_UNKNOWN};
	struct notes notes = {.wanted = NOTES_OF_EVERY_RUN};
	struct request req = REQUEST_INIT;
	struct err err = ERR_INIT;
	struct host host = {.machine = NULL};
	struct run_input input;
	int rc = run_input__open(&input, side_of(c)->name, c->cpu_name, &opts, &err), status;
	/* A text with counts may be from any CPU: only its events are known. */
	bool borrows = rc || !recording__info(input.recording)->text || c->td_level || c->metrics;

	rc = rc ?: run_input__load_host(&input, host_asked(), true, borrows, &host, &notes, &err);
	say_notes(&notes);
	ask_for_metrics(c, &req);
	ask_for_recording(c, &req, &input);
	if (!rc)
		keep_recorded(side_of(c), recording__info(input.recording));
	ask_for_sites(c, &req, NULL);
	c->recording = input.recording;
	status = rc ? say_err(&err) : run_side(c, &host, &req);
	c->recording = NULL;
	if (!status && c->rows && !c->sampled)
		status = say_err_of_samples(c);
	notes__free(&notes);
	run_input__free_host(&host);
	run_input__close(&input);
	return status;
}

/* Run a side once. Return: the exit status; 0 if a failure is ignored. */
static int run_once(struct compare *c, int side)
{
	int status;

	c->side = side;
	c->taken = c->sampled = false;
	c->outcome = (struct run_outcome){.status = 0};
	status = c->answer.recorded ? read_recording(c) : run_command(c);
	side_of(c)->failed += status && !c->outcome.signal && !c->warming;
	return c->ignore_failure && c->taken ? 0 : status;
}

/*
 * Hint at quotes if no argument is a command with several words, and some are not programs: the
 * user probably left out the quotes.
 */
static void hint_quotes(const struct compare *c)
{
	bool bare = true, programs = true;

	for (int side = 0; side < c->answer.nr; side++) {
		const char *name = c->answer.sides[side].name;

		bare &= !strpbrk(name, " /");
		programs &= strchr(name, '/') || compare_side__is_program(name);
	}
	if (bare && !programs)
		say("each command is one word, in quotes: tma compare 'sleep 1' 'sleep 2'");
}

static int compare__fail(const struct compare *c, int side, uint64_t run, int status)
{
	if (c->answer.recorded)
		return status;
	if (c->taken)
		say("command %c ended with status %d in run %llu: nothing is compared "
		    "(--ignore-failure accepts this)",
		    'A' + side, status, (unsigned long long)run + 1);
	hint_quotes(c);
	return status;
}

/* --- Progress ------------------------------------------------------------------------------ */

/* Put the means so far, of the first sides: "A 1.23 s, B 1.10 s". */
static void put_means(const struct compare *c, struct sb *sb)
{
	const struct compared *time = comparison__find(&c->answer.comparison, "time", -1);

	for (int side = 0; time && side < c->answer.nr && side < 4; side++) {
		double mean = series__mean(&time->series[side]);

		if (isnan(mean))
			continue;
		sb__printf(sb, "%s %s %.*f %s", sb->len ? "," : ":", compare__letter(side),
			   mean < 1 ? 1 : 2, mean < 1 ? 1e3 * mean : mean, mean < 1 ? "ms" : "s");
	}
}

/* Show on the terminal which run begins. */
static void show_progress(struct compare *c, uint64_t round, int turn)
{
	uint64_t rounds = c->warming ? c->warmups : c->runs;
	uint64_t before = (c->warming ? 0 : c->warmups) + round;
	auto_free(sb) means = SB_INIT;

	if (c->answer.recorded)
		return;
	put_means(c, &means);
	progress__show(&c->progress,
		       (double)(before * c->answer.nr + turn) /
			       ((c->warmups + c->runs) * c->answer.nr),
		       "%s %llu of %llu%s", c->warming ? "warm-up run" : "run",
		       (unsigned long long)round + 1, (unsigned long long)rounds, sb__str(&means));
}

/* --- All runs ------------------------------------------------------------------------------ */

/* Run each side once, forwards or backwards. Return: the exit status of the first failure, or 0. */
static int run_round(struct compare *c, uint64_t round, bool backward)
{
	int nr = c->answer.nr;

	for (int i = 0; i < nr; i++) {
		int side = backward ? nr - 1 - i : i, status;

		if (c->answer.sides[side].kind == SIDE_SAVED)
			continue;
		if (c->verbose)
			say("%s %llu of %c", c->warming ? "warm-up run" : "run",
			    (unsigned long long)round + 1, 'A' + side);
		show_progress(c, round, i);
		status = run_once(c, side);
		if (c->outcome.signal)
			return 128 + c->outcome.signal;
		if (status)
			return compare__fail(c, side, round, status);
	}
	return 0;
}

/*
 * Find out why there is no tree: if runs are too short to count any node, only times are compared.
 */
static void find_tree(struct compare *c)
{
	const struct compared *row;

	if (!c->levels || c->answer.recorded)
		return;
	c->answer.why_times = c->outcome.starved
				      ? "no node of the tree has a value: the runs are "
					"too short for every group of events to be counted"
				      : "no node of the tree has a value";
	vec__for_each (row, &c->answer.comparison)
		if (row->level)
			c->answer.why_times = "";
}

static int check_rules(struct compare *c, struct err *err)
{
	return compare_rules__check(&c->answer.rules, &c->answer.comparison, c->answer.why_times,
				    err)
		       ? say_err(err)
		       : 0;
}

static int load_saved(struct compare *c, struct err *err)
{
	for (int side = 0; side < c->answer.nr; side++)
		if (c->answer.sides[side].kind == SIDE_SAVED &&
		    compare_saved__load_runs(&c->answer, side, err))
			return say_err(err);
	return 0;
}

int compare_runs__all(struct compare *c, struct err *err)
{
	int status = load_saved(c, err);

	signals__install();
	progress__begin(&c->progress);
	c->warming = true;
	for (uint64_t i = 0; !status && i < c->warmups; i++)
		status = run_round(c, i, false);
	c->warming = false;
	for (uint64_t i = 0; !status && i < c->runs; i++) {
		status = run_round(c, i, i % 2);
		find_tree(c);
		if (!status && !i)
			status = check_rules(c, err);
	}
	signals__restore();
	if (c->outcome.signal)
		c->answer.ended = "it was interrupted";
	return status;
}
