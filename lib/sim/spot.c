// SPDX-License-Identifier: GPL-2.0-only
#include "sim/spot.h"

#include "base/announce.h"
#include "sim/code.h"
#include "sim/sim.h"

/* Addresses that look like code of a program and of the kernel. */
#define USER_CODE 0x401000ULL
#define KERNEL_CODE 0xffffffff81000000ULL

/*
 * Hash a number, for pseudo-random values that are the same in every run (SplitMix64's finaliser).
 */
static uint64_t spot__mixed(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/* Make a pseudo-random number from 0 up to 1 for the present sample and a purpose. */
static double chance(const struct sim_event *event, uint64_t purpose)
{
	uint64_t seed = event->sampling.nr * 4 + purpose;

	return (spot__mixed(seed + 0x9e3779b97f4a7c15ULL * (event->config.word[0] + 1)) >> 11) *
	       0x1p-53;
}

static int64_t distance_ns(const struct sim_event *event, const struct sim_skid *skid,
			   uint64_t purpose)
{
	return skid->mean + skid->spread * (2 * chance(event, purpose) - 1);
}

/* Find the time at which the program is at the place that the sample reports. */
static uint64_t time_of_place(const struct sim_event *event)
{
	int64_t at = event->ctx->now;

	if (!event->pmu)
		return at;
	if (event->distance)
		at -= distance_ns(event, &event->distance->skid, 0);
	if (!event->attr.precise_ip)
		at += distance_ns(event, &event->pmu->skid, 1);
	return at > 0 ? at : 0;
}

/* Find the stay that a sample reports. A maskable interrupt waits until interrupts are enabled. */
static const struct sim_stay *find_stay(const struct sim_event *event)
{
	const struct sim_context *ctx = event->ctx;
	uint64_t at = time_of_place(event), until;
	const struct sim_stay *stay = course__at(&ctx->course, at, &until);
	bool waits = event->pmu && event->pmu->maskable;

	for (int i = 0; i < SIM_MAX_COLUMNS && waits; i++) {
		const struct sim_section *section = sim_machine__section(ctx->m, stay->column);

		if (!section || !section->masked || until == UINT64_MAX)
			break;
		stay = course__at(&ctx->course, until, &until);
	}
	return stay;
}

/*
 * Find out whether a sample is in user space. As large a share of the samples is there as of the
 * counts.
 */
static bool is_user(const struct sim_event *event, const struct sim_stay *stay)
{
	const struct perf_event_attr *attr = &event->attr;
	double share = rate__user_share(event->ctx->m, event->pmu, stay->column);

	if (attr->exclude_kernel || attr->exclude_user)
		return attr->exclude_kernel;
	return event->sampling.nr * 61 % 100 < share * 100;
}

/* Find the child that is at the places: the task's child or, for a CPU, the command. */
static struct sim_child *child_of(const struct sim_context *ctx)
{
	return ctx->task ? ctx->task->child : child__first_running();
}

/* Find the addresses of a place's code in a process. */
static bool find_code(const struct sim_event *event, const struct sim_stay *stay, pid_t pid,
		      struct sim_code *code)
{
	const struct sim_trail *trail = event->ctx->course.trail;
	struct sim_layout *layout;
	struct sim_place *place;
	bool found;

	if (trail && stay->spot >= 0 && stay->spot < ANNOUNCE_NAMES) {
		code->from = trail->announce->names[stay->spot].from;
		code->to = trail->announce->names[stay->spot].to;
		if (code->to > code->from)
			return true;
	}
	layout = stay->place >= 0 ? sideband__of(pid) : NULL;
	if (!layout)
		return false;
	place = &sim.m.places.at[stay->place];
	found = code__find(layout, place->name, code);
	place->found |= found;
	place->missed |= !found;
	return found;
}

static void set_task(const struct sim_event *event, const struct sim_stay *stay,
		     struct sim_spot *spot)
{
	const struct sim_context *ctx = event->ctx;
	const struct sim_child *child = child_of(ctx);

	spot->thread = stay->thread;
	if (ctx->task) {
		spot->tgid = ctx->task->tgid;
		spot->tid = ctx->task->tid;
	} else if (stay->place >= 0 && child) {
		spot->tgid = spot->tid = child->pid;
	}
	if (spot->tid && (stay->thread > 1 || ctx->course.trail))
		sideband__task(&ctx->course, stay->thread, &spot->tgid, &spot->tid);
}

struct sim_spot spot__find(const struct sim_event *event)
{
	const struct sim_stay *stay = find_stay(event);
	struct sim_spot spot = {.user = is_user(event, stay)};
	struct sim_code code;

	set_task(event, stay, &spot);
	if (spot.user && find_code(event, stay, spot.tgid, &code))
		spot.ip = code.from + (uint64_t)(chance(event, 2) * (code.to - code.from));
	else
		spot.ip = (spot.user ? USER_CODE : KERNEL_CODE) +
			  event->sampling.nr * 0x9e5 % 0x10000;
	return spot;
}
