// SPDX-License-Identifier: GPL-2.0-only
/* Read a recording instead of counting: choose what to compute from it, and make its rows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "run/cpu_name.h"
#include "run/input.h"
#include "run/internal.h"

#define NS_PER_S 1e9
#define MOST_MODELS 6 /* most models of CPUs that a verdict names */

/**
 * struct replay - rows of a recording
 * @row, @sum: counts of a row, and of all rows
 * @total:  times of @sum
 * @opened, @over: the first and the last step were made
 * @rows:   number of rows that were read; @last_ns: end of the last one
 * @taken:  number of rows that --time selects
 */
struct replay {
	struct source source;
	struct run *run;
	struct recording *recording;
	bool opened, over;
	uint64_t last_ns;
	struct counts row, sum;
	struct row_time total;
	int rows, taken;
};

static struct recording *recording_of(const struct run *run)
{
	return run->req->input->recording;
}

static const struct recording_info *info_of(const struct run *run)
{
	return recording__info(recording_of(run));
}

static int check_time(const struct run *run, struct err *err)
{
	if (!run->req->time_text || info_of(run)->interval)
		return 0;
	return err__set(err, EINVAL,
			"--time needs counts taken with -I, but these cover a whole run");
}

static int borrow_places(struct run *run, struct err *err)
{
	struct machine *here = machine__new();
	int rc = recording__borrow_places(recording_of(run), here, err);

	if (!rc)
		tell(run, RECORDING, NULL,
		     "the counts do not include the CPU topology: the topology of this machine is "
		     "used");
	machine__free(here);
	return rc;
}

/* Choose what a row combines: as the request says, or as in the recording. */
static int replay__choose_rows(struct run *run, struct err *err)
{
	const struct recording_info *info = info_of(run);
	struct report_options *opts = &run->report;
	int rc;

	if (!run->req->rows_given) {
		opts->aggr = info->aggr;
		opts->cache_level = info->cache_level;
		opts->no_merge = opts->aggr == AGGR_NONE;
	}
	/* Errors of rows of code come from the samples. */
	if (run_sites__are_wanted(run->req))
		opts->error = false;
	opts->latency_mode = info->latency_mode;
	opts->recorded = true;
	run->about.interval = info->interval;
	rc = recording__check_rows(recording_of(run), opts->aggr, err);
	return rc == 1 ? borrow_places(run, err) : rc;
}

/* --- The plan -------------------------------------------------------------------------------- */

/* Return: the run's events; the events of the recording if the run has none yet. */
static const struct event_list *events_of(const struct run *run)
{
	return run->plan->events.nr ? &run->plan->events : recording__events(recording_of(run));
}

/* If a metric fails, append the models of CPUs that the recording may be from. */
static void append_fitting(const struct run *run, struct err *err)
{
	const struct event_list *events = events_of(run);
	auto_free(sb) names = SB_INIT;
	int nr = cpu_name__put_fitting(events, &names);

	if (nr)
		err__append(err,
			    "\n"
			    "If %s is from another CPU, name it with --cpuid NAME. Most of its "
			    "events, %d of %d, are in the tables of:%s",
			    run->req->input->name, nr, events->nr, sb__str(&names));
}

/* Append a line on doubts about the CPU: the file's id, and the models that have its events. */
static void tell_doubts(struct run *run, struct err *err)
{
	const struct run_input *input = run->req->input;
	const struct recording_info *info = info_of(run);
	auto_free(sb) doubt = SB_INIT;
	struct tables *recorded_tables = NULL;

	if (input->cpuid.len && *info->own_cpuid)
		recorded_tables = tables__find(info->own_cpuid);
	if (recorded_tables && run->host->tables &&
	    strcmp(tables__model(recorded_tables), tables__model(run->host->tables)))
		sb__printf(&doubt, "%s says that its CPU is %s (%s), and not %s", input->name,
			   info->own_cpuid, tables__model(recorded_tables),
			   tables__model(run->host->tables));
	tables__free(recorded_tables);
	if (tables__name_cpu(run->host->tables) && (*run->names || run->topdown)) {
		auto_free(sb) events = SB_INIT;

		if (cpu_name__put_unknown(run->host->tables, events_of(run), &events))
			sb__printf(&doubt, "%s%s", doubt.len ? "; " : "", sb__str(&events));
	}
	if (!doubt.len)
		return;
	if (err)
		err__append(err, "\n%s", sb__str(&doubt));
	else
		tell(run, RECORDING, NULL, "%s", sb__str(&doubt));
}

