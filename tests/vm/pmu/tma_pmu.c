// SPDX-License-Identifier: GPL-2.0-only
/*
 * A core PMU for a machine without one, so that a real kernel schedules, multiplexes and samples.
 *
 * Only the counting is made up: each event goes up by a fixed rate of the CPU's clock while it is
 * on a counter. What opens, groups, inherits, takes turns and fills ring buffers is the kernel.
 * Named "cpu", of type 4: the kernel in a virtual machine without performance counters leaves both
 * free.
 *
 * The rates, which the tests know:
 *	cycles (0x3c) 3 a ns, instructions (0xc0) 4, ref-cycles (0x0300) 2, slots (0x0400) 18, the
 *	TopDown metric events (0x8000 to 0x8700) a share of slots; any other (event code + 1)/1000.
 * Retire latency of a sample of event 0xXX on CPU n: 100 + n * 10 cycles in the first half of
 * every second of the boot's clock, twice that in the second; and 0 with the parameter latency=0.
 */
#include <linux/bitops.h>
#include <linux/device.h>
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <asm/irq_regs.h>

#define NR_COUNTERS 8
#define RATE_SHIFT 16
#define SLOTS 0x0400
#define METRIC_FIRST 0x8000
#define METRIC_LAST 0x8700
#define MIN_TIMER_NS 10000

static bool latency = true;
module_param(latency, bool, 0444);
MODULE_PARM_DESC(latency, "samples carry a retire latency");

/**
 * struct tma_event - what is ours of an event: what the kernel has for it shares its place with a
 * timer of its own
 * @code:    event and umask
 * @counter: it is on, or -1
 */
struct tma_event {
	struct hrtimer timer;
	struct perf_event *event;
	u64 code;
	int counter;
};

/* Not exported, as no driver in a module samples. */
static int (*overflow)(struct perf_event *, struct perf_sample_data *, struct pt_regs *);

static DEFINE_PER_CPU(unsigned long, counters);

static struct tma_event *of(const struct perf_event *event)
{
	return event->pmu_private;
}

static u64 code_of(const struct perf_event *event)
{
	return of(event)->code;
}

static bool is_metric(u64 code)
{
	return code >= METRIC_FIRST && code <= METRIC_LAST && !(code & 0xff);
}

/* Events a ns, in 2^-RATE_SHIFT: slots are 18 a ns, and level 1 of the metric events is all. */
static u64 rate_of(u64 code)
{
	static const u8 percent[] = { 40, 10, 20, 30, 8, 6, 12, 18 };

	switch (code) {
	case 0x003c:
		return 3ull << RATE_SHIFT;
	case 0x00c0:
		return 4ull << RATE_SHIFT;
	case 0x0300:
		return 2ull << RATE_SHIFT;
	case SLOTS:
		return 18ull << RATE_SHIFT;
	}
	if (is_metric(code))
		return (18ull << RATE_SHIFT) * percent[(code >> 8) & 7] / 100;
	return (((code & 0xff) + 1) << RATE_SHIFT) / 1000;
}

static u64 count_at(const struct perf_event *event, u64 ns)
{
	return mul_u64_u64_shr(ns, rate_of(code_of(event)), RATE_SHIFT);
}

static u16 latency_now(void)
{
	u64 ns = ktime_get_ns();
	unsigned int cycles = 100 + raw_smp_processor_id() * 10;

	if (!latency)
		return 0;
	return ns % NSEC_PER_SEC < NSEC_PER_SEC / 2 ? cycles : 2 * cycles;
}

/* Return: events since the last look. */
static u64 update(struct perf_event *event)
{
	u64 now = local_clock();
	u64 before = local64_xchg(&event->hw.prev_count, now);
	u64 delta = count_at(event, now) - count_at(event, before);

	local64_add(delta, &event->count);
	if (is_sampling_event(event))
		local64_sub(delta, &event->hw.period_left);
	return delta;
}

static u64 timer_ns(struct perf_event *event)
{
	s64 left = local64_read(&event->hw.period_left);
	u64 rate = rate_of(code_of(event));
	u64 ns = left > 0 && rate ? mul_u64_u64_div_u64(left, 1 << RATE_SHIFT, rate) : 0;

	return max_t(u64, ns, MIN_TIMER_NS);
}

/* What is left of the period; a timer that came late has passed several. */
static void start_period(struct perf_event *event)
{
	s64 left = local64_read(&event->hw.period_left);
	s64 period = event->hw.sample_period;

	if (left <= -period)
		left = 0;
	if (left <= 0)
		left += period;
	local64_set(&event->hw.period_left, left);
}

static enum hrtimer_restart sample(struct hrtimer *timer)
{
	struct perf_event *event = container_of(timer, struct tma_event, timer)->event;
	struct pt_regs *regs = get_irq_regs();
	struct perf_sample_data data;

