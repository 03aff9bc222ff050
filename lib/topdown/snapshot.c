// SPDX-License-Identifier: GPL-2.0-only
/*
 * Take snapshots: registers and their base.
 *
 * Linux (6.12, arch/x86/events/intel/core.c) starts the slots register and the metrics register
 * from 0 when it first puts the group on a CPU. When the group leaves the CPU, Linux adds the
 * counts of the registers to the events' counts, and saves the registers, which it restores with
 * the group. So while a group is on a CPU, its total is in the registers alone, although the offset
 * in the page also has its count. While the group is not on a CPU, the offsets are the total. When
 * a system call reads the group, or the counter overflows, Linux adds the registers to the counts
 * and clears them, but does not always update the page. Therefore the library never reads a group
 * by system call that it reads by RDPMC, and assumes a reset if registers have decreased.
 */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "snapshot.h"

void topdown__rebase(struct tma_topdown *topdown)
{
	struct tma_topdown_snapshot *now = &topdown->now;
	const struct perf_event_mmap_page *page = topdown->page;
	uint32_t lock, slots_index, metrics_index = 0;
	bool on_cpu;

	do {
		lock = PAGE_READ(page->lock);
		PAGE_ORDER();
		slots_index = PAGE_READ(page->index);
		on_cpu = slots_index;
		now->base_slots = topdown->carry_slots;
		if (!on_cpu)
			now->base_slots += (uint64_t)PAGE_READ(page->offset);
		now->missed_ns = PAGE_READ(page->time_enabled) - PAGE_READ(page->time_running);
		for (int i = 0; i + 1 < topdown->nr_group; i++) {
			const struct perf_event_mmap_page *metric = topdown->group[i + 1].page;

			now->base_metric[i] = topdown->carry_metric[i];
			if (!on_cpu)
				now->base_metric[i] += (uint64_t)PAGE_READ(metric->offset);
			metrics_index = PAGE_READ(metric->index);
			if (!metrics_index)
				slots_index = 0;
		}
		PAGE_ORDER();
	} while (PAGE_READ(page->lock) != lock || lock & 1);

	topdown->slots_counter = slots_index ? slots_index - 1 : 0;
	topdown->metrics_counter = metrics_index ? metrics_index - 1 : 0;
	now->notes = slots_index ? 0 : TMA_TOPDOWN_NOT_COUNTED;
	topdown->lock = lock;
	topdown->fast = topdown->slots_counter && topdown->tsc;
}

static int read_group(struct tma_topdown *topdown, struct tma_topdown_snapshot *snapshot)
{
	struct {
		uint64_t nr;
		uint64_t enabled_ns;
		uint64_t running_ns;
		uint64_t value[TOPDOWN_GROUP];
	} group;
	ssize_t size = read(topdown->group[0].fd, &group, sizeof(group));

	if (size < 0)
		return -errno;
	if ((size_t)size < offsetof(__typeof__(group), value[topdown->nr_group]) ||
	    group.nr != (uint64_t)topdown->nr_group)
		return -EIO;
	*snapshot = topdown->now;
	snapshot->ticks = topdown__ticks(topdown);
	snapshot->missed_ns = group.enabled_ns - group.running_ns;
	snapshot->notes |= TMA_TOPDOWN_SYSTEM_CALLS;
	snapshot->base_slots = group.value[0];
	for (int i = 0; i + 1 < topdown->nr_group; i++)
		snapshot->base_metric[i] = group.value[i + 1];
	return 0;
}

static __attribute__((noinline)) int take_slowly(struct tma_topdown *topdown,
						 struct tma_topdown_snapshot *snapshot)
{
	if (!topdown->page)
		return topdown->nr_group ? read_group(topdown, snapshot) : -EINVAL;
	topdown__take(topdown, snapshot, cpu__rdpmc);
	return 0;
}

static __attribute__((noinline)) int take_nothing(struct tma_topdown_snapshot *snapshot)
{
	if (snapshot)
		memset(snapshot, 0, sizeof(*snapshot));
	return -EINVAL;
}

/* Rare cases are in separate functions, so that this function need not save registers. */
TMA_PUBLIC int tma_topdown_snapshot(struct tma_topdown *topdown,
				    struct tma_topdown_snapshot *snapshot)
{
	if (!topdown)
		return take_nothing(snapshot);
	if (*topdown->owner != thread__self())
		return -EXDEV;
	if (topdown__take_fast(topdown, snapshot, cpu__rdpmc))
		return 0;
	return take_slowly(topdown, snapshot);
}

/*
 * The reset also restarts the kernel's counts from 0. The carry keeps the counts up to now, so that
 * totals continue. The counts of the system call itself are left out.
 */
TMA_PUBLIC int tma_topdown_reset(struct tma_topdown *topdown)
{
	struct tma_topdown_snapshot before;
	int ret = tma_topdown_snapshot(topdown, &before);

	if (ret || !topdown->page)
		return ret;
	if (ioctl(topdown->group[0].fd, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP))
		return -errno;
	topdown->carry_slots = 0;
	memset(topdown->carry_metric, 0, sizeof(topdown->carry_metric));
	topdown__rebase(topdown);
	topdown->carry_slots = before.base_slots + before.slots - topdown->now.base_slots;
	for (int i = 0; i + 1 < topdown->nr_group; i++)
		topdown->carry_metric[i] =
			before.base_metric[i] +
			topdown__field_slots(before.slots, before.metrics, i) -
			topdown->now.base_metric[i];
	topdown__rebase(topdown);
	return 0;
}