/* Return: the verdict's remark that counts may come from another CPU than this machine's. */
static const char *make_hint(struct run *run)
{
	auto_free(sb) names = SB_INIT;
	int nr = 0, len;

	if (!run->req->input->cpuid_borrowed || !run->report.verdict)
		return NULL;
	cpu_name__put_fitting(&run->plan->events, &names);
	sb__puts(&run->hint, "if the counts come from another CPU, name it with --cpuid NAME");
	text__for_each_item(name, len, sb__str(&names), " ")
	{
		if (nr++ >= MOST_MODELS)
			continue;
		sb__puts(&run->hint, nr > 1 ? ", " : "; judging by the events, it may be ");
		sb__add(&run->hint, name, len);
	}
	if (nr > MOST_MODELS)
		sb__printf(&run->hint, " or one of %d more", nr - MOST_MODELS);
	return sb__str(&run->hint);
}

/*
 * Bind the metrics of the tree for a page, for which the user did not ask. Missing events are not
 * reported; without any events of the tree, the page only shows the events.
 */
static int bind_tree(struct run *run, struct err *err)
{
	auto_free(sb) names = SB_INIT;
	const char *prefix = "";
	int levels = 0, rc;

	if (run->host->tables)
		levels = metrics__topdown_levels(run->host->tables, NULL, &prefix);
	for (int i = 1; i <= levels; i++)
		sb__printf(&names, "%s%s%d", i > 1 ? "," : "", prefix, i);
	rc = recording__bind(recording_of(run), run->plan, &run->metrics,
			     levels ? sb__str(&names) : NULL, false, NULL);
	sb__clear(&run->plan->warnings);
	return rc ? plan__finish(run->plan, err) : 0;
}

/*
 * Bind the events without metrics: the metrics, which the user did not ask for now, cannot be
 * computed.
 */
static int bind_events_alone(struct run *run, struct err *err)
{
	tell(run, RECORDING, NULL, "the metrics that %s was recorded with are left out: %s",
	     run->req->input->name, err->msg);
	*err = (struct err)ERR_INIT;
	run->names = "";
	run->topdown = run->report.topdown = false;
	if (run->req->metric_only_implied) {
		run->report.metric_only = false;
		run->report.wants = run->req->wants_without;
	}
	sb__clear(&run->plan->warnings);
	return recording__bind(recording_of(run), run->plan, &run->metrics, NULL, false, err);
}

static bool wants_tree(const struct run *run)
{
	return run->req->judged && !*run->names && !run->topdown && *info_of(run)->cpuid;
}

static void set_scope(struct run *run)
{
	bool per_cpu = info_of(run)->per_cpu, sites = run_sites__are_wanted(run->req);
	/* Slots of whole cores cover both threads, which may run different functions. */
	bool by_code = sites || recording__samples(recording_of(run)) == SAMPLES_TMAS;

	run->metrics = (struct metrics_scope){
		.machine = run->host->machine,
		.tables = run->host->tables,
		.system_wide = per_cpu && !by_code,
		.no_floor = sites,
		.target_cpu = per_cpu,
		.literals = run->req->literals,
		.no_threshold = run->req->no_threshold,
		.has_event = recording__has_event,
		.arg = recording_of(run),
	};
	run->plan = plan__new(&run->metrics);
	run->plan->wholes = run->req->wants & WANT_SLOTS;
}

/* Bind the metrics of -M and --topdown to the recorded events. */
static int bind_asked(struct run *run, struct err *err)
{
	auto_free(sb) names = SB_INIT;
	int rc = 0;

	run_metrics__put_names(run, &names);
	if (run->topdown) {
		sb__puts(&names, names.len ? "," : "");
		rc = run_metrics__put_topdown(run, &names, err);
	}
	return rc
		       ?: recording__bind(recording_of(run), run->plan, &run->metrics,
					  names.len ? names.buf : NULL, run->topdown, err);
}

