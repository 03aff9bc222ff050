/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interpose_*.c files replace libc's functions in the program, and share this. In come the
 * program's calls; those which concern the machine are answered by sim/sim.h, and all others go to
 * NEXT(function).
 */
#ifndef TMA_SIM_INTERPOSE_H
#define TMA_SIM_INTERPOSE_H

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>

#include "sim/raw.h"

/* The program calls a function marked so in place of libc's. */
#define INTERPOSE __attribute__((visibility("default")))

#define SIGNALS_SIZE sizeof(unsigned long) /* the size of the kernel's sigset_t */
#define SIGCHLD_BIT (1UL << (SIGCHLD - 1))

/* NEXT() is the function that would have been called without us: libc's, or a sanitizer's. */
#define NEXT(function)                                                                             \
	({                                                                                         \
		static __typeof__(&function) next_;                                                \
		if (!next_)                                                                        \
			next_ = (__typeof__(&function))dlsym(RTLD_NEXT, #function);                \
		next_;                                                                             \
	})

/* Give the kernel's return value as libc does: -1 and errno. */
static inline long interpose__result(long ret)
{
	if (!raw_failed(ret))
		return ret;
	errno = -ret;
	return -1;
}

/* This variable holds the PERF_CPUID that the library has set, to tell it from the user's own. */
#define INTERPOSE_CPUID "TMA_SIM_CPUID"

/** interpose__source() - give what this library was loaded as: a path, or "/proc/self/fd/N". */
const char *interpose__source(void);
/** interpose__library() - find the path of this library's file. */
const char *interpose__library(void);
/**
 * interpose__pass_source() - whether what is executed gets the descriptor that the library was
 * loaded from, if that is so
 */
void interpose__pass_source(bool passes);
/** interpose__is_stepped() - whether there is a machine, and only waiting moves its time. */
bool interpose__is_stepped(void);
/** interpose__is_held() - whether SIGCHLD is kept for the next wait. */
bool interpose__is_held(void);
/**
 * interpose__let_children_end() - after a wait with a stepped clock: deliver SIGCHLD again once
 * no child is running
 */
void interpose__let_children_end(void);
/**
 * interpose__hold_sigchld() - keep SIGCHLD for the next wait, in an observer with a stepped clock
 *
 * Called before fork(), and when an observer with children opens its first event. When the signal
 * comes is then not a matter of how fast the child was.
 */
void interpose__hold_sigchld(void);
/**
 * interpose__catch_rdpmc() - from now on, the RDPMC instruction reads the machine's counters
 *
 * It traps where the CPU or the kernel forbids it, which is what a CPU without a PMU does.
 */
void interpose__catch_rdpmc(void);
/** interpose__release_sigchld() - give a child the mask that its parent had before. */
void interpose__release_sigchld(void);
/**
 * interpose__wait_mask() - find the mask to wait with: the thread's, without a SIGCHLD held by us.
 */
void interpose__wait_mask(unsigned long *mask);

#endif
