// SPDX-License-Identifier: GPL-2.0-only
#include "fleet/ask.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"

int fleet__check_url(const char *url, struct err *err)
{
	const char *host = strstr(url, "://");

	if (!host || (strncasecmp(url, "http:", 5) != 0 && strncasecmp(url, "https:", 6) != 0) ||
	    !host[3] || host[3] == '/' || strpbrk(url, " \t\r\n"))
		return err__set(err, EINVAL,
				"'%s': expected a URL such as http://prometheus:9090 or "
				"https://example.org/prometheus",
				url);
	host += 3;
	if (memchr(host, '@', strcspn(host, "/?#")))
		return err__set(err, EINVAL,
				"the URL has a user or a password in it, which everyone can see: "
				"put them into ~/.netrc, or use --token-file");
	if (strpbrk(host, "?#"))
		return err__set(err, EINVAL, "'%s': nothing may follow the path of the URL", url);
	return 0;
}

/* Tell whether the host of a checked URL is this machine. */
static bool is_loopback(const char *url)
{
	const char *host = strstr(url, "://") + 3, *dot;
	size_t len = strcspn(host, ":/");

	if (!strncmp(host, "[::1]", 5))
		return true;
	for (dot = host; dot < host + len && strchr("0123456789.", *dot);)
		dot++;
	return (len == strlen("localhost") && !strncasecmp(host, "localhost", len)) ||
	       (!strncmp(host, "127.", 4) && dot == host + len);
}

bool fleet__is_readable(const char *url)
{
	return !strncasecmp(url, "http:", 5) && !is_loopback(url);
}

#if FLEET_IS_BUILT

#include <stdlib.h>

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "base/library.h"
#include "base/xalloc.h"

/* Call the functions through pointers instead of the header's macros with the same names. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define MOST_BYTES (32 << 20) /* largest answer accepted */

LIBRARY_DECLARE(curl_global_init)
LIBRARY_DECLARE(curl_easy_init)
LIBRARY_DECLARE(curl_easy_cleanup)
LIBRARY_DECLARE(curl_easy_setopt)
LIBRARY_DECLARE(curl_easy_getinfo)
LIBRARY_DECLARE(curl_easy_perform)
LIBRARY_DECLARE(curl_easy_strerror)
LIBRARY_DECLARE(curl_easy_escape)
LIBRARY_DECLARE(curl_free)
LIBRARY_DECLARE(curl_slist_append)
LIBRARY_DECLARE(curl_slist_free_all)

/**
 * struct fleet_asker - a connection, used for all queries
 * @why:      the library's error message
 * @too_long: the answer was too long
 */
struct fleet_asker {
	const struct fleet_server *server;
	CURL *curl;
	struct curl_slist *headers;
	struct sb url;
	char why[CURL_ERROR_SIZE];
	struct sb *text;
	bool too_long;
};

static int load_library(struct err *err)
{
	static const struct library_call calls[] = {
		LIBRARY_CALL(curl_global_init)
		LIBRARY_CALL(curl_easy_init)
		LIBRARY_CALL(curl_easy_cleanup)
		LIBRARY_CALL(curl_easy_setopt)
		LIBRARY_CALL(curl_easy_getinfo)
		LIBRARY_CALL(curl_easy_perform)
		LIBRARY_CALL(curl_easy_strerror)
		LIBRARY_CALL(curl_easy_escape)
		LIBRARY_CALL(curl_free)
		LIBRARY_CALL(curl_slist_append)
		LIBRARY_CALL(curl_slist_free_all)
		{NULL, NULL}};
	int rc = library__load(FLEET_CURL_LIBRARY, "libcurl4", calls, err);

	/* The only possible error is a lack of memory. */
	if (!rc && lib_curl_global_init(CURL_GLOBAL_DEFAULT))
		xchecked(NULL);
	return rc;
}

static size_t ask__take(char *bytes, size_t one, size_t nr, void *arg)
{
	struct fleet_asker *asker = arg;

	asker->too_long = nr > MOST_BYTES - asker->text->len;
	if (asker->too_long)
		return 0;
	sb__add(asker->text, bytes, one * nr);
	return nr;
}

