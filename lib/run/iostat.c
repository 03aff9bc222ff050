// SPDX-License-Identifier: GPL-2.0-only
/* Count the traffic of each PCIe root port, as perf iostat does (--iostat). */
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "machine/machine.h"
#include "run/internal.h"

/*
 * Each event is a transfer of four bytes. The events with these names cover all lanes. If the
 * tables lack them, perf's codes cover the four lanes that a stack had on early CPUs.
 */
static const struct direction {
	enum event_kind kind;
	const char *name, *terms;
} directions[] = {
	{EVENT_KIND_INBOUND_READ, "unc_iio_data_req_of_cpu.mem_read.all_parts",
	 "event=0x83,umask=4,ch_mask=0xF,fc_mask=0x07"},
	{EVENT_KIND_INBOUND_WRITE, "unc_iio_data_req_of_cpu.mem_write.all_parts",
	 "event=0x83,umask=1,ch_mask=0xF,fc_mask=0x07"},
	{EVENT_KIND_OUTBOUND_READ, "unc_iio_data_req_by_cpu.mem_read.all_parts",
	 "event=0xc0,umask=4,ch_mask=0xF,fc_mask=0x07"},
	{EVENT_KIND_OUTBOUND_WRITE, "unc_iio_data_req_by_cpu.mem_write.all_parts",
	 "event=0xc0,umask=1,ch_mask=0xF,fc_mask=0x07"},
};

static bool has_table_events(const struct run *run, struct pmu *pmu)
{
	const struct tables *t = run->host->tables;

	if (!t || run->req->perf)
		return false;
	for (int i = 0; i < array__nr(directions); i++)
		if (tables__find_unit_event(t, pmu, directions[i].name) < 0)
			return false;
	return true;
}

/* Add the group of events of a port. */
static int add_port(struct run *run, const struct root_port *port, struct err *err)
{
	bool named = has_table_events(run, port->pmu);
	struct event_list *events = &run->plan->events;
	auto_free(sb) text = SB_INIT;
	int first = events->nr, rc;

	for (int i = 0; i < array__nr(directions); i++)
		sb__printf(&text, "%c%s/%s,cpu=%d/", i ? ',' : '{', port->pmu->name,
			   named ? directions[i].name : directions[i].terms, port->cpu);
	sb__putc(&text, '}');
	rc = events__parse(&run->events, text.buf, events, err);
	for (int i = 0; !rc && i < array__nr(directions) && first + i < events->nr; i++) {
		events->at[first + i]->kind = directions[i].kind;
		events->at[first + i]->port = port->name;
	}
	return rc;
}

static void tell_ports(struct run *run)
{
	const struct root_port *port;
	auto_free(sb) lines = SB_INIT;

	vec__for_each (port, &run->ports.at)
		sb__printf(&lines, "S%d-%s<%s>\n", port->die, port->pmu->name, port->name);
	notes__add_lines(&run->notes, NOTE_PORTS, sb__str(&lines));
}

int run_iostat__add(struct run *run, struct err *err)
{
	const char *which = run->req->iostat_ports;
	const struct root_port *port;
	int rc = root_ports__find(run->host->machine, &run->ports, err);

	if (!rc && which && strcmp(which, "list"))
		rc = root_ports__keep(&run->ports, which, err);
	if (rc) {
		err__prefix(err, "--iostat: ");
		return rc;
	}
	tell_ports(run);
	vec__for_each (port, &run->ports.at) {
		rc = add_port(run, port, err);
		if (rc)
			return rc;
	}
	run->plan->nr_cgroups = run->ports.at.nr;
	return 0;
}
