// SPDX-License-Identifier: GPL-2.0-only
#include "http/server.h"

#include "http/libraries.h"

#if HTTP_IS_BUILT

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "base/shared_text.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "http/auth.h"
#include "http/exposition.h"
#include "http/web_config.h"

#define HTTP_LIBRARY "libmicrohttpd.so.12"
#define NS_PER_S UINT64_C(1000000000)

#define CLIENTS_MAX 512
#define CLIENTS_MANY 384 /* with more clients, a new one replaces the one waiting longest */
#define HEADERS_MAX 8192 /* bytes of a request's headers, and of memory for an answer */
#define BODY_MAX 65536	 /* limit of a request's body, in bytes; bodies are ignored */
#define REQUEST_NS (10 * NS_PER_S) /* time from the connection to the end of the first answer */
#define IDLE_NS (120 * NS_PER_S)   /* time from the end of an answer to the end of the next */
#define SWEEP_NS NS_PER_S

#define TLS_PRIORITIES "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

LIBRARY_DECLARE(MHD_start_daemon)
LIBRARY_DECLARE(MHD_stop_daemon)
LIBRARY_DECLARE(MHD_get_daemon_info)
LIBRARY_DECLARE(MHD_get_timeout)
LIBRARY_DECLARE(MHD_run)
LIBRARY_DECLARE(MHD_get_connection_info)
LIBRARY_DECLARE(MHD_lookup_connection_value)
LIBRARY_DECLARE(MHD_create_response_from_buffer)
LIBRARY_DECLARE(MHD_destroy_response)
LIBRARY_DECLARE(MHD_add_response_header)
LIBRARY_DECLARE(MHD_queue_response)

/* Forms of the text. A form is kept after a client has requested it. */
enum form {
	FORM_GZIP = 1,
	FORM_OPEN_METRICS = 2,
	FORMS = 4,
};

/**
 * struct client - a connection
 * @since_ns: time of the connection, or of the end of its last answer
 * @had_answer: an answer was sent; @is_cut: the connection is being closed
 */
struct client {
	int fd;
	uint64_t since_ns;
	bool had_answer, is_cut;
	struct client *next, *before;
};

struct server {
	struct MHD_Daemon *daemon;
	int listen_fd, nr_clients;
	const struct web_config *config;
	struct auth *auth;
	const struct shared_text *text;
	uint64_t number, now_ns, swept_ns, answered[SERVER_STATUSES];
	const char *why_not;
	struct MHD_Response *forms[FORMS], *about, *healthy, *errors[SERVER_STATUSES];
	struct client *first;
	struct sb plain, other, packed;
};

static const struct answer {
	unsigned int code;
	const char *words;
} answers[] = {
	[SERVER_OK] = {MHD_HTTP_OK, "ok\n"},
	[SERVER_UNAUTHORIZED] = {MHD_HTTP_UNAUTHORIZED, "A user and a password are needed.\n"},
	[SERVER_NOT_FOUND] = {MHD_HTTP_NOT_FOUND, "Only /metrics, /healthz and / exist.\n"},
	[SERVER_NOT_ALLOWED] = {MHD_HTTP_METHOD_NOT_ALLOWED, "Only GET and HEAD are allowed.\n"},
	[SERVER_BUSY] = {MHD_HTTP_TOO_MANY_REQUESTS, "Too many wrong passwords.\n"},
	[SERVER_NO_TEXT] = {MHD_HTTP_SERVICE_UNAVAILABLE, ""},
};

