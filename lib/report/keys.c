// SPDX-License-Identifier: GPL-2.0-only
/* What says when and where a line of tma's own formats is of: one table for all of them. */
#include <inttypes.h>

#include "report/own.h"

#define NS_PER_S 1000000000
#define NO_CLUSTER 65535 /* x86 kernels, where the CPU does not say which caches its cores share */

static const struct {
	const char *name;
	bool is_text;
} keys[KEY_NR] = {
	[KEY_TIME] = { "time", false },
	[KEY_LENGTH] = { "length", false },
	[KEY_ROW] = { "row", true },
	[KEY_PLACE + PLACE_NODE] = { "node", false },
	[KEY_PLACE + PLACE_SOCKET] = { "socket", false },
	[KEY_PLACE + PLACE_DIE] = { "die", false },
	[KEY_PLACE + PLACE_CLUSTER] = { "cluster", false },
	[KEY_PLACE + PLACE_CACHE_LEVEL] = { "cache_level", false },
	[KEY_PLACE + PLACE_CACHE] = { "cache", false },
	[KEY_PLACE + PLACE_CORE] = { "core", false },
	[KEY_PLACE + PLACE_CPU] = { "cpu", false },
	[KEY_PLACE + PLACE_THREAD] = { "thread", false },
	[KEY_COMM] = { "comm", true },
	[KEY_CPUS] = { "cpus", false },
	[KEY_CGROUP] = { "cgroup", true },
};

/* What tells one bucket from another. */
static const unsigned int places[AGGR_NR] = {
	[AGGR_NONE] = 1 << PLACE_CPU,
	[AGGR_SOCKET] = 1 << PLACE_SOCKET,
	[AGGR_DIE] = 1 << PLACE_SOCKET | 1 << PLACE_DIE,
	[AGGR_CLUSTER] = 1 << PLACE_SOCKET | 1 << PLACE_DIE | 1 << PLACE_CLUSTER,
	[AGGR_CACHE] = 1 << PLACE_SOCKET | 1 << PLACE_DIE | 1 << PLACE_CACHE_LEVEL |
		       1 << PLACE_CACHE,
	[AGGR_CORE] = 1 << PLACE_SOCKET | 1 << PLACE_DIE | 1 << PLACE_CLUSTER | 1 << PLACE_CORE,
	[AGGR_NODE] = 1 << PLACE_NODE,
	[AGGR_THREAD] = 1 << PLACE_THREAD,
};

static bool key__is_wanted(const struct report *r, enum key_id key)
{
	switch (key) {
	case KEY_COMM:
		return r->opts.aggr == AGGR_THREAD;
	case KEY_CPUS:
		return r->per_cpu && r->opts.aggr != AGGR_NONE && !r->uncounted;
	case KEY_CGROUP:
		return r->has_cgroups;
	default:
		return key < KEY_PLACE || places[r->opts.aggr] & 1u << (key - KEY_PLACE);
	}
}

void keys__choose(struct report *r)
{
	for (enum key_id key = 0; key < KEY_NR; key++)
		if (key__is_wanted(r, key))
			r->own->keys[r->own->nr_keys++] = key;
}

const char *key__name(enum key_id key)
{
	return keys[key].name;
}

bool key__is_text(enum key_id key)
{
	return keys[key].is_text;
}

/* What was read from text need not say when it was. */
static void print_seconds(struct sb *sb, uint64_t ns)
{
	if (!ns)
		return;
	sb__printf(sb, "%" PRIu64 ".%09" PRIu64, ns / NS_PER_S, ns % NS_PER_S);
}

static const char *row_name(const struct report *r)
{
	if (r->opts.runs)
		return "mean";
	return r->opts.interval ? "interval" : "run";
}

/* The machine does not say where it is, or the bucket is not of such a kind. */
static bool place_is_known(const struct bucket *bucket, enum place_part part)
{
	return bucket->at[part] >= 0 && !(part == PLACE_CLUSTER && bucket->at[part] == NO_CLUSTER);
}

void key__print(struct report *r, enum key_id key, const struct spot *spot,
		const struct cell *cell)
{
	const struct bucket *bucket = &r->buckets[spot->bucket];

	switch (key) {
	case KEY_TIME:
		print_seconds(&r->text, r->time->since_start_ns);
		break;
	case KEY_LENGTH:
		print_seconds(&r->text, r->time->elapsed_ns);
		break;
	case KEY_ROW:
		sb__puts(&r->text, row_name(r));
		break;
	case KEY_COMM:
		sb__puts(&r->text, bucket->comm);
		break;
	case KEY_CPUS:
		sb__printf(&r->text, "%d", cell ? cell->nr : bucket->nr_units - bucket->nr_unseen);
		break;
	case KEY_CGROUP:
		sb__puts(&r->text, r->own->cgroups[spot->cgroup].name);
		break;
	default:
		if (place_is_known(bucket, key - KEY_PLACE))
			sb__printf(&r->text, "%d", bucket->at[key - KEY_PLACE]);
		break;
	}
}
