// SPDX-License-Identifier: GPL-2.0-only
/* How commands that measure go through a run, and print its notes and errors. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "progress.h"
#include "run/input.h"
#include "run/run.h"

int begin_run(const struct host *host, const struct request *req, struct run **run, struct err *err)
{
	int step = run__open(host, req, run, err);

	say_notes(run__notes(*run));
	while (step >= 0 && step != RUN_OPENED) {
		step = next_step(*run, err);
		if (step == RUN_END)
			return 0;
	}
	if (step == RUN_OPENED)
		return 1;
	run__close(*run);
	*run = NULL;
	return step;
}

int next_step(struct run *run, struct err *err)
{
	int step = run__next(run, err);

	say_notes(run__notes(run));
	return step;
}

int next_row(struct run *run, struct err *err)
{
	int step;

	do {
		step = next_step(run, err);
	} while (step > 0 && step != RUN_ROW && step != RUN_WOKEN);
	return step;
}

int end_run(struct run *run, const struct request *req, int rc, struct err *err)
{
	const struct run_outcome *outcome = run__outcome(run);
	int status = status_of(outcome);

	if (rc == -ENOENT && outcome->status == RUN_NOT_FOUND)
		suggest_subcommand(err, req->target.argv[0]);
	if (rc)
		say_err(err);
	run__close(run);
	return rc && !status ? STATUS_FAILED : status;
}

void show_step(const struct request *req, int step, struct progress *progress)
{
	if (step == RUN_OPENED && req->target.argv)
		progress__before_command();
	if (req->input && (step == RUN_ROW || step == RUN_SKIPPED))
		progress__tick(progress, recording__share(req->input->recording), "reading",
			       req->input->name);
}

static void take_row(const struct run *run, const struct run_taker *t)
{
	if (t->row)
		t->row(t->arg, run__whole(run));
	if (t->sites && run__grid(run) != run__whole(run))
		t->sites(t->arg, run__grid(run));
}

static int take_steps(struct run *run, const struct request *req, const struct run_taker *t,
		      struct err *err)
{
	struct progress progress;
	bool whole = false;
	int step;

	progress__begin(&progress);
	while ((step = next_step(run, err)) > 0) {
		show_step(req, step, &progress);
		if (step == RUN_BEGINS && t->begins)
			t->begins(t->arg);
		else if (step == RUN_ROW)
			take_row(run, t);
		whole |= step == RUN_WHOLE;
	}
	if (!step && whole && t->end)
		t->end(t->arg, run__whole(run), run__outcome(run));
	return step;
}

int measure(const struct host *host, const struct request *req, const struct run_taker *taker,
	    struct run_outcome *outcome)
{
	struct err err = ERR_INIT;
	struct run *run;
	int rc = run__open(host, req, &run, &err);

	say_notes(run__notes(run));
	/* If the reader has closed the pipe, the write fails, and the program can end properly. */
	signals__ignore(SIGPIPE);
	rc = rc ?: take_steps(run, req, taker, &err);
	*outcome = *run__outcome(run);
	return end_run(run, req, rc, &err);
}

#define REMEMBERED_MAX 100 /* largest number of remembered notes */

/*
 * Return: whether a note is new. A command may make many runs, and each would print the same notes.
 */
static bool is_new(const struct note *note)
{
	static struct strmap *remembered;
	auto_text words = xasprintf("%s: %s", note->place ?: "", note->text);
	int nr;

	/* A program that runs for weeks may have more notes than are worth remembering. */
	if (remembered && strmap__nr(remembered) == REMEMBERED_MAX) {
		strmap__free(remembered);
		remembered = NULL;
	}
	if (!remembered)
		remembered = xchecked(strmap__new());
	nr = strmap__nr(remembered);
	return strmap__add(remembered, words, nr) == nr;
}

void say_notes(struct notes *notes)
{
	const struct note *note;

	vec__for_each (note, &notes->list) {
		if (((NOTE(LACKING) | NOTE(PLAIN_EVENTS)) >> note->kind & 1) && !is_new(note))
			continue;
		if (note->lines)
			say_lines(note->text);
		else
			say("%s%s%s", note->place ?: "", note->place ? ": " : "", note->text);
	}
	notes__clear(notes);
}

int status_of(const struct run_outcome *outcome)
{
	return outcome->status == RUN_FAILED ? STATUS_FAILED : outcome->status;
}

void die_by(int signo)
{
	const struct rlimit none = {0, 0};
	sigset_t set;

	/* If a user asked the program to end, a core file is of no use. */
	setrlimit(RLIMIT_CORE, &none);
	signal(signo, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signo);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(signo);
}

/* Return: whether a shell would run a program of that name. */
static bool is_program(const char *name)
{
	int len;

	if (strchr(name, '/'))
		return true;
	text__for_each_item(dir, len, getenv("PATH") ?: "", ":") {
		auto_text path = xasprintf("%.*s/%s", len, dir, name);

		if (!access(path, X_OK))
			return true;
	}
	return false;
}

void suggest_why(const char *name, struct sb *sb)
{
	if (!is_program(name))
		return;
	sb__puts(sb, "; to find what limits the program: tma why ");
	text__shell(sb, name);
}
