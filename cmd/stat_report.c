// SPDX-License-Identifier: GPL-2.0-only
/* "tma stat report": a recording instead of counting, and the rows of it. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/num.h"
#include "cmd.h"
#include "machine/machine.h"
#include "retire_latency.h"
#include "stat.h"
#include "tables/tables.h"

#define NS_PER_S 1e9
#define TIME_MAX_S 9e9

/**
 * struct reporting - a report under way
 * @host:   the recorded machine, which is the recording's, with its tables
 * @from_pipe: the recording comes through a pipe
 * @from_ns, @to_ns: rows that end after the one and not after the other
 * @row, @sum: counts of a row, and of all of them
 * @total:  length of all rows
 */
struct reporting {
	struct stat_options *o;
	struct recording *recording;
	struct host host;
	struct metrics_scope scope;
	struct plan *plan;
	struct report *report;
	uint64_t from_ns, to_ns;
	bool from_pipe;
	struct counts row, sum;
	struct report_time total;
};

static bool stdin_is_pipe(void)
{
	struct stat st;

	return !fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode);
}

static int open_input(const struct stat_options *o, const char **name, struct err *err)
{
	int fd;

	*name = o->input_name;
	if (!*name || !**name)
		*name = stdin_is_pipe() ? "-" : RECORD_DEFAULT_NAME;
	if (!strcmp(*name, "-")) {
		*name = "standard input";
		return dup(STDIN_FILENO);
	}
	fd = open(*name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		err__set(err, errno, "cannot open %s: %s", *name, strerror(errno));
	return fd;
}

/* One end of --time; an empty one is none. */
static int parse_end(const char *text, uint64_t none, uint64_t *ns, struct err *err)
{
	double seconds;

	*ns = none;
	if (!*text)
		return 0;
	if (num__parse_double("--time", text, &seconds, err))
		return -EINVAL;
	if (seconds < 0 || seconds > TIME_MAX_S)
		return err__set(err, ERANGE, "--time: %s is no time in seconds", text);
	*ns = seconds * NS_PER_S;
	return 0;
}

static int parse_time(struct reporting *r, struct err *err)
{
	char text[128], *comma;
	int rc;

	r->to_ns = UINT64_MAX;
	if (!r->o->time_text)
		return 0;
	if (!recording__info(r->recording)->interval)
		return err__set(err, EINVAL,
				"--time needs counts taken with -I, and these are of a whole run");
	snprintf(text, sizeof(text), "%s", r->o->time_text);
	comma = strchr(text, ',');
	if (!comma)
		return err__set(err, EINVAL, "--time: '%s' is not FROM,TO", r->o->time_text);
	*comma = '\0';
	rc = parse_end(text, 0, &r->from_ns, err);
	if (!rc)
		rc = parse_end(comma + 1, UINT64_MAX, &r->to_ns, err);
	if (!rc && r->from_ns >= r->to_ns)
		rc = err__set(err, EINVAL, "--time: %s: nothing is between", r->o->time_text);
	return rc;
}

static bool wants_metrics(const struct stat_options *o)
{
	return o->metrics.len || o->topdown;
}

/* What the recording does not say is taken from this machine, and said. */
static int borrow(struct reporting *r, bool cpuid, bool places, struct err *err)
{
	struct machine *here = NULL;
	int rc = 0;

	if (cpuid || places)
		rc = machine__new(&here, err);
	if (!rc && cpuid) {
		rc = recording__set_cpuid(r->recording, here->cpuid, err);
		say("the counts do not say of which CPU they are: the metrics are those of this one, %s "
		    "(--cpuid names another)", *here->cpuid ? here->cpuid : "which is unknown");
	}
	if (!rc && places) {
		rc = recording__borrow_places(r->recording, here, err);
		if (!rc)
			say("the counts do not say where their CPUs stand: as on this machine");
	}
	machine__free(here);
	return rc;
}

/* What rows stand for: as asked, or as they did. */
static int choose_rows(struct reporting *r, bool *borrow_places, struct err *err)
{
	const struct recording_info *info = recording__info(r->recording);
	struct report_options *opts = &r->o->report;
	int rc;

	if (!r->o->rows_asked && !r->o->global) {
		opts->aggr = stat_record__report_aggr(info->aggr);
		opts->cache_level = info->cache_level;
		opts->no_merge = opts->aggr == AGGR_NONE;
	}
	rc = recording__can_tell(r->recording, stat_record__record_aggr(opts->aggr), err);
	*borrow_places = rc == 1;
	return rc < 0 ? rc : 0;
}

static int set_heading(struct reporting *r, struct err *err)
{
	const char *command = recording__info(r->recording)->command;
	struct sb sb = SB_INIT;

	/* perf does not read the command line from a pipe, and its scripts look for the word. */
	sb__printf(&sb, "'%s'", as_perf() && r->from_pipe ? "pipe" : command);
	r->o->report.head = sb__detach(&sb);
	return r->o->report.head ? 0 : err__set(err, ENOMEM, "out of memory");
}

/* All metrics asked for, as one list of names. */
static int add_topdown(struct reporting *r, struct err *err)
{
	struct stat_options *o = r->o;
	const char *cpuid = r->host.machine->cpuid;
	char cpu[128];
	int rc;

	if (o->metrics.len)
		sb__putc(&o->metrics, ',');
	snprintf(cpu, sizeof(cpu), "CPU %s", *cpuid ? cpuid : "(unknown)");
	rc = r->host.tables ?
		     stat_topdown__group(o, r->host.tables, NULL, cpu, &o->metrics, err) : 0;
	if (!rc)
		return err__set(err, ENOENT, "--topdown: there are no TopDown metrics for %s", cpu);
	if (rc < 0)
		return rc;
	if (!o->no_metric_only)
		o->report.metric_only = true;
	return 0;
}

static int make_plan(struct reporting *r, struct err *err)
{
	struct stat_options *o = r->o;
	const struct recording_info *info = recording__info(r->recording);
	int rc = 0;

	if (wants_metrics(o))
		rc = host__load_for(&r->host, recording__machine(r->recording), err);
	r->host.machine = recording__machine(r->recording);
	if (!rc && o->topdown)
		rc = add_topdown(r, err);
	if (rc)
		return rc;
	r->scope = (struct metrics_scope){
		.machine = r->host.machine,
		.tables = r->host.tables,
		.system_wide = info->per_cpu,
		.no_threshold = o->no_threshold,
		.has_event = recording__has_event,
		.arg = r->recording,
	};
	if (stat_verdict__add_parents(o, &r->scope, &o->metrics))
		return err__set(err, ENOMEM, "out of memory");
	r->plan = plan__new(&r->scope);
	if (!r->plan)
		return err__set(err, ENOMEM, "out of memory");
	rc = recording__bind(r->recording, r->plan, &r->scope,
			     o->metrics.len ? sb__str(&o->metrics) : NULL, o->topdown, err);
	if (!rc)
		say_lines(sb__str(&r->plan->warnings));
	return rc ? rc : stat_verdict__check(o, r->plan, err);
}

static int start(struct reporting *r, FILE *out, struct err *err)
{
	const struct recording_info *info = recording__info(r->recording);
	const struct report_units units = {
		.nr = info->nr_units,
		.ids = info->units,
		.comms = info->comms,
		.weights = info->weights,
		.uncounted = info->text && info->aggr == RECORD_AGGR_GLOBAL,
	};
	bool borrow_places;
	int rc;

	rc = parse_time(r, err);
	if (!rc)
		rc = choose_rows(r, &borrow_places, err);
	if (!rc)
		rc = borrow(r, wants_metrics(r->o) && !*info->cpuid, borrow_places, err);
	if (!rc)
		rc = make_plan(r, err);
	if (!rc)
		rc = set_heading(r, err);
	if (rc)
		return rc;
	if (info->unfinished)
		say("the recording was not completed: it is reported as far as it goes");
	r->o->report.interval = info->interval;
	r->o->report.latency_mode = info->latency_mode;
	rc = stat_output__check(r->o, err);
	if (rc)
		return rc;
	r->o->report.colour = isatty(fileno(out)) && !getenv("NO_COLOR");
	if (recording__counts(r->recording, &r->row) || recording__counts(r->recording, &r->sum))
		return err__set(err, ENOMEM, "out of memory");
	rc = report__new_units(r->host.machine, r->plan, &units, &r->o->report, out, &r->report,
			       err);
	for (int i = 0; !rc && i < r->plan->events.nr; i++)
		report__set_reasons(r->report, i, recording__refusal(r->recording, i),
				    recording__obstacle(r->recording, i));
	return rc;
}

static int print_row(struct reporting *r, const struct recorded_row *row, struct err *err)
{
	const struct report_time time = {
		.since_start_ns = row->since_start_ns,
		.elapsed_ns = row->elapsed_ns,
	};

	if (row->since_start_ns <= r->from_ns && r->o->time_text)
		return 0;
	if (row->since_start_ns > r->to_ns)
		return 0;
	if (r->o->summary || r->o->report.verdict)
		recording__sum(r->recording, &r->row, &r->sum);
	r->total.elapsed_ns += row->elapsed_ns;
	r->total.since_start_ns = row->since_start_ns;
	return report__print(r->report, &r->row, &time, err);
}

static int print_rows(struct reporting *r, struct err *err)
{
	struct recorded_row row;
	int rc, rows = 0;

	while ((rc = recording__next(r->recording, &r->row, &row, err)) > 0) {
		rc = print_row(r, &row, err);
		if (rc)
			return rc;
		rows++;
	}
	if (!rc && !rows)
		rc = err__set(err, EINVAL, "the recording has no row of counts that is complete");
	if (!rc && r->o->summary && recording__info(r->recording)->interval)
		rc = report__print_total(r->report, &r->sum, &r->total, err);
	if (!rc && r->o->report.verdict)
		rc = stat_verdict__print(r->o, r->report, &r->sum, &r->total, err);
	return rc;
}

static void reporting__free(struct reporting *r)
{
	report__free(r->report);
	plan__free(r->plan);
	counts__free(&r->row);
	counts__free(&r->sum);
	/* The machine is the recording's. */
	r->host.machine = NULL;
	host__free(&r->host);
	recording__free(r->recording);
}

static int report_file(struct stat_options *o, int fd, const char *name, FILE *out, struct err *err)
{
	const struct recording_options opts = {
		.cpuid = o->cpuid,
		.separator = o->report.separator,
	};
	struct stat st;
	struct reporting r = { .o = o, .from_pipe = !fstat(fd, &st) && S_ISFIFO(st.st_mode) };
	int rc;

	rc = recording__open(fd, name, &opts, &r.recording, err);
	if (!rc)
		rc = start(&r, out, err);
	if (!rc)
		rc = print_rows(&r, err);
	if (!rc) {
		retire_latency__say_assumed(r.plan, r.report, false);
		stat_say_starved(o, r.report);
		stat_say_shares(o, r.report);
	}
	reporting__free(&r);
	return rc;
}

int stat_report(struct stat_options *o)
{
	struct err err = ERR_INIT;
	FILE *out = NULL;
	const char *name;
	int fd, rc, closed;

	fd = open_input(o, &name, &err);
	if (fd < 0)
		return say_err(&err);
	rc = stat_output__open(o, &out, &err);
	if (!rc)
		rc = report_file(o, fd, name, out, &err);
	close(fd);
	if (rc)
		say_err(&err);
	closed = stat_output__close(out, &err);
	if (!rc && closed)
		say_err(&err);
	return rc || closed ? STATUS_FAILED : 0;
}
