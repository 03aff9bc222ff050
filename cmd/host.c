// SPDX-License-Identifier: GPL-2.0-only
/* The computer a subcommand works on, with the tables of its CPU. */
#include <errno.h>
#include <stddef.h>

#include "base/err.h"
#include "cmd.h"
#include "events/events.h"
#include "machine/machine.h"
#include "metrics/metrics.h"
#include "tables/tables.h"

int host__load(struct host *h, struct err *err)
{
	int rc;

	*h = (struct host){ .machine = NULL };
	rc = machine__new(&h->machine, err);
	if (rc)
		return rc;
	rc = tables__find(h->machine->cpuid, &h->tables);
	if (rc) {
		err__set(err, -rc, "cannot load the tables of CPU %s: out of memory",
			 h->machine->cpuid);
		host__free(h);
	}
	return rc;
}

void host__free(struct host *h)
{
	tables__free(h->tables);
	machine__free(h->machine);
	*h = (struct host){ .machine = NULL };
}

struct events_scope host__events_scope(const struct host *h, const char *pmu)
{
	return (struct events_scope){
		.machine = h->machine,
		.tables = h->tables,
		.pmu_filter = pmu,
	};
}

static bool has_event(void *scope, const char *id)
{
	return events__exists(scope, id);
}

struct metrics_scope host__metrics_scope(const struct host *h, struct events_scope *events)
{
	return (struct metrics_scope){
		.machine = h->machine,
		.tables = h->tables,
		.pmu = events->pmu_filter,
		.has_event = has_event,
		.arg = events,
	};
}

int host__no_pmu(const char *what, const char *example, struct err *err)
{
	return err__set(err, ENODEV,
			"%s needs the CPU's performance counters, and this machine has none that can "
			"be used:\n"
			"  sysfs shows no core PMU (bus/event_source/devices/cpu or cpu_core). In a "
			"virtual machine,\n"
			"  ask for a virtual PMU; in a container, for the host's /sys.\n"
			"  To see what it does here, run it on a simulated machine:\n"
			"      tma --machine alderlake %s",
			what, example);
}
