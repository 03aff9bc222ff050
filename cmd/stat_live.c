// SPDX-License-Identifier: GPL-2.0-only
/* This source gives rows that are counted now, by one session or several after another. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/place.h"
#include "base/sb.h"
#include "base/xalloc.h"
#include "count/clock.h"
#include "progress.h"
#include "simulated.h"
#include "stat.h"

/* A state says what has been done; live__next() has the step that follows each. */
enum live_state {
	LIVE_NEW,
	LIVE_OPENED,
	LIVE_STARTED,
	LIVE_TAKEN,   /* the row of an interval was taken */
	LIVE_WAITED,  /* the end of the session has come */
	LIVE_STOPPED, /* it is stopped, and the row of one without intervals was taken */
	LIVE_WHOLE,   /* the counts of all of it were taken */
	LIVE_OVER,
};

/**
 * struct live - runs under way
 * @row, @err: of the step at hand
 * @count: options of the session at hand; @target: what is counted, and where the command writes
 * @now, @before: counts since the start, at the end of this row and of the last one
 * @delta: the difference
 * @last_ns: end of the last row since the start; @rows: how many there were
 * @end_ns: when the session is to end, since its start
 * @why:  why the last wait ended
 * @wait_status: of the command; @sent: the signal it was sent to end it
 * @runs: turns of -r that are over, @whole_runs of them whole; @passes: those of this turn
 * @counted: something was, in any pass
 * @ended: the command or a read failed, or a signal came: this is the last of the passes
 * @spoiled: this turn is not whole: its command was killed, a counter not read, or a signal came
 * @first_status: the first exit status of a run that is not 0, or 0
 * @losses: of samples, in all runs of several
 * @command_line: what has come of the next command of --control
 * @taken_apart: groups that later runs need not find to be starved any more
 */
struct live {
	struct source source;
	const struct stat_run *run;
	const struct stat_options *o;
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
	bool counted, ended, spoiled;
	int first_status;
	struct latency_losses losses;
	struct control_line command_line;
	bool *taken_apart;
	struct progress progress;
};

/*
 * Run the command of --pre or --post; one that fails ends the runs. So does a signal, which is no
 * failure of the command that it was sent to.
 */
static int run_hook(const struct live *l, const char *option, const char *command)
{
	bool had_signal = session__signal();
	struct err *err = l->err;
	int status, rc;

	if (!command)
		return 0;
	rc = hook__run(command, l->target.output_fd, &status);
	if (rc)
		return err__set(err, -rc, "%s '%s': %s", option, command, strerror(-rc));
	if (!status || (!had_signal && session__signal()))
		return 0;
	if (WIFEXITED(status))
		return err__set(err, ECANCELED, "%s '%s' ended with status %d", option, command,
				WEXITSTATUS(status));
	return err__set(err, ECANCELED, "%s '%s' was killed by signal %d", option, command,
			WTERMSIG(status));
}

/* Says on the terminal which of several runs begins; a taker of rows says it itself. */
static void show_progress(struct live *l)
{
	uint64_t sets = l->o->passes ? l->run->sets->nr : 1, repeat = l->o->repeat;
	uint64_t done = l->runs * sets + l->source.set;
	auto_free(sb) what = SB_INIT;

	if (l->run->taker || l->o->quiet || repeat * sets == 1)
		return;
	if (repeat != 1)
		sb__printf(&what, "run %" PRIu64, l->runs + 1);
	if (repeat > 1)
		sb__printf(&what, " of %" PRIu64, repeat);
	if (sets > 1)
		sb__printf(&what, "%spass %d of %" PRIu64, what.len ? ", " : "", l->source.set + 1,
			   sets);
	progress__show(&l->progress, repeat ? (double)done / (repeat * sets) : (double)NAN, "%s",
		       sb__str(&what));
}

/* All runs write to the same file, one after the other. */
static int open_command_output(struct live *l)
{
	const char *where = l->o->command_output;
	int fd;

	if (!where || l->target.output_fd)
		return 0;
	if (!strcmp(where, "stderr"))
		fd = STDERR_FILENO;
	else
		fd = place__open(strcmp(where, "null") ? where : "/dev/null", O_WRONLY, 0666,
				 l->err);
	if (fd < 0)
		return fd;
	l->target.output_fd = fd;
	return 0;
}

