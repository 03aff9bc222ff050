// SPDX-License-Identifier: GPL-2.0-only
#include "where/dwarf.h"

#if DWARF_IS_BUILT

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"

#define CALLS(use)                                                                                 \
	use(dwfl_begin) use(dwfl_end) use(dwfl_report_elf) use(dwfl_report_end)                    \
		use(dwfl_module_addrinfo) use(dwfl_module_getsrc) use(dwfl_lineinfo) use(          \
			dwfl_module_addrdie) use(dwarf_getscopes) use(dwarf_getscopes_die)         \
			use(dwarf_tag) use(dwarf_diename) use(dwarf_attr_integrate) use(           \
				dwarf_formstring) use(dwfl_module_eh_cfi) use(dwarf_cfi_addrframe) \
				use(dwarf_frame_info) use(dwfl_standard_find_debuginfo)            \
					use(dwfl_offline_section_address)                          \
						use(dwfl_build_id_find_elf)                        \
							use(dwfl_build_id_find_debuginfo)          \
								use(dwfl_module_getelf)

#define DECLARE(name) static __typeof__(name) *lib_##name;
CALLS(DECLARE)

struct dwarf_file {
	Dwfl *dwfl;
	Dwfl_Module *module;
};

static char *no_path;
static Dwfl_Callbacks callbacks = {.debuginfo_path = &no_path};

/*
 * Whether a path leads to something other than a regular file, such as a pipe, which may block when
 * it is opened.
 */
static bool is_trap(const char *dir, int len, const char *below, const char *name)
{
	mode_t mode = *name == '/' ? file__mode("%s", name)
				   : file__mode("%.*s%s%s", len, dir, below, name);

	return mode && !S_ISREG(mode);
}

/*
 * Find the debug information of a file, which may name any path. Only a regular file is opened;
 * otherwise debug information is searched by the build id.
 */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *path, const char *link, GElf_Word crc, char **found)
{
	const char *last = path ? strrchr(path, '/') : NULL;
	int len = last ? last + 1 - path : 0;
	char *own = NULL;
	bool trap;

	/*
	 * If the file does not name its debug information, the library tries the program's name
	 * with ".debug".
	 */
	if (!link && asprintf(&own, "%s.debug", last ? last + 1 : path ?: "") < 0)
		own = NULL;
	trap = is_trap(path, len, "", link ?: own ?: "") ||
	       is_trap(path, len, ".debug/", link ?: own ?: "");
	free(own);
	if (trap)
		return lib_dwfl_build_id_find_debuginfo(module, data, name, base, path, NULL, 0,
							found);
	return lib_dwfl_standard_find_debuginfo(module, data, name, base, path, link, crc, found);
}

bool dwarf__load(void)
{
	void *library = dlopen(DWARF_LIBRARY, RTLD_NOW | RTLD_LOCAL);

#define FIND(name) lib_##name = library ? (__typeof__(lib_##name))dlsym(library, #name) : NULL;
	CALLS(FIND)
	callbacks.find_elf = lib_dwfl_build_id_find_elf;
	callbacks.find_debuginfo = find_debuginfo;
	callbacks.section_address = lib_dwfl_offline_section_address;
#define HAS(name) &&lib_##name
	return library CALLS(HAS);
}

struct dwarf_file *dwarf__open(const char *path, int fd)
{
	struct dwarf_file file = {.dwfl = lib_dwfl_begin(&callbacks)}, *out;

	if (!file.dwfl)
		return NULL;
	/* The library closes its descriptor, so it gets a copy. */
	file.module = lib_dwfl_report_elf(file.dwfl, path, path, dup(fd), 0, false);
	lib_dwfl_report_end(file.dwfl, NULL, NULL);
	if (!file.module) {
		lib_dwfl_end(file.dwfl);
		return NULL;
	}
	out = xmalloc(sizeof(*out));
	*out = file;
	return out;
}

/* Return: the linker's name of a function; NULL if this is the name in the source. */
static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return lib_dwarf_formstring(lib_dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));
}

