// SPDX-License-Identifier: GPL-2.0-only
#include "http/listening.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"

#define BACKLOG 512
#define LOCK_TRIES 100 /* 10 ms each */

/* A socket's address of any kind. */
union socket_name {
	struct sockaddr any;
	struct sockaddr_in ip4;
	struct sockaddr_in6 ip6;
	struct sockaddr_un local;
};

static bool is_loopback(const union socket_name *a)
{
	if (a->any.sa_family == AF_INET)
		return ntohl(a->ip4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
	return a->any.sa_family == AF_UNIX ||
	       (a->any.sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&a->ip6.sin6_addr));
}

static void listening__put_name(struct listening *l, const union socket_name *a)
{
	char text[INET6_ADDRSTRLEN] = "";

	if (a->any.sa_family == AF_UNIX)
		sb__printf(&l->name, "unix:%s", *a->local.sun_path ? a->local.sun_path : "@");
	else if (a->any.sa_family == AF_INET6)
		sb__printf(&l->name, "[%s]:%d",
			   inet_ntop(AF_INET6, &a->ip6.sin6_addr, text, sizeof(text)),
			   ntohs(a->ip6.sin6_port));
	else
		sb__printf(&l->name, "%s:%d",
			   inet_ntop(AF_INET, &a->ip4.sin_addr, text, sizeof(text)),
			   ntohs(a->ip4.sin_port));
}

/*
 * Describe the address that the socket has; if port 0 was requested, the kernel has chosen a port.
 */
static void listening__describe(struct listening *l)
{
	union socket_name a = {.any.sa_family = AF_UNSPEC};
	socklen_t len = sizeof(a);

	getsockname(l->fd, &a.any, &len);
	l->is_local = is_loopback(&a);
	l->is_unix = a.any.sa_family == AF_UNIX;
	listening__put_name(l, &a);
}

static int wrong_place(const char *where, struct err *err)
{
	return err__set(err, EINVAL,
			"--listen: '%s' is not ADDRESS:PORT, [IPV6]:PORT, :PORT or unix:PATH",
			where);
}

/* Parse "localhost", an IPv4 address, an IPv6 address in brackets, or "" for all addresses. */
static int read_address(const char *where, union socket_name *a, socklen_t *len, struct err *err)
{
	const char *colon = strrchr(where, ':');
	auto_text host = NULL;
	uint64_t port;
	int rc;

	if (!colon || (*where == '[' && where[strlen(where) - 1] == ']'))
		return wrong_place(where, err);
	rc = num__parse_u64("the port of --listen", colon + 1, 0, UINT16_MAX, &port, err);
	if (rc)
		return rc;
	host = xstrndup(where, colon - where);
	if (!*host || *host == '[') {
		a->ip6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons(port)};
		*len = sizeof(a->ip6);
		if (!*host)
			return 0;
		if (host[strlen(host) - 1] != ']')
			return wrong_place(where, err);
		host[strlen(host) - 1] = '\0';
		return inet_pton(AF_INET6, host + 1, &a->ip6.sin6_addr) == 1
			       ? 0 : wrong_place(where, err);
	}
	a->ip4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port)};
	*len = sizeof(a->ip4);
	return inet_pton(AF_INET, strcmp(host, "localhost") ? host : "127.0.0.1",
			 &a->ip4.sin_addr) == 1 ? 0 : wrong_place(where, err);
}

