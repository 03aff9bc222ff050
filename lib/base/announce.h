/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program tells a simulated machine where it is, through memory that both have mapped: at which
 * place each of its threads is, and how long it was at others. The program writes, the simulator
 * reads.
 */
#ifndef TMA_BASE_ANNOUNCE_H
#define TMA_BASE_ANNOUNCE_H

#include <stdint.h>

/* In a command's environment: the file to map, which has the size of struct announce. */
#define ANNOUNCE_VARIABLE "TMA_PLACES"
#define ANNOUNCE_VERSION 2

#define ANNOUNCE_NAMES 128
#define ANNOUNCE_NAME_SIZE 64
#define ANNOUNCE_THREADS 256
#define ANNOUNCE_STAYS 1024

/**
 * struct announced_name - a place
 * @name: as in a machine file
 * @from, @to: addresses of its code
 */
struct announced_name {
	char name[ANNOUNCE_NAME_SIZE];
	uint64_t from, to;
};

/** struct announced_stay - a thread was at a place (its number plus 1; 0: at none) for so long */
struct announced_stay {
	uint64_t ns;
	uint32_t name, unused;
};

/**
 * struct announcer - a thread that announces
 * @pid, @tid: of it
 * @began:   its CPU time when it announced first
 * @at:      where it is: the number of a place plus 1, or 0
 * @written: stays that are over, since the beginning; the last ones are in @stays
 * @read:    those that the simulator has taken
 * @since:   when the present stay began, in ns of the thread's CPU time
 * @spilled: by place, how long stays were for which there was no room in @stays
 */
struct announcer {
	uint32_t pid, tid, at, unused;
	uint64_t began, written, read, since;
	struct announced_stay stays[ANNOUNCE_STAYS];
	uint64_t spilled[ANNOUNCE_NAMES + 1];
};

/**
 * struct announce - the memory
 * @version: ANNOUNCE_VERSION, set by the simulator
 * @lock: 1 while a process gives a place a number
 * @nr_names, @nr_threads: how many there are; they come and do not go
 */
struct announce {
	uint32_t version, nr_names, nr_threads, lock;
	struct announced_name names[ANNOUNCE_NAMES];
	struct announcer threads[ANNOUNCE_THREADS];
};

/** announce__nr_threads() - how many threads have announced, as far as there is room for them. */
static inline int announce__nr_threads(const struct announce *a)
{
	uint32_t nr = __atomic_load_n(&a->nr_threads, __ATOMIC_ACQUIRE);

	return nr < ANNOUNCE_THREADS ? (int)nr : ANNOUNCE_THREADS;
}

/*
 * Where that file is a device, each thread opens it, maps a page of it, and writes where it is by
 * CLOCK_MONOTONIC: that is the form of a kernel module, which looks at it at any moment, and finds
 * a whole half.
 */
#define ANNOUNCE_NUMBERS 8

/**
 * struct announce_half - up to @since, the thread was so many @ns at each place; now it is at @at
 *
 * Places have numbers in the order in which they were announced first, modulo ANNOUNCE_NUMBERS,
 * which itself stands for none.
 */
struct announce_half {
	uint32_t at, unused;
	uint64_t since, ns[ANNOUNCE_NUMBERS + 1];
};

/** struct announce_word - what is mapped. @now: the half that holds */
struct announce_word {
	uint32_t now, unused;
	struct announce_half half[2];
};

#endif
