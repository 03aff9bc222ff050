// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pinned map has the format of perf: a hash from struct perf_event_attr, as of Linux 6.12, to
 * the ids of the leader's link and of its map of differences. perf's followers are called by the
 * leader (fexit), which many kernels do not allow or cannot do. tma's followers run after the
 * leader in the tracepoint, and read another of its maps. So perf and tma can use each other's
 * leaders. Only the processes that count keep a link open: an id in the map may belong to a leader
 * that has ended.
 */
#include "count/bpf_leader.h"

#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/err.h"
#include "count/bpf_events.h"
#include "count/bpf_library.h"
#include "count/session.h"

#if BPF_IS_BUILT

#define LEADER_FUNCTION "on_switch"
#define READINGS "prev_readings"
#define DIFFERENCES "diff_readings"
#define MAPS_MAX 8	/* the most maps that a leader has */
#define KEY_BYTES 136	/* PERF_ATTR_SIZE_VER8 */
#define MAP_ENTRIES 256 /* number of entries of the map; perf makes it with 16 */

struct leader_ids {
	__u32 link, diff;
};

/*
 * Fill in @key, which has KEY_BYTES. The map cannot hold events with attributes of later kernels.
 */
static int make_key(const struct event *e, unsigned char *key, struct err *err)
{
	struct perf_event_attr attr = e->attr;
	const unsigned char *bytes = (const unsigned char *)&attr;

	attr.size = KEY_BYTES;
	for (size_t i = KEY_BYTES; i < sizeof(attr); i++)
		if (bytes[i])
			return err__set(err, E2BIG, "%s has attributes that no shared counter has",
					e->name);
	memcpy(key, &attr, KEY_BYTES);
	return 0;
}

/* --- The pinned map -------------------------------------------------------------------------- */

static int pin_failed(const char *path, int code, struct err *err)
{
	return err__set(err, code,
			"%s: the map of shared counters cannot be pinned there: %s\nIt must be in a "
			"mounted BPF file system: mount -t bpf bpf /sys/fs/bpf",
			path, strerror(code));
}

static int make_map(const char *path, struct err *err)
{
	int fd = lib_bpf_map_create(BPF_MAP_TYPE_HASH, "perf_attr_map", KEY_BYTES,
				    sizeof(struct leader_ids), MAP_ENTRIES, NULL);
	int rc = fd < 0 ? fd : lib_bpf_obj_pin(fd, path);

	if (!rc)
		return fd;
	if (fd >= 0)
		close(fd);
	/* Another process made the map first. */
	if (rc == -EEXIST) {
		fd = lib_bpf_obj_get(path);
		if (fd >= 0)
			return fd;
		rc = fd;
	}
	return pin_failed(path, -rc, err);
}

static int open_map(const char *path, struct err *err)
{
	struct bpf_map_info info = { .id = 0 };
	__u32 size = sizeof(info);
	int fd = lib_bpf_obj_get(path);

	if (fd == -ENOENT)
		return make_map(path, err);
	if (fd < 0)
		return pin_failed(path, -fd, err);
	if (!lib_bpf_obj_get_info_by_fd(fd, &info, &size) && info.type == BPF_MAP_TYPE_HASH &&
	    info.key_size == KEY_BYTES && info.value_size == sizeof(struct leader_ids))
		return fd;
	close(fd);
	return err__set(err, EINVAL,
			"%s is not a map of shared counters of perf 6.12 or tma: name another place "
			"with --bpf-attr-map",
			path);
}

/*
 * Lock the map: until the map is closed, no other process can look for a leader or load one.
 * Return: the map, or -errno.
 */
static int lock_map(const char *path, struct err *err)
{
	int fd = open_map(path, err), rc;

	if (fd < 0)
		return fd;
	do
		rc = flock(fd, LOCK_EX);
	while (rc && errno == EINTR);
	if (!rc)
		return fd;
	rc = err__set(err, errno, "%s cannot be locked: %s", path, strerror(errno));
	close(fd);
	return rc;
}

/* Make room: leaders that have ended stay in the map until a process removes them. */
static void remove_ended(int map)
{
	unsigned char key[KEY_BYTES], next[KEY_BYTES];
	struct leader_ids ids;
	bool more = !lib_bpf_map_get_next_key(map, NULL, next);

	while (more) {
		int link = -1;

		memcpy(key, next, sizeof(key));
		more = !lib_bpf_map_get_next_key(map, key, next);
		if (!lib_bpf_map_lookup_elem(map, key, &ids))
			link = lib_bpf_link_get_fd_by_id(ids.link);
		if (link >= 0)
			close(link);
		else
			lib_bpf_map_delete_elem(map, key);
	}
}

static int write_ids(int map, const unsigned char *key, const struct leader_ids *ids,
		     struct err *err)
{
	int rc = lib_bpf_map_update_elem(map, key, ids, BPF_ANY);

	if (rc == -E2BIG) {
		remove_ended(map);
		rc = lib_bpf_map_update_elem(map, key, ids, BPF_ANY);
	}
	if (rc)
		return err__set(err, -rc, "the map of shared counters is full or broken: %s",
				strerror(-rc));
	return 0;
}

/* --- A leader --------------------------------------------------------------------------------- */

