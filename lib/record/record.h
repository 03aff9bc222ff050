/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recordings are counts in files: perf.data as perf stat record has it, or the text of -x and -j.
 *
 * Into a recorder come the counts of a session, row by row; out of it comes perf.data. Into a
 * recording comes such a file, or text; out of it come events, units and rows of counts, which
 * lib/report prints as it prints those of a session.
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
 * @frequency: samples of cycles in a second; 0: they were not
 * @made_up:   addresses are made up, as those of a simulated machine can be
 * @masked:    the kernel's samples are late where interrupts are off
 * @totals:    what was sampled so far
 */
struct recorded_sampling {
	uint64_t frequency;
	bool made_up, masked;
	struct located_totals totals;
};

/* Writing. */

/**
 * struct recorder_options - what a recording says of itself
 * @path:    the file; "-" is standard output, in the form for pipes
 * @version: the program's name and version
 * @argv:    its command line from the subcommand on, NULL at the end
 * @aggr, @cache_level: what rows stand for
 * @interval_ms: the interval of -I, or 0
 * @scale:   estimates are wanted
 * @latency_mode: what stands for retire latencies
 * @sampling: events sample themselves; NULL: they do not
 * @read_running: (@sampling) what processes have mapped that run already
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
 * recorder__new() - open the file and write what comes before the counts
 * @session: opened
 * @events:  the events of @session
 *
 * An old file which is not empty is renamed to FILE.old first.
 *
 * Return: 0; -errno with the file and what failed.
 */
int recorder__new(struct machine *machine, const struct session *session,
		  const struct event_list *events, const struct recorder_options *opts,
		  struct recorder **out, struct err *err);
/**
 * recorder__round() - write the counts of a row
 * @total: since the start, as session__read() gives them
 * @final: the last row of a run without -I
 *
 * One write for all of it; allocates nothing after the first call. What was written up to here is
 * a file that can be read.
 *
 * Return: 0, or -errno when it could not be written whole.
 */
int recorder__round(struct recorder *r, const struct counts *total, bool final, struct err *err);
/**
 * recorder__take_samples() - write samples, and changes of what is mapped, of the row under way
 * @records: in the order of time; they and their texts stay the caller's
 *
 * A failure is that of the next recorder__round().
 */
void recorder__take_samples(struct recorder *r, struct sample_records *records);
/** recorder__tell_sampling() - write what the sampling has come to, for the row under way. */
void recorder__tell_sampling(struct recorder *r, const struct recorded_sampling *s);
/**
 * recorder__finish() - complete the file and close it
 *
 * A file that could not be written whole before is closed as it is. Return: 0 or -errno.
 */
int recorder__finish(struct recorder *r, struct err *err);
/** recorder__free() - release it, closing what is open; NULL is allowed. */
void recorder__free(struct recorder *r);

/* Reading. */

/* Samples of a recording, by which its counts can be told apart by code. */
enum recorded_samples {
	SAMPLES_NONE,
	SAMPLES_TMAS,	   /* of tma stat record --per-function */
	SAMPLES_OF_GROUPS, /* perf's: each has what the events of its group had counted */
	SAMPLES_PERFS,	   /* perf's: each stands for its period */
};

/* What the user may know of a file that does not tell. */
enum told { TOLD_NOTHING, TOLD_NO, TOLD_YES };

#define RECORD_STARTED_LINE "# started on " /* begins the line above the rows of a run */
#define RECORD_CPUID_LINE "# cpuid:" /* begins a line of text that says of which CPU counts are */

/**
 * struct recording_options
 * @cpuid:     takes the place of the recorded one, NULL for that
 * @separator: what separates the fields of CSV; NULL to find it out
 * @smt:       cores ran two threads
 * @core_wide: all that ran on the cores was counted, and not one task
 */
struct recording_options {
	const char *cpuid, *separator;
	enum told smt, core_wide;
};

/* How text ends, whose end may have been cut off. */
enum recording_end {
	END_WHOLE,	   /* as it should, as far as that can be told */
	END_ROW_LEFT_OUT,  /* within a row, which was not taken */
	END_ROW_TAKEN,	   /* perhaps within a row of a table, which was taken */
	END_BEFORE_LENGTH, /* a table with a heading lacks the lines below it */
};

/**
 * struct recording_info - what is told of a recording; strings live as long as it does
 * @command: the command line, "pipe" when it is not known; @words: its @nr_words words, the
 *           program's name first; none when they are not known
 * @cpuid:   "" when it is not known
 * @host, @kernel, @processor: the computer's name, its kernel's release, and the model name of its
 *           CPU; NULL where it does not say so
 * @aggr, @cache_level: what rows stood for
 * @interval: it has rows of intervals; @interval_ns: of that length, 0 where it does not say so
 * @per_cpu: units are CPUs, or groups of them; they are threads otherwise
 * @has_places: it says where the CPUs stand
 * @text:    it is text: rows are what was printed, and units what they stood for
 * @latency_mode: what stood for retire latencies
 * @unfinished: the writer did not complete it
 * @end:     (text) whether it may have been cut off
 * @odd_line: (text) number of the first line that looks like a count and cannot be read, or like
 *           nothing that belongs there; 0 for none; @nr_odd: how many there are
 * @said_cpuid: the one that it says itself; "" when it says none
 * @units:   what the counts are of
 */
