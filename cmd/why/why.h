/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "tma why" measures a target repeatedly: each measurement counts the children of the nodes that
 * the last measurement found. The answer is the way down to what limits the target.
 *
 * A window is a measurement of a target that is not a command.
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
 * @groups: the metric groups that were measured
 * @seconds: how long the measurement took
 * @runs:   number of runs of the command
 * @again:  the measurement repeats an uncertain one
 */
struct why_step {
	char *groups;
	double seconds;
	int runs;
	bool again;
};

/**
 * struct why_target - what is measured: arguments of the command line, NULL if not given
 * @cpu_list: the CPUs in @cpus
 */
struct why_target {
	bool system_wide;
	struct cpulist cpu_list;
	const char *cpus, *pids, *tids, *cgroups, *cputype;
	const char **argv;
};

/**
 * why_target__is_command() - find out whether the target is the command; a command can also only
 * set the length of the measurement
 */
bool why_target__is_command(const struct why_target *t);
/** why_target__is_of_cpus() - find out whether whole CPUs are measured. */
bool why_target__is_of_cpus(const struct why_target *t);
/** why_target__request() - put the target into a request. */
void why_target__request(const struct why_target *t, struct request *req);
/**
 * why_target__put() - append the options that name the target, and the command, quoted for a shell.
 */
void why_target__put(const struct why_target *t, struct sb *sb);

/**
 * struct why_samples - where in the program the cause is, by samples of a run or a window
 * @cgroup:  the cgroup whose tasks were sampled, or NULL
 * @sampled: names of the sampled events: one for the end of the way, or "", and one for time
 */
struct why_samples {
	char *cgroup;
	struct where where;
	char *sampled[WHERE_EVENTS];
};

/* Rates that describe how a target ran; those up to RATE_GHZ belong to one type of cores. */
enum why_rate_kind {
	RATE_IPC,
	RATE_GHZ,
	RATE_CPUS,     /* tasks that ran simultaneously, on average */
	RATE_SWITCHES, /* context switches per second */
	RATE_FAULTS,   /* page faults per second */
	RATE_NR,
};

/**
 * struct why_rates - rates of a type of cores and a cgroup
 * @core: name of the type of cores, or NULL
 * @cgroup: name of the cgroup, or NULL
 * @at: values by enum why_rate_kind; NAN if not counted
 */
struct why_rates {
	char *core, *cgroup;
	double at[RATE_NR];
};

/**
 * struct why_ran - how the target ran in the first measurement
 * @elapsed_ns: length of a command's run; 0 without a command
 * @window_ns: length of the window without a command
 * @has_cgroups: the target is cgroups: each has its own rates
 */
struct why_ran {
	uint64_t elapsed_ns, user_ns, system_ns, window_ns;
	bool has_cgroups;
	VEC(struct why_rates) rates;
};

/** why_ran__define() - define the metrics that have the rates, before a host is loaded. */
void why_ran__define(struct host_options *host);
/** why_ran__ask() - append the metrics of some rates; @kinds has the bit 1 << RATE_... for each. */
void why_ran__ask(unsigned int kinds, struct sb *metrics);
/** why_ran__take() - take the rates that a measurement has. */
void why_ran__take(struct why_ran *r, const struct grid *g);
/**
 * why_ran__take_sampled() - note how the sampled run ran, if no other run was measured
 * @cpu_ns: time on CPUs, estimated from the samples
 */
void why_ran__take_sampled(struct why_ran *r, const struct where_ran *sampled, double cpu_ns);
/** why_ran__knows_ipc() - find out whether instructions per cycle are known for all ways. */
bool why_ran__knows_ipc(const struct why_ran *r, const struct ways *ways);
/** why_ran__rate() - get a rate of a cgroup; NULL means the target. Return: NAN if unknown. */
double why_ran__rate(const struct why_ran *r, const char *cgroup, enum why_rate_kind kind);
/** why_ran__cpus() - get the mean number of CPUs that the target ran on. Return: NAN if unknown. */
double why_ran__cpus(const struct why_ran *r, const char *cgroup);
/** why_ran__waited() - find out whether the target mostly waited, which counters do not see. */
bool why_ran__waited(const struct why_ran *r);
/** why_ran__put() - append how the target ran, for people; nothing if nothing is known. */
void why_ran__put(const struct why_ran *r, const char *cgroup, struct sb *sb);
/** why_ran__put_threads() - append how the threads shared the time; nothing for one thread. */
void why_ran__put_threads(const struct where_threads *t, struct sb *sb);
void why_ran__free(struct why_ran *r);

