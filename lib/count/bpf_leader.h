/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Leaders: BPF programs that read an event when a CPU switches to another task, for all processes
 * that count the event. They are found in a pinned map, which is perf's. The attributes of the
 * event come in; descriptors of its leader's link, program and map go out.
 */
#ifndef TMA_COUNT_BPF_LEADER_H
#define TMA_COUNT_BPF_LEADER_H

struct counter;
struct err;
struct session;

/* perf pins its map at the same path. */
#define BPF_ATTR_MAP "/sys/fs/bpf/perf_attr_map"

/**
 * struct bpf_leader - descriptors that keep a leader
 * @link:    the leader runs as long as any process has this open
 * @program: the BPF program
 * @readings: map with what it read last on each CPU: the counts since the event was opened
 */
struct bpf_leader {
	int link, program, readings;
};

#define BPF_LEADER_INIT { .link = -1, .program = -1, .readings = -1 }

/**
 * bpf_leader__find() - find the leader of an event, or load it and open the event
 * @path: of the pinned map, which is made when it is missing; NULL for the usual one
 *
 * The map is locked meanwhile: other processes that look for a leader wait. bpf_leader__leave()
 * releases @leader.
 *
 * Return: 0; -errno with @err; or the errno with which the kernel refuses the event, positive.
 */
int bpf_leader__find(const struct session *s, const struct counter *c, const char *path,
		     struct bpf_leader *leader, struct err *err);
/**
 * bpf_leader__leave() - close a leader; the last process that does so ends it, and closes the
 * event.
 */
void bpf_leader__leave(struct bpf_leader *leader);
/**
 * bpf_program__run_on() - run a program of a context switch on a CPU now
 *
 * When a leader is run, and then a follower, the follower has all counts up to now.
 *
 * Return: 0 or -errno: -ENXIO for a CPU that is offline.
 */
int bpf_program__run_on(int program, int cpu);

#endif
