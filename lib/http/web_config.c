// SPDX-License-Identifier: GPL-2.0-only
/* Parse the file with libyaml, and accept only the names that the tables below have. */
#include "http/web_config.h"

#include "http/libraries.h"

#if HTTP_IS_BUILT

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"

#define YAML_LIBRARY "libyaml-0.so.2"
#define HASH_LEN 60
#define COST_MIN 4
#define COST_MAX 14 /* limit of bcrypt's cost: a check takes a second */
#define USERS_MAX 1000
#define FILE_MAX (1 << 20) /* bytes */

LIBRARY_DECLARE(yaml_parser_initialize)
LIBRARY_DECLARE(yaml_parser_set_input_string)
LIBRARY_DECLARE(yaml_parser_parse)
LIBRARY_DECLARE(yaml_parser_delete)
LIBRARY_DECLARE(yaml_event_delete)

/* Sections of the file. */
enum section { SECTION_TOP, SECTION_TLS, SECTION_USERS, SECTION_HTTP, SECTION_NONE };

static const struct section_name {
	const char *name;
	enum section section;
} sections[] = {
	{"tls_server_config", SECTION_TLS},
	{"basic_auth_users", SECTION_USERS},
	{"http_server_config", SECTION_HTTP},
};

/**
 * struct yaml_file - a file that is being parsed
 * @event: the current event of the parser; @has_event: it must be released
 */
struct yaml_file {
	struct web_config *config;
	const char *path;
	yaml_parser_t parser;
	yaml_event_t event;
	bool has_event;
	struct err *err;
};

static int web_config__wrong(struct yaml_file *r, size_t line, const char *what, const char *name)
{
	return err__set(r->err, EINVAL, "%s:%zu: %s%s%s%s", r->path, line + 1, what,
			name ? " '" : "", name ?: "", name ? "'" : "");
}

static int wrong_here(struct yaml_file *r, const char *what, const char *name)
{
	return web_config__wrong(r, r->event.start_mark.line, what, name);
}

static int next(struct yaml_file *r)
{
	if (r->has_event)
		lib_yaml_event_delete(&r->event);
	r->has_event = lib_yaml_parser_parse(&r->parser, &r->event);
	if (!r->has_event)
		return web_config__wrong(r, r->parser.problem_mark.line,
					 r->parser.problem ?: "not YAML", NULL);
	if (r->event.type == YAML_ALIAS_EVENT)
		return wrong_here(r, "an alias (*) is not supported here", NULL);
	return 0;
}

/* Copy the current text; a text with a NUL byte is refused. */
static int take_text(struct yaml_file *r, const char *of, char **text)
{
	const yaml_event_t *e = &r->event;

	if (e->type != YAML_SCALAR_EVENT)
		return wrong_here(r, "expected a single value for", of);
	if (strlen((const char *)e->data.scalar.value) != e->data.scalar.length)
		return wrong_here(r, "there is a byte 0 in the text of", of);
	*text = xstrndup((const char *)e->data.scalar.value, e->data.scalar.length);
	return 0;
}

static int take_once(struct yaml_file *r, const char *name, char **to)
{
	if (*to)
		return wrong_here(r, "there is a second", name);
	return take_text(r, name, to);
}

static int take_tls(struct yaml_file *r, const char *name)
{
	if (!strcmp(name, "cert_file"))
		return take_once(r, name, &r->config->cert_file);
	if (!strcmp(name, "key_file"))
		return take_once(r, name, &r->config->key_file);
	return wrong_here(r, "tls_server_config has only cert_file and key_file here, not", name);
}

/* In Prometheus' servers this section sets whether to use HTTP/2, which this server never uses. */
static int take_http(struct yaml_file *r, const char *name)
{
	auto_text value = NULL;
	int rc;

	if (strcmp(name, "http2"))
		return wrong_here(r, "http_server_config has only http2 here, not", name);
	rc = take_text(r, name, &value);
	if (!rc && strcmp(value, "true") && strcmp(value, "false"))
		return wrong_here(r, "http2 must be true or false, not", value);
	return rc;
}

