/* SPDX-License-Identifier: GPL-2.0-only */
/* Equal records made one. */
#ifndef TMA_JSON_DEDUP_H
#define TMA_JSON_DEDUP_H

#include <stddef.h>
#include <stdint.h>

/**
 * dedup() - keep the first of records with the same bytes
 * @records: an array; what is kept moves to its beginning, in the order it had
 * @nr:      how many, before and after
 * @size:    bytes of a record
 * @numbers: set to the new number of each record there was; the caller frees it. NULL if there
 *           were none
 *
 * Return: 0 or -ENOMEM.
 */
int dedup(void *records, int *nr, size_t size, uint32_t **numbers);

#endif
