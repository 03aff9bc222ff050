// SPDX-License-Identifier: GPL-2.0-only
/* Answer perf_event_open(): find an event's context and group, and give it a descriptor. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/eventfd.h>

#include "base/auto.h"
#include "sim/announced.h"
#include "sim/clock.h"
#include "sim/observe.h"
#include "sim/raw.h"
#include "sim/sim.h"

#define ALL_FLAGS                                                                                  \
	(PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT | PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC)

bool sim__is_online(int cpu)
{
	return cpulist__has(&sim.m.online, cpu) &&
	       faults__is_online(&sim.faults, cpu, clock__now() - clock__start());
}

int sim__nr_online(void)
{
	int nr = 0;

	for (int i = 0; i < sim.m.online.nr; i++)
		nr += sim__is_online(sim.m.online.at[i]);
	return nr;
}

/*
 * Return: the counter that the NMI watchdog holds on every CPU: the fixed counter of cycles if
 * there is one.
 */
static uint64_t watchdog_counter(const struct sim_machine *m, const struct sim_pmu *pmu)
{
	const struct sim_generic *cycles;
	struct sim_need need;
	uint64_t fixed;

	if (!m->nmi_watchdog || !pmu || pmu->kind != SIM_PMU_CORE)
		return 0;
	cycles = vec__find(g, &pmu->generics,
			   g->type == PERF_TYPE_HARDWARE && g->config == PERF_COUNT_HW_CPU_CYCLES);
	if (!cycles || counters__need(pmu, &cycles->target, &need))
		return 0;
	fixed = need.mask & SIM_FIXED_BITS;
	return fixed ? fixed & -fixed : need.mask & -need.mask;
}

/*
 * Let a context follow its script. Scripts start with the program; the script of a task follows the
 * task's CPU time.
 */
static void follow_script(struct sim_context *ctx)
{
	const struct sim_script *script = sim_machine__script(&sim.m, ctx->cpu);
	bool by_cpu_time = ctx->task && !clock__is_stepped();

	if (!script || (ctx->pmu && ctx->pmu->kind == SIM_PMU_UNCORE))
		return;
	sim.follows = SIM_FOLLOWS_SCRIPT;
	ctx->course.round = &script->round;
	ctx->course.offset = by_cpu_time ? 0 : -clock__start();
}

static struct sim_context *new_context(struct sim_pmu *pmu, int cpu, pid_t pid)
{
	struct sim_context *ctx = calloc(1, sizeof(*ctx));
	struct sim_task *task = pid == -1 ? NULL : calloc(1, sizeof(*task));
	uint64_t now = clock__now();

	if (!ctx || (pid != -1 && !task) || (task && task__init(task, pid)) ||
	    vec__push(&sim.contexts, ctx)) {
		free(task);
		free(ctx);
		return NULL;
	}
	if (task)
		now = task__now(task);
	context__init(ctx, &sim.m, pmu, task ? -1 : cpu, task, now);
	ctx->reserved = watchdog_counter(&sim.m, pmu) | (pmu ? pmu->held : 0);
	ctx->output = sim__output;
	follow_script(ctx);
	ctx->clock_ns = clock__now();
	ctx->clock_from = ctx->clock_to = now;
	if (task)
		sim__follow_thread(ctx);
	return ctx;
}

/* Find or make the context of a PMU, on a CPU or for a task. */
static struct sim_context *context_of(struct sim_pmu *pmu, int cpu, pid_t pid)
{
	struct sim_context **p;
	pid_t tid = pid ? pid : raw_gettid();

	vec__for_each(p, &sim.contexts) {
		struct sim_context *ctx = *p;

		if (ctx->pmu != pmu || ctx->frozen)
			continue;
		if (pid == -1 ? !ctx->task && ctx->cpu == cpu : ctx->task && ctx->task->tid == tid)
			return ctx;
	}
	return new_context(pmu, cpu, pid == -1 ? -1 : tid);
}

static void drop_context(struct sim_context *ctx)
{
	for (int i = 0; i < sim.contexts.nr; i++)
		if (sim.contexts.at[i] == ctx)
			sim.contexts.at[i] = sim.contexts.at[--sim.contexts.nr];
	context__free(ctx);
	free(ctx->task);
	free(ctx);
}

