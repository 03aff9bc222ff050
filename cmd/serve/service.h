/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a program that runs on its own has to do with the rest of a computer: where it listens, and
 * what it tells the manager of services that has started it (systemd's protocols, which need no
 * library).
 */
#ifndef TMA_CMD_SERVICE_H
#define TMA_CMD_SERVICE_H

#include <stdbool.h>
#include <stdint.h>
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
 * listening__open() - listen where a text says, or take the socket that was given
 * @where: "ADDRESS:PORT", "[IPV6]:PORT", ":PORT" for all addresses, or "unix:PATH"
 * @is_asked: the user has said so, which a socket that was given contradicts
 *
 * Return: 0, or -errno. listening__close() releases it, whatever is returned.
 */
int listening__open(struct listening *l, const char *where, bool is_asked, struct err *err);
/** listening__close() - close it, and remove a Unix socket that was made here. */
void listening__close(struct listening *l);

/**
 * service__tell() - tell the manager of services, if there is one ("READY=1", "STATUS=...")
 *
 * One that does not listen does no harm.
 */
void service__tell(const char *news);
/** service__watchdog_ns() - how often it wants to hear WATCHDOG=1, in ns; 0 for never. */
uint64_t service__watchdog_ns(void);

#endif