int server__load(struct err *err)
{
	static const struct library_call calls[] = {
		LIBRARY_CALL(MHD_start_daemon)
		LIBRARY_CALL(MHD_stop_daemon)
		LIBRARY_CALL(MHD_get_daemon_info)
		LIBRARY_CALL(MHD_get_timeout)
		LIBRARY_CALL(MHD_run)
		LIBRARY_CALL(MHD_get_connection_info)
		LIBRARY_CALL(MHD_lookup_connection_value)
		LIBRARY_CALL(MHD_create_response_from_buffer)
		LIBRARY_CALL(MHD_destroy_response)
		LIBRARY_CALL(MHD_add_response_header)
		LIBRARY_CALL(MHD_queue_response)
		{NULL, NULL}};

	return library__load(HTTP_LIBRARY, "libmicrohttpd12", calls, err) ?: gzip__load(err);
}

/* --- Answers -------------------------------------------------------------------------------- */

static struct MHD_Response *make_response(const char *text, size_t len, const char *type)
{
	struct MHD_Response *r = lib_MHD_create_response_from_buffer(len, (void *)text,
								     MHD_RESPMEM_MUST_COPY);

	xchecked(r);
	lib_MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	lib_MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
	return r;
}

static struct MHD_Response *make_words(const char *words)
{
	return make_response(words, strlen(words), "text/plain; charset=utf-8");
}

static void server__drop(struct MHD_Response **r)
{
	if (*r)
		lib_MHD_destroy_response(*r);
	*r = NULL;
}

static void make_answers(struct server *s, const char *about)
{
	s->about = make_response(about, strlen(about), "text/html; charset=utf-8");
	lib_MHD_add_response_header(s->about, "Content-Security-Policy", "default-src 'none'");
	s->healthy = make_words(answers[SERVER_OK].words);
	for (int i = SERVER_UNAUTHORIZED; i < SERVER_NO_TEXT; i++)
		s->errors[i] = make_words(answers[i].words);
	lib_MHD_add_response_header(s->errors[SERVER_UNAUTHORIZED],
				    MHD_HTTP_HEADER_WWW_AUTHENTICATE,
				    "Basic realm=\"tma\", charset=\"UTF-8\"");
	lib_MHD_add_response_header(s->errors[SERVER_NOT_ALLOWED], MHD_HTTP_HEADER_ALLOW,
				    "GET, HEAD");
	lib_MHD_add_response_header(s->errors[SERVER_BUSY], MHD_HTTP_HEADER_RETRY_AFTER, "4");
}

/* Append the number of answered requests to the measurement's text. */
static void put_answered(struct server *s)
{
	sb__puts(&s->plain, "# HELP tma_http_requests_total Requests answered since the start, as of "
			    "the last row.\n# TYPE tma_http_requests_total counter\n");
	/*
	 * Put the series of all statuses: if a series began with its first event, a client would
	 * not see an increase.
	 */
	for (int i = 0; i < SERVER_STATUSES; i++)
		sb__printf(&s->plain, "tma_http_requests_total{code=\"%u\"} %" PRIu64 "\n",
			   answers[i].code, s->answered[i]);
}

/* Copy the text if it has changed. Return: whether there is a text. */
static bool take_text(struct server *s)
{
	if (!s->text)
		return false;
	if (s->number && shared_text__number(s->text) == s->number)
		return s->plain.len;
	for (int i = 0; i < FORMS; i++)
		server__drop(&s->forms[i]);
	s->number = shared_text__get(s->text, &s->plain);
	if (s->plain.len)
		put_answered(s);
	return s->plain.len;
}

static struct MHD_Response *make_form(struct server *s, enum form form)
{
	static const char *const types[] = {
		"text/plain; version=0.0.4; charset=utf-8",
		"application/openmetrics-text; version=1.0.0; charset=utf-8",
	};
	struct sb *text = &s->plain;
	struct MHD_Response *r;

	if (form & FORM_OPEN_METRICS) {
		sb__clear(&s->other);
		open_metrics__put(sb__str(&s->plain), &s->other);
		text = &s->other;
	}
	if (form & FORM_GZIP) {
		sb__clear(&s->packed);
		gzip__put(sb__str(text), text->len, &s->packed);
		text = &s->packed;
	}
	r = make_response(sb__str(text), text->len, types[!!(form & FORM_OPEN_METRICS)]);
	lib_MHD_add_response_header(r, MHD_HTTP_HEADER_VARY, "Accept, Accept-Encoding");
	if (form & FORM_GZIP)
		lib_MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
	return r;
}