/* Find the function in the source at an address, and the function that it was inlined into. */
static void find_functions(Dwfl_Module *module, uint64_t address, struct dwarf_place *place)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = lib_dwfl_module_addrdie(module, address, &bias), *scopes = NULL;
	Dwarf_Die *at = NULL;
	const char *inner = NULL, *linked_inner = NULL, *symbol = place->function;
	int nr = 0;

	/*
	 * For inlined code, these scopes lead to the place of the code in the source; the scopes of
	 * the innermost one lead to where the code was inlined.
	 */
	if (unit && lib_dwarf_getscopes(unit, address - bias, &at) > 0)
		nr = lib_dwarf_getscopes_die(&at[0], &scopes);
	free(at);
	for (int i = 0; i < nr; i++) {
		int tag = lib_dwarf_tag(&scopes[i]);
		bool whole = tag == DW_TAG_subprogram;
		const char *name = whole || tag == DW_TAG_inlined_subroutine
					   ? lib_dwarf_diename(&scopes[i])
					   : NULL;
		const char *linked = name ? linkage_name(&scopes[i]) : NULL;

		/*
		 * A function that other files cannot call has no linker's name in the debug
		 * information, only a symbol.
		 */
		if (whole && !linked)
			linked = symbol;
		if (name && inner) {
			place->into = name;
			place->linked_into = linked;
		} else if (name) {
			inner = name;
			linked_inner = linked;
		}
		if (whole)
			break;
	}
	if (inner) {
		place->function = inner;
		place->linked_function = linked_inner;
	}
	free(scopes);
}

/*
 * Whether a symbol is a whole function. The symbol table has only whole functions, except parts
 * that the compiler split off ("f.cold").
 */
static bool is_whole(const char *symbol)
{
	return symbol && !strchr(symbol, '.');
}

struct dwarf_place dwarf__find(struct dwarf_file *file, uint64_t address, bool outer)
{
	struct dwarf_place place = {.function = NULL};
	Dwarf_Addr bias = 0;
	Dwfl_Line *line;
	GElf_Off offset;
	GElf_Sym symbol;

	lib_dwfl_module_getelf(file->module, &bias);
	address += bias;
	place.function = lib_dwfl_module_addrinfo(file->module, address, &offset, &symbol, NULL,
						  NULL, NULL);
	place.linked_function = place.function;
	if (outer && is_whole(place.function))
		return place;
	find_functions(file->module, address, &place);
	line = lib_dwfl_module_getsrc(file->module, address);
	if (line)
		place.file = lib_dwfl_lineinfo(line, NULL, &place.line, NULL, NULL, NULL);
	return place;
}

/* The tables for unwinding the stack contain functions without symbols, too. */
static bool frame_begin(struct dwarf_file *file, uint64_t address, uint64_t *begin)
{
	Dwarf_Addr bias, start, end;
	Dwarf_CFI *frames = lib_dwfl_module_eh_cfi(file->module, &bias);
	Dwarf_Frame *frame;
	bool known;

	if (!frames || lib_dwarf_cfi_addrframe(frames, address - bias, &frame))
		return false;
	known = lib_dwarf_frame_info(frame, &start, &end, NULL) >= 0;
	free(frame);
	*begin = start + bias;
	return known;
}

uint64_t dwarf__begin(struct dwarf_file *file, uint64_t address)
{
	Dwarf_Addr bias = 0;
	GElf_Off offset = 0;
	GElf_Sym symbol;
	uint64_t begin;

	lib_dwfl_module_getelf(file->module, &bias);
	address += bias;
	if (frame_begin(file, address, &begin))
		return begin - bias;
	return lib_dwfl_module_addrinfo(file->module, address, &offset, &symbol, NULL, NULL, NULL)
		       ? address - offset - bias
		       : 0;
}

void dwarf__close(struct dwarf_file *file)
{
	if (!file)
		return;
	lib_dwfl_end(file->dwfl);
	free(file);
}

#else

#include <stddef.h>

bool dwarf__load(void)
{
	return false;
}

struct dwarf_file *dwarf__open(const char *path, int fd)
{
	(void)path;
	(void)fd;
	return NULL;
}

struct dwarf_place dwarf__find(struct dwarf_file *file, uint64_t address, bool outer)
{
	(void)file;
	(void)address;
	(void)outer;
	return (struct dwarf_place){.function = NULL};
}

uint64_t dwarf__begin(struct dwarf_file *file, uint64_t address)
{
	(void)file;
	(void)address;
	return 0;
}

void dwarf__close(struct dwarf_file *file)
{
	(void)file;
}

#endif
