/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CPU's id or the name of its tables comes in; out comes what is known of that CPU, and stands
 * neither in the vendor's tables nor in sysfs. Such a CPU has a line in models.c.
 */
#ifndef TMA_MACHINE_MODELS_H
#define TMA_MACHINE_MODELS_H

#include <stdbool.h>

enum cpu_vendor { VENDOR_OTHER, VENDOR_INTEL = 1, VENDOR_AMD = 2, VENDOR_ARM = 4 };

/*
 * CPUs of one design have the same constraints, which lib/plan/rules.c has. Designs are in order of
 * time; the last one stands for Gracemont as well, and for what came after them.
 */
enum cpu_core { CORE_OTHER, CORE_SANDY_BRIDGE, CORE_IVY_BRIDGE, CORE_HASWELL, CORE_BROADWELL,
		CORE_SKYLAKE, CORE_GOLDEN_COVE };

/**
 * struct cpu_model - what is known of a CPU
 * @name:    of its folder in the tables
 * @ids:     those that more is known of by the id: of x86 without the stepping, and of Arm the part
 *           number in MIDR_EL1
 * @core:    the constraints of its events
 * @samples_latencies: samples have an instruction's retire latency
 * @slots:   (Arm) PMMIR_EL1.SLOTS of its cores; 0 where sysfs has to say it. The formulas of x86
 *           have theirs
 */
struct cpu_model {
	const char *name, *ids;
	enum cpu_core core;
	bool samples_latencies;
	int slots;
};

/** cpu_vendor__of() - tell whose design the CPU with an id is. */
enum cpu_vendor cpu_vendor__of(const char *cpuid);
/** cpu_model__of() - find the line of a CPU by its id; one without facts where there is none. */
const struct cpu_model *cpu_model__of(const char *cpuid);
/** cpu_model__named() - find it by the name of the tables, likewise. */
const struct cpu_model *cpu_model__named(const char *name);

#endif
