/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A text recording has lines of CSV or JSON, or of a table, each of which is one count of an event.
 */
#ifndef TMA_RECORD_TEXT_H
#define TMA_RECORD_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strmap.h"
#include "machine/cgroup.h"
#include "record/recording.h"

#define UNKNOWN_TYPE UINT32_MAX /* type of events and PMUs that text only names */

/**
 * struct text_count - the count of a line
 * @time_ns: end of its row, since the start
 * @value:   the printed number
 * @status:  SAMPLE_COUNTED if it is a number
 * @running: ns; @percent: of the time it was enabled
 * @samples: number of a latency's samples; @assumed: it was the vendor's
 * @spread:  the standard error of the mean of several runs, in percent of @value; 0 if unknown
 */
struct text_count {
	uint64_t time_ns, running, samples;
	double value, percent, spread;
	bool assumed;
	enum sample_status status;
};

/**
 * struct text_row - a line that is kept; @line: its number; @pair: of its names and its unit;
 *                   @is_cut: see struct text_line
 */
struct text_row {
	struct text_count count;
	int event, unit, line, pair;
	bool is_cut;
};

/** struct seen - how often a name and its unit have occurred in a row, for one CPU */
struct seen {
	int row, times;
};

/** struct beside - number of a metric, and of the event that it is printed beside */
struct beside {
	int metric, event;
};

/**
 * struct text - the state of reading a text
 * @rows, @next: all lines with counts, and the first one of the next row
 * @event_map: from names, their units, cgroups and how often they occurred before in a row, to
 *          events
 * @unit_map:  from labels to units
 * @pair_map:  from names, their units and numbers of units, to @pairs
 * @last_row: number of the current row; @last_time: its time
 * @length_spread: of @length_ns, as of a count
 * @nr_started, @nr_headings, @nr_lengths: how many runs begin, how many tables begin, and how many
 *          runs end
 * @first_below: the first row after the end of a run
 * @metrics: names of metrics with values in the text, without duplicates; @metric_map: their index
 * @besides: which metrics are beside which events; @beside_map: their index; @noted: those of the
 *          current line
 * @fields: least number of fields in a row of CSV; 0 before the first one
 * @key:    buffer for the key of a map
 * @places: place of each unit
 * @nowhere: a computer without any properties
 * @is_table: it is a table for people; @scope: whether everything on the cores was counted, from
 *          its heading, if it has one; @length_ns: of the run, from a line below it, or 0
 * @goes_on: other text follows the last row
 * @cgroups: those in which rows were counted, in their order; @cgroup_map: their names
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
	enum fact scope;
};

/**
 * struct text_line - the content of a line; texts are parts of the line, or of @json
 * @has_time: it has the time of its row; @is_cut: and marks it as an incomplete interval
 * @label:  what the row combines, in the form of CSV ("CPU3", "S0-D0-C1"); NULL for everything
 * @weight: number of CPUs of the row
 * @digits: number of digits after the point of the value
 * @event, @unit: names as printed
 * @cgroup: in which it was counted, or NULL; @cpuid: (line without a count) the CPU of all counts,
 *          or NULL
 * @metric: unit and name of a metric whose value is also in the line; or NULL
 * @sorted: metrics are not printed beside their events
 * @known:  it is a known line without a count: a metric's, a summary, a heading
 * @reason: why it is not a number, or not an exact one; NULL if the text has none
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
 * text_csv__line() - parse a line of CSV
 * @line: is modified
 *
 * Return: whether it is a count.
 */
bool text_csv__line(char *line, const char *separator, struct text_line *out);
/** text_latency() - parse what follows the count of a latency in a line; texts may be NULL. */
void text_latency(const char *number, const char *unit, const char *status, struct text_line *out);
/** text_csv__is_wide() - whether a line is the heading of csv-wide. */
bool text_csv__is_wide(const char *line);
/** text_csv__is_metrics() - whether a line is the heading of --metric-only, which has no counts. */
bool text_csv__is_metrics(const char *line);
/** text_value() - parse a printed count, of words or digits. Return: whether it is valid. */
bool text_value(const char *text, struct text_line *out);
/**
 * text_json__line() - parse a line of JSON
 * @object: set to the owner of the texts, for text_json__free()
 *
 * Return: whether it is a count.
 */
