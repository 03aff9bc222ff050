/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Attachments: parts of a session that only some runs use. An attachment keeps its own state. It is
 * made in a run that uses it, and called at the places that are named here and in steps of a read
 * (count/read.h). Other runs do not call it.
 */
#ifndef TMA_COUNT_ATTACH_H
#define TMA_COUNT_ATTACH_H

#include <stddef.h>

#include "count/count.h"

/* All attachments, in the order in which they are called at each place. */
enum attached {
	EVERY_RUN,     /* (for a step of a read) the session itself, not an attachment */
	SAMPLER,       /* latencies are sampled */
	LOCATOR,       /* events sample themselves, to find the code in which they happen */
	BPF_SHARED,    /* BPF programs share counters with other processes */
	BPF_PROGRAMS,  /* events are counted while BPF programs of others run */
	CGROUP_TIMES,  /* cgroups are counted */
	ROTATION,      /* sets of events take turns */
	HOTPLUG,       /* CPUs are counted; they may go offline and come back */
	CPU_TIMES,     /* user_time or system_time is counted */
	SLICER,        /* rows are made of slices */
	STARVATION,    /* groups are counted; the kernel may never schedule some */
	TOPDOWN_READS, /* TopDown metric events or slots are counted */
	NR_ATTACHED,
};

/**
 * struct attachment - functions of an attachment, by the place where each is called; NULL for
 * places that the attachment does not need
 * @size:  bytes of the attachment's state, which begins with a pointer to the session and is 0
 *         otherwise
 * @init:  counters have their places, and are not open yet
 * @check: called after the @init of all attachments. Return: -errno for a run that is not possible
 * @open:  all counters are open
 * @enable: counters were enabled or disabled: that of @event, or all if @event is -1
 * @start: counting is about to begin; the time of the start is taken next
 * @before_sleep: do what is due at @now_ns. At @deadline_ns everything is read in any case. Return:
 *         when to call again. All three are times since the start, in ns
 * @after_sleep: a wait goes on, or is over
 * @leave: the counters of a unit are about to be closed: its CPU went offline, or came back and the
 *         counters could not be opened
 * @come_back: the counters of a unit were opened again, and are not enabled yet
 * @regroup: groups were taken apart while they are counted
 * @free:  release what the state points to, but not the state itself
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

/* Each attachment is defined at the end of its file. */
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
/** attached__call() - call the function for a place of all attachments, in order. */
#define attached__call(s, place, ...)                                                              \
	attached__for_each(at, s, place)                                                           \
		attachments[at]->place((s)->attached[at], ##__VA_ARGS__)
/** attached__try() - like attached__call(), up to the first failure. Return: 0, or its error. */
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
