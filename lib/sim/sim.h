/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulated kernel of one machine. It answers the system calls of the program that it is loaded
 * into: perf_event_open(), and read, ioctl, mmap and close of its descriptors. The functions return
 * what the kernel would return, -errno included, or SIM_PASS to leave a call to the real kernel.
 */
#ifndef TMA_SIM_SIM_H
#define TMA_SIM_SIM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"
#include "sim/context.h"
#include "sim/fault.h"
#include "sim/sideband.h"
#include "sim/task.h"

/* sim__open() returns this for an event that the real kernel has to open. */
#define SIM_PASS (-4096)

/**
 * struct sim_call - the arguments of perf_event_open(); @attr belongs to the caller
 * @refused: the real kernel refused permission for the call
 */
struct sim_call {
	struct perf_event_attr *attr;
	pid_t pid;
	int cpu, group_fd;
	unsigned long flags;
	bool refused;
};

/**
 * struct sim_real - an event of the real kernel, which may have to move to a simulated group later
 * @call: the call that opened the event; @attr: copy of the attr of @call
 */
struct sim_real {
	int fd;
	struct perf_event_attr attr;
	struct sim_call call;
};

/** struct sim_mmap - the arguments of mmap() without the descriptor */
struct sim_mmap {
	void *at;
	size_t length;
	int prot, flags;
	off_t offset;
};

/*
 * A ring buffer has a page with the positions of writer and reader, followed by pages with records,
 * whose number is a power of two. The program maps the same memory.
 */
#define RING_PAGE 4096UL

/** struct sim_mapping - the place where the program has mapped a ring */
struct sim_mapping {
	void *at;
	size_t size;
};

/**
 * struct sim_ring - one ring buffer
 * @page:  the header, followed by the data; NULL in a child process, which does not inherit buffers
 * @spare: a mapping that is ready for the program's request
 * @pages: number of pages with data
 * @overwrite: the buffer is mapped read-only: unread records are overwritten
 * @backward: records are written from the end towards the start
 * @paused: no records are written (PERF_EVENT_IOC_PAUSE_OUTPUT)
 * @head:  bytes written since the start; counts down if @backward
 * @lost:  records that were lost for lack of room since the last written record
 * @watermark: the reader is woken after this many bytes; @woken: position of the last waking
 * @events: samples since the last waking for wakeup_events
 * @ready: the reader has to be woken
 */
struct sim_ring {
	struct perf_event_mmap_page *page;
	void *spare;
	size_t pages;
	bool overwrite, backward, paused;
	uint64_t head, lost, watermark, woken;
	uint32_t events;
	bool ready;
	VEC(struct sim_mapping) maps;
};

/**
 * struct sim - the state of the simulated kernel
 * @on:   there is a machine
 * @lock: held while the other members are used
 * @follows: what counts have followed so far, see sim/observe.h
 * @rings: buffers that are mapped; @locked_pages: total number of their pages
 * @events: by file descriptor; NULL for other descriptors
 */
struct sim {
	bool on;
	int follows;
	pthread_mutex_t lock;
	struct sim_machine m;
	struct faults faults;
	VEC(struct sim_context *) contexts;
	VEC(struct sim_event *) events;
	VEC(struct sim_real) reals;
	VEC(struct sim_ring *) rings;
	size_t locked_pages;
	uint64_t next_id;
	int nr_open;
};

extern struct sim sim;

/**
 * sim__lock() - lock the state against other threads. The caller of any function below holds the
 * lock.
 */
void sim__lock(void);
/**
 * sim__lend() - while the calling thread calls another library, let nested calls of the thread pass
 * without the lock
 *
 * A recursive mutex does not suffice: in a child of fork(), the thread is not the thread that
 * locked it.
 */
void sim__lend(bool on);
/** sim__try_lock() - lock if the lock is free. Return: whether it was free. */
bool sim__try_lock(void);
/** sim__unlock() - release the lock. */
void sim__unlock(void);
/** SIM_HOLD() - lock until the enclosing block is left, by any path. */
#define SIM_HOLD() __attribute__((cleanup(sim__let_go), unused)) int sim_held = (sim__lock(), 0)
/** sim__let_go() - unlock at the end of a block with SIM_HOLD(). */
static inline void sim__let_go(const int *held)
{
	(void)held;
	sim__unlock();
}

/**
 * sim__open() - open an event as perf_event_open() does
 *
 * Return: a file descriptor, -errno, or SIM_PASS.
 */
int sim__open(const struct sim_call *call);
/**
 * sim__opened_real() - remember an event of the real kernel, for a group that may need it later.
 */
void sim__opened_real(const struct sim_call *call, int fd);
/** sim__event() - find the event of a file descriptor, or NULL. */
struct sim_event *sim__event(int fd);
/** sim__close() - drop the event of a descriptor that will be closed. */
void sim__close(int fd);

/** sim__read() - answer read() of an event. Return: bytes, or -errno. */
ssize_t sim__read(struct sim_event *event, void *buf, size_t size);
/** sim__ioctl() - answer ioctl() of an event. Return: 0 or -errno. */
int sim__ioctl(struct sim_event *event, unsigned long request, unsigned long arg);

/** sim__mmap() - answer mmap() of an event. Return: the address, or -errno. */
long sim__mmap(struct sim_event *event, const struct sim_mmap *call);
/** sim__munmap() - forget the mapping of a ring buffer at an address, if any. */
void sim__munmap(const void *at);
/**
 * sim__set_output() - write into another event's buffer (PERF_EVENT_IOC_SET_OUTPUT)
 * @to: the other event; NULL for no buffer
 *
 * Return: 0 or -EINVAL.
 */
