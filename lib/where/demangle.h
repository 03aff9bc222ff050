/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Converts the names that compilers of C++, Rust and D give to functions to the names in the
 * source, without parameters, return types and hashes. A program may have malicious names of
 * functions, so only a child that reads the program's files calls this.
 */
#ifndef TMA_WHERE_DEMANGLE_H
#define TMA_WHERE_DEMANGLE_H

/**
 * demangle__name() - convert a name. Return: memory from malloc(); NULL for a name that is already
 * as in the source.
 */
char *demangle__name(const char *name);
/**
 * demangle__drop_types() - remove the types from a function's name, in place
 * @name: name with its parameters and perhaps the type of its result, such as "int get<int>(int)
 *        const"
 */
void demangle__drop_types(char *name);

#endif
