/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A burst is a few samples of cycles in quick succession, of a thread or CPU that was sampled just
 * before. Bursts are taken now and then. If the samples of a burst are in different functions, the
 * program stays in each function only for a short time. Samples of other events, which are taken a
 * while before or after the event itself, may then be attributed to the wrong function.
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
 * struct burst - a counter that takes the samples of one burst
 * @id:    id of the counter; @fd: its descriptor, -1 while it is closed
 * @tid:   the thread, or -1 for a CPU
 * @unit, @event: unit and event of the counter that was sampled just before
 * @kernel: the counter counts only in the kernel, otherwise only in user space
 * @number: number of the current burst
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
 * struct bursts - the bursts of a session
 * @number: number of the latest burst
 * @failures: how many bursts in a row have failed since the last success
 * @refused: errno why bursts are not possible, or 0
 */
struct bursts {
	struct session *session;
	struct burst at[BURSTS_AT_ONCE];
	uint32_t number;
	int failures, refused;
};

/** bursts__init() - begin without any burst. */
void bursts__init(struct bursts *b, struct session *s);
/**
 * bursts__begin() - begin a burst for the thread or CPU of a sample of cycles
 * @at:     a sample of cycles
 * @cycles: cycles from one sample to the next
 */
void bursts__begin(struct bursts *b, const struct sample_record *at, uint64_t cycles);
/**
 * bursts__find() - find the burst whose counter has this id, which is in each of its samples.
 *
 * Return: NULL if no burst has this counter.
 */
const struct burst *bursts__find(const struct bursts *b, uint64_t id);
void bursts__free(struct bursts *b);

#endif
