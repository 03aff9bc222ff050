/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names that compilers of C++, Rust and D made of functions come in; the names of the source come
 * out, without parameters, return types and hashes. A program says how its functions are called and
 * may say anything: only a child that reads its files calls this.
 */
#ifndef TMA_WHERE_DEMANGLE_H
#define TMA_WHERE_DEMANGLE_H

/** demangle__name() - Return: the name, from malloc(); NULL for a name that is as in the source. */
char *demangle__name(const char *name);
/**
 * demangle__drop_types() - leave a function's name alone, in place
 * @name: with its parameters and perhaps the type that it returns: "int get<int>(int) const"
 */
void demangle__drop_types(char *name);

#endif
