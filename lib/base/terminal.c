// SPDX-License-Identifier: GPL-2.0-only
#include "base/terminal.h"

#include <sys/ioctl.h>

int terminal__width(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}
