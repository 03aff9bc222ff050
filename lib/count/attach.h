/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Attachments: parts of a session that only some runs use. Each keeps its own state, is made in a
 * run that uses it, and is called at the places that are named here and in steps of a read
 * (count/read.h). A run that does not use it does not call it.
 */
#ifndef TMA_COUNT_ATTACH_H
#define TMA_COUNT_ATTACH_H

#include <stddef.h>

#include "count/count.h"

/* All attachments, in the order in which they are called at each place. */
enum attached {
	EVERY_RUN,     /* (steps of a read) no attachment: the session itself */
	SAMPLER,       /* latencies are sampled */
	LOCATOR,       /* events sample themselves, to find out in which code they happen */
	BPF_SHARED,    /* BPF programs share counters with other processes */
	BPF_PROGRAMS,  /* events are counted while BPF programs of others run */
	CGROUP_TIMES,  /* cgroups are counted */
	ROTATION,      /* sets of events take turns */
	HOTPLUG,       /* CPUs are counted, which may go offline and come back */
	CPU_TIMES,     /* user_time or system_time is counted */
	SLICER,        /* rows are made of slices */
	STARVATION,    /* groups are counted, which the kernel may never schedule */
	TOPDOWN_READS, /* TopDown metric events or slots are counted */
	NR_ATTACHED,
};

/**
 * struct attachment - functions of an attachment, by the place where each is called; NULL if not
 * needed
 * @size:  bytes of its state, which begins with a pointer to the session and is 0 otherwise
 * @init:  counters are placed, and not yet opened
 * @check: called after the @init of all attachments. Return: -errno for a run that is not possible
 * @open:  all counters are open
 * @enable: all counters, or one, were enabled or disabled; @event is -1, or its index
 * @start: counting is about to begin: the start is stamped next
 * @before_sleep: do what is due at @now_ns. Return: when to be called again; @deadline_ns is when
 *         everything is read in any case. All are times since the start, in ns
 * @after_sleep: a wait goes on, or is over
 * @leave: the counters of a unit are about to be closed because its CPU went offline, or because it
 *         came back and they could not be opened
 * @come_back: the counters of a unit were opened again, and are not enabled yet
 * @regroup: groups were taken apart while they are counted
 * @free:  release all but the state itself
 */
struct attachment {
	size_t size;
	void (*init)(void *self);
	int (*check)(void *self, struct err *err);
	int (*open)(void *self, struct err *err);
	void (*enable)(void *self, int event, bool on);
	void (*start)(void *self);
	uint64_t (*before_sleep)(void *self, uint64_t now_ns, uint64_t deadline_ns);
	void (*after_sleep)(void *self);
	void (*leave)(void *self, int unit);
	int (*come_back)(void *self, int unit, struct err *err);
	void (*regroup)(void *self);
	void (*free)(void *self);
};

/* Each of these is defined at the end of its file. */
extern const struct attachment sampler__attachment, locator__attachment, cgroup_times__attachment,
	rotation__attachment, hotplug__attachment, cpu_times__attachment, slicer__attachment,
	starvation__attachment, topdown_reads__attachment, bpf_shared__attachment,
	bpf_programs__attachment;
/* All attachments, by enum attached; NULL for EVERY_RUN. */
extern const struct attachment *const attachments[NR_ATTACHED];

/** attached__for_each() - walk the attachments of a run that have a function for a place. */
#define attached__for_each(i, s, place)                                                            \
	for (int i = EVERY_RUN + 1; i < NR_ATTACHED; i++)                                          \
		if ((s)->attached[i] && attachments[i]->place)
/** attached__call() - call all that are attached, in order. */
#define attached__call(s, place, ...)                                                              \
	attached__for_each(at, s, place)                                                           \
		attachments[at]->place((s)->attached[at], ##__VA_ARGS__)
/** attached__try() - the same until one fails. Return: 0, or its error. */
#define attached__try(s, place, ...)                                                               \
	({                                                                                         \
		int attached_rc = 0;                                                               \
												   \
		attached__for_each(at, s, place)                                                   \
			if (!attached_rc)                                                          \
				attached_rc = attachments[at]->place((s)->attached[at],            \
								     ##__VA_ARGS__);               \
		attached_rc;                                                                       \
	})

/**
 * attached__new() - make all attachments that a run uses. Return: 0, or the -errno of the first
 * that fails.
 */
int attached__new(struct session *s, struct err *err);
/** attached__free() - release the attachments of a run. */
void attached__free(struct session *s);

#endif
