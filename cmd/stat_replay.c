// SPDX-License-Identifier: GPL-2.0-only
/*
 * "tma stat report" takes a recording instead of counting: this finds what is computed of it, and
 * gives its rows.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "cpu_name.h"
#include "machine/machine.h"
#include "progress.h"
#include "stat.h"

#define NS_PER_S 1e9
#define MOST_MODELS 6 /* are named by a verdict */

/**
 * struct replay - rows of a recording
 * @fd:     of the recording, which comes through a pipe: @from_pipe; @name: what it is called
 * @asked:  the options, with the metrics that the recording was made with where none are asked for
 * @implied: it has such
 * @cpuid:  of --cpuid, whatever it was called there
 * @hint:   what a verdict says of the CPU
 * @row, @sum: counts of a row, and of all of them
 * @total:  their times
 * @opened, @over: what was begun, and ended; @rows: how many were read, the last
 *          of which ends at @last_ns; @taken: how many --time takes
 */
struct replay {
	struct source source;
	struct stat_run *run;
	struct stat_options asked;
	int fd;
	const char *name;
	struct sb cpuid, hint;
	bool from_pipe, opened, over, implied;
	uint64_t last_ns;
	struct counts row, sum;
	struct row_time total;
	int rows, taken;
	struct progress progress;
};

static int open_input(struct replay *r, struct err *err)
{
	const struct stat_options *o = r->run->o;
	struct recording_options opts = {
		.separator = o->format.separator,
		.smt = o->smt,
		.core_wide = o->core_wide,
	};
	const char *name = o->input_name;
	int rc = o->cpuid ? cpu_name__read(o->cpuid, &r->cpuid, err) : 0;

	if (rc)
		return rc;
	opts.cpuid = o->cpuid ? sb__str(&r->cpuid) : NULL;
	if (!name || !*name)
		name = stat__is_pipe(STDIN_FILENO) ? "-" : RECORD_DEFAULT_NAME;
	if (!strcmp(name, "-")) {
		name = "standard input";
		r->fd = dup(STDIN_FILENO);
	} else {
		r->fd = open(name, O_RDONLY | O_CLOEXEC);
	}
	if (r->fd < 0) {
		rc = err__set(err, errno, "cannot open %s: %s", name, strerror(errno));
		if (!o->input_name && stat__is_file(STDIN_FILENO))
			err__append(err,
				    " (standard input is a file: 'tma stat report -' reads it)");
		return rc;
	}
	r->from_pipe = stat__is_pipe(r->fd);
	r->name = name;
	return recording__open(r->fd, name, &opts, &r->source.recording, err);
}

/*
 * Print what the run printed that was recorded. A verdict is on the tree, as deep as that was
 * counted.
 */
static void take_recorded_metrics(struct replay *r)
{
	const struct stat_options *o = r->run->o;
	const struct recording_info *info = recording__info(r->source.recording);
	struct stat_options *asked = &r->asked;

	if (as_perf() || o->topdown_set || o->metrics.len || o->judged)
		return;
	*asked = *o;
	asked->metrics = (struct sb)SB_INIT;
	stat_options__take_over(asked, info->words, info->nr_words);
	if (o->topdown) {
		sb__free(&asked->metrics);
		asked->td_level = o->td_level ?: asked->td_level;
	}
	if (!asked->topdown && !asked->metrics.len)
		return;
	asked->report.topdown = asked->plan.topdown = asked->topdown;
	asked->format.metric_only |= asked->topdown && !o->metric_only_set;
	r->run->report.topdown = asked->topdown;
	r->run->format.metric_only = asked->format.metric_only;
	r->run->o = asked;
	r->implied = !o->topdown;
}

static int check_time(const struct replay *r, struct err *err)
{
	if (!r->run->o->time_text || recording__info(r->source.recording)->interval)
		return 0;
	return err__set(err, EINVAL,
			"--time needs counts taken with -I, and these are of a whole run");
}

/* Take from this machine what the recording does not say, and tell the user. */
static int borrow(struct recording *recording, bool cpuid, bool places, struct err *err)
{
	struct machine *here = NULL;
	int rc = 0;

	if (cpuid || places)
		here = machine__new();
	if (cpuid) {
		recording__set_cpuid(recording, here->cpuid);
		say("the counts do not say which CPU they are from: metrics of this one, %s, are "
		    "used (--cpuid names another)",
		    *here->cpuid ? here->cpuid : "which is unknown");
	}
	if (places) {
		rc = recording__borrow_places(recording, here, err);
		if (!rc)
			say("the counts do not include the CPU topology: that of this machine is "
			    "used");
	}
	machine__free(here);
	return rc;
}

/*
 * Choose what rows stand for: what was asked for, or what they stood for when they were recorded.
 */
