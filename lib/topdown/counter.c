// SPDX-License-Identifier: GPL-2.0-only
/* Open, read and close an event of the calling thread: a descriptor and a page. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "snapshot.h"

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static int open_for_thread(struct perf_event_attr *attr, int group_fd)
{
	return (int)syscall(SYS_perf_event_open, attr, 0, -1, group_fd,
			    (unsigned long)PERF_FLAG_FD_CLOEXEC);
}

int counter__open(struct mapped_event *counter, struct perf_event_attr *attr, int group_fd)
{
	void *page;

	attr->size = sizeof(*attr);
	counter->page = NULL;
	/*
	 * Guests do not belong to this thread. Since Linux 7.0 a virtual machine may own the
	 * counters while its guest runs. Then an event that does not exclude guests is refused, or
	 * keeps the virtual machine from starting.
	 */
	attr->exclude_guest = 1;
	counter->fd = open_for_thread(attr, group_fd);
	if (counter->fd < 0 && errno == EINVAL) {
		/* PMUs that are not core PMUs refuse exclude_guest. */
		attr->exclude_guest = 0;
		counter->fd = open_for_thread(attr, group_fd);
	}
	if (counter->fd < 0)
		return -errno;
	page = mmap(NULL, page_size(), PROT_READ, MAP_SHARED, counter->fd, 0);
	if (page != MAP_FAILED)
		counter->page = page;
	return 0;
}

void counter__close(struct mapped_event *counter, bool mapped)
{
	if (counter->page && mapped)
		munmap(counter->page, page_size());
	if (counter->fd >= 0)
		close(counter->fd);
	counter->page = NULL;
	counter->fd = -1;
}

/*
 * Encode the text of an event: terms of a PMU in slashes, "cpu/event=0xc4/", or the name of an
 * event of the core PMU.
 */
static int encode_event(const struct tma_topdown *topdown, const char *text,
			struct perf_event_attr *attr, struct tma_topdown_error *error)
{
	const char *slash = strchr(text, '/');
	char copy[512], *terms;
	size_t length = strlen(text);

	if (!slash && !TOPDOWN_HAS_RDPMC)
		return topdown__fail(error, TMA_TOPDOWN_NOT_X86, ENODEV,
				     "%s: on this architecture, name the event's PMU: PMU/%s/", text, text);
	if (!slash && !*topdown->pmu)
		return topdown__fail(error, TMA_TOPDOWN_NO_PMU, ENODEV,
				     "%s: this machine has no core PMU", text);
	if (!slash)
		return sysfs__encode(topdown->sysfs, topdown->pmu,
				     strcmp(text, "cycles") ? text : "cpu-cycles", attr, error);
	if (length >= sizeof(copy) || text[length - 1] != '/' || slash == text || *text == '.' ||
	    slash == text + length - 1)
		return topdown__fail(error, TMA_TOPDOWN_NO_EVENT, EINVAL,
				     "%.100s: not of the form PMU/TERM=VALUE,.../", text);
	strcpy(copy, text);
	copy[length - 1] = '\0';
	terms = copy + (slash - text);
	*terms++ = '\0';
	return sysfs__encode(topdown->sysfs, copy, terms, attr, error);
}

TMA_PUBLIC int tma_topdown_add_event(struct tma_topdown *topdown, const char *text,
				     struct tma_topdown_error *error)
{
	struct perf_event_attr attr = {
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	struct mapped_event counter, *events;
	int ret;

	if (!topdown)
		return -EINVAL;
	if (*topdown->owner != thread__self())
		return topdown__fail(error, TMA_TOPDOWN_ARGUMENT, EXDEV,
				     "%s: the handle is of another thread or process", text);
	attr.exclude_kernel = !(topdown->flags & TMA_TOPDOWN_KERNEL);
	ret = encode_event(topdown, text, &attr, error);
	if (ret)
		return ret;
	ret = counter__open(&counter, &attr, -1);
	if (ret)
		return topdown__fail_open(topdown, text, -ret, error);
	events = reallocarray(topdown->events, (size_t)topdown->nr_events + 1, sizeof(*events));
	if (!events) {
		counter__close(&counter, true);
		return topdown__fail(error, TMA_TOPDOWN_NO_MEMORY, ENOMEM, "%s: out of memory",
				     text);
	}
	topdown->events = events;
	events[topdown->nr_events] = counter;
	return topdown->nr_events++;
}

static int read_count(int fd, struct tma_topdown_count *count)
{
	uint64_t values[3];
	ssize_t size = read(fd, values, sizeof(values));

	if (size != (ssize_t)sizeof(values))
		return size < 0 ? -errno : -EIO;
	count->value = values[0];
	count->enabled_ns = values[1];
	count->running_ns = values[2];
	count->notes = 0;
	return 0;
}

TMA_PUBLIC int tma_topdown_read_event(struct tma_topdown *topdown, int event,
				      struct tma_topdown_count *count)
{
	const struct mapped_event *counter;

	if (!topdown) {
		if (count)
			memset(count, 0, sizeof(*count));
		return -EINVAL;
	}
	if (*topdown->owner != thread__self())
		return -EXDEV;
	if (event < 0 || event >= topdown->nr_events)
		return -EINVAL;
	counter = &topdown->events[event];
	if (!topdown->rdpmc || !counter->page || !counter->page->cap_user_rdpmc)
		return read_count(counter->fd, count);
	counter__value(counter->page, cpu__rdpmc, count);
	return 0;
}
