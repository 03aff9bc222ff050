// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first line is a filter of a tracepoint; the rest is the kernel's description of the
 * tracepoint. The filter is accepted, or refused with a place. A filter that is accepted with the
 * description is also accepted without it.
 */
#include "fuzz.h"
#include "machine/filter.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz__text(data, size), *format = text, *filter = strsep(&format, "\n");
	struct err err = ERR_INIT, bare = ERR_INIT;
	int rc = filter__check(filter, "system:name", format, &err);

	if (rc)
		fuzz__check_error(rc, &err);
	else
		fuzz_check(!filter__check(filter, NULL, NULL, &bare), "%s", bare.msg);
	free(text);
	return 0;
}