/* Find a map of a program by its name. Return: a descriptor, or -1. */
static int find_map(const struct bpf_prog_info *program, const __u32 *ids, const char *name)
{
	for (__u32 i = 0; i < program->nr_map_ids && i < MAPS_MAX; i++) {
		struct bpf_map_info info = { .id = 0 };
		__u32 size = sizeof(info);
		int map = lib_bpf_map_get_fd_by_id(ids[i]);

		if (map < 0)
			continue;
		if (!lib_bpf_obj_get_info_by_fd(map, &info, &size) && !strcmp(info.name, name) &&
		    info.type == BPF_MAP_TYPE_PERCPU_ARRAY &&
		    info.value_size == sizeof(struct bpf_perf_event_value))
			return map;
		close(map);
	}
	return -1;
}

/* Find the program and the map of a leader's link. Return: false if the link is not of a leader. */
static bool find_program_and_map(struct bpf_leader *leader)
{
	__u32 ids[MAPS_MAX] = { 0 }, link_size, program_size;
	struct bpf_link_info link = { .id = 0 };
	struct bpf_prog_info program = { .nr_map_ids = MAPS_MAX, .map_ids = (uintptr_t)ids };

	link_size = sizeof(link);
	program_size = sizeof(program);
	if (lib_bpf_obj_get_info_by_fd(leader->link, &link, &link_size))
		return false;
	leader->program = lib_bpf_prog_get_fd_by_id(link.prog_id);
	if (leader->program < 0 ||
	    lib_bpf_obj_get_info_by_fd(leader->program, &program, &program_size) ||
	    strcmp(program.name, LEADER_FUNCTION))
		return false;
	leader->readings = find_map(&program, ids, READINGS);
	return leader->readings >= 0;
}

/* Open the leader that has this link. Return: whether it exists. */
static bool open_leader(__u32 link, struct bpf_leader *leader)
{
	leader->link = lib_bpf_link_get_fd_by_id(link);
	if (leader->link >= 0 && find_program_and_map(leader))
		return true;
	bpf_leader__leave(leader);
	return false;
}

static int read_ids(int link, int diff, struct leader_ids *ids, struct err *err)
{
	struct bpf_link_info of_link = { .id = 0 };
	struct bpf_map_info of_map = { .id = 0 };
	__u32 link_size = sizeof(of_link), map_size = sizeof(of_map);
	int rc = lib_bpf_obj_get_info_by_fd(link, &of_link, &link_size)
			 ?: lib_bpf_obj_get_info_by_fd(diff, &of_map, &map_size);

	*ids = (struct leader_ids){ .link = of_link.id, .diff = of_map.id };
	return rc ? err__set(err, -rc, "shared counters: %s", strerror(-rc)) : 0;
}

/* Start the leader. It goes on when its object is closed, as tma keeps a descriptor of the link. */
static int bpf_leader__start(struct bpf_object *object, struct bpf_leader *leader,
			     struct leader_ids *ids, struct err *err)
{
	struct bpf_link *link = bpf_object__attach(object, LEADER_FUNCTION, err);
	int rc;

	if (!link)
		return -err->code;
	rc = read_ids(lib_bpf_link__fd(link), bpf_object__map_fd(object, DIFFERENCES), ids, err);
	if (!rc && !open_leader(ids->link, leader))
		rc = err__set(err, ENOTSUP, "the leader of a shared counter cannot be found");
	lib_bpf_link__destroy(link);
	return rc;
}

static int bpf_leader__load(const struct session *s, const struct counter *c,
			    struct bpf_leader *leader, struct leader_ids *ids, struct err *err)
{
	struct bpf_object *object = bpf_object__begin(BPF_LEADER, err);
	int rc;

	if (!object)
		return -err->code;
	bpf_object__size_map(object, "events", lib_libbpf_num_possible_cpus());
	rc = bpf_object__finish(object, err);
	if (!rc)
		rc = bpf_events__put(s, c, bpf_object__map_fd(object, "events"), 0);
	if (!rc)
		rc = bpf_leader__start(object, leader, ids, err);
	lib_bpf_object__close(object);
	return rc;
}

/* Linux can run a program of this kind on request since version 5.10. */
static int check_run(const struct session *s, const struct bpf_leader *leader, struct err *err)
{
	int rc = bpf_program__run_on(leader->program, s->machine->online.at[0]);

	if (rc)
		return err__set(err, -rc,
				"this kernel cannot run a BPF program on request, which shared "
				"counters need (Linux 5.10 or later): %s",
				strerror(-rc));
	return 0;
}

int bpf_leader__find(const struct session *s, const struct counter *c, const char *path,
		     struct bpf_leader *leader, struct err *err)
{
	unsigned char key[KEY_BYTES];
	struct leader_ids ids = { .link = 0 };
	int map, rc = make_key(c->event, key, err);

	if (rc)
		return rc;
	map = lock_map(path ?: BPF_ATTR_MAP, err);
	if (map < 0)
		return map;
	if (lib_bpf_map_lookup_elem(map, key, &ids) || !open_leader(ids.link, leader))
		rc = bpf_leader__load(s, c, leader, &ids, err) ?: write_ids(map, key, &ids, err);
	if (!rc)
		rc = check_run(s, leader, err);
	if (rc)
		bpf_leader__leave(leader);
	close(map);
	return rc;
}

static void bpf_leader__close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void bpf_leader__leave(struct bpf_leader *leader)
{
	bpf_leader__close_fd(&leader->link);
	bpf_leader__close_fd(&leader->program);
	bpf_leader__close_fd(&leader->readings);
}

int bpf_program__run_on(int program, int cpu)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .flags = BPF_F_TEST_RUN_ON_CPU, .cpu = cpu);

	return lib_bpf_prog_test_run_opts(program, &opts);
}

#endif
