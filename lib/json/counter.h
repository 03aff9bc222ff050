/* SPDX-License-Identifier: GPL-2.0-only */
/* The Counter field: which counters an event may use. */
#ifndef TMA_JSON_COUNTER_H
#define TMA_JSON_COUNTER_H

#include <stdint.h>

/**
 * counter__mask() - the counters which a Counter field names
 * @text: "0,1,2,3", "Fixed counter 1", "FIXED" (the only fixed one of an uncore unit)
 *
 * Return: bits 0-31 general counters, bits 32-63 fixed ones; 0 when the text says something else.
 */
uint64_t counter__mask(const char *text);

#endif