/* Enable the events with enable_on_exec if their task has executed a program. */
static void enable_on_exec(struct sim_context *ctx)
{
	struct sim_event *event;
	uint64_t at_ns = 0;
	unsigned int execs;

	if (!ctx->task || !ctx->task->child)
		return;
	execs = child__execs(ctx->task->child, &at_ns);
	if (execs == ctx->execs)
		return;
	ctx->execs = execs;
	context__advance(ctx, at_ns);
	context__for_each(event, ctx)
		if (event->exec && event->execs < execs) {
			event->exec = false;
			event__enable(event);
		}
}

static void sync_cpu(struct sim_context *ctx, uint64_t now)
{
	uint64_t start = clock__start();
	uint64_t offline = faults__went_offline(&sim.faults, ctx->cpu, now - start);

	if (!ctx->frozen && offline != UINT64_MAX && start + offline >= ctx->now) {
		/* Even if the CPU is online again, events that were open before stay dead. */
		context__advance(ctx, start + offline);
		ctx->frozen = true;
	}
	context__advance(ctx, now);
}

static void sync_task(struct sim_context *ctx, uint64_t now, uint64_t task_now)
{
	ctx->clock_ns += ctx->clock_span;
	ctx->clock_span = now - ctx->clock_ns;
	ctx->clock_from = ctx->clock_to;
	ctx->clock_to = task_now;
	if (ctx->task->child && ctx->task->child->pid == ctx->task->tid)
		ctx->course.trail = announced__trail(ctx->task->child, task_now);
	enable_on_exec(ctx);
	if (ctx->nr_sampling && sim.m.places.nr)
		sideband__tell(ctx);
	context__advance(ctx, task_now);
}

void sim__sync(struct sim_context *ctx)
{
	uint64_t now = clock__now(), task_now;
	struct sim_context **p;

	if (!ctx->task) {
		if (ctx->nr_sampling && sim.m.places.nr)
			sideband__tell(ctx);
		sync_cpu(ctx, now);
		sim__publish(ctx);
		return;
	}
	task_now = task__now(ctx->task);
	/* A program that reads counters of a task in user space expects counts of one moment. */
	vec__for_each(p, &sim.contexts) {
		const struct sim_task *task = (*p)->task;

		if (*p == ctx || (sim.rings.nr && task && task->tid == ctx->task->tid)) {
			sync_task(*p, now, task_now);
			sim__publish(*p);
		}
	}
}

bool sim__tell_truth(void)
{
	struct sim_event **event;
	bool whole;

	if (!sim.on || !truth__is_own() || !sim__try_lock())
		return true;
	vec__for_each(event, &sim.events)
		if (*event) {
			sim__sync((*event)->ctx);
			truth__take(*event);
		}
	whole = truth__write();
	sim__unlock();
	return whole;
}

struct sim_event *sim__event(int fd)
{
	return fd >= 0 && fd < sim.events.nr ? sim.events.at[fd] : NULL;
}

static int sim_open__remember(struct sim_event *event)
{
	while (sim.events.nr <= event->fd)
		if (vec__push(&sim.events, NULL))
			return -ENOMEM;
	sim.events.at[event->fd] = event;
	sim.nr_open++;
	return 0;
}

static void sim_open__forget(const struct sim_event *event)
{
	sim.events.at[event->fd] = NULL;
	sim.nr_open--;
}

static void forget_real(int fd)
{
	for (int i = 0; i < sim.reals.nr; i++)
		if (sim.reals.at[i].fd == fd)
			sim.reals.at[i--] = sim.reals.at[--sim.reals.nr];
}

static void free_event(struct sim_event *event)
{
	vec__free(&event->siblings);
	vec__free(&event->truth.at);
	vec__free(&event->shares);
	free(event->topdown);
	free(event);
}

static void leave_context(struct sim_event *event)
{
	struct sim_context *ctx = event->ctx;

	context__remove(event);
	if (!ctx->nr_events)
		drop_context(ctx);
}

