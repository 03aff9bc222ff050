/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Leaders: BPF programs that read an event when a CPU switches to another task, for all processes
 * that count the event. A pinned map, which is perf's, lists the leaders. The attributes of the
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
 * @link:    descriptor of the link; the leader runs as long as any process has the link open
 * @program: descriptor of the BPF program
 * @readings: descriptor of a map with the leader's last reading on each CPU: the counts since the
 *            event was opened
 */
struct bpf_leader {
	int link, program, readings;
};

#define BPF_LEADER_INIT { .link = -1, .program = -1, .readings = -1 }

/**
 * bpf_leader__find() - find the leader of an event, or load it and open the event
 * @path: path of the pinned map, which is made if it is missing; NULL for the usual path
 *
 * The map is locked during the call: other processes that look for a leader wait.
 * bpf_leader__leave() releases @leader.
 *
 * Return: 0; -errno with @err; or the positive errno with which the kernel refuses the event.
 */
int bpf_leader__find(const struct session *s, const struct counter *c, const char *path,
		     struct bpf_leader *leader, struct err *err);
/**
 * bpf_leader__leave() - close a leader. When the last process has closed it, the leader ends and
 * its event is closed.
 */
void bpf_leader__leave(struct bpf_leader *leader);
/**
 * bpf_program__run_on() - run a BPF program on a CPU now, as a context switch runs it
 *
 * After a run of a leader and then of its follower, the follower has all counts up to now.
 *
 * Return: 0 or -errno: -ENXIO for a CPU that is offline.
 */
int bpf_program__run_on(int program, int cpu);

#endif
