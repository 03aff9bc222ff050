/* SPDX-License-Identifier: GPL-2.0-only */
/* The simulated machine's files are written below a directory. */
#ifndef TMA_SIM_TREE_WRITE_H
#define TMA_SIM_TREE_WRITE_H

#include <stdbool.h>

struct sim_machine;
struct strmap;

/**
 * struct tree_writer - a directory that files are written below
 * @root:  the directory
 * @texts: number of the file that has a text; files of the same text are links to it, which costs
 *         a disk far less than another file
 * @nr_texts: how many
 * @error: errno of the first file that could not be written as it should; 0
 */
struct tree_writer {
	char root[256];
	struct strmap *texts;
	int nr_texts;
	int error;
};

/**
 * tree_write__pmus() - write sys/bus/event_source and the PMUs' directories, without files "cpus".
 */
void tree_write__pmus(struct tree_writer *w, const struct sim_machine *m);
/**
 * tree_write__pmu_cpus() - write the files "cpus" of PMUs: as in the kernel, of the CPUs online.
 */
void tree_write__pmu_cpus(struct tree_writer *w, const struct sim_machine *m);
/** tree_write__cpu_lists() - write the files of sys/devices/system/cpu itself, and smt. */
void tree_write__cpu_lists(struct tree_writer *w, const struct sim_machine *m);
/** tree_write__cpus() - write each CPU's directory, and sys/devices/system/node. */
void tree_write__cpus(struct tree_writer *w, const struct sim_machine *m);
/**
 * tree_write__online() - write what changes when CPUs come and go
 * @each: the files of the CPUs as well as the lists of them all
 */
void tree_write__online(struct tree_writer *w, const struct sim_machine *m, bool each);
/** tree_write__proc() - write proc/cpuinfo and proc/sys/kernel. */
void tree_write__proc(struct tree_writer *w, const struct sim_machine *m);

#endif
