// SPDX-License-Identifier: GPL-2.0-only
/* The run: open, start, wait, read, print; the ends of it. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd.h"
#include "passes.h"
#include "retire_latency.h"
#include "stat.h"

#define FIRST_SLICE_NS 10000000
#define LEAST_SLICE_NS 1000000
#define NOTE_PERCENT 3 /* what passes may differ by without a word */

/**
 * struct run - a run under way
 * @host:   where it runs
 * @report, @recorder: made with the first run, for all of them
 * @now, @before: counts since the start, at the end of this row and of the last one
 * @row:  the difference, or the whole run
 * @last_ns: end of the last row since the start
 * @pass: of --passes, which; @passes: those of this turn of -r
 * @counted: something was, in any pass
 * @ended: the command failed, or a signal came: this is the last of them
 * @losses: of samples, in all runs of several
 */
struct run {
	struct stat_options *o;
	struct host *host;
	struct plan *plan;
	struct session *session;
	struct report *report;
	struct recorder *recorder;
	FILE *out;
	struct counts now, before, row;
	uint64_t last_ns;
	struct passes passes;
	int pass;
	bool counted, ended;
	struct latency_losses losses;
};

/* The tables have a value that stands for a latency which is not measured. */
static bool has_vendor_latency(const struct event *e)
{
	return e->retire_latency && e->vendor_latency.mean;
}

static void say_no_latency(const struct event *e)
{
	say("%s: a latency (:R) is sampled, not counted; %s, and the tables do not have it", e->name,
	    e->pmu && pmu__samples_latencies(e->pmu) ? "--record-tpebs was not given"
						     : "this CPU does not measure it");
}

/*
 * Why an event that has no counts has none: of those that metrics need or that are to be sampled.
 * Of all others -v tells it below the rows of text, and here for CSV; other formats always do.
 */
static void say_refused(const struct run *r)
{
	bool tells_all = r->o->verbose && r->o->report.format == REPORT_CSV;

	for (int i = 0; i < r->plan->events.nr; i++) {
		const struct event *e = r->plan->events.at[i];
		const char *why = session__refusal(r->session, i);

		if (r->o->passes && !sets__has(r->o->count.sets, r->pass, i))
			continue;
		/* Metrics of other core types than those of -C. */
		if (session__per_cpu(r->session) && !session__cpus(r->session, i)->nr)
			continue;
		/* One line has told of all that need whole CPUs. */
		if (session__needs_whole_cpus(r->session, i))
			continue;
		/* What stands for a latency that is not measured is said behind the rows. */
		if (e->retire_latency && !e->sampled) {
			if (!has_vendor_latency(e))
				say_no_latency(e);
			continue;
		}
		if (why && (tells_all || e->sampled || (e->from_metric && !e->default_group)))
			say("%s: not supported: %s", e->name, why);
	}
}

/* On which core types the tasks ran: what is counted of each is of that part of their time. */
void stat_say_shares(const struct stat_options *o, const struct report *report)
{
	struct sb shares = SB_INIT;

	/* Machine formats have it in their fields. */
	if (o->report.format == REPORT_TEXT)
		report__shares(report, &shares);
	if (shares.len)
		say("%s", sb__str(&shares));
	sb__free(&shares);
}

void stat_say_starved(const struct stat_options *o, const struct report *report)
{
	int nr = report__starved(report);

	if (o->report.format == REPORT_TEXT && nr)
		say("%d event%s had no turn on the counters%s: metrics made of %s have no value (nan); "
		    "count for longer, or fewer metrics at once", nr, nr > 1 ? "s" : "",
		    o->report.interval ? " in some rows" : "", nr > 1 ? "them" : "it");
}

/*
 * Of a CPU that is offline at the start it is not known where it is, a recording has the CPUs of
 * its start, and how a rate varies is seen in all of a row.
 */
static bool takes_newcomers(const struct stat_options *o)
{
	return o->target.system_wide && o->verb != STAT_RECORD && !o->report.turns &&
	       (o->report.aggr == AGGR_GLOBAL || o->report.aggr == AGGR_NONE);
}

static int run__open(struct run *r, bool first, struct err *err)
{
	const struct stat_options *o = r->o;
	const char *warnings;
	int rc;

	r->last_ns = 0;
	r->o->count.newcomers = takes_newcomers(o);
	rc = session__new(r->host->machine, &r->plan->events, &o->target, &o->count, &r->session,
			  err);
	if (!rc)
		rc = session__open(r->session, err);
	if (rc)
		return rc;
	/* Those of all runs are the same. */
	warnings = session__warnings(r->session);
	if (first) {
		say_lines(warnings);
		say_refused(r);
	}
	if (counts__init(&r->now, r->session) || counts__init(&r->before, r->session) ||
	    counts__init(&r->row, r->session))
		return err__set(err, ENOMEM, "out of memory");
	if (r->report)
		report__take_refusals(r->report, r->session);
	if (r->report || !first)
		return 0;
	rc = stat_record__start(o, r->host->machine, r->session, &r->plan->events, &r->recorder,
				err);
	if (rc)
		return rc;
	return report__new(r->host->machine, r->plan, r->session, &o->report, r->out, &r->report,
			   err);
}

