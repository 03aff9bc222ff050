/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "tma stat": a command line comes in; rows of counts and metrics, messages and an exit status go
 * out. A run passes through these files in this order:
 *
 *   options.c, check.c, settle.c   make struct stat_options of the command line; const from then on
 *   stat.c                         opens the run that its request asks for, and goes through it
 *   rows.c, output.c, page.c       print its rows, and choose where they go
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

/* The verbs of the command, by what is done with counts. */
enum stat_verb {
	STAT_PRINT,  /* tma stat */
	STAT_RECORD, /* tma stat record: they are written to a file as well */
	STAT_REPORT, /* tma stat report: they are read from a file; nothing is counted */
	STAT_PLAN,   /* tma plan: nothing is counted; dry_run is set */
};

/**
 * struct stat_again - the command that a verdict suggests to run next, in parts
 * @again: counts the same; @read: reads the same recording; @program: the program that is run
 */
struct stat_again {
	struct sb again, read, program;
};

/**
 * struct stat_options - the command line of "tma stat"
 *
 * Const once it is parsed and settled.
 *
 * @req:     the request that the run is opened with
 * @command_line: from "stat" on, as it was typed
 * @events, @bpf_programs, @metrics, @cgroup_names, @literals, @recorder: owned here; @req points to
 *                                                                    them
 * @format:  how rows are printed, as far as the command line specifies it
 * @recording: (STAT_REPORT) what is known of the file; @again: the command that a verdict suggests
 * @input_name, @cpuid: (STAT_REPORT) -i and --cpuid as typed, or NULL
 * @smt_name, @scope_name: (STAT_REPORT) --smt and --scope as typed, or NULL
 * @inputs, @nr_inputs: (STAT_REPORT) files to be read one after the other, in place of -i
 * @compat, @format_name, @tpebs_mode, @grouping_name, @schedule_name, @estimate_name,
 * @control_text, @colour: words that were typed, or NULL
 * @output_name: -o; @has_file: it is a file, and not "-"; @log_fd: --log-fd, 0 when not given
 * @to_stdout: rows go to standard output, as those of tma's own formats do
 * @shared:  rows in a machine's format go to standard error
 * @header_set: --header or --no-header was given
 * @topdown_set: --topdown or --no-topdown was given
 * @metric_only_set: --metric-only or --no-metric-only was given, so that --topdown does not choose
 * @no_target: neither a command nor -a, -C, -p or -t was given: all CPUs are measured
 * @dry_run: nothing is counted: the groups are printed (--dry-run, or STAT_PLAN)
 * @probe:   print which events can be counted (--probe)
 * @global:  --global
 * @bpf_counters: --bpf-counters
 * @by:      the options that choose what a row covers: -A, --per-core ...
 * @verbose: number of -v
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
	uint64_t log_fd;
	bool json, header_set, append, has_file, to_stdout, shared, quiet, topdown_set,
		metric_only_set, no_csv_summary, no_target, dry_run, probe, global,
		bpf_counters;
	bool by[AGGR_NR];
};

/* --- Options --------------------------------------------------------------------------------- */

/**
 * stat_options__parse() - read the command line
 * @o: filled; release it with stat_options__free()
 * @verb: STAT_PLAN, or STAT_PRINT, which a word after the options may change
 *
 * Wrong options end the program with a usage text and STATUS_USAGE, as libsubcmd does.
 *
 * Return: 0, or -EINVAL; @err then names the options that contradict each other.
 */
int stat_options__parse(struct stat_options *o, enum stat_verb verb, int argc, const char **argv,
			struct err *err);
void stat_options__free(struct stat_options *o);
/**
 * stat_options__check() - refuse options that exclude each other, or lack what they need
 *
 * Return: 0; -EINVAL, and then @err has which options and why.
 */
int stat_options__check(const struct stat_options *o, struct err *err);
/** stat_options__check_format() - refuse options for which format @f has no place. */
int stat_options__check_format(const struct stat_options *o, const struct format *f,
			       struct err *err);
