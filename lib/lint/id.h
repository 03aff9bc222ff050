/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a name that an expression has for an event, without a machine to look it up on. */
#ifndef TMA_LINT_ID_H
#define TMA_LINT_ID_H

#include <stdbool.h>

struct err;

/**
 * struct event_id - "cpu_core@EV,cmask=1@u", "EV:u" or "EV@cmask=1@"
 * @text:      what the others point into
 * @head:      what stands in front: a PMU, or the event
 * @terms:     between the signs @, or NULL when there are none
 * @modifiers: behind the second @ or the colon, or ""
 * @tracepoint: "sched:sched_switch", in @head
 */
struct event_id {
	char *text;
	const char *head, *terms, *modifiers;
	bool tracepoint;
};

/**
 * event_id__split() - take a name apart
 * @id:  escapes resolved, as struct expr_node has it
 * @out: set on success; event_id__free() it
 *
 * Return: 0; -EINVAL with what the event grammar cannot read.
 */
int event_id__split(const char *id, struct event_id *out, struct err *err);
/** event_id__free() - release it. */
void event_id__free(struct event_id *id);
/** event_id__retire_latency() - whether it asks for the event's latency (modifier R). */
bool event_id__retire_latency(const struct event_id *id);
/** event_id__is_kernels() - whether the kernel has an event of that name on any machine. */
bool event_id__is_kernels(const char *name);

#endif
