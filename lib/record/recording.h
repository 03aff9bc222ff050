/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations that the files that read recordings share. */
#ifndef TMA_RECORD_RECORDING_H
#define TMA_RECORD_RECORDING_H

#include "base/err.h"
#include "base/sb.h"
#include "base/vec.h"
#include "machine/machine.h"
#include "record/format.h"
#include "record/input.h"
#include "record/latencies.h"
#include "record/record.h"
#include "record/samples_read.h"
#include "record/span.h"

/* The most events times units: 4096 CPUs with a thousand events each. */
#define MAX_SAMPLES (1 << 22)
#define MAX_EVENTS 20000
#define MAX_CELLS (1 << 14) /* the most latencies that have cells, of 18 KB each */

/** struct event_number - an id in the file, and the number of its event */
struct event_number {
	uint64_t id;
	int event;
};

/**
 * struct recorded_event - facts on an event that the file has
 * @own_cpus: event->cpus comes from the file
 * @seen: the event has counts
 * @latencies: the counts of the event are latencies, in records of their own
 * @refusal, @obstacle: reasons that the session gave, or NULL
 * @parsed: the events on all PMUs that the name refers to; @named: the event on the right PMU, or
 *          NULL
 * @reasons_differ: rows of a text have different reasons, so no reason is used
 */
struct recorded_event {
	bool own_cpus, seen, latencies, reasons_differ;
	char *refusal, *obstacle;
	struct event_list parsed;
	const struct event *named;
};

struct text;

/**
 * struct recording - the state of reading a recording
 * @machine: the computer that counted; the header describes it piece by piece
 * @own_cpuid: the CPU id in the file, even if another id is used
 * @cpu_desc: description of the CPU
 * @version: version of the program that wrote the file
 * @host, @kernel: name of the computer, and release of its kernel
 * @nr_cpus: number of possible CPUs; @nr_online: number of CPUs that were online
 * @places: places of @nr_cpus CPUs; NULL if unknown
 * @events: events of the file, until a plan takes them; @list: the list in which they are now
 * @traits: facts on each event
 * @ids:    ids of events; @ids_sorted: they are in ascending order
 * @units:  units: CPUs in ascending order, or threads in the order of the file
 * @nr_own_cpus: number of CPUs in all lists of the file
 * @declared_end: end of the records according to the header; UINT64_MAX in a pipe
 * @any_cpu: tasks were counted on any CPU: the units are threads
 * @marks_latencies: records, and not only names, show which events are latencies
 * @scale:  estimates are computed
 * @command: the command line; @words: its words
 * @now, @before: (perf.data) counts since the start
 * @got:    for each (event, unit), whether it has a count in this row
 * @has_features: the end of the file had all features
 * @late:   an error at the end of the file, which is reported after the rows
 * @last_ns: end of the last row
 * @samples: state of reading samples; @started: rows are being read
 * @duration: index of duration_time if a metric asked for this event, otherwise -1
 */
struct recording {
	struct recording_info info;
	struct recording_options opts;
	struct input in;
	struct text *text;
	struct machine *machine;
	char *own_cpuid, *cpu_desc, *version, *host, *kernel;
	uint32_t nr_cpus, nr_online;
	struct cpu *places;
	const struct tables *tables;

	struct event_list events;
	const struct event_list *list;
	VEC(struct recorded_event) traits;
	VEC(struct event_number) ids;
	struct cpulist units;
	VEC(int) weights;
	VEC(char *) comms;
	struct cpulist cpus;

	uint64_t declared_end;
	bool ids_sorted, any_cpu, marks_latencies, scale;
	int nr_own_cpus;
	struct sb command;
	VEC(char *) words;

	struct counts now, before;
	bool *got, has_features;
	struct err late;
	uint64_t last_ns;
	int duration;
	struct samples samples;
	bool started;
};

/** sample__read() - make a sample from the values in the file. */
static inline struct sample sample__read(uint64_t value, uint64_t enabled, uint64_t running)
{
	return (struct sample){
		.value = value,
		.scaled = value,
		.enabled = enabled,
		.running = running,
		.status = SAMPLE_COUNTED,
	};
}

