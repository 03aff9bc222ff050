/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The subcommands share this. In come a command's name and words (cmd_stat(argc, argv)); out go an
 * exit status, what is printed on standard output, and messages ("tma: ...") on standard error. A
 * subcommand that asks of events or metrics loads a struct host (run/host.h).
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
 * as_perf() - whether this program was started under the name of perf
 *
 * Scripts that want perf then get what they look at: its version, and its exit status where they
 * rely on it.
 */
bool as_perf(void);
/**
 * set_compat() - which version of perf is to be followed where no option says so
 * @by: set to what says it, for messages
 *
 * Return: the value of TMA_COMPAT; "7" for a program that is called perf7; NULL without either.
 */
const char *set_compat(const char **by);
/** tma_version() - give this program's version and commit, "0.2.0 (commit 1a2b3c4d)". */
const char *tma_version(void);
/** check__print_features() - print what this build can do, as perf does, to standard output. */
void check__print_features(void);

/*
 * The workload's own status is passed through, so failures of tma have numbers of their own. For
 * commands that cannot be run these are RUN_NOT_FOUND and RUN_NOT_EXECUTABLE.
 */
enum {
	STATUS_CHANGED = 123,	   /* compare: a difference is certain that --fail-if forbids */
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

/** print_clean() - print lines on stdout, without what a terminal would act on in what they quote.
 */
void print_clean(const char *lines);
/** say_err() - print an error as "tma: ..." on stderr. Return: STATUS_FAILED. */
int say_err(const struct err *err);
/** say_usage() - the same of wrong options. Return: STATUS_USAGE. */
int say_usage(const struct err *err);
/**
 * lead_on() - append what helps, where the program that could not be run has the name of a
 * subcommand
 * @err: says that it is not there; @word: the program as it was given
 *
 * Return: what @err says, negative.
 */
int lead_on(struct err *err, const char *word);
/**
 * lead_to_why() - append what helps where a program is named in place of a command: most want to
 * know what limits it. Nothing is appended for another word.
 */
void lead_to_why(const char *name, struct sb *sb);
/** say() - print one line as "tma: ..." on stderr. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** say_lines() - print several lines on stderr; NULL and "" print nothing. */
void say_lines(const char *lines);

/* --- The host that a command works on -------------------------------------------------------- */

/**
 * host_asked() - give what the command line asks for when a host is loaded
 *
 * What is said later comes on top. Its texts are those of argv, and live as long as the program.
 */
struct host_options *host_asked(void);
/** host_asked__common_for() - know common metrics where a word is the name of one. */
void host_asked__common_for(int argc, const char **argv);
/**
 * host_asked__put_stat() - append "tma stat" with the options that named tables and files of
 * metrics, for a shell
 * @machine: of --machine, or NULL
 */
void host_asked__put_stat(struct sb *sb, const char *machine);

/* The option tables of subcommands have these for --tables and --metrics-file. */
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
 * refresh_host() - load the host anew if other CPUs are online than when it was loaded
 *
 * No run of it may be open. Return: 0; -errno, and then it is as it was.
 */
int refresh_host(struct host *h, struct err *err);
/** load_host() - load it as the command line asks; notes are printed. Return: 0 or -errno. */
int load_host(struct host *h, struct err *err);
/**
 * tell_odd() - say which file of sysfs could not be read or makes no sense, if there is one
 * @status: the exit status so far
 *
 * Return: @status, or STATUS_FAILED in place of 0 where reading one failed.
 */
int tell_odd(const struct host *h, int status);
/**
 * show_the_way() - where there are no hardware counters, say which command shows a simulated
 * machine's
 * @command: the subcommand and its words
 */
void show_the_way(const struct host *h, const char *command);

/* --- Runs ------------------------------------------------------------------------------------ */

/**
 * begin_run() - open a run and its counters; notes are printed
 * @run: set to NULL where there is nothing to close
 *
 * Return: 1; 0 when a signal came before; -errno.
 */
int begin_run(const struct host *host, const struct request *req, struct run **run,
	      struct err *err);
/** show_step() - say how far a recording is read; make room for a command that begins. */
void show_step(const struct request *req, int step, struct progress *progress);
/** next_step() - run__next(), and its notes are printed. */
int next_step(struct run *run, struct err *err);
/** next_row() - go on to the next RUN_ROW, RUN_WOKEN or RUN_END. Return: which; -errno. */
int next_row(struct run *run, struct err *err);
/**
 * end_run() - say why a run has failed, if it has, and close it
 * @rc: what run__open() or run__next() returned last
 *
 * Return: the exit status.
 */
int end_run(struct run *run, const struct request *req, int rc, struct err *err);

/**
 * struct run_taker - takes what a whole run finds; each may be NULL
 * @begins: called before each run of a command
 * @row:    called with the grid of each row
 * @sites:  called after it with the grid of rows of code, where these were asked for
 * @end:    called after the last row of a run that came to its end, with the grid, in which the
 *          verdicts stand, and what became of the run
 */
struct run_taker {
	void (*begins)(void *arg);
	void (*row)(void *arg, const struct grid *g);
	void (*sites)(void *arg, const struct grid *g);
	void (*end)(void *arg, const struct grid *g, const struct run_outcome *outcome);
	void *arg;
};
/**
 * measure() - open a run, go through it, and close it; what it has to say is printed
 * @outcome: set to what became of it
 *
 * Return: the exit status.
 */
int measure(const struct host *host, const struct request *req, const struct run_taker *taker,
	    struct run_outcome *outcome);
/** say_notes() - print notes on stderr, and clear them. */
void say_notes(struct notes *notes);
/** die_by() - end by the signal that was sent: a shell must see it. */
void die_by(int signo);
/** status_of() - turn what became of a run into an exit status. */
int status_of(const struct run_outcome *outcome);

#endif
