/* SPDX-License-Identifier: GPL-2.0-only */
/* Loading: the environment is read, the machine's file is found. */
#ifndef TMA_SIM_LOAD_H
#define TMA_SIM_LOAD_H

/* Holds the PERF_CPUID that the library has set, to tell it from one that the user has. */
#define LOAD_CPUID "TMA_SIM_CPUID"

/** load__library() - the path that this library was loaded from. */
const char *load__library(void);

#endif