static int begin(struct live *l)
{
	const struct stat_run *run = l->run;
	struct source *s = &l->source;
	int rc = 0;

	if (l->o->repeat != 1 && l->o->verbose && !s->set)
		say("run %" PRIu64, l->runs + 1);
	if (l->o->passes && l->o->verbose)
		say("pass %d", s->set + 1);
	if (run->taker && run->taker->begin)
		run->taker->begin(run->taker);
	rc = open_command_output(l);
	if (!rc && !session__signal())
		rc = run_hook(l, (run->taker ? run->taker->pre_name : NULL) ?: "--pre", l->o->pre);
	if (rc)
		return rc;
	s->signal = session__signal();
	if (s->signal) {
		l->state = LIVE_OVER;
		return SOURCE_END;
	}
	if (l->o->sync)
		sync();
	show_progress(l);
	l->count.set = s->set;
	s->status = 0;
	s->repeated = l->runs;
	rc = session__new(run->host.machine, &run->plan->events, &l->target, &l->count, &s->session,
			  l->err)
		     ?: session__open(s->session, l->err);
	if (rc)
		return rc;
	counts__init(&l->now, s->session);
	counts__init(&l->before, s->session);
	counts__init(&l->delta, s->session);
	l->state = LIVE_OPENED;
	return SOURCE_OPENED;
}

/* A table without a single count is no success, even if the command was one. */
static bool counted_nothing(const struct live *l)
{
	const struct event_list *events = &l->run->plan->events;

	for (int i = 0; i < events->nr; i++)
		if (session__supported(l->source.session, i) ||
		    stat__has_vendor_latency(events->at[i]))
			return false;
	return !l->o->null;
}

/* Return: when --timeout, or what the taker leaves, is over: in ns since now. */
static uint64_t end_of_session(const struct live *l)
{
	uint64_t end_ns = l->o->timeout_ms ? l->o->timeout_ms * 1000000 : UINT64_MAX;
	uint64_t taker_ns = l->run->taker ? l->run->taker->end_ns : 0, now_ns = clock__now_ns();

	if (!taker_ns || (taker_ns > now_ns && taker_ns - now_ns > end_ns))
		return end_ns;
	return taker_ns > now_ns ? taker_ns - now_ns : 1;
}

static bool is_over(const struct live *l)
{
	const struct stat_taker *taker = l->run->taker;

	return taker && taker->end_ns && clock__now_ns() >= taker->end_ns;
}

static int start(struct live *l)
{
	/* There may be nothing to wait for. */
	bool waits = l->o->target.argv || !counted_nothing(l);
	int rc;

	if (l->o->delay_ms)
		say_lines("Events disabled\n");
	if (l->o->target.argv)
		progress__before_command();
	rc = session__start(l->source.session, l->err);
	if (rc) {
		if (rc != -ECONNABORTED)
			l->source.status = rc == -ENOENT ? STATUS_NOT_FOUND :
							   STATUS_NOT_EXECUTABLE;
		return rc == -ENOENT ? lead_on(l->err, l->o->target.argv[0]) : rc;
	}
	l->end_ns = end_of_session(l);
	if (!session__is_too_late(l->source.session))
		say_lines(l->o->delay_ms > 0 ? "Events enabled\n" : "");
	else if (!session__signal())
		say("the %s ended before the %" PRId64 " ms of -D were over: nothing was counted",
		    l->o->target.argv ? "command" : "task", l->o->delay_ms);
	l->why = waits ? WAIT_DEADLINE : WAIT_EXITED;
	l->last_ns = l->rows = 0;
	l->state = LIVE_STARTED;
	return 0;
}

