// SPDX-License-Identifier: GPL-2.0-only
/* Compute the slots and shares of the time between two snapshots of the registers. */
#include <math.h>
#include <string.h>

#include "internal.h"

/* Each metric of level 2 is a part of a metric of level 1, whose other part also has a name. */
static const struct {
	int whole;
	int part;
	int rest;
} parts[] = {
	{ TMA_TOPDOWN_RETIRING, TMA_TOPDOWN_HEAVY_OPS, TMA_TOPDOWN_LIGHT_OPS },
	{ TMA_TOPDOWN_BAD_SPEC, TMA_TOPDOWN_BR_MISPREDICT, TMA_TOPDOWN_MACHINE_CLEARS },
	{ TMA_TOPDOWN_FE_BOUND, TMA_TOPDOWN_FETCH_LAT, TMA_TOPDOWN_FETCH_BW },
	{ TMA_TOPDOWN_BE_BOUND, TMA_TOPDOWN_MEM_BOUND, TMA_TOPDOWN_CORE_BOUND },
};

static const char *const share_names[] = {
	[TMA_TOPDOWN_RETIRING] = "retiring",
	[TMA_TOPDOWN_BAD_SPEC] = "bad-spec",
	[TMA_TOPDOWN_FE_BOUND] = "fe-bound",
	[TMA_TOPDOWN_BE_BOUND] = "be-bound",
	[TMA_TOPDOWN_HEAVY_OPS] = "heavy-ops",
	[TMA_TOPDOWN_BR_MISPREDICT] = "br-mispredict",
	[TMA_TOPDOWN_FETCH_LAT] = "fetch-lat",
	[TMA_TOPDOWN_MEM_BOUND] = "mem-bound",
	[TMA_TOPDOWN_LIGHT_OPS] = "light-ops",
	[TMA_TOPDOWN_MACHINE_CLEARS] = "machine-clears",
	[TMA_TOPDOWN_FETCH_BW] = "fetch-bw",
	[TMA_TOPDOWN_CORE_BOUND] = "core-bound",
};

TMA_PUBLIC const char *tma_topdown_share_name(int share)
{
	return share >= 0 && share < TMA_TOPDOWN_SHARES ? share_names[share] : NULL;
}

/* Slots have 48 bits and a field has eight, so that the product fits into 64 bits. */
uint64_t topdown__field_slots(uint64_t slots, uint64_t metrics, int metric)
{
	uint64_t field = metrics >> (metric * 8) & TOPDOWN_WHOLE;

	return (slots * field + TOPDOWN_WHOLE / 2) / TOPDOWN_WHOLE;
}

static uint64_t total_slots(const struct tma_topdown_snapshot *snapshot)
{
	return snapshot->base_slots + snapshot->slots;
}

static uint64_t total_metric(const struct tma_topdown_snapshot *snapshot, int metric)
{
	return snapshot->base_metric[metric] +
	       topdown__field_slots(snapshot->slots, snapshot->metrics, metric);
}

/*
 * Add the slots between @from and the overflow of the counter, at which the kernel restarts both
 * registers from 0. The number of these slots is known. Their fractions are assumed to be as at
 * @from.
 */
static void add_wrapped(const struct snapshot_units *units, const struct tma_topdown_snapshot *from,
			struct tma_topdown_delta *delta)
{
	delta->slots += units->wrap;
	for (int i = 0; i < TMA_TOPDOWN_METRICS; i++)
		delta->metric_slots[i] +=
			(int64_t)topdown__field_slots(units->wrap, from->metrics, i);
}

/*
 * After a reset that this library did not make, only use the counts since the reset, which are
 * certain.
 */
static void only_since_reset(const struct tma_topdown_snapshot *to,
			     struct tma_topdown_delta *delta)
{
	delta->notes |= TMA_TOPDOWN_RESET;
	delta->slots = to->slots;
	for (int i = 0; i < TMA_TOPDOWN_METRICS; i++)
		delta->metric_slots[i] =
			(int64_t)topdown__field_slots(to->slots, to->metrics, i);
}

