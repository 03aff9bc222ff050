/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Open a listening socket at an address that is given as text, or use a socket that was passed to
 * the program.
 */
#ifndef TMA_HTTP_LISTENING_H
#define TMA_HTTP_LISTENING_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/sb.h"

struct err;

/**
 * struct listening - a listening socket
 * @is_local: other computers cannot reach the socket
 * @is_given: the service manager has opened the socket
 * @path: path of a Unix socket that was made here and is removed at the end, or NULL
 * @made: file status of this Unix socket
 * @name: address of the socket for messages: "127.0.0.1:9847"
 */
struct listening {
	int fd;
	bool is_local, is_given, is_unix;
	char *path;
	struct stat made;
	struct sb name;
};

/**
 * listening__open() - listen at an address
 * @where: "ADDRESS:PORT", "[IPV6]:PORT", ":PORT" for all addresses, or "unix:PATH"
 *
 * Return: 0, or -errno. Call listening__close() after success and after failure.
 */
int listening__open(struct listening *l, const char *where, struct err *err);
/**
 * listening__take() - use a socket that was passed to the program. Return: 0; -EBADF if it does not
 * listen.
 */
int listening__take(struct listening *l, int fd, struct err *err);
/** listening__close() - close the socket, and remove a Unix socket that was made here. */
void listening__close(struct listening *l);

#endif