/* Wait, obeying what comes in meanwhile. Return: whether counters started or stopped. */
static bool wait_until(struct live *l, uint64_t deadline_ns)
{
	struct session *s = l->source.session;

	while ((l->why = session__wait(s, deadline_ns)) == WAIT_CONTROL) {
		if (l->count.wake_fd) {
			if (!l->run->taker->wake(l->run->taker))
				continue;
			return false;
		}
		switch (control__run(&l->o->control, &l->command_line, s, &l->run->plan->events)) {
		case CONTROL_STOP:
			return false;
		case CONTROL_CLOSED:
			session__close_control(s);
			break;
		case CONTROL_CHANGED:
			if (!l->o->interval_ms)
				break;
			l->why = WAIT_DEADLINE;
			return true;
		case CONTROL_DONE:
			break;
		}
	}
	return false;
}

/* Take all that this session counted. */
static void take_whole(struct live *l, bool of_run)
{
	const struct target *t = &l->run->target;

	l->now.slices = session__slices(l->source.session, of_run);
	*l->row = (struct source_row){
		.counts = &l->now,
		.since_start = &l->now,
		.time = {
			.since_start_ns = l->now.time_ns,
			.elapsed_ns = l->now.time_ns,
			.user_ns = l->now.user_ns,
			.system_ns = l->now.system_ns,
			.has_cpu_time = t->argv && !target__per_cpu(t) && !target__has_tasks(t),
		},
	};
}

static void say_warnings(const struct live *l)
{
	const char *lines = session__warnings(l->source.session);

	if (!l->run->taker || !l->run->taker->is_quiet)
		say_lines(lines);
}

/* Take what was counted up to now; the wait goes on with the next step. */
static int take_so_far(struct live *l)
{
	l->why = WAIT_DEADLINE;
	session__read(l->source.session, &l->now);
	say_warnings(l);
	take_whole(l, l->o->interval_ms);
	/* The command's CPU time is known once it has ended. */
	l->row->time.has_cpu_time = false;
	return SOURCE_SO_FAR;
}

static int wait_for_end(struct live *l)
{
	if (l->why == WAIT_DEADLINE)
		wait_until(l, l->end_ns);
	if (l->why == WAIT_ASKED)
		return take_so_far(l);
	l->state = LIVE_WAITED;
	return 0;
}

/* Take what came since the last row, over the time that really went by. */
static int take_interval(struct live *l)
{
	const uint64_t interval_ns = l->o->interval_ms * 1000000;
	struct session *s = l->source.session;
	bool changed = false;

	if (!interval_ns)
		return wait_for_end(l);
	/* Deadlines are absolute; one that has passed is skipped, not made up for. */
	if (l->why == WAIT_DEADLINE)
		changed = wait_until(l, (l->last_ns / interval_ns + 1) * interval_ns);
	if (l->why == WAIT_ASKED)
		return take_so_far(l);
	session__read(s, &l->now);
	say_warnings(l);
	counts__delta(&l->now, &l->before, &l->run->plan->events, &l->delta);
	/* The verdict is on all rows, so that it does not ask for the error of each. */
	if (l->o->report.error || l->run->report.estimate != ESTIMATE_TIME)
		l->delta.slices = session__slices(s, false);
	*l->row = (struct source_row){
		.counts = &l->delta,
		.since_start = &l->now,
		.time.since_start_ns = l->now.time_ns,
		.time.elapsed_ns = l->now.time_ns - l->last_ns,
		.time.missed = stat__missed_rows(l->last_ns, l->now.time_ns, interval_ns),
	};
	l->last_ns = l->now.time_ns;
	l->rows += !changed;
	l->state = LIVE_TAKEN;
	return SOURCE_ROW;
}

static int end_interval(struct live *l)
{
	bool is_last = l->o->interval_count && l->rows >= l->o->interval_count;
	struct counts swap = l->before;

	l->before = l->now;
	l->now = swap;
	l->state = l->why == WAIT_DEADLINE && !is_last ? LIVE_STARTED : LIVE_WAITED;
	session__end_row(l->source.session);
	return 0;
}

/* The end that --timeout makes of a pass is none of the others. */
static bool was_timed_out(const struct live *l, bool timed_out)
{
	return timed_out && WIFSIGNALED(l->wait_status) && WTERMSIG(l->wait_status) == l->sent;
}

