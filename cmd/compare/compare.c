// SPDX-License-Identifier: GPL-2.0-only
/*
 * "tma compare" runs commands in turn, or reads recordings. What these runs find is gathered, and
 * judged by lib/verdict.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <subcmd/parse-options.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/place.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "compare/compare.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "page.h"
#include "run/input.h"
#include "run/run.h"
#include "streams.h"
#include "writers/page.h"
#include "writers/writer.h"

#define DEFAULT_RUNS 10
#define DEFAULT_LEVEL 2
#define DEFAULT_POINTS 0.5
#define DEFAULT_PERCENT 1.0
#define MOST_RUNS 100000

/**
 * struct compare - a comparison under way
 * @host:    which commands are run on
 * @side:    whose run it is; @warming: it is not counted in; @taken: it was measured
 * @outcome: of the latest run
 * @asked_level: --td-level, where it is a number; TD_LEVEL_MAX for max
 * @levels:  of the tree; 0 for times alone
 * @output_fd: of -o, or standard output
 * @page:    of --format html; @writer: of the recording at hand, in it; @failed: rows were not
 *           written, with @err
 */
struct compare {
	struct host host;
	struct run_outcome outcome;
	struct compare_answer answer;
	struct streams streams;
	const char *repeat, *warmup, *prepare, *td_level, *points, *percent, *cpus;
	const char *format, *output_name;
	bool system_wide, json, keep_output, ignore_failure;
	int verbose;
	uint64_t runs, warmups, asked_level;
	int side, levels, output_fd;
	bool warming, taken, failed;
	struct progress progress;
	struct page *page;
	FILE *page_out;
	struct writer *writer;
	struct err page_err;
	struct compare_words commands[COMPARE_MOST_SIDES];
	VEC(const char *) wanted;
};

/* --- Commands ------------------------------------------------------------------------------ */

static int take_sides(struct compare *c, int argc, const char **argv, struct err *err)
{
	const char *recording = NULL, *other = NULL;

	if (argc < 2 || argc > COMPARE_MOST_SIDES)
		return err__set(err, EINVAL,
				"compare takes 2 to %d commands, each in quotes, or recordings of "
				"tma stat record",
				COMPARE_MOST_SIDES);
	c->answer.names = argv;
	c->answer.nr = c->answer.comparison.nr_sides = argc;
	for (int i = 0; i < argc; i++) {
		*(compare_side__is_recording(argv[i]) ? &recording : &other) = argv[i];
		compare_side__split(argv[i], &c->commands[i]);
		if (!c->commands[i].at[0])
			return err__set(err, EINVAL, "command %c is empty", 'A' + i);
	}
	if (recording && other)
		return err__set(err, EINVAL,
				"'%s' is not a recording%s, but '%s' is one: compare commands with "
				"commands, or recordings with recordings",
				other, compare_side__is_missing(other) ? " (there is no such file)" : "",
				recording);
	c->answer.recorded = recording != NULL;
	return 0;
}

/* --- A run --------------------------------------------------------------------------------- */

