// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines that are written to a run with --control. Each command is acknowledged. If its argument is
 * right, it is obeyed, otherwise refused; then the next command is read. Commands enable and
 * disable the run's event.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "count/count.h"
#include "events/events.h"
#include "fuzz.h"
#include "machine.h"
#include "run/control.h"
#include "run/note.h"
#include "tables/tables.h"

#define EVENTS "cycles,{instructions,branches:u},msr/tsc/,cpu/event=0x1,name=-v/,cs"
#define COMMAND_MAX 127 /* longer lines are cut to this many letters */

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

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The effect that a line should have. */
enum fate { IGNORED, ACKNOWLEDGED, STOPS };

/*
 * Find the effect of a line by the rules of the man page: a command is acknowledged, whatever
 * follows it.
 */
static enum fate judge(const char *line, int len)
{
	static const char *const commands[] = {"ping",	 "snapshot", "stop",
					       "enable", "disable",  "evlist"};
	int word = 0;

	for (; len && is_blank(*line); line++)
		len--;
	while (len && is_blank(line[len - 1]))
		len--;
	while (word < len && line[word] != ' ')
		word++;
	for (int i = 0; i < 6; i++)
		if (word == (int)strlen(commands[i]) && !memcmp(line, commands[i], word))
			return i == 2 && word == len ? STOPS : ACKNOWLEDGED;
	return IGNORED;
}

/*
 * Return: number of acknowledgements: one for each command, up to the first command that stops the
 * run.
 */
static int count_commands(const uint8_t *data, size_t size)
{
	int nr = 0;

	for (size_t at = 0, end; at < size; at = end + 1) {
		const char *line = (const char *)data + at;
		enum fate fate;

		for (end = at; end < size && data[end] && data[end] != '\n'; end++)
			;
		fate = judge(line, end - at < COMMAND_MAX ? end - at : COMMAND_MAX);
		nr += fate != IGNORED;
		if (fate == STOPS)
			break;
	}
	return nr;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct control c = {.fd = memfd_create("commands", 0), .ack = memfd_create("acks", 0)};
	enum control_result result = CONTROL_DONE;
	struct control_line line = {.len = 0};
	struct notes notes = {.wanted = NOTE(CONTROL) | NOTE(ENABLED)};
	int before, turns = 0;

	fuzz_check(c.fd > 0 && c.ack > 0);
	fuzz_check(write(c.fd, data, size) == (ssize_t)size && !lseek(c.fd, 0, SEEK_SET));
	while (result != CONTROL_CLOSED && result != CONTROL_STOP) {
		before = enabled;
		notes__clear(&notes);
		result = control__run(&c, &line, false, NULL, &events, &notes);
		control__answer(&c, &line, false, &notes);
		fuzz_check(result <= CONTROL_CLOSED, "%d", result);
		fuzz_check(enabled == before || result == CONTROL_CHANGED);
		fuzz_check(enabled - before <= 1);
		fuzz_check(++turns <= (int)size + 1, "%d", turns);
	}
	fuzz_check(lseek(c.ack, 0, SEEK_END) == 4 * count_commands(data, size), "%d, not 4 * %d",
		   (int)lseek(c.ack, 0, SEEK_END), count_commands(data, size));
	notes__free(&notes);
	close(c.fd);
	close(c.ack);
	return 0;
}
