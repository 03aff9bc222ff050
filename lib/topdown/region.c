// SPDX-License-Identifier: GPL-2.0-only
/* Begin and end regions, which may be nested, and find the cost of measuring them. */
#include <stdlib.h>
#include <string.h>

#include "snapshot.h"

/*
 * The cost of an empty region is the minimum over COST_TURNS turns of COST_REGIONS empty regions.
 */
#define COST_TURNS 8
#define COST_REGIONS 32

/* --- Amounts -------------------------------------------------------------------------------- */

static void amounts__of(struct amounts *amounts, const struct tma_topdown_delta *delta)
{
	amounts->time_ns = (int64_t)delta->time_ns;
	amounts->slots = (int64_t)delta->slots;
	for (int i = 0; i < TMA_TOPDOWN_METRICS; i++)
		amounts->metric_slots[i] = delta->metric_slots[i];
}

/* Add @what, multiplied by @times. */
static void amounts__add(struct amounts *to, const struct amounts *what, int64_t times)
{
	to->time_ns += times * what->time_ns;
	to->slots += times * what->slots;
	for (int i = 0; i < TMA_TOPDOWN_METRICS; i++)
		to->metric_slots[i] += times * what->metric_slots[i];
}

/*
 * Raise a region's amounts to the amounts of the regions inside: after the usual cost was
 * subtracted, they may be smaller.
 */
static void amounts__no_less_than(struct amounts *amounts, const struct amounts *inner)
{
	if (amounts->time_ns < inner->time_ns)
		amounts->time_ns = inner->time_ns;
	if (amounts->slots <= inner->slots) {
		amounts->slots = inner->slots;
		memcpy(amounts->metric_slots, inner->metric_slots, sizeof(amounts->metric_slots));
	}
}

/* --- Begin and end ---------------------------------------------------------------------------- */

/*
 * Find out whether to measure a region that begins. Inside itself, a region is measured if its
 * outermost run is.
 */
static bool is_turn(struct tma_region *region)
{
	if (region->active++)
		return region->measuring;
	region->measuring = !--region->countdown;
	if (region->measuring)
		region->countdown = region->every;
	return region->measuring;
}

static int begin_measured(struct tma_topdown *topdown, struct frame *frame)
{
	uint64_t reset_above = frame->region->reset_above;
	int ret;

	frame->outer = topdown->innermost_measured;
	frame->nested = 0;
	frame->notes = 0;
	memset(&frame->inner, 0, sizeof(frame->inner));
	ret = tma_topdown_snapshot(topdown, &frame->begin);
	if (!ret && reset_above && frame->begin.slots > reset_above) {
		ret = tma_topdown_reset(topdown);
		if (!ret)
			ret = tma_topdown_snapshot(topdown, &frame->begin);
	}
	frame->measured = !ret;
	if (!ret)
		topdown->innermost_measured = frame;
	return ret;
}

TMA_PUBLIC int tma_region_begin(struct tma_region *region)
{
	struct tma_topdown *topdown = region ? region->topdown : NULL;
	struct frame *frame;

	if (!region)
		return 0;
	if (*topdown->owner != thread__self())
		return -EXDEV;
	/*
	 * @depth also counts regions that are nested too deeply, so that their ends do not end
	 * other regions.
	 */
	if (topdown->depth++ >= TOPDOWN_DEPTH)
		return -ENOBUFS;
	frame = &topdown->frames[topdown->depth - 1];
	frame->region = region;
	frame->measured = false;
	return is_turn(region) ? begin_measured(topdown, frame) : 0;
}

/*
 * Now that the region's slots are known, set the largest content of the slots register with which
 * the region's error stays below max_error. At the region's end the register includes the region's
 * slots, and a step is 1/255 of the content.
 */
static void set_reset_above(struct tma_region *region, const struct tma_topdown_delta *delta)
{
	double most = (region->topdown->max_error * TOPDOWN_WHOLE - 1) * (double)delta->slots;

	region->reset_above = most < 1 ? 1 : most < 1e18 ? (uint64_t)most : 0;
}

