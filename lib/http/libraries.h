/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The libraries that a server needs, and no other command: they are loaded when a server begins, so
 * that no other command pays for them or fails without them.
 */
#ifndef TMA_HTTP_LIBRARIES_H
#define TMA_HTTP_LIBRARIES_H

/* Where the headers of one of them are missing at the build, there is no server. */
#if __has_include(<microhttpd.h>) && __has_include(<yaml.h>) && __has_include(<zlib.h>) && \
	__has_include(<crypt.h>)
#define HTTP_IS_BUILT 1
#else
#define HTTP_IS_BUILT 0
#endif

struct err;

/**
 * struct library_call - a function of a library
 * @to: set to it: the address of a pointer to such a function
 */
struct library_call {
	const char *name;
	void *to;
};

/* LIBRARY_DECLARE(f) is the pointer lib_f, and LIBRARY_CALL(f) the line of a table that sets it. */
#define LIBRARY_DECLARE(call) static __typeof__(call) *lib_##call;
#define LIBRARY_CALL(call) {#call, &lib_##call},

/**
 * library__load() - load a library, and find functions of it
 * @file: its name for the dynamic loader
 * @package: Debian's package, for the message
 * @calls: up to one without a name
 *
 * Return: 0, or -ELIBACC where it is not installed or lacks a function.
 */
int library__load(const char *file, const char *package, const struct library_call *calls,
		  struct err *err);

#endif
