/* SPDX-License-Identifier: GPL-2.0-only */
/* A unit is a word of the vendor's; this says which of them mean a share of a whole. */
#ifndef TMA_GRID_UNIT_H
#define TMA_GRID_UNIT_H

#include <stdbool.h>
#include <string.h>

#define SHARE_UNIT "%"
/* Such a share is not one of all slots or cycles, but of those of the node above it. */
#define PARENT_UNIT "% parent"

/** unit__is_share() - whether numbers are percent: "%", "%slots", "percent of slots". */
static inline bool unit__is_share(const char *unit)
{
	return *unit == '%' || !strncmp(unit, "percent", sizeof("percent") - 1);
}

/** unit__common() - give the unit as all vendors have it: "%" for any share. */
static inline const char *unit__common(const char *unit)
{
	return unit__is_share(unit) ? SHARE_UNIT : unit;
}

#endif
