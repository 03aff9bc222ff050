// SPDX-License-Identifier: GPL-2.0-only
/* How the program speaks to its user: one prefix, stderr. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "cmd.h"

/* Messages quote what others wrote. */
static void put_clean(const char *text)
{
	struct sb clean = SB_INIT;

	text__clean(&clean, text, strlen(text), "\n\t");
	fputs(sb__str(&clean), stderr);
	sb__free(&clean);
}

void say(const char *fmt, ...)
{
	struct sb line = SB_INIT;
	va_list ap;

	va_start(ap, fmt);
	sb__vprintf(&line, fmt, ap);
	va_end(ap);
	fflush(stdout);
	fputs("tma: ", stderr);
	put_clean(sb__str(&line));
	fputc('\n', stderr);
	sb__free(&line);
}

int say_err(const struct err *err)
{
	/* A caret line points at a column, so its text begins the line. */
	fflush(stdout);
	fputs(strstr(err->msg, "\\___") ? "" : "tma: ", stderr);
	put_clean(err->msg);
	fputc('\n', stderr);
	return STATUS_FAILED;
}

void say_lines(const char *lines)
{
	if (!lines || !*lines)
		return;
	put_clean(lines);
	if (!text__has_suffix(lines, "\n"))
		fputc('\n', stderr);
}
