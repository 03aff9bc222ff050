/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "tma stat": in comes a command line; out go rows of counts and metrics, messages, an exit status.
 * A run goes down this list:
 *
 *   options.c, check.c, settle.c   make struct stat_options of the command line; const from then on
 *   stat.c                         opens the run that its request asks for, and goes through it
 *   rows.c, output.c, page.c       print its rows, and say where they go
 *   told.c                         what is told of a run: which notes, and when
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

/* The verb says what is done with counts. */
enum stat_verb {
	STAT_PRINT,  /* tma stat */
	STAT_RECORD, /* tma stat record: they are written to a file as well */
	STAT_REPORT, /* tma stat report: they are read from a file; nothing is counted */
	STAT_PLAN,   /* tma plan: nothing is counted; dry_run is set */
};

/**
 * struct stat_again - the command that a verdict says to run next, in parts
 * @again: what counts the same; @read: what reads the same recording; @program: what is run
 */
struct stat_again {
	struct sb again, read, program;
};

/**
 * struct stat_options - the command line of "tma stat"
 *
 * Const once it is parsed and settled.
 *
 * @req:     all that the run is told
 * @command_line: from "stat" on, as it was typed
 * @events, @bpf_programs, @metrics, @cgroup_names, @told, @recorder: what @req points to
 * @format:  how rows are printed, as far as the command line says it
 * @recording: (STAT_REPORT) what is known of the file; @again: what a verdict says to run next
 * @input_name, @cpuid: (STAT_REPORT) -i and --cpuid as typed, or NULL
 * @smt_name, @scope_name: (STAT_REPORT) --smt and --scope as typed, or NULL
 * @inputs, @nr_inputs: (STAT_REPORT) files to be read one after the other, in place of -i
 * @compat, @format_name, @tpebs_mode, @grouping_name, @schedule_name, @estimate_name,
 * @control_text, @colour: words that were typed, or NULL
 * @output_name: -o; @has_file: it is a file, and not "-"; @log_fd: --log-fd, 0 when not given
 * @to_stdout: rows go to standard output, as those of tma's own formats do
 * @shared:  rows in a machine's format go to standard error
 * @header_set: --header or --no-header was said
 * @events_recorded: a recording was made with events of its own
 * @topdown_set: --topdown or --no-topdown was said
 * @metric_only_set: --metric-only or --no-metric-only was said, so that --topdown does not choose
 * @no_target: there is no command, and neither -a, -C, -p nor -t: it is all CPUs
 * @dry_run: nothing is counted: the groups are printed (--dry-run, or STAT_PLAN)
 * @probe:   it is told which events can be counted (--probe)
 * @global:  --global
 * @bpf_counters: --bpf-counters
 * @by:      what a row stands for, as asked for: -A, --per-core ...
 * @verbose: how often -v
 */
struct stat_options {
	struct request req;
	enum stat_verb verb;
	const char **command_line;
	VEC(struct request_event) events;
	VEC(uint32_t) bpf_programs;
	struct sb metrics, cgroup_names;
	struct literals told;
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
		bpf_counters, events_recorded;
	bool by[AGGR_NR];
};

/* --- Options --------------------------------------------------------------------------------- */

/**
 * stat_options__parse() - read the command line
 * @o: filled; stat_options__free() it
 * @verb: STAT_PLAN, or STAT_PRINT, which a word after the options may change
 *
 * Wrong options end the program with a usage text and STATUS_USAGE, as libsubcmd does.
 *
 * Return: 0, or -EINVAL with what contradicts what.
 */
int stat_options__parse(struct stat_options *o, enum stat_verb verb, int argc, const char **argv,
			struct err *err);
void stat_options__free(struct stat_options *o);
/**
 * stat_options__check() - refuse options that exclude each other, or lack what they need
 *
 * Return: 0; -EINVAL with which and why in @err.
 */
int stat_options__check(const struct stat_options *o, struct err *err);
/** stat_options__check_format() - the same for what a format has no place for. */
int stat_options__check_format(const struct stat_options *o, const struct format *f,
			       struct err *err);
/** stat_options__set_topdown() - take up --topdown, as libsubcmd calls it. Return: 0 or not. */
int stat_options__set_topdown(const struct option *opt, const char *arg, int unset);
/**
 * stat_options__settle() - settle what follows from options that have been read
 * @argc, @argv: what is left after them: the command, or nothing
 *
 * Return: 0, or -EINVAL with what contradicts what.
 */
int stat_options__settle(struct stat_options *o, int argc, const char **argv, struct err *err);
struct option;

/**
 * stat_options__walk() - look at the options that a recording was made with
 * @words, @nr: its command line, the program first
 * @found: called for each option of "tma stat" in it, see options__walk()
 *
 * Return: how many words were looked at.
 */
int stat_options__walk(struct stat_options *o, const char *const *words, int nr,
		       void (*found)(void *o, const struct option *opt, const char *value,
				     bool unset));
/** stat_options__finish() - let the request have all that it points to, when nothing is added. */
void stat_options__finish(struct stat_options *o);
/**
 * stat_options__of_recording() - make the options for one file of several, or the only one
 * @from: what was typed; it outlives @o
 * @name: of the file, as typed, or NULL
 * @o:    set; where no metrics were asked for, with those that the file was made with.
 *        stat_options__free_recording() it
 * @append: rows are added to what there is of -o; @with_metrics: those are taken over
 */
void stat_options__of_recording(const struct stat_options *from, const char *name,
				struct run_input *in,
				bool append, bool with_metrics, struct stat_options *o);
void stat_options__free_recording(const struct stat_options *from, struct stat_options *o);
/** stat_options__check_path() - check that the format goes with rows of intervals. */
int stat_options__check_path(const struct stat_options *o, bool interval, struct err *err);
/** stat_options__lists_ports() - tell whether root ports are listed, and nothing is counted. */
bool stat_options__lists_ports(const struct stat_options *o);

/**
 * stat_again__init() - put the parts together, as a shell reads them, where there is a verdict
 * @a: may be a part of @o; what it was before is forgotten
 */
void stat_again__init(struct stat_again *a, const struct stat_options *o);
void stat_again__exit(struct stat_again *a);

/* --- What is told and printed ---------------------------------------------------------------- */

/** stat_told__kinds() - choose which notes of a run are wanted. Return: NOTE() of each. */
unsigned long long stat_told__kinds(const struct stat_options *o);

/**
 * stat_dry_run() - print what would be counted, on which counters, how much of the time
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
 * @progress: of all of it, from the opening of a recording on
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

/** stat_output__open() - find out where the rows of a run go, and open it. Return: 0 or -errno. */
int stat_output__open(struct stat_output *s, struct err *err);
/**
 * stat_output__close() - close it, and let a page be seen unless the run @failed
 *
 * Return: 0, or -errno when not all could be written.
 */
int stat_output__close(struct stat_output *s, bool failed, struct err *err);

/**
 * stat_page__open() - begin the page of --format=html, and say in it what is run
 *
 * Return: 0; -EINVAL for a terminal, which shows no page; -errno.
 */
int stat_page__open(struct stat_output *s, struct err *err);
/** stat_page__note() - have the page tell the notes that are about to be printed. */
void stat_page__note(struct stat_output *s);
/** stat_page__close() - let the page be seen, unless the run @failed. Return: 0 or -errno. */
int stat_page__close(struct stat_output *s, bool failed, struct err *err);

/**
 * stat_rows__run() - go through a run, and print all that it has
 *
 * Return: 0, or -errno when it could not be started or the output not be written.
 */
int stat_rows__run(struct stat_output *s, struct err *err);

#endif
