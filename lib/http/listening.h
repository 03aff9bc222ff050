/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a server listens: a text or a socket that was given comes in; one that listens goes out. */
#ifndef TMA_HTTP_LISTENING_H
#define TMA_HTTP_LISTENING_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/sb.h"

struct err;

/**
 * struct listening - a socket that listens
 * @is_local: nobody on another computer reaches it; @is_given: the manager of services has made it
 * @path: of a Unix socket that was made here, and is to be removed, or NULL; @made: what it was
 * @name: for people: "127.0.0.1:9847"
 */
struct listening {
	int fd;
	bool is_local, is_given, is_unix;
	char *path;
	struct stat made;
	struct sb name;
};

/**
 * listening__open() - listen where a text says
 * @where: "ADDRESS:PORT", "[IPV6]:PORT", ":PORT" for all addresses, or "unix:PATH"
 *
 * Return: 0, or -errno. listening__close() releases it, whatever is returned.
 */
int listening__open(struct listening *l, const char *where, struct err *err);
/** listening__take() - take the socket that was given. Return: 0, or -EBADF for another thing. */
int listening__take(struct listening *l, int fd, struct err *err);
/** listening__close() - close it, and remove a Unix socket that was made here. */
void listening__close(struct listening *l);

#endif