bool text_json__line(const char *line, void **object, struct text_line *out);
void text_json__free(void *object);
/**
 * text_table__line() - parse a row of the table for people
 * @line: is modified
 *
 * Return: whether it is a count.
 */
bool text_table__line(char *line, struct text_line *out);
/**
 * text_table__share() - whether a line has only a share of the time, of the row above it. @percent:
 * set to it.
 */
bool text_table__share(const char *line, double *percent);
/** text_table__scope() - whether a heading is about everything on the CPUs, or about tasks. */
enum fact text_table__scope(const char *line);
/** text_spread() - parse the value after "+-" in a text, in percent; 0 without one. */
double text_spread(const char *text);
/**
 * text_table__length_ns() - parse the length of the run from a line below the table; 0 if it is
 * another line.
 */
uint64_t text_table__length_ns(const char *line);

/* text_lines.c: the lines, one after the other. */

/**
 * text__lacks_counts() - whether the start of a text shows that it cannot be a recording
 *
 * Return: whether it has many lines, and the first ones have neither a count nor JSON.
 */
bool text__lacks_counts(struct recording *r, const char *start);

/**
 * text__read_lines() - parse all lines of a text, which is modified
 *
 * Return: 0; -errno if it is not a recording, or has several runs.
 */
int text__read_lines(struct recording *r, char *text, struct err *err);

/* text_runs.c: the begin of another run, which a report does not include. */

/** text_runs__begins() - whether a line is the heading of a further run. */
bool text_runs__begins(struct text *t, const char *line);
/** text_runs__take_length() - note the length of a run, from a line below its rows, or 0. */
void text_runs__take_length(struct text *t, uint64_t length_ns, double spread);
/** text_runs__begins_with() - whether a count cannot belong to the run of those before it. */
bool text_runs__begins_with(const struct text *t, const struct text_line *line);
/**
 * text_runs__find_another() - find the line in which another run begins, from all rows; 0 if there
 * is none.
 */
int text_runs__find_another(const struct recording *r);

/* text_times.c: how long events ran. */

/** text_times__set() - compute the run times of a table, which has only shares of the time. */
void text_times__set(struct recording *r);

/* text_metrics.c: values of metrics, which are not used. */

/** text_metrics__csv() - note the metric of a line of CSV. */
void text_metrics__csv(struct text *t, const char *line, const char *separator);
/** text_metrics__table() - note the metric of a line of a table. */
void text_metrics__table(struct text *t, const char *line);
/** text_metrics__json() - note a metric by its unit and name, as a line of JSON has them. */
void text_metrics__json(struct text *t, const char *unit);

/**
 * text_metrics__place() - keep that the metrics of a line are beside the last row's event
 * @sorted: they are not
 */
void text_metrics__place(struct text *t, bool sorted);
/** text__has_metric() - whether a metric is beside an event. */
bool text__has_metric(const struct recording *r, int event);
/** text__has_metric_of() - whether the metric with a name is beside an event. */
bool text__has_metric_of(const struct recording *r, int event, const char *name);

/** text__cgroups() - return the cgroups that rows were counted in, in their order. */
const struct cgroup_list *text__cgroups(const struct recording *r);
/** text__ran_together() - whether two events ran for the same time in all rows that have both. */
bool text__ran_together(const struct recording *r, int a, int b);

/* text_names.c: the names in lines. */

/** text__is_label() - whether a word can be a label: "S0-D0-C1", "CPU3", "bash-2724". */
bool text__is_label(const char *word);
/**
 * text__unit() - find the unit of a line, by number; -EINVAL if its label is of another kind than
 * before.
 */
int text__unit(struct recording *r, const struct text_line *line);
/**
 * text__event() - find the event of a line, by number: the first or a further one of that name
 * @pair: set to the number shared by all lines with that name and unit
 */
int text__event(struct recording *r, const struct text_line *line, int unit, int *pair);
/** text__is_tsc() - whether an event is the time stamp counter: msr/tsc/, or TSC. */
bool text__is_tsc(const struct event *e);
/** text__convert_clock() - convert the value of a clock to the unit of its event. */
void text__convert_clock(const struct event *e, const struct text_line *line,
			 struct text_count *count);
/** text__pmu() - find the number of a PMU by its name; a new name gets a new number. */
uint32_t text__pmu(struct recording *r, const char *name);

#endif
