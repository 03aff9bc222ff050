/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A text recording has lines of CSV or JSON, or of a table. Each line is one count of an event.
 */
#ifndef TMA_RECORD_TEXT_H
#define TMA_RECORD_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strmap.h"
#include "machine/cgroup.h"
#include "record/recording.h"

#define UNKNOWN_TYPE UINT32_MAX /* type of events and PMUs that only have a name in the text */

/**
 * struct text_count - the count of a line
 * @time_ns: end of the line's row, since the start
 * @value:   the printed number
 * @status:  SAMPLE_COUNTED if it is a number
 * @running: run time in ns; @percent: run time in percent of the time enabled
 * @samples: number of samples of a latency; @assumed: the latency was the vendor's value
 * @spread:  the standard error of the mean of several runs, in percent of @value; 0 if unknown
 */
struct text_count {
	uint64_t time_ns, running, samples;
	double value, percent, spread;
	bool assumed;
	enum sample_status status;
};

/**
 * struct text_row - a line that is kept
 * @line: number of the line
 * @pair: number of the pair of its name and unit
 * @is_cut: the line marks its row as an incomplete interval
 */
struct text_row {
	struct text_count count;
	int event, unit, line, pair;
	bool is_cut;
};

/**
 * struct seen - how often a name with its unit of measurement has occurred in a row, for one CPU or
 * label
 */
struct seen {
	int row, times;
};

/** struct beside - the number of a metric, and the number of the event that it is printed beside */
struct beside {
	int metric, event;
};

/**
 * struct text - the state of reading a text
 * @rows: all lines with counts; @next: the first line of the next row
 * @event_map: map from a name, its unit, its cgroup and how often it has occurred in the row, to
 *          the event
 * @unit_map:  map from labels to units
 * @pair_map:  map from a name, its unit and the number of a label's unit, to the index in @pairs
 * @last_row: number of the current row; @last_time: time of the current row
 * @length_spread: standard error of @length_ns, in percent
 * @nr_started: number of runs that begin; @nr_headings: number of tables that begin; @nr_lengths:
 *          number of runs that end
 * @first_below: the first row after the end of a run
 * @metrics: names of metrics with values in the text, without duplicates; @metric_map: map from a
 *          name to its index in @metrics
 * @besides: which metrics are beside which events; @beside_map: map to the index in @besides;
 *          @noted: metrics of the current line
 * @fields: least number of fields in a row of CSV; 0 before the first one
 * @key:    buffer for the key of a map
 * @places: place of each unit
 * @nowhere: a computer without any properties
 * @is_table: the text is a table for people
 * @scope: whether everything on the cores was counted, from the heading of the table, if there is
 *          one
 * @length_ns: length of the run, from a line below the table, or 0
 * @goes_on: other text follows the last row
 * @cgroups: the cgroups of rows, in their order; @cgroup_map: map from a name to its cgroup
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
 * @has_time: the line has the time of its row; @is_cut: the line marks its row as an incomplete
 *          interval
 * @label:  the place that the row combines, in the form of CSV ("CPU3", "S0-D0-C1"); NULL for
 *          everything
 * @weight: number of CPUs that the row combines
 * @digits: number of digits of the value after the point
 * @event, @unit: names of the event and of the unit of measurement, as printed
 * @cgroup: cgroup in which the event was counted, or NULL
 * @cpuid: (line without a count) id of the CPU of all counts, or NULL
 * @metric: unit and name of a metric whose value is in the line, too; or NULL
 * @sorted: metrics are not printed beside their events
 * @known:  the line is known and has no count: a metric, a summary or a heading
 * @reason: reason why the value is not a number, or not exact; NULL if the text has no reason
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
 * Return: whether the line is a count.
 */
bool text_csv__line(char *line, const char *separator, struct text_line *out);
/**
 * text_latency() - parse the texts that follow the count of a latency in a line; the texts may be
 * NULL.
 */
void text_latency(const char *number, const char *unit, const char *status, struct text_line *out);
/** text_csv__is_wide() - whether a line is the heading of csv-wide. */
bool text_csv__is_wide(const char *line);
/** text_csv__is_metrics() - whether a line is the heading of --metric-only, which has no counts. */
bool text_csv__is_metrics(const char *line);
/**
 * text_value() - parse a printed count, which may be words or digits. Return: whether it is valid.
 */
bool text_value(const char *text, struct text_line *out);
/**
 * text_json__line() - parse a line of JSON
 * @object: set to the owner of the texts, for text_json__free()
 *
 * Return: whether the line is a count.
 */
