// SPDX-License-Identifier: GPL-2.0-only
/*
 * "tma test" prints what can be counted on this machine, why the rest cannot, and whether TopDown
 * finds known bottlenecks. A report of this can be attached to an issue.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include <subcmd/parse-options.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/err.h"
#include "base/num.h"
#include "cmd.h"
#include "count/count.h"
#include "events/events.h"
#include "kernels/kernels.h"
#include "machine/cgroup.h"
#include "machine/machine.h"
#include "metrics/metrics.h"
#include "run/host.h"
#include "run/run.h"
#include "options.h"
#include "simulated.h"
#include "tables/tables.h"
#include "test/test.h"

#define NS_PER_S 1e9
#define CYCLES "cycles"
#define STATUS_WRONG 1 /* exit status if TopDown is wrong */

/**
 * struct check - one thing that may work or not
 * @needed: without this nothing can be counted; if it fails, so does the command
 * @run:    returns 0 on success, and @err may have a remark; or -errno, and @err has the reason.
 *          May be NULL
 * @event:  event that is then counted, or NULL
 * @system_wide: count @event on all CPUs; else count it for a command
 */
struct check {
	const char *name;
	bool needed;
	int (*run)(struct host *host, struct err *err);
	const char *event;
	bool system_wide;
};

static char *const workload[] = { "true", NULL };

/* Count the events of an open session while its command runs. */
static int run_session(struct session *session, const char *event, struct err *err)
{
	auto_free(counts) counts = { .at = NULL };
	int rc = session__start(session, err), status;

	if (rc)
		return rc;
	counts__init(&counts, session);
	session__wait(session, UINT64_MAX);
	session__stop(session);
	if (session__read(session, &counts))
		rc = err__set(err, EIO, "%s: the counter could not be read", event);
	else if (!strcmp(event, CYCLES) && !counts.at[0].value && counts.at[0].running)
		rc = err__set(err, EIO, "%s: the counter stays at 0", event);
	session__reap(session, 0, &status, NULL);
	return rc;
}

/* Count an event of a command, or of all CPUs while the command runs. */
static int count(struct host *host, const char *event, bool system_wide, struct err *err)
{
	const struct events_scope scope = host__events_scope(host, NULL);
	const struct target target = { .system_wide = system_wide, .argv = workload };
	const struct count_options options = { .scale = true };
	auto_free(event_list) events = EVENT_LIST_INIT;
	struct session *session = NULL;
	int rc = events__parse(&scope, event, &events, err);

	events__join_topdown(&scope, &events);
	rc = rc ?: session__new(host->machine, &events, &target, &options, &session, err);
	rc = rc ?: session__open(session, err);
	if (!rc && !session__supported(session, 0))
		rc = err__set(err, ENOENT, "%s: %s", event,
			      session__refusal(session, 0) ?: "refused");
	rc = rc ?: run_session(session, event, err);
	session__free(session);
	return rc;
}

static int need_core_pmu(const struct host *host, const char *without, struct err *err)
{
	return machine__nr_core_pmus(host->machine) ? 0 : err__set(err, ENODEV, "%s", without);
}

static int check_hardware(struct host *host, struct err *err)
{
	return need_core_pmu(host, "sysfs shows no core PMU: a virtual machine without one?", err);
}

static int check_cgroups(struct host *host, struct err *err)
{
	auto_free(cgroup_list) list = { .at = NULL };

	return cgroups__open(host->machine, "cgroups", "/", false, &list, err);
}

static int check_tables(struct host *host, struct err *err)
{
	if (!tables__name_cpu(host->tables))
		return err__set(err, ENOENT, "none for this CPU (%s): --tables DIR loads some",
				host__cpuid(host));
	err__set(err, 0, "%s: %d events, %d metrics", tables__model(host->tables),
		 tables__nr_events(host->tables), tables__nr_metrics(host->tables));
	return 0;
}

#define MOMENT_MS 20

/*
 * Count level 1 on all CPUs for a moment. Return: 0 if any node has a value; else -ENODATA, and
 * @err has the reason.
 */