static enum MHD_Result reply(struct server *s, struct MHD_Connection *c, enum server_status status,
			    struct MHD_Response *r)
{
	s->answered[status]++;
	return lib_MHD_queue_response(c, answers[status].code, r);
}

static enum MHD_Result send_error(struct server *s, struct MHD_Connection *c,
				  enum server_status status)
{
	return reply(s, c, status, s->errors[status]);
}

static enum MHD_Result send_why_not(struct server *s, struct MHD_Connection *c, const char *why_not)
{
	struct MHD_Response *r = make_words(why_not);
	enum MHD_Result rc = reply(s, c, SERVER_NO_TEXT, r);

	lib_MHD_destroy_response(r);
	return rc;
}

static const char *header(struct MHD_Connection *c, const char *name)
{
	return lib_MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

static enum MHD_Result send_metrics(struct server *s, struct MHD_Connection *c)
{
	enum form form = 0;

	form |= accepts__open_metrics(header(c, MHD_HTTP_HEADER_ACCEPT)) ? FORM_OPEN_METRICS : 0;
	form |= accepts__gzip(header(c, MHD_HTTP_HEADER_ACCEPT_ENCODING)) ? FORM_GZIP : 0;
	if (!s->forms[form])
		s->forms[form] = make_form(s, form);
	return reply(s, c, SERVER_OK, s->forms[form]);
}

/*
 * Make a number of a client's network. An IPv6 network has 64 bits; the other bits are the host's.
 * IPv4 clients of an IPv6 socket have addresses whose first 64 bits are all equal, so the other 64
 * bits are used.
 */
static uint64_t address_of(struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *info =
		lib_MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	const struct sockaddr *address = info ? info->client_addr : NULL;
	const struct in6_addr *ip6;
	uint64_t number = 0;
	int from;

	if (address && address->sa_family == AF_INET)
		return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr);
	if (!address || address->sa_family != AF_INET6)
		return 0;
	ip6 = &((const struct sockaddr_in6 *)address)->sin6_addr;
	from = IN6_IS_ADDR_V4MAPPED(ip6) ? 8 : 0;
	for (int i = from; i < from + 8; i++)
		number = number * 31 + ip6->s6_addr[i];
	return number;
}

static enum MHD_Result server__answer(struct server *s, struct MHD_Connection *c, const char *path,
				      const char *method)
{
	bool is_metrics, is_health;

	/*
	 * Accept a whole URL in place of the path: proxies send it, and HTTP requires servers to
	 * accept it.
	 */
	if (text__has_prefix(path, "http://") || text__has_prefix(path, "https://"))
		path = strchr(strchr(path, ':') + 3, '/') ?: "/";
	is_metrics = !strcmp(path, "/metrics");
	is_health = !strcmp(path, "/healthz");

	switch (auth__ask(s->auth, header(c, MHD_HTTP_HEADER_AUTHORIZATION), address_of(c),
			  s->now_ns)) {
	case AUTH_YES:
		break;
	case AUTH_NO:
		return send_error(s, c, SERVER_UNAUTHORIZED);
	case AUTH_WAIT:
		return send_error(s, c, SERVER_BUSY);
	}
	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return send_error(s, c, SERVER_NOT_ALLOWED);
	if (!is_metrics && !is_health && strcmp(path, "/"))
		return send_error(s, c, SERVER_NOT_FOUND);
	if (!is_metrics && !is_health)
		return reply(s, c, SERVER_OK, s->about);
	if (s->why_not)
		return send_why_not(s, c, s->why_not);
	if (!take_text(s))
		return send_why_not(s, c, "There is no row yet.\n");
	return is_metrics ? send_metrics(s, c) : reply(s, c, SERVER_OK, s->healthy);
}