static void stop_session(struct live *l, bool failed)
{
	struct session *s = l->source.session;
	bool timed_out = l->end_ns != UINT64_MAX && l->why == WAIT_DEADLINE;
	int signo = session__signal();

	l->source.signal = signo;
	if (!signo && (failed || l->why == WAIT_CONTROL))
		signo = SIGTERM;
	l->sent = !signo && timed_out ? SIGTERM : signo;
	l->wait_status = 0;
	/*
	 * Counters are stopped before they are read, so that none ran longer than the clock says.
	 */
	session__stop(s);
	/* They are read without a summary as well: something may have to be said of all of it. */
	session__read(s, &l->now);
	say_warnings(l);
	/* perf waits for a command that outlives --interval-count; so does this. */
	session__reap(s, l->sent, &l->wait_status, &l->now);
	say_warnings(l);
	l->ended = (l->wait_status && !was_timed_out(l, timed_out)) || signo ||
		   session__unread(s) || is_over(l);
	l->spoiled |= l->source.signal || session__unread(s) ||
		      (WIFSIGNALED(l->wait_status) && WTERMSIG(l->wait_status) != l->sent);
	l->state = LIVE_STOPPED;
}

static bool is_last_pass(const struct live *l)
{
	return l->ended || l->source.set + 1 == l->run->sets->nr;
}

/* The last pass has the counts of all of them. */
static int take_pass(struct live *l)
{
	int rc = passes__add(&l->passes, l->source.set, l->source.session, l->row, l->err);

	if (rc || !is_last_pass(l))
		return rc;
	passes__finish(&l->passes);
	*l->row = (struct source_row){ .counts = &l->passes.sum, .time = l->passes.time };
	return SOURCE_ROW;
}

/*
 * A run that is not whole would make the mean of several another one. It is all there is when a
 * signal comes before any other is over, or one of its passes is the last one.
 */
static bool is_left_out(struct live *l)
{
	if (l->o->repeat == 1 || !l->spoiled)
		return false;
	if ((l->source.signal || (l->o->passes && l->ended)) && !l->whole_runs) {
		say("run %" PRIu64 " was ended early", l->runs + 1);
		return false;
	}
	say("run %" PRIu64 " is incomplete: it is left out of the mean", l->runs + 1);
	return true;
}

static int stop(struct live *l)
{
	int rc;

	stop_session(l, false);
	if (l->o->interval_ms)
		return 0;
	take_whole(l, false);
	rc = l->o->passes ? take_pass(l) : SOURCE_ROW;
	return rc == SOURCE_ROW && is_left_out(l) ? 0 : rc;
}

/* Passes differ where the command does not do the same each time: metrics over several are off. */
static int compare_passes(struct live *l)
{
	if (!is_last_pass(l))
		return 0;
	passes__compare(&l->passes, &l->run->plan->events);
	*l->row = (struct source_row){ .counts = &l->passes.sum, .time = l->passes.time };
	return SOURCE_WHOLE;
}

static int take_all(struct live *l)
{
	l->state = LIVE_WHOLE;
	if (l->o->passes)
		return compare_passes(l);
	take_whole(l, l->o->interval_ms);
	return SOURCE_WHOLE;
}

/* Return: the workload's status, as a shell would have it. */
static int workload_status(const struct live *l)
{
	int signo = WTERMSIG(l->wait_status);
	const char *name;

	if (!l->o->target.argv)
		return 0;
	if (WIFEXITED(l->wait_status))
		return WEXITSTATUS(l->wait_status);
	if (signo == l->sent)
		return 0;
	name = sigabbrev_np(signo); /* real-time signals have none */
	if (name)
		say("'%s' was killed by SIG%s", l->o->target.argv[0], name);
	else
		say("'%s' was killed by signal %d", l->o->target.argv[0], signo);
	return 128 + signo;
}

/* Say why nothing was counted: the first event's reason stands for all. */
static void say_nothing_counted(const struct live *l)
{
	const struct event_list *events = &l->run->plan->events;
	const char *why = events->nr ? session__refusal(l->source.session, 0) : NULL;

	say("none of the events can be counted on this machine%s%s%s%s", why ? "\n" : "",
	    why ? events->at[0]->name : "", why ? ": " : "", why ? why : "");
}

