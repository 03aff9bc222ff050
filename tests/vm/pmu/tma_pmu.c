// SPDX-License-Identifier: GPL-2.0-only
/*
 * A core PMU for a machine without one, so that a real kernel schedules, multiplexes and samples.
 *
 * Only the counting is made up: while an event is on a counter, its count grows at a fixed rate of
 * the CPU's clock. The kernel opens, groups, inherits, multiplexes and fills ring buffers. The PMU
 * has the name "cpu" and the type 4: the kernel in a virtual machine without performance counters
 * uses neither.
 *
 * The tests know these rates, in events per ns: cycles (0x3c) 3, instructions (0xc0) 4, ref-cycles
 * (0x0300) 2, slots (0x0400) 18; the TopDown metric events (0x8000 to 0x8700) are shares of slots;
 * any other event has (event code + 1)/1000.
 *
 * With the parameter phases each CPU is in one of eight states at a time, and each state has its
 * own rates: see phase_rate(), and tests/vm/phases/truth.py, which computes them independently. A
 * second PMU, "phase", counts the ns spent in each state. Its events never take turns, so a row
 * with these events has the true times.
 *
 * With phases=-3 a thread is in the state that it announces (lib/base/announce.h): it opens and
 * maps the device /dev/tma-places, and writes there where it is. Other threads are in the state
 * without phases. This is for events of tasks.
 *
 * The retire latency of a sample of event 0xXX on CPU n is 100 + n * 10 cycles in the first half of
 * every second of the boot's clock, and twice as much in the second half. With the parameter
 * latency=0 it is 0.
 */
#include <linux/bitops.h>
#include <linux/device.h>
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <asm/irq_regs.h>

#define RATE_SHIFT 16
#define SLOTS 0x0400
#define METRIC_FIRST 0x8000
#define METRIC_LAST 0x8700
#define MIN_TIMER_NS 10000
#define NR_METRICS 8
#define FIELD_MAX 255
#define NR_STATES 8
#define STEADY NR_STATES /* the state of a CPU without phases */
#define MAX_COUNTERS 32
#define STEPS 64 /* steps in a period of the sine */
#define PERIOD_NS (320 * NSEC_PER_MSEC)
#define SHORTEST_NS (5 * NSEC_PER_MSEC)

enum { LOG_UNIFORM = -1, SINE = -2, PLACES = -3 };

static bool latency = true;
module_param(latency, bool, 0444);
MODULE_PARM_DESC(latency, "samples carry a retire latency");

static int phases;
module_param(phases, int, 0644);
MODULE_PARM_DESC(phases, "rates change about every so many ms; 0: never, -1: 5 ms to 2 s, -2: as a sine, -3: as threads announce");

static unsigned int nr_counters = 8;
module_param(nr_counters, uint, 0644);
MODULE_PARM_DESC(nr_counters, "general counters of each CPU, up to 32");

/**
 * struct state_times - how long a CPU was in each state since the first read
 * @ns: time in each state, in ns; the last state is STEADY
 */
struct state_times {
	u64 ns[NR_STATES + 1];
};

/**
 * struct walk - the position of a CPU in its phases
 * @times:    times up to @at
 * @at:       the CPU's clock at the last read; 0 before the first read
 * @end:      end of the current phase
 * @random:   state of the random numbers
 * @schedule: value of the parameter phases when this phase began
 * @state:    current state; of a sine, the state that it comes from
 * @next:     the state that a sine goes to
 * @step:     current step in the sine's period
 */
struct walk {
	struct state_times times;
	u64 at;
	u64 end;
	u64 random;
	int schedule;
	unsigned int state;
	unsigned int next;
	unsigned int step;
};

/**
 * struct tma_event - this driver's data of an event: the kernel's members for drivers share their
 * memory with a timer
 * @config:  event, umask and the other fields of the event register
 * @rates:   rate in each state, in events per ns times 2^RATE_SHIFT
 * @slots:   rate of slots in each state, in the same unit
 * @before:  state times when the count was last updated
 * @part:    part of an event that was not counted yet, times 2^RATE_SHIFT
 * @word:    the word of a thread that @before was computed from, or NULL
 * @counter: number of the event's counter, or -1
 */
