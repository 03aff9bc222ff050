/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes of a program come in; the instructions around an address come out. */
#ifndef TMA_WHERE_DISASSEMBLE_H
#define TMA_WHERE_DISASSEMBLE_H

#include <stdbool.h>
#include <stdint.h>

#define CODE_AROUND 2	/* instructions before and after */
#define CODE_LONGEST 16 /* bytes of an instruction, and one more */

/**
 * struct code_range - what is taken apart
 * @fd:      of the file; @machine: the kind of CPU it is for (EM_X86_64 ...)
 * @begin:   an address where an instruction begins, at most @at
 * @at:      the address
 */
struct code_range {
	int fd, machine;
	uint64_t begin, at;
};

/** struct code_line - an instruction. @text: from malloc() */
struct code_line {
	uint64_t address;
	char *text;
};

/**
 * struct code_lines - those around an address
 * @at:    the address, then that of the instruction which it is in
 * @nr_after: those after the address
 * @found: the instruction that the address is in is among them
 */
struct code_lines {
	uint64_t at;
	struct code_line line[2 * CODE_AROUND + 1];
	int nr, nr_after;
	bool found;
};

/**
 * code_lines__add() - take the next instruction, in the order of addresses
 *
 * Return: whether to go on: not when all are there, or the first one is after the address.
 */
bool code_lines__add(struct code_lines *l, uint64_t address, const char *text);
/** code_lines__free() - forget all. */
void code_lines__free(struct code_lines *l);

/**
 * disassemble() - take code apart
 *
 * This loads a library or starts a program: only a child that reads files calls it.
 *
 * Return: whether the instruction at the address is among @out. code_lines__free() it.
 */
bool disassemble(const struct code_range *range, struct code_lines *out);

#endif