/*
 * Function that the library calls with the head of a request, with each part of its body, and at
 * its end.
 * @kept: a number that this function sets for the request: 1, plus the bytes of the body so far
 */
static enum MHD_Result take_request(void *server, struct MHD_Connection *c, const char *path,
				    const char *method, const char *version, const char *body,
				    size_t *body_len, void **kept)
{
	uintptr_t seen = (uintptr_t)*kept;

	(void)version;
	(void)body;
	if (!seen) {
		*kept = (void *)(uintptr_t)1;
		return MHD_YES;
	}
	if (!*body_len)
		return server__answer(server, c, path, method);
	seen += *body_len;
	*body_len = 0;
	*kept = (void *)seen;
	return seen > BODY_MAX ? MHD_NO : MHD_YES;
}

/* Paths are compared without decoding: "%2e" is not a dot. */
static size_t keep_escapes(void *server, struct MHD_Connection *c, char *text)
{
	(void)server;
	(void)c;
	return strlen(text);
}

/* --- Clients -------------------------------------------------------------------------------- */

static void cut(struct client *client)
{
	client->is_cut = true;
	shutdown(client->fd, SHUT_RDWR);
}

/*
 * Disconnect the client that has waited longest. The list has the order of connecting, the last
 * client first.
 */
static void server__make_room(struct server *s)
{
	struct client *oldest = NULL;

	for (struct client *c = s->first; c; c = c->next)
		if (!c->is_cut && (!oldest || c->since_ns < oldest->since_ns))
			oldest = c;
	if (oldest)
		cut(oldest);
}

static void add_client(struct server *s, struct MHD_Connection *c, void **kept)
{
	struct client *client = xcalloc(1, sizeof(*client));
	const union MHD_ConnectionInfo *info =
		lib_MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);

	client->fd = info ? info->connect_fd : -1;
	client->since_ns = s->now_ns;
	if (s->nr_clients++ >= CLIENTS_MANY)
		server__make_room(s);
	client->next = s->first;
	if (s->first)
		s->first->before = client;
	s->first = client;
	*kept = client;
}

static void remove_client(struct server *s, struct client *client)
{
	if (client->before)
		client->before->next = client->next;
	else
		s->first = client->next;
	if (client->next)
		client->next->before = client->before;
	s->nr_clients--;
	free(client);
}

static void take_connection(void *server, struct MHD_Connection *c, void **kept,
			    enum MHD_ConnectionNotificationCode what)
{
	if (what == MHD_CONNECTION_NOTIFY_STARTED)
		add_client(server, c, kept);
	else if (*kept)
		remove_client(server, *kept);
}

/* An answer has ended: the time limit for the next answer begins. */
static void end_request(void *server, struct MHD_Connection *c, void **kept,
			enum MHD_RequestTerminationCode why)
{
	const union MHD_ConnectionInfo *info =
		lib_MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct client *client = info ? info->socket_context : NULL;
	struct server *s = server;

	*kept = NULL;
	if (!client || why != MHD_REQUEST_TERMINATED_COMPLETED_OK)
		return;
	client->since_ns = s->now_ns;
	client->had_answer = true;
}

static void sweep(struct server *s)
{
	if (s->now_ns - s->swept_ns < SWEEP_NS)
		return;
	s->swept_ns = s->now_ns;
	for (struct client *c = s->first; c; c = c->next)
		if (!c->is_cut && s->now_ns - c->since_ns > (c->had_answer ? IDLE_NS : REQUEST_NS))
			cut(c);
}

/* --- The server ----------------------------------------------------------------------------- */