static int count_level1(struct host *host, struct err *err)
{
	struct request req = REQUEST_INIT;
	struct run *run = NULL;
	const char *why = NULL;
	bool known = false;
	int rc;

	req.target.system_wide = req.topdown = true;
	req.timeout_ms = MOMENT_MS;
	req.notes = 0;
	req.wants = WANT_METRICS | WANT_STATUS | WANT_REASONS;
	rc = begin_run(host, &req, &run, NULL);
	while (rc > 0 && (rc = next_row(run, NULL)) == RUN_ROW) {
		const struct grid *g = run__grid(run);

		for (int c = 0; c < g->nr_columns; c++) {
			const struct grid_cell *cell = grid__cell(g, c, 0);

			known |= cell->status < CELL_NOT_COUNTED;
			why = why ?: cell__words(cell);
		}
		if (!known)
			err__set(err, ENODATA, "level 1 has no value: %s", why ?: "nothing counts");
	}
	if (run)
		run__close(run);
	return err->code ? -err->code : 0;
}

static int check_topdown(struct host *host, struct err *err)
{
	int level = host->tables ? metrics__topdown_levels(host->tables, NULL, NULL) : 0;
	const char *unknown = host__unknown_topdown(host);
	auto_free(sb) plain = SB_INIT;

	if (!level)
		return err__set(err, ENOENT, "the tables of this CPU have no TopDown metrics");
	if (unknown)
		return err__set(err, ENODATA, "%s", unknown);
	if (machine__is_virtual(host->machine) && count_level1(host, err))
		return -err->code;
	if (host__describe_plain(host, &plain))
		err__set(err, 0, "down to level %d; %s", level, sb__str(&plain));
	else
		err__set(err, 0, "down to level %d", level);
	return need_core_pmu(host, "there is no core PMU", err);
}

static int check_watchdog(struct host *host, struct err *err)
{
	int rc = need_core_pmu(host, "there is no core PMU", err);

	if (!rc && host->machine->nmi_watchdog)
		return err__set(err, EBUSY, "the NMI watchdog holds one: as root, "
					    "'echo 0 > /proc/sys/kernel/nmi_watchdog' frees it");
	return rc;
}

static const struct check checks[] = {
	{ "software events of a command", .needed = true, .event = "task-clock" },
	{ "software events of all CPUs", .event = "cpu-clock", .system_wide = true },
	{ "hardware events", .run = check_hardware, .event = CYCLES },
	{ "all of the CPU's counters", .run = check_watchdog },
	{ "tables of events and metrics", .run = check_tables },
	{ "TopDown metrics", .run = check_topdown },
	{ "tracepoints", .event = "sched:sched_process_exec" },
	{ "cgroups", .run = check_cgroups },
};

/*
 * Print what the reader of a report must know of the machine, and nothing about the machine's
 * owner.
 */
static void print_machine(const struct host *host)
{
	auto_free(sb) sb = SB_INIT, lines = SB_INIT;
	struct utsname name;

	uname(&name);
	sb__printf(&lines, "     tma %s, Linux %s %s\n", TMA_VERSION, name.release, name.machine);
	host__describe(host, &sb);
	for (char *line = strtok(sb.buf, "\n"); line; line = strtok(NULL, "\n"))
		sb__printf(&lines, "     %s\n", line);
	for (int i = 0; i < machine__nr_core_pmus(host->machine); i++)
		sb__printf(&lines, "     %s: %d CPUs\n", machine__core_pmu(host->machine, i)->name,
			   machine__core_pmu(host->machine, i)->cpus.nr);
	sb__printf(&lines, "     kernel.perf_event_paranoid %d%s\n", host->machine->paranoid,
		   simulated__machine() ? ", on a simulated machine" : "");
	print_clean(sb__str(&lines));
}

void test_log__add(struct test_log *log, const char *fmt, ...)
{
	auto_free(sb) line = SB_INIT;
	va_list ap;

	va_start(ap, fmt);
	sb__vprintf(&line, fmt, ap);
	va_end(ap);
	sb__puts(&log->lines, sb__str(&line));
	if (!log->quiet)
		print_clean(sb__str(&line));
}

