/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The subcommands share this. In come a command's name and words (cmd_stat(argc, argv)); out go an
 * exit status, what is printed on standard output, and messages ("tma: ...") on standard error. A
 * subcommand that asks of events or metrics loads a struct host: the computer and the tables of its
 * CPU.
 */
#ifndef TMA_CMD_CMD_H
#define TMA_CMD_CMD_H

#include <stdbool.h>

struct err;
struct load_metric;
struct machine;
struct metrics_scope;
struct events_scope;
struct option;
struct pmu;
struct sb;
struct tables;

/**
 * as_perf() - whether this program was started under the name of perf
 *
 * Scripts that want perf then get what they look at: its version, and its exit status where they
 * rely on it.
 */
bool as_perf(void);

/*
 * The workload's own status is passed through, so failures of tma have numbers of their own, the
 * ones that env(1), nice(1) and timeout(1) use.
 */
enum {
	STATUS_NOT_EXECUTABLE = 126, /* the command was found and could not be run */
	STATUS_NOT_FOUND = 127,	   /* the command was not found */
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

/**
 * stat__unfreeze() - let counters run during system management interrupts again, if --smi-cost
 * stopped them. It allocates nothing. Return: 0 or -errno.
 */
int stat__unfreeze(void);

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
/** say() - print one line as "tma: ..." on stderr. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** say_lines() - print several lines as they are on stderr; NULL and "" print nothing. */
void say_lines(const char *lines);

/**
 * struct host - the computer and what the vendor says of its CPU
 * @machine: PMUs, CPUs and limits
 * @tables:  events and metrics, or NULL for a CPU without
 */
struct host {
	struct machine *machine;
	struct tables *tables;
};

/**
 * host__use_tables() - name a directory to read tables from when a host is loaded (--tables)
 * @path: kept, not copied, as are the texts of the functions below; see struct load_options
 *
 * What is said later comes on top: the tables which are built in, TMA_TABLES, these in the order of
 * the calls, metrics of files, and metrics defined.
 */
void host__use_tables(const char *path);
/**
 * host__use_common() - know the metrics that need no vendor's tables, too, when a host is loaded
 *
 * They lie above the tables that are built in, and below all others.
 */
void host__use_common(void);
/** host__use_common_for() - do so where a word of a command line is the name of one. */
void host__use_common_for(int argc, const char **argv);
/** host__put_options() - append the options that named tables and files of metrics, for a shell. */
void host__put_options(struct sb *sb);
/** host__define_metric() - define a metric by its expression (-M 'NAME = EXPR'). */
void host__define_metric(const char *name, const char *expr);

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

/** host__load() - read the machine, find its tables and load what was asked for. 0 or -errno. */
int host__load(struct host *h, struct err *err);
/**
 * host__load_for() - load the tables for a machine that is known, and what was asked for
 * @machine: stays the caller's: take it out of @h before host__free()
 */
int host__load_for(struct host *h, struct machine *machine, struct err *err);
/**
 * host__find_levels() - load the host to find out how deep its TopDown tree is
 * @levels: 0 where there is none; @why: then the reason, else ""
 * @group: set to what stands before the level in the names of its groups; may be NULL
 *
 * Return: 0 or -errno.
 */
int host__find_levels(int *levels, const char **group, const char **why, struct err *err);
/** host__cpuid() - tell the id of its CPU, "unknown" where there is none. */
const char *host__cpuid(const struct host *h);
/** host__suggest() - append the names here that are near to one which is none, or nothing. */
void host__suggest(const struct host *h, const struct events_scope *events, const char *name,
		   struct sb *out);
/** host__describe() - append a line for the CPU and one for each layer of its tables. */
void host__describe(const struct host *h, struct sb *sb);
/** host__name_tables() - append model and hash of each layer of its tables, nothing without. */
void host__name_tables(const struct host *h, struct sb *sb);
/**
 * host__place_metrics() - find the core PMUs of metrics, see struct load_options. @arg: struct host
 */
int host__place_metrics(void *arg, struct load_metric *metrics, int nr, struct err *err);
/** host__place_common() - the same, but names of events stay as they are: the plan chooses PMUs. */
int host__place_common(void *arg, struct load_metric *metrics, int nr, struct err *err);
/**
 * host__tell_unread() - say which file of a PMU could not be read, if one could not
 * @status: the exit status so far
 *
 * Return: @status, or STATUS_FAILED in place of 0: what the file describes is missing.
 */
int host__tell_unread(const struct host *h, int status);
/**
 * host__lead_on() - where there are no hardware counters, say which command shows a simulated
 * machine's
 * @command: the subcommand and its words
 */
void host__lead_on(const struct host *h, const char *command);
/** host__free() - release both. */
void host__free(struct host *h);
/**
 * host__events_scope() - look names up on this host
 * @pmu: PMU to limit core events to, or NULL
 */
struct events_scope host__events_scope(const struct host *h, const char *pmu);
/**
 * host__metrics_scope() - select metrics on this host
 * @events: what has_event() asks; must outlive the scope
 */
struct metrics_scope host__metrics_scope(const struct host *h, struct events_scope *events);
/**
 * host__family() - append that there are tables of other models of the CPU's family, if there are
 *
 * For a CPU that no table names, behind a sentence which says so: "; there are tables of ...".
 */
void host__family(const struct host *h, struct sb *sb);
/** host__pmu_name() - name a PMU of the tables as the user knows it: "cpu" for "default_core". */
const char *host__pmu_name(const struct host *h, const char *table);
/** is_core_type() - whether a PMU is the core type "core", "atom", or the one with that name. */
bool is_core_type(const struct pmu *pmu, const char *type);
/**
 * host__find_core_type() - find the core PMU that --cputype means
 * @pmu: set to its name
 *
 * Return: 0; -ENOENT with the core PMUs there are.
 */
int host__find_core_type(const struct host *h, const char *type, const char **pmu,
			 struct err *err);
/**
 * host__no_pmu() - say that @what needs hardware counters and how to try it without
 * @example: what follows `tma --machine`: a simulated machine that can, and the command
 */
int host__no_pmu(const char *what, const char *example, struct err *err);

#endif
