// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/announce.h"
#include "base/num.h"
#include "base/sb.h"
#include "sim/child.h"
#include "sim/clock.h"
#include "sim/interpose.h"
#include "sim/raw.h"
#include "sim/record.h"
#include "sim/sideband.h"
#include "sim/sim.h"

#define AWAIT_NS 1000000
#define AWAIT_TIMES 2000

static VEC(struct sim_layout *) layouts;
static uint64_t nr_layouts;

static char *read_maps(pid_t pid)
{
	char path[64], part[4096];
	struct sb text = SB_INIT;
	long fd, n;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	fd = RAW(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	while (!raw_failed(fd) && (n = RAW(SYS_read, fd, part, sizeof(part), 0)) > 0)
		sb__add(&text, part, n);
	if (!raw_failed(fd))
		RAW(SYS_close, fd, 0, 0, 0);
	return sb__detach(&text);
}

/* Cut the number that a text begins with, and the character after it. */
static bool take_number(char **at, int base, char end, uint64_t *value)
{
	int n = num__scan_u64(*at, base, value);

	if (!n || (*at)[n] != end)
		return false;
	*at += n + 1;
	return true;
}

/* Read a line of /proc/PID/maps, if it is of a file that can be executed. */
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
	free(layout->text);
	free(layout);
}

/* Read the layout of a child, unless it has not become another program yet, or is gone. */
static struct sim_layout *read_layout(const struct sim_child *child, unsigned int execs)
{
	struct sim_layout *layout = calloc(1, sizeof(*layout));
	struct sim_mapped m;
	char *rest, *line;

	if (!layout)
		return NULL;
	*layout = (struct sim_layout){.child = child, .pid = child->pid, .execs = execs};
	layout->text = read_maps(child->pid);
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
	return a->execs == b->execs && a->mapped.nr == b->mapped.nr &&
	       a->mapped.at[0].from == b->mapped.at[0].from;
}

const struct sim_layout *sideband__seen(const struct sim_child *child)
{
	struct sim_layout **known =
		vec__find(l, &layouts, (*l)->child == child && (*l)->pid == child->pid);

	return known ? *known : NULL;
}

const struct sim_layout *sideband__look(const struct sim_child *child)
{
	struct sim_layout **known = vec__find(l, &layouts, (*l)->child == child), *fresh = NULL;
	uint64_t at_ns;
	unsigned int execs = child__execs(child, &at_ns);

	if (known && (*known)->pid != child->pid) {
		sideband__free(*known);
		*known = layouts.at[--layouts.nr];
		known = NULL;
	}
	if (execs && child->pid > 0 && !child->ended)
		fresh = read_layout(child, execs);
	if (!fresh || (known && same_layout(*known, fresh))) {
		sideband__free(fresh);
		return known ? *known : NULL;
	}
	fresh->number = ++nr_layouts;
	fresh->first = known && (*known)->execs == execs ? (*known)->first : fresh->number;
	if (known) {
		sideband__free(*known);
		*known = fresh;
	} else if (vec__push(&layouts, fresh)) {
		sideband__free(fresh);
		return NULL;
	}
	return fresh;
}

/* The number of the last thread that a course has by now. */
static int last_thread(const struct sim_course *course)
{
	const struct sim_trail *trail = course->trail;
	const struct sim_stay *stay;
	int last = 1;

	if (trail)
		return trail->announce->nr_threads < ANNOUNCE_THREADS
			       ? (int)trail->announce->nr_threads
			       : ANNOUNCE_THREADS;
	vec__for_each(stay, &course->round->stays)
		last = stay->thread > last ? stay->thread : last;
	return last;
}

pid_t sideband__tid(const struct sim_course *course, pid_t pid, int thread)
{
	if (thread < 2 || thread > ANNOUNCE_THREADS)
		return pid;
	return course->trail ? (pid_t)course->trail->announce->threads[thread - 1].tid
			     : pid + thread - 1;
}

static void tell_threads(struct sim_context *ctx, pid_t pid)
{
	struct sim_event *event;

	for (int last = last_thread(&ctx->course); ctx->told_threads < last; ctx->told_threads++)
		if (ctx->told_threads)
			context__for_each(event, ctx)
				sim__tell_thread(event, pid,
						 sideband__tid(&ctx->course, pid,
							       ctx->told_threads + 1));
}

void sideband__tell(struct sim_context *ctx)
{
	const struct sim_child *child = ctx->task ? ctx->task->child : child__first_running();
	const struct sim_layout *layout;
	const struct sim_mapped *m;
	struct sim_event *event;

	if (!ctx->nr_sampling || !child || (ctx->task && child->pid != ctx->task->tid))
		return;
	layout = sideband__look(child);
	if (layout)
		tell_threads(ctx, child->pid);
	if (!layout || layout->number == ctx->told)
		return;
	context__for_each(event, ctx) {
		if (ctx->told < layout->first)
			sim__tell_comm(event, child->pid, layout->mapped.at[0].path);
		vec__for_each(m, &layout->mapped)
			sim__tell_mapped(event, child->pid, m);
	}
	ctx->told = layout->number;
}

/* Whether some child is not known, that a script leads through places. */
static bool lacks_layout(void)
{
	struct sim_context **ctx;

	vec__for_each(ctx, &sim.contexts) {
		const struct sim_child *child = (*ctx)->task ? (*ctx)->task->child : NULL;

		if (child && (*ctx)->nr_sampling && child->pid == (*ctx)->task->tid &&
		    !child->ended && !sideband__seen(child) && !sideband__look(child))
			return true;
	}
	return false;
}

void sideband__await(void)
{
	const struct timespec breath = {.tv_nsec = AWAIT_NS};
	bool lacks = sim.on && sim.m.places.nr;

	for (int i = 0; lacks && i < AWAIT_TIMES; i++) {
		sim__lock();
		lacks = lacks_layout() && !child__has_ended();
		sim__unlock();
		if (lacks)
			RAW(SYS_nanosleep, &breath, NULL, 0, 0);
	}
}