static void run__close(struct run *r)
{
	counts__free(&r->now);
	counts__free(&r->before);
	counts__free(&r->row);
	session__free(r->session);
	r->session = NULL;
}

static void read_counts(struct run *r)
{
	session__read(r->session, &r->now);
	say_lines(session__warnings(r->session));
}

/* One row of -I: what came since the last one, over the time that really went by. */
static int print_interval(struct run *r, struct err *err)
{
	struct report_time time = { 0 };
	struct counts swap;
	int rc;

	read_counts(r);
	time.since_start_ns = r->now.time_ns;
	time.elapsed_ns = r->now.time_ns - r->last_ns;
	counts__delta(&r->now, &r->before, &r->plan->events, &r->row);
	/* The verdict is of all rows: the error of each is not wanted for it. */
	r->row.slices = r->o->report.error ? session__slices(r->session, false) : NULL;
	rc = stat_record__round(r->recorder, &r->now, false, err);
	if (!rc && !r->o->no_print)
		rc = report__print(r->report, &r->row, &time, err);

	session__end_row(r->session);
	r->last_ns = r->now.time_ns;
	swap = r->before;
	r->before = r->now;
	r->now = swap;
	return rc;
}

/* Wait, obeying what comes in meanwhile. @changed: NULL, or set when counters start or stop. */
static enum wait_result wait_until(struct run *r, uint64_t deadline_ns, bool *changed)
{
	enum wait_result why;

	while ((why = session__wait(r->session, deadline_ns)) == WAIT_CONTROL) {
		switch (control__run(&r->o->control, r->session, &r->plan->events)) {
		case CONTROL_STOP:
			return WAIT_CONTROL;
		case CONTROL_CLOSED:
			session__close_control(r->session);
			break;
		case CONTROL_CHANGED:
			if (changed) {
				*changed = true;
				return WAIT_DEADLINE;
			}
			break;
		case CONTROL_DONE:
			break;
		}
	}
	return why;
}

static int run_intervals(struct run *r, struct err *err)
{
	const uint64_t interval_ns = r->o->interval_ms * 1000000;
	const uint64_t last_row = r->o->interval_count ? r->o->interval_count : UINT64_MAX;
	uint64_t rows = 0, turn = 1;
	enum wait_result why = WAIT_DEADLINE;
	int rc = 0;

	while (!rc && why == WAIT_DEADLINE && rows < last_row) {
		bool changed = false;

		why = wait_until(r, turn * interval_ns, &changed);
		rc = print_interval(r, err);
		rows += !changed;
		/* Deadlines are absolute; one that has passed is skipped, not made up for. */
		turn = r->last_ns / interval_ns + 1;
	}
	return rc;
}

/* They differ where the command does not do the same each time: metrics over passes are off. */
static void say_not_repeatable(const struct run *r)
{
	int least = 0, most = 0, event;
	double percent;

	event = passes__compare(&r->passes, &r->plan->events, &percent, &least, &most);
	if (event >= 0 && percent > NOTE_PERCENT)
		say("%s is %.0f %% more in pass %d than in pass %d: the command does not do the same"
		    " in each, and metrics with events of several passes are off by as much",
		    r->plan->events.at[event]->name, percent, most + 1, least + 1);
}

static int print_counts(struct run *r, const struct counts *counts, const struct report_time *time,
			struct err *err)
{
	if (r->o->report.runs)
		return report__add_run(r->report, r->session, counts, time, err);
	if (r->o->interval_ms)
		return report__print_total(r->report, counts, time, err);
	return report__print(r->report, counts, time, err);
}

static bool is_last_pass(const struct run *r)
{
	return !r->o->passes || r->ended || r->pass + 1 == r->o->count.sets->nr;
}

/* The last pass prints what all of them counted. */
static int add_pass(struct run *r, const struct report_time *time, struct err *err)
{
	int rc = passes__add(&r->passes, r->pass, r->session, &r->now, time, err);

	if (rc || !is_last_pass(r))
		return rc;
	passes__finish(&r->passes);
	rc = print_counts(r, &r->passes.sum, &r->passes.time, err);
	if (!rc)
		say_not_repeatable(r);
	return rc;
}

