/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Serve the last text of a measurement over HTTP: /metrics, /healthz and /.
 *
 * Clients connect to a listening socket, and get the text in the form that they ask for. Scrapes
 * cost the measurement nothing, however many there are: the text is read from shared memory,
 * converted to each form once, and sent from there. Slow clients have a time limit, and if there
 * are too many clients, the one that has waited longest is cut off. libmicrohttpd reads the
 * requests, in one thread, when the caller calls server__run().
 */
#ifndef TMA_HTTP_SERVER_H
#define TMA_HTTP_SERVER_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct server;
struct shared_text;
struct web_config;

/* How a request is answered. */
enum server_status {
	SERVER_OK,
	SERVER_UNAUTHORIZED,
	SERVER_NOT_FOUND,
	SERVER_NOT_ALLOWED, /* the method is neither GET nor HEAD */
	SERVER_BUSY,	    /* too many wrong passwords */
	SERVER_NO_TEXT,	    /* there is no text, or it is too old */
	SERVER_STATUSES,
};

/** server__load() - load the libraries. Return: 0 or -ELIBACC. */
int server__load(struct err *err);
/**
 * server__new() - begin to serve
 * @listen_fd: a listening socket, which the caller keeps
 * @config: users and certificate; must stay valid as long as the server, or until it is replaced
 * @about:  the page for /, in HTML; copied
 *
 * Return: 0; -EINVAL if certificate or key are wrong; or another -errno. Release it with
 * server__free().
 */
int server__new(struct server **server, int listen_fd, const struct web_config *config,
		const char *about, struct err *err);
/** server__free() - cut off all clients and release the server; NULL is allowed. */
void server__free(struct server *s);
/**
 * server__forget() - wipe remembered passwords, in a copy of the process
 *
 * NULL is allowed. The library's copy of the key is not wiped. No other function may be called
 * afterwards.
 */
void server__forget(struct server *s);
/**
 * server__set_text() - set the text to serve from now on
 * @text: must stay valid as long as the server, or until it is replaced; NULL for none
 */
void server__set_text(struct server *s, const struct shared_text *text);
/**
 * server__set_fresh() - set whether the text is up to date
 * @why_not: NULL if it is; else one line, which must stay valid: /metrics and /healthz then answer
 *           with status 503 and this line
 */
void server__set_fresh(struct server *s, const char *why_not);
/**
 * server__set_config() - replace the users and the certificate
 *
 * Connected clients are cut off. Return: 0; or -errno, and nothing has changed.
 */
int server__set_config(struct server *s, const struct web_config *config, struct err *err);
/** server__fd() - get a descriptor that is readable when server__run() must be called. */
int server__fd(const struct server *s);
/**
 * server__timeout_ms() - get the time after which server__run() must be called; -1 for no limit.
 */
int server__timeout_ms(const struct server *s);
/**
 * server__run() - serve requests that have arrived
 * @now_ns: time of a clock that never runs backwards
 */
void server__run(struct server *s, uint64_t now_ns);
/** server__answered() - count requests that were answered with a status since the start. */
uint64_t server__answered(const struct server *s, enum server_status status);

#endif
