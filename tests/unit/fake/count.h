/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For the tests of lib/count: events and a machine made by hand, and a fake kernel that a test
 * controls.
 */
#ifndef TMA_TESTS_FAKE_COUNT_H
#define TMA_TESTS_FAKE_COUNT_H

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "../unit.h"
#include "base/err.h"
#include "count/count.h"
#include "count/kernel.h"

#define FAKE_MAX 512
#define FAKE_FIRST_FD 100000 /* not a real descriptor, in case one reaches the kernel */
#define FAKE_UNUSED __attribute__((unused))

/*
 * A counter as the fake kernel opened it. @output: the fd of the counter whose buffer gets its
 * samples, or 0.
 */
struct fake_fd {
	struct perf_event_attr attr;
	int pid, cpu, group_fd, output;
	unsigned long flags;
	bool is_open, enabled;
	char filter[64];
	void *buffer;
	size_t buffer_size;
};

/**
 * struct fake_kernel - the requests that it got, and how it behaves
 * @refuse: returns the errno for an open, or 0 to accept it; NULL accepts all
 * @read:   replaces read(2); NULL means fake_read()
 * @enabled_ns, @running_ns: times that every counter shows
 * @calls:  number of opens that were tried, also of refused ones
 * @mmap_limit: size of the largest buffer; 0 for any size
 * @maps:   number of buffers
 * @lost:   number of lost samples that every counter reports
 */
static struct fake_kernel {
	struct fake_fd fds[FAKE_MAX];
	int nr, calls, reads;
	int (*refuse)(const struct perf_event_attr *attr, int pid, int cpu, int group_fd);
	ssize_t (*read)(int fd, void *buf, size_t size);
	uint64_t enabled_ns, running_ns, lost;
	size_t mmap_limit;
	int maps;
} fake;

/* Define a function for fake.refuse. */
#define FAKE_REFUSAL(name)                                                                         \
	static int name(FAKE_UNUSED const struct perf_event_attr *attr, FAKE_UNUSED int pid,       \
			FAKE_UNUSED int cpu, FAKE_UNUSED int group_fd)

FAKE_UNUSED static int fake_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
				 unsigned long flags)
{
	struct fake_fd *fd = &fake.fds[fake.nr];
	int code = fake.refuse ? fake.refuse(attr, pid, cpu, group_fd) : 0;

	fake.calls++;
	if (code) {
		errno = code;
		return -1;
	}
	ck_assert_int_lt(fake.nr, FAKE_MAX);
	*fd = (struct fake_fd){
		.attr = *attr,
		.pid = pid,
		.cpu = cpu,
		.group_fd = group_fd,
		.flags = flags,
		.is_open = true,
		.enabled = !attr->disabled,
	};
	return FAKE_FIRST_FD + fake.nr++;
}

static struct fake_fd *fake_fd(int fd)
{
	ck_assert_int_ge(fd, FAKE_FIRST_FD);
	ck_assert_int_lt(fd, FAKE_FIRST_FD + fake.nr);
	ck_assert(fake.fds[fd - FAKE_FIRST_FD].is_open);
	return &fake.fds[fd - FAKE_FIRST_FD];
}

/* The value of a counter is config * 1000 + cpu, and its id is the fd plus one million. */
static uint64_t fake_value(int fd)
{
	return fake_fd(fd)->attr.config * 1000 + fake_fd(fd)->cpu;
}

static uint64_t fake_id(int fd)
{
	return fd + 1000000;
}

/* Fill in what a read returns for an event, or for its whole group. Return: number of words. */
FAKE_UNUSED static int fake_words(int fd, uint64_t *words)
{
	int nr = 0;

	if (!(fake_fd(fd)->attr.read_format & PERF_FORMAT_GROUP)) {
		words[0] = fake_value(fd);
		words[1] = fake.enabled_ns;
		words[2] = fake.running_ns;
		words[3] = fake.lost;
		return fake_fd(fd)->attr.read_format & PERF_FORMAT_LOST ? 4 : 3;
	}
	words[1] = fake.enabled_ns;
	words[2] = fake.running_ns;
	for (int i = 0; i < fake.nr; i++) {
		int member = FAKE_FIRST_FD + i;

		if (!fake.fds[i].is_open || (member != fd && fake.fds[i].group_fd != fd))
			continue;
		words[3 + 2 * nr] = fake_value(member);
		words[4 + 2 * nr] = fake_id(member);
		nr++;
	}
	words[0] = nr;
	return 3 + 2 * nr;
}

static ssize_t fake_read(int fd, void *buf, size_t size)
{
	uint64_t words[3 + 2 * FAKE_MAX];
	size_t len;

	fake.reads++;
	if (fake.read)
		return fake.read(fd, buf, size);
	len = fake_words(fd, words) * sizeof(*words);
	if (len > size) {
		errno = ENOSPC;
		return -1;
	}
	memcpy(buf, words, len);
	return len;
}

static int fake_ioctl(int fd, unsigned long request, void *arg)
{
	struct fake_fd *f = fake_fd(fd);

	switch (request) {
	case PERF_EVENT_IOC_ENABLE:
		f->enabled = true;
		return 0;
	case PERF_EVENT_IOC_DISABLE:
		f->enabled = false;
		return 0;
	case PERF_EVENT_IOC_ID:
		*(uint64_t *)arg = fake_id(fd);
		return 0;
	case PERF_EVENT_IOC_SET_OUTPUT:
		f->output = (long)arg;
		ck_assert_int_eq(fake_fd(f->output)->cpu, f->cpu);
		ck_assert_ptr_nonnull(fake_fd(f->output)->buffer);
		return 0;
	case PERF_EVENT_IOC_SET_FILTER:
		snprintf(f->filter, sizeof(f->filter), "%s", (char *)arg);
		if (!strchr(arg, '='))
			return 0;
		errno = EINVAL;
		return -1;
	}
	errno = ENOTTY;
	return -1;
}

