// SPDX-License-Identifier: GPL-2.0-only
/* Writes a description of this computer's caches, which sysfs has for each CPU. */
#include <stdlib.h>

#include "base/array.h"
#include "base/file.h"
#include "record/recorder.h"

#define CACHE_PATH "%s/devices/system/cpu/cpu%d/cache/index%d/"
#define MAX_INDEX 16
#define MAP_BYTES 4096 /* size of the buffer for a list of CPUs */
#define WORD_BYTES 32  /* size of the buffer for the kind of a cache, or for its size */

/**
 * struct cache - a cache of one or more CPUs
 * @index: number of the cache in the directories of its CPUs
 * @text:  description of the cache
 */
struct cache {
	int index, level;
	struct cpulist cpus;
	struct sb text;
};

struct caches {
	struct cache *at;
	int nr, cap;
};

static int features_cache__number(const struct machine *m, int cpu, int index, const char *name)
{
	int value;

	return file__read_int(&value, CACHE_PATH "%s", m->sysfs, cpu, index, name) ? 0 : value;
}

static void words(const struct machine *m, int cpu, int index, const char *name, char *buf,
		  size_t size)
{
	if (file__read_line(buf, size, CACHE_PATH "%s", m->sysfs, cpu, index, name) < 0)
		*buf = '\0';
}

static bool is_known(const struct caches *all, int cpu, int index)
{
	for (int i = all->nr - 1; i >= 0; i--)
		if (all->at[i].index == index && cpulist__has(&all->at[i].cpus, cpu))
			return true;
	return false;
}

/* Add the cache of a CPU that has this number. Return: whether the CPU has such a cache. */
static bool add_cache(const struct machine *m, struct caches *all, int cpu, int index)
{
	static const char *const numbers[] = { "coherency_line_size", "number_of_sets",
					       "ways_of_associativity" };
	struct cache c = {.index = index, .level = features_cache__number(m, cpu, index, "level")};
	char map[MAP_BYTES], word[WORD_BYTES];

	if (!c.level)
		return false;
	words(m, cpu, index, "shared_cpu_list", map, sizeof(map));
	if (cpulist__parse("shared_cpu_list", map, &c.cpus, NULL))
		return true;
	put_u32(&c.text, c.level);
	for (int i = 0; i < array__nr(numbers); i++)
		put_u32(&c.text, features_cache__number(m, cpu, index, numbers[i]));
	words(m, cpu, index, "type", word, sizeof(word));
	put_string(&c.text, word);
	words(m, cpu, index, "size", word, sizeof(word));
	put_string(&c.text, word);
	put_string(&c.text, map);
	vec__push(all, c);
	return true;
}

static int by_level(const void *a, const void *b)
{
	const struct cache *l = a, *r = b;

	if (l->level != r->level)
		return l->level - r->level;
	if (l->index != r->index)
		return l->index - r->index;
	return (l->cpus.nr ? l->cpus.at[0] : 0) - (r->cpus.nr ? r->cpus.at[0] : 0);
}

void feature_caches(struct recorder *r, struct sb *sb)
{
	struct caches all = { .at = NULL };
	const struct machine *m = r->machine;
	const int *cpu;
	struct cache *c;

	cpulist__for_each(cpu, &m->online)
		for (int index = 0; index < MAX_INDEX; index++)
			if (!is_known(&all, *cpu, index) && !add_cache(m, &all, *cpu, index))
				break;
	if (all.nr) {
		qsort(all.at, all.nr, sizeof(*all.at), by_level);
		put_u32(sb, CACHE_FEATURE_VERSION);
		put_u32(sb, all.nr);
	}
	vec__for_each(c, &all) {
		sb__add(sb, c->text.buf, c->text.len);
		cpulist__free(&c->cpus);
		sb__free(&c->text);
	}
	vec__free(&all);
}