	if (event->state != PERF_EVENT_STATE_ACTIVE || event->hw.state & PERF_HES_STOPPED)
		return HRTIMER_NORESTART;
	update(event);
	if (local64_read(&event->hw.period_left) <= 0) {
		/* As many as there were since the last sample, however late the timer was. */
		event->hw.last_period = event->hw.sample_period -
					local64_read(&event->hw.period_left);
		perf_sample_data_init(&data, 0, event->hw.last_period);
		data.weight.full = 0;
		data.weight.var3_w = latency_now();
		data.sample_flags |= PERF_SAMPLE_WEIGHT_TYPE;
		start_period(event);
		if (regs && overflow(event, &data, regs)) {
			event->hw.state |= PERF_HES_STOPPED;
			return HRTIMER_NORESTART;
		}
	}
	hrtimer_forward_now(timer, ns_to_ktime(timer_ns(event)));
	return HRTIMER_RESTART;
}

static void pmu_start(struct perf_event *event, int flags)
{
	event->hw.state = 0;
	local64_set(&event->hw.prev_count, local_clock());
	if (!is_sampling_event(event))
		return;
	start_period(event);
	hrtimer_start(&of(event)->timer, ns_to_ktime(timer_ns(event)),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static void pmu_stop(struct perf_event *event, int flags)
{
	if (is_sampling_event(event))
		hrtimer_cancel(&of(event)->timer);
	if (!(event->hw.state & PERF_HES_STOPPED))
		update(event);
	event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

/* The fixed ones are always free; of the others there are NR_COUNTERS on a CPU. */
static bool needs_counter(u64 code)
{
	return code != 0x3c && code != 0xc0 && code != 0x0300 && code != SLOTS && !is_metric(code);
}

/* A group with an event of this code is taken, and never put on counters; 0 for none. */
static unsigned int starved;
module_param(starved, uint, 0644);

static bool is_starved(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;
	unsigned int code = READ_ONCE(starved);
	bool found = code_of(leader) == code;

	if (!code || !leader->nr_siblings || leader->pmu != event->pmu)
		return false;
	for_each_sibling_event(sibling, leader)
		found |= sibling->pmu == event->pmu && code_of(sibling) == code;
	return found;
}

static int pmu_add(struct perf_event *event, int flags)
{
	unsigned long *taken = this_cpu_ptr(&counters);

	if (is_starved(event))
		return -EAGAIN;
	of(event)->counter = -1;
	if (needs_counter(code_of(event))) {
		int idx = find_first_zero_bit(taken, NR_COUNTERS);

		if (idx >= NR_COUNTERS)
			return -EAGAIN;
		__set_bit(idx, taken);
		of(event)->counter = idx;
	}
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		pmu_start(event, flags);
	return 0;
}

static void pmu_del(struct perf_event *event, int flags)
{
	pmu_stop(event, flags);
	if (of(event)->counter >= 0)
		__clear_bit(of(event)->counter, this_cpu_ptr(&counters));
}

static void pmu_read(struct perf_event *event)
{
	if (!(event->hw.state & PERF_HES_STOPPED))
		update(event);
}

/* A group which could never be scheduled is refused at once, as by drivers of real PMUs. */
static int check_group(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;
	int nr = needs_counter(code_of(event));

	if (is_metric(code_of(event)) && (leader == event || code_of(leader) != SLOTS))
		return -EINVAL;
	if (leader == event)
		return 0;
	nr += leader->pmu == event->pmu && needs_counter(code_of(leader));
	for_each_sibling_event(sibling, leader)
		if (sibling->pmu == event->pmu)
			nr += needs_counter(code_of(sibling));
	return nr > NR_COUNTERS ? -EINVAL : 0;
}

static int config_of(const struct perf_event_attr *attr, u64 *config)
{
	static const u64 generic[] = {
		[PERF_COUNT_HW_CPU_CYCLES] = 0x3c,
		[PERF_COUNT_HW_INSTRUCTIONS] = 0xc0,
		[PERF_COUNT_HW_CACHE_MISSES] = 0x412e,
		[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = 0xc4,
		[PERF_COUNT_HW_BRANCH_MISSES] = 0xc5,
		[PERF_COUNT_HW_REF_CPU_CYCLES] = 0x0300,
	};

	switch (attr->type) {
	case PERF_TYPE_RAW:
		*config = attr->config;
		return 0;
	case PERF_TYPE_HARDWARE:
		if (attr->config >= ARRAY_SIZE(generic) || !generic[attr->config])
			return -ENOENT;
		*config = generic[attr->config];
		return 0;
	default:
		return -ENOENT;
	}
}

static void pmu_destroy(struct perf_event *event)
{
	kfree(of(event));
}

static int pmu_event_init(struct perf_event *event)
{
	struct tma_event *mine;
	u64 config;
	int rc = config_of(&event->attr, &config);

	if (rc)
		return rc;
	if (event->attr.precise_ip > 3)
		return -EOPNOTSUPP;
	mine = kzalloc(sizeof(*mine), GFP_KERNEL);
	if (!mine)
		return -ENOMEM;
	mine->event = event;
	mine->code = config & 0xffff;
	mine->counter = -1;
	hrtimer_init(&mine->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	mine->timer.function = sample;
	event->pmu_private = mine;
	rc = check_group(event);
	if (rc)
		kfree(mine);
	else
		event->destroy = pmu_destroy;
	return rc;
}

PMU_FORMAT_ATTR(event, "config:0-7");
PMU_FORMAT_ATTR(umask, "config:8-15");
PMU_FORMAT_ATTR(edge, "config:18");
PMU_FORMAT_ATTR(inv, "config:23");
PMU_FORMAT_ATTR(cmask, "config:24-31");
PMU_FORMAT_ATTR(offcore_rsp, "config1:0-63");
PMU_FORMAT_ATTR(ldlat, "config1:0-15");
PMU_FORMAT_ATTR(frontend, "config1:0-23");

static struct attribute *format_attrs[] = {
	&format_attr_event.attr, &format_attr_umask.attr,	&format_attr_edge.attr,
	&format_attr_inv.attr,	 &format_attr_cmask.attr,	&format_attr_offcore_rsp.attr,
	&format_attr_ldlat.attr, &format_attr_frontend.attr, NULL,
};
static const struct attribute_group format_group = { .name = "format", .attrs = format_attrs };

PMU_EVENT_ATTR_STRING(cpu-cycles, cycles_attr, "event=0x3c");
PMU_EVENT_ATTR_STRING(instructions, instructions_attr, "event=0xc0");
PMU_EVENT_ATTR_STRING(ref-cycles, ref_cycles_attr, "event=0x00,umask=0x03");
PMU_EVENT_ATTR_STRING(slots, slots_attr, "event=0x00,umask=0x4");
PMU_EVENT_ATTR_STRING(topdown-retiring, retiring_attr, "event=0x00,umask=0x80");
PMU_EVENT_ATTR_STRING(topdown-bad-spec, bad_spec_attr, "event=0x00,umask=0x81");
PMU_EVENT_ATTR_STRING(topdown-fe-bound, fe_bound_attr, "event=0x00,umask=0x82");
PMU_EVENT_ATTR_STRING(topdown-be-bound, be_bound_attr, "event=0x00,umask=0x83");
PMU_EVENT_ATTR_STRING(topdown-heavy-ops, heavy_ops_attr, "event=0x00,umask=0x84");
PMU_EVENT_ATTR_STRING(topdown-br-mispredict, br_mispredict_attr, "event=0x00,umask=0x85");
PMU_EVENT_ATTR_STRING(topdown-fetch-lat, fetch_lat_attr, "event=0x00,umask=0x86");
PMU_EVENT_ATTR_STRING(topdown-mem-bound, mem_bound_attr, "event=0x00,umask=0x87");

static struct attribute *event_attrs[] = {
	&cycles_attr.attr.attr,	   &instructions_attr.attr.attr,  &ref_cycles_attr.attr.attr,
	&slots_attr.attr.attr,	   &retiring_attr.attr.attr,	  &bad_spec_attr.attr.attr,
	&fe_bound_attr.attr.attr,  &be_bound_attr.attr.attr,	  &heavy_ops_attr.attr.attr,
	&br_mispredict_attr.attr.attr, &fetch_lat_attr.attr.attr, &mem_bound_attr.attr.attr,
	NULL,
};
static const struct attribute_group event_group = { .name = "events", .attrs = event_attrs };

static ssize_t max_precise_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "3\n");
}
static DEVICE_ATTR_RO(max_precise);

static struct attribute *caps_attrs[] = { &dev_attr_max_precise.attr, NULL };
static const struct attribute_group caps_group = { .name = "caps", .attrs = caps_attrs };

static const struct attribute_group *attr_groups[] = { &format_group, &event_group, &caps_group,
						       NULL };

static struct pmu tma_pmu = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_hw_context,
	.attr_groups = attr_groups,
	.event_init = pmu_event_init,
	.add = pmu_add,
	.del = pmu_del,
	.start = pmu_start,
	.stop = pmu_stop,
	.read = pmu_read,
};

static int find_overflow(void)
{
	struct kprobe probe = { .symbol_name = "perf_event_overflow" };
	int rc = register_kprobe(&probe);

	if (rc)
		return rc;
	overflow = (void *)probe.addr;
	unregister_kprobe(&probe);
	return 0;
}

static int __init tma_pmu_init(void)
{
	int rc = find_overflow();

	return rc ? rc : perf_pmu_register(&tma_pmu, "cpu", PERF_TYPE_RAW);
}
module_init(tma_pmu_init);

MODULE_DESCRIPTION("A core PMU whose counts are made up, for tests of tma in a virtual machine");
MODULE_LICENSE("GPL");
