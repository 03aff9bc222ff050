/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording as text has lines of CSV or JSON, each of which is one count of an event. */
#ifndef TMA_RECORD_TEXT_H
#define TMA_RECORD_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strmap.h"
#include "machine/cgroup.h"
#include "record/recording.h"

#define UNKNOWN_TYPE UINT32_MAX /* is the type of events and PMUs that text only names */

/**
 * struct text_count - the count of a line
 * @time_ns: end of its row, since the start
 * @value:   the number that is printed
 * @status:  SAMPLE_COUNTED when it is a number
 * @running: ns; @percent: of the time it was enabled
 * @samples: how many a latency has; @assumed: it was the vendor's
 * @spread:  the standard error of the mean of several runs, in percent of @value; 0: none is told
 */
struct text_count {
	uint64_t time_ns, running, samples;
	double value, percent, spread;
	bool assumed;
	enum sample_status status;
};

/**
 * struct text_row - a line, kept; @line: its number; @pair: of its names and its unit; @is_cut: see
 *                   struct text_line
 */
struct text_row {
	struct text_count count;
	int event, unit, line, pair;
	bool is_cut;
};

/** struct seen - how often a name and its unit have been in the row under way, for one unit */
struct seen {
	int row, times;
};

/** struct beside - number of a metric, and of the event beside which it stands */
struct beside {
	int metric, event;
};

/**
 * struct text
 * @rows, @next: all of them, and the first of the row to come
 * @event_map: names, their units, cgroups and how often they came before in a row, to events
 * @unit_map:  labels to units
 * @pair_map:  names, their units and numbers of units, to @pairs
 * @last_row: number of the row under way; @last_time of it
 * @length_spread: of @length_ns, as of a count
 * @nr_started, @nr_headings, @nr_lengths: how many runs begin in it, or tables, or end
 * @first_below: the first row below where one ends
 * @metrics: names of metrics that have values in the text, each once; @metric_map: where
 * @besides: which stand beside which events; @beside_map: where; @noted: those of the line at hand
 * @fields: the least that a row of CSV has; 0 before the first one
 * @key:    the key of a map, while it is put together
 * @places: where each unit stands
 * @nowhere: a computer of which nothing is known
 * @is_table: it is a table for people; @scope: whether all that ran on the cores was counted, as
 *          its heading says, if it has one; @length_ns: of the run, as stands below it, or 0
 * @goes_on: other text follows the last row
 * @cgroups: in which rows were counted, in their order; @cgroup_map: their names
 */
struct text {
	VEC(struct text_row) rows;
	int next;
	struct strmap *event_map, *unit_map, *pair_map, *metric_map, *cgroup_map, *beside_map;
	VEC(char *) metrics;
	VEC(struct beside) besides;
	VEC(int) noted;
	int fields;
	VEC(struct seen) pairs;
	struct sb key;
	VEC(struct cpu) places;
	struct machine *nowhere;
	int last_row, nr_started, nr_headings, nr_lengths, first_below;
	uint64_t last_time, length_ns;
	double length_spread;
	bool has_time, is_table, goes_on;
	struct cgroup_list cgroups;
	enum told scope;
};

/**
 * struct text_line - what a line says; texts are parts of the line, or of @json
 * @has_time: it says the time of its row; @is_cut: and that this is not a whole interval
 * @label:  what the row stands for, in the form of CSV ("CPU3", "S0-D0-C1"); NULL for everything
 * @weight: how many CPUs that is
 * @digits: after the point of the value
 * @event, @unit: names as they are printed
 * @cgroup: in which it was counted, or NULL; @cpuid: (of no count) the CPU of all of them, or NULL
 * @metric: unit and name of a metric whose value is there, too; or NULL
 * @sorted: metrics do not stand beside their events
 * @known:  it is not a count, nor meant as one: a metric's, a summary, a heading
 * @reason: why it is not a number, or not an exact one; NULL where the text does not say
 */
struct text_line {
	struct text_count count;
	bool has_time, is_cut, known, sorted;
	const char *label;
	char label_buf[64];
	int weight, digits;
	const char *event, *unit, *cgroup, *cpuid, *reason, *metric;
};

/**
 * text_csv__line() - read a line of CSV
 * @line: taken to pieces
 *
 * Return: whether it is a count.
 */
bool text_csv__line(char *line, const char *separator, struct text_line *out);
/** text_latency() - read what follows the count of a latency in a line; texts may be NULL. */
void text_latency(const char *number, const char *unit, const char *status, struct text_line *out);
/** text_csv__is_wide() - tell whether a line is the heading of csv-wide. */
bool text_csv__is_wide(const char *line);
/**
 * text_csv__is_metrics() - tell whether a line is the heading of --metric-only, which has no
 * counts.
 */
