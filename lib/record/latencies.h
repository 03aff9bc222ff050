/* SPDX-License-Identifier: GPL-2.0-only */
/* Retire latencies (:R) in recordings. */
#ifndef TMA_RECORD_LATENCIES_H
#define TMA_RECORD_LATENCIES_H

#include <stdbool.h>
#include <stdint.h>

#include "count/count.h"

struct recorder;
struct recording;
struct span;

/* Kinds of PERF_RECORD_EVENT_UPDATE that perf does not know, and passes over. */
enum {
	UPDATE_LATENCY_EVENT = 0x746d6101, /* of an event: it is a latency */
	UPDATE_LATENCY,			   /* in a row: of a CPU or thread, since the start */
	UPDATE_REFUSAL,			   /* of an event: why it is not counted, in words */
	UPDATE_OBSTACLE,		   /* of an event: why it may never have a counter */
};

/** recorder__make_latencies() - memory for those of a row. */
void recorder__make_latencies(struct recorder *r);
/** recorder__put_latency_event() - append, before the counts, that an event is a latency. */
void recorder__put_latency_event(struct recorder *r, int event);
/** recorder__put_latencies() - append those of a row. */
void recorder__put_latencies(struct recorder *r, const struct counts *total, int event);

/** recording__read_latency_event() - Return: 0, or -EINVAL for one that cannot be. */
int recording__read_latency_event(struct recording *r, struct span *s, int event);
/** recording__read_latency() - into r->now. Return: 0, or -EINVAL for one that cannot be. */
int recording__read_latency(struct recording *r, struct span *s, int event);
/** recording__keep_latency() - a row says nothing of it: it stays what it was. */
void recording__keep_latency(struct recording *r, int at);
/** latency__assign() - as many samples of that mean, of one event each; none for what is none. */
void latency__assign(struct latency *l, double cycles, uint64_t nr);

#endif