bool text_json__line(const char *line, void **object, struct text_line *out);
void text_json__free(void *object);
/**
 * text_table__line() - parse a row of the table for people
 * @line: is modified
 *
 * Return: whether the line is a count.
 */
bool text_table__line(char *line, struct text_line *out);
/**
 * text_table__share() - whether a line has nothing but a share of the time, which belongs to the
 * row above. @percent is set to it.
 */
bool text_table__share(const char *line, double *percent);
/** text_table__scope() - whether a heading is about everything on the CPUs, or about tasks. */
enum fact text_table__scope(const char *line);
/** text_spread() - parse the value after "+-" in a text, in percent. Return: 0 if there is none. */
double text_spread(const char *text);
/**
 * text_table__length_ns() - parse the length of the run from a line below the table. Return: 0 for
 * any other line.
 */
uint64_t text_table__length_ns(const char *line);

/* text_lines.c reads the lines, one after another. */

/**
 * text__lacks_counts() - whether the start of a text shows that it cannot be a recording
 *
 * Return: whether the text has many lines, and the first lines have neither a count nor JSON.
 */
bool text__lacks_counts(struct recording *r, const char *start);

/**
 * text__read_lines() - parse all lines of a text, which is modified
 *
 * Return: 0; -errno if it is not a recording, or has several runs.
 */
int text__read_lines(struct recording *r, char *text, struct err *err);

/* text_runs.c finds the beginning of another run, which a report does not include. */

/** text_runs__begins() - whether a line is the heading of another run. */
bool text_runs__begins(struct text *t, const char *line);
/** text_runs__take_length() - keep the length of a run from a line below its rows, or 0. */
void text_runs__take_length(struct text *t, uint64_t length_ns, double spread);
/** text_runs__begins_with() - whether a count cannot belong to the run of the counts before it. */
bool text_runs__begins_with(const struct text *t, const struct text_line *line);
/**
 * text_runs__find_another() - find the line in which another run begins, by looking at all rows.
 * Return: 0 if there is none.
 */
int text_runs__find_another(const struct recording *r);

/* text_times.c computes how long events ran. */

/** text_times__set() - compute the run times of a table, which has only shares of the time. */
void text_times__set(struct recording *r);

/* text_metrics.c finds the values of metrics, which are not used. */

/** text_metrics__csv() - keep the metric of a line of CSV. */
void text_metrics__csv(struct text *t, const char *line, const char *separator);
/** text_metrics__table() - keep the metric of a line of a table. */
void text_metrics__table(struct text *t, const char *line);
/** text_metrics__json() - keep a metric, given its unit and name as in a line of JSON. */
void text_metrics__json(struct text *t, const char *unit);

/**
 * text_metrics__place() - record that the metrics of a line are beside the event of the last row
 * @sorted: the metrics are not beside their events
 */
void text_metrics__place(struct text *t, bool sorted);
/** text__has_metric() - whether a metric is beside an event. */
bool text__has_metric(const struct recording *r, int event);
/** text__has_metric_of() - whether the metric with a name is beside an event. */
bool text__has_metric_of(const struct recording *r, int event, const char *name);

/** text__cgroups() - return the cgroups of rows, in their order. */
const struct cgroup_list *text__cgroups(const struct recording *r);
/** text__ran_together() - whether two events ran for the same time in all rows that have both. */
bool text__ran_together(const struct recording *r, int a, int b);

/* text_names.c finds the objects that lines name. */

/** text__is_label() - whether a word can be a label, such as "S0-D0-C1", "CPU3" or "bash-2724". */
bool text__is_label(const char *word);
/**
 * text__unit() - return the number of the unit of a line; -EINVAL if its label is of another kind
 * than earlier labels.
 */
int text__unit(struct recording *r, const struct text_line *line);
/**
 * text__event() - return the number of the event of a line; several events may have one name
 * @pair: set to the number that all lines with this name and unit have
 */
int text__event(struct recording *r, const struct text_line *line, int unit, int *pair);
/** text__is_tsc() - whether an event is the time stamp counter: msr/tsc/, or TSC. */
bool text__is_tsc(const struct event *e);
/** text__convert_clock() - convert the value of a clock to the unit of its event. */
void text__convert_clock(const struct event *e, const struct text_line *line,
			 struct text_count *count);
/** text__pmu() - find the number of a PMU by its name. A new name gets a new number. */
uint32_t text__pmu(struct recording *r, const char *name);

#endif