struct tma_event {
	struct hrtimer timer;
	struct perf_event *event;
	u64 config;
	u32 rates[NR_STATES + 1];
	u32 slots[NR_STATES + 1];
	struct state_times before;
	const struct place_word *word;
	u64 part;
	int counter;
};

/* A thread writes this word: see lib/base/announce.h. */
struct place_half {
	u32 at;
	u32 unused;
	u64 since;
	u64 ns[NR_STATES + 1];
};

struct place_word {
	u32 now;
	u32 unused;
	struct place_half half[2];
};

/**
 * struct announcing - a thread that has mapped the device
 * @pid:  the thread's number, or 0
 * @open: the thread has the device open
 */
struct announcing {
	pid_t pid;
	struct place_word *word;
	bool open;
};

#define MAX_ANNOUNCING 64

static struct announcing announcing[MAX_ANNOUNCING];
static DEFINE_MUTEX(announcing_lock);

/* The kernel does not export this, as no other driver in a module samples. */
static int (*overflow)(struct perf_event *, struct perf_sample_data *, struct pt_regs *);

static DEFINE_PER_CPU(unsigned long, counters);
static DEFINE_PER_CPU(struct walk, walks);
static DEFINE_PER_CPU(struct state_times, announced);
static DEFINE_PER_CPU(u64, frozen); /* the clock while the kernel changes counters, else 0 */

static struct tma_event *of(const struct perf_event *event)
{
	return event->pmu_private;
}

static u64 config_of(const struct perf_event *event)
{
	return of(event)->config;
}

static bool is_metric(u64 config)
{
	return config >= METRIC_FIRST && config <= METRIC_LAST && !(config & 0xff);
}

