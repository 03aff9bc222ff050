/* SPDX-License-Identifier: GPL-2.0-only */
/* Units are the vendors' words; these functions recognise those that mean a share of a whole. */
#ifndef TMA_GRID_UNIT_H
#define TMA_GRID_UNIT_H

#include <stdbool.h>
#include <string.h>

#define SHARE_UNIT "%"
/* A share of the slots or cycles of the parent node, not of all. */
#define PARENT_UNIT "% parent"

/** unit__is_share() - tell whether numbers are percentages: "%", "%slots", "percent of slots". */
static inline bool unit__is_share(const char *unit)
{
	return *unit == '%' || !strncmp(unit, "percent", sizeof("percent") - 1);
}

/** unit__common() - get a unit that all vendors have in common: "%" for any share. */
static inline const char *unit__common(const char *unit)
{
	return unit__is_share(unit) ? SHARE_UNIT : unit;
}

#endif