/**
 * struct why_answer - the result of a search
 * @ended:  why the search ended before the way was complete ("the budget of 30 s"), or NULL
 * @no_counters: why there is no way: this computer has no hardware counters; or ""
 * @busiest: the process with most CPU time, if the whole machine is measured
 * @samples: samples of the target, or of each cgroup; empty if nothing was sampled
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
 * @download: debug information may be read from the network
 * @read_until_ns: see struct where_options
 * @target:  what is sampled
 * @cgroups: cgroups that are sampled one by one; empty to sample all tasks of the target
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
 * @a: @no_samples is set if nothing can be sampled
 *
 * Return: 0 or -errno. Call why_sampler__close() also after a failure.
 */
int why_sampler__open(struct why_sampler *s, struct why_answer *a, struct err *err);
/** why_sampler__nr() - find out how many runs (or windows) are needed to sample everything. */
int why_sampler__nr(const struct why_sampler *s);
/**
 * why_sampler__cgroup() - get the cgroup whose tasks a run samples; NULL if it samples the whole
 * target
 */
const char *why_sampler__cgroup(const struct why_sampler *s, int run);
/**
 * why_sampler__take() - sample a run (or a window), and append the result to the answer
 * @run:    number of the run
 * @sample: names of events that can find the place, separated by blanks or commas. The first of
 *          them that can be sampled is sampled, and so is the time
 * @limit_ns: length of the window; 0 to sample until the command ends
 *
 * Return: 0, or -errno if the command cannot be started, or nothing can be sampled.
 */
int why_sampler__take(struct why_sampler *s, int run, struct why_answer *a, const char *sample,
		      uint64_t limit_ns, struct err *err);
void why_sampler__close(struct why_sampler *s);

/**
 * why__put_measure() - append a command that measures the end of a way; nothing if there is none
 */
void why__put_measure(const struct why_answer *a, const struct way *way, struct sb *sb);
/**
 * why__put_record() - append a command that samples the end of a way; nothing if no event is known
 * @way: NULL if there is no way: then the command samples the time
 */
void why__put_record(const struct why_answer *a, const struct way *way, struct sb *sb);

#define TELLING_PERCENT 10 /* lines and functions with this share of the samples are printed */

/** why__percent_of() - get the share of an event's samples that a place has. */
double why__percent_of(const struct where *w, const struct where_place *p, int event);
/** why__has_advice() - find out whether advice is given: only if counts depend on the program. */
bool why__has_advice(void);

/** why_source__is_there() - find out whether the line of a place can be shown. */
bool why_source__is_there(const struct where_place *p);
/**
 * why_source__put() - print lines around a place, or instructions if its source cannot be read
 * @left: most lines to print; but the hottest line is always printed
 */
void why_source__put(const struct where_place *p, int left, struct output *o);
/**
 * why__main_way() - choose the way whose end is searched for in the program
 * @cgroup: the cgroup whose ways are considered; NULL for all ways
 *
 * Return: the way of the type of cores where most time was spent; NULL if no way has a path.
 */
const struct way *why__main_way(const struct why_answer *a, const char *cgroup);
/** why__has_answer() - find out whether the answer has any content. */
bool why__has_answer(const struct why_answer *a);
/**
 * why__print() - print the answer for people
 * @all: print all details; else the main points, in a dozen lines
 *
 * Lines of the source may be merged into functions.
 */
void why__print(struct why_answer *a, bool all, struct output *o);
/** why__print_json() - print the answer for programs, as one object on a line. */
void why__print_json(struct why_answer *a, struct output *o);

#endif
