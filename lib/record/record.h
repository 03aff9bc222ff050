/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recordings are counts in files: perf.data in the form of perf stat record, or the text of -x and
 * -j.
 *
 * A recorder takes the counts of a session, row by row, and writes perf.data. A recording reads
 * perf.data or text, and returns events, units and rows of counts. lib/report prints these rows
 * like rows of a session.
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
 * @made_up:   addresses are invented, as on a simulated machine
 * @masked:    samples in the kernel are late while interrupts are off
 * @totals:    number of samples so far, and the like
 */
struct recorded_sampling {
	uint64_t frequency;
	bool made_up, masked;
	struct located_totals totals;
};

/* Writing. */

/**
 * struct recorder_options - the content of a recording other than counts
 * @path:    the file to write; "-" is standard output, in the form for pipes
 * @version: name and version of the program
 * @argv:    command line of the program from the subcommand on, with NULL at the end
 * @aggr, @cache_level: the kind of place that a row combines
 * @interval_ms: the interval of -I, or 0
 * @scale:   estimates are computed
 * @latency_mode: the value that represents retire latencies
 * @sampling: how events sample themselves; NULL if they do not
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
 * recorder__new() - open the file and write the records that precede the counts
 * @session: a session that is open
 * @events:  the events of @session
 *
 * An existing file that is not empty is renamed to FILE.old first.
 *
 * Return: 0; -errno, with the file and the failed operation in the message.
 */
int recorder__new(struct machine *machine, const struct session *session,
		  const struct event_list *events, const struct recorder_options *opts,
		  struct recorder **out, struct err *err);
/**
 * recorder__round() - write the counts of a row
 * @total: counts since the start, from session__read()
 * @final: the row is the only row of a run without -I
 *
 * A row is written by one write(2). Nothing is allocated after the first call. After each call, the
 * file can be read up to this row.
 *
 * Return: 0, or -errno if it could not be written completely.
 */
int recorder__round(struct recorder *r, const struct counts *total, bool final, struct err *err);
/**
 * recorder__take_samples() - write samples, and changes of mappings, of the current row
 * @records: in the order of time; the caller still owns them and their texts
 *
 * A failure is reported by the next recorder__round().
 */
void recorder__take_samples(struct recorder *r, struct sample_records *records);
/** recorder__tell_sampling() - write the totals of the sampling, for the current row. */
void recorder__tell_sampling(struct recorder *r, const struct recorded_sampling *s);
/**
 * recorder__finish() - complete the file and close it
 *
 * After a failed write, the file is closed without further changes. Return: 0 or -errno.
 */
int recorder__finish(struct recorder *r, struct err *err);
/** recorder__free() - release a recorder and close its file; NULL is allowed. */
void recorder__free(struct recorder *r);

/* Reading. */

/* The kinds of samples in a recording; its counts can be attributed to code by samples. */
enum recorded_samples {
	SAMPLES_NONE,
	SAMPLES_TMAS,	   /* samples of tma stat record --per-function */
	SAMPLES_OF_GROUPS, /* samples of perf; each has the counts of its group's events up to
			    * then */
	SAMPLES_PERFS,	   /* samples of perf; each represents its period */
};

/* A fact that a file may lack, and that the user may give. */
enum fact { FACT_UNKNOWN, FACT_NO, FACT_YES };

#define RECORD_STARTED_LINE "# started on " /* text at the beginning of the line above the rows of a
					     * run */
#define RECORD_CPUID_LINE "# cpuid:" /* text at the beginning of a line with the id of the counted
				      * CPU */

/**
 * struct recording_options - facts from the user, and how to read text
 * @cpuid:     id of the CPU to use; NULL: use the recorded id
 * @separator: separator of the fields of CSV; NULL: find it in the text
 * @smt:       whether SMT was on
 * @core_wide: whether everything on the cores was counted, not only a task
 */
struct recording_options {
	const char *cpuid, *separator;
	enum fact smt, core_wide;
};

/* How complete a text is at its end. */
enum recording_end {
	END_WHOLE,	   /* the text seems to be complete */
	END_ROW_LEFT_OUT,  /* the text ends inside a row; this row was left out */
	END_ROW_TAKEN,	   /* the text may end inside a row of a table; the row was kept */
	END_BEFORE_LENGTH, /* a table with a heading has no lines below its rows */
};

/**
 * struct recording_info - the description of a recording; strings are valid until recording__free()
 * @command: the command line of the program that made the recording, or "pipe" if unknown
 * @words, @nr_words: words of the command line, beginning with the program's name; no words if
 *           unknown
 * @cpuid:   id of the CPU; "" if unknown
 * @host, @kernel, @processor: name of the computer, release of its kernel, and model name of its
 *           CPU; NULL if unknown
 * @aggr, @cache_level: the kind of place that a row combines
 * @interval: rows are intervals; @interval_ns: length of the intervals, 0 if unknown
 * @per_cpu: units are CPUs, or groups of them; they are threads otherwise
 * @has_places: the places of the CPUs are known
 * @text:    the recording is text: its rows are the printed rows, and its units are their labels
 * @latency_mode: the value that represents retire latencies
 * @unfinished: the writer did not complete the recording
 * @end:     (text) whether the text may have been cut off
 * @odd_line: (text) number of the first odd line, which looks like a count and cannot be parsed, or
 *           does not belong in a recording; 0 if there is none; @nr_odd: number of odd lines
 * @own_cpuid: the CPU's id in the file itself; "" if the file has none
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
 * recording__open() - read the part of a recording that precedes the counts
 * @fd:   descriptor of the caller, which must stay open until recording__free()
 * @name: name of the file, for messages
 *
 * The content shows whether it is perf.data, CSV or JSON.
 *
 * Return: 0; -EINVAL, with the byte or line in the message, for a file that is damaged, of another
 * kind, or in the other byte order; -EFBIG if it has more events and CPUs than any machine; -errno
 * of reading.
 */