/* Of all that was counted: of all passes, or of the run with its intervals. */
static int print_verdict(struct run *r, struct err *err)
{
	const struct report_time time = { .since_start_ns = r->now.time_ns,
					  .elapsed_ns = r->now.time_ns };
	int least, most;
	double percent;

	if (!r->o->report.verdict || r->o->no_print || !is_last_pass(r))
		return 0;
	if (r->o->passes) {
		if (passes__compare(&r->passes, &r->plan->events, &percent, &least, &most) >= 0)
			r->passes.time.pass_spread = percent / 100;
		return stat_verdict__print(r->o, r->report, &r->passes.sum, &r->passes.time, err);
	}
	r->now.slices = session__slices(r->session, r->o->interval_ms);
	return stat_verdict__print(r->o, r->report, &r->now, &time, err);
}

/* The counts of the run: alone, behind its intervals, or one of several. */
static int print_summary(struct run *r, struct err *err)
{
	const struct target *t = &r->o->target;
	const struct report_time time = {
		.since_start_ns = r->now.time_ns,
		.elapsed_ns = r->now.time_ns,
		.user_ns = r->now.user_ns,
		.system_ns = r->now.system_ns,
		.has_cpu_time = t->argv && !target__per_cpu(t) && !target__has_tasks(t),
	};
	int rc = 0;

	if (!r->o->interval_ms)
		rc = stat_record__round(r->recorder, &r->now, true, err);
	if (rc || r->o->no_print)
		return rc;
	r->now.slices = session__slices(r->session, r->o->interval_ms);
	return r->o->passes ? add_pass(r, &time, err) : print_counts(r, &r->now, &time, err);
}

