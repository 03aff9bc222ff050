/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files bind*.c share what is declared here: the events of a recording and the metrics that are
 * made of them come in, and each metric gets its events.
 */
#ifndef TMA_RECORD_BIND_H
#define TMA_RECORD_BIND_H

#include "base/sb.h"
#include "plan/plan.h"
#include "plan/serve.h"
#include "record/recording.h"

#define HYBRID_PREFIX "cpu_" /* names of the core PMUs of a hybrid machine */

/**
 * struct known_event - an event of the file, ready to be compared
 * @named: what its name stands for, or NULL
 * @coded: whose attributes say what was counted: of text, which has names alone, those of @named
 * @core: it is one of a core PMU
 * @group: place of its group's leader
 * @segment: (text) place of the first event of its pool since one was there again
 * @pool: place of the first event that competes for the same counters, or OFFERS_NO_POOL
 */
struct known_event {
	struct event *event;
	const struct event *named, *coded;
	bool core;
	int group, segment, pool;
};

/* An event counts an id by its encoding, or more surely by its name. */
enum match { MATCH_NONE, MATCH_CODE, MATCH_NAME };

/** struct id_match - an event of the file, by its place, that counts an id */
struct id_match {
	int event;
	enum match match;
};

/** struct id_matches - all that count an id, in their order; @best: how well the best ones match */
struct id_matches {
	VEC(struct id_match) list;
	enum match best;
};

/**
 * struct binding - a call of recording__bind()
 * @user_only: nothing of the hardware was counted in the kernel: "EVENT" is served by "EVENT:u"
 * @cgroup: (text) where all that metrics are made of was counted, or anywhere without one; or NULL
 * @lacks: the ids of a metric that nothing serves, the first few by name
 * @wanted: all of them, as -e has them, with commas between
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

/** binding__know() - make the events of the recording ready: b->known, b->user_only. */
void binding__know(struct binding *b);
/** binding__match() - whether @k counts what an id stands for on a PMU, in whatever mode. */
enum match binding__match(const struct binding *b, const struct known_event *k,
			  const struct event *id);
/** binding__keep_core_type() - drop the events of other core types than the metric's, on @pmu. */
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
 * @used:   of each event of the file, set where it would do for one of the metric's; or NULL
 * @pm:     the metric's, to get its events; NULL to see whether they are there
 * @wanted: gets the events that are missing, a line each; or NULL
 *
 * Return: 0; -ENOENT when an id is not served.
 */
int binding__find_events(struct binding *b, const struct metric *m, bool *used,
			 struct plan_metric *pm, struct sb *wanted);
/**
 * binding__select() - read the metrics that were asked for, as far as the tables know them
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
 * The scope and its machine get what was told, or else what serves most of the metrics; a warning
 * says so where it matters.
 *
 * Return: 0 or -errno.
 */
int binding__guess_host(struct binding *b, const char *names, struct err *err);

#endif
