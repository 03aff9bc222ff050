// SPDX-License-Identifier: GPL-2.0-only
#include "serve/service.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd.h"

#define GIVEN_FD 3 /* descriptor of the first socket that systemd passes */
#define NS_PER_US 1000

static bool is_own(const char *variable)
{
	const char *text = getenv(variable);

	return text && atol(text) == getpid();
}

int service__listen(struct listening *l, const char *where, bool is_asked, struct err *err)
{
	const char *count = getenv("LISTEN_FDS");

	*l = (struct listening){.fd = -1, .name = SB_INIT};
	if (!is_own("LISTEN_PID"))
		return listening__open(l, where, err);
	if (!count || strcmp(count, "1"))
		return err__set(err, EINVAL, "LISTEN_FDS is '%s': tma serves exactly one socket",
				count ?: "");
	if (is_asked)
		return err__set(err, EINVAL,
				"--listen: the service manager has passed a socket already: remove "
				"one of them");
	return listening__take(l, GIVEN_FD, err);
}

void service__tell(const char *state)
{
	const char *where = getenv("NOTIFY_SOCKET");
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	size_t len = where ? strlen(where) : 0;
	int fd;

	if (!len || len >= sizeof(a.sun_path) || (*where != '/' && *where != '@'))
		return;
	memcpy(a.sun_path, where, len);
	/* A name in the abstract namespace begins with a zero byte. */
	if (*where == '@')
		a.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return;
	sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&a,
	       offsetof(struct sockaddr_un, sun_path) + len);
	close(fd);
}

void service__say(const struct listening *l, bool tls, uint64_t interval_ms)
{
	const char *name = sb__str(&l->name);

	if (l->is_unix)
		say("serving /metrics on %s, with a row every %" PRIu64 " ms", name, interval_ms);
	else
		say("serving http%s://%s/metrics, with a row every %" PRIu64 " ms", tls ? "s" : "",
		    name, interval_ms);
}

uint64_t service__watchdog_ns(void)
{
	const char *text = getenv("WATCHDOG_USEC");

	if (!text || (getenv("WATCHDOG_PID") && !is_own("WATCHDOG_PID")))
		return 0;
	return strtoull(text, NULL, 10) * NS_PER_US / 2;
}