struct recording_info {
	const char *command, *cpuid, *said_cpuid, *host, *kernel, *processor;
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
 * recording__open() - read what comes before the counts
 * @fd:   stays the caller's, and open until recording__free()
 * @name: what messages call the file
 *
 * A file that is told from its content: perf.data, CSV, JSON.
 *
 * Return: 0; -EINVAL for a file that is none of these, damaged, or of the other byte order, with
 * the byte or line; -EFBIG for one with more events and CPUs than any machine has; -errno of
 * reading.
 */
int recording__open(int fd, const char *name, const struct recording_options *opts,
		    struct recording **out, struct err *err);
/** recording__free() - release it; NULL is allowed. */
void recording__free(struct recording *r);
/** recording__info() - tell what it says of itself. */
const struct recording_info *recording__info(const struct recording *r);
/** recording__machine() - give the computer it was made on, as far as it says. */
struct machine *recording__machine(struct recording *r);
/** recording__events() - give the events; a plan may take them over (see recording__bind()). */
struct event_list *recording__events(struct recording *r);
/**
 * recording__refusal(), recording__obstacle() - tell why an event was not counted, as
 * session__refusal() and session__obstacle() told when it was recorded; NULL where nothing is known
 * @event: its place in the plan, where events that are not of the recording follow
 */
const char *recording__refusal(const struct recording *r, int event);
const char *recording__obstacle(const struct recording *r, int event);
/**
 * recording__borrow_places() - let its CPUs stand where those of another computer do
 *
 * Return: 0, or -EINVAL when it has not all of the CPUs.
 */
int recording__borrow_places(struct recording *r, struct machine *from, struct err *err);

/** recording__set_cpuid() - name the CPU, where it is not said. */
void recording__set_cpuid(struct recording *r, const char *cpuid);
/**
 * recording__can_tell() - tell whether its counts can be put together to such rows
 *
 * Return: 0; 1 when they can be once places have been borrowed; -EINVAL with the reason.
 */
int recording__can_tell(const struct recording *r, enum grid_aggr aggr, struct err *err);

/**
 * struct recorded_row - a row of counts
 * @since_start_ns: its end; @elapsed_ns: its length, 0 when it is not known
 * @is_cut: the text says that it is not a whole interval
 */
struct recorded_row {
	uint64_t since_start_ns, elapsed_ns;
	bool is_cut;
};

/** recording__samples() - tell which samples it has. */
enum recorded_samples recording__samples(const struct recording *r);
/** recording__sampling() - tell how they were taken, as far as it has been read. */
const struct recorded_sampling *recording__sampling(const struct recording *r);
/** recording__is_sampled() - whether there are samples of an event. */
bool recording__is_sampled(const struct recording *r, int event);
/** recording__counts_cycles() - as event__counts_cycles(), by what an event's name stands for. */
bool recording__counts_cycles(const struct recording *r, int event);
/** recording__origin() - tell of which files, and of which kernel, samples are. */
const struct maps_origin *recording__origin(const struct recording *r);
/**
 * recording__follow() - have the samples of the rows that are read from now on
 * @sink: gets the next records, in the order of time, and may take their texts
 */
void recording__follow(struct recording *r,
		       void (*sink)(void *arg, struct sample_records *records), void *arg);

/** recording__counts() - allocate memory for counts of its shape; counts__free() it. */
void recording__counts(const struct recording *r, struct counts *out);
/**
 * recording__next() - read the counts of the next row
 * @counts: filled with those of the row alone
 *
 * Return: 1; 0 when there are no more; -EINVAL with the byte or line where the file is damaged.
 */
int recording__next(struct recording *r, struct counts *counts, struct recorded_row *row,
		    struct err *err);
/**
 * recording__share() - tell how much of it has been read, from 0 to 1; NAN where that is not known,
 * as of a pipe
 */
double recording__share(const struct recording *r);
/**
 * recording__spread() - tell how far off a count is that is the mean of several runs (-r)
 * @event: its number; -1 for the length of the run
 *
 * Return: its standard error as a share of it, in percent; NAN where the recording tells none.
 */
double recording__spread(const struct recording *r, int event);
/**
 * recording__sum() - add the counts of a row to those of others
 *
 * @sum begins as recording__counts() makes it.
 */
void recording__sum(const struct recording *r, const struct counts *row, struct counts *sum);

/**
 * recording__has_event() - tell, for metrics_scope.has_event, whether the CPU's tables or the
 * recording have it
 * @recording: which
 */
bool recording__has_event(void *recording, const char *id);
/**
 * recording__bind() - compute metrics from events that are there
 * @plan:    new and empty: takes the recording's events, and the metrics that they serve
 * @scope:   of the recording's machine and tables; what the file does not say of SMT, and of what
 *           was counted, is set in it and in its machine as the events tell
 * @names:   as for metrics__select(), or NULL for none
 * @topdown: --topdown: metrics are ranked in the order of the tree
 *
 * An id of a metric is served by an event of its name, or of its PMU and encoding. Of several, the
 * one in the group that has most of the metric's ids. A metric with an id that none serves is left
 * out, with a line in plan->warnings; it is a failure when none is left.
 *
 * Return: 0; what metrics__select() returns; -ENOENT naming the event that is not there.
 */
int recording__bind(struct recording *r, struct plan *plan, struct metrics_scope *scope,
		    const char *names, bool topdown, struct err *err);
/**
 * recording__tell_untaken() - tell which values of metrics a text has, which are not taken
 * @plan: the metrics that are computed instead
 * @out:  appended to: a line without its newline; nothing where there are none
 */
void recording__tell_untaken(const struct recording *r, const struct plan *plan, struct sb *out);

#endif
