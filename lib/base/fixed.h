/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers come in; texts with a fixed number of digits come out, as of printf(), at less cost. */
#ifndef TMA_BASE_FIXED_H
#define TMA_BASE_FIXED_H

#include <stdbool.h>
#include <stdint.h>

struct sb;

/**
 * fixed__print() - append a number as "%.*f" does, to the last digit
 * @digits:  behind the point, 0 to 9
 * @grouped: as "%'.*f" does, in the locale of the thread as the point is
 */
void fixed__print(struct sb *sb, double value, int digits, bool grouped);

/**
 * fixed__print_u64() - append an integer as "%0*PRIu64" does
 * @width: at least so many digits, 0 to 20
 */
void fixed__print_u64(struct sb *sb, uint64_t value, int width);

#endif
