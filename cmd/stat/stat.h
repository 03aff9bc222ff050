/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "tma stat" reads a command line, and prints rows of counts and metrics. A run passes through
 * these files in this order:
 *
 *   options.c, check.c, settle.c   make struct stat_options of the command line
 *   stat.c                         opens the run, and goes through its steps
 *   output.c, page.c               choose where rows are printed
 *   rows.c                         prints the rows
 *   notes.c                        chooses which notes of a run are printed, and when
 */
#ifndef TMA_CMD_STAT_STAT_H
#define TMA_CMD_STAT_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/sb.h"
#include "base/vec.h"
#include "cmd.h"
#include "metrics/literal.h"
#include "progress.h"
#include "record/record.h"
#include "run/run.h"
#include "writers/writer.h"

struct err;
struct run_input;
struct stat_options;

/* The subcommands that share these options. */
enum stat_verb {
	STAT_PRINT,  /* tma stat */
	STAT_RECORD, /* tma stat record: counts are also written to a file */
	STAT_REPORT, /* tma stat report: counts are read from a file */
	STAT_PLAN,   /* tma plan: nothing is counted; @dry_run is set */
};

/**
 * struct stat_again - parts of the command that a verdict suggests to run next
 * @again: "tma stat" with the options to count the same again
 * @read: "tma stat report" with the options to read the same recording
 * @program: the program that is run
 */
struct stat_again {
	struct sb again, read, program;
};

/**
 * struct stat_options - the command line of "tma stat"
 *
 * It does not change once it is parsed and settled.
 *
 * @req:     the request that the run is opened with
 * @command_line: the words from "stat" on, as the user typed them
 * @events, @bpf_programs, @metrics, @cgroup_names, @literals, @recorder: owned here; @req points to
 *           them
 * @format:  how rows are printed, as far as the command line says
 * @recording: (STAT_REPORT) what the user says about the file
 * @again:   the command that a verdict suggests
 * @input_name, @cpuid, @smt_name, @scope_name: (STAT_REPORT) arguments of -i, --cpuid, --smt and
 *           --scope, or NULL
 * @inputs, @nr_inputs: (STAT_REPORT) files that are read one after the other, in place of -i
 * @compat, @format_name, @tpebs_mode, @grouping_name, @schedule_name, @estimate_name,
 *           @control_text, @colour: arguments as the user typed them, or NULL
 * @output_name: argument of -o, or NULL
 * @has_file: -o names a file, not "-"
 * @log_fd:  argument of --log-fd, or 0; @frequency: argument of -F, or 0
 * @to_stdout: rows go to standard output, as in tma's own formats
 * @shared:  rows for programs go to standard error
 * @header_set: --header or --no-header was given
 * @topdown_set: --topdown or --no-topdown was given
 * @metric_only_set: --metric-only or --no-metric-only was given, so --topdown leaves it unchanged
 * @no_target: neither a command nor -a, -C, -p or -t was given: all CPUs are measured
 * @dry_run: count nothing, but print the groups (--dry-run, or STAT_PLAN)
 * @probe:   print which events can be counted (--probe)
 * @global:  --global was given
 * @bpf_counters: --bpf-counters was given
 * @by:      which options for the scope of a row were given: -A, --per-core ...
 * @verbose: how often -v was given
 */
struct stat_options {
	struct request req;
	enum stat_verb verb;
	const char **command_line;
	VEC(struct request_event) events;
	VEC(uint32_t) bpf_programs;
	struct sb metrics, cgroup_names;
	struct literals literals;
	struct recorder_options recorder;
	struct writer_options format;
	struct recording_options recording;
	struct stat_again again;
	const char *input_name, *cpuid, *smt_name, *scope_name, **inputs;
	int nr_inputs, verbose;
	const char *compat, *output_name, *format_name, *tpebs_mode, *grouping_name,
		*schedule_name, *estimate_name, *control_text, *colour;
	uint64_t log_fd, frequency;
	bool json, header_set, append, has_file, to_stdout, shared, quiet, topdown_set,
		metric_only_set, no_csv_summary, no_target, dry_run, probe, global,
		bpf_counters;
	bool by[AGGR_NR];
};

/* --- Options --------------------------------------------------------------------------------- */

/**
 * stat_options__parse() - read the command line
 * @o: filled; release it with stat_options__free()
 * @verb: STAT_PLAN; or STAT_PRINT, which changes if "record" or "report" follows the options
 *
 * Wrong options end the program with a usage text and STATUS_USAGE, as libsubcmd does.
 *
 * Return: 0, or -EINVAL; @err then names the options that contradict each other.
 */
int stat_options__parse(struct stat_options *o, enum stat_verb verb, int argc, const char **argv,
			struct err *err);
void stat_options__free(struct stat_options *o);
/**
 * stat_options__check() - refuse options that exclude each other, or lack another option
 *
 * Return: 0, or -EINVAL; @err then has the options and the reason.
 */
