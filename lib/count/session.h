/* SPDX-License-Identifier: GPL-2.0-only */
/* The state that every run keeps. Parts that only some runs use are attached (count/attach.h). */
#ifndef TMA_COUNT_SESSION_H
#define TMA_COUNT_SESSION_H

#include "base/sb.h"
#include "count/attach.h"
#include "count/clock.h"
#include "count/count.h"
#include "count/counters.h"
#include "count/read.h"
#include "count/taken.h"
#include "count/unit.h"
#include "count/workload.h"
#include "metrics/literal.h"

/**
 * struct session - the state of a run
 * @facts: source of facts on the computer and the run, if events ask for facts
 * @public_units: the session's units, in the form for callers
 * @enable_on_exec: the kernel enables the counters when the command is let go
 * @raised_limit: the hard limit of open files was raised
 * @too_late: the run ended during its delay; @stopping: the run is over
 * @off:     how long all counters were off
 * @followed_ns: when cgroups were last checked
 * @beside: another session, whose due reads are made while this session waits; or NULL
 * @has_signals: signals were installed, and must be restored
 * @attached: the attachments of the run, by enum attached; NULL for unused attachments
 * @nr_regrouped: how often groups were split during the run, or reasons for missing counts were
 *                found
 * @taken: the check whether the kernel took all counters away
 * @warnings_given: how much of @warnings session__warnings() has returned
 */
struct session {
	struct machine *machine;
	struct event_list *events;
	const struct target *target;
	struct session *beside;
	struct count_options opts;
	struct literals facts;
	struct counter_list counters;
	struct units public_units;
	bool enable_on_exec, raised_limit, too_late, stopping;
	struct off_time off;
	uint64_t followed_ns;
	struct readings readings;
	struct run_clock clock;
	struct watch watch;
	struct workload workload;
	bool has_signals;
	void *attached[NR_ATTACHED];
	struct sb warnings;
	size_t warnings_given;
	unsigned int nr_regrouped;
	struct taken taken;
};

/** session__is_late() - whether the command is let go before counting begins. */
static inline bool session__is_late(const struct session *s)
{
	return s->opts.start_disabled || s->opts.delay_ns;
}

/* open.c */

/** session__on_ns() - return how long tma had a counter enabled, up to the time of a read. */
uint64_t session__on_ns(const struct session *s, const struct counter *c,
			const struct counts *total);

/**
 * open__attr() - set the attributes that all leaders, and counters without a group, have in common.
 */
void open__attr(const struct session *s, struct perf_event_attr *attr);
/** open__all() - open all counters on all units. Return: 0 or -errno. */
int open__all(struct session *s, struct err *err);
/** open__again() - open again, with their filters, the counters that were closed on a unit. */
int open__again(struct session *s, int unit, struct err *err);
/** open__set_filters() - set the filters of events. Return: 0 or -errno. */
int open__set_filters(const struct session *s, struct err *err);
/**
 * cpu__is_offline() - whether the kernel reports now that a CPU is offline; @machine has the state
 * of the start.
 */
bool cpu__is_offline(const struct machine *machine, int cpu);

/* refusal.c: messages that explain why a counter was refused. */

/** refusal__unsupported() - whether an errno means that the counter does not exist. */
bool refusal__unsupported(int code);
/** refusal__explain() - make the message for an event that could not be opened. Return: -@code. */
int refusal__explain(const struct session *s, const struct counter *c, int unit, int code,
		     struct err *err);
/**
 * refusal__note_place() - record on which unit a counter was refused, if the counter is open on
 * another unit.
 */
void refusal__note_place(const struct session *s, struct counter *c, int unit);
/** refusal__put_group() - append "{a,b}": the group that a leader is opened with. */
void refusal__put_group(const struct session *s, const struct counter *leader, struct sb *sb);
/** refusal__find_conflict() - find out why a group is too large, and set the @why of its leader. */
void refusal__find_conflict(const struct session *s, struct counter *leader);
/**
 * refusal__find_obstacles() - find open counters that the kernel cannot schedule. All counters must
 * be open.
 */
void refusal__find_obstacles(const struct session *s);
/** refusal__warn_of_whole_cpus() - name the events for which session__needs_whole_cpus(). */
void refusal__warn_of_whole_cpus(struct session *s);

#endif