static void end_measured(struct tma_topdown *topdown, const struct frame *frame,
			 const struct tma_topdown_snapshot *end)
{
	struct frame *outer = frame->outer;
	struct tma_topdown_delta delta;
	struct measured measured;

	topdown__delta(&topdown->units, &frame->begin, end, &delta);
	amounts__of(&measured.total, &delta);
	amounts__add(&measured.total, &topdown->cost, -1);
	amounts__add(&measured.total, &topdown->pair_cost, -(int64_t)frame->nested);
	amounts__no_less_than(&measured.total, &frame->inner);
	measured.own = measured.total;
	amounts__add(&measured.own, &frame->inner, -1);
	measured.missed_ns = delta.missed_ns;
	measured.error_slots = (uint64_t)(delta.error * (double)delta.slots);
	/*
	 * These two notes are about a single delta; for totals they are computed from the totals.
	 */
	delta.notes &= ~(unsigned int)(TMA_TOPDOWN_IMPRECISE | TMA_TOPDOWN_EMPTY);
	measured.notes = delta.notes | frame->notes;
	measured.level = delta.level;
	measured.whole = !frame->region->active;
	entry__add(frame->region->entry, &measured);

	if (topdown->max_error > 0)
		set_reset_above(frame->region, &delta);
	if (outer) {
		amounts__add(&outer->inner, &measured.total, 1);
		outer->nested += frame->nested + 1;
	}
	topdown->innermost_measured = outer;
}

/*
 * Drop the innermost region, which has not ended. The amounts of regions inside it are known, and
 * go to the next outer region. Its own amounts are unknown.
 */
static void drop_innermost(struct tma_topdown *topdown)
{
	const struct frame *frame = &topdown->frames[--topdown->depth];

	frame->region->active--;
	if (frame->measured)
		topdown->innermost_measured = frame->outer;
	if (!topdown->innermost_measured)
		return;
	topdown->innermost_measured->notes |= TMA_TOPDOWN_OWN_ROUGH;
	if (frame->measured) {
		amounts__add(&topdown->innermost_measured->inner, &frame->inner, 1);
		topdown->innermost_measured->nested += frame->nested;
	}
}

/* Count a run of a region that was not measured. */
static void end_unmeasured(struct tma_topdown *topdown, const struct tma_region *region)
{
	if (topdown->innermost_measured)
		topdown->innermost_measured->notes |= TMA_TOPDOWN_OWN_ROUGH;
	entry__add(region->entry, NULL);
}

TMA_PUBLIC int tma_region_end(struct tma_region *region)
{
	struct tma_topdown *topdown = region ? region->topdown : NULL;
	struct tma_topdown_snapshot end;
	struct frame *frame;
	int ret = 0;

	if (!region)
		return 0;
	if (*topdown->owner != thread__self())
		return -EXDEV;
	if (topdown->depth > TOPDOWN_DEPTH) {
		topdown->depth--;
		end_unmeasured(topdown, region);
		return -ENOBUFS;
	}
	if (!region->active)
		return -EINVAL;
	while (topdown->frames[topdown->depth - 1].region != region)
		drop_innermost(topdown);
	frame = &topdown->frames[topdown->depth - 1];
	if (frame->measured)
		ret = tma_topdown_snapshot(topdown, &end);
	topdown->depth--;
	region->active--;
	if (frame->measured && !ret) {
		end_measured(topdown, frame, &end);
		return 0;
	}
	if (frame->measured)
		topdown->innermost_measured = frame->outer;
	end_unmeasured(topdown, region);
	return ret;
}

TMA_PUBLIC void tma_region_sample(struct tma_region *region, unsigned int every)
{
	if (!region)
		return;
	region->every = every ? every : 1;
	region->countdown = 1;
}

/* --- The cost --------------------------------------------------------------------------------- */

/*
 * Measure empty regions. Their own amounts show the cost inside a region; the amounts from the
 * first to the last region show the cost outside. The register's fractions are too coarse for a
 * single region, so the fractions of all of these regions together are used.
 */
static int measure_turn(struct tma_topdown *topdown, struct tma_region *empty,
			struct amounts *inside, struct amounts *outside)
{
	struct tma_topdown_snapshot from, to;
	struct tma_topdown_delta delta;
	int ret = tma_topdown_snapshot(topdown, &from);

	for (int i = 0; !ret && i < COST_REGIONS; i++) {
		ret = tma_region_begin(empty);
		if (!ret)
			ret = tma_region_end(empty);
	}
	if (!ret)
		ret = tma_topdown_snapshot(topdown, &to);
	if (ret)
		return ret;
	topdown__delta(&topdown->units, &from, &to, &delta);
	amounts__of(outside, &delta);
	inside->slots = (int64_t)empty->entry->total.slots;
	inside->time_ns = (int64_t)empty->entry->total.time_ns;
	return 0;
}