static int server__start(struct server *s, const struct web_config *config,
			 struct MHD_Daemon **daemon, struct err *err)
{
	struct MHD_OptionItem tls[] = {
		{MHD_OPTION_HTTPS_MEM_KEY, 0, config->key},
		{MHD_OPTION_HTTPS_MEM_CERT, 0, config->cert},
		{MHD_OPTION_HTTPS_PRIORITIES, 0, TLS_PRIORITIES},
		{MHD_OPTION_END, 0, NULL}};
	struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
	unsigned int flags = MHD_USE_EPOLL | (config->cert ? MHD_USE_TLS : 0);
	int fd = fcntl(s->listen_fd, F_DUPFD_CLOEXEC, 3), code;

	if (fd < 0)
		return err__set(err, errno, "cannot serve the socket: %s", strerror(errno));
	errno = 0;
	*daemon = lib_MHD_start_daemon(
		flags, 0, NULL, NULL, take_request, s, MHD_OPTION_LISTEN_SOCKET, fd,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned int)CLIENTS_MAX,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADERS_MAX,
		MHD_OPTION_NOTIFY_CONNECTION, take_connection, s, MHD_OPTION_NOTIFY_COMPLETED,
		end_request, s, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, s,
		MHD_OPTION_ARRAY, config->cert ? tls : none, MHD_OPTION_END);
	if (*daemon)
		return 0;
	code = errno ? errno : EIO;
	close(fd);
	/* Ignore errno here: reading certificates sets it to any value, whatever the error is. */
	if (config->cert && code != EMFILE && code != ENFILE && code != ENOMEM)
		return err__set(err, EINVAL, "%s and %s are not a certificate and its key",
				config->cert_file, config->key_file);
	return err__set(err, code, "cannot serve: %s", strerror(code));
}

int server__new(struct server **server, int listen_fd, const struct web_config *config,
		const char *about, struct err *err)
{
	struct server *s = xcalloc(1, sizeof(*s));
	int rc;

	s->listen_fd = listen_fd;
	s->config = config;
	s->auth = auth__new(config);
	rc = server__start(s, config, &s->daemon, err);
	if (rc) {
		auth__free(s->auth);
		free(s);
		return rc;
	}
	make_answers(s, about);
	*server = s;
	return 0;
}

void server__free(struct server *s)
{
	if (!s)
		return;
	lib_MHD_stop_daemon(s->daemon);
	auth__free(s->auth);
	server__drop(&s->about);
	server__drop(&s->healthy);
	for (int i = 0; i < SERVER_STATUSES; i++)
		server__drop(&s->errors[i]);
	for (int i = 0; i < FORMS; i++)
		server__drop(&s->forms[i]);
	sb__free(&s->plain);
	sb__free(&s->other);
	sb__free(&s->packed);
	free(s);
}

void server__forget(struct server *s)
{
	if (!s)
		return;
	auth__free(s->auth);
	s->auth = NULL;
}

void server__set_text(struct server *s, const struct shared_text *text)
{
	s->text = text;
	s->number = 0;
}

void server__set_fresh(struct server *s, const char *why_not)
{
	s->why_not = why_not;
}

int server__set_config(struct server *s, const struct web_config *config, struct err *err)
{
	struct MHD_Daemon *daemon;
	int rc = server__start(s, config, &daemon, err);

	if (rc)
		return rc;
	lib_MHD_stop_daemon(s->daemon);
	s->daemon = daemon;
	auth__set_config(s->auth, config);
	s->config = config;
	return 0;
}

int server__fd(const struct server *s)
{
	return lib_MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

int server__timeout_ms(const struct server *s)
{
	MHD_UNSIGNED_LONG_LONG ms;

	if (lib_MHD_get_timeout(s->daemon, &ms) != MHD_YES)
		return -1;
	return ms < INT_MAX ? (int)ms : INT_MAX;
}

void server__run(struct server *s, uint64_t now_ns)
{
	s->now_ns = now_ns;
	lib_MHD_run(s->daemon);
	sweep(s);
}

uint64_t server__answered(const struct server *s, enum server_status status)
{
	return s->answered[status];
}

#endif
