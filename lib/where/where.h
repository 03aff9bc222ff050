/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds where a program spends its time, or causes the sampled events. A target and events come in;
 * places go out: functions and source lines with their shares of the samples.
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
#define WHERE_JIT "[JIT]" /* name of the object that functions generated at run time belong to */
#define WHERE_KERNEL "[kernel]"
#define WHERE_ANONYMOUS "[anonymous memory]"

/**
 * struct where_event - a sampled event
 * @attr: type, config and modifiers; other members are set later
 */
struct where_event {
	const char *name;
	struct perf_event_attr attr;
};

/**
 * struct where_instruction - an instruction
 * @text: the instruction in assembler syntax
 */
struct where_instruction {
	uint64_t address;
	char *text;
	bool hottest;
};

/** struct where_code - consecutive instructions; empty if unknown */
struct where_code {
	struct where_instruction *at;
	int nr, cap;
};

struct where_place;

/**
 * struct where_options - the events and the target to sample, and how
 * @cgroup_fd: (if CPUs are sampled) sample only tasks in this cgroup; -1 for all tasks
 * @frequency: samples a second of each event on each CPU
 * @limit_ns:  longest time of sampling; 0 to sample until the command ends
 * @read_until_ns: end of reading files, on the monotonic clock; 0 to read for a minute at most
 * @has_source: returns whether the source of a place can be shown; if not, the instructions of the
 * first place are found. NULL: never find instructions
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
 * @object:  path of the program or library; or "[kernel]", WHERE_JIT, or "[anonymous memory]"
 * @function: name of the function, "" if unknown; @into: name of the function that it was inlined
 *            into, or ""
 * @file:    source file, "" if unknown; @line: line in @file, 0 if unknown
 * @offset:  address with the most samples: its place in the file of @object, or the address itself
 * @id:      number of the object among all sampled objects
 * @code:    (first place without source) instructions around the address with the most samples
 * @weights: for each event, how many events the samples represent
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
 * @nr:      number of threads, including threads that never ran; 0 if unknown, as for whole CPUs
 * @processes: number of processes that the threads belong to
 * @at_once: mean number of threads that ran at the same time; NAN with too few samples
 * @alone:   percent of the time in which only one thread ran; NAN with too few samples
 * @busiest: share of the busiest thread in the CPU time of all threads, in percent; @name, @tid:
 *           name and number of the busiest thread
 */
struct where_threads {
	int nr, processes;
	double at_once, alone, busiest;
	char name[16];
	pid_t tid;
};

/**
 * struct where_ran - how the command ran while it was sampled; all members are 0 without a command
 */
struct where_ran {
	uint64_t elapsed_ns, user_ns, system_ns, switches, faults;
};

/**
 * struct where - the result of sampling
 * @at:      places, sorted by the weight of the first event with samples, largest first
 * @samples: for each event, its number of samples; @weights: for each event, the weight of all
 *           samples
 * @counted: some event could be opened; otherwise @notes has the reason
 * @clock_alone: no requested event could be opened, and WHERE_CLOCK has replaced the first
 * @lost:    number of samples that the kernel could not keep
 * @notes:   lines on missing information, with what would help
 * @idle:    weights of the samples of idle CPUs, which are not in any other value
 * @threads: summary of the threads that ran
 * @ran:     how the command ran
 * @nr_tasks, @nr_processes: number of threads at the start, and of their processes
 * @elapsed_ns: how long samples were taken
 * @status:  exit status of the command, as a shell has it; @signal: signal that ended the run, or 0
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
 * @out: filled in; where__free() frees it
 *
 * Return: 0; the -errno of starting the command or of opening all events.
 */
int where__find(const struct where_options *o, struct where *out, struct err *err);
/**
 * where__largest_function() - return the share, in %, of an event's samples that the function with
 * most samples has.
 */
double where__largest_function(const struct where *w, int event);
/**
 * where__merge_lines() - merge the places of all lines of each function
 *
 * The merged place has the file of the line with the most samples, and the line 0.
 */
void where__merge_lines(struct where *w);
void where__free(struct where *w);

#endif