static bool is_bcrypt(const char *hash)
{
	if (strlen(hash) != HASH_LEN || strncmp(hash, "$2", 2) || !strchr("aby", hash[2]) ||
	    hash[3] != '$' || !isdigit(hash[4]) || !isdigit(hash[5]) || hash[6] != '$')
		return false;
	return strspn(hash + 7,
		      "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") ==
	       HASH_LEN - 7;
}

static int take_user(struct yaml_file *r, const char *name)
{
	struct web_config *c = r->config;
	auto_text hash = NULL;
	int rc = take_text(r, name, &hash);

	if (rc)
		return rc;
	if (!*name || strchr(name, ':'))
		return wrong_here(r, "a user's name must not be empty or have a colon:", name);
	if (!is_bcrypt(hash))
		return wrong_here(
			r, "expected a bcrypt hash of a password (htpasswd -nBC 10 USER) for",
			name);
	if (atoi(hash + 4) < COST_MIN)
		return wrong_here(r,
				  "a cost of the hash below 4 matches no password, for",
				  name);
	if (atoi(hash + 4) > COST_MAX)
		return wrong_here(r,
				  "a cost of the hash above 14 makes each check take many seconds, "
				  "for",
				  name);
	for (int i = 0; i < c->users.nr; i++)
		if (!strcmp(c->users.at[i].name, name))
			return wrong_here(r, "there is a second", name);
	if (c->users.nr == USERS_MAX)
		return wrong_here(r, "there are more than 1000 users", NULL);
	vec__push(&c->users, ((struct web_user){xstrdup(name), xstrdup(hash)}));
	return 0;
}

static enum section find_section(const char *name)
{
	for (int i = 0; i < array__nr(sections); i++)
		if (!strcmp(sections[i].name, name))
			return sections[i].section;
	return SECTION_NONE;
}

static int take_mapping(struct yaml_file *r, enum section section);

static int take_section(struct yaml_file *r, const char *name, bool *seen)
{
	enum section section = find_section(name);
	const yaml_event_t *e = &r->event;

	if (section == SECTION_NONE)
		return wrong_here(r,
				  "the sections are tls_server_config, basic_auth_users and "
				  "http_server_config, not",
				  name);
	if (seen[section])
		return wrong_here(r, "there is a second", name);
	seen[section] = true;
	/* A section is empty if nothing follows "basic_auth_users:". */
	if (e->type == YAML_SCALAR_EVENT && !e->data.scalar.length)
		return 0;
	if (e->type != YAML_MAPPING_START_EVENT)
		return wrong_here(r, "expected names and values below", name);
	return take_mapping(r, section);
}

/* Parse the rest of a mapping, whose start was read already. */
static int take_mapping(struct yaml_file *r, enum section section)
{
	bool seen[SECTION_NONE] = {false};
	int rc;

	while (!(rc = next(r)) && r->event.type != YAML_MAPPING_END_EVENT) {
		auto_text name = NULL;

		rc = take_text(r, "a name", &name);
		rc = rc ?: next(r);
		if (!rc && section == SECTION_TOP)
			rc = take_section(r, name, seen);
		else if (!rc)
			rc = section == SECTION_TLS	? take_tls(r, name)
			     : section == SECTION_USERS ? take_user(r, name)
							: take_http(r, name);
		if (rc)
			return rc;
	}
	return rc;
}

static int take_document(struct yaml_file *r)
{
	int rc = next(r) ?: next(r);

	if (rc || r->event.type == YAML_STREAM_END_EVENT)
		return rc;
	rc = next(r);
	if (!rc && r->event.type == YAML_MAPPING_START_EVENT)
		rc = take_mapping(r, SECTION_TOP);
	else if (!rc && (r->event.type != YAML_SCALAR_EVENT || r->event.data.scalar.length))
		rc = wrong_here(r, "expected names and values", NULL);
	rc = rc ?: next(r) ?: next(r);
	if (!rc && r->event.type != YAML_STREAM_END_EVENT)
		rc = wrong_here(r, "unexpected second document", NULL);
	return rc;
}

