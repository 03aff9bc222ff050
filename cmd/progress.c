// SPDX-License-Identifier: GPL-2.0-only
/* A line on the terminal that shows how much of long work is done. */
#include "progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/file.h"
#include "base/sb.h"
#include "base/terminal.h"
#include "base/text.h"
#include "cmd.h"
#include "count/clock.h"

#define NS_PER_S 1000000000
#define PATIENCE_NS (NS_PER_S / 2) /* shorter work shows no line */
#define BETWEEN_NS (NS_PER_S / 5)
#define LEAST_SHARE 0.01 /* with a smaller share done, no remaining time is estimated */
#define LEAST_WIDTH 40 /* on narrower terminals there is no room beside other text */

/* Escape sequences of the VT100, which all such terminals know. */
#define SAVE_CURSOR "\0337"
#define RESTORE_CURSOR "\0338"
#define CLEAR "\033[K" /* from the cursor to the end of the line */

/* There is only one terminal, and one such line on it. */
static bool is_shown, had_command;

static bool may_show(void)
{
	const char *terminal = getenv("TERM");

	return !as_perf() && terminal && *terminal && strcmp(terminal, "dumb") &&
	       terminal__width(STDERR_FILENO) >= LEAST_WIDTH &&
	       tcgetpgrp(STDERR_FILENO) == getpgrp();
}

static void put_duration(struct sb *sb, double seconds)
{
	if (seconds < 100)
		sb__printf(sb, "%.0f s", ceil(seconds));
	else if (seconds < 6000)
		sb__printf(sb, "%.0f min", seconds / 60);
	else
		sb__printf(sb, "%.1f h", seconds / 3600);
}

/* Assume that each share of the work takes equally long. */
static void put_time(struct sb *sb, const struct progress *p, double share, uint64_t now_ns)
{
	double seconds = (double)(now_ns - p->begin_ns) / NS_PER_S;

	if (share >= LEAST_SHARE && share <= 1) {
		sb__puts(sb, ", about ");
		put_duration(sb, seconds * (1 - share) / share);
		sb__puts(sb, " left");
	} else if (seconds >= 1) {
		sb__puts(sb, ", ");
		put_duration(sb, floor(seconds));
		sb__puts(sb, " so far");
	}
}

static void progress__put_line(const char *text)
{
	int width = terminal__width(STDERR_FILENO);
	auto_free(sb) line = SB_INIT, clean = SB_INIT;
	size_t len;

	text__clean_utf8(&clean, text, strlen(text), "");
	/* Omit a text that does not fit. A text has at most as many columns as bytes. */
	len = strlen(sb__str(&clean));
	if (len >= (size_t)width)
		return;
	sb__printf(&line, SAVE_CURSOR CLEAR "\033[%dG%s" RESTORE_CURSOR, width - (int)len,
		   sb__str(&clean));
	fflush(stdout);
	file__write_stream(STDERR_FILENO, sb__str(&line), line.len);
	is_shown = true;
}

void progress__begin(struct progress *p)
{
	*p = (struct progress){ .begin_ns = clock__now_ns() };
}

void progress__show(struct progress *p, double share, const char *what, ...)
{
	auto_free(sb) text = SB_INIT;
	va_list ap;

	if (!may_show())
		return;
	p->shown_ns = clock__now_ns();
	sb__puts(&text, "tma: ");
	va_start(ap, what);
	sb__vprintf(&text, what, ap);
	va_end(ap);
	put_time(&text, p, share, p->shown_ns);
	progress__put_line(sb__str(&text));
}

void progress__tick(struct progress *p, double share, const char *what, const char *name)
{
	uint64_t now_ns = clock__now_ns();

	if (now_ns - p->begin_ns >= PATIENCE_NS && now_ns - p->shown_ns >= BETWEEN_NS)
		progress__show(p, share, "%s %s", what, name);
}

void progress__make_room(int fd)
{
	if (is_shown && isatty(fd))
		progress__clear();
}

/*
 * Return: how many bytes were written, according to a file of procfs; -1 if the file does not tell.
 */
static int64_t bytes_written(const char *path)
{
	char text[512];
	const char *found;

	if (file__read_start(text, sizeof(text), "%s", path) < 0)
		return -1;
	found = strstr(text, "wchar: ");
	return found ? strtoll(found + strlen("wchar: "), NULL, 10) : -1;
}

/*
 * The count of a process includes its threads, and children that have ended. If the count is larger
 * than this thread's, a command has written something.
 */
static bool commands_wrote(void)
{
	int64_t all = bytes_written("/proc/self/io"), own = bytes_written("/proc/thread-self/io");

	return all < 0 || own < 0 || all != own;
}

void progress__before_command(void)
{
	if (is_shown && isatty(STDOUT_FILENO) && (!had_command || commands_wrote()))
		progress__clear();
	had_command = true;
}

/* Clear from the cursor to the end of the line: text before the cursor may be newer, and stays. */
void progress__clear(void)
{
	if (!is_shown)
		return;
	is_shown = false;
	file__write_stream(STDERR_FILENO, CLEAR, sizeof(CLEAR) - 1);
}