static int listen_at(struct listening *l, const char *where, const union socket_name *a,
		     socklen_t len, struct err *err)
{
	int on = 1, off = 0;

	l->fd = socket(a->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (l->fd >= 0)
		setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	/* "All addresses" includes IPv4 addresses, whatever net.ipv6.bindv6only is. */
	if (l->fd >= 0 && a->any.sa_family == AF_INET6)
		setsockopt(l->fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	if (l->fd < 0 || bind(l->fd, &a->any, len) || listen(l->fd, BACKLOG))
		return err__set(err, errno, "--listen %s: %s", where, strerror(errno));
	listening__describe(l);
	return 0;
}

/* On a kernel without IPv6, "all addresses" means all IPv4 addresses. */
static int listen_on_network(struct listening *l, const char *where, struct err *err)
{
	union socket_name a = {.any.sa_family = AF_UNSPEC};
	socklen_t len = 0;
	int rc = read_address(where, &a, &len, err);

	rc = rc ?: listen_at(l, where, &a, len, err);
	if (rc != -EAFNOSUPPORT || *where != ':')
		return rc;
	a.ip4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = a.ip6.sin6_port};
	*err = (struct err)ERR_INIT;
	return listen_at(l, where, &a, sizeof(a.ip4), err);
}

/* Tell whether a path is a socket that no process listens on, since its program has ended. */
static bool is_left_behind(const union socket_name *a, socklen_t len)
{
	struct stat st;
	bool refused;
	int fd;

	if (lstat(a->local.sun_path, &st) || !S_ISSOCK(st.st_mode))
		return false;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	refused = fd >= 0 && connect(fd, &a->any, len) && errno == ECONNREFUSED;
	if (fd >= 0)
		close(fd);
	return refused;
}

/*
 * Lock the directory of a path before a socket in it is replaced. Without the lock, two programs
 * that start simultaneously may both find an old socket, and one may remove the other's new socket.
 * If the directory cannot be read, or its lock stays taken, this risk is accepted.
 */
static int lock_directory_of(const char *path)
{
	static const struct timespec pause = {.tv_nsec = 10000000};
	const char *slash = strrchr(path, '/');
	auto_text directory = slash ? xstrndup(path, slash + 1 - path) : xstrdup(".");
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (int i = 0; fd >= 0 && i < LOCK_TRIES; i++) {
		if (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
			break;
		nanosleep(&pause, NULL);
	}
	return fd;
}

static void unlock(int fd)
{
	if (fd >= 0)
		close(fd);
}

/*
 * Tell whether a path still names the socket that was made here. If the socket was removed, another
 * program may have made one with the same path.
 */
static bool is_still_there(const struct listening *l)
{
	struct stat now;

	return !lstat(l->path, &now) && now.st_dev == l->made.st_dev &&
	       now.st_ino == l->made.st_ino && now.st_mtim.tv_sec == l->made.st_mtim.tv_sec &&
	       now.st_mtim.tv_nsec == l->made.st_mtim.tv_nsec;
}

/* The user and the group may connect to the socket. */
static int listen_on_path(struct listening *l, const char *where, const char *path, struct err *err)
{
	union socket_name a = {.local.sun_family = AF_UNIX};
	mode_t before;
	int rc, lock;

	if (!*path || strlen(path) >= sizeof(a.local.sun_path))
		return err__set(err, EINVAL,
				"--listen: the path of a socket has 1 to %zu characters",
				sizeof(a.local.sun_path) - 1);
	strcpy(a.local.sun_path, path);
	lock = lock_directory_of(path);
	if (is_left_behind(&a, sizeof(a.local)))
		unlink(path);
	before = umask(0117);
	rc = listen_at(l, where, &a, sizeof(a.local), err);
	umask(before);
	if (!rc && !lstat(path, &l->made))
		l->path = xstrdup(path);
	unlock(lock);
	return rc;
}

int listening__take(struct listening *l, int fd, struct err *err)
{
	int listens = 0;
	socklen_t len = sizeof(listens);

	*l = (struct listening){.fd = -1, .name = SB_INIT};
	if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &len) || !listens)
		return err__set(err, EBADF,
				"the passed descriptor %d is not a listening socket", fd);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	l->fd = fd;
	l->is_given = true;
	listening__describe(l);
	return 0;
}

int listening__open(struct listening *l, const char *where, struct err *err)
{
	*l = (struct listening){.fd = -1, .name = SB_INIT};
	if (text__has_prefix(where, "unix:"))
		return listen_on_path(l, where, where + strlen("unix:"), err);
	return listen_on_network(l, where, err);
}

void listening__close(struct listening *l)
{
	if (l->fd >= 0)
		close(l->fd);
	if (l->path && is_still_there(l))
		unlink(l->path);
	free(l->path);
	sb__free(&l->name);
	*l = (struct listening){.fd = -1};
}
