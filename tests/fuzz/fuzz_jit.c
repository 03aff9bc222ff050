// SPDX-License-Identifier: GPL-2.0-only
/*
 * A map of names, written by a just-in-time compiler or by anyone else. Each of PLACES addresses
 * has the name from the last line that contains the address, and has the same name in a map of only
 * this line.
 */
#include "fuzz.h"
#include "where/jit.h"

#define PLACES 40
#define STEP 0x18
#define MOST_LINES 64 /* lines that are tried one by one */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

/* Low addresses, and the highest ones. */
static uint64_t address_of(int place)
{
	return place < PLACES / 2 ? (uint64_t)place * STEP
				  : UINT64_MAX - (uint64_t)(PLACES - 1 - place) * STEP;
}

static void check_name(const char *name, const uint8_t *data, size_t size)
{
	fuzz_check(*name);
	fuzz_check(!strpbrk(name, "\n\r"), "%s", name);
	fuzz_check(memmem(data, size, name, strlen(name)), "%s", name);
}

/* Return: the name that a line has for an address (release it with free()), or NULL. */
static char *name_by_line(const uint8_t *line, size_t len, uint64_t address)
{
	struct jit_place place = {.address = address};
	char *text = fuzz__text(line, len);

	jit__parse(text, len, &place, 1);
	free(text);
	return place.name;
}

static void check_last_line(const struct jit_place *place, const uint8_t *data, size_t size)
{
	char *last = NULL;

	for (size_t from = 0, len; from < size; from += len) {
		const uint8_t *end = memchr(data + from, '\n', size - from);
		char *name;

		len = end ? (size_t)(end + 1 - (data + from)) : size - from;
		name = name_by_line(data + from, len, place->address);
		if (!name)
			continue;
		free(last);
		last = name;
	}
	fuzz_check(!last == !place->name);
	fuzz_check(!last || !strcmp(last, place->name), "%s, not %s", place->name, last);
	free(last);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jit_place places[PLACES] = {{.name = NULL}};
	char *text = fuzz__text(data, size);
	int lines = 0;

	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	for (int i = 0; i < PLACES; i++)
		places[i].address = address_of(i);
	jit__parse(text, size, places, PLACES);
	for (int i = 0; i < PLACES; i++) {
		if (places[i].name)
			check_name(places[i].name, data, size);
		if (lines <= MOST_LINES)
			check_last_line(&places[i], data, size);
		free(places[i].name);
	}
	free(text);
	return 0;
}
