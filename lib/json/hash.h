/* SPDX-License-Identifier: GPL-2.0-only */
/* A hash of what tables were made from, by which two sets of files are told apart. */
#ifndef TMA_JSON_HASH_H
#define TMA_JSON_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Where a hash begins. */
#define HASH_INIT 0xcbf29ce484222325u

/**
 * hash__file() - go on with a file: its name, a NUL, its bytes
 * @name: without its folder
 *
 * As FNV-1a, eight bytes at a time, and the high bits are mixed into the low ones. The same on all
 * machines. Return: the new hash.
 *
 * The hash of a model's tables is that of its files in the order of their names, those of a second
 * folder behind those of the first.
 */
uint64_t hash__file(uint64_t hash, const char *name, const void *bytes, size_t len);

#endif
