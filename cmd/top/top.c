// SPDX-License-Identifier: GPL-2.0-only
/*
 * tma top: a live view of the machine's tree, and of the busiest processes, cgroups, CPUs or core
 * types.
 */
#include <errno.h>
#include <inttypes.h>
#include <fcntl.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <subcmd/parse-options.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "colour.h"
#include "options.h"
#include "page.h"
#include "screen/canvas.h"
#include "screen/screen.h"
#include "simulated.h"
#include "top/top.h"
#include "writers/page.h"
#include "writers/writer.h"

#define MS_PER_S 1000
#define PICK_MS 5000 /* processes are chosen again after this time */
#define LOOK_MS 100  /* time between the first two looks at them */
#define FUNCTIONS_MS 10000 /* functions cover this time; or one interval, if that is longer */
#define PROCESSES 10
#define BATCH_WIDTH 100
#define LEAST_WIDTH 40
#define MOST_WIDTH 1000
#define BATCH_LINES 64 /* lines for the tree and a few rows */
#define SAID_MOST 4096

/**
 * struct top_stderr - standard error while the screen is open
 * @fd: file that collects the lines
 * @before: copy of the original standard error
 */
struct top_stderr {
	int fd, before;
	off_t read;
};

/* --- Standard error -------------------------------------------------------------------------- */

/*
 * Lines on standard error would damage the screen: collect them, and show them in the screen's
 * message.
 */
static void catch_stderr(struct top_stderr *s)
{
	s->fd = memfd_create("stderr", MFD_CLOEXEC);
	s->before = s->fd < 0 ? -1 : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (s->before >= 0)
		dup2(s->fd, STDERR_FILENO);
	screen__keep_stderr(s->before);
}

static void read_stderr(struct top_stderr *s, struct sb *sb)
{
	char text[SAID_MOST];
	ssize_t len;

	while (s->before >= 0 && (len = pread(s->fd, text, sizeof(text), s->read)) > 0) {
		sb__add(sb, text, len);
		s->read += len;
	}
}

/* Show the last collected line as the message, until a key is pressed. */
static void show_said(struct tops *t, struct top_stderr *s)
{
	auto_free(sb) said = SB_INIT;
	char *line;

	read_stderr(s, &said);
	if (!said.len)
		return;
	line = text__trim(said.buf);
	if (strrchr(line, '\n'))
		line = strrchr(line, '\n') + 1;
	if (text__has_prefix(line, "tma: "))
		line += strlen("tma: ");
	top__set_message(t->model, line, true);
}

/*
 * Once the screen is closed, print the collected lines below it; of equal successive lines only
 * one.
 */
static void give_stderr_back(struct top_stderr *s)
{
	auto_free(sb) said = SB_INIT;
	const char *last = "";
	char *rest, *line;

	if (s->before < 0)
		return;
	fflush(stderr);
	s->read = 0;
	read_stderr(s, &said);
	screen__keep_stderr(-1);
	dup2(s->before, STDERR_FILENO);
	close(s->before);
	close(s->fd);
	s->before = -1;
	rest = said.buf;
	while (rest && (line = strsep(&rest, "\n"))) {
		/* The message has already shown the warnings of intervals. */
		if (text__has_prefix(line, "tma: ") && strcmp(line, last))
			say("%s", line + strlen("tma: "));
		last = line;
	}
}

/* --- Display --------------------------------------------------------------------------------- */

static void set_time(struct tops *t)
{
	time_t now = time(NULL);
	char text[16] = "";
	struct tm tm;

	if (localtime_r(&now, &tm))
		strftime(text, sizeof(text), "%H:%M:%S", &tm);
	top__set_time(t->model, text);
}

static void show_screen(struct tops *t)
{
	struct canvas canvas = {.width = 0};
	int width, height;

	screen__size(t->screen, &width, &height);
	canvas__resize(&canvas, width, height);
	top__draw(t->model, &canvas);
	screen__show(t->screen, &canvas);
	canvas__free(&canvas);
}

