/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Libraries that only one command needs: they are loaded when this command begins. So other
 * commands neither load them nor fail without them.
 */
#ifndef TMA_BASE_LIBRARY_H
#define TMA_BASE_LIBRARY_H

struct err;

/**
 * struct library_call - a function of a library
 * @name: the function's name
 * @to:   address of the pointer that is set to the function
 */
struct library_call {
	const char *name;
	void *to;
};

/*
 * LIBRARY_DECLARE(f) declares the pointer lib_f; LIBRARY_CALL(f) is the entry of a table that sets
 * it.
 */
#define LIBRARY_DECLARE(call) static __typeof__(call) *lib_##call;
#define LIBRARY_CALL(call) {#call, &lib_##call},

/**
 * library__load() - load a library, and find functions in it
 * @file: the library's name for the dynamic loader
 * @package: the library's Debian package, for the message
 * @calls: the functions; the last entry has no name
 *
 * Return: 0, or -ELIBACC if the library is not installed or lacks a function. Without memory it
 * does not return.
 */
int library__load(const char *file, const char *package, const struct library_call *calls,
		  struct err *err);

#endif
