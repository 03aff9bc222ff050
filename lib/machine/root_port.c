// SPDX-License-Identifier: GPL-2.0-only
#include "machine/root_port.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/sb.h"
#include "base/xalloc.h"
#include "machine/machine.h"

#define STACK "uncore_iio_%d"
#define MAPPING "%s/bus/event_source/devices/%s/die%d"
#define LINE_LEN 64

/* Parse "0000:17" or "0:17". Return: whether the whole text is the name of a root port. */
static bool root_port__parse(const char *text, unsigned int *domain, unsigned int *bus)
{
	int end = 0;

	return sscanf(text, "%x:%2x%n", domain, bus, &end) == 2 && !text[end] && *domain <= 0xffff;
}

/* Add the port of a stack on a die. Return: 1; 0 if the stack has no port there; or -errno. */
static int root_port__add(struct root_ports *ports, struct pmu *pmu, int unit, int die,
			  struct err *err)
{
	struct root_port port = { .pmu = pmu, .unit = unit, .die = die };
	const char *sysfs = pmu->machine->sysfs;
	char line[LINE_LEN];
	int rc = file__read_line(line, sizeof(line), MAPPING, sysfs, pmu->name, die);

	if (rc == -ENOENT || die >= pmu->cpus.nr)
		return 0;
	if (rc < 0)
		return err__set(err, -rc, MAPPING ": %s", sysfs, pmu->name, die, strerror(-rc));
	if (!root_port__parse(line, &port.domain, &port.bus))
		return err__set(err, EINVAL, MAPPING ": '%s' is not a PCIe root port", sysfs,
				pmu->name, die, line);
	/* The PMU has one CPU for each die, in the order in which the kernel numbers dies. */
	port.cpu = pmu->cpus.at[die];
	snprintf(port.name, sizeof(port.name), "%04x:%02x", port.domain, port.bus);
	vec__push(&ports->at, port);
	return 1;
}

int root_ports__find(struct machine *m, struct root_ports *out, struct err *err)
{
	struct pmu *pmu;
	char name[32];
	int rc = 0;

	for (int unit = 0; rc >= 0; unit++) {
		snprintf(name, sizeof(name), STACK, unit);
		pmu = machine__pmu(m, name);
		if (!pmu)
			break;
		for (int die = 0; (rc = root_port__add(out, pmu, unit, die, err)) > 0; die++)
			;
	}
	if (rc >= 0 && !out->at.nr)
		rc = err__set(err, ENODEV,
			      "this machine shows no PCIe root ports: Linux shows them for the PMUs "
			      "uncore_iio of Intel's servers since Skylake, in files die0, die1 ...");
	return rc < 0 ? rc : 0;
}

static const struct root_port *root_port__find(const struct root_ports *ports, unsigned int domain,
					       unsigned int bus)
{
	const struct root_port *port;

	vec__for_each(port, &ports->at)
		if (port->domain == domain && port->bus == bus)
			return port;
	return NULL;
}

int root_ports__keep(struct root_ports *ports, const char *names, struct err *err)
{
	auto_text copy = xstrdup(names);
	struct root_ports kept = { .at = { .nr = 0 } };
	char *rest = copy, *name;
	int rc = 0;

	while (!rc && (name = strsep(&rest, ","))) {
		const struct root_port *port;
		unsigned int domain, bus;

		if (!root_port__parse(name, &domain, &bus)) {
			rc = err__set(err, EINVAL,
				      "'%s' is not a root port: write DOMAIN:BUS, such as 0000:3d",
				      name);
			break;
		}
		port = root_port__find(ports, domain, bus);
		if (!port)
			rc = err__set(err, ENOENT, "there is no root port %04x:%02x", domain, bus);
		else if (!root_port__find(&kept, domain, bus))
			vec__push(&kept.at, *port);
	}
	root_ports__free(ports);
	*ports = kept;
	return rc;
}

void root_ports__free(struct root_ports *ports)
{
	vec__free(&ports->at);
}
