// SPDX-License-Identifier: GPL-2.0-only
/* A source whose rows are counted now, by one session or by several sessions in turn. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "base/xalloc.h"
#include "count/clock.h"
#include "run/internal.h"

/* States, named after what was done last; live__next() has the step that follows each state. */
enum live_state {
	LIVE_NEW,
	LIVE_BEGUN, /* the next run has been chosen */
	LIVE_OPENED,
	LIVE_READY, /* all notes that belong before the start of the session were made */
	LIVE_STARTED,
	LIVE_TAKEN,   /* the row of an interval was taken */
	LIVE_WAITED,  /* the end of the session has come */
	LIVE_HALTED,  /* the counters were stopped and read; the command may go on */
	LIVE_STOPPED, /* the session was stopped; without intervals its row was taken */
	LIVE_WHOLE,   /* the counts of the whole session were taken */
	LIVE_JUDGED,  /* the result of the run is known */
	LIVE_OVER,
};

/**
 * struct live - the runs under way
 * @row, @err: results of the current step
 * @count: options of the session; @target: what is counted, and the command's standard output
 * @now, @before: counts since the start, at the end of this row and of the row before
 * @delta: the difference of @now and @before
 * @last_ns: end of the last row, since the start; @rows: number of rows
 * @end_ns: when the session has to end, since its start
 * @why:  why the last wait ended
 * @wait_status: status of the command; @sent: the signal that was sent to end the command
 * @runs: number of ended runs; @whole_runs: number of complete runs; @passes: passes of the run
 * @counted: at least one event was counted, in any pass
 * @ended: no pass follows, since the command or a read failed, or a signal came
 * @changed: the current row ends where counters were started or stopped
 * @spoiled: the run is incomplete: its command was killed, a counter unread, or a signal came
 * @first_status: the first status of a run that is not 0; or 0
 * @losses: samples that were lost in all runs
 * @command_line: the received part of the next command of --control
 * @taken_apart: groups that starved and were split, so that later runs split them at the start
 */
struct live {
	struct source source;
	struct run *run;
	const struct request *req;
	enum live_state state;
	struct source_row *row;
	struct err *err;
	struct count_options count;
	struct target target;
	struct counts now, before, delta;
	uint64_t last_ns, rows, runs, whole_runs, end_ns;
	enum wait_result why;
	int wait_status, sent;
	struct passes passes;
	bool counted, ended, spoiled, changed;
	int first_status;
	struct latency_losses losses;
	struct control_line command_line;
	bool *taken_apart;
};

static int announce_run(struct live *l)
{
	struct run *run = l->run;
	int set = l->source.set;

	run->about.nr = l->runs;
	run->about.pass = set;
	if (l->req->repeat != 1 && !set)
		tell(run, RUN, NULL, "run %" PRIu64, l->runs + 1);
	if (l->req->passes)
		tell(run, RUN, NULL, "pass %d", set + 1);
	l->state = LIVE_BEGUN;
	return RUN_BEGINS;
}

static int live__begin(struct live *l)
{
	const struct request *req = l->req;
	struct source *s = &l->source;
	struct run *run = l->run;
	int rc = command__open_output(req->command_output, &l->target.output_fd, l->err);

	if (!rc && !session__signal())
		rc = command__run_hook(req->pre_option ?: "--pre", req->pre, l->target.output_fd,
				       l->err);
	if (rc)
		return rc;
	run->outcome.signal = session__signal();
	if (run->outcome.signal) {
		l->state = LIVE_OVER;
		return RUN_END;
	}
	if (req->sync)
		sync();
	l->count.set = s->set;
	run->outcome.status = 0;
	s->repeated = l->runs;
	rc = session__new(run->host->machine, &run->plan->events, &l->target, &l->count,
			  &s->session, l->err)
		     ?: session__open(s->session, l->err);
	if (rc)
		return rc;
	counts__init(&l->now, s->session);
	counts__init(&l->before, s->session);
	counts__init(&l->delta, s->session);
	l->state = LIVE_OPENED;
	return RUN_OPENED;
}

/* Whether nothing was counted: such a run fails even if the command succeeded. */
static bool counted_nothing(const struct live *l)
{
	const struct event_list *events = &l->run->plan->events;

	for (int i = 0; i < events->nr; i++)
		if (session__supported(l->source.session, i) ||
		    run__has_vendor_latency(events->at[i]))
			return false;
	return !l->req->null;
}

