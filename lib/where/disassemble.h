/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes of a program come in; the instructions around an address go out. */
#ifndef TMA_WHERE_DISASSEMBLE_H
#define TMA_WHERE_DISASSEMBLE_H

#include <stdbool.h>
#include <stdint.h>

#define CODE_AROUND 2	/* instructions before and after */
#define CODE_LONGEST 16 /* most bytes of an instruction, plus one */

/**
 * struct code_range - the code that is disassembled
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
 * struct code_lines - the instructions around an address
 * @at:    the address, later that of the instruction that contains it
 * @nr_after: how many follow the address
 * @found: the instruction that contains the address is among them
 */
struct code_lines {
	uint64_t at;
	struct code_line line[2 * CODE_AROUND + 1];
	int nr, nr_after;
	bool found;
};

/**
 * code_lines__add() - add the next instruction, in the order of addresses
 *
 * Return: whether to go on: false when all are there, or the first one is after the address.
 */
bool code_lines__add(struct code_lines *l, uint64_t address, const char *text);
/** code_lines__free() - release all. */
void code_lines__free(struct code_lines *l);

/**
 * disassemble() - disassemble code around an address
 *
 * This loads a library or starts a program: only a child that reads files calls it.
 *
 * Return: whether the instruction at the address is among @out. code_lines__free() it.
 */
bool disassemble(const struct code_range *range, struct code_lines *out);

#endif
