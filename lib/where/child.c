// SPDX-License-Identifier: GPL-2.0-only
#include "where/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "count/clock.h"
#include "count/workload.h"

#define CHILD_SECONDS 20 /* limit of a child's CPU time */
#define NS_PER_S 1000000000ULL
#define CHILD_SILENT_NS (20 * NS_PER_S) /* time after which a child that waits for input is given
					 * up */
#define CHILD_MEMORY ((rlim_t)1 << (sizeof(rlim_t) > 4 ? 32 : 31))
#define CHILD_SAYS_MOST (64 << 20) /* bytes of output */

#ifdef __SANITIZE_ADDRESS__
#define LIMITS_MEMORY false
#else
#define LIMITS_MEMORY true
#endif

void child__put(FILE *out, const char *text)
{
	uint32_t len = text ? strnlen(text, CHILD_TEXT_MAX) : 0;

	fwrite(&len, sizeof(len), 1, out);
	if (len)
		fwrite(text, 1, len, out);
}

bool child__get(FILE *in, char **text)
{
	uint32_t len;

	if (fread(&len, sizeof(len), 1, in) != 1 || len > CHILD_TEXT_MAX)
		return false;
	free(*text);
	*text = xcalloc(len + 1, 1);
	return fread(*text, 1, len, in) == len;
}

static _Noreturn void run_child(int fd, bool download, void (*answer)(FILE *out, void *arg),
				void *arg)
{
	const struct rlimit cpu = {CHILD_SECONDS, CHILD_SECONDS}, core = {0, 0};
	const struct rlimit memory = {CHILD_MEMORY, CHILD_MEMORY};
	FILE *out = fdopen(fd, "w");

	prlimit(0, RLIMIT_CPU, &cpu, NULL);
	prlimit(0, RLIMIT_CORE, &core, NULL);
	/* A sanitizer reserves far more memory than is used, so there is no limit with one. */
	if (LIMITS_MEMORY)
		prlimit(0, RLIMIT_AS, &memory, NULL);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!download)
		unsetenv("DEBUGINFOD_URLS");
	if (out) {
		answer(out, arg);
		fflush(out);
	}
	_exit(0);
}

/* Return: whether another signal has come. */
static bool took_signal(struct child_reading *r)
{
	r->interrupted |= signals__take() != 0;
	return r->interrupted;
}

bool child_reading__ended(const struct child_reading *r)
{
	return r->interrupted || clock__now_ns() >= r->until_ns;
}

/*
 * Wait for output of a child. Return: whether there may be more; false if the child is silent for
 * too long.
 */
static bool wait_for_more(struct child_reading *r, int fd, uint64_t silent_since_ns)
{
	uint64_t end_ns = silent_since_ns + CHILD_SILENT_NS;
	struct pollfd from = {.fd = fd, .events = POLLIN};

	end_ns = r->until_ns < end_ns ? r->until_ns : end_ns;
	for (;;) {
		uint64_t now_ns = clock__now_ns(), left_ns = end_ns > now_ns ? end_ns - now_ns : 0;
		struct timespec left = {left_ns / NS_PER_S, left_ns % NS_PER_S};
		int n = left_ns ? signals__poll(&from, 1, &left) : 0;

		if (n > 0 || !n)
			return n;
		if (took_signal(r))
			return false;
	}
}

/* Read the output of a child until the child ends or the time is over. */
static void read_answers(struct child_reading *r, int fd, struct sb *output)
{
	uint64_t since_ns = clock__now_ns();
	char bytes[4096];
	ssize_t n = 1;

	while (n && output->len < CHILD_SAYS_MOST && wait_for_more(r, fd, since_ns)) {
		n = read(fd, bytes, sizeof(bytes));
		if (n < 0 && errno != EINTR)
			break;
		if (n > 0)
			sb__add(output, bytes, n);
		since_ns = clock__now_ns();
	}
}

void child__ask(struct child_reading *r, void (*answer)(FILE *out, void *arg), void *arg,
		struct sb *output)
{
	int ends[2], status;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC)) {
		r->obstacle = strerror(errno);
		return;
	}
	pid = fork();
	if (!pid) {
		close(ends[0]);
		run_child(ends[1], r->download, answer, arg);
	}
	if (pid < 0)
		r->obstacle = strerror(errno);
	close(ends[1]);
	if (pid > 0)
		read_answers(r, ends[0], output);
	close(ends[0]);
	if (pid > 0)
		kill(pid, SIGKILL);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
}
