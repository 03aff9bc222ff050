/* SPDX-License-Identifier: GPL-2.0-only */
/* Convert JSON to ASCII, since json-c 0.18 refuses other characters in strict mode. */
#ifndef TMA_JSON_ASCII_H
#define TMA_JSON_ASCII_H

#include <stddef.h>

/**
 * json_ascii() - write characters of a JSON text beyond ASCII as \uXXXX
 * @text: the text; @len: number of bytes
 *
 * A parser reads the same values from both texts. Lines keep their numbers.
 *
 * Return: the new text, which the caller frees; NULL if the text is ASCII already, is not UTF-8, or
 * has a character beyond ASCII after a backslash, which JSON forbids.
 */
char *json_ascii(const char *text, size_t len);

#endif