/* Return: the time until --timeout or request.end_ns ends the session, in ns. */
static uint64_t end_of_session(const struct live *l)
{
	uint64_t end_ns = l->req->timeout_ms ? l->req->timeout_ms * 1000000 : UINT64_MAX;
	uint64_t limit_ns = l->req->end_ns, now_ns = clock__now_ns();

	if (!limit_ns || (limit_ns > now_ns && limit_ns - now_ns > end_ns))
		return end_ns;
	return limit_ns > now_ns ? limit_ns - now_ns : 1;
}

static bool is_over(const struct live *l)
{
	return l->req->end_ns && clock__now_ns() >= l->req->end_ns;
}

static int announce_start(struct live *l)
{
	if (l->req->delay_ms)
		notes__add_lines(&l->run->notes, NOTE_ENABLED, "Events disabled");
	l->state = LIVE_READY;
	return 0;
}

static void tell_start(struct live *l)
{
	const struct request *req = l->req;
	struct notes *notes = &l->run->notes;

	if (!session__is_too_late(l->source.session))
		notes__add_lines(notes, NOTE_ENABLED, req->delay_ms > 0 ? "Events enabled" : "");
	else if (!session__signal())
		notes__add(notes, NOTE_UNWHOLE, NULL,
			   "the %s ended before the %" PRId64
			   " ms of -D were over: nothing was counted",
			   req->target.argv ? "command" : "task", req->delay_ms);
}

static int live__start(struct live *l)
{
	/* Without a command and without counts, do not wait. */
	bool waits = l->req->target.argv || !counted_nothing(l);
	int rc = session__start(l->source.session, l->err);

	if (rc) {
		if (rc != -ECONNABORTED)
			l->run->outcome.status = rc == -ENOENT ? RUN_NOT_FOUND : RUN_NOT_EXECUTABLE;
		return rc;
	}
	session__leave_alone(settle__outlasts_sigint(l->req) ? SIGINT : 0);
	l->end_ns = end_of_session(l);
	tell_start(l);
	l->why = waits ? WAIT_DEADLINE : WAIT_EXITED;
	l->last_ns = l->rows = 0;
	l->state = LIVE_STARTED;
	return l->req->start_step ? RUN_STARTED : 0;
}

/*
 * Wait until @deadline_ns, and obey commands meanwhile. Return: 0 when the wait is over; RUN_NOTED
 * or RUN_WOKEN if the caller has to act before the wait goes on.
 */
static int wait_until(struct live *l, uint64_t deadline_ns)
{
	struct session *s = l->source.session;
	struct notes *notes = &l->run->notes;
	enum control_result result;

	control__answer(&l->req->control, &l->command_line, l->req->perf, notes);
	while ((l->why = session__wait(s, deadline_ns)) == WAIT_CONTROL) {
		if (l->count.wake_fd) {
			l->why = WAIT_DEADLINE;
			return RUN_WOKEN;
		}
		result = control__run(&l->req->control, &l->command_line, l->req->perf, s,
				      &l->run->plan->events, notes);
		if (result == CONTROL_STOP)
			return 0;
		if (result == CONTROL_CLOSED && !settle__ends_by_itself(l->req))
			return 0;
		if (result == CONTROL_CLOSED)
			session__close_control(s);
		l->changed = result == CONTROL_CHANGED && l->req->interval_ms && !l->req->perf;
		if (!l->changed && !notes->list.nr)
			continue;
		l->why = WAIT_DEADLINE;
		return l->changed ? 0 : RUN_NOTED;
	}
	return 0;
}

/* Make a row of all counts of this session. */
static void live__take_whole(struct live *l, bool of_run)
{
	const struct target *t = &l->run->target;

	l->now.slices = session__slices(l->source.session, of_run);
	*l->row = (struct source_row){
		.counts = &l->now,
		.since_start = &l->now,
		.time =
			{
				.since_start_ns = l->now.time_ns,
				.elapsed_ns = l->now.time_ns,
				.off_ns = l->now.off_ns,
				.user_ns = l->now.user_ns,
				.system_ns = l->now.system_ns,
				.peak_bytes = l->now.peak_bytes,
				.has_cpu_time = t->argv && !target__per_cpu(t) &&
						!target__has_tasks(t),
			},
	};
}

