/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bursts: a few samples of cycles right after one another, now and then, of a thread or CPU that
 * was sampled just before. Two of them that are in different functions show that a program stays in
 * each for a time so short that samples of other events, which are found a while before or after
 * what happened, may be in the wrong one.
 */
#ifndef TMA_COUNT_BURSTS_H
#define TMA_COUNT_BURSTS_H

#include "count/counters.h"
#include "count/ring.h"

#define BURSTS_AT_ONCE 4
#define BURST_SAMPLES 4

struct sample_record;
struct session;

/**
 * struct burst - a counter of its own
 * @id:    of the counter; @fd: -1 where it is not open
 * @tid:   the thread, or -1 for a CPU; @unit, @event: whose counter it is like; @kernel: it counts
 *         in the kernel alone, and else in user space alone
 * @number: of the burst under way
 */
struct burst {
	uint64_t id;
	int fd, unit, event;
	pid_t tid;
	bool kernel;
	uint32_t number;
	struct ring ring;
};

/**
 * struct bursts - those of a session
 * @number: of the last one; @failures: of the last ones, in a row; @refused: why there can be none,
 *          or 0
 */
struct bursts {
	struct session *session;
	struct burst at[BURSTS_AT_ONCE];
	uint32_t number;
	int failures, refused;
};

/** bursts__init() - begin with none. */
void bursts__init(struct bursts *b, struct session *s);
/**
 * bursts__begin() - begin one where cycles were sampled, in user space or in the kernel
 * @at:     a sample of a counter of cycles
 * @cycles: from one sample to the next
 */
void bursts__begin(struct bursts *b, const struct sample_record *at, uint64_t cycles);
/** bursts__find() - find the burst that a sample is of, by the id of its counter; or NULL. */
const struct burst *bursts__find(const struct bursts *b, uint64_t id);
void bursts__free(struct bursts *b);

#endif
