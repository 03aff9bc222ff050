/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PCIe root ports of a machine, and the uncore PMUs that count their traffic. Linux shows root
 * ports for the IIO stacks of Intel's servers since Skylake.
 */
#ifndef TMA_MACHINE_ROOT_PORT_H
#define TMA_MACHINE_ROOT_PORT_H

#include "base/vec.h"

struct err;
struct machine;
struct pmu;

/**
 * struct root_port - a PCIe root port
 * @name: domain and bus, "0000:17"
 * @pmu:  PMU of the port's stack (uncore_iio_N), whose file die<number> has the name of the port
 * @unit: number of the stack
 * @die:  die of the port; @cpu: the CPU of this die that reads the counter
 */
struct root_port {
	char name[16];
	struct pmu *pmu;
	unsigned int domain, bus;
	int unit, die, cpu;
};

/** struct root_ports - a list of root ports, sorted by stack and then by die */
struct root_ports {
	VEC(struct root_port) at;
};

/**
 * root_ports__find() - find the root ports of a machine
 * @out: an empty list; release it with root_ports__free()
 *
 * Return: 0; -ENODEV if there are no root ports; -EINVAL for a file that does not name one.
 */
int root_ports__find(struct machine *m, struct root_ports *out, struct err *err);
/**
 * root_ports__keep() - keep only the named ports, in the order of the names
 * @names: "0000:17,0:3a"
 *
 * Return: 0; -EINVAL for a name that does not have the form of a root port's; -ENOENT for a port
 * that does not exist.
 */
int root_ports__keep(struct root_ports *ports, const char *names, struct err *err);
/** root_ports__free() - release root ports. */
void root_ports__free(struct root_ports *ports);

#endif
