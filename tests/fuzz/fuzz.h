/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations shared by the fuzz targets. */
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
 * LLVMFuzzerInitialize() - prepare the target once
 *
 * libFuzzer calls this function and the next one by these names, and so does replay.c.
 *
 * Return: 0
 */
int LLVMFuzzerInitialize(int *argc, char ***argv);
/**
 * LLVMFuzzerTestOneInput() - try an input; abort if a condition does not hold
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

/* fuzz_check() - abort if a condition does not hold, and print the words and values after it. */
#define fuzz_check(condition, ...)                                                   \
	do {                                                                         \
		if (!(condition))                                                    \
			fuzz__fail(__FILE__, __LINE__, #condition, " " __VA_ARGS__); \
	} while (0)

/*
 * Copy the input as a string into memory of exactly its size, so that sanitizers notice reads past
 * its end.
 */
static inline char *fuzz__text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	fuzz_check(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* Check that a failure has a code and a message, and that the return value is this code. */
static inline void fuzz__check_error(int rc, const struct err *err)
{
	fuzz_check(rc < 0, "%d", rc);
	fuzz_check(err->code == -rc, "returned %d, code %d: %s", rc, err->code, err->msg);
	fuzz_check(*err->msg, "error %d has no message", rc);
	fuzz_check(memchr(err->msg, '\0', sizeof(err->msg)));
}

#endif
