/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The service manager that has started this program: it may pass a socket, and the program reports
 * its state to it (systemd's protocols, which need no library).
 */
#ifndef TMA_CMD_SERVICE_H
#define TMA_CMD_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "http/listening.h"

struct err;

/**
 * service__listen() - use the socket that the manager has passed; without one, open one
 * @where: see listening__open()
 * @is_asked: the user gave @where: if a socket was passed too, this is an error
 *
 * Return: 0 or -errno. Call listening__close() in either case.
 */
int service__listen(struct listening *l, const char *where, bool is_asked, struct err *err);

/**
 * service__tell() - report to the service manager, if there is one ("READY=1", "STATUS=...")
 *
 * A manager that does not listen is not an error.
 */
void service__tell(const char *state);
/**
 * service__say() - print the address where metrics are served, and the interval of rows
 * @tls: connections are encrypted
 */
void service__say(const struct listening *l, bool tls, uint64_t interval_ms);
/**
 * service__watchdog_ns() - get how often to send WATCHDOG=1: half of the manager's limit, in ns; 0
 * for never
 */
uint64_t service__watchdog_ns(void);

#endif
