/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The subcommands share this. A subcommand, such as cmd_stat(argc, argv), gets its name and words.
 * It prints on standard output, prints messages ("tma: ...") on standard error, and returns an exit
 * status. A subcommand that looks up events or metrics loads a struct host (run/host.h).
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
 * Scripts that expect perf then get perf's version and perf's exit statuses.
 */
bool as_perf(void);
/**
 * set_compat() - find out which version of perf to imitate if no option names one
 * @by: set to the origin of the result, for messages
 *
 * Return: the value of TMA_COMPAT; else "7" if the program is called perf7; else NULL.
 */
const char *set_compat(const char **by);
/** tma_version() - get this program's version and commit, "0.2.0 (commit 1a2b3c4d)". */
const char *tma_version(void);
/** check__print_features() - print the features of this build to standard output, as perf does. */
void check__print_features(void);

/*
 * Exit statuses of tma itself. The status of a command that tma counts is passed on unchanged, so
 * these numbers differ from usual ones. RUN_NOT_FOUND and RUN_NOT_EXECUTABLE mean that the command
 * cannot be run.
 */
enum {
	STATUS_CHANGED = 123,	   /* tma compare: --fail-if forbids a change that is certain */
	STATUS_USAGE = 129,	   /* wrong options: libsubcmd exits with this number */
};
/* Exit status when tma could not do what was asked; perf exits with 255. */
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
int cmd_check(int argc, const char **argv); /* only under the name perf */

/** print_clean() - print lines to standard output, without characters that control a terminal. */
void print_clean(const char *lines);
/** say_err() - print an error as "tma: ..." on standard error. Return: STATUS_FAILED. */
int say_err(const struct err *err);
/** say_usage() - print an error in the options as "tma: ...". Return: STATUS_USAGE. */
int say_usage(const struct err *err);
/**
 * suggest_subcommand() - append a hint to an error if the program that was not found has a name
 * like that of a subcommand
 * @err: the error that reports the missing program
 * @word: the program's name, as the user typed it
 *
 * Return: the error code of @err, negative.
 */
int suggest_subcommand(struct err *err, const char *word);
/**
 * suggest_why() - append a hint at "tma why" if the user named a program in place of a subcommand
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
 * Options that are parsed later are added to the result. Its texts point into argv.
 */
struct host_options *host_asked(void);
/**
 * host_asked__common_for() - also load the common metrics if one of the words names such a metric.
 */
void host_asked__common_for(int argc, const char **argv);
/**
 * host_asked__put_stat() - append "tma stat" with the options that named tables and files of
 * metrics, quoted for a shell
 * @machine: argument of --machine, or NULL
 */
void host_asked__put_stat(struct sb *sb, const char *machine);

/* Options --tables and --metrics-file, for the option tables of subcommands. */
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
 * No run on this host may be open. Return: 0; -errno on failure, which leaves the host unchanged.
 */
int refresh_host(struct host *h, struct err *err);
/**
 * load_host() - load the host as the command line asks, and print its notes. Return: 0 or -errno.
 */
int load_host(struct host *h, struct err *err);
/**
 * tell_odd() - if a file of sysfs could not be read, or makes no sense, print which file
 * @status: the exit status so far
 *
 * Return: @status; but STATUS_FAILED if @status is 0 and a file could not be read.
 */
int tell_odd(const struct host *h, int status);
/**
 * suggest_simulated() - if there are no hardware counters, print the command that uses a simulated
 * machine
 * @command: the subcommand and its arguments
 */
void suggest_simulated(const struct host *h, const char *command);

/* --- Runs ------------------------------------------------------------------------------------ */

/**
 * begin_run() - open a run and its counters, and print its notes
 * @run: set to NULL if there is no run to close
 *
 * Return: 1 if the run began; 0 if a signal came before; -errno.
 */
int begin_run(const struct host *host, const struct request *req, struct run **run,
	      struct err *err);
/**
 * show_step() - show how much of a recording has been read; clear this line before a command
 * begins.
 */
void show_step(const struct request *req, int step, struct progress *progress);
/** next_step() - call run__next(), and print the run's notes. */
int next_step(struct run *run, struct err *err);
/** next_row() - go on to the next RUN_ROW, RUN_WOKEN or RUN_END. Return: this step, or -errno. */
int next_row(struct run *run, struct err *err);
/**
 * end_run() - close a run; if it has failed, print why
 * @rc: the last return value of run__open() or run__next()
 *
 * Return: the exit status.
 */
int end_run(struct run *run, const struct request *req, int rc, struct err *err);

/**
 * struct run_taker - functions that take the rows of a run; each may be NULL
 * @begins: called before each run of a command
 * @row:    called with the grid of each row
 * @sites:  called after @row with the grid of rows of code, if these were asked for
 * @end:    called after the last row, unless the run was interrupted; its arguments are the grid
 *          with the verdicts, and the run's outcome
 */
struct run_taker {
	void (*begins)(void *arg);
	void (*row)(void *arg, const struct grid *g);
	void (*sites)(void *arg, const struct grid *g);
	void (*end)(void *arg, const struct grid *g, const struct run_outcome *outcome);
	void *arg;
};
/**
 * measure() - open a run, take its rows and close it; print its notes and errors
 * @outcome: set to the run's outcome
 *
 * Return: the exit status.
 */
int measure(const struct host *host, const struct request *req, const struct run_taker *taker,
	    struct run_outcome *outcome);
/** say_notes() - print notes on standard error, and clear them. */
void say_notes(struct notes *notes);
/**
 * die_by() - end this program by a signal that it received, so that a shell sees which signal it
 * was.
 */
void die_by(int signo);
/** status_of() - turn a run's outcome into an exit status. */
int status_of(const struct run_outcome *outcome);

#endif
