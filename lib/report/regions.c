// SPDX-License-Identifier: GPL-2.0-only
/*
 * Make rows from the block that threads write: a consistent copy of every entry, with shares of
 * slots.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "report/regions.h"
#include "topdown/region_page.h"

#define WHOLES 4 /* number of fields of level 1 among REGIONS_FIELDS */
/*
 * A thread writes an entry in some hundred instructions: after MAX_LOOKS reads of an unfinished
 * entry, its thread must be dead. After each dead thread fewer reads suffice, so that a block full
 * of unfinished entries takes a limited time.
 */
#define MAX_LOOKS 100000
#define IMPRECISE_PERCENT 5

/* The notes of the library come first, then the notes that are added here. */
static const char *const notes[] = {
	"not counted for part of the time",
	"registers reset by others",
	"too short to be precise",
	"no slots",
	"own part has inner regions that were not measured",
	"read by system calls",
	"ended while it was being written",
};

enum {
	NOTE_IMPRECISE = 1 << 2,
	NOTE_EMPTY = 1 << 3,
	NOTE_TORN = 1 << 6,
	NOTES_OF_LIBRARY = NOTE_TORN - 1,
};

const char *region_note(int bit)
{
	return bit < (int)(sizeof(notes) / sizeof(*notes)) ? notes[bit] : NULL;
}

size_t regions__size(uint32_t capacity)
{
	return sizeof(struct region_page_header) +
	       (size_t)capacity * sizeof(struct region_page_entry);
}

void regions__make(void *block, uint32_t capacity)
{
	struct region_page_header *header = block;

	header->version = REGION_PAGE_VERSION;
	header->header_size = sizeof(*header);
	header->entry_size = sizeof(struct region_page_entry);
	header->capacity = capacity;
	__atomic_store_n(&header->magic, REGION_PAGE_MAGIC, __ATOMIC_RELEASE);
}

/*
 * Make a consistent copy of an entry.
 * @nr_torn: number of earlier entries whose threads ended during a change
 * @torn: set to whether the thread of this entry ended during a change
 * Return: whether the entry has a name.
 */
static bool copy_entry(const struct region_page_entry *from, struct region_page_entry *to,
		       uint32_t nr_torn, bool *torn)
{
	uint32_t sequence = 0, max_looks = 1 + MAX_LOOKS / (1 + nr_torn);

	for (uint32_t looks = 0; looks < max_looks; looks++) {
		sequence = __atomic_load_n(&from->sequence, __ATOMIC_ACQUIRE);
		if (sequence & 1 && looks + 1 < max_looks)
			continue;
		memcpy(to, from, sizeof(*to));
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&from->sequence, __ATOMIC_RELAXED) == sequence &&
		    !(sequence & 1))
			break;
	}
	*torn = sequence & 1;
	return sequence;
}

/* Limit a share: rounding may make a field slightly negative, or larger than its parent. */
static double within(double share, double most)
{
	return share < 0 ? 0 : share > most ? most : share;
}

static void set_shares(const struct region_page_totals *totals, int level, double *share)
{
	for (int i = 0; i < REGIONS_SHARES; i++)
		share[i] = NAN;
	for (int i = 0; totals->slots && i < (level > 1 ? REGIONS_FIELDS : WHOLES); i++)
		share[i] = within(100.0 * (double)totals->metric_slots[i] / (double)totals->slots,
				  i < WHOLES ? 100 : share[i - WHOLES]);
	/*
	 * Subtract children from the nodes of level 1: heavy operations from retiring, and so on.
	 */
	for (int i = 0; i < WHOLES; i++)
		share[REGIONS_FIELDS + i] = share[i] - share[WHOLES + i];
}

