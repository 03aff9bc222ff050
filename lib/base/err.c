// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"

#define CARET_AROUND 48 /* bytes of a long text that are kept on each side of the error's place */

int(err__set)(struct err *err, int code, const char *fmt, ...)
{
	char msg[sizeof(err->msg)]; /* a separate buffer, since an argument may be err->msg */
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

#define MARK "\\___ "

int err__caret(struct err *err, const char *what, const char *text, int column, const char *why)
{
	char shown[2 * CARET_AROUND + 5];
	int indent = strlen(what) + strlen(" syntax error: '");

	text__excerpt(shown, text, &column, CARET_AROUND);
	return err__set(err, EINVAL, "%s syntax error: '%s'\n%*s" MARK "%s", what, shown,
			indent + column, "", why);
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
