// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"

static void (*out_of_memory)(void);

void xalloc__set_handler(void (*handler)(void))
{
	out_of_memory = handler;
}

void *xchecked(void *memory)
{
	if (!memory && out_of_memory)
		out_of_memory();
	return memory;
}

void *xmalloc(size_t size)
{
	return xchecked(malloc(size ? size : 1));
}

void *xcalloc(size_t nr, size_t size)
{
	return xchecked(calloc(nr ? nr : 1, size ? size : 1));
}

void *xreallocarray(void *old, size_t nr, size_t size)
{
	return xchecked(reallocarray(old, nr ? nr : 1, size ? size : 1));
}

char *xstrdup(const char *text)
{
	return text ? xchecked(strdup(text)) : NULL;
}

char *xstrndup(const char *text, size_t len)
{
	return xchecked(strndup(text, len));
}

char *xvasprintf(const char *fmt, va_list ap)
{
	char *text;

	return xchecked(vasprintf(&text, fmt, ap) < 0 ? NULL : text);
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	return text;
}

void *arena__keep(struct arena *a, void *memory)
{
	vec__push(a, memory);
	return memory;
}

void arena__free(struct arena *a)
{
	for (int i = 0; i < a->nr; i++)
		free(a->at[i]);
	vec__free(a);
}
