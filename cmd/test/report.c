// SPDX-License-Identifier: GPL-2.0-only
/*
 * "tma test --report" writes a report in Markdown: the facts about this machine that another person
 * needs to find the cause of an error. A filter removes names from the whole report.
 */
#include <errno.h>
#include <gnu/libc-version.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/err.h"
#include "base/nameless.h"
#include "base/sb.h"
#include "base/text.h"
#include "cmd.h"
#include "count/bpf_library.h"
#include "count/clock.h"
#include "events/events.h"
#include "fleet/ask.h"
#include "http/libraries.h"
#include "machine/machine.h"
#include "run/host.h"
#include "simulated.h"
#include "tables/tables.h"
#include "test/test.h"
#include "where/code.h"
#include "where/dwarf.h"

#define NS_PER_S 1000000000
#define PROMISE "it has no names of hosts, users, files or processes"

int test_report__open(struct test_report *r, const char *name, struct err *err)
{
	*r = (struct test_report){.name = name, .begun_ns = clock__now_ns()};
	return output__open(&r->out, strcmp(name, "-") ? name : NULL, false, err);
}

/* --- The program ----------------------------------------------------------------------------- */

/* Features that a build has if the headers of their libraries are installed. */
static const struct {
	const char *name;
	bool is_built;
} features[] = {
	{"names of functions and lines", DWARF_IS_BUILT},
	{"instructions in tma why", CODE_IS_BUILT},
	{"tma serve", HTTP_IS_BUILT},
	{"tma fleet", FLEET_IS_BUILT},
	{"BPF counters", BPF_IS_BUILT},
};

static void put_program(struct sb *out)
{
	struct utsname name;

	uname(&name);
	sb__printf(out, "%-29s %s\n", "tma", tma_version());
	sb__printf(out, "%-29s %s\n", "kernel", name.release);
	sb__printf(out, "%-29s %s\n", "architecture", name.machine);
	sb__printf(out, "%-29s %s\n", "libc", gnu_get_libc_version());
	for (int i = 0; i < array__nr(features); i++)
		sb__printf(out, "%-29s %s\n", features[i].name,
			   features[i].is_built ? "built in" : "not built in");
	if (*bpf_code__missing)
		sb__printf(out, "%-29s %s\n", "missing for BPF programs", bpf_code__missing);
}

/* --- Names to remove ------------------------------------------------------------------------ */

static void leave_out_host(struct nameless *names)
{
	struct utsname name;

	if (uname(&name) || !strcmp(name.nodename, "localhost"))
		return;
	nameless__add_quoted(names, name.nodename, "(host)");
	name.nodename[strcspn(name.nodename, ".")] = '\0';
	nameless__add_quoted(names, name.nodename, "(host)");
}

/* Every machine has a user "root": this name is kept. */
static void leave_out_users(struct nameless *names)
{
	static const char *const variables[] = {"USER", "LOGNAME", "SUDO_USER"};

	for (int i = 0; i < array__nr(variables); i++) {
		const char *user = getenv(variables[i]);

		if (user && strcmp(user, "root"))
			nameless__add_quoted(names, user, "(user)");
	}
}

static void leave_out_list(struct nameless *names, const char *list)
{
	int len;

	text__for_each_item(item, len, list, ":")
	{
		auto_free(sb) path = SB_INIT;

		sb__add(&path, item, len);
		nameless__add(names, sb__str(&path), "(path)");
	}
}

/* Remove files and directories that the environment and the command line name. */
static void leave_out_paths(struct nameless *names)
{
	static const char *const variables[] = {"HOME",	      "PWD",	     "TMPDIR",
						"SYSFS_PATH", "PROCFS_PATH", "TMA_SIM_MACHINES"};
	const struct host_options *asked = host_asked();
	char here[PATH_MAX];

	for (int i = 0; i < array__nr(variables); i++)
		nameless__add(names, getenv(variables[i]), "(path)");
	if (getcwd(here, sizeof(here)))
		nameless__add(names, here, "(path)");
	leave_out_list(names, getenv("TMA_TABLES") ?: "");
	for (int i = 0; i < asked->tables.nr; i++)
		nameless__add(names, asked->tables.at[i], "(path)");
	for (int i = 0; i < asked->metrics_files.nr; i++)
		nameless__add(names, asked->metrics_files.at[i], "(path)");
}

