/* SPDX-License-Identifier: GPL-2.0-only */
/* Keys that an object has twice, which json-c's parser replaces without a word. */
#ifndef TMA_JSON_KEYS_H
#define TMA_JSON_KEYS_H

#include <stddef.h>

struct json_object;

/**
 * keys__double() - look for a key that stands twice in one object
 * @json: what the parser made of the text
 * @text: valid JSON
 * @len:  bytes of it
 * @key, @key_len: set when there is one: its second place, inside @text; of length 0 when both are
 *                 spelt differently ("\u0041" and "A")
 *
 * Return: 1 when there is one, 0 when there is none, or -ENOMEM.
 */
int keys__double(struct json_object *json, const char *text, size_t len, const char **key,
		 size_t *key_len);

#endif
