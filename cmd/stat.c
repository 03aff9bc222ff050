// SPDX-License-Identifier: GPL-2.0-only
/* "tma stat" and "tma plan": options to plan, plan to counts, counts to rows. Glue only. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd.h"
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

static int run(struct stat_options *o, struct host *host, struct plan *plan, struct err *err)
{
	int status = 0, signo = 0, rc, closed;
	bool frozen = false;
	struct stat_regions regions = { .fd = -1 };
	FILE *out = NULL;

	rc = stat_output__open(o, &out, err);
	if (rc)
		return say_err(err);
	if (o->report.clear && !isatty(fileno(out))) {
		err__set(err, ENOTTY, "--interval-clear is for a terminal, which stderr is not");
		return say_err(err);
	}
	o->report.colour = isatty(fileno(out)) && !getenv("NO_COLOR");
	/* A reader who has gone is told by the write: the command must be ended first. */
	signal(SIGPIPE, SIG_IGN);

	if (o->smi_cost)
		rc = smi__freeze(host->machine, &frozen, err);
	if (!rc)
		rc = stat_regions__start(o, &regions, err);
	if (!rc)
		rc = stat_run(o, host, plan, out, &status, &signo, err);
	if (frozen)
		smi__restore(host->machine);
	if (!rc)
		rc = stat_regions__print(o, host->machine, &regions, out, err);
	stat_regions__end(&regions);
	if (rc && err->code == EPIPE)
		die_by(SIGPIPE);
	if (rc) {
		say_err(err);
		stat_output__close(out, err);
		return status ? status : STATUS_FAILED;
	}
	closed = stat_output__close(out, err);
	if (closed) {
		say_err(err);
		return status ? status : STATUS_FAILED;
	}
	if (signo)
		die_by(signo);
	return status;
}

/* Options are taken out of argv as they are read. */
static const char **copy_arguments(int argc, const char **argv)
{
	const char **copy = calloc(argc + 1, sizeof(*copy));

	if (copy)
		memcpy(copy, argv, argc * sizeof(*copy));
	return copy;
}

int stat_main(enum stat_verb verb, int argc, const char **argv)
{
	const char **command_line = copy_arguments(argc, argv);
	struct err err = ERR_INIT;
	struct stat_options o;
	struct host host = { .machine = NULL };
	struct stat_scope scope;
	struct plan *plan = NULL;
	struct sets *sets = NULL;
	int rc, status;

	rc = stat_options__parse(&o, verb, argc, argv, &err);
	if (rc) {
		say_err(&err);
		stat_options__free(&o);
		free(command_line);
		return rc == -ENOMEM ? STATUS_FAILED : STATUS_USAGE;
	}
	if (o.verb == STAT_REPORT) {
		status = stat_report(&o);
		stat_options__free(&o);
		free(command_line);
		return status;
	}
	o.command_line = command_line;
	rc = host__load(&host, &err);
	if (!rc)
		rc = stat_plan(&o, &host, &scope, &plan, &err);
	if (!rc)
		rc = stat_verdict__check(&o, plan, &err);
	if (!rc)
		rc = stat_sets(&o, &host, &scope, plan, &sets, &err);
	if (!rc)
		rc = stat_options__set_heading(&o, &err);
	if (!rc) {
		say_lines(sb__str(&plan->events.warnings));
		say_lines(sb__str(&plan->warnings));
		if (o.verbose && !o.dry_run)
			rc = stat_explain(&host, &scope, plan, &err);
		if (o.topdown && !o.dry_run && !o.quiet && !as_perf() &&
		    !stat_output__is_shared(&o))
			stat_topdown__say(&o, &host, &scope, plan);
	}
	if (!rc && o.dry_run)
		rc = stat_dry_run(&o, &host, &scope, plan, &err);
	status = rc ? say_err(&err) : o.dry_run ? 0 : run(&o, &host, plan, &err);

	sets__free(sets);
	plan__free(plan);
	host__free(&host);
	stat_options__free(&o);
	free(command_line);
	return status;
}

int cmd_stat(int argc, const char **argv)
{
	return stat_main(STAT_PRINT, argc, argv);
}
