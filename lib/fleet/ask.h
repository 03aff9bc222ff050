/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Send queries to a Prometheus and receive the text of its answers, with libcurl, which is loaded
 * for the first query. If its header was missing when tma was built, calls fail as they do without
 * the library.
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
 * struct fleet_server - the Prometheus to ask
 * @url:        without "/api/v1/query"
 * @at:         time of the queries in Prometheus' format, or NULL for now
 * @token:      sent as a bearer token, or NULL
 * @ca_file:    certificates to trust instead of the system's, or NULL
 * @timeout_s:  limit for each answer
 */
struct fleet_server {
	const char *url, *at, *token, *ca_file;
	int timeout_s;
};

struct fleet_asker;

/**
 * fleet__check_url() - check a URL: it must be http or https, without a password. Return: 0 or
 * -errno.
 */
int fleet__check_url(const char *url, struct err *err);
/** fleet__is_readable() - tell whether data sent to a URL can be read on its way. */
bool fleet__is_readable(const char *url);
/**
 * fleet_asker__new() - prepare for queries
 * @server: not copied, so it must stay valid
 *
 * Return: NULL with a message if the library is missing, or refuses a value of @server.
 */
struct fleet_asker *fleet_asker__new(const struct fleet_server *server, struct err *err);
/**
 * fleet_asker__ask() - send a query
 * @text:   set to the server's answer, whether it is JSON or not
 * @status: set to the HTTP status
 *
 * Return: 0 if there was an answer; -ETIMEDOUT; -EFBIG; -EIO without an answer; for a status that
 * shows that it is not an answer to a query, -EACCES, -ENOENT or -EIO.
 */
int fleet_asker__ask(struct fleet_asker *asker, const char *query, struct sb *text, int *status,
		     struct err *err);
/** fleet_asker__free() - close the connection; NULL is allowed. */
void fleet_asker__free(struct fleet_asker *asker);

#endif