/* As in Prometheus, relative paths start in the file's directory. */
static void complete(char **name, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct sb whole = SB_INIT;

	if (!*name || **name == '/' || !slash)
		return;
	sb__add(&whole, path, slash + 1 - path);
	sb__puts(&whole, *name);
	free(*name);
	*name = sb__detach(&whole);
}

int web_config__load_library(struct err *err)
{
	static const struct library_call calls[] = {
		LIBRARY_CALL(yaml_parser_initialize) LIBRARY_CALL(yaml_parser_set_input_string)
			LIBRARY_CALL(yaml_parser_parse) LIBRARY_CALL(yaml_parser_delete)
				LIBRARY_CALL(yaml_event_delete){NULL, NULL}};

	return library__load(YAML_LIBRARY, "libyaml-0-2", calls, err);
}

int web_config__parse(struct web_config *c, const char *path, const char *text, size_t len,
		      struct err *err)
{
	struct yaml_file r = {.config = c, .path = path, .err = err};
	int rc;

	*c = (struct web_config){.cert = NULL};
	xchecked(lib_yaml_parser_initialize(&r.parser) ? c : NULL);
	lib_yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
	rc = take_document(&r);
	if (r.has_event)
		lib_yaml_event_delete(&r.event);
	lib_yaml_parser_delete(&r.parser);
	if (!rc && !c->cert_file != !c->key_file)
		rc = err__set(err, EINVAL,
			      "%s: tls_server_config needs both cert_file and key_file", path);
	complete(&c->cert_file, path);
	complete(&c->key_file, path);
	return rc;
}

/* The TLS library would refuse these without giving a reason. */
static int check_pem(const struct web_config *c, struct err *err)
{
	if (!strstr(c->cert, "-----BEGIN CERTIFICATE-----") &&
	    !strstr(c->cert, "-----BEGIN X509 CERTIFICATE-----"))
		return err__set(err, EINVAL,
				"%s: there is no certificate in PEM (-----BEGIN CERTIFICATE-----)",
				c->cert_file);
	if (!strstr(c->key, "PRIVATE KEY-----"))
		return err__set(err, EINVAL,
				"%s: there is no key in PEM (-----BEGIN PRIVATE KEY-----)",
				c->key_file);
	if (strstr(c->key, "-----BEGIN ENCRYPTED PRIVATE KEY-----") ||
	    strstr(c->key, "\nProc-Type: 4,ENCRYPTED"))
		return err__set(err, EINVAL,
				"%s: the key is encrypted: decrypt it with openssl pkey -in %s "
				"-out FILE",
				c->key_file, c->key_file);
	return 0;
}

int web_config__load(struct web_config *c, const char *path, struct err *err)
{
	auto_text text = NULL;
	size_t len = 0;
	int rc;

	*c = (struct web_config){.cert = NULL};
	rc = file__read_regular(path, FILE_MAX, &text, &len, err);
	rc = rc ?: web_config__parse(c, path, text, len, err);
	if (rc || !c->cert_file)
		return rc;
	return file__read_regular(c->cert_file, FILE_MAX, &c->cert, &len, err)
		       ?: file__read_regular(c->key_file, FILE_MAX, &c->key, &len, err)
		       ?: check_pem(c, err);
}

void web_config__free(struct web_config *c)
{
	for (int i = 0; i < c->users.nr; i++) {
		free(c->users.at[i].name);
		free(c->users.at[i].hash);
	}
	vec__free(&c->users);
	if (c->key)
		explicit_bzero(c->key, strlen(c->key));
	free(c->key);
	free(c->cert);
	free(c->cert_file);
	free(c->key_file);
	*c = (struct web_config){.cert = NULL};
}

#endif
