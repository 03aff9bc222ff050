// SPDX-License-Identifier: GPL-2.0-only
#include "where/sites.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/strmap.h"
#include "base/xalloc.h"
#include "count/bursts.h"
#include "count/sample_record.h"
#include "where/child.h"
#include "where/maps.h"
#include "where/names.h"
#include "where/site_time.h"
#include "where/where.h"

#define MOST_ADDRESSES (1 << 18) /* the most addresses; any more are attributed to their whole
				  * object */
#define MOST_NAMED 16384 /* the most addresses that are looked up for a row; those with the most
			  * samples are chosen */
#define NO_SITE -1
#define MOST_BURSTS (1 << 16)
#define WHOLE_OBJECT UINT64_MAX

/**
 * struct site_address - an address that was sampled
 * @offset: place of the address in its object; WHOLE_OBJECT for all addresses of the object beyond
 *          MOST_ADDRESSES
 * @pid:    for an address outside any mapping, the process, as the mapping may be reported later;
 *          otherwise 0
 * @site:   site of the address, or NO_SITE
 * @tried:  the symbol was looked for
 * @late:   the reading ended before this symbol; until it is read again, @site is the whole object
 */
struct site_address {
	int object, site;
	pid_t pid;
	uint64_t offset;
	bool tried, late;
};

/**
 * struct kept_row - an earlier row that is kept
 * @last_ns: time of the last sample of the row
 * @idle: for each event, its count in the row while CPUs were idle
 */
struct kept_row {
	uint64_t last_ns;
	double *idle;
};

/**
 * struct site_burst - a burst of samples
 * @number: number of the burst; @at: numbers of the samples' addresses
 */
struct site_burst {
	uint32_t number, at[BURST_SAMPLES];
	int nr;
};

/**
 * struct sites - addresses, sites and samples
 * @slots:   hash table from a place to 1 + the number of its address; its size is a power of two
 * @numbers: map from the key of a site to 1 + the number of the site
 * @nameless: addresses are invented, so they have no names
 * @bursts:  the latest bursts
 * @kept:    earlier rows of SITE_ROW, at the index (number of the row) % nr_kept; @ended: number of
 *           completed rows
 * @row_ns:  time of the first sample of the row, or 0
 */
struct sites {
	enum site_kind kind;
	int nr_events, nr_windows;
	struct maps maps;
	VEC(struct site_address) addresses;
	uint32_t *slots;
	size_t nr_slots;
	VEC(struct site) list;
	struct strmap *numbers;
	struct site_time windows[SITE_WINDOWS];
	VEC(struct site_burst) bursts;
	struct kept_row *kept;
	int nr_kept;
	uint64_t ended;
	uint64_t row_ns;
	bool nameless;
};

struct sites *sites__new(enum site_kind kind, const char *procfs, int nr_events, bool has_whole)
{
	struct sites *s = xcalloc(1, sizeof(*s));

	s->kind = kind;
	s->nr_events = nr_events;
	s->nr_windows = 1 + has_whole;
	s->maps.procfs = procfs;
	s->numbers = strmap__new();
	s->nr_slots = 1024;
	s->slots = xcalloc(s->nr_slots, sizeof(*s->slots));
	for (int i = 0; i < s->nr_windows; i++) {
		s->windows[i].idle = xcalloc(nr_events, sizeof(double));
		s->windows[i].random = 1;
	}
	return s;
}

void sites__keep_rows(struct sites *s, int nr)
{
	s->nr_kept = nr - 1;
	s->kept = xcalloc(nr, sizeof(*s->kept));
	for (int i = 0; i < s->nr_kept; i++)
		s->kept[i].idle = xcalloc(s->nr_events, sizeof(double));
}

void sites__free(struct sites *s)
{
	struct site *site;

	if (!s)
		return;
	vec__for_each (site, &s->list)
		free(site->name);
	vec__free(&s->list);
	for (int i = 0; i < s->nr_windows; i++) {
		vec__free(&s->windows[i].samples);
		free(s->windows[i].idle);
	}
	for (int i = 0; i < s->nr_kept; i++)
		free(s->kept[i].idle);
	free(s->kept);
	strmap__free(s->numbers);
	vec__free(&s->addresses);
	vec__free(&s->bursts);
	maps__free(&s->maps);
	free(s->slots);
	free(s);
}

void sites__set_origin(struct sites *s, const struct maps_origin *origin)
{
	s->maps.origin = origin;
	s->maps.procfs = NULL;
}

