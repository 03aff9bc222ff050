/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Units are words that vendors choose; these functions recognise units that mean a share of a
 * whole.
 */
#ifndef TMA_GRID_UNIT_H
#define TMA_GRID_UNIT_H

#include <stdbool.h>
#include <string.h>

#define SHARE_UNIT "%"
/* Unit of a share of the parent node's slots or cycles, not of all slots or cycles. */
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
