/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations for the interpose_*.c files, which replace functions of libc in the program. Calls
 * that concern the machine go to functions of sim/sim.h; all others go to NEXT(function).
 */
#ifndef TMA_SIM_INTERPOSE_H
#define TMA_SIM_INTERPOSE_H

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>

#include "sim/raw.h"

/* Marks a function that the program calls in place of libc's. */
#define INTERPOSE __attribute__((visibility("default")))

#define SIGNALS_SIZE sizeof(unsigned long) /* the size of the kernel's sigset_t */
#define SIGCHLD_BIT (1UL << (SIGCHLD - 1))

/* NEXT() is the function that the program calls without this library: libc's, or a sanitizer's. */
#define NEXT(function)                                                                             \
	({                                                                                         \
		static __typeof__(&function) next_;                                                \
		if (!next_)                                                                        \
			next_ = (__typeof__(&function))dlsym(RTLD_NEXT, #function);                \
		next_;                                                                             \
	})

/* Turn the kernel's return value into libc's: -1 and errno on failure. */
static inline long interpose__result(long ret)
{
	if (!raw_failed(ret))
		return ret;
	errno = -ret;
	return -1;
}

/*
 * Environment variable with the PERF_CPUID that the library has set. It distinguishes this value
 * from a value that the user has set.
 */
#define INTERPOSE_CPUID "TMA_SIM_CPUID"

/**
 * interpose__source() - get the name under which this library was loaded: a path, or
 * "/proc/self/fd/N".
 */
const char *interpose__source(void);
/** interpose__library() - find the path of this library's file. */
const char *interpose__library(void);
/**
 * interpose__pass_source() - if the library was loaded from a descriptor, choose whether executed
 * programs inherit the descriptor
 */
void interpose__pass_source(bool passes);
/** interpose__is_stepped() - find out whether there is a machine with a stepped clock. */
bool interpose__is_stepped(void);
/** interpose__is_held() - find out whether SIGCHLD is held for the next wait. */
bool interpose__is_held(void);
/**
 * interpose__let_children_end() - after a wait with a stepped clock, deliver SIGCHLD again if no
 * child is running
 */
void interpose__let_children_end(void);
/**
 * interpose__hold_sigchld() - hold SIGCHLD until the next wait, in an observer with a stepped clock
 *
 * It is called before fork(), and when an observer with children opens its first event. So the time
 * of the signal does not depend on how fast the child really runs.
 */
void interpose__hold_sigchld(void);
/**
 * interpose__catch_rdpmc() - make the RDPMC instruction read the machine's counters from now on
 *
 * If the CPU has no PMU or the kernel forbids the instruction, it traps, and the trap is caught.
 */
void interpose__catch_rdpmc(void);
/** interpose__release_sigchld() - restore in a child the signal mask that its parent had before. */
void interpose__release_sigchld(void);
/**
 * interpose__wait_mask() - find the signal mask for a wait: the mask of the thread, without a
 * SIGCHLD that this library holds.
 */
void interpose__wait_mask(unsigned long *mask);

#endif