/* Set a cost to the mean over the empty regions. Its slots have the fractions of @kinds. */
static void set_cost(struct amounts *cost, const struct amounts *measured,
		     const struct amounts *kinds)
{
	cost->slots = measured->slots / COST_REGIONS;
	cost->time_ns = measured->time_ns / COST_REGIONS;
	for (int i = 0; i < TMA_TOPDOWN_METRICS; i++)
		cost->metric_slots[i] =
			kinds->slots > 0 ? (int64_t)((double)cost->slots *
						     (double)kinds->metric_slots[i] /
						     (double)kinds->slots)
					 : 0;
}

static int measure_cost(struct tma_topdown *topdown)
{
	struct amounts kinds = { 0 }, best_inside = { 0 }, best_outside = { 0 };
	int ret = tma_topdown_reset(topdown);

	for (int turn = 0; !ret && turn < COST_TURNS; turn++) {
		struct region_page_entry entry = { .sequence = 2 };
		struct tma_region empty = {
			.topdown = topdown, .entry = &entry, .every = 1, .countdown = 1,
		};
		struct amounts inside = { 0 }, outside;

		ret = measure_turn(topdown, &empty, &inside, &outside);
		if (ret)
			break;
		amounts__add(&kinds, &outside, 1);
		if (!turn || outside.slots < best_outside.slots) {
			best_inside = inside;
			best_outside = outside;
		}
	}
	if (ret)
		return ret;
	set_cost(&topdown->cost, &best_inside, &kinds);
	set_cost(&topdown->pair_cost, &best_outside, &kinds);
	return 0;
}

/* --- Names ------------------------------------------------------------------------------------ */

static int need_regions(struct tma_topdown *topdown, struct tma_topdown_error *error)
{
	int ret;

	if (!topdown->regions) {
		topdown->own_regions = tma_regions_new(error);
		topdown->regions = topdown->own_regions;
	}
	if (!topdown->regions)
		return -1;
	if (topdown->cost_known || topdown->flags & TMA_TOPDOWN_KEEP_COST)
		return 0;
	/* Do not measure the cost inside a region, which would include it. */
	if (topdown->depth)
		return 0;
	ret = measure_cost(topdown);
	if (ret)
		return topdown__fail(error, TMA_TOPDOWN_REFUSED, -ret,
				     "the cost of an empty region cannot be measured: %s",
				     strerror(-ret));
	topdown->cost_known = true;
	return 0;
}

static int check_region(const struct tma_topdown *topdown, const char *name,
			struct tma_topdown_error *error)
{
	size_t length = name ? strlen(name) : 0;

	if (*topdown->owner != thread__self())
		return topdown__fail(error, TMA_TOPDOWN_ARGUMENT, EXDEV,
				     "region '%.64s': the handle is of another thread or process",
				     name ? name : "");
	if (!length || length >= TMA_REGION_NAME)
		return topdown__fail(error, TMA_TOPDOWN_ARGUMENT, EINVAL,
				     "region '%.64s': a name has 1 to %d bytes", name ? name : "",
				     TMA_REGION_NAME - 1);
	if (!topdown->nr_group)
		return topdown__fail(error, TMA_TOPDOWN_ARGUMENT, EINVAL,
				     "region '%s': the handle is for events only", name);
	return 0;
}

TMA_PUBLIC struct tma_region *tma_topdown_region(struct tma_topdown *topdown, const char *name,
						 struct tma_topdown_error *error)
{
	struct tma_region *region;

	if (!topdown || check_region(topdown, name, error))
		return NULL;
	for (region = topdown->list; region; region = region->next)
		if (!strcmp(region->entry->name, name))
			return region;
	if (need_regions(topdown, error))
		return NULL;
	region = calloc(1, sizeof(*region));
	if (!region) {
		topdown__fail(error, TMA_TOPDOWN_NO_MEMORY, ENOMEM, "region '%s': out of memory",
			      name);
		return NULL;
	}
	region->entry = regions__entry(topdown->regions, topdown->pid, topdown->tid, name);
	if (!region->entry) {
		topdown__fail(error, TMA_TOPDOWN_REGIONS, ENOSPC,
			      "region '%s': the block has no room for another thread's region: "
			      "name a larger block in TMA_REGIONS, or use 'tma stat --regions=N'",
			      name);
		free(region);
		return NULL;
	}
	region->topdown = topdown;
	tma_region_sample(region, topdown->sample_every);
	region->next = topdown->list;
	topdown->list = region;
	return region;
}

TMA_PUBLIC struct tma_regions *tma_topdown_regions(const struct tma_topdown *topdown)
{
	return topdown ? topdown->regions : NULL;
}
