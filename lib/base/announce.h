/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that a program and a simulated machine share. In it the program announces at which place
 * of its code each of its threads is, and how long the thread was at other places. The program
 * writes, and the simulator reads.
 */
#ifndef TMA_BASE_ANNOUNCE_H
#define TMA_BASE_ANNOUNCE_H

#include <stdint.h>

/*
 * Environment variable of a command with the path of the file to map. The file has the size of
 * struct announce.
 */
#define ANNOUNCE_VARIABLE "TMA_PLACES"
#define ANNOUNCE_VERSION 2

#define ANNOUNCE_NAMES 128
#define ANNOUNCE_NAME_SIZE 64
#define ANNOUNCE_THREADS 256
#define ANNOUNCE_STAYS 1024

/**
 * struct announced_name - a place of the program
 * @name: its name in the machine file
 * @from, @to: addresses of its code
 */
struct announced_name {
	char name[ANNOUNCE_NAME_SIZE];
	uint64_t from, to;
};

/**
 * struct announced_stay - one stay of a thread at a place
 * @ns:   how long it lasted
 * @name: the place's number plus 1; 0 if the thread was at no place
 */
struct announced_stay {
	uint64_t ns;
	uint32_t name, unused;
};

/**
 * struct announcer - a thread that announces its places
 * @pid, @tid: its process ID and thread ID
 * @began:   CPU time of the thread when it announced its first place, in ns
 * @at:      number of its present place plus 1, or 0 at no place
 * @written: number of stays that have ended since the beginning; @stays has the last ones
 * @read:    number of stays that the simulator has read
 * @since:   CPU time of the thread when the present stay began, in ns
 * @spilled: for each place, the ns of stays for which @stays had no room
 */
struct announcer {
	uint32_t pid, tid, at, unused;
	uint64_t began, written, read, since;
	struct announced_stay stays[ANNOUNCE_STAYS];
	uint64_t spilled[ANNOUNCE_NAMES + 1];
};

/**
 * struct announce - the shared memory
 * @version: ANNOUNCE_VERSION, set by the simulator
 * @lock: 1 while a process gives a place its number
 * @nr_names, @nr_threads: how many entries are used; entries are added, never removed
 */
struct announce {
	uint32_t version, nr_names, nr_threads, lock;
	struct announced_name names[ANNOUNCE_NAMES];
	struct announcer threads[ANNOUNCE_THREADS];
};

/**
 * announce__nr_threads() - count the threads that have announced a place, up to ANNOUNCE_THREADS.
 */
static inline int announce__nr_threads(const struct announce *a)
{
	uint32_t nr = __atomic_load_n(&a->nr_threads, __ATOMIC_ACQUIRE);

	return nr < ANNOUNCE_THREADS ? (int)nr : ANNOUNCE_THREADS;
}

/*
 * If the mapped file is a device, each thread opens it, maps a page of it as struct announce_word,
 * and writes its place into the page with times of CLOCK_MONOTONIC. A kernel module has this form:
 * it may read the page at any moment, and one of the two halves is always complete.
 */
#define ANNOUNCE_NUMBERS 8

/**
 * struct announce_half - times of a thread up to a moment
 * @at:    index in @ns of the place where the thread has been since that moment
 * @since: the moment, in ns of CLOCK_MONOTONIC
 * @ns:    how long the thread was at each place before the moment
 *
 * Places are numbered in the order in which they were first announced, modulo ANNOUNCE_NUMBERS; the
 * index ANNOUNCE_NUMBERS means no place.
 */
struct announce_half {
	uint32_t at, unused;
	uint64_t since, ns[ANNOUNCE_NUMBERS + 1];
};

/**
 * struct announce_word - the mapped page
 * @now: index of the half that is complete
 */
struct announce_word {
	uint32_t now, unused;
	struct announce_half half[2];
};

#endif