static CURLcode set_security(struct fleet_asker *asker)
{
	const struct fleet_server *server = asker->server;
	struct sb header = SB_INIT;
	CURLcode rc;

	rc = lib_curl_easy_setopt(asker->curl, CURLOPT_PROTOCOLS_STR, "http,https");
	/*
	 * Do not follow redirections: this would send the token to another server, and turn a POST
	 * into a GET.
	 */
	rc = rc ?: lib_curl_easy_setopt(asker->curl, CURLOPT_FOLLOWLOCATION, 0L);
	rc = rc ?: lib_curl_easy_setopt(asker->curl, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
	if (!rc && server->ca_file)
		rc = lib_curl_easy_setopt(asker->curl, CURLOPT_CAINFO, server->ca_file);
	if (server->token) {
		sb__printf(&header, "Authorization: Bearer %s", server->token);
		asker->headers = lib_curl_slist_append(NULL, sb__str(&header));
		xchecked(asker->headers);
	}
	sb__free(&header);
	if (!rc && asker->headers)
		rc = lib_curl_easy_setopt(asker->curl, CURLOPT_HTTPHEADER, asker->headers);
	return rc;
}

static CURLcode set_all(struct fleet_asker *asker)
{
	long timeout_s = asker->server->timeout_s;
	CURLcode rc;

	sb__printf(&asker->url, "%s/api/v1/query", asker->server->url);
	rc = lib_curl_easy_setopt(asker->curl, CURLOPT_ERRORBUFFER, asker->why);
	rc = rc ?: lib_curl_easy_setopt(asker->curl, CURLOPT_URL, sb__str(&asker->url));
	rc = rc ?: lib_curl_easy_setopt(asker->curl, CURLOPT_NOSIGNAL, 1L);
	/* Use no proxy for a loopback address, which would mean the proxy's own machine. */
	if (!rc && is_loopback(asker->server->url))
		rc = lib_curl_easy_setopt(asker->curl, CURLOPT_PROXY, "");
	rc = rc ?: lib_curl_easy_setopt(asker->curl, CURLOPT_TIMEOUT, timeout_s);
	rc = rc ?: lib_curl_easy_setopt(asker->curl, CURLOPT_CONNECTTIMEOUT, timeout_s);
	/* Accept all encodings that the library can decode, possibly none. */
	rc = rc ?: lib_curl_easy_setopt(asker->curl, CURLOPT_ACCEPT_ENCODING, "");
	rc = rc ?: lib_curl_easy_setopt(asker->curl, CURLOPT_USERAGENT, "tma-fleet");
	rc = rc ?: lib_curl_easy_setopt(asker->curl, CURLOPT_WRITEFUNCTION, ask__take);
	rc = rc ?: lib_curl_easy_setopt(asker->curl, CURLOPT_WRITEDATA, asker);
	return rc ?: set_security(asker);
}

struct fleet_asker *fleet_asker__new(const struct fleet_server *server, struct err *err)
{
	struct fleet_asker *asker;
	CURLcode rc;

	if (load_library(err))
		return NULL;
	asker = xcalloc(1, sizeof(*asker));
	asker->server = server;
	asker->curl = xchecked(lib_curl_easy_init());
	rc = set_all(asker);
	if (!rc)
		return asker;
	err__set(err, EIO, "cannot ask %s: %s", server->url, lib_curl_easy_strerror(rc));
	fleet_asker__free(asker);
	return NULL;
}

static void ask__put_field(struct fleet_asker *asker, const char *name, const char *value,
			   struct sb *sb)
{
	char *escaped = xchecked(lib_curl_easy_escape(asker->curl, value, 0));

	sb__printf(sb, "%s%s=%s", sb->len ? "&" : "", name, escaped);
	lib_curl_free(escaped);
}

static int no_answer(struct fleet_asker *asker, CURLcode rc, struct err *err)
{
	const struct fleet_server *server = asker->server;

	if (asker->too_long)
		return err__set(err, EFBIG, "%s answers with more than %d MiB", server->url,
				MOST_BYTES >> 20);
	if (rc == CURLE_OPERATION_TIMEDOUT)
		return err__set(err, ETIMEDOUT, "no answer from %s within %d s (--timeout)",
				server->url, server->timeout_s);
	return err__set(err, EIO, "cannot ask %s: %s", server->url,
			*asker->why ? asker->why : lib_curl_easy_strerror(rc));
}

/* Check for statuses that mean a missing answer; with other errors, Prometheus sends a message. */
static int judge_status(const struct fleet_asker *asker, long status, struct err *err)
{
	const char *url = asker->server->url;

	if (status == 401 || status == 403)
		return err__set(err, EACCES,
				"%s requires credentials (HTTP %ld): a user and password are read "
				"from ~/.netrc, a token with --token-file",
				url, status);
	if (status == 404)
		return err__set(err, ENOENT, "no Prometheus at %s (HTTP 404 for /api/v1/query)",
				url);
	if (status >= 300 && status < 400)
		return err__set(err, EIO,
				"%s redirects elsewhere (HTTP %ld): use the URL it redirects to",
				url, status);
	return 0;
}

int fleet_asker__ask(struct fleet_asker *asker, const char *query, struct sb *text, int *status,
		     struct err *err)
{
	struct sb form = SB_INIT, timeout = SB_INIT;
	long code = 0;
	CURLcode rc;

	sb__clear(text);
	asker->text = text;
	asker->too_long = false;
	*asker->why = '\0';
	sb__printf(&timeout, "%ds", asker->server->timeout_s);
	ask__put_field(asker, "query", query, &form);
	ask__put_field(asker, "timeout", sb__str(&timeout), &form);
	if (asker->server->at)
		ask__put_field(asker, "time", asker->server->at, &form);
	rc = lib_curl_easy_setopt(asker->curl, CURLOPT_POSTFIELDSIZE, (long)form.len);
	rc = rc ?: lib_curl_easy_setopt(asker->curl, CURLOPT_COPYPOSTFIELDS, sb__str(&form));
	rc = rc ?: lib_curl_easy_perform(asker->curl);
	sb__free(&form);
	sb__free(&timeout);
	if (rc)
		return no_answer(asker, rc, err);
	lib_curl_easy_getinfo(asker->curl, CURLINFO_RESPONSE_CODE, &code);
	*status = code;
	return judge_status(asker, code, err);
}

void fleet_asker__free(struct fleet_asker *asker)
{
	if (!asker)
		return;
	lib_curl_easy_cleanup(asker->curl);
	lib_curl_slist_free_all(asker->headers);
	sb__free(&asker->url);
	free(asker);
}

#else

struct fleet_asker *fleet_asker__new(const struct fleet_server *server, struct err *err)
{
	(void)server;
	err__set(err, ENOSYS,
		 "this tma was built without libcurl, which queries Prometheus: rebuild it with "
		 "the package libcurl4-openssl-dev installed");
	return NULL;
}

int fleet_asker__ask(struct fleet_asker *asker, const char *query, struct sb *text, int *status,
		     struct err *err)
{
	(void)asker;
	(void)query;
	(void)text;
	(void)status;
	return err__set(err, ENOSYS, "this tma was built without libcurl");
}

void fleet_asker__free(struct fleet_asker *asker)
{
	(void)asker;
}

#endif