static void tell_warnings(const struct live *l)
{
	run_cgroups__check(l->run, l->now.time_ns);
	notes__add_each(&l->run->notes, NOTE_SESSION, session__warnings(l->source.session));
}

/* Make a row of the counts up to now. The wait goes on with the next step. */
static int take_so_far(struct live *l)
{
	l->why = WAIT_DEADLINE;
	session__read(l->source.session, &l->now);
	tell_warnings(l);
	live__take_whole(l, l->req->interval_ms);
	/* The command's CPU time is unknown until the command ends. */
	l->row->time.has_cpu_time = false;
	return RUN_SO_FAR;
}

static int live__wait_for_end(struct live *l)
{
	int step = l->why == WAIT_DEADLINE ? wait_until(l, l->end_ns) : 0;

	if (step)
		return step;
	if (l->why == WAIT_ASKED)
		return take_so_far(l);
	l->state = LIVE_WAITED;
	return 0;
}

/* Return: the end of the next interval. Ends that have passed are skipped without a row. */
static uint64_t find_deadline(const struct live *l, uint64_t interval_ns)
{
	uint64_t first_ns = l->req->first_ms * 1000000;

	return l->last_ns < first_ns ? first_ns : (l->last_ns / interval_ns + 1) * interval_ns;
}

/* Make a row of the counts since the last row, over the time that really passed. */
static int take_interval(struct live *l)
{
	const uint64_t interval_ns = l->req->interval_ms * 1000000;
	struct session *s = l->source.session;
	int step;

	if (!interval_ns)
		return live__wait_for_end(l);
	step = l->why == WAIT_DEADLINE ? wait_until(l, find_deadline(l, interval_ns)) : 0;
	if (step)
		return step;
	if (l->why == WAIT_ASKED)
		return take_so_far(l);
	session__read(s, &l->now);
	tell_warnings(l);
	counts__delta(&l->now, &l->before, &l->run->plan->events, &l->delta);
	/* A verdict covers all rows, and does not need the errors of each row. */
	if (l->req->error || l->run->report.estimate != ESTIMATE_TIME)
		l->delta.slices = session__slices(s, false);
	*l->row = (struct source_row){
		.counts = &l->delta,
		.since_start = &l->now,
		.time.since_start_ns = l->now.time_ns,
		.time.elapsed_ns = l->now.time_ns - l->last_ns,
		.time.off_ns = l->delta.off_ns,
		.time.missed = source__missed_rows(l->last_ns, l->now.time_ns, interval_ns),
		.time.is_cut = source__is_cut(l->last_ns, l->now.time_ns, interval_ns),
	};
	l->last_ns = l->now.time_ns;
	l->rows += !l->changed;
	l->changed = false;
	l->state = LIVE_TAKEN;
	return RUN_ROW;
}

static int end_interval(struct live *l)
{
	bool is_last = l->req->interval_count && l->rows >= l->req->interval_count;
	struct counts swap = l->before;

	l->before = l->now;
	l->now = swap;
	l->state = l->why == WAIT_DEADLINE && !is_last ? LIVE_STARTED : LIVE_WAITED;
	session__end_row(l->source.session);
	return 0;
}

/* Whether the command was killed at the end of --timeout, which is a regular end. */
static bool was_timed_out(const struct live *l, bool timed_out)
{
	return timed_out && WIFSIGNALED(l->wait_status) && WTERMSIG(l->wait_status) == l->sent;
}

/* Stop counters before they are read, so that no counter runs longer than the clock. */
static int halt_session(struct live *l)
{
	struct session *s = l->source.session;

	session__stop(s);
	/* Read counters even without a summary: notes on the whole run may need the counts. */
	session__read(s, &l->now);
	tell_warnings(l);
	l->state = LIVE_HALTED;
	return 0;
}

