// SPDX-License-Identifier: GPL-2.0-only
/*
 * One entry of a block of regions: its thread writes, anybody reads, in other processes too.
 *
 * Every field is read and written as an atomic of its own, the fields in order after the sequence
 * that says that they change. So a reader that has seen any of a new value sees that the sequence
 * is no longer what it was.
 */
#include <string.h>
#include <time.h>

#include "internal.h"

/* A change is some hundred instructions. Its thread may be off its CPU for a while, or dead. */
#define QUICK_LOOKS 1000
#define SLOW_LOOKS 1000
#define BETWEEN_LOOKS_NS 1000000

#define LOAD(field) __atomic_load_n(&(field), __ATOMIC_ACQUIRE)
#define STORE(field, value) __atomic_store_n(&(field), value, __ATOMIC_RELEASE)
/* The thread that writes is the only one: what it reads of its own is as it left it. */
#define OWN(field) __atomic_load_n(&(field), __ATOMIC_RELAXED)
#define ADD(field, value) STORE(field, OWN(field) + (value))

static void add_amounts(struct region_page_totals *to, const struct amounts *amounts)
{
	ADD(to->time_ns, (uint64_t)amounts->time_ns);
	ADD(to->slots, (uint64_t)amounts->slots);
	for (int i = 0; i < TMA_TOPDOWN_METRICS; i++)
		ADD(to->metric_slots[i], amounts->metric_slots[i]);
}

void entry__add(struct region_page_entry *entry, const struct measured *measured)
{
	ADD(entry->sequence, 1);
	ADD(entry->count, 1);
	if (measured) {
		ADD(entry->measured, 1);
		STORE(entry->notes, OWN(entry->notes) | measured->notes);
		STORE(entry->level, (uint64_t)measured->level);
		add_amounts(&entry->own, &measured->own);
	}
	if (measured && measured->whole) {
		ADD(entry->missed_ns, measured->missed_ns);
		ADD(entry->error_slots, measured->error_slots);
		add_amounts(&entry->total, &measured->total);
	}
	ADD(entry->sequence, 1);
}

static void read_totals(struct tma_topdown_delta *delta, const struct region_page_totals *totals)
{
	delta->time_ns = LOAD(totals->time_ns);
	delta->slots = LOAD(totals->slots);
	for (int i = 0; i < TMA_TOPDOWN_METRICS; i++)
		delta->metric_slots[i] = LOAD(totals->metric_slots[i]);
}

static void set_notes(struct tma_topdown_delta *delta, const struct tma_region_totals *totals,
		      uint64_t error_slots)
{
	delta->level = totals->total.level;
	delta->missed_ns = totals->total.missed_ns;
	delta->notes = totals->total.notes;
	delta->error = delta->slots ? (double)error_slots / (double)delta->slots : 0;
	if (delta->error > TOPDOWN_IMPRECISE_FROM)
		delta->notes |= TMA_TOPDOWN_IMPRECISE;
	if (!delta->slots)
		delta->notes |= TMA_TOPDOWN_EMPTY;
}

/* Return: whether all of it is of one time. */
static bool look(const struct region_page_entry *entry, struct tma_region_totals *totals,
		 uint64_t *error_slots)
{
	uint32_t sequence = LOAD(entry->sequence);

	totals->pid = LOAD(entry->pid);
	totals->tid = LOAD(entry->tid);
	totals->count = LOAD(entry->count);
	totals->measured = LOAD(entry->measured);
	totals->total.notes = LOAD(entry->notes);
	totals->total.level = (int)LOAD(entry->level);
	totals->total.missed_ns = LOAD(entry->missed_ns);
	*error_slots = LOAD(entry->error_slots);
	read_totals(&totals->total, &entry->total);
	read_totals(&totals->own, &entry->own);
	return !(sequence & 1) &&
	       __atomic_load_n(&entry->sequence, __ATOMIC_RELAXED) == sequence;
}

bool entry__read(const struct region_page_entry *entry, struct tma_region_totals *totals)
{
	const struct timespec pause = { .tv_nsec = BETWEEN_LOOKS_NS };
	uint64_t error_slots;
	bool whole = false;

	memset(totals, 0, sizeof(*totals));
	if (!LOAD(entry->sequence))
		return false;
	for (int i = 0; !whole && i < QUICK_LOOKS + SLOW_LOOKS; i++) {
		if (i >= QUICK_LOOKS)
			nanosleep(&pause, NULL);
		whole = look(entry, totals, &error_slots);
	}
	if (!whole)
		totals->total.notes |= TMA_TOPDOWN_TORN;
	memcpy(totals->name, entry->name, sizeof(totals->name) - 1);
	set_notes(&totals->own, totals, error_slots);
	set_notes(&totals->total, totals, error_slots);
	return true;
}