bool text_csv__is_metrics(const char *line);
/** text_value() - read a count as it is printed, in words or digits. Return: whether it is one. */
bool text_value(const char *text, struct text_line *out);
/**
 * text_json__line() - read a line of JSON
 * @object: set to what the texts are parts of, for text_json__free()
 *
 * Return: whether it is a count.
 */
bool text_json__line(const char *line, void **object, struct text_line *out);
void text_json__free(void *object);
/**
 * text_table__line() - a row of the table for people
 * @line: taken to pieces
 *
 * Return: whether it is a count.
 */
bool text_table__line(char *line, struct text_line *out);
/**
 * text_table__share() - tell whether a line is nothing but a share of the time: that of the row
 * above it. @percent: set to it.
 */
bool text_table__share(const char *line, double *percent);
/** text_table__scope() - whether a heading tells of all that ran on the CPUs, or of tasks. */
enum told text_table__scope(const char *line);
/** text_spread() - read what follows "+-" in a text, in percent; 0 where it has none. */
double text_spread(const char *text);
/**
 * text_table__length_ns() - how long the run was, as a line below the table says; 0: it does not.
 */
uint64_t text_table__length_ns(const char *line);

/* text_lines.c: the lines one after the other. */

/**
 * text__lacks_counts() - tell whether the start of a text shows that it cannot be a recording
 *
 * Return: whether it has many lines, and neither a count nor JSON is among the first.
 */
bool text__lacks_counts(struct recording *r, const char *start);

/**
 * text__read_lines() - read all lines of a text, which is taken to pieces
 *
 * Return: 0; -errno where it is not a recording, or one of several runs.
 */
int text__read_lines(struct recording *r, char *text, struct err *err);

/* text_runs.c: where another run begins, which no report is of. */

/** text_runs__begins() - tell whether a line is the heading of a further run. */
bool text_runs__begins(struct text *t, const char *line);
/** text_runs__take_length() - take how long a run was, as a line below its rows says, or 0. */
void text_runs__take_length(struct text *t, uint64_t length_ns, double spread);
/** text_runs__begins_with() - tell whether a count cannot be of the run of those before it. */
bool text_runs__begins_with(const struct text *t, const struct text_line *line);
/** text_runs__find_another() - find the line in which one begins, by all rows; 0: none does. */
int text_runs__find_another(const struct recording *r);

/* text_times.c: how long events ran. */

/** text_times__set() - find the run times of a table, which has shares of the time alone. */
void text_times__set(struct recording *r);

/* text_metrics.c: values of metrics, which are not taken. */

/** text_metrics__csv() - note the metric of a line of CSV. */
void text_metrics__csv(struct text *t, const char *line, const char *separator);
/** text_metrics__table() - note the metric of a line of a table. */
void text_metrics__table(struct text *t, const char *line);
/** text_metrics__json() - note a metric by its unit and name, as a line of JSON has them. */
void text_metrics__json(struct text *t, const char *unit);

/**
 * text_metrics__place() - keep that the metrics of a line stand beside the last row's event
 * @sorted: they do not
 */
void text_metrics__place(struct text *t, bool sorted);
/** text__has_metric() - whether a metric stands beside an event. */
bool text__has_metric(const struct recording *r, int event);
/** text__has_metric_of() - whether the metric of that name stands beside an event. */
bool text__has_metric_of(const struct recording *r, int event, const char *name);

/** text__cgroups() - the cgroups that rows were counted in, in their order. */
const struct cgroup_list *text__cgroups(const struct recording *r);
/** text__ran_together() - whether two events ran for the same time wherever rows have both. */
bool text__ran_together(const struct recording *r, int a, int b);

/* text_names.c: the names in lines. */

/** text__is_label() - whether a word can be a label: "S0-D0-C1", "CPU3", "bash-2724". */
bool text__is_label(const char *word);
/**
 * text__unit() - find what a line stands for, by number; -EINVAL when that is another kind of
 * thing.
 */
int text__unit(struct recording *r, const struct text_line *line);
/**
 * text__event() - find the event of a line, by number: the first or a further one of that name
 * @pair: set to the number that all lines of that name have, of the same unit
 */
int text__event(struct recording *r, const struct text_line *line, int unit, int *pair);
/** text__is_tsc() - whether an event is the time stamp counter: msr/tsc/, or TSC. */
bool text__is_tsc(const struct event *e);
/** text__convert_clock() - bring what a line says of a clock into the unit of its event. */
void text__convert_clock(const struct event *e, const struct text_line *line,
			 struct text_count *count);
/** text__pmu() - find the number of a PMU by its name, made up when need be. */
uint32_t text__pmu(struct recording *r, const char *name);

#endif
