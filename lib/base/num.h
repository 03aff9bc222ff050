/* SPDX-License-Identifier: GPL-2.0-only */
/* Parse numbers: a text that must be a number in a range, or a number at the start of a text. */
#ifndef TMA_BASE_NUM_H
#define TMA_BASE_NUM_H

#include <stdbool.h>
#include <stdint.h>

struct err;

/**
 * num__parse_u64() - parse an unsigned decimal or 0x number
 * @what:  the meaning of the number, for the message ("interval, in ms")
 * @text:  the text, which must be nothing but the number
 * @min:   smallest value accepted
 * @max:   largest value accepted
 * @out:   set on success only
 * @err:   may be NULL
 *
 * Return: 0; -EINVAL if @text is not a number; -ERANGE if it is out of range.
 */
int num__parse_u64(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *out,
		   struct err *err);

/** num__parse_i64() - parse a signed number ("-1") as num__parse_u64() does. */
int num__parse_i64(const char *what, const char *text, int64_t min, int64_t max, int64_t *out,
		   struct err *err);

/**
 * num__scan_double() - parse a decimal number at the start of a text, in the C locale
 * @text: digits, one optional '.', an optional exponent; no sign, blank, "inf" or hex
 * @out:  set on success only
 *
 * Return: bytes read, 0 when @text does not begin with such a number.
 */
int num__scan_double(const char *text, double *out);

/**
 * num__parse_time() - parse a text that is a time: "30s", "500ms", "2m", "1h", or a number of
 * seconds
 * @seconds: set on success only
 *
 * Return: whether the text is a time.
 */
bool num__parse_time(const char *text, double *seconds);

/**
 * num__parse_double() - parse a text that is a decimal number, with an optional sign, in the C
 * locale
 * @what: the meaning of the number, for the message
 * @text: nothing but the number (sysfs .scale files: "2.3283064365386962890625e-10")
 * @out:  set on success only
 * @err:  may be NULL
 *
 * Return: 0; -EINVAL if @text is not a number; -ERANGE if it is too large for a double.
 */
int num__parse_double(const char *what, const char *text, double *out, struct err *err);

/**
 * num__scan_u64() - parse an unsigned number at the start of a text
 * @text: a text that begins with a digit; "0x" introduces hexadecimal
 * @base: 0 for C rules, 10 for decimal, 16 for hexadecimal digits without a prefix
 * @out:  set on success only
 *
 * Return: bytes read, 0 if there is no number or it does not fit 64 bits.
 */
int num__scan_u64(const char *text, int base, uint64_t *out);

#endif
