/* SPDX-License-Identifier: GPL-2.0-only */
/* What the fuzz targets share. */
#ifndef TMA_TESTS_FUZZ_H
#define TMA_TESTS_FUZZ_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/**
 * LLVMFuzzerInitialize() - make ready, once
 *
 * The names are libFuzzer's. replay.c calls the same two.
 *
 * Return: 0
 */
int LLVMFuzzerInitialize(int *argc, char ***argv);
/**
 * LLVMFuzzerTestOneInput() - try an input; aborts when what must hold does not
 *
 * Return: 0
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void __attribute__((format(printf, 4, 5), noreturn))
fuzz__fail(const char *file, int line, const char *condition, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s:%d: not so: %s:", file, line, condition);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}

/** fuzz_check() - what must hold whatever the input; the words and values behind it are shown. */
#define fuzz_check(condition, ...)                                                   \
	do {                                                                         \
		if (!(condition))                                                    \
			fuzz__fail(__FILE__, __LINE__, #condition, " " __VA_ARGS__); \
	} while (0)

/* The input as a string in memory of its own size, so that reading past its end is noticed. */
static inline char *fuzz__text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	fuzz_check(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* A failure has a code and words, and both say the same as what was returned. */
static inline void fuzz__check_error(int rc, const struct err *err)
{
	fuzz_check(rc < 0, "%d", rc);
	fuzz_check(err->code == -rc, "returned %d, code %d: %s", rc, err->code, err->msg);
	fuzz_check(*err->msg, "error %d has no message", rc);
	fuzz_check(memchr(err->msg, '\0', sizeof(err->msg)));
}

#endif