/* Return: a number that looks random, always the same for the same arguments (splitmix64). */
static u64 mix(u64 key, u64 nr)
{
	u64 x = key + (nr + 1) * 0x9e3779b97f4a7c15;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

/*
 * Shares of slots in percent. The four nodes of level 1 add up to 100; those of level 2 are their
 * children.
 */
static const u8 percent[NR_STATES + 1][NR_METRICS] = {
	{ 40, 10, 20, 30, 8, 6, 12, 18 },
	{ 10, 5, 15, 70, 2, 4, 9, 60 },
	{ 70, 5, 15, 10, 20, 3, 5, 4 },
	{ 20, 40, 30, 10, 4, 35, 20, 5 },
	{ 15, 5, 60, 20, 5, 2, 45, 8 },
	{ 30, 20, 10, 40, 3, 15, 4, 10 },
	{ 50, 0, 5, 45, 30, 0, 2, 30 },
	{ 5, 10, 5, 80, 1, 9, 3, 75 },
	[STEADY] = { 40, 10, 20, 30, 8, 6, 12, 18 },
};

/*
 * Return: events per ns times 2^RATE_SHIFT. There are 18 slots per ns; the metric events of level 1
 * add up to these.
 */
static u32 steady_rate(u64 config)
{
	switch (config) {
	case 0x003c:
		return 3u << RATE_SHIFT;
	case 0x00c0:
		return 4u << RATE_SHIFT;
	case 0x0300:
		return 2u << RATE_SHIFT;
	case SLOTS:
		return 18u << RATE_SHIFT;
	}
	if (is_metric(config))
		return (18u << RATE_SHIFT) / 100 * percent[STEADY][(config >> 8) & 7];
	return (((config & 0xff) + 1) << RATE_SHIFT) / 1000;
}

/* Rare events: machine clears, mispredicted branches, and loads that miss distant caches. */
static bool is_rare(u64 config)
{
	u8 code = config;

	return code == 0xc3 || code == 0xc5 || code == 0xcd || (code >= 0xd0 && code <= 0xd4);
}

/*
 * Return: an event's rate in a state. The rate of cycles is 3/4 to 5/4 of 3 per ns, and there are 6
 * slots per cycle. Another event has a mean rate between 1/4 and 5/4 per ns (a rare event, 1/128 of
 * this), and in each state 1/4 to twice the mean rate.
 */
static u32 phase_rate(u64 config, u64 config1, unsigned int state)
{
	u64 key = config ^ config1 * 0x9e3779b97f4a7c15;
	u32 cycles = ((3u << RATE_SHIFT) >> 8) * (192 + mix(0x3c, state) % 128);
	u32 rate = 16384 + (mix(key, 100) & 0xffff);

	if (config == 0x003c)
		return cycles;
	if (config == 0x0300)
		return 2u << RATE_SHIFT;
	if (config == SLOTS)
		return 6 * cycles;
	if (is_metric(config))
		return 6 * cycles / 100 * percent[state][(config >> 8) & 7];
	if (config == 0x00c0)
		rate = 4u << RATE_SHIFT;
	else if (is_rare(config))
		rate /= 128;
	return (rate * (64 + mix(key, state) % 448)) >> 8;
}

/* Return: the CPU's clock; while the CPU's counters are disabled, the clock stands still. */
static u64 clock_now(void)
{
	return this_cpu_read(frozen) ?: local_clock();
}

/*
 * Return: a random length from SHORTEST_NS to 400 times SHORTEST_NS; each octave is equally likely.
 */
static u64 log_uniform(u64 random)
{
	u64 octaves = random % 8644; /* in thousandths: 2^8.644 is 400 */

	return (SHORTEST_NS << (octaves / 1000)) / 1000 * (1000 + octaves % 1000);
}

/*
 * Return: this many ms, and up to a quarter more or less, so that phases are out of step with rows
 * and turns.
 */
static u64 about(int ms, u64 random)
{
	return (ms * NSEC_PER_MSEC >> 10) * (768 + random % 513);
}

/* Return: a state other than this one. */
static unsigned int other_state(const struct walk *walk, u64 random)
{
	return (walk->state % NR_STATES + 1 + random % (NR_STATES - 1)) % NR_STATES;
}

/* The next phase begins where the last one ended. */
static void next_phase(struct walk *walk, int schedule)
{
	u64 random = mix(raw_smp_processor_id(), walk->random++);
	bool first = walk->schedule != schedule || !walk->at;

	walk->schedule = schedule;
	if (!schedule) {
		walk->state = STEADY;
		walk->end = U64_MAX;
	} else if (schedule == SINE) {
		walk->end += PERIOD_NS / STEPS;
		walk->step = first ? 0 : (walk->step + 1) % STEPS;
		if (!walk->step) {
			walk->state = first ? random % NR_STATES : walk->state;
			walk->next = other_state(walk, random >> 8);
		}
	} else {
		u64 length = schedule == LOG_UNIFORM ? log_uniform(random >> 8)
						     : about(schedule, random >> 8);

		walk->state = other_state(walk, random >> 40);
		walk->end += first ? (random >> 16) % length : length;
	}
}

/*
 * Add the time of a part of a phase. In a sine's step, a part of the time is in one state, and the
 * rest in the other.
 */
static void spend(struct walk *walk, u64 ns)
{
	/* (1 - cos x) * 128: from 0 to 256; then back to 0 */
	static const u16 half[STEPS / 2 + 1] = {
		0,   1,   2,   6,   10,  15,  22,  29,  37,  47,  57,
		68,  79,  91,  103, 115, 128, 141, 153, 165, 177, 188,
		199, 209, 219, 227, 234, 241, 246, 250, 254, 255, 256,
	};

	walk->at += ns;
	if (walk->schedule == SINE) {
		u64 over = half[min(walk->step, STEPS - walk->step)] * ns >> 8;

		walk->times.ns[walk->next] += over;
		ns -= over;
	}
	walk->times.ns[walk->state] += ns;
}

/* Return: the state times of this CPU up to now, by its phases. */
static const struct state_times *walked_times(struct walk *walk, int schedule)
{
	u64 now = clock_now();

	if (!walk->at || walk->schedule != schedule) {
		if (walk->at && now > walk->at)
			spend(walk, min(now, walk->end) - walk->at);
		walk->end = now;
		next_phase(walk, schedule);
		walk->at = now;
	}
	while (now > walk->at) {
		spend(walk, min(now, walk->end) - walk->at);
		if (walk->at >= walk->end)
			next_phase(walk, schedule);
	}
	return &walk->times;
}

static const struct place_word *word_of_current(void)
{
	/* The idle task has number 0, which no thread has. */
	if (!current->pid)
		return NULL;
	for (int i = 0; i < MAX_ANNOUNCING; i++)
		if (READ_ONCE(announcing[i].pid) == current->pid)
			return READ_ONCE(announcing[i].word);
	return NULL;
}

/*
 * Return: the state times that the current thread has announced, and the time since its last word.
 * The thread may write anything: an index is checked, and all else is only used as numbers.
 */
static const struct state_times *announced_times(void)
{
	struct state_times *times = this_cpu_ptr(&announced);
	const struct place_word *word = word_of_current();
	u64 now = ktime_get_mono_fast_ns();
	const struct place_half *half;
	u32 at;

	if (!word) {
		memset(times, 0, sizeof(*times));
		times->ns[STEADY] = now;
		return times;
	}
	half = &word->half[READ_ONCE(word->now) & 1];
	memcpy(times->ns, half->ns, sizeof(times->ns));
	at = min_t(u32, READ_ONCE(half->at), STEADY);
	times->ns[at] += now - READ_ONCE(half->since);
	this_cpu_ptr(&walks)->state = at;
	return times;
}

/* Return: the state times of this CPU up to now. Interrupts are off. */
static const struct state_times *times_now(void)
{
	struct walk *walk = this_cpu_ptr(&walks);
	int schedule = READ_ONCE(phases);

	if (schedule == PLACES)
		return announced_times();
	return walked_times(walk, schedule);
}
/* Return: the word that the current state times are computed from, or NULL. */
static const struct place_word *announcing_word(void)
{
	return READ_ONCE(phases) == PLACES ? word_of_current() : NULL;
}

static u16 latency_now(void)
{
	u64 ns = ktime_get_ns();
	unsigned int cycles = 100 + raw_smp_processor_id() * 10;

	if (!latency)
		return 0;
	return ns % NSEC_PER_SEC < NSEC_PER_SEC / 2 ? cycles : 2 * cycles;
}

/* Return: the share of slots in 255ths, as hardware has it. Each read resets it. */
static u64 in_fields(u64 part, u64 slots)
{
	return slots ? (part * FIELD_MAX + slots / 2) / slots * slots / FIELD_MAX : 0;
}

/* Return: the number of events since the last read. */
static u64 update(struct perf_event *event)
{
	struct tma_event *mine = of(event);
	const struct state_times *now = times_now();
	const struct place_word *word = announcing_word();
	u64 slots = 0;
	u64 delta;

	/*
	 * State times can be continued only by those of the same word; times without a word also by
	 * those of a word.
	 */
	if (mine->word && word != mine->word)
		mine->before = *now;
	mine->word = word;
	for (int i = 0; i <= NR_STATES; i++) {
		u64 ns = now->ns[i] - mine->before.ns[i];

		mine->part += ns * mine->rates[i];
		slots += ns * mine->slots[i];
	}
	mine->before = *now;
	delta = mine->part >> RATE_SHIFT;
	mine->part &= (1 << RATE_SHIFT) - 1;
	if (is_metric(mine->config))
		delta = in_fields(delta, slots >> RATE_SHIFT);
	local64_add(delta, &event->count);
	if (is_sampling_event(event))
		local64_sub(delta, &event->hw.period_left);
	return delta;
}

static u64 timer_ns(struct perf_event *event)
{
	s64 left = local64_read(&event->hw.period_left);
	u64 rate = of(event)->rates[this_cpu_ptr(&walks)->state];
	u64 ns = left > 0 && rate ? mul_u64_u64_div_u64(left, 1 << RATE_SHIFT, rate) : 0;

	return max_t(u64, ns, MIN_TIMER_NS);
}

/* The rest of the period. If the timer came late, several periods may have passed. */
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
		/*
		 * As many events as there were since the last sample, even if the timer was late.
		 */
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
	of(event)->before = *times_now();
	of(event)->word = announcing_word();
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

/* The fixed counters are always free. Each CPU has nr_counters general ones. */
static bool needs_counter(u64 config)
{
	return config != 0x3c && config != 0xc0 && config != 0x0300 && config != SLOTS &&
	       !is_metric(config);
}

/* A group that has an event of this code is accepted, but never gets counters; 0: no such code. */
static unsigned int starved;
module_param(starved, uint, 0644);

static bool is_starved(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;
	unsigned int code = READ_ONCE(starved);
	bool found = config_of(leader) == code;

	if (!code || !leader->nr_siblings || leader->pmu != event->pmu)
		return false;
	for_each_sibling_event(sibling, leader)
		found |= sibling->pmu == event->pmu && config_of(sibling) == code;
	return found;
}

static int pmu_add(struct perf_event *event, int flags)
{
	unsigned long *taken = this_cpu_ptr(&counters);

	if (is_starved(event))
		return -EAGAIN;
	of(event)->counter = -1;
	if (needs_counter(config_of(event))) {
		unsigned int idx = find_first_zero_bit(taken, MAX_COUNTERS);

		if (idx >= nr_counters)
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

/* A group that can never be scheduled is refused when it is opened, as by drivers of real PMUs. */
static int check_group(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;
	int nr = needs_counter(config_of(event));

	if (is_metric(config_of(event)) && (leader == event || config_of(leader) != SLOTS))
		return -EINVAL;
	if (leader == event)
		return 0;
	nr += leader->pmu == event->pmu && needs_counter(config_of(leader));
	for_each_sibling_event(sibling, leader)
		if (sibling->pmu == event->pmu)
			nr += needs_counter(config_of(sibling));
	return nr > nr_counters ? -EINVAL : 0;
}

static int config_in(const struct perf_event_attr *attr, u64 *config)
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
	int rc = config_in(&event->attr, &config);

	if (rc)
		return rc;
	if (event->attr.precise_ip > 3)
		return -EOPNOTSUPP;
	/* A CPU is at no place. */
	if (READ_ONCE(phases) == PLACES && !(event->attach_state & PERF_ATTACH_TASK))
		return -EINVAL;
	mine = kzalloc(sizeof(*mine), GFP_KERNEL);
	if (!mine)
		return -ENOMEM;
	mine->event = event;
	mine->config = config;
	for (int i = 0; i < NR_STATES; i++)
		mine->rates[i] = phase_rate(config, event->attr.config1, i);
	mine->rates[STEADY] = steady_rate(config);
	for (int i = 0; i < NR_STATES; i++)
		mine->slots[i] = phase_rate(SLOTS, 0, i);
	mine->slots[STEADY] = steady_rate(SLOTS);
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
PMU_FORMAT_ATTR(any, "config:21");
PMU_FORMAT_ATTR(inv, "config:23");
PMU_FORMAT_ATTR(cmask, "config:24-31");
PMU_FORMAT_ATTR(in_tx, "config:32");
PMU_FORMAT_ATTR(in_tx_cp, "config:33");
PMU_FORMAT_ATTR(offcore_rsp, "config1:0-63");
PMU_FORMAT_ATTR(ldlat, "config1:0-15");
PMU_FORMAT_ATTR(frontend, "config1:0-23");

static struct attribute *format_attrs[] = {
	&format_attr_event.attr,    &format_attr_umask.attr, &format_attr_edge.attr,
	&format_attr_any.attr,	    &format_attr_inv.attr,   &format_attr_cmask.attr,
	&format_attr_in_tx.attr,    &format_attr_in_tx_cp.attr,
	&format_attr_offcore_rsp.attr, &format_attr_ldlat.attr, &format_attr_frontend.attr, NULL,
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

/*
 * This works like a PMU's global control: all counters that start or stop in a turn do so at one
 * time.
 */
static void pmu_disable(struct pmu *pmu)
{
	this_cpu_write(frozen, local_clock());
}

static void pmu_enable(struct pmu *pmu)
{
	this_cpu_write(frozen, 0);
}

static struct pmu tma_pmu = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_hw_context,
	.attr_groups = attr_groups,
	.pmu_disable = pmu_disable,
	.pmu_enable = pmu_enable,
	.event_init = pmu_event_init,
	.add = pmu_add,
	.del = pmu_del,
	.start = pmu_start,
	.stop = pmu_stop,
	.read = pmu_read,
};

/* The second PMU: events 0 to 7 are the ns in each state, event 8 the ns without phases. */
static u64 state_ns(const struct perf_event *event)
{
	return times_now()->ns[event->attr.config];
}

static void state_read(struct perf_event *event)
{
	u64 now = state_ns(event);

	local64_add(now - local64_xchg(&event->hw.prev_count, now), &event->count);
}

static void state_start(struct perf_event *event, int flags)
{
	local64_set(&event->hw.prev_count, state_ns(event));
}

static void state_stop(struct perf_event *event, int flags)
{
	state_read(event);
}

static int state_add(struct perf_event *event, int flags)
{
	if (flags & PERF_EF_START)
		state_start(event, flags);
	return 0;
}

static struct pmu state_pmu;

static int state_init(struct perf_event *event)
{
	if (event->attr.type != state_pmu.type)
		return -ENOENT;
	if (event->attr.config > STEADY || is_sampling_event(event) || event->cpu < 0)
		return -EINVAL;
	return 0;
}

PMU_FORMAT_ATTR(state, "config:0-3");

static struct attribute *state_format_attrs[] = { &format_attr_state.attr, NULL };
static const struct attribute_group state_format_group = {
	.name = "format", .attrs = state_format_attrs
};
static const struct attribute_group *state_attr_groups[] = { &state_format_group, NULL };

static struct pmu state_pmu = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_invalid_context,
	.attr_groups = state_attr_groups,
	.event_init = state_init,
	.add = state_add,
	.del = state_stop,
	.start = state_start,
	.stop = state_stop,
	.read = state_read,
};

/* --- The device by which threads announce where they are ------------------------------------- */

/*
 * A thread's events are stopped for the last time after its mappings are gone: so its word stays
 * until the slot is used again, which is as late as possible.
 */
static struct announcing *free_place(void)
{
	static int last;

	for (int i = 0; i < MAX_ANNOUNCING; i++) {
		last = (last + 1) % MAX_ANNOUNCING;
		if (!announcing[last].open)
			return &announcing[last];
	}
	return NULL;
}

static int take_place(struct announcing *mine)
{
	struct place_half *half;

	WRITE_ONCE(mine->pid, 0);
	if (!mine->word)
		mine->word = (struct place_word *)get_zeroed_page(GFP_KERNEL);
	if (!mine->word)
		return -ENOMEM;
	/* An interrupt may read the old content now. */
	synchronize_rcu();
	memset(mine->word, 0, PAGE_SIZE);
	half = &mine->word->half[0];
	half->at = STEADY;
	half->since = ktime_get_ns();
	/* Until now the state times were those of a thread without a word. */
	half->ns[STEADY] = half->since;
	mine->open = true;
	WRITE_ONCE(mine->pid, current->pid);
	return 0;
}

static int places_open(struct inode *inode, struct file *file)
{
	struct announcing *mine;
	int rc = -EBUSY;

	mutex_lock(&announcing_lock);
	mine = free_place();
	if (mine)
		rc = take_place(mine);
	mutex_unlock(&announcing_lock);
	file->private_data = mine;
	return rc;
}

/* The mapping holds the file open; both end with the thread's process. */
static int places_release(struct inode *inode, struct file *file)
{
	struct announcing *mine = file->private_data;

	mutex_lock(&announcing_lock);
	mine->open = false;
	mutex_unlock(&announcing_lock);
	return 0;
}

static int places_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct announcing *mine = file->private_data;

	if (vma->vm_end - vma->vm_start != PAGE_SIZE || vma->vm_pgoff)
		return -EINVAL;
	return vm_insert_page(vma, vma->vm_start, virt_to_page(mine->word));
}

static const struct file_operations places_operations = {
	.owner = THIS_MODULE,
	.open = places_open,
	.release = places_release,
	.mmap = places_mmap,
};

static struct miscdevice places = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "tma-places",
	.fops = &places_operations,
	.mode = 0666,
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

	if (rc)
		return rc;
	rc = misc_register(&places);
	if (rc)
		return rc;
	rc = perf_pmu_register(&state_pmu, "phase", -1);
	rc = rc ? rc : perf_pmu_register(&tma_pmu, "cpu", PERF_TYPE_RAW);
	if (rc)
		misc_deregister(&places);
	return rc;
}
module_init(tma_pmu_init);

MODULE_DESCRIPTION("A core PMU whose counts are made up, for tests of tma in a virtual machine");
MODULE_LICENSE("GPL");