/*
 * Print a table for each interval. Its width is COLUMNS, and the screen's blank lines are left out.
 */
static int print_batch(struct tops *t, struct err *err)
{
	const char *columns = getenv("COLUMNS");
	int width = columns && atoi(columns) > 0 ? atoi(columns) : BATCH_WIDTH;
	struct canvas canvas = {.width = 0};
	auto_free(sb) text = SB_INIT;
	int rows = t->most > (uint64_t)t->options.cpus ? (int)t->most : t->options.cpus;
	bool blank = true;

	/* Make room for all rows: without a screen nothing limits their number. */
	width = width < LEAST_WIDTH ? LEAST_WIDTH : width > MOST_WIDTH ? MOST_WIDTH : width;
	canvas__resize(&canvas, width, BATCH_LINES + 2 * rows);
	top__draw(t->model, &canvas);
	for (int row = 0; row < canvas.height - 1; row++) {
		size_t before = text.len;

		canvas__line(&canvas, row, &text);
		if (text.len == before)
			continue;
		sb__putc(&text, '\n');
		blank = false;
	}
	sb__puts(&text, blank ? "" : "\n");
	canvas__free(&canvas);
	/* No key ends a message here: only the reason why there is no tree stays. */
	if (!*t->no_tree)
		top__set_message(t->model, "", false);
	if (file__write_any(STDOUT_FILENO, sb__str(&text), text.len))
		return err__set(err, errno, "standard output: %s", strerror(errno));
	return 0;
}

/* --- Keys ------------------------------------------------------------------------------------ */