static void stop_session(struct live *l, bool failed)
{
	struct session *s = l->source.session;
	bool timed_out = l->end_ns != UINT64_MAX && l->why == WAIT_DEADLINE;
	int signo = session__signal();

	session__leave_alone(0);
	l->run->outcome.signal = signo;
	if (!signo && (failed || l->why == WAIT_CONTROL))
		signo = SIGTERM;
	l->sent = !signo && timed_out ? SIGTERM : signo;
	l->wait_status = 0;
	control__answer(&l->req->control, &l->command_line, l->req->perf, &l->run->notes);
	/* Wait for a command that outlives --interval-count, as perf does. */
	session__reap(s, l->sent, &l->wait_status, &l->now);
	l->run->outcome.exited = signo && l->req->target.argv && WIFEXITED(l->wait_status);
	tell_warnings(l);
	l->ended = (l->wait_status && !was_timed_out(l, timed_out)) || signo ||
		   session__unread(s) || is_over(l);
	l->spoiled |= l->run->outcome.signal || session__unread(s) ||
		      (WIFSIGNALED(l->wait_status) && WTERMSIG(l->wait_status) != l->sent);
	l->state = LIVE_STOPPED;
}

static bool is_last_pass(const struct live *l)
{
	return l->ended || l->source.set + 1 == l->run->sets->nr;
}

/* Add the counts of a pass. After the last pass, the counts of all passes become a row. */
static int take_pass(struct live *l)
{
	int rc = passes__add(&l->passes, l->source.set, l->source.session, l->row, l->err);

	if (rc || !is_last_pass(l))
		return rc;
	passes__finish(&l->passes);
	*l->row = (struct source_row){.counts = &l->passes.sum, .time = l->passes.time};
	return RUN_ROW;
}

/*
 * Whether a run is left out: an incomplete run would distort the mean of several runs. Without a
 * complete run before, a run that a signal or a failed pass ended is kept.
 */
static bool is_left_out(struct live *l)
{
	if (l->req->repeat == 1 || !l->spoiled)
		return false;
	if ((l->run->outcome.signal || (l->req->passes && l->ended)) && !l->whole_runs) {
		tell(l->run, UNWHOLE, NULL, "run %" PRIu64 " was ended early", l->runs + 1);
		return false;
	}
	tell(l->run, UNWHOLE, NULL, "run %" PRIu64 " is incomplete: it is left out of the mean",
	     l->runs + 1);
	return true;
}

static int stop(struct live *l)
{
	int rc;

	stop_session(l, false);
	if (l->req->interval_ms)
		return 0;
	live__take_whole(l, false);
	rc = l->req->passes ? take_pass(l) : RUN_ROW;
	return rc == RUN_ROW && is_left_out(l) ? 0 : rc;
}

/* Note where passes differ: if the command varies, metrics over several passes are inaccurate. */
static int compare_passes(struct live *l)
{
	if (!is_last_pass(l))
		return 0;
	passes__compare(&l->passes, &l->run->plan->events, &l->run->notes);
	*l->row = (struct source_row){.counts = &l->passes.sum, .time = l->passes.time};
	return RUN_WHOLE;
}

static int take_all(struct live *l)
{
	l->state = LIVE_WHOLE;
	if (l->req->passes)
		return compare_passes(l);
	live__take_whole(l, l->req->interval_ms);
	return RUN_WHOLE;
}

/*
 * Choose the next run or pass. With --passes it counts the next set of groups, unless the command
 * failed. A further run of -r begins with the first set.
 */
static void go_on(struct live *l)
{
	const struct run_outcome *outcome = &l->run->outcome;
	struct source *s = &l->source;
	bool all_passes = !l->req->passes || s->set + 1 == l->run->sets->nr;

	l->state = LIVE_NEW;
	s->set = all_passes ? 0 : s->set + 1;
	l->runs += all_passes;
	l->whole_runs += all_passes && !l->spoiled;
	l->spoiled &= !all_passes;
	if (outcome->signal || (l->req->passes && (outcome->status || l->ended)) ||
	    (all_passes && l->req->repeat && l->runs >= l->req->repeat))
		l->state = LIVE_OVER;
}

