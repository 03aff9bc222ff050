// SPDX-License-Identifier: GPL-2.0-only
/* "tma compare": its options, its beginning and its end; runs.c has the runs. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <subcmd/parse-options.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/place.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "colour.h"
#include "compare/compare.h"
#include "options.h"
#include "output.h"
#include "page.h"
#include "run/input.h"
#include "run/metric_names.h"
#include "writers/page.h"

#define DEFAULT_RUNS 10
#define DEFAULT_COUNT_RUNS 2 /* fewer runs: counts are the same each time */
#define DEFAULT_LEVEL 2
#define DEFAULT_POINTS 0.5
#define DEFAULT_PERCENT 1.0
#define DEFAULT_COUNTS 0.5
#define DEFAULT_FREQUENCY 997 /* samples per second: a prime number, so that no loop is in step */
#define MOST_FREQUENCY 100000

/* --- Options ------------------------------------------------------------------------------- */

static int read_level(struct compare *c, struct err *err)
{
	if (!c->td_level)
		return 0;
	if (!strcmp(c->td_level, "max")) {
		c->asked_level = TD_LEVEL_MAX;
		return 0;
	}
	return num__parse_u64("--td-level", c->td_level, 0, 99, &c->asked_level, err);
}

/*
 * Refuse options for commands if recordings are compared, and options for recordings if commands
 * are.
 */
static int check_commands(const struct compare *c, struct err *err)
{
	if (c->answer.recorded &&
	    (c->repeat || c->warmup || c->prepare || c->system_wide || c->cpus || c->memory ||
	     c->count))
		return err__set(err, EINVAL,
				"-r, --warmup, --prepare, -a, -C, --count and -e " PEAK_MEMORY
				" are for commands, not recordings");
	if (c->answer.recorded && c->frequency)
		return err__set(err, EINVAL, "-F is for commands: recordings have their samples");
	if (!c->answer.recorded && c->cpu_name)
		return err__set(err, EINVAL, "--cpuid is for recordings, not commands");
	if (c->save && (c->answer.nr != 1 || c->answer.sides[0].kind != SIDE_COMMAND))
		return err__set(err, EINVAL,
				"--save %s keeps the runs of one command: give one alone, and compare it "
				"later",
				c->save);
	return c->save ? compare_saved__check(c->save, err) : 0;
}

static int read_numbers(struct compare *c, struct err *err)
{
	struct comparison_margins *m = &c->answer.margins;
	int rc = 0;

	c->runs = c->answer.recorded ? 1 : c->count ? DEFAULT_COUNT_RUNS : DEFAULT_RUNS;
	if (c->repeat)
		rc = num__parse_u64("-r", c->repeat, 2, MOST_RUNS, &c->runs, err);
	if (!rc && c->warmup)
		rc = num__parse_u64("--warmup", c->warmup, 0, MOST_RUNS, &c->warmups, err);
	c->answer.runs = c->runs;
	return rc ?: compare_side__parse_number("--margin", c->points, &m->points, err)
		?: compare_side__parse_number("--time-margin", c->percent, &m->time, err)
		?: compare_side__parse_number("--count-margin", c->count_percent, &m->counts, err);
}

static int compare__read_format(struct compare *c, struct err *err)
{
	if (c->json)
		c->format = "json";
	else if (c->markdown)
		c->format = "markdown";
	if (!text__is_any(c->format, "text", "markdown", "json", "html"))
		return err__set(err, EINVAL,
				"--format: unknown format '%s'; use text, markdown, json or html",
				c->format);
	return colour__check(c->colour, err);
}

/*
 * Read the options for rows of code. Such rows are made of samples, which valgrind does not take.
 */
static int read_rows(struct compare *c, struct err *err)
{
	c->samples_hz = DEFAULT_FREQUENCY;
	if (c->per_function && c->per_object)
		return err__set(err, EINVAL, "use one of --per-function and --per-object");
	if (c->per_function || c->per_object)
		c->rows = c->per_function ? AGGR_FUNCTION : AGGR_OBJECT;
	if (c->rows && c->count)
		return err__set(err, EINVAL, "%s needs samples: it cannot be combined with --count",
				row_kinds[c->rows].option);
	if (c->frequency && !c->rows)
		return err__set(err, EINVAL, "-F is for --per-function and --per-object");
	return c->frequency ? num__parse_u64("-F (samples in a second)", c->frequency, 1,
					     MOST_FREQUENCY, &c->samples_hz, err)
			    : 0;
}

