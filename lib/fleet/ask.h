/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Queries go to a Prometheus, and the text of its answers comes back, by libcurl, which is loaded
 * when the first is asked. Where its header was not there when tma was built, it is as if the
 * library were not there.
 */
#ifndef TMA_FLEET_ASK_H
#define TMA_FLEET_ASK_H

#include <stdbool.h>

#include "base/sb.h"

#define FLEET_CURL_LIBRARY "libcurl.so.4"
#if __has_include(<curl/curl.h>)
#define FLEET_IS_BUILT 1
#else
#define FLEET_IS_BUILT 0
#endif

struct err;

/**
 * struct fleet_server - the Prometheus that is asked
 * @url:        without "/api/v1/query"
 * @at:         time of the queries as it reads it, or NULL for now
 * @token:      sent as a bearer token, or NULL
 * @ca_file:    certificates to believe in place of the system's, or NULL
 * @timeout_s:  of each answer
 */
struct fleet_server {
	const char *url, *at, *token, *ca_file;
	int timeout_s;
};

struct fleet_asker;

/** fleet__check_url() - look whether that can be asked: http or https, without a password in it. */
int fleet__check_url(const char *url, struct err *err);
/** fleet__is_readable() - tell whether what goes to a URL can be read on the way there. */
bool fleet__is_readable(const char *url);
/**
 * fleet_asker__new() - make ready to ask
 * @server: kept, not copied
 *
 * Return: NULL with a message when the library is not there, or has no use for what @server says.
 */
struct fleet_asker *fleet_asker__new(const struct fleet_server *server, struct err *err);
/**
 * fleet_asker__ask() - ask a query
 * @text:   emptied; what the server said, whether it is JSON or not
 * @status: set to that of HTTP
 *
 * Return: 0 when there was an answer; -ETIMEDOUT; -EFBIG; -EIO when there was none; -EAGAIN when it
 * is to be read no further, since it was no answer to a query.
 */
int fleet_asker__ask(struct fleet_asker *asker, const char *query, struct sb *text, int *status,
		     struct err *err);
/** fleet_asker__free() - end it; NULL is allowed. */
void fleet_asker__free(struct fleet_asker *asker);

#endif
