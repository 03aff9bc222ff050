/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes of a program come in; the instructions around an address go out. */
#ifndef TMA_WHERE_DISASSEMBLE_H
#define TMA_WHERE_DISASSEMBLE_H

#include <stdbool.h>
#include <stdint.h>

#define CODE_AROUND 2	/* number of instructions before the address, and after it */
#define CODE_LONGEST 16 /* the most bytes of an instruction, plus one */

/**
 * struct code_range - the code that is disassembled
 * @fd:      descriptor of the file; @machine: kind of CPU that the file is for (EM_X86_64 ...)
 * @begin:   address of an instruction, not above @at
 * @at:      the address whose surroundings are disassembled
 */
struct code_range {
	int fd, machine;
	uint64_t begin, at;
};

/**
 * struct code_line - an instruction
 * @text: text of the instruction, from malloc()
 */
struct code_line {
	uint64_t address;
	char *text;
};

/**
 * struct code_lines - the instructions around an address
 * @at:    the address; later the address of the instruction that contains it
 * @nr_after: number of instructions after the address
 * @found: the instruction that contains the address is in the list
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
 * Return: whether to continue: false if all instructions have been added, or the first is after the
 * address.
 */
bool code_lines__add(struct code_lines *l, uint64_t address, const char *text);
/** code_lines__free() - release all instructions. */
void code_lines__free(struct code_lines *l);

/**
 * disassemble() - disassemble code around an address
 *
 * This loads a library or starts a program, so only a child that reads files calls it.
 *
 * Return: whether the instruction at the address is in @out, which code_lines__free() releases.
 */
bool disassemble(const struct code_range *range, struct code_lines *out);

#endif
