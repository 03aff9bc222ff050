// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"

#define CARET_BEFORE 48 /* bytes of a long text kept before the place, and behind it */

int err__set(struct err *err, int code, const char *fmt, ...)
{
	char msg[sizeof(err->msg)]; /* an argument may be err->msg itself */
	va_list ap;

	if (!err)
		return -code;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	memcpy(err->msg, msg, sizeof(msg));
	err->code = code;
	return -code;
}

int err__prefix(struct err *err, const char *fmt, ...)
{
	char words[sizeof(err->msg)];
	va_list ap;

	if (!err)
		return -EINVAL;

	va_start(ap, fmt);
	vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	return err__set(err, err->code, "%s%s", words, err->msg);
}

int err__append(struct err *err, const char *fmt, ...)
{
	char words[sizeof(err->msg)];
	va_list ap;

	if (!err)
		return -EINVAL;

	va_start(ap, fmt);
	vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	return err__set(err, err->code, "%s%s", err->msg, words);
}

/* What a terminal would act on must not reach it from somebody else's text. */
static void copy_printable(char *to, const char *from, size_t len)
{
	for (size_t i = 0; i < len; i++)
		to[i] = (unsigned char)from[i] < ' ' || from[i] == 0x7f ? '?' : from[i];
	to[len] = '\0';
}

#define MARK "\\___ "

int err__caret(struct err *err, const char *what, const char *text, int column, const char *why)
{
	char shown[2 * CARET_BEFORE + 1];
	int len = strlen(text), start = 0, indent;
	const char *head = "", *tail = "";

	if (column < 0)
		column = 0;
	if (column > len)
		column = len;
	if (len > 2 * CARET_BEFORE) {
		if (column > CARET_BEFORE) {
			start = column - CARET_BEFORE;
			head = "..";
		}
		if (len - start > 2 * CARET_BEFORE) {
			len = start + 2 * CARET_BEFORE;
			tail = "..";
		}
	}
	copy_printable(shown, text + start, len - start);
	indent = strlen(what) + strlen(" syntax error: '") + strlen(head) + column - start;
	return err__set(err, EINVAL, "%s syntax error: '%s%s%s'\n%*s" MARK "%s", what, head, shown,
			tail, indent, "", why);
}

char err__joint(const char *msg)
{
	return strchr(msg, '\n') ? '\n' : ' ';
}

const char *err__reason(const struct err *err)
{
	const char *mark = strstr(err->msg, "\n");

	while (mark) {
		mark += 1 + strspn(mark + 1, " ");
		if (!strncmp(mark, MARK, strlen(MARK)))
			return mark + strlen(MARK);
		mark = strchr(mark, '\n');
	}
	return err->msg;
}