static bool is_own_model(const char *model)
{
	for (int i = 0; i < tables__nr_models(); i++)
		if (!strcmp(model, tables__model_name(i)))
			return false;
	return true;
}

/* Remove the names of machine files and directories of tables: their owner chose these names. */
static void leave_out_models(const struct host *host, struct nameless *names)
{
	auto_free(sb) machines = SB_INIT;
	struct tables_layer l;

	simulated__put_machines(&machines);
	if (simulated__machine() && !text__has_item(sb__str(&machines), " ", simulated__machine()))
		nameless__add(names, simulated__machine(), "(machine file)");
	for (int i = 0; host->tables && i < tables__nr_layers(host->tables); i++) {
		tables__layer(host->tables, i, &l);
		if (is_own_model(l.model))
			nameless__add(names, l.model, "(tables)");
	}
	/* PERF_CPUID can be any text. It is kept if it is the id of a CPU that the tables know. */
	if (host->machine->cpuid_given && !tables__name_cpu(host->tables))
		nameless__add(names, host->machine->cpuid, "(PERF_CPUID)");
}

/* --- The report ----------------------------------------------------------------------------- */

static void put_section(struct sb *out, const char *title, const struct sb *lines)
{
	sb__printf(out, "\n## %s\n\n```text\n%s```\n", title, sb__str(lines));
}

static void put_checks(const struct test_report *r, const struct host *host,
		       const struct test_log *log, int status, struct sb *out)
{
	auto_free(sb) odd = SB_INIT;
	bool failed;

	sb__puts(out, sb__str(&log->lines));
	if (host__describe_odd_facts(host, &odd, &failed))
		sb__printf(out, "     %s\n", sb__str(&odd));
	sb__printf(out, "     exit status %d, after %.1f s\n", status,
		   (double)(clock__now_ns() - r->begun_ns) / NS_PER_S);
}

static void put_all(const struct test_report *r, const struct host *host,
		    const struct test_log *log, int status, struct sb *out)
{
	auto_free(sb) program = SB_INIT, machine = SB_INIT, kernel = SB_INIT, checks = SB_INIT,
		      pmus = SB_INIT;

	sb__printf(out,
		   "# tma test\n\n"
		   "Written by `tma test --report`%s. Read it before you send it: " PROMISE ".\n",
		   simulated__machine() ? ", on a **simulated machine**" : "");
	put_program(&program);
	report_facts__machine(host, &machine);
	report_facts__kernel(host, &kernel);
	put_checks(r, host, log, status, &checks);
	report_facts__pmus(host, &pmus);
	put_section(out, "Program", &program);
	put_section(out, "Machine", &machine);
	put_section(out, "Kernel", &kernel);
	put_section(out, "Checks", &checks);
	put_section(out, "PMUs", &pmus);
}

int test_report__write(struct test_report *r, const struct host *host, const struct test_log *log,
		       int status, struct err *err)
{
	auto_free(sb) all = SB_INIT, clean = SB_INIT;
	auto_free(nameless) names = NAMELESS_INIT;
	int rc;

	leave_out_host(&names);
	leave_out_users(&names);
	leave_out_paths(&names);
	leave_out_models(host, &names);
	put_all(r, host, log, status, &all);
	text__clean(&clean, sb__str(&all), all.len, "\n");
	nameless__clean(&names, sb__str(&clean), &r->out.text);
	output__flush(&r->out);
	rc = output__close(&r->out, err);
	if (!rc)
		say("report%s%s: read it before you send it; " PROMISE, r->out.path ? ": " : "",
		    r->out.path ?: "");
	return rc;
}
