// SPDX-License-Identifier: GPL-2.0-only
/*
 * "tma stat" and "tma plan" go from options to what is run, to rows and the exit status. This is
 * the glue.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/place.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "stat.h"

/* --- Where rows go: -o, --log-fd, --append, --quiet -------------------------------------- */

/* The id of the CPU that was counted on, where it is known; perf writes it nowhere. */
static const char *known_cpuid(const struct stat_run *run)
{
	const struct machine *m = run->host.machine;

	return as_perf() || !m || run->cpuid_borrowed ? "" : m->cpuid;
}

/*
 * The first line of a file says when the run began, as perf writes it, and the second, which is
 * empty there, on which CPU.
 */
static int write_started(const struct stat_run *run, const char *name, struct err *err)
{
	const char *cpuid = known_cpuid(run);
	auto_free(sb) lines = SB_INIT;
	time_t now = time(NULL);
	char text[32];
	int rc;

	sb__printf(&lines, "# started on %s%s%s\n", ctime_r(&now, text),
		   *cpuid ? RECORD_CPUID_LINE " " : "", cpuid);
	rc = fflush(run->out) ? -errno
			      : file__write_any(fileno(run->out), sb__str(&lines), lines.len);
	if (rc)
		err__set(err, -rc, "cannot write to %s: %s", name, strerror(-rc));
	return rc;
}

/* Rows that are added to a file stand below its header; a table stands behind an empty line. */
static int continue_file(struct stat_run *run, const char *name, struct err *err)
{
	int fd = dup(fileno(run->out));
	FILE *before = fd < 0 ? NULL : fdopen(fd, "r");
	size_t size = 0;
	bool some = before && !fseek(before, 0, SEEK_SET) &&
		    getline(&run->above, &size, before) > 0;

	if (!some && errno == ENOMEM)
		xchecked(NULL);
	if (before)
		fclose(before);
	else if (fd >= 0)
		close(fd);
	if (some && format__is(run->format.format, FORMAT_CSV))
		run->format.above = run->above;
	else if (some && fputc('\n', run->out) == EOF)
		return err__set(err, errno, "cannot write to %s: %s", name, strerror(errno));
	return 0;
}

/* What rows are added to is read, too, where it is a file that may be read. */
static int open_named(const char *name, bool append, struct err *err)
{
	bool regular = append && S_ISREG(file__mode("%s", name));
	int fd = regular ? place__open(name, O_RDWR | O_APPEND, 0666, err) : -EACCES;

	return fd == -EACCES ? place__open(name, O_WRONLY | (append ? O_APPEND : 0), 0666, err)
			     : fd;
}

/* A line that somebody left unfinished is ended: what is added begins with one of its own. */
static int end_last_line(int fd, const char *name, struct err *err)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char last = '\n';
	int rc;

	/* Of what is no file, or may not be read, nobody knows. */
	if (size <= 0 || pread(fd, &last, 1, size - 1) != 1 || last == '\n')
		return 0;
	rc = file__write_any(fd, "\n", 1);
	return rc ? err__set(err, -rc, "cannot write to %s: %s", name, strerror(-rc)) : 0;
}

/* A report must not replace what it is read from, nor what is read after it. */
static bool is_written(const struct stat_options *o, const char *input)
{
	if (!input || !*input)
		input = RECORD_DEFAULT_NAME;
	return file__is_same(o->output_name, strcmp(input, "-") ? input : "/dev/stdin");
}

static int check_inputs(const struct stat_options *o, struct err *err)
{
	bool same = is_written(o, o->input_name);

	for (int i = 0; i < o->nr_inputs && !same; i++)
		same = is_written(o, o->inputs[i]);
	return same ? err__set(err, EINVAL, "-o %s: this file is an input", o->output_name) : 0;
}

static int open_file(struct stat_run *run, struct err *err)
{
	const char *name = run->o->output_name;
	bool append = run->o->append;
	int fd = open_named(name, append, err), rc;

	if (fd < 0)
		return fd;
	run->out = xchecked(fdopen(fd, append ? "a" : "w"));
	rc = append ? end_last_line(fd, name, err) : 0;
	if (rc)
		return rc;
	if (run->format.header)
		return append ? continue_file(run, name, err) : 0;
	/* A format with a header has nothing above its rows without it. */
	if (format__is(run->format.format, FORMAT_TEXT | FORMAT_CSV) &&
	    !format__is(run->format.format, FORMAT_HEADER))
		return write_started(run, name, err);
	return 0;
}

