// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"

int vec__reserve_raw(void *at, int *cap, int want, size_t size)
{
	int grown = *cap ? *cap : 8;
	void *old, *new;

	if (want <= *cap)
		return 0;
	while (grown < want) {
		if (grown > INT_MAX / 2) {
			xchecked(NULL);
			return -ENOMEM;
		}
		grown *= 2;
	}
	/*
	 * @at is the address of a pointer of any type. Copy the pointer, since C does not allow
	 * access to it through a void **.
	 */
	memcpy(&old, at, sizeof(old));
	new = xreallocarray(old, grown, size);
	if (!new)
		return -ENOMEM;
	memcpy(at, &new, sizeof(new));
	*cap = grown;
	return 0;
}
