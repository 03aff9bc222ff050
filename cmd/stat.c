// SPDX-License-Identifier: GPL-2.0-only
/* "tma stat" and "tma plan": from options to what is run, to rows and the exit status. Glue. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "base/err.h"
#include "regions.h"
#include "smi.h"
#include "stat.h"

/* A shell must see that the program ended by the signal it was sent. */
static void die_by(int signo)
{
	sigset_t set;

	signal(signo, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signo);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(signo);
}

/* What some runs need around them. */
static int run_between(const struct stat_run *run, struct source *source, struct err *err)
{
	struct stat_regions regions = { .fd = -1 };
	bool frozen = false;
	int rc = run->o->smi_cost ? smi__freeze(run->host.machine, &frozen, err) : 0;

	if (!rc && run->o->regions)
		rc = stat_regions__start(run->o, &regions, err);
	rc = rc ?: stat_run(run, source, err);
	if (frozen)
		smi__restore(run->host.machine);
	if (!rc && run->o->regions)
		rc = stat_regions__print(run, &regions, err);
	if (run->o->regions)
		stat_regions__end(&regions);
	return rc;
}

/* Return: the exit status. */
static int run_source(struct stat_run *run, struct source *source, struct err *err)
{
	int rc = stat_output__open(run, err), closed;

	if (rc)
		return say_err(err);
	/* A reader who has gone is told by the write: the command must be ended first. */
	signal(SIGPIPE, SIG_IGN);
	rc = run_between(run, source, err);
	if (rc && err->code == EPIPE)
		die_by(SIGPIPE);
	if (rc)
		say_err(err);
	closed = stat_output__close(run->out, err);
	if (closed && !rc)
		say_err(err);
	if (rc || closed)
		return source->status ? source->status : STATUS_FAILED;
	if (source->signal)
		die_by(source->signal);
	return source->status;
}

static int run_options(const struct stat_options *o, struct err *err)
{
	struct stat_run run = {
		.o = o,
		.target = o->target,
		.count = o->count,
		.report = o->report,
		.format = o->format,
		.interval = o->interval_ms,
	};
	struct source *source = NULL;
	bool replayed = o->verb == STAT_REPORT;
	int status, rc = replayed ? stat_replay(&run, &source, err) : stat_plan(&run, err);

	if (!rc)
		stat_tell(&run);
	if (!rc && o->dry_run)
		rc = stat_dry_run(&run, err);
	if (!rc && !o->dry_run && !replayed)
		source = stat_live(&run);
	status = rc ? say_err(err) : source ? run_source(&run, source, err) : 0;
	sets__free(run.sets);
	plan__free(run.plan);
	cgroup_list__free(&run.cgroups);
	if (source)
		source->free(source);
	free(run.head);
	host__free(&run.host);
	return status;
}

int stat_main(enum stat_verb verb, int argc, const char **argv)
{
	struct err err = ERR_INIT;
	struct stat_options o;
	int status = STATUS_USAGE;

	if (stat_options__parse(&o, verb, argc, argv, &err))
		say_err(&err);
	else
		status = run_options(&o, &err);
	stat_options__free(&o);
	return status;
}

int cmd_stat(int argc, const char **argv)
{
	return stat_main(STAT_PRINT, argc, argv);
}