/*
 * Find the largest error of a share. A field that is truncated to eight bits is too small by up to
 * a step: 1/255 of all slots in the register. This happens at @from, at @to, and each time that a
 * register is added to the base. The error at @from is subtracted in the difference. If the kernel
 * converts fractions to counts at each read, a step is 1/255 of the slots between two reads.
 */
static double delta__error_of(const struct snapshot_units *units,
			      const struct tma_topdown_snapshot *from,
			      const struct tma_topdown_snapshot *to, uint64_t slots)
{
	uint64_t after = to->base_slots - from->base_slots + to->slots;
	uint64_t covered = from->slots > after ? from->slots : after;

	if (units->folded)
		return 1.0 / TOPDOWN_WHOLE;
	return slots ? (double)covered / TOPDOWN_WHOLE / (double)slots : 0;
}

static uint64_t time_of(const struct snapshot_units *units, uint64_t ticks)
{
	__extension__ typedef unsigned __int128 wide;

	return (uint64_t)((wide)ticks * units->time_mult >> units->time_shift);
}

void topdown__note_limits(struct tma_topdown_delta *delta)
{
	if (delta->error > TOPDOWN_IMPRECISE_FROM)
		delta->notes |= TMA_TOPDOWN_IMPRECISE;
	if (!delta->slots)
		delta->notes |= TMA_TOPDOWN_EMPTY;
}

void topdown__delta(const struct snapshot_units *units, const struct tma_topdown_snapshot *from,
		    const struct tma_topdown_snapshot *to, struct tma_topdown_delta *delta)
{
	memset(delta, 0, sizeof(*delta));
	delta->level = units->level;
	delta->time_ns = time_of(units, to->ticks - from->ticks);
	delta->missed_ns = to->missed_ns - from->missed_ns;
	delta->notes = from->notes | to->notes;
	if (delta->missed_ns)
		delta->notes |= TMA_TOPDOWN_NOT_COUNTED;

	delta->slots = total_slots(to) - total_slots(from);
	for (int i = 0; i < TMA_TOPDOWN_METRICS; i++)
		delta->metric_slots[i] = (int64_t)(total_metric(to, i) - total_metric(from, i));
	if (total_slots(to) < total_slots(from)) {
		/*
		 * If the register was in its upper half, it has wrapped: a program that resets it
		 * does this earlier.
		 */
		if (from->slots >= units->wrap / 2)
			add_wrapped(units, from, delta);
		else
			only_since_reset(to, delta);
	}

	delta->error = delta__error_of(units, from, to, delta->slots);
	topdown__note_limits(delta);
}

TMA_PUBLIC void tma_topdown_delta(const struct tma_topdown *topdown,
				  const struct tma_topdown_snapshot *from,
				  const struct tma_topdown_snapshot *to,
				  struct tma_topdown_delta *delta)
{
	if (topdown) {
		topdown__delta(&topdown->units, from, to, delta);
	} else if (delta) {
		memset(delta, 0, sizeof(*delta));
		topdown__note_limits(delta);
	}
}

static double within(double share, double most)
{
	return share < 0 ? 0 : share > most ? most : share;
}

TMA_PUBLIC void tma_topdown_shares(const struct tma_topdown_delta *delta,
				   double shares[TMA_TOPDOWN_SHARES])
{
	for (int i = 0; i < TMA_TOPDOWN_SHARES; i++)
		shares[i] = NAN;
	if (!delta || !delta->slots || delta->level < 1)
		return;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		double slots = (double)delta->slots;
		double whole = within((double)delta->metric_slots[parts[i].whole] / slots, 1);

		shares[parts[i].whole] = whole;
		if (delta->level < 2)
			continue;
		shares[parts[i].part] =
			within((double)delta->metric_slots[parts[i].part] / slots, whole);
		shares[parts[i].rest] = whole - shares[parts[i].part];
	}
}
