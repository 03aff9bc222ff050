/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Serve the last text of a measurement over HTTP: /metrics, /healthz and /.
 *
 * Clients connect to a listening socket, and get the text in a form that they accept. Scrapes cost
 * the measurement nothing, however many there are: the server reads the text from shared memory,
 * converts it to each form once, and sends it. Slow clients have a time limit; if there are too
 * many clients, the client that has waited longest is disconnected. libmicrohttpd reads the
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

/* Kinds of answers to a request. */
enum server_status {
	SERVER_OK,
	SERVER_UNAUTHORIZED,
	SERVER_NOT_FOUND,
	SERVER_NOT_ALLOWED, /* the method is neither GET nor HEAD */
	SERVER_BUSY,	    /* too many wrong passwords */
	SERVER_NO_TEXT,	    /* the text is missing or too old */
	SERVER_STATUSES,
};

/** server__load() - load the libraries. Return: 0 or -ELIBACC. */
int server__load(struct err *err);
/**
 * server__new() - begin to serve
 * @listen_fd: a listening socket, which the caller keeps
 * @config: users and certificate; must stay valid until the server is released or the config is
 *          replaced
 * @about:  the page for /, in HTML; copied
 *
 * Return: 0; -EINVAL if certificate or key are wrong; or another -errno. Release the server with
 * server__free().
 */
int server__new(struct server **server, int listen_fd, const struct web_config *config,
		const char *about, struct err *err);
/** server__free() - disconnect all clients and release the server; NULL is allowed. */
void server__free(struct server *s);
/**
 * server__forget() - wipe remembered passwords in a forked copy of the process
 *
 * NULL is allowed. The library's copy of the key is not wiped. Call no other function of the server
 * afterwards.
 */
void server__forget(struct server *s);
/**
 * server__set_text() - set the text to serve from now on
 * @text: must stay valid until the server is released or the text is replaced; NULL for none
 */
void server__set_text(struct server *s, const struct shared_text *text);
/**
 * server__set_fresh() - set whether the text is up to date
 * @why_not: NULL if the text is up to date. Otherwise one line, which must stay valid: /metrics and
 *           /healthz answer with status 503 and this line
 */
void server__set_fresh(struct server *s, const char *why_not);
/**
 * server__set_config() - replace the users and the certificate
 *
 * All clients are disconnected. Return: 0; or -errno, and nothing has changed.
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
/** server__answered() - count the requests that were answered with a status since the start. */
uint64_t server__answered(const struct server *s, enum server_status status);

#endif
