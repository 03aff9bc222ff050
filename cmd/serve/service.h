/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The service manager that has started this program: it may pass a socket, and gets reports on the
 * state (systemd's protocols, which need no library).
 */
#ifndef TMA_CMD_SERVICE_H
#define TMA_CMD_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "http/listening.h"

struct err;

/**
 * service__listen() - take the socket that the manager has passed, or listen
 * @where: see listening__open(); @is_asked: the user gave it, which contradicts a socket that was
 *         passed
 *
 * Return: 0, or -errno. listening__close() releases it in either case.
 */
int service__listen(struct listening *l, const char *where, bool is_asked, struct err *err);

/**
 * service__tell() - report to the service manager, if there is one ("READY=1", "STATUS=...")
 *
 * A manager that does not listen is not an error.
 */
void service__tell(const char *state);
/** service__say() - report where metrics are served, @tls or not, with a row each @interval_ms. */
void service__say(const struct listening *l, bool tls, uint64_t interval_ms);
/**
 * service__watchdog_ns() - get how often to send WATCHDOG=1: half of the manager's limit, in ns; 0
 * for never
 */
uint64_t service__watchdog_ns(void);

#endif