static void live__judge(struct live *l)
{
	int status = command__status(l->req->target.argv, l->wait_status, l->sent, &l->run->notes);

	if (!status && session__unread(l->source.session))
		status = RUN_FAILED;
	/* Scripts try whether perf knows an event: for perf, a run without counts succeeds. */
	l->counted = (l->source.set && l->counted) || !counted_nothing(l);
	if (!status && !l->counted && (!l->req->passes || is_last_pass(l)) && !l->req->perf) {
		tell__nothing_counted(l->run, l->source.session);
		status = RUN_FAILED;
	}
	if (!status && !l->req->perf && tell__knows_nothing(l->run))
		status = RUN_FAILED;
	l->run->outcome.status = status;
	l->first_status = l->first_status ?: status;
	l->state = LIVE_JUDGED;
}

static int judge_run(struct live *l)
{
	live__judge(l);
	return 0;
}

static int end_session(struct live *l)
{
	if (l->state == LIVE_WHOLE || l->state == LIVE_STOPPED)
		live__judge(l);
	go_on(l);
	counts__free(&l->now);
	counts__free(&l->before);
	counts__free(&l->delta);
	session__free(l->source.session);
	l->source.session = NULL;
	return 0;
}

static int end_run(struct live *l)
{
	int rc = end_session(l)
			 ?: command__run_hook("--post", l->req->post, l->target.output_fd, l->err);

	/* A signal may have come while the command of --post ran. */
	if (l->req->post)
		l->run->outcome.signal = session__signal();
	return rc;
}

static int live__next(struct source *source, struct source_row *row, struct err *err)
{
	static int (*const steps[])(struct live * l) = {
		[LIVE_NEW] = announce_run,	[LIVE_BEGUN] = live__begin,
		[LIVE_OPENED] = announce_start, [LIVE_READY] = live__start,
		[LIVE_STARTED] = take_interval, [LIVE_TAKEN] = end_interval,
		[LIVE_WAITED] = halt_session,	[LIVE_HALTED] = stop,
		[LIVE_STOPPED] = take_all,	[LIVE_WHOLE] = judge_run,
		[LIVE_JUDGED] = end_run,
	};
	struct live *l = (struct live *)source;
	int step = RUN_END;

	l->row = row;
	l->err = err;
	while (!step && l->state != LIVE_OVER) {
		step = steps[l->state](l);
		/* Return notes immediately. */
		if (!step && l->run->notes.list.nr)
			step = RUN_NOTED;
	}
	return step;
}

static void live__end(struct source *source, bool failed)
{
	struct live *l = (struct live *)source;
	auto_free(sb) losses = SB_INIT;

	if (source->session && l->state >= LIVE_STARTED && l->state <= LIVE_HALTED) {
		if (l->state < LIVE_HALTED)
			halt_session(l);
		stop_session(l, failed);
	}
	if (source->session)
		end_session(l);
	if (l->first_status)
		l->run->outcome.status = l->first_status;
	latency_losses__print(&l->losses, &losses);
	notes__add_each(&l->run->notes, NOTE_SESSION, sb__str(&losses));
}

static void live__free(struct source *source)
{
	struct live *l = (struct live *)source;

	passes__free(&l->passes);
	if (l->target.output_fd > STDERR_FILENO)
		close(l->target.output_fd);
	free(l->taken_apart);
	signals__restore();
	free(l);
}

/*
 * Whether CPUs that come online later are counted. They cannot be if rows need the places of CPUs,
 * if a recording has a list of CPUs from the start, or if rates over whole rows are watched.
 */
static bool takes_newcomers(const struct run *run)
{
	return run->target.system_wide && !run->req->recorder && !run->report.turns &&
	       (run->report.aggr == AGGR_GLOBAL || run->report.aggr == AGGR_NONE) &&
	       !run->req->places;
}

struct source *live__new(struct run *run)
{
	struct live *l = xcalloc(1, sizeof(*l));

	*l = (struct live){
		.source = {.next = live__next, .end = live__end, .free = live__free},
		.run = run,
		.req = run->req,
		.count = run->count,
		.target = run->target,
		.passes.sets = run->sets,
	};
	signals__install();
	l->count.real_time = !run->host->simulated;
	l->count.newcomers = takes_newcomers(run);
	if (run->req->repeat != 1 || run->req->passes) {
		l->count.latency.losses = &l->losses;
		l->taken_apart = xcalloc(run->plan->events.nr, sizeof(*l->taken_apart));
		l->count.taken_apart = l->taken_apart;
	}
	return &l->source;
}
