/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A server of the last text that a measurement has put together: /metrics, /healthz and /, and
 * nothing else.
 *
 * Clients come in over a socket that listens; out go the text in the form they ask for. A scrape
 * costs the measurement nothing, whatever their number: the text is read from memory, put into each
 * form once, and sent from there. Who is slow has a time, and who stands in the way of others goes
 * first. libmicrohttpd reads HTTP, in one thread, when the caller says so.
 */
#ifndef TMA_HTTP_SERVER_H
#define TMA_HTTP_SERVER_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct server;
struct shared_text;
struct web_config;

/* A request is answered by one of these. */
enum server_status {
	SERVER_OK,
	SERVER_UNAUTHORIZED,
	SERVER_NOT_FOUND,
	SERVER_NOT_ALLOWED, /* the method is neither GET nor HEAD */
	SERVER_BUSY,	    /* there were too many wrong passwords */
	SERVER_NO_TEXT,	    /* there is no text, or none that is new enough */
	SERVER_STATUSES,
};

/** server__load() - load the libraries. Return: 0 or -ELIBACC. */
int server__load(struct err *err);
/**
 * server__new() - begin to serve
 * @listen_fd: a socket that listens, which stays the caller's
 * @config: who may ask, and the certificate; must outlive the server, or what replaces it
 * @about:  the page of /, in HTML; copied
 *
 * Return: 0; -EINVAL where certificate and key are wrong; or another -errno. server__free() it.
 */
int server__new(struct server **server, int listen_fd, const struct web_config *config,
		const char *about, struct err *err);
/** server__free() - cut all off and release it; NULL is allowed. */
void server__free(struct server *s);
/**
 * server__forget() - wipe what is remembered of passwords, in a copy of the process
 *
 * NULL is allowed. What the library has of a key stays. Nothing else may be called then.
 */
void server__forget(struct server *s);
/**
 * server__set_text() - from now on serve what stands there
 * @text: must outlive the server, or what replaces it; NULL for none
 */
void server__set_text(struct server *s, const struct shared_text *text);
/**
 * server__set_fresh() - say whether the text is one of now
 * @why_not: else one line, which must stay; /metrics and /healthz then are 503 with this text
 */
void server__set_fresh(struct server *s, const char *why_not);
/**
 * server__use() - from now on ask for these credentials and show this certificate
 *
 * Those who are connected are cut off. Return: 0, or -errno with everything as it was.
 */
int server__use(struct server *s, const struct web_config *config, struct err *err);
/** server__fd() - a descriptor that is readable when server__run() has something to do. */
int server__fd(const struct server *s);
/** server__timeout_ms() - call server__run() then at the latest; -1 for any time. */
int server__timeout_ms(const struct server *s);
/** server__run() - serve what has come. @now_ns: a clock that never runs backwards */
void server__run(struct server *s, uint64_t now_ns);
/** server__answered() - how many requests were answered so since the start. */
uint64_t server__answered(const struct server *s, enum server_status status);

#endif
