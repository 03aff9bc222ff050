/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "tma why": a target comes in; it is measured repeatedly, each time the children of the nodes that
 * were found the time before; the way down to what limits it goes out.
 */
#ifndef TMA_CMD_WHY_H
#define TMA_CMD_WHY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "cmd.h"
#include "count/count.h"
#include "machine/cgroup.h"
#include "run/run.h"
#include "verdict/way.h"
#include "where/where.h"
#include "why/busiest.h"

struct err;
struct grid;
struct host_options;
struct output;
struct sb;

/**
 * struct why_step - a measurement
 * @groups: the metric groups that were measured; @seconds: how long it took; @runs: of the command
 * @again:  it repeats what was not certain the time before
 */
struct why_step {
	char *groups;
	double seconds;
	int runs;
	bool again;
};

/**
 * struct why_target - what is measured, in the words of the command line; NULL where not given
 * @cpu_list: @cpus, parsed
 */
struct why_target {
	bool system_wide;
	struct cpulist cpu_list;
	const char *cpus, *pids, *tids, *cgroups, *cputype;
	const char **argv;
};

/**
 * why_target__is_command() - find out whether the command is measured, and does not only set the
 * length
 */
bool why_target__is_command(const struct why_target *t);
/** why_target__is_of_cpus() - find out whether whole CPUs are measured. */
bool why_target__is_of_cpus(const struct why_target *t);
/** why_target__request() - let a request measure the target. */
void why_target__request(const struct why_target *t, struct request *req);
/** why_target__put() - append the options that name the target, and the command, for a shell. */
void why_target__put(const struct why_target *t, struct sb *sb);

/**
 * struct why_samples - where in the program, by samples of a run or a window
 * @cgroup:  the cgroup whose tasks were sampled, or NULL
 * @sampled: the event at the end of the way, or "", and time
 */
struct why_samples {
	char *cgroup;
	struct where where;
	char *sampled[WHERE_EVENTS];
};

/* Rates of how a target ran; those up to RATE_GHZ are of a type of cores. */
enum why_rate_kind {
	RATE_IPC,
	RATE_GHZ,
	RATE_CPUS,     /* tasks that ran at once, on average */
	RATE_SWITCHES, /* context switches per second */
	RATE_FAULTS,   /* page faults per second */
	RATE_NR,
};

/**
 * struct why_rates - rates of a type of cores, and of a cgroup, by their names; NULL without
 * @at: by enum why_rate_kind; NAN where it was not counted
 */
struct why_rates {
	char *core, *cgroup;
	double at[RATE_NR];
};

/**
 * struct why_ran - how the target ran in the first measurement
 * @elapsed_ns: length of a command's run; 0 without a command
 * @window_ns: length of the window without a command; @has_cgroups: the target is cgroups, each
 *             with its own rates
 */
struct why_ran {
	uint64_t elapsed_ns, user_ns, system_ns, window_ns;
	bool has_cgroups;
	VEC(struct why_rates) rates;
};

/** why_ran__define() - define the metrics for the rates, before a host is loaded. */
void why_ran__define(struct host_options *host);
/** why_ran__ask() - append the metrics of some rates. @kinds: 1 << RATE_..., combined by or. */
void why_ran__ask(unsigned int kinds, struct sb *metrics);
/** why_ran__take() - take the rates that a measurement has. */
void why_ran__take(struct why_ran *r, const struct grid *g);
/**
 * why_ran__take_sampled() - note how the sampled run ran, where no other run was measured
 * @cpu_ns: time on CPUs, by its samples
 */
void why_ran__take_sampled(struct why_ran *r, const struct where_ran *sampled, double cpu_ns);
/** why_ran__knows_ipc() - find out whether the instructions per cycle of all ways are known. */
bool why_ran__knows_ipc(const struct why_ran *r, const struct ways *ways);
/** why_ran__rate() - get a rate of a cgroup, or of the target (NULL). Return: NAN if not known. */
double why_ran__rate(const struct why_ran *r, const char *cgroup, enum why_rate_kind kind);
/** why_ran__cpus() - get on how many CPUs it ran, on average. Return: NAN if not known. */
double why_ran__cpus(const struct why_ran *r, const char *cgroup);
/** why_ran__waited() - find out whether it mostly waited, which counters do not see. */
bool why_ran__waited(const struct why_ran *r);
/** why_ran__put() - append how it ran, for people; nothing where nothing is known. */
void why_ran__put(const struct why_ran *r, const char *cgroup, struct sb *sb);
/** why_ran__put_threads() - append how the threads shared the time; nothing for one thread. */
void why_ran__put_threads(const struct where_threads *t, struct sb *sb);
void why_ran__free(struct why_ran *r);

