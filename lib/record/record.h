/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recordings are counts in files: perf.data as written by perf stat record, or the text of -x and
 * -j.
 *
 * Into a recorder come the counts of a session, row by row; out of it comes perf.data. Into a
 * recording comes a file of this kind, or text; out of it come events, units and rows of counts,
 * which lib/report prints like those of a session.
 */
#ifndef TMA_RECORD_RECORD_H
#define TMA_RECORD_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "count/count.h"
#include "events/events.h"
#include "grid/grid.h"
#include "metrics/metrics.h"

struct err;
struct machine;
struct plan;
struct maps_origin;
struct recorder;
struct recording;
struct sample_records;

#define RECORD_DEFAULT_NAME "perf.data"

/**
 * struct recorded_sampling - how the events of a recording were sampled
 * @frequency: samples of cycles in a second; 0: no sampling
 * @made_up:   addresses are made up, as on a simulated machine
 * @masked:    samples in the kernel are late where interrupts are off
 * @totals:    what was sampled so far
 */
struct recorded_sampling {
	uint64_t frequency;
	bool made_up, masked;
	struct located_totals totals;
};

/* Writing. */

/**
 * struct recorder_options - the content of a recording beside counts
 * @path:    the file; "-" is standard output, in the form for pipes
 * @version: the program's name and version
 * @argv:    its command line from the subcommand on, NULL at the end
 * @aggr, @cache_level: what rows combine
 * @interval_ms: the interval of -I, or 0
 * @scale:   estimates are wanted
 * @latency_mode: the value that represents retire latencies
 * @sampling: how events sample themselves; NULL: they do not
 * @read_running: (@sampling) read the mappings of processes that already run
 */
struct recorder_options {
	const char *path, *version;
	const char *const *argv;
	enum grid_aggr aggr;
	int cache_level;
	uint64_t interval_ms;
	bool scale;
	enum latency_mode latency_mode;
	const struct recorded_sampling *sampling;
	bool read_running;
};

/**
 * recorder__new() - open the file and write the records before the counts
 * @session: opened
 * @events:  the events of @session
 *
 * An existing file that is not empty is renamed to FILE.old first.
 *
 * Return: 0; -errno with the file and the failed operation.
 */
int recorder__new(struct machine *machine, const struct session *session,
		  const struct event_list *events, const struct recorder_options *opts,
		  struct recorder **out, struct err *err);
/**
 * recorder__round() - write the counts of a row
 * @total: since the start, as session__read() gives them
 * @final: the last row of a run without -I
 *
 * All of it is one write; nothing is allocated after the first call. After it, the file can be read
 * up to this row.
 *
 * Return: 0, or -errno if it could not be written completely.
 */
int recorder__round(struct recorder *r, const struct counts *total, bool final, struct err *err);
/**
 * recorder__take_samples() - write samples, and changes of mappings, of the current row
 * @records: in the order of time; they and their texts stay the caller's
 *
 * The next recorder__round() reports a failure.
 */
void recorder__take_samples(struct recorder *r, struct sample_records *records);
/** recorder__tell_sampling() - write the totals of the sampling, for the current row. */
void recorder__tell_sampling(struct recorder *r, const struct recorded_sampling *s);
/**
 * recorder__finish() - complete the file and close it
 *
 * After a failed write the file is closed unchanged. Return: 0 or -errno.
 */
int recorder__finish(struct recorder *r, struct err *err);
/** recorder__free() - release it, closing what is open; NULL is allowed. */
void recorder__free(struct recorder *r);

/* Reading. */

/* The samples of a recording, by which its counts can be attributed to code. */
enum recorded_samples {
	SAMPLES_NONE,
	SAMPLES_TMAS,	   /* of tma stat record --per-function */
	SAMPLES_OF_GROUPS, /* perf's: each has the counts of its group's events up to then */
	SAMPLES_PERFS,	   /* perf's: each represents its period */
};

/* A fact that a file may lack and the user may give. */
enum fact { FACT_UNKNOWN, FACT_NO, FACT_YES };