int recording__open(int fd, const char *name, const struct recording_options *opts,
		    struct recording **out, struct err *err);
/** recording__free() - release a recording; NULL is allowed. */
void recording__free(struct recording *r);
/** recording__info() - return the description of a recording. */
const struct recording_info *recording__info(const struct recording *r);
/** recording__machine() - return the computer that counted, as the recording describes it. */
struct machine *recording__machine(struct recording *r);
/** recording__events() - return the events; a plan may take them over (see recording__bind()). */
struct event_list *recording__events(struct recording *r);
/**
 * recording__refusal(), recording__obstacle() - return the reason that session__refusal() or
 * session__obstacle() gave for an event during the recording; NULL if no reason is known
 * @event: index of the event in the plan, in which other events follow those of the recording
 */
const char *recording__refusal(const struct recording *r, int event);
const char *recording__obstacle(const struct recording *r, int event);
/**
 * recording__borrow_places() - give the CPUs of a recording the places of another computer's CPUs
 *
 * Return: 0, or -EINVAL if the other computer does not have all these CPUs.
 */
int recording__borrow_places(struct recording *r, struct machine *from, struct err *err);

/** recording__set_cpuid() - set the id of the CPU, if the file does not have it. */
void recording__set_cpuid(struct recording *r, const char *cpuid);
/**
 * recording__check_rows() - check whether the counts can be combined into rows of some kind
 *
 * Return: 0; 1 if this requires borrowed places; -EINVAL with the reason.
 */
int recording__check_rows(const struct recording *r, enum grid_aggr aggr, struct err *err);

/**
 * struct recorded_row - a row of counts
 * @since_start_ns: end of the row, since the start; @elapsed_ns: length of the row, 0 if unknown
 * @is_cut: the text marks the row as an incomplete interval
 */
struct recorded_row {
	uint64_t since_start_ns, elapsed_ns;
	bool is_cut;
};

/** recording__samples() - return which kind of samples a recording has. */
enum recorded_samples recording__samples(const struct recording *r);
/** recording__sampling() - return how samples were taken, in the part that has been read. */
const struct recorded_sampling *recording__sampling(const struct recording *r);
/** recording__is_sampled() - whether there are samples of an event. */
bool recording__is_sampled(const struct recording *r, int event);
/**
 * recording__counts_cycles() - like event__counts_cycles(), for the event that a name refers to.
 */
bool recording__counts_cycles(const struct recording *r, int event);
/** recording__origin() - return the files and the kernel that samples belong to. */
const struct maps_origin *recording__origin(const struct recording *r);
/**
 * recording__follow() - request the samples of all rows that are read after this call
 * @sink: called with records, in the order of time; it may take over their texts
 */
void recording__follow(struct recording *r,
		       void (*sink)(void *arg, struct sample_records *records), void *arg);

/**
 * recording__counts() - allocate memory for counts of all events and units of a recording;
 * counts__free() frees it.
 */
void recording__counts(const struct recording *r, struct counts *out);
/**
 * recording__next() - read the counts of the next row
 * @counts: set to the counts of only this row
 *
 * Return: 1; 0 after the last row; -EINVAL with the byte or line where the file is damaged.
 */
int recording__next(struct recording *r, struct counts *counts, struct recorded_row *row,
		    struct err *err);
/**
 * recording__share() - return the share of a recording that has been read, from 0 to 1; NAN if
 * unknown, as for a pipe
 */
double recording__share(const struct recording *r);
/**
 * recording__spread() - return the standard error of a count that is the mean of several runs (-r)
 * @event: number of the event; -1 for the length of the run
 *
 * Return: standard error in percent of the count; NAN if the recording does not have it.
 */
double recording__spread(const struct recording *r, int event);
/**
 * recording__sum() - add the counts of a row to a sum of rows
 *
 * @sum is at first as recording__counts() makes it.
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
 * @plan:    a new plan, which is empty: gets the recording's events, and the metrics whose events
 *           are recorded
 * @scope:   scope of the recording's machine and tables. If the file does not show whether SMT was
 *           on, or whether tasks were counted, this is set in the scope and its machine, as the
 *           events suggest
 * @names:   as for metrics__select(); NULL for no metrics
 * @topdown: --topdown: metrics are ranked in the order of the tree
 *
 * An event counts an id of a metric if it has the id's name, or its PMU and encoding. If there are
 * several such events, the event in the group with most of the metric's ids is used. A metric is
 * left out if an id has no event, with a line in plan->warnings. The call fails if no metric
 * remains.
 *
 * Return: 0; the result of metrics__select(); -ENOENT with the missing event.
 */
int recording__bind(struct recording *r, struct plan *plan, struct metrics_scope *scope,
		    const char *names, bool topdown, struct err *err);
/**
 * recording__describe_unused() - append which metrics have values in a text; these values are not
 * used
 * @plan: the metrics that are computed instead
 * @out:  a line without its newline is appended; unchanged if there are no such values
 */
void recording__describe_unused(const struct recording *r, const struct plan *plan, struct sb *out);

#endif