void sites__read_running(struct sites *s)
{
	maps__read_all(&s->maps);
}

/* --- Addresses ------------------------------------------------------------------------------- */

static size_t sites__hash(const struct sites *s, const struct site_address *a)
{
	uint64_t x = a->offset ^ ((uint64_t)(a->object + 3) << 32 ^ a->pid) * 0x9e3779b97f4a7c15ULL;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	return (x ^ (x >> 27)) & (s->nr_slots - 1);
}

/* Find the slot of an address, or the free slot for it. */
static uint32_t *sites__find_slot(const struct sites *s, const struct site_address *a)
{
	size_t at = sites__hash(s, a);

	while (s->slots[at]) {
		const struct site_address *b = &s->addresses.at[s->slots[at] - 1];

		if (a->object == b->object && a->offset == b->offset && a->pid == b->pid)
			break;
		at = (at + 1) & (s->nr_slots - 1);
	}
	return &s->slots[at];
}

static void grow(struct sites *s)
{
	free(s->slots);
	s->nr_slots *= 2;
	s->slots = xcalloc(s->nr_slots, sizeof(*s->slots));
	for (int i = 0; i < s->addresses.nr; i++)
		*sites__find_slot(s, &s->addresses.at[i]) = i + 1;
}

static struct code_address locate(struct sites *s, const struct sample_record *r)
{
	struct code_address at = names__locate(&s->maps, r->pid, r->address, r->kernel);

	if (at.object != OBJECT_NONE)
		return at;
	/* The mapping may have been made on a CPU that is not sampled, or its record was lost. */
	maps__read_once(&s->maps, r->pid);
	return names__locate(&s->maps, r->pid, r->address, false);
}

static uint32_t address_number(struct sites *s, const struct sample_record *r)
{
	struct code_address at = locate(s, r);
	struct site_address a = {.object = at.object, .offset = at.offset, .site = NO_SITE};
	uint32_t *slot;

	if (at.object == OBJECT_NONE)
		a.pid = r->pid;
	else if (s->kind == SITE_OBJECT)
		a.offset = WHOLE_OBJECT;
	slot = sites__find_slot(s, &a);
	if (!*slot && s->addresses.nr >= MOST_ADDRESSES) {
		a.offset = WHOLE_OBJECT;
		a.pid = 0;
		slot = sites__find_slot(s, &a);
	}
	if (*slot)
		return *slot - 1;
	vec__push(&s->addresses, a);
	*slot = s->addresses.nr;
	if ((size_t)s->addresses.nr * 2 > s->nr_slots)
		grow(s);
	return s->addresses.nr - 1;
}

/* --- Samples --------------------------------------------------------------------------------- */

static void add_to_burst(struct sites *s, const struct sample_record *r)
{
	uint32_t address = address_number(s, r);
	struct site_burst *b = NULL;

	/* Only a few bursts overlap. */
	for (int i = s->bursts.nr - 1; i >= 0 && i >= s->bursts.nr - BURSTS_AT_ONCE && !b; i--)
		b = s->bursts.at[i].number == r->burst ? &s->bursts.at[i] : NULL;
	if (!b) {
		/* Drop the older half of the bursts, as the latest are enough. */
		if (s->bursts.nr == MOST_BURSTS) {
			s->bursts.nr /= 2;
			memmove(s->bursts.at, s->bursts.at + s->bursts.nr,
				s->bursts.nr * sizeof(*s->bursts.at));
		}
		vec__push(&s->bursts, ((struct site_burst){.number = r->burst}));
		b = &s->bursts.at[s->bursts.nr - 1];
	}
	if (b->nr < BURST_SAMPLES)
		b->at[b->nr++] = address;
}

static void add_sample(struct sites *s, const struct sample_record *r)
{
	uint32_t address = 0;
	/* The kernel's idle tasks of all CPUs have the number 0. */
	bool idle = !r->pid && !r->tid && r->kernel;

	if (!idle)
		address = address_number(s, r);
	s->row_ns = s->row_ns ?: r->time_ns;
	for (int i = 0; i < s->nr_windows; i++) {
		struct site_time *t = &s->windows[i];

		if (idle) {
			t->idle[r->event] += r->period;
			continue;
		}
		vec__push(&t->samples,
			  ((struct site_sample){r->time_ns, r->period, address, r->event, 1}));
		if (t->samples.nr >= MOST_SAMPLES)
			site_time__thin_out(t);
	}
}

