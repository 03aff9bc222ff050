/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Send queries to a Prometheus and receive the text of its answers, with libcurl, which is loaded
 * for the first query. If the header of libcurl was missing when tma was built, calls fail as if
 * the library were missing.
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
 * struct fleet_server - the Prometheus to query
 * @url:        URL without "/api/v1/query"
 * @at:         time of the queries in Prometheus' format, or NULL for the present
 * @token:      text that is sent as a bearer token, or NULL
 * @ca_file:    certificates that are trusted instead of the system's, or NULL
 * @timeout_s:  time limit for each answer, in seconds
 */
struct fleet_server {
	const char *url, *at, *token, *ca_file;
	int timeout_s;
};

struct fleet_asker;

/**
 * fleet__check_url() - check a URL: it must be http or https, and must not contain a password.
 * Return: 0 or -errno.
 */
int fleet__check_url(const char *url, struct err *err);
/** fleet__is_readable() - tell whether others can read the data that is sent to a URL. */
bool fleet__is_readable(const char *url);
/**
 * fleet_asker__new() - prepare for queries
 * @server: must stay valid, since it is not copied
 *
 * Return: NULL with a message if the library is missing, or refuses a value of @server.
 */
struct fleet_asker *fleet_asker__new(const struct fleet_server *server, struct err *err);
/**
 * fleet_asker__ask() - send a query
 * @text:   set to the server's answer, whether it is JSON or not
 * @status: set to the HTTP status
 *
 * Return: 0 if there was an answer to a query; -EACCES, -ENOENT or -EIO for a status that shows
 * that the answer is not one to a query; -ETIMEDOUT; -EFBIG; -EIO without an answer.
 */
int fleet_asker__ask(struct fleet_asker *asker, const char *query, struct sb *text, int *status,
		     struct err *err);
/** fleet_asker__free() - close the connection; NULL is allowed. */
void fleet_asker__free(struct fleet_asker *asker);

#endif
