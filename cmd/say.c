// SPDX-License-Identifier: GPL-2.0-only
/* Prints messages to the user on standard error, all with the same prefix. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/sb.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/wrap.h"
#include "cmd.h"
#include "progress.h"

#define MESSAGE_INDENT 2 /* columns before further lines of a message that is wrapped */

/*
 * Messages quote texts from outside, so control characters are removed. A message is made as a
 * whole before any of it is printed; on a terminal it is wrapped.
 */
static void say__put_line(const char *prefix, const char *text, const char *end)
{
	auto_free(sb) clean = SB_INIT;
	auto_free(sb) line = SB_INIT;

	sb__puts(&clean, prefix);
	text__clean(&clean, text, strlen(text), "\n\t");
	wrap__lines(&line, sb__str(&clean), MESSAGE_INDENT, terminal__width(STDERR_FILENO));
	sb__puts(&line, end);
	fflush(stdout);
	progress__clear();
	/* Do not block: if the pipe is not read, the end of the run must not be delayed. */
	file__write_stream(STDERR_FILENO, sb__str(&line), line.len);
}

void say(const char *fmt, ...)
{
	auto_free(sb) text = SB_INIT;
	va_list ap;

	va_start(ap, fmt);
	sb__vprintf(&text, fmt, ap);
	va_end(ap);
	say__put_line("tma: ", sb__str(&text), "\n");
}

int say_err(const struct err *err)
{
	/* A caret under a text points at one of its columns, so the text must begin the line. */
	say__put_line(strstr(err->msg, "\\___") ? "" : "tma: ", err->msg, "\n");
	return STATUS_FAILED;
}

int say_usage(const struct err *err)
{
	say_err(err);
	return STATUS_USAGE;
}

void say_lines(const char *lines)
{
	if (lines && *lines)
		say__put_line("", lines, text__has_suffix(lines, "\n") ? "" : "\n");
}

void print_clean(const char *lines)
{
	auto_free(sb) clean = SB_INIT;

	text__clean(&clean, lines, strlen(lines), "\n\t");
	fputs(sb__str(&clean), stdout);
}