#define RECORD_STARTED_LINE "# started on " /* begins the line above the rows of a run */
#define RECORD_CPUID_LINE "# cpuid:" /* begins a line of text that names the CPU of the counts */

/**
 * struct recording_options - facts from the user, and how to read text
 * @cpuid:     used instead of the recorded one; NULL to use that
 * @separator: of the fields of CSV; NULL to find it out
 * @smt:       whether cores ran two threads
 * @core_wide: whether everything on the cores was counted, and not only a task
 */
struct recording_options {
	const char *cpuid, *separator;
	enum fact smt, core_wide;
};

/* How a text ends; its end may be missing. */
enum recording_end {
	END_WHOLE,	   /* completely, as far as can be seen */
	END_ROW_LEFT_OUT,  /* within a row, and that row was left out */
	END_ROW_TAKEN,	   /* perhaps within a row of a table, which was kept */
	END_BEFORE_LENGTH, /* a table with a heading lacks the lines below it */
};

/**
 * struct recording_info - the description of a recording; its strings live as long as the recording
 * @command: the command line, "pipe" if unknown; @words: its @nr_words words, the program's name
 *           first; none if unknown
 * @cpuid:   "" if unknown
 * @host, @kernel, @processor: the computer's name, its kernel's release, and the model name of its
 *           CPU; NULL if unknown
 * @aggr, @cache_level: what rows combine
 * @interval: it has rows of intervals; @interval_ns: their length, 0 if unknown
 * @per_cpu: units are CPUs, or groups of them; they are threads otherwise
 * @has_places: the places of its CPUs are known
 * @text:    it is text: rows are the printed ones, and units their labels
 * @latency_mode: the value that represents retire latencies
 * @unfinished: it was not completed
 * @end:     (text) whether it may have been cut off
 * @odd_line: (text) number of the first line that looks like a count and cannot be parsed, or does
 *           not belong into a recording; 0 for none; @nr_odd: number of these lines
 * @own_cpuid: the id in the file itself; "" without one
 * @units:   the units that the counts belong to
 */
struct recording_info {
	const char *command, *cpuid, *own_cpuid, *host, *kernel, *processor;
	enum grid_aggr aggr;
	int cache_level;
	enum latency_mode latency_mode;
	bool interval, per_cpu, has_places, text, unfinished;
	uint64_t interval_ns;
	enum recording_end end;
	int odd_line, nr_odd, nr_words;
	const char *const *words;
	struct units units;
};

/**
 * recording__open() - read the part before the counts
 * @fd:   the caller's, which must be open until recording__free()
 * @name: name of the file, for messages
 *
 * The content decides between perf.data, CSV and JSON.
 *
 * Return: 0; -EINVAL for a file of another kind, damaged, or of the other byte order, with
 * the byte or line; -EFBIG if it has more events and CPUs than any machine; -errno of reading.
 */
int recording__open(int fd, const char *name, const struct recording_options *opts,
		    struct recording **out, struct err *err);
/** recording__free() - release it; NULL is allowed. */
void recording__free(struct recording *r);
/** recording__info() - return its description. */
const struct recording_info *recording__info(const struct recording *r);
/** recording__machine() - return the computer it was made on, as far as described. */
struct machine *recording__machine(struct recording *r);
/** recording__events() - return the events; a plan may take them over (see recording__bind()). */
struct event_list *recording__events(struct recording *r);
/**
 * recording__refusal(), recording__obstacle() - return why an event was not counted, as
 * session__refusal() and session__obstacle() did when it was recorded; NULL without a known reason
 * @event: its index in the plan, in which further events follow those of the recording
 */
const char *recording__refusal(const struct recording *r, int event);
const char *recording__obstacle(const struct recording *r, int event);
/**
 * recording__borrow_places() - give its CPUs the places of another computer's CPUs
 *
 * Return: 0, or -EINVAL if that does not have all of the CPUs.
 */
int recording__borrow_places(struct recording *r, struct machine *from, struct err *err);

