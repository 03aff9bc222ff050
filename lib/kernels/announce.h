/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Announcing to a simulated machine where this program is, when it asks (base/announce.h). Where it
 * does not, these do nothing.
 */
#ifndef TMA_KERNELS_ANNOUNCE_H
#define TMA_KERNELS_ANNOUNCE_H

#include <stdint.h>

/**
 * announce__here() - the calling thread is at a place from now on
 * @name: as machine files name it, shorter than ANNOUNCE_NAME_SIZE
 * @from, @to: addresses of its code
 */
void announce__here(const char *name, uint64_t from, uint64_t to);
/** announce__nowhere() - the calling thread is at no place any more; before it ends, too. */
void announce__nowhere(void);

/* The address of the instruction that asks for it. */
#if defined(__x86_64__)
#define ANNOUNCE_ADDRESS(address) __asm__ volatile("lea 0(%%rip), %0" : "=r"(address))
#elif defined(__aarch64__)
#define ANNOUNCE_ADDRESS(address) __asm__ volatile("adr %0, ." : "=r"(address))
#else
#define ANNOUNCE_ADDRESS(address) ((address) = 0)
#endif

/**
 * ANNOUNCE_FROM() - what stands from here to ANNOUNCE_TO() is the place of this function's name
 * @address: a variable to keep it in
 *
 * It is announced when it has run, so that is meant for the body of a loop. The instruction in the
 * middle stands for all.
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
