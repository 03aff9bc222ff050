// SPDX-License-Identifier: GPL-2.0-only
/*
 * libiberty converts the names of C++, Rust and D, and is linked in if it is available. Otherwise
 * the standard library of C++, which most programs of C++ load, converts the names of C++.
 */
#include "where/demangle.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef TMA_LIBIBERTY
#include <libiberty/demangle.h>
#endif

#include "base/xalloc.h"

#define LONGEST 8192 /* the most bytes of a name; the longest names of templates have some
		      * thousands */

static bool is_open(char c)
{
	return c == '(' || c == '<' || c == '[' || c == '{';
}

static bool is_close(char c)
{
	return c == ')' || c == '>' || c == ']' || c == '}';
}

/* Return: where the parenthesis is opened that is closed at @end, or NULL. */
static char *find_opening(char *name, char *end)
{
	int depth = 0;

	for (char *at = end;; at--) {
		depth += (*at == ')') - (*at == '(');
		if (!depth)
			return at;
		if (at == name)
			return NULL;
	}
}

/* Return: where the name begins, which is after the last blank outside parentheses of any kind. */
static char *skip_returned(char *name)
{
	char *begin = name, *sign = strstr(name, "operator");
	int depth = 0;

	/* In "operator new" and in operators with a sign, there is no type to skip. */
	for (char *at = name; *at && (!sign || at < sign); at++) {
		depth += is_open(*at) - is_close(*at);
		if (*at == ' ' && !depth)
			begin = at + 1;
	}
	return begin;
}

void demangle__drop_types(char *name)
{
	char *end = strrchr(name, ')'), *begin;

	/* After the parameters, only words and signs like "const &" may follow. */
	if (end && !strpbrk(end, ":<>")) {
		char *opening = find_opening(name, end);

		if (opening && opening > name && opening[-1] != ':' && opening[-1] != ' ')
			*opening = '\0';
	}
	begin = skip_returned(name);
	memmove(name, begin, strlen(begin) + 1);
}

#ifdef TMA_LIBIBERTY

/*
 * libiberty allocates by xmalloc() and xrealloc(). Its own functions would clash with tma's: all
 * are in one object.
 */
void *xrealloc(void *old, size_t size);
void *xrealloc(void *old, size_t size)
{
	return xreallocarray(old, size, 1);
}

/*
 * struct demangled - a converted name, which comes in parts
 * @full: where to jump if the name is too long to be useful
 */
struct demangled {
	char text[LONGEST];
	size_t len;
	jmp_buf full;
};

/*
 * Add a part of a name. Too long a name is given up: a short mangled name can represent gigabytes.
 */
static void take_part(const char *part, size_t len, void *arg)
{
	struct demangled *d = arg;

	if (len >= sizeof(d->text) - d->len)
		longjmp(d->full, 1);
	memcpy(d->text + d->len, part, len);
	d->len += len;
}

/*
 * Convert a name. The library keeps everything on the stack, so longjmp() may leave it. Return:
 * whether the library knows the name.
 */
static bool demangle_parts(const char *name, struct demangled *d)
{
	d->len = 0;
	if (setjmp(d->full))
		return false;
	if (rust_demangle_callback(name, 0, take_part, d))
		return true;
	d->len = 0;
	return cplus_demangle_v3_callback(name, 0, take_part, d);
}

/*
 * Convert a name of any language. Without DMGL_PARAMS, the types of the function itself are left
 * out, except in D.
 */
static char *demangle__any(const char *name)
{
	struct demangled *d = xmalloc(sizeof(*d));
	char *out = demangle_parts(name, d) ? xstrndup(d->text, d->len) : NULL;

	free(d);
	if (out || strncmp(name, "_D", 2))
		return out;
	out = cplus_demangle(name, DMGL_DLANG);
	if (out)
		demangle__drop_types(out);
	return out;
}

#else

#define CXX_LIBRARY "libstdc++.so.6"

static char *demangle__any(const char *name)
{
	static char *(*demangle)(const char *name, char *out, size_t *len, int *status);
	static bool looked;
	char *out;

	if (!looked) {
		void *library = dlopen(CXX_LIBRARY, RTLD_NOW | RTLD_LOCAL);

		demangle = library ? (__typeof__(demangle))dlsym(library, "__cxa_demangle") : NULL;
		looked = true;
	}
	/*
	 * A plain letter is not a mangled name, but would be converted as one of a type: "i" is
	 * int.
	 */
	if (!demangle || strncmp(name, "_Z", 2))
		return NULL;
	out = demangle(name, NULL, NULL, NULL);
	if (out)
		demangle__drop_types(out);
	return out;
}

#endif

char *demangle__name(const char *name)
{
	char *out = *name == '_' && strnlen(name, LONGEST) < LONGEST ? demangle__any(name) : NULL;

	if (out && *out)
		return out;
	free(out);
	return NULL;
}
