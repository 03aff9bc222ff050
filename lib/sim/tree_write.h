/* SPDX-License-Identifier: GPL-2.0-only */
/* Writing the simulated machine's files below a directory. */
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
 */
struct tree_writer {
	char root[256];
	struct strmap *texts;
	int nr_texts;
};

/** tree_write__file() - a file with a text and a newline; directories on the way are made. */
void tree_write__file(struct tree_writer *w, const char *text, const char *dir, const char *name);
/** tree_write__changing() - the same for one that may be written again with another text. */
void tree_write__changing(struct tree_writer *w, const char *text, const char *dir,
			  const char *name);
/** tree_write__link() - make a symbolic link. */
void tree_write__link(struct tree_writer *w, const char *target, const char *dir, const char *name);

/** tree_write__pmus() - sys/bus/event_source and the directories of PMUs, without files "cpus". */
void tree_write__pmus(struct tree_writer *w, const struct sim_machine *m);
/** tree_write__pmu_cpus() - the files "cpus" of PMUs: as in the kernel, of the CPUs online. */
void tree_write__pmu_cpus(struct tree_writer *w, const struct sim_machine *m,
			  bool (*is_online)(int cpu));
/** tree_write__cpu_lists() - the files of sys/devices/system/cpu itself, and smt. */
void tree_write__cpu_lists(struct tree_writer *w, const struct sim_machine *m);
/** tree_write__cpus() - each CPU's directory, and sys/devices/system/node. */
void tree_write__cpus(struct tree_writer *w, const struct sim_machine *m);
/**
 * tree_write__online() - what changes when CPUs come and go
 * @is_online: asked for each CPU
 * @each: the files of the CPUs as well as the lists of them all
 */
void tree_write__online(struct tree_writer *w, const struct sim_machine *m,
			bool (*is_online)(int cpu), bool each);
/** tree_write__proc() - proc/cpuinfo and proc/sys/kernel. */
void tree_write__proc(struct tree_writer *w, const struct sim_machine *m);

#endif
