/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that read recordings share these declarations. */
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

/* Limit for events times units: 4096 CPUs with a thousand events each. */
#define MAX_SAMPLES (1 << 22)
#define MAX_EVENTS 20000
#define MAX_CELLS (1 << 14) /* latencies that have cells, of 18 KB each */

/** struct event_number - an id in the file, and its event */
struct event_number {
	uint64_t id;
	int event;
};

/**
 * struct recorded_event - facts on an event while the file is read
 * @own_cpus: the file has event->cpus
 * @seen: it has counts
 * @latencies: its counts are latencies, in records of their own
 * @refusal, @obstacle: the session's reasons; or NULL
 * @parsed: the events that its name refers to, on each PMU; @named: the one on its own PMU, or NULL
 * @reasons_differ: rows of a text have different reasons, so none of them is used
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
 * @machine: the computer it was made on; the header describes it piece by piece
 * @own_cpuid: the CPU id in the file, whichever is used
 * @cpu_desc: description of its CPU; @version: of the program that wrote the file; @host, @kernel:
 *           name of the computer, and release of its kernel
 * @nr_cpus: number of possible CPUs, @nr_online: how many of them were online
 * @places: place of each of @nr_cpus; NULL if unknown
 * @events: of the file, until a plan takes them; @list: where they are now
 * @traits: facts on each event of the file
 * @ids:    ascending by id, once @ids_sorted
 * @units:  CPUs in ascending order, or threads in the order of the file
 * @nr_own_cpus: how many CPUs the file's lists have
 * @declared_end: end of the records, from the header; UINT64_MAX in a pipe
 * @any_cpu: counted wherever tasks ran: units are threads
 * @marks_latencies: records mark which events are latencies, not only names
 * @scale:  estimates are wanted
 * @command: the command line; @words: the same, word by word
 * @now, @before: (perf.data) counts since the start
 * @got:    whether (event, unit) has a count in this row
 * @has_features: the end of the file had all features
 * @late:   the error at the end of the file, to be reported after the rows
 * @last_ns: end of the last row
 * @samples: state of reading samples; @started: rows are being read
 * @duration: index of the duration_time that a metric asked for, or -1
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

/** recording__add_event() - add an event without a PMU. @name is copied. */
struct event *recording__add_event(struct recording *r, const char *name);
/** recording__add_attr() - add an event with attributes of @size bytes, in its kernel's layout. */
void recording__add_attr(struct recording *r, const char *data, size_t size);
/** recording__add_ids() - add @nr ids of the last event. */
void recording__add_ids(struct recording *r, const char *data, size_t nr);
/**
 * recording__settle() - derive the machine, and the events' places on it, from the file
 *
 * Return: 0, or -EFBIG if there are too many events and units.
 */
int recording__settle(struct recording *r, struct err *err);
/** recording__make_counts() - allocate memory for the counts of a row. */
void recording__make_counts(struct recording *r);
/** recording__event_of_id() - find the event with an id. Return: its number, or -1. */
int recording__event_of_id(struct recording *r, uint64_t id);
/** recording__clear_words() - drop the words of the command line. */
void recording__clear_words(struct recording *r);
/**
 * recording__too_many() - fill @err: there are too many events, CPUs or threads. Return: -EFBIG.
 */
int recording__too_many(const struct recording *r, const char *what, struct err *err);

/* names.c: names of events, which lib/events parses. */

/**
 * name__len() - return the length of a name without the PMU that may follow it: "cpu-clock
 * [software]".
 */
int name__len(const char *name);
/** name__parse() - find the events that a name refers to; none if it cannot be parsed. */
void name__parse(const struct events_scope *scope, const char *name, struct event_list *out);
/** name__is_of_kernel() - check for a kernel's name of a raw code; perf has them since 6.17. */
bool name__is_of_kernel(const struct event *e);
/** recording__scope() - make the scope to look up names on its machine, which accepts any name. */
struct events_scope recording__scope(const struct recording *r, const struct tables *tables);
/**
 * recording__parse_names() - parse the names of all events of the file, with the available tables.
 */
void recording__parse_names(struct recording *r, const struct tables *tables);
/** recording__name_event() - give an event without a name the kernel's name. */
void recording__name_event(const struct recording *r, struct event *e);

/* perf_file.c: perf.data up to the first count. */

/** perf_file__is() - whether the first bytes are those of perf.data, of any version. */
bool perf_file__is(const char *data, size_t len);
int perf_file__open(struct recording *r, struct err *err);

/* perf_records.c: the records. */

/**
 * recording__unit() - find the unit of a CPU, or of a thread by its number; -1 if there is none.
 */
int recording__unit(const struct recording *r, uint32_t cpu, uint32_t thread);

/** perf_records__meta() - read the records before the first count. */
int perf_records__meta(struct recording *r, struct err *err);
/** perf_records__next() - do what recording__next() does, for perf.data. */
int perf_records__next(struct recording *r, struct counts *counts, struct recorded_row *row,
		       struct err *err);

/* features_read.c */

/**
 * features__read() - read a feature of the header, or of a pipe's record
 *
 * Return: 0, also for a feature that is not used; -EINVAL if it is damaged.
 */
int features__read(struct recording *r, uint64_t feature, const char *data, size_t len);

/* text.c: CSV and JSON. */

int text__open(struct recording *r, struct err *err);
/** text__share() - return how much of its rows has been read. */
double text__share(const struct text *t);
/** text__spread() - as recording__spread(). */
double text__spread(const struct recording *r, int event);
int text__next(struct recording *r, struct counts *counts, struct recorded_row *row);
/**
 * text__adopt_tables() - take factors of events from the tables, as the text has only their units.
 */
void text__adopt_tables(struct recording *r);
/** text__free() - release it; NULL is allowed. */
void text__free(struct text *t);

#endif
