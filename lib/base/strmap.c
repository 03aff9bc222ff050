// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "base/xalloc.h"

/* The table uses open addressing, and is at most half full. */
struct slot {
	char *key;
	uint32_t hash;
	int value;
};

struct strmap {
	struct slot *slots;
	uint32_t size; /* number of slots, a power of two */
	int nr;
};

#define FIRST_SIZE 32

/* The hash is FNV-1a of 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/). */
static uint32_t strmap__hash_of(const char *key)
{
	uint32_t h = 2166136261u;

	for (; *key; key++)
		h = (h ^ (unsigned char)*key) * 16777619u;
	return h;
}

struct strmap *strmap__new(void)
{
	struct strmap *map = xcalloc(1, sizeof(*map));

	if (!map)
		return NULL;
	map->size = FIRST_SIZE;
	map->slots = xcalloc(map->size, sizeof(*map->slots));
	if (!map->slots) {
		free(map);
		return NULL;
	}
	return map;
}

void strmap__free(struct strmap *map)
{
	if (!map)
		return;
	for (uint32_t i = 0; i < map->size; i++)
		free(map->slots[i].key);
	free(map->slots);
	free(map);
}

static struct slot *strmap__find(struct slot *slots, uint32_t size, uint32_t hash, const char *key)
{
	uint32_t i = hash & (size - 1);

	while (slots[i].key && (slots[i].hash != hash || strcmp(slots[i].key, key)))
		i = (i + 1) & (size - 1);
	return &slots[i];
}

static int strmap__grow(struct strmap *map)
{
	uint32_t size = map->size * 2;
	struct slot *slots = xcalloc(size, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (uint32_t i = 0; i < map->size; i++)
		if (map->slots[i].key)
			*strmap__find(slots, size, map->slots[i].hash,
				      map->slots[i].key) = map->slots[i];
	free(map->slots);
	map->slots = slots;
	map->size = size;
	return 0;
}

/* Find the slot of a key, or add it with @value. Return: NULL without memory. */
static struct slot *slot_of(struct strmap *map, const char *key, int value)
{
	uint32_t hash = strmap__hash_of(key);
	struct slot *slot;

	if (2 * (uint32_t)(map->nr + 1) > map->size && strmap__grow(map))
		return NULL;
	slot = strmap__find(map->slots, map->size, hash, key);
	if (!slot->key) {
		char *copy = xstrdup(key);

		if (!copy)
			return NULL;
		*slot = (struct slot){ .key = copy, .hash = hash, .value = value };
		map->nr++;
	}
	return slot;
}

int strmap__put(struct strmap *map, const char *key, int value)
{
	struct slot *slot = slot_of(map, key, value);

	if (slot)
		slot->value = value;
	return slot ? 0 : -ENOMEM;
}

int strmap__add(struct strmap *map, const char *key, int value)
{
	struct slot *slot = slot_of(map, key, value);

	return slot ? slot->value : -ENOMEM;
}

int strmap__get(const struct strmap *map, const char *key)
{
	struct slot *slot = strmap__find(map->slots, map->size, strmap__hash_of(key), key);

	return slot->key ? slot->value : -1;
}

int strmap__nr(const struct strmap *map)
{
	return map->nr;
}
