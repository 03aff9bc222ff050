/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "tma why": in comes a target; it is measured over and over, each time the parts of what was found
 * the time before; out goes the way down to what limits it.
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

struct err;
struct grid;
struct host_options;
struct output;
struct sb;

/**
 * struct why_step - a measurement
 * @groups: what was measured; @seconds: how long it took; @runs: of the command
 * @again:  for what was not certain the time before
 */
struct why_step {
	char *groups;
	double seconds;
	int runs;
	bool again;
};

/**
 * struct why_target - what is measured, in the words of the command line; NULL for what is not
 * @cpu_list: what @cpus says
 */
struct why_target {
	bool system_wide;
	struct cpulist cpu_list;
	const char *cpus, *pids, *tids, *cgroups, *cputype;
	const char **argv;
};

/** why_target__is_command() - whether the command is measured, and does not only say how long. */
bool why_target__is_command(const struct why_target *t);
/** why_target__is_of_cpus() - whether whole CPUs are. */
bool why_target__is_of_cpus(const struct why_target *t);
/** why_target__request() - let a request measure that. */
void why_target__request(const struct why_target *t, struct request *req);
/** why_target__put() - append the options that say so, and the command, as a shell reads them. */
void why_target__put(const struct why_target *t, struct sb *sb);

/**
 * struct why_samples - where in the program, by samples of a run or a window
 * @cgroup:  whose tasks these are, or NULL
 * @sampled: the event of the way's end, or "", and time
 */
struct why_samples {
	char *cgroup;
	struct where where;
	char *sampled[WHERE_EVENTS];
};

/* These are rates of how a target ran; those up to RATE_GHZ are of a type of cores. */
enum why_rate_kind {
	RATE_IPC,
	RATE_GHZ,
	RATE_CPUS,     /* tasks that ran at once, in the mean */
	RATE_SWITCHES, /* context switches a second */
	RATE_FAULTS,   /* page faults a second */
	RATE_NR,
};

/**
 * struct why_rates - of cores of a type, and of a cgroup, by their names; NULL for none
 * @at: by enum why_rate_kind; NAN for what was not counted
 */
struct why_rates {
	char *core, *cgroup;
	double at[RATE_NR];
};

/**
 * struct why_ran - how the target ran in the first measurement
 * @elapsed_ns: length of a command's run; 0 where there was none
 * @window_ns: of what is not a command; @has_cgroups: it is cgroups, each with rates of its own
 */
struct why_ran {
	uint64_t elapsed_ns, user_ns, system_ns, window_ns;
	bool has_cgroups;
	VEC(struct why_rates) rates;
};

/** why_ran__define() - define the metrics that rates are, before a host is loaded. */
void why_ran__define(struct host_options *host);
/** why_ran__ask() - append the metrics of some rates. @kinds: 1 << RATE_..., combined by or */
void why_ran__ask(unsigned int kinds, struct sb *metrics);
/** why_ran__take() - take the rates that a measurement has, of those it was asked for. */
void why_ran__take(struct why_ran *r, const struct grid *g);
/**
 * why_ran__take_sampled() - take the run that was sampled: there was none before
 * @cpu_ns: time on CPUs, by its samples
 */
void why_ran__take_sampled(struct why_ran *r, const struct where_ran *sampled, double cpu_ns);
/** why_ran__knows_ipc() - whether the instructions per cycle of all ways are known. */
bool why_ran__knows_ipc(const struct why_ran *r, const struct ways *ways);
/** why_ran__rate() - a rate of a cgroup, or of the target (NULL). Return: NAN if not known. */
double why_ran__rate(const struct why_ran *r, const char *cgroup, enum why_rate_kind kind);
/** why_ran__cpus() - on how many CPUs it ran, in the mean. Return: NAN if not known. */
double why_ran__cpus(const struct why_ran *r, const char *cgroup);
/** why_ran__waited() - whether it did next to nothing but wait, which counters do not see. */
bool why_ran__waited(const struct why_ran *r);
/** why_ran__put() - append words for it; nothing where nothing is known. */
void why_ran__put(const struct why_ran *r, const char *cgroup, struct sb *sb);
/** why_ran__put_threads() - append how the threads shared the time; nothing for one thread. */
void why_ran__put_threads(const struct where_threads *t, struct sb *sb);
void why_ran__free(struct why_ran *r);

