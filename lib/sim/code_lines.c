// SPDX-License-Identifier: GPL-2.0-only
#include "sim/code.h"

#if __has_include(<elfutils/libdwfl.h>)

#include <dlfcn.h>
#include <elfutils/libdw.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"

#define CALLS(use)                                                                        \
	use(dwarf_begin) use(dwarf_end) use(dwarf_nextcu) use(dwarf_offdie)               \
		use(dwarf_getsrclines) use(dwarf_onesrcline) use(dwarf_lineno)            \
			use(dwarf_linesrc) use(dwarf_lineaddr) use(dwarf_lineendsequence)

#define DECLARE(name) static __typeof__(name) *lib_##name;
CALLS(DECLARE)

bool code_lines__load(void)
{
	static void *library;

	if (!library)
		library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);

#define FIND(name) lib_##name = library ? (__typeof__(lib_##name))dlsym(library, #name) : NULL;
	CALLS(FIND)
#define HAS(name) &&lib_##name
	return library CALLS(HAS);
}

/* Lines of a source. @name, @len: name of the file and its length in bytes */
struct lines {
	const char *name;
	size_t len;
	uint64_t first, last;
};

static bool read_lines(const char *name, struct lines *lines)
{
	const char *colon = strrchr(name, ':');
	int n = num__scan_u64(colon + 1, 10, &lines->first);

	lines->name = name;
	lines->len = colon - name;
	lines->last = lines->first;
	if (colon[1 + n] == '-')
		n += 1 + num__scan_u64(colon + 2 + n, 10, &lines->last);
	return n && !colon[1 + n] && lines->last >= lines->first;
}

/* Find out whether a path is the wanted name, or ends with a slash followed by the name. */
static bool is_source(const struct lines *lines, const char *path)
{
	size_t len = path ? strlen(path) : 0;

	return len >= lines->len && !memcmp(path + len - lines->len, lines->name, lines->len) &&
	       (len == lines->len || path[len - lines->len - 1] == '/');
}

/*
 * Find the longest run of code of the wanted lines in a unit. The code of a line extends to the
 * code of the next line.
 */
static void take_unit(Dwarf_Die *unit, const struct lines *wanted, struct sim_code *best)
{
	struct sim_code run = {0, 0};
	Dwarf_Lines *lines;
	size_t nr;

	if (lib_dwarf_getsrclines(unit, &lines, &nr))
		return;
	for (size_t i = 0; i < nr; i++) {
		Dwarf_Line *line = lib_dwarf_onesrcline(lines, i);
		Dwarf_Addr address;
		bool ends, is;
		int number;

		if (lib_dwarf_lineno(line, &number) || lib_dwarf_lineaddr(line, &address) ||
		    lib_dwarf_lineendsequence(line, &ends))
			continue;
		is = !ends && number >= 0 && (uint64_t)number >= wanted->first &&
		     (uint64_t)number <= wanted->last &&
		     is_source(wanted, lib_dwarf_linesrc(line, NULL, NULL));
		if (run.from)
			run.to = address;
		if (run.to - run.from > best->to - best->from)
			*best = run;
		if (!is)
			run = (struct sim_code){0, 0};
		else if (!run.from)
			run = (struct sim_code){address, address};
	}
}

bool code_lines__find(int fd, const char *name, struct sim_code *code)
{
	Dwarf_Off at = 0, next;
	struct lines wanted;
	size_t header;
	Dwarf *dwarf;

	*code = (struct sim_code){0, 0};
	if (!read_lines(name, &wanted) || !code_lines__load())
		return false;
	dwarf = lib_dwarf_begin(fd, DWARF_C_READ);
	while (dwarf &&
	       !lib_dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL)) {
		Dwarf_Die unit;

		if (lib_dwarf_offdie(dwarf, at + header, &unit))
			take_unit(&unit, &wanted, code);
		at = next;
	}
	if (dwarf)
		lib_dwarf_end(dwarf);
	return code->to > code->from;
}

#else

bool code_lines__load(void)
{
	return false;
}

bool code_lines__find(int fd, const char *name, struct sim_code *code)
{
	(void)fd;
	(void)name;
	(void)code;
	return false;
}

#endif
