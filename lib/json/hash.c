// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "json/hash.h"

#define FNV_PRIME 0x100000001b3u

uint64_t hash__bytes(uint64_t hash, const void *bytes, size_t len)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ at[i]) * FNV_PRIME;
	return hash;
}

uint64_t hash__file(uint64_t hash, const char *name, const void *bytes, size_t len)
{
	return hash__bytes(hash__bytes(hash, name, strlen(name) + 1), bytes, len);
}