/* Of recordings, the rows go into a page beside each other. */
static void write_row(struct compare *c, const struct grid *grid)
{
	const struct writer_options opts = {.format = format__find("html"),
					    .page = c->page,
					    .head = c->answer.names[c->side],
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

	if (!c->warming)
		comparison__take_row(&c->answer.comparison, c->side, grid);
	write_row(c, grid);
}

static void compare__take(void *arg, const struct grid *grid, const struct run_outcome *outcome)
{
	struct compare *c = arg;

	(void)outcome;
	c->taken = true;
	/* Skip interrupted runs. */
	if (!c->warming && !session__signal())
		comparison__take(&c->answer.comparison, c->side, grid);
	end_rows(c, grid);
}

/* --- What a run is asked for --------------------------------------------------------------- */

static void ask_for_metrics(const struct compare *c, struct request *req)
{
	req->wants = WANT_RATIOS | WANT_METRICS;
	if (!c->levels) {
		req->null = true;
		req->wants |= WANT_EVENTS | WANT_RATES;
		return;
	}
	req->verdict = req->topdown = req->metric_only = true;
	req->td_level = c->asked_level ?: (uint64_t)c->levels;
}

static int ask_for_command(struct compare *c, struct request *req, struct err *err)
{
	struct target *t = &req->target;
	int rc = c->cpus ? cpulist__parse("-C", c->cpus, &t->cpus, err) : 0;

	if (!rc && c->cpus && !t->cpus.nr)
		rc = err__set(err, EINVAL, "-C needs a list of CPUs, such as 0-3,8");
	req->cpu_text = c->cpus;
	req->pre = c->prepare;
	req->pre_option = "--prepare";
	t->system_wide = c->system_wide;
	t->argv = (char *const *)c->commands[c->side].at;
	return rc;
}

static void ask_for_recording(const struct compare *c, struct request *req,
			      struct run_input *input)
{
	req->input = input;
	if (!c->page)
		return;
	req->wants |= WANT_STATUS | WANT_TREE;
	req->summary = req->judged = true;
}

/* --- A run --------------------------------------------------------------------------------- */

/* Return: the exit status. */
static int run_side(struct compare *c, const struct host *host, const struct request *req)
{
	const struct run_taker taker = {
		.begins = begin_turn, .row = compare__take_row, .end = compare__take, .arg = c};
	int status;

	compare_side__keep_host(&c->answer, c->side, host);
	status = measure(host, req, &taker, &c->outcome);
	/* The grid is gone that it wrote. */
	writer__free(c->writer);
	c->writer = NULL;
	return status;
}

static int run_command(struct compare *c)
{
	struct request req = REQUEST_INIT;
	struct err err = ERR_INIT;
	int status;

	ask_for_metrics(c, &req);
	if (ask_for_command(c, &req, &err))
		status = say_usage(&err);
	else
		status = refresh_host(&c->host, &err) ? say_err(&err)
						      : run_side(c, &c->host, &req);
	cpulist__free(&req.target.cpus);
	return status;
}

static int read_recording(struct compare *c)
{
	const struct recording_options opts = {.smt = TOLD_NOTHING, .core_wide = TOLD_NOTHING};
	struct notes notes = {.wanted = NOTES_OF_EVERY_RUN};
	struct request req = REQUEST_INIT;
	struct err err = ERR_INIT;
	struct host host = {.machine = NULL};
	struct run_input input;
	int rc = run_input__open(&input, c->answer.names[c->side], NULL, &opts, &err), status;

	rc = rc ?: run_input__load_host(&input, host_asked(), true, true, &host, &notes, &err);
	say_notes(&notes);
	ask_for_metrics(c, &req);
	ask_for_recording(c, &req, &input);
	status = rc ? say_err(&err) : run_side(c, &host, &req);
	notes__free(&notes);
	run_input__free_host(&host);
	run_input__close(&input);
	return status;
}

/* Return: the exit status, 0 for one that does not matter. */
static int run_once(struct compare *c, int side)
{
	int status;

	c->side = side;
	c->taken = false;
	c->outcome = (struct run_outcome){.status = 0};
	status = c->answer.recorded ? read_recording(c) : run_command(c);
	c->answer.failed[side] += status && !c->outcome.signal && !c->warming;
	return c->ignore_failure && c->taken ? 0 : status;
}

static int compare__fail(const struct compare *c, int side, uint64_t run, int status)
{
	if (!c->answer.recorded && c->taken)
		say("command %c ended with status %d in its run %llu: nothing is compared "
		    "(--ignore-failure accepts it)",
		    'A' + side, status, (unsigned long long)run + 1);
	return status;
}

/* Says on the terminal which run begins. */
static void show_progress(struct compare *c, uint64_t round, int turn)
{
	uint64_t rounds = c->warming ? c->warmups : c->runs;
	uint64_t before = (c->warming ? 0 : c->warmups) + round;

	if (!c->answer.recorded)
		progress__show(&c->progress,
			       (double)(before * c->answer.nr + turn) /
				       ((c->warmups + c->runs) * c->answer.nr),
			       "%s %llu of %llu", c->warming ? "warm-up run" : "run",
			       (unsigned long long)round + 1, (unsigned long long)rounds);
}

/* One run of each, from the first to the last or back. Return: the status that ends it, or 0. */
static int run_round(struct compare *c, uint64_t round, bool backward)
{
	int nr = c->answer.nr;

	for (int i = 0; i < nr; i++) {
		int side = backward ? nr - 1 - i : i, status;

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

/* Runs may be too short for a single node of the tree, which is told, as times are all there is. */
static void find_tree(struct compare *c)
{
	if (!c->levels)
		return;
	c->answer.why_times = c->outcome.starved
				      ? "no node of the tree has a value: the runs are "
					"too short for every group of events to be counted"
				      : "no node of the tree has a value";
	for (int i = 0; i < c->answer.comparison.nr; i++)
		if (c->answer.comparison.at[i].level)
			c->answer.why_times = "";
}

static int run_all(struct compare *c, struct err *err)
{
	int status = 0;

	signals__install();
	progress__begin(&c->progress);
	c->warming = true;
	for (uint64_t i = 0; !status && i < c->warmups; i++)
		status = run_round(c, i, false);
	c->warming = false;
	for (uint64_t i = 0; !status && i < c->runs; i++) {
		status = run_round(c, i, i % 2);
		find_tree(c);
		if (!status && !i && compare_rules__check(&c->answer.rules, &c->answer.comparison,
						   c->answer.why_times, err))
			status = say_err(err);
	}
	signals__restore();
	if (c->outcome.signal)
		c->answer.ended = "it was interrupted";
	return status;
}

/* --- The beginning and the end ------------------------------------------------------------- */

static int check_level(const struct compare *c, struct err *err)
{
	if (c->asked_level || !c->answer.recorded)
		return 0;
	return err__set(err, EINVAL, "--td-level 0: recordings are compared by their trees");
}

static int read_options(struct compare *c, struct err *err)
{
	int rc = 0;

	c->runs = c->answer.recorded ? 1 : DEFAULT_RUNS;
	if (c->answer.recorded &&
	    (c->repeat || c->warmup || c->prepare || c->system_wide || c->cpus))
		return err__set(
			err, EINVAL,
			"-r, --warmup, --prepare, -a and -C are for commands, not recordings");
	if (c->repeat)
		rc = num__parse_u64("-r", c->repeat, 2, MOST_RUNS, &c->runs, err);
	if (!rc && c->warmup)
		rc = num__parse_u64("--warmup", c->warmup, 0, MOST_RUNS, &c->warmups, err);
	rc = rc ?: compare_side__parse_number("--margin", c->points, &c->answer.points, err)
		?: compare_side__parse_number("--time-margin", c->percent, &c->answer.percent, err);
	if (!rc && c->td_level && !strcmp(c->td_level, "max"))
		c->asked_level = TD_LEVEL_MAX;
	else if (!rc && c->td_level)
		rc = num__parse_u64("--td-level", c->td_level, 0, 99, &c->asked_level, err)
			     ?: check_level(c, err);
	if (c->json)
		c->format = "json";
	for (int i = 0; !rc && i < c->wanted.nr; i++)
		rc = compare_rules__add(&c->answer.rules, c->wanted.at[i], err);
	if (!rc && !text__is_any(c->format, "text", "markdown", "json", "html"))
		rc = err__set(err, EINVAL,
			      "--format: unknown format '%s'; use text, markdown, json or html",
			      c->format);
	c->answer.runs = c->runs;
	return rc;
}

/* The level asked for; or the second, or as deep as the tree is. Without a tree, times alone. */
static int find_levels(struct compare *c, struct err *err)
{
	int max = 0, rc;

	c->answer.why_times = "";
	if (c->answer.recorded) {
		rc = run_input__levels(c->answer.names[0], DEFAULT_LEVEL, &max, err);
	} else {
		rc = load_host(&c->host, err);
		if (!rc)
			max = host__levels(&c->host, NULL, &c->answer.why_times);
	}
	if (rc)
		return rc;
	if (!c->td_level)
		c->levels = max < DEFAULT_LEVEL ? max : DEFAULT_LEVEL;
	else if (c->asked_level == TD_LEVEL_MAX)
		c->levels = max;
	else
		c->levels = max ? c->asked_level : 0;
	if (c->td_level && !c->asked_level)
		c->answer.why_times = "";
	return 0;
}

static int print_page(struct compare *c, struct err *err)
{
	auto_free(sb) html = SB_INIT;

	if (c->failed) {
		*err = c->page_err;
		return -err->code;
	}
	compare__put_page(&c->answer, &html);
	page__put(c->page, sb__str(&html));
	for (int side = 0; side < c->answer.nr; side++)
		if (c->answer.simulated[side])
			page__tell(c->page, "Simulated", c->answer.simulated[side]);
	page__tell_made(c->page, "Compared", !c->answer.recorded);
	page__tell(c->page, "Version", "tma " TMA_VERSION);
	return page__show(c->page, err);
}

static int print_answer(struct compare *c, struct err *err)
{
	struct printed printed;
	int fd;

	if (streams__give_back(&c->streams, err))
		return -err->code;
	progress__clear();
	if (c->page)
		return print_page(c, err);
	printed__begin(&printed);
	if (!strcmp(c->format, "json"))
		compare__print_json(&c->answer, printed.f);
	else if (!strcmp(c->format, "markdown"))
		compare__print_markdown(&c->answer, printed.f);
	else
		compare__print(&c->answer, printed.f);
	fd = c->output_fd;
	c->output_fd = STDOUT_FILENO;
	return printed__write(&printed, fd, err);
}

/* Standard output leads elsewhere while commands run: rows go to what it leads to now. */
static int open_page(struct compare *c, const char *name, struct err *err)
{
	int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	FILE *out = fd < 0 ? NULL : xchecked(fdopen(fd, "we"));

	if (!out)
		return err__set(err, errno, "standard output: %s", strerror(errno));
	c->page_out = out;
	c->page = page__open(name, &c->page_out, "-o FILE", err);
	if (c->page_out != out)
		fclose(out);
	return c->page ? 0 : -err->code;
}

/* That there is no place for the answer is found out before anything is run. */
static int open_output(struct compare *c, struct err *err)
{
	const char *name = c->output_name && strcmp(c->output_name, "-") ? c->output_name : NULL;
	int fd;

	for (int side = 0; name && c->answer.recorded && side < c->answer.comparison.nr_sides;
	     side++)
		if (file__is_same(name, c->answer.names[side]))
			return err__set(err, EINVAL, "-o %s: this file is an input", name);
	if (!strcmp(c->format, "html"))
		return open_page(c, name, err);
	if (!name)
		return 0;
	fd = place__open(c->output_name, O_WRONLY, 0666, err);
	if (fd < 0)
		return fd;
	c->output_fd = fd;
	return 0;
}

static int compare__run(struct compare *c, struct err *err)
{
	bool fails;
	int status;

	if (find_levels(c, err) || open_output(c, err))
		return say_err(err);
	if (streams__keep(&c->streams,
			  c->keep_output && strcmp(c->format, "text") && !c->output_name, err))
		return say_err(err);
	if (!c->keep_output)
		streams__discard_output();
	status = run_all(c, err);
	/* What was found before somebody wanted it to end is told. */
	if (c->outcome.signal && !c->answer.comparison.nr)
		say("interrupted before the end of the first run: nothing is compared");
	if (status && !(c->outcome.signal && c->answer.comparison.nr))
		return status;
	comparison__judge(&c->answer.comparison, c->answer.points, c->answer.percent);
	fails = compare_rules__judge(&c->answer.rules, &c->answer.comparison);
	if (print_answer(c, err)) {
		say_err(err);
		return status ?: STATUS_FAILED;
	}
	if (!status && !fails && compare_rules__lack_values(&c->answer.rules))
		status = STATUS_FAILED;
	return status ?: fails ? STATUS_CHANGED : 0;
}

static void compare__free_all(struct compare *c)
{
	if (c->output_fd != STDOUT_FILENO)
		close(c->output_fd);
	host__free(&c->host);
	page__free(c->page);
	if (c->page_out)
		fclose(c->page_out);
	for (int i = 0; i < COMPARE_MOST_SIDES; i++) {
		compare_side__free(&c->commands[i]);
		free(c->answer.simulated[i]);
		free(c->answer.cpu[i]);
	}
	vec__free(&c->wanted);
	comparison__free(&c->answer.comparison);
	compare_rules__free(&c->answer.rules);
}

static int take_rule(const struct option *opt, const char *arg, int unset)
{
	struct compare *c = opt->value;

	(void)unset;
	vec__push(&c->wanted, arg);
	return 0;
}

int cmd_compare(int argc, const char **argv)
{
	static const char *const usage[] = {"tma compare [<options>] '<command>' '<command>'...",
					    "tma compare [<options>] <recording> <recording>...",
					    NULL};
	struct compare c = {
		.answer = {.points = DEFAULT_POINTS, .percent = DEFAULT_PERCENT},
		.streams = STREAMS_INIT,
		.format = "text",
		.output_fd = STDOUT_FILENO,
	};
	const struct option options[] = {
		OPT_GROUP("What is run"),
		OPT_STRING('r', "repeat", &c.repeat, "n", "runs of each command (10)"),
		OPT_STRING(0, "warmup", &c.warmup, "n", "warm-up runs of each command"),
		OPT_STRING(0, "prepare", &c.prepare, "command",
			   "shell command to run before each run"),
		OPT_BOOLEAN(0, "ignore-failure", &c.ignore_failure, "accept commands that fail"),
		OPT_BOOLEAN(0, "keep-output", &c.keep_output, "show the commands' standard output"),
		OPT_GROUP("What is measured"),
		OPT_STRING(0, "td-level", &c.td_level, "level",
			   "levels of the TopDown tree (2), max, or 0 for times alone"),
		OPT_BOOLEAN('a', "all-cpus", &c.system_wide, "count all CPUs while it runs"),
		OPT_STRING('C', "cpu", &c.cpus, "cpu", "count these CPUs (0-3,8) while it runs"),
		OPT_TABLES(),
		OPT_GROUP("What is reported"),
		OPT_STRING(0, "margin", &c.points, "points",
			   "ignore smaller differences of percentages (0.5)"),
		OPT_STRING(0, "time-margin", &c.percent, "percent",
			   "ignore smaller differences of times (1)"),
		{.type = OPTION_CALLBACK,
		 .long_name = "fail-if",
		 .argh = "condition",
		 .help = "exit with status 123 if this is certain (time>+5%)",
		 .value = &c,
		 .callback = take_rule,
		 .flags = PARSE_OPT_NONEG},
		OPT_STRING(0, "format", &c.format, "text|markdown|json|html",
			   "print in this format (text)"),
		OPT_BOOLEAN('j', "json-output", &c.json, "JSON"),
		OPT_STRING('o', "output", &c.output_name, "file", "write to a file"),
		OPT_INCR('v', "verbose", &c.verbose, "print what is run"),
		OPT_END()};
	struct err err = ERR_INIT;
	int status;

	argc = options__parse(argc, argv, options, usage, 0);
	status = take_sides(&c, argc, argv, &err) || read_options(&c, &err)
			 ? say_usage(&err)
			 : compare__run(&c, &err);
	status = tell_odd(&c.host, status);
	compare__free_all(&c);
	return status;
}
