/* SPDX-License-Identifier: GPL-2.0-only */
/* Retire latencies (:R) in recordings, in records that only tma writes. */
#ifndef TMA_RECORD_LATENCIES_H
#define TMA_RECORD_LATENCIES_H

#include <stdbool.h>
#include <stdint.h>

#include "count/count.h"

struct recorder;
struct recording;
struct span;

/* Kinds of PERF_RECORD_EVENT_UPDATE that perf does not know, and skips. */
enum {
	UPDATE_LATENCY_EVENT = 0x746d6101, /* an event is a latency */
	UPDATE_LATENCY,			   /* the latency of a unit since the start */
	UPDATE_REFUSAL,			   /* the text on why an event is not counted */
	UPDATE_OBSTACLE,		   /* the text on why an event may never have a counter */
	UPDATE_SIMULATED, /* (for the first event) the name of the simulated machine that counted */
	/* (for the first event) how events were sampled, and the losses so far */
	UPDATE_SAMPLING,
	UPDATE_BURST, /* a sample of a burst (count/bursts.h) */
	UPDATE_OWNER, /* (for the first event) the user of a process, before its mappings */
	UPDATE_BOOT,  /* (for the first event) the boot that the kernel's addresses belong to */
};

/** recorder__make_latencies() - allocate memory for the latencies of a row. */
void recorder__make_latencies(struct recorder *r);
/**
 * recorder__put_latency_event() - append a record that marks an event as a latency, before the
 * counts.
 */
void recorder__put_latency_event(struct recorder *r, int event);
/** recorder__put_latencies() - append the latencies of a row. */
void recorder__put_latencies(struct recorder *r, const struct counts *total, int event);

/**
 * recording__read_latency_event() - read a record that marks an event as a latency. Return: 0, or
 * -EINVAL if it is invalid.
 */
int recording__read_latency_event(struct recording *r, struct span *s, int event);
/**
 * recording__read_latency() - read a latency of a row into r->now. Return: 0, or -EINVAL if the
 * record is invalid.
 */
int recording__read_latency(struct recording *r, struct span *s, int event);
/**
 * recording__keep_latency() - if a row does not have a latency, keep the latency of the previous
 * row.
 */
void recording__keep_latency(struct recording *r, int at);
/**
 * latency__assign() - set a latency to @nr samples with this mean, each of which represents one
 * event.
 */
void latency__assign(struct latency *l, double cycles, uint64_t nr);

#endif
