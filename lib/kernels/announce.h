/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Announce to a simulated machine where this program is, if the machine asks for it
 * (base/announce.h); otherwise do nothing.
 */
#ifndef TMA_KERNELS_ANNOUNCE_H
#define TMA_KERNELS_ANNOUNCE_H

#include <stdint.h>

/**
 * announce__here() - announce that the calling thread is at a place from now on
 * @name: name of the place in machine files, shorter than ANNOUNCE_NAME_SIZE
 * @from, @to: addresses of the place's code
 */
void announce__here(const char *name, uint64_t from, uint64_t to);
/**
 * announce__nowhere() - announce that the calling thread is at no place; needed before the thread
 * ends.
 */
void announce__nowhere(void);

/* Get the address of the current instruction. */
#if defined(__x86_64__)
#define ANNOUNCE_ADDRESS(address) __asm__ volatile("lea 0(%%rip), %0" : "=r"(address))
#elif defined(__aarch64__)
#define ANNOUNCE_ADDRESS(address) __asm__ volatile("adr %0, ." : "=r"(address))
#else
#define ANNOUNCE_ADDRESS(address) ((address) = 0)
#endif

/**
 * ANNOUNCE_FROM() - begin a place, which ends at ANNOUNCE_TO() and has the name of the current
 * function
 * @address: a variable for the address where the place begins
 *
 * The place is announced after its code has run, so it should be the body of a loop. The
 * instruction in the middle represents the whole place.
 */
#define ANNOUNCE_FROM(address) ANNOUNCE_ADDRESS(address)
#define ANNOUNCE_TO(address)                                              \
	do {                                                              \
		uint64_t middle_;                                         \
		ANNOUNCE_ADDRESS(middle_);                                \
		middle_ = (address) + (middle_ - (address)) / 2;          \
		announce__here(__func__, middle_, middle_ + 1);           \
	} while (0)

#endif
