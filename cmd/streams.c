// SPDX-License-Identifier: GPL-2.0-only
/* Input and output of a command that is run several times. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "streams.h"

static void put_in_place(int fd, int flags)
{
	int null = open("/dev/null", flags | O_CLOEXEC);

	if (null >= 0)
		dup2(null, fd);
	if (null >= 0 && null != fd)
		close(null);
}

void streams__keep(struct streams *s, bool to_stderr)
{
	s->stdin_at = lseek(STDIN_FILENO, 0, SEEK_CUR);
	s->stdout_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (to_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
}

void streams__begin_again(const struct streams *s)
{
	if (s->stdin_at < 0 || lseek(STDIN_FILENO, s->stdin_at, SEEK_SET) < 0)
		put_in_place(STDIN_FILENO, O_RDONLY);
}

void streams__discard_output(void)
{
	fflush(stdout);
	put_in_place(STDOUT_FILENO, O_WRONLY);
}

void streams__give_back(struct streams *s)
{
	if (s->stdout_fd < 0)
		return;
	fflush(stdout);
	dup2(s->stdout_fd, STDOUT_FILENO);
	close(s->stdout_fd);
	s->stdout_fd = -1;
}
