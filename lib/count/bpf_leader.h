/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Leaders: BPF programs that read an event when a CPU goes over to another task, for all processes
 * that count the event. They are found in a pinned map, which is perf's: the attributes of the
 * event come in, and descriptors of what its leader has go out.
 */
#ifndef TMA_COUNT_BPF_LEADER_H
#define TMA_COUNT_BPF_LEADER_H

struct counter;
struct err;
struct session;

/* Where perf pins its map, too. */
#define BPF_ATTR_MAP "/sys/fs/bpf/perf_attr_map"

/**
 * struct bpf_leader - descriptors that keep a leader
 * @link:    while somebody has it the leader runs
 * @program: it
 * @readings: the map with what it read last on each CPU: all since the event was opened
 */
struct bpf_leader {
	int link, program, readings;
};

#define BPF_LEADER_INIT { .link = -1, .program = -1, .readings = -1 }

/**
 * bpf_leader__find() - find the leader of an event, or load it and open the event
 * @path: of the pinned map, which is made when it is not there; NULL for the usual one
 *
 * Other processes that look for one wait meanwhile. bpf_leader__leave() releases it.
 *
 * Return: 0; -errno with @err; or the errno with which the kernel refuses the event, positive.
 */
int bpf_leader__find(const struct session *s, const struct counter *c, const char *path,
		     struct bpf_leader *leader, struct err *err);
/** bpf_leader__leave() - the last one who leaves ends it, and with it the event. */
void bpf_leader__leave(struct bpf_leader *leader);
/**
 * bpf_program__run_on() - let a program of a context switch run on a CPU now
 *
 * Of a leader and then a follower: that one has then all that was counted so far.
 *
 * Return: 0 or -errno: -ENXIO for a CPU that is offline.
 */
int bpf_program__run_on(int program, int cpu);

#endif