/**
 * struct why_answer - the result of a search
 * @ended:  why the search ended before the way was complete ("the budget of 30 s"), or NULL
 * @no_counters: why there is no way: this computer has no hardware counters; or ""
 * @busiest: process of a whole machine
 * @samples: of the target, or one of each cgroup; empty when nothing was sampled
 * @no_samples: why nothing can be sampled, or NULL
 */
struct why_answer {
	struct ways ways;
	VEC(struct why_step) steps;
	struct why_target target;
	struct why_ran ran;
	struct why_busiest busiest;
	const char *ended, *no_counters, *no_samples;
	VEC(struct why_samples) samples;
};

/**
 * struct why_sampler - finds the place in the program
 * @host:    the host that is measured
 * @download: debug information may come over the network
 * @read_until_ns: see struct where_options
 * @target:  what is sampled
 * @cgroups: each is sampled by itself; empty to sample all tasks of the target
 */
struct why_sampler {
	const struct host *host;
	bool download;
	uint64_t read_until_ns;
	struct target target;
	struct cgroup_list cgroups;
};

/**
 * why_sampler__open() - choose what is sampled, and open the cgroups that the target names
 * @a: @no_samples is set where nothing can be sampled
 *
 * Return: 0 or -errno. Call why_sampler__close() also after a failure.
 */
int why_sampler__open(struct why_sampler *s, struct why_answer *a, struct err *err);
/** why_sampler__nr() - count the runs, or windows, that are needed to sample all. */
int why_sampler__nr(const struct why_sampler *s);
/**
 * why_sampler__cgroup() - get the cgroup whose tasks a run samples, or NULL for the whole target
 */
const char *why_sampler__cgroup(const struct why_sampler *s, int run);
/**
 * why_sampler__take() - sample a run, or a window, and append what it finds to the answer
 * @run:    its number
 * @sample: names of the events that find the place, after blanks or commas; the first of them that
 *          can be sampled is sampled, beside the time
 * @limit_ns: 0 for as long as the command runs
 *
 * Return: 0; -errno when the command cannot be started, or nothing can be sampled.
 */
int why_sampler__take(struct why_sampler *s, int run, struct why_answer *a, const char *sample,
		      uint64_t limit_ns, struct err *err);
void why_sampler__close(struct why_sampler *s);

/**
 * why__put_measure() - append the command that measures a way's end by hand; nothing without one
 */
void why__put_measure(const struct why_answer *a, const struct way *way, struct sb *sb);
/**
 * why__put_record() - append the command that samples a way's end; nothing where no event is known
 * @way: NULL where there is no way: then time is sampled
 */
void why__put_record(const struct why_answer *a, const struct way *way, struct sb *sb);

#define TELLING_PERCENT 10 /* share of the samples from which a line or a function is printed */

/** why__percent_of() - get the share that a place has of an event's samples. */
double why__percent_of(const struct where *w, const struct where_place *p, int event);
/** why__has_advice() - find out whether counts depend on the program: else no advice is given. */
bool why__has_advice(void);

/** why_source__is_there() - find out whether the line of a place can be shown. */
bool why_source__is_there(const struct where_place *p);
/**
 * why_source__put() - print lines around a place, or instructions where its source cannot be read
 * @left: how many lines there is room for; the hottest one is always printed
 */
void why_source__put(const struct where_place *p, int left, struct output *o);
/**
 * why__main_way() - choose the way whose end is looked for in the program
 * @cgroup: only among the ways of this cgroup; NULL for all
 *
 * Return: the way of those cores where most time was spent; NULL where none has a path.
 */
const struct way *why__main_way(const struct why_answer *a, const char *cgroup);
/** why__has_answer() - find out whether the answer has any content. */
bool why__has_answer(const struct why_answer *a);
/**
 * why__print() - print the answer for people
 * @all: with all details, else the main points, in a dozen lines
 *
 * Lines of the source may be merged into functions.
 */
void why__print(struct why_answer *a, bool all, struct output *o);
/** why__print_json() - print the answer for programs, as one object on a line. */
void why__print_json(struct why_answer *a, struct output *o);

#endif