void sim__close(int fd)
{
	struct sim_event *event = sim__event(fd);

	forget_real(fd);
	if (!event)
		return;
	sim__sync(event->ctx);
	sim__drop_buffer(event);
	truth__take(event);
	leave_context(event);
	sim_open__forget(event);
	free_event(event);
}

static bool is_software(const struct sim_event *event)
{
	return !event->pmu || event->pmu->kind == SIM_PMU_FREE;
}

static int check_permission(const struct perf_event_attr *attr, pid_t pid)
{
	if (!RAW(SYS_geteuid, 0, 0, 0, 0))
		return 0;
	if (sim.m.paranoid > 2 || (sim.m.paranoid > 1 && !attr->exclude_kernel) ||
	    (sim.m.paranoid > 0 && pid == -1) || !task__may_be_traced(pid))
		return -EACCES;
	return 0;
}

/*
 * Return: the task of a call; -1 for a cgroup, where the pid is a descriptor: its events count
 * everything on the CPU, as for the root cgroup.
 */
static pid_t task_of(const struct sim_call *call)
{
	return call->flags & PERF_FLAG_PID_CGROUP ? -1 : call->pid;
}

static int sim_open__check_target(const struct sim_call *call)
{
	pid_t task = task_of(call);

	if (call->flags & ~ALL_FLAGS)
		return -EINVAL;
	if (call->cpu < -1 || (call->cpu >= 0 && !cpulist__has(&sim.m.cpus, call->cpu)))
		return -EINVAL;
	if (task == -1 && call->cpu == -1)
		return -EINVAL;
	if (task > 0 && RAW(SYS_kill, task, 0, 0, 0) == -ESRCH)
		return -ESRCH;
	return 0;
}

/* Return: the PMU of a new event's context. For a software event it is the PMU of the leader. */
static struct sim_pmu *context_pmu(const struct sim_event *event)
{
	const struct sim_event *leader = event->leader;

	if (!is_software(event))
		return event->pmu;
	return leader != event ? leader->ctx->pmu : NULL;
}

static int check_group(const struct sim_event *event, const struct sim_call *call)
{
	const struct sim_event *leader = event->leader;
	const struct sim_context *ctx = leader->ctx;
	bool task = ctx->task;

	if (leader->leader != leader || leader->cpu != event->cpu || task != (task_of(call) != -1))
		return -EINVAL;
	if (task && call->pid && ctx->task->tid != call->pid)
		return -EINVAL;
	if (task && leader->attr.inherit != event->attr.inherit)
		return -EINVAL;
	if (event->attr.pinned || event->attr.exclusive)
		return -EINVAL;
	if (!is_software(event) && ctx->pmu && ctx->pmu != event->pmu)
		return -EINVAL;
	return context__fits(event, leader);
}

/* Move a group of software events to the context of a hardware event that joins the group. */
static int move_group(struct sim_event *leader, struct sim_context *to)
{
	struct sim_context *from = leader->ctx;
	struct sim_event **p;
	int moved = 0;

	if (vec__reserve_raw(&to->groups.at, &to->groups.cap, to->groups.nr + 1,
			     sizeof(*to->groups.at)))
		return -ENOMEM;
	context__drop_group(from, leader);
	context__add(to, leader);
	vec__for_each(p, &leader->siblings)
		(*p)->ctx = to;
	vec__for_each(p, &leader->siblings)
		moved += event__writes_records(*p);
	to->nr_sampling += moved;
	from->nr_sampling -= moved + event__writes_records(leader);
	to->nr_events += leader->siblings.nr;
	from->nr_events -= leader->siblings.nr + 1;
	from->changed = true;
	if (!from->nr_events)
		drop_context(from);
	return 0;
}

static int enter_context(struct sim_event *event, const struct sim_call *call)
{
	struct sim_context *ctx = context_of(context_pmu(event), event->cpu, task_of(call));
	uint64_t at_ns;
	int rc = 0;

	if (!ctx)
		return -ENOMEM;
	sim__sync(ctx);
	if (event->leader != event && event->leader->ctx != ctx) {
		sim__sync(event->leader->ctx);
		rc = move_group(event->leader, ctx);
	}
	rc = rc ? rc : context__add(ctx, event);
	if (rc && !ctx->nr_events)
		drop_context(ctx);
	if (!rc && event->exec && ctx->task && ctx->task->child)
		event->execs = child__execs(ctx->task->child, &at_ns);
	return rc;
}

