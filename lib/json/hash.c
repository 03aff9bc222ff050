// SPDX-License-Identifier: GPL-2.0-only
#include <endian.h>
#include <string.h>

#include "json/hash.h"

#define FNV_PRIME 0x100000001b3u

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * FNV_PRIME;
	return hash ^ hash >> 32;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len)
{
	const unsigned char *at = bytes, *end = at + len;
	uint64_t word;

	for (; (size_t)(end - at) >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = mix(hash, le64toh(word));
	}
	while (at < end)
		hash = mix(hash, *at++);
	/* Eight zeros more are other bytes. */
	return mix(hash, len);
}

uint64_t hash__file(uint64_t hash, const char *name, const void *bytes, size_t len)
{
	return hash_bytes(hash_bytes(hash, name, strlen(name) + 1), bytes, len);
}