static int make_plan(struct run *run, struct err *err)
{
	int rc;

	set_scope(run);
	rc = wants_tree(run) ? bind_tree(run, err) : bind_asked(run, err);
	if (rc && run->req->implied)
		rc = bind_events_alone(run, err);
	if (rc && run->req->input->cpuid_borrowed)
		append_fitting(run, err);
	else
		tell_doubts(run, rc ? err : NULL);
	if (!rc)
		run->report.hint = make_hint(run);
	return rc;
}

/*
 * Return: the heading. perf cannot read the command line from a pipe, and scripts expect its word.
 */
static char *replay__heading(const struct run *run)
{
	const struct run_input *input = run->req->input;
	struct sb sb = SB_INIT;

	sb__printf(&sb, "'%s'",
		   run->req->perf && input->from_pipe ? "pipe" : info_of(run)->command);
	return sb__detach(&sb);
}

int replay__plan(struct run *run, struct err *err)
{
	int rc = check_time(run, err) ?: replay__choose_rows(run, err);

	if (!rc && run_sites__are_wanted(run->req))
		rc = run_sites__check(run, err);
	rc = rc ?: make_plan(run, err);

	rc = rc ?: run_metrics__check_verdict(run, err);
	if (!rc && run_sites__are_wanted(run->req))
		run_sites__begin(run);
	if (!rc)
		run->about.head = run->head = replay__heading(run);
	return rc;
}

/* --- Rows ------------------------------------------------------------------------------------ */

/* Note that the end of a text is missing or may be missing. */
static void tell_end(struct run *run)
{
	static const char *const words[] = {
		[END_ROW_LEFT_OUT] = "its last row is truncated, and is ignored",
		[END_ROW_TAKEN] = "its last row has no end of line: it is read as it is",
		[END_BEFORE_LENGTH] = "it ends before 'seconds time elapsed': rows may be missing",
	};
	const struct recording_info *info = info_of(run);
	const char *name = run->req->input->name;

	if (info->nr_odd)
		notes__add(
			&run->notes, NOTE_RECORDING, name,
			"%d line%s cannot be read as counts and %s left out; the first is line %d",
			info->nr_odd, info->nr_odd > 1 ? "s" : "", info->nr_odd > 1 ? "are" : "is",
			info->odd_line);
	if (info->end != END_WHOLE)
		tell(run, RECORDING, name, "%s", words[info->end]);
}

/* Note that the printed values of metrics were computed again, and are not those in the text. */
static void tell_untaken(struct run *run)
{
	auto_free(sb) line = SB_INIT;

	if (!notes__want(&run->notes, NOTE_UNTAKEN))
		return;
	recording__describe_unused(recording_of(run), run->plan, &line);
	if (line.len)
		tell(run, UNTAKEN, NULL, "%s", sb__str(&line));
}

/* Note how counts were made if a recording has only samples. */
static void tell_samples(struct run *run)
{
	const char *name = run->req->input->name;
	enum recorded_samples samples = recording__samples(recording_of(run));

	if (samples == SAMPLES_OF_GROUPS)
		tell(run, RECORDING, NULL,
		     "%s has samples: counts come from the groups of the samples, up to the last "
		     "sample of each CPU or thread",
		     name);
	else if (samples == SAMPLES_PERFS)
		tell(run, RECORDING, NULL,
		     "%s has samples but no counts: sums of the samples' periods estimate the "
		     "counts",
		     name);
}

static int open_rows(struct replay *r)
{
	struct run *run = r->run;

	if (info_of(run)->unfinished)
		tell(run, RECORDING, NULL,
		     "the recording is incomplete: it is reported as far as it goes");
	tell_end(run);
	tell_untaken(run);
	tell_samples(run);
	recording__counts(r->recording, &r->row);
	recording__counts(r->recording, &r->sum);
	r->opened = true;
	return RUN_OPENED;
}

static bool replay__is_wanted(const struct run *run, const struct recorded_row *row)
{
	const struct request *req = run->req;

	return !req->time_text ||
	       (row->since_start_ns > req->from_ns && row->since_start_ns <= req->to_ns);
}

