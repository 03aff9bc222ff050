// SPDX-License-Identifier: GPL-2.0-only
#include "where/code.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/xalloc.h"
#include "where/child.h"
#include "where/disassemble.h"
#include "where/dwarf.h"
#include "where/elf_file.h"

#define MOST_BEFORE (256 << 10) /* number of bytes of a function that are decoded before the
				 * address */
#define ARM64_BYTES 4 /* of each instruction */

/* --- The child ------------------------------------------------------------------------------- */

/*
 * Return: the address at which decoding begins. On x86 instructions have several lengths, so this
 * is the begin of the function, or the address itself if the begin is not known or too far.
 */
static uint64_t find_begin(const struct code_place *place, int fd, int machine, uint64_t address)
{
	struct dwarf_file *file = dwarf__load() ? dwarf__open(place->path, fd) : NULL;
	uint64_t begin = file ? dwarf__begin(file, address) : 0;

	dwarf__close(file);
	if (machine == EM_AARCH64 && address - begin > CODE_AROUND * ARM64_BYTES)
		return address - CODE_AROUND * ARM64_BYTES;
	return begin && begin < address && address - begin <= MOST_BEFORE ? begin : address;
}

static void answer_code(FILE *out, void *arg)
{
	const struct code_place *place = arg;
	int fd = elf_file__open(place->path, place->running, place->inode);
	struct code_range range = {.fd = fd};
	struct code_lines lines;

	if (fd < 0 || !elf_file__address_of(fd, place->offset, &range.at))
		return;
	range.machine = elf_file__machine(fd);
	range.begin = find_begin(place, fd, range.machine, range.at);
	if (!disassemble(&range, &lines))
		return;
	for (int i = 0; i < lines.nr; i++) {
		const char hottest = lines.line[i].address == lines.at;

		fwrite(&lines.line[i].address, sizeof(lines.line[i].address), 1, out);
		fwrite(&hottest, 1, 1, out);
		child__put(out, lines.line[i].text);
	}
}

/* --- The parent ------------------------------------------------------------------------------ */

static bool get_instruction(FILE *in, struct where_instruction *out)
{
	char hottest;

	*out = (struct where_instruction){.text = NULL};
	if (fread(&out->address, sizeof(out->address), 1, in) == 1 &&
	    fread(&hottest, 1, 1, in) == 1 && child__get(in, &out->text)) {
		out->hottest = hottest;
		return true;
	}
	free(out->text);
	return false;
}

void code__find(const struct code_place *place, struct child_reading *r, struct where_code *out)
{
	struct where_instruction instruction;
	auto_free(sb) output = SB_INIT;
	FILE *in;

	if (!child_reading__ended(r))
		child__ask(r, answer_code, (void *)place, &output);
	if (!output.len)
		return;
	in = xchecked(fmemopen(output.buf, output.len, "r"));
	while (in && get_instruction(in, &instruction))
		vec__push(out, instruction);
	if (in)
		fclose(in);
}
