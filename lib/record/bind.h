/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files bind*.c share these declarations: the events of a recording come in, and the metrics to
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
 * struct known_event - an event of the file, prepared for comparison
 * @named: the event that its name has in the tables or the kernel, or NULL
 * @coded: the event whose attributes were counted: itself; for text, which has only names, @named
 * @core: it belongs to a core PMU
 * @group: index of its group's leader
 * @segment: (text) index of the first event of its pool since one of them occurred again
 * @pool: index of the first event that competes for the same counters, or OFFERS_NO_POOL
 */
struct known_event {
	struct event *event;
	const struct event *named, *coded;
	bool core;
	int group, segment, pool;
};

/* How an event matches an id: not at all, by its encoding, or more surely by its name. */
enum match { MATCH_NONE, MATCH_CODE, MATCH_NAME };

/** struct id_match - an event of the file, by its index, that counts an id */
struct id_match {
	int event;
	enum match match;
};

/**
 * struct id_matches - all events that count an id, in their order; @best: the best kind of match
 */
struct id_matches {
	VEC(struct id_match) list;
	enum match best;
};

/**
 * struct binding - the state of a call of recording__bind()
 * @user_only: hardware events were not counted in the kernel: "EVENT:u" may be used for "EVENT"
 * @cgroup: (text) the cgroup in which all events of metrics must have been counted; NULL for any
 * @lacks: the ids of a metric for which there is no event, the first few by name
 * @wanted: all of them, as for -e, separated by commas
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

/** binding__prepare_events() - prepare the events of the recording: b->known, b->user_only. */
void binding__prepare_events(struct binding *b);
/** binding__match() - whether @k counts an id on a PMU, in any mode, and how it matches. */
enum match binding__match(const struct binding *b, const struct known_event *k,
			  const struct event *id);
/** binding__keep_core_type() - drop the events of core types other than the metric's, @pmu. */
void binding__keep_core_type(const struct machine *m, const char *pmu, struct event_list *ids);
/** binding__find_candidates() - find the events that count an id of a metric. */
void binding__find_candidates(const struct binding *b, const struct metric *m, const char *id,
			      struct id_matches *out);

/* bind_choose.c */

/**
 * binding__choose() - choose the event of each id
 * @from: the candidates of each of metric->ids[]
 * @out:  set; service__free() it
 */
void binding__choose(const struct binding *b, struct metric *m, const struct id_matches *from,
		     struct service *out);

/* bind.c */

/**
 * binding__find_events() - find the events of all ids of a metric
 * @used:   for each event of the file, set if it is suitable for one of the metric's; or NULL
 * @pm:     the metric's, filled with its events; NULL to only check whether they exist
 * @wanted: missing events are appended, a line each; or NULL
 *
 * Return: 0; -ENOENT when an id has no event.
 */
int binding__find_events(struct binding *b, const struct metric *m, bool *used,
			 struct plan_metric *pm, struct sb *wanted);
/**
 * binding__select() - parse the metrics that were asked for, if the tables have them
 * @bare: without their thresholds
 *
 * Return: 0 or -errno.
 */
int binding__select(struct binding *b, const char *names, bool bare, struct metric_list *list,
		    struct err *err);

/* bind_guess.c */

/**
 * binding__guess_host() - settle whether SMT was on and whole cores were counted
 *
 * The scope and its machine get the values that the user gave, otherwise those with which most
 * metrics have events; a warning says so where it matters.
 *
 * Return: 0 or -errno.
 */
int binding__guess_host(struct binding *b, const char *names, struct err *err);

#endif
