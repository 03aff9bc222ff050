// SPDX-License-Identifier: GPL-2.0-only
/*
 * Metrics that a command line defines, "name = expression", a line each. If all are right, they
 * become tables, in which they can be found, listed and evaluated. Otherwise none becomes a table,
 * and the error names the first wrong one.
 */
#include "base/text.h"
#include "fuzz.h"
#include "tables.h"

#define LINES_MAX 64

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct load_definition definitions[LINES_MAX];
	struct load_options opts = { .path = "-M", .cpuid = "", .definitions = definitions };
	char *text = fuzz__text(data, size), *rest = text, *line, *equals;

	while (opts.nr_definitions < LINES_MAX && (line = strsep(&rest, "\n"))) {
		struct load_definition *d = &definitions[opts.nr_definitions];

		equals = strchr(line, '=');
		if (!equals)
			continue;
		*equals = '\0';
		d->name = text__trim(line);
		d->expr = equals + 1;
		opts.nr_definitions++;
	}
	if (opts.nr_definitions)
		tables__check_load(&opts);
	free(text);
	return 0;
}
