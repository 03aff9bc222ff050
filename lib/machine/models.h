/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Facts of a CPU, by its id or the name of its tables, that neither the vendor's tables nor sysfs
 * have. A CPU with such facts has a line in models.c.
 */
#ifndef TMA_MACHINE_MODELS_H
#define TMA_MACHINE_MODELS_H

#include <stdbool.h>

enum cpu_vendor { VENDOR_OTHER, VENDOR_INTEL = 1, VENDOR_AMD = 2, VENDOR_ARM = 4 };

/*
 * Designs of cores. CPUs of a design have the same constraints, which are in lib/plan/rules.c.
 * Designs are in order of time; the last one includes Gracemont and its successors.
 */
enum cpu_core { CORE_OTHER, CORE_SANDY_BRIDGE, CORE_IVY_BRIDGE, CORE_HASWELL, CORE_BROADWELL,
		CORE_SKYLAKE, CORE_GOLDEN_COVE };

/**
 * struct cpu_model - facts of a CPU
 * @name:    name of the CPU's folder in the tables
 * @ids:     ids of CPUs whose facts depend on the id: on x86 without the stepping, on Arm the part
 *           number in MIDR_EL1
 * @core:    design of the cores, which constrains events
 * @samples_latencies: samples have an instruction's retire latency
 * @slots:   (Arm) PMMIR_EL1.SLOTS of the cores; 0 if only sysfs has it. 0 on x86, whose formulas
 *           have the number
 */
struct cpu_model {
	const char *name, *ids;
	enum cpu_core core;
	bool samples_latencies;
	int slots;
};

/** cpu_vendor__of() - find the vendor whose design a CPU has, by its id. */
enum cpu_vendor cpu_vendor__of(const char *cpuid);
/** cpu_model__of() - find a CPU's line by its id; an unknown CPU gets one without facts. */
const struct cpu_model *cpu_model__of(const char *cpuid);
/**
 * cpu_model__named() - find a CPU's line by the name of its tables; an unknown CPU gets one without
 * facts.
 */
const struct cpu_model *cpu_model__named(const char *name);

#endif
