/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations that the files bind*.c share. The events of a recording come in, and the metrics to
 * compute from them; each metric gets its events.
 */
#ifndef TMA_RECORD_BIND_H
#define TMA_RECORD_BIND_H

#include "base/sb.h"
#include "plan/plan.h"
#include "plan/serve.h"
#include "record/recording.h"

#define HYBRID_PREFIX "cpu_" /* names of the core PMUs of a hybrid machine */

/**
 * struct known_event - an event of the file, prepared for comparisons
 * @named: the event that the tables or the kernel have under its name, or NULL
 * @coded: the event whose attributes were counted: the event of the file itself; for a text, which
 *         has only names, @named
 * @core: the event belongs to a core PMU
 * @group: index of the leader of the event's group
 * @segment: (text) index of the first event in the event's segment, which ends before an event of
 *           the pool is repeated
 * @pool: index of the first event of the file that competes for the event's counters, or
 *        OFFERS_NO_POOL
 */
struct known_event {
	struct event *event;
	const struct event *named, *coded;
	bool core;
	int group, segment, pool;
};

/* How an event matches an id: not at all, by its encoding, or more certainly by its name. */
enum match { MATCH_NONE, MATCH_CODE, MATCH_NAME };

/** struct id_match - an event of the file, by its index, that counts an id */
struct id_match {
	int event;
	enum match match;
};

/**
 * struct id_matches - all events that count an id, in their order
 * @best: the best kind of match
 */
struct id_matches {
	VEC(struct id_match) list;
	enum match best;
};

/**
 * struct binding - the state of a call of recording__bind()
 * @user_only: hardware events were counted only in user space: "EVENT:u" may be used for "EVENT"
 * @cgroup: (text) the cgroup in which all events of metrics must have been counted; NULL for any
 *          cgroup
 * @lacks: names of the first few ids of a metric that have no event
 * @wanted: all ids that have no event, in the form of -e, separated by commas
 */
struct binding {
	struct recording *r;
	struct plan *plan;
	struct metrics_scope *scope;
	struct known_event *known;
	int nr;
	bool user_only;
	const struct cgroup *cgroup;
	struct sb lacks;
	struct sb wanted;
	struct metric_list full, bare;
};

/* bind_match.c */

/**
 * binding__prepare_events() - prepare the events of the recording: set b->known and b->user_only.
 */
void binding__prepare_events(struct binding *b);
/** binding__match() - return whether and how @k counts an id on a PMU, in any mode. */
enum match binding__match(const struct binding *b, const struct known_event *k,
			  const struct event *id);
/** binding__keep_core_type() - drop the events that are not of the metric's core type, @pmu. */
void binding__keep_core_type(const struct machine *m, const char *pmu, struct event_list *ids);
/** binding__find_candidates() - find the events that count an id of a metric. */
void binding__find_candidates(const struct binding *b, const struct metric *m, const char *id,
			      struct id_matches *out);

/* bind_choose.c */

/**
 * binding__choose() - choose the event of each id of a metric
 * @from: the candidates for each of metric->ids[]
 * @out:  set to the choice; service__free() frees it
 */
void binding__choose(const struct binding *b, struct metric *m, const struct id_matches *from,
		     struct service *out);

/* bind.c */

/**
 * binding__find_events() - find the events of all ids of a metric
 * @used:   for each event of the file, set if the event is suitable for an id of the metric; or
 *          NULL
 * @pm:     the metric in the plan, which gets the events; NULL: only check whether events exist
 * @wanted: missing events are appended, each on a line; or NULL
 *
 * Return: 0; -ENOENT if an id has no event.
 */
int binding__find_events(struct binding *b, const struct metric *m, bool *used,
			 struct plan_metric *pm, struct sb *wanted);
/**
 * binding__select() - parse the requested metrics that are in the tables
 * @bare: parse metrics without their thresholds
 *
 * Return: 0 or -errno.
 */
int binding__select(struct binding *b, const char *names, bool bare, struct metric_list *list,
		    struct err *err);

/* bind_guess.c */

/**
 * binding__guess_host() - decide whether SMT was on, and whether whole cores were counted
 *
 * The scope and its machine get the values that the user gave, or the values with which most
 * metrics have events. If a guess matters, a warning reports it.
 *
 * Return: 0 or -errno.
 */
int binding__guess_host(struct binding *b, const char *names, struct err *err);

#endif