static int host_cpus(void)
{
	auto_free(cpulist) list = CPULIST_INIT;
	char text[256];

	/* Read the file of the real kernel: sysconf() returns numbers of the simulated machine. */
	if (raw_read_file("/sys/devices/system/cpu/online", text, sizeof(text)) > 0 &&
	    !cpulist__parse("CPUs", text, &list, NULL) && list.nr)
		return list.at[list.nr - 1] + 1;
	return 1;
}

/*
 * Find out whether to simulate an event that does not belong to a PMU of the machine. Software
 * events are simulated if they count CPUs, if the real kernel refused them, if they sample, or if
 * they only carry records (dummy). Tracepoints are simulated if the real kernel has no such CPU, or
 * if the clock is stepped.
 */
static bool must_simulate(const struct sim_call *call, const struct sim_event *event)
{
	uint32_t type = event->attr.type;

	if (type != PERF_TYPE_SOFTWARE && type != PERF_TYPE_TRACEPOINT &&
	    type != PERF_TYPE_BREAKPOINT)
		return false;
	/* Samples of time get their addresses from the real kernel or from a script. */
	if (type == PERF_TYPE_SOFTWARE && call->pid >= 0 && !call->refused &&
	    !sim_machine__script(&sim.m, -1) && attr__is_sampling(&event->attr) &&
	    event->attr.sample_type & PERF_SAMPLE_IP)
		return false;
	if (event->leader != event || clock__is_stepped() || call->refused)
		return true;
	return type == PERF_TYPE_SOFTWARE ? call->pid == -1 || attr__is_sampling(&event->attr) ||
						    event->attr.config == PERF_COUNT_SW_DUMMY
					  : call->cpu >= host_cpus() && call->cpu >= 0;
}

static void find_leader(const struct sim_call *call, struct sim_event *event)
{
	struct sim_event *leader = sim__event(call->group_fd);

	event->leader = leader && !(call->flags & PERF_FLAG_FD_NO_GROUP) ? leader : event;
}

static int take_over(int group_fd);

/* Decide whether to simulate an event, find its PMU and leader, and check it as a driver does. */
static int prepare(const struct sim_call *call, struct sim_event *event)
{
	int rc;

	rc = attr__copy(call->attr, &event->attr);
	if (rc)
		return rc;
	event->cpu = call->cpu;
	find_leader(call, event);
	rc = attr__pmu(&sim.m, event);
	if (rc == SIM_PASS || (!rc && !event->pmu)) {
		if (!must_simulate(call, event))
			return SIM_PASS;
		rc = 0;
	}
	rc = rc ? rc : sim_open__check_target(call);
	rc = rc ? rc : check_permission(&event->attr, task_of(call));
	rc = rc ? rc : attr__check_sampling(&sim.m, &event->attr);
	rc = rc ? rc : faults__on_open(&sim.faults, event, sim.nr_open);
	if (!rc && event->leader == event && call->group_fd != -1 &&
	    !(call->flags & PERF_FLAG_FD_NO_GROUP)) {
		rc = take_over(call->group_fd);
		find_leader(call, event);
	}
	rc = rc ? rc : attr__check(&sim.m, event, call->pid != -1);
	if (!rc && event->leader == event)
		rc = context__fits(event, NULL);
	if (!rc && task_of(call) == -1 && !sim__is_online(event->cpu))
		rc = -ENODEV;
	if (!rc && event->leader != event)
		rc = check_group(event, call);
	return rc;
}

/* Return: the number of samples in a tick after which an event is throttled. */
static uint64_t samples_per_tick(void)
{
	uint64_t rate = sim_machine__sysctl(&sim.m, "perf_event_max_sample_rate", 100000);
	uint64_t per_second = 1000000000 / SAMPLING_TICK_NS;

	if (sim.faults.throttle)
		return sim.faults.throttle;
	return (rate + per_second - 1) / per_second;
}

