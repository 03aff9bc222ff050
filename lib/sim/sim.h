/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulated kernel of one machine. In come the system calls of the program it is loaded into:
 * perf_event_open(), and read, ioctl, mmap and close of its descriptors. Out go what the kernel
 * would return, -errno included, or SIM_PASS for what the real kernel is to do.
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

/* sim__open() returns this for an event that the real kernel is to open. */
#define SIM_PASS (-4096)

/**
 * struct sim_call - the arguments of perf_event_open(), the attr still the caller's
 * @refused: the real kernel did not permit it
 */
struct sim_call {
	struct perf_event_attr *attr;
	pid_t pid;
	int cpu, group_fd;
	unsigned long flags;
	bool refused;
};

/**
 * struct sim_real - an event of the real kernel which a simulated group may still take over
 * @call: how it was opened; @attr is what its own pointed to then
 */
struct sim_real {
	int fd;
	struct perf_event_attr attr;
	struct sim_call call;
};

/** struct sim_mmap - the arguments of mmap(), but for the descriptor */
struct sim_mmap {
	void *at;
	size_t length;
	int prot, flags;
	off_t offset;
};

/*
 * An event's ring buffer has a page which says how far it is written and read, and a power of two
 * of pages with records. The program maps the same memory.
 */
#define RING_PAGE 4096UL

/** struct sim_mapping - the place where the program has mapped a ring */
struct sim_mapping {
	void *at;
	size_t size;
};

/**
 * struct sim_ring - one ring buffer
 * @page:  the header, data behind it; NULL in a child process, which has none of its parent's
 * @spare: the program's first mapping, until it asks for it
 * @pages: of data
 * @overwrite: it is mapped read-only: the reader's place is not looked at
 * @backward: written from the end to the start
 * @paused: PERF_EVENT_IOC_PAUSE_OUTPUT
 * @head:  bytes written since the start; counts down when @backward
 * @lost:  records for which there was no room since the last that was written
 * @watermark: bytes after which the reader is woken, and @woken: up to where it was
 * @events: samples since the reader was woken for their number
 * @ready: the reader is to be woken
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
 * struct sim - everything
 * @on:   there is a machine
 * @lock: held by whoever looks at the rest
 * @follows: what something has counted by: SIM_FOLLOWS_NOTHING ...
 * @rings: buffers that are mapped, and how many pages they have
 * @events: by file descriptor; NULL where there is none
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

/** sim__lock() - keep other threads out. Every function below is called with it held. */
void sim__lock(void);
/**
 * sim__lend() - while another library is called under the lock, let its calls pass without it
 *
 * A recursive mutex would not do: a child of fork() is not the thread that locked it.
 */
void sim__lend(bool on);
/** sim__try_lock() - the same, unless it is locked. Return: whether it did. */
bool sim__try_lock(void);
/** sim__unlock() - let them in. */
void sim__unlock(void);
/** SIM_HOLD() - lock until the end of the block, however it is left. */
#define SIM_HOLD() __attribute__((cleanup(sim__let_go), unused)) int sim_held = (sim__lock(), 0)
/** sim__let_go() - unlock at the end of such a block. */
static inline void sim__let_go(const int *held)
{
	(void)held;
	sim__unlock();
}

/**
 * sim__open() - perf_event_open()
 *
 * Return: a file descriptor, -errno, or SIM_PASS.
 */
int sim__open(const struct sim_call *call);
/** sim__opened_real() - remember what the real kernel has opened, for a group that comes later. */
void sim__opened_real(const struct sim_call *call, int fd);
/** sim__event() - the event of a file descriptor, or NULL. */
struct sim_event *sim__event(int fd);
/** sim__close() - drop the event of a descriptor that is about to be closed. */
void sim__close(int fd);

/** sim__read() - read() of an event. Return: bytes, or -errno. */
ssize_t sim__read(struct sim_event *event, void *buf, size_t size);
/** sim__ioctl() - ioctl() of an event. Return: 0 or -errno. */
int sim__ioctl(struct sim_event *event, unsigned long request, unsigned long arg);

/** sim__mmap() - mmap() of an event. Return: the address, or -errno. */
long sim__mmap(struct sim_event *event, const struct sim_mmap *call);
/** sim__munmap() - forget the mapping of a ring buffer at an address, if there is one. */
void sim__munmap(const void *at);
/**
 * sim__set_output() - PERF_EVENT_IOC_SET_OUTPUT: write into another event's buffer
 * @to: that event; NULL for none
 *
 * Return: 0 or -EINVAL.
 */
int sim__set_output(struct sim_event *event, struct sim_event *to);
/** sim__drop_buffer() - let an event write into no buffer any more. */
void sim__drop_buffer(struct sim_event *event);
/**
 * sim__forget_buffers() - drop all buffers in a child process, which does not have its parent's.
 */
