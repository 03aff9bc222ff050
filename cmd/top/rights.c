// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds what this user may count: the whole machine; else their own processes; else nothing, and
 * procfs has the CPU time of these.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/text.h"
#include "machine/machine.h"
#include "top/top.h"

#define HIDES_KERNEL 2 /* from this value on, the kernel's part is not counted */
#define INIT 1	       /* process of root, which only privileged users may count */

/* Return: whether a counter can be opened, on all CPUs or for this process. */
static bool may_count(const struct tops *t, bool all)
{
	const struct request_event event = {.text = t->levels ? "cycles" : "cpu-clock"};
	auto_free(sb) own = SB_INIT;
	struct request req = REQUEST_INIT;
	struct err err = ERR_INIT;
	struct run *run = NULL;
	int rc;

	sb__printf(&own, "%d", getpid());
	req.events = &event;
	req.nr_events = 1;
	req.notes = 0;
	req.target.system_wide = all;
	req.target.pids = all ? NULL : sb__str(&own);
	rc = begin_run(&t->host, &req, &run, &err);
	run__close(run);
	return rc != -EACCES && rc != -EPERM;
}

static void name_rights(struct tops *t)
{
	sb__clear(&t->rights);
	if (t->no_perf)
		sb__puts(&t->rights, "CPU time of your own processes: you may not count anything. ");
	else if (t->host.machine->paranoid >= HIDES_KERNEL)
		sb__puts(&t->rights, "your own processes alone, without the kernel's part. ");
	else
		sb__puts(&t->rights, "your own processes alone. ");
	sb__printf(&t->rights,
		   "The whole machine needs %sCAP_PERFMON or kernel.perf_event_paranoid=0",
		   geteuid() ? "root, " : "");
}

/* Check whether the processes of -p may be counted; what else is wrong with them, the run finds. */
static int check_named(const struct tops *t, struct err *err)
{
	int len;

	if (!t->pids || !t->pick.countable)
		return 0;
	text__for_each_item(item, len, t->pids, ",")
		if (process_pick__is_refused(atoi(item)))
			return err__set(err, EACCES,
					"-p %.*s: the kernel does not let this user count that "
					"process, which is of another user or not dumpable: leave "
					"it out, or run tma top as root or with CAP_PERFMON",
					len, item);
	return 0;
}

int top_rights__find(struct tops *t, struct err *err)
{
	bool all = may_count(t, true);

	/* In a container, init may belong to the user: it shows the rights of root alone. */
	t->pick.countable = geteuid() || process_pick__is_refused(INIT);
	if (all)
		return check_named(t, err);
	if (t->options.rows != TOP_PROCESSES && t->options.rows != TOP_FUNCTIONS)
		return err__set(err, EACCES,
				"tma top counts the whole machine for these rows, which this user may "
				"not: run it as root, with CAP_PERFMON, or with "
				"kernel.perf_event_paranoid=0; without options it shows your own "
				"processes");
	t->own = true;
	t->no_perf = !may_count(t, false);
	if (t->no_perf && t->options.rows == TOP_FUNCTIONS)
		return err__set(err, EACCES, TOP_NO_FUNCTIONS);
	if (t->no_perf) {
		t->levels = 0;
		t->pick.own = true;
		t->pick.countable = false;
	}
	name_rights(t);
	return check_named(t, err);
}
