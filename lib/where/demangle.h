/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names that compilers of C++, Rust and D made of functions come in; the names of the source go
 * out, without parameters, return types and hashes. A program chooses the names of its functions
 * and may make them malicious: only a child that reads its files calls this.
 */
#ifndef TMA_WHERE_DEMANGLE_H
#define TMA_WHERE_DEMANGLE_H

/**
 * demangle__name() - convert a name. Return: memory from malloc(); NULL for a name that is as in
 * the source.
 */
char *demangle__name(const char *name);
/**
 * demangle__drop_types() - reduce a function's name to the name alone, in place
 * @name: with its parameters and perhaps the type that it returns: "int get<int>(int) const"
 */
void demangle__drop_types(char *name);

#endif