static void set_row(struct region_row *row, const struct region_page_entry *e, bool torn)
{
	struct sb name = SB_INIT;

	*row = (struct region_row){
		.pid = e->pid,
		.tid = e->tid,
		.count = e->count,
		.measured = e->measured,
		.time_ns = e->total.time_ns,
		.missed_ns = e->missed_ns,
		.slots = e->total.slots,
		.own_slots = e->own.slots,
		.level = e->level > 1 ? 2 : e->level,
		.notes = e->notes & NOTES_OF_LIBRARY,
	};
	text__clean(&name, e->name, strnlen(e->name, sizeof(e->name)), "");
	memcpy(row->name, sb__str(&name), strnlen(sb__str(&name), sizeof(row->name) - 1));
	sb__free(&name);
	set_shares(&e->total, row->level, row->share);
	set_shares(&e->own, row->level, row->own);
	row->error = row->slots ? 100.0 * (double)e->error_slots / (double)row->slots : 0;
	if (row->error > IMPRECISE_PERCENT)
		row->notes |= NOTE_IMPRECISE;
	if (!row->slots)
		row->notes |= NOTE_EMPTY;
	if (torn)
		row->notes |= NOTE_TORN;
}

/*
 * Move rows of the same name together. Names are in the order of their first rows.
 * @places: for each row, the number of the first row with the same name
 */
static void bring_together(struct regions *r, const int *places)
{
	int nr = r->rows.nr, *next = xcalloc(nr, sizeof(*next)), at = 0;
	struct region_row *rows = xcalloc(nr, sizeof(*rows));

	for (int i = 0; i < nr; i++)
		next[places[i]]++;
	for (int i = 0, count; i < nr; i++) {
		count = next[i];
		next[i] = at;
		at += count;
	}
	for (int i = 0; i < nr; i++)
		rows[next[places[i]]++] = r->rows.at[i];
	memcpy(r->rows.at, rows, nr * sizeof(*rows));
	free(rows);
	free(next);
}

static void read_rows(const struct region_page_entry *entries, uint32_t nr, struct regions *r)
{
	struct strmap *names = strmap__new();
	struct region_page_entry copy;
	struct region_row row;
	VEC(int) places = {.at = NULL};
	uint32_t nr_torn = 0;
	bool torn;

	for (uint32_t i = 0; i < nr; i++) {
		if (!copy_entry(&entries[i], &copy, nr_torn, &torn))
			continue;
		nr_torn += torn;
		set_row(&row, &copy, torn);
		vec__push(&places, strmap__add(names, row.name, r->rows.nr));
		vec__push(&r->rows, row);
	}
	if (r->rows.nr)
		bring_together(r, places.at);
	vec__free(&places);
	strmap__free(names);
}

int regions__read(const void *block, size_t size, struct regions *r, struct err *err)
{
	const struct region_page_header *header = block;
	uint32_t capacity = (size - sizeof(*header)) / sizeof(struct region_page_entry);
	uint32_t used = __atomic_load_n(&header->used, __ATOMIC_ACQUIRE);
	const struct region_page_entry *entries = (const void *)(header + 1);

	if (header->magic != REGION_PAGE_MAGIC || header->version != REGION_PAGE_VERSION ||
	    header->header_size != sizeof(*header) || header->entry_size != sizeof(*entries))
		return err__set(err, EINVAL, "the program has overwritten the memory of its regions");
	r->lost = used > capacity ? used - capacity : 0;
	read_rows(entries, used - r->lost, r);
	return 0;
}

enum region_kind { REGION_INT, REGION_TIME, REGION_PERCENT };

/*
 * Each column has a name for programs, a heading in text (NULL if text omits the column), and a
 * member of struct region_row.
 */