static int run_checks(struct host *host, struct test_log *log)
{
	int status = 0;

	if (!log->quiet)
		print_machine(host);
	for (const struct check *c = checks; c < checks + array__nr(checks); c++) {
		struct err err = ERR_INIT;
		int rc = c->run ? c->run(host, &err) : 0;

		if (!rc && c->event)
			rc = count(host, c->event, c->system_wide, &err);
		test_log__add(log, "%-4s %s%s%s\n", rc ? "no" : "ok", c->name,
			      *err.msg ? ": " : "", err.msg);
		if (rc && c->needed)
			status = STATUS_FAILED;
	}
	if (!status && !test_kernels(host, log))
		status = STATUS_WRONG;
	return status;
}

/* perf's tests use "perf test -w noploop SECONDS" as a command to count. */
static int run_noploop(double seconds)
{
	struct timespec start, now;
	volatile unsigned long turns = 0;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		turns++;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec - start.tv_sec + (now.tv_nsec - start.tv_nsec) / NS_PER_S < seconds);
	return 0;
}

static int run_workload(const char *name, const char *text)
{
	const struct kernel *k = kernel__find(name);
	struct err err = ERR_INIT;
	double seconds = 1;

	if (!k && strcmp(name, "noploop")) {
		auto_free(sb) sb = SB_INIT;

		for (int i = 0; i < KERNELS_NR; i++)
			sb__printf(&sb, ", %s", kernels[i].name);
		say("-w %s: unknown workload; use noploop%s", name, sb__str(&sb));
		return STATUS_USAGE;
	}
	if (text && num__scan_double(text, &seconds) != (int)strlen(text)) {
		say("%s: '%s' is not a number of seconds", name, text);
		return STATUS_USAGE;
	}
	if (!k)
		return run_noploop(seconds);
	return kernel__run(k, seconds, &err) ? say_err(&err) : 0;
}

static void test__print_json(const struct host *host, const struct test_log *log, int status)
{
	auto_free(sb) text = SB_INIT;

	test_log__print_json(log, host, status, &text);
	fputs(sb__str(&text), stdout);
}

/* Open the report first: if this fails, no measurement is lost. */
static int check_and_report(struct host *host, const char *file, bool json)
{
	struct test_log log = {.lines = SB_INIT, .quiet = json || (file && !strcmp(file, "-"))};
	struct test_report report;
	struct err err = ERR_INIT;
	int status;

	if (file && test_report__open(&report, file, &err))
		return say_err(&err);
	status = run_checks(host, &log);
	if (file && test_report__write(&report, host, &log, status, &err))
		status = say_err(&err);
	if (json)
		test__print_json(host, &log, status);
	sb__free(&log.lines);
	return tell_odd(host, status);
}

int cmd_test(int argc, const char **argv)
{
	static const char *const usage[] = {"tma test [-j] [--report <file>]",
					    "tma test [-w <workload> [<seconds>]]", NULL};
	const char *name = NULL, *report = NULL;
	bool json = false;
	const struct option options[] = {OPT_STRING('w', "workload", &name,
						    "noploop|adds|branches|divides|chase|jumps",
						    "only run a workload"),
					 OPT_STRING(0, "report", &report, "file",
						    "write a report for an issue, without names"),
					 OPT_BOOLEAN('j', "json-output", &json, "JSON"),
					 OPT_END()};
	auto_free(host) host = { .machine = NULL };
	struct err err = ERR_INIT;

	argc = options__parse(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION);
	if (argc > (name ? 1 : 0)) {
		say("unexpected argument '%s'", argv[name ? 1 : 0]);
		usage_with_options(usage, options);
	}
	if (name && (report || json)) {
		say("-w and %s cannot be combined: a workload checks nothing",
		    report ? "--report" : "-j");
		return STATUS_USAGE;
	}
	if (json && report && !strcmp(report, "-")) {
		say("-j and --report - cannot be combined: both go to standard output");
		return STATUS_USAGE;
	}
	if (report && !*report) {
		say("--report needs the name of a file, or - for standard output");
		return STATUS_USAGE;
	}
	if (name)
		return run_workload(name, argc ? argv[0] : NULL);
	return load_host(&host, &err) ? say_err(&err) : check_and_report(&host, report, json);
}