static int open_stream(struct stat_run *run, struct err *err)
{
	const struct stat_options *o = run->o;

	run->out = o->to_stdout ? stdout : stderr;
	if (run->format.published)
		return 0;
	if (format__is(run->format.format, FORMAT_PAGE) && !o->quiet && o->has_file)
		return stat_page__open(run, err);
	if (o->quiet) {
		run->out = fopen("/dev/null", "we");
		return run->out ? 0 : err__set(err, errno, "/dev/null: %s", strerror(errno));
	}
	if (o->log_fd) {
		if ((fcntl(o->log_fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
			return err__set(err, EBADF,
					"--log-fd %d: the descriptor is open for reading only",
					(int)o->log_fd);
		keep_from_command(o->log_fd);
		run->out = fdopen(o->log_fd, "w");
		return run->out ? 0 : err__set(err, errno, "--log-fd %d: %s", (int)o->log_fd,
					       strerror(errno));
	}
	if (o->verb == STAT_REPORT && o->has_file && check_inputs(o, err))
		return -EINVAL;
	if (run->format.path)
		return file__can_replace(run->format.path, err);
	return o->has_file ? open_file(run, err) : 0;
}

/* A terminal that cannot do more than print is called "dumb". */
static int choose_colour(struct stat_run *run, struct err *err)
{
	const char *when = run->o->colour ? run->o->colour : "auto", *terminal = getenv("TERM");

	if (!strcmp(when, "always"))
		run->format.colour = true;
	else if (!strcmp(when, "auto"))
		run->format.colour = isatty(fileno(run->out)) && !getenv("NO_COLOR") &&
				     !(terminal && !strcmp(terminal, "dumb"));
	else if (strcmp(when, "never"))
		return err__set(err, EINVAL,
				"--color: unknown value '%s'; use auto, always or never", when);
	return 0;
}

/* Name the program, the CPU and the tables. */
static void put_names(struct stat_run *run)
{
	run->format.version = TMA_VERSION;
	run->format.cpu = known_cpuid(run);
	host__name_tables(&run->host, &run->tables);
	run->format.tables = sb__str(&run->tables);
}

static int open_output(struct stat_run *run, struct err *err)
{
	int rc;

	if (run->o->has_file)
		run->format.cpuid = known_cpuid(run);
	put_names(run);
	rc = open_stream(run, err);
	if (!rc && format__is(run->format.format, FORMAT_PAGE) && !run->format.page)
		rc = stat_page__open(run, err);
	if (rc)
		return rc;
	if (run->format.clear && !isatty(fileno(run->out)))
		return err__set(err, ENOTTY, "--interval-clear needs a terminal, and %s is not one",
				run->o->to_stdout ? "stdout" : "stderr");
	/* What is wider than a terminal is folded there in the middle of numbers. */
	if (isatty(fileno(run->out)) && run->format.metric_only && !run->o->format_name &&
	    format__is(run->format.format, FORMAT_TEXT))
		run->format.narrow = format__find("tree");
	return choose_colour(run, err);
}

static int close_output(FILE *out, struct err *err)
{
	/* What became of standard output is looked at when the program ends. */
	if (!out || out == stderr || out == stdout)
		return 0;
	if (fclose(out))
		return err__set(err, errno, "the output could not be written completely: %s",
				strerror(errno));
	return 0;
}

/* --- --smi-cost: counters that stand still during system management interrupts ----------- */

#define SWITCH "bus/event_source/devices/cpu/freeze_on_smi"

static int turn(const struct machine *m, const char *value)
{
	char path[PATH_MAX];
	int fd, rc;

	snprintf(path, sizeof(path), "%s/" SWITCH, m->sysfs);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	rc = file__write(fd, value, strlen(value));
	close(fd);
	return rc;
}

/* The machine whose switch was off before. */
static const struct machine *frozen;

static int freeze(const struct machine *m, struct err *err)
{
	int on, rc = file__read_int(&on, "%s/" SWITCH, m->sysfs);

	if (rc)
		return err__set(err, ENOTSUP,
				"--smi-cost: this kernel cannot stop the counters during system "
				"management interrupts (%s/" SWITCH ": %s)",
				m->sysfs, strerror(-rc));
	if (on)
		return 0;
	rc = turn(m, "1");
	if (rc)
		return err__set(err, -rc, "--smi-cost: cannot write %s/" SWITCH ": %s; run it as root",
				m->sysfs, strerror(-rc));
	frozen = m;
	return 0;
}

int stat__unfreeze(void)
{
	const struct machine *m = frozen;

	frozen = NULL;
	return m ? turn(m, "0") : 0;
}

/* --- A run --------------------------------------------------------------------------------- */

/* A shell must see that the program ended by the signal it was sent. */
static void die_by(int signo)
{
	const struct rlimit none = { 0, 0 };
	sigset_t set;

	/* A core file of a program that was asked to end says nothing. */
	setrlimit(RLIMIT_CORE, &none);
	signal(signo, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signo);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(signo);
}

/* Run, with what some runs need before and after it. */
static int run_between(const struct stat_run *run, struct source *source, struct err *err)
{
	struct stat_regions regions = { .fd = -1 };
	int rc = run->o->smi_cost ? freeze(run->host.machine, err) : 0, unfrozen;

	if (!rc && run->o->regions)
		rc = stat_regions__start(run->o, &regions, err);
	rc = rc ?: stat_run(run, source, err);
	unfrozen = stat__unfreeze();
	if (unfrozen)
		say("%s/" SWITCH " could not be set to 0 again: %s", run->host.machine->sysfs,
		    strerror(-unfrozen));
	if (!rc && run->o->regions)
		rc = stat_regions__print(run, &regions, err);
	if (run->o->regions)
		stat_regions__end(&regions);
	return rc;
}

/* Return: the exit status. */
static int run_source(struct stat_run *run, struct source *source, struct err *err)
{
	int rc = run->taker ? 0 : open_output(run, err), shown, closed;

	if (rc)
		return say_err(err);
	/* A reader who has gone is told by the write: the command must be ended first. */
	signals__ignore(SIGPIPE);
	rc = run_between(run, source, err);
	if (rc && err->code == EPIPE)
		die_by(SIGPIPE);
	if (rc)
		say_err(err);
	shown = stat_page__close(run, rc, err);
	closed = close_output(run->out, err) ?: shown;
	if (closed && !rc)
		say_err(err);
	if (rc || closed)
		return source->status ? source->status : STATUS_FAILED;
	if (run->taker)
		run->taker->signal = source->signal;
	else if (source->signal)
		die_by(source->signal);
	return source->status;
}

static int count_sets(struct stat_run *run)
{
	if (!run->sets)
		stat_sets(run);
	return run->sets->nr;
}

/**
 * struct prepared - a run, with all that lives as long as it does
 * @source: gives its rows; NULL where there is nothing to count
 */
struct prepared {
	struct stat_run run;
	struct stat_again again;
	struct source *source;
};

/* Find what is run, and of a recording open its rows. Return: 0 or -errno. */
static int prepare(struct prepared *p, const struct stat_options *o, struct stat_taker *taker,
		   struct err *err)
{
	*p = (struct prepared){
		.run =
			{
				.o = o,
				.taker = taker,
				.target = o->target,
				.count = o->count,
				.report = o->report,
				.format = o->format,
				.interval = o->interval_ms,
			},
	};
	p->run.report.verdict |= o->judged;
	if (taker && taker->serves) {
		p->run.report.restarts = taker->restarts;
		p->run.report.lost_ns = taker->lost_ns;
	}
	stat_again__init(&p->again, o, &p->run.report);
	return o->verb == STAT_REPORT ? stat_replay(&p->run, &p->source, err)
				      : stat_plan(&p->run, err);
}

/* Return: @status, or another one where something could not be read. */
static int release(struct prepared *p, int status)
{
	struct stat_run *run = &p->run;

	sets__free(run->sets);
	plan__free(run->plan);
	cgroup_list__free(&run->cgroups);
	root_ports__free(&run->ports);
	if (p->source)
		p->source->free(p->source);
	status = host__tell_unread(&run->host, status);
	free(run->head);
	free(run->above);
	sb__free(&run->tables);
	stat_again__exit(&p->again);
	host__free(&run->host);
	return status;
}

static int run_options(const struct stat_options *o, struct stat_taker *taker, struct err *err)
{
	bool replayed = o->verb == STAT_REPORT, only_plan = taker && taker->only_plan;
	struct prepared p;
	int status, rc = prepare(&p, o, taker, err);

	if (!rc && !taker)
		stat_tell(&p.run);
	if (!rc && o->dry_run)
		rc = stat_dry_run(&p.run, err);
	if (!rc && only_plan)
		taker->nr_sets = count_sets(&p.run);
	else if (!rc && !o->dry_run && !replayed && !stat_iostat__lists(o))
		p.source = stat_live(&p.run);
	status = rc ? say_err(err) : p.source ? run_source(&p.run, p.source, err) : 0;
	return release(&p, status);
}

/* Files one after the other, whatever is wrong with one. Return: the worst status. */
static int run_inputs(struct stat_options *o, struct err *err)
{
	int status = 0;

	for (int i = 0; i < o->nr_inputs; i++) {
		int rc;

		o->input_name = o->inputs[i];
		rc = run_options(o, NULL, err);
		status = rc > status ? rc : status;
		*err = (struct err)ERR_INIT;
		o->append = true;
	}
	return status;
}

/*
 * @verb is STAT_PLAN, or STAT_PRINT, which a word behind the options may change. Return: the exit
 * status.
 */
static int run_verb(enum stat_verb verb, int argc, const char **argv, struct stat_taker *taker)
{
	struct err err = ERR_INIT;
	struct stat_options o;
	int status = STATUS_USAGE;

	if (stat_options__parse(&o, verb, argc, argv, &err))
		say_err(&err);
	else
		status = o.nr_inputs ? run_inputs(&o, &err) : run_options(&o, taker, &err);
	stat_options__free(&o);
	return status;
}

int stat_publish(int argc, const char **argv, const struct stat_published *to)
{
	struct err err = ERR_INIT;
	struct stat_options o;
	int status = STATUS_USAGE;

	if (stat_options__parse(&o, STAT_SERVE, argc, argv, &err)) {
		say_err(&err);
	} else {
		o.format.published = to->text;
		o.report.restarts = to->restarts;
		o.report.lost_ns = to->lost_ns;
		status = run_options(&o, NULL, &err);
	}
	stat_options__free(&o);
	return status;
}

int cmd_stat(int argc, const char **argv)
{
	return run_verb(STAT_PRINT, argc, argv, NULL);
}

int cmd_plan(int argc, const char **argv)
{
	return run_verb(STAT_PLAN, argc, argv, NULL);
}

int stat_measure(int argc, const char **argv, struct stat_taker *taker)
{
	taker->signal = 0;
	taker->status = run_verb(STAT_PRINT, argc, argv, taker);
	return taker->status;
}

/* --- A measurement that is taken row by row ------------------------------------------------ */

/**
 * struct stat_measurement - "tma stat" under way
 * @rows: NULL until it has begun
 */
struct stat_measurement {
	struct stat_options o;
	struct prepared p;
	struct stat_rows *rows;
};

/* The first step opens the counters. */
static int begin(struct stat_measurement *m, struct stat_taker *taker, struct err *err)
{
	int rc = prepare(&m->p, &m->o, taker, err);

	if (rc)
		return rc;
	m->p.source = stat_live(&m->p.run);
	m->rows = stat_rows__new(&m->p.run, m->p.source);
	rc = stat_rows__next(m->rows, err);
	if (rc > 0 || !rc)
		return 0;
	stat_rows__end(m->rows, rc, NULL);
	m->rows = NULL;
	return rc;
}

int stat_measurement__begin(int argc, const char **argv, struct stat_taker *taker,
			    struct stat_measurement **out, struct err *err)
{
	struct stat_measurement *m = xcalloc(1, sizeof(*m));
	int rc = stat_options__parse(&m->o, taker->serves ? STAT_SERVE : STAT_PRINT, argc, argv,
				     err);

	*out = NULL;
	if (!rc) {
		rc = begin(m, taker, err);
		if (rc)
			release(&m->p, 0);
	}
	if (rc) {
		stat_options__free(&m->o);
		free(m);
		return rc;
	}
	*out = m;
	return 0;
}

int stat_measurement__next(struct stat_measurement *m, struct err *err)
{
	int step;

	do {
		step = stat_rows__next(m->rows, err);
	} while (step > 0 && step != SOURCE_ROW);
	return step == SOURCE_ROW ? 1 : step;
}

void stat_measurement__accompany(struct stat_measurement *m, struct stat_measurement *other)
{
	/* A signal may have come before either began. */
	if (m->p.source->session)
		session__accompany(m->p.source->session, other ? other->p.source->session : NULL);
}

struct writer *stat_measurement__writer(struct stat_measurement *m, const struct grid *g,
					struct shared_text *to)
{
	struct stat_run *run = &m->p.run;

	sb__clear(&run->tables);
	put_names(run);
	run->format.published = to;
	return writer__new(&run->format, g, stderr);
}

const struct grid *stat_measurement__grid(const struct stat_measurement *m)
{
	return stat_rows__grid(m->rows);
}

const struct machine *stat_measurement__machine(const struct stat_measurement *m)
{
	return m->p.run.host.machine;
}

void stat_measurement__end(struct stat_measurement *m)
{
	struct err err = ERR_INIT;

	if (!m)
		return;
	stat_rows__end(m->rows, 0, &err);
	release(&m->p, 0);
	stat_options__free(&m->o);
	free(m);
}