/*
 * Say what is next: with --passes the next set of groups, unless the command failed; with -r all of
 * it again.
 */
static void go_on(struct live *l)
{
	struct source *s = &l->source;
	bool all_passes = !l->o->passes || s->set + 1 == l->run->sets->nr;

	l->state = LIVE_NEW;
	s->set = all_passes ? 0 : s->set + 1;
	l->runs += all_passes;
	l->whole_runs += all_passes && !l->spoiled;
	l->spoiled &= !all_passes;
	if (s->signal || (l->o->passes && (s->status || l->ended)) ||
	    (all_passes && l->o->repeat && l->runs >= l->o->repeat))
		l->state = LIVE_OVER;
}

static void judge(struct live *l)
{
	int status = workload_status(l);

	if (!status && session__unread(l->source.session))
		status = STATUS_FAILED;
	/* Scripts try with perf whether an event can be named, and take 0 for yes. */
	l->counted = (l->source.set && l->counted) || !counted_nothing(l);
	if (!status && !l->counted && (!l->o->passes || is_last_pass(l)) && !as_perf()) {
		say_nothing_counted(l);
		status = STATUS_FAILED;
	}
	l->source.status = status;
	l->first_status = l->first_status ?: status;
}

static int end_session(struct live *l)
{
	if (l->state == LIVE_WHOLE || l->state == LIVE_STOPPED)
		judge(l);
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
	int rc = end_session(l) ?: run_hook(l, "--post", l->o->post);

	/* Any other that came behind the run has killed the command, which is its status. */
	if (l->o->post)
		l->source.signal = session__signal();
	return rc;
}

static int live__next(struct source *source, struct source_row *row, struct err *err)
{
	static int (*const steps[])(struct live *l) = {
		[LIVE_NEW] = begin,	  [LIVE_OPENED] = start,     [LIVE_STARTED] = take_interval,
		[LIVE_TAKEN] = end_interval, [LIVE_WAITED] = stop,   [LIVE_STOPPED] = take_all,
		[LIVE_WHOLE] = end_run,
	};
	struct live *l = (struct live *)source;
	int step = SOURCE_END;

	l->row = row;
	l->err = err;
	while (!step && l->state != LIVE_OVER)
		step = steps[l->state](l);
	return step;
}

static void live__end(struct source *source, bool failed)
{
	struct live *l = (struct live *)source;
	auto_free(sb) losses = SB_INIT;

	if (l->state == LIVE_TAKEN)
		stop_session(l, failed);
	if (source->session)
		end_session(l);
	if (l->first_status)
		source->status = l->first_status;
	latency_losses__print(&l->losses, &losses);
	say_lines(sb__str(&losses));
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
 * A CPU that comes online later can be counted only where its place need not be known, where no
 * recording has the CPUs of its start, and where no rates over whole rows are watched.
 */
static bool takes_newcomers(const struct stat_run *run)
{
	return run->target.system_wide && run->o->verb != STAT_RECORD && !run->report.turns &&
	       (run->report.aggr == AGGR_GLOBAL || run->report.aggr == AGGR_NONE) &&
	       !(run->taker && run->taker->places);
}

struct source *stat_live(const struct stat_run *run)
{
	struct live *l = xcalloc(1, sizeof(*l));

	*l = (struct live){
		.source = {.next = live__next, .end = live__end, .free = live__free},
		.run = run,
		.o = run->o,
		.count = run->count,
		.target = run->target,
		.passes.sets = run->sets,
	};
	progress__begin(&l->progress);
	signals__install();
	l->count.real_time = !simulated__machine();
	l->count.newcomers = takes_newcomers(run);
	l->count.wake_fd = run->taker && run->taker->wake ? run->taker->wake_fd : 0;
	if (run->o->repeat != 1 || run->o->passes) {
		l->count.latency.losses = &l->losses;
		l->taken_apart = xcalloc(run->plan->events.nr, sizeof(*l->taken_apart));
		l->count.taken_apart = l->taken_apart;
	}
	return &l->source;
}
