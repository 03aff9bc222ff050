/* SPDX-License-Identifier: GPL-2.0-only */
/* Print numbers with a fixed number of digits: the text is printf()'s, but is made faster. */
#ifndef TMA_BASE_FIXED_H
#define TMA_BASE_FIXED_H

#include <stdbool.h>
#include <stdint.h>

struct sb;

/**
 * fixed__print() - append the text that "%.*f" prints, identical to the last digit
 * @digits:  digits after the point, 0 to 9
 * @grouped: with thousands separators, as "%'.*f"; the thread's locale determines separators and
 *           point
 */
void fixed__print(struct sb *sb, double value, int digits, bool grouped);

/**
 * fixed__print_u64() - append the text that "%0*PRIu64" prints
 * @width: the least number of digits, 0 to 20
 */
void fixed__print_u64(struct sb *sb, uint64_t value, int width);

#endif