void sites__take(struct sites *s, struct sample_records *records)
{
	for (int i = 0; i < records->nr; i++) {
		struct sample_record *r = &records->at[i];

		/*
		 * The user of the process may have written names of its code, and can be found only
		 * while the process lives.
		 */
		if (r->kind == RECORD_MAPPED && !r->inode && s->maps.procfs)
			r->uid = maps__owner_of(s->maps.procfs, r->pid);
		if (r->kind == RECORD_SAMPLED && r->burst)
			add_to_burst(s, r);
		else if (r->kind == RECORD_SAMPLED)
			add_sample(s, r);
		else
			maps__take(&s->maps, r);
		free(r->path);
		r->path = NULL;
	}
}

/* Drop samples up to a time. Samples are in the order of time, or of blocks of time. */
static void drop_until(struct site_samples *list, uint64_t ns)
{
	int kept = 0;

	for (int i = 0; i < list->nr; i++)
		if (list->at[i].time_ns > ns)
			list->at[kept++] = list->at[i];
	list->nr = kept;
}

/* Replace the oldest kept row by the row that has ended. */
static void turn_rows(struct sites *s, struct site_time *t)
{
	struct kept_row *row = &s->kept[s->ended++ % s->nr_kept];
	bool full = s->ended > (uint64_t)s->nr_kept;

	if (full)
		drop_until(&t->samples, row->last_ns);
	for (int i = 0; i < t->samples.nr; i++)
		if (t->samples.at[i].time_ns > row->last_ns)
			row->last_ns = t->samples.at[i].time_ns;
	for (int e = 0; e < s->nr_events; e++) {
		t->idle[e] -= row->idle[e];
		row->idle[e] = t->idle[e];
		for (int i = 0; i < s->nr_kept; i++)
			row->idle[e] -= &s->kept[i] == row ? 0 : s->kept[i].idle[e];
	}
}

void sites__end_row(struct sites *s)
{
	struct site_time *t = &s->windows[SITE_ROW];

	if (s->nr_kept) {
		turn_rows(s, t);
		return;
	}
	t->samples.nr = 0;
	t->block_ns = 0;
	s->row_ns = 0;
	memset(t->idle, 0, s->nr_events * sizeof(*t->idle));
}

void sites__skip_row(struct sites *s)
{
	struct site_time *row = &s->windows[SITE_ROW], *whole = &s->windows[SITE_WHOLE];
	int kept = 0;

	for (int i = 0; s->row_ns && s->nr_windows > 1 && i < whole->samples.nr; i++)
		if (whole->samples.at[i].time_ns < s->row_ns)
			whole->samples.at[kept++] = whole->samples.at[i];
	if (s->row_ns && s->nr_windows > 1) {
		whole->samples.nr = kept;
		for (int e = 0; e < s->nr_events; e++)
			whole->idle[e] -= row->idle[e];
	}
	sites__end_row(s);
}

const struct site_samples *sites__samples(const struct sites *s, enum site_window window)
{
	return &s->windows[s->nr_windows > 1 ? window : SITE_ROW].samples;
}

double sites__idle(const struct sites *s, enum site_window window, int event)
{
	return s->windows[s->nr_windows > 1 ? window : SITE_ROW].idle[event];
}

/* --- Names ----------------------------------------------------------------------------------- */

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* A function that was inlined counts as a part of the function that contains it. */
static char *sites__name_of(const struct sites *s, const struct symbol *symbol, const char *object)
{
	const char *function = symbol->into && *symbol->into ? symbol->into : symbol->function;

	if (s->kind == SITE_LINE && symbol->file && *symbol->file && symbol->line)
		return xasprintf("%s:%d", base_of(symbol->file), symbol->line);
	if (s->kind != SITE_OBJECT && function && *function)
		return xstrdup(function);
	/* All code of an object that has no name is one site. */
	return xstrdup(base_of(object));
}

static int site_number(struct sites *s, const struct code_address *a)
{
	const char *object = s->nameless ? "[made up]" : names__object(&s->maps, a);
	char *name = sites__name_of(s, &a->symbol, object);
	char *key = xasprintf("%s\n%s", name, object);
	int number = strmap__get(s->numbers, key);

	if (number < 0) {
		number = s->list.nr;
		strmap__put(s->numbers, key, number);
		vec__push(&s->list, ((struct site){name, object, a->object == OBJECT_KERNEL}));
	} else {
		free(name);
	}
	free(key);
	return number;
}

void sites__forget_names(struct sites *s)
{
	s->nameless = true;
}

/**
 * struct weighed - an address without a name, and the number of events that its samples represent
 */
