/* SPDX-License-Identifier: GPL-2.0-only */
/* Print numbers with a fixed number of digits: the same text as printf() makes, but faster. */
#ifndef TMA_BASE_FIXED_H
#define TMA_BASE_FIXED_H

#include <stdbool.h>
#include <stdint.h>

struct sb;

/**
 * fixed__print() - append the same text as "%.*f", to the last digit
 * @digits:  digits after the point, 0 to 9
 * @grouped: as "%'.*f", with thousands separators; these and the point are those of the thread's
 *           locale
 */
void fixed__print(struct sb *sb, double value, int digits, bool grouped);

/**
 * fixed__print_u64() - append the same text as "%0*PRIu64"
 * @width: the least number of digits, 0 to 20
 */
void fixed__print_u64(struct sb *sb, uint64_t value, int width);

#endif