static const struct {
	const char *name, *heading;
	enum region_kind kind;
	int level;
	size_t offset;
} columns[] = {
#define AT(field) offsetof(struct region_row, field)
#define SHARE(i) (AT(share) + (i) * sizeof(double))
#define OWN(i) (AT(own) + (i) * sizeof(double))
	{ "thread", "thread", REGION_INT, 0, AT(tid) },
	{ "pid", NULL, REGION_INT, 0, AT(pid) },
	{ "count", "count", REGION_INT, 0, AT(count) },
	{ "measured", "measured", REGION_INT, 0, AT(measured) },
	{ "time_ns", "time ms", REGION_TIME, 0, AT(time_ns) },
	{ "missed_ns", NULL, REGION_TIME, 0, AT(missed_ns) },
	{ "slots", "slots", REGION_INT, 0, AT(slots) },
	{ "retiring", "retiring", REGION_PERCENT, 1, SHARE(0) },
	{ "bad_spec", "bad spec", REGION_PERCENT, 1, SHARE(1) },
	{ "fe_bound", "fe bound", REGION_PERCENT, 1, SHARE(2) },
	{ "be_bound", "be bound", REGION_PERCENT, 1, SHARE(3) },
	{ "light_ops", "light ops", REGION_PERCENT, 2, SHARE(8) },
	{ "heavy_ops", "heavy ops", REGION_PERCENT, 2, SHARE(4) },
	{ "br_mispredict", "br mispred", REGION_PERCENT, 2, SHARE(5) },
	{ "machine_clears", "mach clears", REGION_PERCENT, 2, SHARE(9) },
	{ "fetch_lat", "fetch lat", REGION_PERCENT, 2, SHARE(6) },
	{ "fetch_bw", "fetch bw", REGION_PERCENT, 2, SHARE(10) },
	{ "mem_bound", "mem bound", REGION_PERCENT, 2, SHARE(7) },
	{ "core_bound", "core bound", REGION_PERCENT, 2, SHARE(11) },
	{ "error", NULL, REGION_PERCENT, 1, AT(error) },
	{ "own_slots", "own slots", REGION_INT, 0, AT(own_slots) },
	{ "own_retiring", NULL, REGION_PERCENT, 1, OWN(0) },
	{ "own_bad_spec", NULL, REGION_PERCENT, 1, OWN(1) },
	{ "own_fe_bound", NULL, REGION_PERCENT, 1, OWN(2) },
	{ "own_be_bound", NULL, REGION_PERCENT, 1, OWN(3) },
#undef AT
#undef SHARE
#undef OWN
};

#define NR_COLUMNS ((int)(sizeof(columns) / sizeof(*columns)))

/*
 * Read a number: threads and processes are signed with 32 bits, all others unsigned with 64 bits.
 */
static uint64_t integer(const struct region_row *row, size_t offset)
{
	const char *at = (const char *)row + offset;

	if (offset == offsetof(struct region_row, tid) ||
	    offset == offsetof(struct region_row, pid))
		return *(const int32_t *)at;
	return *(const uint64_t *)at;
}

static void fill_cell(const struct region_row *row, int column, struct grid_cell *cell)
{
	size_t offset = columns[column].offset;

	cell->present = cell->counted = true;
	if (columns[column].kind == REGION_PERCENT) {
		memcpy(&cell->value, (const char *)row + offset, sizeof(cell->value));
		return;
	}
	cell->count = integer(row, offset);
	cell->value = cell->count;
	cell->is_count = true;
}

static void regions__add_columns(struct grid *g)
{
	for (int i = 0; i < NR_COLUMNS; i++) {
		bool share = columns[i].kind == REGION_PERCENT;
		struct grid_column *c = grid__add(g, share ? GRID_METRIC : GRID_EVENT);

		c->name = columns[i].name;
		c->label = columns[i].heading;
		c->unit = columns[i].kind == REGION_TIME ? "ns" : "";
		c->rank = columns[i].level;
	}
}

void regions__fill(const struct regions *r, struct grid *g)
{
	struct grid_row *rows = xcalloc(r->rows.nr, sizeof(*rows));

	g->aggr = AGGR_THREAD;
	g->rows = rows;
	g->nr_rows = r->rows.nr;
	regions__add_columns(g);
	grid__allocate(g);
	for (int i = 0; i < g->nr_rows; i++) {
		const struct region_row *row = &r->rows.at[i];

		memset(rows[i].at, -1, sizeof(rows[i].at));
		rows[i].at[PLACE_THREAD] = row->tid;
		rows[i].comm = (char *)row->name;
		for (int bit = 0; region_note(bit); bit++)
			if (row->notes & 1U << bit)
				vec__push(&rows[i].notes, region_note(bit));
		for (int c = 0; c < NR_COLUMNS; c++)
			fill_cell(row, c, grid__cell(g, c, i));
	}
}

void regions__free_grid(struct grid *g)
{
	struct grid_row *rows = (struct grid_row *)g->rows;

	for (int i = 0; i < g->nr_rows; i++)
		vec__free(&rows[i].notes);
	free(rows);
	grid__free(g);
}