int sim__set_output(struct sim_event *event, struct sim_event *to);
/** sim__drop_buffer() - detach an event from its buffer. */
void sim__drop_buffer(struct sim_event *event);
/** sim__forget_buffers() - drop all buffers in a child process, which does not inherit them. */
void sim__forget_buffers(void);
/** sim__output() - write a record of an event into its buffer, see sim_context.output. */
void sim__output(struct sim_event *event, enum sim_output what, uint64_t period);
/** sim__tell_comm() - write that a process executes this program, if the event asks for it. */
void sim__tell_comm(struct sim_event *event, pid_t pid, const char *path);
/** sim__tell_fork() - write that a process has made a thread, if the event asks for it. */
void sim__tell_fork(struct sim_event *event, const struct sim_fork *fork);
/** sim__tell_mapped() - write that a process has mapped a file, if the event asks for it. */
void sim__tell_mapped(struct sim_event *event, pid_t pid, const struct sim_mapped *mapped);
/** sim__pump() - write all samples up to now, and update mapped pages. */
void sim__pump(void);
/** sim__hangs_up() - whether poll() reports POLLHUP: without a buffer, or after the task's end */
bool sim__hangs_up(const struct sim_event *event);
/**
 * sim__take_ready() - get what poll() reports of an event's buffer, and clear it, since it is only
 * reported once.
 */
short sim__take_ready(struct sim_event *event);
/** sim__take_all_ready() - note that epoll has reported all events. */
void sim__take_all_ready(void);

/**
 * sim__tell_truth() - at the end of the program, write the true counts to their file
 *
 * The file stays empty if the program ends during another call of this library.
 *
 * Return: false if the file cannot be written.
 */
bool sim__tell_truth(void);
/** sim__sync() - count everything in a context up to now. */
void sim__sync(struct sim_context *ctx);
/**
 * sim__publish() - update the mapped pages of a context's events
 *
 * As in the kernel, a page is updated when the event gets or loses a counter, and when its count is
 * set. It is not updated at a read, although a read resets the registers of TopDown.
 */
void sim__publish(struct sim_context *ctx);
/*
 * Flags in RDPMC's counter number for fixed counters and metrics. General counters have the numbers
 * from 0 on.
 */
#define RDPMC_FIXED (1U << 30)
#define RDPMC_METRICS (1U << 29)

/*
 * Other architectures lack the instruction, so the mapped pages of their programs do not offer it.
 */
#ifdef __x86_64__
#define SIM_HAS_RDPMC 1
#else
#define SIM_HAS_RDPMC 0
#endif

/**
 * sim__rdpmc() - execute the RDPMC instruction for the calling thread
 * @index: the register ECX
 * @value: set to the counter's value
 *
 * The values fit the mapped pages at their last update. After a thread has moved, the page differs,
 * and the program retries. Events of the thread are searched first, then events of its CPU.
 *
 * Return: false if the instruction traps: it is not permitted, or the CPU lacks the counter.
 */
bool sim__rdpmc(uint32_t index, uint64_t *value);
/**
 * sim__follow_thread() - apply the phase and CPUs that a thread has chosen to its task's context.
 */
void sim__follow_thread(struct sim_context *ctx);
/**
 * sim__set_allowed() - set the CPUs on which a thread runs from now on
 *
 * Return: 0; -EINVAL if the machine has none of the CPUs; -ENOMEM.
 */
int sim__set_allowed(pid_t tid, const struct cpulist *cpus);
/** sim__set_phase() - set the phase in which the calling thread stays. Return: 0 or -errno. */
int sim__set_phase(int phase);
/** sim__find_phase() - find a phase by its name. Return: its number from 1 on, or -ENOENT. */
int sim__find_phase(const char *name);
/** sim__run() - let the calling thread run for some stepped time. Return: 0 or -ENOMEM. */
int sim__run(uint64_t ns);
/** sim__caller_cpu() - find the CPU on which the calling thread runs. */
int sim__caller_cpu(void);
/** sim__is_online() - find out whether a CPU is online now. */
bool sim__is_online(int cpu);
/** sim__nr_online() - count the CPUs that are online now. */
int sim__nr_online(void);

/**
 * attr__copy() - copy the caller's attr as the kernel does
 *
 * Return: 0, -EINVAL or -E2BIG.
 */
int attr__copy(struct perf_event_attr *from, struct perf_event_attr *attr);
/** attr__is_sampling() - find out whether an attr asks for samples. */
bool attr__is_sampling(const struct perf_event_attr *attr);
/**
 * attr__check_sampling() - refuse periods and frequencies that perf_event_open() refuses
 *
 * Return: 0 or -EINVAL.
 */
int attr__check_sampling(const struct sim_machine *m, const struct perf_event_attr *attr);
/**
 * attr__pmu() - find the PMU of an event
 * @event: an event with attr and cpu; receives pmu (NULL for software) and config
 *
 * Return: 0, -errno, or SIM_PASS for a PMU of the real machine.
 */
int attr__pmu(struct sim_machine *m, struct sim_event *event);
/**
 * attr__check() - refuse an event that the PMU's driver would refuse
 * @event: an event with pmu, config, cpu and leader; receives need and rate, and for uncore another
 *         cpu
 * @task:  the event counts for a task
 *
 * Return: 0 or -errno.
 */
int attr__check(struct sim_machine *m, struct sim_event *event, bool task);

#endif
