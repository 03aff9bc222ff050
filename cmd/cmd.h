/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The subcommands share this. A command's name and words come in (cmd_stat(argc, argv)); an exit
 * status, what is printed on standard output, and messages ("tma: ...") on standard error go out. A
 * subcommand that looks up events or metrics loads a struct host (run/host.h).
 */
#ifndef TMA_CMD_CMD_H
#define TMA_CMD_CMD_H

#include <stdbool.h>

struct err;
struct grid;
struct host;
struct host_options;
struct notes;
struct option;
struct progress;
struct request;
struct run;
struct run_outcome;
struct sb;

/**
 * as_perf() - find out whether this program was started under the name of perf
 *
 * Scripts that want perf then get perf's version, and its exit status where they rely on it.
 */
bool as_perf(void);
/**
 * set_compat() - find which version of perf to follow where no option chooses one
 * @by: set to the source of that choice, for messages
 *
 * Return: the value of TMA_COMPAT; "7" for a program that is called perf7; NULL without either.
 */
const char *set_compat(const char **by);
/** tma_version() - get this program's version and commit, "0.2.0 (commit 1a2b3c4d)". */
const char *tma_version(void);
/** check__print_features() - print the features of this build to standard output, as perf does. */
void check__print_features(void);

/*
 * The workload's own status is passed through, so failures of tma have numbers of their own.
 * RUN_NOT_FOUND and RUN_NOT_EXECUTABLE are for commands that cannot be run.
 */
enum {
	STATUS_CHANGED = 123,	   /* compare: a certain difference that --fail-if forbids */
	STATUS_USAGE = 129,	   /* the options are wrong: libsubcmd exits with this */
};
/* tma could not do what was asked. perf has another number for this. */
#define STATUS_FAILED (as_perf() ? 255 : 125)

int cmd_stat(int argc, const char **argv);
int cmd_plan(int argc, const char **argv);
int cmd_list(int argc, const char **argv);
int cmd_top(int argc, const char **argv);
int cmd_why(int argc, const char **argv);
int cmd_fleet(int argc, const char **argv);
int cmd_compare(int argc, const char **argv);
int cmd_test(int argc, const char **argv);
int cmd_script(int argc, const char **argv);
int cmd_explain(int argc, const char **argv);
int cmd_serve(int argc, const char **argv);
int cmd_check_tables(int argc, const char **argv);
int cmd_check(int argc, const char **argv); /* under the name perf */

/** print_clean() - print lines to standard output, without characters that control a terminal. */
void print_clean(const char *lines);
/** say_err() - print an error as "tma: ..." on standard error. Return: STATUS_FAILED. */
int say_err(const struct err *err);
/** say_usage() - print an error in the options likewise. Return: STATUS_USAGE. */
int say_usage(const struct err *err);
/**
 * suggest_subcommand() - append a hint to an error if a program that was not found is named like a
 * subcommand
 * @err: has the error that the program was not found
 * @word: the program as it was given
 *
 * Return: the error code of @err, negative.
 */
int suggest_subcommand(struct err *err, const char *word);
/**
 * suggest_why() - append a hint at "tma why" where a program is named in place of a command
 *
 * Most users who do this want to know what limits the program. Nothing is appended if a shell would
 * not find a program of that name.
 */
void suggest_why(const char *name, struct sb *sb);
/** say() - print one line as "tma: ..." on standard error. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** say_lines() - print several lines on standard error; NULL and "" print nothing. */
void say_lines(const char *lines);

/* --- The host that a command works on -------------------------------------------------------- */

/**
 * host_asked() - get the options that a host is loaded with, as the command line has them
 *
 * Options that are parsed later are added to it. Its texts are those of argv, and live as long as
 * the program.
 */
struct host_options *host_asked(void);
/** host_asked__common_for() - load common metrics, too, if one of the words names one. */
void host_asked__common_for(int argc, const char **argv);
/**
 * host_asked__put_stat() - append "tma stat" with the options that named tables and files of
 * metrics, for a shell
 * @machine: of --machine, or NULL
 */
