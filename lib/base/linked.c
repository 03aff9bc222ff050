// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocating functions for statically linked libraries, and for libc functions that allocate. The
 * linker's --wrap (see Makefile) puts __wrap_malloc() in place of malloc(), whose name here is
 * __real_malloc().
 */
#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/xalloc.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t nr, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t len);
int __real_vasprintf(char **out, const char *fmt, va_list ap);
locale_t __real_newlocale(int mask, const char *name, locale_t base);
locale_t __real_duplocale(locale_t locale);
FILE *__real_fopen(const char *path, const char *mode);
char *__real_realpath(const char *path, char *real);
char *__real___realpath_chk(const char *path, char *real, size_t size);

static inline void *checked(void *memory)
{
	return memory ? memory : xchecked(NULL);
}

void *__wrap_malloc(size_t size)
{
	return checked(__real_malloc(size));
}

void *__wrap_calloc(size_t nr, size_t size)
{
	return checked(__real_calloc(nr, size));
}

void *__wrap_realloc(void *old, size_t size)
{
	void *new = __real_realloc(old, size);

	/* realloc() to size 0 frees the memory and may return NULL. */
	return size ? checked(new) : new;
}

char *__wrap_strdup(const char *text)
{
	return checked(__real_strdup(text));
}

char *__wrap_strndup(const char *text, size_t len)
{
	return checked(__real_strndup(text, len));
}

int __wrap_vasprintf(char **out, const char *fmt, va_list ap)
{
	int len = __real_vasprintf(out, fmt, ap);

	if (len < 0)
		xchecked(NULL);
	return len;
}

/* Code that was compiled with _FORTIFY_SOURCE calls this function. */
int __wrap___vasprintf_chk(char **out, int flag, const char *fmt, va_list ap)
{
	(void)flag;
	return __wrap_vasprintf(out, fmt, ap);
}

int __wrap_asprintf(char **out, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = __wrap_vasprintf(out, fmt, ap);
	va_end(ap);
	return len;
}

int __wrap___asprintf_chk(char **out, int flag, const char *fmt, ...)
{
	va_list ap;
	int len;

	(void)flag;
	va_start(ap, fmt);
	len = __wrap_vasprintf(out, fmt, ap);
	va_end(ap);
	return len;
}

/* Only the C locale is requested, which always exists, so NULL means a lack of memory. */
locale_t __wrap_newlocale(int mask, const char *name, locale_t base)
{
	return checked(__real_newlocale(mask, name, base));
}

locale_t __wrap_duplocale(locale_t locale)
{
	return checked(__real_duplocale(locale));
}

/* Return a result of libc. If it is NULL because of a lack of memory, end the program. */
static void *checked_errno(void *memory)
{
	return memory || errno != ENOMEM ? memory : xchecked(NULL);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	return checked_errno(__real_fopen(path, mode));
}

char *__wrap_realpath(const char *path, char *real)
{
	return checked_errno(__real_realpath(path, real));
}

char *__wrap___realpath_chk(const char *path, char *real, size_t size)
{
	return checked_errno(__real___realpath_chk(path, real, size));
}
