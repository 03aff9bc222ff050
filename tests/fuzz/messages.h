/* SPDX-License-Identifier: GPL-2.0-only */
/* Targets that use parts of cmd/ use this instead of tma.c: it keeps the messages. */
#ifndef TMA_TESTS_FUZZ_MESSAGES_H
#define TMA_TESTS_FUZZ_MESSAGES_H

#include "base/sb.h"
#include "../../cmd/cmd.h"
#include "fuzz.h"

/* All messages since they were last cleared. */
static struct sb said = SB_INIT;

bool as_perf(void)
{
	return false;
}

const char *set_compat(const char **by)
{
	*by = "nothing";
	return NULL;
}

void say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	sb__vprintf(&said, fmt, ap);
	va_end(ap);
	sb__putc(&said, '\n');
}

int say_err(const struct err *err)
{
	fuzz_check(err->code && *err->msg);
	say("%s", err->msg);
	return STATUS_FAILED;
}

void say_lines(const char *lines)
{
	sb__puts(&said, lines ? lines : "");
}

#endif
