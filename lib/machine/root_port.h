/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine comes in; out go its PCIe root ports, each with the uncore PMU that counts what passes
 * it. Linux shows them for the IIO stacks of Intel's servers since Skylake.
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
 * @pmu:  the stack that it is of (uncore_iio_N), whose file die<number> names it
 * @unit: the number of that stack
 * @die:  the die it is on, whose counter a CPU of that die reads; @cpu: this CPU
 */
struct root_port {
	char name[16];
	struct pmu *pmu;
	unsigned int domain, bus;
	int unit, die, cpu;
};

/** struct root_ports - several of them, by stack and then by die */
struct root_ports {
	VEC(struct root_port) at;
};

/**
 * root_ports__find() - find those of a machine
 * @out: empty; root_ports__free() it
 *
 * Return: 0; -ENODEV where there are none; -EINVAL for a file that names none.
 */
int root_ports__find(struct machine *m, struct root_ports *out, struct err *err);
/**
 * root_ports__keep() - keep those that are named, in the order of the names
 * @names: "0000:17,0:3a"
 *
 * Return: 0; -EINVAL for what is no root port, -ENOENT for one that is not there.
 */
int root_ports__keep(struct root_ports *ports, const char *names, struct err *err);
/** root_ports__free() - release them. */
void root_ports__free(struct root_ports *ports);

#endif