void host_asked__put_stat(struct sb *sb, const char *machine);

/* The option tables of subcommands use these for --tables and --metrics-file. */
int option__tables(const struct option *opt, const char *arg, int unset);
int option__metrics_file(const struct option *opt, const char *arg, int unset);
#define OPT_TABLES()                                                                         \
	{ .type = OPTION_CALLBACK, .long_name = "tables", .argh = "directory",               \
	  .help = "also use events and metrics from there", .callback = option__tables,          \
	  .flags = PARSE_OPT_NONEG }
#define OPT_METRICS_FILE()                                                                   \
	{ .type = OPTION_CALLBACK, .long_name = "metrics-file", .argh = "file",              \
	  .help = "your own metrics, in JSON", .callback = option__metrics_file,          \
	  .flags = PARSE_OPT_NONEG }

/**
 * refresh_host() - load the host again if other CPUs are online than when it was loaded
 *
 * No run on it may be open. Return: 0; -errno, and then the host is unchanged.
 */
int refresh_host(struct host *h, struct err *err);
/**
 * load_host() - load the host as the command line asks, and print its notes. Return: 0 or -errno.
 */
int load_host(struct host *h, struct err *err);
/**
 * tell_odd() - print which file of sysfs could not be read or makes no sense, if there is one
 * @status: the exit status so far
 *
 * Return: @status, or STATUS_FAILED in place of 0 where reading one failed.
 */
int tell_odd(const struct host *h, int status);
/**
 * suggest_simulated() - where there are no hardware counters, print which command uses a simulated
 * machine
 * @command: the subcommand and its words
 */
void suggest_simulated(const struct host *h, const char *command);

/* --- Runs ------------------------------------------------------------------------------------ */

/**
 * begin_run() - open a run and its counters, and print its notes
 * @run: set to NULL where there is nothing to close
 *
 * Return: 1; 0 when a signal came first; -errno.
 */
int begin_run(const struct host *host, const struct request *req, struct run **run,
	      struct err *err);
/** show_step() - show how far a recording is read; clear that line before a command begins. */
void show_step(const struct request *req, int step, struct progress *progress);
/** next_step() - call run__next(), and print the run's notes. */
int next_step(struct run *run, struct err *err);
/** next_row() - go on to the next RUN_ROW, RUN_WOKEN or RUN_END. Return: which; -errno. */
int next_row(struct run *run, struct err *err);
/**
 * end_run() - print why a run has failed, if it has, and close it
 * @rc: the last return value of run__open() or run__next()
 *
 * Return: the exit status.
 */
int end_run(struct run *run, const struct request *req, int rc, struct err *err);

/**
 * struct run_taker - functions that take the rows of a run; each may be NULL
 * @begins: called before each run of a command
 * @row:    called with the grid of each row
 * @sites:  called after @row with the grid of rows of code, where these were asked for
 * @end:    called after the last row of a run that was not interrupted, with the grid, which has
 *          the verdicts, and the run's outcome
 */
struct run_taker {
	void (*begins)(void *arg);
	void (*row)(void *arg, const struct grid *g);
	void (*sites)(void *arg, const struct grid *g);
	void (*end)(void *arg, const struct grid *g, const struct run_outcome *outcome);
	void *arg;
};
/**
 * measure() - open a run, go through it, and close it; its notes and errors are printed
 * @outcome: set to the run's outcome
 *
 * Return: the exit status.
 */
int measure(const struct host *host, const struct request *req, const struct run_taker *taker,
	    struct run_outcome *outcome);
/** say_notes() - print notes on standard error, and clear them. */
void say_notes(struct notes *notes);
/** die_by() - end by the signal that was received, so that a shell sees which one it was. */
void die_by(int signo);
/** status_of() - turn a run's outcome into an exit status. */
int status_of(const struct run_outcome *outcome);

#endif
