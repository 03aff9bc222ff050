/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Libraries that one command alone needs: they are loaded when it begins, so that no other command
 * pays for them or fails without them.
 */
#ifndef TMA_BASE_LIBRARY_H
#define TMA_BASE_LIBRARY_H

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
 * Return: 0, or -ELIBACC where it is not installed or lacks a function. Without memory it does not
 * return.
 */
int library__load(const char *file, const char *package, const struct library_call *calls,
		  struct err *err);

#endif