struct weighed {
	uint32_t address;
	double weight;
};

static int sites__by_weight(const void *va, const void *vb)
{
	const struct weighed *a = va, *b = vb;

	return (a->weight < b->weight) - (a->weight > b->weight);
}

/* Find the addresses of a window that have no name. Addresses with the most samples come first. */
static struct weighed *find_nameless(const struct sites *s, enum site_window window, int *nr)
{
	const struct site_samples *list = sites__samples(s, window);
	struct weighed *at = xcalloc(s->addresses.nr + 1, sizeof(*at));

	for (int i = 0; i < s->addresses.nr; i++)
		at[i].address = i;
	for (int i = 0; i < list->nr; i++)
		at[list->at[i].address].weight += list->at[i].nr;
	for (int i = 0; i < s->bursts.nr; i++)
		for (int k = 0; k < s->bursts.at[i].nr && s->bursts.at[i].nr > 1; k++)
			at[s->bursts.at[i].at[k]].weight++;
	*nr = 0;
	for (int i = 0; i < s->addresses.nr; i++)
		if (at[i].weight > 0 && s->addresses.at[i].site == NO_SITE)
			at[(*nr)++] = at[i];
	qsort(at, *nr, sizeof(*at), sites__by_weight);
	return at;
}

double sites__nameless(const struct sites *s, enum site_window window)
{
	const struct site_samples *list = sites__samples(s, window);
	double all = 0, nameless = 0;

	for (int i = 0; i < list->nr; i++) {
		all += list->at[i].nr;
		if (s->addresses.at[list->at[i].address].site == NO_SITE)
			nameless += list->at[i].nr;
	}
	return all > 0 ? nameless / all : 0;
}

static bool is_to_be_read(const struct sites *s, const struct site_address *a)
{
	return s->kind != SITE_OBJECT && a->offset != WHOLE_OBJECT && !a->tried && !s->nameless;
}

static void sites__take_name(struct sites *s, const struct code_address *a)
{
	struct site_address *to = &s->addresses.at[a->id];

	to->site = site_number(s, a);
	to->tried = true;
	to->late = a->symbol.late;
	free(a->symbol.function);
	free(a->symbol.into);
	free(a->symbol.file);
}

void sites__retry_late(struct sites *s)
{
	struct site_address *a;

	vec__for_each (a, &s->addresses)
		if (a->late) {
			a->site = NO_SITE;
			a->tried = a->late = false;
		}
}

void sites__name(struct sites *s, enum site_window window, struct child_reading *r,
		 struct sb *notes)
{
	int nr, nr_read = 0;
	struct weighed *nameless = find_nameless(s, window, &nr);
	struct code_address *at = xcalloc(nr + 1, sizeof(*at));

	for (int i = 0; i < nr; i++) {
		const struct site_address *a = &s->addresses.at[nameless[i].address];
		struct code_address code = {.object = a->object, .offset = a->offset};

		if (a->pid && a->offset != WHOLE_OBJECT)
			code = names__locate(&s->maps, a->pid, a->offset, false);
		code.id = nameless[i].address;
		code.symbol.outer = s->kind == SITE_FUNCTION;

		if (nr_read < MOST_NAMED && is_to_be_read(s, a))
			at[nr_read++] = code;
		else
			sites__take_name(s, &code);
	}
	names__find(&s->maps, r, at, nr_read, notes);
	for (int i = 0; i < nr_read; i++)
		sites__take_name(s, &at[i]);
	free(at);
	free(nameless);
}

int sites__nr(const struct sites *s)
{
	return s->list.nr;
}

const struct site *sites__at(const struct sites *s, int site)
{
	return &s->list.at[site];
}

int sites__find(const struct sites *s, uint32_t address)
{
	return s->addresses.at[address].site;
}

void sites__stays(const struct sites *s, const int *group_of, int nr_groups, struct site_stays *out)
{
	memset(out, 0, nr_groups * sizeof(*out));
	for (int i = 0; i < s->bursts.nr; i++) {
		const struct site_burst *b = &s->bursts.at[i];
		int site = b->nr > 1 ? sites__find(s, b->at[0]) : NO_SITE, group;
		bool left = false;

		if (site < 0)
			continue;
		group = group_of[site];
		for (int k = 1; k < b->nr; k++) {
			int other = sites__find(s, b->at[k]);

			left |= other < 0 || group_of[other] != group;
		}
		out[group].bursts++;
		out[group].left += left;
	}
}
