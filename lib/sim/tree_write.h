/* SPDX-License-Identifier: GPL-2.0-only */
/* Write the files of the simulated machine into a directory. */
#ifndef TMA_SIM_TREE_WRITE_H
#define TMA_SIM_TREE_WRITE_H

#include <stdbool.h>

struct sim_machine;
struct strmap;

/**
 * struct tree_writer - a directory in which files are written
 * @root:  the directory
 * @texts: number of the file with each text; further files with the same text are links, which need
 *         less disk space
 * @nr_texts: number of texts
 * @error: errno of the first file that could not be written; 0 if all were
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
 * tree_write__pmu_cpus() - write the files "cpus" of PMUs, which list the online CPUs, as in the
 * kernel.
 */
void tree_write__pmu_cpus(struct tree_writer *w, const struct sim_machine *m);
/** tree_write__cpu_lists() - write the files of sys/devices/system/cpu and its folder smt. */
void tree_write__cpu_lists(struct tree_writer *w, const struct sim_machine *m);
/** tree_write__cpus() - write each CPU's directory, and sys/devices/system/node. */
void tree_write__cpus(struct tree_writer *w, const struct sim_machine *m);
/**
 * tree_write__online() - rewrite the files that change when CPUs go online or offline
 * @each: also rewrite the files of each CPU, not only lists of all CPUs
 */
void tree_write__online(struct tree_writer *w, const struct sim_machine *m, bool each);
/** tree_write__proc() - write proc/cpuinfo and proc/sys/kernel. */
void tree_write__proc(struct tree_writer *w, const struct sim_machine *m);

#endif