/* The workload's status as a shell would have it; @sent is the signal tma ended it with. */
static int workload_status(const struct run *r, int status, int sent)
{
	const char *name;

	if (!r->o->target.argv)
		return 0;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (WTERMSIG(status) == sent)
		return 0;
	name = sigabbrev_np(WTERMSIG(status)); /* real-time signals have none */
	if (name)
		say("'%s' was killed by SIG%s", r->o->target.argv[0], name);
	else
		say("'%s' was killed by signal %d", r->o->target.argv[0], WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

/* A table without a single count is no success, even if the command was one. */
static bool counted_nothing(const struct run *r)
{
	if (r->o->null)
		return false;
	for (int i = 0; i < r->plan->events.nr; i++)
		if (session__supported(r->session, i) ||
		    has_vendor_latency(r->plan->events.at[i]))
			return false;
	return true;
}

/* What stands for all: the first event's reason. */
static void say_nothing_counted(const struct run *r)
{
	const char *why = r->plan->events.nr ? session__refusal(r->session, 0) : NULL;

	say("none of the events could be counted here, so nothing was counted%s%s%s%s",
	    why ? "\n" : "", why ? r->plan->events.at[0]->name : "", why ? ": " : "",
	    why ? why : "");
}

static int run__finish(struct run *r, int signo, bool timed_out, int *status, struct err *err)
{
	int wait_status = 0, sent = signo ? signo : timed_out ? SIGTERM : 0, rc = 0;
	bool summary = !r->o->interval_ms || r->o->summary;

	/* Stopped before it is read, so that no counter ran longer than the clock says. */
	session__stop(r->session);
	/* Without a summary as well: there may be something to be said of all of it. */
	read_counts(r);
	/* perf waits for a command that outlives --interval-count; so does this. */
	session__reap(r->session, sent, &wait_status, &r->now);
	r->ended = wait_status || signo;
	if (summary)
		rc = print_summary(r, err);
	if (!rc)
		rc = print_verdict(r, err);
	*status = workload_status(r, wait_status, sent);
	if (!*status && session__unread(r->session))
		*status = STATUS_FAILED;
	/* Scripts try with perf whether an event can be named, and take 0 for yes. */
	r->counted = (r->pass && r->counted) || !counted_nothing(r);
	if (!*status && !r->counted && is_last_pass(r) && !as_perf()) {
		say_nothing_counted(r);
		*status = STATUS_FAILED;
	}
	return rc;
}

static int run__count(struct run *r, int *status, int *signo, struct err *err)
{
	const struct stat_options *o = r->o;
	enum wait_result why = WAIT_DEADLINE;
	int rc, end_rc, end_signal;

	if (o->delay_ms)
		say_lines("Events disabled\n");
	rc = session__start(r->session, err);
	if (!rc && o->delay_ms > 0)
		say_lines("Events enabled\n");
	if (rc) {
		*status = rc == -ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
		return rc;
	}
	if (counted_nothing(r) && !o->target.argv) {
		/* There is nothing to wait for. */
		why = WAIT_EXITED;
		if (o->interval_ms)
			rc = print_interval(r, err);
	} else if (o->interval_ms) {
		rc = run_intervals(r, err);
	} else {
		why = wait_until(r, o->timeout_ms ? o->timeout_ms * 1000000 : UINT64_MAX, NULL);
	}
	*signo = session__signal();
	end_signal = *signo ? *signo : rc || why == WAIT_CONTROL ? SIGTERM : 0;
	end_rc = run__finish(r, end_signal,
			     o->timeout_ms && why == WAIT_DEADLINE, status, rc ? NULL : err);
	return rc ? rc : end_rc;
}

/* --pre and --post; a command that fails ends the runs. */
static int run_hook(const char *option, const char *command, struct err *err)
{
	int status;

	if (!command)
		return 0;
	status = system(command);
	if (!status)
		return 0;
	if (status < 0)
		return err__set(err, errno, "%s '%s': %s", option, command, strerror(errno));
	if (WIFEXITED(status))
		return err__set(err, ECANCELED, "%s '%s' ended with status %d", option, command,
				WEXITSTATUS(status));
	return err__set(err, ECANCELED, "%s '%s' was killed by signal %d", option, command,
			WTERMSIG(status));
}

static int run_once(struct run *r, bool first, int *status, int *signo, struct err *err)
{
	int rc = run_hook("--pre", r->o->pre, err);

	if (rc)
		return rc;
	if (r->o->sync)
		sync();
	rc = run__open(r, first, err);
	if (!rc)
		rc = run__count(r, status, signo, err);
	run__close(r);
	return rc ? rc : run_hook("--post", r->o->post, err);
}

/* Reads in between show how rates vary from turn to turn. */
static void choose_reads(struct stat_options *o)
{
	uint64_t step_ns = o->interval_ms * 1000000 / SLICES_MAX;

	o->count.read_topdown = o->plan.grouping == PLAN_BY_COUNTERS;
	/* In passes and in turns of tma's own, nothing is read in between. */
	o->report.turns |= o->report.error || (o->report.verdict && !o->passes && !o->rotate);
	if (!o->report.turns)
		return;
	if (!o->interval_ms)
		step_ns = FIRST_SLICE_NS;
	o->count.slices.step_ns = step_ns > LEAST_SLICE_NS ? step_ns : LEAST_SLICE_NS;
	o->count.slices.of_run = o->interval_ms && (o->summary || o->report.verdict);
}

/* Once; with --passes, once for each set of groups, until the command fails. */
static int run_all(struct run *r, bool first, int *status, int *signo, struct err *err)
{
	int nr = r->o->passes ? r->o->count.sets->nr : 1, rc = 0;

	for (r->pass = 0; r->pass < nr && !rc && !*signo && !*status; r->pass++) {
		if (r->o->passes) {
			r->o->count.set = r->pass;
			if (r->o->verbose)
				say("pass %d", r->pass + 1);
		}
		rc = run_once(r, first, status, signo, err);
	}
	return rc;
}

static void say_losses(const struct run *r)
{
	struct sb sb = SB_INIT;

	latency_losses__print(&r->losses, &sb);
	say_lines(sb__str(&sb));
	sb__free(&sb);
}

int stat_run(struct stat_options *o, struct host *host, struct plan *plan, FILE *out, int *status,
	     int *signo, struct err *err)
{
	struct run r = {
		.o = o,
		.host = host,
		.plan = plan,
		.out = out,
		.passes.sets = o->count.sets,
	};
	uint64_t done = 0;
	int rc;

	o->report.latency_mode = o->count.latency.mode;
	choose_reads(o);
	if (o->repeat != 1 || o->passes)
		o->count.latency.losses = &r.losses;
	do {
		if (o->repeat != 1 && o->verbose)
			say("run %" PRIu64, done + 1);
		if (!o->passes)
			*status = 0;
		rc = run_all(&r, !done, status, signo, err);
		done++;
	} while (!rc && !*signo && (!o->passes || !*status) && (!o->repeat || done < o->repeat));
	o->count.latency.losses = NULL;
	say_losses(&r);
	if (!rc && o->report.runs)
		rc = report__print_runs(r.report, err);
	if (!rc && r.report && !o->no_print) {
		retire_latency__say_assumed(plan, r.report, true);
		stat_topdown__say_turns(o, host, plan, r.report);
		stat_say_starved(o, r.report);
		stat_say_shares(o, r.report);
	}
	if (!rc)
		rc = stat_record__finish(r.recorder, err);
	recorder__free(r.recorder);
	passes__free(&r.passes);
	report__free(r.report);
	return rc;
}
