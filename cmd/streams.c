// SPDX-License-Identifier: GPL-2.0-only
/* Input and output of a command that is run several times. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd.h"
#include "streams.h"

static bool put_null(int fd, int flags)
{
	int null = open("/dev/null", flags | O_CLOEXEC);
	bool put = null >= 0 && dup2(null, fd) >= 0;

	if (null >= 0 && null != fd)
		close(null);
	return put;
}

int streams__keep(struct streams *s, bool to_stderr, struct err *err)
{
	s->stdin_at = lseek(STDIN_FILENO, 0, SEEK_CUR);
	s->stdout_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (s->stdout_fd < 0 || (to_stderr && dup2(STDERR_FILENO, STDOUT_FILENO) < 0))
		return err__set(err, errno, "standard output cannot be duplicated: %s",
				strerror(errno));
	return 0;
}

void streams__begin_again(const struct streams *s)
{
	if (s->stdin_at >= 0 && lseek(STDIN_FILENO, s->stdin_at, SEEK_SET) >= 0)
		return;
	if (!put_null(STDIN_FILENO, O_RDONLY))
		say("the next run of the command reads the rest of standard input: %s",
		    strerror(errno));
}

void streams__discard_output(void)
{
	fflush(stdout);
	if (!put_null(STDOUT_FILENO, O_WRONLY))
		say("the command's output cannot be discarded: %s", strerror(errno));
}

int streams__give_back(struct streams *s, struct err *err)
{
	int rc = 0;

	if (s->stdout_fd < 0)
		return 0;
	fflush(stdout);
	if (dup2(s->stdout_fd, STDOUT_FILENO) < 0)
		rc = err__set(err, errno, "standard output cannot be restored for the answer: "
					  "%s", strerror(errno));
	close(s->stdout_fd);
	s->stdout_fd = -1;
	return rc;
}
