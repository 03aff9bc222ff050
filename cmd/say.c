// SPDX-License-Identifier: GPL-2.0-only
/* How the program speaks to its user: one prefix, stderr. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "cmd.h"

void say(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("tma: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

int say_err(const struct err *err)
{
	/* A caret line points at a column, so its text begins the line. */
	fflush(stdout);
	fprintf(stderr, "%s%s\n", strstr(err->msg, "\\___") ? "" : "tma: ", err->msg);
	return STATUS_FAILED;
}

void say_lines(const char *lines)
{
	if (lines && *lines)
		fprintf(stderr, "%s%s", lines, text__has_suffix(lines, "\n") ? "" : "\n");
}
