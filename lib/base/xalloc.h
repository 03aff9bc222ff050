/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Allocating functions that do not return without memory: if a handler is installed, it ends the
 * program.
 *
 * tma installs a handler (cmd/tma.c), and so does the generator of its tables, so that their code
 * never checks for NULL. Guests in other programs (lib/sim) install no handler and get NULL;
 * functions of lib/base then fail with NULL or -ENOMEM and leave their object unchanged. In a
 * header, "without memory" means this.
 *
 * Libraries that are linked statically (json-c, libperf, libsubcmd) allocate in the same way: the
 * linker replaces their calls of malloc() and similar functions by the functions of linked.c, as
 * some of these libraries do not check for NULL. If libc cannot allocate for itself, its functions
 * fail with ENOMEM.
 */
#ifndef TMA_BASE_XALLOC_H
#define TMA_BASE_XALLOC_H

#include <stdarg.h>
#include <stddef.h>

/**
 * xalloc__set_handler() - set the function that is called when memory runs out
 * @handler: must not return, and must allocate nothing; NULL: allocations return NULL
 */
void xalloc__set_handler(void (*handler)(void));

/* An analyzer that sees one source file at a time assumes that a handler is installed. */
#ifdef __clang_analyzer__
#define XALLOC_RETURNS __attribute__((returns_nonnull))
#else
#define XALLOC_RETURNS
#endif

/** xmalloc() - allocate memory that is not cleared. */
void *xmalloc(size_t size) XALLOC_RETURNS;
/** xcalloc() - allocate @nr zeroed elements of @size bytes; @nr may be 0. */
void *xcalloc(size_t nr, size_t size) XALLOC_RETURNS;
/** xreallocarray() - resize memory to @nr elements of @size bytes. */
void *xreallocarray(void *old, size_t nr, size_t size) XALLOC_RETURNS;
/** xstrdup() - copy a text; NULL for NULL. */
char *xstrdup(const char *text);
/** xstrndup() - copy the first @len bytes of a text. */
char *xstrndup(const char *text, size_t len) XALLOC_RETURNS;
/** xasprintf() - print to a new text. */
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** xvasprintf() - print to a new text, with arguments in a va_list. */
char *xvasprintf(const char *fmt, va_list ap);
/** xchecked() - call the handler if @memory, from another allocator, is NULL. Return: @memory. */
void *xchecked(void *memory);

/** struct arena - memory to be released together with its owner; must be zeroed at first */
struct arena {
	void **at;
	int nr, cap;
};

/** arena__keep() - have @memory released with the arena. Return: @memory. */
void *arena__keep(struct arena *a, void *memory);
/** arena__calloc() - allocate as xcalloc() does, and keep the memory in an arena. */
#define arena__calloc(a, nr, size) arena__keep((a), xcalloc((nr), (size)))
/** arena__free() - release the memory of an arena. */
void arena__free(struct arena *a);

#endif
