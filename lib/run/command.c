// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run commands before and after a run (--pre, --post), and report how the measured command ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/place.h"
#include "run/internal.h"

int command__run_hook(const char *option, const char *command, int output_fd, struct err *err)
{
	bool had_signal = session__signal();
	int status, rc;

	if (!command)
		return 0;
	rc = hook__run(command, output_fd, &status);
	if (rc)
		return err__set(err, -rc, "%s '%s': %s", option, command, strerror(-rc));
	if (!status || (!had_signal && session__signal()))
		return 0;
	if (WIFEXITED(status))
		return err__set(err, ECANCELED, "%s '%s' ended with status %d", option, command,
				WEXITSTATUS(status));
	return err__set(err, ECANCELED, "%s '%s' was killed by signal %d", option, command,
			WTERMSIG(status));
}

int command__open_output(const char *where, int *fd, struct err *err)
{
	int opened;

	if (!where || *fd)
		return 0;
	if (!strcmp(where, "stderr"))
		opened = STDERR_FILENO;
	else
		opened = place__open(strcmp(where, "null") ? where : "/dev/null", O_WRONLY, 0666,
				     err);
	if (opened < 0)
		return opened;
	*fd = opened;
	return 0;
}

int command__status(char *const *argv, int wait_status, int sent, struct notes *notes)
{
	int signo = WTERMSIG(wait_status);
	const char *name;

	if (!argv)
		return 0;
	if (WIFEXITED(wait_status))
		return WEXITSTATUS(wait_status);
	if (signo == sent)
		return 0;
	name = sigabbrev_np(signo); /* NULL for real-time signals */
	if (name)
		notes__add(notes, NOTE_FAILED, NULL, "'%s' was killed by SIG%s", argv[0], name);
	else
		notes__add(notes, NOTE_FAILED, NULL, "'%s' was killed by signal %d", argv[0],
			   signo);
	return 128 + signo;
}