/** recording__add_event() - add an event without a PMU; @name is copied. */
struct event *recording__add_event(struct recording *r, const char *name);
/**
 * recording__add_attr() - add an event with @size bytes of attributes in the layout of the kernel
 * that recorded.
 */
void recording__add_attr(struct recording *r, const char *data, size_t size);
/** recording__add_ids() - add @nr ids of the last event. */
void recording__add_ids(struct recording *r, const char *data, size_t nr);
/**
 * recording__settle() - derive the machine, and the CPUs and PMUs of events, from the file
 *
 * Return: 0, or -EFBIG if there are too many events and units.
 */
int recording__settle(struct recording *r, struct err *err);
/** recording__make_counts() - allocate memory for the counts of a row. */
void recording__make_counts(struct recording *r);
/** recording__event_of_id() - find the event with an id. Return: its number, or -1. */
int recording__event_of_id(struct recording *r, uint64_t id);
/** recording__clear_words() - remove the words of the command line. */
void recording__clear_words(struct recording *r);
/**
 * recording__too_many() - fill in @err: there are too many events, CPUs or threads. Return: -EFBIG.
 */
int recording__too_many(const struct recording *r, const char *what, struct err *err);

/* names.c parses names of events by lib/events. */

/**
 * name__len() - return the length of a name without the PMU that may follow, as in "cpu-clock
 * [software]".
 */
int name__len(const char *name);
/**
 * name__parse() - find the events that a name refers to. No events are found if it cannot be
 * parsed.
 */
void name__parse(const struct events_scope *scope, const char *name, struct event_list *out);
/**
 * name__is_of_kernel() - whether a raw code has one of the kernel's names; perf prints these names
 * since 6.17.
 */
bool name__is_of_kernel(const struct event *e);
/**
 * recording__scope() - make the scope in which names of the recording are looked up; it accepts any
 * name.
 */
struct events_scope recording__scope(const struct recording *r, const struct tables *tables);
/**
 * recording__parse_names() - parse the names of all events of the file, with the available tables.
 */
void recording__parse_names(struct recording *r, const struct tables *tables);
/** recording__name_event() - give an event without a name the name that the kernel has for it. */
void recording__name_event(const struct recording *r, struct event *e);

/* perf_file.c reads perf.data up to the first count. */

/** perf_file__is() - whether the first bytes are those of perf.data, of any version. */
bool perf_file__is(const char *data, size_t len);
int perf_file__open(struct recording *r, struct err *err);

/* perf_records.c: the records. */

/**
 * recording__unit() - find the unit of a CPU, or of a thread by its number. Return: -1 if there is
 * none.
 */
int recording__unit(const struct recording *r, uint32_t cpu, uint32_t thread);

/** perf_records__meta() - read the records before the first count. */
int perf_records__meta(struct recording *r, struct err *err);
/** perf_records__next() - read the next row of perf.data, as recording__next() does. */
int perf_records__next(struct recording *r, struct counts *counts, struct recorded_row *row,
		       struct err *err);

/* features_read.c */

/**
 * features__read() - read a feature, which is from the header or from a record of a pipe
 *
 * Return: 0, also for a feature that is not used; -EINVAL if it is damaged.
 */
int features__read(struct recording *r, uint64_t feature, const char *data, size_t len);

/* text.c reads CSV and JSON. */

int text__open(struct recording *r, struct err *err);
/** text__share() - return the share of the text's rows that has been read. */
double text__share(const struct text *t);
/** text__spread() - like recording__spread(). */
double text__spread(const struct recording *r, int event);
int text__next(struct recording *r, struct counts *counts, struct recorded_row *row);
/** text__adopt_tables() - use the factors of events in the tables, as the text has only units. */
void text__adopt_tables(struct recording *r);
/** text__free() - release the state of reading a text; NULL is allowed. */
void text__free(struct text *t);

#endif
