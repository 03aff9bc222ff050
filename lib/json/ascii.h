/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON in ASCII: json-c 0.18 refuses other characters where it is strict. */
#ifndef TMA_JSON_ASCII_H
#define TMA_JSON_ASCII_H

#include <stddef.h>

/**
 * json_ascii() - write a JSON text with \uXXXX for each character beyond ASCII
 * @text: of @len bytes
 *
 * A reader makes the same of both. Line ends stay where they are.
 *
 * Return: the new text, to be given to free(); NULL when the text is ASCII already, is not
 * UTF-8, or has such a character behind a backslash, which is no JSON.
 */
char *json_ascii(const char *text, size_t len);

#endif