/** recording__set_cpuid() - set the CPU's id, if the file does not have it. */
void recording__set_cpuid(struct recording *r, const char *cpuid);
/**
 * recording__check_rows() - check whether its counts can be combined to some kind of rows
 *
 * Return: 0; 1 if that requires borrowed places; -EINVAL with the reason.
 */
int recording__check_rows(const struct recording *r, enum grid_aggr aggr, struct err *err);

/**
 * struct recorded_row - a row of counts
 * @since_start_ns: its end; @elapsed_ns: its length, 0 if unknown
 * @is_cut: the text marks it as an incomplete interval
 */
struct recorded_row {
	uint64_t since_start_ns, elapsed_ns;
	bool is_cut;
};

/** recording__samples() - return which samples it has. */
enum recorded_samples recording__samples(const struct recording *r);
/** recording__sampling() - return how they were taken, as far as it has been read. */
const struct recorded_sampling *recording__sampling(const struct recording *r);
/** recording__is_sampled() - whether there are samples of an event. */
bool recording__is_sampled(const struct recording *r, int event);
/** recording__counts_cycles() - as event__counts_cycles(), for the event that a name refers to. */
bool recording__counts_cycles(const struct recording *r, int event);
/** recording__origin() - return which files, and which kernel, samples belong to. */
const struct maps_origin *recording__origin(const struct recording *r);
/**
 * recording__follow() - request the samples of the rows that are read from now on
 * @sink: called with the next records, in the order of time; it may take their texts
 */
void recording__follow(struct recording *r,
		       void (*sink)(void *arg, struct sample_records *records), void *arg);

/**
 * recording__counts() - allocate memory for counts with its numbers of events and units;
 * counts__free() it.
 */
void recording__counts(const struct recording *r, struct counts *out);
/**
 * recording__next() - read the counts of the next row
 * @counts: filled with those of only this row
 *
 * Return: 1; 0 after the last row; -EINVAL with the byte or line where the file is damaged.
 */
int recording__next(struct recording *r, struct counts *counts, struct recorded_row *row,
		    struct err *err);
/**
 * recording__share() - return how much of it has been read, from 0 to 1; NAN if unknown, as for a
 * pipe
 */
double recording__share(const struct recording *r);
/**
 * recording__spread() - return the error of a count that is the mean of several runs (-r)
 * @event: its number; -1 for the length of the run
 *
 * Return: its standard error in percent of the count; NAN if the recording has none.
 */
double recording__spread(const struct recording *r, int event);
/**
 * recording__sum() - add the counts of a row to those of others
 *
 * @sum begins as recording__counts() makes it.
 */
void recording__sum(const struct recording *r, const struct counts *row, struct counts *sum);

/**
 * recording__has_event() - whether the CPU's tables or the recording have an event, for
 * metrics_scope.has_event
 * @recording: a struct recording
 */
bool recording__has_event(void *recording, const char *id);
/**
 * recording__bind() - compute metrics from recorded events
 * @plan:    new and empty: takes the recording's events, and the metrics that have their events
 * @scope:   of the recording's machine and tables; facts on SMT and counted tasks that the file
 *           lacks are set in it and in its machine, as the events suggest
 * @names:   as for metrics__select(), or NULL for none
 * @topdown: --topdown: metrics are ranked in the order of the tree
 *
 * An id of a metric is served by an event with its name, or with its PMU and encoding. If there are
 * several, the one in the group with most of the metric's ids is used. A metric with an id without
 * an event is left out, with a line in plan->warnings; it is a failure if none remains.
 *
 * Return: 0; the result of metrics__select(); -ENOENT with the missing event.
 */
int recording__bind(struct recording *r, struct plan *plan, struct metrics_scope *scope,
		    const char *names, bool topdown, struct err *err);
/**
 * recording__describe_unused() - append which values of metrics a text has; they are not used
 * @plan: the metrics that are computed instead
 * @out:  appended to: a line without its newline; unchanged without these values
 */
void recording__describe_unused(const struct recording *r, const struct plan *plan, struct sb *out);

#endif
