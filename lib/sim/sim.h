/* SPDX-License-Identifier: GPL-2.0-only */
/* The simulated kernel: what perf_event_open() and its file descriptors do on the machine. */
#ifndef TMA_SIM_SIM_H
#define TMA_SIM_SIM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sim/context.h"
#include "sim/fault.h"
#include "sim/task.h"

/* What sim__open() returns for an event that the real kernel is to open. */
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

/** struct sim_real - an event of the real kernel which a simulated group may still take over */
struct sim_real {
	int fd;
	struct perf_event_attr attr;
	pid_t pid;
	int cpu, group_fd;
	unsigned long flags;
};

/**
 * struct sim - everything
 * @on:   there is a machine
 * @lock: held by whoever looks at the rest
 * @events: by file descriptor; NULL where there is none
 */
struct sim {
	bool on;
	pthread_mutex_t lock;
	struct sim_machine m;
	struct faults faults;
	VEC(struct sim_context *) contexts;
	VEC(struct sim_event *) events;
	VEC(struct sim_real) reals;
	uint64_t next_id;
	int nr_open;
};

extern struct sim sim;

/** sim__lock() - keep other threads out. Every function below is called with it held. */
void sim__lock(void);
/** sim__unlock() - let them in. */
void sim__unlock(void);

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
/** sim__close() - a descriptor is about to be closed. */
void sim__close(int fd);

/** sim__read() - read() of an event. Return: bytes, or -errno. */
ssize_t sim__read(struct sim_event *event, void *buf, size_t size);
/** sim__ioctl() - ioctl() of an event. Return: 0 or -errno. */
int sim__ioctl(struct sim_event *event, unsigned long request, unsigned long arg);
/** sim__mmap_fill() - write the header of an event's ring buffer. */
void sim__mmap_fill(struct sim_event *event, void *page);

/** sim__sync() - count everything in a context up to now. */
void sim__sync(struct sim_context *ctx);
/** sim__is_online() - whether a CPU is online now. */
bool sim__is_online(int cpu);
/** sim__context() - the context of a PMU on a CPU or of a task, made when there is none. */
struct sim_context *sim__context(struct sim_pmu *pmu, int cpu, pid_t pid);
/** sim__drop_context() - release a context without events. */
void sim__drop_context(struct sim_context *ctx);

/**
 * attr__copy() - take over the caller's attr as the kernel does
 *
 * Return: 0, -EINVAL or -E2BIG.
 */
int attr__copy(struct perf_event_attr *from, struct perf_event_attr *attr);
/** attr__is_sampling() - whether it asks for samples. */
bool attr__is_sampling(const struct perf_event_attr *attr);
/** attr__has_excludes() - whether it has any exclude bit. */
bool attr__has_excludes(const struct perf_event_attr *attr);
/**
 * attr__pmu() - whose event it is
 * @event: attr and cpu are set; pmu and config are filled, pmu NULL for software
 *
 * Return: 0, -errno, or SIM_PASS for a PMU of the real machine.
 */
int attr__pmu(struct sim_machine *m, struct sim_event *event);
/**
 * attr__check() - what the PMU's driver refuses
 * @event: pmu, config, cpu and leader are set; need, rate and, for uncore, cpu are filled
 * @task:  it is to count for a task
 *
 * Return: 0 or -errno.
 */
int attr__check(struct sim_machine *m, struct sim_event *event, bool task);

#endif
