// SPDX-License-Identifier: GPL-2.0-only
#include "http/exposition.h"

#include "http/libraries.h"

#if HTTP_IS_BUILT

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"

#define GZIP_LIBRARY "libz.so.1"
#define TOTAL "_total"
#define INFO "_info"
#define GZIP_WINDOW (15 + 16) /* zlib's largest window, plus its flag for gzip */
#define GZIP_MEMORY 8
#define GZIP_BYTES 4096 /* size of the output buffer */

/* --- What a client accepts (RFC 9110) -------------------------------------------------------- */

/**
 * struct choice - an item in a list of accepted types
 * @q: weight of the item in thousandths; 0 means that it is not accepted
 */
struct choice {
	const char *name, *parameters;
	int len, q, parameters_len;
};

static const char *exposition__skip_blanks(const char *text, const char *end)
{
	while (text < end && (*text == ' ' || *text == '\t'))
		text++;
	return text;
}

/* Parse a weight: "1", "0", "0.5", "0.125"; other texts mean 1, the default. */
static int read_q(const char *text, const char *end)
{
	int q = 0, digit = 100;

	if (text == end || (*text != '0' && *text != '1'))
		return 1000;
	if (*text == '1')
		return 1000;
	if (++text < end && *text == '.')
		for (text++; text < end && *text >= '0' && *text <= '9' && digit; text++) {
			q += digit * (*text - '0');
			digit /= 10;
		}
	return q;
}

/* Take the next item of a list. Return: whether there is one. */
static bool next_choice(const char **list, struct choice *c)
{
	const char *end = *list + strcspn(*list, ","), *at = exposition__skip_blanks(*list, end);

	if (!**list)
		return false;
	*c = (struct choice){.name = at, .q = 1000};
	while (at < end && *at != ';' && *at != ' ' && *at != '\t')
		at++;
	c->len = at - c->name;
	c->parameters = at;
	c->parameters_len = end - at;
	while (at < end) {
		const char *semicolon = memchr(at, ';', end - at);

		if (!semicolon)
			break;
		at = exposition__skip_blanks(semicolon + 1, end);
		if (end - at > 1 && (*at == 'q' || *at == 'Q') && at[1] == '=')
			c->q = read_q(at + 2, end);
	}
	*list = *end ? end + 1 : end;
	return true;
}

static bool is_called(const struct choice *c, const char *name)
{
	return (int)strlen(name) == c->len && !strncasecmp(c->name, name, c->len);
}

/* If a client names a version of OpenMetrics, the version must be 1.0.0, which tma uses. */
static bool is_our_version(const struct choice *c)
{
	static const char version[] = "version=";
	const char *at = memmem(c->parameters, c->parameters_len, version, strlen(version)), *end;

	if (!at)
		return true;
	end = c->parameters + c->parameters_len;
	at += strlen(version);
	at += at < end && *at == '"';
	return end - at >= 5 && !strncmp(at, "1.0.0", 5);
}

bool accepts__open_metrics(const char *accept)
{
	int open_metrics = 0, text = 0;
	struct choice c;

	for (const char *rest = accept ?: ""; next_choice(&rest, &c);) {
		if (is_called(&c, "application/openmetrics-text") && is_our_version(&c))
			open_metrics = c.q > open_metrics ? c.q : open_metrics;
		else if (is_called(&c, "text/plain"))
			text = c.q > text ? c.q : text;
	}
	return open_metrics && open_metrics >= text;
}

bool accepts__gzip(const char *encodings)
{
	int any = 0, gzip = -1;
	struct choice c;

	for (const char *rest = encodings ?: ""; next_choice(&rest, &c);) {
		if (is_called(&c, "gzip") || is_called(&c, "x-gzip"))
			gzip = c.q;
		else if (is_called(&c, "*"))
			any = c.q;
	}
	return gzip < 0 ? any : gzip;
}

/* --- OpenMetrics ---------------------------------------------------------------------------- */

/*
 * In OpenMetrics, the name of a counter's family lacks "_total", and the name of a family of facts
 * lacks "_info".
 */
static void put_heading(const char *line, int len, struct sb *to)
{
	const char *name = line + strlen("# HELP "), *end = line + len;
	const char *blank = memchr(name, ' ', end - name);
	int name_len = blank ? blank - name : end - name;
	bool is_type = text__has_prefix(line, "# TYPE "), is_info;

	sb__add(to, line, name - line);
	is_info = name_len > (int)strlen(INFO) &&
		  !strncmp(name + name_len - strlen(INFO), INFO, strlen(INFO));
	if (is_info)
		sb__add(to, name, name_len - strlen(INFO));
	else if (name_len > (int)strlen(TOTAL) &&
		 !strncmp(name + name_len - strlen(TOTAL), TOTAL, strlen(TOTAL)))
		sb__add(to, name, name_len - strlen(TOTAL));
	else
		sb__add(to, name, name_len);
	if (is_type && is_info)
		sb__puts(to, " info");
	else
		sb__add(to, name + name_len, end - name - name_len);
}

void open_metrics__put(const char *text, struct sb *to)
{
	while (*text) {
		int len = strcspn(text, "\n");

		if (text__has_prefix(text, "# HELP ") || text__has_prefix(text, "# TYPE "))
			put_heading(text, len, to);
		else
			sb__add(to, text, len);
		sb__putc(to, '\n');
		text += len + (text[len] == '\n');
	}
	sb__puts(to, "# EOF\n");
}

/* --- gzip ----------------------------------------------------------------------------------- */

LIBRARY_DECLARE(deflateInit2_)
LIBRARY_DECLARE(deflate)
LIBRARY_DECLARE(deflateEnd)

int gzip__load(struct err *err)
{
	static const struct library_call calls[] = {LIBRARY_CALL(deflateInit2_) LIBRARY_CALL(
		deflate) LIBRARY_CALL(deflateEnd){NULL, NULL}};

	return library__load(GZIP_LIBRARY, "zlib1g", calls, err);
}

void gzip__put(const char *text, size_t len, struct sb *to)
{
	z_stream stream = {.next_in = (Bytef *)text, .avail_in = len};
	char out[GZIP_BYTES];
	int rc;

	/* The only possible error is a lack of memory. */
	rc = lib_deflateInit2_(&stream, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
			       Z_DEFAULT_STRATEGY, ZLIB_VERSION, sizeof(stream));
	xchecked(rc == Z_OK ? to : NULL);
	do {
		stream.next_out = (Bytef *)out;
		stream.avail_out = sizeof(out);
		rc = lib_deflate(&stream, Z_FINISH);
		sb__add(to, out, sizeof(out) - stream.avail_out);
	} while (rc == Z_OK || rc == Z_BUF_ERROR);
	lib_deflateEnd(&stream);
}

#endif
