// SPDX-License-Identifier: GPL-2.0-only
/* "tma stat" and "tma plan": options, run, rows and exit status. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base/err.h"
#include "run/input.h"
#include "stat/stat.h"

/*
 * Return: whether the command handled SIGINT and ended by itself, as editors do: then its exit
 * status is passed on. perf does not do this with -I.
 */
static bool has_own_end(const struct stat_output *s, const struct run_outcome *outcome)
{
	return outcome->signal == SIGINT && outcome->exited &&
	       !(as_perf() && s->o->req.interval_ms);
}

/* Print the rows of a run. Return: the exit status. */
static int print_run(struct stat_output *s, struct err *err)
{
	const struct run_outcome *outcome = run__outcome(s->run);
	int rc = stat_output__open(s, err), closed, status;

	if (rc) {
		say_err(err);
		stat_output__close(s, true, err);
		return STATUS_FAILED;
	}
	/*
	 * If the reader has closed the pipe, writing must fail, and not kill this program: the
	 * command must be ended first.
	 */
	signals__ignore(SIGPIPE);
	rc = stat_rows__run(s, err);
	if (rc && err->code == EPIPE)
		die_by(SIGPIPE);
	if (rc == -ENOENT && outcome->status == RUN_NOT_FOUND)
		suggest_subcommand(err, s->o->req.target.argv[0]);
	if (rc)
		say_err(err);
	closed = stat_output__close(s, rc, err);
	if (closed && !rc)
		say_err(err);
	status = status_of(outcome);
	if (rc || closed)
		return status ?: STATUS_FAILED;
	if (outcome->signal && !has_own_end(s, outcome))
		die_by(outcome->signal);
	return status;
}

/* Open and print a run, or its plan. Return: the exit status. */
static int run_on(const struct host *host, const struct stat_options *o,
		  const struct progress *progress, struct err *err)
{
	struct stat_output s = {.o = o,
				.host = host,
				.tables = SB_INIT,
				.early = SB_INIT,
				.progress = *progress};
	int rc = (o->dry_run ? run__plan : run__open)(host, &o->req, &s.run, err), status;

	if (!rc && o->req.input)
		rc = stat_options__check_path(o, run__about(s.run)->interval, err);
	stat_page__note(&s);
	say_notes(run__notes(s.run));
	if (!rc && o->dry_run)
		rc = stat_dry_run(o, s.run, err);
	if (rc)
		status = rc == -EDESTADDRREQ ? say_usage(err) : say_err(err);
	else
		status = o->dry_run || stat_options__lists_ports(o) ? 0 : print_run(&s, err);
	sb__free(&s.early);
	run__close(s.run);
	return tell_odd(host, status);
}

static int run_options(const struct stat_options *o, struct err *err)
{
	struct progress progress;
	struct host host;
	int status;

	progress__begin(&progress);
	if (load_host(&host, err))
		return say_err(err);
	status = o->probe ? stat_probe(&host, o, err) : run_on(&host, o, &progress, err);
	host__free(&host);
	return status;
}

/* --- Recordings ------------------------------------------------------------------------------ */

#define TABLES_MISSING -1

/*
 * Print a recording. Return: the exit status; TABLES_MISSING if tables are missing, but only the
 * metrics of the recording need them.
 */
static int report_input(struct run_input *in, const struct stat_options *o,
			const struct progress *progress, struct err *err)
{
	bool asks = o->metrics.len || o->req.topdown;
	bool tree = o->req.judged && *recording__info(in->recording)->cpuid;
	struct notes notes = {.wanted = NOTES_OF_EVERY_RUN};
	struct host host;
	int rc = run_input__load_host(in, host_asked(), asks || tree, asks, &host, &notes, err);
	int status;

	say_notes(&notes);
	notes__free(&notes);
	if (rc && o->req.implied)
		return TABLES_MISSING;
	if (rc)
		return say_err(err);
	status = run_on(&host, o, progress, err);
	run_input__free_host(&host);
	return status;
}

static int report(const struct stat_options *typed, const char *name, bool append, struct err *err)
{
	struct recording_options recording = typed->recording;
	struct progress progress;
	struct stat_options o;
	struct run_input in;
	int status;

	progress__begin(&progress);
	recording.separator = typed->format.separator;
	if (run_input__open(&in, name, typed->cpuid, &recording, err)) {
		status = say_err(err);
	} else {
		stat_options__of_recording(typed, name, &in, append, true, &o);
		status = report_input(&in, &o, &progress, err);
		stat_options__free_recording(typed, &o);
	}
	/* The events can be printed without tables, so leave the metrics out. */
	if (status == TABLES_MISSING) {
		say("the metrics that %s was recorded with are left out: %s", in.name, err->msg);
		stat_options__of_recording(typed, name, &in, append, false, &o);
		status = report_input(&in, &o, &progress, err);
		stat_options__free_recording(typed, &o);
	}
	run_input__close(&in);
	return status;
}

/*
 * Print all files, one after the other, even if one of them fails. Return: the worst exit status.
 */
static int report_all(const struct stat_options *o, struct err *err)
{
	int worst = 0;

	if (!o->nr_inputs)
		return report(o, o->input_name, false, err);
	for (int i = 0; i < o->nr_inputs; i++) {
		int status = report(o, o->inputs[i], i, err);

		worst = status > worst ? status : worst;
		*err = (struct err)ERR_INIT;
	}
	return worst;
}

static int run_verb(enum stat_verb verb, int argc, const char **argv)
{
	struct err err = ERR_INIT;
	struct stat_options o;
	int status = STATUS_USAGE;

	if (stat_options__parse(&o, verb, argc, argv, &err))
		say_err(&err);
	else
		status = o.verb == STAT_REPORT ? report_all(&o, &err) : run_options(&o, &err);
	stat_options__free(&o);
	return status;
}

int cmd_stat(int argc, const char **argv)
{
	return run_verb(STAT_PRINT, argc, argv);
}

int cmd_plan(int argc, const char **argv)
{
	return run_verb(STAT_PLAN, argc, argv);
}
