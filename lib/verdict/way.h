/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way from the first level of a TopDown tree to the leaf that is the bottleneck, over several
 * measurements. In come the verdicts of one measurement after the other; out go what is known of
 * the way, and what to measure next. Pure bookkeeping.
 */
#ifndef TMA_VERDICT_WAY_H
#define TMA_VERDICT_WAY_H

#include <stdbool.h>

#include "base/vec.h"

struct grid;
struct sb;

/* This is how far a way has come. */
enum way_state {
	WAY_NOTHING,   /* nothing was measured */
	WAY_GOES_ON,   /* the parts of its end were not measured */
	WAY_UNDECIDED, /* which node comes first, or next, is not certain */
	WAY_LEAF,      /* its end has no parts */
	WAY_UNDER,     /* none of the parts of its end is over its threshold */
	WAY_NO_LOSS,   /* no node of the first level is over its threshold */
	WAY_NONE,      /* there is no verdict: see its reason */
};

/**
 * struct way_node - a metric, as it was measured best
 * @value, @error: as printed; the error is NAN where it is not known
 * @step:  the number of the measurement that they are of
 */
struct way_node {
	char *name, *unit;
	double value, error;
	int level, step;
	bool useful, has_threshold;
};

/** struct way_nodes - a list that owns its nodes. */
struct way_nodes {
	struct way_node *at;
	int nr, cap;
};

/**
 * struct way - what is known of one tree
 * @core_name, @cgroup: whose it is; NULL for none
 * @share:   percent of a task's time that it ran on these cores, NAN where it is not known
 * @path:    from the first level to its end; every node of it is certain
 * @others:  what else is over its threshold; @between: what may come next, largest first
 * @out:     nodes next to the path that are certainly under their thresholds
 * @reason, @remedy: why it is not certain, or why there is none, and what would help; "" for none
 * @groups:  metric groups to measure next, behind commas
 * @sample, @record: events whose samples show where, and the same as arguments of perf record
 * @tries:   measurements in a row that did not lead further
 * @turns_back: how often a measurement has contradicted those before, which shortens the path
 */
struct way {
	char *core_name, *cgroup;
	double share;
	enum way_state state;
	struct way_nodes path, others, between, out;
	char *reason, *remedy, *groups, *sample, *record;
	int tries, turns_back;
};

/**
 * struct ways - of all trees
 * @steps: measurements so far
 * @tries: how many more may be made of what is not certain, before a way ends as it is
 */
struct ways {
	struct way *at;
	int nr, cap, steps, tries;
};

/** ways__take() - take the verdicts of the last measurement; those of rows behind the first not. */
void ways__take(struct ways *w, const struct grid *g);
/**
 * ways__next() - find what to measure next
 * @groups:  set to the metric groups of all trees that are not at their end
 * @doubtful: set to whether one of them is measured again, as it was not certain
 *
 * Return: whether there is anything.
 */
bool ways__next(const struct ways *w, struct sb *groups, bool *doubtful);
/** ways__is_at_end() - whether no measurement will lead further. */
bool ways__is_at_end(const struct ways *w, const struct way *way);
/** ways__free() - release all of them. */
void ways__free(struct ways *w);

#endif