static int fake_close(int fd)
{
	fake_fd(fd)->is_open = false;
	return 0;
}

/* The buffer is anonymous memory, so that munmap(2) releases it. */
static void *fake_mmap(int fd, size_t size)
{
	struct fake_fd *f = fake_fd(fd);

	if (fake.mmap_limit && size > fake.mmap_limit) {
		errno = EPERM;
		return MAP_FAILED;
	}
	f->buffer = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(f->buffer, MAP_FAILED);
	f->buffer_size = size;
	fake.maps++;
	return f->buffer;
}

FAKE_UNUSED static const struct count_kernel fake_count_kernel = {
	.open = fake_open,
	.read = fake_read,
	.ioctl = fake_ioctl,
	.close = fake_close,
	.mmap = fake_mmap,
};

FAKE_UNUSED static int fake_nr_open(void)
{
	int nr = 0;

	for (int i = 0; i < fake.nr; i++)
		nr += fake.fds[i].is_open;
	return nr;
}

/*
 * Find the first open counter with this config on this CPU (-1 for a task). Return: NULL if there
 * is none.
 */
FAKE_UNUSED static const struct fake_fd *fake_find(uint64_t config, int cpu)
{
	for (int i = 0; i < fake.nr; i++)
		if (fake.fds[i].is_open && fake.fds[i].attr.config == config &&
		    fake.fds[i].cpu == cpu)
			return &fake.fds[i];
	return NULL;
}

/* List the counters that were opened, in order, as config@cpu: "1@0 2@0 1@1". */
FAKE_UNUSED static const char *fake_order(void)
{
	static char text[4096];
	int len = 0;

	text[0] = '\0';
	for (int i = 0; i < fake.nr; i++)
		len += snprintf(text + len, sizeof(text) - len, "%s%d@%d", i ? " " : "",
				(int)fake.fds[i].attr.config, fake.fds[i].cpu);
	return text;
}

/* State shared by a test and the functions it calls. */
static struct machine machine;
static struct event_list events;
static struct target target;
static struct count_options options;
static struct session *session;
static struct err err;

FAKE_UNUSED static void setup_machine(const char *online)
{
	memset(&fake, 0, sizeof(fake));
	fake.enabled_ns = fake.running_ns = 1000000;
	memset(&machine, 0, sizeof(machine));
	machine.sysfs = "/sys";
	machine.procfs = "/proc";
	machine.paranoid = 2;
	ck_assert_int_eq(cpulist__parse("online", online, &machine.online, NULL), 0);
	ck_assert_int_eq(cpulist__parse("present", online, &machine.present, NULL), 0);
	options = (struct count_options){ .scale = true };
	target = (struct target){ .system_wide = false };
	err = (struct err)ERR_INIT;
}

/* Set the CPUs that sysfs reports as online. machine.sysfs is a directory made for the test. */
FAKE_UNUSED static void set_online(const char *list)
{
	char path[PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%s/devices/system/cpu/online", machine.sysfs);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fprintf(f, "%s\n", list), 0);
	ck_assert_int_eq(fclose(f), 0);
}

FAKE_UNUSED static struct event *add_event(const char *name, uint32_t type, uint64_t config)
{
	struct event *e = calloc(1, sizeof(*e));

	e->name = strdup(name);
	e->attr.type = type;
	e->attr.config = config;
	e->attr.size = sizeof(e->attr);
	e->attr.exclude_guest = 1;
	e->any_cpu = true;
	e->scale = 1;
	e->leader = e;
	e->nr_members = 1;
	e->index = events.nr;
	events.at = realloc(events.at, (events.nr + 1) * sizeof(*events.at));
	events.at[events.nr++] = e;
	return e;
}

/* Make the last @nr events a group. */
FAKE_UNUSED static struct event *group_last(int nr, bool weak)
{
	struct event *leader = events.at[events.nr - nr];

	for (int i = events.nr - nr; i < events.nr; i++)
		events.at[i]->leader = leader;
	leader->nr_members = nr;
	leader->weak = weak;
	return leader;
}

FAKE_UNUSED static void set_cpus(struct event *e, const char *cpus)
{
	ck_assert_int_eq(cpulist__parse("cpus", cpus, &e->cpus, NULL), 0);
	e->any_cpu = false;
}

/* Set up a session on the fake kernel, without opening it. */
FAKE_UNUSED static void new_session(void)
{
	int rc = session__new(&machine, &events, &target, &options, &session, &err);

	ck_assert_msg(!rc, "%s", err.msg);
	session__set_kernel(session, &fake_count_kernel);
}

FAKE_UNUSED static void open_session(void)
{
	int rc;

	new_session();
	rc = session__open(session, &err);
	ck_assert_msg(!rc, "%s", err.msg);
}

FAKE_UNUSED static void teardown_all(void)
{
	session__free(session);
	session = NULL;
	for (int i = 0; i < events.nr; i++) {
		free(events.at[i]->name);
		cpulist__free(&events.at[i]->cpus);
		free(events.at[i]);
	}
	free(events.at);
	events = (struct event_list)EVENT_LIST_INIT;
	cpulist__free(&machine.online);
	cpulist__free(&machine.present);
	cpulist__free(&target.cpus);
}

#endif
