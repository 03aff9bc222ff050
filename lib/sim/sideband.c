// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/announce.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/text.h"
#include "sim/child.h"
#include "sim/clock.h"
#include "sim/interpose.h"
#include "sim/raw.h"
#include "sim/record.h"
#include "sim/sideband.h"
#include "sim/sim.h"

#define LOOK_NS 100000000 /* interval of checks, since a library may be loaded at any time */
#define AWAIT_NS 1000000
#define AWAIT_TIMES 2000
#define LOADER_NS 10000000 /* CPU time that a loader needs to map libraries */

static VEC(struct sim_layout *) layouts;
static uint64_t nr_layouts;

/* Read a file of a process. Return: its text, which the caller frees; NULL if it cannot be read. */
static char *read_proc(pid_t pid, const char *name)
{
	char path[64], part[4096];
	struct sb text = SB_INIT;
	long fd, n;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	fd = RAW(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	while (!raw_failed(fd) && (n = RAW(SYS_read, fd, part, sizeof(part), 0)) > 0)
		sb__add(&text, part, n);
	if (!raw_failed(fd))
		RAW(SYS_close, fd, 0, 0, 0);
	return sb__detach(&text);
}

/* Take a number, followed by @end, from the start of a text. */
static bool take_number(char **at, int base, char end, uint64_t *value)
{
	int n = num__scan_u64(*at, base, value);

	if (!n || (*at)[n] != end)
		return false;
	*at += n + 1;
	return true;
}

/* Read a line of /proc/PID/maps. Return: whether the line is about an executable file. */
static bool read_mapped(char *at, struct sim_mapped *m)
{
	uint64_t major, minor;

	if (!take_number(&at, 16, '-', &m->from) || !take_number(&at, 16, ' ', &m->to) ||
	    strlen(at) < 5 || at[2] != 'x')
		return false;
	at += 5;
	if (!take_number(&at, 16, ' ', &m->offset) || !take_number(&at, 16, ':', &major) ||
	    !take_number(&at, 16, ' ', &minor) || !take_number(&at, 10, ' ', &m->inode))
		return false;
	m->major = major;
	m->minor = minor;
	m->path = strchr(at, '/');
	return m->path;
}

static void sideband__free(struct sim_layout *layout)
{
	if (!layout)
		return;
	vec__free(&layout->mapped);
	vec__free(&layout->found);
	free(layout->text);
	free(layout);
}

/*
 * Read how long a process has been on a CPU. Return: false if the kernel does not report the time.
 */
static bool run_time(pid_t pid, uint64_t *ns)
{
	char *text = read_proc(pid, "schedstat");
	bool is = text && num__scan_u64(text, 10, ns);

	free(text);
	return is;
}

/* Find out whether a process is running, or waits for a file (state D) as loaders do. */
static bool is_running(pid_t pid)
{
	char *text = read_proc(pid, "stat"), *name_end = text ? strrchr(text, ')') : NULL;
	bool runs = name_end && (text__has_prefix(name_end, ") R") ||
				 text__has_prefix(name_end, ") D"));

	free(text);
	return runs;
}

/* Read the layout of a process; NULL if it has ended or has not executed its program yet. */
static struct sim_layout *read_layout(pid_t pid, unsigned int program)
{
	struct sim_layout *layout = calloc(1, sizeof(*layout));
	struct sim_mapped m;
	char *rest, *line;

	if (!layout)
		return NULL;
	*layout = (struct sim_layout){
		.pid = pid, .program = program, .text = read_proc(pid, "maps")};
	if (!layout->text || strstr(layout->text, interpose__library())) {
		sideband__free(layout);
		return NULL;
	}
	rest = layout->text;
	while (rest && (line = strsep(&rest, "\n")))
		if (read_mapped(line, &m) && vec__push(&layout->mapped, m))
			break;
	if (!layout->mapped.nr) {
		sideband__free(layout);
		return NULL;
	}
	return layout;
}

static bool same_layout(const struct sim_layout *a, const struct sim_layout *b)
{
	return a->program == b->program && a->mapped.nr == b->mapped.nr &&
	       a->mapped.at[0].from == b->mapped.at[0].from;
}

struct sim_layout *sideband__seen(pid_t pid)
{
	struct sim_layout **known = vec__find(l, &layouts, (*l)->pid == pid);

	return known ? *known : NULL;
}

/*
 * Get the layout of a process. If the last layout is too old and the process exists, read it again.
 */
static struct sim_layout *get_layout(pid_t pid, unsigned int program)
{
	struct sim_layout **known = vec__find(l, &layouts, (*l)->pid == pid), *fresh;
	uint64_t now = raw_clock(CLOCK_MONOTONIC);

	if (known && (*known)->program == program && now - (*known)->looked_ns < LOOK_NS)
		return *known;
	fresh = read_layout(pid, program);
	if (known)
		(*known)->looked_ns = now;
	if (!fresh || (known && same_layout(*known, fresh))) {
		sideband__free(fresh);
		return known ? *known : NULL;
	}
	fresh->number = ++nr_layouts;
	fresh->looked_ns = now;
	fresh->first = fresh->number;
	run_time(pid, &fresh->ran_ns);
	if (known && (*known)->program == program) {
		fresh->first = (*known)->first;
		fresh->ran_ns = (*known)->ran_ns;
		fresh->settled = (*known)->settled;
	}
	if (known) {
		sideband__free(*known);
		*known = fresh;
	} else if (vec__push(&layouts, fresh)) {
		sideband__free(fresh);
		return NULL;
	}
	return fresh;
}

struct sim_layout *sideband__of(pid_t pid)
{
	return child__find(pid) ? sideband__seen(pid) : get_layout(pid, 0);
}

static struct sim_layout *get_child_layout(const struct sim_child *child)
{
	uint64_t at_ns;
	unsigned int execs = child__execs(child, &at_ns);

	return execs && child->pid > 0 && !child->ended ? get_layout(child->pid, execs)
							: sideband__seen(child->pid);
}

int sideband__threads(const struct sim_course *course)
{
	const struct sim_stay *stay;
	int last = 1;

	if (course->trail)
		return announce__nr_threads(course->trail->announce);
	vec__for_each(stay, &course->round->stays)
		last = stay->thread > last ? stay->thread : last;
	return last;
}

void sideband__task(const struct sim_course *course, int thread, pid_t *pid, pid_t *tid)
{
	const struct announcer *t;

	if (thread < 1 || thread > ANNOUNCE_THREADS)
		return;
	if (!course->trail) {
		*tid = *pid + thread - 1;
		return;
	}
	t = &course->trail->announce->threads[thread - 1];
	if (t->pid && t->tid) {
		*pid = t->pid;
		*tid = t->tid;
	}
}

/*
 * Find out whether an event is on the CPU of the task: the kernel writes records only into the
 * buffer of this CPU.
 */
static bool sideband__is_there(const struct sim_context *ctx, const struct sim_event *event)
{
	uint64_t until;

	return !ctx->task || event->cpu < 0 ||
	       event->cpu == context__task_cpu(ctx->m, ctx->allowed, ctx->now, &until);
}

static void tell_layout(struct sim_context *ctx, const struct sim_layout *layout, bool program)
{
	const struct sim_mapped *m;
	struct sim_event *event;

	context__for_each(event, ctx) {
		if (!sideband__is_there(ctx, event))
			continue;
		if (program)
			sim__tell_comm(event, layout->pid, layout->mapped.at[0].path);
		vec__for_each(m, &layout->mapped)
			sim__tell_mapped(event, layout->pid, m);
	}
}

/*
 * Write the records of a new thread of the course, which may be in another process that the command
 * started.
 */
static void tell_thread(struct sim_context *ctx, pid_t parent, int thread)
{
	const struct sim_layout *layout;
	pid_t pid = parent, tid = parent;
	struct sim_event *event;

	sideband__task(&ctx->course, thread, &pid, &tid);
	if (tid == parent)
		return;
	context__for_each(event, ctx)
		if (sideband__is_there(ctx, event))
			sim__tell_fork(event, &(struct sim_fork){pid, tid, parent});
	layout = pid != parent ? get_layout(pid, 0) : NULL;
	if (layout)
		tell_layout(ctx, layout, true);
}

void sideband__tell(struct sim_context *ctx)
{
	const struct sim_child *child = ctx->task ? ctx->task->child : child__first_running();
	const struct sim_layout *layout;

	if (!ctx->nr_sampling || !child || (ctx->task && child->pid != ctx->task->tid))
		return;
	layout = get_child_layout(child);
	if (layout && layout->number != ctx->written_layout) {
		tell_layout(ctx, layout, ctx->written_layout < layout->first);
		ctx->written_layout = layout->number;
	}
	for (int last = sideband__threads(&ctx->course); layout && ctx->written_threads < last;)
		tell_thread(ctx, child->pid, ++ctx->written_threads);
}

/*
 * Find out whether a child's layout is unknown or not settled: a program starts without its
 * libraries, which the loader maps later.
 */
static bool is_unsettled(const struct sim_child *child)
{
	struct sim_layout *layout = get_child_layout(child);
	uint64_t ns;

	if (!layout || layout->settled)
		return !layout;
	if (is_running(child->pid) && run_time(child->pid, &ns) &&
	    ns - layout->ran_ns < LOADER_NS)
		return true;
	layout->looked_ns = 0;
	layout = get_child_layout(child);
	layout->settled = true;
	return false;
}

static bool has_unsettled(void)
{
	struct sim_context **ctx;

	vec__for_each(ctx, &sim.contexts) {
		const struct sim_child *child = (*ctx)->task ? (*ctx)->task->child : NULL;

		if (child && (*ctx)->nr_sampling && child->pid == (*ctx)->task->tid &&
		    !child->ended && is_unsettled(child))
			return true;
	}
	return false;
}

void sideband__await(void)
{
	const struct timespec breath = {.tv_nsec = AWAIT_NS};
	bool waits = sim.on && sim.m.places.nr;

	for (int i = 0; waits && i < AWAIT_TIMES; i++) {
		sim__lock();
		waits = has_unsettled() && !child__has_ended();
		sim__unlock();
		if (waits)
			RAW(SYS_nanosleep, &breath, NULL, 0, 0);
	}
}