/* Use the options that runs were saved with, unless others are given. */
static int ask_as_saved(struct compare *c, struct err *err)
{
	struct compare_side *saved = NULL;
	struct compare_asked asked;
	int rc;

	for (int i = c->answer.nr - 1; i >= 0; i--)
		if (c->answer.sides[i].kind == SIDE_SAVED)
			saved = &c->answer.sides[i];
	if (!saved)
		return 0;
	rc = compare_saved__load(saved, &asked, err);
	if (rc)
		return rc;
	if (!c->events && !c->metrics && !c->memory && !c->count) {
		c->events = xstrdup(asked.events);
		c->metrics = xstrdup(asked.metrics);
		c->memory = asked.memory;
		c->count = asked.counts_instructions ? "instructions" : NULL;
	}
	for (enum grid_aggr rows = AGGR_FUNCTION; rows <= AGGR_OBJECT; rows++)
		if (!c->per_function && !c->per_object &&
		    text__same(asked.rows, row_kinds[rows].key))
			c->rows = rows;
	if (!c->td_level && asked.levels >= 0) {
		snprintf(c->saved_level, sizeof(c->saved_level), "%d", asked.levels);
		c->td_level = c->saved_level;
	}
	compare_asked__free(&asked);
	return 0;
}

static int read_options(struct compare *c, struct err *err)
{
	int rc = ask_as_saved(c, err)
			 ?: check_commands(c, err)
			 ?: read_numbers(c, err)
			 ?: read_rows(c, err)
			 ?: read_level(c, err);

	for (int i = 0; !rc && i < c->wanted.nr; i++)
		rc = compare_rules__add(&c->answer.rules, c->wanted.at[i], err);
	c->counts_instructions = c->count != NULL;
	if (!rc && c->metrics)
		rc = metric_names__add(&c->metric_names, host_asked(), c->metrics, err);
	return rc ?: compare__read_format(c, err);
}

/*
 * Choose how many levels of the tree are compared: as many as asked for, else 2, and no more than
 * the tree has. Without a tree only times are compared.
 */