int stat_options__check(const struct stat_options *o, struct err *err);
/** stat_options__check_format() - refuse options whose results format @f cannot show. */
int stat_options__check_format(const struct stat_options *o, const struct format *f,
			       struct err *err);
/**
 * stat_options__set_topdown() - set --topdown, called by libsubcmd. Return: 0; -1 for a wrong
 * value.
 */
int stat_options__set_topdown(const struct option *opt, const char *arg, int unset);
/**
 * stat_options__settle() - derive from the options what follows from them
 * @argc, @argv: the words left after the options: the command, or nothing
 *
 * Return: 0, or -EINVAL; @err then names the options that contradict each other.
 */
int stat_options__settle(struct stat_options *o, int argc, const char **argv, struct err *err);
struct option;

/**
 * stat_options__walk() - pass each option that a recording was made with to a function
 * @words, @nr: the command line that made the recording; its first word is the program
 * @found: called with @arg for each option of "tma stat"; see options__walk()
 *
 * Return: how many words were read.
 */
int stat_options__walk(struct stat_options *o, const char *const *words, int nr, void *arg,
		       void (*found)(void *arg, const struct option *opt, const char *value,
				     bool unset));
/** stat_options__finish() - let the request point to its lists, once they are complete */
void stat_options__finish(struct stat_options *o);
/**
 * stat_options__of_recording() - make the options for one of the files that are read
 * @from: the options that the user typed; they outlive @o
 * @name: name of the file as the user typed it, or NULL
 * @o:    set; release it with stat_options__free_recording(). If the user asked for no metrics, it
 *        has the metrics that the file was made with
 * @append: append rows to the file of -o
 * @with_metrics: use the metrics that the file was made with
 */
void stat_options__of_recording(const struct stat_options *from, const char *name,
				struct run_input *in,
				bool append, bool with_metrics, struct stat_options *o);
void stat_options__free_recording(const struct stat_options *from, struct stat_options *o);
/**
 * stat_options__check_path() - check that a format which replaces its file at each interval has a
 * file
 */
int stat_options__check_path(const struct stat_options *o, bool interval, struct err *err);
/** stat_options__lists_ports() - find out whether the command only lists root ports. */
bool stat_options__lists_ports(const struct stat_options *o);

/**
 * stat_again__init() - make the parts of the suggested command, quoted for a shell, if there is a
 * verdict
 * @a: set; its old value is not released, so it may be a member of @o
 */
void stat_again__init(struct stat_again *a, const struct stat_options *o);
void stat_again__exit(struct stat_again *a);

/*
 * --- Notes and output --------------------------------------------------------------------------
 */

/**
 * stat_notes__choose() - choose which notes of a run are printed. Return: NOTE() of each, combined.
 */
unsigned long long stat_notes__choose(const struct stat_options *o);

/**
 * stat_dry_run() - print which events would be counted, on which counters, and for which share of
 * the time
 *
 * This is what tma plan and --dry-run print, to standard output or the file of -o; with -j as JSON.
 *
 * Return: 0 or -errno.
 */
int stat_dry_run(const struct stat_options *o, struct run *run, struct err *err);
/**
 * stat_probe() - print which events can be counted here, and why others cannot. Return: exit
 * status.
 */
int stat_probe(const struct host *host, const struct stat_options *o, struct err *err);

/**
 * struct stat_output - the output that rows are printed to
 * @out:     the stream
 * @format:  how rows are printed
 * @above:   first line of a file that rows are appended to
 * @tables:  model and hash of the tables
 * @writer:  prints the rows; made when the first session is open
 * @early:   notes that were printed before the page began, a line each
 * @progress: progress of the whole command, which begins when a recording is opened
 */
struct stat_output {
	const struct stat_options *o;
	const struct host *host;
	struct run *run;
	FILE *out;
	struct writer_options format;
	char *above;
	struct sb tables, early;
	struct writer *writer;
	struct progress progress;
};

/** stat_output__open() - choose where the rows of a run go, and open it. Return: 0 or -errno. */
int stat_output__open(struct stat_output *s, struct err *err);
/**
 * stat_output__close() - close the output, and complete the page of --format=html; a page of a run
 * that @failed is discarded
 *
 * Return: 0, or -errno if not everything could be written.
 */
int stat_output__close(struct stat_output *s, bool failed, struct err *err);

/**
 * stat_page__open() - begin the page of --format=html with the command that is run
 *
 * Return: 0; -EINVAL if the output is a terminal, which cannot show a page; -errno.
 */
int stat_page__open(struct stat_output *s, struct err *err);
/** stat_page__note() - add the notes that are printed next to the page. */
void stat_page__note(struct stat_output *s);
/** stat_page__close() - unless the run @failed, put the page in its place. Return: 0 or -errno. */
int stat_page__close(struct stat_output *s, bool failed, struct err *err);

/**
 * stat_rows__run() - go through a run, and print all its rows
 *
 * Return: 0, or -errno if the run could not be started or the output could not be written.
 */
int stat_rows__run(struct stat_output *s, struct err *err);

#endif
