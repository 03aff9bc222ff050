/* SPDX-License-Identifier: GPL-2.0-only */
/* Convert JSON to ASCII: json-c 0.18 refuses other characters in strict mode. */
#ifndef TMA_JSON_ASCII_H
#define TMA_JSON_ASCII_H

#include <stddef.h>

/**
 * json_ascii() - write characters of a JSON text beyond ASCII as \uXXXX
 * @text: the text, @len bytes
 *
 * A parser reads the same from both. Lines stay the same.
 *
 * Return: the new text, which the caller frees; NULL if the text is ASCII already, is not UTF-8, or
 * has such a character after a backslash, which is not JSON.
 */
char *json_ascii(const char *text, size_t len);

#endif
