/* SPDX-License-Identifier: GPL-2.0-only */
/* Recordings have retire latencies (:R) in records of tma's own. */
#ifndef TMA_RECORD_LATENCIES_H
#define TMA_RECORD_LATENCIES_H

#include <stdbool.h>
#include <stdint.h>

#include "count/count.h"

struct recorder;
struct recording;
struct span;

/* perf does not know these kinds of PERF_RECORD_EVENT_UPDATE, and passes over them. */
enum {
	UPDATE_LATENCY_EVENT = 0x746d6101, /* says that an event is a latency */
	UPDATE_LATENCY,			   /* is the latency of a unit since the start */
	UPDATE_REFUSAL,			   /* says in words why an event is not counted */
	UPDATE_OBSTACLE,		   /* says why an event may never have a counter */
	UPDATE_SIMULATED, /* (of the first event) names the simulated machine that counted */
	/* (of the first event) How events were sampled, and what is missing so far. */
	UPDATE_SAMPLING,
	UPDATE_BURST, /* is a sample of a burst (count/bursts.h) */
	UPDATE_OWNER, /* (of the first event) says whose a process is, before what it has mapped */
	UPDATE_BOOT,  /* (of the first event) names the boot that the kernel's addresses are of */
};

/** recorder__make_latencies() - allocate memory for those of a row. */
void recorder__make_latencies(struct recorder *r);
/** recorder__put_latency_event() - append, before the counts, that an event is a latency. */
void recorder__put_latency_event(struct recorder *r, int event);
/** recorder__put_latencies() - append those of a row. */
void recorder__put_latencies(struct recorder *r, const struct counts *total, int event);

/**
 * recording__read_latency_event() - read that an event is a latency. Return: 0, or -EINVAL for one
 * that cannot be.
 */
int recording__read_latency_event(struct recording *r, struct span *s, int event);
/**
 * recording__read_latency() - read a latency of a row into r->now. Return: 0, or -EINVAL for one
 * that cannot be.
 */
int recording__read_latency(struct recording *r, struct span *s, int event);
/** recording__keep_latency() - keep what a latency was, as a row says nothing of it. */
void recording__keep_latency(struct recording *r, int at);
/** latency__assign() - set a latency to so many samples of that mean, of one event each. */
void latency__assign(struct latency *l, double cycles, uint64_t nr);

#endif