static int choose_rows(struct replay *r, struct err *err)
{
	const struct stat_options *o = r->run->o;
	const struct recording_info *info = recording__info(r->source.recording);
	struct report_options *opts = &r->run->report;
	int rc;

	if (!o->rows_asked && !o->global) {
		opts->aggr = info->aggr;
		opts->cache_level = info->cache_level;
		opts->no_merge = opts->aggr == AGGR_NONE;
	}
	opts->latency_mode = info->latency_mode;
	opts->recorded = true;
	r->run->interval = info->interval;
	rc = recording__can_tell(r->source.recording, opts->aggr, err);
	if (rc < 0)
		return rc;
	r->run->cpuid_borrowed = (o->metrics.len || o->topdown) && !*info->cpuid;
	return borrow(r->source.recording, r->run->cpuid_borrowed, rc == 1, err);
}

/* A metric may fail since the CPU is another than this one: which may it be? */
static void append_fitting(const struct replay *r, struct err *err)
{
	const struct event_list *planned = &r->run->plan->events;
	const struct event_list *events = planned->nr ? planned
						      : recording__events(r->source.recording);
	auto_free(sb) names = SB_INIT;
	int nr = cpu_name__fitting(events, &names);

	if (nr)
		err__append(err,
			    "\n"
			    "If %s is from another CPU, name it with --cpuid NAME. Most of its "
			    "events, %d of %d, are in the tables of:%s",
			    r->name, nr, events->nr, sb__str(&names));
}

/* Append what one line says of doubts about the CPU: the file's own word, and its events. */
static void tell_doubts(const struct replay *r, struct err *err)
{
	const struct stat_run *run = r->run;
	const struct recording_info *info = recording__info(r->source.recording);
	const struct event_list *planned = &run->plan->events;
	auto_free(sb) doubt = SB_INIT;
	struct tables *said = NULL;

	if (run->o->cpuid && *info->said_cpuid)
		said = tables__find(info->said_cpuid);
	if (said && run->host.tables &&
	    strcmp(tables__model(said), tables__model(run->host.tables)))
		sb__printf(&doubt, "%s says that its CPU is %s (%s), and not %s", r->name,
			   info->said_cpuid, tables__model(said), tables__model(run->host.tables));
	tables__free(said);
	if (tables__name_cpu(run->host.tables) && (run->o->metrics.len || run->o->topdown)) {
		auto_free(sb) events = SB_INIT;

		if (cpu_name__doubt(run->host.tables,
				    planned->nr ? planned : recording__events(r->source.recording),
				    &events))
			sb__printf(&doubt, "%s%s", doubt.len ? "; " : "", sb__str(&events));
	}
	if (!doubt.len)
		return;
	if (err)
		err__append(err, "\n%s", sb__str(&doubt));
	else
		say("%s", sb__str(&doubt));
}

/* What a verdict says where counts may be of another CPU than this machine's. */
static const char *make_hint(struct replay *r)
{
	auto_free(sb) names = SB_INIT;
	int nr = 0, len;

	if (!r->run->cpuid_borrowed || !r->run->report.verdict)
		return NULL;
	cpu_name__fitting(&r->run->plan->events, &names);
	sb__puts(&r->hint, "if the counts are not of this machine's CPU: --cpuid NAME");
	text__for_each_item(name, len, sb__str(&names), " ")
	{
		if (nr++ >= MOST_MODELS)
			continue;
		sb__puts(&r->hint, nr > 1 ? ", " : "; by their events it may be ");
		sb__add(&r->hint, name, len);
	}
	if (nr > MOST_MODELS)
		sb__printf(&r->hint, " or one of %d more", nr - MOST_MODELS);
	return sb__str(&r->hint);
}

/*
 * A page of a recording has the tree, unasked, as far as there are events for it; nothing is said
 * of what is missing, and without any the events stand alone.
 */
static int bind_tree(struct replay *r, struct err *err)
{
	struct stat_run *run = r->run;
	auto_free(sb) names = SB_INIT;
	const char *prefix = "";
	int levels = 0, rc;

	if (run->host.tables)
		levels = metrics__topdown_levels(run->host.tables, NULL, &prefix);
	for (int i = 1; i <= levels; i++)
		sb__printf(&names, "%s%s%d", i > 1 ? "," : "", prefix, i);
	rc = recording__bind(r->source.recording, run->plan, &run->metrics,
			     levels ? sb__str(&names) : NULL, false, NULL);
	sb__clear(&run->plan->warnings);
	return rc ? plan__finish(run->plan, err) : 0;
}

/*
 * Metrics that nobody asked for here, and that cannot be computed, are no failure: the events are
 * there.
 */