/* Show the output of "tma explain", which a child process runs. */
static void top__explain(struct tops *t)
{
	const char *argv[] = {"explain", top__selected(t->model), NULL};
	int fd = memfd_create("explain", MFD_CLOEXEC), status, width, height;
	auto_free(sb) text = SB_INIT;
	char part[SAID_MOST], columns[16];
	ssize_t len;
	pid_t pid;

	screen__size(t->screen, &width, &height);
	snprintf(columns, sizeof(columns), "%d", width);
	pid = fd < 0 ? -1 : fork();
	if (!pid) {
		dup2(fd, STDOUT_FILENO);
		dup2(fd, STDERR_FILENO);
		setenv("COLUMNS", columns, 1);
		status = cmd_explain(2, argv);
		fflush(stdout);
		_exit(status);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	while (pid > 0 && (len = pread(fd, part, sizeof(part), text.len)) > 0)
		sb__add(&text, part, len);
	if (fd >= 0)
		close(fd);
	top__show_text(t->model, argv[1], text.len ? sb__str(&text) : "it cannot be explained");
}

static void write_page(struct tops *t)
{
	auto_free(sb) said = SB_INIT;
	struct err err = ERR_INIT;
	time_t now = time(NULL);
	char name[64] = "tma-top.html";
	struct tm tm;

	if (!t->page) {
		top__set_message(t->model, "the page could not be written", true);
		return;
	}
	if (localtime_r(&now, &tm))
		strftime(name, sizeof(name), "tma-top-%Y%m%d-%H%M%S.html", &tm);
	if (page__save(t->page, name, &err)) {
		top__set_message(t->model, err.msg, true);
		return;
	}
	sb__printf(&said, "the page is in %s", name);
	top__set_message(t->model, sb__str(&said), false);
}

static void act(struct tops *t, enum top_action action)
{
	switch (action) {
	case TOP_NOTHING:
		break;
	case TOP_BRANCH:
		t->changed = true;
		break;
	case TOP_ROWS:
		t->turned = true;
		break;
	case TOP_EXPLAIN:
		top__explain(t);
		break;
	case TOP_PAGE:
		write_page(t);
		break;
	case TOP_QUIT:
		t->quit = true;
		break;
	}
}

bool top__wake(struct tops *t)
{
	int key;

	while (!t->quit && (key = screen__key(t->screen)) != KEY_NONE)
		act(t, top__key(t->model, key));
	t->quit |= screen__lost(t->screen);
	if (!t->quit)
		show_screen(t);
	return t->quit || t->changed || t->turned;
}

/* --- The run --------------------------------------------------------------------------------- */

static int show(struct tops *t, struct err *err)
{
	set_time(t);
	if (t->batch)
		return print_batch(t, err);
	show_screen(t);
	return 0;
}

/* Count another branch. This needs other runs, so the current interval is lost. */
static int change_branch(struct tops *t, struct err *err)
{
	int rc;

	t->changed = false;
	top_count__end(t);
	rc = refresh_host(&t->host, err);
	return rc ?: top_count__begin(t, err);
}

/* If one node has been the largest loss for a while, count its children too. */
static void go_deeper(struct tops *t)
{
	const char *deeper = t->batch ? NULL : top__deeper(t->model);

	if (!deeper)
		return;
	sb__clear(&t->deeper);
	sb__puts(&t->deeper, deeper);
	t->changed = true;
}

/* Count other rows, without ending the interval of the whole machine. */
static void turn_rows(struct tops *t)
{
	t->turned = false;
	top_count__turn(t);
	if (t->screen)
		show_screen(t);
}

/* Show an interval that has just ended. Return: 0 or -errno. */
static int top__take_interval(struct tops *t, struct top_stderr *said, struct err *err)
{
	int rc;

	show_said(t, said);
	rc = show(t, err);
	go_deeper(t);
	return rc;
}

/* Count and show until the end. Return: 0 or -errno. */
static int top__watch(struct tops *t, struct top_stderr *said, struct err *err)
{
	uint64_t each = PICK_MS / t->options.interval_ms, rows = 0;
	int rc = top_count__begin(t, err), step;

	while (!rc && !t->quit && !session__signal()) {
		if (t->turned)
			turn_rows(t);
		step = top_count__next(t, err);
		if (step < 0 || (!step && !t->changed && !t->turned))
			return step;
		rows += step;
		rc = step ? top__take_interval(t, said, err) : 0;
		/* If every row is late, there is no wait that reads keys: read them here. */
		if (t->screen)
			top__wake(t);
		if (step && t->iterations && rows >= t->iterations)
			break;
		if (!t->changed && step && (rows % (each ? each : 1) == 0 || !t->picked.len))
			top_count__pick(t);
		if (!rc && t->changed)
			rc = change_branch(t, err);
	}
	return rc;
}

static void tell_page(struct tops *t)
{
	struct err err = ERR_INIT;

	if (t->batch)
		return;
	t->page = page__new(NULL, -1, &err);
	if (!t->page)
		return;
	if (simulated__machine())
		page__add_fact(t->page, "Simulated",
			   "the machine is simulated: its counts are synthetic");
	page__tell_made(t->page, "Started", true);
	page__add_fact(t->page, "CPU", host__cpuid(&t->host));
	page__add_fact(t->page, "Measured",
		       t->own ? "own processes, by tma top" : "all CPUs, by tma top");
}

/*
 * Choose the first processes by two looks at their CPU times: a single look would find the
 * processes that have run longest, not the busiest.
 */
static void pick_first(struct tops *t)
{
	struct timespec wait = {.tv_nsec = LOOK_MS * 1000000L};

	if (top__rows(t->model) != TOP_PROCESSES && !t->own)
		return;
	if (!t->pids) {
		process_pick__choose(&t->pick, t->most, &t->again);
		nanosleep(&wait, NULL);
	}
	/* Functions are of all own processes, which are chosen once. */
	if (top__rows(t->model) == TOP_PROCESSES)
		top_count__pick(t);
	else if (!t->pids)
		process_pick__choose(&t->pick, t->most, &t->picked);
}

static int top__load(struct tops *t, struct err *err)
{
	int rc;

	top_requests__define();
	rc = load_host(&t->host, err);
	if (rc)
		return rc;
	t->no_tree = "";
	if (!machine__nr_core_pmus(t->host.machine))
		t->no_tree = "no hardware counters on this machine: software events only";
	else if (t->host.tables)
		t->levels = metrics__topdown_levels(t->host.tables, NULL, &t->group);
	if (!t->levels && !*t->no_tree)
		t->no_tree = "no TopDown metrics for this CPU in the tables: software events only";
	t->pick.procfs = t->host.machine->procfs;
	rc = top_rights__find(t, err);
	if (rc)
		return rc;
	if (t->rights.len)
		t->no_tree = t->levels ? "" : sb__str(&t->rights);
	sb__puts(&t->machine, simulated__machine() ? "simulated " : "");
	sb__puts(&t->machine, simulated__machine() ?: host__cpuid(&t->host));
	t->options.machine = sb__str(&t->machine);
	t->options.software = !t->levels;
	t->options.tables = t->batch;
	t->options.cpus = t->host.machine->online.nr;
	t->options.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	t->options.nr_parts = top_count__nr_parts;
	t->options.arg = t;
	t->options.hide_idle = !t->pids;
	t->options.functions_ms = FUNCTIONS_MS / t->options.interval_ms * t->options.interval_ms;
	if (t->options.functions_ms < t->options.interval_ms)
		t->options.functions_ms = t->options.interval_ms;
	if (t->pids || t->own) {
		sb__puts(&t->named, t->pids ?: "your own processes");
		t->options.of_functions = sb__str(&t->named);
	}
	return 0;
}

static int top__run(struct tops *t, const char *colour, struct err *err)
{
	struct top_stderr said = {.before = -1};
	int rc = top__load(t, err);

	if (rc)
		return rc;
	t->model = top__new(&t->options);
	if (*t->no_tree)
		top__set_message(t->model, t->no_tree, true);
	else if (t->rights.len)
		top__set_message(t->model, sb__str(&t->rights), true);
	else if (simulated__machine())
		top__set_message(t->model, "made up: tma did not start these processes, and the "
					   "counts do not follow them", true);
	if (!t->batch)
		rc = screen__open(&t->screen, colour__is_wanted(colour, STDOUT_FILENO), err);
	if (rc)
		return rc;
	if (t->screen)
		catch_stderr(&said);
	tell_page(t);
	signals__install();
	pick_first(t);
	if (t->screen)
		show(t, err);
	rc = top__watch(t, &said, err);
	if ((rc == -EACCES || rc == -EPERM) && !t->own)
		rc = err__set(err, -rc,
			      "tma top counts the whole machine, which this user may not do: run "
			      "it as root, with CAP_PERFMON, or with kernel.perf_event_paranoid=0");
	top_count__end(t);
	screen__close(t->screen);
	t->screen = NULL;
	give_stderr_back(&said);
	return rc;
}

static void top__free_all(struct tops *t)
{
	sb__free(&t->whole.metrics);
	sb__free(&t->places.metrics);
	page__free(t->page);
	top__free(t->model);
	process_pick__free(&t->pick);
	sb__free(&t->picked);
	sb__free(&t->again);
	sb__free(&t->machine);
	sb__free(&t->head);
	sb__free(&t->deeper);
	sb__free(&t->process);
	sb__free(&t->named);
	sb__free(&t->rights);
	sb__free(&t->mine);
	host__free(&t->host);
}

/* --- Options --------------------------------------------------------------------------------- */

static int read_delay(struct tops *t, const char *text, struct err *err)
{
	double seconds;
	int len = num__scan_double(text, &seconds);

	if (len && !text[len] && seconds >= 0.1 && seconds <= 3600) {
		t->options.interval_ms = seconds * MS_PER_S + 0.5;
		return 0;
	}
	return err__set(err, EINVAL, "-d %s: expected a number of seconds from 0.1 to 3600", text);
}

/** struct top_choice - the kinds of rows that the user asked for: only one is allowed */
struct top_choice {
	bool types, cgroups, processes, cpus, functions;
};

static int top__choose_rows(struct tops *t, const struct top_choice *c, struct err *err)
{
	if (c->types + c->cgroups + c->processes + c->cpus + c->functions > 1)
		return err__set(err, EINVAL,
				"-a, --cgroups, --processes, --cpus and --functions cannot be "
				"combined: choose one kind of rows");
	if (t->cgroups && (c->types || c->processes || c->cpus || c->functions))
		return err__set(err, EINVAL, "-G needs --cgroups");
	if (t->pids && (c->types || c->cgroups || c->cpus || t->cgroups))
		return err__set(err, EINVAL, "-p needs --processes or --functions");
	t->options.rows = c->types		     ? TOP_CORE_TYPES
			  : c->cgroups || t->cgroups ? TOP_CGROUPS
			  : c->cpus		     ? TOP_CPUS
			  : c->functions	     ? TOP_FUNCTIONS
						     : TOP_PROCESSES;
	return 0;
}

int cmd_top(int argc, const char **argv)
{
	static const char *const usage[] = {"tma top [<options>]", NULL};
	struct tops t = {.most = PROCESSES, .options.interval_ms = MS_PER_S, .group = ""};
	const char *delay = NULL, *most = NULL, *iterations = NULL, *colour = NULL;
	struct top_choice c = {.types = false};
	const struct option options[] = {
		OPT_GROUP("The rows below the tree"),
		OPT_BOOLEAN(0, "processes", &c.processes, "the busiest processes (the default)"),
		OPT_STRING('p', "pid", &t.pids, "pid", "these processes"),
		OPT_STRING('N', "number", &most, "n", "number of processes (10)"),
		OPT_BOOLEAN(0, "cgroups", &c.cgroups, "cgroups: those of the first level"),
		OPT_STRING('G', "cgroup", &t.cgroups, "cgroup", "these cgroups, or patterns of them"),
		OPT_BOOLEAN(0, "cpus", &c.cpus, "CPUs"),
		OPT_BOOLEAN(0, "functions", &c.functions, "functions, of all processes or those of -p"),
		OPT_BOOLEAN('a', "all-cpus", &c.types, "core types, or all CPUs as one"),
		OPT_TABLES(),
		OPT_GROUP("When and how"),
		OPT_STRING('d', "delay", &delay, "s", "length of an interval in seconds (1)"),
		OPT_STRING('n', "iterations", &iterations, "n", "stop after N intervals"),
		OPT_BOOLEAN('b', "batch", &t.batch, "print a table for each interval"),
		OPT_COLOUR(&colour),
		OPT_END()
	};
	struct err err = ERR_INIT;
	int rc, status, signal;

	argc = options__parse(argc, argv, options, usage, 0);
	rc = argc ? err__set(&err, EINVAL, "'%s': tma top runs no command", argv[0]) : 0;
	rc = rc ?: delay ? read_delay(&t, delay, &err) : 0;
	rc = rc ?: top__choose_rows(&t, &c, &err);
	if (!rc && most)
		rc = num__parse_u64("-N", most, 1, 1000, &t.most, &err);
	if (!rc && iterations)
		rc = num__parse_u64("-n", iterations, 1, UINT32_MAX, &t.iterations, &err);
	rc = rc ?: colour__check(colour, &err);
	if (rc)
		return say_usage(&err);
	rc = top__run(&t, colour, &err);
	signal = session__signal();
	if (!rc && signal && t.batch)
		say("ended by a signal: %s", strsignal(signal));
	if (!rc && t.batch && t.whole.rows && !t.counted)
		rc = err__set(&err, ENODATA, "nothing could be counted in %" PRIu64 " intervals",
			      t.whole.rows);
	status = rc ? say_err(&err) : signal ? 128 + signal : 0;
	status = tell_odd(&t.host, status);
	signals__restore();
	top__free_all(&t);
	return status;
}
