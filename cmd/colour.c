// SPDX-License-Identifier: GPL-2.0-only
#include "colour.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/text.h"

int colour__check(const char *when, struct err *err)
{
	if (!when || text__is_any(when, "auto", "always", "never"))
		return 0;
	return err__set(err, EINVAL, "--color: unknown value '%s'; use auto, always or never",
			when);
}

bool colour__is_wanted(const char *when, int fd)
{
	const char *terminal = getenv("TERM");

	if (when && strcmp(when, "auto"))
		return !strcmp(when, "always");
	return isatty(fd) && !getenv("NO_COLOR") && !(terminal && !strcmp(terminal, "dumb"));
}

/* Terminals with more than 256 colours also know the escape sequences for 256. */
int colour__number(const char *when, int fd)
{
	const char *terminal = getenv("TERM") ?: "", *more = getenv("COLORTERM") ?: "";

	if (!colour__is_wanted(when, fd))
		return 0;
	return *more || strstr(terminal, "256color") || strstr(terminal, "direct") ||
			       text__is_any(terminal, "xterm-kitty", "alacritty", "foot")
		       ? 256
		       : 16;
}
