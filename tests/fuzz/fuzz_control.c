// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is written to a run that goes on with --control. Each command is obeyed and acknowledged, or
 * is told to be none, and then the next one is read; what is enabled is an event of the run.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "../../cmd/stat.h"
#include "fuzz.h"
#include "machine.h"
#include "messages.h"
#include "tables/tables.h"

#define EVENTS "cycles,{instructions,branches:u},msr/tsc/,cpu/event=0x1,name=-v/,cs"
#define COMMAND_MAX 127 /* letters; the rest of a longer line is not looked at */

static struct event_list events = EVENT_LIST_INIT;
static int enabled;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static struct events_scope scope;
	struct err err = ERR_INIT;

	(void)argc;
	(void)argv;
	scope.machine = fuzz__machine(fake_xeon, NULL, "GenuineIntel-6-8F-8");
	fuzz_check(!events__parse(&scope, EVENTS, &events, &err), "%s", err.msg);
	return 0;
}

void session__enable(struct session *s, int event, bool on)
{
	fuzz_check(!s);
	fuzz_check(event >= -1 && event < events.nr, "%d", event);
	(void)on;
	enabled++;
}

/* Whether a line is one of the commands, as the man page has them. */
static bool is_command(const char *line, int len)
{
	static const char *const alone[] = {"ping",	 "snapshot",  "stop",
					    "enable",	 "disable",   "evlist",
					    "evlist -v", "evlist -g", "evlist -F"};
	int word = 0, rest;

	while (word < len && line[word] != ' ')
		word++;
	rest = word;
	while (rest < len && (line[rest] == ' ' || (line[rest] >= '\t' && line[rest] <= '\r')))
		rest++;
	while (len > rest &&
	       (line[len - 1] == ' ' || (line[len - 1] >= '\t' && line[len - 1] <= '\r')))
		len--;
	for (int i = 0; i < 9; i++) {
		const char *space = strchr(alone[i], ' ');
		int first = space ? space - alone[i] : (int)strlen(alone[i]);

		if (first != word || memcmp(line, alone[i], word))
			continue;
		if (i < 5 ||
		    (space ? len - rest == 2 && !memcmp(line + rest, space + 1, 2) : rest >= len))
			return true;
	}
	return false;
}

/* How many acknowledgements there must be: one for each command up to the first that stops. */
static int count_commands(const uint8_t *data, size_t size)
{
	int nr = 0;

	for (size_t at = 0, end; at < size; at = end + 1) {
		const char *line = (const char *)data + at;
		size_t len;

		for (end = at; end < size && data[end] && data[end] != '\n'; end++)
			;
		len = end - at < COMMAND_MAX ? end - at : COMMAND_MAX;
		nr += is_command(line, len);
		if (len >= 4 && !memcmp(line, "stop", 4) && (len == 4 || line[4] == ' '))
			break;
	}
	return nr;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct control c = {.fd = memfd_create("commands", 0), .ack = memfd_create("acks", 0)};
	enum control_result result = CONTROL_DONE;
	int before, turns = 0;

	fuzz_check(c.fd > 0 && c.ack > 0);
	fuzz_check(write(c.fd, data, size) == (ssize_t)size && !lseek(c.fd, 0, SEEK_SET));
	while (result != CONTROL_CLOSED && result != CONTROL_STOP) {
		before = enabled;
		sb__clear(&said);
		result = control__run(&c, NULL, &events);
		fuzz_check(result <= CONTROL_CLOSED, "%d", result);
		fuzz_check(enabled == before || result == CONTROL_CHANGED);
		fuzz_check(enabled - before <= 1);
		fuzz_check(++turns <= (int)size + 1, "%d", turns);
	}
	fuzz_check(lseek(c.ack, 0, SEEK_END) == 4 * count_commands(data, size), "%d, not 4 * %d",
		   (int)lseek(c.ack, 0, SEEK_END), count_commands(data, size));
	close(c.fd);
	close(c.ack);
	return 0;
}