static int replay__take_row(struct replay *r, const struct recorded_row *recorded,
			    struct source_row *row)
{
	uint64_t interval_ns = recording__info(r->recording)->interval_ns;

	*row = (struct source_row){
		.counts = &r->row,
		.time.since_start_ns = recorded->since_start_ns,
		.time.elapsed_ns = recorded->elapsed_ns,
	};
	row->time.is_cut =
		recorded->is_cut ||
		(recorded->elapsed_ns < interval_ns &&
		 source__is_cut(recorded->since_start_ns - recorded->elapsed_ns,
				recorded->since_start_ns, interval_ns));
	/* perf's rows come later and later: only a row of at least two intervals follows a gap. */
	if (recorded->elapsed_ns >= 2 * interval_ns)
		row->time.missed =
			source__missed_rows(recorded->since_start_ns - recorded->elapsed_ns,
					    recorded->since_start_ns, interval_ns);
	if (r->run->req->summary || r->run->report.verdict)
		recording__sum(r->recording, &r->row, &r->sum);
	r->total.elapsed_ns += recorded->elapsed_ns;
	r->total.since_start_ns = recorded->since_start_ns;
	return RUN_ROW;
}

/*
 * Note the command that names the bottleneck: users may have counts of another person, and not know
 * what they mean.
 */
static void tell_next(struct run *run)
{
	const struct run_input *input = run->req->input;
	const struct recording_info *info = info_of(run);
	const struct event_list *events = &run->plan->events;
	auto_free(sb) names = SB_INIT;
	bool given = input->cpuid.len;

	if (!notes__want(&run->notes, NOTE_NEXT) || !info->text || *run->names || run->topdown)
		return;
	/*
	 * Search the tables of all models, which takes long, only if the id has no tables with the
	 * events.
	 */
	if (*info->cpuid ? !cpu_name__has_events(info->cpuid, events)
			 : !cpu_name__put_fitting(events, &names))
		return;
	if (given || *info->cpuid)
		tell(run, NEXT, NULL, "the bottleneck of these counts: tma stat report "
				      "--verdict%s%s %s",
		     given ? " --cpuid " : "", given ? input->cpu : "", input->name);
	else
		notes__add(
			&run->notes, NOTE_NEXT, NULL,
			"the bottleneck of these counts: tma stat report --verdict --cpuid NAME "
			"%s, where NAME "
			"is, judging by the events, one of%s",
			input->name, sb__str(&names));
}

static int replay__next(struct source *source, struct source_row *row, struct err *err)
{
	struct replay *r = (struct replay *)source;
	struct run *run = r->run;
	struct recorded_row recorded;
	int rc;

	if (!r->opened)
		return open_rows(r);
	if (r->over) {
		tell_next(run);
		return RUN_END;
	}
	rc = recording__next(r->recording, &r->row, &recorded, err);
	if (rc > 0) {
		r->rows++;
		r->last_ns = recorded.since_start_ns;
		if (!replay__is_wanted(run, &recorded)) {
			if (run->sites)
				run_sites__skip(run);
			return RUN_SKIPPED;
		}
		r->taken++;
		return replay__take_row(r, &recorded, row);
	}
	if (!rc && !r->rows)
		rc = err__set(err, EINVAL, "the recording has no complete row of counts");
	else if (!rc && !r->taken)
		rc = err__set(err, EINVAL, "--time: no row ends in %s: the last one ends at %.3f",
			      run->req->time_text, r->last_ns / NS_PER_S);
	r->over = true;
	*row = (struct source_row){.counts = &r->sum, .time = r->total};
	return rc ?: RUN_WHOLE;
}

static void replay__free(struct source *source)
{
	struct replay *r = (struct replay *)source;

	counts__free(&r->row);
	counts__free(&r->sum);
	free(r);
}

struct source *replay__new(struct run *run)
{
	struct replay *r = xcalloc(1, sizeof(*r));

	*r = (struct replay){
		.source = {.next = replay__next,
			   .free = replay__free,
			   .recording = recording_of(run)},
		.run = run,
		.recording = recording_of(run),
	};
	return &r->source;
}