static int find_levels(struct compare *c, struct err *err)
{
	int max = 0, rc;

	c->answer.why_times = "";
	/* TopDown metric events cannot be sampled. */
	if (c->rows)
		host_asked()->plain = true;
	if (c->answer.recorded) {
		rc = run_input__levels(c->answer.sides[0].name, DEFAULT_LEVEL, &max, err);
	} else {
		rc = load_host(&c->host, err);
		if (!rc && !c->counts_instructions)
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

/* Set which rows the comparison takes from the grids. */
static void want_rows(struct compare *c)
{
	struct comparison *comparison = &c->answer.comparison;

	comparison->counts = c->events != NULL || c->counts_instructions ||
			     (c->answer.recorded && c->td_level && !c->asked_level);
	comparison->counts_without_tree = c->answer.recorded;
	comparison->only = c->answer.recorded ? c->events : NULL;
	comparison->metrics = c->metrics != NULL;
	comparison->memory = c->memory;
	comparison->first_is_clock = c->rows && !c->levels && !c->answer.recorded;
	if (c->answer.recorded && !c->td_level)
		comparison->most_level = DEFAULT_LEVEL;
}

/* --- The end ------------------------------------------------------------------------------- */

static int print_page(struct compare *c, struct err *err)
{
	auto_free(sb) html = SB_INIT;
	bool simulated = false;

	if (c->failed) {
		*err = c->page_err;
		return -err->code;
	}
	compare__put_page(&c->answer, &html);
	page__put(c->page, sb__str(&html));
	for (int side = 0; side < c->answer.nr; side++)
		if (c->answer.sides[side].simulated)
			simulated = true;
	if (simulated)
		page__add_fact(c->page, "Simulated",
			   "the machine is simulated: its counts are synthetic");
	page__tell_made(c->page, "Compared", !c->answer.recorded);
	page__add_fact(c->page, "Version", "tma " TMA_VERSION);
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

/*
 * Open the page. Standard output is redirected while commands run, so the page gets a copy of it.
 */
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

/* Open the output before anything is run: if this fails, no runs are lost. */
static int open_output(struct compare *c, struct err *err)
{
	const char *name = c->output_name && strcmp(c->output_name, "-") ? c->output_name : NULL;
	int fd;

	for (int side = 0; name && c->answer.recorded && side < c->answer.comparison.nr_sides;
	     side++)
		if (file__is_same(name, c->answer.sides[side].name))
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

static int begin_all(struct compare *c, struct err *err)
{
	int rc = c->counts_instructions ? compare_valgrind__find(c, err) : 0;

	if (!rc && c->save)
		rc = compare_saved__can_write(c->save, err);
	rc = rc ?: find_levels(c, err) ?: open_output(c, err);
	if (rc)
		return rc;
	want_rows(c);
	c->answer.colour = colour__is_wanted(c->colour, c->output_fd);
	return 0;
}

/* Judge and print everything. Return: @status, or the status that --fail-if finds. */
static int compare__judge_all(struct compare *c, int status, struct err *err)
{
	bool fails;

	comparison__judge(&c->answer.comparison, &c->answer.margins);
	fails = compare_rules__judge(&c->answer.rules, &c->answer.comparison);
	if (print_answer(c, err) || (c->save && !status &&
				     compare_saved__write(c, c->save, err))) {
		say_err(err);
		return status ?: STATUS_FAILED;
	}
	if (!status && !fails && compare_rules__lack_values(&c->answer.rules))
		status = STATUS_FAILED;
	return status ?: fails ? STATUS_CHANGED : 0;
}

static int compare__run(struct compare *c, struct err *err)
{
	int status;

	if (begin_all(c, err))
		return err->code == EINVAL && c->count && !c->answer.counter ? say_usage(err)
									     : say_err(err);
	if (streams__keep(&c->streams,
			  c->keep_output && strcmp(c->format, "text") && !c->output_name, err))
		return say_err(err);
	if (!c->keep_output)
		streams__discard_output();
	status = compare_runs__all(c, err);
	if (c->save)
		compare_about__find_commit(&c->answer.sides[0].about);
	/* A signal ends the runs. The complete runs before it are compared. */
	if (c->outcome.signal && !c->answer.comparison.nr)
		say("interrupted before the end of the first run: nothing is compared");
	if (status && !(c->outcome.signal && c->answer.comparison.nr))
		return status;
	return compare__judge_all(c, status, err);
}

static void compare__free_all(struct compare *c)
{
	if (c->output_fd != STDOUT_FILENO)
		close(c->output_fd);
	host__free(&c->host);
	page__free(c->page);
	if (c->page_out)
		fclose(c->page_out);
	vec__free(&c->wanted);
	vec__free(&c->lists);
	free(c->events);
	free(c->metrics);
	sb__free(&c->metric_names);
	free(c->answer.counter);
	compare_valgrind__end(c);
	comparison__free(&c->answer.comparison);
	compare_sides__free(&c->answer);
	compare_rules__free(&c->answer.rules);
}

static int take_rule(const struct option *opt, const char *arg, int unset)
{
	struct compare *c = opt->value;

	(void)unset;
	vec__push(&c->wanted, arg);
	return 0;
}

static int take_list(const struct option *opt, const char *arg, int unset)
{
	struct compare *c = opt->value;

	(void)unset;
	vec__push(&c->lists, arg);
	return 0;
}

/* Append to a list that several options fill. */
static void join(char **list, const char *text, size_t len)
{
	char *joined = *list ? xasprintf("%s,%.*s", *list, (int)len, text) : xstrndup(text, len);

	free(*list);
	*list = joined;
}

/* Take the peak of memory out of the list of events: it is not an event of the kernel. */
static int take_events(const struct option *opt, const char *arg, int unset)
{
	struct compare *c = opt->value;
	const char *at;

	(void)unset;
	while ((at = strstr(arg, PEAK_MEMORY))) {
		const char *end = at + strlen(PEAK_MEMORY);

		if ((at > arg && at[-1] != ',') || (*end && *end != ','))
			break;
		c->memory = true;
		if (at - 1 > arg)
			join(&c->events, arg, at - 1 - arg);
		arg = end + (*end == ',');
	}
	if (*arg)
		join(&c->events, arg, strlen(arg));
	return 0;
}

static int take_metrics(const struct option *opt, const char *arg, int unset)
{
	struct compare *c = opt->value;

	(void)unset;
	join(&c->metrics, arg, strlen(arg));
	return 0;
}

static int list_saved(const struct compare *c, struct err *err)
{
	struct printed printed;
	int rc;

	printed__begin(&printed);
	rc = compare_saved__list(printed.f, c->json, err);
	return printed__write(&printed, STDOUT_FILENO, err) || rc ? say_err(err) : 0;
}

#define COMPARE_LIST_OPTION(c, letter, name, what, text, taker)                             \
	{                                                                                   \
		.type = OPTION_CALLBACK, .short_name = letter, .long_name = name, .argh = what, \
		.help = text, .value = c, .callback = taker, .flags = PARSE_OPT_NONEG           \
	}

int cmd_compare(int argc, const char **argv)
{
	static const char *const usage[] = {"tma compare [<options>] '<command>' '<command>'...",
					    "tma compare [<options>] <recording> <recording>...",
					    "tma compare --save <saved> '<command>'",
					    "tma compare <saved> ['<command>']...",
					    "tma compare --list",
					    NULL};
	struct compare c = {
		.answer = {.margins = {DEFAULT_POINTS, DEFAULT_PERCENT, DEFAULT_COUNTS}},
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
		COMPARE_LIST_OPTION(&c, 'L', "parameter-list", "name=values",
				    "run commands with {NAME} once for each value (NAME=1,2,4)",
				    take_list),
		OPT_BOOLEAN(0, "ignore-failure", &c.ignore_failure, "accept commands that fail"),
		OPT_BOOLEAN(0, "keep-output", &c.keep_output, "show the commands' standard output"),
		OPT_STRING(0, "save", &c.save, "saved",
			   "keep the runs of one command under this name"),
		OPT_BOOLEAN(0, "list", &c.list, "list saved runs"),
		OPT_GROUP("What is measured"),
		COMPARE_LIST_OPTION(&c, 'e', "event", "event",
				    "compare these events, or " PEAK_MEMORY, take_events),
		COMPARE_LIST_OPTION(&c, 'M', "metrics", "metric/metric group list",
				    "compare these metrics", take_metrics),
		OPT_STRING(0, "count", &c.count, "instructions",
			   "count instructions by valgrind, where there are no counters"),
		OPT_STRING(0, "td-level", &c.td_level, "level",
			   "levels of the TopDown tree (2), max, or 0 for none"),
		OPT_BOOLEAN(0, "per-function", &c.per_function,
			    "compare functions, too, by samples"),
		OPT_BOOLEAN(0, "per-object", &c.per_object, "compare files, too, by samples"),
		OPT_STRING('F', "frequency", &c.frequency, "hz",
			   "with --per-function: samples in a second (997)"),
		OPT_BOOLEAN('a', "all-cpus", &c.system_wide, "count all CPUs while it runs"),
		OPT_STRING('C', "cpu", &c.cpus, "cpu", "count these CPUs (0-3,8) while it runs"),
		OPT_STRING(0, "cpuid", &c.cpu_name, "model", "recordings are of this CPU"),
		OPT_TABLES(),
		OPT_GROUP("What is reported"),
		OPT_STRING(0, "margin", &c.points, "points",
			   "ignore smaller differences of percentages (0.5)"),
		OPT_STRING(0, "time-margin", &c.percent, "percent",
			   "ignore smaller differences of times (1)"),
		OPT_STRING(0, "count-margin", &c.count_percent, "percent",
			   "ignore smaller differences of events and metrics (0.5)"),
		COMPARE_LIST_OPTION(&c, 0, "fail-if", "condition",
				    "exit with status 123 if this is certain (time>+5%)",
				    take_rule),
		OPT_STRING(0, "format", &c.format, "text|markdown|json|html",
			   "print in this format (text)"),
		OPT_BOOLEAN(0, "markdown", &c.markdown, "Markdown, for pull requests"),
		OPT_BOOLEAN('j', "json-output", &c.json, "JSON"),
		OPT_COLOUR(&c.colour),
		OPT_STRING('o', "output", &c.output_name, "file", "write to a file"),
		OPT_INCR('v', "verbose", &c.verbose, "print what is run"),
		OPT_END()};
	struct err err = ERR_INIT;
	int status;

	options__quote("a command with its options is one word, in quotes: 'ls -l'");
	argc = options__parse(argc, argv, options, usage, 0);
	if (c.list && argc) {
		say("--list takes no commands: it lists what --save has kept");
		return STATUS_USAGE;
	}
	if (c.list)
		return list_saved(&c, &err);
	status = compare_sides__take(&c.answer, argc, argv, c.lists.at, c.lists.nr, c.save, &err) ||
				 read_options(&c, &err)
			 ? say_usage(&err)
			 : compare__run(&c, &err);
	status = tell_odd(&c.host, status);
	compare__free_all(&c);
	return status;
}