/**
 * stat_options__set_topdown() - set --topdown; libsubcmd calls this. Return: 0, or -1 for a wrong
 * value.
 */
int stat_options__set_topdown(const struct option *opt, const char *arg, int unset);
/**
 * stat_options__settle() - settle what follows from options that have been read
 * @argc, @argv: the words left after the options: the command, or nothing
 *
 * Return: 0, or -EINVAL; @err then names the options that contradict each other.
 */
int stat_options__settle(struct stat_options *o, int argc, const char **argv, struct err *err);
struct option;

/**
 * stat_options__walk() - pass the options that a recording was made with to a function
 * @words, @nr: its command line, the program first
 * @found: called for each option of "tma stat" in it, with @arg, see options__walk()
 *
 * Return: how many words were read.
 */
int stat_options__walk(struct stat_options *o, const char *const *words, int nr, void *arg,
		       void (*found)(void *arg, const struct option *opt, const char *value,
				     bool unset));
/**
 * stat_options__finish() - point the request to all that it uses, once nothing is added any more
 */
void stat_options__finish(struct stat_options *o);
/**
 * stat_options__of_recording() - make the options for one file of several, or the only one
 * @from: the typed options; they outlive @o
 * @name: of the file, as typed, or NULL
 * @o:    set; where no metrics were asked for, it has those that the file was made with. Release it
 *        with stat_options__free_recording()
 * @append: rows are added to the file of -o; @with_metrics: take over the file's metrics
 */
void stat_options__of_recording(const struct stat_options *from, const char *name,
				struct run_input *in,
				bool append, bool with_metrics, struct stat_options *o);
void stat_options__free_recording(const struct stat_options *from, struct stat_options *o);
/** stat_options__check_path() - check that the format can be used with rows of intervals. */
int stat_options__check_path(const struct stat_options *o, bool interval, struct err *err);
/** stat_options__lists_ports() - find out whether root ports are listed, and nothing is counted. */
bool stat_options__lists_ports(const struct stat_options *o);

/**
 * stat_again__init() - put the parts together, quoted for a shell, where there is a verdict
 * @a: set without a look at its old value; may be a part of @o
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
 * stat_dry_run() - print what would be counted, on which counters, and for which share of the time
 *
 * tma plan and --dry-run do this, to standard output or the file of -o, with -j as JSON.
 *
 * Return: 0 or -errno.
 */
int stat_dry_run(const struct stat_options *o, struct run *run, struct err *err);
/** stat_probe() - print which events can be counted here, and why not. Return: the exit status. */
int stat_probe(const struct host *host, const struct stat_options *o, struct err *err);

/**
 * struct stat_output - where rows go
 * @out:     the stream; @format: how they are printed, completed
 * @above:   the first line of a file that rows are added to; @tables: model and hash of the tables
 * @writer:  made when the first session is open
 * @early:   notes that were printed before there was a page, a line each
 * @progress: of the whole command, from the opening of a recording on
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
 * stat_output__close() - close the output, and put a page in its place unless the run @failed
 *
 * Return: 0, or -errno when not all could be written.
 */
int stat_output__close(struct stat_output *s, bool failed, struct err *err);

/**
 * stat_page__open() - begin the page of --format=html, and write into it which command is run
 *
 * Return: 0; -EINVAL for a terminal, which cannot show a page; -errno.
 */
int stat_page__open(struct stat_output *s, struct err *err);
/** stat_page__note() - add the notes that are about to be printed to the page. */
void stat_page__note(struct stat_output *s);
/** stat_page__close() - put the page in its place, unless the run @failed. Return: 0 or -errno. */
int stat_page__close(struct stat_output *s, bool failed, struct err *err);

/**
 * stat_rows__run() - go through a run, and print all its rows
 *
 * Return: 0, or -errno when it could not be started or the output could not be written.
 */
int stat_rows__run(struct stat_output *s, struct err *err);

#endif
