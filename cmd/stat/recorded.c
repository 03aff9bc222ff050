// SPDX-License-Identifier: GPL-2.0-only
/* "tma stat report" prints what the recorded run printed, unless other options are given. */
#include <string.h>

#include <subcmd/parse-options.h>

#include "run/input.h"
#include "run/metric_names.h"
#include "stat/stat.h"

/**
 * struct recorded_options - the options that a recording was made with
 * @o: the options of the report, which some of the recorded options are copied to
 * @has_events: -e is a recorded option
 */
struct recorded_options {
	struct stat_options *o;
	bool has_events;
};

/*
 * Copy only options that choose what is computed: not those that name files or programs to execute.
 */
static void recorded__take_over(void *arg, const struct option *opt, const char *value, bool unset)
{
	struct recorded_options *recorded = arg;
	struct stat_options *o = recorded->o;
	const char *name = opt->long_name;

	if (!strcmp(name, "topdown"))
		o->req.topdown = !unset;
	else if (!strcmp(name, "td-level") && value)
		opt->callback(opt, value, unset);
	else if (!strcmp(name, "metrics") && value)
		metric_names__add(&o->metrics, host_asked(), value, NULL);
	else if (!strcmp(name, "transaction"))
		metric_names__add(&o->metrics, host_asked(), "transaction", NULL);
	else if (!strcmp(name, "metric-only") && !o->metric_only_set)
		o->req.metric_only = !unset;
	else if (!strcmp(name, "event") || !strcmp(name, "pfm-events"))
		recorded->has_events = true;
}

static bool has_core_events(const struct event_list *events, bool of_topdown)
{
	for (int i = 0; i < events->nr; i++)
		if (of_topdown ? strstr(events->at[i]->name, "topdown-") != NULL :
				 event__is_of_core(events->at[i]))
			return true;
	return false;
}

/*
 * Return: whether rows of code have the tree: if nothing else was recorded, and in perf's
 * recordings if topdown events were sampled.
 */
static bool has_tree(const struct recorded_options *o, const struct run_input *in)
{
	const struct event_list *events = recording__events(in->recording);

	switch (recording__samples(in->recording)) {
	case SAMPLES_TMAS:
		return !o->has_events && has_core_events(events, false);
	case SAMPLES_OF_GROUPS:
		return has_core_events(events, true);
	default:
		return false;
	}
}

/*
 * Use the metrics of the recording. A verdict needs the tree, with as many levels as were counted.
 */
static void recorded__take_metrics(const struct stat_options *from, struct run_input *in,
				   struct stat_options *o)
{
	const struct recording_info *info = recording__info(in->recording);
	struct recorded_options recorded = {.o = o};
	struct request *r = &o->req;

	if (as_perf() || o->topdown_set || o->metrics.len || r->judged)
		return;
	o->metrics = (struct sb)SB_INIT;
	stat_options__walk(o, info->words, info->nr_words, &recorded, recorded__take_over);
	if (!r->topdown && !o->metrics.len && !from->req.topdown)
		r->topdown = has_tree(&recorded, in);
	/* Lines have only precise events, which are not enough for metrics. */
	if (r->aggr == AGGR_LINE && !from->req.topdown) {
		r->topdown = false;
		sb__free(&o->metrics);
	}
	if (from->req.topdown) {
		sb__free(&o->metrics);
		r->td_level = from->req.td_level ?: r->td_level;
	}
	r->implied = !from->req.topdown && (r->topdown || o->metrics.len);
	if (!r->topdown && !o->metrics.len)
		r->metric_only = from->req.metric_only;
	else
		r->metric_only |= r->topdown && !o->metric_only_set;
	/* Print only metrics, as a run does that samples code without -e. */
	if ((o->metrics.len || row_kind__is_site(r->aggr)) && !recorded.has_events &&
	    !o->metric_only_set && recording__samples(in->recording) == SAMPLES_TMAS)
		r->metric_only = true;
	r->metric_only_implied = r->metric_only && !o->metric_only_set;
}

void stat_options__of_recording(const struct stat_options *from, const char *name,
				struct run_input *in, bool append, bool with_metrics,
				struct stat_options *o)
{
	*o = *from;
	o->req.input = in;
	o->input_name = name;
	o->append |= append;
	/*
	 * The run used formulas of plain events, since only these can be sampled: choose the same
	 * formulas.
	 */
	host_asked()->plain = recording__samples(in->recording) == SAMPLES_TMAS;
	if (with_metrics)
		recorded__take_metrics(from, in, o);
	stat_options__finish(o);
}

void stat_options__free_recording(const struct stat_options *from, struct stat_options *o)
{
	if (o->metrics.buf != from->metrics.buf)
		sb__free(&o->metrics);
	stat_again__exit(&o->again);
}