static int bind_events_alone(struct replay *r, struct err *err)
{
	struct stat_run *run = r->run;
	struct stat_options *asked = &r->asked;

	say("the metrics that %s was recorded with are left out: %s", r->name, err->msg);
	*err = (struct err)ERR_INIT;
	sb__clear(&asked->metrics);
	asked->topdown = asked->report.topdown = asked->plan.topdown = run->report.topdown = false;
	asked->format.metric_only &= asked->metric_only_set;
	run->format.metric_only = asked->format.metric_only;
	sb__clear(&run->plan->warnings);
	return recording__bind(r->source.recording, run->plan, &run->metrics, NULL, false, err);
}

static bool wants_tree(const struct replay *r)
{
	const struct stat_options *o = r->run->o;

	return o->judged && !o->metrics.len && !o->topdown &&
	       *recording__info(r->source.recording)->cpuid;
}

static int make_plan(struct replay *r, struct err *err)
{
	struct stat_run *run = r->run;
	const struct stat_options *o = run->o;
	struct machine *machine = recording__machine(r->source.recording);
	auto_free(sb) names = SB_INIT;
	bool tree = wants_tree(r);
	int rc = 0;

	if (o->metrics.len || o->topdown || tree)
		rc = host__load_for(&run->host, machine, err);
	run->host.machine = machine;
	run->metrics = (struct metrics_scope){
		.machine = machine,
		.tables = run->host.tables,
		.system_wide = recording__info(r->source.recording)->per_cpu,
		.target_cpu = recording__info(r->source.recording)->per_cpu,
		.told = &o->told,
		.no_threshold = o->no_threshold,
		.has_event = recording__has_event,
		.arg = r->source.recording,
	};
	run->plan = plan__new(&run->metrics);
	run->plan->wholes = writer__wants(&run->format) & WANT_SLOTS;
	/* The metrics of -M and --topdown are bound to the events together. */
	if (!rc)
		stat_metrics__names(run, &names);
	if (!rc && o->topdown) {
		sb__puts(&names, names.len ? "," : "");
		rc = stat_metrics__topdown(run, &names, err);
	}
	if (!rc && tree)
		rc = bind_tree(r, err);
	else if (!rc)
		rc = recording__bind(r->source.recording, run->plan, &run->metrics,
				     names.len ? names.buf : NULL, o->topdown, err);
	if (rc && r->implied)
		rc = bind_events_alone(r, err);
	if (rc && run->cpuid_borrowed)
		append_fitting(r, err);
	else
		tell_doubts(r, rc ? err : NULL);
	if (!rc)
		run->report.hint = make_hint(r);
	return rc;
}

/* perf does not read the command line from a pipe, and its scripts look for the word. */
static char *heading(const struct replay *r)
{
	const char *command = recording__info(r->source.recording)->command;
	struct sb sb = SB_INIT;

	sb__printf(&sb, "'%s'", as_perf() && r->from_pipe ? "pipe" : command);
	return sb__detach(&sb);
}

/* --- Rows --------------------------------------------------------------- */

/* Say that the end of a text is missing, or may be. */
static void tell_end(const struct replay *r)
{
	static const char *const words[] = {
		[END_ROW_LEFT_OUT] = "its last row is truncated, and is ignored",
		[END_ROW_TAKEN] = "its last row has no end of line: it is read as it is",
		[END_BEFORE_LENGTH] = "it ends before 'seconds time elapsed': rows may be missing",
	};
	const struct recording_info *info = recording__info(r->source.recording);
	enum recording_end end = info->end;

	if (info->nr_odd)
		say("%s: %d line%s cannot be read as counts and %s left out; the first is line %d",
		    r->name, info->nr_odd, info->nr_odd > 1 ? "s" : "",
		    info->nr_odd > 1 ? "are" : "is", info->odd_line);
	if (end != END_WHOLE)
		say("%s: %s", r->name, words[end]);
}

/* Say that the values of metrics in a text are not those that are printed. */
static void tell_untaken(const struct replay *r)
{
	const struct stat_options *o = r->run->o;
	auto_free(sb) line = SB_INIT;

	if (o->quiet || as_perf() || !format__is(o->format.format, FORMAT_TEXT))
		return;
	recording__tell_untaken(r->source.recording, r->run->plan, &line);
	if (line.len)
		say("%s", sb__str(&line));
}

static int open_rows(struct replay *r)
{
	if (recording__info(r->source.recording)->unfinished)
		say("the recording is incomplete: it is reported as far as it goes");
	tell_end(r);
	tell_untaken(r);
	recording__counts(r->source.recording, &r->row);
	recording__counts(r->source.recording, &r->sum);
	r->opened = true;
	return SOURCE_OPENED;
}

static bool is_wanted(const struct replay *r, const struct recorded_row *row)
{
	const struct stat_options *o = r->run->o;

	return !o->time_text ||
	       (row->since_start_ns > o->from_ns && row->since_start_ns <= o->to_ns);
}

