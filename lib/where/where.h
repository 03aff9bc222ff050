/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds where a program spends its time, or causes the sampled events. In come a target and events;
 * out come places: functions and source lines, with the share of the samples that each has.
 */
#ifndef TMA_WHERE_WHERE_H
#define TMA_WHERE_WHERE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/sb.h"
#include "base/vec.h"

struct err;
struct machine;
struct target;

#define WHERE_EVENTS 2
#define WHERE_CLOCK "cpu-clock"
#define WHERE_JIT "[JIT]" /* object of functions that were generated at run time */
#define WHERE_KERNEL "[kernel]"
#define WHERE_ANONYMOUS "[anonymous memory]"

/** struct where_event - a sampled event. @attr: type, config and modifiers; the rest is set here */
struct where_event {
	const char *name;
	struct perf_event_attr attr;
};

/** struct where_instruction - an instruction. @text: in assembler syntax */
struct where_instruction {
	uint64_t address;
	char *text;
	bool hottest;
};

/** struct where_code - consecutive instructions; none if unknown */
struct where_code {
	struct where_instruction *at;
	int nr, cap;
};

struct where_place;

/**
 * struct where_options - what to sample, and how
 * @cgroup_fd: (target of CPUs) only tasks in this cgroup; -1 for all
 * @frequency: samples a second of each event on each CPU
 * @limit_ns:  longest time of sampling; 0 for as long as the command runs
 * @read_until_ns: end of reading files, on the monotonic clock; 0 for a minute of it
 * @has_source: whether the source of a place can be shown; if not, the instructions of the first
 * place are found. NULL: instructions are not wanted
 * @download:  debug information may be downloaded (debuginfod)
 */
struct where_options {
	const struct machine *machine;
	const struct target *target;
	struct where_event events[WHERE_EVENTS];
	int nr_events, cgroup_fd;
	unsigned int frequency;
	uint64_t limit_ns, read_until_ns;
	bool (*has_source)(const struct where_place *p);
	bool download;
};

/**
 * struct where_place - a line, a function, or an address if neither is known
 * @object:  path of the program or library, "[kernel]", WHERE_JIT, or "[anonymous memory]"
 * @function: "" if unknown; @into: the function that it was inlined into, or ""
 * @file:    of the source, "" if unknown; @line: 0 then
 * @offset:  in the file of @object, or the address itself, for the address with the most samples
 * @id:      number of the object, among those that were sampled
 * @code:    (first place without source) around the address with the most samples
 * @weights: of each event: how many events the samples represent
 */
struct where_place {
	char *object, *function, *into, *file;
	int line, id;
	struct where_code code;
	uint64_t offset;
	double weights[WHERE_EVENTS];
};

/**
 * struct where_threads - the threads of a target, and how they ran
 * @nr:      how many there were, including those that waited all the time; 0 if unknown, as for
 *           whole CPUs; @processes: how many processes they belong to
 * @at_once: mean number that ran at the same time; @alone: percent of the time in which one ran;
 *           both NAN with too few samples
 * @busiest: percent of all CPU time of the thread that had the most; @name, @tid: of that thread
 */
struct where_threads {
	int nr, processes;
	double at_once, alone, busiest;
	char name[16];
	pid_t tid;
};

/** struct where_ran - how the command ran while it was sampled; zeros without a command */
struct where_ran {
	uint64_t elapsed_ns, user_ns, system_ns, switches, faults;
};

/**
 * struct where - the result
 * @at:      places by weight of the first event that had samples, largest first
 * @samples: of each event; @weights: sums over all samples
 * @counted: an event could be opened; otherwise @notes has the reason
 * @clock_alone: no event could be opened, and the first one is WHERE_CLOCK
 * @lost:    samples that the kernel could not keep
 * @notes:   lines on missing information, with what would help
 * @idle:    weights of samples of idle CPUs, which all other values leave out
 * @threads: summary of the threads that ran
 * @ran:     the command; @nr_tasks, @nr_processes: threads at the start, and their processes;
 *           @elapsed_ns: how long they were sampled
 * @status:  the command's exit status in a shell's form; @signal: that ended the run, or 0
 */
struct where {
	struct where_place *at;
	int nr, cap;
	uint64_t samples[WHERE_EVENTS], lost;
	double weights[WHERE_EVENTS], idle[WHERE_EVENTS];
	bool counted[WHERE_EVENTS], clock_alone;
	struct sb notes;
	struct where_threads threads;
	struct where_ran ran;
	uint64_t elapsed_ns;
	int status, signal, nr_tasks, nr_processes;
};

/**
 * where__find() - sample a target, and find the places
 * @out: filled; where__free() it
 *
 * Return: 0; the -errno of starting the command or of opening all events.
 */
int where__find(const struct where_options *o, struct where *out, struct err *err);
/**
 * where__largest_function() - return the share of an event's samples in the function with most, in
 * %.
 */
double where__largest_function(const struct where *w, int event);
/**
 * where__merge_lines() - merge the places of all lines of a function
 *
 * Its file is that of the line with the most samples; its line becomes 0.
 */
void where__merge_lines(struct where *w);
void where__free(struct where *w);

#endif