static int complete(const struct sim_call *call, struct sim_event *event, int fd)
{
	struct sim_event *output = NULL;
	int rc;

	if (call->flags & PERF_FLAG_FD_OUTPUT && call->group_fd != -1)
		output = sim__event(call->group_fd);
	event->fd = fd;
	event->id = ++sim.next_id;
	event->state = event->attr.disabled ? SIM_EVENT_OFF : SIM_EVENT_INACTIVE;
	event->exec = event->attr.enable_on_exec;
	event->spoilt = faults__on_count(&sim.faults, event);
	if (attr__is_sampling(&event->attr)) {
		sampling__init(&event->sampling, &event->attr, samples_per_tick());
		if (event->pmu) {
			event->sampling.latency = sim_pmu__latency(event->pmu, &event->config);
			event->distance = sim_pmu__distance(event->pmu, &event->config);
		}
	}
	rc = enter_context(event, call);
	if (rc)
		return rc;
	rc = sim_open__remember(event);
	if (!rc && output) {
		rc = sim__set_output(event, output);
		if (rc)
			sim_open__forget(event);
	}
	if (rc)
		leave_context(event);
	return rc;
}

int sim__open(const struct sim_call *call)
{
	struct sim_event *event = calloc(1, sizeof(*event));
	int rc, fd = -1;

	if (!event)
		return -ENOMEM;
	rc = prepare(call, event);
	if (!rc) {
		fd = RAW(SYS_eventfd2, 0, call->flags & PERF_FLAG_FD_CLOEXEC ? EFD_CLOEXEC : 0, 0,
			 0);
		rc = fd < 0 ? fd : complete(call, event, fd);
	}
	if (rc) {
		if (fd >= 0)
			RAW(SYS_close, fd, 0, 0, 0);
		free_event(event);
		return rc;
	}
	child__observe();
	return fd;
}

void sim__opened_real(const struct sim_call *call, int fd)
{
	struct sim_real real = { .fd = fd, .call = *call };

	if (call->flags & PERF_FLAG_FD_NO_GROUP)
		real.call.group_fd = -1;
	if (attr__copy(call->attr, &real.attr))
		return;
	forget_real(fd);
	/* If memory runs out, a later hardware event cannot join the group. */
	(void)!vec__push(&sim.reals, real);
}

static int take_over_one(const struct sim_real *real)
{
	const struct sim_call *call = &real->call;
	struct sim_event *event = calloc(1, sizeof(*event));
	int fd, rc;

	if (!event)
		return -ENOMEM;
	event->attr = real->attr;
	event->cpu = call->cpu;
	find_leader(call, event);
	rc = attr__pmu(&sim.m, event);
	rc = rc == SIM_PASS ? 0 : rc;
	rc = rc ? rc : attr__check(&sim.m, event, true);
	fd = RAW(SYS_eventfd2, 0, EFD_CLOEXEC, 0, 0);
	if (!rc && fd < 0)
		rc = fd;
	if (!rc)
		rc = raw_syscall(SYS_dup3, fd, real->fd,
				 call->flags & PERF_FLAG_FD_CLOEXEC ? O_CLOEXEC : 0, 0, 0, 0);
	if (fd >= 0)
		RAW(SYS_close, fd, 0, 0, 0);
	rc = rc < 0 ? rc : complete(call, event, real->fd);
	if (rc)
		free_event(event);
	return rc;
}

/*
 * Turn a group of real software events into a simulated group with the same descriptors, which a
 * simulated hardware event can join. Counts so far are lost; in practice such groups are not
 * enabled yet.
 */
static int take_over(int group_fd)
{
	struct sim_real real;
	bool found = false;
	int rc = 0;

	for (int i = 0; i < sim.reals.nr && !rc; i++) {
		real = sim.reals.at[i];
		if (real.fd != group_fd && real.call.group_fd != group_fd)
			continue;
		rc = take_over_one(&real);
		found = true;
	}
	for (int i = 0; i < sim.reals.nr; i++)
		if (sim__event(sim.reals.at[i].fd))
			sim.reals.at[i--] = sim.reals.at[--sim.reals.nr];
	return found ? rc : -EBADF;
}