static int take_row(struct replay *r, const struct recorded_row *recorded, struct source_row *row)
{
	uint64_t interval_ns = recording__info(r->source.recording)->interval_ns;

	*row = (struct source_row){
		.counts = &r->row,
		.time.since_start_ns = recorded->since_start_ns,
		.time.elapsed_ns = recorded->elapsed_ns,
	};
	/* Rows of perf come later and later: one that is no longer than an interval is no gap. */
	if (recorded->elapsed_ns >= 2 * interval_ns)
		row->time.missed =
			stat__missed_rows(recorded->since_start_ns - recorded->elapsed_ns,
					  recorded->since_start_ns, interval_ns);
	if (r->run->o->summary || r->run->report.verdict)
		recording__sum(r->source.recording, &r->row, &r->sum);
	r->total.elapsed_ns += recorded->elapsed_ns;
	r->total.since_start_ns = recorded->since_start_ns;
	return SOURCE_ROW;
}

/*
 * Whoever was given counts wants to know what they mean: behind a table of other people's, what to
 * type for it.
 */
static void tell_next(const struct replay *r)
{
	const struct stat_options *o = r->run->o;
	const struct recording_info *info = recording__info(r->source.recording);
	auto_free(sb) names = SB_INIT;
	const struct event_list *events = &r->run->plan->events;

	if (!info->text || o->metrics.len || o->topdown || o->quiet || as_perf() ||
	    !format__is(o->format.format, FORMAT_TEXT))
		return;
	/* Looking at the tables of every model takes long. */
	if (*info->cpuid ? !cpu_name__has_events(info->cpuid, events)
			 : !cpu_name__fitting(events, &names))
		return;
	if (o->cpuid || *info->cpuid)
		say("their bottleneck: tma stat report --verdict%s%s %s",
		    o->cpuid ? " --cpuid " : "", o->cpuid ? o->cpuid : "", r->name);
	else
		say("their bottleneck: tma stat report --verdict --cpuid NAME %s, where NAME is, "
		    "by these "
		    "events, one of%s",
		    r->name, sb__str(&names));
}

/* Rows on a terminal show how far it is. */
static void show_progress(struct replay *r)
{
	const struct stat_run *run = r->run;

	if (!run->o->quiet && (run->taker || !isatty(fileno(run->out))))
		progress__tick(&r->progress, recording__share(r->source.recording), "reading",
			       r->name);
}

static int replay__next(struct source *source, struct source_row *row, struct err *err)
{
	struct replay *r = (struct replay *)source;
	struct recorded_row recorded;
	int rc;

	if (!r->opened)
		return open_rows(r);
	if (r->over) {
		tell_next(r);
		return SOURCE_END;
	}
	while ((rc = recording__next(source->recording, &r->row, &recorded, err)) > 0) {
		show_progress(r);
		r->rows++;
		r->last_ns = recorded.since_start_ns;
		if (!is_wanted(r, &recorded))
			continue;
		r->taken++;
		return take_row(r, &recorded, row);
	}
	if (!rc && !r->rows)
		rc = err__set(err, EINVAL, "the recording has no complete row of counts");
	else if (!rc && !r->taken)
		rc = err__set(err, EINVAL, "--time: no row ends in %s: the last one ends at %.3f",
			      r->run->o->time_text, r->last_ns / NS_PER_S);
	r->over = true;
	*row = (struct source_row){ .counts = &r->sum, .time = r->total };
	return rc ?: SOURCE_WHOLE;
}

static void replay__free(struct source *source)
{
	struct replay *r = (struct replay *)source;

	counts__free(&r->row);
	counts__free(&r->sum);
	/* The machine belongs to the recording. */
	r->run->host.machine = NULL;
	recording__free(source->recording);
	if (r->fd >= 0)
		close(r->fd);
	sb__free(&r->cpuid);
	sb__free(&r->hint);
	if (r->run->o == &r->asked)
		sb__free(&r->asked.metrics);
	free(r);
}

int stat_replay(struct stat_run *run, struct source **source, struct err *err)
{
	struct replay *r = xcalloc(1, sizeof(*r));
	int rc;

	*r = (struct replay){
		.source = { .next = replay__next, .free = replay__free },
		.run = run,
		.fd = -1,
	};
	*source = &r->source;
	progress__begin(&r->progress);
	rc = open_input(r, err);
	if (!rc)
		take_recorded_metrics(r);
	rc = rc ?: check_time(r, err) ?: choose_rows(r, err) ?: make_plan(r, err);
	rc = rc ?: stat_metrics__check(run, err);
	if (rc)
		return rc;
	run->format.head = run->head = heading(r);
	return stat_options__check_path(run->o, run->interval, err);
}
