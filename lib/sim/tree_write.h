/* SPDX-License-Identifier: GPL-2.0-only */
/* Writing the simulated machine's files below a directory. */
#ifndef TMA_SIM_TREE_WRITE_H
#define TMA_SIM_TREE_WRITE_H

#include <stdbool.h>

struct sim_machine;

/** tree_write__file() - write a text and a newline; directories on the way are made. */
void tree_write__file(const char *root, const char *text, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/** tree_write__link() - make a symbolic link. */
void tree_write__link(const char *root, const char *target, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** tree_write__pmus() - sys/bus/event_source and the directories of PMUs. */
void tree_write__pmus(const char *root, const struct sim_machine *m);
/** tree_write__cpus() - sys/devices/system/cpu and node. */
void tree_write__cpus(const char *root, const struct sim_machine *m);
/**
 * tree_write__online() - what changes when CPUs come and go
 * @is_online: asked for each CPU
 */
void tree_write__online(const char *root, const struct sim_machine *m, bool (*is_online)(int cpu));
/** tree_write__proc() - proc/cpuinfo and proc/sys/kernel. */
void tree_write__proc(const char *root, const struct sim_machine *m);

#endif
