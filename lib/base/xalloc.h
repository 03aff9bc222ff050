/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory which is there or the program ends: with a handler installed, none of these return
 * without.
 *
 * tma installs one (cmd/tma.c), and so does the generator of its tables: their floors need not look
 * for NULL. Guests in other programs (lib/sim) install none: they get NULL, and what lib/base has
 * for them fails with NULL or -ENOMEM, its object being unchanged. Where its headers say no more
 * than "without memory", this is meant.
 *
 * Libraries that are linked in whole (json-c, libperf, libsubcmd) allocate in the
 * same way: the linker turns their malloc() and the like into those of linked.c, as not all of them
 * look for NULL. What libc allocates for itself comes as its functions' failures, with ENOMEM.
 */
#ifndef TMA_BASE_XALLOC_H
#define TMA_BASE_XALLOC_H

#include <stdarg.h>
#include <stddef.h>

/**
 * xalloc__set_handler() - set what is called when memory runs out
 * @handler: must not return, and must allocate nothing; NULL: allocations return NULL
 */
void xalloc__set_handler(void (*handler)(void));

/* An analyzer that sees one source file at a time takes the handler for installed. */
#ifdef __clang_analyzer__
#define XALLOC_RETURNS __attribute__((returns_nonnull))
#else
#define XALLOC_RETURNS
#endif

/** xmalloc() - allocate memory that is not cleared. */
void *xmalloc(size_t size) XALLOC_RETURNS;
/** xcalloc() - allocate @nr zeroed elements of @size bytes; even 0 of them can be freed. */
void *xcalloc(size_t nr, size_t size) XALLOC_RETURNS;
/** xreallocarray() - make memory large enough for @nr elements of @size bytes. */
void *xreallocarray(void *old, size_t nr, size_t size) XALLOC_RETURNS;
/** xstrdup() - copy a text; NULL for NULL. */
char *xstrdup(const char *text);
/** xstrndup() - copy the first @len bytes of a text. */
char *xstrndup(const char *text, size_t len) XALLOC_RETURNS;
/** xasprintf() - print into a new text. */
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** xvasprintf() - do the same with a va_list. */
char *xvasprintf(const char *fmt, va_list ap);
/**
 * xchecked() - @memory which another library allocated, or NULL as it had none. Return: @memory.
 */
void *xchecked(void *memory);

/** struct arena - keeps memory that lives as long as its owner; zeroed at first */
struct arena {
	void **at;
	int nr, cap;
};

/** arena__keep() - have @memory from above released with the rest. Return: @memory. */
void *arena__keep(struct arena *a, void *memory);
/** arena__calloc() - allocate as xcalloc() does, and keep it. */
#define arena__calloc(a, nr, size) arena__keep((a), xcalloc((nr), (size)))
/** arena__free() - release all of it. */
void arena__free(struct arena *a);

#endif