/**
 * struct why_answer - what was found
 * @ended:  why it ended before it was at its end ("the budget of 30 s"), or NULL
 * @no_counters: why there is no way: this computer has no hardware counters; or ""
 * @samples: of the target, or one of each cgroup; none when nothing was sampled
 * @no_samples: why nothing can be sampled, or NULL
 */
struct why_answer {
	struct ways ways;
	VEC(struct why_step) steps;
	struct why_target target;
	struct why_ran ran;
	const char *ended, *no_counters, *no_samples;
	VEC(struct why_samples) samples;
};

/**
 * struct why_sampler - finds where in the program it is
 * @host:    which is measured on
 * @download: debug information may come over the network
 * @read_until_ns: as of struct where_options
 * @target:  what is sampled
 * @cgroups: each is sampled by itself; none for all tasks of the target
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
 * Return: 0 or -errno. why_sampler__close() it also after a failure.
 */
int why_sampler__open(struct why_sampler *s, struct why_answer *a, struct err *err);
/** why_sampler__nr() - in how many runs, or windows, all is sampled. */
int why_sampler__nr(const struct why_sampler *s);
/** why_sampler__cgroup() - whose tasks a run samples, or NULL for all of the target. */
const char *why_sampler__cgroup(const struct why_sampler *s, int run);
/**
 * why_sampler__take() - sample a run, or a window, and append what it finds to the answer
 * @run:    number of it
 * @sample: names of the events that show it, behind blanks or commas; of these the first that can
 *          be sampled is, beside the time
 * @limit_ns: 0 for as long as the command runs
 *
 * Return: 0; -errno when the command cannot be started, or nothing be sampled.
 */
int why_sampler__take(struct why_sampler *s, int run, struct why_answer *a, const char *sample,
		      uint64_t limit_ns, struct err *err);
void why_sampler__close(struct why_sampler *s);

/** why__put_measure() - append the command that measures a way's end by hand; nothing without one.
 */
void why__put_measure(const struct why_answer *a, const struct way *way, struct sb *sb);
/**
 * why__put_record() - append the command that samples a way's end; nothing where no event is known
 * @way: NULL for what is measured without a way: then time is sampled
 */
void why__put_record(const struct why_answer *a, const struct way *way, struct sb *sb);

#define TELLING_PERCENT 10 /* of the samples, for a line or a function to be told */

/** why__percent_of() - the share that a place has of an event's samples. */
double why__percent_of(const struct where *w, const struct where_place *p, int event);
/** why__has_advice() - whether the counts have to do with the program: else nothing is advised. */
bool why__has_advice(void);

/** why_source__is_there() - whether the line of a place can be shown. */
bool why_source__is_there(const struct where_place *p);
/**
 * why_source__put() - print lines around a place, if its source can be read, else instructions
 * @left: how many lines there is room for; the hottest one is always printed
 */
void why_source__put(const struct where_place *p, int left, struct output *o);
/**
 * why__main_way() - the way whose end is looked for in the program
 * @cgroup: of the ways of this cgroup alone; NULL for all
 *
 * Return: the way of those cores where most time was spent; NULL where none has a path.
 */
const struct way *why__main_way(const struct why_answer *a, const char *cgroup);
/** why__has_answer() - whether it says anything. */
bool why__has_answer(const struct why_answer *a);
/**
 * why__print() - print it for people; @all: with all details, else what matters, in a dozen lines
 *
 * Lines of the source may be merged to functions.
 */
void why__print(struct why_answer *a, bool all, struct output *o);
/** why__print_json() - print it for programs, as one object on a line. */
void why__print_json(struct why_answer *a, struct output *o);

#endif