void sim__forget_buffers(void);
/** sim__output() - write what an event has to say; see struct sim_context. */
void sim__output(struct sim_event *event, enum sim_output what, uint64_t period);
/** sim__tell_comm() - write that a process executes this program, if the event asks for it. */
void sim__tell_comm(struct sim_event *event, pid_t pid, const char *path);
/** sim__tell_fork() - write that a process has made a thread, if the event asks for it. */
void sim__tell_fork(struct sim_event *event, const struct sim_fork *fork);
/** sim__tell_mapped() - write that a process has mapped a file, if the event asks for it. */
void sim__tell_mapped(struct sim_event *event, pid_t pid, const struct sim_mapped *mapped);
/** sim__pump() - let all samples up to now come, and mapped pages tell of now. */
void sim__pump(void);
/** sim__hangs_up() - whether poll() of an event says POLLHUP: no buffer, or its task has ended. */
bool sim__hangs_up(const struct sim_event *event);
/**
 * sim__take_ready() - tell what poll() of an event says of its buffer, which it then says no more.
 */
short sim__take_ready(struct sim_event *event);
/** sim__take_all_ready() - note that epoll has told of all events. */
void sim__take_all_ready(void);

/**
 * sim__tell_truth() - write the truth where it is asked for, as the program ends
 *
 * Where that interrupts another call of this library, the file stays empty.
 *
 * Return: false where it cannot be written.
 */
bool sim__tell_truth(void);
/** sim__sync() - count everything in a context up to now. */
void sim__sync(struct sim_context *ctx);
/**
 * sim__publish() - tell the mapped pages of a context's events what has changed
 *
 * As the kernel, whenever an event gets a counter or loses it, and when its count is set anew;
 * not when it is read, though that resets the registers of TopDown.
 */
void sim__publish(struct sim_context *ctx);
/* RDPMC has these beside the general counters, whose numbers begin at 0. */
#define RDPMC_FIXED (1U << 30)
#define RDPMC_METRICS (1U << 29)

/* Programs for another architecture lack the instruction, so no page invites them to use it. */
#ifdef __x86_64__
#define SIM_HAS_RDPMC 1
#else
#define SIM_HAS_RDPMC 0
#endif

/**
 * sim__rdpmc() - the RDPMC instruction, executed by the calling thread
 * @index: the register ECX
 * @value: what it gives
 *
 * The counters are those which the pages tell of, so a thread that has moved since finds what it
 * had left there, and the page changed. A thread finds its own events' counters first, and then
 * those of its CPU.
 *
 * Return: false when it traps: not permitted, or the CPU has no such counter.
 */
bool sim__rdpmc(uint32_t index, uint64_t *value);
/** sim__follow_thread() - let a task's context do what the thread has chosen. */
void sim__follow_thread(struct sim_context *ctx);
/**
 * sim__set_allowed() - set the CPUs on which a thread runs from now on
 *
 * Return: 0, -EINVAL when the machine has none of them, or -ENOMEM.
 */
int sim__set_allowed(pid_t tid, const struct cpulist *cpus);
/** sim__set_phase() - set the phase in which the calling thread stays. Return: 0 or -errno. */
int sim__set_phase(int phase);
/** sim__find_phase() - find a phase by its name. Return: its number from 1 on, or -ENOENT. */
int sim__find_phase(const char *name);
/** sim__run() - let the calling thread run for some stepped time. Return: 0 or -ENOMEM. */
int sim__run(uint64_t ns);
/** sim__caller_cpu() - the CPU on which the calling thread is. */
int sim__caller_cpu(void);
/** sim__is_online() - whether a CPU is online now. */
bool sim__is_online(int cpu);
/** sim__nr_online() - how many CPUs are online now. */
int sim__nr_online(void);

/**
 * attr__copy() - take over the caller's attr as the kernel does
 *
 * Return: 0, -EINVAL or -E2BIG.
 */
int attr__copy(struct perf_event_attr *from, struct perf_event_attr *attr);
/** attr__is_sampling() - whether it asks for samples. */
bool attr__is_sampling(const struct perf_event_attr *attr);
/**
 * attr__check_sampling() - refuse periods and frequencies as perf_event_open() does
 *
 * Return: 0 or -EINVAL.
 */
int attr__check_sampling(const struct sim_machine *m, const struct perf_event_attr *attr);
/**
 * attr__pmu() - find the PMU whose event it is
 * @event: attr and cpu are set; pmu and config are filled, pmu NULL for software
 *
 * Return: 0, -errno, or SIM_PASS for a PMU of the real machine.
 */
int attr__pmu(struct sim_machine *m, struct sim_event *event);
/**
 * attr__check() - refuse what the PMU's driver refuses
 * @event: pmu, config, cpu and leader are set; need, rate and, for uncore, cpu are filled
 * @task:  it is to count for a task
 *
 * Return: 0 or -errno.
 */
int attr__check(struct sim_machine *m, struct sim_event *event, bool task);

#endif
