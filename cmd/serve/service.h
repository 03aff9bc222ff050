/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The manager of services that has started this program: it may give a socket, and is told how it
 * goes (systemd's protocols, which need no library).
 */
#ifndef TMA_CMD_SERVICE_H
#define TMA_CMD_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "http/listening.h"

struct err;

/**
 * service__listen() - take the socket that the manager has given, or listen
 * @where: as listening__open() takes it; @is_asked: the user has said so, which a socket that was
 *         given contradicts
 *
 * Return: 0, or -errno. listening__close() releases it, whatever is returned.
 */
int service__listen(struct listening *l, const char *where, bool is_asked, struct err *err);

/**
 * service__tell() - tell the manager of services, if there is one ("READY=1", "STATUS=...")
 *
 * One that does not listen does no harm.
 */
void service__tell(const char *news);
/** service__say() - tell where it is served, @tls or not, with a row each @interval_ms. */
void service__say(const struct listening *l, bool tls, uint64_t interval_ms);
/** service__watchdog_ns() - how often it wants to hear WATCHDOG=1, in ns; 0 for never. */
uint64_t service__watchdog_ns(void);

#endif
